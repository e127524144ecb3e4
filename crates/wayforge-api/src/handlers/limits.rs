//! What one request may cost: everything is weighed before any work begins.

use crate::handlers::problem::{Kind, Problem};
use std::time::Duration;
use wayforge::act::{self, KindsChoice};
use wayforge::floor;
use wayforge::level;
use wayforge::tower;

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
        let beyond = |field: &str, what: &str, value: u64, most: u64| {
            let detail = format!("{field}: {value} {what}; at most {most} are allowed here");
            Problem::new(Kind::Limit, detail)
                .field(field)
                .value(value.to_string())
                .allowed(format!("at most {most}"))
        };
        if self.cells > limits.cells {
            return Err(beyond(self.field, "cells", self.cells, limits.cells));
        }
        let work = self.cells.saturating_mul(self.attempts);
        if work > limits.work {
            return Err(beyond("attempts", "cells in all attempts together", work, limits.work));
        }
        if self.search > limits.search {
            return Err(beyond(
                "kinds.search_limit",
                "conflicts over all attempts",
                self.search,
                limits.search,
            ));
        }
        Ok(self)
    }

    /// Cells of one map, and conflicts that its kinds may meet.
    pub fn work(self) -> u64 {
        self.cells.saturating_add(self.search)
    }

    /// What an act map would cost.
    pub fn of_act(config: &act::Config) -> Load {
        let skeletons = match config {
            act::Config::Walks(config) => whole(config.attempts),
            act::Config::Rows(config) => whole(config.attempts),
            act::Config::Spire(_) => 1,
        };
        let search = match config.kinds() {
            Some(KindsChoice::Own(kinds)) => whole(kinds.search_limit).saturating_mul(skeletons),
            _ => 0,
        };
        let plain = search == 0 && !matches!(config.kinds(), Some(KindsChoice::Own(_)));
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
                Load { field: "rows", cells: cells.max(drawn), attempts: 1, search, quick }
            }
            act::Config::Rows(rows) => {
                let cells = whole(rows.rows).saturating_mul(whole(rows.cols));
                Load { field: "rows", cells, attempts: 1, search, quick: plain && cells <= 512 }
            }
            act::Config::Spire(_) => Load { field: "act", cells: 105, attempts: 1, search, quick: true },
        }
    }

    /// What a level would cost.
    pub fn of_level(config: &level::Config) -> Load {
        let cells = whole(config.width).saturating_mul(whole(config.height));
        Load { field: "width", cells, attempts: whole(config.attempts), search: 0, quick: false }
    }

    /// What a floor would cost.
    pub fn of_floor(config: &floor::Config) -> Load {
        Load { field: "width", cells: floor(config), attempts: config.rounds(), search: 0, quick: false }
    }

    /// What a tower would cost.
    pub fn of_tower(config: &tower::Config) -> Load {
        let cells = floor(&config.floor).saturating_mul(whole(config.floors));
        Load { field: "floors", cells, attempts: config.floor.rounds(), search: 0, quick: false }
    }
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
    use wayforge::level;

    #[test]
    fn a_level_of_a_billion_cells_is_rejected() {
        let config = level::Config { width: 40_000, height: 25_000, ..level::Config::default() };
        let problem = Load::of_level(&config).check(&Limits::default()).unwrap_err();
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
            Load::of_floor(&config).check(&limits)
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
        assert!(Load::of_level(&most).check(&limits).is_err());
        let tower = tower::Config { floors: i64::MAX, ..tower::Config::default() };
        assert!(Load::of_tower(&tower).check(&limits).is_err());
        let least = level::Config { width: i64::MIN, height: -1, ..level::Config::default() };
        assert!(Load::of_level(&least).check(&limits).is_ok(), "its configuration refuses it");
        assert!(Load::of_level(&level::Config::default()).check(&limits).is_ok());
        assert!(Load::of_tower(&tower::Config::default()).check(&limits).is_ok());
        assert!(Load::of_floor(&floor::Config::default()).check(&limits).is_ok());
        assert!(Load::of_act(&act::Config::default()).check(&limits).unwrap().quick);
    }
}
