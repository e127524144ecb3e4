//! Implements the traits of map families for act maps.

use crate::{
    ALGORITHMS, ActMap, Attempts, Config, Error, Generator, Node, Spec, generate, validate,
};
use std::borrow::Cow;
use wayforge_core::{GenerationError, Seed, Stopped, map_family};

map_family! {
    ActMap, "act", ALGORITHMS;
    family {
        fn in_canonical_order(&self) -> Cow<'_, ActMap> {
            if self.nodes.is_sorted_by_key(Node::pos) && self.edges.is_sorted() {
                return Cow::Borrowed(self);
            }
            let mut ordered = self.clone();
            ordered.nodes.sort_unstable_by_key(Node::pos);
            ordered.edges.sort_unstable();
            Cow::Owned(ordered)
        }
    }
    generator {
        #[inline]
        fn try_generate(&mut self, seed: Seed) -> Option<&ActMap> {
            self.try_generate(seed)
        }

        #[inline]
        fn generate_if(
            &mut self,
            seed: Seed,
            accept: impl FnOnce(&ActMap) -> bool,
        ) -> Option<&ActMap> {
            self.generate_if(seed, accept)
        }

        fn without_backtracking(&self) -> bool {
            let attempts = &self.map.attempts;
            *attempts == Attempts { guided: attempts.guided, ..Attempts::default() }
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
        self.conflict.clone()
    }

    fn remedy(&self) -> String {
        self.remedies.join(", ")
    }
}
