//! Search for the next seed whose act map contains pinned nodes.

use super::kinds::names;
use super::{ActMap, Generator, KindId, Pin, Spec};
use wayforge_core::seed_search::{self, SeedMatch, SeedSearchError};
use wayforge_core::{InputError, MapGenerator, Seed, WorkLimit};

/// Minimum number of steps that a map counts for.
const STEPS_PER_MAP: u64 = 1000;

/// Returns the first seed from `from` upward whose map contains every pin.
///
/// A pin without a kind matches any node at its position. Negative rows count from the top.
/// `attempts` is the maximum number of seeds, 1 to 1,000,000.
///
/// # Errors
/// A pin is invalid, `attempts` is out of range, or no seed matches.
///
/// # Complexity
/// O(seeds tried) map generations.
///
/// # Examples
/// ```
/// use wayforge_act::{self as act, Pin};
/// let spec = act::Config::from_json(br#"{"ruleset": "spire"}"#)?.resolve()?;
/// let pins = [Pin { row: 5, col: 3, kind: Some("elite".into()) }];
/// let found = act::find_seed(42.into(), &spec, &pins, 10_000)?;
/// let map = act::generate(found.seed, &spec)?;
/// let node = map.nodes.iter().find(|node| (node.row, node.col) == (5, 3)).unwrap();
/// assert_eq!(map.kind_name(node.kind), Some("elite"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_seed(
    from: Seed,
    spec: &Spec,
    pins: &[Pin],
    attempts: u32,
) -> Result<SeedMatch, SeedSearchError> {
    find_seed_within(from, spec, pins, attempts, &WorkLimit::UNLIMITED)
}

/// Like [`find_seed`], with at most the work of `limit` for all maps together.
///
/// # Errors
/// The same as [`find_seed`], and [`SeedSearchError::Stopped`].
pub fn find_seed_within(
    from: Seed,
    spec: &Spec,
    pins: &[Pin],
    attempts: u32,
    limit: &WorkLimit,
) -> Result<SeedMatch, SeedSearchError> {
    let names: Vec<String> = pins.iter().map(name).collect();
    let pins: Vec<_> = pins
        .iter()
        .enumerate()
        .map(|(i, pin)| resolve_pin(spec, i, pin))
        .collect::<Result<_, _>>()?;
    let mut generator = Generator::new(spec);
    generator.limit_work(limit.clone());
    seed_search::find_seed(from, attempts, &names, limit, |seed, work| {
        let missing = match generator.try_generate(seed) {
            Some(map) => pins.iter().position(|pin| !contains(map, *pin)),
            // This seed has no map.
            None => Some(0),
        };
        work.spend(MapGenerator::steps(&generator).max(STEPS_PER_MAP));
        missing
    })
}

/// Row, column and kind of a checked pin.
type ResolvedPin = (u16, u16, Option<KindId>);

fn contains(map: &ActMap, (row, col, kind): ResolvedPin) -> bool {
    let at = map.nodes.binary_search_by_key(&(row, col), |node| (node.row, node.col));
    at.is_ok_and(|at| kind.is_none() || map.nodes[at].kind == kind)
}

fn name(pin: &Pin) -> String {
    let kind = pin.kind.as_deref().map_or(String::new(), |kind| format!(" {kind}"));
    format!("{},{}{kind}", pin.col, pin.row)
}

fn resolve_pin(spec: &Spec, index: usize, pin: &Pin) -> Result<ResolvedPin, InputError> {
    let (rows, cols) = (spec.rows() as i64, spec.cols() as i64);
    InputError::in_range(format!("pins[{index}].row"), pin.row, -rows, rows - 1)?;
    let row = if pin.row < 0 { pin.row + rows } else { pin.row };
    InputError::in_range(format!("pins[{index}].col"), pin.col, 0, cols - 1)?;
    let find = |kind: &String| {
        spec.find_kind(kind).ok_or_else(|| {
            let remedy = match spec.kinds() {
                [] => "leave the kind out, because the map has no kinds".into(),
                known => format!("use {}", names(known)),
            };
            InputError::new(format!("pins[{index}].kind"), kind, "no such kind", remedy)
        })
    };
    let kind = pin.kind.as_ref().map(find).transpose()?;
    // The casts are lossless, because both values are on the grid.
    Ok((row as u16, pin.col as u16, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{self as act, Config};

    fn pin(row: i64, col: i64, kind: Option<&str>) -> Pin {
        Pin { row, col, kind: kind.map(str::to_owned) }
    }

    #[test]
    fn returns_the_first_seed_whose_map_contains_the_pins() {
        for ruleset in ["walks", "rows", "spire"] {
            let config = format!("{{\"ruleset\":\"{ruleset}\"}}");
            let spec = Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
            let pins = [pin(4, 3, Some("monster")), pin(-3, 2, None)];
            let matches = |seed: u64| {
                let map = act::generate(Seed::new(seed), &spec).unwrap();
                let at = |row: u16, col| {
                    map.nodes.iter().find(|node| (node.row, node.col) == (row, col))
                };
                let kind = at(4, 3).and_then(|node| map.kind_name(node.kind));
                kind == Some("monster") && at(spec.rows() as u16 - 3, 2).is_some()
            };
            let found = find_seed(Seed::new(100), &spec, &pins, 10_000).unwrap();
            assert_eq!(found.seed, Seed::new(99 + u64::from(found.tried)));
            assert!(
                matches(found.seed.number()) && !(100..found.seed.number()).any(matches),
                "{ruleset}"
            );
        }
    }

    #[test]
    fn rejects_invalid_and_unsatisfiable_pins() {
        let spec = Config::from_json(br#"{"ruleset":"rows"}"#).unwrap().resolve().unwrap();
        let search = |pin: Pin| find_seed(Seed::from_text("a\nb"), &spec, &[pin], 50).unwrap_err();
        for (pin, expected) in [
            (pin(99, 0, None), "pins[0].row = 99: out of range; use -15 to 14"),
            (pin(-20, 0, None), "pins[0].row = -20: out of range; use -15 to 14"),
            (pin(i64::MIN, 0, None), "pins[0].row = -9223372036854775808"),
            (pin(0, -1, None), "pins[0].col = -1"),
            (pin(3, 3, Some("cheese")), "pins[0].kind = cheese"),
        ] {
            let error = search(pin);
            assert!(matches!(error, SeedSearchError::Input(_)), "{error}");
            assert!(error.to_string().starts_with(expected), "{error}");
        }
        let text = search(pin(0, 0, None)).to_string();
        let expected = "pins = 0,0: none of the maps of 50 seeds from a\u{fffd}b contains all \
                        pins; 0,0 is missing most often; remove that pin, or start at another seed";
        assert_eq!(text, expected);
        let limit = WorkLimit::steps(10 * STEPS_PER_MAP);
        let stopped = find_seed_within(Seed::new(0), &spec, &[pin(0, 0, None)], 50, &limit);
        assert!(matches!(stopped, Err(SeedSearchError::Stopped { .. })), "{stopped:?}");
        assert!(find_seed(Seed::new(0), &spec, &[], 0).is_err());
        assert_eq!(find_seed(Seed::new(7), &spec, &[], 1).unwrap().seed, Seed::new(7));
    }
}
