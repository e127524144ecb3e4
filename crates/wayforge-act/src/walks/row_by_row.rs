//! Row-by-row generation of all walks at once, for unrestricted grids.
//!
//! A step depends only on the column of the walk and on the edges of earlier walks between the same
//! two rows. Without blocked cells, pins and ties between nearest columns no walk can get stuck.
//! All walks can then advance one row before any advances further. Every map has the same
//! probability as with one walk at a time, and each pair of rows is visited only once.

use super::WalksSpec;
use crate::ActMap;
use crate::skeleton::Skeleton;
use std::hint::select_unpredictable;
use wayforge_core::MapRng;

/// Columns of all walks on the current and on the next row.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    current: Vec<u8>,
    next: Vec<u8>,
}

/// Generates all walks of an [unrestricted](WalksSpec::unrestricted) specification.
pub(super) fn generate(
    mut rng: MapRng,
    spec: &WalksSpec,
    positions: &mut Positions,
    skeleton: &mut Skeleton,
    map: &mut ActMap,
) {
    let Positions { current, next } = positions;
    current.clear();
    for walk in 0..spec.walks {
        // The second walk must not start where the first one does.
        let skipped = if walk == 1 { current[0] } else { u8::MAX };
        let drawn = rng.below(spec.cols as u32 - u32::from(walk == 1)) as u8;
        current.push(drawn + u8::from(drawn >= skipped));
    }
    next.resize(current.len(), 0);
    skeleton.set_bottom(current);
    map.walks.resize(current.len(), spec.rows);
    map.walks.set_row(0, spec.rows, current);
    let mut edges = RowEdges { sources: 0, leftmost: [0; 64], rightmost: [0; 64] };
    for row in 0..spec.rows - 1 {
        edges.clear(current);
        for (&from, to) in current.iter().zip(&mut *next) {
            let nearest = spec.spans[usize::from(from) & 63];
            let (first, last) = edges.uncrossed(from);
            let (first, last) = (first.max(nearest.0), last.min(nearest.1));
            debug_assert!(first <= last, "a walk is stuck on an unrestricted grid at row {row}");
            *to = first + rng.below(u32::from(last - first) + 1) as u8;
            edges.add_edge(from, *to);
        }
        skeleton.set_edges(row, current, next);
        map.walks.set_row(row + 1, spec.rows, next);
        std::mem::swap(current, next);
    }
}

/// Edges between two neighbouring rows.
struct RowEdges {
    /// Columns with an outgoing edge.
    sources: u64,
    /// Outermost targets of each source.
    leftmost: [u8; 64],
    rightmost: [u8; 64],
}

impl RowEdges {
    /// Removes all edges and prepares for edges from the columns `sources`.
    #[inline(always)]
    fn clear(&mut self, sources: &[u8]) {
        self.sources = 0;
        for &col in sources {
            self.leftmost[usize::from(col) & 63] = 63;
            self.rightmost[usize::from(col) & 63] = 0;
        }
    }

    /// Returns the first and last column that an edge from `col` reaches without crossing another.
    ///
    /// Uncrossed edges have the same order at both ends, so only the nearest source on either side
    /// matters. Branches would be mispredicted here, so the code uses conditional moves.
    #[inline(always)]
    fn uncrossed(&self, col: u8) -> (u8, u8) {
        let left = self.sources & !(u64::MAX << col);
        let right = self.sources & (u64::MAX - 1) << col;
        let first = self.rightmost[63 - (left | 1).leading_zeros() as usize];
        let last = self.leftmost[(right | 1 << 63).trailing_zeros() as usize & 63];
        (select_unpredictable(left == 0, 0, first), select_unpredictable(right == 0, 63, last))
    }

    #[inline(always)]
    fn add_edge(&mut self, from: u8, to: u8) {
        let source = usize::from(from) & 63;
        self.leftmost[source] = self.leftmost[source].min(to);
        self.rightmost[source] = self.rightmost[source].max(to);
        self.sources |= 1 << from;
    }
}
