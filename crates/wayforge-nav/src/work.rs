//! Counting the work of searches.

use wayforge_core::Work;

/// Number of tiles whose work is counted together, because counting each would slow inner loops.
const TILES_PER_COUNT: usize = 1024;
/// Steps of work of one cone scan, which reads some hundred words.
pub(super) const STEPS_PER_SCAN: u64 = 64;

/// Counts the work of the `n`-th tile of a search. Returns false if the search must stop.
#[inline]
pub(super) fn count_tile(work: &Work, n: usize) -> bool {
    !n.is_multiple_of(TILES_PER_COUNT) || work.spend(TILES_PER_COUNT as u64)
}
