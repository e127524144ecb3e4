//! One attempt at a floor: choose entrance and exit (the *ends*), carve the path, open tiles, place
//! objects.

use super::carve::{self, AstarScratch};
use super::cell_set::{CellSet, GridShape, PathScratch};
use super::choke::DfsScratch;
use super::config::{Budget, CarveMethod, OpenMethod};
use super::error::Unmet;
use super::feasibility::Fallback;
use super::map::{Entity, EntityKind, Floor, TileKind};
use super::open_space::OpenScratch;
use super::rooms::{self, RoomPlanner};
use super::streams::Streams;
use super::task::{AnyExit, Exits, Task};
use super::trace::{Event, record_set};
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::trace::Tracer;

/// Maximum number of draws of entrance and exit before an attempt fails.
const MAX_END_DRAWS: u32 = 16;

/// Number of attempts that lay out rooms and corridors. Later attempts carve a path and open rooms
/// next to it.
const MAX_ROOM_LAYOUTS: u32 = 8;

/// Open cells, and a path through them from entrance to exit.
#[derive(Clone)]
pub(super) struct Layout<S> {
    pub(super) open: S,
    pub(super) on_path: S,
    pub(super) entrance: u16,
    pub(super) exit: u16,
}

/// A floor under construction, with reusable buffers for each stage.
#[derive(Clone)]
pub(super) struct Draft<S> {
    pub(super) shape: GridShape,
    pub(super) layout: Layout<S>,
    /// Cells of the placed objects, one set per [`Budget`].
    pub(super) placed: [S; 8],
    pub(super) carved_path: Vec<u16>,
    /// Buffers of the path search. Contains the shortest path after a successful search.
    pub(super) path_scratch: PathScratch,
    astar_scratch: AstarScratch,
    pub(super) open_scratch: OpenScratch,
    pub(super) room_planner: RoomPlanner,
    /// Corridor tiles next to rooms, where doors are placed first.
    pub(super) doorways: S,
    pub(super) dfs_scratch: DfsScratch,
}

/// Inputs of one attempt.
pub(super) struct Attempt<'a, T> {
    pub(super) task: &'a Task,
    /// Number of the attempt, from 0.
    pub(super) index: u32,
    /// Entrance and exit.
    pub(super) ends: [Pos; 2],
    pub(super) streams: &'a mut Streams,
    pub(super) tracer: &'a mut T,
}

impl<S: CellSet> Draft<S> {
    pub(super) fn new(size: Size) -> Draft<S> {
        let shape = S::shape(size);
        let (open, on_path) = (S::empty(&shape), S::empty(&shape));
        Draft {
            layout: Layout { open, on_path, entrance: 0, exit: 0 },
            placed: std::array::from_fn(|_| S::empty(&shape)),
            carved_path: Vec::new(),
            path_scratch: PathScratch::default(),
            astar_scratch: AstarScratch::default(),
            open_scratch: OpenScratch::default(),
            room_planner: RoomPlanner::default(),
            doorways: S::empty(&shape),
            dfs_scratch: DfsScratch::default(),
            shape,
        }
    }

    /// Makes one attempt. The exit is one of `exits`.
    ///
    /// `ends` contains entrance and exit of the previous attempt, and then those of this one.
    ///
    /// # Errors
    /// The first constraint that the attempt does not meet. The next attempt may succeed.
    #[inline]
    pub(super) fn attempt(
        &mut self,
        task: &Task,
        index: u32,
        ends: &mut Option<[Pos; 2]>,
        streams: &mut Streams,
        exits: &mut (impl Exits + ?Sized),
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Unmet> {
        tracer.record(Event::Attempt { index });
        if ends.is_none() || !task.reuses_ends() {
            *ends = draw_ends(task, &mut streams.path, exits);
        }
        let Some(ends) = *ends else { return Err(Unmet::PathLength) };
        tracer.record(Event::Ends { entrance: ends[0], exit: ends[1] });
        let mut attempt = Attempt { task, index, ends, streams, tracer };
        let use_rooms = task.opening == OpenMethod::Rooms
            && index < MAX_ROOM_LAYOUTS
            && rooms::is_large_enough(task.size);
        let (open_count, preferred) = if use_rooms {
            (self.lay_out_rooms(&mut attempt), S::empty(&self.shape))
        } else {
            (self.carve(&mut attempt)?, self.layout.on_path.clone())
        };
        if open_count < task.min_open() || open_count > task.max_open() {
            return Err(Unmet::Budget(task.largest_budget()));
        }
        if !self.find_shortest_path(task, &preferred) {
            return Err(Unmet::PathLength);
        }
        if use_rooms && !self.place_doors(task.count(Budget::Door), &mut streams.objects) {
            return Err(Unmet::Budget(Budget::Door));
        }
        let place_door = |pos| Event::Place { pos, budget: Budget::Door };
        record_set(&self.placed[Budget::Door as usize], &self.shape, place_door, tracer);
        self.place_objects(task, &mut streams.objects, tracer).map_err(Unmet::Budget)
    }

    /// Carves a path into `layout.on_path` and opens tiles around it. Returns the number of open
    /// tiles.
    #[inline]
    fn carve(&mut self, attempt: &mut Attempt<'_, impl Tracer<Event>>) -> Result<u32, Unmet> {
        let Draft { shape, carved_path: path, layout, astar_scratch, .. } = self;
        let (task, ends, rng) = (attempt.task, attempt.ends, &mut attempt.streams.path);
        let found = match task.carve {
            CarveMethod::Walk => carve::carve_random_walk::<S>(shape, task, ends, rng, path),
            CarveMethod::Astar => {
                carve::carve_astar(shape, ends, rng, astar_scratch, path);
                true
            }
        };
        let long_enough =
            found && carve::lengthen_path::<S>(shape, task.min_path_length, rng, path);
        layout.on_path = S::from_cells(shape, path.iter().copied());
        layout.open = layout.on_path.clone();
        (layout.entrance, layout.exit) = (shape.cell(ends[0]), shape.cell(ends[1]));
        if !long_enough {
            return Err(Unmet::PathLength);
        }
        path.iter().for_each(|&cell| attempt.tracer.record(Event::Carve(shape.pos(cell))));
        self.open_space(attempt).ok_or(Unmet::Budget(Budget::Door))
    }

    /// Carves a layout without doors, even if it does not meet every constraint.
    ///
    /// Local search starts from such layouts. Returns `None` if no ends are found.
    pub(super) fn sketch(
        &mut self,
        task: &Task,
        index: u32,
        streams: &mut Streams,
        exits: &mut dyn Exits,
    ) -> Option<Layout<S>> {
        let ends = draw_ends(task, &mut streams.path, exits)?;
        let mut task = Task { carve: CarveMethod::Astar, ..*task };
        task.counts[Budget::Door as usize] = 0;
        let _unmet =
            self.carve(&mut Attempt { task: &task, index, ends, streams, tracer: &mut () });
        Some(self.layout.clone())
    }

    /// Uses a fallback layout and places random objects on it. Returns false if they do not fit.
    pub(super) fn use_fallback(
        &mut self,
        task: &Task,
        fallback: &Fallback,
        streams: &mut Streams,
        tracer: &mut impl Tracer<Event>,
    ) -> bool {
        tracer.record(Event::Fallback);
        tracer.record(Event::Ends { entrance: fallback.entrance, exit: fallback.exit });
        fallback.open.iter().for_each(|pos| tracer.record(Event::Open(pos)));
        fallback
            .doors
            .iter()
            .for_each(|pos| tracer.record(Event::Place { pos, budget: Budget::Door }));
        self.placed[Budget::Door as usize] = S::from_positions(&self.shape, fallback.doors.iter());
        self.layout = fallback.layout(&self.shape);
        // The fallback path is chordless, so a search that prefers its cells finds it again.
        let path = self.layout.on_path.clone();
        self.find_shortest_path(task, &path)
            && self.place_objects(task, &mut streams.objects, tracer).is_ok()
    }

    /// Finds a shortest path. Returns false if there is none or it is too short.
    #[inline]
    fn find_shortest_path(&mut self, task: &Task, preferred: &S) -> bool {
        let Draft { shape, layout, path_scratch: scratch, .. } = self;
        if !layout.open.find_path(shape, [layout.entrance, layout.exit], preferred, scratch) {
            return false;
        }
        layout.on_path = S::from_cells(shape, scratch.path.iter().copied());
        scratch.path.len() > task.min_path_length as usize
    }

    /// Writes the draft to `floor`.
    pub(super) fn write_to(&self, floor: &mut Floor) {
        let Draft { shape, layout, path_scratch, placed, .. } = self;
        let (stride, width) = (shape.stride, shape.size.width);
        let index = |cell: u16| {
            usize::from(if stride == width { cell } else { (cell >> 6) * width + (cell & 63) })
        };
        floor.tiles.clear();
        floor.tiles.resize(shape.size.cells(), TileKind::Wall);
        let tiles = &mut floor.tiles[..];
        layout.open.for_each(|cell| tiles[index(cell)] = TileKind::Floor);
        for (cells, budget) in placed.iter().zip(Budget::ALL) {
            budget
                .tile()
                .into_iter()
                .for_each(|kind| cells.for_each(|cell| tiles[index(cell)] = kind));
        }
        tiles[index(layout.entrance)] = TileKind::Entrance;
        tiles[index(layout.exit)] = TileKind::Exit;
        floor.entrance = shape.pos(layout.entrance);
        floor.exit = shape.pos(layout.exit);
        floor.path.clear();
        floor.path.extend(path_scratch.path.iter().map(|&cell| shape.pos(cell)));
        floor.entities.clear();
        for kind in EntityKind::ALL {
            placed[kind.budget() as usize]
                .for_each(|cell| floor.entities.push(Entity::new(kind, shape.pos(cell))));
        }
    }
}

/// Returns entrance and exit: the given ones, or random cells that are far enough apart.
///
/// A random exit is uniform over the cells that `exits` accepts.
#[inline]
pub(super) fn draw_ends(
    task: &Task,
    rng: &mut MapRng,
    exits: &mut (impl Exits + ?Sized),
) -> Option<[Pos; 2]> {
    (0..MAX_END_DRAWS).find_map(|_| {
        let entrance = task.entrance.unwrap_or_else(|| AnyExit.draw(task.size, rng));
        let exit = task.exit.unwrap_or_else(|| exits.draw(task.size, rng));
        let far_enough = entrance.manhattan_distance(exit) >= task.min_end_distance();
        // In a tower, exits are cells of the floor above, which may be larger than this one.
        (task.size.contains(exit) && far_enough && exits.accepts(exit)).then_some([entrance, exit])
    })
}
