//! Rooms and corridors: rectangles apart from each other, joined by corridors of one tile.
//!
//! Entrance and exit lie in rooms of their own, or in one if they are near. Further rooms are placed at random until enough
//! is open, all grow as far as walls between them allow, and a minimum spanning tree (Prim's algorithm) over their distances
//! says which are joined.

use super::board::{Board, Frame};
use super::config::Budget;
use super::draft::{Attempt, Draft};
use super::trace::{Event, tell_set};
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::trace::Tracer;

/// The shortest side of a floor that has rooms and corridors.
const MIN_SIDE: u16 = 7;
/// The shortest side of a drawn room.
const MIN_ROOM: u16 = 3;
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
    /// Its first column and row.
    at: [u16; 2],
    /// Its width and height.
    size: [u16; 2],
}

/// What rooms of a floor look like.
struct Style {
    size: Size,
    /// Tiles of wall between rooms.
    gap: u16,
    most: [u16; 2],
}

/// Whether a floor is large enough for rooms and corridors.
pub(super) fn fits(size: Size) -> bool {
    size.width.min(size.height) >= MIN_SIDE
}

impl<B: Board> Draft<B> {
    /// Opens rooms and corridors until about as many tiles are open as the task asks for. Doors are placed once the path is
    /// known.
    ///
    /// * **Returns.** How many tiles are open. `mouths` are the corridor tiles beside rooms.
    /// * **Determinism.** Stream `floor.open`.
    /// * **Guarantees.** All open tiles are connected, and both ends are open.
    /// * **Complexity.** O(cells * rooms).
    pub(super) fn lay_out(&mut self, attempt: &mut Attempt<'_, impl Tracer<Event>>) -> u32 {
        let Draft { frame, shape, layout, mouths, .. } = self;
        let (task, ends, rng) = (attempt.task, attempt.ends, &mut attempt.streams.open);
        (shape.entrance, shape.exit) = (frame.cell(ends[0]), frame.cell(ends[1]));
        let style = Style::of(task.size);
        let target = task.open.max(task.least_open()).min(task.most_open());
        layout.place(&style, ends, target, rng);
        layout.grow(&style, target, rng);
        let rooms = B::of(frame, layout.rooms.iter().flat_map(|room| room.cells()));
        shape.open = rooms.clone();
        layout.join(frame, task.count(Budget::Door) == 0, rng, &mut shape.open);
        *mouths = shape.open.minus(&rooms).and(&rooms.beside(frame));
        tell_set(&shape.open, frame, Event::Open, attempt.tracer);
        shape.open.len()
    }
}

impl Style {
    fn of(size: Size) -> Style {
        let gap = if size.width.min(size.height) < 14 { 1 } else { 2 };
        let most = [(size.width / 4 + 1).clamp(MIN_ROOM, 9), (size.height / 3 + 1).clamp(MIN_ROOM, 8)];
        Style { size, gap, most }
    }

    /// A room of random size; with `around`, that cell is in it.
    fn draw(&self, around: Option<Pos>, rng: &mut MapRng) -> Rect {
        let mut from = |low: u16, high: u16| low + rng.below(u32::from(high - low) + 1) as u16;
        let size = self.most.map(|most| from(MIN_ROOM, most));
        let grid = [self.size.width, self.size.height];
        let at = std::array::from_fn(|axis| {
            let last = grid[axis] - size[axis];
            let (low, high) = around.map_or((0, last), |pos| {
                let pos = [pos.x, pos.y][axis];
                ((pos + 1).saturating_sub(size[axis]), pos.min(last))
            });
            from(low, high)
        });
        Rect { at, size }
    }
}

impl Rect {
    fn of(pos: Pos) -> Rect {
        Rect { at: [pos.x, pos.y], size: [1, 1] }
    }

    fn cells(self) -> impl Iterator<Item = Pos> {
        let Rect { at: [x, y], size: [width, height] } = self;
        (y..y + height).flat_map(move |y| (x..x + width).map(move |x| Pos { x, y }))
    }

    fn contains(self, pos: Pos) -> bool {
        self.apart(Rect::of(pos)) == [0, 0]
    }

    /// Columns and rows between two rooms, from 1 where they touch; 0 where they share some.
    fn apart(self, other: Rect) -> [u16; 2] {
        let ends = |room: Rect, axis: usize| (room.at[axis], room.at[axis] + room.size[axis]);
        std::array::from_fn(|axis| {
            let ((first, end), (other_first, other_end)) = (ends(self, axis), ends(other, axis));
            (other_first + 1).saturating_sub(end).max((first + 1).saturating_sub(other_end))
        })
    }

    /// Whether fewer than `gap` tiles lie between two rooms.
    fn crowds(self, other: Rect, gap: u16) -> bool {
        self.apart(other).iter().all(|&apart| apart <= gap)
    }

    fn area(self) -> u32 {
        u32::from(self.size[0]) * u32::from(self.size[1])
    }
}

impl Layout {
    /// Rooms around both ends, and others where there is space.
    fn place(&mut self, style: &Style, ends: [Pos; 2], target: u32, rng: &mut MapRng) {
        self.rooms.clear();
        let [entrance, exit] = ends;
        let mut rooms = (0..END_TRIES).map(|_| style.draw(Some(entrance), rng));
        let first = rooms.find(|room| room.contains(exit) || !room.crowds(Rect::of(exit), style.gap));
        self.rooms.push(first.unwrap_or_else(|| Rect {
            at: [entrance.x.min(exit.x), entrance.y.min(exit.y)],
            size: [entrance.x.abs_diff(exit.x) + 1, entrance.y.abs_diff(exit.y) + 1],
        }));
        if !self.rooms[0].contains(exit) {
            let mut rooms = (0..END_TRIES).map(|_| style.draw(Some(exit), rng));
            let last = rooms.find(|room| !room.crowds(self.rooms[0], style.gap));
            self.rooms.push(last.unwrap_or(Rect::of(exit)));
        }
        for _ in 0..16 + style.size.cells() / 4 {
            if self.area(style) >= target {
                break;
            }
            let room = style.draw(None, rng);
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
            // Outwards over its first column or row, or over its last.
            match rng.below(4) as usize {
                axis @ (0 | 1) if room.at[axis] > 0 => {
                    room.at[axis] -= 1;
                    room.size[axis] += 1;
                }
                2 => room.size[0] += 1,
                _ => room.size[1] += 1,
            }
            let Size { width, height } = style.size;
            let fits = room.at[0] + room.size[0] <= width
                && room.at[1] + room.size[1] <= height
                && room.size.iter().zip(style.most).all(|(&long, most)| long <= most + most / 2);
            let mut others = self.rooms.iter().enumerate().filter(|&(other, _)| other != at);
            idle += 1;
            if fits && !others.any(|(_, other)| room.crowds(*other, style.gap)) {
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
    let [x, y]: [[u16; 2]; 2] = std::array::from_fn(|axis| {
        let (a, along, b, across) = (from.at[axis], from.size[axis], to.at[axis], to.size[axis]);
        let (low, high) = (a.max(b), (a + along).min(b + across));
        match low < high {
            true => [low + rng.below(u32::from(high - low)) as u16; 2],
            false => [a + rng.below(along.into()) as u16, b + rng.below(across.into()) as u16],
        }
    });
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
