//! Generation events of floors, and their replay.

use super::cell_set::{CellSet, GridShape};
use super::config::Budget;
use super::map::{Entity, Floor, TileKind};
use super::spec::Spec;
use std::fmt;
use wayforge_core::Seed;
use wayforge_core::grid::Pos;
use wayforge_core::trace::Tracer;

/// One step of generating a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// An attempt starts. Every tile is a wall.
    Attempt {
        /// Number of the attempt, from 0.
        index: u32,
    },
    /// Every attempt failed; the fallback layout is used.
    Fallback,
    /// Entrance and exit are chosen.
    Ends {
        /// Entrance.
        entrance: Pos,
        /// Exit.
        exit: Pos,
    },
    /// The path is carved through a tile.
    Carve(Pos),
    /// A tile next to open tiles is opened.
    Open(Pos),
    /// An object is placed on a tile.
    Place {
        /// Tile of the object.
        pos: Pos,
        /// Budget of the object.
        budget: Budget,
    },
    /// A tile of a template, or of a floor generated around pins, is set.
    SetTile {
        /// Position of the tile.
        pos: Pos,
        /// Kind of the tile.
        kind: TileKind,
    },
}

/// A floor under construction, rebuilt from events.
///
/// # Examples
/// ```
/// use wayforge_floor::{self as floor, Replay};
/// use wayforge_core::trace::Recorder;
/// let spec = floor::Config::default().resolve()?;
/// let mut recorder = Recorder::new(10_000);
/// let floor = floor::generate_traced(7.into(), &spec, &mut recorder)?;
/// let mut replay = Replay::new(7.into(), &spec);
/// recorder.events().iter().for_each(|event| replay.apply(event));
/// assert_eq!((&replay.floor().tiles, &replay.floor().entities), (&floor.tiles, &floor.entities));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    floor: Floor,
}

impl Replay {
    /// Creates a replay that starts with walls only.
    pub fn new(seed: Seed, spec: &Spec) -> Replay {
        let tiles = vec![TileKind::Wall; spec.size().cells()];
        Replay { floor: Floor { tiles, ..Floor::blank(seed, spec) } }
    }

    /// Applies one event. Events outside the floor change nothing.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Attempt { .. } | Event::Fallback => {
                let spec = self.floor.spec.clone();
                *self = Replay::new(self.floor.seed.clone(), &spec);
            }
            Event::Ends { entrance, exit } => {
                (self.floor.entrance, self.floor.exit) = (entrance, exit);
                self.set(entrance, TileKind::Entrance);
                self.set(exit, TileKind::Exit);
            }
            Event::Carve(pos) => {
                self.floor.path.push(pos);
                self.open(pos);
            }
            Event::Open(pos) => self.open(pos),
            Event::Place { pos, budget } => {
                budget.tile().into_iter().for_each(|tile| self.set(pos, tile));
                self.floor.entities.extend(budget.entity().map(|kind| Entity::new(kind, pos)));
                Entity::sort(&mut self.floor.entities);
            }
            Event::SetTile { pos, kind } => {
                match kind {
                    TileKind::Entrance => self.floor.entrance = pos,
                    TileKind::Exit => self.floor.exit = pos,
                    _ => {}
                }
                self.set(pos, kind);
            }
        }
    }

    /// Returns the floor after the events applied so far.
    pub fn floor(&self) -> &Floor {
        &self.floor
    }

    /// Opens a tile if it is still a wall.
    fn open(&mut self, pos: Pos) {
        if self.floor.spec.size().contains(pos) && self.floor.tile(pos) == TileKind::Wall {
            self.set(pos, TileKind::Floor);
        }
    }

    fn set(&mut self, pos: Pos, kind: TileKind) {
        let size = self.floor.spec.size();
        if size.contains(pos) {
            self.floor.tiles[size.index(pos)] = kind;
        }
    }
}

/// Records a complete floor at once.
pub(super) fn record_floor<T: Tracer<Event>>(floor: &Floor, tracer: &mut T) {
    if T::ENABLED {
        for (pos, &kind) in floor.size().iter().zip(&floor.tiles) {
            if kind != TileKind::Wall {
                tracer.record(Event::SetTile { pos, kind });
            }
        }
        for entity in &floor.entities {
            tracer.record(Event::Place { pos: entity.pos, budget: entity.kind.budget() });
        }
    }
}

/// Records one event per cell of a set.
pub(super) fn record_set<S: CellSet, T: Tracer<Event>>(
    set: &S,
    shape: &GridShape,
    event: impl Fn(Pos) -> Event,
    tracer: &mut T,
) {
    if T::ENABLED {
        set.for_each(|cell| tracer.record(event(shape.pos(cell))));
    }
}

/// Describes the event in words.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Attempt { index } => write!(f, "attempt {} starts", index + 1),
            Event::Fallback => f.write_str("fallback layout"),
            Event::Ends { entrance, exit } => write!(f, "entrance {entrance}, exit {exit}"),
            Event::Carve(pos) => write!(f, "path carved through {pos}"),
            Event::Open(pos) => write!(f, "opened {pos}"),
            Event::Place { pos, budget } => write!(f, "{} on {pos}", budget.count_label(1)),
            Event::SetTile { pos, kind } => write!(f, "{} on {pos}", kind.name()),
        }
    }
}
