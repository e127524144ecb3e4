//! Whether any floor can be what a task asks for, decided by looking at all of them.
//!
//! Every floor has a shortest way, and a shortest way is taut. So all taut ways are gone through; for each, cells are
//! opened in every combination that keeps it a shortest one. Room only grows with cells, so a combination that would not do
//! with all cells still to come is left at once.

use super::board::{Board, Frame};
use super::config::Budget;
use super::draft::{Safe, Shape};
use super::place::{Free, find_chokepoints};
use super::task::{Exits, Task};
use crate::grid::BitGrid;

/// The largest floor that is gone through.
pub(super) const MOST_CELLS: usize = 25;
/// The most combinations that are looked at.
const MOST_NODES: u32 = 4_000_000;
/// The most that are looked at around one way, pass by pass: a floor that one way makes easy is not missed for those before it.
const PASSES: [u32; 2] = [12, u32::MAX];

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Found(Box<Safe>),
    /// There is no such floor.
    Impossible,
    /// The bound was reached first, or the floor is too large.
    Unknown,
}

/// Looks at every floor of the task's size; `exits` says where a floor may end.
pub(super) fn decide(task: &Task, exits: &mut dyn Exits) -> Decision {
    if task.size.cells() > MOST_CELLS {
        return Decision::Unknown;
    }
    let frame = <u64 as Board>::frame(task.size);
    let exits = task.size.iter().filter(|&pos| task.exit.is_none_or(|exit| pos == exit) && exits.accept(pos));
    let exits = exits.fold(0, |set, pos| set | 1 << frame.cell(pos));
    let mut nodes = 0;
    for pass in PASSES {
        let mut search = Search { frame: &frame, task, exits, nodes, pass, stop: 0, cut: false, found: None };
        let entrances = task.size.iter().filter(|&pos| task.entrance.is_none_or(|entrance| pos == entrance));
        for entrance in entrances {
            let entrance = frame.cell(entrance);
            if search.follow(&mut vec![entrance], 1 << entrance) {
                break;
            }
        }
        match search.found {
            Some(safe) => return Decision::Found(safe),
            None if search.nodes >= MOST_NODES => return Decision::Unknown,
            None if !search.cut => return Decision::Impossible,
            None => nodes = search.nodes,
        }
    }
    Decision::Unknown
}

struct Search<'a> {
    frame: &'a Frame,
    task: &'a Task,
    exits: u64,
    nodes: u32,
    /// How many combinations this pass looks at around one way, and where that ends for the present one.
    pass: u32,
    stop: u32,
    /// Whether some way was left early.
    cut: bool,
    found: Option<Box<Safe>>,
}

impl Search<'_> {
    /// Goes through all taut ways that begin with `way`; true if the search is over.
    fn follow(&mut self, way: &mut Vec<u16>, closed: u64) -> bool {
        self.nodes += 1;
        if self.nodes >= MOST_NODES {
            return true;
        }
        // Water needs the rest.
        if way.len() > self.task.most_open() as usize {
            return false;
        }
        let here = way[way.len() - 1];
        if way.len() > 1 && way.len() > self.task.min_path as usize && self.exits.has(here) && self.fill(way)
        {
            return true;
        }
        let beside = (1_u64 << here).beside(self.frame);
        let mut next = beside & !closed;
        while next != 0 {
            way.push(next.trailing_zeros() as u16);
            if self.follow(way, closed | beside) {
                return true;
            }
            way.pop();
            next &= next - 1;
        }
        false
    }

    /// Goes through what can be open around one way.
    fn fill(&mut self, way: &[u16]) -> bool {
        let on_way = way.iter().fold(0_u64, |set, &cell| set | 1 << cell);
        let step = |cell: u16| way.iter().position(|&other| other == cell).unwrap_or(0);
        let mut options: Vec<u16> = Vec::new();
        let all = self.task.size.iter().map(|pos| self.frame.cell(pos));
        for cell in all.filter(|&cell| !on_way.has(cell)) {
            let (mut low, mut high) = (usize::MAX, 0);
            ((1_u64 << cell).beside(self.frame) & on_way).each(|cell| {
                low = low.min(step(cell));
                high = high.max(step(cell));
            });
            // A cell that joins steps further apart than two would be a short cut by itself.
            if low == usize::MAX || high <= low + 2 {
                options.push(cell);
            }
        }
        // Cells beside the way first: the others need them.
        let beside = on_way.beside(self.frame);
        options.sort_by_key(|&cell| (!beside.has(cell), cell));
        let shape = Shape { open: on_way, on_way, entrance: way[0], exit: way[way.len() - 1] };
        self.stop = self.nodes.saturating_add(self.pass);
        self.combine(shape, way.len() as u32 - 1, &options)
    }

    fn combine(&mut self, shape: Shape<u64>, length: u32, options: &[u16]) -> bool {
        self.nodes += 1;
        if self.nodes >= MOST_NODES {
            return true;
        }
        if self.nodes > self.stop {
            self.cut = true;
            return false;
        }
        if shape.open.len() > self.task.most_open() {
            return false;
        }
        let most = options.iter().fold(shape.open, |set, &cell| set | 1 << cell);
        let mut needs = self.task.things();
        needs.others += self.task.count(Budget::Door);
        if !needs.fit(&Free::of(self.frame, &Shape { open: most, ..shape.clone() }, &0).counts) {
            return false;
        }
        // So many cells more may be opened, whichever they are.
        let more = self.task.most_open() - shape.open.len();
        let [near, beside, far, first, on] = Free::of(self.frame, &shape, &0).counts;
        let (off, placed) = (near + beside + far + more, needs.chests + needs.traps);
        if placed > off
            || placed + needs.enemies > off + on
            || placed + needs.enemies + needs.others > off + first + on
        {
            return false;
        }
        if let Some(doors) = self.doors_of(&shape) {
            self.found = Some(Box::new(self.keep(&shape, doors)));
            return true;
        }
        let Some((&cell, rest)) = options.split_first() else { return false };
        let wider = Shape { open: shape.open | 1 << cell, ..shape.clone() };
        if self.steps(&wider) == length && self.combine(wider, length, rest) {
            return true;
        }
        self.combine(shape, length, rest)
    }

    fn steps(&self, shape: &Shape<u64>) -> u32 {
        let (mut wave, mut seen, mut steps) = (1_u64 << shape.entrance, 1_u64 << shape.entrance, 0);
        while !wave.has(shape.exit) && wave != 0 {
            wave = wave.beside(self.frame) & shape.open & !seen;
            seen |= wave;
            steps += 1;
        }
        steps
    }

    /// Doors with which everything has room on a shape; `None` if there are none.
    fn doors_of(&self, shape: &Shape<u64>) -> Option<u64> {
        let reached = shape.open.flood(self.frame, shape.entrance);
        let count = reached.len();
        if reached != shape.open || count < self.task.least_open() || count > self.task.most_open() {
            return None;
        }
        let wanted = self.task.count(Budget::Door);
        if wanted == 0 {
            let free = Free::of(self.frame, shape, &0);
            return self.task.things().fit(&free.counts).then_some(0);
        }
        let chokepoints = find_chokepoints(self.frame, shape);
        if chokepoints.len() < wanted {
            return None;
        }
        self.choose_doors(shape, chokepoints, 0, wanted)
    }

    /// Only the class of a door's tile matters, so of each class doors are taken in order.
    fn choose_doors(&self, shape: &Shape<u64>, chokepoints: u64, doors: u64, wanted: u32) -> Option<u64> {
        let free = Free::of(self.frame, shape, &doors);
        if wanted == 0 {
            return self.task.things().fit(&free.counts).then_some(doors);
        }
        free.tiles.iter().find_map(|tiles| {
            let here = chokepoints & tiles;
            (here != 0).then_some(())?;
            let door = here & here.wrapping_neg();
            self.choose_doors(shape, chokepoints & !door, doors | door, wanted - 1)
        })
    }

    fn keep(&self, shape: &Shape<u64>, doors: u64) -> Safe {
        let set = |cells: u64| {
            let mut set = BitGrid::new(self.task.size);
            cells.each(|cell| set.insert(self.frame.pos(cell)));
            set
        };
        Safe {
            entrance: self.frame.pos(shape.entrance),
            exit: self.frame.pos(shape.exit),
            open: set(shape.open),
            way: set(shape.on_way),
            doors: set(doors),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::task::{Anywhere, Things};
    use crate::floor::{Carve, Opening};
    use crate::grid::{Dir, Size};

    /// What one floor has room for, found by looking at every set of open cells and every shortest way.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Room {
        length: u32,
        closed: u32,
        doors: u32,
        free: [u32; 5],
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
                    (0..cells).filter(|&cell| there(cell) && is_choke(size, open, cell)).collect();
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

    fn is_choke(size: Size, open: u32, cell: usize) -> bool {
        let there =
            |dir: Dir| size.pos(cell).step(dir, size).is_some_and(|pos| open >> size.index(pos) & 1 == 1);
        let [north, east, south, west] = Dir::STRAIGHT.map(there);
        let between = (north && south && !east && !west) || (east && west && !north && !south);
        let rest = open & !(1 << cell);
        between && {
            let from = steps(size, rest, rest.trailing_zeros() as usize);
            (0..size.cells()).any(|cell| rest >> cell & 1 == 1 && from[cell] == u32::MAX)
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
            let mut free = [0; 5];
            for cell in (0..size.cells()).filter(|&cell| open >> cell & 1 == 1) {
                if ends.contains(&cell) || doors.contains(&cell) {
                    continue;
                }
                let first = beside(size, cell).contains(&way[0]);
                let near_way = beside(size, cell).iter().any(|next| way.contains(next));
                free[match (way.contains(&cell), near_way, first) {
                    (true, _, true) => 3,
                    (true, _, false) => 4,
                    (false, true, true) => 0,
                    (false, true, false) => 1,
                    (false, false, _) => 2,
                }] += 1;
            }
            rooms.insert(Room {
                length: way.len() as u32 - 1,
                closed: size.cells() as u32 - open.count_ones(),
                doors: doors.len() as u32,
                free,
            });
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
                let [doors, chests, traps, water, enemies, others] =
                    std::array::from_fn(|i| 2 * digit(i as u32));
                let doors = doors / 2;
                let fits = rooms.iter().any(|room| {
                    let things = Things { chests, traps, enemies, others };
                    room.length >= min_path
                        && room.closed >= water
                        && room.doors == doors
                        && things.fit(&room.free)
                });
                let task = Task {
                    size,
                    carve: Carve::Walk,
                    opening: Opening::Density,
                    open: 0,
                    min_path,
                    entrance: None,
                    exit: None,
                    counts: [doors, chests, traps, water, enemies, others, 0, 0],
                };
                let decided = decide(&task, &mut Anywhere);
                assert_eq!(matches!(decided, Decision::Found(_)), fits, "{task:?}");
                assert_ne!(decided, Decision::Unknown);
                *if fits { &mut possible } else { &mut impossible } += 1;
            }
            assert!(possible > 100 && impossible > 1000, "{possible} {impossible}");
        }
    }
}
