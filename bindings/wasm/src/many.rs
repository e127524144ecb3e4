//! Many maps at once.

use crate::{Fault, json};
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::AnySpec;
use wayforge::InputError;
use wayforge::metric::Term;
use wayforge_analysis::search::{Closest, Columns, Search, Span, columns};
use wayforge_api::bindings::{parse_aim, parse_family, parse_seed, parse_where};

/// The most rows of one answer.
const MAX_ROWS: f64 = 16_777_216.0;

/// Metrics of many maps in columns.
#[wasm_bindgen]
pub struct RawTable {
    names: Vec<String>,
    columns: Columns,
}

#[wasm_bindgen]
impl RawTable {
    /// Makes the maps of `count` seeds from `start` on and reads the metrics named, or all.
    pub fn make(
        family: &str,
        start: &str,
        count: f64,
        config: &str,
        names: Option<Vec<String>>,
    ) -> Result<RawTable, Fault> {
        let subject = AnySpec::from_json(parse_family(family)?, config.as_bytes())?;
        let catalogue = subject.catalogue();
        let all: Vec<(String, Term)> = catalogue.terms().map(|term| (catalogue.name(term), term)).collect();
        let find = |name: &String| {
            all.iter().find(|(known, _)| known == name).cloned().ok_or_else(|| {
                let known: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
                let remedy = format!("use {}", known.join(", "));
                InputError::new("columns", format!("\"{name}\""), "no such metric", remedy)
            })
        };
        let chosen = match &names {
            Some(names) => names.iter().map(find).collect::<Result<Vec<_>, InputError>>()?,
            None => all.clone(),
        };
        let count = whole("count", count)?;
        let (names, terms): (Vec<String>, Vec<Term>) = chosen.into_iter().unzip();
        let columns = columns(&subject, Span::new(parse_seed(start)?).take(count), &terms);
        Ok(RawTable { names, columns })
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The seeds.
    pub fn seeds(&self) -> Vec<u64> {
        self.columns.seeds.clone()
    }

    /// Which seeds have a map.
    pub fn made(&self) -> Vec<u8> {
        self.columns.made.iter().map(|&made| u8::from(made)).collect()
    }

    /// A column; numbers beyond 2^53 are rounded.
    pub fn column(&self, at: usize) -> Vec<f64> {
        self.columns.values.get(at).into_iter().flatten().map(|&value| value as f64).collect()
    }
}

/// The first seeds whose maps meet a condition.
#[wasm_bindgen]
pub fn find_seeds(
    family: &str,
    condition: &str,
    count: f64,
    config: &str,
    start: &str,
    limit: f64,
) -> Result<Vec<u64>, Fault> {
    let subject = AnySpec::from_json(parse_family(family)?, config.as_bytes())?;
    let query = parse_where(condition, &subject.catalogue())?;
    let span = Span::new(parse_seed(start)?).take(whole("limit", limit)?);
    let mut search = Search::new(&subject, span, query, whole("count", count)? as usize);
    while search.advance() {}
    Ok(search.found().iter().map(|seed| seed.number()).collect())
}

/// The seeds whose maps come closest to an aim, and after them, in the same order, their distances.
#[wasm_bindgen]
pub fn closest_seeds(
    family: &str,
    aim: &str,
    condition: Option<String>,
    count: f64,
    config: &str,
    start: &str,
    limit: f64,
) -> Result<Vec<u64>, Fault> {
    let subject = AnySpec::from_json(parse_family(family)?, config.as_bytes())?;
    let catalogue = subject.catalogue();
    let query = condition.map(|text| parse_where(&text, &catalogue)).transpose()?;
    let aim = parse_aim(aim, &catalogue)?;
    let span = Span::new(parse_seed(start)?).take(whole("limit", limit)?);
    let mut search = Closest::new(&subject, span, aim, query, whole("count", count)? as usize);
    while search.advance() {}
    let best = search.best();
    Ok(best.iter().map(|near| near.seed.number()).chain(best.iter().map(|near| near.distance)).collect())
}

/// The metrics of a family under a configuration, as JSON: name, unit and meaning.
#[wasm_bindgen]
pub fn list_metrics(family: &str, config: &str) -> Result<String, Fault> {
    let catalogue = AnySpec::from_json(parse_family(family)?, config.as_bytes())?.catalogue();
    let entry = |term| (catalogue.name(term), catalogue.metric(term).unit, catalogue.metric(term).about);
    json(&catalogue.terms().map(entry).collect::<Vec<_>>())
}

fn whole(field: &str, number: f64) -> Result<u64, InputError> {
    if (0.0..=MAX_ROWS).contains(&number) && number.fract() == 0.0 {
        return Ok(number as u64);
    }
    let remedy = format!("use a whole number from 0 to {MAX_ROWS}");
    Err(InputError::new(field, number, "out of range", remedy))
}
