//! Depth gating: the deepest way there is, and the shortest of those.
//!
//! A way is as deep as its shallowest tile. First the greatest depth of any way is found, by visiting deeper water before
//! shallower; then a plain search through water of that depth finds the shortest way.

use super::bfs::{LAND, MultiSourceAnyTargetBFS};
use super::query::{Query, Way};
use super::straighten::Run;
use super::water::Water;
use wayforge_core::grid::{BitGrid, Pos};

/// The scratch of depth gating.
#[derive(Clone, Debug)]
pub(super) struct DepthSearch {
    fine: MultiSourceAnyTargetBFS,
    /// The magnitude of each tile, in the plain search's order.
    depth: Vec<u8>,
    /// Tiles to visit, by the depth of the way to them.
    waiting: Vec<Vec<u32>>,
    /// Smallest depth that the last query allowed.
    least: u8,
}

impl DepthSearch {
    pub(super) fn new(water: &Water) -> DepthSearch {
        let fine = MultiSourceAnyTargetBFS::new(water);
        let mut depth = vec![0; fine.cells.len()];
        for pos in water.open().iter() {
            depth[fine.frame.index(pos)] = water.magnitude(pos);
        }
        DepthSearch { fine, depth, waiting: vec![Vec::new(); 256], least: 0 }
    }

    /// Finds the way for the deepest of the query's depths that has one; any water in the end.
    pub(super) fn find_into(&mut self, query: &Query, way: &mut Way) -> bool {
        let Some(deepest) = self.deepest(query) else { return false };
        let least = query.depths.iter().copied().filter(|&depth| depth <= deepest).max().unwrap_or(0);
        let depth = &self.depth;
        let found = self.fine.find_where(query, way, |at| depth[at] >= least);
        way.depth = Some(least);
        self.least = least;
        found
    }

    /// True if every step of a run is legal on the tiles that the last query allowed.
    pub(super) fn is_clear(&self, run: &Run) -> bool {
        run.is_clear(|pos| {
            let at = self.fine.frame.index(pos);
            self.fine.cells[at].seen != LAND && self.depth[at] >= self.least
        })
    }

    /// Tiles that the last query allowed.
    pub(super) fn region(&self, water: &Water) -> BitGrid {
        water.at_least(self.least).open().clone()
    }

    pub(super) fn visited(&self) -> BitGrid {
        self.fine.visited()
    }

    /// Takes over a tile that was edited.
    pub(super) fn set(&mut self, water: &Water, pos: Pos) {
        self.fine.set(pos, water.is_open(pos));
        self.depth[self.fine.frame.index(pos)] = water.magnitude(pos);
    }

    /// The greatest depth of any way. Diagonals need not be looked at: both tiles beside one are as deep as the way.
    fn deepest(&mut self, query: &Query) -> Option<u8> {
        self.fine.begin(query);
        self.waiting.iter_mut().for_each(Vec::clear);
        for (i, &pos) in query.sources.iter().enumerate() {
            self.fine.seed(pos, i);
        }
        for i in 0..self.fine.queue.len() {
            let at = self.fine.queue[i];
            self.waiting[usize::from(self.depth[at as usize])].push(at);
        }
        let (steps, stamp) = (self.fine.frame.steps(), self.fine.stamp);
        let mut level = 255_usize;
        loop {
            let Some(at) = self.waiting[level].pop() else {
                level = level.checked_sub(1)?;
                continue;
            };
            let at = at as usize;
            if self.fine.cells[at].goal == stamp {
                return Some(level as u8);
            }
            for step in &steps[..4] {
                let to = at.wrapping_add_signed(*step);
                // Levels only sink: the first visit is by the deepest way.
                let cell = &mut self.fine.cells[to];
                if cell.seen < stamp {
                    cell.seen = stamp;
                    self.waiting[level.min(self.depth[to].into())].push(to as u32);
                }
            }
        }
    }
}
