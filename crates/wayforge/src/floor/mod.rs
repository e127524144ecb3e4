//! Floor modules: small tiled floors with a way from entrance to exit, and towers of them.
//!
//! [`FloorConfig`] says what is wanted, [`FloorConfig::resolve`] checks it and proves it possible, [`generate`] makes the floor of a
//! seed, [`validate`] proves it, [`Floor::to_document`] keeps it. The names of the document that describes them stand beside:
//! [`create_rng`], [`generate_floor`], [`validate_floor`], [`serialize_floor`], [`deserialize_floor`].

mod board;
mod bound;
mod carve;
mod choke;
mod config;
mod doors;
mod draft;
mod error;
mod exact;
mod known;
mod map;
mod map_floor;
mod mend;
mod mulberry;
mod open;
mod pinned;
mod place;
mod possible;
mod rooms;
mod snakes;
mod spec;
mod stamp;
mod task;
mod template;
mod tower;
mod trace;
mod turn;
mod validate;
mod wire;

pub use config::{Budget, Carve, Density, FloorConfig, Opening, Vec2};
pub use error::{FloorGenerationError, MissedConstraint};
pub use map::{ALGORITHM, Entity, EntityKind, Floor, NO_TIME, Notes, Origin, TileKind};
pub use map_floor::MapFloor;
#[cfg(feature = "schema")]
pub use map_floor::map_floor_schema;
pub use mulberry::create_rng;
pub use spec::FloorSpec;
pub use template::{Meaning, Template};
pub use tower::{
    Amount, Climb, Curve, CurveField, Steps, Storeys, TOWER_ALGORITHM, TOWER_FLOOR_ALGORITHM, TemplateFloor,
    TemplateName, Tower, TowerConfig, TowerError, TowerEvent, TowerFloor, TowerFloors, TowerPin, TowerSpec,
    find_tower_seed, floor_seed, generate_tower, generate_tower_floor, generate_tower_traced, validate_tower,
};
#[cfg(feature = "schema")]
pub use tower::{climb_schema, tower_floor_schema, tower_schema};
pub use trace::{FloorEvent, Replay};
pub use turn::Turn;
pub use validate::{Judge, Verdict, rules, validate};
#[cfg(feature = "schema")]
pub use wire::document_schema;

use crate::grid::Pos;
use crate::trace::Tracer;
use crate::{DecodeError, ForgeError, SavedMap, Seed, Stage};
use board::{Board, Rows};
use draft::{Draft, Streams};
use error::Misses;
use spec::Make;
use task::{Anywhere, Exits};

/// Makes the floor of `seed` under `spec`.
///
/// * **Arguments.** The seed, and a configuration that has been resolved.
/// * **Returns.** The floor. It fails only where [`FloorSpec::is_certain`] is false: no floor is known there, and no attempt made one.
/// * **Complexity.** Linear in the tiles for each attempt; long ways in little room cost the square of their length.
/// * **Determinism.** Streams `floor.path` (ends and way), `floor.open` (room), `floor.things` (doors, chests, entities, water);
///   for templates `floor.template`. A further attempt draws on from the same streams.
/// * **Guarantees.** [`validate`] finds nothing in the floor.
///
/// ```
/// use wayforge::floor::{self, FloorConfig};
/// let spec = FloorConfig::default().resolve()?;
/// let floor = floor::generate(42.into(), &spec)?;
/// assert_eq!((floor.tiles.len(), floor.entities.len()), (25, 3));
/// assert_eq!(floor, floor::generate(42.into(), &spec)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(seed: Seed, spec: &FloorSpec) -> Result<Floor, Box<FloorGenerationError>> {
    let mut forge = Forge::new(spec);
    forge.generate(seed)?;
    Ok(forge.floor)
}

/// Makes the floor of `seed` as [`generate`] does, and tells every step of it: see [`Replay`].
pub fn generate_traced(
    seed: Seed,
    spec: &FloorSpec,
    tracer: &mut impl Tracer<FloorEvent>,
) -> Result<Floor, Box<FloorGenerationError>> {
    let mut forge = Forge::new(spec);
    forge.generate_for(seed, &mut Anywhere, tracer)?;
    Ok(forge.floor)
}

/// The document's `generateFloor(seed, config)`: resolves and generates at once.
///
/// ```
/// use wayforge::floor::{FloorConfig, generate_floor, validate_floor};
/// let floor = generate_floor("first light", &FloorConfig::default())?;
/// assert!(validate_floor(&floor).is_valid());
/// # Ok::<(), wayforge::ForgeError>(())
/// ```
pub fn generate_floor(seed: impl Into<Seed>, config: &FloorConfig) -> Result<Floor, ForgeError> {
    Ok(generate(seed.into(), &config.resolve()?)?)
}

/// The document's `validateFloor(floor)`: every rule, the shortest way, and how much can be reached.
///
/// ```
/// use wayforge::floor::{Budget, FloorConfig, generate_floor, validate_floor};
/// let verdict = validate_floor(&generate_floor(1, &FloorConfig::default())?);
/// assert_eq!((verdict.of(Budget::Enemy), verdict.of(Budget::Chest)), ((3, 3), (1, 1)));
/// assert!(verdict.reached == verdict.walkable && verdict.shortest >= Some(1));
/// # Ok::<(), wayforge::ForgeError>(())
/// ```
pub fn validate_floor(floor: &Floor) -> Verdict {
    Judge::default().judge(floor)
}

/// The document's `serializeFloor(floor)`: the `MapFloor` as one line of JSON, with `path`, `origin` and `config` beside the
/// document's members. Any implementation of the document reads it. [`Floor::to_document`] adds an envelope with a digest.
///
/// ```
/// use wayforge::floor::{FloorConfig, deserialize_floor, generate_floor, serialize_floor};
/// let floor = generate_floor(7, &FloorConfig::default())?;
/// assert_eq!(deserialize_floor(&serialize_floor(&floor))?, floor);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serialize_floor(floor: &Floor) -> String {
    map_floor::write(floor)
}

/// The document's `deserializeFloor(json)`: reads a `MapFloor` of any implementation, or the document of a floor.
///
/// # Errors
/// The path of the first member that cannot be read.
///
/// ```
/// use wayforge::floor::{FloorConfig, deserialize_floor, generate_floor, serialize_floor};
/// let floor = generate_floor(7, &FloorConfig::default())?;
/// assert_eq!(deserialize_floor(&serialize_floor(&floor))?, floor);
/// assert_eq!(deserialize_floor(&floor.to_document().to_text())?, floor);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deserialize_floor(json: &str) -> Result<Floor, DecodeError> {
    match SavedMap::decode(json.as_bytes())? {
        SavedMap::MapFloor(floor) => floor.to_floor(),
        SavedMap::Document(_) => Floor::decode(json.as_bytes()),
    }
}

/// Makes floors one after another in the same memory: after the first ones, nothing is allocated.
///
/// ```
/// use wayforge::floor::{FloorConfig, Forge, TileKind};
/// let mut forge = Forge::new(&FloorConfig::default().resolve()?);
/// let walls = |tiles: &[TileKind]| tiles.iter().filter(|&&tile| tile == TileKind::Wall).count();
/// for seed in 0..100 {
///     assert!(walls(&forge.generate(seed.into())?.tiles) <= 13);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Forge {
    floor: Floor,
    work: Work,
    misses: Misses,
}

#[derive(Clone)]
enum Work {
    Word(Box<Draft<u64>>),
    Rows(Box<Draft<Rows>>),
}

impl Forge {
    /// A forge for one configuration.
    pub fn new(spec: &FloorSpec) -> Forge {
        let work = match spec.size().cells() <= 64 {
            true => Work::Word(Box::new(Draft::new(spec.task()))),
            false => Work::Rows(Box::new(Draft::new(spec.task()))),
        };
        let floor = Floor {
            seed: Seed::new(0),
            spec: spec.clone(),
            tiles: Vec::new(),
            meta: Vec::new(),
            entities: Vec::new(),
            entrance: Pos::default(),
            exit: Pos::default(),
            path: Vec::new(),
            origin: Origin::Blank,
            generated_at: NO_TIME.to_owned(),
        };
        Forge { floor, work, misses: Misses::default() }
    }

    /// What stands in `generatedAt` from now on; it changes nothing else.
    pub fn set_time(&mut self, time: &str) {
        self.floor.generated_at = time.chars().filter(|c| !c.is_control()).take(64).collect();
    }

    /// What the refused attempts at the last floor missed, whether or not one was accepted after them.
    ///
    /// ```
    /// use wayforge::floor::{FloorConfig, Forge, Origin};
    /// let spec = FloorConfig::from_json(br#"{"minPathLength": 14, "enemyBudget": 1}"#)?.resolve()?;
    /// let mut forge = Forge::new(&spec);
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
    pub fn generate(&mut self, seed: Seed) -> Result<&Floor, Box<FloorGenerationError>> {
        self.generate_for(seed, &mut Anywhere, &mut ())
    }

    /// The same for a floor of a tower: it ends at one of `exits`.
    fn generate_for(
        &mut self,
        seed: Seed,
        exits: &mut impl Exits,
        tracer: &mut impl Tracer<FloorEvent>,
    ) -> Result<&Floor, Box<FloorGenerationError>> {
        let floor = &mut self.floor;
        floor.seed = seed.clone();
        let spec = floor.spec.clone();
        self.misses = Misses::default();
        let misses = &mut self.misses;
        match spec.make() {
            Make::Stamp(plan, variants) => {
                let mut rng = seed.stream(Stage::named("floor.template"));
                let variant = variants[rng.below(variants.len() as u32) as usize];
                let time = std::mem::take(&mut floor.generated_at);
                *floor = Floor {
                    seed: seed.clone(),
                    generated_at: time,
                    ..stamp::generate(&spec, plan, variant, &seed)
                };
                trace::tell_given(floor, tracer);
            }
            Make::Pinned(plan) => {
                let time = std::mem::take(&mut floor.generated_at);
                *floor = Floor { generated_at: time, ..plan.generate(&seed, &spec) };
                trace::tell_given(floor, tracer);
            }
            Make::Draw(safe) => match &mut self.work {
                Work::Word(draft) => {
                    draw(draft, &spec, safe.as_deref(), &seed, floor, misses, exits, tracer)?
                }
                Work::Rows(draft) => {
                    draw(draft, &spec, safe.as_deref(), &seed, floor, misses, exits, tracer)?
                }
            },
        }
        Ok(floor)
    }
}

/// The most pairs of entrance and exit that a fallback layout is looked for.
const FALLBACK_ENDS: u32 = 16;

/// Attempts until one holds, and after the last the safe shape, where there is one.
#[inline]
#[expect(clippy::too_many_arguments, reason = "the parts of one forge, borrowed apart")]
fn draw<B: Board>(
    draft: &mut Draft<B>,
    spec: &FloorSpec,
    safe: Option<&draft::Safe>,
    seed: &Seed,
    floor: &mut Floor,
    misses: &mut Misses,
    exits: &mut impl Exits,
    tracer: &mut impl Tracer<FloorEvent>,
) -> Result<(), Box<FloorGenerationError>> {
    let (task, attempts) = (spec.task(), spec.attempts());
    let mut streams = Streams::of(seed);
    let mut ends = None;
    let drawn = (0..attempts).find(|&attempt| {
        let made = draft.attempt(task, attempt, &mut ends, &mut streams, exits, tracer);
        made.map_err(|missed| misses.add(missed, task.largest())).is_ok()
    });
    floor.origin = match (drawn, safe) {
        (Some(attempt), _) => Origin::Carve { attempt },
        (None, Some(safe)) => {
            let kept = ends.filter(|_| task.keeps_ends());
            if !kept.is_some_and(|ends| take_safe_at(draft, task, ends, &mut streams, exits, tracer)) {
                take_safe(draft, task, safe, &mut streams, exits, tracer);
            }
            Origin::Safe { attempts }
        }
        (None, None) => return Err(misses.into_error(seed, attempts)),
    };
    draft.read_off(floor);
    Ok(())
}

/// A fallback layout between the ends that the attempts had, or between the next drawn ones that have one. So the exit is
/// uniform over those that some floor is found for.
fn take_safe_at<B: Board>(
    draft: &mut Draft<B>,
    task: &task::Task,
    mut ends: [Pos; 2],
    streams: &mut Streams,
    exits: &mut impl Exits,
    tracer: &mut impl Tracer<FloorEvent>,
) -> bool {
    for _ in 0..FALLBACK_ENDS {
        let fixed = task::Task { entrance: Some(ends[0]), exit: Some(ends[1]), ..*task };
        let found = possible::find_easily(&fixed);
        if found.is_some_and(|safe| draft.take_safe(&fixed, &safe, streams, tracer)) {
            return true;
        }
        let Some(next) = draft::draw_ends(task, &mut streams.path, exits) else { return false };
        ends = next;
    }
    false
}

/// The safe shape; where nobody fixed its ends, turned at random.
fn take_safe<B: Board>(
    draft: &mut Draft<B>,
    task: &task::Task,
    safe: &draft::Safe,
    streams: &mut Streams,
    exits: &mut impl Exits,
    tracer: &mut impl Tracer<FloorEvent>,
) {
    if task.entrance.is_none() && task.exit.is_none() {
        let turn = Turn::ALL[streams.path.below(8) as usize];
        if turn.size(task.size) == task.size {
            let turned = safe.turned(turn);
            if exits.accept(turned.exit) && draft.take_safe(task, &turned, streams, tracer) {
                return;
            }
        }
    }
    // The proof in `resolve` was this very shape.
    draft.take_safe(task, safe, streams, tracer);
}
