//! Conversion of maps to levels of an LDtk project.

use super::project_defs::{FieldValue, ProjectDefs, capitalize};
use crate::content::Content;
use crate::tiled::{
    SymbolTiles, chain_name, floor_gid, level_gid, level_tile_of, nav_grid_gid, symbol_kind,
};
use wayforge::floor::Floor;
use wayforge::grid::{Pos, Size};
use wayforge::level::{Blueprint, Level, Symbol};
use wayforge::{AnyMap, Document};
use wayforge_draw::FloorTile;

/// One level of a project.
pub(super) struct LdtkLevel<'a> {
    pub(super) name: String,
    pub(super) size: Size,
    /// Position of the upper left corner in the world, in pixels.
    pub(super) world: (i64, i64),
    pub(super) fields: Vec<(&'static str, FieldValue)>,
    pub(super) entities: Vec<EntityInstance>,
    /// Returns the IntGrid value of a cell, starting at 1.
    pub(super) value: Box<dyn Fn(Pos) -> u32 + 'a>,
    /// Returns the tile index of a cell, starting at 0.
    pub(super) tile: Box<dyn Fn(Pos) -> u32 + 'a>,
}

/// An entity: index of its definition in [`ProjectDefs::entities`], cell, and fields by name.
pub(super) struct EntityInstance {
    pub(super) kind: usize,
    pub(super) cell: Pos,
    pub(super) fields: Vec<(&'static str, FieldValue)>,
}

/// Returns the levels of a project: one per floor for a tower, otherwise one.
pub(super) fn levels_of<'a>(content: &'a Content, defs: &ProjectDefs) -> Vec<LdtkLevel<'a>> {
    match content {
        Content::Map(AnyMap::Level(level)) => vec![from_level(level, defs)],
        Content::Blueprint(blueprint) => vec![from_blueprint(blueprint, defs)],
        Content::Map(AnyMap::Floor(floor)) => {
            vec![LdtkLevel { fields: provenance(&floor.to_document()), ..from_floor(floor, defs) }]
        }
        Content::Map(AnyMap::Tower(tower)) => {
            let mut y = 0;
            let document = tower.to_document();
            let level = |(number, floor): (usize, &'a Floor)| {
                let world = (0, y);
                // Floors are stacked upwards with a gap of one tile.
                let above = tower.floors.get(number + 1).map_or(0, |floor| floor.size().height);
                y -= (i64::from(above) + 1) * defs.side;
                let fields = if number == 0 { provenance(&document) } else { Vec::new() };
                LdtkLevel {
                    name: format!("Floor_{}", number + 1),
                    world,
                    fields,
                    ..from_floor(floor, defs)
                }
            };
            tower.floors.iter().enumerate().map(level).collect()
        }
        Content::NavGrid(grid) => vec![LdtkLevel {
            name: "Grid".to_owned(),
            size: grid.size(),
            world: (0, 0),
            fields: Vec::new(),
            entities: Vec::new(),
            value: Box::new(|pos| nav_grid_gid(grid, pos)),
            tile: Box::new(|_| 0),
        }],
        Content::Map(AnyMap::Act(_)) | Content::Template(_) | Content::Queries(_) => Vec::new(),
    }
}

fn provenance(document: &Document) -> Vec<(&'static str, FieldValue)> {
    vec![
        ("algorithm", FieldValue::Text(document.algorithm.clone())),
        ("config", FieldValue::Text(document.config.clone())),
        ("digest", FieldValue::Text(document.digest.to_string())),
        ("seed", FieldValue::Text(document.seed.to_string())),
    ]
}

fn from_level<'a>(level: &'a Level, defs: &ProjectDefs) -> LdtkLevel<'a> {
    let mut entities = candidates(&level.blueprint, defs);
    for (mark, cells) in level.spec.config().marks.iter().zip(&level.tags.marks) {
        let name = || vec![("name", FieldValue::Text(mark.name.clone()))];
        entities.extend(cells.iter().filter_map(|&cell| defs.entity("Mark", cell, name())));
    }
    entities.extend(level.witness.iter().filter_map(|witness| {
        let start = witness.route.first().copied().unwrap_or_default();
        defs.route(start, &witness.route, chain_name(&level.spec, witness.chain), witness.chain)
    }));
    LdtkLevel {
        name: "Level".to_owned(),
        size: level.blueprint.size(),
        world: (0, 0),
        fields: provenance(&level.to_document()),
        entities,
        value: Box::new(|pos| int_grid_value(level.blueprint.get(pos))),
        tile: Box::new(|pos| level_gid(level_tile_of(level, pos)) - 1),
    }
}

fn from_blueprint<'a>(blueprint: &'a Blueprint, defs: &ProjectDefs) -> LdtkLevel<'a> {
    let tiles = SymbolTiles { solid: false, size: blueprint.size() };
    LdtkLevel {
        name: "Blueprint".to_owned(),
        size: blueprint.size(),
        world: (0, 0),
        fields: Vec::new(),
        entities: candidates(blueprint, defs),
        value: Box::new(|pos| int_grid_value(blueprint.get(pos))),
        tile: Box::new(move |pos| level_gid(tiles.tile(blueprint.get(pos), pos)) - 1),
    }
}

/// Returns the IntGrid value of a symbol. Candidates are entities on floor.
fn int_grid_value(symbol: Symbol) -> u32 {
    let ground = if symbol.is_candidate() { Symbol::Floor } else { symbol };
    Symbol::ALL.iter().position(|&other| other == ground).map_or(0, |index| index as u32 + 1)
}

fn candidates(blueprint: &Blueprint, defs: &ProjectDefs) -> Vec<EntityInstance> {
    let candidates =
        blueprint.size().iter().zip(blueprint.cells()).filter(|(_, symbol)| symbol.is_candidate());
    let instance = |(cell, &symbol): (Pos, &Symbol)| {
        defs.entity(
            &capitalize(symbol_kind(symbol)),
            cell,
            vec![("symbol", FieldValue::Text(symbol.to_string()))],
        )
    };
    candidates.filter_map(instance).collect()
}

fn from_floor<'a>(floor: &'a Floor, defs: &ProjectDefs) -> LdtkLevel<'a> {
    let entities = floor.ids().filter_map(|(id, entity)| {
        let data = entity.data.as_deref().and_then(|data| serde_json::to_string(data).ok());
        let fields = vec![
            ("id", FieldValue::Text(id)),
            ("data", FieldValue::Text(data.unwrap_or_default())),
        ];
        defs.entity(&capitalize(entity.kind.name()), entity.pos, fields)
    });
    let path = defs.route(floor.entrance, &floor.path, "path".to_owned(), 0);
    let entities = entities.chain(path).collect();
    LdtkLevel {
        name: "Floor".to_owned(),
        size: floor.size(),
        world: (0, 0),
        fields: Vec::new(),
        entities,
        value: Box::new(|pos| floor_gid(FloorTile::Tile(floor.tile(pos)))),
        tile: Box::new(|pos| floor_gid(FloorTile::Tile(floor.tile(pos))) - 1),
    }
}
