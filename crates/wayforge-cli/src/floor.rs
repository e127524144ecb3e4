//! `wayforge floor`: make floors and write them.

use crate::config_file::Source;
use crate::failure::Failure;
use crate::floor_output::{FloorOutput, Format, find_template, parse_cell, seed};
use crate::level_options::read_drawing;
use crate::number::at_least_one;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::floor::{self, Carve, Density, Opening};
use wayforge_draw::FloorScene;

/// The options of `wayforge floor`.
#[derive(Args)]
pub(crate) struct FloorArgs {
    /// The seed, a number or any text; random if left out, and always printed
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    seed: Option<Seed>,
    /// Number of consecutive seeds, from the given one; 1 or more
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    count: u64,
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
    #[arg(long, value_enum)]
    carve: Option<CarveName>,
    /// How room is made around the way [default: density]
    #[arg(long, value_enum)]
    open: Option<OpeningName>,
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

#[derive(Clone, Copy, ValueEnum)]
enum CarveName {
    /// A walk that prefers steps towards the exit and sometimes strays
    Walk,
    /// The cheapest way over tiles of random weight
    Astar,
}

#[derive(Clone, Copy, ValueEnum)]
enum OpeningName {
    /// Single tiles: caves and ruins
    Density,
    /// Rooms joined by corridors; on floors with a side below 7, areas of 2 x 2 to 3 x 3 tiles
    Rooms,
}

/// Makes the floors that `args` ask for and writes them.
pub(crate) fn run(args: FloorArgs) -> Result<(), Failure> {
    let spec = args.config()?.resolve().map_err(|error| Failure::Input(error.to_string()))?;
    let format = args.output.format()?;
    let time = args.output.time()?;
    let mut output = args.output.open(format, args.count)?;
    let seed = seed(args.seed.as_ref(), format)?;
    if args.output.is_making(format) {
        return args.output.show_making(seed, &spec, output);
    }
    let mut forge = floor::Generator::new(&spec);
    forge.set_generated_at(&time);
    for n in 0..args.count {
        let floor = forge.generate(seed.plus(n)).map_err(|error| Failure::Input(error.to_string()))?;
        if n > 0 && format == Format::Ascii {
            output.write(b"\n")?;
        }
        let bytes = match format {
            Format::Json => format!("{}\n", floor.to_document().to_text()).into_bytes(),
            _ => args.output.draw(&FloorScene::of_floor(floor), format, &output)?,
        };
        output.write(&bytes)?;
    }
    output.finish()
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
        set(&mut config.width, self.width);
        set(&mut config.height, self.height);
        set(&mut config.min_path_length, self.min_path_length);
        set(&mut config.attempts, self.attempts);
        if let Some(text) = &self.wall_density {
            let density: Result<Density, _> = serde_json::from_str(text);
            let refuse =
                || Failure::Input(format!("--wall-density {text}: write a share from 0 to 1, as in 0.5"));
            config.wall_density = Some(density.map_err(|_| refuse())?);
        }
        match self.carve {
            Some(CarveName::Walk) => config.carve = Carve::Walk,
            Some(CarveName::Astar) => config.carve = Carve::Astar,
            None => {}
        }
        match self.open {
            Some(OpeningName::Density) => config.open = Opening::Density,
            Some(OpeningName::Rooms) => config.open = Opening::Rooms,
            None => {}
        }
        Ok(())
    }
}

impl ThingArgs {
    pub(crate) fn apply(&self, config: &mut floor::Config) {
        set(&mut config.enemy_budget, self.enemies);
        set(&mut config.chest_budget, self.chests);
        set(&mut config.item_budget, self.items);
        set(&mut config.relic_budget, self.relics);
        set(&mut config.npc_budget, self.npcs);
        set(&mut config.trap_budget, self.traps);
        set(&mut config.door_budget, self.doors);
        set(&mut config.water_budget, self.water);
        config.safe_route |= self.safe_route;
        config.safe_chests |= self.safe_chests;
    }
}

fn set(field: &mut Option<i64>, value: Option<i64>) {
    *field = value.or(*field);
}
