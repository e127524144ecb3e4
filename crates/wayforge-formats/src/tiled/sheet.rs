//! Maps of Tiled as they are read: the members of TMJ are those of these types, TMX is read into them.

use super::read_tmj::{self, few};
use crate::error::{FormatError, reject};
use serde::Deserialize;
use std::collections::BTreeMap;
use wayforge::grid::{BitGrid, Pos, Size};

/// The most cells of all layers together.
pub(crate) const MAX_CELLS: usize = 1 << 26;
/// The most objects of a map.
pub(crate) const MAX_OBJECTS: usize = 1 << 20;
/// The most layers, and the most tilesets.
pub(crate) const MAX_LAYERS: usize = 64;
/// The most properties of one thing.
pub(crate) const MAX_PROPERTIES: usize = 256;
/// The most tiles of all tilesets that say something about themselves.
pub(crate) const MAX_TILES: usize = 1 << 16;
/// How deep groups of layers may stand in each other.
pub(crate) const MAX_DEPTH: u32 = 8;
/// The longest side that is read.
pub(crate) const MAX_SIDE: u32 = 8192;

/// Named values; all of them as text, which is what the numbers and truths of ours can be told by.
pub(crate) type Facts = BTreeMap<String, String>;

/// The tiles of a tileset that have properties, by number.
pub(crate) type Tiles = BTreeMap<u32, ReadTile>;

/// A map as it was read, whichever of the two forms it had.
#[derive(Default)]
pub(crate) struct Sheet {
    pub(crate) size: Size,
    /// The sides of a tile in pixels.
    pub(crate) tile: (u32, u32),
    pub(crate) facts: Facts,
    pub(crate) tilesets: Vec<ReadSet>,
    pub(crate) layers: Vec<ReadLayer>,
    pub(crate) objects: Vec<ReadObject>,
}

/// A tileset: the number of its first tile, and the tiles that have properties, by number.
#[derive(Deserialize)]
pub(crate) struct ReadSet {
    #[serde(rename = "firstgid")]
    pub(crate) first: u32,
    /// The file that contains the tiles; none or empty if the map does.
    pub(crate) source: Option<String>,
    #[serde(default, deserialize_with = "read_tmj::tiles")]
    pub(crate) tiles: Tiles,
}

#[derive(Deserialize)]
pub(crate) struct ReadTile {
    pub(crate) id: u32,
    /// Its type. Version 1.9 calls it a class.
    #[serde(default, rename = "type", alias = "class")]
    pub(crate) kind: String,
    #[serde(default, rename = "properties", deserialize_with = "read_tmj::facts")]
    pub(crate) facts: Facts,
}

pub(crate) struct ReadLayer {
    pub(crate) name: String,
    pub(crate) cells: Vec<u32>,
}

#[derive(Deserialize)]
pub(crate) struct ReadObject {
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
    #[serde(default, deserialize_with = "few::<_, _, MAX_OBJECTS>")]
    pub(crate) polyline: Vec<Point>,
    #[serde(default, rename = "properties", deserialize_with = "read_tmj::facts")]
    pub(crate) facts: Facts,
}

/// A point of a line, in pixels from the place of its object.
#[derive(Deserialize)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Sheet {
    /// Checks what must hold before layers are read.
    pub(crate) fn start(sides: [u32; 4], orientation: &str, infinite: bool) -> Result<Sheet, FormatError> {
        let [width, height, tile_width, tile_height] = sides;
        for (field, side, most) in [
            ("width", width, MAX_SIDE),
            ("height", height, MAX_SIDE),
            ("tilewidth", tile_width, 4096),
            ("tileheight", tile_height, 4096),
        ] {
            if !(1..=most).contains(&side) {
                return Err(reject(format!("map.{field}"), side, "out of range", format!("use 1 to {most}")));
            }
        }
        if orientation != "orthogonal" {
            let remedy = "in Tiled's map properties set the orientation to orthogonal";
            return Err(reject("map.orientation", orientation, "not read here", remedy));
        }
        if infinite {
            let remedy = "in Tiled's map properties switch Infinite off";
            return Err(reject("map.infinite", "true", "a map without edges is not read", remedy));
        }
        let size = Size::new(width as u16, height as u16);
        Ok(Sheet { size, tile: (tile_width, tile_height), ..Sheet::default() })
    }

    /// How many more tiles may say something about themselves.
    pub(crate) fn room_for_tiles(&self) -> usize {
        MAX_TILES.saturating_sub(self.tilesets.iter().map(|set| set.tiles.len()).sum())
    }

    /// Rejects a layer that would be one cell too many, or has another size than the map, before it is read. Returns the
    /// number of its cells.
    pub(crate) fn make_room(&self, name: &str, (width, height): (u32, u32)) -> Result<usize, FormatError> {
        let cells = self.size.cells();
        if self.layers.len() == MAX_LAYERS || cells.saturating_mul(self.layers.len() + 1) > MAX_CELLS {
            let remedy = format!("keep at most {MAX_LAYERS} layers and {MAX_CELLS} cells in all of them");
            return Err(reject("map.layers", name, "one layer too many", remedy));
        }
        for (side, said, is) in [("width", width, self.size.width), ("height", height, self.size.height)] {
            if said != u32::from(is) {
                let (field, problem) = (format!("layer {name}.{side}"), format!("the map's is {is}"));
                return Err(reject(field, said, problem, "use that of the map"));
            }
        }
        Ok(cells)
    }

    /// The layer called `name`.
    fn layer(&self, name: &str) -> Option<&ReadLayer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// The layer called `name`, without which there is no map.
    pub(crate) fn needed(&self, name: &str) -> Result<&ReadLayer, FormatError> {
        self.layer(name).ok_or_else(|| {
            let known: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            reject("layers", known, format!("no tile layer is called {name}"), format!("call it {name}"))
        })
    }

    /// A property of the map, if it is there.
    pub(crate) fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name).map(String::as_str)
    }

    /// A property without which there is no map.
    pub(crate) fn needed_fact(&self, name: &str) -> Result<&str, FormatError> {
        self.fact(name).ok_or_else(|| {
            reject(format!("properties.{name}"), "missing", "needed", "keep the map properties of the export")
        })
    }

    /// What the tile of a number says about itself; none for an empty cell.
    pub(crate) fn tile(
        &self,
        gid: u32,
        field: impl Fn() -> String,
    ) -> Result<Option<&ReadTile>, FormatError> {
        if gid == 0 {
            return Ok(None);
        }
        // The upper four bits turn a tile.
        if gid >> 28 != 0 {
            let remedy = "use tiles as they are; in Tiled, X, Y and Z turn them";
            return Err(reject(field(), gid, "a tile that is mirrored or turned", remedy));
        }
        let set = self.tilesets.iter().filter(|set| set.first <= gid).max_by_key(|set| set.first);
        let tile = set.and_then(|set| set.tiles.get(&(gid - set.first)));
        tile.map(Some).ok_or_else(|| {
            let remedy = "give it a property symbol, or use a tile of the tileset of the export";
            reject(field(), gid, "a tile that says nothing about itself", remedy)
        })
    }

    /// The cells where the layer called `name` has any tile.
    pub(crate) fn cells_of(&self, name: &str) -> BitGrid {
        let cells = self.layer(name).map_or(&[][..], |layer| &layer.cells);
        let filled = self.size.iter().zip(cells).filter(|(_, gid)| **gid != 0);
        BitGrid::of(self.size, filled.map(|(pos, _)| pos))
    }

    /// The objects of a layer.
    pub(crate) fn objects_of<'a>(&'a self, layer: &'a str) -> impl Iterator<Item = &'a ReadObject> {
        self.objects.iter().filter(move |object| object.layer == layer)
    }

    /// The cell that an object stands in: that of its middle.
    pub(crate) fn cell(&self, object: &ReadObject) -> Result<Pos, FormatError> {
        let up = if object.gid != 0 { -object.height } else { object.height };
        self.at(object, object.x + object.width / 2.0, object.y + up / 2.0)
    }

    /// The cells of a line.
    pub(crate) fn line(&self, object: &ReadObject) -> Result<Vec<Pos>, FormatError> {
        let points = object.polyline.iter();
        points.map(|point| self.at(object, object.x + point.x, object.y + point.y)).collect()
    }

    fn at(&self, object: &ReadObject, x: f64, y: f64) -> Result<Pos, FormatError> {
        let (column, row) = ((x / f64::from(self.tile.0)).floor(), (y / f64::from(self.tile.1)).floor());
        let on = |at: f64, side: u16| at >= 0.0 && at < f64::from(side);
        if on(column, self.size.width) && on(row, self.size.height) {
            return Ok(Pos::new(column as u16, row as u16));
        }
        let remedy = format!("move it onto the map of {}", self.size);
        Err(reject(object.title(), format!("{x},{y}"), "beyond the map", remedy))
    }
}

/// Rejects more tiles than there is room for.
pub(crate) fn check_tiles(count: usize, room: usize) -> Result<(), FormatError> {
    match count > room {
        true => Err(reject("tileset.tiles", MAX_TILES, "too many", "use fewer tiles")),
        false => Ok(()),
    }
}

/// Rejects a list with more than `most` entries.
pub(crate) fn check_count(field: &str, count: usize, most: usize) -> Result<(), FormatError> {
    match count > most {
        true => Err(reject(field, most + 1, "too many", format!("use at most {most}"))),
        false => Ok(()),
    }
}

impl ReadObject {
    /// What to call it in a message.
    pub(crate) fn title(&self) -> String {
        format!("{}.object[{}]", self.layer, self.id)
    }
}
