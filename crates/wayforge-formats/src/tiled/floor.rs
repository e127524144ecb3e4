//! Floors and templates as Tiled maps.

use super::names;
use super::tiled_map::{Layer, Object, Property, Shape, TiledMap, TilesetKind, floor_gid};
use crate::content::ContentKind;
use std::sync::Arc;
use wayforge::Family;
use wayforge::floor::{Entity, EntityKind, Floor, Metadata, Template, TileKind};
use wayforge::grid::Pos;
use wayforge::tower::Tower;
use wayforge_draw::FloorTile;

pub(super) fn floor_map(floor: &Floor) -> TiledMap<'_> {
    new_map(floor, Family::Floor, Property::provenance(&floor.to_document()).into())
}

/// Converts one floor of a tower. The lowest floor also stores the provenance of the whole tower.
pub(super) fn tower_floor_map<'a>(tower: &Tower, number: usize, floor: &'a Floor) -> TiledMap<'a> {
    let mut properties = match number {
        0 => Property::provenance(&tower.to_document()).into(),
        _ => vec![Property::text(names::SEED, tower.seed.to_string())],
    };
    properties.push(Property::int(names::FLOOR, number as i64 + 1));
    properties.push(Property::text(names::FLOOR_SEED, floor.seed.to_string()));
    new_map(floor, Family::Tower, properties)
}

/// Converts a template. Characters of its own legend become the tiles they stand for.
pub(super) fn template_map(template: &Template) -> Result<TiledMap<'_>, wayforge::ConfigError> {
    let size = template.size()?;
    let (mut tiles, mut objects, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (pos, c) in size.iter().zip(template.rows.iter().flat_map(|row| row.chars())) {
        let (tile, entity) = template.kinds_of(c);
        tiles.push(tile.unwrap_or(TileKind::Floor));
        if template.legend.contains_key(&c.to_string()) {
            notes.push(Object::new(
                "note",
                pos,
                Shape::Cell,
                vec![Property::text(names::SYMBOL, c)],
            ));
        }
        objects.extend(
            entity.map(|kind| entity_object(kind, pos, FloorTile::Entity(kind), Vec::new())),
        );
    }
    let layers = vec![
        ground(move |pos| tiles.get(size.index(pos)).copied().unwrap_or(TileKind::Wall)),
        Layer::pins(names::PINS, 0, &[]),
        Layer::Objects { name: names::ENTITIES, colour: None, objects },
        Layer::Objects { name: names::NOTES, colour: Some("#8a2be2"), objects: notes },
    ];
    let properties = vec![
        Property::text(names::ID, template.id.as_str()),
        Property::json(names::LEGEND, &template.legend),
    ];
    Ok(TiledMap::new(TilesetKind::Floor, size, ContentKind::Template, properties, layers))
}

fn new_map<'a>(floor: &'a Floor, family: Family, mut properties: Vec<Property>) -> TiledMap<'a> {
    properties.push(Property::text(names::GENERATED_AT, floor.generated_at.as_str()));
    properties.push(Property::json(names::ORIGIN, &floor.origin));
    let entities = floor.ids().map(|(id, entity)| {
        let data = entity.data.as_deref().map(|data| Property::json(names::DATA, data));
        entity_object(entity.kind, entity.pos, entity_tile(entity), data.into_iter().collect())
            .with_name(id)
    });
    let note = |(pos, notes): &(Pos, Arc<Metadata>)| {
        Object::new("note", *pos, Shape::Cell, vec![Property::json(names::META, &**notes)])
    };
    let notes = floor.meta.iter().map(note).collect();
    let path = Object::line("path", &floor.path, Vec::new());
    let layers = vec![
        ground(|pos| floor.tile(pos)),
        Layer::pins(names::PINS, floor_gid(FloorTile::Pin), &floor.spec.config().pins),
        Layer::Objects { name: names::ENTITIES, colour: None, objects: entities.collect() },
        Layer::Objects { name: names::NOTES, colour: Some("#8a2be2"), objects: notes },
        Layer::Objects { name: names::ROUTES, colour: Some("#b22222"), objects: vec![path] },
    ];
    TiledMap::new(TilesetKind::Floor, floor.size(), ContentKind::Map(family), properties, layers)
}

fn entity_object(
    kind: EntityKind,
    cell: Pos,
    tile: FloorTile,
    properties: Vec<Property>,
) -> Object {
    Object::new(kind.name(), cell, Shape::Tile(floor_gid(tile)), properties)
}

fn entity_tile(entity: &Entity) -> FloorTile {
    if entity.is_boss() { FloorTile::Boss } else { FloorTile::Entity(entity.kind) }
}

fn ground<'a>(tile: impl Fn(Pos) -> TileKind + 'a) -> Layer<'a> {
    Layer::tiles(names::GROUND, move |pos| floor_gid(FloorTile::Tile(tile(pos))))
}
