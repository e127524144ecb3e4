//! The fields of a stage as options of the command line.

use crate::config_file::{self, Stage};
use crate::failure::{Context, Failure, reject};
use crate::number::{head_and_tail, pair, set};
use crate::overlay::overlay;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;
use wayforge::grid::Pos;
use wayforge::level::{
    self, Amount, Area, Blueprint, FuelMode, InteriorWalls, MarkConfig, Mover, Moves, ObjectiveConfig,
    Percent, Ratio, Reachable, RetryRule, Side, SoftLocks, WallStyle, Zone,
};

/// Every field of a stage.
#[derive(Args)]
pub(crate) struct StageArgs {
    #[command(flatten)]
    ground: GroundArgs,
    #[command(flatten)]
    candidates: CandidateArgs,
    #[command(flatten)]
    features: FeatureArgs,
    #[command(flatten)]
    goals: GoalArgs,
    #[command(flatten)]
    retry: RetryArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Ground")]
struct GroundArgs {
    /// Columns, the outside ring and the outer wall included, 9 to 1024 [default: 48]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    width: Option<i64>,
    /// Rows, the outside ring and the outer wall included, 7 to 1024 [default: 30]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    height: Option<i64>,
    /// The sides that have an exit, one each: top, bottom, left, right [default: all four]
    #[arg(long, value_name = "SIDES", value_delimiter = ',', value_parser = words::<Side>(&["top", "bottom", "left", "right"]))]
    exits: Option<Vec<Side>>,
    /// How interior walls are drawn: default, empty, grid_wire, sparse_moore[.N%], sparse_ortho[.N%] (N a density
    /// from 0 to 100), maze, caves [default: default]
    #[arg(long, value_name = "STYLE", allow_hyphen_values = true, value_parser = str::parse::<WallStyle>)]
    walls: Option<WallStyle>,
    /// Whether interior walls can be broken through [default: solid with maze and caves, else breakable]
    #[arg(long, value_name = "KIND", value_parser = words::<InteriorWalls>(&["breakable", "solid"]))]
    interior_walls: Option<InteriorWalls>,
    /// The percentage of interior walls that nobody breaks [default: 0]
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true, value_parser = parse_percent)]
    reinforced: Option<Percent>,
    /// What cars cannot enter: O, B and any of x h w ^ v < > [default: OBx]
    #[arg(long, value_name = "SYMBOLS", allow_hyphen_values = true)]
    blocked_car: Option<String>,
    /// What people cannot enter: O, B and any of x h w ^ v < > [default: OBx]
    #[arg(long, value_name = "SYMBOLS", allow_hyphen_values = true)]
    blocked_person: Option<String>,
    /// A drawing of fixed cells, ? for free ones; without a width and a height the level takes its size
    #[arg(long, value_name = "FILE")]
    pins: Option<PathBuf>,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Candidates")]
struct CandidateArgs {
    /// Player starts (P), 1 to 64 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    players: Option<i64>,
    /// Cars (C), 1 to 64 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    cars: Option<i64>,
    /// Empty fuel cans (e) of refuel_chain, 1 to 4096 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    empty_cans: Option<i64>,
    /// Fuel cans or stations (f) of fuel_can and refuel_chain, 1 to 4096 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    fuel_spots: Option<i64>,
    /// Flashlights (l), exactly so many, 0 to 4096 [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    flashlights: Option<i64>,
    /// Shoes (s), exactly so many, 0 to 4096 [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    shoes: Option<i64>,
    /// The fewest steps between player starts, cars, empty cans and fuel [default: the largest up to 8 that is certain to fit]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    min_separation: Option<i64>,
    /// Cells with a name of your own: NAME, =COUNT, @X,Y;X,Y for fixed ones, :until=STEP if they are locked until that
    /// step (`key`, `door=2@10,5;11,5:until=key`)
    #[arg(long = "mark", value_name = "MARK", value_parser = parse_mark)]
    marks: Vec<MarkConfig>,
}

#[derive(Args)]
#[command(next_help_heading = "Floor (D: a percentage of the floor as 3, 2.5 or 3%, or cells as count=12)")]
struct FeatureArgs {
    /// Pitfalls (x)
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = parse_amount)]
    pitfalls: Option<Amount>,
    /// Houseplants (h)
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = parse_amount)]
    plants: Option<Amount>,
    /// Puddles (w)
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = parse_amount)]
    puddles: Option<Amount>,
    /// Moving floors (^ v < >)
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = parse_amount)]
    moving_floors: Option<Amount>,
    /// Pitfalls in a rectangle: its left column, upper row, size and how much of it (`10,5,6x4=50%`) [default: all of it]
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true, value_parser = parse_zone)]
    pitfall_zone: Vec<Zone>,
    /// Houseplants in a rectangle
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true, value_parser = parse_zone)]
    plant_zone: Vec<Zone>,
    /// Puddles in a rectangle
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true, value_parser = parse_zone)]
    puddle_zone: Vec<Zone>,
    /// Moving floors in a rectangle, north, south, west or east if a direction is named (`10,5,6x4=50%:north`)
    #[arg(long, value_name = "X,Y,WxH[=D][:DIR]", allow_hyphen_values = true, value_parser = parse_moving_zone)]
    moving_floor_zone: Vec<Zone>,
    /// A rectangle where things may fall from above, whatever lies on its floor
    #[arg(long, value_name = "X,Y,WxH", allow_hyphen_values = true, value_parser = parse_fall_zone)]
    fall_spawn_zone: Vec<Area>,
    /// The share of open cells inside where things may fall from above besides, 0 to 1 [default: 0]
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true, value_parser = parse_ratio)]
    fall_spawn_floor_ratio: Option<Ratio>,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Objectives")]
struct GoalArgs {
    /// What is needed to drive away [default: fuel_can]
    #[arg(long, value_name = "MODE", ignore_case = true, value_parser = words::<FuelMode>(&["fuel_can", "refuel_chain", "start_full"]))]
    fuel: Option<FuelMode>,
    /// The stage is left on foot
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false")]
    endurance: Option<bool>,
    /// A chain of your own, of symbols and marks; of cars with `car:` in front (`P -> key -> door -> E`)
    #[arg(long = "objective", value_name = "CHAIN", value_parser = parse_objective)]
    objectives: Vec<ObjectiveConfig>,
    /// What players must be able to reach [default: candidates]
    #[arg(long, value_name = "WHAT", value_parser = words::<Reachable>(&["objectives", "candidates"]))]
    reachable: Option<Reachable>,
    /// Whether players may walk to where they can no longer finish [default: allowed]
    #[arg(long, value_name = "WHETHER", value_parser = words::<SoftLocks>(&["allowed", "forbidden"]))]
    soft_locks: Option<SoftLocks>,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Attempts")]
struct RetryArgs {
    /// How many attempts are made, 1 to 1000 [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    attempts: Option<i64>,
    /// How the seed of the next attempt follows: seed + attempt, or a hash of both [default: add]
    #[arg(long, value_name = "RULE", value_parser = words::<RetryRule>(&["add", "hash"]))]
    retry: Option<RetryRule>,
    /// Repair a level that fails only by its interior walls, by removing the fewest; the default
    #[arg(long, num_args = 0, default_missing_value = "true", conflicts_with = "no_repair")]
    repair: Option<bool>,
    /// Do not repair: an attempt that fails is followed by the next one
    #[arg(long)]
    #[serde(skip)]
    no_repair: bool,
}

impl StageArgs {
    /// Puts these options on top of the stage of a file.
    pub(crate) fn apply(&self, mut stage: Stage) -> Result<level::Config, Failure> {
        let StageArgs { ground, candidates, features, goals, retry } = self;
        if let Some(path) = &ground.pins {
            let rows = read_drawing(path)?;
            stage.set_size([rows[0].chars().count() as i64, rows.len() as i64]);
            stage.config.pins = rows;
        }
        let mut config = stage.config;
        ground.apply(&mut config);
        features.apply(&mut config);
        overlay(&mut config, goals)?;
        overlay(&mut config, retry)?;
        config.repair &= !retry.no_repair;
        candidates.check(config.fuel)?;
        overlay(&mut config, candidates)?;
        Ok(config)
    }
}

impl GroundArgs {
    fn apply(&self, config: &mut level::Config) {
        set(&mut config.width, self.width);
        set(&mut config.height, self.height);
        set(&mut config.exits, self.exits.clone());
        set(&mut config.walls, self.walls);
        config.interior_walls = self.interior_walls.or(config.interior_walls);
        set(&mut config.reinforced, self.reinforced);
        set(&mut config.blocked.car, self.blocked_car.clone());
        set(&mut config.blocked.person, self.blocked_person.clone());
    }
}

impl CandidateArgs {
    /// Rejects candidates that the fuel mode does not have.
    fn check(&self, fuel: FuelMode) -> Result<(), Failure> {
        let (option, why) = match fuel {
            FuelMode::StartFull if self.fuel_spots.is_some() => ("fuel-spots", "start_full has no fuel"),
            FuelMode::StartFull | FuelMode::FuelCan if self.empty_cans.is_some() => {
                ("empty-cans", "only refuel_chain has empty cans")
            }
            _ => return Ok(()),
        };
        reject(format!("--{option}: {why}; leave it out or choose another --fuel"))
    }
}

impl FeatureArgs {
    fn apply(&self, config: &mut level::Config) {
        for (feature, amount, zones) in [
            (&mut config.pitfalls, self.pitfalls, &self.pitfall_zone),
            (&mut config.plants, self.plants, &self.plant_zone),
            (&mut config.puddles, self.puddles, &self.puddle_zone),
            (&mut config.moving_floors, self.moving_floors, &self.moving_floor_zone),
        ] {
            set(&mut feature.amount, amount);
            feature.zones.extend_from_slice(zones);
        }
        config.fall_spawn_zones.extend_from_slice(&self.fall_spawn_zone);
        set(&mut config.fall_spawn_floor_ratio, self.fall_spawn_floor_ratio);
    }
}

/// The rows of a drawing in a text file.
pub(crate) fn read_drawing(path: &std::path::Path) -> Result<Vec<String>, Failure> {
    let bytes = config_file::read_text(path)?;
    let text = std::str::from_utf8(&bytes).about(path.display())?;
    let rows: Vec<String> = text.trim_end().lines().map(|row| row.trim_end().to_owned()).collect();
    let most = usize::from(Blueprint::MAX_SIDE);
    match rows.len() {
        0 => Err(Failure::about(path.display(), "holds no drawing")),
        n if n > most => {
            Err(Failure::about(path.display(), format!("{n} rows; a drawing has at most {most}")))
        }
        _ => Ok(rows),
    }
}

/// A parser of the words that a field of the configuration knows.
fn words<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    known: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(known)
        .try_map(|word| serde_json::from_value::<T>(serde_json::Value::String(word.to_lowercase())))
}

/// A percentage, with or without its sign.
fn parse_percent(text: &str) -> Result<Percent, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    let percent = Percent::from_str(&format!("{number}%"));
    percent.map_err(|_| "no percentage; write one from 0 to 100, as in 3, 2.5 or 3%".to_owned())
}

fn parse_ratio(text: &str) -> Result<Ratio, Box<dyn Error + Send + Sync>> {
    Ok(Ratio::new(text.parse()?)?)
}

fn parse_amount(text: &str) -> Result<Amount, String> {
    let amount = match text.strip_prefix("count=") {
        Some(count) => count.parse().ok().filter(|_| !count.ends_with('%')),
        None => parse_percent(text).ok().map(Amount::Density),
    };
    amount.ok_or_else(|| {
        "write a percentage of the floor from 0 to 100, as in 3, 2.5 or 3%, or cells as in count=12"
            .to_owned()
    })
}

fn parse_zone(text: &str) -> Result<Zone, String> {
    zone(text, "X,Y,WxH[=D], as in 10,5,6x4=50%")
}

fn parse_moving_zone(text: &str) -> Result<Zone, String> {
    let (rest, direction) = head_and_tail(text, ':');
    let moves = match direction {
        None => None,
        Some("^" | "north") => Some(Moves::North),
        Some("v" | "south") => Some(Moves::South),
        Some("<" | "west") => Some(Moves::West),
        Some(">" | "east") => Some(Moves::East),
        Some(other) => {
            return Err(format!("no direction \"{other}\"; use north, south, west, east or ^, v, <, >"));
        }
    };
    Ok(Zone { moves, ..zone(rest, "X,Y,WxH[=D][:DIR], as in 10,5,6x4=50%:north")? })
}

fn zone(text: &str, form: &str) -> Result<Zone, String> {
    let (place, amount) = head_and_tail(text, '=');
    let amount = amount.map_or(Ok(Amount::Density(Percent::ALL)), parse_amount)?;
    let Area { x, y, width, height } = parse_area(place, form)?;
    Ok(Zone { x, y, width, height, amount, moves: None })
}

fn parse_fall_zone(text: &str) -> Result<Area, String> {
    parse_area(text, "X,Y,WxH, as in 10,5,6x4")
}

fn parse_area(text: &str, form: &str) -> Result<Area, String> {
    let number =
        |text: &str| text.trim().parse::<i64>().ok().filter(|n| n.unsigned_abs() <= u64::from(u32::MAX));
    let parsed = || {
        let (x, rest) = text.split_once(',')?;
        let (y, size) = rest.split_once(',')?;
        let (width, height) = size.split_once('x')?;
        Some(Area { x: number(x)?, y: number(y)?, width: number(width)?, height: number(height)? })
    };
    parsed().ok_or_else(|| format!("write {form}"))
}

/// A mark as `NAME[=COUNT][@X,Y;X,Y][:until=STEP]`.
fn parse_mark(text: &str) -> Result<MarkConfig, String> {
    let wrong = |what: &str, part: &str| {
        format!(
            "no {what} \"{part}\"; write NAME[=COUNT][@X,Y;X,Y][:until=STEP], as in door=2@10,5;11,5:until=key"
        )
    };
    let (rest, rule) = head_and_tail(text, ':');
    let (rest, places) = head_and_tail(rest, '@');
    let (name, count) = head_and_tail(rest, '=');
    let locked_until = match rule {
        None => None,
        Some(rule) => Some(rule.strip_prefix("until=").ok_or_else(|| wrong("rule", rule))?.to_owned()),
    };
    let cell = |place: &str| pair(place).map(|(x, y)| Pos::new(x, y));
    let cells: Vec<Pos> = match places {
        None => Vec::new(),
        Some(places) => {
            places.split(';').map(cell).collect::<Option<_>>().ok_or_else(|| wrong("cells", places))?
        }
    };
    let count = match count {
        None => (cells.len() as i64).max(1),
        Some(count) => count.parse().map_err(|_| wrong("count", count))?,
    };
    Ok(MarkConfig { name: name.to_owned(), count, cells, locked_until })
}

/// A chain as `P -> key -> E`, of cars with `car:` in front.
fn parse_objective(text: &str) -> Result<ObjectiveConfig, String> {
    let (mover, steps) = text.split_once(':').unwrap_or(("person", text));
    let mover = match mover.trim() {
        "car" => Mover::Car,
        "person" => Mover::Person,
        other => return Err(format!("no mover \"{other}\"; write car: or person: in front of the steps")),
    };
    let steps: Vec<String> = steps.split("->").map(|step| step.trim().to_owned()).collect();
    if steps.len() < 2 || steps.iter().any(String::is_empty) {
        return Err(
            "write two to eight steps with -> between them, as in \"P -> key -> door -> E\"".to_owned()
        );
    }
    Ok(ObjectiveConfig { mover, steps })
}
