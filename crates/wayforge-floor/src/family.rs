//! Floors as a map family.

use crate::{ALGORITHM, Config, Error, Floor, Generator, Spec, generate, validate};
use serde_json::{Map, Value};
use wayforge_core::family::{GenerationError, MapFamily, MapGenerator};
use wayforge_core::{ConfigError, DecodeError, Document, Report, Seed};

impl MapFamily for Floor {
    const NAME: &'static str = "floor";
    const ALGORITHMS: &'static [&'static str] = &[ALGORITHM];
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

    fn algorithm(_: &Spec) -> &'static str {
        ALGORITHM
    }

    fn generator(spec: &Spec) -> Generator {
        Generator::new(spec)
    }

    fn generate(seed: Seed, spec: &Spec) -> Result<Floor, Error> {
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

    fn from_document(document: &Document) -> Result<Floor, DecodeError> {
        Floor::from_document(document)
    }

    fn clear_generated_at(&mut self) {
        self.generated_at = crate::NO_TIME.to_owned();
    }

    fn without_metadata(self) -> Floor {
        self.without_metadata()
    }

    fn set_generated_at(&mut self, time: &str) {
        self.set_generated_at(time);
    }
}

impl MapGenerator for Generator {
    type Map = Floor;
    type Error = Error;

    #[inline]
    fn generate(&mut self, seed: Seed) -> Result<&Floor, Error> {
        self.generate(seed)
    }

    fn rejections(&self, record: &mut dyn FnMut(&'static str, u32)) {
        self.missed().for_each(|missed| record(missed.field, missed.attempts));
    }
}

impl GenerationError for Error {
    fn seed(&self) -> Option<&Seed> {
        Some(&self.seed)
    }

    fn conflicts(&self) -> Vec<String> {
        self.missed.iter().map(|missed| missed.field.to_owned()).collect()
    }

    fn remedy(&self) -> String {
        "ask for less, try another seed or raise attempts".to_owned()
    }

    fn details(&self) -> Map<String, Value> {
        Map::from_iter([("conflict".to_owned(), self.conflicts().into())])
    }
}
