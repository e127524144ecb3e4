//! Validates towers.

use super::{Tower, floor_seed};
use crate::validate::Validator;
use std::collections::BTreeMap;
use wayforge_core::{Place, Report, Rule, Violation};

/// Names of the rules of towers, in addition to those of their [floors](crate::rules).
#[allow(missing_docs)] // The table in `docs/floors.md` describes every rule.
pub mod rules {
    use wayforge_core::Rule;

    pub const HEIGHT: Rule = Rule("tower-height");
    pub const CHAIN: Rule = Rule("tower-chain");
    pub const SEEDS: Rule = Rule("tower-seeds");
}

/// Checks every rule of the tower and of each floor.
///
/// # Examples
/// ```
/// use wayforge_floor::tower;
/// let mut tower = tower::generate(5.into(), &tower::Config::default().resolve()?)?;
/// assert!(tower::validate(&tower).is_valid());
/// tower.floors.swap(2, 3);
/// assert!(!tower::validate(&tower).passes(tower::rules::CHAIN));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(tower: &Tower) -> Report {
    let mut report = Report::default();
    let expected = tower.spec.floors() as usize;
    let wrong_height = (tower.floors.len() != expected)
        .then(|| (Place::Map, format!("{} of {expected} floors", tower.floors.len())));
    report.check(rules::HEIGHT, wrong_height);
    let pairs = tower.floors.iter().zip(tower.floors.iter().skip(1)).enumerate();
    let broken = pairs.filter(|(_, (below, above))| below.exit != above.entrance);
    report.check(
        rules::CHAIN,
        broken.map(|(n, (below, above))| {
            let why = format!(
                "the floor below ends at {}, this one starts at {}",
                below.exit, above.entrance
            );
            (on_floor(n + 1, Place::Map), why)
        }),
    );
    let seeds = tower.floors.iter().enumerate();
    let wrong_seeds = seeds.filter(|&(n, floor)| floor.seed != floor_seed(&tower.seed, n as u32));
    report.check(
        rules::SEEDS,
        wrong_seeds.map(|(n, floor)| {
            (
                on_floor(n, Place::Map),
                format!(
                    "the seed is {}, expected {}",
                    floor.seed,
                    floor_seed(&tower.seed, n as u32)
                ),
            )
        }),
    );
    let mut validator = Validator::default();
    let mut counts = BTreeMap::new();
    for (n, floor) in tower.floors.iter().enumerate() {
        let Report { rules, violations, mut truncated } = validator.validate(floor).report;
        for violation in violations {
            let count = counts.entry(violation.rule).or_insert(0);
            *count += 1;
            if *count <= Report::MAX_PER_RULE {
                let place = on_floor(n, violation.place);
                report.violations.push(Violation { place, ..violation });
            } else {
                truncated.push(violation.rule);
            }
        }
        add_missing(&mut report.rules, rules);
        add_missing(&mut report.truncated, truncated);
    }
    report
}

/// Adds the rules that `list` does not contain yet.
fn add_missing(list: &mut Vec<Rule>, rules: Vec<Rule>) {
    for rule in rules {
        if !list.contains(&rule) {
            list.push(rule);
        }
    }
}

/// Adds the number of a floor to a place. `number` counts from 0, the result from 1.
fn on_floor(number: usize, place: Place) -> Place {
    Place::Floor { floor: number as u32 + 1, place: Box::new(place) }
}
