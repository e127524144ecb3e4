//! Act maps: graphs of places on a grid, climbed from row 0 to the top, in the manner of Slay the Spire.
//!
//! [`ActConfig`] says what is wanted, [`ActConfig::resolve`] checks it, [`generate`] makes the map of a seed,
//! [`validate`] proves it, [`ActMap::to_document`] keeps it, [`Play`] walks it.

mod config;
mod keep;
mod kinds;
mod map;
mod progress;
pub mod routes;
mod rows;
mod skeleton;
mod spec;
mod spire;
mod trace;
mod validate;
mod walks;
mod wire;

pub use config::{
    ActConfig, Cell, KindsChoice, Pin, RowsConfig, RowsName, SpireConfig, SpireName, WalksConfig, WalksName,
};
pub use keep::find_seed;
pub use kinds::{BandConfig, Count, FixedRow, Icon, Kind, KindConfig, KindId, KindRule, KindsConfig};
pub use map::{ActMap, Attempts, Boss, Edge, Mark, Node, Walks};
#[cfg(feature = "schema")]
pub use progress::progress_schema;
pub use progress::{Fog, MoveError, Play, Progress, ResumeError, Step};
pub use routes::routes;
pub use spec::ActSpec;
pub use spire::{canonical_line, spire_seed_from_text, spire_seed_to_text};
pub use trace::{ActEvent, Replay};
pub use validate::{rules, validate};
#[cfg(feature = "schema")]
pub use wire::document_schema;

use crate::trace::Tracer;
use crate::{GenerateError, Seed};
use kinds::{assign, explain};
use skeleton::Skeleton;
use spec::Ruleset;

/// Makes the map of `seed` under `spec`.
///
/// * **Arguments.** The seed, and a configuration that has been resolved.
/// * **Returns.** The map, or the rules about kinds that stand against each other. A skeleton never fails.
/// * **Complexity.** Linear in rows times walks for the skeleton, in edges for kinds that meet no dead end.
/// * **Determinism.** One stream for the skeleton (`act.walks` or `act.rows`), one for the kinds (`act.kinds`): kinds never
///   move the skeleton. The spire ruleset draws as the game does.
/// * **Guarantees.** [`validate`] finds nothing in the map.
///
/// ```
/// use wayforge::{Seed, act::{self, ActConfig}};
/// let spec = ActConfig::default().resolve()?;
/// let map = act::generate(Seed::new(42), &spec)?;
/// assert_eq!(map.walks.len(), 6);
/// assert_eq!(map, act::generate(Seed::new(42), &spec)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(seed: Seed, spec: &ActSpec) -> Result<ActMap, GenerateError> {
    let mut forge = Forge::new(spec);
    forge.generate(seed)?;
    Ok(forge.map)
}

/// Makes the map of `seed` as [`generate`] does, and tells every step of it: see [`Replay`].
///
/// The walks of open ground climb together, row by row. A step depends only on what earlier walks did across the same gap, so the
/// trace tells them one after the other.
pub fn generate_traced(
    seed: Seed,
    spec: &ActSpec,
    tracer: &mut impl Tracer<ActEvent>,
) -> Result<ActMap, GenerateError> {
    let mut forge = Forge::new(spec);
    forge.make(seed, tracer)?;
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
///     let map = forge.generate(Seed::new(seed))?;
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
    rows: rows::RowScratch,
    spire: spire::SpireScratch,
    kinds: assign::Scratch,
}

impl Forge {
    /// A forge for one configuration.
    pub fn new(spec: &ActSpec) -> Forge {
        Forge {
            spec: spec.clone(),
            map: ActMap {
                seed: Seed::new(0),
                spec: spec.clone(),
                nodes: Vec::new(),
                edges: Vec::new(),
                walks: Walks::default(),
                boss: spec.has_boss().then(|| Boss { kind: spec.boss_kind() }),
                emerald: None,
                attempts: Attempts::default(),
            },
            skeleton: Skeleton::default(),
            walks: walks::WalkScratch::default(),
            rows: rows::RowScratch::default(),
            spire: spire::SpireScratch::default(),
            kinds: assign::Scratch::default(),
        }
    }

    /// Makes the map of `seed`, as [`generate`] does; it stays until the next one is made.
    pub fn generate(&mut self, seed: Seed) -> Result<&ActMap, GenerateError> {
        self.make(seed, &mut ())?;
        Ok(&self.map)
    }

    /// Makes the map of `seed`, as [`generate`] does, if its skeleton is wanted; where it is not, no kinds are looked for, which is most of the
    /// work.
    ///
    /// * **Arguments.** `wanted` is asked once, of the map with no kinds on it. The game's own maps are drawn in one piece: of those it sees all.
    /// * **Returns.** Nothing if it is not wanted, whether or not kinds could have been found.
    ///
    /// ```
    /// use wayforge::{Seed, act::{ActConfig, Forge}};
    /// let mut forge = Forge::new(&ActConfig::default().resolve()?);
    /// assert_eq!(forge.generate_if(Seed::new(7), |skeleton| skeleton.nodes.is_empty())?, None);
    /// let map = forge.generate_if(Seed::new(7), |skeleton| skeleton.nodes.len() > 3)?.cloned();
    /// assert_eq!(map.as_ref(), Some(forge.generate(Seed::new(7))?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn generate_if(
        &mut self,
        seed: Seed,
        wanted: impl FnOnce(&ActMap) -> bool,
    ) -> Result<Option<&ActMap>, GenerateError> {
        self.build(&seed, &mut ());
        if !matches!(self.spec.ruleset(), Ruleset::Spire(_)) {
            self.read_off(false);
        }
        if !wanted(&self.map) {
            return Ok(None);
        }
        if !matches!(self.spec.ruleset(), Ruleset::Spire(_)) && self.spec.kind_spec().is_some() {
            self.find_kinds(&seed, &mut ())?;
            let Forge { map, skeleton, kinds, .. } = self;
            for node in &mut map.nodes {
                node.kind = Some(kinds.kind_at(skeleton.cell(usize::from(node.row), u32::from(node.col))));
            }
        }
        Ok(Some(&self.map))
    }

    #[inline]
    fn make(&mut self, seed: Seed, tracer: &mut impl Tracer<ActEvent>) -> Result<(), GenerateError> {
        self.build(&seed, tracer);
        match (self.spec.ruleset(), self.spec.kind_spec()) {
            // The game draws skeleton and kinds from one stream: the map is there already.
            (Ruleset::Spire(_), _) => {}
            (_, None) => self.read_off(false),
            (_, Some(_)) => {
                self.find_kinds(&seed, tracer)?;
                self.read_off(true);
            }
        }
        Ok(())
    }

    /// Finds a kind for each node of the skeleton.
    #[inline]
    fn find_kinds(&mut self, seed: &Seed, tracer: &mut impl Tracer<ActEvent>) -> Result<(), GenerateError> {
        let Some(kinds) = self.spec.kind_spec() else { return Ok(()) };
        self.skeleton.link_down();
        let found = assign::assign(seed, kinds, &self.skeleton, &mut self.kinds, tracer);
        self.map.attempts.dead_ends = self.kinds.dead_ends;
        found.map_err(|failure| explain::explain(seed, kinds, &self.skeleton, &mut self.kinds, failure))
    }

    /// Makes the skeleton of `seed` alone: the map that [`generate`](Self::generate) makes, with no kinds on it.
    pub fn skeleton(&mut self, seed: Seed) -> &ActMap {
        self.build(&seed, &mut ());
        match self.spec.ruleset() {
            Ruleset::Spire(_) => {
                self.map.nodes.iter_mut().for_each(|node| node.kind = None);
                self.map.emerald = None;
            }
            _ => self.read_off(false),
        }
        &self.map
    }

    #[inline]
    fn build(&mut self, seed: &Seed, tracer: &mut impl Tracer<ActEvent>) {
        let Forge { spec, map, skeleton, walks, rows, spire, .. } = self;
        map.seed = seed.clone();
        map.walks.clear();
        map.attempts = Attempts::default();
        match spec.ruleset() {
            Ruleset::Walks(ruleset) => walks::build(seed, ruleset, walks, skeleton, map, tracer),
            Ruleset::Rows(ruleset) => rows::build(seed, ruleset, rows, skeleton, tracer),
            Ruleset::Spire(ruleset) => spire::build(seed, ruleset, spire, map, tracer),
        }
    }

    /// Reads nodes and edges off the skeleton, with the kinds that were found for them.
    fn read_off(&mut self, with_kinds: bool) {
        let Forge { map, skeleton, kinds, .. } = self;
        let (nodes, edges) = (&mut map.nodes, &mut map.edges);
        match with_kinds {
            true => skeleton.read_off(nodes, edges, |cell| Some(kinds.kind_at(cell))),
            false => skeleton.read_off(nodes, edges, |_| None),
        }
    }
}
