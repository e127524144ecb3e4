//! `wayforge level`: make blueprint levels and write them.

use crate::config_file::{self, Stage};
use crate::failure::Failure;
use crate::level_options::StageArgs;
use crate::number::at_least_one;
use crate::output::Output;
use crate::picture::LookArgs;
use crate::seed;
use crate::steps;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::level::{self, Level, Mover};
use wayforge_draw::{
    LevelFrames, LevelScene, LevelView, Paint, Routes, level_animation, level_ascii, level_png, level_svg,
};
use wayforge_formats::to_zombie_escape;

/// The options of `wayforge level`.
#[derive(Args)]
pub(crate) struct LevelArgs {
    /// The seed, a number or any text; random if left out, and then printed on standard error
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    seed: Option<Seed>,
    /// Number of consecutive seeds, from the given one; 1 or more
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
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
    /// Draw the routes that prove the level: in SVG, PNG and coloured ASCII
    #[arg(long, value_enum, value_name = "WHOSE")]
    witness: Option<Whose>,
    /// The layers that are drawn over the level in SVG, PNG and coloured ASCII, or none [default: fall_spawn,reinforced]
    #[arg(long, value_enum, value_name = "LAYERS", value_delimiter = ',')]
    tags: Option<Vec<Layer>>,
    /// Leave out the legend of SVG and PNG pictures
    #[arg(long)]
    no_legend: bool,
    #[command(flatten)]
    look: LookArgs,
    /// Show the level in the making, step by step: by keys on a terminal, else one step after the other
    #[arg(long)]
    steps: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Whose {
    None,
    All,
    Car,
    Person,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Layer {
    None,
    /// Where things may fall from above
    FallSpawn,
    /// Walls that nobody breaks
    Reinforced,
    /// Where the cars can drive
    CarWalkable,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// The grid in the legend's symbols, and nothing else
    Ascii,
    Svg,
    Png,
    /// The level in the making, as an animated PNG
    Apng,
    Json,
    /// A blueprint for the game Zombie Escape, as JSON
    ZombieEscape,
}

/// Makes the levels that `args` ask for and writes them.
pub(crate) fn run(args: LevelArgs) -> Result<(), Failure> {
    let spec = args.config()?.resolve().map_err(|error| Failure::Input(error.to_string()))?;
    let look = &args.picture.look;
    let format = look.format(args.picture.format)?;
    if args.count != 1 && (args.picture.steps || matches!(format, Format::Svg | Format::Png | Format::Apng)) {
        return Err(Failure::Input(format!(
            "--count {}: a picture holds one level; use --format json, ascii or zombie-escape",
            args.count
        )));
    }
    let is_random = args.seed.is_none();
    let seed = args.seed.clone().map_or_else(seed::random, Ok)?;
    let mut output = Output::open(look.output())?;
    if matches!(format, Format::Png | Format::Apng) && output.is_terminal() {
        return Err(Failure::Input("--format png: a terminal cannot show it; use -o FILE.png".into()));
    }
    if args.picture.steps && format != Format::Ascii {
        return Err(Failure::Input(
            "--steps: steps are shown as ascii; leave --format out, or use apng".into(),
        ));
    }
    let paint = look.paint(&output);
    let view = args.picture.view(format, paint)?;
    if is_random {
        eprintln!("seed {seed}");
    }
    if args.picture.steps || format == Format::Apng {
        let mut tape = steps::tape();
        let level = level::generate_traced(seed, &spec, &mut tape)
            .map_err(|error| Failure::Input(error.to_string()))?;
        let events = steps::whole(&tape)?;
        if args.picture.steps {
            let shots = LevelFrames::new(&level, events, view);
            return steps::show(&shots, |scene| level_ascii(scene, paint), output);
        }
        let film = level_animation(&level, events, view, look.theme(), look.scale())
            .map_err(|error| Failure::about(format!("--scale {}", look.scale()), error))?;
        output.write(&film)?;
        return output.finish();
    }
    let mut forge = level::Generator::new(&spec);
    for n in 0..args.count {
        let level = forge.generate(seed.plus(n)).map_err(|error| Failure::Input(error.to_string()))?;
        if n > 0 && format == Format::Ascii {
            output.write(b"\n")?;
        }
        output.write(&draw(level, format, view, look, paint)?)?;
    }
    output.finish()
}

fn draw(
    level: &Level,
    format: Format,
    view: LevelView,
    look: &LookArgs,
    paint: Paint,
) -> Result<Vec<u8>, Failure> {
    let scene = || LevelScene::of_level_with(level, view);
    match (format, paint) {
        (Format::Json, _) => Ok(format!("{}\n", level.to_document().to_text()).into_bytes()),
        (Format::ZombieEscape, _) => to_zombie_escape(level)
            .map(|line| format!("{line}\n").into_bytes())
            .map_err(|error| Failure::about("--format zombie-escape", error)),
        (Format::Ascii, Paint::Plain) => Ok(level.blueprint.to_string().into_bytes()),
        (Format::Ascii, Paint::Colour) => Ok(level_ascii(&scene(), paint).into_bytes()),
        (Format::Svg, _) => Ok(level_svg(&scene(), look.theme()).into_bytes()),
        (Format::Png | Format::Apng, _) => level_png(&scene(), look.theme(), look.scale())
            .map_err(|error| Failure::about(format!("--scale {}", look.scale()), error)),
    }
}

impl PictureArgs {
    /// What is shown, or a refusal of what the format cannot show.
    fn view(&self, format: Format, paint: Paint) -> Result<LevelView, Failure> {
        let picture = matches!(format, Format::Svg | Format::Png | Format::Apng);
        let shows = picture || format == Format::Ascii && paint == Paint::Colour;
        let options = [
            ("witness", self.witness.is_some() && !shows),
            ("tags", self.tags.is_some() && !shows),
            ("no-legend", self.no_legend && !picture),
        ];
        if let Some((option, _)) = options.iter().find(|(_, unread)| *unread) {
            return Err(Failure::Input(match format {
                Format::Json | Format::ZombieEscape => {
                    format!("--{option}: documents and blueprints do not show it; use --format svg or png")
                }
                _ => format!(
                    "--{option}: plain ASCII is only the grid; use --format svg, png or --color always"
                ),
            }));
        }
        let mut view = LevelView { legend: !self.no_legend, ..LevelView::default() };
        view.routes = match self.witness.unwrap_or(Whose::None) {
            Whose::None => Routes::None,
            Whose::All => Routes::All,
            Whose::Car => Routes::Of(Mover::Car),
            Whose::Person => Routes::Of(Mover::Person),
        };
        if let Some(layers) = &self.tags {
            if layers.contains(&Layer::None) && layers.len() > 1 {
                return Err(Failure::Input("--tags none: no layer stands beside none; leave one out".into()));
            }
            view.fall_spawn = layers.contains(&Layer::FallSpawn);
            view.reinforced = layers.contains(&Layer::Reinforced);
            view.car_walkable = layers.contains(&Layer::CarWalkable);
        }
        Ok(view)
    }
}

impl LevelArgs {
    /// The file's stage, or the defaults, with the options on top.
    fn config(&self) -> Result<level::Config, Failure> {
        let Stage { config, sized } = match &self.config {
            Some(path) => config_file::read_stage(path)?,
            None => Stage::default(),
        };
        self.stage.apply(config, sized)
    }
}
