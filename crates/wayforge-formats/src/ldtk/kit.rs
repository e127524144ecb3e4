//! What a project defines: the values of cells, the entities with their fields, the fields of levels.

use super::stages::Thing;
use crate::content::Content;
use crate::tiled::{Set, floor_gid, level_gid, symbol_kind};
use wayforge::AnyMap;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::grid::Pos;
use wayforge::level::{FuelMode, Level, Symbol};
use wayforge_draw::{FloorTile, LevelTile, TILE_SIDE, Theme, WATER_MAGNITUDES, WATER_SIDE};

pub(super) const TILESET_UID: i64 = 4;
/// Level fields and entities are counted from here, levels far above them.
const FIELDS_FROM: i64 = 10;
const THINGS_FROM: i64 = 100;
pub(super) const LEVELS_FROM: i64 = 1000;

pub(super) struct Kit {
    pub(super) set: Set,
    pub(super) side: i64,
    /// The file of the picture of its tiles.
    pub(super) image: String,
    /// Whether each cell also has a tile to look at.
    pub(super) shows_tiles: bool,
    /// What numbers of cells mean, from 1: a name and a colour.
    pub(super) values: Vec<(String, String)>,
    pub(super) things: Vec<ThingKind>,
    pub(super) level_fields: Vec<Field>,
}

/// A kind of entity.
pub(super) struct ThingKind {
    pub(super) name: String,
    pub(super) colour: &'static str,
    /// Its tile in the picture, from 0.
    pub(super) tile: Option<u32>,
    pub(super) fields: Vec<Field>,
}

pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: FieldType,
    pub(super) uid: i64,
}

/// The type of a field as games see it, and as the editor names it.
pub(super) type FieldType = [&'static str; 2];

const TEXT: FieldType = ["String", "F_String"];
const INT: FieldType = ["Int", "F_Int"];
pub(super) const CELLS: FieldType = ["Array<Point>", "F_Point"];

pub(super) enum Given {
    Text(String),
    Int(i64),
    Cells(Vec<Pos>),
}

impl Kit {
    pub(super) fn of(content: &Content, theme: Theme) -> Kit {
        let kit = match content {
            Content::Map(AnyMap::Level(_)) | Content::Blueprint(_) => level_kit(content),
            Content::Map(AnyMap::Floor(_) | AnyMap::Tower(_)) => floor_kit(),
            _ => water_kit(),
        };
        Kit { image: kit.set.image(theme), ..kit }
    }

    /// The names, types and uids of layers, the top layer first as LDtk lists them.
    pub(super) fn layers(&self) -> impl Iterator<Item = (&'static str, &'static str, i64)> {
        let layers = [("Entities", "Entities", 3), ("Tiles", "Tiles", 2), ("Ground", "IntGrid", 1)];
        layers.into_iter().filter(|layer| self.shows_tiles || layer.0 != "Tiles")
    }

    pub(super) fn thing_uid(&self, kind: usize) -> i64 {
        THINGS_FROM + 10 * kind as i64
    }

    /// An entity of the kind called `name`.
    pub(super) fn thing(&self, name: &str, cell: Pos, fields: Vec<(&'static str, Given)>) -> Option<Thing> {
        let kind = self.things.iter().position(|kind| kind.name == name)?;
        Some(Thing { kind, cell, fields })
    }

    /// An entity for a path that begins at `cell`.
    pub(super) fn route(&self, cell: Pos, path: &[Pos], name: String, chain: u32) -> Option<Thing> {
        let fields = vec![
            ("cells", Given::Cells(path.to_vec())),
            ("name", Given::Text(name)),
            ("chain", Given::Int(chain.into())),
        ];
        self.thing("Route", cell, fields)
    }

    fn new(set: Set, side: u32, values: Vec<(String, String)>) -> Kit {
        let names = ["algorithm", "config", "digest", "seed"];
        let level_fields =
            (FIELDS_FROM..).zip(names).map(|(uid, name)| Field { name, kind: TEXT, uid }).collect();
        let (side, shows_tiles) = (side.into(), set != Set::Water);
        Kit { set, side, image: String::new(), shows_tiles, values, things: Vec::new(), level_fields }
    }

    fn add(
        &mut self,
        name: &str,
        colour: &'static str,
        gid: Option<u32>,
        fields: &[(&'static str, FieldType)],
    ) {
        let uid = self.thing_uid(self.things.len());
        let fields = (uid + 1..).zip(fields).map(|(uid, &(name, kind))| Field { name, kind, uid }).collect();
        let tile = gid.map(|gid| gid.saturating_sub(1));
        self.things.push(ThingKind { name: capital(name), colour, tile, fields });
    }
}

/// A name that LDtk takes: its first letter is a capital one.
pub(super) fn capital(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

const ROUTE: &[(&str, FieldType)] = &[("cells", CELLS), ("name", TEXT), ("chain", INT)];

fn level_kit(content: &Content) -> Kit {
    let colour = |symbol: Symbol| match symbol {
        Symbol::Outside => "#A8B585",
        Symbol::Band => "#6C7080",
        Symbol::Exit => "#3F8F5A",
        Symbol::Wall => "#CC8A5C",
        Symbol::Pitfall => "#201812",
        Symbol::Plant => "#3E8E41",
        Symbol::Puddle => "#7FB4D8",
        symbol if symbol.moves().is_some() => "#D8CBB0",
        _ => "#F2E6CF",
    };
    let values = Symbol::ALL.map(|symbol| (symbol.meaning().replace(' ', "_"), colour(symbol).to_owned()));
    let mut kit = Kit::new(Set::Level, TILE_SIDE, values.to_vec());
    let refuels = |level: &Level| level.spec.config().fuel == FuelMode::RefuelChain;
    let station = matches!(content, Content::Map(AnyMap::Level(level)) if refuels(level));
    for symbol in Symbol::CANDIDATES {
        let tile =
            if symbol == Symbol::Fuel && station { LevelTile::Station } else { LevelTile::Symbol(symbol) };
        kit.add(symbol_kind(symbol), "#2F5FA8", Some(level_gid(tile)), &[("symbol", TEXT)]);
    }
    kit.add("mark", "#8A2BE2", None, &[("name", TEXT)]);
    kit.add("route", "#B22222", None, ROUTE);
    kit
}

fn floor_kit() -> Kit {
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
    let mut kit = Kit::new(Set::Floor, TILE_SIDE, values.to_vec());
    for kind in EntityKind::ALL {
        let gid = floor_gid(FloorTile::Entity(kind));
        kit.add(kind.name(), "#A82F2F", Some(gid), &[("id", TEXT), ("data", TEXT)]);
    }
    kit.add("route", "#B22222", None, ROUTE);
    kit
}

fn water_kit() -> Kit {
    let mut values = vec![("land".to_owned(), "#EEE0BE".to_owned())];
    for magnitude in 0..WATER_MAGNITUDES {
        // From the shore to the deep, as charts have it.
        let part =
            |from: u32, to: u32| from - (from - to) * u32::from(magnitude) / u32::from(WATER_MAGNITUDES);
        let colour = format!("#{:02X}{:02X}{:02X}", part(186, 116), part(209, 158), part(202, 166));
        values.push((format!("water_{magnitude}"), colour));
    }
    Kit::new(Set::Water, WATER_SIDE, values)
}
