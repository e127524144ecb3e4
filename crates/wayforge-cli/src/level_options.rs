//! The fields of a stage as options of the command line.

use crate::config_file;
use crate::failure::{Context, Failure};
use crate::number::{pair, set};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use wayforge::ConfigError;
use wayforge::grid::Pos;
use wayforge::level::{
    self, Amount, Area, Blueprint, Feature, FuelMode, InteriorWalls, MarkConfig, Mover, Moves,
    ObjectiveConfig, Percent, Ratio, Reachable, RetryRule, Side, SoftLocks, Zone,
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
    #[arg(long, value_name = "STYLE", allow_hyphen_values = true)]
    walls: Option<String>,
    /// Whether interior walls can be broken through [default: solid with maze and caves, else breakable]
    #[arg(long, value_name = "KIND", value_parser = words::<InteriorWalls>(&["breakable", "solid"]))]
    interior_walls: Option<InteriorWalls>,
    /// The percentage of interior walls that nobody breaks [default: 0]
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    reinforced: Option<String>,
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

#[derive(Args)]
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
    #[arg(long = "mark", value_name = "MARK")]
    marks: Vec<String>,
}

#[derive(Args)]
#[command(next_help_heading = "Floor (D: a percentage of the floor as 3, 2.5 or 3%, or cells as count=12)")]
struct FeatureArgs {
    /// Pitfalls (x)
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pitfalls: Option<String>,
    /// Houseplants (h)
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    plants: Option<String>,
    /// Puddles (w)
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    puddles: Option<String>,
    /// Moving floors (^ v < >)
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    moving_floors: Option<String>,
    /// Pitfalls in a rectangle: its left column, upper row, size and how much of it (`10,5,6x4=50%`) [default: all of it]
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true)]
    pitfall_zone: Vec<String>,
    /// Houseplants in a rectangle
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true)]
    plant_zone: Vec<String>,
    /// Puddles in a rectangle
    #[arg(long, value_name = "X,Y,WxH[=D]", allow_hyphen_values = true)]
    puddle_zone: Vec<String>,
    /// Moving floors in a rectangle, north, south, west or east if a direction is named (`10,5,6x4=50%:north`)
    #[arg(long, value_name = "X,Y,WxH[=D][:DIR]", allow_hyphen_values = true)]
    moving_floor_zone: Vec<String>,
    /// A rectangle where things may fall from above, whatever lies on its floor
    #[arg(long, value_name = "X,Y,WxH", allow_hyphen_values = true)]
    fall_spawn_zone: Vec<String>,
    /// The share of open cells inside where things may fall from above besides, 0 to 1 [default: 0]
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
    fall_spawn_floor_ratio: Option<f64>,
}

#[derive(Args)]
#[command(next_help_heading = "Objectives")]
struct GoalArgs {
    /// What is needed to drive away [default: fuel_can]
    #[arg(long, value_name = "MODE", ignore_case = true, value_parser = words::<FuelMode>(&["fuel_can", "refuel_chain", "start_full"]))]
    fuel: Option<FuelMode>,
    /// The stage is left on foot
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "true|false")]
    endurance: Option<bool>,
    /// A chain of your own, of symbols and marks; of cars with `car:` in front (`P -> key -> door -> E`)
    #[arg(long = "objective", value_name = "CHAIN")]
    objectives: Vec<String>,
    /// What players must be able to reach [default: candidates]
    #[arg(long, value_name = "WHAT", value_parser = words::<Reachable>(&["objectives", "candidates"]))]
    reachable: Option<Reachable>,
    /// Whether players may walk to where they can no longer finish [default: allowed]
    #[arg(long, value_name = "WHETHER", value_parser = words::<SoftLocks>(&["allowed", "forbidden"]))]
    soft_locks: Option<SoftLocks>,
}

#[derive(Args)]
#[command(next_help_heading = "Attempts")]
struct RetryArgs {
    /// How many attempts are made, 1 to 1000 [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    attempts: Option<i64>,
    /// How the seed of the next attempt follows: seed + attempt, or a hash of both [default: add]
    #[arg(long, value_name = "RULE", value_parser = words::<RetryRule>(&["add", "hash"]))]
    retry: Option<RetryRule>,
    /// Repair a level that fails only by its interior walls, by removing the fewest; the default
    #[arg(long, conflicts_with = "no_repair")]
    repair: bool,
    /// Do not repair: an attempt that fails is followed by the next one
    #[arg(long)]
    no_repair: bool,
}

impl StageArgs {
    /// The configuration with these options on top. `sized` says whether the configuration names its width and height.
    pub(crate) fn apply(
        &self,
        mut config: level::Config,
        sized: [bool; 2],
    ) -> Result<level::Config, Failure> {
        self.ground.apply(&mut config, sized)?;
        self.features.apply(&mut config)?;
        self.goals.apply(&mut config)?;
        self.retry.apply(&mut config);
        self.candidates.apply(&mut config)?;
        Ok(config)
    }
}

impl GroundArgs {
    fn apply(&self, config: &mut level::Config, sized: [bool; 2]) -> Result<(), Failure> {
        if let Some(path) = &self.pins {
            config.pins = read_drawing(path)?;
            let drawn = [config.pins.first().map_or(0, |row| row.chars().count()), config.pins.len()];
            for (side, (sized, drawn)) in
                [&mut config.width, &mut config.height].into_iter().zip(sized.into_iter().zip(drawn))
            {
                *side = if sized { *side } else { drawn as i64 };
            }
        }
        set(&mut config.width, self.width);
        set(&mut config.height, self.height);
        set(&mut config.exits, self.exits.clone());
        if let Some(walls) = &self.walls {
            config.walls = walls.parse().map_err(|error: ConfigError| refuse("walls", walls, error))?;
        }
        config.interior_walls = self.interior_walls.or(config.interior_walls);
        set(&mut config.reinforced, percent("reinforced", self.reinforced.as_deref())?);
        set(&mut config.blocked.car, self.blocked_car.clone());
        set(&mut config.blocked.person, self.blocked_person.clone());
        Ok(())
    }
}

impl CandidateArgs {
    /// Comes after the fuel mode, which decides what candidates there are.
    fn apply(&self, config: &mut level::Config) -> Result<(), Failure> {
        let useless = match config.fuel {
            FuelMode::StartFull if self.fuel_spots.is_some() => {
                Some(("fuel-spots", "start_full has no fuel"))
            }
            FuelMode::StartFull | FuelMode::FuelCan if self.empty_cans.is_some() => {
                Some(("empty-cans", "only refuel_chain has empty cans"))
            }
            _ => None,
        };
        if let Some((option, why)) = useless {
            return Err(Failure::Input(format!("--{option}: {why}; leave it out or choose another --fuel")));
        }
        set(&mut config.players, self.players);
        set(&mut config.cars, self.cars);
        set(&mut config.empty_cans, self.empty_cans);
        set(&mut config.fuel_spots, self.fuel_spots);
        set(&mut config.flashlights, self.flashlights);
        set(&mut config.shoes, self.shoes);
        config.min_separation = self.min_separation.or(config.min_separation);
        for text in &self.marks {
            config.marks.push(parse_mark(text)?);
        }
        Ok(())
    }
}

impl FeatureArgs {
    fn apply(&self, config: &mut level::Config) -> Result<(), Failure> {
        let level::Config { pitfalls, plants, puddles, moving_floors, .. } = config;
        type Given<'a> = (&'a mut Feature, [&'static str; 2], &'a Option<String>, &'a [String]);
        let features: [Given; 4] = [
            (pitfalls, ["pitfalls", "pitfall-zone"], &self.pitfalls, &self.pitfall_zone),
            (plants, ["plants", "plant-zone"], &self.plants, &self.plant_zone),
            (puddles, ["puddles", "puddle-zone"], &self.puddles, &self.puddle_zone),
            (
                moving_floors,
                ["moving-floors", "moving-floor-zone"],
                &self.moving_floors,
                &self.moving_floor_zone,
            ),
        ];
        for (feature, [option, zone_option], amount, zones) in features {
            if let Some(text) = amount {
                feature.amount = parse_amount(option, text, text)?;
            }
            for text in zones {
                feature.zones.push(parse_zone(zone_option, text)?);
            }
        }
        for text in &self.fall_spawn_zone {
            let zone = parse_area("fall-spawn-zone", text, text, "X,Y,WxH, as in 10,5,6x4")?;
            config.fall_spawn_zones.push(zone);
        }
        if let Some(ratio) = self.fall_spawn_floor_ratio {
            config.fall_spawn_floor_ratio = Ratio::new(ratio)
                .map_err(|error| refuse("fall-spawn-floor-ratio", &ratio.to_string(), error))?;
        }
        Ok(())
    }
}

impl GoalArgs {
    fn apply(&self, config: &mut level::Config) -> Result<(), Failure> {
        set(&mut config.fuel, self.fuel);
        set(&mut config.endurance, self.endurance);
        set(&mut config.reachable, self.reachable);
        set(&mut config.soft_locks, self.soft_locks);
        for text in &self.objectives {
            config.objectives.push(parse_objective(text)?);
        }
        Ok(())
    }
}

impl RetryArgs {
    fn apply(&self, config: &mut level::Config) {
        set(&mut config.attempts, self.attempts);
        set(&mut config.retry, self.retry);
        config.repair = (config.repair || self.repair) && !self.no_repair;
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

fn refuse(option: &str, text: &str, error: ConfigError) -> Failure {
    Failure::Input(format!("--{option} {text}: {}; {}", error.problem, error.remedy))
}

fn percent(option: &str, text: Option<&str>) -> Result<Option<Percent>, Failure> {
    let Some(text) = text else { return Ok(None) };
    parse_percent(text).map(Some).ok_or_else(|| {
        Failure::Input(format!(
            "--{option} {text}: no percentage; write one from 0 to 100, as in 3, 2.5 or 3%"
        ))
    })
}

/// A percentage, with or without its sign.
fn parse_percent(text: &str) -> Option<Percent> {
    let number = text.strip_suffix('%').unwrap_or(text);
    Percent::from_str(&format!("{number}%")).ok()
}

/// An amount within the `text` of an option.
fn parse_amount(option: &str, text: &str, amount: &str) -> Result<Amount, Failure> {
    let parsed = match amount.strip_prefix("count=") {
        Some(count) if !count.ends_with('%') => count.parse().ok(),
        Some(_) => None,
        None => parse_percent(amount).map(Amount::Density),
    };
    parsed.ok_or_else(|| {
        Failure::Input(format!(
            "--{option} {text}: write a percentage of the floor from 0 to 100, as in 3, 2.5 or 3%, or cells as in count=12"
        ))
    })
}

fn parse_zone(option: &str, text: &str) -> Result<Zone, Failure> {
    let directed = option == "moving-floor-zone";
    let form = match directed {
        true => "X,Y,WxH[=D][:DIR], as in 10,5,6x4=50%:north",
        false => "X,Y,WxH[=D], as in 10,5,6x4=50%",
    };
    let (rest, moves) = match text.split_once(':').filter(|_| directed) {
        Some((rest, direction)) => (rest, Some(parse_direction(option, text, direction)?)),
        None => (text, None),
    };
    let (place, amount) = match rest.split_once('=') {
        Some((place, amount)) => (place, parse_amount(option, text, amount)?),
        None => (rest, Amount::Density(Percent::ALL)),
    };
    let Area { x, y, width, height } = parse_area(option, text, place, form)?;
    Ok(Zone { x, y, width, height, amount, moves })
}

fn parse_direction(option: &str, text: &str, direction: &str) -> Result<Moves, Failure> {
    match direction {
        "^" | "north" => Ok(Moves::North),
        "v" | "south" => Ok(Moves::South),
        "<" | "west" => Ok(Moves::West),
        ">" | "east" => Ok(Moves::East),
        _ => Err(Failure::Input(format!(
            "--{option} {text}: no direction \"{direction}\"; use north, south, west, east or ^, v, <, >"
        ))),
    }
}

fn parse_area(option: &str, text: &str, place: &str, form: &str) -> Result<Area, Failure> {
    let number =
        |text: &str| text.trim().parse::<i64>().ok().filter(|n| n.unsigned_abs() <= u64::from(u32::MAX));
    let parsed = || {
        let (x, rest) = place.split_once(',')?;
        let (y, size) = rest.split_once(',')?;
        let (width, height) = size.split_once('x')?;
        Some(Area { x: number(x)?, y: number(y)?, width: number(width)?, height: number(height)? })
    };
    parsed().ok_or_else(|| Failure::Input(format!("--{option} {text}: write {form}")))
}

/// A mark as `NAME[=COUNT][@X,Y;X,Y][:until=STEP]`.
fn parse_mark(text: &str) -> Result<MarkConfig, Failure> {
    let refuse = |problem: &dyn Display| {
        Failure::Input(format!(
            "--mark {text}: {problem}; write NAME[=COUNT][@X,Y;X,Y][:until=STEP], as in door=2@10,5;11,5:until=key"
        ))
    };
    let (rest, locked_until) = match text.split_once(':') {
        None => (text, None),
        Some((rest, rule)) => match rule.strip_prefix("until=") {
            Some(step) => (rest, Some(step.to_owned())),
            None => return Err(refuse(&format_args!("no rule \"{rule}\""))),
        },
    };
    let (rest, cells) = match rest.split_once('@') {
        None => (rest, Vec::new()),
        Some((rest, places)) => {
            let cells = places.split(';').map(|place| pair(place).map(|(x, y)| Pos::new(x, y)));
            let cells: Option<Vec<Pos>> = cells.collect();
            (rest, cells.ok_or_else(|| refuse(&format_args!("no cells \"{places}\"")))?)
        }
    };
    let (name, count) = match rest.split_once('=') {
        None => (rest, (cells.len() as i64).max(1)),
        Some((name, count)) => {
            (name, count.parse().map_err(|_| refuse(&format_args!("no count \"{count}\"")))?)
        }
    };
    Ok(MarkConfig { name: name.to_owned(), count, cells, locked_until })
}

/// A chain as `P -> key -> E`, of cars with `car:` in front.
fn parse_objective(text: &str) -> Result<ObjectiveConfig, Failure> {
    let (mover, steps) = match text.split_once(':') {
        None => (Mover::Person, text),
        Some((mover, steps)) => match mover.trim() {
            "car" => (Mover::Car, steps),
            "person" => (Mover::Person, steps),
            other => {
                return Err(Failure::Input(format!(
                    "--objective {text}: no mover \"{other}\"; write car: or person: in front of the steps"
                )));
            }
        },
    };
    let steps: Vec<String> = steps.split("->").map(|step| step.trim().to_owned()).collect();
    if steps.len() < 2 || steps.iter().any(String::is_empty) {
        return Err(Failure::Input(format!(
            "--objective {text}: write two to eight steps with -> between them, as in \"P -> key -> door -> E\""
        )));
    }
    Ok(ObjectiveConfig { mover, steps })
}
