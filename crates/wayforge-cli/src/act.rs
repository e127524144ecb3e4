//! `wayforge act`: make act maps and write them.

use crate::config_file;
use crate::failure::Failure;
use crate::kind_options::KindArgs;
use crate::number::{at_least_one, whole};
use crate::output::Output;
use crate::picture::LookArgs;
use crate::seed;
use crate::spire_options::SpireArgs;
use crate::steps;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge::act::{self, ActMap, Cell, KindsConfig, Pin, RowsConfig, SpireConfig, WalksConfig};
use wayforge_draw::{ActFrames, Layout, Paint, Scene, act_animation};

/// The options of `wayforge act`.
#[derive(Args)]
pub(crate) struct ActArgs {
    /// The ruleset
    #[arg(long, value_enum)]
    ruleset: Option<Ruleset>,
    /// The seed, a number or any text; random if left out, and always printed
    #[arg(long, value_name = "SEED", allow_hyphen_values = true)]
    seed: Option<String>,
    /// Number of consecutive seeds, from the given one; 1 or more
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    count: u64,
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
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    look: LookArgs,
    /// Write column and row beside every node of SVG and PNG pictures
    #[arg(long)]
    labels: bool,
    /// Show the map in the making, step by step: by keys on a terminal, else one step after the other
    #[arg(long)]
    steps: bool,
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

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Ascii,
    Svg,
    Png,
    /// The map in the making, as an animated PNG
    Apng,
    Json,
    /// One line a map: `column symbol targets,` for each node, rows ended by `/`
    Line,
}

/// Makes the maps that `args` ask for and writes them.
pub(crate) fn run(args: ActArgs) -> Result<(), Failure> {
    let config = args.resolve_config()?;
    let spec = config.resolve().map_err(|error| Failure::Input(error.to_string()))?;
    let look = &args.picture.look;
    let format = look.format(args.picture.format)?;
    if args.count != 1 && (args.picture.steps || matches!(format, Format::Svg | Format::Png | Format::Apng)) {
        return Err(Failure::Input(format!(
            "--count {}: a picture holds one map; use --format json or ascii",
            args.count
        )));
    }
    if args.picture.labels && !matches!(format, Format::Svg | Format::Png) {
        return Err(Failure::Input("--labels: only pictures have labels; use --format svg or png".into()));
    }
    let given = match &config {
        act::Config::Spire(_) => args.spire.seed(args.seed.as_deref())?,
        _ => args.seed.as_deref().map(seed::parse).transpose()?,
    };
    let is_random = given.is_none();
    let seed = given.map_or_else(seed::random, Ok)?;
    let mut output = Output::open(look.output())?;
    if matches!(format, Format::Png | Format::Apng) && output.is_terminal() {
        return Err(Failure::Input("--format png: a terminal cannot show it; use -o FILE.png".into()));
    }
    if args.picture.steps && format != Format::Ascii {
        return Err(Failure::Input(
            "--steps: steps are shown as ascii; leave --format out, or use apng".into(),
        ));
    }
    if is_random && format != Format::Ascii {
        eprintln!("seed {seed}");
    }
    let paint = look.paint(&output);
    if args.picture.steps || format == Format::Apng {
        let mut tape = steps::tape();
        let map = act::generate_traced(seed, &spec, &mut tape)
            .map_err(|error| Failure::Generation(error.to_string()))?;
        let events = steps::whole(&tape)?;
        if args.picture.steps {
            let shots = ActFrames::new(&map, events);
            return steps::show(&shots, |scene| wayforge_draw::ascii(scene, paint), output);
        }
        let film = act_animation(&map, events, look.theme(), look.scale())
            .map_err(|error| Failure::about(format!("--scale {}", look.scale()), error))?;
        output.write(&film)?;
        return output.finish();
    }
    let mut forge = act::Generator::new(&spec);
    for n in 0..args.count {
        let map = forge.generate(seed.plus(n)).map_err(|error| Failure::Generation(error.to_string()))?;
        if n > 0 && format == Format::Ascii {
            output.write(b"\n")?;
        }
        output.write(&draw(map, format, &args.picture, paint)?)?;
    }
    output.finish()
}

fn draw(map: &ActMap, format: Format, picture: &PictureArgs, paint: Paint) -> Result<Vec<u8>, Failure> {
    let (look, theme) = (&picture.look, picture.look.theme());
    let scene = || Scene::of_act_with(map, Layout { labels: picture.labels, ..Layout::default() });
    match format {
        Format::Json => Ok(format!("{}\n", map.to_document().to_text()).into_bytes()),
        Format::Line => match act::canonical_line(map) {
            Ok(line) => Ok(format!("{line}\n").into_bytes()),
            Err(error) => Err(Failure::about("--format line", error)),
        },
        Format::Ascii => Ok(wayforge_draw::ascii(&scene(), paint).into_bytes()),
        Format::Svg => Ok(wayforge_draw::svg(&scene(), theme).into_bytes()),
        Format::Png | Format::Apng => wayforge_draw::png(&scene(), theme, look.scale())
            .map_err(|error| Failure::about(format!("--scale {}", look.scale()), error)),
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

fn set(field: &mut i64, value: Option<i64>) {
    *field = value.unwrap_or(*field);
}

/// Column and row, in the order in which they are written.
fn parse_cell(option: &str, text: &str, place: &str) -> Result<(i64, i64), Failure> {
    let parsed = place
        .split_once(',')
        .and_then(|(col, row)| Some((col.trim().parse().ok()?, row.trim().parse().ok()?)));
    parsed.ok_or_else(|| Failure::Input(format!("--{option} {text}: write COL,ROW, as in 3,5")))
}
