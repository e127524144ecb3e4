//! Bidirectional breadth-first search (Pohl 1971) on bitboards.
//!
//! Two bit-parallel searches expand from the sources and from the targets until they share a tile.
//!
//! **Exactness.** Both searches expand by whole levels. While they share no tile after `a` and `b`
//! levels, no path of `a + b` steps or fewer exists: its tile `a` steps from the source would be in
//! both sets. One more level of either search finds a common tile, if at all, at `a + b + 1` steps,
//! which is the minimum.

use super::bit_bfs::BitBfs;
use super::blocks::Blocks;
use super::query::{Connectivity, Guarantee, Method, Path, Query, SearchStats};
use wayforge_core::Work;
use wayforge_core::grid::{BitGrid, Dir, Pos};

/// State of the forward and the backward search.
#[derive(Clone, Debug)]
pub(super) struct BidirectionalBfs {
    forward: BitBfs<2>,
    backward: BitBfs<2>,
}

impl BidirectionalBfs {
    pub(super) fn new(blocks: &Blocks) -> BidirectionalBfs {
        BidirectionalBfs { forward: BitBfs::new(blocks), backward: BitBfs::new(blocks) }
    }

    /// Runs a validated query that counts steps; returns false if no path exists.
    pub(super) fn find_into(
        &mut self,
        blocks: &Blocks,
        query: &Query,
        path: &mut Path,
        work: &Work,
    ) -> bool {
        let meeting = match query.connectivity {
            Connectivity::Four => self.find_meeting::<false>(blocks, query, work),
            Connectivity::Eight => self.find_meeting::<true>(blocks, query, work),
        };
        // Tiles reached from both sides count once.
        let visited = self.forward.visited_count(blocks, |_| 0)
            + self
                .backward
                .visited_count(blocks, |block| self.forward.reached(block, blocks.open[block]));
        path.stats = SearchStats { visited, ..SearchStats::default() };
        let Some((block, tiles)) = meeting else { return false };
        let pos = blocks.pos(block, tiles.trailing_zeros());
        path.tiles.clear();
        walk_back(&self.forward, blocks, query.connectivity, pos, &mut path.tiles);
        path.tiles.reverse();
        path.tiles.pop();
        walk_back(&self.backward, blocks, query.connectivity, pos, &mut path.tiles);
        (path.guarantee, path.method) = (Guarantee::Exact, Method::Bidirectional);
        true
    }

    /// Adds the tiles reached by either search of the last query to `set`.
    pub(super) fn add_visited(&self, blocks: &Blocks, set: &mut BitGrid) {
        self.forward.add_visited(blocks, set);
        self.backward.add_visited(blocks, set);
    }

    /// Updates blocks after an edit.
    pub(super) fn update_blocks(&mut self, blocks: &Blocks, edited: &[usize]) {
        self.forward.update_blocks(blocks, edited);
        self.backward.update_blocks(blocks, edited);
    }

    /// Returns a block and the tiles in it that both searches have reached.
    fn find_meeting<const EIGHT: bool>(
        &mut self,
        blocks: &Blocks,
        query: &Query,
        work: &Work,
    ) -> Option<(usize, u64)> {
        let (forward, backward) = (&mut self.forward, &mut self.backward);
        forward.begin(blocks, &query.sources);
        backward.begin(blocks, &query.targets);
        let meeting = forward.frontier().iter().find_map(|&(block, new)| {
            let common = backward.reached(block as usize, new);
            (common != 0).then_some((block as usize, common))
        });
        if meeting.is_some() {
            return meeting;
        }
        // Expanding the smaller frontier first reaches fewer tiles in total.
        while !forward.frontier().is_empty() && !backward.frontier().is_empty() {
            let (smaller, other) = if forward.frontier().len() <= backward.frontier().len() {
                (&mut *forward, &*backward)
            } else {
                (&mut *backward, &*forward)
            };
            if !work.spend(smaller.frontier().len() as u64) {
                return None;
            }
            let mut meeting = None;
            smaller.expand_with::<EIGHT>(blocks, |block, new| {
                let common = other.reached(block, new);
                if common != 0 && meeting.is_none() {
                    meeting = Some((block, common));
                }
            });
            if meeting.is_some() {
                return meeting;
            }
        }
        None
    }
}

/// Appends the tiles from `from` (in the last level of the search) back to the nearest start.
///
/// Both ends are included.
fn walk_back(
    bfs: &BitBfs<2>,
    blocks: &Blocks,
    connectivity: Connectivity,
    from: Pos,
    tiles: &mut Vec<Pos>,
) {
    let mut pos = from;
    tiles.push(pos);
    let mut last = Dir::North;
    for level in (0..bfs.level()).rev() {
        let nearer = |dir: Dir| -> Option<(Dir, Pos)> {
            let to = step_without_cutting_corners(blocks, pos, dir)?;
            let (block, bit) = blocks.locate(to);
            bfs.has_code_of(block, bit, level).then_some((dir, to))
        };
        let diagonals = Dir::ALL
            .into_iter()
            .filter(|dir| connectivity == Connectivity::Eight && dir.is_diagonal());
        // Trying the previous direction first avoids needless turns.
        let mut dirs = [last].into_iter().chain(Dir::STRAIGHT).chain(diagonals);
        let step = dirs.find_map(nearer);
        // Every tile except a start has a neighbour one step nearer.
        let Some((dir, to)) = step else { return };
        (last, pos) = (dir, to);
        tiles.push(pos);
    }
}

/// Returns the end of a step in direction `dir`, or `None` if it leaves the grid or cuts a corner.
///
/// The end of a straight step may be blocked.
fn step_without_cutting_corners(blocks: &Blocks, pos: Pos, dir: Dir) -> Option<Pos> {
    let to = pos.step(dir, blocks.size)?;
    let (from, bit) = blocks.locate(pos);
    let mask = match dir {
        Dir::NorthEast => blocks.diagonals[from][0],
        Dir::NorthWest => blocks.diagonals[from][1],
        Dir::SouthEast => blocks.diagonals[from][2],
        Dir::SouthWest => blocks.diagonals[from][3],
        _ => return Some(to),
    };
    (mask >> bit & 1 == 1).then_some(to)
}
