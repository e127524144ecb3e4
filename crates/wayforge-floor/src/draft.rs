//! One attempt at a floor: ends, way, room, things.

use super::board::{Board, Frame, Tracks};
use super::carve::{self, Scales};
use super::choke::Tides;
use super::config::{Budget, Carve, Opening};
use super::error::Missed;
use super::feasibility::Fallback;
use super::map::{Entity, EntityKind, Floor, TileKind};
use super::open::{self, Rim};
use super::place::{self, Placed};
use super::rooms::{self, Layout};
use super::streams::Streams;
use super::task::{Anywhere, Exits, Task};
use super::trace::{Event, tell_set};
use wayforge_core::MapRng;
use wayforge_core::grid::Pos;
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
        exits: &mut (impl Exits + ?Sized),
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
            false => (self.carve(task, attempt, ends, streams, tracer)?, self.shape.on_way.clone()),
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

    /// A path, kept in `shape.on_way`, and room around it. Returns how many tiles are open.
    #[inline]
    fn carve(
        &mut self,
        task: &Task,
        attempt: u32,
        ends: [Pos; 2],
        streams: &mut Streams,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<u32, Missed> {
        let Draft { frame, carved, shape, .. } = self;
        let carve = match task.carve {
            Carve::Walk => carve::carve_walk::<B>(frame, task, ends, &mut streams.path, carved),
            Carve::Astar => carve::carve_cheapest(frame, ends, &mut streams.path, &mut self.scales, carved),
        };
        let long = carve && carve::add_arches::<B>(frame, task.min_path, &mut streams.path, carved);
        shape.on_way = B::collect(frame, carved.iter());
        shape.open = shape.on_way.clone();
        (shape.entrance, shape.exit) = (frame.cell(ends[0]), frame.cell(ends[1]));
        if !long {
            return Err(Missed::Way);
        }
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
        count.ok_or(Missed::Things(Budget::Door))
    }

    /// A layout without doors drawn as far as it goes, whatever it misses: a start for local search.
    pub(super) fn sketch(
        &mut self,
        task: &Task,
        attempt: u32,
        streams: &mut Streams,
        exits: &mut (impl Exits + ?Sized),
    ) -> Option<Shape<B>> {
        let ends = draw_ends(task, &mut streams.path, exits)?;
        let mut task = Task { carve: Carve::Astar, ..*task };
        task.counts[Budget::Door as usize] = 0;
        let _missed = self.carve(&task, attempt, ends, streams, &mut ());
        Some(self.shape.clone())
    }

    /// Takes a fallback layout; only the things are drawn.
    pub(super) fn take_fallback(
        &mut self,
        task: &Task,
        fallback: &Fallback,
        streams: &mut Streams,
        tracer: &mut impl Tracer<Event>,
    ) -> bool {
        tracer.tell(Event::Safe);
        tracer.tell(Event::Ends { entrance: fallback.entrance, exit: fallback.exit });
        fallback.open.iter().for_each(|pos| tracer.tell(Event::Open(pos)));
        fallback.doors.iter().for_each(|pos| tracer.tell(Event::Put { pos, budget: Budget::Door }));
        self.placed.0[Budget::Door as usize] = B::of(&self.frame, fallback.doors.iter());
        self.shape = fallback.shape(&self.frame);
        // No two cells of the path are neighbours except consecutive ones, so the search for a shortest path that prefers
        // its cells finds it again.
        let path = self.shape.on_way.clone();
        self.trace(task, &path) && self.finish(task, streams, tracer).is_ok()
    }

    /// The draft's layout.
    pub(super) fn to_fallback(&self) -> Fallback {
        Fallback::of(&self.frame, &self.shape, self.placed.of(Budget::Door))
    }

    /// Finds the shortest way; false if it is too short.
    #[inline]
    fn trace(&mut self, task: &Task, liked: &B) -> bool {
        let Draft { frame, shape, way, tracks, .. } = self;
        if !shape.open.find_way(frame, shape.entrance, shape.exit, liked, tracks, way) {
            return false;
        }
        shape.on_way = B::collect(frame, way.iter());
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
        for (budget, kind) in Budget::ALL.into_iter().filter_map(|budget| Some((budget, budget.tile()?))) {
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
pub(super) fn draw_ends(
    task: &Task,
    rng: &mut MapRng,
    exits: &mut (impl Exits + ?Sized),
) -> Option<[Pos; 2]> {
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
