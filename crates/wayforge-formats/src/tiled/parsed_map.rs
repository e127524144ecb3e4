//! Parsed Tiled maps. The types match the structure of TMJ; TMX is read into them as well.

use super::read_tmj::{self, bounded_list};
use crate::error::{FormatError, reject};
use serde::Deserialize;
use std::collections::BTreeMap;
use wayforge::grid::{BitGrid, Pos, Size};

/// Maximum number of cells in all layers together.
pub(crate) const MAX_CELLS: usize = 1 << 26;
/// Maximum number of objects in a map.
pub(crate) const MAX_OBJECTS: usize = 1 << 20;
/// Maximum number of layers, and of tilesets.
pub(crate) const MAX_LAYERS: usize = 64;
/// Maximum number of properties of one element.
pub(crate) const MAX_PROPERTIES: usize = 256;
/// Maximum number of tiles with properties in all tilesets together.
pub(crate) const MAX_TILES: usize = 1 << 16;
/// Maximum nesting depth of layer groups.
pub(crate) const MAX_DEPTH: u32 = 8;
/// Maximum width and height of a map.
pub(crate) const MAX_SIDE: u32 = 8192;

/// Properties by name. All values are text, which also represents numbers and booleans.
pub(crate) type Properties = BTreeMap<String, String>;

/// Tiles with properties, by id.
pub(crate) type Tiles = BTreeMap<u32, ParsedTile>;

/// A parsed map, from TMX or TMJ.
#[derive(Default)]
pub(crate) struct ParsedMap {
    pub(crate) size: Size,
    /// Width and height of a tile in pixels.
    pub(crate) tile: (u32, u32),
    pub(crate) properties: Properties,
    pub(crate) tilesets: Vec<ParsedTileset>,
    pub(crate) layers: Vec<ParsedLayer>,
    pub(crate) objects: Vec<ParsedObject>,
}

/// A tileset: its first global id, and its tiles with properties.
#[derive(Deserialize)]
pub(crate) struct ParsedTileset {
    #[serde(rename = "firstgid")]
    pub(crate) first: u32,
    /// File of an external tileset; missing or empty if it is embedded.
    pub(crate) source: Option<String>,
    #[serde(default, deserialize_with = "read_tmj::tiles")]
    pub(crate) tiles: Tiles,
}

#[derive(Deserialize)]
pub(crate) struct ParsedTile {
    pub(crate) id: u32,
    /// Type of the tile. Tiled 1.9 calls it class.
    #[serde(default, rename = "type", alias = "class")]
    pub(crate) kind: String,
    #[serde(default, deserialize_with = "read_tmj::properties")]
    pub(crate) properties: Properties,
}

pub(crate) struct ParsedLayer {
    pub(crate) name: String,
    pub(crate) cells: Vec<u32>,
}

#[derive(Deserialize)]
pub(crate) struct ParsedObject {
    #[serde(skip)]
    pub(crate) layer: String,
    #[serde(default)]
    pub(crate) id: u32,
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default, rename = "type", alias = "class")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) gid: u32,
    pub(crate) x: f64,
    pub(crate) y: f64,
    #[serde(default)]
    pub(crate) width: f64,
    #[serde(default)]
    pub(crate) height: f64,
    #[serde(default, deserialize_with = "bounded_list::<_, _, MAX_OBJECTS>")]
    pub(crate) polyline: Vec<Point>,
    #[serde(default, deserialize_with = "read_tmj::properties")]
    pub(crate) properties: Properties,
}

/// A point of a polyline, in pixels relative to its object.
#[derive(Deserialize)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl ParsedMap {
    /// Creates a map without layers. Rejects unsupported sizes, orientations and infinite maps.
    pub(crate) fn new(
        sides: [u32; 4],
        orientation: &str,
        infinite: bool,
    ) -> Result<ParsedMap, FormatError> {
        let [width, height, tile_width, tile_height] = sides;
        for (field, side, max) in [
            ("width", width, MAX_SIDE),
            ("height", height, MAX_SIDE),
            ("tilewidth", tile_width, 4096),
            ("tileheight", tile_height, 4096),
        ] {
            if !(1..=max).contains(&side) {
                return Err(reject(
                    format!("map.{field}"),
                    side,
                    "out of range",
                    format!("use 1 to {max}"),
                ));
            }
        }
        if orientation != "orthogonal" {
            let remedy = "in Tiled's map properties set the orientation to orthogonal";
            return Err(reject("map.orientation", orientation, "not supported", remedy));
        }
        if infinite {
            let remedy = "in Tiled's map properties turn Infinite off";
            return Err(reject("map.infinite", "true", "infinite maps are not supported", remedy));
        }
        let size = Size::new(width as u16, height as u16);
        Ok(ParsedMap { size, tile: (tile_width, tile_height), ..ParsedMap::default() })
    }

    /// Returns how many more tiles with properties are allowed.
    pub(crate) fn remaining_tiles(&self) -> usize {
        MAX_TILES.saturating_sub(self.tilesets.iter().map(|set| set.tiles.len()).sum())
    }

    /// Rejects a layer that exceeds a limit or differs in size from the map. Returns its number of
    /// cells.
    pub(crate) fn reserve_layer(
        &self,
        name: &str,
        (width, height): (u32, u32),
    ) -> Result<usize, FormatError> {
        let cells = self.size.cells();
        if self.layers.len() == MAX_LAYERS
            || cells.saturating_mul(self.layers.len() + 1) > MAX_CELLS
        {
            let remedy = format!("use at most {MAX_LAYERS} layers and {MAX_CELLS} cells in total");
            return Err(reject("map.layers", name, "too many layers", remedy));
        }
        for (side, stated, actual) in
            [("width", width, self.size.width), ("height", height, self.size.height)]
        {
            if stated != u32::from(actual) {
                let (field, problem) =
                    (format!("layer {name}.{side}"), format!("the map's {side} is {actual}"));
                return Err(reject(field, stated, problem, "use the size of the map"));
            }
        }
        Ok(cells)
    }

    /// Returns the tile layer called `name`.
    fn layer(&self, name: &str) -> Option<&ParsedLayer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// Returns the tile layer called `name`, or an error that lists the existing ones.
    pub(crate) fn required_layer(&self, name: &str) -> Result<&ParsedLayer, FormatError> {
        self.layer(name).ok_or_else(|| {
            let names: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            reject(
                "layers",
                names,
                format!("no tile layer is called {name}"),
                format!("rename a layer to {name}"),
            )
        })
    }

    /// Returns a property of the map.
    pub(crate) fn property(&self, name: &str) -> Option<&str> {
        self.properties.get(name).map(String::as_str)
    }

    /// Returns a property of the map, or an error if it is missing.
    pub(crate) fn required_property(&self, name: &str) -> Result<&str, FormatError> {
        self.property(name).ok_or_else(|| {
            reject(
                format!("properties.{name}"),
                "missing",
                "required",
                "keep the map properties of the export",
            )
        })
    }

    /// Returns the tile of a global id, or `None` for an empty cell.
    pub(crate) fn tile(
        &self,
        gid: u32,
        field: impl Fn() -> String,
    ) -> Result<Option<&ParsedTile>, FormatError> {
        if gid == 0 {
            return Ok(None);
        }
        // The upper four bits are flip flags.
        if gid >> 28 != 0 {
            let remedy = "use tiles without flipping or rotation (X, Y and Z in Tiled)";
            return Err(reject(field(), gid, "flipped or rotated tile", remedy));
        }
        let set = self.tilesets.iter().filter(|set| set.first <= gid).max_by_key(|set| set.first);
        let tile = set.and_then(|set| set.tiles.get(&(gid - set.first)));
        tile.map(Some).ok_or_else(|| {
            let remedy = "add the property symbol, or use a tile of the exported tileset";
            reject(field(), gid, "tile without properties", remedy)
        })
    }

    /// Returns the cells with any tile in the layer called `name`.
    pub(crate) fn cells_of(&self, name: &str) -> BitGrid {
        let cells = self.layer(name).map_or(&[][..], |layer| &layer.cells);
        let filled = self.size.iter().zip(cells).filter(|(_, gid)| **gid != 0);
        BitGrid::from_cells(self.size, filled.map(|(pos, _)| pos))
    }

    /// Returns the objects of a layer.
    pub(crate) fn objects_of<'a>(
        &'a self,
        layer: &'a str,
    ) -> impl Iterator<Item = &'a ParsedObject> {
        self.objects.iter().filter(move |object| object.layer == layer)
    }

    /// Returns the cell that contains the centre of an object.
    pub(crate) fn cell(&self, object: &ParsedObject) -> Result<Pos, FormatError> {
        let dy = if object.gid != 0 { -object.height } else { object.height };
        self.cell_at(object, object.x + object.width / 2.0, object.y + dy / 2.0)
    }

    /// Returns the cells of a polyline.
    pub(crate) fn line(&self, object: &ParsedObject) -> Result<Vec<Pos>, FormatError> {
        let points = object.polyline.iter();
        points.map(|point| self.cell_at(object, object.x + point.x, object.y + point.y)).collect()
    }

    fn cell_at(&self, object: &ParsedObject, x: f64, y: f64) -> Result<Pos, FormatError> {
        let (column, row) =
            ((x / f64::from(self.tile.0)).floor(), (y / f64::from(self.tile.1)).floor());
        let is_inside = |at: f64, side: u16| at >= 0.0 && at < f64::from(side);
        if is_inside(column, self.size.width) && is_inside(row, self.size.height) {
            return Ok(Pos::new(column as u16, row as u16));
        }
        let remedy = format!("move it onto the map of {}", self.size);
        Err(reject(object.title(), format!("{x},{y}"), "outside the map", remedy))
    }
}

/// Rejects a list with more than `max` entries.
pub(crate) fn check_count(field: &str, count: usize, max: usize) -> Result<(), FormatError> {
    if count > max {
        return Err(reject(field, count, "too many", format!("use at most {max}")));
    }
    Ok(())
}

impl ParsedObject {
    /// Returns the name of the object for error messages.
    pub(crate) fn title(&self) -> String {
        format!("{}.object[{}]", self.layer, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_too_long_are_rejected_with_their_length() {
        assert!(check_count("tileset.tiles", 3, 3).is_ok());
        let error = check_count("tileset.tiles", 5, 3).unwrap_err().to_string();
        assert_eq!(error, "tileset.tiles = 5: too many; use at most 3");
    }
}
