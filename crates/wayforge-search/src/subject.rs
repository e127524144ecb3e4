//! What maps are made of: a family with a checked configuration.

use crate::trial::Trial;
use std::borrow::Cow;
use std::time::Instant;
use wayforge::act::{self, ActConfig, ActMap, ActSpec, Attempts};
use wayforge::floor::{self, Floor, FloorConfig, FloorSpec, Tower, TowerConfig, TowerFloors, TowerSpec};
use wayforge::level::{self, Level, LevelConfig, LevelSpec};
use wayforge::metric::{
    ActMeter, Aim, Budget, Catalogue, FloorMeter, LevelMeter, Meter, Query, Term, TowerMeter,
};
use wayforge::{Document, Family, ForgeError, Seed};

/// A family with a checked configuration. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Act maps.
    Act(ActSpec),
    /// Levels.
    Level(LevelSpec),
    /// Floors.
    Floor(FloorSpec),
    /// Towers.
    Tower(TowerSpec),
}

impl Subject {
    /// Reads a configuration in JSON and checks it.
    pub fn read(family: Family, config: &[u8]) -> Result<Subject, ForgeError> {
        Ok(match family {
            Family::Act => Subject::Act(ActConfig::from_json(config)?.resolve()?),
            Family::Level => Subject::Level(LevelConfig::from_json(config)?.resolve()?),
            Family::Floor => Subject::Floor(FloorConfig::from_json(config)?.resolve()?),
            Family::Tower => Subject::Tower(TowerConfig::from_json(config)?.resolve()?),
        })
    }

    /// The family.
    pub fn family(&self) -> Family {
        match self {
            Subject::Act(_) => Family::Act,
            Subject::Level(_) => Family::Level,
            Subject::Floor(_) => Family::Floor,
            Subject::Tower(_) => Family::Tower,
        }
    }

    /// How many seeds go well into one block: one of maps that may take seconds to make. It divides [`BLOCK`](crate::BLOCK).
    pub fn step(&self) -> u64 {
        match self.family() {
            Family::Level | Family::Tower => 1,
            Family::Act | Family::Floor => 256,
        }
    }

    /// The algorithm that makes its maps (`act.walks/1`).
    pub fn algorithm(&self) -> &'static str {
        match self {
            Subject::Act(spec) => spec.algorithm(),
            Subject::Level(spec) => spec.algorithm(),
            Subject::Floor(_) => floor::ALGORITHM,
            Subject::Tower(_) => floor::TOWER_ALGORITHM,
        }
    }

    /// The configuration with every default written out, as its maps' documents have it: JSON without spaces.
    ///
    /// ```
    /// use wayforge::{Family, Seed};
    /// use wayforge_search::Subject;
    /// let subject = Subject::read(Family::Act, br#"{"ruleset":"rows"}"#)?;
    /// let document = subject.document(Seed::new(1))?;
    /// assert_eq!((document.algorithm.as_str(), document.config), (subject.algorithm(), subject.config()));
    /// # Ok::<(), wayforge::ForgeError>(())
    /// ```
    pub fn config(&self) -> String {
        let json = match self {
            Subject::Act(spec) => serde_json::to_string(spec.config()),
            Subject::Level(spec) => serde_json::to_string(spec.config()),
            Subject::Floor(spec) => serde_json::to_string(spec.config()),
            Subject::Tower(spec) => serde_json::to_string(spec.config()),
        };
        // Writing plain values into memory cannot fail.
        json.unwrap_or_default()
    }

    /// The metrics of its maps.
    pub fn catalogue(&self) -> Catalogue {
        match self {
            Subject::Act(spec) => Catalogue::of_act(spec),
            Subject::Level(spec) => Catalogue::of_level(spec),
            Subject::Floor(_) => Catalogue::of_floor(),
            Subject::Tower(_) => Catalogue::of_tower(),
        }
    }

    /// What its configuration asks for.
    pub fn budgets(&self) -> Vec<Budget> {
        match self {
            Subject::Act(spec) => Budget::of_act(spec),
            Subject::Level(spec) => Budget::of_level(spec),
            Subject::Floor(spec) => Budget::of_floor(spec),
            Subject::Tower(spec) => Budget::of_tower(spec),
        }
    }

    /// Memory for making its maps one after another.
    pub fn worker(&self) -> Worker {
        Worker(match self {
            Subject::Act(spec) => Bench::Act(Box::new((act::Forge::new(spec), ActMeter::default()))),
            Subject::Level(spec) => Bench::Level(Box::new(level::Forge::new(spec)), LevelMeter::default()),
            Subject::Floor(spec) => Bench::Floor(Box::new(floor::Forge::new(spec)), FloorMeter::default()),
            Subject::Tower(spec) => Bench::Tower(spec.clone(), TowerMeter::default()),
        })
    }

    /// The map of a seed as its document.
    pub fn document(&self, seed: Seed) -> Result<Document, ForgeError> {
        Ok(match self {
            Subject::Act(spec) => act::generate(seed, spec)?.to_document(),
            Subject::Level(spec) => level::generate(seed, spec)?.to_document(),
            Subject::Floor(spec) => floor::generate(seed, spec)?.to_document(),
            Subject::Tower(spec) => floor::generate_tower(seed, spec)?.to_document(),
        })
    }
}

/// Makes maps of one subject one after another in the same memory, and looks at them.
pub struct Worker(Bench);

enum Bench {
    Act(Box<(act::Forge, ActMeter)>),
    Level(Box<level::Forge>, LevelMeter),
    Floor(Box<floor::Forge>, FloorMeter),
    Tower(TowerSpec, TowerMeter),
}

/// What is done with a map while it is there, whatever its family.
pub trait Visit {
    /// What it gives.
    type Out;

    /// Looks at a map with the meter of its family.
    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) -> Self::Out;
}

impl Worker {
    /// Makes the map of a seed and looks at it; nothing, if the seed has no map.
    ///
    /// ```
    /// use wayforge::{Family, Seed, metric::Meter};
    /// use wayforge_search::{Subject, Visit};
    /// struct Nothing;
    /// impl Visit for Nothing {
    ///     type Out = ();
    ///     fn visit<M: Meter>(&mut self, _: &mut M, _: &M::Map) {}
    /// }
    /// let mut worker = Subject::read(Family::Floor, b"{}")?.worker();
    /// assert_eq!(worker.look(Seed::new(1), &mut Nothing), Some(()));
    /// # Ok::<(), wayforge::ForgeError>(())
    /// ```
    #[inline]
    pub fn look<V: Visit>(&mut self, seed: Seed, visit: &mut V) -> Option<V::Out> {
        match &mut self.0 {
            Bench::Act(act) => {
                let (forge, meter) = &mut **act;
                forge.try_generate(seed).map(|map| visit.visit(meter, map))
            }
            Bench::Level(forge, meter) => forge.generate(seed).ok().map(|map| visit.visit(meter, map)),
            Bench::Floor(forge, meter) => forge.generate(seed).ok().map(|map| visit.visit(meter, map)),
            Bench::Tower(spec, meter) => {
                floor::generate_tower(seed, spec).ok().map(|map| visit.visit(meter, &map))
            }
        }
    }

    /// Returns the document of the seed's map, as [`Subject::document`] does; `None` if the seed has no map.
    ///
    /// Nothing explains the failure, which for act maps can take longer than the generation.
    pub fn document(&mut self, seed: Seed) -> Option<Document> {
        match &mut self.0 {
            Bench::Act(act) => act.0.try_generate(seed).map(ActMap::to_document),
            Bench::Level(forge, _) => forge.generate(seed).ok().map(Level::to_document),
            Bench::Floor(forge, _) => forge.generate(seed).ok().map(Floor::to_document),
            Bench::Tower(spec, _) => floor::generate_tower(seed, spec).ok().map(|tower| tower.to_document()),
        }
    }

    /// Makes the map of a seed and looks at it, and tells how it was made.
    pub(crate) fn try_look<V: Visit>(
        &mut self,
        seed: Seed,
        visit: &mut V,
        trial: &mut Trial,
    ) -> Option<V::Out> {
        trial.clear();
        let start = Instant::now();
        match &mut self.0 {
            Bench::Act(act) => {
                let (forge, meter) = &mut **act;
                let made = forge.generate(seed);
                trial.time = start.elapsed();
                match made {
                    Ok(map) => {
                        let tries = &map.attempts;
                        trial.smooth = *tries == Attempts { guided: tries.guided, ..Attempts::default() };
                        Some(visit.visit(meter, map))
                    }
                    Err(error) => {
                        trial.refused.extend(error.conflict.into_iter().map(|rule| (Cow::Owned(rule), 1)));
                        None
                    }
                }
            }
            Bench::Level(forge, meter) => {
                let made = forge.generate(seed).ok().map(|level| {
                    trial.time = start.elapsed();
                    visit.visit(meter, level)
                });
                if made.is_none() {
                    trial.time = start.elapsed();
                }
                forge.refused().iter().for_each(|attempt| trial.add(attempt.violation.rule.0, 1));
                trial.mended = forge.mended().map(|rule| rule.0);
                made
            }
            Bench::Floor(forge, meter) => {
                let made = forge.generate(seed).ok().map(|floor| {
                    trial.time = start.elapsed();
                    visit.visit(meter, floor)
                });
                if made.is_none() {
                    trial.time = start.elapsed();
                }
                forge.missed().for_each(|missed| trial.add(missed.field, missed.attempts));
                made
            }
            Bench::Tower(spec, meter) => {
                let mut rest = TowerFloors::new(seed.clone(), spec);
                let floors: Result<Vec<_>, _> = rest.by_ref().collect();
                trial.time = start.elapsed();
                rest.missed().for_each(|missed| trial.add(missed.field, missed.attempts));
                let tower = Tower { seed, spec: spec.clone(), floors: floors.ok()? };
                Some(visit.visit(meter, &tower))
            }
        }
    }

    /// Whether the seed has a map of which `query` holds.
    #[inline]
    pub fn holds(&mut self, seed: Seed, query: &Query) -> bool {
        self.look(seed, &mut Holds(query)).unwrap_or(false)
    }

    /// Whether the seed has a map that a sieve keeps.
    #[inline]
    pub fn keeps(&mut self, seed: Seed, sieve: &Sieve) -> bool {
        match (&mut self.0, &sieve.early) {
            (Bench::Act(act), Some(early)) => {
                let (forge, meter) = &mut **act;
                let map = forge.generate_if(seed, |skeleton| early.holds(meter, skeleton));
                map.is_some_and(|map| sieve.rest.as_ref().is_none_or(|rest| rest.holds(meter, map)))
            }
            _ => self.look(seed, &mut Passes(sieve)).unwrap_or(false),
        }
    }

    /// How far the seed's map is from `aim`, if there is one.
    pub fn distance(&mut self, seed: Seed, aim: &Aim) -> Option<u64> {
        self.look(seed, &mut Distance(aim))
    }

    /// Reads metrics of the seed's map into `row`.
    ///
    /// * **Returns.** False if the seed has no map; `row` is left alone then.
    pub fn measure(&mut self, seed: Seed, terms: &[Term], row: &mut [i64]) -> bool {
        self.look(seed, &mut Row { terms, row }).is_some()
    }
}

/// A condition in two: what can be asked before a map is finished, and the rest. What is not wanted by then need not be finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sieve {
    early: Option<Query>,
    rest: Option<Query>,
}

impl Sieve {
    /// The sieve of a condition on maps of a subject.
    ///
    /// ```
    /// use wayforge::{Family, Seed, metric::Query};
    /// use wayforge_search::{Sieve, Subject};
    /// let subject = Subject::read(Family::Act, b"{}")?;
    /// let query = Query::parse("routes > 600 and min(elite) = 0", &subject.catalogue())?;
    /// let (mut worker, sieve) = (subject.worker(), Sieve::new(&subject, query.clone()));
    /// assert!((0..500).map(Seed::new).all(|seed| worker.keeps(seed.clone(), &sieve) == worker.holds(seed, &query)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(subject: &Subject, query: Query) -> Sieve {
        let (early, rest) = match subject {
            Subject::Act(_) => {
                let catalogue = subject.catalogue();
                query.split(|term| ActMeter::reads_skeletons(&catalogue, term))
            }
            _ => (None, Some(query)),
        };
        Sieve { early, rest }
    }
}

struct Passes<'a>(&'a Sieve);

impl Visit for Passes<'_> {
    type Out = bool;

    #[inline]
    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) -> bool {
        [&self.0.early, &self.0.rest].into_iter().flatten().all(|part| part.holds(meter, map))
    }
}

struct Holds<'a>(&'a Query);

impl Visit for Holds<'_> {
    type Out = bool;

    #[inline]
    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) -> bool {
        self.0.holds(meter, map)
    }
}

struct Distance<'a>(&'a Aim);

impl Visit for Distance<'_> {
    type Out = u64;

    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) -> u64 {
        self.0.distance(meter, map)
    }
}

struct Row<'a> {
    terms: &'a [Term],
    row: &'a mut [i64],
}

impl Visit for Row<'_> {
    type Out = ();

    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) {
        for (value, &term) in self.row.iter_mut().zip(self.terms) {
            *value = meter.read(map, term);
        }
    }
}
