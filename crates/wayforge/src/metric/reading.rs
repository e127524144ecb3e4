//! Metrics of one map with all that is told of them.

use super::{Catalogue, Meter};
use serde::Serialize;

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

impl Catalogue {
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
}
