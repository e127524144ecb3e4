//! What the making of a floor tells, and the floor under construction that the telling describes.

use super::board::{Board, Frame};
use super::config::Budget;
use super::map::{Entity, Floor, TileKind};
use super::spec::Spec;
use std::fmt;
use wayforge_core::Seed;
use wayforge_core::grid::Pos;
use wayforge_core::trace::Tracer;

/// One step of the making of a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// An attempt begins: all is wall.
    Attempt {
        /// Its number, from 0.
        index: u32,
    },
    /// Every attempt failed: the safe shape is taken.
    Safe,
    /// The ends are chosen.
    Ends {
        /// The entrance.
        entrance: Pos,
        /// The exit.
        exit: Pos,
    },
    /// The way is carved through a tile.
    Carve(Pos),
    /// A tile is opened beside what is open.
    Open(Pos),
    /// A thing is put on a tile.
    Put {
        /// The tile.
        pos: Pos,
        /// Its budget.
        budget: Budget,
    },
    /// A tile comes from a template, or was made around fixed cells.
    Give {
        /// The tile.
        pos: Pos,
        /// What it is.
        kind: TileKind,
    },
}

/// A floor under construction: what a trace has told so far.
///
/// ```
/// use wayforge_floor::{self as floor, Replay};
/// use wayforge_core::trace::Tape;
/// let spec = floor::Config::default().resolve()?;
/// let mut tape = Tape::new(10_000);
/// let floor = floor::generate_traced(7.into(), &spec, &mut tape)?;
/// let mut replay = Replay::new(7.into(), &spec);
/// tape.events().iter().for_each(|event| replay.apply(event));
/// assert_eq!((&replay.floor().tiles, &replay.floor().entities), (&floor.tiles, &floor.entities));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    floor: Floor,
}

impl Replay {
    /// Nothing is there yet but wall.
    pub fn new(seed: Seed, spec: &Spec) -> Replay {
        let tiles = vec![TileKind::Wall; spec.size().cells()];
        Replay { floor: Floor { tiles, ..Floor::blank(seed, spec) } }
    }

    /// Takes one event over. Events beyond the floor change nothing.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Attempt { .. } | Event::Safe => {
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
            Event::Put { pos, budget } => {
                budget.tile().into_iter().for_each(|tile| self.set(pos, tile));
                self.floor.entities.extend(budget.entity().map(|kind| Entity::new(kind, pos)));
                Entity::sort(&mut self.floor.entities);
            }
            Event::Give { pos, kind } => {
                match kind {
                    TileKind::Entrance => self.floor.entrance = pos,
                    TileKind::Exit => self.floor.exit = pos,
                    _ => {}
                }
                self.set(pos, kind);
            }
        }
    }

    /// What is there.
    pub fn floor(&self) -> &Floor {
        &self.floor
    }

    /// Opens a tile that is still wall.
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

/// Tells a floor that was made at once.
pub(super) fn tell_given<T: Tracer<Event>>(floor: &Floor, tracer: &mut T) {
    if T::LISTENS {
        for (pos, &kind) in floor.size().iter().zip(&floor.tiles) {
            if kind != TileKind::Wall {
                tracer.tell(Event::Give { pos, kind });
            }
        }
        for entity in &floor.entities {
            tracer.tell(Event::Put { pos: entity.pos, budget: entity.kind.budget() });
        }
    }
}

/// Tells a set of cells, each as an event.
pub(super) fn tell_set<B: Board, T: Tracer<Event>>(
    set: &B,
    frame: &Frame,
    event: impl Fn(Pos) -> Event,
    tracer: &mut T,
) {
    if T::LISTENS {
        set.each(|cell| tracer.tell(event(frame.pos(cell))));
    }
}

/// What happens, in words.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Attempt { index } => write!(f, "attempt {} begins", index + 1),
            Event::Safe => f.write_str("the safe shape is taken"),
            Event::Ends { entrance, exit } => write!(f, "from {entrance} to {exit}"),
            Event::Carve(pos) => write!(f, "the way is carved through {pos}"),
            Event::Open(pos) => write!(f, "{pos} is opened"),
            Event::Put { pos, budget } => write!(f, "{} on {pos}", budget.counted(1)),
            Event::Give { pos, kind } => write!(f, "{} on {pos}", kind.name()),
        }
    }
}
