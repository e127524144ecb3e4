//! A configuration that has been checked and can run.

use crate::candidates::{MARGIN, beyond_margin};
use crate::pins::Pins;
use crate::table::Table;
use crate::{
    Amount, Area, Config, Feature, FuelMode, MarkConfig, Mover, ObjectiveConfig, Side, Symbol, Zone, features,
};
use std::fmt::Display;
use std::sync::Arc;
use wayforge_core::ConfigError;
use wayforge_core::grid::Size;

/// A checked configuration of levels, cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    config: Config,
    size: Size,
    table: Table,
    chains: Vec<Chain>,
    pins: Pins,
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
            let remedy = "name at least one of top, bottom, left, right";
            return reject("exits", "[]", "a level needs an exit", remedy);
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
        check_marked_pins(&config.marks, &pins)?;
        let empty_cans = if config.fuel == FuelMode::RefuelChain { config.empty_cans } else { 0 };
        let fuel_spots = if config.fuel == FuelMode::StartFull { 0 } else { config.fuel_spots };
        let asked = [config.players, config.cars, empty_cans, fuel_spots, config.flashlights, config.shoes];
        let mut asked = asked.map(|n| n as u32);
        pins.count_into(&mut asked)?;
        let held = |step: Step| match step {
            Step::Mark(mark) => config.marks[mark].count as u32,
            Step::Symbol(Symbol::Exit) => config.exits.len() as u32,
            Step::Symbol(symbol) => asked[candidate_place(symbol)],
        };
        let custom = chains.iter().filter(|chain| chain.purpose == Purpose::Custom);
        for (i, (chain, objective)) in custom.zip(&config.objectives).enumerate() {
            let field = |j: usize| format!("objectives[{i}].steps[{j}]");
            let starts = held(chain.steps[0]);
            if starts > MAX_STARTS {
                let remedy = format!("start from at most {MAX_STARTS}");
                return reject(field(0), &objective.steps[0], format!("{starts} starts"), remedy);
            }
            for (j, (step, name)) in chain.steps.iter().zip(&objective.steps).enumerate() {
                let is_other = |key: &String| key != name;
                let (problem, remedy) = match *step {
                    Step::Symbol(symbol) if held(*step) == 0 => {
                        let problem = format!("the level holds no {symbol} ({})", symbol.meaning());
                        (problem, "ask for one, or pin one")
                    }
                    Step::Mark(mark)
                        if j == 0 && config.marks[mark].locked_until.as_ref().is_some_and(is_other) =>
                    {
                        ("locked, so nothing can start there".to_owned(), "start from another place")
                    }
                    _ => continue,
                };
                return reject(field(j), format!("\"{name}\""), problem, remedy);
            }
        }
        let certain = certain_separation(&config, size, &pins, &asked);
        let longest = i64::from(largest_separation(&config, size, &asked));
        let min_separation = match config.min_separation {
            None => certain.min(DEFAULT_SEPARATION),
            Some(given) if (1..=longest).contains(&given) => given as u16,
            Some(given) => {
                let remedy = format!("use 1 to {longest}; up to {certain} fits every seed");
                return reject("min_separation", given, "out of range", remedy);
            }
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
        !self.config().pins.is_empty()
    }

    pub(crate) fn pins(&self) -> &Pins {
        &self.0.pins
    }

    /// Checks that candidates, marks and features have room, field by field in the order in which they are placed.
    fn check_room(&self) -> Result<(), ConfigError> {
        let (config, size) = (self.config(), self.size());
        let interior = (u32::from(size.width) - 4) * (u32::from(size.height) - 4);
        let mut room = interior - self.pins().fixed_inside();
        // Takes cells and returns the room that is left. Some of it may have to be spared.
        let mut take = |field: &str, value: &dyn Display, count: u32, spared: u32| {
            let fit = room.saturating_sub(spared);
            if count > fit {
                let problem = format!("{count} asked for, {fit} fit");
                return reject(field, value, problem, "ask for less, or for a larger level");
            }
            room -= count;
            Ok(room)
        };
        const FIELDS: [&str; 6] = ["players", "cars", "empty_cans", "fuel_spots", "flashlights", "shoes"];
        let mut floor = 0;
        for (field, candidate) in FIELDS.into_iter().zip(Symbol::CANDIDATES) {
            let asked = self.asked(candidate);
            floor = take(field, &asked, asked - self.pins().count(&[candidate]), 0)?;
        }
        for (i, mark) in config.marks.iter().enumerate() {
            let pinned = mark.cells.iter().filter(|cell| self.pins().contains(**cell)).count() as u32;
            floor = take(&format!("marks[{i}].count"), &mark.count, mark.count as u32 - pinned, 0)?;
        }
        // Pitfalls spare the cells before exits. Those are free unless pins hold them or the margin has no room left.
        let beyond_margin = (u32::from(size.width) - 6) * (u32::from(size.height) - 6);
        let free_fronts = !self.has_pins() && interior - floor <= beyond_margin;
        let fronts = if free_fronts { config.exits.len() as u32 } else { 0 };
        for ((name, feature), symbols) in config.features().into_iter().zip(features::SYMBOLS) {
            let count = feature.amount.of(floor).saturating_sub(self.pins().count(symbols));
            take(name, &feature.amount, count, if name == "pitfalls" { fronts } else { 0 })?;
        }
        Ok(())
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
fn certain_separation(config: &Config, size: Size, pins: &Pins, asked: &[u32; 6]) -> u16 {
    let marked = config.marks.iter().flat_map(|mark| &mark.cells).copied();
    let fixed = pins.iter().map(|(pos, _)| pos).chain(marked.filter(|pos| !pins.contains(*pos)));
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
            let remedy = "make the zones disjoint";
            return reject(format!("{field}[{i}]"), describe(&zone.area()), problem, remedy);
        }
    }
    Ok(())
}

fn check_areas(field: &str, areas: impl Iterator<Item = Area>, size: Size) -> Result<(), ConfigError> {
    const MAX: usize = 256;
    for (i, area) in areas.enumerate() {
        if i >= MAX {
            let value = format!("{} or more zones", i + 1);
            return reject(field, value, "too many", format!("use at most {MAX}"));
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

/// Checks the length of a list.
fn check_length(field: &str, length: usize, most: usize) -> Result<(), ConfigError> {
    if length <= most {
        return Ok(());
    }
    reject(field, format!("{length} {field}"), "too many", format!("use at most {most}"))
}

fn check_marks(marks: &[MarkConfig], size: Size) -> Result<(), ConfigError> {
    check_length("marks", marks.len(), 32)?;
    for (i, mark) in marks.iter().enumerate() {
        let field = |name: &str| format!("marks[{i}].{name}");
        let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'-';
        if !(2..=32).contains(&mark.name.len()) || !mark.name.bytes().all(word) {
            let remedy = "use two to thirty-two letters, digits, _ or -";
            return reject(field("name"), format!("\"{}\"", mark.name), "no name for a mark", remedy);
        }
        if marks[..i].iter().any(|other| other.name == mark.name) {
            let remedy = "give each mark its own name";
            return reject(field("name"), format!("\"{}\"", mark.name), "used twice", remedy);
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
    let chain = |mover, steps: Vec<Step>, purpose| {
        let opens = open_marks(config, &steps)?;
        Ok::<_, ConfigError>(Chain { mover, steps, purpose, opens })
    };
    let symbols = |symbols: &[Symbol]| symbols.iter().copied().map(Step::Symbol).collect();
    let mut chains = Vec::new();
    if !config.endurance {
        chains.push(chain(Mover::Car, symbols(&[Symbol::Car, Symbol::Exit]), Purpose::Car)?);
    }
    let steps: &[Symbol] = match config.fuel {
        FuelMode::FuelCan => &[Symbol::Player, Symbol::Fuel, Symbol::Car],
        FuelMode::RefuelChain => &[Symbol::Player, Symbol::EmptyCan, Symbol::Fuel, Symbol::Car],
        FuelMode::StartFull => &[Symbol::Player, Symbol::Car],
    };
    chains.push(chain(Mover::Person, symbols(steps), Purpose::Humanoid)?);
    if config.endurance {
        let escape = symbols(&[Symbol::Player, Symbol::Exit]);
        chains.push(chain(Mover::Person, escape, Purpose::Humanoid)?);
    }
    check_length("objectives", config.objectives.len(), 16)?;
    for (i, objective) in config.objectives.iter().enumerate() {
        chains.push(chain(objective.mover, custom_steps(config, i, objective)?, Purpose::Custom)?);
    }
    Ok(chains)
}

fn custom_steps(config: &Config, i: usize, objective: &ObjectiveConfig) -> Result<Vec<Step>, ConfigError> {
    let field = format!("objectives[{i}].steps");
    if !(2..=8).contains(&objective.steps.len()) {
        let value = format!("{} steps", objective.steps.len());
        return reject(field, value, "a start and a goal at least", "name 2 to 8 steps");
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
    steps.collect()
}

fn find_step(config: &Config, name: &str) -> Option<Step> {
    if let Some(mark) = config.marks.iter().position(|mark| mark.name == name) {
        return Some(Step::Mark(mark));
    }
    let mut chars = name.chars();
    let symbol = Symbol::from_char(chars.next()?).filter(|_| chars.next().is_none())?;
    (symbol.is_candidate() || symbol == Symbol::Exit).then_some(Step::Symbol(symbol))
}

/// The step from which on each mark's cells are open.
fn open_marks(config: &Config, steps: &[Step]) -> Result<Vec<u32>, ConfigError> {
    let opens = config.marks.iter().enumerate().map(|(i, mark)| {
        let Some(until) = &mark.locked_until else { return Ok(0) };
        let Some(key) = find_step(config, until) else {
            let (field, value) = (format!("marks[{i}].locked_until"), format!("\"{until}\""));
            return reject(field, value, "no such place", "name a symbol of P C e f l s E or a mark");
        };
        let at = steps.iter().position(|step| *step == key);
        Ok(at.map_or(NEVER, |at| at as u32))
    });
    opens.collect()
}
