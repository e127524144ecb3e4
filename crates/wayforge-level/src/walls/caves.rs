//! `caves`: hollows grown by a cellular automaton, then joined by tunnels.

use super::Terrain;
use crate::pins::interior;
use crate::trace::{Beats, Event};
use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Dir, Pos};
use wayforge_core::trace::Tracer;

/// Nine of twenty cells start as rock, in 65,536ths.
const ROCK: u32 = 29_491;
/// How often the rock is smoothed.
const ROUNDS: u32 = 4;
/// Hollows smaller than this are filled, unless something stands in them.
const MIN: usize = 12;

/// Draws caves: free cells start as rock by chance; in each round a cell is rock if five of the nine cells around it are.
/// Small empty hollows are filled, the others are joined by the shortest tunnels.
///
/// * **Complexity.** Linear in the cells of the grid, but for sorting the places where tunnels could run.
/// * **Guarantees.** All open cells that terrain leaves a way to are joined along rows and columns.
pub(super) fn draw(
    rng: &mut MapRng,
    terrain: Terrain<'_>,
    walls: &mut BitGrid,
    before: &mut BitGrid,
    beats: &mut Beats<'_, impl Tracer<Event>>,
) {
    for (word, free) in walls.words_mut().iter_mut().zip(terrain.free.words()) {
        *word = rng.bits(ROCK) & free;
    }
    beats.beat(walls);
    for _ in 0..ROUNDS {
        before.clone_from(walls);
        smooth(before, terrain.free, walls);
        beats.beat(walls);
    }
    let mut hollows = Hollows::find(terrain, walls);
    hollows.fill_small(terrain, walls);
    beats.beat(walls);
    hollows.join(terrain, walls, beats);
}

/// One round: a free cell is rock if at least five of the nine cells around it are; beyond the free cells of the edge all is
/// rock, and what stands on the floor is not.
fn smooth(before: &BitGrid, free: &BitGrid, after: &mut BitGrid) {
    let (stride, size) = (before.stride(), before.size());
    let rock = |y: usize, w: usize| {
        let edge = y < 2 || y + 2 >= usize::from(size.height);
        if edge { u64::MAX } else { before.words()[y * stride + w] | outside(w, size.width) }
    };
    for y in 2..usize::from(size.height) - 2 {
        for w in 0..stride {
            // The sum of three rows of three, bit by bit: columns of three first.
            let column = |w: usize| {
                let (a, b, c) = (rock(y - 1, w), rock(y, w), rock(y + 1, w));
                (a ^ b ^ c, a & b | a & c | b & c)
            };
            let (ones, twos) = column(w);
            let (left_ones, left_twos) = if w > 0 { column(w - 1) } else { (u64::MAX, u64::MAX) };
            let (right_ones, right_twos) = if w + 1 < stride { column(w + 1) } else { (u64::MAX, u64::MAX) };
            let shifted =
                |middle: u64, left: u64, right: u64| (middle << 1 | left >> 63, middle >> 1 | right << 63);
            let (lo, ro) = shifted(ones, left_ones, right_ones);
            let (lt, rt) = shifted(twos, left_twos, right_twos);
            // ones + lo + ro = one + 2 carry; twos + lt + rt + carry counts twos, 0 to 4.
            let (one, carry) = (ones ^ lo ^ ro, ones & lo | ones & ro | lo & ro);
            let (two, four) = (twos ^ lt ^ rt, twos & lt | twos & rt | lt & rt);
            let (pair, more) = (two ^ carry, two & carry);
            // At least five: two pairs of twos and a one, or three pairs of twos.
            let fours = four ^ more;
            let eights = four & more;
            let five = eights | fours & (pair | one);
            after.words_mut()[y * stride + w] = five & free.words()[y * stride + w];
        }
    }
}

/// Columns of word `w` that lie outside the interior.
fn outside(w: usize, width: u16) -> u64 {
    let column = |x: usize| x < 2 || x + 2 >= usize::from(width);
    let at = w * 64;
    if at >= 2 && at + 66 <= usize::from(width) {
        return 0;
    }
    (0..64).filter(|bit| column(at + bit)).map(|bit| 1 << bit).sum()
}

/// The connected open regions.
struct Hollows {
    /// The region of every cell, or [`ROCKY`].
    of: Vec<u32>,
    /// The cells of each region.
    cells: Vec<Vec<Pos>>,
}

const ROCKY: u32 = u32::MAX;

impl Hollows {
    fn find(terrain: Terrain<'_>, walls: &BitGrid) -> Hollows {
        let size = walls.size();
        let mut hollows = Hollows { of: vec![ROCKY; size.cells()], cells: Vec::new() };
        let is_open = |pos: Pos| terrain.inside(pos) && !walls.contains(pos) && terrain.passes(pos);
        for start in interior(size) {
            if hollows.of[size.index(start)] != ROCKY || !is_open(start) {
                continue;
            }
            let region = hollows.cells.len() as u32;
            let mut cells = vec![start];
            hollows.of[size.index(start)] = region;
            let mut next = 0;
            while let Some(&pos) = cells.get(next) {
                next += 1;
                for to in Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, size)) {
                    if is_open(to) && hollows.of[size.index(to)] == ROCKY {
                        hollows.of[size.index(to)] = region;
                        cells.push(to);
                    }
                }
            }
            hollows.cells.push(cells);
        }
        hollows
    }

    /// Turns small regions in which nothing stands into rock.
    fn fill_small(&mut self, terrain: Terrain<'_>, walls: &mut BitGrid) {
        let size = walls.size();
        let largest = self.cells.iter().map(Vec::len).max().unwrap_or(0);
        for cells in &mut self.cells {
            let empty = cells.iter().all(|pos| terrain.free.contains(*pos));
            if empty && cells.len() < MIN && cells.len() < largest {
                for pos in cells.drain(..) {
                    walls.insert(pos);
                    self.of[size.index(pos)] = ROCKY;
                }
            }
        }
    }

    /// Joins the regions by tunnels, the shortest first: all regions grow into the rock at once, and where two meet a tunnel
    /// can run.
    fn join(mut self, terrain: Terrain<'_>, walls: &mut BitGrid, beats: &mut Beats<'_, impl Tracer<Event>>) {
        let size = walls.size();
        // For every cell its distance from its region and the cell before.
        let mut grown: Vec<(u32, u32)> = vec![(0, ROCKY); size.cells()];
        let mut queue: Vec<Pos> = self.cells.iter().flatten().copied().collect();
        let mut meetings: Vec<(u32, u32, u32)> = Vec::new();
        let mut next = 0;
        while let Some(&pos) = queue.get(next) {
            next += 1;
            let at = size.index(pos);
            for to in Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, size)) {
                let there = size.index(to);
                if !terrain.inside(to) || !terrain.passes(to) {
                    continue;
                }
                if self.of[there] == ROCKY && terrain.free.contains(to) {
                    self.of[there] = self.of[at];
                    grown[there] = (grown[at].0 + 1, at as u32);
                    queue.push(to);
                } else if self.of[there] != ROCKY && self.of[there] != self.of[at] && at < there {
                    meetings.push((grown[at].0 + grown[there].0, at as u32, there as u32));
                }
            }
        }
        meetings.sort_unstable();
        let mut group: Vec<u32> = (0..self.cells.len() as u32).collect();
        for (_, a, b) in meetings {
            let (one, other) = (root(&mut group, self.of[a as usize]), root(&mut group, self.of[b as usize]));
            if one == other {
                continue;
            }
            group[one as usize] = other;
            for mut cell in [a, b] {
                while grown[cell as usize].1 != ROCKY {
                    walls.remove(size.pos(cell as usize));
                    cell = grown[cell as usize].1;
                }
            }
            beats.beat(walls);
        }
    }
}

fn root(group: &mut [u32], mut at: u32) -> u32 {
    while group[at as usize] != at {
        group[at as usize] = group[group[at as usize] as usize];
        at = group[at as usize];
    }
    at
}
