//! Implements the traits of map families for floors.

use crate::{ALGORITHM, Config, Error, Floor, Generator, Spec, generate, validate};
use wayforge_core::{GenerationError, Seed, Stopped, map_family};

map_family! {
    Floor, "floor", [ALGORITHM];
    family {
        fn clear_generated_at(&mut self) {
            self.generated_at = crate::DEFAULT_GENERATED_AT.to_owned();
        }

        fn without_metadata(self) -> Floor {
            self.without_metadata()
        }
    }
    generator {
        fn rejections(&self, record: &mut dyn FnMut(&'static str, u32)) {
            self.unmet_constraints().for_each(|unmet| record(unmet.field, unmet.attempts));
        }
    }
}

impl GenerationError for Error {
    fn seed(&self) -> Option<&Seed> {
        Some(&self.seed)
    }

    fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    fn conflicts(&self) -> Vec<String> {
        self.unmet.iter().map(|unmet| unmet.field.to_owned()).collect()
    }
}
