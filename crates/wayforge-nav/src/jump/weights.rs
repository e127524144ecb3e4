//! What steps cost, as whole numbers, so that sums are exact and the same everywhere.

use crate::query::{Metric, Moves};

/// Costs in units of 2^-32 of a straight step.
///
/// In steps a diagonal costs one unit more than a straight step: among ways with the fewest steps the one with the fewest
/// diagonals is wanted, because for that order, and for no other tie, jump points are enough (see the module). Even 2^28
/// diagonals do not add up to one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    pub(super) moves: Moves,
    metric: Metric,
    diagonal: u64,
}

const STRAIGHT: u64 = 1 << 32;
/// The square root of two, rounded up in the last place.
const ROOT: u64 = 6_074_001_000;

impl Weights {
    pub(super) fn new(moves: Moves, metric: Metric) -> Weights {
        let diagonal = match metric {
            Metric::Steps => STRAIGHT + 1,
            Metric::Octile => ROOT,
        };
        Weights { moves, metric, diagonal }
    }

    /// Costs are put into buckets of a step, or of an eighth of one: by how many bits to shift them.
    #[inline]
    pub(super) fn bucket_shift(self) -> u32 {
        match self.metric {
            Metric::Steps => 32,
            Metric::Octile => 29,
        }
    }

    /// The first bucket that holds nothing which could be better than a way of this cost.
    #[inline]
    pub(super) fn last_bucket(self, cost: u64) -> u64 {
        match self.metric {
            // Fewer diagonals at the same number of steps are no shorter.
            Metric::Steps => cost >> 32,
            Metric::Octile => (cost >> 29) + 1,
        }
    }

    /// True if two costs stand for the same length: in steps diagonals only break ties.
    #[inline]
    pub(super) fn same(self, one: u64, two: u64) -> bool {
        match self.metric {
            Metric::Steps => one >> 32 == two >> 32,
            Metric::Octile => one == two,
        }
    }

    /// The cost of a cone's steps.
    #[inline]
    pub(super) fn of(self, slant: u32, straight: u32) -> u64 {
        let slanted = match self.moves {
            Moves::Four => STRAIGHT,
            Moves::Eight => self.diagonal,
        };
        u64::from(slant) * slanted + u64::from(straight) * STRAIGHT
    }

    /// The cost between tiles so many columns and rows apart, if all were water.
    #[inline]
    pub(super) fn apart(self, dx: u32, dy: u32) -> u64 {
        match self.moves {
            Moves::Four => self.of(dx, dy),
            Moves::Eight => self.of(dx.min(dy), dx.abs_diff(dy)),
        }
    }

    /// The least cost of a way that has at least `major` steps with the query's moves, and at least `minor` with four.
    ///
    /// A way of `s` straight and `d` diagonal steps has `s + d` steps with eight neighbours and `s + 2 d` with four, so its
    /// octile length `s + d * sqrt 2` is `(2 - sqrt 2) (s + d) + (sqrt 2 - 1) (s + 2 d)`.
    #[inline]
    pub(super) fn of_steps(self, major: u32, minor: Option<u32>) -> u64 {
        match (self.metric, self.moves, minor) {
            (Metric::Octile, Moves::Eight, Some(minor)) => {
                let mixed =
                    u64::from(major) * (2 * STRAIGHT - ROOT) + u64::from(minor) * (ROOT - 1 - STRAIGHT);
                mixed.max(u64::from(major) * STRAIGHT)
            }
            _ => u64::from(major) * STRAIGHT,
        }
    }
}
