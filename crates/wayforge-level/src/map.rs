//! The level: a blueprint, its tags, and the proof that it can be won.

use crate::{Blueprint, Mover, Spec, Symbol, wire};
use serde::{Deserialize, Serialize};
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::{DecodeError, Document, MapFamily, Seed, document};

/// A level with its tags and its proof. It may also hold an invalid one: [`validate`](super::validate) reports its violations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The seed it was asked for by.
    pub seed: Seed,
    /// The configuration.
    pub spec: Spec,
    /// The grid of symbols.
    pub blueprint: Blueprint,
    /// What lies over the symbols.
    pub tags: Tags,
    /// Where the cars can drive; empty on endurance stages.
    pub car_walkable_cells: BitGrid,
    /// One route for every start of every chain, in the order of [`Spec::chains`] and of the starts.
    pub witness: Vec<Witness>,
    /// How it was made.
    pub attempt: Attempt,
}

/// Layers over the symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Where something may fall from above.
    pub fall_spawn_cells: BitGrid,
    /// Walls that nobody breaks.
    pub reinforced: BitGrid,
    /// The cells of each mark of the configuration, in reading order.
    pub marks: Vec<Vec<Pos>>,
}

/// The proof of one chain from one start: a route that reaches its steps in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// Which chain of [`Spec::chains`] it proves.
    pub chain: u32,
    /// The cells, each a neighbour of the one before.
    pub route: Vec<Pos>,
    /// For every step of the chain, the place in `route` where it is reached.
    pub reached: Vec<u32>,
}

/// The attempt that was accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The number of the accepted attempt, from 0.
    pub index: u32,
    /// The seed that it drew from.
    pub seed: Seed,
    /// The walls that were removed to repair it, in reading order.
    pub repaired: Vec<Pos>,
    /// True if it is proved that fewer removals would not do.
    pub fewest: bool,
}

impl Level {
    /// A level of floor without tags, to be filled.
    pub(crate) fn empty(seed: Seed, spec: &Spec) -> Level {
        let (size, blank) = (spec.size(), BitGrid::new(spec.size()));
        Level {
            spec: spec.clone(),
            blueprint: Blueprint::filled(size, Symbol::Floor),
            tags: Tags {
                fall_spawn_cells: blank.clone(),
                reinforced: blank.clone(),
                marks: vec![Vec::new(); spec.config().marks.len()],
            },
            car_walkable_cells: blank,
            witness: Vec::new(),
            attempt: Attempt { seed: seed.clone(), ..Attempt::default() },
            seed,
        }
    }

    /// Turns a cell into plain floor.
    pub(crate) fn clear(&mut self, pos: Pos) {
        self.blueprint.set(pos, Symbol::Floor);
        self.tags.reinforced.remove(pos);
    }

    /// The mover of a witness.
    pub fn mover(&self, witness: &Witness) -> Mover {
        self.spec.chains().get(witness.chain as usize).map_or(Mover::Person, |chain| chain.mover)
    }

    /// Where a game may put another car: the cells of [`car_walkable_cells`](Self::car_walkable_cells) that are plain
    /// floor and carry no mark.
    ///
    /// ```
    /// use wayforge_level::{self as level, Symbol};
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let cells = level.car_spawn_cells();
    /// assert!(cells.iter().all(|pos| level.blueprint.get(pos) == Symbol::Floor));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn car_spawn_cells(&self) -> BitGrid {
        let plain = self.car_walkable_cells.iter().filter(|pos| self.blueprint.get(*pos) == Symbol::Floor);
        let mut cells = BitGrid::of(self.car_walkable_cells.size(), plain);
        self.tags.marks.iter().flatten().for_each(|pos| cells.remove(*pos));
        cells
    }

    /// The interior walls that a witness breaks, in the order of its route, each once. Empty if walls are solid.
    ///
    /// ```
    /// use wayforge_level::{self as level, Symbol};
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let broken: Vec<_> = level.witness.iter().flat_map(|witness| level.broken_walls(witness)).collect();
    /// assert!(broken.iter().all(|pos| level.blueprint.get(*pos) == Symbol::Wall));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn broken_walls(&self, witness: &Witness) -> Vec<Pos> {
        let mut seen = BitGrid::new(self.blueprint.size());
        let mut is_new = |pos: &Pos| {
            let known = seen.contains(*pos);
            seen.insert(*pos);
            !known
        };
        let walls = witness.route.iter().filter(|pos| self.blueprint.get(**pos) == Symbol::Wall);
        walls.copied().filter(|pos| is_new(pos)).collect()
    }

    /// The document that keeps this level: canonical bytes with a digest.
    ///
    /// ```
    /// use wayforge_level::{self as level, Level};
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let text = level.to_document().to_text();
    /// assert_eq!(Level::decode(text.as_bytes())?, level);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_document(&self) -> Document {
        document::seal(self.spec.algorithm(), &self.seed, self.spec.config(), &wire::of(self))
    }

    /// Reads a document strictly: its shape, its configuration, its form and its digest must all be right.
    ///
    /// Whether the level inside keeps its rules is for [`validate`](super::validate) to say.
    pub fn decode(bytes: &[u8]) -> Result<Level, DecodeError> {
        MapFamily::decode(bytes)
    }

    /// Reads the level out of a document whose digest the caller looks after.
    pub fn from_document(document: &Document) -> Result<Level, DecodeError> {
        wire::read(document)
    }
}
