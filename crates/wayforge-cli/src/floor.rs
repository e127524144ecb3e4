//! `wayforge floor`: make floors and write them.

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
use wayforge::floor::{self, Carve, Density, Opening, Vec2};
use wayforge_draw::{FloorFrames, FloorScene, floor_animation};

/// The options of `wayforge floor`.
#[derive(Args)]
pub(crate) struct FloorArgs {
    #[command(flatten)]
    seeds: SeedArgs,
    /// Read the configuration from a .toml or .json file; options stand above it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    tiles: TileArgs,
    #[command(flatten)]
    things: ThingArgs,
    /// Where the entrance is; drawn if left out
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    entrance: Option<Vec2>,
    /// Where the exit is; drawn if left out
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    exit: Option<Vec2>,
    /// A drawing of fixed cells, ? for free ones; without a width and a height the floor takes its size
    #[arg(long, value_name = "FILE")]
    pins: Option<PathBuf>,
    /// Make the floor from a template: shop, boss, rest, or one of --templates
    #[arg(long, value_name = "ID")]
    template: Option<String>,
    /// A folder of templates, .json or .txt
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,
    #[command(flatten)]
    output: FloorOutput,
}

#[derive(Args, Serialize)]
#[serde(rename_all = "camelCase")]
#[command(next_help_heading = "Tiles")]
pub(crate) struct TileArgs {
    /// Columns, 3 to 64 [default: 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    width: Option<i64>,
    /// Rows, 3 to 64 [default: 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    height: Option<i64>,
    /// The share of tiles that are walls or water, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = parse_share)]
    wall_density: Option<Density>,
    /// The fewest steps of the shortest path from entrance to exit; without it the exit is uniform over all tiles
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    min_path_length: Option<i64>,
    /// How the way is carved [default: walk]
    #[arg(long, value_parser = choice(&CARVES))]
    carve: Option<Carve>,
    /// How room is made around the way [default: density]
    #[arg(long, value_parser = choice(&OPENINGS))]
    open: Option<Opening>,
    /// How often a floor is drawn before the safe one is taken, 0 to 1000 [default: 32]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    attempts: Option<i64>,
}

#[derive(Args, Serialize)]
#[serde(rename_all = "camelCase")]
#[command(next_help_heading = "Budgets, met exactly")]
pub(crate) struct ThingArgs {
    /// Enemies, at least two steps from the entrance [default: 3]
    #[arg(long = "enemies", value_name = "N", allow_negative_numbers = true)]
    enemy_budget: Option<i64>,
    /// Chests, next to the way [default: 1]
    #[arg(long = "chests", value_name = "N", allow_negative_numbers = true)]
    chest_budget: Option<i64>,
    /// Items [default: 0]
    #[arg(long = "items", value_name = "N", allow_negative_numbers = true)]
    item_budget: Option<i64>,
    /// Relics [default: 0]
    #[arg(long = "relics", value_name = "N", allow_negative_numbers = true)]
    relic_budget: Option<i64>,
    /// Persons to talk to [default: 0]
    #[arg(long = "npcs", value_name = "N", allow_negative_numbers = true)]
    npc_budget: Option<i64>,
    /// Traps, off the way [default: 0]
    #[arg(long = "traps", value_name = "N", allow_negative_numbers = true)]
    trap_budget: Option<i64>,
    /// Doors, each between at least three tiles and the entrance [default: 0]
    #[arg(long = "doors", value_name = "N", allow_negative_numbers = true)]
    door_budget: Option<i64>,
    /// Tiles of water [default: 0]
    #[arg(long = "water", value_name = "N", allow_negative_numbers = true)]
    water_budget: Option<i64>,
    /// Keep a route from entrance to exit that meets no enemy
    #[arg(long, num_args = 0, default_missing_value = "true")]
    safe_route: Option<bool>,
    /// Keep every chest reachable without passing an enemy
    #[arg(long, num_args = 0, default_missing_value = "true")]
    safe_chests: Option<bool>,
}

const CARVES: [Choice<Carve>; 2] = [
    ("walk", "A walk that prefers steps towards the exit and sometimes strays", Carve::Walk),
    ("astar", "The cheapest way over tiles of random weight", Carve::Astar),
];
const OPENINGS: [Choice<Opening>; 2] = [
    ("density", "Single tiles: caves and ruins", Opening::Density),
    (
        "rooms",
        "Rooms joined by corridors; on floors with a side below 7, areas of 2 x 2 to 3 x 3 tiles",
        Opening::Rooms,
    ),
];

/// Generates the floors that `args` ask for and writes them.
pub(crate) fn run(args: FloorArgs) -> Result<(), Failure> {
    let spec = args.config()?.resolve().rejected()?;
    let time = args.output.time()?;
    let (maps, canvas) = args.output.open(&args.seeds)?;
    if maps.is_animated() {
        let (floor, tape) =
            steps::record(|tape| floor::generate_traced(maps.seed(), &spec, tape).rejected())?;
        let events = tape.events();
        return maps.animate(&FloorFrames::new(&floor, events), |theme, scale| {
            floor_animation(&floor, events, theme, scale)
        });
    }
    let mut generator = floor::Generator::new(&spec);
    generator.set_generated_at(&time);
    maps.write(|seed| {
        let floor = generator.generate(seed).rejected()?;
        canvas.map(|| floor.to_document(), || FloorScene::of_floor(floor))
    })
}

impl FloorArgs {
    /// The file's configuration, or the defaults, with the options on top.
    fn config(&self) -> Result<floor::Config, Failure> {
        let mut config = read_config(self.config.as_deref(), floor::Config::from_json)?;
        if let Some(path) = &self.pins {
            config.pins = read_drawing(path)?;
            let wide = config.pins.first().map_or(0, |row| row.chars().count());
            config.width = config.width.or(Some(wide as i64));
            config.height = config.height.or(Some(config.pins.len() as i64));
        }
        overlay(&mut config, &self.tiles)?;
        overlay(&mut config, &self.things)?;
        config.entrance = self.entrance.or(config.entrance);
        config.exit = self.exit.or(config.exit);
        config.template_id = self.template.clone().or(config.template_id);
        if self.template.is_some() {
            (config.template, config.use_template) = (None, Some(true));
        }
        let wanted = config.template.is_none() && config.use_template != Some(false);
        if let Some(id) = config.template_id.as_ref().filter(|_| wanted) {
            config.template = find_template(self.templates.as_deref(), id)?;
        } else if self.templates.is_some() {
            return reject("--templates: name one of its templates with --template");
        }
        Ok(config)
    }
}

fn parse_share(text: &str) -> Result<Density, String> {
    serde_json::from_str(text).map_err(|_| "write a share from 0 to 1, as in 0.5".to_owned())
}
