//! What is written of the seeds that are found.

use super::Found;
use crate::failure::Failure;
use crate::format::OutputFormat;
use crate::output::Output;
use serde_json::{Map, Value, json};
use wayforge::AnySpec;
use wayforge::Seed;
use wayforge::metric::{Catalogue, Term};
use wayforge_analysis::search::Worker;

/// Writes seeds as they are found, with the metrics that were asked about.
pub(super) struct Told {
    output: Output,
    format: OutputFormat,
    catalogue: Catalogue,
    worker: Worker,
    terms: Vec<Term>,
    row: Vec<i64>,
    seeds: usize,
}

impl Told {
    pub(super) fn new(output: Output, format: OutputFormat, subject: &AnySpec, terms: Vec<Term>) -> Told {
        let (catalogue, worker) = (subject.catalogue(), Worker::new(subject));
        Told { output, format, catalogue, worker, row: vec![0; terms.len()], terms, seeds: 0 }
    }

    /// How many seeds are told.
    pub(super) fn seeds(&self) -> usize {
        self.seeds
    }

    /// Tells more of them; whoever reads along has them at once.
    pub(super) fn tell(&mut self, found: &[Found]) -> Result<(), Failure> {
        for (seed, distance) in found {
            // Seeds alone need no map.
            if self.format != OutputFormat::Seeds {
                self.worker.measure(seed.clone(), &self.terms, &mut self.row);
            }
            let line = self.line(seed, *distance);
            self.output.write(line.as_bytes())?;
        }
        self.seeds += found.len();
        self.output.hand_over()
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.output.finish()
    }

    fn line(&self, seed: &Seed, distance: Option<u64>) -> String {
        let metrics =
            self.terms.iter().zip(&self.row).map(|(&term, &value)| (self.catalogue.name(term), value));
        match self.format {
            OutputFormat::Seeds => format!("{seed}\n"),
            OutputFormat::Json => {
                let metrics: Map<String, Value> = metrics.map(|(name, value)| (name, value.into())).collect();
                let mut line = json!({ "seed": seed.to_string(), "metrics": metrics });
                if let Some(distance) = distance {
                    line["distance"] = distance.into();
                }
                format!("{line}\n")
            }
            _ => {
                let told: Vec<String> = metrics.map(|(name, value)| format!("{name} {value}")).collect();
                let far = distance.map_or_else(String::new, |distance| format!("  distance {distance}"));
                format!("{seed:>20}{far}  {}\n", told.join("  "))
            }
        }
    }
}

/// Lists the metrics of a family.
pub(super) fn list_metrics(catalogue: &Catalogue, mut output: Output) -> Result<(), Failure> {
    for metric in catalogue.metrics() {
        let takes = metric.takes.map_or_else(String::new, |what| format!("({what})"));
        let name = format!("{}{takes}", metric.name);
        output.write(format!("{name:<18} {:<12} {}\n", metric.unit, metric.about).as_bytes())?;
    }
    let things = catalogue.things();
    if !things.is_empty() {
        output.write(format!("\nIn parentheses: {}\n", things.join(", ")).as_bytes())?;
    }
    output.finish()
}
