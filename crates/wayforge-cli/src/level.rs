//! `wayforge level`: make blueprint levels and write them.

use crate::choice::{Choice, choice};
use crate::config_file::{self, Stage};
use crate::failure::{Context, Failure, reject};
use crate::format::{MAPS, OutputFormat};
use crate::generate::{Maps, SeedArgs};
use crate::level_options::StageArgs;
use crate::picture::{Canvas, LookArgs};
use crate::steps;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge::level::{self, Level, Mover};
use wayforge_draw::{LevelFrames, LevelScene, LevelView, Paint, Routes, level_animation};
use wayforge_formats::to_zombie_escape;

/// The options of `wayforge level`.
#[derive(Args)]
pub(crate) struct LevelArgs {
    #[command(flatten)]
    seeds: SeedArgs,
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
    #[arg(long, value_parser = OutputFormat::among(&[&MAPS[..], &[OutputFormat::ZombieEscape]].concat()))]
    format: Option<OutputFormat>,
    /// Draw the routes that prove the level: in SVG, PNG and coloured ASCII
    #[arg(long, value_name = "WHOSE", value_parser = choice(&WITNESSES))]
    witness: Option<Routes>,
    /// The layers that are drawn over the level in SVG, PNG and coloured ASCII, or none [default: fall_spawn,reinforced]
    #[arg(long, value_enum, value_name = "LAYERS", value_delimiter = ',')]
    tags: Option<Vec<Layer>>,
    /// Leave out the legend of SVG and PNG pictures
    #[arg(long)]
    no_legend: bool,
    #[command(flatten)]
    look: LookArgs,
}

const WITNESSES: [Choice<Routes>; 4] = [
    ("none", "", Routes::None),
    ("all", "", Routes::All),
    ("car", "", Routes::Of(Mover::Car)),
    ("person", "", Routes::Of(Mover::Person)),
];

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

/// Generates the levels that `args` ask for and writes them.
pub(crate) fn run(args: LevelArgs) -> Result<(), Failure> {
    let stage = args.config.as_deref().map_or_else(|| Ok(Stage::default()), config_file::read_stage)?;
    let spec = args.stage.apply(stage)?.resolve().rejected()?;
    let look = &args.picture.look;
    let canvas = look.canvas(args.picture.format)?;
    let view = args.picture.view(canvas)?;
    let maps = Maps::open(look, canvas, &args.seeds, "json, ascii or zombie-escape", false)?;
    if maps.is_animated() {
        let (level, tape) =
            steps::record(|tape| level::generate_traced(maps.seed(), &spec, tape).rejected())?;
        let events = tape.events();
        return maps.animate(&LevelFrames::new(&level, events, view), |theme, scale| {
            level_animation(&level, events, view, theme, scale)
        });
    }
    let mut generator = level::Generator::new(&spec);
    maps.write(|seed| draw(generator.generate(seed).rejected()?, canvas, view))
}

fn draw(level: &Level, canvas: Canvas, view: LevelView) -> Result<Vec<u8>, Failure> {
    match canvas.format {
        OutputFormat::ZombieEscape => to_zombie_escape(level)
            .map(|line| format!("{line}\n").into_bytes())
            .about("--format zombie-escape"),
        OutputFormat::Ascii if canvas.paint == Paint::Plain => Ok(level.blueprint.to_string().into_bytes()),
        _ => canvas.map(|| level.to_document(), || LevelScene::of_level_with(level, view)),
    }
}

impl PictureArgs {
    /// What is shown, or a refusal of what the format cannot show.
    fn view(&self, Canvas { format, paint, .. }: Canvas) -> Result<LevelView, Failure> {
        let picture = format.is_picture();
        let shows = picture || format == OutputFormat::Ascii && paint == Paint::Colour;
        let options = [
            ("witness", self.witness.is_some() && !shows),
            ("tags", self.tags.is_some() && !shows),
            ("no-legend", self.no_legend && !picture),
        ];
        if let Some((option, _)) = options.iter().find(|(_, unread)| *unread) {
            return reject(match format {
                OutputFormat::Json | OutputFormat::ZombieEscape => {
                    format!("--{option}: documents and blueprints do not show it; use --format svg or png")
                }
                _ => format!(
                    "--{option}: plain ASCII is only the grid; use --format svg, png or --color always"
                ),
            });
        }
        let mut view = LevelView { legend: !self.no_legend, ..LevelView::default() };
        view.routes = self.witness.unwrap_or(Routes::None);
        if let Some(layers) = &self.tags {
            if layers.contains(&Layer::None) && layers.len() > 1 {
                return reject("--tags none: no layer stands beside none; leave one out");
            }
            view.fall_spawn = layers.contains(&Layer::FallSpawn);
            view.reinforced = layers.contains(&Layer::Reinforced);
            view.car_walkable = layers.contains(&Layer::CarWalkable);
        }
        Ok(view)
    }
}
