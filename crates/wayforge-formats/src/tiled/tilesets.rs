//! The tilesets: a picture, and what each tile of it is.

use super::plan::{Property, Tile, Tileset};
use wayforge::floor::{EntityKind, TileKind};
use wayforge::level::Symbol;
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
    let mut properties = vec![
        Property::bool("blocksVision", matches!(symbol, Symbol::Band | Symbol::Wall)),
        Property::text("symbol", symbol.to_string()),
        Property::bool("walkable", walkable),
    ];
    if tile == LevelTile::Reinforced {
        properties.insert(1, Property::bool("reinforced", true));
    }
    Tile { kind: symbol_kind(symbol), properties }
}

fn floor_tile(tile: FloorTile) -> Tile {
    let entity = |kind: EntityKind| Tile {
        kind: kind.name(),
        properties: vec![
            Property::bool("blocksVision", TileKind::Floor.blocks_vision()),
            Property::text("symbol", kind.symbol().to_string()),
            Property::bool("walkable", TileKind::Floor.walkable()),
        ],
    };
    match tile {
        FloorTile::Tile(kind) => Tile {
            kind: kind.name(),
            properties: vec![
                Property::bool("blocksVision", kind.blocks_vision()),
                Property::text("symbol", kind.symbol().to_string()),
                Property::bool("walkable", kind.walkable()),
            ],
        },
        FloorTile::Entity(kind) => entity(kind),
        FloorTile::Boss => entity(EntityKind::Enemy),
        FloorTile::Pin => Tile { kind: "pin", properties: Vec::new() },
    }
}

/// Land, then water of each magnitude.
fn water_tile(number: u8) -> Tile {
    let open = number > 0;
    let mut properties = vec![Property::bool("blocksVision", !open)];
    if open {
        properties.push(Property::int("magnitude", number - 1));
    }
    properties.push(Property::text("symbol", if open { "~" } else { "#" }));
    properties.push(Property::bool("walkable", open));
    Tile { kind: if open { "water" } else { "land" }, properties }
}
