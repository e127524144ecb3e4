//! Rooms and corridors: separate rectangles, connected by corridors one tile wide along a minimum
//! spanning tree (Prim 1957).
//!
//! Entrance and exit each get a room, or share one if they are close. Further rooms are placed at
//! random until enough tiles are open. If no more fit, random rooms grow. The cost of a tree edge
//! is the distance between its rooms plus random noise.

use super::cell_set::{CellSet, GridShape};
use super::config::Budget;
use super::draft::{Attempt, Draft};
use super::trace::{Event, record_set};
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::trace::Tracer;

/// Minimum side of a floor with rooms and corridors.
const MIN_SIDE: u16 = 7;
/// Minimum side of a random room.
const MIN_ROOM_SIDE: u16 = 3;
/// Maximum number of attempts to place the room around the entrance or the exit.
const END_ROOM_TRIES: u32 = 40;
/// Number of random corridors compared for two rooms.
const CORRIDOR_CANDIDATES: u32 = 12;

/// Rooms of one layout, and reusable buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct RoomPlanner {
    rooms: Vec<Rect>,
    /// For each room: cost of connecting it to the tree, and the closest room of the tree.
    nearest: Vec<(u32, usize)>,
    corridor: Vec<Pos>,
    best_corridor: Vec<Pos>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rect {
    /// First column and row.
    origin: [u16; 2],
    /// Width and height.
    size: [u16; 2],
}

/// Dimensions of the rooms on a grid.
struct RoomStyle {
    grid_size: Size,
    /// Number of wall tiles between rooms.
    gap: u16,
    max_side: [u16; 2],
}

/// Returns whether a floor is large enough for rooms and corridors.
pub(super) fn is_large_enough(size: Size) -> bool {
    size.width.min(size.height) >= MIN_SIDE
}

impl<S: CellSet> Draft<S> {
    /// Opens rooms and corridors until about the requested number of tiles is open.
    ///
    /// Returns the number of open tiles. All open tiles are connected; entrance and exit are open.
    /// Sets `doorways` to the corridor tiles next to rooms; doors are placed once the path is
    /// known.
    ///
    /// # Complexity
    /// O(cells * rooms).
    ///
    /// # Determinism
    /// Stream `floor.open`.
    pub(super) fn lay_out_rooms(&mut self, attempt: &mut Attempt<'_, impl Tracer<Event>>) -> u32 {
        let Draft { shape, layout, room_planner, doorways, .. } = self;
        let (task, ends, rng) = (attempt.task, attempt.ends, &mut attempt.streams.open);
        (layout.entrance, layout.exit) = (shape.cell(ends[0]), shape.cell(ends[1]));
        let style = RoomStyle::new(task.size);
        let target = task.open.max(task.min_open()).min(task.max_open());
        room_planner.place(&style, ends, target, rng);
        room_planner.grow(&style, target, rng);
        let rooms =
            S::from_positions(shape, room_planner.rooms.iter().flat_map(|room| room.cells()));
        layout.open = rooms.clone();
        room_planner.connect(shape, task.count(Budget::Door) == 0, rng, &mut layout.open);
        *doorways = layout.open.minus(&rooms).and(&rooms.adjacent(shape));
        record_set(&layout.open, shape, Event::Open, attempt.tracer);
        layout.open.len()
    }
}

impl RoomStyle {
    fn new(size: Size) -> RoomStyle {
        let gap = if size.width.min(size.height) < 14 { 1 } else { 2 };
        let max_side = [
            (size.width / 4 + 1).clamp(MIN_ROOM_SIDE, 9),
            (size.height / 3 + 1).clamp(MIN_ROOM_SIDE, 8),
        ];
        RoomStyle { grid_size: size, gap, max_side }
    }

    /// Returns a room of random size and position that contains the cell `around`, if given.
    fn draw(&self, around: Option<Pos>, rng: &mut MapRng) -> Rect {
        let mut in_range = |low: u16, high: u16| low + rng.below(u32::from(high - low) + 1) as u16;
        let size = self.max_side.map(|max_side| in_range(MIN_ROOM_SIDE, max_side));
        let grid = [self.grid_size.width, self.grid_size.height];
        let origin = std::array::from_fn(|axis| {
            let last = grid[axis] - size[axis];
            let (low, high) = around.map_or((0, last), |pos| {
                let pos = [pos.x, pos.y][axis];
                ((pos + 1).saturating_sub(size[axis]), pos.min(last))
            });
            in_range(low, high)
        });
        Rect { origin, size }
    }
}

impl Rect {
    fn from_pos(pos: Pos) -> Rect {
        Rect { origin: [pos.x, pos.y], size: [1, 1] }
    }

    fn cells(self) -> impl Iterator<Item = Pos> {
        let Rect { origin: [x, y], size: [width, height] } = self;
        (y..y + height).flat_map(move |y| (x..x + width).map(move |x| Pos { x, y }))
    }

    fn contains(self, pos: Pos) -> bool {
        self.gaps(Rect::from_pos(pos)) == [0, 0]
    }

    /// Returns the distance per axis: 0 if the rooms overlap on the axis, 1 if they touch.
    fn gaps(self, other: Rect) -> [u16; 2] {
        let ends =
            |room: Rect, axis: usize| (room.origin[axis], room.origin[axis] + room.size[axis]);
        std::array::from_fn(|axis| {
            let ((first, end), (other_first, other_end)) = (ends(self, axis), ends(other, axis));
            (other_first + 1).saturating_sub(end).max((first + 1).saturating_sub(other_end))
        })
    }

    /// Returns whether fewer than `gap` tiles separate two rooms.
    fn is_closer_than(self, other: Rect, gap: u16) -> bool {
        self.gaps(other).iter().all(|&axis_gap| axis_gap <= gap)
    }

    fn area(self) -> u32 {
        u32::from(self.size[0]) * u32::from(self.size[1])
    }
}

impl RoomPlanner {
    /// Places rooms around entrance and exit, and further rooms where they fit.
    fn place(&mut self, style: &RoomStyle, ends: [Pos; 2], target: u32, rng: &mut MapRng) {
        self.rooms.clear();
        let [entrance, exit] = ends;
        let mut rooms = (0..END_ROOM_TRIES).map(|_| style.draw(Some(entrance), rng));
        let first = rooms.find(|room| {
            room.contains(exit) || !room.is_closer_than(Rect::from_pos(exit), style.gap)
        });
        self.rooms.push(first.unwrap_or_else(|| Rect {
            origin: [entrance.x.min(exit.x), entrance.y.min(exit.y)],
            size: [entrance.x.abs_diff(exit.x) + 1, entrance.y.abs_diff(exit.y) + 1],
        }));
        if !self.rooms[0].contains(exit) {
            let mut rooms = (0..END_ROOM_TRIES).map(|_| style.draw(Some(exit), rng));
            let last = rooms.find(|room| !room.is_closer_than(self.rooms[0], style.gap));
            self.rooms.push(last.unwrap_or(Rect::from_pos(exit)));
        }
        for _ in 0..16 + style.grid_size.cells() / 4 {
            if self.area(style) >= target {
                break;
            }
            let room = style.draw(None, rng);
            if !self.rooms.iter().any(|other| room.is_closer_than(*other, style.gap)) {
                self.rooms.push(room);
            }
        }
    }

    /// Estimates the number of tiles in rooms and corridors.
    fn area(&self, style: &RoomStyle) -> u32 {
        let rooms: u32 = self.rooms.iter().map(|room| room.area()).sum();
        rooms + (self.rooms.len() as u32 - 1) * u32::from(style.gap + 2)
    }

    /// Extends random rooms until enough tiles are open or too many extensions in a row fail.
    fn grow(&mut self, style: &RoomStyle, target: u32, rng: &mut MapRng) {
        let mut failures = 0;
        while failures < 4 * self.rooms.len() && self.area(style) < target {
            let index = rng.below(self.rooms.len() as u32) as usize;
            let mut room = self.rooms[index];
            // Extend the room by one column or row.
            match rng.below(4) as usize {
                axis @ (0 | 1) if room.origin[axis] > 0 => {
                    room.origin[axis] -= 1;
                    room.size[axis] += 1;
                }
                2 => room.size[0] += 1,
                _ => room.size[1] += 1,
            }
            let Size { width, height } = style.grid_size;
            let fits = room.origin[0] + room.size[0] <= width
                && room.origin[1] + room.size[1] <= height
                && room
                    .size
                    .iter()
                    .zip(style.max_side)
                    .all(|(&side, max_side)| side <= max_side + max_side / 2);
            let mut others = self.rooms.iter().enumerate().filter(|&(other, _)| other != index);
            failures += 1;
            if fits && !others.any(|(_, other)| room.is_closer_than(*other, style.gap)) {
                self.rooms[index] = room;
                failures = 0;
            }
        }
    }

    /// Connects all rooms by a tree of corridors. With `loops`, adds further corridors.
    fn connect<S: CellSet>(
        &mut self,
        shape: &GridShape,
        loops: bool,
        rng: &mut MapRng,
        open: &mut S,
    ) {
        const IN_TREE: u32 = u32::MAX;
        self.nearest.clear();
        self.nearest.resize(self.rooms.len(), (IN_TREE - 1, 0));
        let mut last = 0;
        self.nearest[0].0 = IN_TREE;
        for _ in 1..self.rooms.len() {
            for room in 0..self.rooms.len() {
                let cost = self.cost(last, room, rng);
                if self.nearest[room].0 != IN_TREE && cost < self.nearest[room].0 {
                    self.nearest[room] = (cost, last);
                }
            }
            let Some(next) = (0..self.rooms.len()).min_by_key(|&room| self.nearest[room].0) else {
                return;
            };
            let from = self.nearest[next].1;
            self.nearest[next].0 = IN_TREE;
            last = next;
            self.carve_corridor(shape, from, next, u32::MAX, rng, open);
        }
        for _ in 0..if loops { self.rooms.len() / 4 } else { 0 } {
            let a = rng.below(self.rooms.len() as u32) as usize;
            let others = (0..self.rooms.len())
                .filter(|&b| b != a && self.nearest[a].1 != b && self.nearest[b].1 != a);
            let closest =
                others.min_by_key(|&b| self.rooms[a].gaps(self.rooms[b]).iter().sum::<u16>());
            if let Some(b) = closest {
                self.carve_corridor(shape, a, b, 0, rng, open);
            }
        }
    }

    /// Returns the cost of a corridor between two rooms: its length with some noise.
    fn cost(&self, a: usize, b: usize, rng: &mut MapRng) -> u32 {
        let [horizontal, vertical] = self.rooms[a].gaps(self.rooms[b]).map(u32::from);
        let bend = if horizontal > 0 && vertical > 0 { 4 } else { 0 };
        4 * (horizontal + vertical) + bend + rng.below(8)
    }

    /// Opens the corridor between two rooms with the fewest contacts, if it has at most
    /// `max_contacts`.
    fn carve_corridor<S: CellSet>(
        &mut self,
        shape: &GridShape,
        a: usize,
        b: usize,
        max_contacts: u32,
        rng: &mut MapRng,
        open: &mut S,
    ) {
        let (from, to) = (self.rooms[a], self.rooms[b]);
        let mut fewest = None;
        for _ in 0..CORRIDOR_CANDIDATES {
            draw_corridor(from, to, rng, &mut self.corridor);
            let contacts = count_contacts(shape, &self.corridor, open);
            if fewest.is_none_or(|fewest| contacts < fewest) {
                fewest = Some(contacts);
                std::mem::swap(&mut self.best_corridor, &mut self.corridor);
                if contacts == 0 {
                    break;
                }
            }
        }
        if fewest.is_some_and(|fewest| fewest <= max_contacts) {
            self.best_corridor.iter().for_each(|&pos| open.insert(shape.cell(pos)));
        }
    }
}

/// Draws a corridor from inside one room to inside the other.
///
/// It is straight if the rooms share columns or rows; otherwise it has one bend.
fn draw_corridor(from: Rect, to: Rect, rng: &mut MapRng, corridor: &mut Vec<Pos>) {
    let [x, y]: [[u16; 2]; 2] = std::array::from_fn(|axis| {
        let (a, a_len, b, b_len) =
            (from.origin[axis], from.size[axis], to.origin[axis], to.size[axis]);
        let (low, high) = (a.max(b), (a + a_len).min(b + b_len));
        if low < high {
            [low + rng.below(u32::from(high - low)) as u16; 2]
        } else {
            [a + rng.below(a_len.into()) as u16, b + rng.below(b_len.into()) as u16]
        }
    });
    let corner = if rng.chance(1, 2) { Pos { x: x[1], y: y[0] } } else { Pos { x: x[0], y: y[1] } };
    let mut current = Pos { x: x[0], y: y[0] };
    corridor.clear();
    corridor.push(current);
    for goal in [corner, Pos { x: x[1], y: y[1] }] {
        while current != goal {
            let step = |a: u16, b: u16| a + u16::from(b > a) - u16::from(b < a);
            current = Pos { x: step(current.x, goal.x), y: step(current.y, goal.y) };
            corridor.push(current);
        }
    }
}

/// Counts the open tiles next to each new corridor tile, except its corridor neighbours.
///
/// Passing through another room adds four.
fn count_contacts<S: CellSet>(shape: &GridShape, corridor: &[Pos], open: &S) -> u32 {
    let cell_at = |index: usize| corridor.get(index).map(|&pos| shape.cell(pos));
    let mut count = 0;
    let mut departures = 0;
    for (index, &pos) in corridor.iter().enumerate() {
        let cell = shape.cell(pos);
        if open.contains(cell) {
            // A corridor that leaves open tiles more than once passes through another room.
            departures += u32::from(cell_at(index + 1).is_some_and(|next| !open.contains(next)));
            continue;
        }
        let contacts = shape.neighbours(cell).iter().filter(|&&next| {
            let in_corridor = index.checked_sub(1).and_then(cell_at) == Some(next)
                || cell_at(index + 1) == Some(next);
            open.contains(next) && !in_corridor
        });
        count += contacts.count() as u32;
    }
    count + 4 * departures.saturating_sub(1)
}
