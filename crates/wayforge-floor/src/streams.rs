//! The random streams of floor generation. Their names are part of the output: changing one changes every floor.

use wayforge_core::{MapRng, Seed, Stage};

/// One stream per stage, so that a change in one stage never moves another.
pub(crate) struct Streams {
    /// Entrance, exit and the path between them.
    pub(crate) path: MapRng,
    /// Open tiles around the path.
    pub(crate) open: MapRng,
    /// Doors, chests, entities, water.
    pub(crate) things: MapRng,
}

impl Streams {
    /// Returns the streams of a seed.
    pub(crate) fn of(seed: &Seed) -> Streams {
        let stream = |name| seed.stream(Stage::named(name));
        Streams { path: stream("floor.path"), open: stream("floor.open"), things: stream("floor.things") }
    }
}
