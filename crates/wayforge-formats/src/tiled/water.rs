//! Water and land as Tiled's maps.

use super::names;
use super::plan::{Layer, Plan, Property};
use super::tilesets::{Set, water_gid};
use wayforge::nav::Water;

pub(super) fn plan_water(water: &Water) -> Plan<'_> {
    let properties = vec![
        Property::text(names::FAMILY, "water"),
        Property::bool(names::MAGNITUDES, water.has_magnitudes()),
    ];
    let layers = vec![Layer::tiles(names::GROUND, |pos| water_gid(water, pos))];
    Plan { set: Set::Water, size: water.size(), properties, layers }
}
