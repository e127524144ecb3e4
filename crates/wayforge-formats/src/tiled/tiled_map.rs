//! Model of a Tiled map with its tileset, independent of the XML or JSON encoding.

use super::names;
use crate::content::ContentKind;
use wayforge::Document;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::grid::{Pos, Size};
use wayforge::level::Symbol;
use wayforge::nav::NavGrid;
use wayforge_draw::{
    DrawError, FloorTile, LevelTile, NAV_GRID_MAGNITUDES, Theme, TileSheet, floor_tiles,
    level_tiles, nav_grid_tiles,
};

/// A map: one tileset, tile layers and object layers.
pub(crate) struct TiledMap<'a> {
    pub(crate) tileset: TilesetKind,
    pub(crate) size: Size,
    /// Sorted by name.
    pub(crate) properties: Vec<Property>,
    pub(crate) layers: Vec<Layer<'a>>,
}

impl<'a> TiledMap<'a> {
    /// Creates a map of a `kind` with additional `properties` in any order.
    pub(crate) fn new(
        tileset: TilesetKind,
        size: Size,
        kind: ContentKind,
        mut properties: Vec<Property>,
        layers: Vec<Layer<'a>>,
    ) -> TiledMap<'a> {
        properties.push(Property::text(names::FAMILY, kind.name()));
        properties.sort_by_key(|property| property.name);
        TiledMap { tileset, size, properties, layers }
    }
}

/// A property of a map, a tile or an object.
pub(crate) struct Property {
    pub(crate) name: &'static str,
    /// Tiled's name of the type: `string`, `int` or `bool`.
    pub(crate) kind: &'static str,
    pub(crate) value: String,
}

/// A tileset image with the definition of each tile.
pub(crate) struct Tileset {
    pub(crate) name: &'static str,
    /// File name of the image.
    pub(crate) image: String,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    /// Side of a tile in pixels.
    pub(crate) side: u32,
    pub(crate) tiles: Vec<Tile>,
}

pub(crate) struct Tile {
    pub(crate) kind: &'static str,
    pub(crate) properties: Vec<Property>,
}

/// Returns the global tile id of a cell: 1 for the first tile, 0 for none. Evaluated while writing,
/// so no layer is stored.
pub(crate) type Cells<'a> = Box<dyn Fn(Pos) -> u32 + 'a>;

pub(crate) enum Layer<'a> {
    Tiles { name: &'static str, visible: bool, cells: Cells<'a> },
    Objects { name: &'static str, colour: Option<&'static str>, objects: Vec<Object> },
}

pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    /// Cell of the object, or of its first point.
    pub(crate) cell: Pos,
    pub(crate) shape: Shape,
    pub(crate) properties: Vec<Property>,
}

pub(crate) enum Shape {
    /// A tile of the tileset, starting at 1.
    Tile(u32),
    /// A rectangle that covers the cell.
    Cell,
    /// A polyline through the centres of cells.
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

    /// Creates a JSON property. Escapes the characters that XML does not allow.
    pub(crate) fn json(name: &'static str, value: &impl serde::Serialize) -> Property {
        // Plain values can always be serialised.
        Property::json_text(name, &serde_json::to_string(value).unwrap_or_default())
    }

    fn json_text(name: &'static str, json: &str) -> Property {
        Property::text(name, json.replace('\u{fffe}', "\\ufffe").replace('\u{ffff}', "\\uffff"))
    }

    /// Returns the properties that describe how a map was generated.
    pub(crate) fn provenance(document: &Document) -> [Property; 4] {
        [
            Property::text(names::ALGORITHM, document.algorithm.as_str()),
            Property::json_text(names::CONFIG, &document.config),
            Property::text(names::DIGEST, document.digest.to_string()),
            Property::text(names::SEED, document.seed.to_string()),
        ]
    }
}

impl Layer<'_> {
    /// Creates a visible tile layer.
    pub(crate) fn tiles<'a>(name: &'static str, cells: impl Fn(Pos) -> u32 + 'a) -> Layer<'a> {
        Layer::Tiles { name, visible: true, cells: Box::new(cells) }
    }

    /// Creates a layer with the tile `gid` on each pinned cell. In `rows`, `?` marks cells that are
    /// not pinned.
    pub(crate) fn pins<'a>(name: &'static str, gid: u32, rows: &'a [String]) -> Layer<'a> {
        Layer::tiles(name, move |pos| {
            let cell =
                rows.get(usize::from(pos.y)).and_then(|row| row.as_bytes().get(usize::from(pos.x)));
            if cell.is_some_and(|&cell| cell != b'?') { gid } else { 0 }
        })
    }
}

impl Object {
    /// Creates an object without a name.
    pub(crate) fn new(
        kind: &'static str,
        cell: Pos,
        shape: Shape,
        properties: Vec<Property>,
    ) -> Object {
        Object { name: String::new(), kind, cell, shape, properties }
    }

    /// Creates a polyline through cells.
    pub(crate) fn line(kind: &'static str, cells: &[Pos], properties: Vec<Property>) -> Object {
        let from = cells.first().copied().unwrap_or_default();
        Object::new(kind, from, Shape::Line(cells.to_vec()), properties)
    }

    /// Returns the object with a name.
    pub(crate) fn with_name(self, name: impl Into<String>) -> Object {
        Object { name: name.into(), ..self }
    }

    /// Returns the position of the object in pixels, as Tiled defines it.
    pub(crate) fn position(&self, side: u32) -> (u32, u32) {
        let at = |cell: u16| u32::from(cell) * side;
        let Pos { x, y } = self.cell;
        match self.shape {
            // The origin of a tile object is its lower left corner.
            Shape::Tile(_) => (at(x), at(y) + side),
            Shape::Cell => (at(x), at(y)),
            Shape::Line(_) => (at(x) + side / 2, at(y) + side / 2),
        }
    }

    /// Returns the points of a polyline relative to the object, in pixels.
    pub(crate) fn points(&self, line: &[Pos], side: u32) -> impl Iterator<Item = (i64, i64)> {
        let (from, side) = (self.cell, i64::from(side));
        let offset = move |a: u16, b: u16| (i64::from(a) - i64::from(b)) * side;
        line.iter().map(move |pos| (offset(pos.x, from.x), offset(pos.y, from.y)))
    }
}

/// The tilesets of Wayforge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TilesetKind {
    Level,
    Floor,
    NavGrid,
}

impl TilesetKind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            TilesetKind::Level => "wayforge-level",
            TilesetKind::Floor => "wayforge-floor",
            TilesetKind::NavGrid => "wayforge-grid",
        }
    }

    /// Returns the file name of the image. All maps of a folder share it.
    pub(crate) fn image(self, theme: Theme) -> String {
        format!("{}-{}.png", self.name(), theme.name())
    }

    /// Renders the image.
    pub(crate) fn render(self, theme: Theme) -> Result<TileSheet, DrawError> {
        match self {
            TilesetKind::Level => level_tiles(theme),
            TilesetKind::Floor => floor_tiles(theme),
            TilesetKind::NavGrid => nav_grid_tiles(theme),
        }
    }

    pub(crate) fn tileset(self, theme: Theme, sheet: &TileSheet) -> Tileset {
        let tiles = match self {
            TilesetKind::Level => LevelTile::ALL.into_iter().map(level_tile).collect(),
            TilesetKind::Floor => FloorTile::ALL.into_iter().map(floor_tile).collect(),
            TilesetKind::NavGrid => (0..=NAV_GRID_MAGNITUDES).map(nav_grid_tile).collect(),
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

/// Returns the global id of a level tile, starting at 1.
pub(crate) fn level_gid(tile: LevelTile) -> u32 {
    LevelTile::ALL.iter().position(|&other| other == tile).map_or(0, |index| index as u32 + 1)
}

/// Returns the global id of a floor tile, starting at 1.
pub(crate) fn floor_gid(tile: FloorTile) -> u32 {
    FloorTile::ALL.iter().position(|&other| other == tile).map_or(0, |index| index as u32 + 1)
}

/// Returns the global id of a navigation grid tile: 1 for land, then water of each magnitude.
pub(crate) fn nav_grid_gid(grid: &NavGrid, pos: Pos) -> u32 {
    if grid.is_open(pos) {
        2 + u32::from(grid.magnitude(pos).min(NAV_GRID_MAGNITUDES - 1))
    } else {
        1
    }
}

/// Returns the type of the objects and tiles of a symbol.
pub(crate) const fn symbol_kind(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::Band => "outer_wall",
        Symbol::MovesNorth | Symbol::MovesSouth | Symbol::MovesWest | Symbol::MovesEast => {
            "moving_floor"
        }
        symbol => symbol.name(),
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
    // True only if the tile is walkable in every configuration. Breakable walls and pitfalls depend
    // on the configuration, so they count as blocked.
    let walkable =
        !matches!(symbol, Symbol::Outside | Symbol::Band | Symbol::Wall | Symbol::Pitfall);
    let blocks = matches!(symbol, Symbol::Band | Symbol::Wall);
    let mut definition = tile_definition(symbol_kind(symbol), blocks, symbol.to_char(), walkable);
    if tile == LevelTile::Reinforced {
        definition.properties.insert(1, Property::bool("reinforced", true));
    }
    definition
}

fn tile_definition(kind: &'static str, blocks_vision: bool, symbol: char, walkable: bool) -> Tile {
    let properties = vec![
        Property::bool("blocksVision", blocks_vision),
        Property::text("symbol", symbol),
        Property::bool("walkable", walkable),
    ];
    Tile { kind, properties }
}

fn floor_tile(tile: FloorTile) -> Tile {
    let tile_on = |name: &'static str, symbol: char, ground: TileKind| {
        tile_definition(name, ground.blocks_vision(), symbol, ground.is_walkable())
    };
    match tile {
        FloorTile::Tile(kind) => tile_on(kind.name(), kind.symbol(), kind),
        FloorTile::Entity(kind) => tile_on(kind.name(), kind.symbol(), TileKind::Floor),
        FloorTile::Boss => floor_tile(FloorTile::Entity(EntityKind::Enemy)),
        FloorTile::Pin => Tile { kind: "pin", properties: Vec::new() },
    }
}

/// Returns the tile definition: land for 0, then water of each magnitude.
fn nav_grid_tile(number: u8) -> Tile {
    let open = number > 0;
    let (kind, symbol) = if open { ("water", '~') } else { ("land", '#') };
    let mut tile = tile_definition(kind, !open, symbol, open);
    if open {
        tile.properties.insert(1, Property::int("magnitude", number - 1));
    }
    tile
}
