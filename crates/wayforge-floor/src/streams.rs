//! Random streams of floor generation. Their names are part of the output: renaming one changes
//! every floor.

use wayforge_core::{MapRng, Seed, StreamId};

/// Entrance, exit and the path between them.
const PATH: StreamId = StreamId::named("floor.path");
/// Open tiles around the path.
const OPEN: StreamId = StreamId::named("floor.open");
/// Doors, chests, entities and water.
pub(crate) const OBJECTS: StreamId = StreamId::named("floor.things");
/// Variant of a template.
pub(crate) const TEMPLATE: StreamId = StreamId::named("floor.template");
/// Seeds of the floors of a tower.
pub(crate) const TOWER: StreamId = StreamId::named("floor.tower");

/// One stream per stage, so that changes in one stage do not affect the others.
pub(crate) struct Streams {
    pub(crate) path: MapRng,
    pub(crate) open: MapRng,
    pub(crate) objects: MapRng,
}

impl Streams {
    /// Creates the streams of a seed.
    pub(crate) fn new(seed: &Seed) -> Streams {
        Streams { path: seed.stream(PATH), open: seed.stream(OPEN), objects: seed.stream(OBJECTS) }
    }
}
