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
pub use map::{ActMap, Attempts, Boss, Edge, Node, NodePos, Walks};
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
use kinds::{assign, complete};
use skeleton::Skeleton;
use spec::Ruleset;

/// Makes the map of `seed` under `spec`.
///
/// * **Arguments.** The seed, and a configuration that has been resolved.
/// * **Returns.** The map. If no kinds satisfy the rules on a skeleton, the next skeleton of the seed is drawn, up to
///   `attempts`; after the last one, the error names a smallest set of conflicting rules. A skeleton never fails.
/// * **Complexity.** `O(rows * walks)` for the skeleton, `O(edges)` for kinds that meet no dead end.
/// * **Determinism.** One stream for each skeleton (`act.walks` or `act.rows`), one for its kinds (`act.kinds`), and one for
///   kinds that only the complete search finds (`act.kinds.complete`). Rules about kinds never change a skeleton, they only
///   reject it. The spire ruleset draws as the game does.
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

    /// Makes the map of `seed`, as [`generate`] does, if its skeleton is wanted. If no rule about kinds can reject a skeleton,
    /// unwanted ones get no kinds, which is most of the work.
    ///
    /// * **Arguments.** `wanted` is asked once, of the map that [`skeleton`](Self::skeleton) makes. The game's own maps are
    ///   drawn in one piece: of those it sees all.
    /// * **Returns.** `None` if it is not wanted.
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
        let spire = matches!(self.spec.ruleset(), Ruleset::Spire(_));
        let certain = self.spec.kind_spec().is_none_or(|kinds| kinds.certain);
        match certain {
            true => self.build(&seed, 0, &mut ()),
            // Only kinds tell which skeleton is the map's.
            false => self.settle(&seed, &mut ())?,
        }
        if !spire {
            self.read_off(false);
        }
        if !wanted(&self.map) {
            return Ok(None);
        }
        if !spire && self.spec.kind_spec().is_some() {
            if certain && self.find_kinds(&seed, 0, &mut ()) != Some(true) {
                return Err(self.explain(&seed, 1, 0));
            }
            let Forge { map, skeleton, kinds, .. } = self;
            for node in &mut map.nodes {
                node.kind = Some(kinds.kind_at(skeleton.cell(usize::from(node.row), u32::from(node.col))));
            }
        }
        Ok(Some(&self.map))
    }

    #[inline]
    fn make(&mut self, seed: Seed, tracer: &mut impl Tracer<ActEvent>) -> Result<(), GenerateError> {
        self.settle(&seed, tracer)?;
        // The game draws skeleton and kinds from one stream: the map is there already.
        if !matches!(self.spec.ruleset(), Ruleset::Spire(_)) {
            self.read_off(self.spec.kind_spec().is_some());
        }
        Ok(())
    }

    /// Draws skeletons until the rules about kinds fit one, and finds its kinds.
    #[inline]
    fn settle(&mut self, seed: &Seed, tracer: &mut impl Tracer<ActEvent>) -> Result<(), GenerateError> {
        self.build(seed, 0, tracer);
        if matches!(self.spec.ruleset(), Ruleset::Spire(_)) || self.spec.kind_spec().is_none() {
            return Ok(());
        }
        let mut found = self.find_kinds(seed, 0, tracer);
        let (mut attempt, mut undecided) = (0, 0);
        while found != Some(true) {
            undecided += u32::from(found.is_none());
            attempt += 1;
            if attempt == self.spec.attempts() {
                return Err(self.explain(seed, attempt, undecided));
            }
            tracer.tell(ActEvent::Discard { attempt });
            self.build(seed, attempt, tracer);
            found = self.find_kinds(seed, attempt, tracer);
        }
        Ok(())
    }

    /// Finds a kind for each node of the skeleton, as [`kinds::find`] does.
    #[inline]
    fn find_kinds(&mut self, seed: &Seed, attempt: u32, tracer: &mut impl Tracer<ActEvent>) -> Option<bool> {
        let kinds = self.spec.kind_spec()?;
        self.skeleton.link_down();
        let found = kinds::find(seed, attempt, kinds, &self.skeleton, &mut self.kinds, tracer);
        self.map.attempts.dead_ends = self.kinds.dead_ends;
        found
    }

    /// The error after the last skeleton, which is still there.
    #[cold]
    fn explain(&self, seed: &Seed, skeletons: u32, undecided: u32) -> GenerateError {
        let rules = self.spec.kind_rules();
        let conflict = self.spec.kind_spec().filter(|_| undecided == 0);
        let conflict = conflict.and_then(|kinds| complete::explain(kinds, &self.skeleton));
        let (named, rows): (Vec<&KindRule>, _) = match &conflict {
            Some(conflict) => {
                (conflict.rules.iter().map(|&rule| &rules[rule]).collect(), Some(conflict.rows))
            }
            // The rules that make nodes depend on each other.
            None => {
                let local = |rule: &&KindRule| matches!(rule, KindRule::Fixed { .. } | KindRule::Rows { .. });
                (rules.iter().filter(|rule| !local(rule)).collect(), None)
            }
        };
        let mut remedies = complete::remedies(&named);
        remedies.push(if rows.is_some() { "raise attempts" } else { "raise kinds.search_limit" });
        GenerateError {
            seed: seed.clone(),
            proven: undecided == 0,
            skeletons,
            conflict: named.iter().map(|rule| rule.to_string()).collect(),
            rows,
            remedies,
        }
    }

    /// Makes the skeleton of `seed` alone: the map that [`generate`](Self::generate) makes, with no kinds on it. If
    /// the rules about kinds fit none of its skeletons, that is the first of them.
    pub fn skeleton(&mut self, seed: Seed) -> &ActMap {
        let certain = self.spec.kind_spec().is_none_or(|kinds| kinds.certain);
        if certain || self.settle(&seed, &mut ()).is_err() {
            self.build(&seed, 0, &mut ());
        }
        self.map.attempts.dead_ends = 0;
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
    fn build(&mut self, seed: &Seed, attempt: u32, tracer: &mut impl Tracer<ActEvent>) {
        let Forge { spec, map, skeleton, walks, rows, spire, .. } = self;
        map.seed = seed.clone();
        map.walks.clear();
        map.attempts = Attempts { skeletons: u64::from(attempt) + 1, ..Attempts::default() };
        match spec.ruleset() {
            Ruleset::Walks(ruleset) => walks::build(seed, attempt, ruleset, walks, skeleton, map, tracer),
            Ruleset::Rows(ruleset) => rows::build(seed, attempt, ruleset, rows, skeleton, tracer),
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
