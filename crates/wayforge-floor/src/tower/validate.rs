//! Validates towers.

use super::{Tower, floor_seed};
use crate::validate::{Validator, rules};
use wayforge_core::{Place, Report, Violation};

/// Checks every rule of the tower and of each floor.
///
/// # Examples
/// ```
/// use wayforge_floor::{self as floor, tower, rules};
/// let mut tower = tower::generate(5.into(), &tower::Config::default().resolve()?)?;
/// assert!(tower::validate(&tower).is_valid());
/// tower.floors.swap(2, 3);
/// assert!(!tower::validate(&tower).passes(rules::TOWER_CHAIN));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(tower: &Tower) -> Report {
    let mut report = Report::default();
    let expected = tower.spec.floors() as usize;
    let wrong_height = (tower.floors.len() != expected)
        .then(|| (Place::Map, format!("{} of {expected} floors", tower.floors.len())));
    report.check(rules::TOWER_HEIGHT, wrong_height);
    let pairs = tower.floors.iter().zip(tower.floors.iter().skip(1)).enumerate();
    let broken = pairs.filter(|(_, (below, above))| below.exit != above.entrance);
    report.check(
        rules::TOWER_CHAIN,
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
        rules::TOWER_SEEDS,
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
    for (n, floor) in tower.floors.iter().enumerate() {
        let floor_report = validator.validate(floor).report;
        let new_rules: Vec<_> =
            floor_report.rules.into_iter().filter(|rule| !report.rules.contains(rule)).collect();
        report.rules.extend(new_rules);
        for violation in floor_report.violations {
            if report.violations.len() < Report::MAX_PER_RULE {
                report
                    .violations
                    .push(Violation { place: on_floor(n, violation.place), ..violation });
            } else if !report.truncated.contains(&violation.rule) {
                report.truncated.push(violation.rule);
            }
        }
    }
    report
}

/// Adds the number of a floor to a place. `number` counts from 0, the result from 1.
fn on_floor(number: usize, place: Place) -> Place {
    Place::Floor { floor: number as u32 + 1, place: Box::new(place) }
}
