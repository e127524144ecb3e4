//! `wayforge level`: make blueprint levels and write them.

use crate::config_file::{self, Stage};
use crate::failure::Failure;
use crate::level_options::StageArgs;
use crate::output::Output;
use crate::picture::LookArgs;
use crate::seed;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::level::{Forge, Level, LevelConfig};
use wayforge_draw::Paint;

/// The options of `wayforge level`.
#[derive(Args)]
pub(crate) struct LevelArgs {
    /// The seed, a number or any text; random if left out, and then printed on standard error
    #[arg(long, value_name = "SEED", allow_hyphen_values = true)]
    seed: Option<String>,
    /// Make the levels of so many seeds, from the given one upward
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Read the stage from a .toml or .json file; options stand above it
    #[arg(long, visible_alias = "stage", value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    stage: StageArgs,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
struct PictureArgs {
    /// The format; by default that of the output file's suffix, else ascii
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    look: LookArgs,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// The grid in the legend's symbols, and nothing else
    Ascii,
    Svg,
    Png,
    Json,
}

/// Makes the levels that `args` ask for and writes them.
pub(crate) fn run(args: LevelArgs) -> Result<(), Failure> {
    let spec = args.config()?.resolve().map_err(|error| Failure::Input(error.to_string()))?;
    let look = &args.picture.look;
    let format = look.format(args.picture.format)?;
    if args.count != 1 && matches!(format, Format::Svg | Format::Png) {
        return Err(Failure::Input(format!(
            "--count {}: a picture holds one level; use --format json or ascii",
            args.count
        )));
    }
    let given = args.seed.as_deref().map(Seed::from_text);
    let seed = match given {
        Some(seed) => seed,
        None => seed::random()?,
    };
    let mut output = Output::open(look.output())?;
    if format == Format::Png && output.is_terminal() {
        return Err(Failure::Input("--format png: a terminal cannot show it; use -o FILE.png".into()));
    }
    if given.is_none() {
        eprintln!("seed {seed}");
    }
    let paint = look.paint(&output);
    let mut forge = Forge::new(&spec);
    for n in 0..args.count {
        let level = forge.generate(seed.plus(n)).map_err(|error| Failure::Input(error.to_string()))?;
        if n > 0 && format == Format::Ascii {
            output.write(b"\n")?;
        }
        output.write(&draw(level, format, &args.picture, paint)?)?;
    }
    output.finish()
}

fn draw(level: &Level, format: Format, _picture: &PictureArgs, _paint: Paint) -> Result<Vec<u8>, Failure> {
    match format {
        Format::Json => Ok(format!("{}\n", level.to_document().to_text()).into_bytes()),
        Format::Ascii => Ok(level.blueprint.to_string().into_bytes()),
        Format::Svg | Format::Png => Err(Failure::Input("--format: not yet".into())),
    }
}

impl LevelArgs {
    /// The file's stage, or the defaults, with the options on top.
    fn config(&self) -> Result<LevelConfig, Failure> {
        let Stage { config, sized } = match &self.config {
            Some(path) => config_file::read_stage(path)?,
            None => Stage::default(),
        };
        self.stage.apply(config, sized)
    }
}
