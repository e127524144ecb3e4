//! What the making of a level tells, and the level under construction that the telling describes.

use super::map::{Attempt, Level, Tags, Witness};
use super::spec::Spec;
use super::symbol::{Blueprint, Symbol};
use std::fmt;
use wayforge_core::Seed;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// One step of the making of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What was told since the last beat belongs together: a candidate, a line of wall, a step of a maze, a round of smoothing.
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

/// A level under construction: what a trace has told so far.
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
    /// Nothing is there yet: floor without an end.
    pub fn new(seed: Seed, spec: &Spec) -> Replay {
        let mut blueprint = Blueprint::default();
        blueprint.refill(spec.size(), Symbol::Floor);
        let blank = BitGrid::new(spec.size());
        let tags = Tags {
            fall_spawn_cells: blank.clone(),
            reinforced: blank,
            marks: vec![Vec::new(); spec.config().marks.len()],
        };
        let level = Level {
            seed: seed.clone(),
            spec: spec.clone(),
            blueprint,
            tags,
            car_walkable_cells: BitGrid::default(),
            witness: Vec::new(),
            attempt: Attempt { seed, ..Attempt::default() },
        };
        Replay { level }
    }

    /// Takes one event over.
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
                self.level.blueprint.set(*pos, Symbol::Floor);
                self.level.tags.reinforced.remove(*pos);
                self.level.attempt.repaired.push(*pos);
            }
            Event::FallSpawn { pos } if inside(pos) => self.level.tags.fall_spawn_cells.insert(*pos),
            Event::Prove(witness) => self.level.witness.push(witness.clone()),
            _ => {}
        }
    }

    /// What is there.
    pub fn level(&self) -> &Level {
        &self.level
    }
}

/// Tells how the walls of an algorithm change, whatever it draws them with: at each beat what differs from the last.
pub(super) struct Beats<'a, T> {
    tracer: &'a mut T,
    /// Where walls may stand, and where they were told to.
    free: BitGrid,
    told: BitGrid,
}

impl<'a, T: Tracer<Event>> Beats<'a, T> {
    pub(super) fn new(free: &BitGrid, tracer: &'a mut T) -> Beats<'a, T> {
        let free = if T::LISTENS { free.clone() } else { BitGrid::default() };
        let mut told = BitGrid::default();
        told.reset(free.size());
        Beats { tracer, free, told }
    }

    /// The walls are these now.
    #[inline(always)]
    pub(super) fn beat(&mut self, walls: &BitGrid) {
        if T::LISTENS {
            self.tell(walls, None);
        }
    }

    /// The walls are these now, on two layers.
    #[inline(always)]
    pub(super) fn beat_with(&mut self, walls: &BitGrid, layer: &BitGrid) {
        if T::LISTENS {
            self.tell(walls, Some(layer));
        }
    }

    fn tell(&mut self, walls: &BitGrid, layer: Option<&BitGrid>) {
        let size = self.free.size();
        let mut changed = false;
        for at in 0..walls.words().len() {
            let drawn = walls.words()[at] | layer.map_or(0, |layer| layer.words()[at]);
            let now = drawn & self.free.words()[at];
            let mut turned = now ^ self.told.words()[at];
            self.told.words_mut()[at] = now;
            changed |= turned != 0;
            while turned != 0 {
                let bit = turned.trailing_zeros() as usize;
                turned &= turned - 1;
                let (x, y) = (at % walls.stride() * 64 + bit, at / walls.stride());
                let pos = Pos::new(x as u16, y as u16);
                let symbol = if now >> bit & 1 != 0 { Symbol::Wall } else { Symbol::Floor };
                if size.contains(pos) {
                    self.tracer.tell(Event::Put { pos, symbol });
                }
            }
        }
        if changed {
            self.tracer.tell(Event::Beat);
        }
    }
}

/// Tells everything that stands before anything is drawn.
pub(super) fn tell_all<T: Tracer<Event>>(blueprint: &Blueprint, tracer: &mut T) {
    if T::LISTENS {
        for pos in blueprint.size().iter() {
            tracer.tell(Event::Put { pos, symbol: blueprint.get(pos) });
        }
        tracer.tell(Event::Beat);
    }
}

pub(super) fn tell_reinforced<T: Tracer<Event>>(tags: &Tags, tracer: &mut T) {
    if T::LISTENS {
        tell_set(&tags.reinforced, |pos| Event::Reinforce { pos }, tracer);
    }
}

pub(super) fn tell_fall_spawn<T: Tracer<Event>>(tags: &Tags, tracer: &mut T) {
    if T::LISTENS {
        tell_set(&tags.fall_spawn_cells, |pos| Event::FallSpawn { pos }, tracer);
    }
}

pub(super) fn tell_witness<T: Tracer<Event>>(witness: &[Witness], tracer: &mut T) {
    if T::LISTENS {
        for witness in witness {
            tracer.tell(Event::Prove(witness.clone()));
            tracer.tell(Event::Beat);
        }
    }
}

fn tell_set<T: Tracer<Event>>(set: &BitGrid, event: fn(Pos) -> Event, tracer: &mut T) {
    if !set.is_empty() {
        set.iter().for_each(|pos| tracer.tell(event(pos)));
        tracer.tell(Event::Beat);
    }
}

/// What happens, in words.
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
