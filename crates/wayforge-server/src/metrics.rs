//! Server metrics in Prometheus text format.

use crate::connections::Connections;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the histogram buckets in microseconds.
const BUCKETS: [u64; 13] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
    5_000_000,
];

/// Metrics of one server.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Durations by route, method and status. Bounded, because clients cannot create new keys.
    durations: Mutex<BTreeMap<(String, &'static str, u16), Histogram>>,
    /// Number of requests in flight.
    pub(crate) in_flight: AtomicUsize,
    /// Number of generated maps.
    pub(crate) generated: AtomicU64,
    /// Open connections.
    pub(crate) connections: Arc<Connections>,
}

/// Histogram of durations.
#[derive(Clone, Default)]
struct Histogram {
    count: u64,
    /// Sum of all durations in microseconds.
    total_micros: u64,
    /// Number of durations per bucket, not cumulative.
    buckets: [u64; BUCKETS.len()],
}

impl Metrics {
    /// Records a response.
    pub(crate) fn record(
        &self,
        route: &str,
        method: &'static str,
        status: u16,
        duration: Duration,
    ) {
        let micros = duration.as_micros() as u64;
        let mut all = self.durations.lock().unwrap_or_else(PoisonError::into_inner);
        // Copies the route: a lookup without the copy would need a separate key type.
        let histogram = all.entry((route.to_owned(), method, status)).or_default();
        histogram.count += 1;
        histogram.total_micros += micros;
        if let Some(bucket) = BUCKETS.iter().position(|&bound| micros <= bound) {
            histogram.buckets[bucket] += 1;
        }
    }

    /// Renders all metrics. `workers` is the number of busy workers and of waiting requests,
    /// `unsent` the number of response bytes that clients have not read yet.
    pub(crate) fn render(&self, workers: (usize, usize), unsent: usize) -> String {
        let mut text = String::new();
        let version = env!("CARGO_PKG_VERSION");
        let in_flight = self.in_flight.load(Ordering::Relaxed);
        let generated = self.generated.load(Ordering::Relaxed);
        let (busy, waiting) = workers;
        let open = self.connections.total();
        for (name, kind, help, value) in [
            ("build_info", "gauge", "Version.", format!("{{version=\"{version}\"}} 1")),
            ("maps_generated_total", "counter", "Generated maps.", format!(" {generated}")),
            ("requests_in_flight", "gauge", "Requests in flight.", format!(" {in_flight}")),
            ("workers_busy", "gauge", "Busy workers.", format!(" {busy}")),
            ("requests_waiting", "gauge", "Requests waiting for a worker.", format!(" {waiting}")),
            ("connections_open", "gauge", "Open connections.", format!(" {open}")),
            ("unsent_bytes", "gauge", "Response bytes not read yet.", format!(" {unsent}")),
        ] {
            let name = format!("wayforge_{name}");
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name}{value}");
        }
        let all = self.durations.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let name = "wayforge_request_duration_seconds";
        let _ = writeln!(
            text,
            "# HELP {name} Time from a request's headers to its response.\n# TYPE {name} histogram"
        );
        for ((route, method, status), histogram) in &all {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            let mut cumulative = 0;
            for (bound, count) in BUCKETS.iter().zip(histogram.buckets) {
                cumulative += count;
                let bound = *bound as f64 / 1e6;
                let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {cumulative}");
            }
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", histogram.count);
            let _ =
                writeln!(text, "{name}_sum{{{labels}}} {}", histogram.total_micros as f64 / 1e6);
            let _ = writeln!(text, "{name}_count{{{labels}}} {}", histogram.count);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_buckets_are_cumulative() {
        let metrics = Metrics::default();
        for micros in [50, 100, 101, 9_000_000] {
            metrics.record("/v1/act", "GET", 200, Duration::from_micros(micros));
        }
        let text = metrics.render((1, 2), 3);
        let labels = "route=\"/v1/act\",method=\"GET\",status=\"200\"";
        for line in [
            format!("wayforge_request_duration_seconds_bucket{{{labels},le=\"0.0001\"}} 2"),
            format!("wayforge_request_duration_seconds_bucket{{{labels},le=\"5\"}} 3"),
            format!("wayforge_request_duration_seconds_bucket{{{labels},le=\"+Inf\"}} 4"),
            format!("wayforge_request_duration_seconds_count{{{labels}}} 4"),
            "wayforge_requests_waiting 2".to_owned(),
            "wayforge_unsent_bytes 3".to_owned(),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
