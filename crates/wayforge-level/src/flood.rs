//! Which cells a mover can reach, and from which cells it can reach others, 64 cells at a time.

use super::ground::Field;
use wayforge_core::grid::{BitGrid, Pos};

/// Memory for floods, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Flood {
    queue: Vec<u32>,
    waiting: Vec<bool>,
}

/// Which way steps are taken.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    /// Where the mover can go.
    Forward,
    /// Where the mover can come from.
    Backward,
}

impl Flood {
    /// Grows `reached` over the field until nothing can be added; it may hold several starts.
    ///
    /// Words wait in a queue while they hold cells that have not been spread. Every word that is taken out again has won at
    /// least one cell since, so the work is linear in the cells at worst and in the words as a rule.
    pub(super) fn spread(&mut self, field: &Field, way: Way, reached: &mut BitGrid) {
        let stride = reached.stride();
        self.queue.clear();
        self.waiting.clear();
        self.waiting.resize(reached.words().len(), false);
        for (at, word) in reached.words().iter().enumerate() {
            if *word != 0 {
                self.waiting[at] = true;
                self.queue.push(at as u32);
            }
        }
        let view = View { field, way, stride, rows: reached.words().len() / stride.max(1) };
        let mut next = 0;
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            let at = at as usize;
            self.waiting[at] = false;
            let words = reached.words_mut();
            words[at] = view.along(at, words[at]);
            let bits = words[at];
            view.neighbours(at, bits, |to, won| {
                let won = won & field.open.words()[to] & !words[to];
                if won != 0 {
                    words[to] |= won;
                    if !self.waiting[to] {
                        self.waiting[to] = true;
                        self.queue.push(to as u32);
                    }
                }
            });
        }
    }

    /// The cells reached from `starts`.
    pub(super) fn from(
        &mut self,
        field: &Field,
        starts: impl IntoIterator<Item = Pos>,
        reached: &mut BitGrid,
    ) {
        reached.reset(field.open.size());
        starts.into_iter().filter(|pos| field.open.contains(*pos)).for_each(|pos| reached.insert(pos));
        self.spread(field, Way::Forward, reached);
    }
}

/// A field with the way it is crossed.
struct View<'a> {
    field: &'a Field,
    way: Way,
    stride: usize,
    rows: usize,
}

const NORTH: usize = 0;
const SOUTH: usize = 1;
const WEST: usize = 2;
const EAST: usize = 3;

impl View<'_> {
    /// Cells of word `at` that are not held back in a direction.
    #[inline]
    fn loose(&self, at: usize, direction: usize) -> u64 {
        self.field.held.get(direction).map_or(u64::MAX, |held| !held.words()[at])
    }

    /// Spreads the cells of one word along its row.
    #[inline]
    fn along(&self, at: usize, bits: u64) -> u64 {
        let open = self.field.open.words()[at];
        let [_, _, west, east] = self.field.held.as_slice() else { return down(open, up(open, bits)) };
        let (not_west, not_east) = (west.words()[at], east.words()[at]);
        let (mut bits, mut before) = (bits, 0);
        // A step against a moving floor stops a run, so a run may have to be taken up again from the other side.
        while bits != before {
            before = bits;
            bits = match self.way {
                // Loose cells pass a run on; the cell after the run may be entered, whatever it is.
                Way::Forward => {
                    let east = up(open & !not_east, bits & !not_east);
                    let bits = bits | east | (east << 1 & open);
                    let west = down(open & !not_west, bits & !not_west);
                    bits | west | (west >> 1 & open)
                }
                // Only cells that could step here are joined: from the left those loose eastward.
                Way::Backward => {
                    let bits = bits | up(open & !not_west, bits << 1 & open & !not_west);
                    bits | down(open & !not_east, bits >> 1 & open & !not_east)
                }
            };
        }
        bits
    }

    /// Hands the steps out of word `at` to every word they lead to.
    #[inline]
    fn neighbours(&self, at: usize, bits: u64, mut give: impl FnMut(usize, u64)) {
        let (w, y) = (at % self.stride, at / self.stride);
        let (left, right) = (w > 0, w + 1 < self.stride);
        let forward = self.way == Way::Forward;
        // Forward a mover must be loose where it stands, backward where it came from.
        let from = |at: usize, direction: usize| if forward { self.loose(at, direction) } else { u64::MAX };
        let to = |at: usize, direction: usize| if forward { u64::MAX } else { self.loose(at, direction) };
        let (eastward, westward) = if forward { (EAST, WEST) } else { (WEST, EAST) };
        if right && bits >> 63 == 1 {
            give(at + 1, (bits & from(at, eastward)) >> 63 & to(at + 1, eastward));
        }
        if left && bits & 1 == 1 {
            give(at - 1, (bits & from(at, westward)) << 63 & to(at - 1, westward));
        }
        let vertical = [(y > 0, NORTH, SOUTH), (y + 1 < self.rows, SOUTH, NORTH)];
        for (i, (exists, ahead, behind)) in vertical.into_iter().enumerate() {
            if !exists {
                continue;
            }
            let row = if i == 0 { at - self.stride } else { at + self.stride };
            let direction = if forward { ahead } else { behind };
            let leaving = bits & from(at, direction);
            give(row, leaving & to(row, direction));
            if !self.field.diagonal {
                continue;
            }
            let (east, west) = (leaving & from(at, eastward), leaving & from(at, westward));
            let (no_east, no_west) = self.squeezed(at, row, w);
            let lands = |row, sideward| to(row, direction) & to(row, sideward);
            give(
                row,
                (east << 1 & !no_east & lands(row, eastward)) | (west >> 1 & !no_west & lands(row, westward)),
            );
            if right && east >> 63 == 1 {
                let (no_east, _) = self.squeezed(at + 1, row + 1, w + 1);
                give(row + 1, east >> 63 & !no_east & lands(row + 1, eastward));
            }
            if left && west & 1 == 1 {
                let (_, no_west) = self.squeezed(at - 1, row - 1, w - 1);
                give(row - 1, west << 63 & !no_west & lands(row - 1, westward));
            }
        }
    }

    /// Cells of the word `row` where a diagonal step from the row of `at` cannot land, coming from the left and from the
    /// right: the cell behind it on its row and the cell beside it on the other row are both corners.
    #[inline]
    fn squeezed(&self, at: usize, row: usize, w: usize) -> (u64, u64) {
        let corners = self.field.corners.words();
        let from_left = if w > 0 { corners[row - 1] >> 63 } else { 0 };
        let from_right = if w + 1 < self.stride { corners[row + 1] << 63 } else { 0 };
        ((corners[row] << 1 | from_left) & corners[at], (corners[row] >> 1 | from_right) & corners[at])
    }
}

/// Fills runs of `open` from `bits` towards higher columns: adding carries through a run.
#[inline]
fn up(open: u64, bits: u64) -> u64 {
    let bits = bits & open;
    bits | ((open.wrapping_add(bits) ^ open) & open)
}

/// Fills runs of `open` from `bits` towards lower columns.
#[inline]
fn down(open: u64, bits: u64) -> u64 {
    let (mut bits, mut open) = (bits & open, open);
    for shift in [1, 2, 4, 8, 16, 32] {
        bits |= bits >> shift & open;
        open &= open >> shift;
    }
    bits
}
