//! The next seed whose map keeps what is pinned.

use crate::handlers::ask::{ConfigInput, Given, SeedInput, read_object};
use crate::handlers::limits::{Limits, check_count};
use crate::handlers::problem::{Kind, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::AnyConfig;
use wayforge::act::{self, Pin};
use wayforge::tower;
use wayforge::{Family, Seed, SeedMatch};

/// The most pins of one request.
const MAX_PINS: usize = 256;
/// Cells of all maps together that a search may make, and the most maps: about a second.
const MAX_ACT_CELLS: u64 = 1 << 23;
const MAX_TOWER_CELLS: u64 = 1 << 22;
const MAX_MAPS: u64 = 80_000;

/// A search for a seed whose map keeps pins.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RerollRequest<'a, P> {
    #[serde(default)]
    seed: Given<SeedInput>,
    #[serde(default, borrow)]
    #[schemars(with = "ConfigInput")]
    config: Given<&'a RawValue>,
    #[schemars(length(max = MAX_PINS))]
    pins: Vec<P>,
}

/// The seed that was found.
#[derive(Serialize, JsonSchema)]
pub struct RerollAnswer {
    /// The first seed, from the given one upward, whose map keeps every pin.
    seed: Seed,
    /// How many seeds were tried, this one included.
    tried: u32,
}

/// The next seed whose act map or tower keeps what is pinned.
///
/// * **Errors.** What cannot be read or is beyond the limits; no seed within them keeps the pins.
pub fn reroll(body: &[u8], family: Family, limits: &Limits) -> Result<RerollAnswer, Problem> {
    let SeedMatch { seed, tried } = match family {
        Family::Tower => {
            find(read_object(body)?, family, limits, |seed, config, pins: &[tower::Pin], cells| {
                let AnyConfig::Tower(config) = config else { return Err(other()) };
                let spec = config.resolve().map_err(|error| Problem::from(error).inside("config"))?;
                Ok(tower::find_seed(seed, &spec, pins, attempts(MAX_TOWER_CELLS, cells))?)
            })
        }
        _ => find(read_object(body)?, family, limits, |seed, config, pins: &[Pin], cells| {
            let AnyConfig::Act(config) = config else { return Err(other()) };
            let spec = config.resolve().map_err(|error| Problem::from(error).inside("config"))?;
            Ok(act::find_seed(seed, &spec, pins, attempts(MAX_ACT_CELLS, cells))?)
        }),
    }?;
    Ok(RerollAnswer { seed, tried })
}

fn find<P>(
    request: RerollRequest<'_, P>,
    family: Family,
    limits: &Limits,
    search: impl FnOnce(Seed, AnyConfig, &[P], u64) -> Result<SeedMatch, Problem>,
) -> Result<SeedMatch, Problem> {
    check_count("pins", "pins", request.pins.len(), MAX_PINS)?;
    let (config, load) = request.config.config(family, limits)?;
    search(request.seed.seed()?, config, &request.pins, load.work())
}

/// How many maps of so many cells may be tried.
fn attempts(most: u64, cells: u64) -> u32 {
    (most / cells.max(1)).clamp(1, MAX_MAPS) as u32
}

fn other() -> Problem {
    Problem::new(Kind::Internal, "a configuration of another family was read")
}
