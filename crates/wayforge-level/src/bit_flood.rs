//! Bit-parallel flood fill with one-way cells, forward and backward.
//!
//! A row is stored as 64-bit words. Horizontal runs are filled inside a word by integer addition
//! (eastward) and by a Kogge-Stone parallel prefix (Kogge & Stone 1973; westward).

use crate::cell_flags::MoverGrid;
use wayforge_core::grid::{BitGrid, Pos};

/// Scratch buffers of flood fills.
#[derive(Clone, Debug, Default)]
pub(super) struct BitFlood {
    queue: Vec<u32>,
    queued: Vec<bool>,
}

/// Direction of a search over directed steps.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Direction {
    /// Along the steps: cells that the mover can reach.
    Forward,
    /// Against the steps: cells from which the mover can reach the given cells.
    Backward,
}

impl BitFlood {
    /// Extends `reached`, which contains the start cells, to its closure under steps.
    ///
    /// The queue contains the words with new cells.
    ///
    /// # Complexity
    /// O(cells) in the worst case, because a word is queued again only after it gained a cell;
    /// typically O(cells / 64).
    pub(super) fn spread(&mut self, grid: &MoverGrid, direction: Direction, reached: &mut BitGrid) {
        self.queue.clear();
        self.queued.clear();
        self.queued.resize(reached.words().len(), false);
        for (index, word) in reached.words().iter().enumerate() {
            if *word != 0 {
                self.queued[index] = true;
                self.queue.push(index as u32);
            }
        }
        let view = GridWords::new(grid, direction, reached);
        let mut next = 0;
        while let Some(&index) = self.queue.get(next) {
            next += 1;
            let index = index as usize;
            self.queued[index] = false;
            let words = reached.words_mut();
            words[index] = view.fill_word(index, words[index]);
            let bits = words[index];
            view.visit_neighbours(index, bits, |to, gained| {
                let gained = gained & view.open[to] & !words[to];
                if gained != 0 {
                    words[to] |= gained;
                    if !self.queued[to] {
                        self.queued[to] = true;
                        self.queue.push(to as u32);
                    }
                }
            });
        }
    }

    /// Computes the cells reachable from `starts`.
    pub(super) fn fill_from(
        &mut self,
        grid: &MoverGrid,
        starts: impl IntoIterator<Item = Pos>,
        reached: &mut BitGrid,
    ) {
        reached.reset(grid.open.size());
        starts
            .into_iter()
            .filter(|pos| grid.open.contains(*pos))
            .for_each(|pos| reached.insert(pos));
        self.spread(grid, Direction::Forward, reached);
    }
}

/// The words of a grid with the direction of the search.
struct GridWords<'a> {
    open: &'a [u64],
    corners: &'a [u64],
    /// By compass direction; `None` on grids without one-way cells.
    blocked_exits: Option<[&'a [u64]; 4]>,
    diagonal: bool,
    travel: Direction,
    stride: usize,
    rows: usize,
}

const NORTH: usize = 0;
const SOUTH: usize = 1;
const WEST: usize = 2;
const EAST: usize = 3;

impl<'a> GridWords<'a> {
    fn new(grid: &'a MoverGrid, travel: Direction, reached: &BitGrid) -> GridWords<'a> {
        let stride = reached.stride();
        GridWords {
            open: grid.open.words(),
            corners: grid.corners.words(),
            blocked_exits: <&[BitGrid; 4]>::try_from(grid.blocked_exits.as_slice())
                .ok()
                .map(|exits| exits.each_ref().map(BitGrid::words)),
            diagonal: grid.diagonal,
            travel,
            stride,
            rows: reached.words().len() / stride.max(1),
        }
    }

    /// Returns the cells of word `index` that can be left in a compass direction.
    #[inline]
    fn leavable(&self, index: usize, direction: usize) -> u64 {
        self.blocked_exits.map_or(u64::MAX, |exits| !exits[direction][index])
    }

    /// Fills horizontally inside one word.
    #[inline]
    fn fill_word(&self, index: usize, bits: u64) -> u64 {
        let open = self.open[index];
        let Some([_, _, west, east]) = self.blocked_exits else {
            return fill_down(open, fill_up(open, bits));
        };
        let (not_west, not_east) = (west[index], east[index]);
        let (mut bits, mut before) = (bits, 0);
        // One-way cells interrupt runs, so both directions alternate until nothing changes.
        while bits != before {
            before = bits;
            bits = match self.travel {
                // Leavable cells continue a run; the cell after the run may be any open cell.
                Direction::Forward => {
                    let east = fill_up(open & !not_east, bits & !not_east);
                    let bits = bits | east | (east << 1 & open);
                    let west = fill_down(open & !not_west, bits & !not_west);
                    bits | west | (west >> 1 & open)
                }
                // Add only cells from which a step leads here: on the left, those leavable
                // eastward.
                Direction::Backward => {
                    let bits = bits | fill_up(open & !not_west, bits << 1 & open & !not_west);
                    bits | fill_down(open & !not_east, bits >> 1 & open & !not_east)
                }
            };
        }
        bits
    }

    /// Calls `visit` with every neighbouring word and the cells of it that are one step away.
    #[inline]
    fn visit_neighbours(&self, index: usize, bits: u64, mut visit: impl FnMut(usize, u64)) {
        let (w, y) = (index % self.stride, index / self.stride);
        let (left, right) = (w > 0, w + 1 < self.stride);
        let forward = self.travel == Direction::Forward;
        // The cell that a step leaves must be leavable: `index` forward, the neighbour backward.
        let from = |index: usize, direction: usize| {
            if forward { self.leavable(index, direction) } else { u64::MAX }
        };
        let to = |index: usize, direction: usize| {
            if forward { u64::MAX } else { self.leavable(index, direction) }
        };
        let (eastward, westward) = if forward { (EAST, WEST) } else { (WEST, EAST) };
        if right && bits >> 63 == 1 {
            visit(index + 1, (bits & from(index, eastward)) >> 63 & to(index + 1, eastward));
        }
        if left && bits & 1 == 1 {
            visit(index - 1, (bits & from(index, westward)) << 63 & to(index - 1, westward));
        }
        let vertical = [(y > 0, NORTH, SOUTH), (y + 1 < self.rows, SOUTH, NORTH)];
        for (i, (exists, ahead, behind)) in vertical.into_iter().enumerate() {
            if !exists {
                continue;
            }
            let row = if i == 0 { index - self.stride } else { index + self.stride };
            let direction = if forward { ahead } else { behind };
            let leaving = bits & from(index, direction);
            visit(row, leaving & to(row, direction));
            if !self.diagonal {
                continue;
            }
            let (east, west) = (leaving & from(index, eastward), leaving & from(index, westward));
            let (no_east, no_west) = self.blocked_diagonals(index, row, w);
            let lands = |row, sideward| to(row, direction) & to(row, sideward);
            visit(
                row,
                (east << 1 & !no_east & lands(row, eastward))
                    | (west >> 1 & !no_west & lands(row, westward)),
            );
            if right && east >> 63 == 1 {
                let (no_east, _) = self.blocked_diagonals(index + 1, row + 1, w + 1);
                visit(row + 1, east >> 63 & !no_east & lands(row + 1, eastward));
            }
            if left && west & 1 == 1 {
                let (_, no_west) = self.blocked_diagonals(index - 1, row - 1, w - 1);
                visit(row - 1, west << 63 & !no_west & lands(row - 1, westward));
            }
        }
    }

    /// Cells of the word `row` that a diagonal step from the row of `index` cannot enter, from the
    /// left and from the right, because both cells beside the step are corners.
    #[inline]
    fn blocked_diagonals(&self, index: usize, row: usize, w: usize) -> (u64, u64) {
        let corners = self.corners;
        let from_left = if w > 0 { corners[row - 1] >> 63 } else { 0 };
        let from_right = if w + 1 < self.stride { corners[row + 1] << 63 } else { 0 };
        (
            (corners[row] << 1 | from_left) & corners[index],
            (corners[row] >> 1 | from_right) & corners[index],
        )
    }
}

/// Fills runs of `open` from `bits` towards higher columns, by integer addition.
#[inline]
fn fill_up(open: u64, bits: u64) -> u64 {
    let bits = bits & open;
    bits | ((open.wrapping_add(bits) ^ open) & open)
}

/// Fills runs of `open` from `bits` towards lower columns, by parallel prefix (Kogge-Stone).
#[inline]
fn fill_down(open: u64, bits: u64) -> u64 {
    let (mut bits, mut open) = (bits & open, open);
    for shift in [1, 2, 4, 8, 16, 32] {
        bits |= bits >> shift & open;
        open &= open >> shift;
    }
    bits
}
