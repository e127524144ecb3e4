//! Reroll: finds the next seed whose map contains all pins.

use crate::handlers::limits::{Limits, check_limit};
use crate::handlers::problem::{Problem, ProblemKind};
use crate::handlers::request::{ConfigInput, OptionalField, SeedInput, read_object};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::AnyConfig;
use wayforge::act::{self, Pin};
use wayforge::tower;
use wayforge::{Family, Seed, SeedMatch};

/// Maximum number of pins of one request.
const MAX_PINS: usize = 256;
/// Maximum total number of cells of all act maps that a request tries: about a second of work.
const MAX_ACT_CELLS: u64 = 1 << 23;
/// Maximum total number of cells of all towers that a request tries: about a second of work.
const MAX_TOWER_CELLS: u64 = 1 << 22;
/// Maximum number of maps that a request tries.
const MAX_MAPS: u64 = 80_000;

/// Search for a seed whose map contains pins.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RerollRequest<'a, P> {
    /// First seed to try; random if omitted.
    #[serde(default)]
    seed: OptionalField<SeedInput>,
    /// Configuration; all defaults if omitted.
    #[serde(default, borrow)]
    #[schemars(with = "ConfigInput")]
    config: OptionalField<&'a RawValue>,
    /// Nodes or tiles that the map must contain.
    #[schemars(length(max = MAX_PINS))]
    pins: Vec<P>,
}

/// Result of a reroll.
#[derive(Serialize, JsonSchema)]
pub struct RerollResponse {
    /// First matching seed, counting up from the given one.
    seed: Seed,
    /// Number of tried seeds, including this one.
    tried: u32,
}

/// Finds the next seed whose act map or tower contains all pins.
///
/// # Errors
/// If the family has no pins, the request is invalid or exceeds the limits, or none of the tried
/// seeds matches.
pub fn reroll(body: &[u8], family: Family, limits: &Limits) -> Result<RerollResponse, Problem> {
    let SeedMatch { seed, tried } = match family {
        Family::Tower => {
            find(read_object(body)?, family, limits, |seed, config, pins: &[tower::Pin], cells| {
                let AnyConfig::Tower(config) = config else { return Err(wrong_family()) };
                let spec =
                    config.resolve().map_err(|error| Problem::from(error).in_member("config"))?;
                let maps = max_maps(MAX_TOWER_CELLS, cells);
                Ok(tower::find_seed_within(seed, &spec, pins, maps, &limits.work_limit)?)
            })
        }
        Family::Act => {
            find(read_object(body)?, family, limits, |seed, config, pins: &[Pin], cells| {
                let AnyConfig::Act(config) = config else { return Err(wrong_family()) };
                let spec =
                    config.resolve().map_err(|error| Problem::from(error).in_member("config"))?;
                let maps = max_maps(MAX_ACT_CELLS, cells);
                Ok(act::find_seed_within(seed, &spec, pins, maps, &limits.work_limit)?)
            })
        }
        Family::Level | Family::Floor => {
            let (map, others) =
                (family.with_article(), Family::list(Family::ALL.into_iter().filter(has_pins)));
            let detail = format!("{map} has no pins; use {others}");
            return Err(Problem::new(ProblemKind::NotFound, detail));
        }
    }?;
    Ok(RerollResponse { seed, tried })
}

/// Returns true if [`reroll`] accepts the family.
fn has_pins(family: &Family) -> bool {
    match family {
        Family::Act | Family::Tower => true,
        Family::Level | Family::Floor => false,
    }
}

/// Checks a request and runs `search` with its seed, configuration, pins and cost per map.
fn find<P>(
    request: RerollRequest<'_, P>,
    family: Family,
    limits: &Limits,
    search: impl FnOnce(Seed, AnyConfig, &[P], u64) -> Result<SeedMatch, Problem>,
) -> Result<SeedMatch, Problem> {
    check_limit("pins", "pins", request.pins.len(), MAX_PINS)?;
    let (config, cost) = request.config.config(family, limits)?;
    search(request.seed.seed()?, config, &request.pins, cost.work())
}

/// Returns the maximum number of maps to try, if each costs `cells`.
fn max_maps(max_cells: u64, cells: u64) -> u32 {
    (max_cells / cells.max(1)).clamp(1, MAX_MAPS) as u32
}

fn wrong_family() -> Problem {
    Problem::new(ProblemKind::InternalError, "the configuration belongs to another family")
}
