//! Towers as a map family.

use super::{
    ALGORITHM, Config, Error, FLOOR_ALGORITHM, Generator, SingleFloor, Spec, Tower, generate, validate,
};
use serde_json::{Map, Value};
use wayforge_core::family::{GenerationError, MapFamily, MapGenerator};
use wayforge_core::{ConfigError, DecodeError, Document, Report, Seed};

impl MapFamily for Tower {
    const NAME: &'static str = "tower";
    const ALGORITHMS: &'static [&'static str] = &[ALGORITHM, FLOOR_ALGORITHM];
    const MAY_BE_SLOW: bool = true;
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

    fn generate(seed: Seed, spec: &Spec) -> Result<Tower, Error> {
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

    fn from_document(document: &Document) -> Result<Tower, DecodeError> {
        Tower::from_document(document)
    }

    fn clear_generated_at(&mut self) {
        self.set_generated_at(crate::NO_TIME);
    }

    fn without_metadata(self) -> Tower {
        self.without_metadata()
    }

    fn set_generated_at(&mut self, time: &str) {
        self.set_generated_at(time);
    }

    /// Also reads the configuration of the document of a single floor.
    fn config_of_document(document: &Document) -> Result<Config, DecodeError> {
        if document.algorithm == FLOOR_ALGORITHM {
            return SingleFloor::tower_config(document);
        }
        Config::from_json(document.config.as_bytes())
    }

    /// Also validates the document of a single floor of a tower.
    fn validate_document(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
        if document.algorithm == FLOOR_ALGORITHM {
            return SingleFloor::validate_document(document, reproduce);
        }
        wayforge_core::family::validate_document::<Tower>(document, reproduce)
    }
}

impl MapGenerator for Generator {
    type Map = Tower;
    type Error = Error;

    fn generate(&mut self, seed: Seed) -> Result<&Tower, Error> {
        self.generate(seed)
    }

    fn rejections(&self, record: &mut dyn FnMut(&'static str, u32)) {
        self.missed().for_each(|missed| record(missed.field, missed.attempts));
    }
}

impl GenerationError for Error {
    fn seed(&self) -> Option<&Seed> {
        match self {
            Error::Floor { error, .. } => error.seed(),
            Error::Config(_) => None,
        }
    }

    fn conflicts(&self) -> Vec<String> {
        match self {
            Error::Floor { error, .. } => error.conflicts(),
            Error::Config(_) => Vec::new(),
        }
    }

    fn remedy(&self) -> String {
        match self {
            Error::Floor { error, .. } => error.remedy(),
            Error::Config(error) => error.remedy.clone(),
        }
    }

    fn details(&self) -> Map<String, Value> {
        match self {
            Error::Floor { error, .. } => error.details(),
            Error::Config(_) => Map::new(),
        }
    }

    fn config_error(&self) -> Option<&ConfigError> {
        match self {
            Error::Config(error) => Some(error),
            Error::Floor { .. } => None,
        }
    }
}
