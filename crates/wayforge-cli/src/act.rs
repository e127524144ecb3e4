//! `wayforge act`: make act maps and write them.

use crate::config_file;
use crate::failure::Failure;
use crate::kind_options::KindArgs;
use crate::output::Output;
use crate::spire_options::SpireArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::act::{self, ActConfig, ActMap, Cell, Forge, Pin, SpireConfig, WalksConfig};
use wayforge_draw::{Paint, Scene, Theme};

/// The options of `wayforge act`.
#[derive(Args)]
pub(crate) struct ActArgs {
    /// The ruleset
    #[arg(long, value_enum)]
    ruleset: Option<Ruleset>,
    /// The seed, a number or any text; random if left out, and always printed
    #[arg(long, value_name = "SEED", allow_hyphen_values = true)]
    seed: Option<String>,
    /// Make the maps of so many seeds, from the given one upward
    #[arg(long, value_name = "N", default_value_t = 1)]
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
#[command(next_help_heading = "Grid and walks")]
struct GridArgs {
    /// Rows of the grid, 1 to 4096
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    rows: Option<i64>,
    /// Columns of the grid, 1 to 64
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    cols: Option<i64>,
    /// How many walks climb the grid, 1 to 1024
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    walks: Option<i64>,
    /// A step goes to one of so many nearest columns
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    nearest: Option<i64>,
    /// How many steps a stuck walk may take back before it starts again
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    depth: Option<i64>,
    /// How often a walk may start again before it is drawn with look-ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    restarts: Option<i64>,
    /// A cell that no walk may use
    #[arg(long, value_name = "ROW,COL", allow_hyphen_values = true)]
    blocked: Vec<String>,
    /// A node that must be there, of a kind if one is named
    #[arg(long = "pin", value_name = "ROW,COL[=KIND]", allow_hyphen_values = true)]
    pins: Vec<String>,
    /// Whether a boss stands above the top row
    #[arg(long, value_name = "true|false")]
    boss: Option<bool>,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
struct PictureArgs {
    /// The format; by default that of the output file's suffix, else ascii
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The file to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The look of SVG and PNG pictures
    #[arg(long, value_enum, default_value_t = ThemeName::Parchment)]
    theme: ThemeName,
    /// The size of PNG pictures in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    scale: u32,
    /// When ASCII is coloured
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Ruleset {
    Walks,
    Spire,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Ascii,
    Svg,
    Png,
    Json,
    /// One line a map: `column symbol targets,` for each node, rows ended by `/`
    Line,
}

#[derive(Clone, Copy, ValueEnum)]
enum ThemeName {
    Parchment,
    Night,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

/// Makes the maps that `args` ask for and writes them.
pub(crate) fn run(args: ActArgs) -> Result<(), Failure> {
    let config = args.resolve_config()?;
    let spec = config.resolve().map_err(|error| Failure::Input(error.to_string()))?;
    let format = args.picture.format()?;
    if args.count != 1 && matches!(format, Format::Svg | Format::Png) {
        return Err(Failure::Input(format!(
            "--count {}: a picture holds one map; use --format json or ascii",
            args.count
        )));
    }
    let given = match &config {
        ActConfig::Spire(_) => args.spire.seed(args.seed.as_deref())?,
        _ => args.seed.as_deref().map(Seed::from_text),
    };
    let seed = match given {
        Some(seed) => seed,
        None => random_seed()?,
    };
    let mut output = Output::open(args.picture.output.as_deref())?;
    if format == Format::Png && output.is_terminal() {
        return Err(Failure::Input("--format png: a terminal cannot show it; use -o FILE.png".into()));
    }
    if given.is_none() && format != Format::Ascii {
        eprintln!("seed {seed}");
    }
    let paint = args.picture.paint(&output);
    let mut forge = Forge::new(&spec);
    for n in 0..args.count {
        let map = forge.generate(seed.plus(n)).map_err(|error| Failure::Input(error.to_string()))?;
        if n > 0 && format == Format::Ascii {
            output.write(b"\n")?;
        }
        output.write(&draw(map, format, &args.picture, paint)?)?;
    }
    output.finish()
}

fn draw(map: &ActMap, format: Format, picture: &PictureArgs, paint: Paint) -> Result<Vec<u8>, Failure> {
    let theme = match picture.theme {
        ThemeName::Parchment => Theme::Parchment,
        ThemeName::Night => Theme::Night,
    };
    match format {
        Format::Json => Ok(format!("{}\n", map.to_document().to_text()).into_bytes()),
        Format::Line => match act::canonical_line(map) {
            Ok(line) => Ok(format!("{line}\n").into_bytes()),
            Err(error) => Err(Failure::about("--format line", error)),
        },
        Format::Ascii => Ok(wayforge_draw::ascii(&Scene::of_act(map), paint).into_bytes()),
        Format::Svg => Ok(wayforge_draw::svg(&Scene::of_act(map), theme).into_bytes()),
        Format::Png => wayforge_draw::png(&Scene::of_act(map), theme, picture.scale)
            .map_err(|error| Failure::about(format!("--scale {}", picture.scale), error)),
    }
}

impl ActArgs {
    /// The file's configuration, or the defaults, with the options on top.
    fn resolve_config(&self) -> Result<ActConfig, Failure> {
        let config = match &self.config {
            Some(path) => config_file::read_act_config(path)?,
            None => match self.ruleset.unwrap_or(Ruleset::Walks) {
                Ruleset::Walks => ActConfig::Walks(WalksConfig::default()),
                Ruleset::Spire => ActConfig::Spire(SpireConfig::default()),
            },
        };
        if !matches!(config, ActConfig::Spire(_)) {
            self.spire.refuse(config.ruleset())?;
        }
        match config {
            ActConfig::Walks(config) => self.grid.apply(config, &self.kinds).map(ActConfig::Walks),
            ActConfig::Rows(config) => Ok(ActConfig::Rows(config)),
            ActConfig::Spire(config) => {
                let others = self.grid.first_given().or_else(|| self.kinds.first_given());
                self.spire.apply(config, others).map(ActConfig::Spire)
            }
        }
    }
}

impl GridArgs {
    /// The first of these options that was given, by name.
    fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("rows", self.rows.is_some()),
            ("cols", self.cols.is_some()),
            ("walks", self.walks.is_some()),
            ("nearest", self.nearest.is_some()),
            ("depth", self.depth.is_some()),
            ("restarts", self.restarts.is_some()),
            ("blocked", !self.blocked.is_empty()),
            ("pin", !self.pins.is_empty()),
            ("boss", self.boss.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    fn apply(&self, mut config: WalksConfig, kinds: &KindArgs) -> Result<WalksConfig, Failure> {
        let set = |field: &mut i64, value: Option<i64>| *field = value.unwrap_or(*field);
        set(&mut config.rows, self.rows);
        set(&mut config.cols, self.cols);
        set(&mut config.walks, self.walks);
        set(&mut config.nearest, self.nearest);
        set(&mut config.depth, self.depth);
        set(&mut config.restarts, self.restarts);
        config.boss = self.boss.unwrap_or(config.boss);
        for text in &self.blocked {
            let (row, col) = parse_cell("blocked", text, text)?;
            config.blocked.push(Cell { row, col });
        }
        for text in &self.pins {
            let (place, kind) =
                text.split_once('=').map_or((text.as_str(), None), |(p, k)| (p, Some(k.to_owned())));
            let (row, col) = parse_cell("pin", text, place)?;
            config.pins.push(Pin { row, col, kind });
        }
        config.kinds = kinds.apply(config.kinds, config.rows)?;
        Ok(config)
    }
}

impl PictureArgs {
    fn format(&self) -> Result<Format, Failure> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        match self.output.as_ref().and_then(|path| path.extension()?.to_str()) {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            Some("json" | "jsonl") => Ok(Format::Json),
            Some("txt") | None => Ok(Format::Ascii),
            Some(other) => Err(Failure::Input(format!(
                "-o: the suffix .{other} names no format; use .txt, .svg, .png or .json, or --format"
            ))),
        }
    }

    fn paint(&self, output: &Output) -> Paint {
        let coloured = match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let choice = anstream::AutoStream::choice(&std::io::stdout());
                output.is_terminal() && choice != anstream::ColorChoice::Never
            }
        };
        if coloured { Paint::Colour } else { Paint::Plain }
    }
}

fn parse_cell(option: &str, text: &str, place: &str) -> Result<(i64, i64), Failure> {
    let parsed = place
        .split_once(',')
        .and_then(|(row, col)| Some((row.trim().parse().ok()?, col.trim().parse().ok()?)));
    parsed.ok_or_else(|| Failure::Input(format!("--{option} {text}: write ROW,COL, as in 3,5")))
}

/// A seed from the system's randomness: the one place where chance enters.
fn random_seed() -> Result<Seed, Failure> {
    getrandom::u64().map(Seed).map_err(|error| Failure::about("no random seed; give one with --seed", error))
}
