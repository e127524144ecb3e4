//! Maps as levels of a project.

use super::kit::{Given, Kit, capital};
use crate::content::Content;
use crate::tiled::{Look, floor_gid, level_gid, level_tile_of, symbol_kind, water_gid};
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
            let fields = made(&floor.to_document());
            vec![floor_stage(floor, "Floor".to_owned(), (0, 0), fields, kit)]
        }
        Content::Map(AnyMap::Tower(tower)) => {
            let mut y = 0;
            let document = tower.to_document();
            let stage = |(number, floor): (usize, &'a Floor)| {
                let corner = (0, y);
                // Each floor above the last, with a tile of space between them.
                let above = tower.floors.get(number + 1).map_or(0, |floor| floor.size().height);
                y -= (i64::from(above) + 1) * kit.side;
                let fields = if number == 0 { made(&document) } else { Vec::new() };
                floor_stage(floor, format!("Floor_{}", number + 1), corner, fields, kit)
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
    let config = level.spec.config();
    if let Some(kind) = kit.find("Mark") {
        for (mark, cells) in config.marks.iter().zip(&level.tags.marks) {
            let mark_at =
                |&cell: &Pos| Thing { kind, cell, fields: vec![("name", Given::Text(mark.name.clone()))] };
            things.extend(cells.iter().map(mark_at));
        }
    }
    if let Some(kind) = kit.find("Route") {
        things.extend(level.witness.iter().map(|witness| Thing {
            kind,
            cell: witness.route.first().copied().unwrap_or_default(),
            fields: vec![
                ("cells", Given::Cells(witness.route.clone())),
                ("name", Given::Text(crate::tiled::chain_name(&level.spec, witness.chain))),
                ("chain", Given::Int(witness.chain.into())),
            ],
        }));
    }
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
        let kind = kit.find(&capital(symbol_kind(symbol)))?;
        Some(Thing { kind, cell, fields: vec![("symbol", Given::Text(symbol.to_string()))] })
    };
    standing.filter_map(thing).collect()
}

fn floor_stage<'a>(
    floor: &'a Floor,
    name: String,
    world: (i64, i64),
    fields: Vec<(&'static str, Given)>,
    kit: &Kit,
) -> Stage<'a> {
    let mut things: Vec<Thing> = Vec::new();
    for (id, entity) in floor.ids() {
        let Some(kind) = kit.find(&capital(entity.kind.name())) else { continue };
        let data = entity.data.as_deref().and_then(|data| serde_json::to_string(data).ok());
        let fields = vec![("id", Given::Text(id)), ("data", Given::Text(data.unwrap_or_default()))];
        things.push(Thing { kind, cell: entity.pos, fields });
    }
    if let Some(kind) = kit.find("Route") {
        things.push(Thing {
            kind,
            cell: floor.entrance,
            fields: vec![
                ("cells", Given::Cells(floor.path.clone())),
                ("name", Given::Text("path".to_owned())),
                ("chain", Given::Int(0)),
            ],
        });
    }
    Stage {
        name,
        size: floor.size(),
        world,
        fields,
        things,
        value: Box::new(|pos| floor_gid(FloorTile::Tile(floor.tile(pos)))),
        tile: Box::new(|pos| floor_gid(FloorTile::Tile(floor.tile(pos))) - 1),
    }
}
