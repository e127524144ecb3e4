//! The search compared with looking at every floor.

use super::*;
use crate::task::{Anywhere, Safety, Things};

/// What one floor has room for, found by looking at every set of open cells and every shortest way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Room {
    length: u32,
    closed: u32,
    doors: u32,
    /// Free tiles by class: enemies anywhere, none on the path, none on the first steps of the path.
    free: [u32; 5],
    safe: Vec<[u32; 5]>,
}

fn steps(size: Size, open: u32, from: usize) -> Vec<u32> {
    let mut steps = vec![u32::MAX; size.cells()];
    let mut queue = vec![from];
    steps[from] = 0;
    let mut at = 0;
    while at < queue.len() {
        let cell = queue[at];
        at += 1;
        for next in beside(size, cell) {
            if open >> next & 1 == 1 && steps[next] == u32::MAX {
                steps[next] = steps[cell] + 1;
                queue.push(next);
            }
        }
    }
    steps
}

fn beside(size: Size, cell: usize) -> Vec<usize> {
    let next = |dir: Dir| size.pos(cell).step(dir, size).map(|pos| size.index(pos));
    Dir::STRAIGHT.into_iter().filter_map(next).collect()
}

fn ways(size: Size, open: u32, steps: &[u32], way: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    let here = way[way.len() - 1];
    if steps[here] == 0 {
        return all.push(way.clone());
    }
    for next in beside(size, here) {
        if open >> next & 1 == 1 && steps[next] == steps[here] - 1 {
            way.push(next);
            ways(size, open, steps, way, all);
            way.pop();
        }
    }
}

fn rooms(size: Size) -> Vec<Room> {
    let cells = size.cells();
    let mut rooms = std::collections::BTreeSet::new();
    for open in 0_u32..1 << cells {
        let there = |cell: usize| open >> cell & 1 == 1;
        for entrance in (0..cells).filter(|&cell| there(cell)) {
            let from = steps(size, open, entrance);
            if (0..cells).any(|cell| there(cell) && from[cell] == u32::MAX) {
                break;
            }
            let chokes: Vec<usize> =
                (0..cells).filter(|&cell| there(cell) && is_choke(size, open, cell, entrance)).collect();
            for exit in (0..cells).filter(|&cell| there(cell) && cell != entrance) {
                let mut all = Vec::new();
                ways(size, open, &steps(size, open, exit), &mut vec![entrance], &mut all);
                for way in all {
                    add_rooms(size, open, &way, &chokes, &mut rooms);
                }
            }
        }
    }
    rooms.into_iter().collect()
}

fn is_choke(size: Size, open: u32, cell: usize, entrance: usize) -> bool {
    let there = |dir: Dir| size.pos(cell).step(dir, size).is_some_and(|pos| open >> size.index(pos) & 1 == 1);
    let [north, east, south, west] = Dir::STRAIGHT.map(there);
    let between = (north && south && !east && !west) || (east && west && !north && !south);
    let rest = open & !(1 << cell);
    between && cell != entrance && {
        let from = steps(size, rest, entrance);
        (0..size.cells()).filter(|&cell| rest >> cell & 1 == 1 && from[cell] == u32::MAX).count() >= 3
    }
}

fn add_rooms(
    size: Size,
    open: u32,
    way: &[usize],
    chokes: &[usize],
    rooms: &mut std::collections::BTreeSet<Room>,
) {
    let ends = [way[0], way[way.len() - 1]];
    let chokes: Vec<usize> = chokes.iter().copied().filter(|cell| !ends.contains(cell)).collect();
    for chosen in 0_u32..1 << chokes.len() {
        let doors: Vec<usize> =
            (0..chokes.len()).filter(|i| chosen >> i & 1 == 1).map(|i| chokes[i]).collect();
        if doors.iter().any(|&door| beside(size, door).iter().any(|next| doors.contains(next))) {
            continue;
        }
        let count = |chests: &[usize], safe: &[usize]| {
            let mut free = [0; 5];
            for cell in (0..size.cells()).filter(|&cell| open >> cell & 1 == 1) {
                if ends.contains(&cell) || doors.contains(&cell) {
                    continue;
                }
                let first = beside(size, cell).contains(&way[0]);
                let near_way = beside(size, cell).iter().any(|next| chests.contains(next));
                free[match (way.contains(&cell), near_way, first) {
                    (true, _, first) => 4 - usize::from(first || safe.contains(&cell)),
                    (false, true, true) => 0,
                    (false, true, false) => 1,
                    (false, false, _) => 2,
                }] += 1;
            }
            free
        };
        let safe = (0..way.len()).rev().map(|last| count(&way[..=last], &way[..=last])).collect();
        rooms.insert(Room {
            length: way.len() as u32 - 1,
            closed: size.cells() as u32 - open.count_ones(),
            doors: doors.len() as u32,
            free: count(way, &[]),
            safe,
        });
    }
}

/// A task with nothing but doors, and things for which every tile will do.
fn crowded(size: Size, doors: u32, open: u32) -> Task {
    let mut counts = [0; 8];
    counts[Budget::Door as usize] = doors;
    counts[Budget::Item as usize] = open.saturating_sub(doors + 2);
    Task { size, counts, ..Task::default() }
}

/// Computes the table from nothing; where it differs, the failure shows what to write.
#[test]
fn the_table_of_doors_is_complete() {
    for (width, height, written) in BESIDE_DOORS {
        let size = Size::new(width, height);
        let there = |task: Task| look_at_all(&task, u32::MAX, u64::MAX, &mut Anywhere).is_some();
        let mut rows = Vec::new();
        for doors in 0.. {
            let least = if doors > 0 { 2 * doors + 3 } else { 2 };
            let cells = size.cells() as u32;
            let Some(open) = (least..=cells).rev().find(|&open| there(crowded(size, doors, open))) else {
                break;
            };
            let chests = (0..=cells).rev().find(|&chests| {
                let mut task = crowded(size, doors, 0);
                task.counts[Budget::Chest as usize] = chests;
                there(task)
            });
            rows.push((open, chests.unwrap_or(0)));
        }
        assert_eq!(rows, written, "{size}");
    }
}

#[test]
fn the_table_of_doors_is_what_the_search_finds() {
    for (width, height, most) in BESIDE_DOORS {
        let size = Size::new(width, height);
        for (doors, &(open, chests)) in (0..).zip(most) {
            let there = |task: Task| look_at_all(&task, u32::MAX, u64::MAX, &mut Anywhere).is_some();
            let with = |chests: u32| {
                let mut task = crowded(size, doors, 0);
                task.counts[Budget::Chest as usize] = chests;
                task
            };
            assert!(there(crowded(size, doors, open)), "{size}: {doors} doors and {open} open cells");
            assert!(there(with(chests)), "{size}: {doors} doors and {chests} chests");
            // The largest floors take minutes without optimization.
            if size.cells() < 24 || doors > 8 || !cfg!(debug_assertions) {
                let full = open == size.cells() as u32;
                assert!(full || !there(crowded(size, doors, open + 1)), "{size}: {doors} doors, {open}");
                assert!(!there(with(chests + 1)), "{size}: {doors} doors, {chests} chests");
            }
        }
        let doors = most.len() as u32;
        let none = look_at_all(&crowded(size, doors, doors + 2), u32::MAX, u64::MAX, &mut Anywhere).is_none();
        assert!(none, "{size}: {doors} doors");
    }
}

/// Every small demand on every small floor: the search finds a floor exactly where one is.
#[test]
fn agrees_with_looking_at_every_floor() {
    for (size, most) in [(Size::new(3, 3), 4), (Size::new(4, 3), 3)] {
        let rooms = rooms(size);
        let (mut possible, mut impossible) = (0, 0);
        for n in 0..most * most * most * most * most * most * 12_u32 {
            let digit = |place: u32| n / most.pow(place) % most;
            let min_path = n / most.pow(6);
            let [doors, chests, traps, water, enemies, others] = std::array::from_fn(|i| 2 * digit(i as u32));
            let doors = doors / 2;
            let safety =
                [Safety::None, Safety::Chests, Safety::Route][(digit(1) + digit(4) + min_path) as usize % 3];
            let fits = rooms.iter().any(|room| {
                let things = Things { chests, traps, enemies, others };
                room.length >= min_path
                    && room.closed >= water
                    && room.doors == doors
                    && match safety {
                        Safety::None => things.fit(&room.free),
                        Safety::Chests => room.safe.iter().any(|free| things.fit(free)),
                        Safety::Route => things.fit(&room.safe[0]),
                    }
            });
            let counts = [doors, chests, traps, water, enemies, others, 0, 0];
            let task = Task { size, min_path, counts, safety, ..Task::default() };
            assert_eq!(find(&task, u64::MAX, &mut Anywhere).is_some(), fits, "{task:?}");
            assert!(fits || find(&task, EASY, &mut Anywhere).is_none(), "{task:?}");
            *if fits { &mut possible } else { &mut impossible } += 1;
        }
        assert!(possible > 100 && impossible > 1000, "{possible} {impossible}");
    }
}
