//! A configuration checked and ready to run.

use super::config::{Budget, Config, Density, Vec2};
use super::feasibility::{self, Effort, Fallback, last_that_works};
use super::map::Floor;
use super::pinned::{self, Pins};
use super::stamp;
use super::task::{Anywhere, Exits, Safety, Task};
use super::template::{Plan, Template, Variant};
use super::validate::Validator;
use std::collections::BTreeSet;
use std::sync::Arc;
use wayforge_core::ConfigError;
use wayforge_core::grid::{Pos, Size};

/// A checked configuration of a floor: what generators accept. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    config: Config,
    task: Task,
    attempts: u32,
    make: Make,
}

/// How a floor is made.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Make {
    /// Drawn; if no attempt holds, the safe shape, where one is known.
    Draw(Option<Box<Fallback>>),
    /// Drawn around fixed cells; if no attempt holds, the floor that proved them possible.
    Pinned(Pins, Option<Box<Floor>>),
    Stamp(Box<Plan>, Vec<Variant>),
}

impl Spec {
    /// Checks `config`: the first field that cannot be used is refused by name, and so is a constraint that is proved not to hold
    /// beside the others.
    pub(super) fn resolve(config: &Config) -> Result<Spec, ConfigError> {
        Spec::resolve_for(config, &mut Anywhere, Effort::Full)
    }

    /// The same for a floor of a tower: `exits` says where the floor above can begin.
    pub(super) fn resolve_for(
        config: &Config,
        exits: &mut dyn Exits,
        effort: Effort,
    ) -> Result<Spec, ConfigError> {
        match find_template(config)? {
            Some(template) => resolve_template(config, template, exits),
            None => resolve_drawn(config, exits, effort),
        }
    }

    /// The algorithm that generates its floors.
    pub fn algorithm(&self) -> &'static str {
        super::ALGORITHM
    }

    /// The configuration in full, with every default written out.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.0.task.size
    }

    /// The fewest steps of the shortest way from entrance to exit.
    pub fn min_path_length(&self) -> u32 {
        self.0.task.min_path
    }

    /// How many things of a kind the floor has, exactly.
    pub fn budget(&self, budget: Budget) -> u32 {
        self.0.task.count(budget)
    }

    /// Whether every seed has a floor. Up to 25 cells it always has; beyond, what is neither known to be possible nor proved to be
    /// impossible is left to the attempts, which may fail.
    pub fn is_certain(&self) -> bool {
        !matches!(self.0.make, Make::Draw(None))
    }

    /// The template, if the floor is one.
    pub fn template(&self) -> Option<&Template> {
        self.0.config.template.as_ref()
    }

    pub(super) fn task(&self) -> &Task {
        &self.0.task
    }

    pub(super) fn attempts(&self) -> u32 {
        self.0.attempts
    }

    pub(super) fn make(&self) -> &Make {
        &self.0.make
    }

    /// A spec of a size, for a floor that was read without its configuration. Nothing is proved, and nothing generated from it.
    pub(super) fn unproved(size: Size) -> Spec {
        let config =
            Config { width: Some(size.width.into()), height: Some(size.height.into()), ..Config::default() };
        Spec::new(config, Task { size, ..Task::default() }, 0, Make::Draw(None))
    }

    fn new(config: Config, task: Task, attempts: u32, make: Make) -> Spec {
        Spec(Arc::new(Inner { config, task, attempts, make }))
    }
}

fn resolve_drawn(config: &Config, exits: &mut dyn Exits, effort: Effort) -> Result<Spec, ConfigError> {
    let typed = config;
    let mut config = typed.clone();
    let width = side("width", &mut config.width, 5)?;
    let height = side("height", &mut config.height, 5)?;
    let (task, attempts) = read_task(&mut config, Size::new(width, height), Budget::usual)?;
    (config.use_template, config.template_id, config.template) = (Some(false), None, None);
    let named = |field: Option<Budget>| match field {
        Some(budget) => typed.budget(budget).is_some(),
        None => typed.min_path_length.is_some(),
    };
    let pins = Pins::read(&config.pins, task.size)?;
    // What no floor can be is not the fault of the pins; around them, nothing else is proved but by a floor.
    let effort = if pins.is_some() { Effort::Counting } else { effort };
    let fallback = feasibility::decide(&task, exits, effort)
        .map_err(|proof| as_typed(&config, proof.explain(&named, exits)))?;
    match pins {
        Some(pins) => resolve_pinned(config, task, attempts, pins),
        None => Ok(Spec::new(config, task, attempts, Make::Draw(fallback.map(Box::new)))),
    }
}

/// Floors around fixed cells: proved possible by finding one.
fn resolve_pinned(config: Config, mut task: Task, attempts: u32, pins: Pins) -> Result<Spec, ConfigError> {
    pins.agree(&mut task)?;
    check_apart(&task)?;
    // The validator reads the floor's spec, so there is one before the proof.
    let spec = Spec::new(config.clone(), task, attempts, Make::Pinned(pins.clone(), None));
    let proof = pinned::prove(&spec, &pins).map_err(|error| as_typed(&config, error))?;
    Ok(Spec::new(config, task, attempts, Make::Pinned(pins, Some(Box::new(proof)))))
}

fn resolve_template(config: &Config, template: Template, exits: &mut dyn Exits) -> Result<Spec, ConfigError> {
    if !config.pins.is_empty() {
        let (rows, problem) = (format!("{} rows", config.pins.len()), "a template fixes every cell");
        return Err(ConfigError::new("pins", rows, problem, "leave one of them out"));
    }
    let plan = template.plan()?;
    let mut config = config.clone();
    let (width, height) = (i64::from(plan.size.width), i64::from(plan.size.height));
    // One side given decides whether the template lies or stands.
    let (wide, high) = match (config.width, config.height) {
        (Some(w), None) if w == height => (height, width),
        (None, Some(h)) if h == width => (height, width),
        _ => (width, height),
    };
    let size = Size::new(side("width", &mut config.width, wide)?, side("height", &mut config.height, high)?);
    let id = &template.id;
    let all = plan.variants(size);
    if all.is_empty() {
        let (field, value) = match [width, height].contains(&size.width.into()) {
            true => ("height", size.height),
            false => ("width", size.width),
        };
        let problem = format!("the template {id} is {}", plan.size);
        return Err(ConfigError::new(field, value, problem, format!("use {}, or leave it out", plan.size)));
    }
    for budget in Budget::ALL {
        let there = plan.count(budget);
        if let Some(asked) = config.budget(budget).filter(|&asked| asked < there) {
            let problem = format!("the template {id} holds {}", budget.counted(there as u32));
            let remedy = format!("use at least {there}, or leave it out");
            return Err(ConfigError::new(budget.field(), asked, problem, remedy));
        }
    }
    // Neither applies: the template has the walls and the path that it has.
    let closed = plan.tiles.iter().filter(|tile| !tile.walkable()).count() as u32;
    config.wall_density = Some(Density((closed * Density::WHOLE / size.cells() as u32) as u16));
    config.min_path_length = None;
    let (task, attempts) = read_task(&mut config, size, |budget| plan.count(budget))?;
    let rest = stamp::rest_of(&plan, &task);
    (config.use_template, config.template_id) = (Some(true), Some(id.clone()));
    config.template = Some(template.clone());
    let fits = |variant: &Variant| {
        task.entrance.is_none_or(|pos| pos == variant.entrance)
            && task.exit.is_none_or(|pos| pos == variant.exit)
    };
    let fitting: Vec<Variant> = all.into_iter().filter(fits).collect();
    if fitting.is_empty() {
        return Err(reject_ends(&config, &task, &plan, id));
    }
    // The validator reads the floor's spec, so there is one before the variants are known.
    let unproved = Make::Stamp(Box::new(plan.clone()), Vec::new());
    let spec = Spec::new(config.clone(), task, attempts, unproved);
    // The validator decides which of them will do: the same rules as for all floors.
    let (mut validator, mut fault) = (Validator::default(), None);
    let mut keep = |variant: &Variant| match stamp::prove(&spec, &plan, *variant, &rest, &mut validator) {
        Ok(_) => exits.accept(variant.exit),
        Err(missed) => {
            fault.get_or_insert(missed);
            false
        }
    };
    let variants: Vec<Variant> = fitting.iter().copied().filter(|variant| keep(variant)).collect();
    if variants.is_empty() {
        let fault = fault.unwrap_or_else(|| stamp::Fault::Broken("no exit of it leads on".to_owned()));
        let problem = match fault {
            stamp::Fault::Crowded(budget) => {
                return Err(reject_crowded(&spec, &plan, id, &fitting, budget, exits));
            }
            stamp::Fault::Broken(problem) => problem,
        };
        let remedy = "use another template or entrance";
        return Err(ConfigError::new("templateId", format!("\"{id}\""), problem, remedy));
    }
    Ok(Spec::new(config, task, attempts, Make::Stamp(Box::new(plan), variants)))
}

/// The error about a template without room for the rest of `budget`: the given value, and the largest smaller one that was
/// found to fit. `fitting` are the variants with the right entrance and exit.
fn reject_crowded(
    spec: &Spec,
    plan: &Plan,
    id: &str,
    fitting: &[Variant],
    budget: Budget,
    exits: &mut dyn Exits,
) -> ConfigError {
    let (task, held) = (spec.task(), plan.count(budget));
    let mut fits = |count: u32| {
        let (mut config, mut task) = (spec.config().clone(), *task);
        task.counts[budget as usize] = count;
        for budget in Budget::ALL {
            *config.budget_mut(budget) = Some(task.count(budget).into());
        }
        let spec = Spec::new(config, task, 0, Make::Stamp(Box::new(plan.clone()), Vec::new()));
        let (rest, mut validator) = (stamp::rest_of(plan, &task), Validator::default());
        fitting.iter().any(|variant| {
            stamp::prove(&spec, plan, *variant, &rest, &mut validator).is_ok() && exits.accept(variant.exit)
        })
    };
    // What is named has been tried.
    let remedy = match fits(held as u32) {
        true => format!("use {} or leave it out", last_that_works(held as u32, task.count(budget), fits)),
        false => {
            let more = |budget: &Budget| i64::from(task.count(*budget)) > plan.count(*budget);
            let fields: Vec<&str> = Budget::ALL.iter().filter(|b| more(b)).map(|b| b.field()).collect();
            format!("use less, or leave out {}", fields.join(", "))
        }
    };
    let given = spec.config().budget(budget).unwrap_or(held);
    let more = u32::try_from(given.saturating_sub(held)).unwrap_or(u32::MAX);
    let noun = budget.counted(more);
    let problem = format!("no room was found on the free floor of the template {id} for {noun} more");
    ConfigError::new(budget.field(), given, problem, remedy)
}

/// The template that a configuration names.
fn find_template(config: &Config) -> Result<Option<Template>, ConfigError> {
    if config.use_template == Some(false) {
        return Ok(None);
    }
    let id = config.template_id.as_ref().or(config.template.as_ref().map(|template| &template.id));
    match (id, &config.template) {
        (None, _) if config.use_template == Some(true) => {
            let remedy = format!("name one in templateId: {}", Template::known());
            Err(ConfigError::new("useTemplate", true, "no template is named", remedy))
        }
        (None, _) => Ok(None),
        (Some(id), None) => Template::named("templateId", id, "or give one in template").map(Some),
        (Some(id), Some(own)) if own.id == *id => Ok(Some(own.clone())),
        (Some(id), Some(own)) => {
            let problem = format!("the template given is {}", own.id);
            Err(ConfigError::new("templateId", format!("\"{id}\""), problem, "leave one of them out"))
        }
    }
}

fn reject_ends(config: &Config, task: &Task, plan: &Plan, id: &str) -> ConfigError {
    let variants = plan.variants(task.size);
    let entrances: BTreeSet<Pos> = variants.iter().map(|variant| variant.entrance).collect();
    let exits = variants.iter().map(|variant| variant.exit).collect();
    let (field, value, places) = match task.entrance.is_some_and(|entrance| !entrances.contains(&entrance)) {
        true => ("entrance", config.entrance, entrances),
        false => ("exit", config.exit, exits),
    };
    let value = value.map_or_else(String::new, |pos| format!("{},{}", pos.x, pos.y));
    let list: Vec<String> = places.iter().take(16).map(ToString::to_string).collect();
    let problem = format!("the template {id} has none there, however it is turned");
    ConfigError::new(field, value, problem, format!("use one of {}", list.join(" ")))
}

/// Checks what drawn floors and templates share, and writes out the defaults.
fn read_task(
    config: &mut Config,
    size: Size,
    usual: impl Fn(Budget) -> i64,
) -> Result<(Task, u32), ConfigError> {
    let cells = size.cells() as i64;
    let density = *config.wall_density.get_or_insert(Density(5000));
    let mut task = Task {
        size,
        carve: config.carve,
        opening: config.open,
        open: size.cells() as u32 - density.of(size.cells() as u32),
        min_path: 0,
        entrance: end("entrance", config.entrance, size)?,
        exit: end("exit", config.exit, size)?,
        counts: [0; 8],
        safety: match (config.safe_route, config.safe_chests) {
            (true, _) => Safety::Route,
            (false, true) => Safety::Chests,
            (false, false) => Safety::None,
        },
    };
    check_apart(&task)?;
    task.min_path = up_to("minPathLength", config.min_path_length.unwrap_or(0), cells)?;
    for budget in Budget::ALL {
        let count = *config.budget_mut(budget).get_or_insert(usual(budget));
        task.counts[budget as usize] = up_to(budget.field(), count, cells)?;
    }
    let attempts = *config.attempts.get_or_insert(32);
    Ok((task, ConfigError::in_range("attempts", attempts, 0, 1000)? as u32))
}

/// Rejects an exit on the entrance.
fn check_apart(task: &Task) -> Result<(), ConfigError> {
    match task.exit.filter(|&exit| task.entrance == Some(exit)) {
        Some(exit) => Err(ConfigError::new("exit", exit, "the entrance is there", "use another cell")),
        None => Ok(()),
    }
}

/// A number that is not negative, cut off at what no floor has: whoever refuses the rest knows how much would work.
fn up_to(field: &str, value: i64, most: i64) -> Result<u32, ConfigError> {
    match value < 0 {
        true => ConfigError::in_range(field, value, 0, most - 2).map(|_| 0),
        false => Ok(value.min(most) as u32),
    }
}

/// A refusal that shows the number that was typed, not the one it was cut off at.
fn as_typed(config: &Config, error: ConfigError) -> ConfigError {
    let budget = Budget::ALL.into_iter().find(|budget| budget.field() == error.field);
    let typed = budget.map_or(config.min_path_length.filter(|_| error.field == "minPathLength"), |budget| {
        config.budget(budget)
    });
    match typed {
        Some(value) => ConfigError { value: value.to_string(), ..error },
        None => error,
    }
}

fn side(field: &str, value: &mut Option<i64>, usual: i64) -> Result<u16, ConfigError> {
    Ok(ConfigError::in_range(field, *value.get_or_insert(usual), 3, 64)? as u16)
}

fn end(field: &str, pos: Option<Vec2>, size: Size) -> Result<Option<Pos>, ConfigError> {
    let Some(pos) = pos else { return Ok(None) };
    let x = ConfigError::in_range(format!("{field}.x"), pos.x, 0, i64::from(size.width) - 1)?;
    let y = ConfigError::in_range(format!("{field}.y"), pos.y, 0, i64::from(size.height) - 1)?;
    Ok(Some(Pos::new(x as u16, y as u16)))
}

impl From<Pos> for Vec2 {
    fn from(pos: Pos) -> Vec2 {
        Vec2 { x: pos.x.into(), y: pos.y.into() }
    }
}
