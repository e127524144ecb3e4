//! `wayforge floor`: make floors and write them.

use crate::choice::{Choice, choice};
use crate::config_file::Source;
use crate::failure::{Context, Failure};
use crate::floor_output::{FloorOutput, find_template, parse_cell};
use crate::generate::SeedArgs;
use crate::level_options::read_drawing;
use crate::steps;
use clap::Args;
use std::path::PathBuf;
use wayforge::floor::{self, Carve, Density, Opening};
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
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    entrance: Option<String>,
    /// Where the exit is; drawn if left out
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    exit: Option<String>,
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

#[derive(Args)]
#[command(next_help_heading = "Tiles")]
pub(crate) struct TileArgs {
    /// Columns, 3 to 64 [default: 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    width: Option<i64>,
    /// Rows, 3 to 64 [default: 5]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    height: Option<i64>,
    /// The share of tiles that are walls or water, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    wall_density: Option<String>,
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

#[derive(Args)]
#[command(next_help_heading = "Budgets, met exactly")]
pub(crate) struct ThingArgs {
    /// Enemies, at least two steps from the entrance [default: 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    enemies: Option<i64>,
    /// Chests, next to the way [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    chests: Option<i64>,
    /// Items [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    items: Option<i64>,
    /// Relics [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    relics: Option<i64>,
    /// Persons to talk to [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    npcs: Option<i64>,
    /// Traps, off the way [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    traps: Option<i64>,
    /// Doors, each between at least three tiles and the entrance [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    doors: Option<i64>,
    /// Tiles of water [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    water: Option<i64>,
    /// Keep a route from entrance to exit that meets no enemy
    #[arg(long)]
    safe_route: bool,
    /// Keep every chest reachable without passing an enemy
    #[arg(long)]
    safe_chests: bool,
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
    let reject = |error: floor::Error| Failure::Input(error.to_string());
    if maps.is_animated() {
        let mut tape = steps::tape();
        let floor = floor::generate_traced(maps.seed(), &spec, &mut tape).map_err(reject)?;
        let events = steps::whole(&tape)?;
        return maps.animate(&FloorFrames::new(&floor, events), |theme, scale| {
            floor_animation(&floor, events, theme, scale)
        });
    }
    let mut generator = floor::Generator::new(&spec);
    generator.set_generated_at(&time);
    maps.write(|seed| {
        let floor = generator.generate(seed).map_err(reject)?;
        canvas.map(|| floor.to_document(), || FloorScene::of_floor(floor))
    })
}

impl FloorArgs {
    /// The file's configuration, or the defaults, with the options on top.
    fn config(&self) -> Result<floor::Config, Failure> {
        let mut config = match &self.config {
            Some(path) => Source::read(path)?.parse(floor::Config::from_json)?,
            None => floor::Config::default(),
        };
        if let Some(path) = &self.pins {
            config.pins = read_drawing(path)?;
            let wide = config.pins.first().map_or(0, |row| row.chars().count());
            config.width = config.width.or(Some(wide as i64));
            config.height = config.height.or(Some(config.pins.len() as i64));
        }
        self.tiles.apply(&mut config)?;
        self.things.apply(&mut config);
        if let Some(text) = &self.entrance {
            config.entrance = Some(parse_cell("entrance", text)?);
        }
        if let Some(text) = &self.exit {
            config.exit = Some(parse_cell("exit", text)?);
        }
        config.template_id = self.template.clone().or(config.template_id);
        if self.template.is_some() {
            (config.template, config.use_template) = (None, Some(true));
        }
        let wanted = config.template.is_none() && config.use_template != Some(false);
        if let Some(id) = config.template_id.as_ref().filter(|_| wanted) {
            config.template = find_template(self.templates.as_deref(), id)?;
        } else if self.templates.is_some() {
            return Err(Failure::Input("--templates: name one of its templates with --template".into()));
        }
        Ok(config)
    }
}

impl TileArgs {
    pub(crate) fn apply(&self, config: &mut floor::Config) -> Result<(), Failure> {
        fill(&mut config.width, self.width);
        fill(&mut config.height, self.height);
        fill(&mut config.min_path_length, self.min_path_length);
        fill(&mut config.attempts, self.attempts);
        if let Some(text) = &self.wall_density {
            let density: Result<Density, _> = serde_json::from_str(text);
            let refuse =
                || Failure::Input(format!("--wall-density {text}: write a share from 0 to 1, as in 0.5"));
            config.wall_density = Some(density.map_err(|_| refuse())?);
        }
        config.carve = self.carve.unwrap_or(config.carve);
        config.open = self.open.unwrap_or(config.open);
        Ok(())
    }
}

impl ThingArgs {
    pub(crate) fn apply(&self, config: &mut floor::Config) {
        fill(&mut config.enemy_budget, self.enemies);
        fill(&mut config.chest_budget, self.chests);
        fill(&mut config.item_budget, self.items);
        fill(&mut config.relic_budget, self.relics);
        fill(&mut config.npc_budget, self.npcs);
        fill(&mut config.trap_budget, self.traps);
        fill(&mut config.door_budget, self.doors);
        fill(&mut config.water_budget, self.water);
        config.safe_route |= self.safe_route;
        config.safe_chests |= self.safe_chests;
    }
}

fn fill(field: &mut Option<i64>, value: Option<i64>) {
    *field = value.or(*field);
}
