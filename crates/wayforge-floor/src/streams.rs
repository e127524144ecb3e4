//! Random streams of floor generation. Their names are part of the output: renaming one changes
//! every floor.

use wayforge_core::{MapRng, Seed, StreamId};

/// One stream per stage, so that changes in one stage do not affect the others.
pub(crate) struct Streams {
    /// Entrance, exit and the path between them.
    pub(crate) path: MapRng,
    /// Open tiles around the path.
    pub(crate) open: MapRng,
    /// Doors, chests, entities and water.
    pub(crate) objects: MapRng,
}

impl Streams {
    /// Creates the streams of a seed.
    pub(crate) fn new(seed: &Seed) -> Streams {
        let stream = |name| seed.stream(StreamId::named(name));
        Streams {
            path: stream("floor.path"),
            open: stream("floor.open"),
            objects: stream("floor.things"),
        }
    }
}
