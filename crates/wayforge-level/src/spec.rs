//! A configuration that has been checked and can run.

use super::amount::Amount;
use super::candidates::{MARGIN, beyond_margin};
use super::config::{Area, Config, Feature, FuelMode, MarkConfig, Mover, ObjectiveConfig, Side, Zone};
use super::features;
use super::pins::Pins;
use super::symbol::Symbol;
use super::table::Table;
use std::fmt::Display;
use std::sync::Arc;
use wayforge_core::ConfigError;
use wayforge_core::grid::{Pos, Size};

/// A checked configuration of levels, cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    config: Config,
    size: Size,
    table: Table,
    chains: Vec<Chain>,
    pins: Option<Pins>,
    asked: [u32; 6],
    min_separation: u16,
    /// The largest separation that every seed has room for.
    certain: u16,
}

/// Places that a mover must be able to reach in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Who moves.
    pub mover: Mover,
    /// From the start to the goal. Every cell of the first step is a start of its own.
    pub steps: Vec<Step>,
    /// Which objective this is.
    pub purpose: Purpose,
    /// For each mark, the step from which on its cells are open.
    pub(crate) opens: Vec<u32>,
}

/// Why a chain must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// The car drives to an exit.
    Car,
    /// The players' objective by fuel mode, or the escape on foot.
    Humanoid,
    /// An objective of the configuration.
    Custom,
}

/// One step of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Any cell of this symbol.
    Symbol(Symbol),
    /// Any cell of this mark, by its place in the configuration.
    Mark(usize),
}

/// The most starts of one chain: each is searched from apart.
pub(super) const MAX_STARTS: u32 = 64;

/// The steps that a cell opens at if no step opens it.
pub(crate) const NEVER: u32 = u32::MAX;

impl Spec {
    pub(super) fn resolve(mut config: Config) -> Result<Spec, ConfigError> {
        let size = Size::new(
            ConfigError::in_range("width", config.width, 9, 1024)? as u16,
            ConfigError::in_range("height", config.height, 7, 1024)? as u16,
        );
        let times = |side: Side| config.exits.iter().filter(|exit| **exit == side).count();
        if let Some(twice) = Side::ALL.into_iter().find(|side| times(*side) > 1) {
            let value = format!("{twice:?}").to_lowercase();
            return reject("exits", value, "named twice", "name each side at most once");
        }
        let exits = Side::ALL.into_iter().filter(|side| times(*side) == 1).collect();
        config.exits = exits;
        if config.exits.is_empty() {
            return reject(
                "exits",
                "[]",
                "a level needs an exit",
                "name at least one of top, bottom, left, right",
            );
        }
        for (field, value, least, most) in [
            ("players", config.players, 1, MAX_STARTS.into()),
            ("cars", config.cars, 1, MAX_STARTS.into()),
            ("empty_cans", config.empty_cans, 1, 4096),
            ("fuel_spots", config.fuel_spots, 1, 4096),
            ("flashlights", config.flashlights, 0, 4096),
            ("shoes", config.shoes, 0, 4096),
            ("attempts", config.attempts, 1, 1000),
        ] {
            ConfigError::in_range(field, value, least, most)?;
        }
        config.blocked.car = check_blocked("blocked.car", &config.blocked.car)?;
        config.blocked.person = check_blocked("blocked.person", &config.blocked.person)?;
        for (name, feature) in config.features() {
            check_feature(name, feature, size)?;
        }
        check_areas("fall_spawn_zones", config.fall_spawn_zones.iter().copied(), size)?;
        check_marks(&config.marks, size)?;
        let chains = chains(&config)?;
        let interior_walls = config.interior_walls.unwrap_or(config.walls.default_interior_walls());
        config.interior_walls = Some(interior_walls);
        let table = Table::new(interior_walls, &config.blocked.car, &config.blocked.person);
        let pins = Pins::read(&config, size)?;
        if let Some(pins) = &pins {
            check_marked_pins(&config.marks, pins)?;
        }
        let mut asked =
            [config.players, config.cars, 0, 0, config.flashlights, config.shoes].map(|n| n as u32);
        if config.fuel == FuelMode::RefuelChain {
            asked[2] = config.empty_cans as u32;
        }
        if config.fuel != FuelMode::StartFull {
            asked[3] = config.fuel_spots as u32;
        }
        if let Some(pins) = &pins {
            pins.count_into(&mut asked)?;
        }
        for (i, objective) in config.objectives.iter().enumerate() {
            let starts = match find_step(&config, &objective.steps[0]) {
                Some(Step::Mark(mark)) => config.marks[mark].count as u32,
                Some(Step::Symbol(Symbol::Exit)) => config.exits.len() as u32,
                Some(Step::Symbol(symbol)) => asked[candidate_place(symbol)],
                None => 0,
            };
            if starts > MAX_STARTS {
                let (field, value) = (format!("objectives[{i}].steps[0]"), &objective.steps[0]);
                let remedy = format!("start from at most {MAX_STARTS}");
                return reject(field, value, format!("{starts} starts"), remedy);
            }
            for (j, name) in objective.steps.iter().enumerate() {
                let (field, value) = (format!("objectives[{i}].steps[{j}]"), format!("\"{name}\""));
                match find_step(&config, name) {
                    Some(Step::Symbol(symbol))
                        if symbol.is_candidate() && asked[candidate_place(symbol)] == 0 =>
                    {
                        let problem = format!("the level holds no {symbol} ({})", symbol.meaning());
                        return reject(field, value, problem, "ask for one, or pin one");
                    }
                    Some(Step::Mark(mark))
                        if j == 0
                            && config.marks[mark].locked_until.as_ref().is_some_and(|key| key != name) =>
                    {
                        let problem = "locked, so nothing can start there";
                        return reject(field, value, problem, "start from another place");
                    }
                    _ => {}
                }
            }
        }
        let certain = certain_separation(&config, size, pins.as_ref(), &asked);
        let min_separation = match config.min_separation {
            Some(given) => {
                let longest = i64::from(largest_separation(&config, size, &asked));
                if !(1..=longest).contains(&given) {
                    let remedy = format!("use 1 to {longest}; up to {certain} fits every seed");
                    return reject("min_separation", given, "out of range", remedy);
                }
                given as u16
            }
            None => certain.min(DEFAULT_SEPARATION),
        };
        let spec =
            Spec(Arc::new(Inner { config, size, table, chains, pins, asked, min_separation, certain }));
        spec.check_room()?;
        Ok(spec)
    }

    /// The algorithm's name.
    pub fn algorithm(&self) -> &'static str {
        crate::ALGORITHM
    }

    /// The configuration, every default written out.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The grid's size.
    pub fn size(&self) -> Size {
        self.0.size
    }

    /// True if the mover can enter a cell of this symbol. Nobody enters a reinforced wall.
    ///
    /// ```
    /// use wayforge_level::{self as level, InteriorWalls, Mover, Symbol};
    /// let config = level::Config { interior_walls: Some(InteriorWalls::Solid), ..level::Config::default() };
    /// let solid = config.resolve()?;
    /// assert!(!solid.enters(Mover::Person, Symbol::Wall));
    /// assert!(solid.enters(Mover::Person, Symbol::Plant));
    /// assert!(!solid.enters(Mover::Car, Symbol::Pitfall));
    /// # Ok::<(), wayforge_core::ConfigError>(())
    /// ```
    pub fn enters(&self, mover: Mover, symbol: Symbol) -> bool {
        self.table().flags(symbol) & mover.bit() != 0
    }

    pub(crate) fn table(&self) -> &Table {
        &self.0.table
    }

    /// What movers must be able to reach, in order.
    pub fn chains(&self) -> &[Chain] {
        &self.0.chains
    }

    /// The name of a step: a symbol or a mark.
    pub fn step_name(&self, step: Step) -> String {
        match step {
            Step::Symbol(symbol) => symbol.to_string(),
            Step::Mark(mark) => self.config().marks[mark].name.clone(),
        }
    }

    /// How many candidates of a symbol a level holds.
    pub fn asked(&self, candidate: Symbol) -> u32 {
        if candidate.is_candidate() { self.0.asked[candidate_place(candidate)] } else { 0 }
    }

    /// The fewest steps between player, car, empty-can and fuel candidates of different symbols, unless both are pinned.
    ///
    /// ```
    /// use wayforge_level as level;
    /// let separation = |width, height| {
    ///     level::Config { width, height, ..level::Config::default() }.resolve().map(|spec| spec.min_separation())
    /// };
    /// assert_eq!((separation(48, 30)?, separation(20, 20)?, separation(9, 7)?), (8, 5, 1));
    /// # Ok::<(), wayforge_core::ConfigError>(())
    /// ```
    pub fn min_separation(&self) -> u16 {
        self.0.min_separation
    }

    /// The largest separation that every seed has room for.
    pub(super) fn certain_separation(&self) -> u16 {
        self.0.certain
    }

    /// True if the configuration fixes cells.
    pub fn has_pins(&self) -> bool {
        self.0.pins.is_some()
    }

    pub(crate) fn pins(&self) -> Option<&Pins> {
        self.0.pins.as_ref()
    }

    /// Checks that candidates, marks and features have room, field by field in the order in which they are placed.
    fn check_room(&self) -> Result<(), ConfigError> {
        let (config, size) = (self.config(), self.size());
        let interior = (u32::from(size.width) - 4) * (u32::from(size.height) - 4);
        let mut room = interior - self.pins().map_or(0, Pins::fixed_inside);
        let mut take = |field: String, value: String, count: u32| match room.checked_sub(count) {
            Some(rest) => {
                room = rest;
                Ok(())
            }
            None => {
                let problem = format!("{count} asked for, {room} fit");
                Err(ConfigError::new(field, value, problem, "ask for less, or for a larger level"))
            }
        };
        const FIELDS: [&str; 6] = ["players", "cars", "empty_cans", "fuel_spots", "flashlights", "shoes"];
        for (field, candidate) in FIELDS.into_iter().zip(Symbol::CANDIDATES) {
            let pinned = self.pins().map_or(0, |pins| pins.count(candidate));
            let asked = self.asked(candidate);
            take(field.into(), asked.to_string(), asked - pinned)?;
        }
        for (i, mark) in config.marks.iter().enumerate() {
            let pinned = |pins: &Pins| mark.cells.iter().filter(|cell| pins.contains(**cell)).count() as u32;
            let count = mark.count as u32 - self.pins().map_or(0, pinned);
            take(format!("marks[{i}].count"), mark.count.to_string(), count)?;
        }
        let floor = room;
        // Pitfalls spare the cells before exits. Those are free unless pins hold them or the margin has no room left.
        let beyond_margin = (u32::from(size.width) - 6) * (u32::from(size.height) - 6);
        let free_fronts = self.pins().is_none() && interior - floor <= beyond_margin;
        let spared = if free_fronts { config.exits.len() as u32 } else { 0 };
        let mut take = |field: &str, amount: Amount, symbols: &[Symbol]| {
            let pinned = self.pins().map_or(0, |pins| pins.count_all(symbols));
            let count = amount.of(floor).saturating_sub(pinned);
            let fit = if field == "pitfalls" { room.saturating_sub(spared) } else { room };
            if count > fit {
                let problem = format!("{count} asked for, {fit} fit");
                return reject(field, amount, problem, "ask for less, or for a larger level");
            }
            room -= count;
            Ok(())
        };
        let mut features = config.features().into_iter().zip(features::SYMBOLS);
        features.try_for_each(|((name, feature), symbols)| take(name, feature.amount, symbols))
    }
}

/// Rejects the `value` of a field.
pub(super) fn reject<T>(
    field: impl Into<String>,
    value: impl Display,
    problem: impl Into<String>,
    remedy: impl Into<String>,
) -> Result<T, ConfigError> {
    Err(ConfigError::new(field, value, problem, remedy))
}

/// The separation of a level whose configuration does not name one, if the level is large enough.
const DEFAULT_SEPARATION: u16 = 8;

/// The largest distance at which candidates are certain to fit beyond the margin, in any order of placing them: each of them
/// forbids at most `(2d - 1)^2` cells to a candidate of another symbol.
fn certain_separation(config: &Config, size: Size, pins: Option<&Pins>, asked: &[u32; 6]) -> u16 {
    let is_fixed = |pos: &Pos| pins.is_some_and(|pins| pins.contains(*pos));
    let marked = config.marks.iter().flat_map(|mark| &mark.cells);
    let fixed = pins.into_iter().flat_map(Pins::iter).map(|(pos, _)| pos);
    let fixed = fixed.chain(marked.copied().filter(|pos| !is_fixed(pos)));
    let taken = fixed.filter(|pos| beyond_margin(*pos, size)).count() as u32;
    let room = u32::from(size.width - 2 * MARGIN) * u32::from(size.height - 2 * MARGIN) - taken;
    let others = u64::from(asked[..4].iter().sum::<u32>() - 1);
    let fits = |d: &u16| others * (2 * u64::from(*d) - 1).pow(2) < room.into();
    (2..=largest_separation(config, size, asked)).take_while(fits).last().unwrap_or(1)
}

/// The largest distance at which candidates can fit at all, for some seed.
///
/// Two symbols fit at the ends of the long side. More than two fit in a line along it, or at the corners. Pins and marks may
/// move candidates out of the margin, so with them only the long side of the interior is a bound.
fn largest_separation(config: &Config, size: Size, asked: &[u32; 6]) -> u16 {
    let (long, short) = (size.width.max(size.height), size.width.min(size.height));
    let [long_steps, short_steps] = [long, short].map(|side| side - 2 * MARGIN - 1);
    let room = u32::from(long - 2 * MARGIN) * u32::from(short - 2 * MARGIN);
    let fixed = !config.pins.is_empty() || config.marks.iter().any(|mark| !mark.cells.is_empty());
    if fixed || asked.iter().sum::<u32>() > room {
        return long - 5;
    }
    match asked[..4].iter().filter(|count| **count > 0).count() {
        0..=2 => long_steps,
        symbols => short_steps.max(long_steps / (symbols as u16 - 1)).max(1),
    }
}

/// The place of a candidate in the order in which they are reserved.
fn candidate_place(candidate: Symbol) -> usize {
    Symbol::CANDIDATES.iter().position(|&symbol| symbol == candidate).unwrap_or(0)
}

impl Config {
    /// The features in the order in which they are placed.
    #[doc(hidden)]
    pub fn features(&self) -> [(&'static str, &Feature); 4] {
        [
            ("pitfalls", &self.pitfalls),
            ("plants", &self.plants),
            ("puddles", &self.puddles),
            ("moving_floors", &self.moving_floors),
        ]
    }
}

impl Side {
    /// All sides, in the order in which exits are drawn.
    pub const ALL: [Side; 4] = [Side::Top, Side::Bottom, Side::Left, Side::Right];
}

impl Zone {
    /// The zone's rectangle.
    pub fn area(&self) -> Area {
        Area { x: self.x, y: self.y, width: self.width, height: self.height }
    }
}

impl Area {
    pub(crate) fn overlaps(&self, other: &Area) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// Blocked symbols in the order of the legend, each once.
fn check_blocked(field: &str, text: &str) -> Result<String, ConfigError> {
    const MAY: &str = "OBxhw^v<>";
    let remedy =
        "name O, B and any of x h w ^ v < >; interior walls are blocked by interior_walls = \"solid\"";
    if let Some(other) = text.chars().find(|c| !MAY.contains(*c)) {
        return reject(field, format!("\"{text}\""), format!("'{other}' cannot be blocked"), remedy);
    }
    if !text.contains('O') || !text.contains('B') {
        let problem = "the outside and the outer wall are no ground to walk on";
        return reject(field, format!("\"{text}\""), problem, remedy);
    }
    Ok(MAY.chars().filter(|c| text.contains(*c)).collect())
}

fn check_feature(name: &str, feature: &Feature, size: Size) -> Result<(), ConfigError> {
    let field = format!("{name}.zones");
    check_areas(&field, feature.zones.iter().map(Zone::area), size)?;
    for (i, zone) in feature.zones.iter().enumerate() {
        let cells = zone.width * zone.height;
        if let Amount::Count(count) = zone.amount
            && i64::from(count) > cells
        {
            let (field, problem) =
                (format!("{field}[{i}].amount"), format!("{count} asked for, {cells} fit"));
            return reject(field, count, problem, "ask for less, or for a larger zone");
        }
        if let Some(moves) = zone.moves
            && name != "moving_floors"
        {
            let field = format!("{field}[{i}].moves");
            return reject(field, moves.symbol(), "only moving floors have a direction", "leave it out");
        }
        if let Some(j) = feature.zones[..i].iter().position(|other| other.area().overlaps(&zone.area())) {
            let problem = format!("overlaps {field}[{j}]");
            return reject(
                format!("{field}[{i}]"),
                describe(&zone.area()),
                problem,
                "make the zones disjoint",
            );
        }
    }
    Ok(())
}

fn check_areas(field: &str, areas: impl Iterator<Item = Area>, size: Size) -> Result<(), ConfigError> {
    const MAX: usize = 256;
    for (i, area) in areas.enumerate() {
        if i >= MAX {
            return reject(
                field,
                format!("{} or more zones", i + 1),
                "too many",
                format!("use at most {MAX}"),
            );
        }
        let inside = |start: i64, length: i64, side: u16| {
            (2..i64::from(side) - 2).contains(&start) && length >= 1 && length <= i64::from(side) - 2 - start
        };
        if !inside(area.x, area.width, size.width) || !inside(area.y, area.height, size.height) {
            let problem = "not inside the outer wall";
            let remedy = format!("use columns 2 to {} and rows 2 to {}", size.width - 3, size.height - 3);
            return reject(format!("{field}[{i}]"), describe(&area), problem, remedy);
        }
    }
    Ok(())
}

fn describe(area: &Area) -> String {
    format!("{} x {} at {},{}", area.width, area.height, area.x, area.y)
}

fn check_marks(marks: &[MarkConfig], size: Size) -> Result<(), ConfigError> {
    if marks.len() > 32 {
        return reject("marks", format!("{} marks", marks.len()), "too many", "use at most 32");
    }
    for (i, mark) in marks.iter().enumerate() {
        let field = |name: &str| format!("marks[{i}].{name}");
        let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'-';
        if !(2..=32).contains(&mark.name.len()) || !mark.name.bytes().all(word) {
            let remedy = "use two to thirty-two letters, digits, _ or -";
            return reject(field("name"), format!("\"{}\"", mark.name), "no name for a mark", remedy);
        }
        if marks[..i].iter().any(|other| other.name == mark.name) {
            return reject(
                field("name"),
                format!("\"{}\"", mark.name),
                "used twice",
                "give each mark its own name",
            );
        }
        ConfigError::in_range(field("count"), mark.count, 1, 4096)?;
        if mark.cells.len() as i64 > mark.count {
            let problem = format!("{} cells, but count is {}", mark.cells.len(), mark.count);
            return reject(field("cells"), mark.cells.len(), problem, "raise count or name fewer cells");
        }
        for (j, cell) in mark.cells.iter().enumerate() {
            let inside = (2..size.width - 2).contains(&cell.x) && (2..size.height - 2).contains(&cell.y);
            let taken =
                marks[..i].iter().any(|other| other.cells.contains(cell)) || mark.cells[..j].contains(cell);
            if !inside || taken {
                let problem = if inside { "marked twice" } else { "not inside the outer wall" };
                let remedy =
                    format!("use cells from 2,2 to {},{}, each once", size.width - 3, size.height - 3);
                return reject(format!("{}[{j}]", field("cells")), cell, problem, remedy);
            }
        }
    }
    Ok(())
}

/// Marks lie on plain floor.
fn check_marked_pins(marks: &[MarkConfig], pins: &Pins) -> Result<(), ConfigError> {
    for (i, mark) in marks.iter().enumerate() {
        for (j, cell) in mark.cells.iter().enumerate() {
            if let Some((_, symbol)) =
                pins.iter().find(|(pos, symbol)| pos == cell && *symbol != Symbol::Floor)
            {
                let problem = format!("pinned to {symbol}, and marks lie on plain floor");
                let remedy = "mark another cell, or pin it to .";
                return reject(format!("marks[{i}].cells[{j}]"), cell, problem, remedy);
            }
        }
    }
    Ok(())
}

/// The chains of the document, then those of the configuration.
fn chains(config: &Config) -> Result<Vec<Chain>, ConfigError> {
    let chain = |mover, steps: &[Symbol], purpose| {
        let steps = steps.iter().copied().map(Step::Symbol).collect();
        open_marks(config, Chain { mover, steps, purpose, opens: Vec::new() })
    };
    let mut chains = Vec::new();
    if !config.endurance {
        chains.push(chain(Mover::Car, &[Symbol::Car, Symbol::Exit], Purpose::Car)?);
    }
    let steps: &[Symbol] = match config.fuel {
        FuelMode::FuelCan => &[Symbol::Player, Symbol::Fuel, Symbol::Car],
        FuelMode::RefuelChain => &[Symbol::Player, Symbol::EmptyCan, Symbol::Fuel, Symbol::Car],
        FuelMode::StartFull => &[Symbol::Player, Symbol::Car],
    };
    chains.push(chain(Mover::Person, steps, Purpose::Humanoid)?);
    if config.endurance {
        chains.push(chain(Mover::Person, &[Symbol::Player, Symbol::Exit], Purpose::Humanoid)?);
    }
    if config.objectives.len() > 16 {
        return reject(
            "objectives",
            format!("{} objectives", config.objectives.len()),
            "too many",
            "use at most 16",
        );
    }
    for (i, objective) in config.objectives.iter().enumerate() {
        chains.push(open_marks(config, custom(config, i, objective)?)?);
    }
    Ok(chains)
}

fn custom(config: &Config, i: usize, objective: &ObjectiveConfig) -> Result<Chain, ConfigError> {
    let field = format!("objectives[{i}].steps");
    if !(2..=8).contains(&objective.steps.len()) {
        return reject(
            field,
            format!("{} steps", objective.steps.len()),
            "a start and a goal at least",
            "name 2 to 8 steps",
        );
    }
    let steps = objective.steps.iter().enumerate().map(|(j, name)| {
        find_step(config, name).ok_or_else(|| {
            let marks: Vec<&str> = config.marks.iter().map(|mark| mark.name.as_str()).collect();
            let known = match marks.is_empty() {
                true => "name a symbol of P C e f l s E, or define a mark of this name".to_owned(),
                false => format!("name a symbol of P C e f l s E, or a mark of {}", marks.join(", ")),
            };
            ConfigError::new(format!("{field}[{j}]"), format!("\"{name}\""), "no such place", known)
        })
    });
    let steps = steps.collect::<Result<Vec<Step>, ConfigError>>()?;
    Ok(Chain { mover: objective.mover, steps, purpose: Purpose::Custom, opens: Vec::new() })
}

fn find_step(config: &Config, name: &str) -> Option<Step> {
    if let Some(mark) = config.marks.iter().position(|mark| mark.name == name) {
        return Some(Step::Mark(mark));
    }
    let mut chars = name.chars();
    let symbol = Symbol::from_char(chars.next()?).filter(|_| chars.next().is_none())?;
    (symbol.is_candidate() || symbol == Symbol::Exit).then_some(Step::Symbol(symbol))
}

/// Finds the step from which on each mark's cells are open.
fn open_marks(config: &Config, mut chain: Chain) -> Result<Chain, ConfigError> {
    let opens = config.marks.iter().enumerate().map(|(i, mark)| {
        let Some(until) = &mark.locked_until else { return Ok(0) };
        let Some(key) = find_step(config, until) else {
            let field = format!("marks[{i}].locked_until");
            return reject(
                field,
                format!("\"{until}\""),
                "no such place",
                "name a symbol of P C e f l s E or a mark",
            );
        };
        let at = chain.steps.iter().position(|step| *step == key);
        Ok(at.map_or(NEVER, |at| at as u32))
    });
    chain.opens = opens.collect::<Result<Vec<u32>, ConfigError>>()?;
    Ok(chain)
}
