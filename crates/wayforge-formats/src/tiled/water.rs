//! Water and land as Tiled's maps.

use super::names;
use super::plan::{Layer, Plan, Property};
use super::tilesets::Set;
use wayforge::grid::Pos;
use wayforge::nav::Water;
use wayforge_draw::{Theme, TileSheet, WATER_MAGNITUDES, WATER_SIDE};

pub(super) fn plan_water<'a>(water: &'a Water, theme: Theme, sheet: &TileSheet) -> Plan<'a> {
    let properties = vec![
        Property::text(names::FAMILY, "water"),
        Property::bool(names::MAGNITUDES, water.has_magnitudes()),
    ];
    let cells = Box::new(move |pos: Pos| match water.is_open(pos) {
        false => 1,
        true => 2 + u32::from(water.magnitude(pos).min(WATER_MAGNITUDES - 1)),
    });
    let layers = vec![Layer::Tiles { name: names::GROUND, visible: true, percent: 100, cells }];
    let tileset = Set::Water.tileset(theme, sheet);
    Plan { size: water.size(), side: WATER_SIDE, properties, tileset, layers }
}
