//! `maze`: randomized depth-first search ("recursive backtracker"), with dead ends opened into
//! loops ("braiding"; Buck 2015).

use super::BaseLevel;
use crate::pins::interior;
use crate::trace::{Event, WallRecorder};
use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Dir, Pos};
use wayforge_core::trace::Tracer;

/// Generates a maze on the lattice of every second interior cell.
///
/// A randomized depth-first search connects all lattice cells that terrain does not separate. Each
/// dead end is opened into a loop with probability 1/2. Objects on the floor are connected to the
/// corridors.
///
/// # Complexity
/// O(cells).
pub(super) fn generate(
    rng: &mut MapRng,
    base: BaseLevel<'_>,
    walls: &mut BitGrid,
    recorder: &mut WallRecorder<'_, impl Tracer<Event>>,
) {
    let size = walls.size();
    let (across, down) = (usize::from(size.width - 3) / 2, usize::from(size.height - 3) / 2);
    let lattice = Lattice { across, down, base };
    for y in 2..size.height - 2 {
        walls.insert_run(y, 2, size.width - 3);
    }
    let mut seen = vec![false; across * down];
    let first = rng.below((across * down) as u32) as usize;
    let mut stack = Vec::new();
    for start in (0..across * down).map(|i| (first + i) % (across * down)) {
        if seen[start] || !base.is_passable(lattice.pos(start)) {
            continue;
        }
        seen[start] = true;
        recorder.record(walls);
        walls.remove(lattice.pos(start));
        stack.push(start);
        while let Some(&cell) = stack.last() {
            let directions = lattice.open_directions(cell, |to, _| !seen[to]);
            let Some(direction) = rng.choose_bit(directions) else {
                stack.pop();
                continue;
            };
            let (to, between) = lattice.step(cell, direction as usize);
            seen[to] = true;
            walls.remove(between);
            walls.remove(lattice.pos(to));
            recorder.record(walls);
            stack.push(to);
        }
    }
    open_dead_ends(rng, &lattice, walls);
    recorder.record(walls);
    connect_objects(base, walls);
}

/// Opens each dead end into a loop with probability 1/2.
fn open_dead_ends(rng: &mut MapRng, lattice: &Lattice<'_>, walls: &mut BitGrid) {
    for cell in 0..lattice.across * lattice.down {
        let open = lattice.open_directions(cell, |_, between| !walls.contains(between));
        let closed = lattice.open_directions(cell, |_, between| walls.contains(between));
        if open.count_ones() == 1
            && rng.below(2) == 0
            && let Some(direction) = rng.choose_bit(closed)
        {
            walls.remove(lattice.step(cell, direction as usize).1);
        }
    }
}

/// Connects candidates, terrain and the cells next to exits to the corridors, through the cell of
/// the nearest lattice column in the same row.
fn connect_objects(base: BaseLevel<'_>, walls: &mut BitGrid) {
    let size = walls.size();
    for pos in interior(size).filter(|pos| !base.free.contains(*pos) && base.is_passable(*pos)) {
        let (x, y) = (pos.x & !1, pos.y);
        walls.remove(Pos { x, y });
        if y % 2 == 1 {
            let neighbour = if base.is_passable(Pos { x, y: y - 1 }) { y - 1 } else { y + 1 };
            walls.remove(Pos { x, y: neighbour.min(size.height - 3) });
        }
    }
}

/// The lattice cells, numbered in row-major order.
struct Lattice<'a> {
    across: usize,
    down: usize,
    base: BaseLevel<'a>,
}

impl Lattice<'_> {
    fn pos(&self, cell: usize) -> Pos {
        Pos { x: (2 + 2 * (cell % self.across)) as u16, y: (2 + 2 * (cell / self.across)) as u16 }
    }

    /// Returns the lattice cell in one of four directions, and the cell between.
    fn step(&self, cell: usize, direction: usize) -> (usize, Pos) {
        let (dx, dy) = Dir::STRAIGHT[direction].delta();
        let pos = self.pos(cell);
        let between = Pos { x: pos.x.wrapping_add_signed(dx), y: pos.y.wrapping_add_signed(dy) };
        let to = cell as isize + isize::from(dx) + isize::from(dy) * self.across as isize;
        (to as usize, between)
    }

    /// Returns the directions, as bits, with a passable lattice cell that satisfies `accept`.
    fn open_directions(&self, cell: usize, accept: impl Fn(usize, Pos) -> bool) -> u64 {
        let (col, row) = (cell % self.across, cell / self.across);
        let exists = [row > 0, col + 1 < self.across, row + 1 < self.down, col > 0];
        let is_open = |direction: usize| {
            let (to, between) = self.step(cell, direction);
            self.base.is_passable(between)
                && self.base.is_passable(self.pos(to))
                && accept(to, between)
        };
        (0..4).filter(|&i| exists[i] && is_open(i)).map(|i| 1 << i).sum()
    }
}
