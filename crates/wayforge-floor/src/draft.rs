//! One attempt at a floor: ends, way, room, things.

use super::board::{Board, Frame, Tracks};
use super::carve::{self, Scales};
use super::choke::Tides;
use super::config::{Budget, Carve, Opening};
use super::error::Missed;
use super::feasibility::Fallback;
use super::map::{Entity, EntityKind, Floor, TileKind};
use super::open::Rim;
use super::rooms::{self, Layout};
use super::streams::Streams;
use super::task::{Anywhere, Exits, Task};
use super::trace::{Event, tell_set};
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};
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

/// A floor under construction, and scratch buffers for its stages.
#[derive(Clone)]
pub(super) struct Draft<B> {
    pub(super) frame: Frame,
    pub(super) shape: Shape<B>,
    /// Where the things are, a set for each [`Budget`].
    pub(super) placed: [B; 8],
    pub(super) carved: Vec<u16>,
    /// The shortest way, once it was found.
    pub(super) tracks: Tracks,
    scales: Scales,
    pub(super) rim: Rim,
    pub(super) layout: Layout,
    /// Corridor tiles beside rooms, where doors are placed first.
    pub(super) mouths: B,
    pub(super) tides: Tides,
}

/// What one attempt works with.
pub(super) struct Attempt<'a, T> {
    pub(super) task: &'a Task,
    /// Its number, from 0.
    pub(super) index: u32,
    /// Entrance and exit.
    pub(super) ends: [Pos; 2],
    pub(super) streams: &'a mut Streams,
    pub(super) tracer: &'a mut T,
}

impl<B: Board> Draft<B> {
    pub(super) fn new(size: Size) -> Draft<B> {
        let frame = B::frame(size);
        Draft {
            shape: Shape { open: B::empty(&frame), on_way: B::empty(&frame), entrance: 0, exit: 0 },
            placed: std::array::from_fn(|_| B::empty(&frame)),
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
        index: u32,
        ends: &mut Option<[Pos; 2]>,
        streams: &mut Streams,
        exits: &mut (impl Exits + ?Sized),
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Missed> {
        tracer.tell(Event::Attempt { index });
        if ends.is_none() || !task.keeps_ends() {
            *ends = draw_ends(task, &mut streams.path, exits);
        }
        let Some(ends) = *ends else { return Err(Missed::Way) };
        tracer.tell(Event::Ends { entrance: ends[0], exit: ends[1] });
        let mut attempt = Attempt { task, index, ends, streams, tracer };
        let laid_out = task.opening == Opening::Rooms && index < LAYOUTS && rooms::fits(task.size);
        let (count, liked) = match laid_out {
            true => (self.lay_out(&mut attempt), B::empty(&self.frame)),
            false => (self.carve(&mut attempt)?, self.shape.on_way.clone()),
        };
        if count < task.least_open() || count > task.most_open() {
            return Err(Missed::Things(task.largest()));
        }
        if !self.trace(task, &liked) {
            return Err(Missed::Way);
        }
        if laid_out && !self.place_doors(task.count(Budget::Door), &mut streams.things) {
            return Err(Missed::Things(Budget::Door));
        }
        let put = |pos| Event::Put { pos, budget: Budget::Door };
        tell_set(&self.placed[Budget::Door as usize], &self.frame, put, tracer);
        self.place_things(task, &mut streams.things, tracer).map_err(Missed::Things)
    }

    /// A path, kept in `shape.on_way`, and room around it. Returns how many tiles are open.
    #[inline]
    fn carve(&mut self, attempt: &mut Attempt<'_, impl Tracer<Event>>) -> Result<u32, Missed> {
        let Draft { frame, carved, shape, scales, .. } = self;
        let (task, ends, rng) = (attempt.task, attempt.ends, &mut attempt.streams.path);
        let found = match task.carve {
            Carve::Walk => carve::carve_walk::<B>(frame, task, ends, rng, carved),
            Carve::Astar => carve::carve_cheapest(frame, ends, rng, scales, carved),
        };
        let long = found && carve::add_arches::<B>(frame, task.min_path, rng, carved);
        shape.on_way = B::collect(frame, carved.iter().copied());
        shape.open = shape.on_way.clone();
        (shape.entrance, shape.exit) = (frame.cell(ends[0]), frame.cell(ends[1]));
        if !long {
            return Err(Missed::Way);
        }
        carved.iter().for_each(|&cell| attempt.tracer.tell(Event::Carve(frame.pos(cell))));
        self.open_room(attempt).ok_or(Missed::Things(Budget::Door))
    }

    /// A layout without doors drawn as far as it goes, whatever it misses: a start for local search.
    pub(super) fn sketch(
        &mut self,
        task: &Task,
        index: u32,
        streams: &mut Streams,
        exits: &mut dyn Exits,
    ) -> Option<Shape<B>> {
        let ends = draw_ends(task, &mut streams.path, exits)?;
        let mut task = Task { carve: Carve::Astar, ..*task };
        task.counts[Budget::Door as usize] = 0;
        let _missed = self.carve(&mut Attempt { task: &task, index, ends, streams, tracer: &mut () });
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
        self.placed[Budget::Door as usize] = B::of(&self.frame, fallback.doors.iter());
        self.shape = fallback.shape(&self.frame);
        // No two cells of the path are neighbours except consecutive ones, so the search for a shortest path that prefers
        // its cells finds it again.
        let path = self.shape.on_way.clone();
        self.trace(task, &path) && self.place_things(task, &mut streams.things, tracer).is_ok()
    }

    /// Finds the shortest way; false if it is too short.
    #[inline]
    fn trace(&mut self, task: &Task, liked: &B) -> bool {
        let Draft { frame, shape, tracks, .. } = self;
        if !shape.open.find_way(frame, [shape.entrance, shape.exit], liked, tracks) {
            return false;
        }
        shape.on_way = B::collect(frame, tracks.way.iter().copied());
        tracks.way.len() > task.min_path as usize
    }

    /// Writes the draft into a floor.
    pub(super) fn read_off(&self, floor: &mut Floor) {
        let Draft { frame, shape, tracks, placed, .. } = self;
        let (stride, width) = (frame.stride, frame.size.width);
        let index =
            |cell: u16| usize::from(if stride == width { cell } else { (cell >> 6) * width + (cell & 63) });
        floor.tiles.clear();
        floor.tiles.resize(frame.size.cells(), TileKind::Wall);
        let tiles = &mut floor.tiles[..];
        shape.open.each(|cell| tiles[index(cell)] = TileKind::Floor);
        for (things, budget) in placed.iter().zip(Budget::ALL) {
            budget.tile().into_iter().for_each(|kind| things.each(|cell| tiles[index(cell)] = kind));
        }
        tiles[index(shape.entrance)] = TileKind::Entrance;
        tiles[index(shape.exit)] = TileKind::Exit;
        floor.entrance = frame.pos(shape.entrance);
        floor.exit = frame.pos(shape.exit);
        floor.path.clear();
        floor.path.extend(tracks.way.iter().map(|&cell| frame.pos(cell)));
        floor.entities.clear();
        for kind in EntityKind::ALL {
            placed[kind.budget() as usize]
                .each(|cell| floor.entities.push(Entity::new(kind, frame.pos(cell))));
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
    (0..DRAWS).find_map(|_| {
        let entrance = task.entrance.unwrap_or_else(|| Anywhere.draw(task.size, rng));
        let exit = task.exit.unwrap_or_else(|| exits.draw(task.size, rng));
        let far = entrance.taxi_distance(exit) >= task.least_apart();
        // The floor above may be larger than this one.
        (task.size.contains(exit) && far && exits.accept(exit)).then_some([entrance, exit])
    })
}
