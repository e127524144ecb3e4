//! Generation events of levels, and their replay.

use crate::{Level, Spec, Symbol, Witness};
use std::fmt;
use wayforge_core::Seed;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// One step of the generation of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// An attempt starts with an empty level.
    Attempt {
        /// Its number, from 0.
        index: u32,
    },
    /// A symbol is placed on a cell and replaces the previous one.
    Put {
        /// The cell.
        pos: Pos,
        /// The symbol.
        symbol: Symbol,
    },
    /// End of a group of events: a candidate, a wall segment, a maze step, a smoothing round.
    EndGroup,
    /// A cell is reserved for a mark of the configuration.
    Mark {
        /// Index of the mark in the configuration.
        mark: u32,
        /// The cell.
        pos: Pos,
    },
    /// A wall is reinforced.
    Reinforce {
        /// The wall.
        pos: Pos,
    },
    /// A wall is removed by the repair.
    Repair {
        /// The wall.
        pos: Pos,
    },
    /// A cell is tagged as a fall spawn cell.
    FallSpawn {
        /// The cell.
        pos: Pos,
    },
    /// A chain is proved by a route.
    Prove(Witness),
}

/// A level under construction, rebuilt from the events of a trace.
///
/// # Examples
/// ```
/// use wayforge_level::{self as level, Replay};
/// use wayforge_core::trace::Recorder;
/// let spec = level::Config::default().resolve()?;
/// let mut recorder = Recorder::new(100_000);
/// let level = level::generate_traced(7.into(), &spec, &mut recorder)?;
/// let mut replay = Replay::new(7.into(), &spec);
/// recorder.events().iter().for_each(|event| replay.apply(event));
/// assert_eq!(replay.level().blueprint, level.blueprint);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    level: Level,
}

impl Replay {
    /// Returns a replay of an empty level: floor everywhere.
    pub fn new(seed: Seed, spec: &Spec) -> Replay {
        Replay { level: Level::empty(seed, spec) }
    }

    /// Applies one event.
    pub fn apply(&mut self, event: &Event) {
        let inside = |pos: &Pos| self.level.spec.size().contains(*pos);
        match event {
            Event::Attempt { index } => {
                let spec = self.level.spec.clone();
                *self = Replay::new(self.level.seed.clone(), &spec);
                self.level.attempt.index = *index;
            }
            Event::Put { pos, symbol } if inside(pos) => self.level.blueprint.set(*pos, *symbol),
            Event::Mark { mark, pos } => {
                if let Some(cells) = self.level.tags.marks.get_mut(*mark as usize) {
                    cells.push(*pos);
                    cells.sort_unstable();
                }
            }
            Event::Reinforce { pos } if inside(pos) => self.level.tags.reinforced.insert(*pos),
            Event::Repair { pos } if inside(pos) => {
                self.level.clear(*pos);
                self.level.attempt.repaired.push(*pos);
            }
            Event::FallSpawn { pos } if inside(pos) => {
                self.level.tags.fall_spawn_cells.insert(*pos)
            }
            Event::Prove(witness) => self.level.witness.push(witness.clone()),
            _ => {}
        }
    }

    /// Returns the level after the events applied so far.
    pub fn level(&self) -> &Level {
        &self.level
    }
}

/// Records the progress of a wall algorithm, as differences between consecutive calls.
pub(super) struct WallRecorder<'a, T> {
    tracer: &'a mut T,
    /// Cells where walls may be placed.
    free: BitGrid,
    /// The walls at the last call.
    recorded: BitGrid,
}

impl<'a, T: Tracer<Event>> WallRecorder<'a, T> {
    pub(super) fn new(free: &BitGrid, tracer: &'a mut T) -> WallRecorder<'a, T> {
        let free = if T::ENABLED { free.clone() } else { BitGrid::default() };
        let recorded = BitGrid::new(free.size());
        WallRecorder { tracer, free, recorded }
    }

    /// Records the current walls.
    #[inline(always)]
    pub(super) fn record(&mut self, walls: &BitGrid) {
        self.record_layers(walls, walls);
    }

    /// Records the current walls on two layers.
    #[inline(always)]
    pub(super) fn record_layers(&mut self, walls: &BitGrid, layer: &BitGrid) {
        if T::ENABLED {
            self.record_changes(walls, layer);
        }
    }

    fn record_changes(&mut self, walls: &BitGrid, layer: &BitGrid) {
        let WallRecorder { tracer, free, recorded } = self;
        let mut changed = BitGrid::new(free.size());
        for (at, changed) in changed.words_mut().iter_mut().enumerate() {
            let now = (walls.words()[at] | layer.words()[at]) & free.words()[at];
            *changed = now ^ recorded.words()[at];
            recorded.words_mut()[at] = now;
        }
        let symbol = |pos| if recorded.contains(pos) { Symbol::Wall } else { Symbol::Floor };
        record(changed.iter().map(|pos| Event::Put { pos, symbol: symbol(pos) }), *tracer);
    }
}

/// Records a group of events and its end, if the group is not empty.
pub(super) fn record<T: Tracer<Event>>(events: impl IntoIterator<Item = Event>, tracer: &mut T) {
    if T::ENABLED {
        let mut events = events.into_iter().peekable();
        let end = events.peek().map(|_| Event::EndGroup);
        events.chain(end).for_each(|event| tracer.record(event));
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Attempt { index } => write!(f, "attempt {} starts", index + 1),
            Event::Put { pos, symbol } => write!(f, "{} on {},{}", symbol.to_char(), pos.x, pos.y),
            Event::EndGroup => f.write_str("end of group"),
            Event::Mark { mark, pos } => write!(f, "mark {} on {},{}", mark + 1, pos.x, pos.y),
            Event::Reinforce { pos } => write!(f, "reinforced wall at {},{}", pos.x, pos.y),
            Event::Repair { pos } => write!(f, "removed wall at {},{}", pos.x, pos.y),
            Event::FallSpawn { pos } => write!(f, "fall spawn cell at {},{}", pos.x, pos.y),
            Event::Prove(witness) => {
                let steps = witness.route.len().saturating_sub(1);
                write!(f, "chain {} proved by a route of {steps} steps", witness.chain + 1)
            }
        }
    }
}
