//! A tower's configuration checked: no floor impossible, and every floor entered where it can be.

use super::config::{Config, CurveField, TemplateName};
use crate::config::{Config as FloorConfig, Density};
use crate::feasibility::{Effort, decide};
use crate::spec::{Make, Spec as FloorSpec};
use crate::task::{Anywhere, Exits, Task};
use crate::template::Template;
use std::sync::Arc;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{ConfigError, MapRng};

/// Floors up to this size are looked at from every cell; larger ones from where the tower comes to them.
const MAX_CELLS: usize = 64;

/// How many floors of a tower are looked for with all effort, where no easily found one will do: the bound of the time that takes.
const MAX_HARD: u32 = 16;

/// A checked configuration of a tower. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    config: Config,
    floors: u32,
    /// Where each floor can be entered so that all floors above it can be climbed too.
    ways_in: Vec<WaysIn>,
    /// How many more floors may be looked for with all effort.
    hard_left: u32,
}

/// Where a floor can be entered.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WaysIn {
    /// At these cells.
    At(Vec<Pos>),
    /// Wherever a search of this effort finds a floor from there. [`Effort::Counting`] finds none: then nobody knows where,
    /// except that it is not where a floor from there is proved impossible.
    Tried(Box<Task>, Effort),
    /// The tower ends below.
    Top,
}

/// Whether a search of this effort finds a floor; for [`Effort::Counting`], whether nothing proves that there is none.
fn passes(effort: Effort, task: &Task, exits: &mut dyn Exits) -> bool {
    decide(task, exits, effort).is_ok_and(|found| found.is_some() || effort == Effort::Counting)
}

impl Spec {
    /// Checks `config`: the first field that cannot be used is refused by name, and the first floor that is proved impossible by its
    /// number, counted from 1. What is neither known to be possible nor proved impossible is left to the attempts of each seed.
    pub(super) fn resolve(config: &Config) -> Result<Spec, ConfigError> {
        let floors = ConfigError::in_range("floors", config.floors, 1, 1000)? as u32;
        let mut config = config.clone();
        check_base(&config.floor)?;
        check_curves(&config)?;
        for (i, entry) in config.templates.iter_mut().enumerate() {
            ConfigError::in_range(format!("templates[{i}].every"), entry.every, 1, 1000)?;
            write_out(&mut entry.template, &format!("templates[{i}].template"))?;
        }
        if let Some(boss) = &mut config.boss {
            write_out(boss, "boss")?;
        }
        // The first floor's defaults, written out; what its own budgets ask for is checked below, floor by floor.
        let first = FloorSpec::resolve(&config.floor).map_err(|error| on_floor(0, error))?;
        config.floor = FloorConfig { entrance: config.floor.entrance, ..first.config().clone() };
        let mut spec =
            Inner { config, floors, ways_in: vec![WaysIn::Top; floors as usize + 1], hard_left: MAX_HARD };
        for floor in (0..floors).rev() {
            spec.ways_in[floor as usize] = find_ways_in(&mut spec, floor)?;
        }
        let spec = Spec(Arc::new(spec));
        spec.floor(0, None)?;
        Ok(spec)
    }

    /// The algorithm that generates its towers.
    pub fn algorithm(&self) -> &'static str {
        super::ALGORITHM
    }

    /// The configuration in full, with every default written out.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// How many floors.
    pub fn floors(&self) -> u32 {
        self.0.floors
    }

    /// The configuration of one floor, counted from 0: the first floor's, changed by the curves, or a template's.
    pub fn floor_config(&self, floor: u32) -> FloorConfig {
        floor_config(&self.0, floor)
    }

    /// The configuration of one floor resolved, counted from 0, for an entrance where the floor below ends.
    pub fn floor(&self, floor: u32, entrance: Option<Pos>) -> Result<FloorSpec, ConfigError> {
        let mut config = self.floor_config(floor);
        if let Some(entrance) = entrance {
            config.entrance = Some(entrance.into());
        }
        let effort = if self.0.hard_left > 0 { Effort::Full } else { Effort::Light };
        let resolved = FloorSpec::resolve_for(&config, &mut self.exits(floor), effort);
        resolved.map_err(|error| on_floor(floor, error))
    }

    /// Where a floor may end: wherever the one above can begin.
    pub(super) fn exits(&self, floor: u32) -> impl Exits {
        exits(&self.0, floor)
    }
}

struct Leading<'a>(&'a WaysIn);

impl Exits for Leading<'_> {
    fn draw(&self, size: Size, rng: &mut MapRng) -> Pos {
        match self.0 {
            // A list without cells accepts none, so what is drawn is rejected.
            WaysIn::At(cells) => {
                cells.get(rng.below(cells.len() as u32) as usize).copied().unwrap_or_default()
            }
            WaysIn::Tried(..) | WaysIn::Top => Anywhere.draw(size, rng),
        }
    }

    fn accept(&mut self, pos: Pos) -> bool {
        match self.0 {
            WaysIn::Top => true,
            WaysIn::At(cells) => cells.contains(&pos),
            WaysIn::Tried(task, effort) => {
                let task = Task { entrance: Some(pos), ..**task };
                task.size.contains(pos) && passes(*effort, &task, &mut Anywhere)
            }
        }
    }
}

fn exits(spec: &Inner, floor: u32) -> Leading<'_> {
    Leading(spec.ways_in.get(floor as usize + 1).unwrap_or(&WaysIn::Top))
}

fn find_ways_in(spec: &mut Inner, floor: u32) -> Result<WaysIn, ConfigError> {
    let config = floor_config(spec, floor);
    let here = floor as usize;
    // Floors repeat where curves have ended: what holds for one holds for the next below.
    if floor + 2 < spec.floors
        && config == floor_config(spec, floor + 1)
        && spec.ways_in[here + 1] == spec.ways_in[here + 2]
    {
        return Ok(spec.ways_in[here + 1].clone());
    }
    let anywhere = FloorConfig { entrance: None, ..config };
    let resolve = |spec: &Inner, effort: Effort| {
        let resolved = FloorSpec::resolve_for(&anywhere, &mut exits(spec, floor), effort);
        resolved.map_err(|error| on_floor(floor, error))
    };
    let mut any = resolve(spec, Effort::Light)?;
    if !any.is_certain() && spec.hard_left > 0 {
        spec.hard_left -= 1;
        any = resolve(spec, Effort::Full)?;
    }
    let spec = &*spec;
    if let Make::Stamp(_, variants) = any.make() {
        let mut cells: Vec<Pos> = variants.iter().map(|variant| variant.entrance).collect();
        cells.sort_unstable();
        cells.dedup();
        return Ok(WaysIn::At(cells));
    }
    let task = *any.task();
    let unknown = WaysIn::Tried(Box::new(task), Effort::Counting);
    if !any.is_certain() {
        return Ok(unknown);
    }
    if task.size.cells() > MAX_CELLS {
        let known = passes(Effort::Constructive, &task, &mut exits(spec, floor));
        let effort = if known { Effort::Constructive } else { Effort::Light };
        return Ok(WaysIn::Tried(Box::new(task), effort));
    }
    let enterable = |effort: Effort| -> Vec<Pos> {
        let passes =
            |&pos: &Pos| passes(effort, &Task { entrance: Some(pos), ..task }, &mut exits(spec, floor));
        task.size.iter().filter(passes).collect()
    };
    let cells =
        [Effort::Constructive, Effort::Light].into_iter().map(enterable).find(|cells| !cells.is_empty());
    Ok(cells.map_or(unknown, WaysIn::At))
}

fn floor_config(spec: &Inner, floor: u32) -> FloorConfig {
    let number = i64::from(floor) + 1;
    let by_hand =
        spec.config.templates.iter().find(|entry| number % entry.every == 0).map(|entry| &entry.template);
    let boss = spec.config.boss.as_ref().filter(|_| floor + 1 == spec.floors);
    let base = &spec.config.floor;
    let entrance = base.entrance.filter(|_| floor == 0);
    if let Some(TemplateName::Own(template)) = boss.or(by_hand) {
        return FloorConfig {
            template: Some(template.clone()),
            entrance,
            safe_route: base.safe_route,
            safe_chests: base.safe_chests,
            ..FloorConfig::default()
        };
    }
    let mut config = FloorConfig { entrance, ..base.clone() };
    for curve in &spec.config.curves {
        let steps = i64::from(floor) / curve.every;
        let change = |from: i64| {
            let value = from.saturating_add(curve.by.0.saturating_mul(steps));
            // A curve that starts beyond its end stays where it starts.
            if curve.by.0 < 0 { value.max(curve.to.0.min(from)) } else { value.min(curve.to.0.max(from)) }
        };
        match curve.field.whole(&mut config) {
            Some(field) => {
                let from = field.unwrap_or_default().saturating_mul(Density::WHOLE.into());
                *field = Some(change(from).max(0) / i64::from(Density::WHOLE));
            }
            None => {
                let from = config.wall_density.map_or(5000, |density| i64::from(density.0));
                config.wall_density = Some(Density(change(from).clamp(0, Density::WHOLE.into()) as u16));
            }
        }
    }
    config
}

fn check_base(floor: &FloorConfig) -> Result<(), ConfigError> {
    let (field, value, problem, remedy) = if let Some(exit) = floor.exit {
        let problem = "the exits of a tower are drawn, because the next floor begins there";
        ("floor.exit", format!("{},{}", exit.x, exit.y), problem, "leave it out")
    } else if !floor.pins.is_empty() {
        let remedy = "leave it out, or name a template for some floors";
        ("floor.pins", format!("{} rows", floor.pins.len()), "the floors of a tower differ", remedy)
    } else if floor.template.is_some() || floor.template_id.is_some() || floor.use_template == Some(true) {
        let remedy = "name it in templates, with every = 1 for all floors";
        ("floor.useTemplate", "true".to_owned(), "a tower has its own list of templates", remedy)
    } else {
        return Ok(());
    };
    Err(ConfigError::new(field, value, problem, remedy))
}

fn check_curves(config: &Config) -> Result<(), ConfigError> {
    for (i, curve) in config.curves.iter().enumerate() {
        let (at, name) = (format!("curves[{i}]"), curve.field.name());
        ConfigError::in_range(format!("{at}.every"), curve.every, 1, 1000)?;
        let whole = curve.field != CurveField::WallDensity;
        for (member, amount) in [("by", curve.by), ("to", curve.to)] {
            if whole && amount.to_whole().is_none() {
                let problem = format!("{name} is a whole number");
                return Err(ConfigError::new(
                    format!("{at}.{member}"),
                    amount,
                    problem,
                    "use a whole number",
                ));
            }
        }
        if config.curves[..i].iter().any(|other| other.field == curve.field) {
            return Err(ConfigError::new(
                format!("{at}.field"),
                name,
                "has a curve already",
                "leave one out",
            ));
        }
    }
    Ok(())
}

/// Puts an embedded template in place of its name, so that a saved tower does not depend on what is embedded later.
fn write_out(name: &mut TemplateName, field: &str) -> Result<(), ConfigError> {
    if let TemplateName::Named(id) = name {
        *name = TemplateName::Own(Template::named(field, id, "or a template of your own")?);
    }
    Ok(())
}

/// Says on which floor a configuration cannot be met.
fn on_floor(floor: u32, error: ConfigError) -> ConfigError {
    ConfigError { problem: format!("on floor {}: {}", floor + 1, error.problem), ..error }
}
