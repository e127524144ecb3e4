//! `wayforge floor`: generates dungeon floors.

use crate::choice::{Choice, choice};
use crate::config_file::read_config;
use crate::failure::{Context, Failure, reject};
use crate::floor_output::{FloorOutput, find_template, parse_cell};
use crate::generate::SeedArgs;
use crate::level_options::read_drawing;
use crate::overlay::overlay;
use crate::steps;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use wayforge::floor::{self, CarveMethod, Density, OpenMethod, Vec2};
use wayforge_draw::{FloorFrames, FloorScene};

/// Options of `wayforge floor`.
#[derive(Args)]
pub(crate) struct FloorArgs {
    #[command(flatten)]
    seeds: SeedArgs,
    /// Read the configuration from a .toml or .json file; options override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    tiles: TileArgs,
    #[command(flatten)]
    budgets: BudgetArgs,
    /// Position of the entrance [default: random]
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    entrance: Option<Vec2>,
    /// Position of the exit [default: random]
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    exit: Option<Vec2>,
    /// Drawing of fixed cells, with ? for free cells; sets the size unless --width and --height are
    /// given
    #[arg(long, value_name = "FILE")]
    pins: Option<PathBuf>,
    /// Generate the floor from a template: shop, boss, rest, or one of --templates
    #[arg(long, value_name = "ID")]
    template: Option<String>,
    /// Folder of templates, .json or .txt
    #[arg(long, value_name = "FOLDER")]
    templates: Option<PathBuf>,
    #[command(flatten)]
    output: FloorOutput,
}

#[derive(Args, Serialize)]
#[serde(rename_all = "camelCase")]
#[command(next_help_heading = "Tiles")]
pub(crate) struct TileArgs {
    /// Width in tiles, 3 to 64 [default: 5]
    #[arg(long, value_name = "N")]
    width: Option<i64>,
    /// Height in tiles, 3 to 64 [default: 5]
    #[arg(long, value_name = "N")]
    height: Option<i64>,
    /// Fraction of tiles that are walls or water, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "FRACTION", value_parser = parse_density)]
    wall_density: Option<Density>,
    /// Minimum length of the shortest path from entrance to exit, in steps; without it, the exit is
    /// uniformly random
    #[arg(long, value_name = "N")]
    min_path_length: Option<i64>,
    /// How to carve the path from entrance to exit [default: walk]
    #[arg(long, value_parser = choice(&CARVES))]
    carve: Option<CarveMethod>,
    /// How to open space around the path [default: density]
    #[arg(long, value_parser = choice(&OPENINGS))]
    open: Option<OpenMethod>,
    /// Attempts before the fallback layout is used, 0 to 1000 [default: 32]
    #[arg(long, value_name = "N")]
    attempts: Option<i64>,
}

#[derive(Args, Serialize)]
#[serde(rename_all = "camelCase")]
#[command(next_help_heading = "Budgets (exact numbers)")]
pub(crate) struct BudgetArgs {
    /// Number of enemies, at least two steps from the entrance [default: 3]
    #[arg(long = "enemies", value_name = "N")]
    enemy_budget: Option<i64>,
    /// Number of chests, next to the path [default: 1]
    #[arg(long = "chests", value_name = "N")]
    chest_budget: Option<i64>,
    /// Number of items [default: 0]
    #[arg(long = "items", value_name = "N")]
    item_budget: Option<i64>,
    /// Number of relics [default: 0]
    #[arg(long = "relics", value_name = "N")]
    relic_budget: Option<i64>,
    /// Number of NPCs [default: 0]
    #[arg(long = "npcs", value_name = "N")]
    npc_budget: Option<i64>,
    /// Number of traps, off the path [default: 0]
    #[arg(long = "traps", value_name = "N")]
    trap_budget: Option<i64>,
    /// Number of doors, each separating at least three tiles from the entrance [default: 0]
    #[arg(long = "doors", value_name = "N")]
    door_budget: Option<i64>,
    /// Number of water tiles [default: 0]
    #[arg(long = "water", value_name = "N")]
    water_budget: Option<i64>,
    /// Guarantee a route from entrance to exit without enemies
    #[arg(long, num_args = 0, default_missing_value = "true")]
    safe_route: Option<bool>,
    /// Guarantee that every chest is reachable without passing an enemy
    #[arg(long, num_args = 0, default_missing_value = "true")]
    safe_chests: Option<bool>,
}

const CARVES: [Choice<CarveMethod>; 2] = [
    ("walk", "Random walk with a bias towards the exit", CarveMethod::Walk),
    ("astar", "A* path over tiles of random cost", CarveMethod::Astar),
];
const OPENINGS: [Choice<OpenMethod>; 2] = [
    ("density", "Single tiles: caves and ruins", OpenMethod::Density),
    (
        "rooms",
        "Rooms joined by corridors; areas of 2 x 2 to 3 x 3 tiles if a side is below 7",
        OpenMethod::Rooms,
    ),
];

/// Generates and writes the requested floors.
pub(crate) fn run(args: FloorArgs) -> Result<(), Failure> {
    let spec = args.config()?.resolve().rejected()?;
    let time = args.output.generated_at()?;
    let (maps, canvas) = args.output.open(&args.seeds)?;
    if maps.is_animated() {
        let (floor, recorder) = steps::record(|recorder| {
            floor::generate_traced(maps.seed(), &spec, recorder).rejected()
        })?;
        return maps.animate(FloorFrames::new(&floor, recorder.events()));
    }
    let mut generator = floor::Generator::new(&spec);
    generator.set_generated_at(&time);
    maps.write(|seed| {
        let floor = generator.generate(seed).rejected()?;
        canvas.map(|| floor.to_document(), || FloorScene::from_floor(floor))
    })
}

impl FloorArgs {
    /// Returns the configuration: file or defaults, overridden by options.
    fn config(&self) -> Result<floor::Config, Failure> {
        let mut config = read_config(self.config.as_deref(), floor::Config::from_json)?;
        if let Some(path) = &self.pins {
            config.pins = read_drawing(path)?;
            let width = config.pins.first().map_or(0, |row| row.chars().count());
            config.width = config.width.or(Some(width as i64));
            config.height = config.height.or(Some(config.pins.len() as i64));
        }
        overlay(&mut config, &self.tiles)?;
        overlay(&mut config, &self.budgets)?;
        config.entrance = self.entrance.or(config.entrance);
        config.exit = self.exit.or(config.exit);
        config.template_id = self.template.clone().or(config.template_id);
        if self.template.is_some() {
            (config.template, config.use_template) = (None, Some(true));
        }
        let needs_template = config.template.is_none() && config.use_template != Some(false);
        if let Some(id) = config.template_id.as_ref().filter(|_| needs_template) {
            config.template = find_template(self.templates.as_deref(), id)?;
        } else if self.templates.is_some() {
            return reject("--templates: no template selected; name one with --template");
        }
        Ok(config)
    }
}

fn parse_density(text: &str) -> Result<Density, String> {
    serde_json::from_str(text).map_err(|_| "not a fraction; use 0 to 1, as in 0.5".to_owned())
}
