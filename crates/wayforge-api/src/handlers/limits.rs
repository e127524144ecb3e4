//! Limits of the service, and the cost estimates that are checked before any work begins.

use crate::handlers::problem::{Problem, ProblemKind};
use std::fmt::Display;
use std::time::Duration;
use wayforge::act::{self, KindsChoice};
use wayforge::{AnyConfig, WorkLimit, floor};

/// Limits of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a body in bytes.
    pub body: usize,
    /// Maximum number of cells of a map: columns times rows, times floors.
    pub cells: u64,
    /// Maximum product of cells and attempts.
    pub work: u64,
    /// Maximum number of conflicts of the kind search, over all attempts.
    pub search: u64,
    /// Maximum number of pixels of a PNG.
    pub pixels: u64,
    /// Limit on the steps of work of one generation, validation, seed search, path search or
    /// animation.
    pub work_limit: WorkLimit,
    /// Maximum duration of a request, from its first byte to its response.
    pub timeout: Duration,
    /// Maximum number of maps that are generated or drawn at the same time.
    pub workers: usize,
    /// Maximum number of requests waiting for a worker.
    pub waiting: usize,
    /// Maximum number of requests per second and client; 0 for no limit.
    pub rate: u32,
    /// Maximum number of requests that an idle client may send at once.
    pub burst: u32,
    /// Maximum number of requests per second for one guild, over all its clients; 0 for no limit.
    pub guild_rate: u32,
    /// Maximum number of requests for an idle guild at once.
    pub guild_burst: u32,
    /// Maximum number of channels of a guild with a map or a history; 0 for no limit.
    pub guild_channels: u32,
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum number of open connections per client address.
    pub client_connections: usize,
    /// Maximum number of response bytes that clients have not read yet.
    pub unsent: usize,
    /// Maximum number of response bytes that one client address has not read yet; also the maximum
    /// size of a response.
    pub client_unsent: usize,
    /// Maximum time in which a client reads nothing while a response is pending.
    pub write_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 4 << 20,
            cells: 1 << 18,
            work: 1 << 23,
            search: 2_000_000,
            pixels: 8 << 20,
            work_limit: Limits::work_within(DEFAULT_TIMEOUT),
            timeout: DEFAULT_TIMEOUT,
            workers: std::thread::available_parallelism().map_or(2, usize::from),
            waiting: 512,
            rate: 100,
            burst: 200,
            guild_rate: 500,
            guild_burst: 1000,
            guild_channels: 10_000,
            connections: 4096,
            client_connections: 512,
            unsent: 256 << 20,
            client_unsent: 64 << 20,
            write_timeout: Duration::from_secs(10),
        }
    }
}

/// Default of [`Limits::timeout`].
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// Typical steps of work per millisecond; `benches/examples/work.rs` measures them. Work that is
/// slower ends when its request times out.
const STEPS_PER_MILLISECOND: u64 = 200_000;

impl Limits {
    /// Returns the limits with an interrupt, which stops work as soon as it returns true.
    pub fn with_interrupt(&self, interrupt: impl Fn() -> bool + Send + Sync + 'static) -> Limits {
        Limits { work_limit: self.work_limit.clone().with_interrupt(interrupt), ..self.clone() }
    }

    /// Returns the limit on steps of work that corresponds to a duration.
    pub fn work_within(duration: Duration) -> WorkLimit {
        let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        WorkLimit::steps(milliseconds.saturating_mul(STEPS_PER_MILLISECOND))
    }
}

/// Estimated cost of generating a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostEstimate {
    /// Field with the largest influence on the number of cells, for the error message.
    field: &'static str,
    cells: u64,
    attempts: u64,
    search: u64,
    /// Whether generation takes microseconds and can run on the request's thread.
    pub is_inline: bool,
}

impl CostEstimate {
    /// Checks the cost against the limits.
    ///
    /// # Errors
    /// [`ProblemKind::LimitExceeded`] names the field with the largest influence.
    pub fn check(self, limits: &Limits) -> Result<CostEstimate, Problem> {
        let cells = self.cells.saturating_mul(self.attempts);
        check_limit(self.field, "cells", self.cells, limits.cells)?;
        check_limit("attempts", "cells in all attempts together", cells, limits.work)?;
        check_limit(
            "kinds.search_limit",
            "conflicts over all attempts",
            self.search,
            limits.search,
        )?;
        Ok(self)
    }

    /// Returns the cost of one map: cells plus maximum number of conflicts of the kind search.
    pub fn work(self) -> u64 {
        self.cells.saturating_add(self.search)
    }

    /// Returns the cost of all attempts together: cells of all attempts plus maximum number of
    /// conflicts.
    pub fn max_work(self) -> u64 {
        self.cells.saturating_mul(self.attempts).saturating_add(self.search)
    }

    /// Estimates the cost of a configuration.
    pub fn for_config(config: &AnyConfig) -> CostEstimate {
        let (field, cells, attempts) = match config {
            AnyConfig::Act(config) => return CostEstimate::for_act(config),
            AnyConfig::Level(config) => (
                "width",
                unsigned(config.width).saturating_mul(unsigned(config.height)),
                unsigned(config.attempts),
            ),
            AnyConfig::Floor(config) => ("width", floor_cells(config), config.max_passes()),
            AnyConfig::Tower(config) => {
                let cells = floor_cells(&config.floor).saturating_mul(unsigned(config.floors));
                ("floors", cells, config.floor.max_passes())
            }
        };
        CostEstimate { field, cells, attempts, search: 0, is_inline: false }
    }

    fn for_act(config: &act::Config) -> CostEstimate {
        // Maximum number of conflicts per attempt, if the configuration has custom kinds.
        let custom = match config.kinds() {
            Some(KindsChoice::Custom(kinds)) => Some(unsigned(kinds.search_limit)),
            _ => None,
        };
        let product = |a: i64, b: i64| unsigned(a).saturating_mul(unsigned(b));
        let (field, cells, attempts, is_small) = match config {
            act::Config::Walks(walks) => {
                let cells = product(walks.rows, walks.cols).max(product(walks.rows, walks.walks));
                let is_open_grid = walks.pins.is_empty() && walks.blocked.is_empty();
                let is_small = is_open_grid && walks.depth <= 64 && walks.restarts <= 16;
                ("rows", cells, walks.attempts, is_small)
            }
            act::Config::Rows(rows) => ("rows", product(rows.rows, rows.cols), rows.attempts, true),
            act::Config::Spire(_) => ("act", 105, 1, true),
        };
        CostEstimate {
            field,
            cells,
            attempts: 1,
            search: custom.unwrap_or(0).saturating_mul(unsigned(attempts)),
            is_inline: custom.is_none() && is_small && cells <= 512,
        }
    }
}

/// Rejects a number above a limit of the server.
pub(crate) fn check_limit<N: Display + PartialOrd>(
    field: &str,
    unit: &str,
    number: N,
    max: N,
) -> Result<(), Problem> {
    if number <= max {
        return Ok(());
    }
    let detail = format!("{field}: {number} {unit}; at most {max} are allowed");
    let problem = Problem::new(ProblemKind::LimitExceeded, detail).field(field);
    Err(problem.value(number.to_string()).allowed(format!("at most {max}")))
}

/// Returns the number of cells of one floor.
fn floor_cells(config: &floor::Config) -> u64 {
    let side = |given: Option<i64>| unsigned(given.unwrap_or(5));
    side(config.width).saturating_mul(side(config.height))
}

/// Clamps negative numbers to 0; resolving the configuration rejects them.
fn unsigned(number: i64) -> u64 {
    number.max(0).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge::{level, tower};

    #[test]
    fn rejects_a_level_with_a_billion_cells() {
        let config = level::Config { width: 40_000, height: 25_000, ..level::Config::default() };
        let problem = CostEstimate::for_config(&AnyConfig::Level(config.into()))
            .check(&Limits::default())
            .unwrap_err();
        assert!(problem.detail().contains("1000000000 cells"), "{}", problem.detail());
    }

    #[test]
    fn cost_of_pins_depends_on_their_symbol() {
        let limits = Limits::default();
        let pinned = |symbol: char, every: usize, attempts: i64| {
            let cell = |index: usize| if index.is_multiple_of(every) { symbol } else { '?' };
            let row = |y: usize| (0..64).map(|x| cell(64 * y + x)).collect();
            let config = floor::Config {
                width: Some(64),
                height: Some(64),
                attempts: Some(attempts),
                pins: (0..64).map(row).collect(),
                ..floor::Config::default()
            };
            CostEstimate::for_config(&AnyConfig::Floor(config.into())).check(&limits)
        };
        assert!(pinned('#', 2, 32).is_ok(), "pinned walls are free");
        assert!(pinned('.', 40, 32).is_ok() && pinned('$', 512, 32).is_ok());
        assert!(pinned('#', 2, 1000).unwrap_err().detail().starts_with("attempts: "));
        assert!(
            pinned('$', 8, 32).is_err(),
            "every attempt routes a path past five hundred chests"
        );
        assert!(pinned('.', 2, 32).is_err(), "every attempt connects two thousand cells");
    }

    #[test]
    fn extreme_values_do_not_overflow_and_defaults_pass() {
        let limits = Limits::default();
        let largest = level::Config {
            width: i64::MAX,
            height: i64::MAX,
            attempts: i64::MAX,
            ..level::Config::default()
        };
        assert!(
            CostEstimate::for_config(&AnyConfig::Level(largest.into())).check(&limits).is_err()
        );
        let tower = tower::Config { floors: i64::MAX, ..tower::Config::default() };
        assert!(CostEstimate::for_config(&AnyConfig::Tower(tower.into())).check(&limits).is_err());
        let negative = level::Config { width: i64::MIN, height: -1, ..level::Config::default() };
        assert!(
            CostEstimate::for_config(&AnyConfig::Level(negative.into())).check(&limits).is_ok(),
            "resolving the configuration rejects it"
        );
        assert!(
            CostEstimate::for_config(&AnyConfig::Level(level::Config::default().into()))
                .check(&limits)
                .is_ok()
        );
        assert!(
            CostEstimate::for_config(&AnyConfig::Tower(tower::Config::default().into()))
                .check(&limits)
                .is_ok()
        );
        assert!(
            CostEstimate::for_config(&AnyConfig::Floor(floor::Config::default().into()))
                .check(&limits)
                .is_ok()
        );
        assert!(
            CostEstimate::for_config(&AnyConfig::Act(act::Config::default().into()))
                .check(&limits)
                .unwrap()
                .is_inline
        );
    }
}
