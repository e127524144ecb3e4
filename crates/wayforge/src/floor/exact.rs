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
const MOST_NODES: u32 = 400_000;

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
    let mut search = Search { frame: &frame, task, exits, nodes: 0, found: None };
    let entrances = task.size.iter().filter(|&pos| task.entrance.is_none_or(|entrance| pos == entrance));
    for entrance in entrances {
        let entrance = frame.cell(entrance);
        if search.follow(&mut vec![entrance], 1 << entrance) {
            break;
        }
    }
    match search.found {
        Some(safe) => Decision::Found(safe),
        None if search.nodes >= MOST_NODES => Decision::Unknown,
        None => Decision::Impossible,
    }
}

struct Search<'a> {
    frame: &'a Frame,
    task: &'a Task,
    exits: u64,
    nodes: u32,
    found: Option<Box<Safe>>,
}

impl Search<'_> {
    /// Goes through all taut ways that begin with `way`; true if the search is over.
    fn follow(&mut self, way: &mut Vec<u16>, closed: u64) -> bool {
        self.nodes += 1;
        if self.nodes >= MOST_NODES {
            return true;
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
        self.combine(shape, way.len() as u32 - 1, &options)
    }

    fn combine(&mut self, shape: Shape<u64>, length: u32, options: &[u16]) -> bool {
        self.nodes += 1;
        if self.nodes >= MOST_NODES {
            return true;
        }
        let most = options.iter().fold(shape.open, |set, &cell| set | 1 << cell);
        let mut needs = self.task.things();
        needs.others += self.task.count(Budget::Door);
        if !needs.fit(&Free::of(self.frame, &Shape { open: most, ..shape.clone() }, &0).counts) {
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
