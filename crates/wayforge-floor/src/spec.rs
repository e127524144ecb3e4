//! A configuration checked and ready to run.

use super::config::{Budget, Config, Density, Vec2};
use super::feasibility::{self, Effort, Fallback, SearchStage};
use super::pinned::{PinPlan, Pins};
use super::stamp;
use super::task::{Anywhere, Exits, Safety, Task};
use super::template::{Plan, Template, Variant};
use super::validate::Validator;
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
    /// Made around fixed cells.
    Pinned(Box<PinPlan>),
    Stamp(Box<Plan>, Vec<Variant>),
}

impl Spec {
    /// Checks `config`: the first field that cannot be used is refused by name, and so is a constraint that is proved not to hold
    /// beside the others.
    pub(super) fn resolve(config: &Config) -> Result<Spec, ConfigError> {
        Spec::resolve_for(config, &mut Anywhere, Effort::Full)
    }

    /// Checks `config` without one stage of the search for a feasible floor: for measurements.
    #[doc(hidden)]
    pub fn resolve_without(config: &Config, stage: SearchStage) -> Result<Spec, ConfigError> {
        Spec::resolve_for(config, &mut Anywhere, Effort::Without(stage))
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

    /// The ways to use the template; none for a drawn floor.
    pub(super) fn variants(&self) -> &[Variant] {
        match &self.0.make {
            Make::Stamp(_, variants) => variants,
            Make::Draw(_) | Make::Pinned(_) => &[],
        }
    }

    /// The cells that are fixed, if any are.
    pub(super) fn pins(&self) -> Option<&Pins> {
        match &self.0.make {
            Make::Pinned(plan) => Some(&plan.pins),
            Make::Draw(_) | Make::Stamp(..) => None,
        }
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
    if let Some(pins) = Pins::read(&config.pins, task.size)? {
        // What no floor can be is not the fault of the pins.
        feasibility::decide(&task, &mut Anywhere, Effort::Counting)
            .map_err(|proof| as_typed(&config, proof.explain(&named, &mut Anywhere)))?;
        return resolve_pinned(config, task, attempts, pins);
    }
    let fallback = feasibility::decide(&task, exits, effort)
        .map_err(|proof| as_typed(&config, proof.explain(&named, exits)))?;
    Ok(Spec::new(config, task, attempts, Make::Draw(fallback.map(Box::new))))
}

/// Floors around fixed cells: proved possible by finding one.
fn resolve_pinned(config: Config, mut task: Task, attempts: u32, pins: Pins) -> Result<Spec, ConfigError> {
    pins.agree(&mut task)?;
    if task.entrance.is_some() && task.entrance == task.exit {
        let value = task.exit.unwrap_or_default();
        return Err(ConfigError::new("exit", value, "the entrance is there", "use another cell"));
    }
    let plan = PinPlan::new(pins);
    // The judge reads the floor's spec, so there is one before the proof.
    let unproved = Make::Pinned(Box::new(plan.clone()));
    let spec = Spec::new(config.clone(), task, attempts, unproved);
    let plan = plan.prove(&spec).map_err(|error| as_typed(&config, error))?;
    Ok(Spec::new(config, task, attempts, Make::Pinned(Box::new(plan))))
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
    let rest = stamp::Rest::of(&plan, &task);
    (config.use_template, config.template_id) = (Some(true), Some(id.clone()));
    config.template = Some(template.clone());
    let fits = |variant: &Variant| {
        task.entrance.is_none_or(|pos| pos == variant.entrance)
            && task.exit.is_none_or(|pos| pos == variant.exit)
    };
    let fitting: Vec<Variant> = all.into_iter().filter(fits).collect();
    if fitting.is_empty() {
        return Err(refuse_ends(&config, &task, &plan, id));
    }
    // The validator reads the floor's spec, so there is one before the variants are known.
    let unproved = Make::Stamp(Box::new(plan.clone()), Vec::new());
    let spec = Spec::new(config.clone(), task, attempts, unproved);
    // The judge decides which of them will do: the same rules as for all floors.
    let (mut judge, mut fault) = (Validator::default(), None);
    let mut keep = |variant: &Variant| match stamp::prove(&spec, &plan, *variant, &rest, &mut judge) {
        Ok(_) => exits.accept(variant.exit),
        Err(missed) => {
            fault.get_or_insert(missed);
            false
        }
    };
    let variants: Vec<Variant> = fitting.iter().copied().filter(|variant| keep(variant)).collect();
    if variants.is_empty() {
        let fault = fault.unwrap_or_else(|| stamp::Fault::Broken("no exit of it leads on".to_owned()));
        let crowded = Crowded { config: &config, task, plan: &plan, id, fitting: &fitting };
        let problem = match fault {
            stamp::Fault::Crowded(budget) => return Err(crowded.reject(budget, exits)),
            stamp::Fault::Broken(problem) => problem,
        };
        return Err(ConfigError::new(
            "templateId",
            format!("\"{id}\""),
            problem,
            "use another template or entrance",
        ));
    }
    Ok(Spec::new(config, task, attempts, Make::Stamp(Box::new(plan), variants)))
}

/// A template without room for the rest of the budgets.
struct Crowded<'a> {
    config: &'a Config,
    task: Task,
    plan: &'a Plan,
    id: &'a str,
    /// The variants with the right entrance and exit.
    fitting: &'a [Variant],
}

impl Crowded<'_> {
    /// The error about `budget`: its given value, and the largest smaller one that was found to fit.
    fn reject(&self, budget: Budget, exits: &mut dyn Exits) -> ConfigError {
        let (held, id) = (self.plan.count(budget), self.id);
        let given = self.config.budget(budget).unwrap_or(held);
        let mut fits = |count: u32| {
            let mut counts = self.task.counts;
            counts[budget as usize] = count;
            self.fits(counts, exits)
        };
        // Bisection between a count that fits and one that was not found to: what is named has been tried.
        let (mut fitting, mut crowded) = (held as u32, self.task.count(budget));
        let alone = fits(fitting);
        while alone && fitting + 1 < crowded {
            let middle = fitting.midpoint(crowded);
            match fits(middle) {
                true => fitting = middle,
                false => crowded = middle,
            }
        }
        let more = given.saturating_sub(held);
        let noun = budget.counted(u32::try_from(more).unwrap_or(u32::MAX));
        let problem = format!("no room was found on the free floor of the template {id} for {noun} more");
        let remedy = match alone {
            true => format!("use {fitting} or leave it out"),
            false => {
                let more = |budget: &Budget| i64::from(self.task.count(*budget)) > self.plan.count(*budget);
                let fields: Vec<&str> = Budget::ALL.iter().filter(|b| more(b)).map(|b| b.field()).collect();
                format!("use less, or leave out {}", fields.join(", "))
            }
        };
        ConfigError::new(budget.field(), given, problem, remedy)
    }

    /// Returns whether a variant has room for these budgets.
    fn fits(&self, counts: [u32; 8], exits: &mut dyn Exits) -> bool {
        let (mut config, task) = (self.config.clone(), Task { counts, ..self.task });
        for budget in Budget::ALL {
            *config.budget_mut(budget) = Some(task.count(budget).into());
        }
        let spec = Spec::new(config, task, 0, Make::Stamp(Box::new(self.plan.clone()), Vec::new()));
        let (rest, mut judge) = (stamp::Rest::of(self.plan, &task), Validator::default());
        self.fitting.iter().any(|variant| {
            stamp::prove(&spec, self.plan, *variant, &rest, &mut judge).is_ok() && exits.accept(variant.exit)
        })
    }
}

/// The template that a configuration names.
fn find_template(config: &Config) -> Result<Option<Template>, ConfigError> {
    if config.use_template == Some(false) {
        return Ok(None);
    }
    let named = config.template_id.as_ref().or(config.template.as_ref().map(|template| &template.id));
    let known: Vec<String> = Template::embedded().into_iter().map(|template| template.id).collect();
    let known = known.join(", ");
    match (config.use_template, named) {
        (Some(true), None) => {
            let remedy = format!("name one in templateId: {known}");
            Err(ConfigError::new("useTemplate", true, "no template is named", remedy))
        }
        (_, None) => Ok(None),
        (_, Some(id)) => match &config.template {
            Some(own) if own.id == *id => Ok(Some(own.clone())),
            Some(own) => {
                let problem = format!("the template given is {}", own.id);
                Err(ConfigError::new("templateId", format!("\"{id}\""), problem, "leave one of them out"))
            }
            None => Template::find(id).map(Some).ok_or_else(|| {
                let remedy = format!("use {known}, or give one in template");
                ConfigError::new("templateId", format!("\"{id}\""), "no such template", remedy)
            }),
        },
    }
}

fn refuse_ends(config: &Config, task: &Task, plan: &Plan, id: &str) -> ConfigError {
    let mut places: Vec<[Pos; 2]> =
        plan.variants(task.size).iter().map(|variant| [variant.entrance, variant.exit]).collect();
    let misses_entrance = task.entrance.is_some_and(|entrance| places.iter().all(|ends| ends[0] != entrance));
    let at = if misses_entrance { 0 } else { 1 };
    places.sort_unstable_by_key(|ends| ends[at]);
    places.dedup_by_key(|ends| ends[at]);
    let list: Vec<String> = places.iter().take(16).map(|ends| format!("{}", ends[at])).collect();
    let (field, value) = if at == 0 { ("entrance", config.entrance) } else { ("exit", config.exit) };
    let value = value.map_or_else(String::new, |pos| format!("{},{}", pos.x, pos.y));
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
    if task.entrance.is_some() && task.entrance == task.exit {
        let value = task.exit.unwrap_or_default();
        return Err(ConfigError::new("exit", value, "the entrance is there", "use another cell"));
    }
    task.min_path = up_to("minPathLength", config.min_path_length.unwrap_or(0), cells)?;
    for budget in Budget::ALL {
        let count = *config.budget_mut(budget).get_or_insert(usual(budget));
        task.counts[budget as usize] = up_to(budget.field(), count, cells)?;
    }
    let attempts = *config.attempts.get_or_insert(32);
    Ok((task, ConfigError::in_range("attempts", attempts, 0, 1000)? as u32))
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
