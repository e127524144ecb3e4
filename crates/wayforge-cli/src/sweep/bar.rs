//! How far the seeds are gone through: a bar on a terminal, plain lines elsewhere.

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal.
const LINES: Duration = Duration::from_secs(10);
/// How often a state is kept, unless somebody wants otherwise.
pub(crate) const SAVES: u64 = 5;

/// A bar, or the lines in its place.
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
    all: u64,
    first: u64,
    start: Instant,
    line: Instant,
    save: Instant,
}

impl Bar {
    /// A bar over `all` seeds, of which `first` were gone through before.
    pub(crate) fn new(all: u64, first: u64) -> Bar {
        let style =
            ProgressStyle::with_template("{bar:24} {human_pos} of {human_len} seeds, {rate} a second, {msg}");
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(5));
            let whole = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                // A bar that cannot be drawn is no reason to stop.
                let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
            };
            style.map(|style| bar.set_style(style.with_key("rate", whole))).ok();
            bar
        });
        let now = Instant::now();
        Bar { bar, all, first, start: now, line: now, save: now }
    }

    /// Shows how many seeds were gone through, and a note on what came of them.
    pub(crate) fn show(&mut self, seeds: u64, note: impl Fn() -> String) {
        self.show_with_left(seeds, self.all.saturating_sub(seeds), note);
    }

    /// Shows the same where fewer seeds than all may be left to go through.
    pub(crate) fn show_with_left(&mut self, seeds: u64, left: u64, note: impl Fn() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}{}", note(), self.time_left(seeds, left)));
            bar.set_position(seeds);
        } else if self.line.elapsed() > LINES {
            self.line = Instant::now();
            self.tell(&format!("{}; {}{}", self.rate(seeds), note(), self.time_left(seeds, left)));
        }
    }

    /// Writes to a terminal that may be the bar's.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Whether the state should be kept again, as it is every so many seconds.
    pub(crate) fn is_time_to_save(&mut self, seconds: u64) -> bool {
        let due = self.save.elapsed() >= Duration::from_secs(seconds);
        if due {
            self.save = Instant::now();
        }
        due
    }

    /// The last line, with a last note.
    pub(crate) fn finish(&self, seeds: u64, note: &str) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.tell(&format!("{}; {note}", self.rate(seeds)));
    }

    fn rate(&self, seeds: u64) -> String {
        format!("{seeds} of {} seeds, {:.0} a second", self.all, self.seeds_a_second(seeds))
    }

    fn seeds_a_second(&self, seeds: u64) -> f64 {
        seeds.saturating_sub(self.first) as f64 / self.start.elapsed().as_secs_f64().max(1e-3)
    }

    /// How long the rest takes at the same rate, once there is one.
    fn time_left(&self, seeds: u64, left: u64) -> String {
        match Duration::try_from_secs_f64(left as f64 / self.seeds_a_second(seeds)) {
            Ok(left) => format!(", {:#} left", HumanDuration(left)),
            Err(_) => String::new(),
        }
    }

    fn tell(&self, line: &str) {
        // Nothing can be done for a reader that has gone away.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
