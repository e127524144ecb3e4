//! Compares the search with an enumeration of all floors.

use super::*;
use crate::task::{AnyExit, ObjectCounts, Safety};

/// Capacity of one floor: one set of open cells with one shortest path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Capacity {
    length: u32,
    closed: u32,
    doors: u32,
    /// Free tiles by class if enemies are allowed on the path.
    free: [u32; 5],
    /// Free tiles by class for every enemy-free prefix of the path, longest first.
    safe: Vec<[u32; 5]>,
}

fn distances(size: Size, open: u32, from: usize) -> Vec<u32> {
    let mut distances = vec![u32::MAX; size.cells()];
    let mut queue = vec![from];
    distances[from] = 0;
    let mut head = 0;
    while head < queue.len() {
        let cell = queue[head];
        head += 1;
        for next in neighbours(size, cell) {
            if open >> next & 1 == 1 && distances[next] == u32::MAX {
                distances[next] = distances[cell] + 1;
                queue.push(next);
            }
        }
    }
    distances
}

fn neighbours(size: Size, cell: usize) -> Vec<usize> {
    let next = |dir: Dir| size.pos(cell).step(dir, size).map(|pos| size.index(pos));
    Dir::STRAIGHT.into_iter().filter_map(next).collect()
}

/// Adds every shortest path that starts with `path` to `all`.
fn shortest_paths(
    size: Size,
    open: u32,
    distances: &[u32],
    path: &mut Vec<usize>,
    all: &mut Vec<Vec<usize>>,
) {
    let last = path[path.len() - 1];
    if distances[last] == 0 {
        return all.push(path.clone());
    }
    for next in neighbours(size, last) {
        if open >> next & 1 == 1 && distances[next] == distances[last] - 1 {
            path.push(next);
            shortest_paths(size, open, distances, path, all);
            path.pop();
        }
    }
}

/// Returns the capacities of all floors of a size.
fn capacities(size: Size) -> Vec<Capacity> {
    let cells = size.cells();
    let mut capacities = std::collections::BTreeSet::new();
    for open in 0_u32..1 << cells {
        let is_open = |cell: usize| open >> cell & 1 == 1;
        for entrance in (0..cells).filter(|&cell| is_open(cell)) {
            let from = distances(size, open, entrance);
            if (0..cells).any(|cell| is_open(cell) && from[cell] == u32::MAX) {
                break;
            }
            let choke_points: Vec<usize> = (0..cells)
                .filter(|&cell| is_open(cell) && is_choke_point(size, open, cell, entrance))
                .collect();
            for exit in (0..cells).filter(|&cell| is_open(cell) && cell != entrance) {
                let mut all = Vec::new();
                shortest_paths(
                    size,
                    open,
                    &distances(size, open, exit),
                    &mut vec![entrance],
                    &mut all,
                );
                for path in all {
                    add_capacities(size, open, &path, &choke_points, &mut capacities);
                }
            }
        }
    }
    capacities.into_iter().collect()
}

fn is_choke_point(size: Size, open: u32, cell: usize, entrance: usize) -> bool {
    let is_open = |dir: Dir| {
        size.pos(cell).step(dir, size).is_some_and(|pos| open >> size.index(pos) & 1 == 1)
    };
    let [north, east, south, west] = Dir::STRAIGHT.map(is_open);
    let is_passage = (north && south && !east && !west) || (east && west && !north && !south);
    let rest = open & !(1 << cell);
    is_passage && cell != entrance && {
        let from = distances(size, rest, entrance);
        (0..size.cells()).filter(|&cell| rest >> cell & 1 == 1 && from[cell] == u32::MAX).count()
            >= 3
    }
}

fn add_capacities(
    size: Size,
    open: u32,
    path: &[usize],
    choke_points: &[usize],
    capacities: &mut std::collections::BTreeSet<Capacity>,
) {
    let ends = [path[0], path[path.len() - 1]];
    let choke_points: Vec<usize> =
        choke_points.iter().copied().filter(|cell| !ends.contains(cell)).collect();
    for chosen in 0_u32..1 << choke_points.len() {
        let doors: Vec<usize> = (0..choke_points.len())
            .filter(|i| chosen >> i & 1 == 1)
            .map(|i| choke_points[i])
            .collect();
        if doors.iter().any(|&door| neighbours(size, door).iter().any(|next| doors.contains(next)))
        {
            continue;
        }
        let count = |chests: &[usize], safe: &[usize]| {
            let mut free = [0; 5];
            for cell in (0..size.cells()).filter(|&cell| open >> cell & 1 == 1) {
                if ends.contains(&cell) || doors.contains(&cell) {
                    continue;
                }
                let first = neighbours(size, cell).contains(&path[0]);
                let beside_path = neighbours(size, cell).iter().any(|next| chests.contains(next));
                free[match (path.contains(&cell), beside_path, first) {
                    (true, _, first) => 4 - usize::from(first || safe.contains(&cell)),
                    (false, true, true) => 0,
                    (false, true, false) => 1,
                    (false, false, _) => 2,
                }] += 1;
            }
            free
        };
        let safe =
            (0..path.len()).rev().map(|last| count(&path[..=last], &path[..=last])).collect();
        capacities.insert(Capacity {
            length: path.len() as u32 - 1,
            closed: size.cells() as u32 - open.count_ones(),
            doors: doors.len() as u32,
            free: count(path, &[]),
            safe,
        });
    }
}

/// Returns a task with doors and items that need `open` open tiles in total.
fn task_with_items(size: Size, doors: u32, open: u32) -> Task {
    let mut counts = [0; 8];
    counts[Budget::Door as usize] = doors;
    counts[Budget::Item as usize] = open.saturating_sub(doors + 2);
    Task { size, counts, ..Task::default() }
}

/// Recomputes the table. If it differs, the failure message shows the correct rows.
#[test]
fn door_limits_match_recomputed_table() {
    for (width, height, expected) in DOOR_LIMITS {
        let size = Size::new(width, height);
        let is_feasible =
            |task: Task| search_all(&task, u32::MAX, u64::MAX, &mut AnyExit).is_some();
        let mut rows = Vec::new();
        for doors in 0.. {
            let min_open = if doors > 0 { 2 * doors + 3 } else { 2 };
            let cells = size.cells() as u32;
            let Some(open) = (min_open..=cells)
                .rev()
                .find(|&open| is_feasible(task_with_items(size, doors, open)))
            else {
                break;
            };
            let chests = (0..=cells).rev().find(|&chests| {
                let mut task = task_with_items(size, doors, 0);
                task.counts[Budget::Chest as usize] = chests;
                is_feasible(task)
            });
            rows.push((open, chests.unwrap_or(0)));
        }
        assert_eq!(rows, expected, "{size}");
    }
}

#[test]
fn door_limits_are_tight() {
    for (width, height, limits) in DOOR_LIMITS {
        let size = Size::new(width, height);
        for (doors, &(open, chests)) in (0..).zip(limits) {
            let is_feasible =
                |task: Task| search_all(&task, u32::MAX, u64::MAX, &mut AnyExit).is_some();
            let with = |chests: u32| {
                let mut task = task_with_items(size, doors, 0);
                task.counts[Budget::Chest as usize] = chests;
                task
            };
            assert!(
                is_feasible(task_with_items(size, doors, open)),
                "{size}: {doors} doors and {open} open cells"
            );
            assert!(is_feasible(with(chests)), "{size}: {doors} doors and {chests} chests");
            // The largest grids take minutes without optimisation.
            if size.cells() < 24 || doors > 8 || !cfg!(debug_assertions) {
                let full = open == size.cells() as u32;
                assert!(
                    full || !is_feasible(task_with_items(size, doors, open + 1)),
                    "{size}: {doors} doors, {open}"
                );
                assert!(!is_feasible(with(chests + 1)), "{size}: {doors} doors, {chests} chests");
            }
        }
        let doors = limits.len() as u32;
        let none =
            search_all(&task_with_items(size, doors, doors + 2), u32::MAX, u64::MAX, &mut AnyExit)
                .is_none();
        assert!(none, "{size}: {doors} doors");
    }
}

/// For every small task on small grids, the search finds a floor if and only if one exists.
#[test]
fn agrees_with_enumeration_of_all_floors() {
    for (size, base) in [(Size::new(3, 3), 4), (Size::new(4, 3), 3)] {
        let capacities = capacities(size);
        let (mut feasible, mut infeasible) = (0, 0);
        for n in 0..base * base * base * base * base * base * 12_u32 {
            let digit = |place: u32| n / base.pow(place) % base;
            let min_path_length = n / base.pow(6);
            let [doors, chests, traps, water, enemies, others] =
                std::array::from_fn(|i| 2 * digit(i as u32));
            let doors = doors / 2;
            let safety = [Safety::None, Safety::Chests, Safety::Route]
                [(digit(1) + digit(4) + min_path_length) as usize % 3];
            let fits = capacities.iter().any(|capacity| {
                let objects = ObjectCounts { chests, traps, enemies, others };
                capacity.length >= min_path_length
                    && capacity.closed >= water
                    && capacity.doors == doors
                    && match safety {
                        Safety::None => objects.fit_into(&capacity.free),
                        Safety::Chests => capacity.safe.iter().any(|free| objects.fit_into(free)),
                        Safety::Route => objects.fit_into(&capacity.safe[0]),
                    }
            });
            let counts = [doors, chests, traps, water, enemies, others, 0, 0];
            let task = Task { size, min_path_length, counts, safety, ..Task::default() };
            assert_eq!(find(&task, u64::MAX, &mut AnyExit).is_some(), fits, "{task:?}");
            assert!(fits || find(&task, QUICK_NODES, &mut AnyExit).is_none(), "{task:?}");
            *if fits { &mut feasible } else { &mut infeasible } += 1;
        }
        assert!(feasible > 100 && infeasible > 1000, "{feasible} {infeasible}");
    }
}
