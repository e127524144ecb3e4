//! Rooms and corridors: rectangles apart from each other, joined by corridors of one tile.
//!
//! Entrance and exit lie in rooms of their own, or in one if they are near. Further rooms are placed at random until enough
//! is open, all grow as far as walls between them allow, and a minimum spanning tree (Prim's algorithm) over their distances
//! says which are joined.

use super::board::{Board, Frame};
use super::config::Budget;
use super::task::Task;
use super::trace::{Event, tell_set};
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::trace::Tracer;

/// The shortest side of a floor that has rooms and corridors.
const MIN_SIDE: u16 = 7;
/// How often the room around an end is drawn.
const END_TRIES: u32 = 40;
/// How many corridors between two rooms are compared.
const CORRIDORS: u32 = 12;

/// Scratch buffers for rooms.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    rooms: Vec<Rect>,
    /// Cost of joining each room to the tree, and the room of the tree that it is nearest to.
    nearest: Vec<(u32, usize)>,
    corridor: Vec<Pos>,
    best: Vec<Pos>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rect {
    x: u16,
    y: u16,
    width: u16,
    height: u16,
}

/// What rooms of a floor look like.
struct Style {
    size: Size,
    /// Tiles of wall between rooms.
    gap: u16,
    least: u16,
    most: [u16; 2],
}

/// Whether a floor is large enough for rooms and corridors.
pub(super) fn fits(size: Size) -> bool {
    size.width.min(size.height) >= MIN_SIDE
}

/// Opens rooms and corridors until about as many tiles are open as `task` asks for.
///
/// * **Returns.** How many tiles are open. `mouths` are the corridor tiles beside rooms.
/// * **Determinism.** Stream `floor.open`.
/// * **Guarantees.** All open tiles are connected, and both ends are open.
/// * **Complexity.** O(cells * rooms).
#[expect(clippy::too_many_arguments, reason = "the floor under construction in its parts")]
pub(super) fn lay_out<B: Board>(
    frame: &Frame,
    task: &Task,
    ends: [Pos; 2],
    rng: &mut MapRng,
    layout: &mut Layout,
    open: &mut B,
    mouths: &mut B,
    tracer: &mut impl Tracer<Event>,
) -> u32 {
    let style = Style::of(task.size);
    let target = task.open.max(task.least_open()).min(task.most_open());
    layout.place(&style, ends, target, rng);
    layout.grow(&style, target, rng);
    *open = B::empty(frame);
    for room in &layout.rooms {
        room.cells().for_each(|pos| open.add(frame.cell(pos)));
    }
    let floor = open.clone();
    layout.join(frame, task.count(Budget::Door) == 0, rng, open);
    *mouths = open.minus(&floor).and(&floor.beside(frame));
    tell_set(open, frame, Event::Open, tracer);
    open.len()
}

impl Style {
    fn of(size: Size) -> Style {
        let short = size.width.min(size.height);
        Style {
            size,
            gap: if short < 14 { 1 } else { 2 },
            least: 3,
            most: [(size.width / 4 + 1).clamp(3, 9), (size.height / 3 + 1).clamp(3, 8)],
        }
    }

    /// A room of random size with `pos` in it.
    fn around(&self, pos: Pos, rng: &mut MapRng) -> Rect {
        let [width, height] = self.most.map(|most| self.draw(most, rng));
        let mut first = |pos: u16, long: u16, side: u16| {
            let low = (pos + 1).saturating_sub(long);
            let high = pos.min(side - long);
            low + rng.below(u32::from(high - low) + 1) as u16
        };
        let (x, y) = (first(pos.x, width, self.size.width), first(pos.y, height, self.size.height));
        Rect { x, y, width, height }
    }

    fn anywhere(&self, rng: &mut MapRng) -> Rect {
        let [width, height] = self.most.map(|most| self.draw(most, rng));
        let mut first = |long: u16, side: u16| rng.below(u32::from(side - long) + 1) as u16;
        Rect { x: first(width, self.size.width), y: first(height, self.size.height), width, height }
    }

    fn draw(&self, most: u16, rng: &mut MapRng) -> u16 {
        self.least + rng.below(u32::from(most - self.least) + 1) as u16
    }
}

impl Rect {
    fn cells(self) -> impl Iterator<Item = Pos> {
        let Rect { x, y, width, height } = self;
        (y..y + height).flat_map(move |y| (x..x + width).map(move |x| Pos { x, y }))
    }

    fn contains(self, pos: Pos) -> bool {
        self.apart(Rect { x: pos.x, y: pos.y, width: 1, height: 1 }) == [0, 0]
    }

    /// Columns and rows between two rooms, from 1 where they touch; 0 where they share some.
    fn apart(self, other: Rect) -> [u16; 2] {
        let between = |a: u16, along: u16, b: u16, across: u16| {
            (b + 1).saturating_sub(a + along).max((a + 1).saturating_sub(b + across))
        };
        [
            between(self.x, self.width, other.x, other.width),
            between(self.y, self.height, other.y, other.height),
        ]
    }

    /// Whether fewer than `gap` tiles lie between two rooms.
    fn crowds(self, other: Rect, gap: u16) -> bool {
        self.apart(other).iter().all(|&apart| apart <= gap)
    }

    fn area(self) -> u32 {
        u32::from(self.width) * u32::from(self.height)
    }
}

impl Layout {
    /// Rooms around both ends, and others where there is space.
    fn place(&mut self, style: &Style, ends: [Pos; 2], target: u32, rng: &mut MapRng) {
        self.rooms.clear();
        let [entrance, exit] = ends.map(|pos| Rect { x: pos.x, y: pos.y, width: 1, height: 1 });
        let first = (0..END_TRIES).map(|_| style.around(ends[0], rng)).find(|room| {
            let near = room.crowds(exit, style.gap);
            room.contains(ends[1]) || !near
        });
        self.rooms.push(first.unwrap_or_else(|| {
            let (x, y) = (entrance.x.min(exit.x), entrance.y.min(exit.y));
            Rect { x, y, width: entrance.x.abs_diff(exit.x) + 1, height: entrance.y.abs_diff(exit.y) + 1 }
        }));
        if !self.rooms[0].contains(ends[1]) {
            let last = (0..END_TRIES)
                .map(|_| style.around(ends[1], rng))
                .find(|room| !room.crowds(self.rooms[0], style.gap));
            self.rooms.push(last.unwrap_or(exit));
        }
        for _ in 0..16 + style.size.cells() / 4 {
            if self.area(style) >= target {
                break;
            }
            let room = style.anywhere(rng);
            if !self.rooms.iter().any(|other| room.crowds(*other, style.gap)) {
                self.rooms.push(room);
            }
        }
    }

    /// What rooms and corridors will open, roughly.
    fn area(&self, style: &Style) -> u32 {
        let rooms: u32 = self.rooms.iter().map(|room| room.area()).sum();
        rooms + (self.rooms.len() as u32 - 1) * u32::from(style.gap + 2)
    }

    /// Moves walls of rooms outwards.
    fn grow(&mut self, style: &Style, target: u32, rng: &mut MapRng) {
        let mut idle = 0;
        while idle < 4 * self.rooms.len() && self.area(style) < target {
            let at = rng.below(self.rooms.len() as u32) as usize;
            let mut room = self.rooms[at];
            match rng.below(4) {
                0 if room.x > 0 => (room.x, room.width) = (room.x - 1, room.width + 1),
                1 if room.y > 0 => (room.y, room.height) = (room.y - 1, room.height + 1),
                2 => room.width += 1,
                _ => room.height += 1,
            }
            let [wide, tall] = style.most.map(|most| most + most / 2);
            let inside = room.x + room.width <= style.size.width && room.y + room.height <= style.size.height;
            let others = self.rooms.iter().enumerate().filter(|&(other, _)| other != at);
            let free = !others.into_iter().any(|(_, other)| room.crowds(*other, style.gap));
            idle += 1;
            if inside && free && room.width <= wide && room.height <= tall {
                self.rooms[at] = room;
                idle = 0;
            }
        }
    }

    /// Joins all rooms by a tree of corridors; with `loops`, some more.
    fn join<B: Board>(&mut self, frame: &Frame, loops: bool, rng: &mut MapRng, open: &mut B) {
        const JOINED: u32 = u32::MAX;
        self.nearest.clear();
        self.nearest.resize(self.rooms.len(), (JOINED - 1, 0));
        let mut last = 0;
        self.nearest[0].0 = JOINED;
        for _ in 1..self.rooms.len() {
            for at in 0..self.rooms.len() {
                let cost = self.cost(last, at, rng);
                if self.nearest[at].0 != JOINED && cost < self.nearest[at].0 {
                    self.nearest[at] = (cost, last);
                }
            }
            let Some(at) = (0..self.rooms.len()).min_by_key(|&at| self.nearest[at].0) else { return };
            let from = self.nearest[at].1;
            self.nearest[at].0 = JOINED;
            last = at;
            self.carve(frame, from, at, u32::MAX, rng, open);
        }
        for _ in 0..if loops { self.rooms.len() / 4 } else { 0 } {
            let a = rng.below(self.rooms.len() as u32) as usize;
            let others =
                (0..self.rooms.len()).filter(|&b| b != a && self.nearest[a].1 != b && self.nearest[b].1 != a);
            let near = others.min_by_key(|&b| self.rooms[a].apart(self.rooms[b]).iter().sum::<u16>());
            if let Some(b) = near {
                self.carve(frame, a, b, 0, rng, open);
            }
        }
    }

    /// What a corridor between two rooms costs: its length, with some chance.
    fn cost(&self, a: usize, b: usize, rng: &mut MapRng) -> u32 {
        let [across, down] = self.rooms[a].apart(self.rooms[b]).map(u32::from);
        let bend = if across > 0 && down > 0 { 4 } else { 0 };
        4 * (across + down) + bend + rng.below(8)
    }

    /// Opens the corridor between two rooms that touches least else, if that is no more than `most`.
    fn carve<B: Board>(
        &mut self,
        frame: &Frame,
        a: usize,
        b: usize,
        most: u32,
        rng: &mut MapRng,
        open: &mut B,
    ) {
        let (from, to) = (self.rooms[a], self.rooms[b]);
        let mut least = None;
        for _ in 0..CORRIDORS {
            draw_corridor(from, to, rng, &mut self.corridor);
            let touched = touched(frame, &self.corridor, open);
            if least.is_none_or(|least| touched < least) {
                least = Some(touched);
                std::mem::swap(&mut self.best, &mut self.corridor);
                if touched == 0 {
                    break;
                }
            }
        }
        if least.is_some_and(|least| least <= most) {
            self.best.iter().for_each(|&pos| open.add(frame.cell(pos)));
        }
    }
}

/// A straight corridor where two rooms share columns or rows, one with a bend otherwise: its tiles from within one room to
/// within the other.
fn draw_corridor(from: Rect, to: Rect, rng: &mut MapRng, corridor: &mut Vec<Pos>) {
    let mut side = |a: u16, along: u16, b: u16, across: u16| -> [u16; 2] {
        let (low, high) = (a.max(b), (a + along).min(b + across));
        if low < high {
            let shared = low + rng.below(u32::from(high - low)) as u16;
            return [shared; 2];
        }
        [a + rng.below(along.into()) as u16, b + rng.below(across.into()) as u16]
    };
    let x = side(from.x, from.width, to.x, to.width);
    let y = side(from.y, from.height, to.y, to.height);
    let corner = if rng.chance(1, 2) { Pos { x: x[1], y: y[0] } } else { Pos { x: x[0], y: y[1] } };
    let mut here = Pos { x: x[0], y: y[0] };
    corridor.clear();
    corridor.push(here);
    for goal in [corner, Pos { x: x[1], y: y[1] }] {
        while here != goal {
            let step = |a: u16, b: u16| a + u16::from(b > a) - u16::from(b < a);
            here = Pos { x: step(here.x, goal.x), y: step(here.y, goal.y) };
            corridor.push(here);
        }
    }
}

/// How many open tiles a corridor is beside, other than before and after it.
fn touched<B: Board>(frame: &Frame, corridor: &[Pos], open: &B) -> u32 {
    let cell = |at: usize| corridor.get(at).map(|&pos| frame.cell(pos));
    let mut count = 0;
    let mut passages = 0;
    for (at, &pos) in corridor.iter().enumerate() {
        let here = frame.cell(pos);
        if open.has(here) {
            // Leaving what is open more than once is a way through another room.
            passages += u32::from(cell(at + 1).is_some_and(|next| !open.has(next)));
            continue;
        }
        let beside = frame.neighbours(here).iter().filter(|&&beside| {
            let along = at.checked_sub(1).and_then(cell) == Some(beside) || cell(at + 1) == Some(beside);
            open.has(beside) && !along
        });
        count += beside.count() as u32;
    }
    count + 4 * passages.saturating_sub(1)
}
