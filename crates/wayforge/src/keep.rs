//! Seeds whose maps keep what a person pinned, for rulesets that have no pins of their own.
//!
//! A map of the spire ruleset is the game's own, and a tower's floors follow from each other: nothing can be forced into them. But many
//! seeds have many maps, and the next one that keeps the pins is soon found. [`act::find_seed`](crate::act::find_seed) and
//! [`floor::find_tower_seed`](crate::floor::find_tower_seed) look for it.

use crate::{ConfigError, Seed};

/// The seed that was found, and how many were tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The first seed, from the given one upward, whose map keeps every pin.
    pub seed: Seed,
    /// How many seeds were tried, this one included.
    pub tried: u32,
}

/// The most seeds that are tried.
pub(crate) const MOST_ATTEMPTS: u32 = 1_000_000;

/// Tries seeds from `from` upward. `lost` makes the map of a seed and says which pin it does not keep, if any.
pub(crate) fn find(
    from: Seed,
    attempts: u32,
    pins: &[String],
    mut lost: impl FnMut(Seed) -> Option<usize>,
) -> Result<Kept, ConfigError> {
    ConfigError::in_range("attempts", attempts.into(), 1, MOST_ATTEMPTS.into())?;
    let mut times = vec![0_u32; pins.len()];
    for n in 0..attempts {
        let seed = from.plus(n.into());
        match lost(seed.clone()) {
            None => return Ok(Kept { seed, tried: n + 1 }),
            Some(pin) => times.iter_mut().skip(pin).take(1).for_each(|times| *times += 1),
        }
    }
    let rarest = times.iter().enumerate().max_by_key(|&(at, times)| (*times, usize::MAX - at));
    let rarest = rarest.and_then(|(at, _)| pins.get(at)).map_or("", String::as_str);
    let problem =
        format!("no map of the {attempts} seeds from {from} on keeps them all; {rarest} is missed most");
    Err(ConfigError::new("pins", pins.join(", "), problem, "free that pin, or begin at another seed"))
}
