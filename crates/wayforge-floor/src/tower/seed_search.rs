//! Finds the next seed whose tower matches pinned cells.

use super::{Floors, Spec};
use crate::map::{parse_symbol, symbols};
use serde::{Deserialize, Serialize};
use wayforge_core::grid::Pos;
use wayforge_core::seed_search::{self, SeedMatch, SeedSearchError};
use wayforge_core::{ConfigError, InputError, Seed, WorkLimit};

/// A cell of a tower with required content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TowerPin"))]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Number of the floor, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub floor: i64,
    /// Column, from 0 at the left.
    pub x: i64,
    /// Row, from 0 at the top.
    pub y: i64,
    /// Required symbol: `#` wall, `.` floor, `<` entrance, `>` exit, `+` door, `^` trap, `$` chest,
    /// `~` water, `e` enemy, `i` item, `r` relic, `n` npc.
    pub symbol: char,
}

/// Minimum number of steps that a floor counts for.
const STEPS_PER_FLOOR: u64 = 500;

/// Finds the first seed from `from` upward whose tower matches the pins.
///
/// Tries up to `attempts` seeds, 1 to 1,000,000. The tower of the seed is the one that
/// [`generate`](super::generate) returns.
///
/// # Errors
/// A pin is invalid, `attempts` is out of range, or no seed matches.
///
/// # Complexity
/// For each seed, generates the floors up to the first one that does not match a pin.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_floor::{self as floor, tower};
/// let spec = tower::Config::default().resolve()?;
/// let chest = tower::Pin { floor: 2, x: 4, y: 4, symbol: '$' };
/// let found = tower::find_seed(42.into(), &spec, &[chest], 1000)?;
/// let tower = tower::generate(found.seed, &spec)?;
/// assert_eq!(tower.floors[1].tile(Pos::new(4, 4)), floor::TileKind::Chest);
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

/// Like [`find_seed`], with at most the work of `limit` for all towers together.
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
    let mut sorted_pins = Vec::with_capacity(pins.len());
    for (index, pin) in pins.iter().enumerate() {
        let field = |name: &str| format!("pins[{index}].{name}");
        InputError::in_range(field("floor"), pin.floor, 1, spec.floors().into())?;
        let floor = pin.floor as u32 - 1;
        let unusable = |error: ConfigError| {
            InputError::new(field("floor"), pin.floor, error.problem, error.remedy)
        };
        let size = spec.floor(floor, None).map_err(unusable)?.size();
        InputError::in_range(field("x"), pin.x, 0, i64::from(size.width) - 1)?;
        InputError::in_range(field("y"), pin.y, 0, i64::from(size.height) - 1)?;
        if parse_symbol(pin.symbol).is_none() {
            let remedy = format!("use one of {}", symbols());
            let error = InputError::new(field("symbol"), pin.symbol, "unknown symbol", remedy);
            return Err(error.into());
        }
        sorted_pins.push((floor, Pos::new(pin.x as u16, pin.y as u16), pin.symbol, index));
    }
    sorted_pins.sort_by_key(|&(floor, _, _, index)| (floor, index));
    let name = |pin: &Pin| format!("floor {} {},{} {}", pin.floor, pin.x, pin.y, pin.symbol);
    let names: Vec<String> = pins.iter().map(name).collect();
    seed_search::find_seed(from, attempts, &names, limit, |seed, work| {
        let mut remaining = sorted_pins.as_slice();
        let mut floors = Floors::new(seed, spec).within(limit);
        for number in 0.. {
            let used = floors.work.used();
            let Some(floor) = floors.next() else { break };
            work.spend((floors.work.used() - used).max(STEPS_PER_FLOOR));
            let pins_on_floor = remaining.partition_point(|pin| pin.0 <= number);
            let first = remaining.first()?.3;
            let Ok(floor) = floor else { return Some(first) };
            if let Some(pin) = remaining[..pins_on_floor]
                .iter()
                .find(|&&(_, pos, symbol, _)| floor.symbol(pos) != symbol)
            {
                return Some(pin.3);
            }
            remaining = &remaining[pins_on_floor..];
        }
        remaining.first().map(|pin| pin.3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tower::{Config, generate};

    fn pin(floor: i64, x: i64, y: i64, symbol: char) -> Pin {
        Pin { floor, x, y, symbol }
    }

    #[test]
    fn finds_the_first_seed_whose_tower_matches_the_pins() {
        let spec = Config::default().resolve().unwrap();
        let pins = [pin(6, 1, 1, '.'), pin(2, 0, 0, '#'), pin(2, 2, 2, 'e')];
        let found = find_seed(Seed::new(10), &spec, &pins, 10_000).unwrap();
        let matches_pins = |seed: u64| {
            let tower = generate(Seed::new(seed), &spec).unwrap();
            pins.iter().all(|pin| {
                let floor = &tower.floors[pin.floor as usize - 1];
                floor.symbol(Pos::new(pin.x as u16, pin.y as u16)) == pin.symbol
            })
        };
        assert!(matches_pins(found.seed.number()) && !(10..found.seed.number()).any(matches_pins));
        assert_eq!(found.seed.number(), 9 + u64::from(found.tried));
    }

    #[test]
    fn names_pins_that_no_tower_can_satisfy() {
        let spec = Config::default().resolve().unwrap();
        let error_of = |pin: Pin| find_seed(Seed::new(0), &spec, &[pin], 20).unwrap_err();
        for (pin, field) in [
            (pin(11, 0, 0, '.'), "pins[0].floor"),
            (pin(i64::MIN, 0, 0, '.'), "pins[0].floor"),
            (pin(1, 99, 0, '.'), "pins[0].x"),
            (pin(1, 0, -1, '.'), "pins[0].y"),
            (pin(1, 0, 0, '?'), "pins[0].symbol"),
        ] {
            let error = error_of(pin);
            let SeedSearchError::Input(error) = &error else { panic!("{error}") };
            assert_eq!(error.field, field);
        }
        let text = error_of(pin(1, 0, 0, 'n')).to_string();
        assert!(text.contains("floor 1 0,0 n is missing most often"), "{text}");
        let (pins, limit) = ([pin(10, 0, 0, 'n')], WorkLimit::steps(20 * STEPS_PER_FLOOR));
        let stopped = find_seed_within(Seed::new(0), &spec, &pins, 20, &limit);
        assert!(matches!(stopped, Err(SeedSearchError::Stopped { .. })), "{stopped:?}");
    }
}
