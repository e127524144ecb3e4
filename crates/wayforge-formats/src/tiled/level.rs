//! Levels and blueprints as Tiled maps.

use super::names;
use super::tiled_map::{
    Layer, Object, Property, Shape, TiledMap, TilesetKind, level_gid, symbol_kind,
};
use crate::content::ContentKind;
use wayforge::Family;
use wayforge::grid::{BitGrid, Dir, Pos, Size};
use wayforge::level::{self, Blueprint, InteriorWalls, Level, Mover, Symbol, Witness};
use wayforge_draw::LevelTile;

pub(super) fn level_map(level: &Level) -> TiledMap<'_> {
    let config = level.spec.config();
    let mut properties = Vec::from(Property::provenance(&level.to_document()));
    properties.push(Property::json(names::ATTEMPT, &level.attempt));
    let station = config.fuel == level::FuelMode::RefuelChain;
    let layers = vec![
        Layer::tiles(names::GROUND, |pos| level_gid(level_tile_of(level, pos))),
        overlay(names::CAR_WALKABLE, false, LevelTile::CarWalkable, &level.car_walkable_cells),
        overlay(names::FALL_SPAWN, true, LevelTile::FallSpawn, &level.tags.fall_spawn_cells),
        Layer::pins(names::PINS, level_gid(LevelTile::Pin), &config.pins),
        candidates(&level.blueprint, station),
        Layer::Objects { name: names::MARKS, colour: Some("#8a2be2"), objects: marks(level) },
        Layer::Objects { name: names::ROUTES, colour: Some("#b22222"), objects: routes(level) },
    ];
    let kind = ContentKind::Map(Family::Level);
    TiledMap::new(TilesetKind::Level, level.blueprint.size(), kind, properties, layers)
}

pub(super) fn blueprint_map(blueprint: &Blueprint) -> TiledMap<'_> {
    let tiles = SymbolTiles { solid: false, size: blueprint.size() };
    let layers = vec![
        Layer::tiles(names::GROUND, move |pos| level_gid(tiles.tile(blueprint.get(pos), pos))),
        Layer::pins(names::PINS, 0, &[]),
        candidates(blueprint, false),
    ];
    TiledMap::new(TilesetKind::Level, tiles.size, ContentKind::Blueprint, Vec::new(), layers)
}

/// Returns the ground tile of a cell.
pub(crate) fn level_tile_of(level: &Level, pos: Pos) -> LevelTile {
    let solid = level.spec.config().interior_walls == Some(InteriorWalls::Solid);
    match level.blueprint.get(pos) {
        Symbol::Wall if level.tags.reinforced.contains(pos) => LevelTile::Reinforced,
        symbol => SymbolTiles { solid, size: level.blueprint.size() }.tile(symbol, pos),
    }
}

/// Mapping from symbols to tiles.
#[derive(Clone, Copy)]
pub(crate) struct SymbolTiles {
    pub(crate) solid: bool,
    pub(crate) size: Size,
}

impl SymbolTiles {
    pub(crate) fn tile(self, symbol: Symbol, pos: Pos) -> LevelTile {
        match symbol {
            symbol if symbol.is_candidate() => LevelTile::at(Symbol::Floor, pos),
            Symbol::Wall if self.solid => LevelTile::Solid,
            Symbol::Exit => match nearest_edge(pos, self.size) {
                Dir::North => LevelTile::Symbol(Symbol::Exit),
                dir => LevelTile::Exit(dir),
            },
            symbol => LevelTile::at(symbol, pos),
        }
    }
}

/// Returns the direction of the nearest edge of the grid.
fn nearest_edge(pos: Pos, size: Size) -> Dir {
    let distance = |side: u16, at: u16| side.saturating_sub(at + 1);
    let edges = [
        (pos.y, Dir::North),
        (distance(size.width, pos.x), Dir::East),
        (distance(size.height, pos.y), Dir::South),
        (pos.x, Dir::West),
    ];
    edges.into_iter().min_by_key(|edge| edge.0).map_or(Dir::North, |edge| edge.1)
}

fn overlay<'a>(name: &'static str, visible: bool, tile: LevelTile, set: &'a BitGrid) -> Layer<'a> {
    let gid = level_gid(tile);
    let cells = Box::new(move |pos| if set.contains(pos) { gid } else { 0 });
    Layer::Tiles { name, visible, cells }
}

fn candidates(blueprint: &Blueprint, station: bool) -> Layer<'static> {
    let candidates =
        blueprint.size().iter().zip(blueprint.cells()).filter(|(_, symbol)| symbol.is_candidate());
    let objects = candidates.map(|(cell, &symbol)| {
        let tile = match symbol {
            Symbol::Fuel if station => LevelTile::Station,
            symbol => LevelTile::Symbol(symbol),
        };
        let properties = vec![Property::text("symbol", symbol.to_string())];
        Object::new(symbol_kind(symbol), cell, Shape::Tile(level_gid(tile)), properties)
    });
    Layer::Objects { name: names::CANDIDATES, colour: None, objects: objects.collect() }
}

fn marks(level: &Level) -> Vec<Object> {
    let marks = level.spec.config().marks.iter().zip(&level.tags.marks);
    let objects = marks.flat_map(|(mark, cells)| {
        cells
            .iter()
            .map(|&cell| Object::new("mark", cell, Shape::Cell, Vec::new()).with_name(&mark.name))
    });
    objects.collect()
}

fn routes(level: &Level) -> Vec<Object> {
    let route = |witness: &Witness| {
        let properties = vec![
            Property::int("chain", witness.chain),
            Property::text(
                "mover",
                if level.mover(witness) == Mover::Car { "car" } else { "person" },
            ),
            Property::json("reached", &witness.reached),
        ];
        Object::line("route", &witness.route, properties)
            .with_name(chain_name(&level.spec, witness.chain))
    };
    level.witness.iter().map(route).collect()
}

/// Returns the names of the steps of a chain, joined by arrows.
pub(crate) fn chain_name(spec: &level::Spec, chain: u32) -> String {
    let steps = spec.chains().get(chain as usize).map_or(&[][..], |chain| &chain.steps);
    steps.iter().map(|step| spec.step_name(*step)).collect::<Vec<_>>().join(" -> ")
}
