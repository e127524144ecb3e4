//! Metrics of maps, each with a name, a unit and a description.
//!
//! A [`Catalogue`] lists the metrics of a family under a configuration. [`Query`] and
//! [`MetricTargets`] are expressions over metrics, and a [`Meter`] computes the values for a map.
//! All values are integers: ratios are in thousandths, and sums saturate at the largest integer.

/// Defines the metrics of a family as a table: name with optional parameter, unit, description,
/// `EARLY` for [`Metric::is_early`], and the function that computes the value. Its last argument is
/// the index of the metric's argument.
macro_rules! metrics {
    ($Meter:ident: $(
        $name:literal $(($parameter:literal))?, $unit:literal, $description:literal
            $(, $early:ident)? => $value:expr;
    )+) => {
        const METRICS: &[Metric] = &[$(
            Metric {
                name: $name,
                unit: $unit,
                description: $description,
                parameter: [$(Some($parameter),)? None][0],
                is_early: [$($early,)? false][0],
            },
        )+];

        /// The functions of [`METRICS`], in the same order.
        const VALUES: &[MetricFn<$Meter>] = &[$($value,)+];
    };
}

mod act;
mod budget;
mod floor;
mod level;
mod lexer;
mod open_cell_counts;
mod parse;
mod placements;
mod query;
mod suggest;
mod targets;
mod tower;

pub use act::ActMeter;
pub use budget::Budget;
pub use floor::FloorMeter;
pub use level::LevelMeter;
pub use lexer::ExpressionError;
pub use placements::{MapShape, Placement, Placements, SymmetryDigests};
pub use query::Query;
pub use targets::MetricTargets;
pub use tower::TowerMeter;

use crate::{InputError, MapFamily};
use serde::Serialize;

/// Definition of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Name in expressions.
    pub name: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    /// Description of the value.
    pub description: &'static str,
    /// Name of its parameter, if it has one: `min(elite)` has the parameter `kind`.
    pub parameter: Option<&'static str>,
    /// True if the value is final before the map is finished; see
    /// [`MapGenerator::generate_if`](crate::MapGenerator::generate_if).
    pub is_early: bool,
}

/// A metric in a table of [`metrics!`] that is [early](Metric::is_early).
const EARLY: bool = true;

/// The function that computes a metric from a map and the index of the metric's argument.
pub type MetricFn<M> = fn(&mut M, &<M as Meter>::Map, u16) -> i64;

/// The value of a metric for a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetricValue {
    /// Name in expressions, with the argument: `min(elite)`.
    pub name: String,
    /// Name of the metric without the argument: `min`.
    pub metric: &'static str,
    /// Argument of the metric: `elite`.
    pub argument: Option<String>,
    /// Unit of the value.
    pub unit: &'static str,
    /// Description of the metric.
    pub description: &'static str,
    /// The value.
    pub value: i64,
}

/// The metrics of a family, and their possible arguments under a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalogue {
    metrics: &'static [Metric],
    arguments: Vec<String>,
    planes: Vec<String>,
}

/// A metric with its argument, as an operand of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    metric: u16,
    argument: u16,
}

/// Computes metrics of the maps of one family. Scratch buffers are reused from map to map.
pub trait Meter: Sized + 'static {
    /// The family's map.
    type Map;

    /// The functions of the family's metrics, in the order of [`Catalogue::metrics`].
    const VALUES: &'static [MetricFn<Self>];

    /// Returns the value of a metric for a map; 0 if the family has no such metric.
    #[inline]
    fn read(&mut self, map: &Self::Map, term: Term) -> i64 {
        let value = Self::VALUES.get(usize::from(term.metric));
        value.map_or(0, |value| value(self, map, term.argument))
    }

    /// Replaces the contents of `into` with the placements of a map, in the
    /// [planes](Catalogue::planes) of its family.
    fn collect_placements(&mut self, map: &Self::Map, into: &mut Placements);
}

/// A map family whose maps have metrics.
pub trait Measure: MapFamily {
    /// Computes the metrics of this family.
    type Meter: Meter<Map = Self> + Default;
    /// How the objects of a map are arranged.
    const SHAPE: MapShape;

    /// Returns the metrics of the maps of a spec.
    fn catalogue(spec: &Self::Spec) -> Catalogue;

    /// Returns the numbers that a spec requests, as bounds on metrics.
    fn budgets(spec: &Self::Spec) -> Vec<Budget>;
}

impl Catalogue {
    /// Names of all objects that can be on a cell: the planes of [`Placements`].
    pub fn planes(&self) -> &[String] {
        &self.planes
    }

    /// All metrics, in the order of their definition.
    pub fn metrics(&self) -> &'static [Metric] {
        self.metrics
    }

    /// The possible arguments of metrics with a parameter.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Returns all terms: each metric with each possible argument.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{act, metric::Measure};
    /// let catalogue = act::ActMap::catalogue(&act::Config::default().resolve()?);
    /// let names: Vec<String> = catalogue.terms().map(|term| catalogue.name(term)).collect();
    /// assert!(names.contains(&"routes".to_owned()) && names.contains(&"min(elite)".to_owned()));
    /// # Ok::<(), wayforge::ConfigError>(())
    /// ```
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        (0..).zip(self.metrics).flat_map(|(metric, definition)| {
            let arguments = if definition.parameter.is_some() { self.arguments.len() } else { 1 };
            (0..arguments as u16).map(move |argument| Term { metric, argument })
        })
    }

    /// Computes all metrics of a map, in the order of [`terms`](Self::terms).
    ///
    /// The meter and the map must belong to the family of this catalogue.
    ///
    /// # Examples
    /// ```
    /// use wayforge::floor::{self, Floor};
    /// use wayforge::metric::{FloorMeter, Measure};
    /// let floor = floor::generate(1.into(), &floor::Config::default().resolve()?)?;
    /// let catalogue = Floor::catalogue(&floor.spec);
    /// let values = catalogue.metric_values(&mut FloorMeter::default(), &floor);
    /// let path = values.iter().find(|value| value.name == "path").unwrap();
    /// assert_eq!((path.unit, path.value), ("steps", floor.path.len() as i64 - 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn metric_values<M: Meter>(&self, meter: &mut M, map: &M::Map) -> Vec<MetricValue> {
        let read = |term| {
            let metric = self.metric(term);
            MetricValue {
                name: self.name(term),
                metric: metric.name,
                argument: self.argument(term).map(str::to_owned),
                unit: metric.unit,
                description: metric.description,
                value: meter.read(map, term),
            }
        };
        self.terms().map(read).collect()
    }

    /// Returns a term as written in expressions: `min(elite)`.
    pub fn name(&self, term: Term) -> String {
        let name = self.metric(term).name;
        self.argument(term)
            .map_or_else(|| name.to_owned(), |argument| format!("{name}({argument})"))
    }

    /// Returns the argument of a term, if its metric has a parameter.
    pub fn argument(&self, term: Term) -> Option<&str> {
        self.metric(term)
            .parameter
            .and(self.arguments.get(usize::from(term.argument)))
            .map(String::as_str)
    }

    /// Returns the description of a term, with its argument inserted.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{InputError, floor::{self, Floor}, metric::Measure};
    /// let catalogue = Floor::catalogue(&floor::Config::default().resolve().unwrap());
    /// let describe = |name| Ok::<_, InputError>(catalogue.describe(catalogue.parse(name)?));
    /// assert_eq!(describe("count(door)")?, "number of objects of the kind door");
    /// assert_eq!(describe("open")?, "number of walkable tiles");
    /// # Ok::<(), InputError>(())
    /// ```
    pub fn describe(&self, term: Term) -> String {
        let Metric { description, parameter, .. } = self.metric(term);
        match parameter.zip(self.argument(term)) {
            Some((parameter, argument)) => description.replacen(
                &format!("a {parameter}"),
                &format!("the {parameter} {argument}"),
                1,
            ),
            None => (*description).to_owned(),
        }
    }

    /// Returns the metric of a term.
    pub fn metric(&self, term: Term) -> &'static Metric {
        &self.metrics[usize::from(term.metric).min(self.metrics.len() - 1)]
    }

    /// Parses a term as [`name`](Catalogue::name) writes it.
    ///
    /// # Errors
    /// [`InputError`] with a spelling suggestion and the known names.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{floor::{self, Floor}, metric::Measure};
    /// let catalogue = Floor::catalogue(&floor::Config::default().resolve().unwrap());
    /// assert_eq!(catalogue.name(catalogue.parse("count( door )")?), "count(door)");
    /// let error = catalogue.parse("paht").unwrap_err().to_string();
    /// let expected = "metric = paht: unknown metric paht (did you mean path?); known: cells, ";
    /// assert!(error.starts_with(expected));
    /// # Ok::<(), wayforge::InputError>(())
    /// ```
    pub fn parse(&self, text: &str) -> Result<Term, InputError> {
        let found = match text.trim().strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, argument)) => self.find(name.trim(), Some(argument.trim())),
            None => self.find(text.trim(), None),
        };
        found.map_err(|[problem, remedy]| InputError::new("metric", text, problem, remedy))
    }

    /// Finds the term with this name and argument. The error is a problem and a remedy.
    fn find(&self, name: &str, argument: Option<&str>) -> Result<Term, [String; 2]> {
        let Some(metric) = self.metrics.iter().position(|metric| metric.name == name) else {
            let full_name = |metric: &Metric| match metric.parameter {
                Some(parameter) => format!("{}({parameter})", metric.name),
                None => metric.name.to_owned(),
            };
            let names: Vec<String> = self.metrics.iter().map(full_name).collect();
            let suggestion = suggest(name, self.metrics.iter().map(|metric| metric.name));
            let remedy = format!("known: {}", names.join(", "));
            return Err([format!("unknown metric {name:.40}{suggestion}"), remedy]);
        };
        let arguments = || format!("known: {}", self.arguments.join(", "));
        let argument = match (self.metrics[metric].parameter, argument) {
            (None, None) => 0,
            (None, Some(_)) => {
                return Err([format!("{name} takes no argument"), format!("write {name}")]);
            }
            (Some(parameter), None | Some("")) => {
                let example = self.arguments.first().map_or("", String::as_str);
                let problem = format!("{name} needs a {parameter}, as in {name}({example})");
                return Err([problem, arguments()]);
            }
            (Some(parameter), Some(argument)) => {
                self.arguments.iter().position(|known| known == argument).ok_or_else(|| {
                    let suggestion = suggest(argument, self.arguments.iter().map(String::as_str));
                    [format!("unknown {parameter} {argument:.40}{suggestion}"), arguments()]
                })?
            }
        };
        Ok(Term { metric: metric as u16, argument: argument as u16 })
    }
}

/// Returns ` (did you mean NAME?)` if a known name is similar, else an empty string.
fn suggest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> String {
    suggest::closest_name(written, known)
        .map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

/// Converts a count to the type of metrics, saturating.
fn count(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// Returns `part / whole` in thousandths, rounded down; 0 if `whole` is 0.
fn thousandths(part: usize, whole: usize) -> i64 {
    if whole == 0 { 0 } else { count(part).saturating_mul(1000) / count(whole) }
}
