//! Progress over a range of seeds: a bar on a terminal, plain lines elsewhere.

use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between progress lines when standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Default number of seconds between checkpoints.
pub(crate) const DEFAULT_SAVE_INTERVAL: u64 = 5;

/// Reports progress on standard error and decides when a checkpoint is due.
pub(crate) struct SeedProgress {
    bar: Option<ProgressBar>,
    total: u64,
    /// Seeds completed by earlier runs.
    initial: u64,
    start: Instant,
    last_line: Instant,
    last_save: Instant,
}

impl SeedProgress {
    /// Starts a report over `total` seeds, of which `initial` are already complete.
    pub(crate) fn new(total: u64, initial: u64) -> SeedProgress {
        let style = ProgressStyle::with_template(
            "{bar:24} {human_pos} of {human_len} seeds, {rate} per second, {msg}",
        );
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
            let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                // Ignore a bar that cannot be drawn.
                let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
            };
            style.map(|style| bar.set_style(style.with_key("rate", rate))).ok();
            bar
        });
        let now = Instant::now();
        SeedProgress { bar, total, initial, start: now, last_line: now, last_save: now }
    }

    /// Shows the number of completed seeds and a note on the results.
    pub(crate) fn show(&mut self, seeds: u64, note: impl Fn() -> String) {
        self.show_with_left(seeds, self.total.saturating_sub(seeds), note);
    }

    /// Like [`show`](SeedProgress::show), with an estimate of the seeds left for early stops.
    pub(crate) fn show_with_left(&mut self, seeds: u64, left: u64, note: impl Fn() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}{}", note(), self.time_left(seeds, left)));
            bar.set_position(seeds);
        } else if self.last_line.elapsed() > LINE_INTERVAL {
            self.last_line = Instant::now();
            self.print(&format!(
                "{}; {}{}",
                self.summary(seeds),
                note(),
                self.time_left(seeds, left)
            ));
        }
    }

    /// Runs `write` with the bar hidden, because both may use the same terminal.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Returns true if `seconds` have passed since the last checkpoint.
    pub(crate) fn is_save_due(&mut self, seconds: u64) -> bool {
        let due = self.last_save.elapsed() >= Duration::from_secs(seconds);
        if due {
            self.last_save = Instant::now();
        }
        due
    }

    /// Removes the bar and prints the final line with a note.
    pub(crate) fn finish(&self, seeds: u64, note: &str) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.print(&format!("{}; {note}", self.summary(seeds)));
    }

    fn summary(&self, seeds: u64) -> String {
        format!("{seeds} of {} seeds, {:.0} per second", self.total, self.seeds_per_second(seeds))
    }

    fn seeds_per_second(&self, seeds: u64) -> f64 {
        seeds.saturating_sub(self.initial) as f64 / self.start.elapsed().as_secs_f64().max(1e-3)
    }

    /// Estimates the remaining time from the current rate; empty while the rate is 0.
    fn time_left(&self, seeds: u64, left: u64) -> String {
        match Duration::try_from_secs_f64(left as f64 / self.seeds_per_second(seeds)) {
            Ok(left) => format!(", {:#} left", HumanDuration(left)),
            Err(_) => String::new(),
        }
    }

    fn print(&self, line: &str) {
        // Ignore a closed standard error.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
