//! Depth gating: widest-path search (Pollack 1960), then breadth-first search.
//!
//! The depth of a path is the smallest magnitude of its tiles. The widest-path search visits tiles
//! of larger magnitude first and finds the maximum depth of any path. The breadth-first search then
//! finds the shortest path through tiles of at least the requested depth.

use super::bfs::{BLOCKED, MultiSourceBfs};
use super::nav_grid::NavGrid;
use super::query::{Path, Query};
use super::straighten::Run;
use super::work::count_tile;
use wayforge_core::Work;
use wayforge_core::grid::{BitGrid, Pos};

/// Scratch buffers of depth gating.
#[derive(Clone, Debug)]
pub(super) struct DepthSearch {
    bfs: MultiSourceBfs,
    /// Magnitude of each tile, indexed like the cells of the breadth-first search.
    depth: Vec<u8>,
    /// Tiles to visit, by the depth of the path to them.
    buckets: Vec<Vec<u32>>,
    /// Minimum magnitude used by the last query.
    min_depth: u8,
}

impl DepthSearch {
    pub(super) fn new(grid: &NavGrid) -> DepthSearch {
        let bfs = MultiSourceBfs::new(grid);
        let mut depth = vec![0; bfs.cells.len()];
        for pos in grid.open().iter() {
            depth[bfs.layout.index(pos)] = grid.magnitude(pos);
        }
        DepthSearch { bfs, depth, buckets: vec![Vec::new(); 256], min_depth: 0 }
    }

    /// Finds the shortest path for the largest feasible depth of the query, or else for depth 0.
    ///
    /// Returns false if no path exists.
    pub(super) fn find_into(&mut self, query: &Query, path: &mut Path, work: &Work) -> bool {
        let Some(max_depth) = self.max_depth(query, work) else { return false };
        let min_depth =
            query.depths.iter().copied().filter(|&depth| depth <= max_depth).max().unwrap_or(0);
        let depth = &self.depth;
        let is_allowed = |tile: usize| depth[tile] >= min_depth;
        let found = self.bfs.find_filtered(query, path, is_allowed, work);
        path.depth = Some(min_depth);
        self.min_depth = min_depth;
        found
    }

    /// Returns true if every step of a run is legal on tiles that the last query allowed.
    pub(super) fn is_clear(&self, run: &Run) -> bool {
        run.is_clear(|pos| {
            let tile = self.bfs.layout.index(pos);
            self.bfs.cells[tile].seen != BLOCKED && self.depth[tile] >= self.min_depth
        })
    }

    /// Returns the tiles that the last query allowed.
    pub(super) fn region(&self, grid: &NavGrid) -> BitGrid {
        grid.with_min_magnitude(self.min_depth).open().clone()
    }

    pub(super) fn visited(&self) -> BitGrid {
        self.bfs.visited()
    }

    /// Updates a tile after an edit.
    pub(super) fn update_tile(&mut self, grid: &NavGrid, pos: Pos) {
        self.bfs.set_open(pos, grid.is_open(pos));
        self.depth[self.bfs.layout.index(pos)] = grid.magnitude(pos);
    }

    /// Returns the largest depth of any path.
    ///
    /// Straight steps are sufficient, because a diagonal step also needs both tiles beside it.
    fn max_depth(&mut self, query: &Query, work: &Work) -> Option<u8> {
        self.bfs.begin(query);
        self.buckets.iter_mut().for_each(Vec::clear);
        for (i, &pos) in query.sources.iter().enumerate() {
            self.bfs.enqueue_source(pos, i);
        }
        for i in 0..self.bfs.queue.len() {
            let tile = self.bfs.queue[i];
            self.buckets[usize::from(self.depth[tile as usize])].push(tile);
        }
        let (steps, stamp) = (self.bfs.layout.steps(), self.bfs.stamp);
        let (mut level, mut dequeued) = (255_usize, 0);
        loop {
            let Some(tile) = self.buckets[level].pop() else {
                level = level.checked_sub(1)?;
                continue;
            };
            dequeued += 1;
            if !count_tile(work, dequeued) {
                return None;
            }
            let tile = tile as usize;
            if self.bfs.cells[tile].goal == stamp {
                return Some(level as u8);
            }
            for step in &steps[..4] {
                let to = tile.wrapping_add_signed(*step);
                // The level never increases, so the first visit of a tile has its maximum depth.
                let cell = &mut self.bfs.cells[to];
                if cell.seen < stamp {
                    cell.seen = stamp;
                    self.buckets[level.min(self.depth[to].into())].push(to as u32);
                }
            }
        }
    }
}
