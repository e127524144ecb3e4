//! Ways over water.

use crate::Fault;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::InputError;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::{
    self, ArchipelagoConfig, CorridorConfig, CorridorOptions, Navigator, Options, Query, Water,
};
use wayforge_api::bindings::{
    BindingError, parse_cell, parse_coarse_rule, parse_metric, parse_moves, parse_prepare, parse_seed,
};

/// A grid of water and land.
#[wasm_bindgen]
pub struct RawWater(Water);

#[wasm_bindgen]
impl RawWater {
    /// Water where a byte is not 0, row by row.
    pub fn of(width: u32, height: u32, open: &[u8]) -> Result<RawWater, Fault> {
        let max = Water::MAX_SIDE.into();
        let side = |field: &str, value: u32| InputError::in_range(field, value.into(), 1, max);
        let size = Size::new(side("width", width)? as u16, side("height", height)? as u16);
        if open.len() != size.cells() {
            let problem = format!("a grid of {size} has {} tiles", size.cells());
            let bytes = format!("{} bytes", open.len());
            return Err(InputError::new("open", bytes, problem, "give one a tile").into());
        }
        let water = size.iter().zip(open).filter(|(_, open)| **open != 0).map(|(pos, _)| pos);
        Ok(RawWater(Water::new(BitGrid::of(size, water))?))
    }

    /// Water from a drawing.
    pub fn from_text(text: &str) -> Result<RawWater, Fault> {
        Ok(RawWater(Water::from_text(text)?))
    }

    /// An archipelago from a configuration in JSON.
    pub fn archipelago(seed: &str, config: &str) -> Result<RawWater, Fault> {
        let spec = ArchipelagoConfig::from_json(config.as_bytes())?.resolve()?;
        Ok(RawWater(nav::archipelago(parse_seed(seed)?, &spec)))
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.0.size().width.into()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.0.size().height.into()
    }

    /// How many tiles are water.
    pub fn tiles(&self) -> usize {
        self.0.tiles()
    }

    /// One byte a tile, row by row: 1 for water.
    pub fn open(&self) -> Vec<u8> {
        self.0.size().iter().map(|pos| u8::from(self.0.is_open(pos))).collect()
    }

    /// The magnitudes, one byte a tile.
    pub fn magnitudes(&self) -> Vec<u8> {
        self.0.size().iter().map(|pos| self.0.magnitude(pos)).collect()
    }
}

/// The digest of an archipelago's document.
#[wasm_bindgen]
pub fn archipelago_digest(seed: &str, config: &str) -> Result<String, Fault> {
    let spec = ArchipelagoConfig::from_json(config.as_bytes())?.resolve()?;
    Ok(nav::archipelago_document(parse_seed(seed)?, &spec).digest.to_string())
}

/// Finds ways over water.
#[wasm_bindgen]
pub struct RawNavigator(Navigator);

#[wasm_bindgen]
impl RawNavigator {
    /// A navigator of a grid; corridor options that are undefined keep each method's default.
    #[allow(clippy::too_many_arguments)] // The module names them.
    pub fn of(
        water: &RawWater,
        prepare: &str,
        moves: u32,
        metric: &str,
        factor: Option<f64>,
        radius: Option<f64>,
        max_expansions: Option<f64>,
        coarse_rule: Option<String>,
    ) -> Result<RawNavigator, Fault> {
        let (prepare, moves, metric) = (parse_prepare(prepare)?, parse_moves(moves)?, parse_metric(metric)?);
        let corridor = CorridorConfig {
            factor: integer("factor", factor, 1)?,
            radius: integer("radius", radius, 0)?,
            max_expansions: integer("maxExpansions", max_expansions, 0)?,
            coarse_rule: coarse_rule.as_deref().map(parse_coarse_rule).transpose().map_err(camel_case)?,
        };
        let options = corridor.apply(Options { prepare, moves, metric, ..Options::default() });
        Ok(RawNavigator(Navigator::with(&water.0, options.map_err(|error| camel_case(error.into()))?)?))
    }

    /// A way from any of the sources to any of the targets: pairs of x and y one after the other.
    #[allow(clippy::too_many_arguments)] // The module names them.
    pub fn find(
        &mut self,
        sources: &[f64],
        targets: &[f64],
        moves: u32,
        metric: &str,
        method: &str,
        depths: Vec<u8>,
        smooth: bool,
    ) -> Result<Option<RawWay>, Fault> {
        let metric = parse_metric(metric)?;
        let query = Query {
            sources: cells("sources", sources)?,
            targets: cells("targets", targets)?,
            moves: parse_moves(moves)?,
            metric,
            method: method.parse()?,
            depths,
            smooth,
        };
        Ok(self.0.find(&query)?.map(|way| RawWay { way, metric }))
    }

    /// Turns tiles to water or to land; how many changed.
    pub fn edit(&mut self, tiles: &[f64], open: bool) -> Result<usize, Fault> {
        let changes: Vec<(Pos, bool)> = cells("tiles", tiles)?.into_iter().map(|pos| (pos, open)).collect();
        Ok(self.0.edit(&changes)?)
    }

    /// The steps from the nearest source to every tile, row by row.
    pub fn distance_field(&self, sources: &[f64], moves: u32) -> Result<Vec<u32>, Fault> {
        Ok(self.0.distance_field(&cells("sources", sources)?, parse_moves(moves)?)?.into_steps())
    }

    /// The grid as it stands.
    pub fn water(&self) -> RawWater {
        RawWater(self.0.water().clone())
    }
}

/// A way.
#[wasm_bindgen]
pub struct RawWay {
    way: nav::Way,
    metric: nav::Metric,
}

#[wasm_bindgen]
impl RawWay {
    /// Pairs of x and y.
    pub fn tiles(&self) -> Vec<u16> {
        self.way.tiles.iter().flat_map(|pos| [pos.x, pos.y]).collect()
    }

    /// Everything else, as JSON.
    pub fn told(&self) -> String {
        let way = &self.way;
        serde_json::json!({
            "length": way.length(self.metric), "steps": way.steps(), "source": way.source, "target": way.target,
            "guarantee": way.guarantee.name(), "method": way.method.name(), "depth": way.depth,
            "visited": way.counts.visited, "expansions": way.counts.expansions, "fallback": way.counts.fallback,
        })
        .to_string()
    }
}

/// An integer of JavaScript; `min` is the smallest that its field takes.
fn integer(field: &str, value: Option<f64>, min: i64) -> Result<Option<i64>, BindingError> {
    let exact = |value: f64| value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0;
    match value {
        Some(value) if !exact(value) => {
            let remedy = format!("use {min} to {}", CorridorOptions::MAX);
            Err(InputError::new(field, value, "not an integer", remedy).into())
        }
        value => Ok(value.map(|value| value as i64)),
    }
}

/// Renames the fields of corridor options as JavaScript spells them.
fn camel_case(fault: BindingError) -> BindingError {
    let name =
        |text: &str| text.replace("max_expansions", "maxExpansions").replace("coarse_rule", "coarseRule");
    BindingError { message: name(&fault.message).into(), field: fault.field.as_deref().map(name), ..fault }
}

fn cells(field: &str, flat: &[f64]) -> Result<Vec<Pos>, BindingError> {
    let cell = |(i, pair): (usize, &[f64])| {
        let whole = |number: f64| if number.fract() == 0.0 { number as i64 } else { -1 };
        parse_cell(&format!("{field}[{i}]"), [whole(pair[0]), whole(pair[1])]).map(|[x, y]| Pos::new(x, y))
    };
    flat.as_chunks::<2>().0.iter().map(|pair| &pair[..]).enumerate().map(cell).collect()
}
