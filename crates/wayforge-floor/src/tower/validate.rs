//! Proof that a tower keeps its rules.

use super::{Tower, floor_seed};
use crate::validate::{Validator, rules};
use wayforge_core::{Place, Report, Violation};

/// Checks every rule of every floor, and those of the tower.
///
/// ```
/// use wayforge_floor::{self as floor, tower, rules};
/// let mut tower = tower::generate(5.into(), &tower::Config::default().resolve()?)?;
/// assert!(tower::validate(&tower).is_valid());
/// tower.floors.swap(2, 3);
/// assert!(!tower::validate(&tower).holds(rules::TOWER_CHAIN));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(tower: &Tower) -> Report {
    let mut report = Report::default();
    let asked = tower.spec.floors() as usize;
    let wrong = (tower.floors.len() != asked)
        .then(|| (Place::Map, format!("{} of {asked} floors", tower.floors.len())));
    report.check(rules::TOWER_HEIGHT, wrong);
    let pairs = tower.floors.iter().zip(tower.floors.iter().skip(1)).enumerate();
    let broken = pairs.filter(|(_, (below, above))| below.exit != above.entrance);
    report.check(
        rules::TOWER_CHAIN,
        broken.map(|(n, (below, above))| {
            let why =
                format!("the floor below ends at {}, this one begins at {}", below.exit, above.entrance);
            (on_floor(n + 1, Place::Map), why)
        }),
    );
    let seeds = tower.floors.iter().enumerate();
    let strange = seeds.filter(|&(n, floor)| floor.seed != floor_seed(&tower.seed, n as u32));
    report.check(
        rules::TOWER_SEEDS,
        strange
            .map(|(n, floor)| (on_floor(n, Place::Map), format!("the seed {} is not its own", floor.seed))),
    );
    let mut judge = Validator::default();
    for (n, floor) in tower.floors.iter().enumerate() {
        let found = judge.judge(floor).report;
        let new: Vec<_> = found.rules.into_iter().filter(|rule| !report.rules.contains(rule)).collect();
        report.rules.extend(new);
        for violation in found.violations {
            if report.violations.len() < Report::MAX {
                report.violations.push(Violation { place: on_floor(n, violation.place), ..violation });
            } else if !report.cut.contains(&violation.rule) {
                report.cut.push(violation.rule);
            }
        }
    }
    report
}

/// Floors are counted from 1 where people read.
fn on_floor(number: usize, place: Place) -> Place {
    Place::Floor { floor: number as u32 + 1, place: Box::new(place) }
}
