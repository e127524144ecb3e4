//! Carves the path from entrance to exit: a biased random walk, or A* (Hart, Nilsson & Raphael
//! 1968) over random weights. Detours lengthen the path if necessary.
//!
//! A path is *chordless* (an induced path) if only consecutive cells are neighbours. A chordless
//! path is a shortest path through the cells carved so far. Both methods carve chordless paths, and
//! detours keep them chordless.

use super::cell_set::{CellSet, GridShape};
use super::task::Task;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wayforge_core::MapRng;
use wayforge_core::grid::{Dir, Pos};

/// Maximum number of random walks before carving fails.
const MAX_WALKS: u32 = 8;
/// Largest excess over the Manhattan distance that a walk reaches by itself. Detours lengthen the
/// path if the minimum length exceeds it.
const MAX_WALK_EXCESS: u32 = 8;
/// Maximum random weight of a tile; the minimum is 1.
const MAX_WEIGHT: u32 = 12;

/// Reusable buffers of the A* search.
#[derive(Clone, Debug, Default)]
pub(super) struct AstarScratch {
    weights: Vec<u8>,
    costs: Vec<u32>,
    predecessors: Vec<u16>,
    heap: BinaryHeap<Reverse<(u32, u16)>>,
}

/// Carves a chordless path by a random walk biased towards the exit.
///
/// While a direct continuation would be too short, each step is uniform over the free neighbours.
/// From then on, with probability 3/4 it is uniform over those closer to the exit. Returns false if
/// every walk gets stuck or is too short.
///
/// # Determinism
/// Stream `floor.path`.
pub(super) fn carve_random_walk<S: CellSet>(
    shape: &GridShape,
    task: &Task,
    ends: [Pos; 2],
    rng: &mut MapRng,
    path: &mut Vec<u16>,
) -> bool {
    let [entrance, exit] = ends;
    let direct = entrance.manhattan_distance(exit);
    let min_length = if task.min_path_length <= direct + MAX_WALK_EXCESS {
        task.min_path_length
    } else {
        direct
    };
    (0..MAX_WALKS).any(|_| walk_once::<S>(shape, ends, min_length, rng, path))
}

/// Makes one walk. Returns false if it gets stuck or has fewer than `min_length` steps.
fn walk_once<S: CellSet>(
    shape: &GridShape,
    [entrance, exit]: [Pos; 2],
    min_length: u32,
    rng: &mut MapRng,
    path: &mut Vec<u16>,
) -> bool {
    let goal = shape.cell(exit);
    let mut current = shape.cell(entrance);
    path.clear();
    path.push(current);
    // Cells of the path and their neighbours, except the neighbours of the current cell.
    let mut closed = S::empty(shape);
    closed.insert(current);
    let (mut distance, mut steps) = (entrance.manhattan_distance(exit), 0);
    loop {
        if distance == 1 {
            // Any other step would make the exit a neighbour of two path cells.
            path.push(goal);
            return steps + 1 >= min_length;
        }
        let (mut options, mut count, mut closer_count) = ([(0_u16, 0_u32); 4], 0, 0);
        let too_early = steps + 2 < min_length;
        // Options closer to the exit come first.
        for &cell in shape.neighbours(current) {
            let cell_distance = shape.pos(cell).manhattan_distance(exit);
            if closed.contains(cell) || (too_early && cell_distance == 1) {
                continue;
            }
            options[count & 3] = (cell, cell_distance);
            if cell_distance < distance {
                options.swap(closer_count & 3, count & 3);
                closer_count += 1;
            }
            count += 1;
        }
        if count == 0 {
            return false;
        }
        let towards_exit = steps + distance >= min_length && closer_count > 0 && rng.chance(3, 4);
        let option_count = if towards_exit { closer_count } else { count };
        let next = options[rng.below(option_count as u32) as usize & 3];
        shape.neighbours(current).iter().for_each(|&neighbour| closed.insert(neighbour));
        path.push(next.0);
        (current, distance) = next;
        steps += 1;
    }
}

/// Carves the cheapest path over tiles of random weight by A*.
///
/// The path is chordless because every weight is positive.
///
/// # Complexity
/// O(cells * log cells).
///
/// # Determinism
/// Stream `floor.path`, one draw per tile in reading order. Ties go to the first tile in reading
/// order.
pub(super) fn carve_astar(
    shape: &GridShape,
    [entrance, exit]: [Pos; 2],
    rng: &mut MapRng,
    scratch: &mut AstarScratch,
    path: &mut Vec<u16>,
) {
    let AstarScratch { weights, costs, predecessors, heap } = scratch;
    weights.clear();
    weights.resize(shape.array_len(), 1);
    for pos in shape.size.iter() {
        weights[usize::from(shape.cell(pos))] = 1 + rng.below(MAX_WEIGHT) as u8;
    }
    costs.clear();
    costs.resize(shape.array_len(), u32::MAX);
    predecessors.resize(shape.array_len(), 0);
    heap.clear();
    let (start, goal) = (shape.cell(entrance), shape.cell(exit));
    costs[usize::from(start)] = 0;
    heap.push(Reverse((0, start)));
    while let Some(Reverse((_, cell))) = heap.pop() {
        if cell == goal {
            break;
        }
        for &next in shape.neighbours(cell) {
            let cost = costs[usize::from(cell)] + u32::from(weights[usize::from(next)]);
            if cost < costs[usize::from(next)] {
                costs[usize::from(next)] = cost;
                predecessors[usize::from(next)] = cell;
                // The Manhattan distance is admissible: every step costs at least 1.
                heap.push(Reverse((cost + shape.pos(next).manhattan_distance(exit), next)));
            }
        }
    }
    path.clear();
    let mut cell = goal;
    while cell != start {
        path.push(cell);
        cell = predecessors[usize::from(cell)];
    }
    path.push(start);
    path.reverse();
}

/// Lengthens a chordless path to at least `min_length` steps, two steps at a time.
///
/// Each detour replaces the middle of three collinear path cells with the three cells on one side
/// of them. Returns false if no further detour fits.
///
/// # Complexity
/// O(length^2) single-bit tests in the worst case.
pub(super) fn lengthen_path<S: CellSet>(
    shape: &GridShape,
    min_length: u32,
    rng: &mut MapRng,
    path: &mut Vec<u16>,
) -> bool {
    if path.len() > min_length as usize {
        return true;
    }
    let mut on_path = S::from_cells(shape, path.iter().copied());
    // Middle cells that have no detour unless the path changes near them.
    let mut exhausted = S::empty(shape);
    while path.len() <= min_length as usize {
        let triples = path.len().saturating_sub(2);
        let first = rng.below(triples as u32) as usize;
        let swap_sides = rng.chance(1, 2);
        let sides = if swap_sides { [1, 0] } else { [0, 1] };
        let found = (first..triples).chain(0..first).find_map(|start| {
            let middle = path[start + 1];
            if exhausted.contains(middle) {
                return None;
            }
            let detour = sides
                .into_iter()
                .find_map(|side| find_detour(shape, &on_path, &path[start..start + 3], side));
            if detour.is_none() {
                exhausted.insert(middle);
            }
            detour.map(|detour| (start, detour))
        });
        let Some((start, detour)) = found else { return false };
        remove_around(shape, path[start + 1], &mut exhausted);
        on_path.remove(path[start + 1]);
        detour.iter().for_each(|&cell| on_path.insert(cell));
        path.splice(start + 1..start + 2, detour);
    }
    true
}

/// Removes from `exhausted` the cells whose detours may change after a detour around `middle`.
///
/// A detour changes cells next to its middle, and a triple depends on cells up to two steps away.
fn remove_around<S: CellSet>(shape: &GridShape, middle: u16, exhausted: &mut S) {
    const RADIUS: u16 = 3;
    let Pos { x, y } = shape.pos(middle);
    for y in y.saturating_sub(RADIUS)..=(y + RADIUS).min(shape.size.height - 1) {
        for x in x.saturating_sub(RADIUS)..=(x + RADIUS).min(shape.size.width - 1) {
            exhausted.remove(shape.cell(Pos::new(x, y)));
        }
    }
}

/// Returns the cells of the detour on one side of three consecutive path cells.
///
/// Returns `None` if the cells are not collinear, the detour leaves the grid, or the path would not
/// stay chordless.
fn find_detour<S: CellSet>(
    shape: &GridShape,
    on_path: &S,
    triple: &[u16],
    side: usize,
) -> Option<[u16; 3]> {
    let [a, b, c] = [triple[0], triple[1], triple[2]].map(|cell| shape.pos(cell));
    let dirs = match (a.y == c.y, a.x == c.x) {
        (true, _) => [Dir::North, Dir::South],
        (_, true) => [Dir::East, Dir::West],
        _ => return None,
    };
    let mut detour = [0; 3];
    for (i, pos) in [a, b, c].into_iter().enumerate() {
        detour[i] = shape.cell(pos.step(dirs[side], shape.size)?);
        let touches_only_triple = || {
            shape
                .neighbours(detour[i])
                .iter()
                .all(|&neighbour| neighbour == triple[i] || !on_path.contains(neighbour))
        };
        if on_path.contains(detour[i]) || !touches_only_triple() {
            return None;
        }
    }
    Some(detour)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::cell_set::RowSet;
    use super::*;
    use wayforge_core::grid::Size;

    /// Asserts that only consecutive cells of a path are neighbours.
    pub(crate) fn assert_chordless(shape: &GridShape, path: &[u16]) {
        let cells: Vec<Pos> = path.iter().map(|&cell| shape.pos(cell)).collect();
        for (i, a) in cells.iter().enumerate() {
            for (j, b) in cells.iter().enumerate().skip(i + 1) {
                assert_eq!(a.manhattan_distance(*b) == 1, j == i + 1, "{cells:?}");
                assert_ne!(a, b);
            }
        }
    }

    /// Carves paths between random ends by both methods and returns the number of successes.
    fn count_carved_paths<S: CellSet>(size: Size, min_path_length: u32) -> u32 {
        let shape = S::shape(size);
        let task = Task { size, min_path_length, ..Task::default() };
        let (mut path, mut scratch, mut count) = (Vec::new(), AstarScratch::default(), 0);
        for seed in 0..500 {
            let mut rng = MapRng::from_u64(seed);
            let mut draw = || {
                Pos::new(rng.below(size.width.into()) as u16, rng.below(size.height.into()) as u16)
            };
            let ends = [draw(), draw()];
            if ends[0].manhattan_distance(ends[1]) < 2 {
                continue;
            }
            for method in 0..2 {
                let carved = match method {
                    0 => carve_random_walk::<S>(&shape, &task, ends, &mut rng, &mut path),
                    _ => {
                        carve_astar(&shape, ends, &mut rng, &mut scratch, &mut path);
                        true
                    }
                };
                if carved && lengthen_path::<S>(&shape, min_path_length, &mut rng, &mut path) {
                    assert!(path.len() > min_path_length as usize);
                    assert_eq!([path[0], path[path.len() - 1]], ends.map(|end| shape.cell(end)));
                    assert_chordless(&shape, &path);
                    count += 1;
                }
            }
        }
        count
    }

    #[test]
    fn carved_paths_are_chordless_and_long_enough() {
        assert!(count_carved_paths::<u64>(Size::new(5, 5), 3) > 700);
        assert!(count_carved_paths::<u64>(Size::new(5, 5), 10) > 100);
        assert!(count_carved_paths::<u64>(Size::new(8, 8), 24) > 300);
        assert!(count_carved_paths::<RowSet>(Size::new(20, 13), 60) > 800);
        assert!(count_carved_paths::<RowSet>(Size::new(64, 64), 700) > 900);
    }

    /// Reference implementation of [`lengthen_path`] without the set of exhausted cells.
    fn lengthen_path_by_definition(
        shape: &GridShape,
        min_length: u32,
        rng: &mut MapRng,
        path: &mut Vec<u16>,
    ) -> bool {
        while path.len() <= min_length as usize {
            let mut on_path = <RowSet as CellSet>::empty(shape);
            path.iter().for_each(|&cell| on_path.insert(cell));
            let triples = path.len().saturating_sub(2);
            let (first, swap_sides) = (rng.below(triples as u32) as usize, rng.chance(1, 2));
            let found = (0..triples).map(|i| (first + i) % triples).find_map(|start| {
                let sides = if swap_sides { [1, 0] } else { [0, 1] };
                sides
                    .into_iter()
                    .find_map(|side| find_detour(shape, &on_path, &path[start..start + 3], side))
                    .map(|detour| (start, detour))
            });
            let Some((start, detour)) = found else { return false };
            path.splice(start + 1..start + 2, detour);
        }
        true
    }

    #[test]
    fn skipping_exhausted_cells_changes_no_detour() {
        for (size, seeds) in [((12, 9), 60), ((30, 17), 20), ((64, 64), 2)] {
            let shape = <RowSet as CellSet>::shape(Size::new(size.0, size.1));
            for seed in 0..seeds {
                let mut rng = MapRng::from_u64(seed);
                let ends = [Pos::new(0, 0), Pos::new(size.0 - 1, rng.below(size.1.into()) as u16)];
                let mut path = Vec::new();
                carve_astar(&shape, ends, &mut rng, &mut AstarScratch::default(), &mut path);
                let (mut expected, mut same_rng) = (path.clone(), rng.clone());
                // No path has 10,000 steps, so both stop when no detour fits.
                assert!(!lengthen_path::<RowSet>(&shape, 10_000, &mut rng, &mut path));
                assert!(!lengthen_path_by_definition(&shape, 10_000, &mut same_rng, &mut expected));
                assert_eq!(path, expected);
            }
        }
    }

    #[test]
    fn lengthens_until_no_detour_fits() {
        let shape = <u64 as CellSet>::shape(Size::new(5, 3));
        let mut path = vec![10, 11, 12, 13, 14];
        assert!(lengthen_path::<u64>(&shape, 6, &mut MapRng::from_u64(1), &mut path));
        assert_eq!(path.len(), 7);
        let shape = <u64 as CellSet>::shape(Size::new(3, 3));
        let mut path = vec![0, 1, 2];
        assert!(lengthen_path::<u64>(&shape, 4, &mut MapRng::from_u64(1), &mut path));
        assert_eq!(path, [0, 3, 4, 5, 2]);
        assert!(
            lengthen_path::<u64>(&shape, 6, &mut MapRng::from_u64(1), &mut path),
            "a second detour around the same middle"
        );
        assert!(!lengthen_path::<u64>(&shape, 8, &mut MapRng::from_u64(1), &mut path));
    }
}
