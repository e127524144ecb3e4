//! `wayforge act`: generates act maps.

use crate::choice::{Choice, choice};
use crate::config_file::read_config;
use crate::failure::{Context, Failure, reject};
use crate::format::{FormatArg, MAPS};
use crate::generate::{Maps, SeedArgs};
use crate::kind_options::KindArgs;
use crate::number::{col_row, head_and_tail, whole};
use crate::overlay::{given_options, overlay};
use crate::picture::{Canvas, OutputArgs};
use crate::spire_options::SpireArgs;
use crate::steps;
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use wayforge::act::{self, ActMap, Cell, KindsConfig, Pin};
use wayforge_draw::{ActFrames, Layout, Scene};

/// Options of `wayforge act`.
#[derive(Args)]
pub(crate) struct ActArgs {
    /// Ruleset [default: walks]
    #[arg(long, value_parser = choice(&RULESETS))]
    ruleset: Option<&'static str>,
    #[command(flatten)]
    seeds: SeedArgs,
    /// Read the configuration from a .toml or .json file; options override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    grid: GridArgs,
    #[command(flatten)]
    kinds: KindArgs,
    #[command(flatten)]
    spire: SpireArgs,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Grid")]
struct GridArgs {
    /// Number of rows, 1 to 4096 [default: 15]
    #[arg(long, value_name = "N", value_parser = whole(1..=4096))]
    rows: Option<i64>,
    /// Number of columns, 1 to 64 [default: 7]
    #[arg(long, value_name = "N", value_parser = whole(1..=64))]
    cols: Option<i64>,
    /// rows: minimum number of nodes per row between start and boss, 1 to 64 [default: 2]
    #[arg(long, value_name = "N", value_parser = whole(1..=64))]
    min_nodes: Option<i64>,
    /// rows: maximum number of nodes per row between start and boss, 1 to 64 [default: 5]
    #[arg(long, value_name = "N", value_parser = whole(1..=64))]
    max_nodes: Option<i64>,
    /// walks: number of walks from the bottom row to the top, 1 to 1024 [default: 6]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024))]
    walks: Option<i64>,
    /// walks: number of nearest columns a walk may step to, 1 to 64 [default: 3]
    #[arg(long, value_name = "N", value_parser = whole(1..=64))]
    nearest: Option<i64>,
    /// walks: steps a stuck walk backtracks before it restarts, 0 to 4096 [default: 6]
    #[arg(long, value_name = "N", value_parser = whole(0..=4096))]
    depth: Option<i64>,
    /// walks: restarts of a stuck walk before it is routed with look-ahead, 0 to 10000
    /// [default: 10]
    #[arg(long, value_name = "N", value_parser = whole(0..=10000))]
    restarts: Option<i64>,
    /// Skeletons to try before the kind rules count as unsatisfiable, 1 to 1000 [default: 20]
    #[arg(long, value_name = "N", value_parser = whole(1..=1000))]
    attempts: Option<i64>,
    /// walks: block a cell; repeatable
    #[arg(long, value_name = "COL,ROW", allow_hyphen_values = true, value_parser = parse_cell)]
    blocked: Vec<Cell>,
    /// walks: require a node, optionally of a kind; repeatable
    #[arg(
        long = "pin",
        value_name = "COL,ROW[=KIND]",
        allow_hyphen_values = true,
        value_parser = parse_pin
    )]
    pins: Vec<Pin>,
    /// walks: add a boss above the top row [default: true]
    #[arg(long, value_name = "true|false")]
    boss: Option<bool>,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
struct PictureArgs {
    /// Output format [default: by the suffix of the output file, else ascii]
    #[arg(long, value_parser = FormatArg::among(&[&MAPS[..], &[FormatArg::Line]].concat()))]
    format: Option<FormatArg>,
    #[command(flatten)]
    output: OutputArgs,
    /// Label every node with column and row in SVG and PNG pictures
    #[arg(long)]
    labels: bool,
}

const RULESETS: [Choice<&str>; 3] = [
    ("walks", "Monotone walks on a grid", "walks"),
    ("rows", "Rows of nodes between one start and one boss", "rows"),
    ("spire", "The maps of Slay the Spire, bit for bit", "spire"),
];

/// Generates and writes the requested maps.
pub(crate) fn run(mut args: ActArgs) -> Result<(), Failure> {
    let config = args.resolve_config()?;
    let spec = config.resolve().rejected()?;
    let output = &args.picture.output;
    let canvas = output.canvas(args.picture.format)?;
    if args.picture.labels && !matches!(canvas.format, FormatArg::Svg | FormatArg::Png) {
        return reject("--labels: only pictures have labels; use --format svg or png");
    }
    if let act::Config::Spire(_) = &config {
        args.seeds.seed = args.spire.seed(args.seeds.seed)?;
    }
    let maps = Maps::open(output, canvas, &args.seeds, "json or ascii", true)?;
    let failed = |error: act::Error| Failure::Generation(error.to_string());
    if maps.is_animated() {
        let (map, recorder) = steps::record(|recorder| {
            act::generate_traced(maps.seed(), &spec, recorder).map_err(failed)
        })?;
        return maps.animate(ActFrames::new(&map, recorder.events()));
    }
    let mut generator = act::Generator::new(&spec);
    maps.write(|seed| draw(generator.generate(seed).map_err(failed)?, canvas, args.picture.labels))
}

fn draw(map: &ActMap, canvas: Canvas, labels: bool) -> Result<Vec<u8>, Failure> {
    match canvas.format {
        FormatArg::Line => act::canonical_line(map)
            .map(|line| format!("{line}\n").into_bytes())
            .context("--format line"),
        _ => {
            let layout = Layout { labels, ..Layout::default() };
            canvas.map(|| map.to_document(), || Scene::from_act_with(map, layout))
        }
    }
}

impl ActArgs {
    /// Returns the configuration: file or defaults, overridden by options.
    fn resolve_config(&self) -> Result<act::Config, Failure> {
        let mut config = match (self.ruleset, &self.config) {
            (Some(ruleset), None) => {
                act::Config::from_json(json!({ "ruleset": ruleset }).to_string().as_bytes())
                    .rejected()?
            }
            (_, path) => read_config(path.as_deref(), act::Config::from_json)?,
        };
        let in_file = config.ruleset();
        if let Some(given) = self.ruleset.filter(|given| *given != in_file) {
            return reject(format!(
                "--ruleset {given}: the configuration file has the ruleset {in_file}; \
                 leave out one of them"
            ));
        }
        self.reject_foreign_options(&config)?;
        match &mut config {
            act::Config::Walks(config) => {
                overlay(config, &self.grid)?;
                self.kinds.apply(&mut config.kinds, KindsConfig::standard, config.rows)?;
            }
            act::Config::Rows(config) => {
                overlay(config, &self.grid)?;
                self.kinds.apply(&mut config.kinds, KindsConfig::standard_rows, config.rows)?;
            }
            act::Config::Spire(config) => overlay(config, &self.spire)?,
        }
        Ok(config)
    }

    /// Rejects options that the ruleset does not have.
    fn reject_foreign_options(&self, config: &act::Config) -> Result<(), Failure> {
        let fields = json!(config);
        let is_foreign = |field: &str| fields.get(field).is_none();
        let kinds = given_options(&self.kinds)?.into_keys().filter(|_| is_foreign("kinds"));
        let seed_text = self
            .spire
            .seed_text
            .iter()
            .map(|_| "seed_text".to_owned())
            .filter(|_| is_foreign("act"));
        let others =
            given_options(&self.grid)?.into_keys().chain(given_options(&self.spire)?.into_keys());
        let mut foreign = others.filter(|field| is_foreign(field)).chain(kinds).chain(seed_text);
        let Some(field) = foreign.next() else { return Ok(()) };
        let option = field.replace("pins", "pin").replace('_', "-");
        reject(format!(
            "--{option}: the ruleset {} has no such option; leave it out",
            config.ruleset()
        ))
    }
}

fn parse_cell(text: &str) -> Result<Cell, String> {
    let (col, row) = col_row(text)?;
    Ok(Cell { row, col })
}

fn parse_pin(text: &str) -> Result<Pin, String> {
    let (cell, kind) = head_and_tail(text, '=');
    let (col, row) = col_row(cell)?;
    Ok(Pin { row, col, kind: kind.map(str::to_owned) })
}
