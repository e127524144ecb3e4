//! The level: a blueprint, its tags, and its witness routes.

use crate::{Blueprint, Mover, Spec, Symbol, wire};
use serde::{Deserialize, Serialize};
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::{DecodeError, Document, MapFamily, Seed, document};

/// A level with its tags and witness routes. A `Level` may be invalid;
/// [`validate`](super::validate) reports its violations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The requested seed.
    pub seed: Seed,
    /// The resolved configuration.
    pub spec: Spec,
    /// The grid of symbols.
    pub blueprint: Blueprint,
    /// Layers over the symbols.
    pub tags: Tags,
    /// Cells that cars can reach; empty on endurance stages.
    pub car_walkable_cells: BitGrid,
    /// One route for every start of every chain, ordered by [`Spec::chains`] and by start.
    pub witness: Vec<Witness>,
    /// The accepted attempt.
    pub attempt: Attempt,
}

/// Layers over the symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Cells where objects may fall from above.
    pub fall_spawn_cells: BitGrid,
    /// Walls that no mover can break.
    pub reinforced: BitGrid,
    /// The cells of each mark of the configuration, in row-major order.
    pub marks: Vec<Vec<Pos>>,
}

/// Proof of one chain from one start: a shortest route that reaches the steps in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// Index of the chain in [`Spec::chains`].
    pub chain: u32,
    /// The cells, each adjacent to the previous one.
    pub route: Vec<Pos>,
    /// For every step of the chain, the index in `route` where it is reached.
    pub reached: Vec<u32>,
}

/// The accepted attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// Number of the accepted attempt, from 0.
    pub index: u32,
    /// Seed of its random streams.
    pub seed: Seed,
    /// Walls that were removed to repair it, in row-major order.
    pub repaired: Vec<Pos>,
    /// True if the number of removed walls is proved minimal.
    pub fewest: bool,
}

impl Level {
    /// Returns a level of plain floor without tags.
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

    /// Replaces a cell with plain floor.
    pub(crate) fn clear(&mut self, pos: Pos) {
        self.blueprint.set(pos, Symbol::Floor);
        self.tags.reinforced.remove(pos);
    }

    /// Returns the mover of a witness.
    pub fn mover(&self, witness: &Witness) -> Mover {
        self.spec.chains().get(witness.chain as usize).map_or(Mover::Person, |chain| chain.mover)
    }

    /// Returns the cells where a game may place another car: those of
    /// [`car_walkable_cells`](Self::car_walkable_cells) that are plain floor without a mark.
    ///
    /// # Examples
    /// ```
    /// use wayforge_level::{self as level, Symbol};
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let cells = level.car_spawn_cells();
    /// assert!(cells.iter().all(|pos| level.blueprint.get(pos) == Symbol::Floor));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn car_spawn_cells(&self) -> BitGrid {
        let plain =
            self.car_walkable_cells.iter().filter(|pos| self.blueprint.get(*pos) == Symbol::Floor);
        let mut cells = BitGrid::from_cells(self.car_walkable_cells.size(), plain);
        self.tags.marks.iter().flatten().for_each(|pos| cells.remove(*pos));
        cells
    }

    /// Returns the interior walls that a witness breaks, in route order and without repeats. Empty
    /// if walls are solid.
    ///
    /// # Examples
    /// ```
    /// use wayforge_level::{self as level, Symbol};
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let mut broken = level.witness.iter().flat_map(|witness| level.broken_walls(witness));
    /// assert!(broken.all(|pos| level.blueprint.get(pos) == Symbol::Wall));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn broken_walls(&self, witness: &Witness) -> Vec<Pos> {
        let mut seen = BitGrid::new(self.blueprint.size());
        let mut is_new = |pos: &Pos| {
            let repeated = seen.contains(*pos);
            seen.insert(*pos);
            !repeated
        };
        let walls = witness.route.iter().filter(|pos| self.blueprint.get(**pos) == Symbol::Wall);
        walls.copied().filter(|pos| is_new(pos)).collect()
    }

    /// Encodes the level as a canonical document with a digest.
    ///
    /// # Examples
    /// ```
    /// use wayforge_level::{self as level, Level};
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let text = level.to_document().to_text();
    /// assert_eq!(Level::decode(text.as_bytes())?, level);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_document(&self) -> Document {
        document::build(self.spec.algorithm(), &self.seed, self.spec.config(), &wire::of(self))
    }

    /// Decodes a document strictly: structure, configuration, canonical form and digest.
    ///
    /// Does not check the rules of levels; see [`validate`](super::validate).
    ///
    /// # Errors
    /// [`DecodeError`] with the first problem.
    pub fn decode(bytes: &[u8]) -> Result<Level, DecodeError> {
        MapFamily::decode(bytes)
    }

    /// Decodes the level of a document without checking the digest.
    ///
    /// # Errors
    /// [`DecodeError`] with the first problem.
    pub fn from_document(document: &Document) -> Result<Level, DecodeError> {
        wire::read(document)
    }
}
