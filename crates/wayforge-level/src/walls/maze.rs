//! `maze`: randomized depth-first search ("recursive backtracker"), with dead ends opened into
//! loops.

use super::Terrain;
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
pub(super) fn draw(
    rng: &mut MapRng,
    terrain: Terrain<'_>,
    walls: &mut BitGrid,
    recorder: &mut WallRecorder<'_, impl Tracer<Event>>,
) {
    let size = walls.size();
    let (across, down) = (usize::from(size.width - 3) / 2, usize::from(size.height - 3) / 2);
    let lattice = Lattice { across, down, terrain };
    for y in 2..size.height - 2 {
        walls.insert_run(y, 2, size.width - 3);
    }
    let mut seen = vec![false; across * down];
    let first = rng.below((across * down) as u32) as usize;
    let mut stack = Vec::new();
    for start in (0..across * down).map(|i| (first + i) % (across * down)) {
        if seen[start] || !terrain.is_passable(lattice.pos(start)) {
            continue;
        }
        seen[start] = true;
        recorder.record(walls);
        walls.remove(lattice.pos(start));
        stack.push(start);
        while let Some(&at) = stack.last() {
            let directions = lattice.open_directions(at, |to, _| !seen[to]);
            let Some(direction) = rng.choose_bit(directions) else {
                stack.pop();
                continue;
            };
            let (to, between) = lattice.step(at, direction as usize);
            seen[to] = true;
            walls.remove(between);
            walls.remove(lattice.pos(to));
            recorder.record(walls);
            stack.push(to);
        }
    }
    open_dead_ends(rng, &lattice, walls);
    recorder.record(walls);
    connect_objects(terrain, walls);
}

/// Opens each dead end into a loop with probability 1/2.
fn open_dead_ends(rng: &mut MapRng, lattice: &Lattice<'_>, walls: &mut BitGrid) {
    for at in 0..lattice.across * lattice.down {
        let open = lattice.open_directions(at, |_, between| !walls.contains(between));
        let closed = lattice.open_directions(at, |_, between| walls.contains(between));
        if open.count_ones() == 1
            && rng.below(2) == 0
            && let Some(direction) = rng.choose_bit(closed)
        {
            walls.remove(lattice.step(at, direction as usize).1);
        }
    }
}

/// Connects candidates, terrain and the cells next to exits to the corridors, through the cell of
/// the nearest lattice column in the same row.
fn connect_objects(terrain: Terrain<'_>, walls: &mut BitGrid) {
    let size = walls.size();
    for pos in
        interior(size).filter(|pos| !terrain.free.contains(*pos) && terrain.is_passable(*pos))
    {
        let (x, y) = (pos.x & !1, pos.y);
        walls.remove(Pos { x, y });
        if y % 2 == 1 {
            let neighbour = if terrain.is_passable(Pos { x, y: y - 1 }) { y - 1 } else { y + 1 };
            walls.remove(Pos { x, y: neighbour.min(size.height - 3) });
        }
    }
}

/// The lattice cells, numbered in row-major order.
struct Lattice<'a> {
    across: usize,
    down: usize,
    terrain: Terrain<'a>,
}

impl Lattice<'_> {
    fn pos(&self, at: usize) -> Pos {
        Pos { x: (2 + 2 * (at % self.across)) as u16, y: (2 + 2 * (at / self.across)) as u16 }
    }

    /// Returns the lattice cell in one of four directions, and the cell between.
    fn step(&self, at: usize, direction: usize) -> (usize, Pos) {
        let (dx, dy) = Dir::STRAIGHT[direction].delta();
        let pos = self.pos(at);
        let between = Pos { x: pos.x.wrapping_add_signed(dx), y: pos.y.wrapping_add_signed(dy) };
        let to = at as isize + isize::from(dx) + isize::from(dy) * self.across as isize;
        (to as usize, between)
    }

    /// Returns the directions, as bits, with a passable lattice cell that satisfies `accept`.
    fn open_directions(&self, at: usize, accept: impl Fn(usize, Pos) -> bool) -> u64 {
        let (col, row) = (at % self.across, at / self.across);
        let exists = [row > 0, col + 1 < self.across, row + 1 < self.down, col > 0];
        let direction = |direction: usize| {
            let (to, between) = self.step(at, direction);
            self.terrain.is_passable(between)
                && self.terrain.is_passable(self.pos(to))
                && accept(to, between)
        };
        (0..4).filter(|&i| exists[i] && direction(i)).map(|i| 1 << i).sum()
    }
}
