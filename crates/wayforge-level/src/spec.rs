//! Validated configuration of levels.

use crate::candidates::{MARGIN, has_margin};
use crate::movement::MovementTable;
use crate::pins::Pins;
use crate::{
    Amount, Area, Config, Feature, FuelMode, MarkConfig, Mover, ObjectiveConfig, Side, Symbol,
    Zone, features,
};
use std::fmt::Display;
use std::sync::Arc;
use wayforge_core::ConfigError;
use wayforge_core::grid::Size;

/// A validated configuration of levels. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    config: Config,
    size: Size,
    table: MovementTable,
    chains: Vec<Chain>,
    pins: Pins,
    /// Number of candidates of each symbol, in the order of [`Symbol::CANDIDATES`].
    candidate_counts: [u32; 6],
    min_separation: u16,
    /// The largest separation that fits every seed.
    guaranteed_separation: u16,
}

/// A chain: steps that a mover must be able to reach in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The mover.
    pub mover: Mover,
    /// Steps from the start to the goal. Every cell of the first step is a separate start.
    pub steps: Vec<Step>,
    /// Origin of the chain.
    pub purpose: Purpose,
    /// For each mark, the index of the step that unlocks its cells; 0 if never locked.
    pub(crate) unlocked_at: Vec<u32>,
}

/// Origin of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// The car drives to an exit.
    Car,
    /// The players' objective of the fuel mode, or the escape on foot.
    Humanoid,
    /// A custom objective of the configuration.
    Custom,
}

/// One step of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Any cell with this symbol.
    Symbol(Symbol),
    /// Any cell with this mark, by its index in the configuration.
    Mark(usize),
}

/// Maximum number of starts of a chain. Each needs its own search.
pub(super) const MAX_STARTS: u32 = 64;

/// Value of [`Chain::unlocked_at`] for marks that no step unlocks.
pub(crate) const NEVER: u32 = u32::MAX;

impl Spec {
    /// Validates a configuration.
    ///
    /// # Errors
    /// [`ConfigError`] with the first invalid field and a remedy.
    pub(super) fn resolve(mut config: Config) -> Result<Spec, ConfigError> {
        let size = Size::new(
            ConfigError::in_range("width", config.width, 9, 1024)? as u16,
            ConfigError::in_range("height", config.height, 7, 1024)? as u16,
        );
        let times = |side: Side| config.exits.iter().filter(|exit| **exit == side).count();
        if let Some(twice) = Side::ALL.into_iter().find(|side| times(*side) > 1) {
            let value = format!("{twice:?}").to_lowercase();
            return reject("exits", value, "listed twice", "list each side at most once");
        }
        let exits = Side::ALL.into_iter().filter(|side| times(*side) == 1).collect();
        config.exits = exits;
        if config.exits.is_empty() {
            let remedy = "list at least one of top, bottom, left, right";
            return reject("exits", "[]", "a level needs an exit", remedy);
        }
        for (field, value, min, max) in [
            ("players", config.players, 1, MAX_STARTS.into()),
            ("cars", config.cars, 1, MAX_STARTS.into()),
            ("empty_cans", config.empty_cans, 1, 4096),
            ("fuel_spots", config.fuel_spots, 1, 4096),
            ("flashlights", config.flashlights, 0, 4096),
            ("shoes", config.shoes, 0, 4096),
            ("attempts", config.attempts, 1, 1000),
        ] {
            ConfigError::in_range(field, value, min, max)?;
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
        let table = MovementTable::new(interior_walls, &config.blocked.car, &config.blocked.person);
        let pins = Pins::read(&config, size)?;
        check_marked_pins(&config.marks, &pins)?;
        let empty_cans = if config.fuel == FuelMode::RefuelChain { config.empty_cans } else { 0 };
        let fuel_spots = if config.fuel == FuelMode::StartFull { 0 } else { config.fuel_spots };
        let candidate_counts =
            [config.players, config.cars, empty_cans, fuel_spots, config.flashlights, config.shoes];
        let mut candidate_counts = candidate_counts.map(|n| n as u32);
        pins.raise_counts(&mut candidate_counts)?;
        let count_of = |step: Step| match step {
            Step::Mark(mark) => config.marks[mark].count as u32,
            Step::Symbol(Symbol::Exit) => config.exits.len() as u32,
            Step::Symbol(symbol) => candidate_counts[candidate_index(symbol)],
        };
        let custom = chains.iter().filter(|chain| chain.purpose == Purpose::Custom);
        for (i, (chain, objective)) in custom.zip(&config.objectives).enumerate() {
            let field = |j: usize| format!("objectives[{i}].steps[{j}]");
            let starts = count_of(chain.steps[0]);
            if starts > MAX_STARTS {
                let remedy = format!("start from at most {MAX_STARTS}");
                return reject(field(0), &objective.steps[0], format!("{starts} starts"), remedy);
            }
            for (j, (step, name)) in chain.steps.iter().zip(&objective.steps).enumerate() {
                let is_other = |key: &String| key != name;
                let (problem, remedy) = match *step {
                    Step::Symbol(symbol) if count_of(*step) == 0 => {
                        let problem =
                            format!("the level contains no {symbol} ({})", symbol.meaning());
                        (problem, "request one, or pin one")
                    }
                    Step::Mark(mark)
                        if j == 0
                            && config.marks[mark].locked_until.as_ref().is_some_and(is_other) =>
                    {
                        ("a locked mark cannot be a start".to_owned(), "use another first step")
                    }
                    _ => continue,
                };
                return reject(field(j), format!("\"{name}\""), problem, remedy);
            }
        }
        let guaranteed_separation = guaranteed_separation(&config, size, &pins, &candidate_counts);
        let largest = i64::from(largest_separation(&config, size, &candidate_counts));
        let min_separation = match config.min_separation {
            None => guaranteed_separation.min(DEFAULT_SEPARATION),
            Some(given) if (1..=largest).contains(&given) => given as u16,
            Some(given) => {
                let remedy = format!(
                    "use 1 to {largest}; values up to {guaranteed_separation} work for every seed"
                );
                return reject("min_separation", given, "out of range", remedy);
            }
        };
        let spec = Spec(Arc::new(Inner {
            config,
            size,
            table,
            chains,
            pins,
            candidate_counts,
            min_separation,
            guaranteed_separation,
        }));
        spec.check_space()?;
        Ok(spec)
    }

    /// Returns the name of the algorithm in documents.
    pub fn algorithm(&self) -> &'static str {
        crate::ALGORITHM
    }

    /// Returns the configuration with all defaults filled in.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Returns the size of the grid.
    pub fn size(&self) -> Size {
        self.0.size
    }

    /// Returns true if the mover can enter a cell with this symbol. Reinforced walls are always
    /// closed.
    ///
    /// # Examples
    /// ```
    /// use wayforge_level::{self as level, InteriorWalls, Mover, Symbol};
    /// let interior_walls = Some(InteriorWalls::Solid);
    /// let solid = level::Config { interior_walls, ..level::Config::default() }.resolve()?;
    /// assert!(!solid.can_enter(Mover::Person, Symbol::Wall));
    /// assert!(solid.can_enter(Mover::Person, Symbol::Plant));
    /// assert!(!solid.can_enter(Mover::Car, Symbol::Pitfall));
    /// # Ok::<(), wayforge_core::ConfigError>(())
    /// ```
    pub fn can_enter(&self, mover: Mover, symbol: Symbol) -> bool {
        self.table().flags(symbol) & mover.bit() != 0
    }

    pub(crate) fn table(&self) -> &MovementTable {
        &self.0.table
    }

    /// Returns the chains of steps that movers must be able to reach.
    pub fn chains(&self) -> &[Chain] {
        &self.0.chains
    }

    /// Returns the name of a step: a symbol or a mark.
    pub fn step_name(&self, step: Step) -> String {
        match step {
            Step::Symbol(symbol) => symbol.to_string(),
            Step::Mark(mark) => self.config().marks[mark].name.clone(),
        }
    }

    /// Returns the number of candidates of a symbol in each level; 0 for other symbols.
    pub fn candidate_count(&self, candidate: Symbol) -> u32 {
        if candidate.is_candidate() {
            self.0.candidate_counts[candidate_index(candidate)]
        } else {
            0
        }
    }

    /// Returns the minimum Chebyshev distance between player, car, empty-can and fuel candidates of
    /// different symbols, unless both are pinned.
    ///
    /// # Examples
    /// ```
    /// use wayforge_level as level;
    /// let separation = |width, height| {
    ///     let spec = level::Config { width, height, ..level::Config::default() }.resolve();
    ///     spec.map(|spec| spec.min_separation())
    /// };
    /// assert_eq!((separation(48, 30)?, separation(20, 20)?, separation(9, 7)?), (8, 5, 1));
    /// # Ok::<(), wayforge_core::ConfigError>(())
    /// ```
    pub fn min_separation(&self) -> u16 {
        self.0.min_separation
    }

    /// Returns the largest separation that fits every seed.
    pub(super) fn guaranteed_separation(&self) -> u16 {
        self.0.guaranteed_separation
    }

    /// Returns true if the configuration pins cells.
    pub fn has_pins(&self) -> bool {
        !self.config().pins.is_empty()
    }

    pub(crate) fn pins(&self) -> &Pins {
        &self.0.pins
    }

    /// Checks that candidates, marks and features fit, in the order of their placement.
    fn check_space(&self) -> Result<(), ConfigError> {
        let (config, size) = (self.config(), self.size());
        let interior = (u32::from(size.width) - 4) * (u32::from(size.height) - 4);
        let mut space = interior - self.pins().count_inside();
        // Takes cells and returns the remaining number. `excluded` cells are not available.
        let mut take = |field: &str, value: &dyn Display, count: u32, excluded: u32| {
            let fit = space.saturating_sub(excluded);
            if count > fit {
                let problem = format!("{count} requested, {fit} fit");
                return reject(field, value, problem, "request fewer, or use a larger level");
            }
            space -= count;
            Ok(space)
        };
        const FIELDS: [&str; 6] =
            ["players", "cars", "empty_cans", "fuel_spots", "flashlights", "shoes"];
        let mut floor = 0;
        for (field, candidate) in FIELDS.into_iter().zip(Symbol::CANDIDATES) {
            let count = self.candidate_count(candidate);
            floor = take(field, &count, count - self.pins().count(&[candidate]), 0)?;
        }
        for (i, mark) in config.marks.iter().enumerate() {
            let pinned =
                mark.cells.iter().filter(|cell| self.pins().contains(**cell)).count() as u32;
            floor = take(&format!("marks[{i}].count"), &mark.count, mark.count as u32 - pinned, 0)?;
        }
        // Pitfalls exclude the cells next to exits. Those are free unless they are pinned or
        // candidates had to be placed outside the margin.
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

/// Returns the error of an invalid field.
pub(super) fn reject<T>(
    field: impl Into<String>,
    value: impl Display,
    problem: impl Into<String>,
    remedy: impl Into<String>,
) -> Result<T, ConfigError> {
    Err(ConfigError::new(field, value, problem, remedy))
}

/// Default separation, if the level is large enough.
const DEFAULT_SEPARATION: u16 = 8;

/// Returns the largest separation `d` for which candidates fit within the margin for every seed:
/// each candidate excludes at most `(2d - 1)^2` cells for candidates of other symbols.
fn guaranteed_separation(
    config: &Config,
    size: Size,
    pins: &Pins,
    candidate_counts: &[u32; 6],
) -> u16 {
    let marked = config.marks.iter().flat_map(|mark| &mark.cells).copied();
    let fixed = pins.iter().map(|(pos, _)| pos).chain(marked.filter(|pos| !pins.contains(*pos)));
    let taken = fixed.filter(|pos| has_margin(*pos, size)).count() as u32;
    let space = u32::from(size.width - 2 * MARGIN) * u32::from(size.height - 2 * MARGIN) - taken;
    let others = u64::from(candidate_counts[..4].iter().sum::<u32>() - 1);
    let fits = |d: &u16| others * (2 * u64::from(*d) - 1).pow(2) < space.into();
    (2..=largest_separation(config, size, candidate_counts)).take_while(fits).last().unwrap_or(1)
}

/// Returns an upper bound on the separation that fits for some seed.
///
/// Two symbols fit at the ends of the long side; more fit in a line along it, or at the corners.
/// Pins and marks may move candidates outside the margin, so with them the bound is the long side
/// of the interior.
fn largest_separation(config: &Config, size: Size, candidate_counts: &[u32; 6]) -> u16 {
    let (long, short) = (size.width.max(size.height), size.width.min(size.height));
    let [long_steps, short_steps] = [long, short].map(|side| side - 2 * MARGIN - 1);
    let space = u32::from(long - 2 * MARGIN) * u32::from(short - 2 * MARGIN);
    let fixed = !config.pins.is_empty() || config.marks.iter().any(|mark| !mark.cells.is_empty());
    if fixed || candidate_counts.iter().sum::<u32>() > space {
        return long - 5;
    }
    match candidate_counts[..4].iter().filter(|count| **count > 0).count() {
        0..=2 => long_steps,
        symbols => short_steps.max(long_steps / (symbols as u16 - 1)).max(1),
    }
}

/// Returns the index of a candidate in [`Symbol::CANDIDATES`].
fn candidate_index(candidate: Symbol) -> usize {
    Symbol::CANDIDATES.iter().position(|&symbol| symbol == candidate).unwrap_or(0)
}

impl Config {
    /// Returns the features in the order of their placement.
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
    /// All sides, in the order in which exits are placed.
    pub const ALL: [Side; 4] = [Side::Top, Side::Bottom, Side::Left, Side::Right];
}

impl Zone {
    /// Returns the rectangle of the zone.
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

/// Returns the blocked symbols in the order of the legend, without repeats.
fn check_blocked(field: &str, text: &str) -> Result<String, ConfigError> {
    const ALLOWED: &str = "OBxhw^v<>";
    let remedy = "use O, B and any of x h w ^ v < >; set interior_walls = \"solid\" to block \
                  interior walls";
    if let Some(other) = text.chars().find(|c| !ALLOWED.contains(*c)) {
        return reject(
            field,
            format!("\"{text}\""),
            format!("'{other}' cannot be blocked"),
            remedy,
        );
    }
    if !text.contains('O') || !text.contains('B') {
        let problem = "O (outside) and B (outer wall) must be blocked";
        return reject(field, format!("\"{text}\""), problem, remedy);
    }
    Ok(ALLOWED.chars().filter(|c| text.contains(*c)).collect())
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
                (format!("{field}[{i}].amount"), format!("{count} requested, {cells} fit"));
            return reject(field, count, problem, "request fewer, or use a larger zone");
        }
        if let Some(moves) = zone.moves
            && name != "moving_floors"
        {
            let field = format!("{field}[{i}].moves");
            return reject(
                field,
                moves.symbol(),
                "only moving floors have a direction",
                "remove it",
            );
        }
        if let Some(j) =
            feature.zones[..i].iter().position(|other| other.area().overlaps(&zone.area()))
        {
            let problem = format!("overlaps {field}[{j}]");
            let remedy = "make the zones disjoint";
            return reject(format!("{field}[{i}]"), describe(&zone.area()), problem, remedy);
        }
    }
    Ok(())
}

fn check_areas(
    field: &str,
    areas: impl Iterator<Item = Area>,
    size: Size,
) -> Result<(), ConfigError> {
    const MAX: usize = 256;
    for (i, area) in areas.enumerate() {
        if i >= MAX {
            let value = format!("{} or more zones", i + 1);
            return reject(field, value, "too many", format!("use at most {MAX}"));
        }
        let inside = |start: i64, length: i64, side: u16| {
            (2..i64::from(side) - 2).contains(&start)
                && length >= 1
                && length <= i64::from(side) - 2 - start
        };
        if !inside(area.x, area.width, size.width) || !inside(area.y, area.height, size.height) {
            let problem = "not inside the outer wall";
            let remedy =
                format!("use columns 2 to {} and rows 2 to {}", size.width - 3, size.height - 3);
            return reject(format!("{field}[{i}]"), describe(&area), problem, remedy);
        }
    }
    Ok(())
}

fn describe(area: &Area) -> String {
    format!("{} x {} at {},{}", area.width, area.height, area.x, area.y)
}

/// Checks the length of a list.
fn check_length(field: &str, length: usize, max: usize) -> Result<(), ConfigError> {
    if length <= max {
        return Ok(());
    }
    reject(field, format!("{length} {field}"), "too many", format!("use at most {max}"))
}

fn check_marks(marks: &[MarkConfig], size: Size) -> Result<(), ConfigError> {
    check_length("marks", marks.len(), 32)?;
    for (i, mark) in marks.iter().enumerate() {
        let field = |name: &str| format!("marks[{i}].{name}");
        let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'-';
        if !(2..=32).contains(&mark.name.len()) || !mark.name.bytes().all(word) {
            let remedy = "use two to thirty-two letters, digits, _ or -";
            return reject(field("name"), format!("\"{}\"", mark.name), "not a valid name", remedy);
        }
        if marks[..i].iter().any(|other| other.name == mark.name) {
            let remedy = "give each mark its own name";
            return reject(field("name"), format!("\"{}\"", mark.name), "used twice", remedy);
        }
        ConfigError::in_range(field("count"), mark.count, 1, 4096)?;
        if mark.cells.len() as i64 > mark.count {
            let problem = format!("{} cells, but count is {}", mark.cells.len(), mark.count);
            return reject(
                field("cells"),
                mark.cells.len(),
                problem,
                "raise count or list fewer cells",
            );
        }
        for (j, cell) in mark.cells.iter().enumerate() {
            let inside =
                (2..size.width - 2).contains(&cell.x) && (2..size.height - 2).contains(&cell.y);
            let taken = marks[..i].iter().any(|other| other.cells.contains(cell))
                || mark.cells[..j].contains(cell);
            if !inside || taken {
                let problem = if inside { "marked twice" } else { "not inside the outer wall" };
                let remedy = format!(
                    "use cells from 2,2 to {},{}, each once",
                    size.width - 3,
                    size.height - 3
                );
                return reject(format!("{}[{j}]", field("cells")), cell, problem, remedy);
            }
        }
    }
    Ok(())
}

/// Checks that marks are on plain floor.
fn check_marked_pins(marks: &[MarkConfig], pins: &Pins) -> Result<(), ConfigError> {
    for (i, mark) in marks.iter().enumerate() {
        for (j, cell) in mark.cells.iter().enumerate() {
            if let Some((_, symbol)) =
                pins.iter().find(|(pos, symbol)| pos == cell && *symbol != Symbol::Floor)
            {
                let problem = format!("pinned to {symbol}, but marks need plain floor");
                let remedy = "mark another cell, or pin it to .";
                return reject(format!("marks[{i}].cells[{j}]"), cell, problem, remedy);
            }
        }
    }
    Ok(())
}

/// Returns the chains of the specification, then the custom objectives.
fn chains(config: &Config) -> Result<Vec<Chain>, ConfigError> {
    let chain = |mover, steps: Vec<Step>, purpose| {
        let unlocked_at = unlock_steps(config, &steps)?;
        Ok::<_, ConfigError>(Chain { mover, steps, purpose, unlocked_at })
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

fn custom_steps(
    config: &Config,
    i: usize,
    objective: &ObjectiveConfig,
) -> Result<Vec<Step>, ConfigError> {
    let field = format!("objectives[{i}].steps");
    if !(2..=8).contains(&objective.steps.len()) {
        let value = format!("{} steps", objective.steps.len());
        return reject(
            field,
            value,
            "an objective has 2 to 8 steps",
            "list a start, a goal and at most 6 steps between them",
        );
    }
    let steps = objective.steps.iter().enumerate().map(|(j, name)| {
        find_step(config, name).ok_or_else(|| {
            let marks: Vec<&str> = config.marks.iter().map(|mark| mark.name.as_str()).collect();
            let remedy = if marks.is_empty() {
                "use one of P C e f l s E, or define a mark with this name".to_owned()
            } else {
                format!("use one of P C e f l s E, or one of the marks {}", marks.join(", "))
            };
            let value = format!("\"{name}\"");
            ConfigError::new(format!("{field}[{j}]"), value, "unknown symbol or mark", remedy)
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

/// Returns, for each mark, the index of the step that unlocks it.
fn unlock_steps(config: &Config, steps: &[Step]) -> Result<Vec<u32>, ConfigError> {
    let unlocked_at = config.marks.iter().enumerate().map(|(i, mark)| {
        let Some(until) = &mark.locked_until else { return Ok(0) };
        let Some(key) = find_step(config, until) else {
            let (field, value) = (format!("marks[{i}].locked_until"), format!("\"{until}\""));
            return reject(
                field,
                value,
                "unknown symbol or mark",
                "use one of P C e f l s E, or a mark",
            );
        };
        let at = steps.iter().position(|step| *step == key);
        Ok(at.map_or(NEVER, |at| at as u32))
    });
    unlocked_at.collect()
}
