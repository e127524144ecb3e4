//! `wayforge level`: generates blueprint levels.

use crate::config_file::{self, Stage};
use crate::failure::{Context, Failure, reject};
use crate::format::{FormatArg, MAPS};
use crate::generate::{Maps, SeedArgs};
use crate::level_options::StageArgs;
use crate::picture::{Canvas, OutputArgs};
use crate::steps;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge::level::{self, Level};
use wayforge_draw::{AsciiStyle, LevelFrames, LevelScene, LevelView, Routes};
use wayforge_formats::to_zombie_escape;

/// Options of `wayforge level`.
#[derive(Args)]
pub(crate) struct LevelArgs {
    #[command(flatten)]
    seeds: SeedArgs,
    /// Read the stage from a .toml or .json file; options override it
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
    /// Output format [default: by the suffix of the output file, else ascii]
    #[arg(
        long,
        value_parser = FormatArg::among(&[&MAPS[..], &[FormatArg::ZombieEscape]].concat())
    )]
    format: Option<FormatArg>,
    /// Draw the routes that prove the level winnable, in SVG, PNG and coloured ASCII
    /// [default: none]
    #[arg(long, value_name = "ROUTES", value_parser = routes_parser())]
    witness: Option<Routes>,
    /// Comma-separated layers to draw in SVG, PNG and coloured ASCII
    /// [default: fall_spawn,reinforced]
    #[arg(long, value_enum, value_name = "LAYERS", value_delimiter = ',')]
    tags: Option<Vec<Layer>>,
    /// Omit the legend of SVG and PNG pictures
    #[arg(long)]
    no_legend: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Layer {
    None,
    /// Cells where objects may fall from above
    FallSpawn,
    /// Unbreakable walls
    Reinforced,
    /// Cells that cars can reach
    CarWalkable,
}

/// Returns a parser for the names of routes.
fn routes_parser() -> impl TypedValueParser<Value = Routes> {
    PossibleValuesParser::new(Routes::ALL.map(Routes::name))
        .try_map(|name| Routes::from_name(&name).ok_or("no such value"))
}

/// Generates and writes the requested levels.
pub(crate) fn run(args: LevelArgs) -> Result<(), Failure> {
    let stage =
        args.config.as_deref().map_or_else(|| Ok(Stage::default()), config_file::read_stage)?;
    let spec = args.stage.apply(stage)?.resolve().rejected()?;
    let output = &args.picture.output;
    let canvas = output.canvas(args.picture.format)?;
    let view = args.picture.view(canvas)?;
    let maps = Maps::open(output, canvas, &args.seeds, "json, ascii or zombie-escape", false)?;
    if maps.is_animated() {
        let (level, recorder) = steps::record(|recorder| {
            level::generate_traced(maps.seed(), &spec, recorder).rejected()
        })?;
        return maps.animate(LevelFrames::new(&level, recorder.events(), view));
    }
    let mut generator = level::Generator::new(&spec);
    maps.write(|seed| draw(generator.generate(seed).rejected()?, canvas, view))
}

fn draw(level: &Level, canvas: Canvas, view: LevelView) -> Result<Vec<u8>, Failure> {
    match canvas.format {
        FormatArg::ZombieEscape => to_zombie_escape(level)
            .map(|line| format!("{line}\n").into_bytes())
            .context("--format zombie-escape"),
        _ => canvas.map(|| level.to_document(), || LevelScene::from_level_with(level, view)),
    }
}

impl PictureArgs {
    /// Returns the layers and routes that the picture shows.
    ///
    /// # Errors
    /// If the format cannot show a requested option.
    fn view(&self, Canvas { format, ascii_style, .. }: Canvas) -> Result<LevelView, Failure> {
        let is_picture = format.is_picture();
        let has_overlays =
            is_picture || format == FormatArg::Ascii && ascii_style == AsciiStyle::Colour;
        let options = [
            ("witness", self.witness.is_some() && !has_overlays),
            ("tags", self.tags.is_some() && !has_overlays),
            ("no-legend", self.no_legend && !is_picture),
        ];
        if let Some((option, _)) = options.iter().find(|(_, is_unsupported)| *is_unsupported) {
            return reject(match format {
                FormatArg::Json | FormatArg::ZombieEscape => format!(
                    "--{option}: not available in documents and blueprints; \
                     use --format svg or png"
                ),
                _ => format!(
                    "--{option}: plain ASCII shows only the grid; \
                     use --format svg, png or --color always"
                ),
            });
        }
        let mut view = LevelView { legend: !self.no_legend, ..LevelView::default() };
        view.routes = self.witness.unwrap_or(Routes::None);
        if let Some(layers) = &self.tags {
            if layers.contains(&Layer::None) && layers.len() > 1 {
                return reject("--tags none: cannot be combined with layers; leave out none");
            }
            view.fall_spawn = layers.contains(&Layer::FallSpawn);
            view.reinforced = layers.contains(&Layer::Reinforced);
            view.car_walkable = layers.contains(&Layer::CarWalkable);
        }
        Ok(view)
    }
}
