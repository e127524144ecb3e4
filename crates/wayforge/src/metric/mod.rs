//! Metrics: what can be counted on a map, each defined once, with a name, a unit and a meaning.
//!
//! A [`Catalogue`] lists the metrics of a family under a configuration; [`Query`] and [`Aim`] are small expressions over them, and a
//! meter reads them off a map. All of it is whole numbers: a share is given in thousandths, a number of routes that a word cannot
//! hold counts as the largest that it can.

/// Defines the metrics of a family by one table: the name with what it takes, the unit, the description, and the function
/// that reads the value off a map. The last argument of the function is the index of what the metric takes.
macro_rules! metrics {
    ($Meter:ident, $Map:ident: $($name:literal $(($takes:literal))?, $unit:literal, $about:literal => $value:expr;)+) => {
        const METRICS: &[Metric] = &[$(
            Metric { name: $name, unit: $unit, about: $about, takes: [$(Some($takes),)? None][0] },
        )+];

        /// The functions of the metrics, in the same order.
        const VALUES: [fn(&mut $Meter, &$Map, u16) -> i64; METRICS.len()] = [$($value,)+];
    };
}

mod act;
mod aim;
mod ask;
mod budget;
mod floor;
mod ground;
mod imprint;
mod level;
mod near;
mod parse;
mod read;
mod tower;

pub use act::ActMeter;
pub use aim::Aim;
pub use ask::Query;
pub use budget::Budget;
pub use floor::FloorMeter;
pub use imprint::{Forms, Imprint, Spot};
pub use level::LevelMeter;
pub use read::ExpressionError;
pub use tower::TowerMeter;

use crate::MapFamily;
use serde::Serialize;

/// A metric, as it is documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name in expressions.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// What it says of a map.
    pub about: &'static str,
    /// What it takes in parentheses, if anything: `min(elite)` takes a kind.
    pub takes: Option<&'static str>,
}

/// A metric as it was read off a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reading {
    /// Its name in expressions, with what it takes: `min(elite)`.
    pub name: String,
    /// The metric's name alone: `min`.
    pub metric: &'static str,
    /// What it takes: `elite`.
    pub thing: Option<String>,
    /// What it counts.
    pub unit: &'static str,
    /// What it says of a map.
    pub about: &'static str,
    /// Its value.
    pub value: i64,
}

/// The metrics of a family, and what they can take under a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalogue {
    metrics: &'static [Metric],
    things: Vec<String>,
    planes: Vec<String>,
}

/// A metric to be read, with what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    metric: u16,
    thing: u16,
}

/// Reads metrics off maps of one family. It keeps its memory from one map to the next.
pub trait Meter {
    /// The family's map.
    type Map;

    /// The value of a metric on a map.
    fn read(&mut self, map: &Self::Map, term: Term) -> i64;

    /// Returns true if a metric can be read before a map is finished.
    fn reads_unfinished(_catalogue: &Catalogue, _term: Term) -> bool {
        false
    }

    /// Writes down what stands where on a map, by the [planes](Catalogue::planes) of its family.
    fn imprint(&mut self, map: &Self::Map, into: &mut Imprint);
}

/// A map family whose maps have metrics.
pub trait Measure: MapFamily {
    /// Reads the metrics of this family.
    type Meter: Meter<Map = Self> + Default;

    /// The metrics of the maps of a spec.
    fn catalogue(spec: &Self::Spec) -> Catalogue;

    /// What a spec asks for, as bounds of metrics.
    fn budgets(spec: &Self::Spec) -> Vec<Budget>;
}

impl Catalogue {
    /// What can stand on a cell, by name: the planes of an [`Imprint`].
    pub fn planes(&self) -> &[String] {
        &self.planes
    }

    /// The metrics in the order of their documentation.
    pub fn metrics(&self) -> &'static [Metric] {
        self.metrics
    }

    /// What a metric that takes something can take.
    pub fn things(&self) -> &[String] {
        &self.things
    }

    /// Every term there is: the columns of a table of everything.
    ///
    /// ```
    /// use wayforge::{act, metric::Measure};
    /// let catalogue = act::ActMap::catalogue(&act::Config::default().resolve()?);
    /// let names: Vec<String> = catalogue.terms().map(|term| catalogue.name(term)).collect();
    /// assert!(names.contains(&"routes".to_owned()) && names.contains(&"min(elite)".to_owned()));
    /// # Ok::<(), wayforge::ConfigError>(())
    /// ```
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        (0..).zip(self.metrics).flat_map(|(metric, described)| {
            let things = if described.takes.is_some() { self.things.len() } else { 1 };
            (0..things as u16).map(move |thing| Term { metric, thing })
        })
    }

    /// Reads everything off a map, in the order of the documentation.
    ///
    /// * **Arguments.** A meter of the family that this is the catalogue of, and a map of it.
    ///
    /// ```
    /// use wayforge::floor::{self, Floor};
    /// use wayforge::metric::{FloorMeter, Measure};
    /// let floor = floor::generate(1.into(), &floor::Config::default().resolve()?)?;
    /// let readings = Floor::catalogue(&floor.spec).readings(&mut FloorMeter::default(), &floor);
    /// let path = readings.iter().find(|reading| reading.name == "path").unwrap();
    /// assert_eq!((path.unit, path.value), ("steps", floor.path.len() as i64 - 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn readings<M: Meter>(&self, meter: &mut M, map: &M::Map) -> Vec<Reading> {
        let read = |term| {
            let metric = self.metric(term);
            Reading {
                name: self.name(term),
                metric: metric.name,
                thing: self.thing(term).map(str::to_owned),
                unit: metric.unit,
                about: metric.about,
                value: meter.read(map, term),
            }
        };
        self.terms().map(read).collect()
    }

    /// A term as expressions write it.
    pub fn name(&self, term: Term) -> String {
        let name = self.metric(term).name;
        self.thing(term).map_or_else(|| name.to_owned(), |thing| format!("{name}({thing})"))
    }

    /// What a term takes, if anything.
    pub fn thing(&self, term: Term) -> Option<&str> {
        self.metric(term).takes.and(self.things.get(usize::from(term.thing))).map(String::as_str)
    }

    /// What a term says of a map, with what it takes by its name.
    ///
    /// ```
    /// use wayforge::{floor::{self, Floor}, metric::Measure};
    /// let catalogue = Floor::catalogue(&floor::Config::default().resolve().unwrap());
    /// let about = |name| Ok::<_, String>(catalogue.about(catalogue.parse(name)?));
    /// assert_eq!(about("count(door)")?, "how many there are of the thing door");
    /// assert_eq!(about("open")?, "how many tiles can be walked on");
    /// # Ok::<(), String>(())
    /// ```
    pub fn about(&self, term: Term) -> String {
        let Metric { about, takes, .. } = self.metric(term);
        match takes.zip(self.thing(term)) {
            Some((what, thing)) => about.replacen(&format!("a {what}"), &format!("the {what} {thing}"), 1),
            None => (*about).to_owned(),
        }
    }

    /// The metric of a term.
    pub fn metric(&self, term: Term) -> &'static Metric {
        &self.metrics[usize::from(term.metric).min(self.metrics.len() - 1)]
    }

    /// Reads a term as [`name`](Catalogue::name) writes it; the error says what exists.
    ///
    /// ```
    /// use wayforge::{floor::{self, Floor}, metric::Measure};
    /// let catalogue = Floor::catalogue(&floor::Config::default().resolve().unwrap());
    /// assert_eq!(catalogue.name(catalogue.parse("count( door )")?), "count(door)");
    /// assert!(catalogue.parse("paht").unwrap_err().starts_with("there is no metric paht (did you mean path?); there are cells, "));
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse(&self, text: &str) -> Result<Term, String> {
        match text.trim().strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, thing)) => self.find(name.trim(), Some(thing.trim())),
            None => self.find(text.trim(), None),
        }
    }

    /// The term called `name`, with what it takes.
    fn find(&self, name: &str, thing: Option<&str>) -> Result<Term, String> {
        let Some(metric) = self.metrics.iter().position(|metric| metric.name == name) else {
            let full_name = |metric: &Metric| match metric.takes {
                Some(what) => format!("{}({what})", metric.name),
                None => metric.name.to_owned(),
            };
            let names: Vec<String> = self.metrics.iter().map(full_name).collect();
            let meant = meant(name, self.metrics.iter().map(|metric| metric.name));
            return Err(format!("there is no metric {name:.40}{meant}; there are {}", names.join(", ")));
        };
        let things = || self.things.join(", ");
        let thing = match (self.metrics[metric].takes, thing) {
            (None, None) => 0,
            (None, Some(_)) => return Err(format!("{name} takes nothing in parentheses")),
            (Some(what), None | Some("")) => {
                let example = self.things.first().map_or("", String::as_str);
                return Err(format!(
                    "{name} takes a {what}, as in {name}({example}); there are {}",
                    things()
                ));
            }
            (Some(what), Some(thing)) => {
                self.things.iter().position(|known| known == thing).ok_or_else(|| {
                    let meant = meant(thing, self.things.iter().map(String::as_str));
                    format!("there is no {what} {thing:.40}{meant}; there are {}", things())
                })?
            }
        };
        Ok(Term { metric: metric as u16, thing: thing as u16 })
    }
}

/// Which of the known names may have been meant, as a question in parentheses.
fn meant<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> String {
    near::near(written, known).map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

/// A count as a metric has it.
fn count(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// A share in thousandths, rounded down; none of nothing is 0.
fn thousandths(part: usize, whole: usize) -> i64 {
    if whole == 0 { 0 } else { count(part).saturating_mul(1000) / count(whole) }
}
