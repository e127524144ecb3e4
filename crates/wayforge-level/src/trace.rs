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
    /// An attempt begins on empty ground.
    Attempt {
        /// Its number, from 0.
        index: u32,
    },
    /// A symbol stands on a cell, instead of what stood there.
    Put {
        /// The cell.
        pos: Pos,
        /// The symbol.
        symbol: Symbol,
    },
    /// Ends a group of events: a candidate, a line of wall, a step of a maze, a round of smoothing.
    Beat,
    /// A cell is reserved for a mark of the configuration.
    Mark {
        /// The mark's place in the configuration.
        mark: u32,
        /// The cell.
        pos: Pos,
    },
    /// A wall is made too strong to break.
    Reinforce {
        /// The wall.
        pos: Pos,
    },
    /// A wall that stands in the way is removed.
    Repair {
        /// The wall.
        pos: Pos,
    },
    /// Something may fall here from above.
    FallSpawn {
        /// The cell.
        pos: Pos,
    },
    /// A chain is proved by a route.
    Prove(Witness),
}

/// A level under construction, rebuilt from the events of a trace.
///
/// ```
/// use wayforge_level::{self as level, Replay};
/// use wayforge_core::trace::Tape;
/// let spec = level::Config::default().resolve()?;
/// let mut tape = Tape::new(100_000);
/// let level = level::generate_traced(7.into(), &spec, &mut tape)?;
/// let mut replay = Replay::new(7.into(), &spec);
/// tape.events().iter().for_each(|event| replay.apply(event));
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
            Event::FallSpawn { pos } if inside(pos) => self.level.tags.fall_spawn_cells.insert(*pos),
            Event::Prove(witness) => self.level.witness.push(witness.clone()),
            _ => {}
        }
    }

    /// The level as far as the events describe it.
    pub fn level(&self) -> &Level {
        &self.level
    }
}

/// Records how the walls of an algorithm change: at each beat the difference to the one before.
pub(super) struct Beats<'a, T> {
    tracer: &'a mut T,
    /// Where walls may stand.
    free: BitGrid,
    /// The walls at the last beat.
    recorded: BitGrid,
}

impl<'a, T: Tracer<Event>> Beats<'a, T> {
    pub(super) fn new(free: &BitGrid, tracer: &'a mut T) -> Beats<'a, T> {
        let free = if T::LISTENS { free.clone() } else { BitGrid::default() };
        let recorded = BitGrid::new(free.size());
        Beats { tracer, free, recorded }
    }

    /// Records the walls as they are now.
    #[inline(always)]
    pub(super) fn beat(&mut self, walls: &BitGrid) {
        self.beat_with(walls, walls);
    }

    /// Records the walls as they are now, on two layers.
    #[inline(always)]
    pub(super) fn beat_with(&mut self, walls: &BitGrid, layer: &BitGrid) {
        if T::LISTENS {
            self.record(walls, layer);
        }
    }

    fn record(&mut self, walls: &BitGrid, layer: &BitGrid) {
        let Beats { tracer, free, recorded } = self;
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

/// Records events that belong together, and a beat after them if there are any.
pub(super) fn record<T: Tracer<Event>>(events: impl IntoIterator<Item = Event>, tracer: &mut T) {
    if T::LISTENS {
        let mut events = events.into_iter().peekable();
        let beat = events.peek().map(|_| Event::Beat);
        events.chain(beat).for_each(|event| tracer.tell(event));
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Attempt { index } => write!(f, "attempt {} begins", index + 1),
            Event::Put { pos, symbol } => write!(f, "{} on {},{}", symbol.to_char(), pos.x, pos.y),
            Event::Beat => f.write_str("beat"),
            Event::Mark { mark, pos } => write!(f, "mark {} on {},{}", mark + 1, pos.x, pos.y),
            Event::Reinforce { pos } => write!(f, "the wall on {},{} is reinforced", pos.x, pos.y),
            Event::Repair { pos } => write!(f, "the wall on {},{} is removed", pos.x, pos.y),
            Event::FallSpawn { pos } => write!(f, "something may fall on {},{}", pos.x, pos.y),
            Event::Prove(witness) => {
                let steps = witness.route.len().saturating_sub(1);
                write!(f, "chain {} is proved by a route of {steps} steps", witness.chain + 1)
            }
        }
    }
}
