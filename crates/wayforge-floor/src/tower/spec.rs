//! Validated configurations of towers: which floors are feasible, and where each can be entered.

use super::config::{Config, CurveField, TemplateRef};
use crate::config::{Config as FloorConfig, Density};
use crate::feasibility::{Effort, decide};
use crate::spec::{Method, Spec as FloorSpec};
use crate::task::{AnyExit, Exits, Task};
use crate::template::Template;
use std::sync::Arc;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{ConfigError, MapRng};

/// Maximum number of cells of a floor whose entrances are listed in advance. On larger floors, each
/// drawn entrance is checked by a search.
const MAX_LISTED_CELLS: usize = 64;

/// Maximum number of floors for which a full search runs if a light one fails. Bounds the time.
const MAX_FULL_SEARCHES: u32 = 16;

/// A validated configuration of a tower. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    config: Config,
    floors: u32,
    /// Entrances of each floor from which all floors above can be reached.
    entrances: Vec<Entrances>,
    /// Number of full searches left.
    full_searches_left: u32,
}

/// Possible entrances of a floor.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entrances {
    /// Exactly these cells.
    At(Vec<Pos>),
    /// Cells for which a search of this effort finds a floor. [`Effort::Counting`] finds none, so
    /// it admits every entrance that is not provably infeasible.
    Searched(Box<Task>, Effort),
    /// Any cell: there is no floor above the last one.
    Top,
}

/// Returns whether a search of this effort finds a floor or, for [`Effort::Counting`], does not
/// prove infeasibility.
fn is_enterable(effort: Effort, task: &Task, exits: &mut dyn Exits) -> bool {
    decide(task, exits, effort).is_ok_and(|found| found.is_some() || effort == Effort::Counting)
}

impl Config {
    /// Validates every field and every floor, and returns a spec for generation.
    ///
    /// Floors that are neither proved feasible nor proved infeasible are left to the attempts of
    /// each seed.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid field, or for a provably infeasible floor, by its
    /// number from 1.
    pub fn resolve(&self) -> Result<Spec, ConfigError> {
        let floors = ConfigError::in_range("floors", self.floors, 1, 1000)? as u32;
        let mut config = self.clone();
        check_base(&config.floor)?;
        check_curves(&config)?;
        for (i, entry) in config.templates.iter_mut().enumerate() {
            ConfigError::in_range(format!("templates[{i}].every"), entry.every, 1, 1000)?;
            inline_template(&mut entry.template, &format!("templates[{i}].template"))?;
        }
        if let Some(boss) = &mut config.boss {
            inline_template(boss, "boss")?;
        }
        // Fill in the defaults of the first floor. The budgets of each floor are checked below.
        let first = config.floor.resolve().map_err(|error| on_floor(0, error))?;
        config.floor = FloorConfig { entrance: config.floor.entrance, ..first.config().clone() };
        let mut spec = Inner {
            config,
            floors,
            entrances: vec![Entrances::Top; floors as usize + 1],
            full_searches_left: MAX_FULL_SEARCHES,
        };
        for floor in (0..floors).rev() {
            spec.entrances[floor as usize] = find_entrances(&mut spec, floor)?;
        }
        let spec = Spec(Arc::new(spec));
        spec.floor(0, None)?;
        Ok(spec)
    }
}

impl Spec {
    /// Returns the name of the algorithm.
    pub fn algorithm(&self) -> &'static str {
        super::ALGORITHM
    }

    /// Returns the configuration with every default filled in.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Returns the number of floors.
    pub fn floors(&self) -> u32 {
        self.0.floors
    }

    /// Returns the configuration of one floor, counted from 0: the base changed by curves, or a
    /// template. For a larger number, returns that of the last floor, because a tower to validate
    /// may have surplus floors.
    pub fn floor_config(&self, floor: u32) -> FloorConfig {
        floor_config(&self.0, self.clamp(floor))
    }

    /// Resolves one floor, counted from 0, with an entrance where the floor below ends. Resolves
    /// the last floor for a larger number, like [`floor_config`](Self::floor_config).
    ///
    /// # Errors
    /// [`ConfigError`] if the floor is infeasible from this entrance.
    pub fn floor(&self, floor: u32, entrance: Option<Pos>) -> Result<FloorSpec, ConfigError> {
        let floor = self.clamp(floor);
        let mut config = self.floor_config(floor);
        if let Some(entrance) = entrance {
            config.entrance = Some(entrance.into());
        }
        let effort = if self.0.full_searches_left > 0 { Effort::Full } else { Effort::Light };
        let resolved = FloorSpec::resolve_for(&config, &mut self.exits(floor), effort);
        resolved.map_err(|error| on_floor(floor, error))
    }

    /// Returns the number of the floor, or of the last floor if there is no such floor.
    fn clamp(&self, floor: u32) -> u32 {
        floor.min(self.floors() - 1)
    }

    /// Returns the cells where a floor may end: the possible entrances of the floor above.
    pub(super) fn exits(&self, floor: u32) -> impl Exits {
        exits(&self.0, floor)
    }
}

/// Exits of a floor, given the entrances of the floor above.
struct TowerExits<'a>(&'a Entrances);

impl Exits for TowerExits<'_> {
    fn draw(&self, size: Size, rng: &mut MapRng) -> Pos {
        match self.0 {
            // An empty list accepts no cell, so the drawn one is rejected later.
            Entrances::At(cells) => {
                cells.get(rng.below(cells.len() as u32) as usize).copied().unwrap_or_default()
            }
            Entrances::Searched(..) | Entrances::Top => AnyExit.draw(size, rng),
        }
    }

    fn accepts(&mut self, pos: Pos) -> bool {
        match self.0 {
            Entrances::Top => true,
            Entrances::At(cells) => cells.contains(&pos),
            Entrances::Searched(task, effort) => {
                let task = Task { entrance: Some(pos), ..**task };
                task.size.contains(pos) && is_enterable(*effort, &task, &mut AnyExit)
            }
        }
    }
}

fn exits(spec: &Inner, floor: u32) -> TowerExits<'_> {
    TowerExits(spec.entrances.get(floor as usize + 1).unwrap_or(&Entrances::Top))
}

/// Finds the possible entrances of a floor, given those of the floors above.
///
/// # Errors
/// [`ConfigError`] if the floor is invalid or provably infeasible from every entrance.
fn find_entrances(spec: &mut Inner, floor: u32) -> Result<Entrances, ConfigError> {
    let config = floor_config(spec, floor);
    let index = floor as usize;
    // Configurations repeat once all curves have reached their limits, so entrances repeat as well.
    if floor + 2 < spec.floors
        && config == floor_config(spec, floor + 1)
        && spec.entrances[index + 1] == spec.entrances[index + 2]
    {
        return Ok(spec.entrances[index + 1].clone());
    }
    let without_entrance = FloorConfig { entrance: None, ..config };
    let resolve = |spec: &Inner, effort: Effort| {
        let resolved = FloorSpec::resolve_for(&without_entrance, &mut exits(spec, floor), effort);
        resolved.map_err(|error| on_floor(floor, error))
    };
    let mut resolved = resolve(spec, Effort::Light)?;
    if !resolved.is_proven_feasible() && spec.full_searches_left > 0 {
        spec.full_searches_left -= 1;
        resolved = resolve(spec, Effort::Full)?;
    }
    let spec = &*spec;
    if let Method::Template(_, variants) = resolved.method() {
        let mut cells: Vec<Pos> = variants.iter().map(|variant| variant.entrance).collect();
        cells.sort_unstable();
        cells.dedup();
        return Ok(Entrances::At(cells));
    }
    let task = *resolved.task();
    let undecided = Entrances::Searched(Box::new(task), Effort::Counting);
    if !resolved.is_proven_feasible() {
        return Ok(undecided);
    }
    if task.size.cells() > MAX_LISTED_CELLS {
        let constructive = is_enterable(Effort::Constructive, &task, &mut exits(spec, floor));
        let effort = if constructive { Effort::Constructive } else { Effort::Light };
        return Ok(Entrances::Searched(Box::new(task), effort));
    }
    let enterable_cells = |effort: Effort| -> Vec<Pos> {
        let is_enterable = |&pos: &Pos| {
            is_enterable(effort, &Task { entrance: Some(pos), ..task }, &mut exits(spec, floor))
        };
        task.size.iter().filter(is_enterable).collect()
    };
    let cells = [Effort::Constructive, Effort::Light]
        .into_iter()
        .map(enterable_cells)
        .find(|cells| !cells.is_empty());
    Ok(cells.map_or(undecided, Entrances::At))
}

/// Returns the configuration of one floor, counted from 0.
fn floor_config(spec: &Inner, floor: u32) -> FloorConfig {
    let number = i64::from(floor) + 1;
    let template = spec
        .config
        .templates
        .iter()
        .find(|entry| number % entry.every == 0)
        .map(|entry| &entry.template);
    let boss = spec.config.boss.as_ref().filter(|_| floor + 1 == spec.floors);
    let base = &spec.config.floor;
    let entrance = base.entrance.filter(|_| floor == 0);
    if let Some(TemplateRef::Inline(template)) = boss.or(template) {
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
        let apply = |from: i64| {
            let value = from.saturating_add(curve.by.0.saturating_mul(steps));
            // A curve that starts beyond its limit stays at its start.
            if curve.by.0 < 0 {
                value.max(curve.to.0.min(from))
            } else {
                value.min(curve.to.0.max(from))
            }
        };
        match curve.field.integer_field(&mut config) {
            Some(field) => {
                let from = field.unwrap_or_default().saturating_mul(Density::SCALE.into());
                *field = Some(apply(from).max(0) / i64::from(Density::SCALE));
            }
            None => {
                let from = config.wall_density.map_or(5000, |density| i64::from(density.0));
                config.wall_density =
                    Some(Density(apply(from).clamp(0, Density::SCALE.into()) as u16));
            }
        }
    }
    config
}

/// Rejects fields of the first floor that towers do not support.
fn check_base(floor: &FloorConfig) -> Result<(), ConfigError> {
    let (field, value, problem, remedy) = if let Some(exit) = floor.exit {
        let problem = "exits of a tower are random, because the next floor starts there";
        ("floor.exit", format!("{},{}", exit.x, exit.y), problem, "leave it out")
    } else if !floor.pins.is_empty() {
        let remedy = "leave it out, or name a template for some floors";
        ("floor.pins", format!("{} rows", floor.pins.len()), "the floors of a tower differ", remedy)
    } else if floor.template.is_some()
        || floor.template_id.is_some()
        || floor.use_template == Some(true)
    {
        let remedy = "name it in templates, with every = 1 for all floors";
        ("floor.useTemplate", "true".to_owned(), "a tower has its own list of templates", remedy)
    } else {
        return Ok(());
    };
    Err(ConfigError::new(field, value, problem, remedy))
}

fn check_curves(config: &Config) -> Result<(), ConfigError> {
    for (i, curve) in config.curves.iter().enumerate() {
        let (path, name) = (format!("curves[{i}]"), curve.field.name());
        ConfigError::in_range(format!("{path}.every"), curve.every, 1, 1000)?;
        let is_integer = curve.field != CurveField::WallDensity;
        for (member, amount) in [("by", curve.by), ("to", curve.to)] {
            if is_integer && amount.to_integer().is_none() {
                let problem = format!("{name} is a whole number");
                return Err(ConfigError::new(
                    format!("{path}.{member}"),
                    amount,
                    problem,
                    "use a whole number",
                ));
            }
        }
        if config.curves[..i].iter().any(|other| other.field == curve.field) {
            return Err(ConfigError::new(
                format!("{path}.field"),
                name,
                "already has a curve",
                "remove one",
            ));
        }
    }
    Ok(())
}

/// Replaces the name of an embedded template with the template, so that saved towers do not depend
/// on the embedded templates of later versions.
fn inline_template(name: &mut TemplateRef, field: &str) -> Result<(), ConfigError> {
    if let TemplateRef::Named(id) = name {
        *name = TemplateRef::Inline(Template::find_or_error(field, id, "or a custom template")?);
    }
    Ok(())
}

/// Adds the number of the floor to an error.
fn on_floor(floor: u32, error: ConfigError) -> ConfigError {
    ConfigError { problem: format!("on floor {}: {}", floor + 1, error.problem), ..error }
}
