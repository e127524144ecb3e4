//! Act maps as a map family.

use crate::wire::ALGORITHMS;
use crate::{ActMap, Attempts, Config, Error, Generator, Node, Spec, generate, validate};
use serde_json::{Map, Value};
use std::borrow::Cow;
use wayforge_core::family::{GenerationError, MapFamily, MapGenerator};
use wayforge_core::{ConfigError, DecodeError, Document, Report, Seed};

impl MapFamily for ActMap {
    const NAME: &'static str = "act";
    const ALGORITHMS: &'static [&'static str] = &ALGORITHMS;
    type Config = Config;
    type Spec = Spec;
    type Error = Error;
    type Generator = Generator;

    fn config_from_json(json: &[u8]) -> Result<Config, DecodeError> {
        Config::from_json(json)
    }

    fn resolve(config: &Config) -> Result<Spec, ConfigError> {
        config.resolve()
    }

    fn config(spec: &Spec) -> &Config {
        spec.config()
    }

    fn algorithm(spec: &Spec) -> &'static str {
        spec.algorithm()
    }

    fn generator(spec: &Spec) -> Generator {
        Generator::new(spec)
    }

    fn generate(seed: Seed, spec: &Spec) -> Result<ActMap, Error> {
        generate(seed, spec)
    }

    fn seed(&self) -> &Seed {
        &self.seed
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn validate(&self) -> Report {
        validate(self)
    }

    fn to_document(&self) -> Document {
        self.to_document()
    }

    fn from_document(document: &Document) -> Result<ActMap, DecodeError> {
        ActMap::from_document(document)
    }

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

impl MapGenerator for Generator {
    type Map = ActMap;
    type Error = Error;

    #[inline]
    fn generate(&mut self, seed: Seed) -> Result<&ActMap, Error> {
        self.generate(seed)
    }

    #[inline]
    fn try_generate(&mut self, seed: Seed) -> Option<&ActMap> {
        self.try_generate(seed)
    }

    #[inline]
    fn generate_if(&mut self, seed: Seed, wanted: impl FnOnce(&ActMap) -> bool) -> Option<&ActMap> {
        self.generate_if(seed, wanted)
    }

    fn without_backtracking(&self) -> bool {
        let attempts = &self.map.attempts;
        *attempts == Attempts { guided: attempts.guided, ..Attempts::default() }
    }
}

impl GenerationError for Error {
    fn seed(&self) -> Option<&Seed> {
        Some(&self.seed)
    }

    fn conflicts(&self) -> Vec<String> {
        self.conflict.clone()
    }

    fn remedy(&self) -> String {
        self.remedies.join(", ")
    }

    fn details(&self) -> Map<String, Value> {
        Map::from_iter([("conflict".to_owned(), self.conflict.as_slice().into())])
    }
}
