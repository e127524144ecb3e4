//! Validated configurations of floors.

use super::config::{Budget, Config, Density, Vec2};
use super::feasibility::{self, Effort, Fallback, max_satisfying};
use super::map::Floor;
use super::pinned::{self, Pins};
use super::stamp;
use super::task::{AnyExit, Exits, Safety, Task};
use super::template::{Plan, Template, Variant};
use super::validate::Validator;
use std::collections::BTreeSet;
use std::sync::Arc;
use wayforge_core::ConfigError;
use wayforge_core::grid::{Pos, Size};

/// A validated configuration of a floor, the input of generators. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    config: Config,
    task: Task,
    attempts: u32,
    method: Method,
}

/// How a floor is generated.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// By attempts; if all fail, the fallback layout, if one is known.
    Carve(Option<Box<Fallback>>),
    /// By attempts around pinned cells; if all fail, the floor that proved the pins feasible.
    Pinned(Pins, Option<Box<Floor>>),
    Template(Box<Plan>, Vec<Variant>),
}

impl Config {
    /// Validates every field and returns a spec for generation.
    ///
    /// # Errors
    /// [`ConfigError`] with field, value, problem and remedy if a field is invalid or the
    /// constraints are provably infeasible.
    pub fn resolve(&self) -> Result<Spec, ConfigError> {
        Spec::resolve_for(self, &mut AnyExit, Effort::Full)
    }
}

impl Spec {
    /// Validates a floor of a tower. `exits` are the cells where the floor above can start.
    pub(super) fn resolve_for(
        config: &Config,
        exits: &mut dyn Exits,
        effort: Effort,
    ) -> Result<Spec, ConfigError> {
        match find_template(config)? {
            Some(template) => resolve_template(config, template, exits),
            None => resolve_carved(config, exits, effort),
        }
    }

    /// Returns the name of the algorithm.
    pub fn algorithm(&self) -> &'static str {
        super::ALGORITHM
    }

    /// Returns the configuration with every default filled in.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Returns width and height.
    pub fn size(&self) -> Size {
        self.0.task.size
    }

    /// Returns the minimum number of steps of the shortest path from entrance to exit.
    pub fn min_path_length(&self) -> u32 {
        self.0.task.min_path_length
    }

    /// Returns the exact number of objects of a budget.
    pub fn budget(&self, budget: Budget) -> u32 {
        self.0.task.count(budget)
    }

    /// Returns whether generation succeeds for every seed.
    ///
    /// Always true up to 25 cells. Larger configurations may be neither proved feasible nor proved
    /// infeasible; generation may then fail for some seeds.
    pub fn is_proven_feasible(&self) -> bool {
        !matches!(self.0.method, Method::Carve(None))
    }

    /// Returns the template, if the floor uses one.
    pub fn template(&self) -> Option<&Template> {
        self.0.config.template.as_ref()
    }

    pub(super) fn task(&self) -> &Task {
        &self.0.task
    }

    pub(super) fn attempts(&self) -> u32 {
        self.0.attempts
    }

    pub(super) fn method(&self) -> &Method {
        &self.0.method
    }

    /// Creates a spec for a floor that was read without its configuration. The spec cannot generate
    /// floors.
    pub(super) fn without_proof(size: Size) -> Spec {
        let config = Config {
            width: Some(size.width.into()),
            height: Some(size.height.into()),
            ..Config::default()
        };
        Spec::new(config, Task { size, ..Task::default() }, 0, Method::Carve(None))
    }

    fn new(config: Config, task: Task, attempts: u32, method: Method) -> Spec {
        Spec(Arc::new(Inner { config, task, attempts, method }))
    }
}

fn resolve_carved(
    config: &Config,
    exits: &mut dyn Exits,
    effort: Effort,
) -> Result<Spec, ConfigError> {
    let given = config;
    let mut config = given.clone();
    let width = resolve_side("width", &mut config.width, 5)?;
    let height = resolve_side("height", &mut config.height, 5)?;
    let (task, attempts) = read_task(&mut config, Size::new(width, height), Budget::default_count)?;
    (config.use_template, config.template_id, config.template) = (Some(false), None, None);
    let is_given = |field: Option<Budget>| match field {
        Some(budget) => given.budget(budget).is_some(),
        None => given.min_path_length.is_some(),
    };
    let pins = Pins::read(&config.pins, task.size)?;
    // Reject tasks that are infeasible even without pins. With pins, only a valid floor proves
    // feasibility.
    let effort = if pins.is_some() { Effort::Counting } else { effort };
    let fallback = feasibility::decide(&task, exits, effort)
        .map_err(|proof| with_given_value(&config, proof.explain(&is_given, exits)))?;
    match pins {
        Some(pins) => resolve_pinned(config, task, attempts, pins),
        None => Ok(Spec::new(config, task, attempts, Method::Carve(fallback.map(Box::new)))),
    }
}

/// Resolves a configuration with pins. A valid floor proves it feasible.
fn resolve_pinned(
    config: Config,
    mut task: Task,
    attempts: u32,
    pins: Pins,
) -> Result<Spec, ConfigError> {
    pins.apply_to(&mut task)?;
    check_ends_differ(&task)?;
    // The validator reads the floor's spec, so the proof needs a preliminary one.
    let spec = Spec::new(config.clone(), task, attempts, Method::Pinned(pins.clone(), None));
    let proof = pinned::prove(&spec, &pins).map_err(|error| with_given_value(&config, error))?;
    Ok(Spec::new(config, task, attempts, Method::Pinned(pins, Some(Box::new(proof)))))
}

fn resolve_template(
    config: &Config,
    template: Template,
    exits: &mut dyn Exits,
) -> Result<Spec, ConfigError> {
    if !config.pins.is_empty() {
        let (rows, problem) =
            (format!("{} rows", config.pins.len()), "a template fixes every cell");
        return Err(ConfigError::new("pins", rows, problem, "leave one of them out"));
    }
    let plan = template.plan()?;
    let mut config = config.clone();
    let (width, height) = (i64::from(plan.size.width), i64::from(plan.size.height));
    // If only one side is given, it determines the orientation.
    let (default_width, default_height) = match (config.width, config.height) {
        (Some(w), None) if w == height => (height, width),
        (None, Some(h)) if h == width => (height, width),
        _ => (width, height),
    };
    let size = Size::new(
        resolve_side("width", &mut config.width, default_width)?,
        resolve_side("height", &mut config.height, default_height)?,
    );
    let id = &template.id;
    let all = plan.variants(size);
    if all.is_empty() {
        let (field, value) = if [width, height].contains(&size.width.into()) {
            ("height", size.height)
        } else {
            ("width", size.width)
        };
        let problem = format!("the template {id} is {}", plan.size);
        return Err(ConfigError::new(
            field,
            value,
            problem,
            format!("use {}, or leave it out", plan.size),
        ));
    }
    for budget in Budget::ALL {
        let in_template = plan.count(budget);
        if let Some(requested) = config.budget(budget).filter(|&requested| requested < in_template)
        {
            let contained = budget.count_label(in_template as u32);
            let problem = format!("the template {id} contains {contained}");
            let remedy = format!("use at least {in_template}, or leave it out");
            return Err(ConfigError::new(budget.field(), requested, problem, remedy));
        }
    }
    // A template has fixed walls and a fixed path, so neither setting applies.
    let closed = plan.tiles.iter().filter(|tile| !tile.is_walkable()).count() as u32;
    config.wall_density = Some(Density((closed * Density::SCALE / size.cells() as u32) as u16));
    config.min_path_length = None;
    let (task, attempts) = read_task(&mut config, size, |budget| plan.count(budget))?;
    let rest = stamp::remaining_task(&plan, &task);
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
    // The validator reads the floor's spec, so the check of the variants needs a preliminary one.
    let method = Method::Template(Box::new(plan.clone()), Vec::new());
    let spec = Spec::new(config.clone(), task, attempts, method);
    // Variants must be valid under the same rules as all floors.
    let (mut validator, mut fault) = (Validator::default(), None);
    let mut is_usable =
        |variant: &Variant| match stamp::prove(&spec, &plan, *variant, &rest, &mut validator) {
            Ok(_) => exits.accepts(variant.exit),
            Err(error) => {
                fault.get_or_insert(error);
                false
            }
        };
    let variants: Vec<Variant> =
        fitting.iter().copied().filter(|variant| is_usable(variant)).collect();
    if variants.is_empty() {
        let fault = fault.unwrap_or_else(|| {
            stamp::Fault::Invalid("the next floor cannot start at any of its exits".to_owned())
        });
        let problem = match fault {
            stamp::Fault::NoRoom(budget) => {
                return Err(reject_budget(&spec, &plan, id, &fitting, budget, exits));
            }
            stamp::Fault::Invalid(problem) => problem,
        };
        let remedy = "use another template or entrance";
        return Err(ConfigError::new("templateId", format!("\"{id}\""), problem, remedy));
    }
    Ok(Spec::new(config, task, attempts, Method::Template(Box::new(plan), variants)))
}

/// Returns the error of a template without room for all objects of `budget`.
///
/// The error names the given value and the largest smaller value that was found to fit. `fitting`
/// contains the variants with the required entrance and exit.
fn reject_budget(
    spec: &Spec,
    plan: &Plan,
    id: &str,
    fitting: &[Variant],
    budget: Budget,
    exits: &mut dyn Exits,
) -> ConfigError {
    let (task, in_template) = (spec.task(), plan.count(budget));
    let mut fits = |count: u32| {
        let (mut config, mut task) = (spec.config().clone(), *task);
        task.counts[budget as usize] = count;
        for budget in Budget::ALL {
            *config.budget_mut(budget) = Some(task.count(budget).into());
        }
        let spec = Spec::new(config, task, 0, Method::Template(Box::new(plan.clone()), Vec::new()));
        let (rest, mut validator) = (stamp::remaining_task(plan, &task), Validator::default());
        fitting.iter().any(|variant| {
            stamp::prove(&spec, plan, *variant, &rest, &mut validator).is_ok()
                && exits.accepts(variant.exit)
        })
    };
    // Only name a value that was tested.
    let remedy = if fits(in_template as u32) {
        format!(
            "use {} or leave it out",
            max_satisfying(in_template as u32, task.count(budget), fits)
        )
    } else {
        let exceeds = |budget: &Budget| i64::from(task.count(*budget)) > plan.count(*budget);
        let fields: Vec<&str> =
            Budget::ALL.iter().filter(|b| exceeds(b)).map(|b| b.field()).collect();
        format!("lower or leave out {}", fields.join(", "))
    };
    let given = spec.config().budget(budget).unwrap_or(in_template);
    let missing = u32::try_from(given.saturating_sub(in_template)).unwrap_or(u32::MAX);
    let noun = budget.noun(missing);
    let problem = format!(
        "no room was found on the free floor of the template {id} for {missing} more {noun}"
    );
    ConfigError::new(budget.field(), given, problem, remedy)
}

/// Returns the template that a configuration names.
fn find_template(config: &Config) -> Result<Option<Template>, ConfigError> {
    if config.use_template == Some(false) {
        return Ok(None);
    }
    let id = config.template_id.as_ref().or(config.template.as_ref().map(|template| &template.id));
    match (id, &config.template) {
        (None, _) if config.use_template == Some(true) => {
            let remedy = format!("name one in templateId: {}", Template::embedded_names());
            Err(ConfigError::new("useTemplate", true, "no template is named", remedy))
        }
        (None, _) => Ok(None),
        (Some(id), None) => {
            Template::find_or_error("templateId", id, "or give one in template").map(Some)
        }
        (Some(id), Some(custom)) if custom.id == *id => Ok(Some(custom.clone())),
        (Some(id), Some(custom)) => {
            let problem = format!("the given template is {}", custom.id);
            Err(ConfigError::new(
                "templateId",
                format!("\"{id}\""),
                problem,
                "leave one of them out",
            ))
        }
    }
}

/// Returns the error of a template without the required entrance or exit.
fn reject_ends(config: &Config, task: &Task, plan: &Plan, id: &str) -> ConfigError {
    let variants = plan.variants(task.size);
    let entrances: BTreeSet<Pos> = variants.iter().map(|variant| variant.entrance).collect();
    let exits = variants.iter().map(|variant| variant.exit).collect();
    let (field, value, options) =
        if task.entrance.is_some_and(|entrance| !entrances.contains(&entrance)) {
            ("entrance", config.entrance, entrances)
        } else {
            ("exit", config.exit, exits)
        };
    let value = value.map_or_else(String::new, |pos| format!("{},{}", pos.x, pos.y));
    let list: Vec<String> = options.iter().take(16).map(ToString::to_string).collect();
    let problem = format!("the template {id} has no {field} there in any orientation");
    ConfigError::new(field, value, problem, format!("use one of {}", list.join(" ")))
}

/// Validates the fields that carved floors and templates share, and fills in the defaults.
fn read_task(
    config: &mut Config,
    size: Size,
    default: impl Fn(Budget) -> i64,
) -> Result<(Task, u32), ConfigError> {
    let cells = size.cells() as i64;
    let density = *config.wall_density.get_or_insert(Density(5000));
    let mut task = Task {
        size,
        carve: config.carve,
        opening: config.open,
        open: size.cells() as u32 - density.of(size.cells() as u32),
        min_path_length: 0,
        entrance: resolve_end("entrance", config.entrance, size)?,
        exit: resolve_end("exit", config.exit, size)?,
        counts: [0; 8],
        safety: match (config.safe_route, config.safe_chests) {
            (true, _) => Safety::Route,
            (false, true) => Safety::Chests,
            (false, false) => Safety::None,
        },
    };
    check_ends_differ(&task)?;
    task.min_path_length =
        clamp_count("minPathLength", config.min_path_length.unwrap_or(0), cells)?;
    for budget in Budget::ALL {
        let count = *config.budget_mut(budget).get_or_insert(default(budget));
        task.counts[budget as usize] = clamp_count(budget.field(), count, cells)?;
    }
    let attempts = *config.attempts.get_or_insert(32);
    Ok((task, ConfigError::in_range("attempts", attempts, 0, 1000)? as u32))
}

/// Rejects an exit at the position of the entrance.
fn check_ends_differ(task: &Task) -> Result<(), ConfigError> {
    match task.exit.filter(|&exit| task.entrance == Some(exit)) {
        Some(exit) => {
            Err(ConfigError::new("exit", exit, "same cell as the entrance", "use another cell"))
        }
        None => Ok(()),
    }
}

/// Rejects negative values and clamps large ones to `max`, which is infeasible on every floor. The
/// feasibility check then reports the largest value that works.
fn clamp_count(field: &str, value: i64, max: i64) -> Result<u32, ConfigError> {
    if value < 0 {
        ConfigError::in_range(field, value, 0, max - 2).map(|_| 0)
    } else {
        Ok(value.min(max) as u32)
    }
}

/// Replaces a clamped value in an error with the given one.
fn with_given_value(config: &Config, error: ConfigError) -> ConfigError {
    let budget = Budget::ALL.into_iter().find(|budget| budget.field() == error.field);
    let given = budget
        .map_or(config.min_path_length.filter(|_| error.field == "minPathLength"), |budget| {
            config.budget(budget)
        });
    match given {
        Some(value) => ConfigError { value: value.to_string(), ..error },
        None => error,
    }
}

fn resolve_side(field: &str, value: &mut Option<i64>, default: i64) -> Result<u16, ConfigError> {
    Ok(ConfigError::in_range(field, *value.get_or_insert(default), 3, 64)? as u16)
}

fn resolve_end(field: &str, pos: Option<Vec2>, size: Size) -> Result<Option<Pos>, ConfigError> {
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
