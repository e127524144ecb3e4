//! What the server counts, in the text format that Prometheus reads.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper ends of the classes of durations, in microseconds.
const CLASSES: [u64; 13] =
    [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000];

/// Counters of one server.
#[derive(Default)]
pub(crate) struct Metrics {
    /// By route, method and status: bounded, because all three are words of ours.
    series: Mutex<BTreeMap<(String, &'static str, u16), Series>>,
    /// Requests under way.
    pub(crate) open: AtomicUsize,
    /// Maps made, by inline work and by workers.
    pub(crate) made: AtomicU64,
}

#[derive(Clone, Default)]
struct Series {
    count: u64,
    micros: u64,
    classes: [u64; CLASSES.len()],
}

impl Metrics {
    /// Counts one answered request.
    pub(crate) fn answered(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let micros = took.as_micros() as u64;
        let mut all = self.series.lock().unwrap_or_else(PoisonError::into_inner);
        // Looking up by a borrowed route would need a key type of its own; the copy is small.
        let series = all.entry((route.to_owned(), method, status)).or_default();
        series.count += 1;
        series.micros += micros;
        if let Some(class) = CLASSES.iter().position(|&end| micros <= end) {
            series.classes[class] += 1;
        }
    }

    /// All counters as text; `workers` is how many are at work and how many wait.
    pub(crate) fn render(&self, workers: (usize, usize)) -> String {
        let mut text = String::new();
        let version = env!("CARGO_PKG_VERSION");
        let (open, made) = (self.open.load(Ordering::Relaxed), self.made.load(Ordering::Relaxed));
        let (busy, waiting) = workers;
        for (name, kind, help, value) in [
            ("build_info", "gauge", "The version.", format!("{{version=\"{version}\"}} 1")),
            ("maps_made_total", "counter", "Maps made.", format!(" {made}")),
            ("requests_open", "gauge", "Requests under way.", format!(" {open}")),
            ("workers_busy", "gauge", "Workers that make or draw maps.", format!(" {busy}")),
            ("workers_queue", "gauge", "Requests that wait for a worker.", format!(" {waiting}")),
        ] {
            let _ = writeln!(
                text,
                "# HELP wayforge_{name} {help}\n# TYPE wayforge_{name} {kind}\nwayforge_{name}{value}"
            );
        }
        let all = self.series.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let name = "wayforge_request_seconds";
        let _ = writeln!(
            text,
            "# HELP {name} Time from a request's head to its answer.\n# TYPE {name} histogram"
        );
        for ((route, method, status), series) in &all {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            let mut below = 0;
            for (end, count) in CLASSES.iter().zip(series.classes) {
                below += count;
                let end = *end as f64 / 1e6;
                let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{end}\"}} {below}");
            }
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", series.count);
            let _ = writeln!(text, "{name}_sum{{{labels}}} {}", series.micros as f64 / 1e6);
            let _ = writeln!(text, "{name}_count{{{labels}}} {}", series.count);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_add_up() {
        let metrics = Metrics::default();
        for micros in [50, 100, 101, 9_000_000] {
            metrics.answered("/v1/act", "GET", 200, Duration::from_micros(micros));
        }
        let text = metrics.render((1, 2));
        let labels = "route=\"/v1/act\",method=\"GET\",status=\"200\"";
        for line in [
            format!("wayforge_request_seconds_bucket{{{labels},le=\"0.0001\"}} 2"),
            format!("wayforge_request_seconds_bucket{{{labels},le=\"5\"}} 3"),
            format!("wayforge_request_seconds_bucket{{{labels},le=\"+Inf\"}} 4"),
            format!("wayforge_request_seconds_count{{{labels}}} 4"),
            "wayforge_workers_queue 2".to_owned(),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
