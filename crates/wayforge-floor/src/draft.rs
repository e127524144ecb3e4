//! One attempt at a floor: ends, way, room, things.

use super::board::{Board, Frame, Tracks};
use super::carve::{self, Scales};
use super::choke::Tides;
use super::config::{Budget, Carve, Opening};
use super::error::Missed;
use super::map::{Entity, EntityKind, Floor, TileKind};
use super::open::{self, Rim};
use super::place::{self, Placed};
use super::rooms::{self, Layout};
use super::streams::Streams;
use super::task::{Anywhere, Exits, Task};
use super::trace::{Event, tell_set};
use wayforge_core::MapRng;
use wayforge_core::grid::Symmetry;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// How often ends are drawn before an attempt is given up.
const DRAWS: u32 = 16;

/// How many attempts lay out rooms and corridors; those after them carve a path and open rooms beside it.
const LAYOUTS: u32 = 8;

/// What is open, and the way through it.
#[derive(Clone)]
pub(super) struct Shape<B> {
    pub(super) open: B,
    pub(super) on_way: B,
    pub(super) entrance: u16,
    pub(super) exit: u16,
}

/// A floor in the making, and the memory for making it.
#[derive(Clone)]
pub(super) struct Draft<B> {
    pub(super) frame: Frame,
    pub(super) shape: Shape<B>,
    pub(super) way: Vec<u16>,
    pub(super) placed: Placed<B>,
    carved: Vec<u16>,
    tracks: Tracks,
    scales: Scales,
    rim: Rim,
    layout: Layout,
    mouths: B,
    tides: Tides,
}

/// A shape that is known to have room for everything: the last resort, and the proof that there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Safe {
    pub(super) entrance: Pos,
    pub(super) exit: Pos,
    pub(super) open: BitGrid,
    pub(super) way: BitGrid,
    pub(super) doors: BitGrid,
}

impl Safe {
    /// The shape turned, on a grid of the same size.
    pub(super) fn turned(&self, turn: Symmetry) -> Safe {
        let size = self.open.size();
        let set =
            |cells: &BitGrid| BitGrid::of(turn.size(size), cells.iter().map(|pos| turn.apply(pos, size)));
        Safe {
            entrance: turn.apply(self.entrance, size),
            exit: turn.apply(self.exit, size),
            open: set(&self.open),
            way: set(&self.way),
            doors: set(&self.doors),
        }
    }
}

impl<B: Board> Draft<B> {
    pub(super) fn new(task: &Task) -> Draft<B> {
        let frame = B::frame(task.size);
        let shape = Shape { open: B::empty(&frame), on_way: B::empty(&frame), entrance: 0, exit: 0 };
        Draft {
            shape,
            way: Vec::new(),
            placed: Placed::empty(&frame),
            carved: Vec::new(),
            tracks: Tracks::default(),
            scales: Scales::default(),
            rim: Rim::default(),
            layout: Layout::default(),
            mouths: B::empty(&frame),
            tides: Tides::default(),
            frame,
        }
    }

    /// Draws a floor once. `exits` says where it may end; `ends` are those of the attempt before.
    ///
    /// * **Returns.** The constraint that was missed, if one was: then another attempt may follow.
    #[inline]
    pub(super) fn attempt(
        &mut self,
        task: &Task,
        attempt: u32,
        ends: &mut Option<[Pos; 2]>,
        streams: &mut Streams,
        exits: &mut impl Exits,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Missed> {
        tracer.tell(Event::Attempt { index: attempt });
        if ends.is_none() || !task.keeps_ends() {
            *ends = draw_ends(task, &mut streams.path, exits);
        }
        let Some(ends) = *ends else { return Err(Missed::Way) };
        tracer.tell(Event::Ends { entrance: ends[0], exit: ends[1] });
        let laid_out = task.opening == Opening::Rooms && attempt < LAYOUTS && rooms::fits(task.size);
        let (count, liked) = match laid_out {
            true => (self.lay_out(task, ends, streams, tracer), B::empty(&self.frame)),
            false => self.carve(task, attempt, ends, streams, tracer)?,
        };
        if count < task.least_open() || count > task.most_open() {
            return Err(Missed::Room);
        }
        if !self.trace(task, &liked) {
            return Err(Missed::Way);
        }
        if laid_out && !self.place_doors(task, streams) {
            return Err(Missed::Things(Budget::Door));
        }
        let put = |pos| Event::Put { pos, budget: Budget::Door };
        tell_set(self.placed.of(Budget::Door), &self.frame, put, tracer);
        self.finish(task, streams, tracer)
    }

    /// Rooms joined by corridors; doors are placed once the path is known.
    fn lay_out(
        &mut self,
        task: &Task,
        ends: [Pos; 2],
        streams: &mut Streams,
        tracer: &mut impl Tracer<Event>,
    ) -> u32 {
        let Draft { frame, shape, layout, mouths, .. } = self;
        (shape.entrance, shape.exit) = (frame.cell(ends[0]), frame.cell(ends[1]));
        rooms::lay_out(frame, task, ends, &mut streams.open, layout, &mut shape.open, mouths, tracer)
    }

    fn place_doors(&mut self, task: &Task, streams: &mut Streams) -> bool {
        let Draft { frame, shape, mouths, tides, placed, .. } = self;
        let (count, doors) = (task.count(Budget::Door), &mut placed.0[Budget::Door as usize]);
        place::place_doors(frame, shape, mouths, count, &mut streams.things, tides, doors)
    }

    /// A path and room around it. Returns how many tiles are open, and the path.
    #[inline]
    fn carve(
        &mut self,
        task: &Task,
        attempt: u32,
        ends: [Pos; 2],
        streams: &mut Streams,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(u32, B), Missed> {
        let Draft { frame, carved, .. } = self;
        let carve = match task.carve {
            Carve::Walk => carve::carve_walk::<B>(frame, task, ends, &mut streams.path, carved),
            Carve::Astar => carve::carve_cheapest(frame, ends, &mut streams.path, &mut self.scales, carved),
        };
        if !carve || !carve::add_arches::<B>(frame, task.min_path, &mut streams.path, carved) {
            return Err(Missed::Way);
        }
        let mut way = B::empty(frame);
        carved.iter().for_each(|&cell| way.add(cell));
        let shape = &mut self.shape;
        (shape.entrance, shape.exit) = (frame.cell(ends[0]), frame.cell(ends[1]));
        shape.open = way.clone();
        carved.iter().for_each(|&cell| tracer.tell(Event::Carve(frame.pos(cell))));
        let count = open::open_room(
            frame,
            task,
            attempt,
            carved,
            &mut streams.open,
            &mut self.rim,
            &mut shape.open,
            &mut self.placed.0[Budget::Door as usize],
            tracer,
        );
        count.map(|count| (count, way)).ok_or(Missed::Things(Budget::Door))
    }

    /// A floor drawn as far as it goes, whatever it misses: something to begin with.
    pub(super) fn sketch(
        &mut self,
        task: &Task,
        attempt: u32,
        streams: &mut Streams,
        exits: &mut impl Exits,
    ) -> Option<Shape<B>> {
        let ends = draw_ends(task, &mut streams.path, exits)?;
        let Draft { frame, carved, .. } = self;
        let _long = carve::carve_cheapest(frame, ends, &mut streams.path, &mut self.scales, carved)
            && carve::add_arches::<B>(frame, task.min_path, &mut streams.path, carved);
        let mut way = B::empty(frame);
        carved.iter().for_each(|&cell| way.add(cell));
        let (entrance, exit) = (frame.cell(ends[0]), frame.cell(ends[1]));
        let mut open = way.clone();
        if carved.len() > task.min_path as usize {
            // Doors are found later, wherever they can stand.
            let mut task = *task;
            task.counts[Budget::Door as usize] = 0;
            open::open_room(
                frame,
                &task,
                attempt,
                carved,
                &mut streams.open,
                &mut self.rim,
                &mut open,
                &mut B::empty(frame),
                &mut (),
            );
        }
        Some(Shape { open, on_way: way, entrance, exit })
    }

    /// Takes a shape that is known to work; only the things are drawn.
    pub(super) fn take_safe(
        &mut self,
        task: &Task,
        safe: &Safe,
        streams: &mut Streams,
        tracer: &mut impl Tracer<Event>,
    ) -> bool {
        tracer.tell(Event::Safe);
        tracer.tell(Event::Ends { entrance: safe.entrance, exit: safe.exit });
        safe.open.iter().for_each(|pos| tracer.tell(Event::Open(pos)));
        safe.doors.iter().for_each(|pos| tracer.tell(Event::Put { pos, budget: Budget::Door }));
        let set = |cells: &BitGrid| {
            let mut set = B::empty(&self.frame);
            cells.iter().for_each(|pos| set.add(self.frame.cell(pos)));
            set
        };
        self.placed.0[Budget::Door as usize] = set(&safe.doors);
        self.shape.open = set(&safe.open);
        self.shape.entrance = self.frame.cell(safe.entrance);
        self.shape.exit = self.frame.cell(safe.exit);
        // The way is taut: where its cells are liked, no other is found, and the proof counted on this one.
        let way = set(&safe.way);
        self.trace(task, &way) && self.finish(task, streams, tracer).is_ok()
    }

    /// The draft's shape, to be kept.
    pub(super) fn to_safe(&self) -> Safe {
        let set = |set: &B| {
            let mut cells = BitGrid::new(self.frame.size);
            set.each(|cell| cells.insert(self.frame.pos(cell)));
            cells
        };
        Safe {
            entrance: self.frame.pos(self.shape.entrance),
            exit: self.frame.pos(self.shape.exit),
            open: set(&self.shape.open),
            way: set(&self.shape.on_way),
            doors: set(self.placed.of(Budget::Door)),
        }
    }

    /// Finds the shortest way; false if it is too short.
    #[inline]
    fn trace(&mut self, task: &Task, liked: &B) -> bool {
        let Draft { frame, shape, way, tracks, .. } = self;
        if !shape.open.find_way(frame, shape.entrance, shape.exit, liked, tracks, way) {
            return false;
        }
        shape.on_way = B::empty(frame);
        way.iter().for_each(|&cell| shape.on_way.add(cell));
        way.len() > task.min_path as usize
    }

    #[inline]
    fn finish(
        &mut self,
        task: &Task,
        streams: &mut Streams,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Missed> {
        let Draft { frame, shape, way, tides, placed, .. } = self;
        place::place_things(frame, shape, way, task, &mut streams.things, tides, placed, tracer)
    }

    /// Writes the draft into a floor.
    pub(super) fn read_off(&self, floor: &mut Floor) {
        let Draft { frame, shape, way, placed, .. } = self;
        let (stride, width) = (frame.stride, frame.size.width);
        let index =
            |cell: u16| usize::from(if stride == width { cell } else { (cell >> 6) * width + (cell & 63) });
        floor.tiles.clear();
        floor.tiles.resize(frame.size.cells(), TileKind::Wall);
        let tiles = &mut floor.tiles[..];
        shape.open.each(|cell| tiles[index(cell)] = TileKind::Floor);
        for (budget, kind) in [
            (Budget::Door, TileKind::Door),
            (Budget::Chest, TileKind::Chest),
            (Budget::Trap, TileKind::Trap),
            (Budget::Water, TileKind::Water),
        ] {
            placed.of(budget).each(|cell| tiles[index(cell)] = kind);
        }
        tiles[index(shape.entrance)] = TileKind::Entrance;
        tiles[index(shape.exit)] = TileKind::Exit;
        floor.entrance = frame.pos(shape.entrance);
        floor.exit = frame.pos(shape.exit);
        floor.path.clear();
        floor.path.extend(way.iter().map(|&cell| frame.pos(cell)));
        floor.entities.clear();
        for kind in EntityKind::ALL {
            placed.of(kind.budget()).each(|cell| {
                floor.entities.push(Entity::new(kind, frame.pos(cell)));
            });
        }
    }
}

/// Entrance and exit: as given, or uniform over the cells that are far enough apart and that `exits` accepts.
#[inline]
pub(super) fn draw_ends(task: &Task, rng: &mut MapRng, exits: &mut impl Exits) -> Option<[Pos; 2]> {
    let far = |&[entrance, exit]: &[Pos; 2]| entrance.taxi_distance(exit) >= task.least_apart();
    for _ in 0..DRAWS {
        let entrance = task.entrance.unwrap_or_else(|| Anywhere.draw(task.size, rng));
        let exit = task.exit.unwrap_or_else(|| exits.draw(task.size, rng));
        // The floor above may be larger than this one.
        if task.size.contains(exit) && far(&[entrance, exit]) && exits.accept(exit) {
            return Some([entrance, exit]);
        }
    }
    None
}
