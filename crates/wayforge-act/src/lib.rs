//! Act maps in the style of Slay the Spire: layered graphs on a grid, played from row 0 to the top.
//!
//! A map is generated in two steps. First a ruleset generates the *skeleton*, the nodes and edges.
//! Then every node gets a *kind*, such as monster, shop or elite.
//!
//! The main functions:
//!
//! - [`Config::resolve`] checks a [`Config`] and returns a [`Spec`].
//! - [`generate`] generates the map of a seed. [`Generator`] does so for many seeds and reuses
//!   its memory.
//! - [`validate`] checks every rule of a map and returns a report.
//!
//! [`ActMap::to_document`] serialises a map, [`routes()`] analyses its routes, and [`Play`] plays
//! it.
//!
//! # Features
//!
//! - `schema`: JSON Schemas of configurations and documents.
//! - `peers`: the clauses of the rules about kinds, for benchmarks against other SAT solvers. Not a
//!   stable interface.

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
    Cell, Config, KindsChoice, Pin, RowsConfig, RowsName, SpireConfig, SpireName, WalksConfig,
    WalksName,
};
pub use error::Error;
#[cfg(feature = "peers")]
pub use kinds::KindProblem;
pub(crate) use kinds::MAX_LITERALS;
pub use kinds::{
    BandConfig, Count, FixedRow, Icon, Kind, KindConfig, KindId, KindRule, KindsConfig,
};
pub use map::{ActMap, Attempts, Boss, Edge, Node, NodePos, Walks};
#[cfg(feature = "schema")]
pub use progress::progress_schema;
pub use progress::{Fog, MoveError, Play, Progress, ResumeError, Step};
pub use routes::routes;
pub use seed_search::{find_seed, find_seed_within};
pub use spec::Spec;
pub use spire::{canonical_line, spire_seed_from_text, spire_seed_to_text};
pub use trace::{Event, Replay};
pub use validate::{rules, validate};
pub use wire::ALGORITHMS;
#[cfg(feature = "schema")]
pub use wire::document_schema;

use kinds::{KindSpec, Outcome, Task, assign, complete};
use skeleton::Skeleton;
use spec::Ruleset;
use wayforge_core::trace::Tracer;
use wayforge_core::{Seed, Work, WorkLimit};

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Generates the map of `seed` under `spec`.
///
/// If no kinds satisfy the rules on a skeleton, the next skeleton of the seed is generated, up to
/// `attempts`. [`validate`] finds no violation in the result.
///
/// # Errors
/// No valid kinds were found for any of the seed's skeletons. If it is proved that none exist, the
/// error names a smallest set of conflicting rules.
///
/// # Complexity
/// O(rows * walks) for a skeleton of the walks ruleset. O(edges) for kinds if the search reaches no
/// dead end.
///
/// # Determinism
/// Each skeleton has its own stream (`act.walks` or `act.rows`), its kinds another (`act.kinds`),
/// and kinds found by the complete search a third (`act.kinds.complete`). Rules about kinds reject
/// skeletons but never change them. The spire ruleset uses the game's random number generator.
///
/// # Examples
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

/// Generates the same map as [`generate`] and records every step; see [`Replay`].
///
/// Without blocked cells and pins, all walks advance together, row by row. A step depends only on
/// earlier walks between the same two rows, so the trace records one walk after the other.
///
/// # Errors
/// As for [`generate`].
pub fn generate_traced(
    seed: Seed,
    spec: &Spec,
    tracer: &mut impl Tracer<Event>,
) -> Result<ActMap, Error> {
    let mut generator = Generator::new(spec);
    generator.generate_with(seed, tracer)?;
    Ok(generator.map)
}

/// Failed search for kinds. Not yet an [`Error`], because finding the conflicting rules can take
/// longer than the search.
#[derive(Clone, Copy, Debug, Default)]
struct Unsolved {
    /// Number of skeletons generated.
    skeletons: u32,
    /// Whether the search reached its limit on some skeleton.
    limit_reached: bool,
    /// Whether some skeleton was too large for the complete search.
    too_large: bool,
}

/// Generates maps of one spec and reuses its memory.
///
/// Does not allocate after the first map of a size.
///
/// # Examples
/// ```
/// use wayforge_act as act;
/// use wayforge_core::Seed;
/// let spec = act::Config::default().resolve()?;
/// let mut generator = act::Generator::new(&spec);
/// let mut elites = 0;
/// let elite = spec.find_kind("elite");
/// for seed in 0..100 {
///     let map = generator.generate(Seed::new(seed))?;
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
    limit: WorkLimit,
    work: Work,
}

impl Generator {
    /// Creates a generator for one spec.
    pub fn new(spec: &Spec) -> Generator {
        Generator {
            spec: spec.clone(),
            map: ActMap::empty(Seed::new(0), spec),
            skeleton: Skeleton::default(),
            walks: walks::WalkScratch::default(),
            rows: rows::RowScratch::default(),
            spire: spire::SpireScratch::default(),
            kinds: assign::Scratch::default(),
            limit: WorkLimit::UNLIMITED,
            work: Work::default(),
        }
    }

    /// Limits the work of each map. A step is about one visited node, clause or literal.
    pub fn limit_work(&mut self, limit: WorkLimit) {
        self.limit = limit;
    }

    /// Generates the map of `seed`, as [`generate`] does. The next call overwrites it.
    ///
    /// # Errors
    /// As for [`generate`]. The search for a smallest conflict often takes longer than the
    /// generation; use [`try_generate`](Self::try_generate) to skip it.
    pub fn generate(&mut self, seed: Seed) -> Result<&ActMap, Error> {
        self.generate_with(seed, &mut ())?;
        Ok(&self.map)
    }

    /// Generates the same map as [`generate`](Self::generate), but returns `None` instead of an
    /// error.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let config = br#"{"kinds": {"boss": "a", "kinds": [{"name": "a", "no_repeat": true}]}}"#;
    /// let mut generator = act::Generator::new(&act::Config::from_json(config)?.resolve()?);
    /// assert_eq!(generator.try_generate(1.into()), None);
    /// let error = generator.generate(1.into()).unwrap_err();
    /// assert_eq!(error.conflict, ["no a right after a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_generate(&mut self, seed: Seed) -> Option<&ActMap> {
        self.try_generate_with(&seed, &mut ()).ok()?;
        Some(&self.map)
    }

    /// Generates the map of `seed`, as [`generate`] does, if `accept` accepts its skeleton.
    ///
    /// Returns `None` if the seed has no map or `accept` returns false. The argument of `accept` is
    /// the map that [`skeleton`](Self::skeleton) returns, or the complete map for the spire
    /// ruleset.
    ///
    /// If the rules about kinds are satisfiable on every skeleton, rejected maps are never assigned
    /// kinds, which saves most of the work.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// use wayforge_core::Seed;
    /// let mut generator = act::Generator::new(&act::Config::default().resolve()?);
    /// assert_eq!(generator.generate_if(Seed::new(7), |skeleton| skeleton.nodes.is_empty()), None);
    /// let map = generator.generate_if(Seed::new(7), |skeleton| skeleton.nodes.len() > 3).cloned();
    /// assert_eq!(map.as_ref(), Some(generator.generate(Seed::new(7))?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn generate_if(
        &mut self,
        seed: Seed,
        accept: impl FnOnce(&ActMap) -> bool,
    ) -> Option<&ActMap> {
        let uses_first = self.uses_first_skeleton();
        if uses_first {
            self.work.restart(&self.limit);
            self.build(&seed, 0, &mut ());
        } else {
            // Whether a skeleton is used depends on its kinds.
            self.generate_skeleton_and_kinds(&seed, &mut ()).ok()?;
        }
        self.copy_to_map(false);
        if !accept(&self.map) {
            return None;
        }
        if self.spec.kind_spec().is_some() {
            if uses_first && self.find_kinds(&seed, 0, &mut ()) != Outcome::Found
                || self.work.stopped().is_some()
            {
                return None;
            }
            let Generator { map, skeleton, kinds, .. } = self;
            for node in &mut map.nodes {
                node.kind =
                    Some(kinds.kind_at(skeleton.cell(usize::from(node.row), u32::from(node.col))));
            }
        }
        Some(&self.map)
    }

    #[inline]
    fn generate_with(&mut self, seed: Seed, tracer: &mut impl Tracer<Event>) -> Result<(), Error> {
        self.try_generate_with(&seed, tracer).map_err(|unsolved| self.explain(&seed, unsolved))
    }

    #[inline]
    fn try_generate_with(
        &mut self,
        seed: &Seed,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Unsolved> {
        self.generate_skeleton_and_kinds(seed, tracer)?;
        self.copy_to_map(self.spec.kind_spec().is_some());
        Ok(())
    }

    /// Generates skeletons until the rules about kinds are satisfiable on one, and finds its kinds.
    #[inline]
    fn generate_skeleton_and_kinds(
        &mut self,
        seed: &Seed,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Unsolved> {
        let mut unsolved = Unsolved::default();
        self.work.restart(&self.limit);
        loop {
            self.build(seed, unsolved.skeletons, tracer);
            match self.find_kinds(seed, unsolved.skeletons, tracer) {
                // Stopped searches may choose other kinds.
                Outcome::Found if self.work.stopped().is_none() => return Ok(()),
                Outcome::Found => unsolved.limit_reached = true,
                Outcome::Infeasible => {}
                Outcome::LimitReached => unsolved.limit_reached = true,
                Outcome::TooLarge => unsolved.too_large = true,
            }
            unsolved.skeletons += 1;
            if unsolved.skeletons == self.spec.attempts() || self.work.stopped().is_some() {
                return Err(unsolved);
            }
            tracer.record(Event::Discard { attempt: unsolved.skeletons });
        }
    }

    /// Returns true if every map is known to use the first skeleton of its seed.
    #[inline]
    fn uses_first_skeleton(&self) -> bool {
        self.spec.kind_spec().is_none_or(|kinds| kinds.always_satisfiable)
    }

    /// Finds a kind for each node of the skeleton, as [`kinds::find`] does.
    #[inline]
    fn find_kinds(
        &mut self,
        seed: &Seed,
        attempt: u32,
        tracer: &mut impl Tracer<Event>,
    ) -> Outcome {
        let Some(spec) = self.spec.kind_spec() else { return Outcome::Found };
        self.skeleton.link_down();
        let task = Task { seed, attempt, spec, skeleton: &self.skeleton, work: &self.work };
        let outcome = kinds::find(task, &mut self.kinds, tracer);
        self.map.attempts.dead_ends = self.kinds.dead_ends;
        outcome
    }

    /// Explains why no kinds were found for the last skeleton, which is still in memory.
    #[cold]
    fn explain(&self, seed: &Seed, unsolved: Unsolved) -> Error {
        let rules = self.spec.kind_rules();
        let proven = !unsolved.limit_reached && !unsolved.too_large;
        let kinds = self.spec.kind_spec().filter(|_| proven);
        let conflict = kinds.and_then(|kinds| complete::explain(kinds, &self.skeleton, &self.work));
        let named: Vec<&KindRule> = match &conflict {
            Some(conflict) => conflict.rules.iter().map(|&rule| &rules[rule]).collect(),
            // All rules together conflict, although no smaller conflict was found.
            None if proven => rules.iter().collect(),
            // The rules that make nodes depend on each other.
            None => {
                let local = |rule: &&KindRule| {
                    matches!(rule, KindRule::Fixed { .. } | KindRule::Rows { .. })
                };
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
            stopped: self.work.stopped(),
        }
    }

    /// Generates the map of [`generate`](Self::generate) without kinds.
    ///
    /// If the seed has no map, returns its first skeleton.
    pub fn skeleton(&mut self, seed: Seed) -> &ActMap {
        if self.uses_first_skeleton() || self.generate_skeleton_and_kinds(&seed, &mut ()).is_err() {
            self.build(&seed, 0, &mut ());
        }
        self.map.attempts.dead_ends = 0;
        if matches!(self.spec.ruleset(), Ruleset::Spire(_)) {
            self.map.nodes.iter_mut().for_each(|node| node.kind = None);
            self.map.emerald = None;
        }
        self.copy_to_map(false);
        &self.map
    }

    /// Builds the skeleton of an attempt, counted from 0. The spire ruleset writes the whole map.
    #[inline]
    fn build(&mut self, seed: &Seed, attempt: u32, tracer: &mut impl Tracer<Event>) {
        let Generator { spec, map, skeleton, walks, rows, spire, .. } = self;
        map.seed = seed.clone();
        map.walks.clear();
        map.attempts = Attempts { skeletons: u64::from(attempt) + 1, ..Attempts::default() };
        match spec.ruleset() {
            Ruleset::Walks(ruleset) => {
                walks::build(seed, attempt, ruleset, walks, skeleton, map, tracer)
            }
            Ruleset::Rows(ruleset) => rows::build(seed, attempt, ruleset, rows, skeleton, tracer),
            Ruleset::Spire(ruleset) => spire::build(seed, ruleset, spire, map, tracer),
        }
    }

    /// Copies nodes and edges from the skeleton to the map, optionally with their kinds. Does
    /// nothing for the spire ruleset, which has no skeleton.
    fn copy_to_map(&mut self, with_kinds: bool) {
        let Generator { spec, map, skeleton, kinds, .. } = self;
        let (nodes, edges) = (&mut map.nodes, &mut map.edges);
        if matches!(spec.ruleset(), Ruleset::Spire(_)) {
            return;
        }
        if with_kinds {
            skeleton.copy_to_map(nodes, edges, |cell| Some(kinds.kind_at(cell)));
        } else {
            skeleton.copy_to_map(nodes, edges, |_| None);
        }
    }
}
