//! The tilesets: a picture, and what each tile of it is.

use super::plan::{Property, Tile, Tileset};
use wayforge::floor::{EntityKind, TileKind};
use wayforge::grid::Pos;
use wayforge::level::Symbol;
use wayforge::nav::Water;
use wayforge_draw::{
    DrawError, FloorTile, LevelTile, Theme, TileSheet, WATER_MAGNITUDES, floor_tiles, level_tiles,
    water_tiles,
};

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
