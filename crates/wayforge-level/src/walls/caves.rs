//! `caves`: cave generation by a cellular automaton (Johnson, Yannakakis & Togelius 2010), with the
//! regions connected by tunnels.

use super::BaseLevel;
use crate::pins::interior;
use crate::trace::{Event, WallRecorder};
use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Dir, Pos};
use wayforge_core::trace::Tracer;

/// Initial probability of rock, in 65,536ths: 45%.
const ROCK_PROBABILITY: u32 = 29_491;
/// Number of smoothing rounds.
const ROUNDS: u32 = 4;
/// Minimum number of cells of an empty region; smaller ones are filled.
const MIN_REGION: usize = 12;

/// Generates caves.
///
/// Free cells start as rock at random. In each round a cell becomes rock if at least five of the
/// nine cells around it are rock. Small empty regions are filled, the others are connected by
/// shortest tunnels (Kruskal 1956, on regions). Afterwards all open cells that terrain does
/// not separate are connected in four directions.
///
/// # Complexity
/// O(cells * log cells), because candidate tunnels are sorted; otherwise O(cells).
pub(super) fn generate(
    rng: &mut MapRng,
    base: BaseLevel<'_>,
    walls: &mut BitGrid,
    before: &mut BitGrid,
    recorder: &mut WallRecorder<'_, impl Tracer<Event>>,
) {
    for (word, free) in walls.words_mut().iter_mut().zip(base.free.words()) {
        *word = rng.bernoulli_bits(ROCK_PROBABILITY) & free;
    }
    recorder.record(walls);
    for _ in 0..ROUNDS {
        before.clone_from(walls);
        smooth(before, base.free, walls);
        recorder.record(walls);
    }
    let mut regions = Regions::find(base, walls);
    regions.fill_small(base, walls);
    recorder.record(walls);
    regions.connect(base, walls, recorder);
}

/// One round of the automaton: a free cell becomes rock if at least five of the nine cells around
/// it are rock. Cells outside the interior count as rock, occupied cells do not.
fn smooth(before: &BitGrid, free: &BitGrid, after: &mut BitGrid) {
    let (stride, size) = (before.stride(), before.size());
    let rock = |y: usize, w: usize| {
        let edge = y < 2 || y + 2 >= usize::from(size.height);
        if edge { u64::MAX } else { before.words()[y * stride + w] | outside(w, size.width) }
    };
    for y in 2..usize::from(size.height) - 2 {
        for w in 0..stride {
            // Bit-sliced sum of nine bits: first the columns of three.
            let column = |w: usize| {
                let (a, b, c) = (rock(y - 1, w), rock(y, w), rock(y + 1, w));
                (a ^ b ^ c, a & b | a & c | b & c)
            };
            let (ones, twos) = column(w);
            let (left_ones, left_twos) = if w > 0 { column(w - 1) } else { (u64::MAX, u64::MAX) };
            let (right_ones, right_twos) =
                if w + 1 < stride { column(w + 1) } else { (u64::MAX, u64::MAX) };
            let shifted = |middle: u64, left: u64, right: u64| {
                (middle << 1 | left >> 63, middle >> 1 | right << 63)
            };
            let (lo, ro) = shifted(ones, left_ones, right_ones);
            let (lt, rt) = shifted(twos, left_twos, right_twos);
            // ones + lo + ro = one + 2 * overflow; twos + lt + rt + overflow counts twos, 0 to 4.
            let (one, overflow) = (ones ^ lo ^ ro, ones & lo | ones & ro | lo & ro);
            let (two, four) = (twos ^ lt ^ rt, twos & lt | twos & rt | lt & rt);
            let (pair, more) = (two ^ overflow, two & overflow);
            // At least five: 8, or 4 plus 1, 2 or 3.
            let fours = four ^ more;
            let eights = four & more;
            let five = eights | fours & (pair | one);
            after.words_mut()[y * stride + w] = five & free.words()[y * stride + w];
        }
    }
}

/// Returns the columns of word `w` outside the interior.
fn outside(w: usize, width: u16) -> u64 {
    let is_outside = |x: usize| x < 2 || x + 2 >= usize::from(width);
    let first = w * 64;
    if first >= 2 && first + 66 <= usize::from(width) {
        return 0;
    }
    (0..64).filter(|bit| is_outside(first + bit)).map(|bit| 1 << bit).sum()
}

/// Connected components of open cells.
struct Regions {
    /// Region of every cell, or [`NO_REGION`].
    region_of: Vec<u32>,
    /// Cells of each region.
    cells: Vec<Vec<Pos>>,
}

const NO_REGION: u32 = u32::MAX;

impl Regions {
    fn find(base: BaseLevel<'_>, walls: &BitGrid) -> Regions {
        let size = walls.size();
        let mut regions = Regions { region_of: vec![NO_REGION; size.cells()], cells: Vec::new() };
        let is_open =
            |pos: Pos| base.is_inside(pos) && !walls.contains(pos) && base.is_passable(pos);
        for start in interior(size) {
            if regions.region_of[size.index(start)] != NO_REGION || !is_open(start) {
                continue;
            }
            let region = regions.cells.len() as u32;
            let mut cells = vec![start];
            regions.region_of[size.index(start)] = region;
            let mut next = 0;
            while let Some(&pos) = cells.get(next) {
                next += 1;
                for to in Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, size)) {
                    if is_open(to) && regions.region_of[size.index(to)] == NO_REGION {
                        regions.region_of[size.index(to)] = region;
                        cells.push(to);
                    }
                }
            }
            regions.cells.push(cells);
        }
        regions
    }

    /// Fills small regions without objects.
    fn fill_small(&mut self, base: BaseLevel<'_>, walls: &mut BitGrid) {
        let size = walls.size();
        let largest = self.cells.iter().map(Vec::len).max().unwrap_or(0);
        for cells in &mut self.cells {
            let empty = cells.iter().all(|pos| base.free.contains(*pos));
            if empty && cells.len() < MIN_REGION && cells.len() < largest {
                for pos in cells.drain(..) {
                    walls.insert(pos);
                    self.region_of[size.index(pos)] = NO_REGION;
                }
            }
        }
    }

    /// Connects the regions by tunnels, the shortest first. A multi-source breadth-first search
    /// grows all regions into the rock; a tunnel is possible where two of them touch.
    fn connect(
        mut self,
        base: BaseLevel<'_>,
        walls: &mut BitGrid,
        recorder: &mut WallRecorder<'_, impl Tracer<Event>>,
    ) {
        let size = walls.size();
        // For every cell, the distance from its region and the predecessor.
        let mut distance: Vec<(u32, u32)> = vec![(0, NO_REGION); size.cells()];
        let mut queue: Vec<Pos> = self.cells.iter().flatten().copied().collect();
        // Possible tunnels: length, and the two cells where the regions touch.
        let mut tunnels: Vec<(u32, u32, u32)> = Vec::new();
        let mut next = 0;
        while let Some(&pos) = queue.get(next) {
            next += 1;
            let at = size.index(pos);
            for to in Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, size)) {
                let neighbour = size.index(to);
                if !base.is_inside(to) || !base.is_passable(to) {
                    continue;
                }
                if self.region_of[neighbour] == NO_REGION && base.free.contains(to) {
                    self.region_of[neighbour] = self.region_of[at];
                    distance[neighbour] = (distance[at].0 + 1, at as u32);
                    queue.push(to);
                } else if self.region_of[neighbour] != NO_REGION
                    && self.region_of[neighbour] != self.region_of[at]
                    && at < neighbour
                {
                    tunnels.push((
                        distance[at].0 + distance[neighbour].0,
                        at as u32,
                        neighbour as u32,
                    ));
                }
            }
        }
        tunnels.sort_unstable();
        let mut group: Vec<u32> = (0..self.cells.len() as u32).collect();
        for (_, a, b) in tunnels {
            let (one, other) = (
                root(&mut group, self.region_of[a as usize]),
                root(&mut group, self.region_of[b as usize]),
            );
            if one == other {
                continue;
            }
            group[one as usize] = other;
            for mut cell in [a, b] {
                while distance[cell as usize].1 != NO_REGION {
                    walls.remove(size.pos(cell as usize));
                    cell = distance[cell as usize].1;
                }
            }
            recorder.record(walls);
        }
    }
}

/// Returns the representative of a set (union-find with path halving).
fn root(group: &mut [u32], mut at: u32) -> u32 {
    while group[at as usize] != at {
        group[at as usize] = group[group[at as usize] as usize];
        at = group[at as usize];
    }
    at
}
