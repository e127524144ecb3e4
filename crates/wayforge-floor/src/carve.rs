//! Carving the way: a walk that strays, the cheapest way over weights, and arches that make either longer.
//!
//! A way is *taut* if no two of its cells are neighbours but those that follow each other: then it is a shortest way through
//! what is carved so far. Both methods make taut ways, and arches keep them so.

use super::board::{Board, Frame};
use super::task::Task;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wayforge_core::MapRng;
use wayforge_core::grid::{Dir, Pos};

/// How often a walk that is stuck starts again.
const RESTARTS: u32 = 8;
/// A walk strays by itself up to so many steps beyond the straight way; arches do the rest.
const STRAY: u32 = 8;
/// Tiles weigh from 1 to this.
const HEAVIEST: u32 = 12;

/// Memory for finding the cheapest way.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    weights: Vec<u8>,
    costs: Vec<u32>,
    from: Vec<u16>,
    heap: BinaryHeap<Reverse<(u32, u16)>>,
}

/// Walks from `entrance` to `exit`: three steps in four lead towards the exit while the way will be long enough.
///
/// * **Returns.** False if every start got stuck.
/// * **Determinism.** Stream `floor.path`.
/// * **Guarantees.** The way is taut.
pub(super) fn carve_walk<B: Board>(
    frame: &Frame,
    task: &Task,
    ends: [Pos; 2],
    rng: &mut MapRng,
    way: &mut Vec<u16>,
) -> bool {
    let [entrance, exit] = ends;
    let straight = entrance.taxi_distance(exit);
    let least = if task.min_path <= straight + STRAY { task.min_path } else { straight };
    (0..RESTARTS).any(|_| walk_once::<B>(frame, ends, least, rng, way))
}

fn walk_once<B: Board>(
    frame: &Frame,
    [entrance, exit]: [Pos; 2],
    least: u32,
    rng: &mut MapRng,
    way: &mut Vec<u16>,
) -> bool {
    let goal = frame.cell(exit);
    let mut here = frame.cell(entrance);
    way.clear();
    way.push(here);
    // Cells of the way, and those beside it but for the last one's.
    let mut closed = B::empty(frame);
    closed.add(here);
    let (mut left, mut steps) = (entrance.taxi_distance(exit), 0);
    loop {
        if left == 1 {
            // Any other step would leave the exit beside the way.
            way.push(goal);
            return steps + 1 >= least;
        }
        let (mut options, mut count, mut near) = ([(0_u16, 0_u32); 4], 0, 0);
        let early = steps + 2 < least;
        // Options towards the exit stand first.
        for &cell in frame.neighbours(here) {
            let distance = frame.pos(cell).taxi_distance(exit);
            if closed.has(cell) || (early && distance == 1) {
                continue;
            }
            options[count & 3] = (cell, distance);
            if distance < left {
                options.swap(near & 3, count & 3);
                near += 1;
            }
            count += 1;
        }
        if count == 0 {
            return false;
        }
        let choice = match steps + left >= least && near > 0 && rng.chance(3, 4) {
            true => near,
            false => count,
        };
        let next = options[rng.below(choice as u32) as usize & 3];
        frame.neighbours(here).iter().for_each(|&beside| closed.add(beside));
        way.push(next.0);
        (here, left) = next;
        steps += 1;
    }
}

/// The cheapest way over tiles of random weight, by A*: as no weight is zero, it is taut.
///
/// * **Complexity.** Near linear in the cells.
/// * **Determinism.** Stream `floor.path`, one draw a tile in reading order; of equal tiles the first in reading order is taken.
pub(super) fn carve_cheapest(
    frame: &Frame,
    [entrance, exit]: [Pos; 2],
    rng: &mut MapRng,
    scales: &mut Scales,
    way: &mut Vec<u16>,
) -> bool {
    let Scales { weights, costs, from, heap } = scales;
    weights.clear();
    weights.resize(frame.span(), 1);
    for pos in frame.size.iter() {
        weights[usize::from(frame.cell(pos))] = 1 + rng.below(HEAVIEST) as u8;
    }
    costs.clear();
    costs.resize(frame.span(), u32::MAX);
    from.resize(frame.span(), 0);
    heap.clear();
    let (start, goal) = (frame.cell(entrance), frame.cell(exit));
    costs[usize::from(start)] = 0;
    heap.push(Reverse((0, start)));
    while let Some(Reverse((_, cell))) = heap.pop() {
        if cell == goal {
            break;
        }
        for &to in frame.neighbours(cell) {
            let cost = costs[usize::from(cell)] + u32::from(weights[usize::from(to)]);
            if cost < costs[usize::from(to)] {
                costs[usize::from(to)] = cost;
                from[usize::from(to)] = cell;
                // Every step left costs at least 1.
                heap.push(Reverse((cost + frame.pos(to).taxi_distance(exit), to)));
            }
        }
    }
    way.clear();
    let mut cell = goal;
    while cell != start {
        way.push(cell);
        cell = from[usize::from(cell)];
    }
    way.push(start);
    way.reverse();
    true
}

/// Makes a taut way longer, two steps at a time, until it has `least`: three cells in a line become an arch over the middle
/// one, which is given up.
///
/// * **Returns.** False if no arch fits any more.
/// * **Complexity.** The square of the way's length at worst, with a look at a single bit for most of it.
pub(super) fn add_arches<B: Board>(frame: &Frame, least: u32, rng: &mut MapRng, way: &mut Vec<u16>) -> bool {
    if way.len() > least as usize {
        return true;
    }
    let mut on = B::collect(frame, way.iter().copied());
    // Middles over which there is no arch until something changes near them.
    let mut stuck = B::empty(frame);
    while way.len() <= least as usize {
        let spans = way.len().saturating_sub(2);
        let first = rng.below(spans as u32) as usize;
        let turned = rng.chance(1, 2);
        let sides = if turned { [1, 0] } else { [0, 1] };
        let found = (first..spans).chain(0..first).find_map(|at| {
            let middle = way[at + 1];
            if stuck.has(middle) {
                return None;
            }
            let arch = sides.into_iter().find_map(|side| arch(frame, &on, &way[at..at + 3], side));
            if arch.is_none() {
                stuck.add(middle);
            }
            arch.map(|arch| (at, arch))
        });
        let Some((at, arch)) = found else { return false };
        free_around(frame, way[at + 1], &mut stuck);
        on.remove(way[at + 1]);
        arch.iter().for_each(|&cell| on.add(cell));
        way.splice(at + 1..at + 2, arch);
    }
    true
}

/// Frees the middles whose arches an arch over `middle` can change: those that see a cell beside it, from two cells away.
fn free_around<B: Board>(frame: &Frame, middle: u16, stuck: &mut B) {
    const REACH: u16 = 3;
    let Pos { x, y } = frame.pos(middle);
    for y in y.saturating_sub(REACH)..=(y + REACH).min(frame.size.height - 1) {
        for x in x.saturating_sub(REACH)..=(x + REACH).min(frame.size.width - 1) {
            stuck.remove(frame.cell(Pos::new(x, y)));
        }
    }
}

/// The arch over three cells of a way on one side, if it touches nothing else.
fn arch<B: Board>(frame: &Frame, on: &B, span: &[u16], side: usize) -> Option<[u16; 3]> {
    let [a, b, c] = [span[0], span[1], span[2]].map(|cell| frame.pos(cell));
    let dirs = match (a.y == c.y, a.x == c.x) {
        (true, _) => [Dir::North, Dir::South],
        (_, true) => [Dir::East, Dir::West],
        _ => return None,
    };
    let mut arch = [0; 3];
    for (i, under) in [a, b, c].into_iter().enumerate() {
        let over = under.step(dirs[side], frame.size)?;
        arch[i] = frame.cell(over);
        let lonely = || frame.neighbours(arch[i]).iter().all(|&beside| beside == span[i] || !on.has(beside));
        if on.has(arch[i]) || !lonely() {
            return None;
        }
    }
    Some(arch)
}

#[cfg(test)]
mod tests {
    use super::super::board::Rows;
    use super::*;
    use wayforge_core::grid::Size;

    fn assert_taut(frame: &Frame, way: &[u16], [entrance, exit]: [Pos; 2]) {
        let cells: Vec<Pos> = way.iter().map(|&cell| frame.pos(cell)).collect();
        assert_eq!((cells[0], cells[cells.len() - 1]), (entrance, exit));
        for (i, a) in cells.iter().enumerate() {
            for (j, b) in cells.iter().enumerate().skip(i + 1) {
                assert_eq!(a.taxi_distance(*b) == 1, j == i + 1, "{cells:?}");
                assert_ne!(a, b);
            }
        }
    }

    fn ways<B: Board>(size: Size, min_path: u32) -> u32 {
        let frame = B::frame(size);
        let task = Task { size, min_path, ..Task::default() };
        let (mut way, mut scales, mut made) = (Vec::new(), Scales::default(), 0);
        for seed in 0..500 {
            let mut rng = MapRng::from_u64(seed);
            let mut draw =
                || Pos::new(rng.below(size.width.into()) as u16, rng.below(size.height.into()) as u16);
            let ends = [draw(), draw()];
            if ends[0].taxi_distance(ends[1]) < 2 {
                continue;
            }
            for method in 0..2 {
                let carved = match method {
                    0 => carve_walk::<B>(&frame, &task, ends, &mut rng, &mut way),
                    _ => carve_cheapest(&frame, ends, &mut rng, &mut scales, &mut way),
                };
                if carved && add_arches::<B>(&frame, min_path, &mut rng, &mut way) {
                    assert!(way.len() > min_path as usize);
                    assert_taut(&frame, &way, ends);
                    made += 1;
                }
            }
        }
        made
    }

    #[test]
    fn ways_are_taut_and_long_enough() {
        assert!(ways::<u64>(Size::new(5, 5), 3) > 700);
        assert!(ways::<u64>(Size::new(5, 5), 10) > 100);
        assert!(ways::<u64>(Size::new(8, 8), 24) > 300);
        assert!(ways::<Rows>(Size::new(20, 13), 60) > 800);
        assert!(ways::<Rows>(Size::new(64, 64), 700) > 900);
    }

    /// The same by looking at every span anew.
    fn add_arches_plainly(frame: &Frame, least: u32, rng: &mut MapRng, way: &mut Vec<u16>) -> bool {
        while way.len() <= least as usize {
            let mut on = <Rows as Board>::empty(frame);
            way.iter().for_each(|&cell| on.add(cell));
            let spans = way.len().saturating_sub(2);
            let (first, turned) = (rng.below(spans as u32) as usize, rng.chance(1, 2));
            let found = (0..spans).map(|i| (first + i) % spans).find_map(|at| {
                let sides = if turned { [1, 0] } else { [0, 1] };
                sides
                    .into_iter()
                    .find_map(|side| arch(frame, &on, &way[at..at + 3], side))
                    .map(|arch| (at, arch))
            });
            let Some((at, arch)) = found else { return false };
            way.splice(at + 1..at + 2, arch);
        }
        true
    }

    #[test]
    fn what_is_known_to_be_stuck_changes_no_arch() {
        for (size, starts) in [((12, 9), 60), ((30, 17), 20), ((64, 64), 2)] {
            let frame = <Rows as Board>::frame(Size::new(size.0, size.1));
            for seed in 0..starts {
                let mut rng = MapRng::from_u64(seed);
                let ends = [Pos::new(0, 0), Pos::new(size.0 - 1, rng.below(size.1.into()) as u16)];
                let mut way = Vec::new();
                carve_cheapest(&frame, ends, &mut rng, &mut Scales::default(), &mut way);
                let (mut plain, mut other) = (way.clone(), rng.clone());
                // As many as there is room for.
                assert!(!add_arches::<Rows>(&frame, 10_000, &mut rng, &mut way));
                assert!(!add_arches_plainly(&frame, 10_000, &mut other, &mut plain));
                assert_eq!(way, plain);
            }
        }
    }

    #[test]
    fn an_arch_touches_nothing_else() {
        let frame = <u64 as Board>::frame(Size::new(5, 3));
        let mut way = vec![10, 11, 12, 13, 14];
        assert!(add_arches::<u64>(&frame, 6, &mut MapRng::from_u64(1), &mut way));
        assert_eq!(way.len(), 7);
        // On two rows an arch lies on its own foot's neighbours and can never be arched again.
        let frame = <u64 as Board>::frame(Size::new(3, 3));
        let mut way = vec![0, 1, 2];
        assert!(add_arches::<u64>(&frame, 4, &mut MapRng::from_u64(1), &mut way));
        assert_eq!(way, [0, 3, 4, 5, 2]);
        assert!(add_arches::<u64>(&frame, 6, &mut MapRng::from_u64(1), &mut way), "over the middle again");
        assert!(!add_arches::<u64>(&frame, 8, &mut MapRng::from_u64(1), &mut way));
    }
}
