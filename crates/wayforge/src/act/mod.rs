//! Act maps: graphs of places on a grid, climbed from row 0 to the top, in the manner of Slay the Spire.
//!
//! [`ActConfig`] says what is wanted, [`ActConfig::resolve`] checks it, [`generate`] makes the map of a seed,
//! [`validate`] proves it, [`ActMap::to_document`] keeps it.

mod config;
mod kinds;
mod map;
pub mod routes;
mod skeleton;
mod spec;
mod validate;
mod walks;
mod wire;

pub use config::{ActConfig, Cell, KindsChoice, Pin, WalksConfig, WalksName};
pub use kinds::{BandConfig, Count, FixedRow, Icon, Kind, KindConfig, KindId, KindRule, KindsConfig};
pub use map::{ActMap, Attempts, Boss, Edge, Node, Walks};
pub use routes::routes;
pub use spec::ActSpec;
pub use validate::{rules, validate};
#[cfg(feature = "schema")]
pub use wire::document_schema;

use crate::{GenerateError, Seed};
use kinds::{assign, explain};
use skeleton::Skeleton;
use spec::Ruleset;

/// Makes the map of `seed` under `spec`.
///
/// * **Arguments.** The seed, and a configuration that has been resolved.
/// * **Returns.** The map, or the rules about kinds that stand against each other. A skeleton never fails.
/// * **Complexity.** Linear in rows times walks for the skeleton, in edges for kinds that meet no dead end.
/// * **Determinism.** Streams `act.walks` and `act.kinds`: kinds never move the skeleton.
/// * **Guarantees.** [`validate`] finds nothing in the map.
///
/// ```
/// use wayforge::{Seed, act::{self, ActConfig}};
/// let spec = ActConfig::default().resolve()?;
/// let map = act::generate(Seed(42), &spec)?;
/// assert_eq!(map.walks.len(), 6);
/// assert_eq!(map, act::generate(Seed(42), &spec)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(seed: Seed, spec: &ActSpec) -> Result<ActMap, GenerateError> {
    let mut forge = Forge::new(spec);
    forge.generate(seed)?;
    Ok(forge.map)
}

/// Makes maps one after another in the same memory: after the first of a size, nothing is allocated.
///
/// ```
/// use wayforge::{Seed, act::{ActConfig, Forge}};
/// let spec = ActConfig::default().resolve()?;
/// let mut forge = Forge::new(&spec);
/// let mut elites = 0;
/// let elite = spec.find_kind("elite");
/// for seed in 0..100 {
///     let map = forge.generate(Seed(seed))?;
///     elites += map.nodes.iter().filter(|node| node.kind == elite).count();
/// }
/// assert!(elites > 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Forge {
    spec: ActSpec,
    map: ActMap,
    skeleton: Skeleton,
    walks: walks::WalkScratch,
    kinds: assign::Scratch,
}

impl Forge {
    /// A forge for one configuration.
    pub fn new(spec: &ActSpec) -> Forge {
        Forge {
            spec: spec.clone(),
            map: ActMap {
                seed: Seed(0),
                spec: spec.clone(),
                nodes: Vec::new(),
                edges: Vec::new(),
                walks: Walks::default(),
                boss: spec.has_boss().then(|| Boss { kind: spec.boss_kind() }),
                attempts: Attempts::default(),
            },
            skeleton: Skeleton::default(),
            walks: walks::WalkScratch::default(),
            kinds: assign::Scratch::default(),
        }
    }

    /// Makes the map of `seed`, as [`generate`] does; it stays until the next one is made.
    pub fn generate(&mut self, seed: Seed) -> Result<&ActMap, GenerateError> {
        self.build(seed);
        if let Some(kinds) = self.spec.kind_spec() {
            let found = assign::assign(seed, kinds, &self.skeleton, &mut self.kinds);
            self.map.attempts.dead_ends = self.kinds.dead_ends;
            if let Err(failure) = found {
                return Err(explain::explain(seed, kinds, &self.skeleton, &mut self.kinds, failure));
            }
        }
        self.read_off();
        Ok(&self.map)
    }

    /// Makes the skeleton of `seed` alone: the map that [`generate`](Self::generate) makes, with no kinds on it.
    pub fn skeleton(&mut self, seed: Seed) -> &ActMap {
        self.build(seed);
        self.kinds.forget();
        self.read_off();
        &self.map
    }

    fn build(&mut self, seed: Seed) {
        let Forge { spec, map, skeleton, walks, .. } = self;
        map.seed = seed;
        map.walks.clear();
        map.attempts = Attempts::default();
        match spec.ruleset() {
            Ruleset::Walks(ruleset) => walks::build(seed, ruleset, walks, skeleton, map),
        }
    }

    /// Reads nodes and edges off the skeleton.
    fn read_off(&mut self) {
        let Forge { map, skeleton, kinds, .. } = self;
        skeleton.read_off(&mut map.nodes, &mut map.edges, |cell| kinds.kind_at(cell));
    }
}
