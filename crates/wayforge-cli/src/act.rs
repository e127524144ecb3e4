//! `wayforge act`: make act maps and write them.

use crate::config_file;
use crate::failure::{Context, Failure};
use crate::format::{MAPS, OutputFormat};
use crate::generate::{Maps, SeedArgs};
use crate::kind_options::KindArgs;
use crate::number::{pair, set, whole};
use crate::picture::{Canvas, LookArgs};
use crate::spire_options::SpireArgs;
use crate::steps;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge::act::{self, ActMap, Cell, KindsConfig, Pin, RowsConfig, SpireConfig, WalksConfig};
use wayforge_draw::{ActFrames, Layout, Scene, act_animation};

/// The options of `wayforge act`.
#[derive(Args)]
pub(crate) struct ActArgs {
    /// The ruleset
    #[arg(long, value_enum)]
    ruleset: Option<Ruleset>,
    #[command(flatten)]
    seeds: SeedArgs,
    /// Read the configuration from a .toml or .json file; options stand above it
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

#[derive(Args)]
#[command(next_help_heading = "Grid")]
struct GridArgs {
    /// Rows of the grid, 1 to 4096 [default: 15]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 4096>)]
    rows: Option<i64>,
    /// Columns of the grid, 1 to 64 [default: 7]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 64>)]
    cols: Option<i64>,
    /// rows: the fewest nodes of a row between start and boss, 1 to 64 [default: 2]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 64>)]
    min_nodes: Option<i64>,
    /// rows: the most nodes of a row between start and boss, 1 to 64 [default: 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 64>)]
    max_nodes: Option<i64>,
    /// walks: how many walks climb the grid, 1 to 1024 [default: 6]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 1024>)]
    walks: Option<i64>,
    /// walks: a step goes to one of so many nearest columns, 1 to 64 [default: 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 64>)]
    nearest: Option<i64>,
    /// walks: how many steps a stuck walk may take back before it starts again, 0 to 4096 [default: 6]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 0, 4096>)]
    depth: Option<i64>,
    /// walks: how often a walk may start again before it is drawn with look-ahead, 0 to 10000 [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 0, 10000>)]
    restarts: Option<i64>,
    /// Skeletons to draw before the rules about kinds count as unsatisfiable, 1 to 1000 [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 1000>)]
    attempts: Option<i64>,
    /// walks: a cell that no walk may use
    #[arg(long, value_name = "COL,ROW", allow_hyphen_values = true)]
    blocked: Vec<String>,
    /// walks: a node that must be there, of a kind if one is named
    #[arg(long = "pin", value_name = "COL,ROW[=KIND]", allow_hyphen_values = true)]
    pins: Vec<String>,
    /// walks: whether a boss stands above the top row [default: true]
    #[arg(long, value_name = "true|false")]
    boss: Option<bool>,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
struct PictureArgs {
    /// The format; by default that of the output file's suffix, else ascii
    #[arg(long, value_parser = OutputFormat::among(&[&MAPS[..], &[OutputFormat::Line]].concat()))]
    format: Option<OutputFormat>,
    #[command(flatten)]
    look: LookArgs,
    /// Write column and row beside every node of SVG and PNG pictures
    #[arg(long)]
    labels: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Ruleset {
    /// Monotone walks over a grid
    Walks,
    /// Rows between one start and one boss
    Rows,
    /// The maps of Slay the Spire, bit for bit
    Spire,
}

/// Generates the maps that `args` ask for and writes them.
pub(crate) fn run(mut args: ActArgs) -> Result<(), Failure> {
    let config = args.resolve_config()?;
    let spec = config.resolve().rejected()?;
    let look = &args.picture.look;
    let canvas = look.canvas(args.picture.format)?;
    if args.picture.labels && !matches!(canvas.format, OutputFormat::Svg | OutputFormat::Png) {
        return Err(Failure::Input("--labels: only pictures have labels; use --format svg or png".into()));
    }
    if let act::Config::Spire(_) = &config {
        args.seeds.seed = args.spire.seed(args.seeds.seed)?;
    }
    let maps = Maps::open(look, canvas, &args.seeds, "json or ascii", true)?;
    let reject = |error: act::Error| Failure::Generation(error.to_string());
    if maps.is_animated() {
        let mut tape = steps::tape();
        let map = act::generate_traced(maps.seed(), &spec, &mut tape).map_err(reject)?;
        let events = steps::whole(&tape)?;
        return maps.animate(&ActFrames::new(&map, events), |theme, scale| {
            act_animation(&map, events, theme, scale)
        });
    }
    let mut generator = act::Generator::new(&spec);
    maps.write(|seed| draw(generator.generate(seed).map_err(reject)?, canvas, args.picture.labels))
}

fn draw(map: &ActMap, canvas: Canvas, labels: bool) -> Result<Vec<u8>, Failure> {
    match canvas.format {
        OutputFormat::Line => match act::canonical_line(map) {
            Ok(line) => Ok(format!("{line}\n").into_bytes()),
            Err(error) => Err(Failure::about("--format line", error)),
        },
        _ => {
            let layout = Layout { labels, ..Layout::default() };
            canvas.map(|| map.to_document(), || Scene::of_act_with(map, layout))
        }
    }
}

impl ActArgs {
    /// The file's configuration, or the defaults, with the options on top.
    fn resolve_config(&self) -> Result<act::Config, Failure> {
        let config = match &self.config {
            Some(path) => {
                let config = config_file::read_act_config(path)?;
                self.refuse_other_ruleset(&config)?;
                config
            }
            None => match self.ruleset.unwrap_or(Ruleset::Walks) {
                Ruleset::Walks => act::Config::Walks(WalksConfig::default()),
                Ruleset::Rows => act::Config::Rows(RowsConfig::default()),
                Ruleset::Spire => act::Config::Spire(SpireConfig::default()),
            },
        };
        self.refuse_foreign_options(&config)?;
        match config {
            act::Config::Walks(config) => {
                self.grid.apply_to_walks(config, &self.kinds).map(act::Config::Walks)
            }
            act::Config::Rows(config) => self.grid.apply_to_rows(config, &self.kinds).map(act::Config::Rows),
            act::Config::Spire(config) => Ok(act::Config::Spire(self.spire.apply(config))),
        }
    }

    /// Refuses options that the ruleset does not have, instead of leaving them unread.
    fn refuse_foreign_options(&self, config: &act::Config) -> Result<(), Failure> {
        const GRID: [&str; 3] = ["rows", "cols", "attempts"];
        const ROWS: [&str; 2] = ["min-nodes", "max-nodes"];
        let (grid, kinds, spire) = (self.grid.given(), self.kinds.given(), self.spire.given());
        let mut options =
            grid.iter().chain(&kinds).chain(&spire).filter(|(_, given)| *given).map(|(option, _)| *option);
        let of = |options: &[(&str, bool)], option: &str| options.iter().any(|(name, _)| *name == option);
        let foreign = options.find(|option| match config {
            act::Config::Walks(_) => of(&spire, option) || ROWS.contains(option),
            act::Config::Rows(_) => {
                of(&spire, option) || of(&grid, option) && !GRID.contains(option) && !ROWS.contains(option)
            }
            act::Config::Spire(_) => !of(&spire, option),
        });
        match foreign {
            Some(option) => {
                let ruleset = config.ruleset();
                Err(Failure::Input(format!(
                    "--{option}: the ruleset {ruleset} has no such option; leave it out"
                )))
            }
            None => Ok(()),
        }
    }

    fn refuse_other_ruleset(&self, config: &act::Config) -> Result<(), Failure> {
        let asked = self.ruleset.and_then(|ruleset| ruleset.to_possible_value());
        match asked {
            Some(asked) if asked.get_name() != config.ruleset() => {
                let (asked, found) = (asked.get_name(), config.ruleset());
                Err(Failure::Input(format!(
                    "--ruleset {asked}: the configuration file is for the ruleset {found}; leave one of them out"
                )))
            }
            _ => Ok(()),
        }
    }
}

impl GridArgs {
    /// These options, and whether each was given.
    fn given(&self) -> [(&'static str, bool); 12] {
        [
            ("rows", self.rows.is_some()),
            ("cols", self.cols.is_some()),
            ("min-nodes", self.min_nodes.is_some()),
            ("max-nodes", self.max_nodes.is_some()),
            ("walks", self.walks.is_some()),
            ("nearest", self.nearest.is_some()),
            ("depth", self.depth.is_some()),
            ("restarts", self.restarts.is_some()),
            ("attempts", self.attempts.is_some()),
            ("blocked", !self.blocked.is_empty()),
            ("pin", !self.pins.is_empty()),
            ("boss", self.boss.is_some()),
        ]
    }

    fn apply_to_walks(&self, mut config: WalksConfig, kinds: &KindArgs) -> Result<WalksConfig, Failure> {
        set(&mut config.rows, self.rows);
        set(&mut config.cols, self.cols);
        set(&mut config.walks, self.walks);
        set(&mut config.nearest, self.nearest);
        set(&mut config.depth, self.depth);
        set(&mut config.restarts, self.restarts);
        set(&mut config.attempts, self.attempts);
        config.boss = self.boss.unwrap_or(config.boss);
        for text in &self.blocked {
            let (col, row) = parse_cell("blocked", text, text)?;
            config.blocked.push(Cell { row, col });
        }
        for text in &self.pins {
            let (place, kind) =
                text.split_once('=').map_or((text.as_str(), None), |(p, k)| (p, Some(k.to_owned())));
            let (col, row) = parse_cell("pin", text, place)?;
            config.pins.push(Pin { row, col, kind });
        }
        config.kinds = kinds.apply(config.kinds, KindsConfig::standard, config.rows)?;
        Ok(config)
    }

    fn apply_to_rows(&self, mut config: RowsConfig, kinds: &KindArgs) -> Result<RowsConfig, Failure> {
        set(&mut config.rows, self.rows);
        set(&mut config.cols, self.cols);
        set(&mut config.min_nodes, self.min_nodes);
        set(&mut config.max_nodes, self.max_nodes);
        set(&mut config.attempts, self.attempts);
        config.kinds = kinds.apply(config.kinds, KindsConfig::standard_rows, config.rows)?;
        Ok(config)
    }
}

/// Column and row, in the order in which they are written.
fn parse_cell(option: &str, text: &str, place: &str) -> Result<(i64, i64), Failure> {
    pair(place).ok_or_else(|| Failure::Input(format!("--{option} {text}: write COL,ROW, as in 3,5")))
}
