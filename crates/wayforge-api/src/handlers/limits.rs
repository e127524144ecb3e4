//! What one request may cost: everything is weighed before any work begins.

use crate::handlers::problem::{Kind, Problem};
use std::time::Duration;
use wayforge::act::{self, KindsChoice};
use wayforge::{AnyConfig, floor};

/// The limits of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest body, in bytes.
    pub body: usize,
    /// The most cells of a map: columns times rows, times floors.
    pub cells: u64,
    /// The most cells times attempts.
    pub work: u64,
    /// The most conflicts that the search for kinds may be asked to meet, over all attempts.
    pub search: u64,
    /// The most pixels of a PNG picture.
    pub pixels: u64,
    /// How long a request may take, from its first byte to its answer.
    pub time: Duration,
    /// How many maps are made or drawn at once.
    pub concurrent: usize,
    /// How many requests may wait for that.
    pub waiting: usize,
    /// How many requests a client may make in a second; 0 for as many as it likes.
    pub rate: u32,
    /// How many it may make at once after a pause.
    pub burst: u32,
    /// How many connections are served at once.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 4 << 20,
            cells: 1 << 18,
            work: 1 << 23,
            search: 2_000_000,
            pixels: 8 << 20,
            time: Duration::from_secs(10),
            concurrent: std::thread::available_parallelism().map_or(2, usize::from),
            waiting: 512,
            rate: 100,
            burst: 200,
            connections: 4096,
        }
    }
}

/// What a configuration would cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// The field that decides most, for the refusal.
    field: &'static str,
    cells: u64,
    attempts: u64,
    search: u64,
    /// True if it is a matter of microseconds: such a map is made where its request is read.
    pub quick: bool,
}

impl Load {
    /// Refuses what is beyond the limits.
    pub fn check(self, limits: &Limits) -> Result<Load, Problem> {
        let work = self.cells.saturating_mul(self.attempts);
        check_limit(self.field, "cells", self.cells, limits.cells)?;
        check_limit("attempts", "cells in all attempts together", work, limits.work)?;
        check_limit("kinds.search_limit", "conflicts over all attempts", self.search, limits.search)?;
        Ok(self)
    }

    /// Cells of one map, and conflicts that its kinds may meet.
    pub fn work(self) -> u64 {
        self.cells.saturating_add(self.search)
    }

    /// What a map would cost.
    pub fn of(config: &AnyConfig) -> Load {
        let (field, cells, attempts) = match config {
            AnyConfig::Act(config) => return Load::of_act(config),
            AnyConfig::Level(config) => {
                ("width", whole(config.width).saturating_mul(whole(config.height)), whole(config.attempts))
            }
            AnyConfig::Floor(config) => ("width", floor(config), config.rounds()),
            AnyConfig::Tower(config) => {
                let cells = floor(&config.floor).saturating_mul(whole(config.floors));
                ("floors", cells, config.floor.rounds())
            }
        };
        Load { field, cells, attempts, search: 0, quick: false }
    }

    fn of_act(config: &act::Config) -> Load {
        // Conflicts of one attempt, if the configuration brings its own kinds.
        let own = match config.kinds() {
            Some(KindsChoice::Own(kinds)) => Some(whole(kinds.search_limit)),
            _ => None,
        };
        let (plain, search) = (own.is_none(), own.unwrap_or(0));
        match config {
            act::Config::Walks(walks) => {
                let cells = whole(walks.rows).saturating_mul(whole(walks.cols));
                let drawn = whole(walks.rows).saturating_mul(whole(walks.walks));
                let open = walks.pins.is_empty() && walks.blocked.is_empty();
                let quick = plain
                    && open
                    && cells <= 512
                    && drawn <= 512
                    && walks.depth <= 64
                    && walks.restarts <= 16;
                let search = search.saturating_mul(whole(walks.attempts));
                Load { field: "rows", cells: cells.max(drawn), attempts: 1, search, quick }
            }
            act::Config::Rows(rows) => {
                let cells = whole(rows.rows).saturating_mul(whole(rows.cols));
                let search = search.saturating_mul(whole(rows.attempts));
                Load { field: "rows", cells, attempts: 1, search, quick: plain && cells <= 512 }
            }
            act::Config::Spire(_) => Load { field: "act", cells: 105, attempts: 1, search, quick: true },
        }
    }
}

/// Rejects more work than is done for one request.
pub(crate) fn check_limit(field: &str, what: &str, value: u64, most: u64) -> Result<(), Problem> {
    if value <= most {
        return Ok(());
    }
    let detail = format!("{field}: {value} {what}; at most {most} are allowed here");
    let problem = Problem::new(Kind::Limit, detail).field(field).value(value.to_string());
    Err(problem.allowed(format!("at most {most}")))
}

/// Rejects a list of more entries than a request may have.
pub(crate) fn check_count(field: &str, what: &str, count: usize, most: usize) -> Result<(), Problem> {
    if count <= most {
        return Ok(());
    }
    let detail = format!("{field}: {count} {what}; use at most {most}");
    Err(Problem::new(Kind::Limit, detail).field(field).allowed(format!("at most {most}")))
}

/// Cells of one floor.
fn floor(config: &floor::Config) -> u64 {
    let side = |given: Option<i64>| whole(given.unwrap_or(5));
    side(config.width).saturating_mul(side(config.height))
}

/// What is below zero is refused by the configuration itself.
fn whole(number: i64) -> u64 {
    number.max(0).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge::{level, tower};

    #[test]
    fn a_level_of_a_billion_cells_is_rejected() {
        let config = level::Config { width: 40_000, height: 25_000, ..level::Config::default() };
        let problem = Load::of(&AnyConfig::Level(config.into())).check(&Limits::default()).unwrap_err();
        assert!(problem.detail().contains("1000000000 cells"), "{}", problem.detail());
    }

    #[test]
    fn pins_weigh_by_what_an_attempt_has_to_do_for_them() {
        let limits = Limits::default();
        let pinned = |symbol: char, every: usize, attempts: i64| {
            let cell = |at: usize| if at.is_multiple_of(every) { symbol } else { '?' };
            let row = |y: usize| (0..64).map(|x| cell(64 * y + x)).collect();
            let config = floor::Config {
                width: Some(64),
                height: Some(64),
                attempts: Some(attempts),
                pins: (0..64).map(row).collect(),
                ..floor::Config::default()
            };
            Load::of(&AnyConfig::Floor(config.into())).check(&limits)
        };
        assert!(pinned('#', 2, 32).is_ok(), "walls cost nothing");
        assert!(pinned('.', 40, 32).is_ok() && pinned('$', 512, 32).is_ok());
        assert!(pinned('#', 2, 1000).unwrap_err().detail().starts_with("attempts: "));
        assert!(pinned('$', 8, 32).is_err(), "a way past five hundred chests is drawn anew in every attempt");
        assert!(pinned('.', 2, 32).is_err(), "two thousand cells to be joined");
    }

    #[test]
    fn extremes_do_not_overflow_and_defaults_pass() {
        let limits = Limits::default();
        let most = level::Config {
            width: i64::MAX,
            height: i64::MAX,
            attempts: i64::MAX,
            ..level::Config::default()
        };
        assert!(Load::of(&AnyConfig::Level(most.into())).check(&limits).is_err());
        let tower = tower::Config { floors: i64::MAX, ..tower::Config::default() };
        assert!(Load::of(&AnyConfig::Tower(tower.into())).check(&limits).is_err());
        let least = level::Config { width: i64::MIN, height: -1, ..level::Config::default() };
        assert!(
            Load::of(&AnyConfig::Level(least.into())).check(&limits).is_ok(),
            "its configuration refuses it"
        );
        assert!(Load::of(&AnyConfig::Level(level::Config::default().into())).check(&limits).is_ok());
        assert!(Load::of(&AnyConfig::Tower(tower::Config::default().into())).check(&limits).is_ok());
        assert!(Load::of(&AnyConfig::Floor(floor::Config::default().into())).check(&limits).is_ok());
        assert!(Load::of(&AnyConfig::Act(act::Config::default().into())).check(&limits).unwrap().quick);
    }
}
