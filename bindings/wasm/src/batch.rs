//! Metrics of many maps, and searches over seeds.

use crate::{ThrownError, json};
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::AnySpec;
use wayforge::InputError;
use wayforge_analysis::search::{ClosestSearch, Columns, SeedRange, SeedSearch, measure_seeds};
use wayforge_api::bindings::{parse_columns, parse_family, parse_seed, parse_targets, parse_where};

/// Largest number of rows in a table.
const MAX_ROWS: f64 = 16_777_216.0;

/// Metrics of many maps, one column per metric.
#[wasm_bindgen]
pub struct RawTable {
    names: Vec<String>,
    columns: Columns,
}

#[wasm_bindgen]
impl RawTable {
    /// Generates the maps of `count` consecutive seeds and computes the named metrics, or all.
    pub fn measure(
        family: &str,
        start: &str,
        count: f64,
        config: &str,
        names: Option<Vec<String>>,
    ) -> Result<RawTable, ThrownError> {
        let spec = AnySpec::from_json(parse_family(family)?, config.as_bytes())?;
        let catalogue = spec.catalogue();
        let terms = parse_columns(names.as_deref(), &catalogue)?;
        let names = terms.iter().map(|&term| catalogue.name(term)).collect();
        let count = parse_count("count", count)?;
        let columns = measure_seeds(&spec, SeedRange::new(parse_seed(start)?).take(count), &terms);
        Ok(RawTable { names, columns })
    }

    /// Names of the metric columns.
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Seed of each row.
    pub fn seeds(&self) -> Vec<u64> {
        self.columns.seeds.clone()
    }

    /// 1 for each row whose seed has a map, otherwise 0.
    pub fn generated(&self) -> Vec<u8> {
        self.columns.generated.iter().map(|&generated| u8::from(generated)).collect()
    }

    /// Values of a column; values above 2^53 are rounded.
    pub fn column(&self, index: usize) -> Vec<f64> {
        self.columns.values.get(index).into_iter().flatten().map(|&value| value as f64).collect()
    }
}

/// Returns the first seeds whose maps satisfy a condition.
#[wasm_bindgen]
pub fn find_seeds(
    family: &str,
    condition: &str,
    count: f64,
    config: &str,
    start: &str,
    limit: f64,
) -> Result<Vec<u64>, ThrownError> {
    let spec = AnySpec::from_json(parse_family(family)?, config.as_bytes())?;
    let query = parse_where(condition, &spec.catalogue())?;
    let range = SeedRange::new(parse_seed(start)?).take(parse_count("limit", limit)?);
    let mut search = SeedSearch::new(&spec, range, query, parse_count("count", count)? as usize);
    while search.advance() {}
    Ok(search.matches().iter().map(|seed| seed.number()).collect())
}

/// Returns the seeds whose maps are closest to the target values, followed by their distances in
/// the same order.
#[wasm_bindgen]
pub fn closest_seeds(
    family: &str,
    targets: &str,
    condition: Option<String>,
    count: f64,
    config: &str,
    start: &str,
    limit: f64,
) -> Result<Vec<u64>, ThrownError> {
    let spec = AnySpec::from_json(parse_family(family)?, config.as_bytes())?;
    let catalogue = spec.catalogue();
    let query = condition.map(|text| parse_where(&text, &catalogue)).transpose()?;
    let targets = parse_targets(targets, &catalogue)?;
    let range = SeedRange::new(parse_seed(start)?).take(parse_count("limit", limit)?);
    let mut search =
        ClosestSearch::new(&spec, range, targets, query, parse_count("count", count)? as usize);
    while search.advance() {}
    let best = search.best();
    Ok(best
        .iter()
        .map(|candidate| candidate.seed.number())
        .chain(best.iter().map(|candidate| candidate.distance))
        .collect())
}

/// Lists the metrics of a family under a configuration as JSON: name, unit and description.
#[wasm_bindgen]
pub fn list_metrics(family: &str, config: &str) -> Result<String, ThrownError> {
    let catalogue = AnySpec::from_json(parse_family(family)?, config.as_bytes())?.catalogue();
    let entry = |term| {
        (catalogue.name(term), catalogue.metric(term).unit, catalogue.metric(term).description)
    };
    json(&catalogue.terms().map(entry).collect::<Vec<_>>())
}

/// Converts a JavaScript number to an integer from 0 to [`MAX_ROWS`].
fn parse_count(field: &str, number: f64) -> Result<u64, InputError> {
    if (0.0..=MAX_ROWS).contains(&number) && number.fract() == 0.0 {
        return Ok(number as u64);
    }
    let remedy = format!("use a whole number from 0 to {MAX_ROWS}");
    Err(InputError::new(field, number, "out of range", remedy))
}
