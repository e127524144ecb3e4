//! Prints matching seeds and lists of metrics.

use super::Match;
use crate::failure::Failure;
use crate::format::FormatArg;
use crate::output::Output;
use serde_json::{Map, Value, json};
use wayforge::AnySpec;
use wayforge::Seed;
use wayforge::metric::{Catalogue, Term};
use wayforge_analysis::search::Worker;

/// Prints seeds as they are found, with the metrics of the query.
pub(super) struct Printer {
    output: Output,
    format: FormatArg,
    catalogue: Catalogue,
    worker: Worker,
    terms: Vec<Term>,
    row: Vec<i64>,
    /// Number of printed seeds.
    seeds: usize,
}

impl Printer {
    pub(super) fn new(
        output: Output,
        format: FormatArg,
        spec: &AnySpec,
        terms: Vec<Term>,
    ) -> Printer {
        let (catalogue, worker) = (spec.catalogue(), Worker::new(spec));
        Printer { output, format, catalogue, worker, row: vec![0; terms.len()], terms, seeds: 0 }
    }

    /// Returns the number of printed seeds.
    pub(super) fn seeds(&self) -> usize {
        self.seeds
    }

    /// Prints more seeds and flushes a pipe or terminal.
    pub(super) fn print(&mut self, found: &[Match]) -> Result<(), Failure> {
        for (seed, distance) in found {
            // Seeds without metrics need no map.
            if self.format != FormatArg::Seeds {
                self.worker.measure(seed.clone(), &self.terms, &mut self.row);
            }
            let line = self.line(seed, *distance);
            self.output.write(line.as_bytes())?;
        }
        self.seeds += found.len();
        self.output.flush_stream()
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.output.finish()
    }

    fn line(&self, seed: &Seed, distance: Option<u64>) -> String {
        let metrics = self
            .terms
            .iter()
            .zip(&self.row)
            .map(|(&term, &value)| (self.catalogue.name(term), value));
        match self.format {
            FormatArg::Seeds => format!("{seed}\n"),
            FormatArg::Json => {
                let metrics: Map<String, Value> =
                    metrics.map(|(name, value)| (name, value.into())).collect();
                let mut line = json!({ "seed": seed.to_string(), "metrics": metrics });
                if let Some(distance) = distance {
                    line["distance"] = distance.into();
                }
                format!("{line}\n")
            }
            _ => {
                let metrics: Vec<String> =
                    metrics.map(|(name, value)| format!("{name} {value}")).collect();
                let distance =
                    distance.map_or_else(String::new, |distance| format!("  distance {distance}"));
                format!("{seed:>20}{distance}  {}\n", metrics.join("  "))
            }
        }
    }
}

/// Lists the metrics of a family.
pub(super) fn list_metrics(catalogue: &Catalogue, mut output: Output) -> Result<(), Failure> {
    for metric in catalogue.metrics() {
        let parameter = metric.parameter.map_or_else(String::new, |name| format!("({name})"));
        let name = format!("{}{parameter}", metric.name);
        output
            .write(format!("{name:<18} {:<12} {}\n", metric.unit, metric.description).as_bytes())?;
    }
    let arguments = catalogue.arguments();
    if !arguments.is_empty() {
        output.write(format!("\nArguments: {}\n", arguments.join(", ")).as_bytes())?;
    }
    output.finish()
}
