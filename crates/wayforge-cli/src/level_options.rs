//! Command-line options for the fields of a stage.

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
    self, Amount, Area, Blueprint, FuelMode, InteriorWalls, MarkConfig, MoveDirection, Mover,
    ObjectiveConfig, Percent, Ratio, Reachable, RetryRule, Side, SoftLocks, WallStyle, Zone,
};

/// Options for all fields of a stage.
#[derive(Args)]
pub(crate) struct StageArgs {
    #[command(flatten)]
    ground: GroundArgs,
    #[command(flatten)]
    candidates: CandidateArgs,
    #[command(flatten)]
    features: FeatureArgs,
    #[command(flatten)]
    objectives: ObjectiveArgs,
    #[command(flatten)]
    retry: RetryArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Ground")]
struct GroundArgs {
    /// Width in cells, including the outside ring and the outer wall, 9 to 1024 [default: 48]
    #[arg(long, value_name = "N")]
    width: Option<i64>,
    /// Height in cells, including the outside ring and the outer wall, 7 to 1024 [default: 30]
    #[arg(long, value_name = "N")]
    height: Option<i64>,
    /// Comma-separated sides with an exit [default: all four]
    #[arg(
        long,
        value_name = "SIDES",
        value_delimiter = ',',
        value_parser = one_of::<Side>(&["top", "bottom", "left", "right"])
    )]
    exits: Option<Vec<Side>>,
    /// Style of interior walls: default, empty, grid_wire, sparse_moore[.N%], sparse_ortho[.N%]
    /// (density 0 to 100), maze or caves [default: default]
    #[arg(long, value_name = "STYLE", allow_hyphen_values = true)]
    walls: Option<WallStyle>,
    /// Breakable or solid interior walls [default: solid with maze and caves, else breakable]
    #[arg(
        long,
        value_name = "KIND",
        value_parser = one_of::<InteriorWalls>(&["breakable", "solid"])
    )]
    interior_walls: Option<InteriorWalls>,
    /// Percentage of unbreakable interior walls, 0 to 100 [default: 0]
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true, value_parser = parse_percent)]
    reinforced: Option<Percent>,
    /// Cells that cars cannot enter: O, B and any of x h w ^ v < > [default: OBx]
    #[arg(long, value_name = "SYMBOLS", allow_hyphen_values = true)]
    blocked_car: Option<String>,
    /// Cells that people cannot enter: O, B and any of x h w ^ v < > [default: OBx]
    #[arg(long, value_name = "SYMBOLS", allow_hyphen_values = true)]
    blocked_person: Option<String>,
    /// Drawing of fixed cells, with ? for free cells; sets the size unless the stage or options set
    /// it
    #[arg(long, value_name = "FILE")]
    pins: Option<PathBuf>,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Candidates")]
struct CandidateArgs {
    /// Number of player starts (P), 1 to 64 [default: 1]
    #[arg(long, value_name = "N")]
    players: Option<i64>,
    /// Number of cars (C), 1 to 64 [default: 1]
    #[arg(long, value_name = "N")]
    cars: Option<i64>,
    /// Number of empty fuel cans (e), 1 to 4096; only for refuel_chain [default: 1]
    #[arg(long, value_name = "N")]
    empty_cans: Option<i64>,
    /// Number of fuel cans or stations (f), 1 to 4096; only for fuel_can and refuel_chain
    /// [default: 1]
    #[arg(long, value_name = "N")]
    fuel_spots: Option<i64>,
    /// Exact number of flashlights (l), 0 to 4096 [default: 0]
    #[arg(long, value_name = "N")]
    flashlights: Option<i64>,
    /// Exact number of shoes (s), 0 to 4096 [default: 0]
    #[arg(long, value_name = "N")]
    shoes: Option<i64>,
    /// Minimum steps between player starts, cars, empty cans and fuel
    /// [default: the largest value up to 8 that always fits]
    #[arg(long, value_name = "N")]
    min_separation: Option<i64>,
    /// Named cells, e.g. key or door=2@10,5;11,5:until=key: NAME, =COUNT, @X,Y;X,Y for fixed cells,
    /// :until=STEP for cells that are locked until a step; repeatable
    #[arg(long = "mark", value_name = "MARK", value_parser = parse_mark)]
    marks: Vec<MarkConfig>,
}

#[derive(Args)]
#[command(
    next_help_heading = "Floor features (D: percentage, e.g. 2.5 or 3%, or cells, e.g. count=12)"
)]
struct FeatureArgs {
    /// Amount of pitfalls (x) [default: 0]
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = parse_amount)]
    pitfalls: Option<Amount>,
    /// Amount of houseplants (h) [default: 0]
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = parse_amount)]
    plants: Option<Amount>,
    /// Amount of puddles (w) [default: 0]
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = parse_amount)]
    puddles: Option<Amount>,
    /// Amount of moving floors (^ v < >) [default: 0]
    #[arg(long, value_name = "D", allow_hyphen_values = true, value_parser = parse_amount)]
    moving_floors: Option<Amount>,
    /// Pitfalls in a rectangle: left column, top row, size and amount (all cells if omitted), e.g.
    /// 10,5,6x4=50%; repeatable
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true, value_parser = parse_zone)]
    pitfall_zone: Vec<Zone>,
    /// Houseplants in a rectangle; repeatable
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true, value_parser = parse_zone)]
    plant_zone: Vec<Zone>,
    /// Puddles in a rectangle; repeatable
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true, value_parser = parse_zone)]
    puddle_zone: Vec<Zone>,
    /// Moving floors in a rectangle, optionally all north, south, west or east, e.g.
    /// 10,5,6x4=50%:north; repeatable
    #[arg(
        long,
        value_name = "X,Y,WxH[=D][:DIR]",
        allow_hyphen_values = true,
        value_parser = parse_moving_zone
    )]
    moving_floor_zone: Vec<Zone>,
    /// Rectangle where objects may fall from above, regardless of its cells; repeatable
    #[arg(long, value_name = "X,Y,WxH", allow_hyphen_values = true, value_parser = parse_fall_zone)]
    fall_spawn_zone: Vec<Area>,
    /// Fraction of other open interior cells where objects may fall from above, 0 to 1 [default: 0]
    #[arg(long, value_name = "RATIO", value_parser = parse_ratio)]
    fall_spawn_floor_ratio: Option<Ratio>,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Objectives")]
struct ObjectiveArgs {
    /// Fuel needed to drive away [default: fuel_can]
    #[arg(
        long,
        value_name = "MODE",
        ignore_case = true,
        value_parser = one_of::<FuelMode>(&["fuel_can", "refuel_chain", "start_full"])
    )]
    fuel: Option<FuelMode>,
    /// Endurance stage: players leave on foot [default: false]
    #[arg(
        long,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        value_name = "true|false"
    )]
    endurance: Option<bool>,
    /// Custom objective, a chain of symbols and marks, e.g. "P -> key -> door -> E"; prefix car:
    /// for cars; repeatable
    #[arg(long = "objective", value_name = "CHAIN", value_parser = parse_objective)]
    objectives: Vec<ObjectiveConfig>,
    /// Cells that players must be able to reach [default: candidates]
    #[arg(
        long,
        value_name = "CELLS",
        value_parser = one_of::<Reachable>(&["objectives", "candidates"])
    )]
    reachable: Option<Reachable>,
    /// Allow or forbid cells from which players can no longer finish [default: allowed]
    #[arg(long, value_name = "RULE", value_parser = one_of::<SoftLocks>(&["allowed", "forbidden"]))]
    soft_locks: Option<SoftLocks>,
}

#[derive(Args, Serialize)]
#[command(next_help_heading = "Attempts")]
struct RetryArgs {
    /// Maximum number of attempts, 1 to 1000 [default: 20]
    #[arg(long, value_name = "N")]
    attempts: Option<i64>,
    /// Seed of the next attempt: seed + attempt (add) or a hash of both (hash) [default: add]
    #[arg(long, value_name = "RULE", value_parser = one_of::<RetryRule>(&["add", "hash"]))]
    retry: Option<RetryRule>,
    /// Repair a level that fails only because of interior walls by removing as few as possible; on
    /// by default
    #[arg(long, num_args = 0, default_missing_value = "true", conflicts_with = "no_repair")]
    repair: Option<bool>,
    /// Do not repair failed attempts
    #[arg(long)]
    #[serde(skip)]
    no_repair: bool,
}

impl StageArgs {
    /// Applies the options on top of a stage.
    pub(crate) fn apply(&self, mut stage: Stage) -> Result<level::Config, Failure> {
        let StageArgs { ground, candidates, features, objectives, retry } = self;
        if let Some(path) = &ground.pins {
            let rows = read_drawing(path)?;
            stage.set_default_size([rows[0].chars().count() as i64, rows.len() as i64]);
            stage.config.pins = rows;
        }
        let mut config = stage.config;
        ground.apply(&mut config);
        features.apply(&mut config);
        overlay(&mut config, objectives)?;
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
        let (option, problem) = match fuel {
            FuelMode::StartFull if self.fuel_spots.is_some() => {
                ("fuel-spots", "start_full has no fuel")
            }
            FuelMode::StartFull | FuelMode::FuelCan if self.empty_cans.is_some() => {
                ("empty-cans", "only refuel_chain has empty cans")
            }
            _ => return Ok(()),
        };
        reject(format!("--{option}: {problem}; leave it out or choose another --fuel"))
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

/// Reads the rows of a drawing from a text file.
pub(crate) fn read_drawing(path: &std::path::Path) -> Result<Vec<String>, Failure> {
    let bytes = config_file::read_text(path)?;
    let text = std::str::from_utf8(&bytes).context(path.display())?;
    let rows: Vec<String> = text.trim_end().lines().map(|row| row.trim_end().to_owned()).collect();
    let max = usize::from(Blueprint::MAX_SIDE);
    match rows.len() {
        0 => Err(Failure::new(path.display(), "contains no drawing; write one row per line")),
        n if n > max => Err(Failure::new(path.display(), format!("{n} rows; use at most {max}"))),
        _ => Ok(rows),
    }
}

/// Returns a parser for the named values of a configuration field.
fn one_of<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    known: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(known)
        .try_map(|word| serde_json::from_value::<T>(serde_json::Value::String(word.to_lowercase())))
}

/// Parses a percentage with or without `%`.
fn parse_percent(text: &str) -> Result<Percent, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    let percent = Percent::from_str(&format!("{number}%"));
    percent.map_err(|_| "not a percentage; use 0 to 100, as in 3, 2.5 or 3%".to_owned())
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
        "not an amount; use a percentage of the floor from 0 to 100, as in 2.5 or 3%, or a number \
         of cells, as in count=12"
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
        Some("^" | "north") => Some(MoveDirection::North),
        Some("v" | "south") => Some(MoveDirection::South),
        Some("<" | "west") => Some(MoveDirection::West),
        Some(">" | "east") => Some(MoveDirection::East),
        Some(other) => {
            return Err(format!(
                "unknown direction \"{other}\"; use north, south, west, east or ^, v, <, >"
            ));
        }
    };
    Ok(Zone { moves, ..zone(rest, "X,Y,WxH[=D][:DIR], as in 10,5,6x4=50%:north")? })
}

fn zone(text: &str, form: &str) -> Result<Zone, String> {
    let (area, amount) = head_and_tail(text, '=');
    let amount = amount.map_or(Ok(Amount::Density(Percent::ALL)), parse_amount)?;
    let Area { x, y, width, height } = parse_area(area, form)?;
    Ok(Zone { x, y, width, height, amount, moves: None })
}

fn parse_fall_zone(text: &str) -> Result<Area, String> {
    parse_area(text, "X,Y,WxH, as in 10,5,6x4")
}

fn parse_area(text: &str, form: &str) -> Result<Area, String> {
    let number = |text: &str| {
        text.trim().parse::<i64>().ok().filter(|n| n.unsigned_abs() <= u64::from(u32::MAX))
    };
    let parsed = || {
        let (x, rest) = text.split_once(',')?;
        let (y, size) = rest.split_once(',')?;
        let (width, height) = size.split_once('x')?;
        Some(Area { x: number(x)?, y: number(y)?, width: number(width)?, height: number(height)? })
    };
    parsed().ok_or_else(|| format!("write {form}"))
}

/// Parses a mark, `NAME[=COUNT][@X,Y;X,Y][:until=STEP]`.
fn parse_mark(text: &str) -> Result<MarkConfig, String> {
    let invalid = |noun: &str, part: &str| {
        format!(
            "invalid {noun} \"{part}\"; write NAME[=COUNT][@X,Y;X,Y][:until=STEP], \
             as in door=2@10,5;11,5:until=key"
        )
    };
    let (rest, rule) = head_and_tail(text, ':');
    let (rest, cells) = head_and_tail(rest, '@');
    let (name, count) = head_and_tail(rest, '=');
    let locked_until = match rule {
        None => None,
        Some(rule) => {
            Some(rule.strip_prefix("until=").ok_or_else(|| invalid("rule", rule))?.to_owned())
        }
    };
    let parse_cell = |text: &str| pair(text).map(|(x, y)| Pos::new(x, y));
    let cells: Vec<Pos> = match cells {
        None => Vec::new(),
        Some(cells) => cells
            .split(';')
            .map(parse_cell)
            .collect::<Option<_>>()
            .ok_or_else(|| invalid("cells", cells))?,
    };
    let count = match count {
        None => (cells.len() as i64).max(1),
        Some(count) => count.parse().map_err(|_| invalid("count", count))?,
    };
    Ok(MarkConfig { name: name.to_owned(), count, cells, locked_until })
}

/// Parses a chain, `P -> key -> E`, with the prefix `car:` for cars.
fn parse_objective(text: &str) -> Result<ObjectiveConfig, String> {
    let (mover, steps) = text.split_once(':').unwrap_or(("person", text));
    let mover = match mover.trim() {
        "car" => Mover::Car,
        "person" => Mover::Person,
        other => {
            return Err(format!(
                "unknown mover \"{other}\"; write car: or person: before the steps"
            ));
        }
    };
    let steps: Vec<String> = steps.split("->").map(|step| step.trim().to_owned()).collect();
    if steps.len() < 2 || steps.iter().any(String::is_empty) {
        return Err(
            "invalid chain; write two to eight steps separated by ->, as in \"P -> key -> E\""
                .to_owned(),
        );
    }
    Ok(ObjectiveConfig { mover, steps })
}
