//! Step costs as integers, so that sums are exact on every platform.

use crate::query::{Connectivity, Metric};

/// Step costs in units of 2^-32 straight steps.
///
/// When steps are counted, a diagonal step costs one unit more than a straight one. A cheapest path
/// then has the fewest steps and, among such paths, the fewest diagonals. Jump points are proved to
/// be sufficient only for these paths (`docs/pathfinding.md`). A grid has at most 2^28 tiles, so
/// the extra units of a path add up to less than one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Costs {
    pub(super) connectivity: Connectivity,
    metric: Metric,
    diagonal: u64,
}

const STRAIGHT: u64 = 1 << 32;
/// Square root of 2, rounded up to the next unit.
const SQRT_2: u64 = 6_074_001_000;

impl Costs {
    pub(super) fn new(connectivity: Connectivity, metric: Metric) -> Costs {
        let diagonal = match metric {
            Metric::Steps => STRAIGHT + 1,
            Metric::Octile => SQRT_2,
        };
        Costs { connectivity, metric, diagonal }
    }

    /// Returns the shift from a cost to its bucket: one step per bucket, or an eighth of a step for
    /// octile distances.
    #[inline]
    pub(super) fn bucket_shift(self) -> u32 {
        match self.metric {
            Metric::Steps => 32,
            Metric::Octile => 29,
        }
    }

    /// Returns the first bucket that cannot contain anything better than a path of this cost.
    #[inline]
    pub(super) fn end_bucket(self, cost: u64) -> u64 {
        match self.metric {
            // A path with equally many steps and fewer diagonals is not shorter.
            Metric::Steps => cost >> 32,
            Metric::Octile => (cost >> 29) + 1,
        }
    }

    /// Returns true if two costs represent the same length.
    ///
    /// When steps are counted, the extra cost of diagonals is ignored.
    #[inline]
    pub(super) fn is_same_length(self, a: u64, b: u64) -> bool {
        match self.metric {
            Metric::Steps => a >> 32 == b >> 32,
            Metric::Octile => a == b,
        }
    }

    /// Returns the cost of the steps of a cone.
    #[inline]
    pub(super) fn of_cone_steps(self, major_steps: u32, minor_steps: u32) -> u64 {
        let major_cost = match self.connectivity {
            Connectivity::Four => STRAIGHT,
            Connectivity::Eight => self.diagonal,
        };
        u64::from(major_steps) * major_cost + u64::from(minor_steps) * STRAIGHT
    }

    /// Returns the cost between tiles `dx` columns and `dy` rows apart, ignoring obstacles.
    #[inline]
    pub(super) fn unobstructed(self, dx: u32, dy: u32) -> u64 {
        match self.connectivity {
            Connectivity::Four => self.of_cone_steps(dx, dy),
            Connectivity::Eight => self.of_cone_steps(dx.min(dy), dx.abs_diff(dy)),
        }
    }

    /// Returns a lower bound on the cost of a path, given lower bounds on its number of steps.
    ///
    /// `query_steps` bounds the steps with the connectivity of the query, `four_steps` the steps
    /// with four neighbours.
    ///
    /// A path of `s` straight and `d` diagonal steps has `s + d` steps with eight neighbours and
    /// `s + 2 d` with four. Its octile length `s + d * sqrt 2` is therefore
    /// `(2 - sqrt 2) (s + d) + (sqrt 2 - 1) (s + 2 d)`.
    #[inline]
    pub(super) fn of_step_bounds(self, query_steps: u32, four_steps: Option<u32>) -> u64 {
        match (self.metric, self.connectivity, four_steps) {
            (Metric::Octile, Connectivity::Eight, Some(four_steps)) => {
                let mixed = u64::from(query_steps) * (2 * STRAIGHT - SQRT_2)
                    + u64::from(four_steps) * (SQRT_2 - 1 - STRAIGHT);
                mixed.max(u64::from(query_steps) * STRAIGHT)
            }
            _ => u64::from(query_steps) * STRAIGHT,
        }
    }
}
