//! Definitions of an LDtk project: IntGrid values, entities and level fields.

use super::levels::EntityInstance;
use crate::content::Content;
use crate::tiled::{TilesetKind, floor_gid, level_gid, symbol_kind};
use wayforge::AnyMap;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::grid::Pos;
use wayforge::level::{FuelMode, Level, Symbol};
use wayforge_draw::{
    FloorTile, LevelTile, NAV_GRID_MAGNITUDES, NAV_GRID_TILE_SIDE, TILE_SIDE, Theme,
};

pub(super) const TILESET_UID: i64 = 4;
/// First uids of level fields, entities and levels.
const FIRST_FIELD_UID: i64 = 10;
const FIRST_ENTITY_UID: i64 = 100;
pub(super) const FIRST_LEVEL_UID: i64 = 1000;

/// Definitions of a project.
pub(super) struct ProjectDefs {
    pub(super) tileset: TilesetKind,
    /// Side of a tile in pixels.
    pub(super) side: i64,
    /// File name of the tileset image.
    pub(super) image: String,
    /// True if a tile layer shows the cells.
    pub(super) shows_tiles: bool,
    /// Name and colour of each IntGrid value, starting at 1.
    pub(super) values: Vec<(String, String)>,
    pub(super) entities: Vec<EntityDef>,
    pub(super) level_fields: Vec<Field>,
}

/// Definition of an entity.
pub(super) struct EntityDef {
    pub(super) name: String,
    pub(super) colour: &'static str,
    /// Index of its tile in the tileset image.
    pub(super) tile: Option<u32>,
    pub(super) fields: Vec<Field>,
}

/// Definition of a field of a level or an entity.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: FieldType,
    pub(super) uid: i64,
}

/// Type of a field, as seen by games and as named by the editor.
pub(super) type FieldType = [&'static str; 2];

const TEXT: FieldType = ["String", "F_String"];
const INT: FieldType = ["Int", "F_Int"];
pub(super) const CELLS: FieldType = ["Array<Point>", "F_Point"];

/// Value of a field.
pub(super) enum FieldValue {
    Text(String),
    Int(i64),
    Cells(Vec<Pos>),
}

impl ProjectDefs {
    pub(super) fn from_content(content: &Content, theme: Theme) -> ProjectDefs {
        let defs = match content {
            Content::Map(AnyMap::Level(_)) | Content::Blueprint(_) => level_defs(content),
            Content::Map(AnyMap::Floor(_) | AnyMap::Tower(_)) => floor_defs(),
            // LDtk supports no act maps, templates and queries; see `registry::LDTK_LEVELS`.
            Content::NavGrid(_)
            | Content::Map(AnyMap::Act(_))
            | Content::Template(_)
            | Content::Queries(_) => nav_grid_defs(),
        };
        ProjectDefs { image: defs.tileset.image(theme), ..defs }
    }

    /// Returns name, type and uid of each layer, top layer first as in LDtk.
    pub(super) fn layers(&self) -> impl Iterator<Item = (&'static str, &'static str, i64)> {
        let layers = [("Entities", "Entities", 3), ("Tiles", "Tiles", 2), ("Ground", "IntGrid", 1)];
        layers.into_iter().filter(|layer| self.shows_tiles || layer.0 != "Tiles")
    }

    pub(super) fn entity_uid(&self, kind: usize) -> i64 {
        FIRST_ENTITY_UID + 10 * kind as i64
    }

    /// Creates an entity of the definition called `name`.
    pub(super) fn entity(
        &self,
        name: &str,
        cell: Pos,
        fields: Vec<(&'static str, FieldValue)>,
    ) -> Option<EntityInstance> {
        let kind = self.entities.iter().position(|kind| kind.name == name)?;
        Some(EntityInstance { kind, cell, fields })
    }

    /// Creates an entity for a path that starts at `cell`.
    pub(super) fn route(
        &self,
        cell: Pos,
        path: &[Pos],
        name: String,
        chain: u32,
    ) -> Option<EntityInstance> {
        let fields = vec![
            ("cells", FieldValue::Cells(path.to_vec())),
            ("name", FieldValue::Text(name)),
            ("chain", FieldValue::Int(chain.into())),
        ];
        self.entity("Route", cell, fields)
    }

    fn new(tileset: TilesetKind, side: u32, values: Vec<(String, String)>) -> ProjectDefs {
        let names = ["algorithm", "config", "digest", "seed"];
        let level_fields = (FIRST_FIELD_UID..)
            .zip(names)
            .map(|(uid, name)| Field { name, kind: TEXT, uid })
            .collect();
        let (side, shows_tiles) = (side.into(), tileset != TilesetKind::NavGrid);
        ProjectDefs {
            tileset,
            side,
            image: String::new(),
            shows_tiles,
            values,
            entities: Vec::new(),
            level_fields,
        }
    }

    /// Adds the definition of an entity; `gid` is the global id of its tile, starting at 1.
    fn add_entity(
        &mut self,
        name: &str,
        colour: &'static str,
        gid: Option<u32>,
        fields: &[(&'static str, FieldType)],
    ) {
        let uid = self.entity_uid(self.entities.len());
        let fields =
            (uid + 1..).zip(fields).map(|(uid, &(name, kind))| Field { name, kind, uid }).collect();
        let tile = gid.map(|gid| gid.saturating_sub(1));
        self.entities.push(EntityDef { name: capitalize(name), colour, tile, fields });
    }
}

/// Capitalises the first letter, as LDtk identifiers require.
pub(super) fn capitalize(name: &str) -> String {
    let mut chars = name.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

/// Fields of a route.
const ROUTE_FIELDS: &[(&str, FieldType)] = &[("cells", CELLS), ("name", TEXT), ("chain", INT)];

fn level_defs(content: &Content) -> ProjectDefs {
    let colour = |symbol: Symbol| match symbol {
        Symbol::Outside => "#A8B585",
        Symbol::Band => "#6C7080",
        Symbol::Exit => "#3F8F5A",
        Symbol::Wall => "#CC8A5C",
        Symbol::Pitfall => "#201812",
        Symbol::Plant => "#3E8E41",
        Symbol::Puddle => "#7FB4D8",
        symbol if symbol.move_direction().is_some() => "#D8CBB0",
        _ => "#F2E6CF",
    };
    let values =
        Symbol::ALL.map(|symbol| (symbol.meaning().replace(' ', "_"), colour(symbol).to_owned()));
    let mut defs = ProjectDefs::new(TilesetKind::Level, TILE_SIDE, values.to_vec());
    let refuels = |level: &Level| level.spec.config().fuel == FuelMode::RefuelChain;
    let station = matches!(content, Content::Map(AnyMap::Level(level)) if refuels(level));
    for symbol in Symbol::CANDIDATES {
        let tile = if symbol == Symbol::Fuel && station {
            LevelTile::Station
        } else {
            LevelTile::Symbol(symbol)
        };
        defs.add_entity(symbol_kind(symbol), "#2F5FA8", Some(level_gid(tile)), &[("symbol", TEXT)]);
    }
    defs.add_entity("mark", "#8A2BE2", None, &[("name", TEXT)]);
    defs.add_entity("route", "#B22222", None, ROUTE_FIELDS);
    defs
}

fn floor_defs() -> ProjectDefs {
    let colour = |kind: TileKind| match kind {
        TileKind::Wall => "#CDB488",
        TileKind::Entrance => "#4C8A4C",
        TileKind::Exit => "#6A4A30",
        TileKind::Door => "#8A6A3A",
        TileKind::Trap => "#B2442A",
        TileKind::Chest => "#9A6A10",
        TileKind::Water => "#7FA8D8",
        TileKind::Floor => "#FBF4E2",
    };
    let values = TileKind::ALL.map(|kind| (kind.name().to_owned(), colour(kind).to_owned()));
    let mut defs = ProjectDefs::new(TilesetKind::Floor, TILE_SIDE, values.to_vec());
    for kind in EntityKind::ALL {
        let gid = floor_gid(FloorTile::Entity(kind));
        defs.add_entity(kind.name(), "#A82F2F", Some(gid), &[("id", TEXT), ("data", TEXT)]);
    }
    defs.add_entity("route", "#B22222", None, ROUTE_FIELDS);
    defs
}

fn nav_grid_defs() -> ProjectDefs {
    let mut values = vec![("land".to_owned(), "#EEE0BE".to_owned())];
    for magnitude in 0..NAV_GRID_MAGNITUDES {
        // Colours get darker with depth, as on nautical charts.
        let channel = |from: u32, to: u32| {
            from - (from - to) * u32::from(magnitude) / u32::from(NAV_GRID_MAGNITUDES)
        };
        let colour =
            format!("#{:02X}{:02X}{:02X}", channel(186, 116), channel(209, 158), channel(202, 166));
        values.push((format!("water_{magnitude}"), colour));
    }
    ProjectDefs::new(TilesetKind::NavGrid, NAV_GRID_TILE_SIDE, values)
}
