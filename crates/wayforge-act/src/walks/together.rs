//! Walks over open ground, climbing together.
//!
//! A step depends only on the walk's column and on the edges that earlier walks drew across the same gap between two
//! rows. Where no walk can be stuck (no blocked cells, no pins, no ties between nearest columns), all walks may therefore
//! take their step across a gap before any goes on to the next: the chances of every map are the same as one walk
//! at a time, and the gap's edges stay at hand.

use super::WalksSpec;
use crate::ActMap;
use crate::skeleton::Skeleton;
use std::hint::select_unpredictable;
use wayforge_core::MapRng;

/// Where the walks are, and where they step next.
#[derive(Clone, Debug, Default)]
pub(super) struct Climbers {
    at: Vec<u8>,
    next: Vec<u8>,
}

/// Draws all walks of a specification on [open ground](WalksSpec::open_ground).
pub(super) fn draw_together(
    mut rng: MapRng,
    spec: &WalksSpec,
    climbers: &mut Climbers,
    skeleton: &mut Skeleton,
    map: &mut ActMap,
) {
    let Climbers { at, next } = climbers;
    at.clear();
    for walk in 0..spec.walks {
        // The second walk draws from the columns without the first one's.
        let skipped = if walk == 1 { at[0] } else { u8::MAX };
        let drawn = rng.below(spec.cols as u32 - u32::from(walk == 1)) as u8;
        at.push(drawn + u8::from(drawn >= skipped));
    }
    next.resize(at.len(), 0);
    skeleton.set_bottom(at);
    map.walks.fill(at.len(), spec.rows);
    map.walks.set_row(0, spec.rows, at);
    let mut gap = Gap { sources: 0, leftmost: [0; 64], rightmost: [0; 64] };
    for row in 0..spec.rows - 1 {
        gap.clear(at);
        for (&from, to) in at.iter().zip(&mut *next) {
            let near = spec.spans[usize::from(from) & 63];
            let (first, last) = gap.uncrossed(from);
            let (first, last) = (first.max(near.0), last.min(near.1));
            debug_assert!(first <= last, "a walk is stuck on open ground at row {row}");
            *to = first + rng.below(u32::from(last - first) + 1) as u8;
            gap.join(from, *to);
        }
        skeleton.set_edges(row, at, next);
        map.walks.set_row(row + 1, spec.rows, next);
        std::mem::swap(at, next);
    }
}

/// The gap between two rows while the edges across it are drawn one after another.
struct Gap {
    /// The columns that edges start from.
    sources: u64,
    /// The outermost columns that each source leads to.
    leftmost: [u8; 64],
    rightmost: [u8; 64],
}

impl Gap {
    /// Makes ready for edges from the columns `at`.
    #[inline(always)]
    fn clear(&mut self, at: &[u8]) {
        self.sources = 0;
        for &col in at {
            self.leftmost[usize::from(col) & 63] = 63;
            self.rightmost[usize::from(col) & 63] = 0;
        }
    }

    /// The first and the last column that an edge from `col` may reach without crossing an edge of this gap.
    ///
    /// Edges without crossings are ordered like their ends, so only the nearest source on either side matters. Which
    /// sides are occupied is as good as random, hence no branch.
    #[inline(always)]
    fn uncrossed(&self, col: u8) -> (u8, u8) {
        let left = self.sources & !(u64::MAX << col);
        let right = self.sources & (u64::MAX - 1) << col;
        let first = self.rightmost[63 - (left | 1).leading_zeros() as usize];
        let last = self.leftmost[(right | 1 << 63).trailing_zeros() as usize & 63];
        (select_unpredictable(left == 0, 0, first), select_unpredictable(right == 0, 63, last))
    }

    #[inline(always)]
    fn join(&mut self, from: u8, to: u8) {
        let source = usize::from(from) & 63;
        self.leftmost[source] = self.leftmost[source].min(to);
        self.rightmost[source] = self.rightmost[source].max(to);
        self.sources |= 1 << from;
    }
}
