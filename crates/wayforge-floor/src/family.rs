//! Floors as a map family.

use crate::{ALGORITHM, Config, Error, Floor, Generator, Spec, generate, validate};
use wayforge_core::{GenerationError, Seed, map_family};

map_family! {
    Floor, "floor", [ALGORITHM];
    family {
        fn clear_generated_at(&mut self) {
            self.generated_at = crate::NO_TIME.to_owned();
        }

        fn without_metadata(self) -> Floor {
            self.without_metadata()
        }
    }
    generator {
        fn rejections(&self, record: &mut dyn FnMut(&'static str, u32)) {
            self.missed().for_each(|missed| record(missed.field, missed.attempts));
        }
    }
}

impl GenerationError for Error {
    fn seed(&self) -> Option<&Seed> {
        Some(&self.seed)
    }

    fn conflicts(&self) -> Vec<String> {
        self.missed.iter().map(|missed| missed.field.to_owned()).collect()
    }
}
