//! `maze`: corridors of one cell with loops.

use super::Terrain;
use crate::pins::interior;
use crate::trace::{Beats, Event};
use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Dir, Pos};
use wayforge_core::trace::Tracer;

/// Draws a maze: every second cell of the interior is a crossing, a depth-first walk joins them all, and every other dead
/// end is opened into a loop. What stands on the floor already is joined to it.
///
/// * **Complexity.** Linear in the cells of the grid.
/// * **Guarantees.** Every crossing that terrain leaves a way to is joined to the others.
pub(super) fn draw(
    rng: &mut MapRng,
    terrain: Terrain<'_>,
    walls: &mut BitGrid,
    beats: &mut Beats<'_, impl Tracer<Event>>,
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
        if seen[start] || !terrain.passes(lattice.pos(start)) {
            continue;
        }
        seen[start] = true;
        beats.beat(walls);
        walls.remove(lattice.pos(start));
        stack.push(start);
        while let Some(&at) = stack.last() {
            let ways = lattice.ways(at, |to, _| !seen[to]);
            let Some(way) = rng.bit(ways) else {
                stack.pop();
                continue;
            };
            let (to, between) = lattice.step(at, way as usize);
            seen[to] = true;
            walls.remove(between);
            walls.remove(lattice.pos(to));
            beats.beat(walls);
            stack.push(to);
        }
    }
    open_dead_ends(rng, &lattice, walls);
    beats.beat(walls);
    join_what_stands(terrain, walls);
}

/// Opens every other dead end into a loop.
fn open_dead_ends(rng: &mut MapRng, lattice: &Lattice<'_>, walls: &mut BitGrid) {
    for at in 0..lattice.across * lattice.down {
        let open = lattice.ways(at, |_, between| !walls.contains(between));
        let closed = lattice.ways(at, |_, between| walls.contains(between));
        if open.count_ones() == 1
            && rng.below(2) == 0
            && let Some(way) = rng.bit(closed)
        {
            walls.remove(lattice.step(at, way as usize).1);
        }
    }
}

/// Joins candidates, terrain and the cells before exits to the corridors: the cell in the same row on a column of
/// crossings has one above or below it.
fn join_what_stands(terrain: Terrain<'_>, walls: &mut BitGrid) {
    let size = walls.size();
    for pos in interior(size).filter(|pos| !terrain.free.contains(*pos) && terrain.passes(*pos)) {
        let (x, y) = (pos.x & !1, pos.y);
        walls.remove(Pos { x, y });
        if y % 2 == 1 {
            let crossing = if terrain.passes(Pos { x, y: y - 1 }) { y - 1 } else { y + 1 };
            walls.remove(Pos { x, y: crossing.min(size.height - 3) });
        }
    }
}

/// The crossings, by number in reading order.
struct Lattice<'a> {
    across: usize,
    down: usize,
    terrain: Terrain<'a>,
}

impl Lattice<'_> {
    fn pos(&self, at: usize) -> Pos {
        Pos { x: (2 + 2 * (at % self.across)) as u16, y: (2 + 2 * (at / self.across)) as u16 }
    }

    /// The crossing in one of the four directions, and the cell between.
    fn step(&self, at: usize, way: usize) -> (usize, Pos) {
        let (dx, dy) = Dir::STRAIGHT[way].delta();
        let pos = self.pos(at);
        let between = Pos { x: pos.x.wrapping_add_signed(dx), y: pos.y.wrapping_add_signed(dy) };
        let to = at as isize + isize::from(dx) + isize::from(dy) * self.across as isize;
        (to as usize, between)
    }

    /// The directions, as bits, in which a crossing lies, nothing stops a walker, and `wanted` agrees.
    fn ways(&self, at: usize, wanted: impl Fn(usize, Pos) -> bool) -> u64 {
        let (col, row) = (at % self.across, at / self.across);
        let exists = [row > 0, col + 1 < self.across, row + 1 < self.down, col > 0];
        let way = |way: usize| {
            let (to, between) = self.step(at, way);
            self.terrain.passes(between) && self.terrain.passes(self.pos(to)) && wanted(to, between)
        };
        (0..4).filter(|&i| exists[i] && way(i)).map(|i| 1 << i).sum()
    }
}
