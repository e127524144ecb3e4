//! Maps as levels of a project.

use super::kit::{Given, Kit, capital};
use crate::content::Content;
use crate::tiled::{Look, chain_name, floor_gid, level_gid, level_tile_of, symbol_kind, water_gid};
use wayforge::floor::Floor;
use wayforge::grid::{Pos, Size};
use wayforge::level::{Blueprint, Level, Symbol};
use wayforge::{AnyMap, Document};
use wayforge_draw::FloorTile;

/// One level of a project.
pub(super) struct Stage<'a> {
    pub(super) name: String,
    pub(super) size: Size,
    /// Where its upper left corner lies among the others, in pixels.
    pub(super) world: (i64, i64),
    pub(super) fields: Vec<(&'static str, Given)>,
    pub(super) things: Vec<Thing>,
    /// The number of a cell, from 1.
    pub(super) value: Box<dyn Fn(Pos) -> u32 + 'a>,
    /// The tile that shows a cell, from 0.
    pub(super) tile: Box<dyn Fn(Pos) -> u32 + 'a>,
}

/// An entity: a place in [`Kit::things`], a cell, and its fields by name.
pub(super) struct Thing {
    pub(super) kind: usize,
    pub(super) cell: Pos,
    pub(super) fields: Vec<(&'static str, Given)>,
}

pub(super) fn of<'a>(content: &'a Content, kit: &Kit) -> Vec<Stage<'a>> {
    match content {
        Content::Map(AnyMap::Level(level)) => vec![level_stage(level, kit)],
        Content::Blueprint(blueprint) => vec![blueprint_stage(blueprint, kit)],
        Content::Map(AnyMap::Floor(floor)) => {
            vec![Stage { fields: made(&floor.to_document()), ..floor_stage(floor, kit) }]
        }
        Content::Map(AnyMap::Tower(tower)) => {
            let mut y = 0;
            let document = tower.to_document();
            let stage = |(number, floor): (usize, &'a Floor)| {
                let world = (0, y);
                // Each floor above the last, with a tile of space between them.
                let above = tower.floors.get(number + 1).map_or(0, |floor| floor.size().height);
                y -= (i64::from(above) + 1) * kit.side;
                let fields = if number == 0 { made(&document) } else { Vec::new() };
                Stage { name: format!("Floor_{}", number + 1), world, fields, ..floor_stage(floor, kit) }
            };
            tower.floors.iter().enumerate().map(stage).collect()
        }
        Content::Water(water) => vec![Stage {
            name: "Water".to_owned(),
            size: water.size(),
            world: (0, 0),
            fields: Vec::new(),
            things: Vec::new(),
            value: Box::new(|pos| water_gid(water, pos)),
            tile: Box::new(|_| 0),
        }],
        Content::Map(AnyMap::Act(_)) | Content::Template(_) | Content::Queries(_) => Vec::new(),
    }
}

fn made(document: &Document) -> Vec<(&'static str, Given)> {
    vec![
        ("algorithm", Given::Text(document.algorithm.clone())),
        ("config", Given::Text(document.config.clone())),
        ("digest", Given::Text(document.digest.to_string())),
        ("seed", Given::Text(document.seed.to_string())),
    ]
}

fn level_stage<'a>(level: &'a Level, kit: &Kit) -> Stage<'a> {
    let mut things = candidates(&level.blueprint, kit);
    for (mark, cells) in level.spec.config().marks.iter().zip(&level.tags.marks) {
        let name = || vec![("name", Given::Text(mark.name.clone()))];
        things.extend(cells.iter().filter_map(|&cell| kit.thing("Mark", cell, name())));
    }
    things.extend(level.witness.iter().filter_map(|witness| {
        let start = witness.route.first().copied().unwrap_or_default();
        kit.route(start, &witness.route, chain_name(&level.spec, witness.chain), witness.chain)
    }));
    Stage {
        name: "Level".to_owned(),
        size: level.blueprint.size(),
        world: (0, 0),
        fields: made(&level.to_document()),
        things,
        value: Box::new(|pos| value(level.blueprint.get(pos))),
        tile: Box::new(|pos| level_gid(level_tile_of(level, pos)) - 1),
    }
}

fn blueprint_stage<'a>(blueprint: &'a Blueprint, kit: &Kit) -> Stage<'a> {
    let look = Look { solid: false, size: blueprint.size() };
    Stage {
        name: "Blueprint".to_owned(),
        size: blueprint.size(),
        world: (0, 0),
        fields: Vec::new(),
        things: candidates(blueprint, kit),
        value: Box::new(|pos| value(blueprint.get(pos))),
        tile: Box::new(move |pos| level_gid(look.tile(blueprint.get(pos), pos)) - 1),
    }
}

/// Candidates are entities; what they stand on is floor.
fn value(symbol: Symbol) -> u32 {
    let ground = if symbol.is_candidate() { Symbol::Floor } else { symbol };
    Symbol::ALL.iter().position(|&other| other == ground).map_or(0, |at| at as u32 + 1)
}

fn candidates(blueprint: &Blueprint, kit: &Kit) -> Vec<Thing> {
    let standing = blueprint.size().iter().zip(blueprint.cells()).filter(|(_, symbol)| symbol.is_candidate());
    let thing = |(cell, &symbol): (Pos, &Symbol)| {
        kit.thing(&capital(symbol_kind(symbol)), cell, vec![("symbol", Given::Text(symbol.to_string()))])
    };
    standing.filter_map(thing).collect()
}

fn floor_stage<'a>(floor: &'a Floor, kit: &Kit) -> Stage<'a> {
    let entities = floor.ids().filter_map(|(id, entity)| {
        let data = entity.data.as_deref().and_then(|data| serde_json::to_string(data).ok());
        let fields = vec![("id", Given::Text(id)), ("data", Given::Text(data.unwrap_or_default()))];
        kit.thing(&capital(entity.kind.name()), entity.pos, fields)
    });
    let path = kit.route(floor.entrance, &floor.path, "path".to_owned(), 0);
    let things = entities.chain(path).collect();
    Stage {
        name: "Floor".to_owned(),
        size: floor.size(),
        world: (0, 0),
        fields: Vec::new(),
        things,
        value: Box::new(|pos| floor_gid(FloorTile::Tile(floor.tile(pos)))),
        tile: Box::new(|pos| floor_gid(FloorTile::Tile(floor.tile(pos))) - 1),
    }
}
