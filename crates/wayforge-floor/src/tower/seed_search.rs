//! The next seed whose tower keeps pinned cells.

use super::{Floors, Spec};
use crate::map::{of_symbol, symbols};
use serde::{Deserialize, Serialize};
use wayforge_core::grid::Pos;
use wayforge_core::seed_search::{self, SeedMatch};
use wayforge_core::{ConfigError, Seed};

/// A cell of a tower that must hold something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TowerPin"))]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Which floor, counted from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub floor: i64,
    /// Column, from 0 at the left.
    pub x: i64,
    /// Row, from 0 at the top.
    pub y: i64,
    /// What it holds, as floors are drawn: `#` wall, `.` floor, `<` entrance, `>` exit, `+` door, `^` trap, `$` chest, `~` water, `e`
    /// enemy, `i` item, `r` relic, `n` person.
    pub symbol: char,
}

/// The first seed from `from` upward whose tower holds what is pinned.
///
/// * **Arguments.** Where to begin, the configuration, the cells, and how many seeds may be tried, 1 to 1,000,000.
/// * **Returns.** The seed; its tower is [`generate`](super::generate)'s own. An error names a pin that no tower can hold,
///   or the pin that was missed most.
/// * **Complexity.** For each seed that is tried the floors up to the first that misses a pin.
///
/// ```
/// use wayforge_floor::{self as floor, tower};
/// let spec = tower::Config::default().resolve()?;
/// let found = tower::find_seed(42.into(), &spec, &[tower::Pin { floor: 2, x: 4, y: 4, symbol: '$' }], 1000)?;
/// let tower = tower::generate(found.seed, &spec)?;
/// assert_eq!(tower.floors[1].tile(wayforge_core::grid::Pos::new(4, 4)), floor::TileKind::Chest);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_seed(from: Seed, spec: &Spec, pins: &[Pin], attempts: u32) -> Result<SeedMatch, ConfigError> {
    let mut wanted = Vec::with_capacity(pins.len());
    for (at, pin) in pins.iter().enumerate() {
        ConfigError::in_range(format!("pins[{at}].floor"), pin.floor, 1, spec.floors().into())?;
        let floor = pin.floor as u32 - 1;
        let size = spec.floor(floor, None)?.size();
        ConfigError::in_range(format!("pins[{at}].x"), pin.x, 0, i64::from(size.width) - 1)?;
        ConfigError::in_range(format!("pins[{at}].y"), pin.y, 0, i64::from(size.height) - 1)?;
        if of_symbol(pin.symbol).is_none() {
            let (field, remedy) = (format!("pins[{at}].symbol"), format!("use one of {}", symbols()));
            return Err(ConfigError::new(field, pin.symbol, "means nothing", remedy));
        }
        wanted.push((floor, Pos::new(pin.x as u16, pin.y as u16), pin.symbol, at));
    }
    wanted.sort_by_key(|&(floor, _, _, at)| (floor, at));
    let name = |pin: &Pin| format!("floor {} {},{} {}", pin.floor, pin.x, pin.y, pin.symbol);
    let names: Vec<String> = pins.iter().map(name).collect();
    seed_search::find_seed(from, attempts, &names, |seed| {
        let mut left = wanted.as_slice();
        for (number, floor) in (0..).zip(Floors::new(seed, spec)) {
            let here = left.partition_point(|pin| pin.0 <= number);
            let first = left.first()?.3;
            let Ok(floor) = floor else { return Some(first) };
            if let Some(pin) = left[..here].iter().find(|&&(_, pos, symbol, _)| floor.symbol(pos) != symbol) {
                return Some(pin.3);
            }
            left = &left[here..];
        }
        left.first().map(|pin| pin.3)
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
    fn the_seed_found_is_the_first_whose_tower_keeps_the_pins() {
        let spec = Config::default().resolve().unwrap();
        let pins = [pin(6, 1, 1, '.'), pin(2, 0, 0, '#'), pin(2, 2, 2, 'e')];
        let found = find_seed(Seed::new(10), &spec, &pins, 10_000).unwrap();
        let keeps = |seed: u64| {
            let tower = generate(Seed::new(seed), &spec).unwrap();
            pins.iter().all(|pin| {
                let floor = &tower.floors[pin.floor as usize - 1];
                floor.symbol(Pos::new(pin.x as u16, pin.y as u16)) == pin.symbol
            })
        };
        assert!(keeps(found.seed.number()) && !(10..found.seed.number()).any(keeps));
        assert_eq!(found.seed.number(), 9 + u64::from(found.tried));
    }

    #[test]
    fn what_no_tower_holds_is_refused_by_name() {
        let spec = Config::default().resolve().unwrap();
        let ask = |pin: Pin| find_seed(Seed::new(0), &spec, &[pin], 20).unwrap_err();
        assert_eq!(ask(pin(11, 0, 0, '.')).field, "pins[0].floor");
        assert_eq!(ask(pin(i64::MIN, 0, 0, '.')).field, "pins[0].floor");
        assert_eq!(ask(pin(1, 99, 0, '.')).field, "pins[0].x");
        assert_eq!(ask(pin(1, 0, -1, '.')).field, "pins[0].y");
        assert_eq!(ask(pin(1, 0, 0, '?')).field, "pins[0].symbol");
        let text = ask(pin(1, 0, 0, 'n')).to_string();
        assert!(text.contains("floor 1 0,0 n is missed most"), "{text}");
    }
}
