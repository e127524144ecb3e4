//! Act maps: graphs of places on a grid, climbed from row 0 to the top, in the manner of Slay the Spire.
//!
//! [`Config`] says what is wanted, [`Config::resolve`] checks it, [`generate`] makes the map of a seed,
//! [`validate`] proves it, [`ActMap::to_document`] keeps it, [`Play`] walks it.

#![forbid(unsafe_code)]

mod config;
mod error;
mod family;
mod graph;
mod kinds;
mod map;
mod progress;
mod read;
pub mod routes;
mod rows;
mod seed_search;
mod skeleton;
mod spec;
mod spire;
mod trace;
mod validate;
mod walks;
mod wire;

pub use config::{
    Cell, Config, KindsChoice, Pin, RowsConfig, RowsName, SpireConfig, SpireName, WalksConfig, WalksName,
};
pub use error::Error;
#[doc(hidden)]
pub use kinds::KindProblem;
pub(crate) use kinds::MAX_LITERALS;
pub use kinds::{BandConfig, Count, FixedRow, Icon, Kind, KindConfig, KindId, KindRule, KindsConfig};
pub use map::{ActMap, Attempts, Boss, Edge, Node, NodePos, Walks};
#[cfg(feature = "schema")]
pub use progress::progress_schema;
pub use progress::{Fog, MoveError, Play, Progress, ResumeError, Step};
pub use routes::routes;
pub use seed_search::find_seed;
pub use spec::Spec;
pub use spire::{canonical_line, spire_seed_from_text, spire_seed_to_text};
pub use trace::{Event, Replay};
pub use validate::{rules, validate};
#[cfg(feature = "schema")]
pub use wire::document_schema;

use kinds::{KindSpec, Outcome, Task, assign, complete};
use skeleton::Skeleton;
use spec::Ruleset;
use wayforge_core::Seed;
use wayforge_core::trace::Tracer;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

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
/// use wayforge_act as act;
/// use wayforge_core::Seed;
/// let spec = act::Config::default().resolve()?;
/// let map = act::generate(Seed::new(42), &spec)?;
/// assert_eq!(map.walks.len(), 6);
/// assert_eq!(map, act::generate(Seed::new(42), &spec)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(seed: Seed, spec: &Spec) -> Result<ActMap, Error> {
    generate_traced(seed, spec, &mut ())
}

/// Makes the map of `seed` as [`generate`] does, and tells every step of it: see [`Replay`].
///
/// The walks of open ground climb together, row by row. A step depends only on what earlier walks did across the same gap, so the
/// trace tells them one after the other.
pub fn generate_traced(seed: Seed, spec: &Spec, tracer: &mut impl Tracer<Event>) -> Result<ActMap, Error> {
    let mut forge = Generator::new(spec);
    forge.make(seed, tracer)?;
    Ok(forge.map)
}

/// Why no skeleton of a seed has kinds, before the conflict is explained: the explanation can take longer than the search.
#[derive(Clone, Copy, Debug, Default)]
struct Unsolved {
    /// Skeletons drawn.
    skeletons: u32,
    /// Whether the search reached its limit on some skeleton.
    limit_reached: bool,
    /// Whether some skeleton was too large for the complete search.
    too_large: bool,
}

/// Makes maps one after another in the same memory: after the first of a size, nothing is allocated.
///
/// ```
/// use wayforge_act as act;
/// use wayforge_core::Seed;
/// let spec = act::Config::default().resolve()?;
/// let mut forge = act::Generator::new(&spec);
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
pub struct Generator {
    spec: Spec,
    map: ActMap,
    skeleton: Skeleton,
    walks: walks::WalkScratch,
    rows: rows::RowScratch,
    spire: spire::SpireScratch,
    kinds: assign::Scratch,
}

impl Generator {
    /// A generator for one spec.
    pub fn new(spec: &Spec) -> Generator {
        Generator {
            spec: spec.clone(),
            map: ActMap::empty(Seed::new(0), spec),
            skeleton: Skeleton::default(),
            walks: walks::WalkScratch::default(),
            rows: rows::RowScratch::default(),
            spire: spire::SpireScratch::default(),
            kinds: assign::Scratch::default(),
        }
    }

    /// Makes the map of `seed`, as [`generate`] does; it stays until the next one is made.
    ///
    /// # Errors
    /// The rules about kinds fit no skeleton of the seed. The search for a smallest conflict often takes longer than the
    /// generation; use [`try_generate`](Self::try_generate) where nobody reads the error.
    pub fn generate(&mut self, seed: Seed) -> Result<&ActMap, Error> {
        self.make(seed, &mut ())?;
        Ok(&self.map)
    }

    /// Generates the same map as [`generate`](Self::generate), and returns `None` instead of an explained error.
    ///
    /// ```
    /// use wayforge_act as act;
    /// let config = br#"{"kinds": {"boss": "a", "kinds": [{"name": "a", "no_repeat": true}]}}"#;
    /// let mut forge = act::Generator::new(&act::Config::from_json(config)?.resolve()?);
    /// assert_eq!(forge.try_generate(1.into()), None);
    /// let error = forge.generate(1.into()).unwrap_err();
    /// assert_eq!(error.conflict, ["no a right after a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_generate(&mut self, seed: Seed) -> Option<&ActMap> {
        self.try_make(&seed, &mut ()).ok()?;
        Some(&self.map)
    }

    /// Makes the map of `seed`, as [`generate`] does, if its skeleton is wanted. If no rule about kinds can reject a skeleton,
    /// unwanted ones get no kinds, which is most of the work.
    ///
    /// * **Arguments.** `wanted` is asked once, of the map that [`skeleton`](Self::skeleton) makes. The game's own maps are
    ///   drawn in one piece: of those it sees all.
    /// * **Returns.** `None` if the skeleton is not wanted, or if the seed has no map.
    ///
    /// ```
    /// use wayforge_act as act;
    /// use wayforge_core::Seed;
    /// let mut forge = act::Generator::new(&act::Config::default().resolve()?);
    /// assert_eq!(forge.generate_if(Seed::new(7), |skeleton| skeleton.nodes.is_empty()), None);
    /// let map = forge.generate_if(Seed::new(7), |skeleton| skeleton.nodes.len() > 3).cloned();
    /// assert_eq!(map.as_ref(), Some(forge.generate(Seed::new(7))?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn generate_if(&mut self, seed: Seed, wanted: impl FnOnce(&ActMap) -> bool) -> Option<&ActMap> {
        let certain = self.spec.kind_spec().is_none_or(|kinds| kinds.certain);
        match certain {
            true => self.build(&seed, 0, &mut ()),
            // Only kinds tell which skeleton is the map's.
            false => self.settle(&seed, &mut ()).ok()?,
        }
        self.read_off(false);
        if !wanted(&self.map) {
            return None;
        }
        if self.spec.kind_spec().is_some() {
            if certain && self.find_kinds(&seed, 0, &mut ()) != Outcome::Found {
                return None;
            }
            let Generator { map, skeleton, kinds, .. } = self;
            for node in &mut map.nodes {
                node.kind = Some(kinds.kind_at(skeleton.cell(usize::from(node.row), u32::from(node.col))));
            }
        }
        Some(&self.map)
    }

    #[inline]
    fn make(&mut self, seed: Seed, tracer: &mut impl Tracer<Event>) -> Result<(), Error> {
        self.try_make(&seed, tracer).map_err(|unsolved| self.explain(&seed, unsolved))
    }

    #[inline]
    fn try_make(&mut self, seed: &Seed, tracer: &mut impl Tracer<Event>) -> Result<(), Unsolved> {
        self.settle(seed, tracer)?;
        self.read_off(self.spec.kind_spec().is_some());
        Ok(())
    }

    /// Draws skeletons until the rules about kinds fit one, and finds its kinds.
    #[inline]
    fn settle(&mut self, seed: &Seed, tracer: &mut impl Tracer<Event>) -> Result<(), Unsolved> {
        let mut unsolved = Unsolved::default();
        loop {
            self.build(seed, unsolved.skeletons, tracer);
            match self.find_kinds(seed, unsolved.skeletons, tracer) {
                Outcome::Found => return Ok(()),
                Outcome::Impossible => {}
                Outcome::LimitReached => unsolved.limit_reached = true,
                Outcome::TooLarge => unsolved.too_large = true,
            }
            unsolved.skeletons += 1;
            if unsolved.skeletons == self.spec.attempts() {
                return Err(unsolved);
            }
            tracer.tell(Event::Discard { attempt: unsolved.skeletons });
        }
    }

    /// Finds a kind for each node of the skeleton, as [`kinds::find`] does.
    #[inline]
    fn find_kinds(&mut self, seed: &Seed, attempt: u32, tracer: &mut impl Tracer<Event>) -> Outcome {
        let Some(spec) = self.spec.kind_spec() else { return Outcome::Found };
        self.skeleton.link_down();
        let task = Task { seed, attempt, spec, skeleton: &self.skeleton };
        let outcome = kinds::find(task, &mut self.kinds, tracer);
        self.map.attempts.dead_ends = self.kinds.dead_ends;
        outcome
    }

    /// Explains why the last skeleton, which is still there, has no kinds.
    #[cold]
    fn explain(&self, seed: &Seed, unsolved: Unsolved) -> Error {
        let rules = self.spec.kind_rules();
        let proven = !unsolved.limit_reached && !unsolved.too_large;
        let kinds = self.spec.kind_spec().filter(|_| proven);
        let conflict = kinds.and_then(|kinds| complete::explain(kinds, &self.skeleton));
        let named: Vec<&KindRule> = match &conflict {
            Some(conflict) => conflict.rules.iter().map(|&rule| &rules[rule]).collect(),
            // All rules together conflict, although no smaller conflict was found.
            None if proven => rules.iter().collect(),
            // The rules that make nodes depend on each other.
            None => {
                let local = |rule: &&KindRule| matches!(rule, KindRule::Fixed { .. } | KindRule::Rows { .. });
                rules.iter().filter(|rule| !local(rule)).collect()
            }
        };
        let mut remedies = complete::remedies(&named);
        // A conflict without rows does not depend on edges, so another skeleton is no better.
        let needs_rows = conflict.as_ref().is_none_or(|conflict| conflict.rows.is_some());
        let lacks_weight = |kinds: &KindSpec| named.iter().any(|rule| kinds.lacks_weight(rule));
        if proven && needs_rows {
            remedies.push("raise attempts");
        } else if proven && kinds.is_some_and(lacks_weight) {
            remedies.push("give the kind a weight on more rows");
        }
        if unsolved.limit_reached {
            remedies.push("raise kinds.search_limit");
        }
        if unsolved.too_large {
            remedies.extend(["use fewer rows or columns", "bound the counts of fewer kinds"]);
        }
        Error {
            seed: seed.clone(),
            proven,
            too_large: unsolved.too_large,
            skeletons: unsolved.skeletons,
            conflict: named.iter().map(|rule| rule.to_string()).collect(),
            rows: conflict.and_then(|conflict| conflict.rows),
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
        if matches!(self.spec.ruleset(), Ruleset::Spire(_)) {
            self.map.nodes.iter_mut().for_each(|node| node.kind = None);
            self.map.emerald = None;
        }
        self.read_off(false);
        &self.map
    }

    #[inline]
    fn build(&mut self, seed: &Seed, attempt: u32, tracer: &mut impl Tracer<Event>) {
        let Generator { spec, map, skeleton, walks, rows, spire, .. } = self;
        map.seed = seed.clone();
        map.walks.clear();
        map.attempts = Attempts { skeletons: u64::from(attempt) + 1, ..Attempts::default() };
        match spec.ruleset() {
            Ruleset::Walks(ruleset) => walks::build(seed, attempt, ruleset, walks, skeleton, map, tracer),
            Ruleset::Rows(ruleset) => rows::build(seed, attempt, ruleset, rows, skeleton, tracer),
            Ruleset::Spire(ruleset) => spire::build(seed, ruleset, spire, map, tracer),
        }
    }

    /// Reads nodes and edges off the skeleton, with the kinds that were found for them. The spire ruleset writes them directly.
    fn read_off(&mut self, with_kinds: bool) {
        let Generator { spec, map, skeleton, kinds, .. } = self;
        let (nodes, edges) = (&mut map.nodes, &mut map.edges);
        match with_kinds {
            _ if matches!(spec.ruleset(), Ruleset::Spire(_)) => {}
            true => skeleton.read_off(nodes, edges, |cell| Some(kinds.kind_at(cell))),
            false => skeleton.read_off(nodes, edges, |_| None),
        }
    }
}
