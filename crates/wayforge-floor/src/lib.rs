//! Dungeon floors: small grids of tiles with a path from entrance to exit, and [towers](tower) of
//! them.
//!
//! The main functions:
//!
//! - [`Config::resolve`] checks a configuration and its feasibility and returns a [`Spec`].
//! - [`generate`] generates the floor of a seed. [`Generator`] does so for many seeds and reuses
//!   its memory.
//! - [`validate`] checks every rule of a floor and returns a report.
//!
//! [`Floor::to_document`] encodes a floor with a digest. [`tower`] has the same functions for
//! towers. [`compat`] contains the functions of the floor module specification.
//!
//! # Features
//!
//! - `schema`: JSON Schemas of configurations and documents.

#![forbid(unsafe_code)]

mod carve;
mod cell_set;
mod choke;
pub mod compat;
mod config;
mod doors;
mod draft;
mod error;
mod family;
mod feasibility;
mod map;
mod map_floor;
mod open_space;
mod pinned;
mod place;
mod rooms;
mod spec;
mod stamp;
mod streams;
mod task;
mod template;
pub mod tower;
mod trace;
mod validate;
mod wire;

pub use config::{Budget, CarveMethod, Config, Density, OpenMethod, Vec2};
pub use error::{Error, UnmetConstraint};
pub use map::{
    ALGORITHM, DEFAULT_GENERATED_AT, Entity, EntityKind, Floor, Metadata, Origin, TileKind,
};
pub use map_floor::MapFloor;
#[cfg(feature = "schema")]
pub use map_floor::map_floor_schema;
pub use spec::Spec;
pub use template::{LegendEntry, Template};
pub use trace::{Event, Replay};
pub use validate::{Validator, rules, validate};
#[cfg(feature = "schema")]
pub use wire::document_schema;

use cell_set::{CellSet, RowSet};
use draft::Draft;
use error::UnmetCounts;
use feasibility::{Effort, Fallback};
use spec::Method;
use streams::Streams;
use task::{AnyExit, Exits};
use wayforge_core::grid::{Pos, Symmetry};
use wayforge_core::trace::Tracer;
use wayforge_core::{Seed, Work, WorkLimit};

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Generates the floor of `seed`. The result passes [`validate`].
///
/// # Errors
/// [`Error`] if no attempt succeeds and no fallback layout is known. This happens only if
/// [`Spec::is_proven_feasible`] is false.
///
/// # Complexity
/// O(tiles) per attempt by default, O(tiles * log tiles) with `carve: astar`, and O(tiles * rooms)
/// with `open: rooms`. Lengthening the path by detours adds O(length^2).
///
/// # Determinism
/// Depends only on seed and spec. Uses the streams `floor.path` (ends and path), `floor.open` (open
/// tiles), `floor.things` (doors, chests, entities, water) and, for templates, `floor.template`.
/// Further attempts continue the same streams.
///
/// # Examples
/// ```
/// use wayforge_floor as floor;
/// let spec = floor::Config::default().resolve()?;
/// let floor = floor::generate(42.into(), &spec)?;
/// assert_eq!((floor.tiles.len(), floor.entities.len()), (25, 3));
/// assert_eq!(floor, floor::generate(42.into(), &spec)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(seed: Seed, spec: &Spec) -> Result<Floor, Error> {
    generate_traced(seed, spec, &mut ())
}

/// Generates the floor of `seed` like [`generate`] and records every event; see [`Replay`].
///
/// # Errors
/// The same as [`generate`].
pub fn generate_traced(
    seed: Seed,
    spec: &Spec,
    tracer: &mut impl Tracer<Event>,
) -> Result<Floor, Error> {
    let mut generator = Generator::new(spec);
    generator.generate_for(seed, &mut AnyExit, tracer)?;
    Ok(generator.floor)
}

/// Generates many floors of one spec. Reuses its buffers: after warm-up, generation of carved
/// floors does not allocate.
///
/// # Examples
/// ```
/// use wayforge_floor::{self as floor, TileKind};
/// let mut generator = floor::Generator::new(&floor::Config::default().resolve()?);
/// let walls = |tiles: &[TileKind]| tiles.iter().filter(|&&tile| tile == TileKind::Wall).count();
/// for seed in 0..100 {
///     assert!(walls(&generator.generate(seed.into())?.tiles) <= 13);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Generator {
    floor: Floor,
    draft: AnyDraft,
    unmet: UnmetCounts,
    limit: WorkLimit,
    work: Work,
}

/// Steps of work per cell of an attempt.
const STEPS_PER_CELL: u64 = 32;

/// A draft in the cell set representation that fits the grid.
#[derive(Clone)]
enum AnyDraft {
    Word(Box<Draft<u64>>),
    Rows(Box<Draft<RowSet>>),
}

impl Generator {
    /// Creates a generator for `spec`.
    pub fn new(spec: &Spec) -> Generator {
        let draft = if spec.size().cells() <= 64 {
            AnyDraft::Word(Box::new(Draft::new(spec.size())))
        } else {
            AnyDraft::Rows(Box::new(Draft::new(spec.size())))
        };
        Generator {
            floor: Floor::blank(Seed::new(0), spec),
            draft,
            unmet: UnmetCounts::default(),
            limit: WorkLimit::UNLIMITED,
            work: Work::default(),
        }
    }

    /// Limits the work of each floor. A step is about one visited cell.
    pub fn limit_work(&mut self, limit: WorkLimit) {
        self.limit = limit;
    }

    /// Sets `generatedAt` of the floors generated from now on. Nothing else changes.
    pub fn set_generated_at(&mut self, time: &str) {
        self.floor.set_generated_at(time);
    }

    /// Returns the unmet constraints of the rejected attempts at the last floor.
    ///
    /// Attempts are counted even if a later one was accepted.
    ///
    /// # Examples
    /// ```
    /// use wayforge_floor::{self as floor, Origin};
    /// let config = br#"{"minPathLength": 14, "enemyBudget": 1}"#;
    /// let mut generator = floor::Generator::new(&floor::Config::from_json(config)?.resolve()?);
    /// let rejected = match generator.generate(1.into())?.origin {
    ///     Origin::Carve { attempt } => attempt,
    ///     Origin::Fallback { attempts } => attempts,
    ///     _ => 0,
    /// };
    /// let unmet: u32 = generator.unmet_constraints().map(|unmet| unmet.attempts).sum();
    /// assert_eq!(unmet, rejected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unmet_constraints(&self) -> impl Iterator<Item = UnmetConstraint> + use<> {
        self.unmet.list()
    }

    /// Generates the floor of `seed` like [`generate`]. The next call overwrites it.
    ///
    /// # Errors
    /// The same as [`generate`].
    pub fn generate(&mut self, seed: Seed) -> Result<&Floor, Error> {
        self.work.restart(&self.limit);
        self.generate_for(seed, &mut AnyExit, &mut ())
    }

    /// Generates a floor that ends at one of `exits`, and records every event.
    fn generate_for(
        &mut self,
        seed: Seed,
        exits: &mut (impl Exits + ?Sized),
        tracer: &mut impl Tracer<Event>,
    ) -> Result<&Floor, Error> {
        let floor = &mut self.floor;
        floor.seed = seed.clone();
        let spec = floor.spec.clone();
        self.unmet = UnmetCounts::default();
        let (unmet, work) = (&mut self.unmet, &self.work);
        let complete = match (spec.method(), &mut self.draft) {
            (Method::Template(plan, variants), _) => {
                let mut rng = seed.stream(streams::TEMPLATE);
                let variant = variants[rng.below(variants.len() as u32) as usize];
                stamp::generate(&spec, plan, variant, &seed, work)
            }
            (Method::Pinned(pins, proof), _) => {
                pinned::generate(&seed, &spec, pins, proof.as_deref(), work)
            }
            (Method::Carve(fallback), draft) => {
                let counts = Counts { unmet, work };
                match draft {
                    AnyDraft::Word(draft) => {
                        generate_carved(draft, fallback.as_deref(), floor, counts, exits, tracer)?
                    }
                    AnyDraft::Rows(draft) => {
                        generate_carved(draft, fallback.as_deref(), floor, counts, exits, tracer)?
                    }
                }
                return Ok(floor);
            }
        };
        if let Some(stopped) = work.stopped() {
            return Err(Error { stopped: Some(stopped), ..unmet.into_error(&seed, 0) });
        }
        *floor = Floor { seed, generated_at: std::mem::take(&mut floor.generated_at), ..complete };
        trace::record_floor(floor, tracer);
        Ok(floor)
    }
}

/// Maximum number of entrance and exit pairs for which a fallback layout is searched.
const MAX_FALLBACK_ENDS: u32 = 16;

/// What attempts count.
struct Counts<'a> {
    unmet: &'a mut UnmetCounts,
    work: &'a Work,
}

/// Makes attempts until one succeeds. If all fail, uses the fallback layout, if one is known.
#[inline]
fn generate_carved<S: CellSet>(
    draft: &mut Draft<S>,
    fallback: Option<&Fallback>,
    floor: &mut Floor,
    Counts { unmet, work }: Counts<'_>,
    exits: &mut (impl Exits + ?Sized),
    tracer: &mut impl Tracer<Event>,
) -> Result<(), Error> {
    let (task, attempts) = (floor.spec.task(), floor.spec.attempts());
    let mut streams = Streams::new(&floor.seed);
    let mut ends = None;
    let steps = STEPS_PER_CELL * task.size.cells() as u64;
    let within_limit = |_: &u32| work.spend(steps);
    let accepted = (0..attempts).take_while(within_limit).find(|&attempt| {
        let result = draft.attempt(task, attempt, &mut ends, &mut streams, exits, tracer);
        result.map_err(|constraint| unmet.add(constraint)).is_ok()
    });
    if let Some(stopped) = work.stopped() {
        return Err(Error { stopped: Some(stopped), ..unmet.into_error(&floor.seed, attempts) });
    }
    floor.origin = match (accepted, fallback) {
        (Some(attempt), _) => Origin::Carve { attempt },
        (None, Some(fallback)) => {
            use_fallback(draft, task, ends, fallback, &mut streams, exits, tracer);
            Origin::Fallback { attempts }
        }
        (None, None) => return Err(unmet.into_error(&floor.seed, attempts)),
    };
    draft.write_to(floor);
    Ok(())
}

/// Uses a fallback layout.
///
/// If the attempts shared their `ends`, searches for a layout between these, then between newly
/// drawn ends. So the exit is uniform over the exits for which a layout is found. Otherwise, uses
/// the given layout, or an image of it under a random symmetry if no end is fixed.
fn use_fallback<S: CellSet>(
    draft: &mut Draft<S>,
    task: &task::Task,
    mut ends: Option<[Pos; 2]>,
    fallback: &Fallback,
    streams: &mut Streams,
    exits: &mut (impl Exits + ?Sized),
    tracer: &mut impl Tracer<Event>,
) {
    for _ in 0..if task.reuses_ends() { MAX_FALLBACK_ENDS } else { 0 } {
        let Some([entrance, exit]) = ends else { break };
        let fixed = task::Task { entrance: Some(entrance), exit: Some(exit), ..*task };
        let found = feasibility::decide(&fixed, &mut AnyExit, Effort::Quick).ok().flatten();
        if found.is_some_and(|found| draft.use_fallback(&fixed, &found, streams, tracer)) {
            return;
        }
        ends = draft::draw_ends(task, &mut streams.path, exits);
    }
    if task.entrance.is_none() && task.exit.is_none() {
        let symmetry = Symmetry::ALL[streams.path.below(8) as usize];
        if symmetry.size(task.size) == task.size {
            let image = fallback.image(symmetry);
            if exits.accepts(image.exit) && draft.use_fallback(task, &image, streams, tracer) {
                return;
            }
        }
    }
    // This layout proved feasibility, so it has room for everything.
    draft.use_fallback(task, fallback, streams, tracer);
}
