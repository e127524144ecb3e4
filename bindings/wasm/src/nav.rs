//! Pathfinding on navigation grids.

use crate::ThrownError;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::InputError;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::{
    self, ArchipelagoConfig, CorridorConfig, CorridorOptions, NavGrid, Navigator, Options, Query,
};
use wayforge_api::bindings::{
    BindingError, parse_cell, parse_coarse_rule, parse_connectivity, parse_metric,
    parse_preprocessing, parse_seed,
};

/// Navigation grid of open and blocked tiles.
#[wasm_bindgen]
pub struct RawNavGrid(NavGrid);

#[wasm_bindgen]
impl RawNavGrid {
    /// Builds a grid from one byte per tile, row by row; a tile is open if its byte is not 0.
    pub fn from_bytes(width: u32, height: u32, open: &[u8]) -> Result<RawNavGrid, ThrownError> {
        let max = NavGrid::MAX_SIDE.into();
        let side = |field: &str, value: u32| InputError::in_range(field, value.into(), 1, max);
        let size = Size::new(side("width", width)? as u16, side("height", height)? as u16);
        if open.len() != size.cells() {
            let problem = format!("a grid of {size} has {} tiles", size.cells());
            let bytes = format!("{} bytes", open.len());
            return Err(InputError::new("open", bytes, problem, "pass one byte per tile").into());
        }
        let tiles = size.iter().zip(open).filter(|(_, open)| **open != 0).map(|(pos, _)| pos);
        Ok(RawNavGrid(NavGrid::new(BitGrid::from_cells(size, tiles))?))
    }

    /// Parses a drawing; see `NavGrid::from_text`.
    pub fn from_text(text: &str) -> Result<RawNavGrid, ThrownError> {
        Ok(RawNavGrid(NavGrid::from_text(text)?))
    }

    /// Generates an archipelago from a configuration in JSON.
    pub fn archipelago(seed: &str, config: &str) -> Result<RawNavGrid, ThrownError> {
        let spec = ArchipelagoConfig::from_json(config.as_bytes())?.resolve()?;
        Ok(RawNavGrid(nav::archipelago(parse_seed(seed)?, &spec)))
    }

    /// Number of columns.
    pub fn width(&self) -> u32 {
        self.0.size().width.into()
    }

    /// Number of rows.
    pub fn height(&self) -> u32 {
        self.0.size().height.into()
    }

    /// Number of open tiles.
    pub fn tiles(&self) -> usize {
        self.0.open_count()
    }

    /// One byte per tile, row by row: 1 if the tile is open.
    pub fn open(&self) -> Vec<u8> {
        self.0.size().iter().map(|pos| u8::from(self.0.is_open(pos))).collect()
    }

    /// Magnitude of each tile, one byte per tile.
    pub fn magnitudes(&self) -> Vec<u8> {
        self.0.size().iter().map(|pos| self.0.magnitude(pos)).collect()
    }
}

/// Returns the digest of an archipelago's document.
#[wasm_bindgen]
pub fn archipelago_digest(seed: &str, config: &str) -> Result<String, ThrownError> {
    let spec = ArchipelagoConfig::from_json(config.as_bytes())?.resolve()?;
    Ok(nav::archipelago_document(parse_seed(seed)?, &spec).digest.to_string())
}

/// Shortest-path queries on a navigation grid.
#[wasm_bindgen]
pub struct RawNavigator(Navigator);

#[wasm_bindgen]
impl RawNavigator {
    /// Creates a navigator. Corridor options that are undefined keep the default of each method.
    #[allow(clippy::too_many_arguments)] // `js/api.js` passes them by name.
    pub fn with_options(
        grid: &RawNavGrid,
        preprocessing: &str,
        connectivity: u32,
        metric: &str,
        factor: Option<f64>,
        radius: Option<f64>,
        max_expansions: Option<f64>,
        coarse_rule: Option<String>,
    ) -> Result<RawNavigator, ThrownError> {
        let (preprocessing, connectivity, metric) = (
            parse_preprocessing(preprocessing)?,
            parse_connectivity(connectivity)?,
            parse_metric(metric)?,
        );
        let corridor = CorridorConfig {
            factor: integer("factor", factor, 1)?,
            radius: integer("radius", radius, 0)?,
            max_expansions: integer("maxExpansions", max_expansions, 0)?,
            coarse_rule: coarse_rule
                .as_deref()
                .map(parse_coarse_rule)
                .transpose()
                .map_err(camel_case)?,
        };
        let options =
            corridor.apply(Options { preprocessing, connectivity, metric, ..Options::default() });
        Ok(RawNavigator(Navigator::with_options(
            &grid.0,
            options.map_err(|error| camel_case(error.into()))?,
        )?))
    }

    /// Finds a path from any source to any target. Tiles are passed as x, y, x, y and so on.
    #[allow(clippy::too_many_arguments)] // `js/api.js` passes them by name.
    pub fn find(
        &mut self,
        sources: &[f64],
        targets: &[f64],
        connectivity: u32,
        metric: &str,
        method: &str,
        depths: Vec<u8>,
        smooth: bool,
    ) -> Result<Option<RawPath>, ThrownError> {
        let metric = parse_metric(metric)?;
        let query = Query {
            sources: cells("sources", sources)?,
            targets: cells("targets", targets)?,
            connectivity: parse_connectivity(connectivity)?,
            metric,
            method: method.parse()?,
            depths,
            smooth,
        };
        Ok(self.0.find(&query)?.map(|path| RawPath { path, metric }))
    }

    /// Opens or blocks tiles and returns the number of changed tiles.
    pub fn edit(&mut self, tiles: &[f64], open: bool) -> Result<usize, ThrownError> {
        let changes: Vec<(Pos, bool)> =
            cells("tiles", tiles)?.into_iter().map(|pos| (pos, open)).collect();
        Ok(self.0.edit(&changes)?)
    }

    /// Computes the number of steps from the nearest source to every tile, row by row.
    pub fn distance_field(
        &self,
        sources: &[f64],
        connectivity: u32,
    ) -> Result<Vec<u32>, ThrownError> {
        Ok(self
            .0
            .distance_field(&cells("sources", sources)?, parse_connectivity(connectivity)?)?
            .into_steps())
    }

    /// Current grid, with all edits.
    pub fn grid(&self) -> RawNavGrid {
        RawNavGrid(self.0.grid().clone())
    }
}

/// Result of a query.
#[wasm_bindgen]
pub struct RawPath {
    path: nav::Path,
    metric: nav::Metric,
}

#[wasm_bindgen]
impl RawPath {
    /// Tiles of the path as x, y, x, y and so on.
    pub fn tiles(&self) -> Vec<u16> {
        self.path.tiles.iter().flat_map(|pos| [pos.x, pos.y]).collect()
    }

    /// All other members of the path as JSON.
    pub fn details(&self) -> String {
        let path = &self.path;
        serde_json::json!({
            "length": path.length(self.metric),
            "steps": path.steps(),
            "source": path.source,
            "target": path.target,
            "guarantee": path.guarantee.name(),
            "method": path.method.name(),
            "depth": path.depth,
            "visited": path.stats.visited,
            "expansions": path.stats.expansions,
            "fallback": path.stats.fallback,
        })
        .to_string()
    }
}

/// Converts a JavaScript number to an integer; `min` is the smallest value of the field.
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

/// Renames the fields of corridor options in an error to their JavaScript names.
fn camel_case(error: BindingError) -> BindingError {
    let name = |text: &str| {
        text.replace("max_expansions", "maxExpansions").replace("coarse_rule", "coarseRule")
    };
    BindingError {
        message: name(&error.message).into(),
        field: error.field.as_deref().map(name),
        ..error
    }
}

/// Converts x, y, x, y and so on to positions.
fn cells(field: &str, flat: &[f64]) -> Result<Vec<Pos>, BindingError> {
    let cell = |(i, pair): (usize, &[f64])| {
        let integer = |number: f64| if number.fract() == 0.0 { number as i64 } else { -1 };
        parse_cell(&format!("{field}[{i}]"), [integer(pair[0]), integer(pair[1])])
            .map(|[x, y]| Pos::new(x, y))
    };
    flat.as_chunks::<2>().0.iter().map(|pair| &pair[..]).enumerate().map(cell).collect()
}
