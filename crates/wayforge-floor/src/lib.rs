//! Floor modules: small tiled floors with a path from entrance to exit, and [towers](tower) of them.
//!
//! [`Config::resolve`] checks a configuration and proves it feasible, [`generate`] generates the floor of a seed, [`validate`]
//! checks every rule, and [`Floor::to_document`] writes it with a digest. [`compat`] has the function names of the floor
//! module specification.

#![forbid(unsafe_code)]

mod board;
mod carve;
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
mod open;
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

pub use config::{Budget, Carve, Config, Density, Opening, Vec2};
pub use error::{Error, MissedConstraint};
pub use map::{ALGORITHM, Entity, EntityKind, Floor, NO_TIME, Notes, Origin, TileKind};
pub use map_floor::MapFloor;
#[cfg(feature = "schema")]
pub use map_floor::map_floor_schema;
pub use spec::Spec;
pub use template::{Meaning, Template};
pub use trace::{Event, Replay};
pub use validate::{ValidationResult, Validator, rules, validate};
#[cfg(feature = "schema")]
pub use wire::document_schema;

use board::{Board, Rows};
use draft::Draft;
use error::Misses;
use feasibility::{Effort, Fallback};
use spec::Make;
use streams::Streams;
use task::{Anywhere, Exits};
use wayforge_core::grid::{Pos, Symmetry};
use wayforge_core::trace::Tracer;
use wayforge_core::{Seed, Stage};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Makes the floor of `seed` under `spec`.
///
/// * **Arguments.** The seed, and a configuration that has been resolved.
/// * **Returns.** The floor. It fails only where [`Spec::is_certain`] is false: no floor is known there, and no attempt made one.
/// * **Complexity.** Linear in the tiles for each attempt; long ways in little room cost the square of their length.
/// * **Determinism.** Streams `floor.path` (ends and way), `floor.open` (room), `floor.things` (doors, chests, entities, water);
///   for templates `floor.template`. A further attempt draws on from the same streams.
/// * **Guarantees.** [`validate`] finds nothing in the floor.
///
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

/// Makes the floor of `seed` as [`generate`] does, and tells every step of it: see [`Replay`].
pub fn generate_traced(seed: Seed, spec: &Spec, tracer: &mut impl Tracer<Event>) -> Result<Floor, Error> {
    let mut forge = Generator::new(spec);
    forge.generate_for(seed, &mut Anywhere, tracer)?;
    Ok(forge.floor)
}

/// Makes floors one after another in the same memory: after the first ones, nothing is allocated.
///
/// ```
/// use wayforge_floor::{self as floor, TileKind};
/// let mut forge = floor::Generator::new(&floor::Config::default().resolve()?);
/// let walls = |tiles: &[TileKind]| tiles.iter().filter(|&&tile| tile == TileKind::Wall).count();
/// for seed in 0..100 {
///     assert!(walls(&forge.generate(seed.into())?.tiles) <= 13);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Generator {
    floor: Floor,
    work: Work,
    misses: Misses,
}

#[derive(Clone)]
enum Work {
    Word(Box<Draft<u64>>),
    Rows(Box<Draft<Rows>>),
}

impl Generator {
    /// A forge for one configuration.
    pub fn new(spec: &Spec) -> Generator {
        let work = match spec.size().cells() <= 64 {
            true => Work::Word(Box::new(Draft::new(spec.size()))),
            false => Work::Rows(Box::new(Draft::new(spec.size()))),
        };
        Generator { floor: Floor::blank(Seed::new(0), spec), work, misses: Misses::default() }
    }

    /// What stands in `generatedAt` from now on; it changes nothing else.
    pub fn set_generated_at(&mut self, time: &str) {
        self.floor.set_generated_at(time);
    }

    /// What the refused attempts at the last floor missed, whether or not one was accepted after them.
    ///
    /// ```
    /// use wayforge_floor::{self as floor, Origin};
    /// let spec = floor::Config::from_json(br#"{"minPathLength": 14, "enemyBudget": 1}"#)?.resolve()?;
    /// let mut forge = floor::Generator::new(&spec);
    /// let missed = match forge.generate(1.into())?.origin {
    ///     Origin::Carve { attempt } => attempt,
    ///     Origin::Safe { attempts } => attempts,
    ///     _ => 0,
    /// };
    /// assert_eq!(forge.missed().map(|missed| missed.attempts).sum::<u32>(), missed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn missed(&self) -> impl Iterator<Item = MissedConstraint> + use<> {
        self.misses.list()
    }

    /// Makes the floor of `seed`, as [`generate`] does; it stays until the next one is made.
    pub fn generate(&mut self, seed: Seed) -> Result<&Floor, Error> {
        self.generate_for(seed, &mut Anywhere, &mut ())
    }

    /// The same for a floor of a tower: it ends at one of `exits`.
    fn generate_for(
        &mut self,
        seed: Seed,
        exits: &mut (impl Exits + ?Sized),
        tracer: &mut impl Tracer<Event>,
    ) -> Result<&Floor, Error> {
        let floor = &mut self.floor;
        floor.seed = seed.clone();
        let spec = floor.spec.clone();
        self.misses = Misses::default();
        let misses = &mut self.misses;
        let given = match (spec.make(), &mut self.work) {
            (Make::Stamp(plan, variants), _) => {
                let mut rng = seed.stream(Stage::named("floor.template"));
                let variant = variants[rng.below(variants.len() as u32) as usize];
                stamp::generate(&spec, plan, variant, &seed)
            }
            (Make::Pinned(pins, proof), _) => pinned::generate(&seed, &spec, pins, proof.as_deref()),
            (Make::Draw(fallback), work) => {
                match work {
                    Work::Word(draft) => draw(draft, fallback.as_deref(), floor, misses, exits, tracer)?,
                    Work::Rows(draft) => draw(draft, fallback.as_deref(), floor, misses, exits, tracer)?,
                }
                return Ok(floor);
            }
        };
        *floor = Floor { seed, generated_at: std::mem::take(&mut floor.generated_at), ..given };
        trace::tell_given(floor, tracer);
        Ok(floor)
    }
}

/// The most pairs of entrance and exit that a fallback layout is looked for.
const FALLBACK_ENDS: u32 = 16;

/// Attempts until one holds, and after the last the fallback layout, where there is one.
#[inline]
fn draw<B: Board>(
    draft: &mut Draft<B>,
    fallback: Option<&Fallback>,
    floor: &mut Floor,
    misses: &mut Misses,
    exits: &mut (impl Exits + ?Sized),
    tracer: &mut impl Tracer<Event>,
) -> Result<(), Error> {
    let (task, attempts) = (floor.spec.task(), floor.spec.attempts());
    let mut streams = Streams::of(&floor.seed);
    let mut ends = None;
    let drawn = (0..attempts).find(|&attempt| {
        let made = draft.attempt(task, attempt, &mut ends, &mut streams, exits, tracer);
        made.map_err(|missed| misses.add(missed)).is_ok()
    });
    floor.origin = match (drawn, fallback) {
        (Some(attempt), _) => Origin::Carve { attempt },
        (None, Some(fallback)) => {
            take_fallback(draft, task, ends, fallback, &mut streams, exits, tracer);
            Origin::Safe { attempts }
        }
        (None, None) => return Err(misses.into_error(&floor.seed, attempts)),
    };
    draft.read_off(floor);
    Ok(())
}

/// Takes a fallback layout.
///
/// Where the attempts kept their `ends`, it is one between them, or between the next drawn ends that have one: so the exit is
/// uniform over those that some layout is found for. Otherwise it is the given one; if no end is fixed, a random image of it.
fn take_fallback<B: Board>(
    draft: &mut Draft<B>,
    task: &task::Task,
    mut ends: Option<[Pos; 2]>,
    fallback: &Fallback,
    streams: &mut Streams,
    exits: &mut (impl Exits + ?Sized),
    tracer: &mut impl Tracer<Event>,
) {
    for _ in 0..if task.keeps_ends() { FALLBACK_ENDS } else { 0 } {
        let Some([entrance, exit]) = ends else { break };
        let fixed = task::Task { entrance: Some(entrance), exit: Some(exit), ..*task };
        let found = feasibility::decide(&fixed, &mut Anywhere, Effort::Quick).ok().flatten();
        if found.is_some_and(|found| draft.take_fallback(&fixed, &found, streams, tracer)) {
            return;
        }
        ends = draft::draw_ends(task, &mut streams.path, exits);
    }
    if task.entrance.is_none() && task.exit.is_none() {
        let symmetry = Symmetry::ALL[streams.path.below(8) as usize];
        if symmetry.size(task.size) == task.size {
            let image = fallback.image(symmetry);
            if exits.accept(image.exit) && draft.take_fallback(task, &image, streams, tracer) {
                return;
            }
        }
    }
    // `resolve` found this layout, so it has room for everything.
    draft.take_fallback(task, fallback, streams, tracer);
}
