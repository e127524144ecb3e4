//! Floors and templates as Tiled's maps.

use super::names;
use super::plan::{Layer, Object, Plan, Property, Shape};
use super::tilesets::{Set, floor_gid};
use wayforge::floor::{Entity, EntityKind, Floor, Template, TileKind};
use wayforge::grid::{Pos, Size};
use wayforge::tower::Tower;
use wayforge_draw::{FloorTile, TILE_SIDE, Theme, TileSheet};

pub(super) fn plan_floor<'a>(floor: &'a Floor, theme: Theme, sheet: &TileSheet) -> Plan<'a> {
    let document = floor.to_document();
    let properties = vec![
        Property::text(names::ALGORITHM, document.algorithm.as_str()),
        Property::json(names::CONFIG, floor.spec.config()),
        Property::text(names::DIGEST, document.digest.to_string()),
        Property::text(names::FAMILY, "floor"),
        Property::text(names::GENERATED_AT, floor.generated_at.as_str()),
        Property::json(names::ORIGIN, &floor.origin),
        Property::text(names::SEED, floor.seed.to_string()),
    ];
    plan(floor, properties, theme, sheet)
}

/// One floor of a tower; the lowest also says how the whole was made.
pub(super) fn plan_storey<'a>(
    tower: &'a Tower,
    number: usize,
    floor: &'a Floor,
    theme: Theme,
    sheet: &TileSheet,
) -> Plan<'a> {
    let mut properties = vec![
        Property::text(names::FAMILY, "tower"),
        Property::int(names::FLOOR, number as i64 + 1),
        Property::text(names::FLOOR_SEED, floor.seed.to_string()),
        Property::text(names::GENERATED_AT, floor.generated_at.as_str()),
        Property::json(names::ORIGIN, &floor.origin),
        Property::text(names::SEED, tower.seed.to_string()),
    ];
    if number == 0 {
        let document = tower.to_document();
        properties.insert(0, Property::text(names::ALGORITHM, document.algorithm.as_str()));
        properties.insert(1, Property::json(names::CONFIG, tower.spec.config()));
        properties.insert(2, Property::text(names::DIGEST, document.digest.to_string()));
    }
    plan(floor, properties, theme, sheet)
}

/// A template's rows; characters of its own legend become what they mean.
pub(super) fn plan_template(
    template: &Template,
    theme: Theme,
    sheet: &TileSheet,
) -> Result<Plan<'static>, wayforge::ConfigError> {
    let size = template.size()?;
    let rows: Vec<Vec<char>> = template.rows.iter().map(|row| row.chars().collect()).collect();
    let meaning = |c: char| -> (TileKind, Option<EntityKind>) {
        let own = template.legend.get(&c.to_string()).map(|meaning| meaning.kind.as_str());
        let tile =
            TileKind::ALL.into_iter().find(|kind| own.map_or(kind.symbol() == c, |own| kind.name() == own));
        let entity =
            EntityKind::ALL.into_iter().find(|kind| own.map_or(kind.symbol() == c, |own| kind.name() == own));
        (tile.unwrap_or(TileKind::Floor), entity)
    };
    let cells: Vec<(TileKind, Option<EntityKind>)> = rows.iter().flatten().map(|&c| meaning(c)).collect();
    let (mut objects, mut notes) = (Vec::new(), Vec::new());
    for (pos, (&c, &(_, entity))) in size.iter().zip(rows.iter().flatten().zip(&cells)) {
        if template.legend.contains_key(&c.to_string()) {
            let properties = vec![Property::text(names::SYMBOL, c)];
            notes.push(Object {
                name: String::new(),
                kind: "note",
                cell: pos,
                shape: Shape::Cell,
                properties,
            });
        }
        objects.extend(entity.map(|kind| Object {
            name: String::new(),
            kind: kind.name(),
            cell: pos,
            shape: Shape::Tile(floor_gid(FloorTile::Entity(kind))),
            properties: Vec::new(),
        }));
    }
    let layers = vec![
        ground(move |pos| cells.get(size.index(pos)).map_or(TileKind::Wall, |cell| cell.0)),
        pins(Vec::new()),
        Layer::Objects { name: names::ENTITIES, colour: None, objects },
        Layer::Objects { name: names::NOTES, colour: Some("#8a2be2"), objects: notes },
    ];
    let properties = vec![
        Property::text(names::FAMILY, "template"),
        Property::text(names::ID, template.id.as_str()),
        Property::json(names::LEGEND, &template.legend),
    ];
    Ok(Plan { size, side: TILE_SIDE, properties, tileset: Set::Floor.tileset(theme, sheet), layers })
}

fn plan<'a>(floor: &'a Floor, properties: Vec<Property>, theme: Theme, sheet: &TileSheet) -> Plan<'a> {
    let size: Size = floor.size();
    let entities = floor.ids().map(|(id, entity)| {
        let data = entity.data.as_deref().map(|data| Property::json(names::DATA, data));
        Object {
            name: id,
            kind: entity.kind.name(),
            cell: entity.pos,
            shape: Shape::Tile(floor_gid(look(entity))),
            properties: data.into_iter().collect(),
        }
    });
    let notes = floor.meta.iter().map(|(pos, notes)| Object {
        name: String::new(),
        kind: "note",
        cell: *pos,
        shape: Shape::Cell,
        properties: vec![Property::json(names::META, &**notes)],
    });
    let path = Object {
        name: String::new(),
        kind: "path",
        cell: floor.path.first().copied().unwrap_or_default(),
        shape: Shape::Line(floor.path.clone()),
        properties: Vec::new(),
    };
    let layers = vec![
        ground(move |pos| floor.tile(pos)),
        pins(floor.spec.config().pins.clone()),
        Layer::Objects { name: names::ENTITIES, colour: None, objects: entities.collect() },
        Layer::Objects { name: names::NOTES, colour: Some("#8a2be2"), objects: notes.collect() },
        Layer::Objects { name: names::ROUTES, colour: Some("#b22222"), objects: vec![path] },
    ];
    Plan { size, side: TILE_SIDE, properties, tileset: Set::Floor.tileset(theme, sheet), layers }
}

fn look(entity: &Entity) -> FloorTile {
    let boss = entity.data.as_ref().is_some_and(|data| data.get("role") == Some(&"boss".into()));
    match entity.kind {
        EntityKind::Enemy if boss => FloorTile::Boss,
        kind => FloorTile::Entity(kind),
    }
}

fn ground<'a>(tile: impl Fn(Pos) -> TileKind + 'a) -> Layer<'a> {
    let cells = Box::new(move |pos| floor_gid(FloorTile::Tile(tile(pos))));
    Layer::Tiles { name: names::GROUND, visible: true, percent: 100, cells }
}

/// The cells that the configuration fixes.
fn pins(rows: Vec<String>) -> Layer<'static> {
    let gid = floor_gid(FloorTile::Pin);
    let cells = Box::new(move |pos: Pos| {
        let cell = rows.get(usize::from(pos.y)).and_then(|row| row.as_bytes().get(usize::from(pos.x)));
        if cell.is_some_and(|&cell| cell != b'?') { gid } else { 0 }
    });
    Layer::Tiles { name: names::PINS, visible: true, percent: 100, cells }
}
