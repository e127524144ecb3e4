//! How far a search is: a bar on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal.
const LINES: Duration = Duration::from_secs(10);
/// How often the state is kept.
const SAVES: Duration = Duration::from_secs(5);

/// A bar, or the lines in its place.
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    wanted: u64,
    all: u64,
    first: Option<u64>,
    start: Instant,
    line: Instant,
    save: Instant,
}

impl Bar {
    /// A bar over `all` seeds, of which `wanted` are to be found.
    pub(super) fn new(all: u64, wanted: u64) -> Bar {
        let style = ProgressStyle::with_template(
            "{bar:24} {human_pos} of {human_len} seeds, {per_sec}, {msg}, {eta} left",
        );
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(5));
            style.map(|style| bar.set_style(style)).ok();
            bar
        });
        let now = Instant::now();
        Bar { bar, wanted, all, first: None, start: now, line: now, save: now }
    }

    /// Shows how many seeds were gone through and how many of them are wanted ones.
    pub(super) fn show(&mut self, seeds: u64, found: u64) {
        let first = *self.first.get_or_insert(seeds);
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{found} of {} found", self.wanted));
            bar.set_position(seeds);
        } else if self.line.elapsed() > LINES {
            self.line = Instant::now();
            self.tell(&format!("{}; {found} of {} found", self.rate(seeds, first), self.wanted));
        }
    }

    /// Whether the state should be kept again.
    pub(super) fn is_time_to_save(&mut self) -> bool {
        let due = self.save.elapsed() > SAVES;
        if due {
            self.save = Instant::now();
        }
        due
    }

    /// The last line. `stopped` holds the file to go on from, if there is one.
    pub(super) fn finish(&self, seeds: u64, found: u64, stopped: Option<Option<String>>) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let end = match stopped {
            None => String::new(),
            Some(Some(path)) => format!("; stopped, go on with --resume {path}"),
            Some(None) => "; stopped".to_owned(),
        };
        self.tell(&format!(
            "{}; {found} of {} found{end}",
            self.rate(seeds, self.first.unwrap_or(0)),
            self.wanted
        ));
    }

    fn rate(&self, seeds: u64, first: u64) -> String {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        format!("{seeds} of {} seeds, {:.0} a second", self.all, (seeds - first) as f64 / seconds)
    }

    fn tell(&self, line: &str) {
        // Nothing can be done for a reader that has gone away.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
