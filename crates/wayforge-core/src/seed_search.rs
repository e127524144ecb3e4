//! Linear search for a seed whose map contains every pinned cell.
//!
//! Some maps cannot be generated around pins: spire maps reproduce the game's maps, and each floor
//! of a tower depends on the floor below. For those, `find_seed` of the family tries consecutive
//! seeds until a map contains every pin.

use crate::{InputError, Seed, Stopped, Work, WorkLimit};

/// A seed whose map contains every pin, and the number of seeds tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedMatch {
    /// The first matching seed at or after the given one.
    pub seed: Seed,
    /// Number of seeds tried, including this one.
    pub tried: u32,
}

/// Error of a seed search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeedSearchError {
    /// A pin or the number of attempts is invalid.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The work limit was reached.
    #[error("{stopped}; {}", SeedSearchError::REMEDY)]
    Stopped {
        /// Why it stopped.
        stopped: Stopped,
    },
    /// No map contains every pin.
    #[error(
        "pins = {}: none of the maps of {attempts} seeds from {} contains all pins; \
         {rarest} is missing most often; {}",
        .pins.join(", "), .from.to_line(), SeedSearchError::REMEDY
    )]
    NotFound {
        /// First seed that was tried.
        from: Seed,
        /// Number of seeds tried.
        attempts: u32,
        /// The pins.
        pins: Vec<String>,
        /// The pin that was missing most often.
        rarest: String,
    },
}

impl SeedSearchError {
    /// Remedy for [`NotFound`](Self::NotFound) and [`Stopped`](Self::Stopped).
    pub const REMEDY: &str = "remove that pin, or start at another seed";
}

/// Maximum number of seeds that one search may try.
const MAX_ATTEMPTS: u32 = 1_000_000;

/// Tries up to `attempts` consecutive seeds, starting with `from`, with at most the work of
/// `limit`.
///
/// `missing` generates the map of a seed, counts its work, and returns the index of a pin that the
/// map does not contain, if any.
///
/// # Errors
/// `attempts` is out of range, no map contains every pin, or the work was stopped.
#[doc(hidden)]
pub fn find_seed(
    from: Seed,
    attempts: u32,
    pins: &[String],
    limit: &WorkLimit,
    mut missing: impl FnMut(Seed, &Work) -> Option<usize>,
) -> Result<SeedMatch, SeedSearchError> {
    InputError::in_range("attempts", attempts.into(), 1, MAX_ATTEMPTS.into())?;
    let mut misses = vec![0_u32; pins.len()];
    let work = limit.start();
    for n in 0..attempts {
        let seed = from.offset(n.into());
        let found = missing(seed.clone(), &work);
        work.check().map_err(|stopped| SeedSearchError::Stopped { stopped })?;
        match found {
            None => return Ok(SeedMatch { seed, tried: n + 1 }),
            Some(pin) => misses.iter_mut().skip(pin).take(1).for_each(|count| *count += 1),
        }
    }
    let rarest = misses.iter().enumerate().max_by_key(|&(at, count)| (*count, usize::MAX - at));
    let rarest = rarest.and_then(|(at, _)| pins.get(at)).cloned().unwrap_or_default();
    Err(SeedSearchError::NotFound { from, attempts, pins: pins.to_vec(), rarest })
}
