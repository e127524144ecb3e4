//! What configurations ask for, beside the metric that says what was placed.

use super::floor::THINGS;
use super::level::{MOVING, interior, mark_name, name_of};
use super::{Catalogue, Measure, Term};
use crate::act::{self, ActMap, KindRule};
use crate::floor::{self, Budget as Thing, Floor};
use crate::level::{self, Amount, Level, Symbol};
use crate::tower::{self, Tower};

/// So much of something is asked for, and this metric says how much there is.
///
/// ```
/// use wayforge::floor::{self, Floor};
/// use wayforge::metric::Measure;
/// let spec = floor::Config::default().resolve()?;
/// let (budgets, catalogue) = (Floor::budgets(&spec), Floor::catalogue(&spec));
/// let enemies = budgets.iter().find(|budget| catalogue.name(budget.term) == "count(enemy)").unwrap();
/// assert_eq!((enemies.least, enemies.most, enemies.asked.as_str()), (3, Some(3), "3"));
/// # Ok::<(), wayforge::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The metric.
    pub term: Term,
    /// What is asked for, in words.
    pub asked: String,
    /// The least that is enough.
    pub least: i64,
    /// The most that is allowed, if anything is too much.
    pub most: Option<i64>,
}

impl Budget {
    fn exactly(term: Term, count: i64) -> Budget {
        Budget { term, asked: count.to_string(), least: count, most: Some(count) }
    }

    fn at_least(term: Term, count: i64) -> Budget {
        Budget { term, asked: format!("at least {count}"), least: count, most: None }
    }

    fn at_most(term: Term, count: i64) -> Budget {
        Budget { term, asked: format!("at most {count}"), least: 0, most: Some(count) }
    }

    /// Whether so many are what is asked for.
    pub fn is_met(&self, placed: i64) -> bool {
        placed >= self.least && self.most.is_none_or(|most| placed <= most)
    }

    /// What a configuration of act maps says about how many nodes of a kind there are, on the map and on every route.
    pub(super) fn of_act(spec: &act::Spec) -> Vec<Budget> {
        let catalogue = ActMap::catalogue(spec);
        let term = |name: &str, kind: &str| catalogue.find(name, Some(kind)).ok();
        let budget = |rule: &KindRule| match rule {
            KindRule::MapMin { kind, min } => Some(Budget::at_least(term("count", kind)?, (*min).into())),
            KindRule::MapMax { kind, max } => Some(Budget::at_most(term("count", kind)?, (*max).into())),
            KindRule::RouteMin { kind, min } => Some(Budget::at_least(term("min", kind)?, (*min).into())),
            KindRule::RouteMax { kind, max } => Some(Budget::at_most(term("max", kind)?, (*max).into())),
            _ => None,
        };
        spec.kind_rules().iter().filter_map(budget).collect()
    }

    /// The candidates, exits, marks and features that a stage asks for.
    pub(super) fn of_level(spec: &level::Spec) -> Vec<Budget> {
        let (config, catalogue) = (spec.config(), Level::catalogue(spec));
        let term = |thing: &str| catalogue.find("count", Some(thing)).ok();
        let exact = |symbol: Symbol, count: usize| {
            let count = super::count(count);
            term(name_of(symbol)).filter(|_| count > 0).map(|term| Budget::exactly(term, count))
        };
        let asked = |symbol: Symbol| spec.asked(symbol) as usize;
        let mut budgets: Vec<Budget> =
            Symbol::CANDIDATES.into_iter().filter_map(|s| exact(s, asked(s))).collect();
        budgets.extend(exact(Symbol::Exit, config.exits.len()));
        let marked = |mark| Some(Budget::exactly(term(&mark_name(mark))?, mark.count));
        budgets.extend(config.marks.iter().filter_map(marked));
        // Densities count the floor before terrain and walls.
        let taken = Symbol::CANDIDATES.into_iter().map(asked).sum::<usize>();
        let marks: usize = config.marks.iter().map(|mark| usize::try_from(mark.count).unwrap_or(0)).sum();
        let floor = interior(spec.size()).saturating_sub(taken + marks) as u32;
        let names = [name_of(Symbol::Pitfall), name_of(Symbol::Plant), name_of(Symbol::Puddle), MOVING];
        for ((_, feature), name) in config.features().into_iter().zip(names) {
            let Some(term) = term(name).filter(|_| !feature.is_none()) else { continue };
            let mut words = Vec::new();
            if !feature.amount.is_none() {
                words.push(feature.amount.to_string());
            }
            words.extend(feature.zones.iter().map(|zone| format!("{} of a zone", zone.amount)));
            let area = |width: i64, height: i64| u32::try_from(width.saturating_mul(height)).unwrap_or(0);
            let zones = feature.zones.iter();
            let most: u32 = zones.clone().map(|zone| zone.amount.of(area(zone.width, zone.height))).sum();
            let least: u32 =
                zones.map(|zone| if let Amount::Count(count) = zone.amount { count } else { 0 }).sum();
            // Pinned cells stand besides, and take floor away that densities count.
            let pinned = spec.has_pins();
            let anywhere = feature.amount.of(floor);
            budgets.push(Budget {
                term,
                asked: words.join(" and "),
                least: if pinned { 0 } else { i64::from(anywhere) + i64::from(least) },
                most: (!pinned).then(|| i64::from(anywhere) + i64::from(most)),
            });
        }
        budgets
    }

    /// The things that a floor asks for, and the length of its way.
    pub(super) fn of_floor(spec: &floor::Spec) -> Vec<Budget> {
        let catalogue = Floor::catalogue(spec);
        let asked = |thing| i64::from(spec.budget(thing));
        things(&catalogue, asked)
            .chain(
                catalogue
                    .find("path", None)
                    .ok()
                    .map(|term| Budget::at_least(term, spec.min_path_length().into())),
            )
            .collect()
    }

    /// The things that all floors of a tower ask for together.
    pub(super) fn of_tower(spec: &tower::Spec) -> Vec<Budget> {
        let mut sums = [0_i64; THINGS.len()];
        let mut last = None;
        for number in 0..spec.floors() {
            // Floors that ask for the same are looked at once.
            let config = spec.floor_config(number);
            if last.as_ref().is_none_or(|(same, _)| *same != config) {
                let Ok(floor) = spec.floor(number, None) else { return Vec::new() };
                last = Some((config, THINGS.map(|(_, thing)| i64::from(floor.budget(thing)))));
            }
            for (sum, more) in sums.iter_mut().zip(last.iter().flat_map(|(_, counts)| counts)) {
                *sum += more;
            }
        }
        let asked = |thing| THINGS.iter().position(|(_, known)| *known == thing).map_or(0, |at| sums[at]);
        things(&Tower::catalogue(spec), asked).collect()
    }
}

fn things(catalogue: &Catalogue, asked: impl Fn(Thing) -> i64) -> impl Iterator<Item = Budget> {
    THINGS.into_iter().filter_map(move |(name, thing)| {
        let count = asked(thing);
        catalogue
            .find("count", Some(name))
            .ok()
            .filter(|_| count > 0)
            .map(|term| Budget::exactly(term, count))
    })
}
