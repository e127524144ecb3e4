//! Judging a document of any family: its digest, its form, every rule of its map, and whether its seed makes it again.

use crate::act::{self, ActMap};
use crate::floor::{self, Floor, MapFloor, Tower, TowerFloor};
use crate::level::{self, Level};
use crate::{DecodeError, Document, Place, Report, Rule, Violation, document};
use std::fmt::Display;

/// The rule that a map is what its algorithm makes from its seed and configuration.
pub const REPRODUCIBLE: Rule = Rule("reproducible");

/// Judges the map of a document from scratch, whatever its family.
///
/// * **Arguments.** The document, and whether the map is also made again from its seed and configuration and compared.
/// * **Returns.** Every rule that was checked and every violation. A document that cannot be read, or whose algorithm is
///   unknown, is an error.
/// * **Complexity.** That of the family's `validate`, and of its `generate` if asked to reproduce.
///
/// ```
/// use wayforge::act::{self, ActConfig};
/// let document = act::generate(7.into(), &ActConfig::default().resolve()?)?.to_document();
/// assert!(wayforge::judge(&document, true)?.is_valid());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let family = FAMILIES.iter().find(|(prefix, _)| document.algorithm.starts_with(prefix));
    let Some((_, judge)) = family else {
        let known = FAMILIES.map(|(prefix, _)| format!("{prefix}*")).join(", ");
        return Err(DecodeError::Unknown { field: "algorithm", value: document.algorithm.clone(), known });
    };
    let mut report = judge(document, reproduce)?;
    put_first(&mut report, document::DIGEST_MATCHES, document.check_digest());
    Ok(report)
}

/// Judges the map of a document, from scratch and again from its seed if asked to.
type Judge = fn(&Document, bool) -> Result<Report, DecodeError>;

/// Who judges which algorithms.
const FAMILIES: [(&str, Judge); 5] = [
    ("act.", judge_act),
    ("level.", judge_level),
    ("floor.module/", judge_floor),
    ("floor.tower/", judge_tower),
    ("floor.tower.floor/", judge_tower_floor),
];

fn judge_act(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = ActMap::from_document(document)?;
    let mut report = act::validate(&map);
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let again = act::generate(map.seed.clone(), &map.spec);
        compare(&mut report, &document.algorithm, again.map(|again| (again == map, again.to_document())));
    }
    Ok(report)
}

fn judge_level(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = Level::from_document(document)?;
    let mut report = level::validate(&map);
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let again = level::generate(map.seed.clone(), &map.spec);
        compare(&mut report, &document.algorithm, again.map(|again| (again == map, again.to_document())));
    }
    Ok(report)
}

fn judge_floor(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = Floor::from_document(document)?;
    let mut report = floor::validate(&map);
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let again = floor::generate(map.seed.clone(), &map.spec);
        compare(&mut report, &document.algorithm, again.map(|again| compare_floor(again, map)));
    }
    Ok(report)
}

fn judge_tower(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = Tower::from_document(document)?;
    let mut report = floor::validate_tower(&map);
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let again = floor::generate_tower(map.seed.clone(), &map.spec).map(|again| {
            let document = again.to_document();
            (again.decided() == map.decided(), document)
        });
        compare(&mut report, &document.algorithm, again);
    }
    Ok(report)
}

fn judge_tower_floor(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = TowerFloor::from_document(document)?;
    let mut report = map.validate();
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let again = TowerFloor::generate(map.seed.clone(), &map.spec, map.number).map(|again| {
            let document = again.to_document();
            (again.decided() == map.decided(), document)
        });
        compare(&mut report, &document.algorithm, again);
    }
    Ok(report)
}

/// Puts a rule about the whole document before the others.
fn put_first(report: &mut Report, rule: Rule, checked: Result<(), DecodeError>) {
    report.rules.insert(0, rule);
    report.violations.splice(0..0, checked.err().map(|error| violation(rule, error.to_string())));
}

/// Generates a `MapFloor` again and compares. Only its `config` makes that possible.
pub(crate) fn reproduce_map_floor(floor: &MapFloor, report: &mut Report) {
    let again = match floor.config() {
        None => Err("the floor has no config to generate it from".to_owned()),
        Some(_) => floor.to_floor().map_err(|error| error.to_string()).and_then(|floor| {
            let again =
                floor::generate(floor.seed.clone(), &floor.spec).map_err(|error| error.to_string())?;
            Ok(compare_floor(again, floor))
        }),
    };
    compare(report, floor::ALGORITHM, again);
}

/// Compares a floor with the one generated again. Time, `meta` and `data` are the caller's and are not compared.
fn compare_floor(again: Floor, floor: Floor) -> (bool, Document) {
    let document = again.to_document();
    (again.decided() == floor.decided(), document)
}

/// Compares a map with the one that its seed and configuration give: whether they are the same, and the latter's document.
fn compare(report: &mut Report, algorithm: &str, again: Result<(bool, Document), impl Display>) {
    report.rules.push(REPRODUCIBLE);
    let why = match again {
        Ok((true, _)) => None,
        Ok((false, again)) => Some(format!("{algorithm} generates a map of digest {}", again.digest)),
        Err(error) => Some(error.to_string()),
    };
    report.violations.extend(why.map(|why| violation(REPRODUCIBLE, why)));
}

fn violation(rule: Rule, why: String) -> Violation {
    Violation { rule, place: Place::Map, why }
}
