//! A map as Tiled will have it, with its tileset, before it is written as XML or JSON: both writers only emit.

use super::names;
use wayforge::Document;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::grid::{Pos, Size};
use wayforge::level::Symbol;
use wayforge::nav::Water;
use wayforge_draw::{
    DrawError, FloorTile, LevelTile, Theme, TileSheet, WATER_MAGNITUDES, floor_tiles, level_tiles,
    water_tiles,
};

/// A map: one tileset, tile layers and object layers.
pub(crate) struct Plan<'a> {
    pub(crate) set: Set,
    pub(crate) size: Size,
    /// In the order of their names.
    pub(crate) properties: Vec<Property>,
    pub(crate) layers: Vec<Layer<'a>>,
}

impl<'a> Plan<'a> {
    /// A map of a `family`, with more `properties` in any order.
    pub(crate) fn new(
        set: Set,
        size: Size,
        family: &str,
        mut properties: Vec<Property>,
        layers: Vec<Layer<'a>>,
    ) -> Plan<'a> {
        properties.push(Property::text(names::FAMILY, family));
        properties.sort_by_key(|property| property.name);
        Plan { set, size, properties, layers }
    }
}

/// A named value of a map, a tile or an object.
pub(crate) struct Property {
    pub(crate) name: &'static str,
    /// Tiled's name of its type: `string`, `int` or `bool`.
    pub(crate) kind: &'static str,
    pub(crate) value: String,
}

/// A picture of tiles, and what each of them is.
pub(crate) struct Tileset {
    pub(crate) name: &'static str,
    /// The file of the picture.
    pub(crate) image: String,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    /// The side of a tile in pixels.
    pub(crate) side: u32,
    pub(crate) tiles: Vec<Tile>,
}

pub(crate) struct Tile {
    pub(crate) kind: &'static str,
    pub(crate) properties: Vec<Property>,
}

/// The tile of each cell, by its number in the tileset from 1; 0 for none. Called when it is written, so that no layer is held.
pub(crate) type Cells<'a> = Box<dyn Fn(Pos) -> u32 + 'a>;

pub(crate) enum Layer<'a> {
    Tiles { name: &'static str, visible: bool, cells: Cells<'a> },
    Objects { name: &'static str, colour: Option<&'static str>, objects: Vec<Object> },
}

pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    /// The cell that it stands in, or begins in.
    pub(crate) cell: Pos,
    pub(crate) shape: Shape,
    pub(crate) properties: Vec<Property>,
}

pub(crate) enum Shape {
    /// A tile of the tileset, from 1.
    Tile(u32),
    /// The whole cell.
    Cell,
    /// A line through the middles of cells.
    Line(Vec<Pos>),
}

impl Property {
    pub(crate) fn text(name: &'static str, value: impl Into<String>) -> Property {
        Property { name, kind: "string", value: value.into() }
    }

    pub(crate) fn int(name: &'static str, value: impl Into<i64>) -> Property {
        Property { name, kind: "int", value: value.into().to_string() }
    }

    pub(crate) fn bool(name: &'static str, value: bool) -> Property {
        Property { name, kind: "bool", value: value.to_string() }
    }

    /// A value as JSON, in characters that XML can hold.
    pub(crate) fn json(name: &'static str, value: &impl serde::Serialize) -> Property {
        // Plain values in memory can always be written.
        Property::json_text(name, &serde_json::to_string(value).unwrap_or_default())
    }

    fn json_text(name: &'static str, json: &str) -> Property {
        Property::text(name, json.replace('\u{fffe}', "\\ufffe").replace('\u{ffff}', "\\uffff"))
    }

    /// How a map was generated.
    pub(crate) fn generated(document: &Document) -> [Property; 4] {
        [
            Property::text(names::ALGORITHM, document.algorithm.as_str()),
            Property::json_text(names::CONFIG, &document.config),
            Property::text(names::DIGEST, document.digest.to_string()),
            Property::text(names::SEED, document.seed.to_string()),
        ]
    }
}

impl Layer<'_> {
    /// A visible layer of tiles.
    pub(crate) fn tiles<'a>(name: &'static str, cells: impl Fn(Pos) -> u32 + 'a) -> Layer<'a> {
        Layer::Tiles { name, visible: true, cells: Box::new(cells) }
    }

    /// A layer with one tile wherever `rows` of a configuration fix a cell: all that is not `?`.
    pub(crate) fn pins<'a>(name: &'static str, gid: u32, rows: &'a [String]) -> Layer<'a> {
        Layer::tiles(name, move |pos| {
            let cell = rows.get(usize::from(pos.y)).and_then(|row| row.as_bytes().get(usize::from(pos.x)));
            if cell.is_some_and(|&cell| cell != b'?') { gid } else { 0 }
        })
    }
}

impl Object {
    /// An object without a name.
    pub(crate) fn new(kind: &'static str, cell: Pos, shape: Shape, properties: Vec<Property>) -> Object {
        Object { name: String::new(), kind, cell, shape, properties }
    }

    /// A line through cells, which begins in the first.
    pub(crate) fn line(kind: &'static str, cells: &[Pos], properties: Vec<Property>) -> Object {
        let from = cells.first().copied().unwrap_or_default();
        Object::new(kind, from, Shape::Line(cells.to_vec()), properties)
    }

    pub(crate) fn named(self, name: impl Into<String>) -> Object {
        Object { name: name.into(), ..self }
    }

    /// The place that Tiled states, in pixels, and the points of a line relative to it.
    pub(crate) fn place(&self, side: u32) -> (u32, u32) {
        let at = |cell: u16| u32::from(cell) * side;
        let Pos { x, y } = self.cell;
        match self.shape {
            // Tiles stand on their lower left corner.
            Shape::Tile(_) => (at(x), at(y) + side),
            Shape::Cell => (at(x), at(y)),
            Shape::Line(_) => (at(x) + side / 2, at(y) + side / 2),
        }
    }

    /// The points of a line from its beginning, in pixels.
    pub(crate) fn points(&self, line: &[Pos], side: u32) -> impl Iterator<Item = (i64, i64)> {
        let (from, side) = (self.cell, i64::from(side));
        let apart = move |a: u16, b: u16| (i64::from(a) - i64::from(b)) * side;
        line.iter().map(move |pos| (apart(pos.x, from.x), apart(pos.y, from.y)))
    }
}

/// Which tileset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    Level,
    Floor,
    Water,
}

impl Set {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Set::Level => "wayforge-level",
            Set::Floor => "wayforge-floor",
            Set::Water => "wayforge-water",
        }
    }

    /// The file of its picture: the same for all maps, so that maps of one folder share it.
    pub(crate) fn image(self, theme: Theme) -> String {
        format!("{}-{}.png", self.name(), theme.name())
    }

    /// Its picture.
    pub(crate) fn sheet(self, theme: Theme) -> Result<TileSheet, DrawError> {
        match self {
            Set::Level => level_tiles(theme),
            Set::Floor => floor_tiles(theme),
            Set::Water => water_tiles(theme),
        }
    }

    pub(crate) fn tileset(self, theme: Theme, sheet: &TileSheet) -> Tileset {
        let tiles = match self {
            Set::Level => LevelTile::ALL.into_iter().map(level_tile).collect(),
            Set::Floor => FloorTile::ALL.into_iter().map(floor_tile).collect(),
            Set::Water => (0..=WATER_MAGNITUDES).map(water_tile).collect(),
        };
        Tileset {
            name: self.name(),
            image: self.image(theme),
            columns: sheet.columns,
            rows: sheet.rows,
            side: sheet.side,
            tiles,
        }
    }
}

/// The number of a tile of levels, from 1.
pub(crate) fn level_gid(tile: LevelTile) -> u32 {
    LevelTile::ALL.iter().position(|&other| other == tile).map_or(0, |at| at as u32 + 1)
}

/// The number of a tile of floors, from 1.
pub(crate) fn floor_gid(tile: FloorTile) -> u32 {
    FloorTile::ALL.iter().position(|&other| other == tile).map_or(0, |at| at as u32 + 1)
}

/// The number of a tile of water maps, from 1: land, then water of each magnitude.
pub(crate) fn water_gid(water: &Water, pos: Pos) -> u32 {
    match water.is_open(pos) {
        false => 1,
        true => 2 + u32::from(water.magnitude(pos).min(WATER_MAGNITUDES - 1)),
    }
}

/// The type of the objects and tiles of a symbol.
pub(crate) const fn symbol_kind(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::Outside => "outside",
        Symbol::Band => "outer_wall",
        Symbol::Exit => "exit",
        Symbol::Wall => "wall",
        Symbol::Floor => "floor",
        Symbol::Player => "player",
        Symbol::Car => "car",
        Symbol::Pitfall => "pitfall",
        Symbol::Plant => "plant",
        Symbol::Puddle => "puddle",
        Symbol::EmptyCan => "empty_can",
        Symbol::Fuel => "fuel",
        Symbol::Flashlight => "flashlight",
        Symbol::Shoes => "shoes",
        Symbol::MovesNorth | Symbol::MovesSouth | Symbol::MovesWest | Symbol::MovesEast => "moving_floor",
    }
}

fn level_tile(tile: LevelTile) -> Tile {
    let Some(symbol) = tile.symbol() else {
        let kind = match tile {
            LevelTile::FallSpawn => "fall_spawn",
            LevelTile::CarWalkable => "car_walkable",
            _ => "pin",
        };
        return Tile { kind, properties: Vec::new() };
    };
    // What people can stand on in every configuration; walls that break and pitfalls are the configuration's to decide.
    let walkable = !matches!(symbol, Symbol::Outside | Symbol::Band | Symbol::Wall | Symbol::Pitfall);
    let blocks = matches!(symbol, Symbol::Band | Symbol::Wall);
    let mut made = solid_tile(symbol_kind(symbol), blocks, symbol.to_char(), walkable);
    if tile == LevelTile::Reinforced {
        made.properties.insert(1, Property::bool("reinforced", true));
    }
    made
}

fn solid_tile(kind: &'static str, blocks_vision: bool, symbol: char, walkable: bool) -> Tile {
    let properties = vec![
        Property::bool("blocksVision", blocks_vision),
        Property::text("symbol", symbol),
        Property::bool("walkable", walkable),
    ];
    Tile { kind, properties }
}

fn floor_tile(tile: FloorTile) -> Tile {
    let tile_on = |name: &'static str, symbol: char, ground: TileKind| {
        solid_tile(name, ground.blocks_vision(), symbol, ground.walkable())
    };
    match tile {
        FloorTile::Tile(kind) => tile_on(kind.name(), kind.symbol(), kind),
        FloorTile::Entity(kind) => tile_on(kind.name(), kind.symbol(), TileKind::Floor),
        FloorTile::Boss => floor_tile(FloorTile::Entity(EntityKind::Enemy)),
        FloorTile::Pin => Tile { kind: "pin", properties: Vec::new() },
    }
}

/// Land, then water of each magnitude.
fn water_tile(number: u8) -> Tile {
    let open = number > 0;
    let (kind, symbol) = if open { ("water", '~') } else { ("land", '#') };
    let mut tile = solid_tile(kind, !open, symbol, open);
    if open {
        tile.properties.insert(1, Property::int("magnitude", number - 1));
    }
    tile
}
