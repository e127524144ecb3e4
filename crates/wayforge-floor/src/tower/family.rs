//! Implements the traits of map families for towers.

use super::{
    ALGORITHM, Config, Error, FLOOR_ALGORITHM, Generator, SingleFloor, Spec, Tower, generate,
    validate,
};
use crate::Error as FloorError;
use serde_json::{Map, Value};
use wayforge_core::family::validate_document_within;
use wayforge_core::{
    ConfigError, DecodeError, Document, GenerationError, Report, Seed, Stopped, WorkLimit,
    map_family,
};

map_family! {
    Tower, "tower", [ALGORITHM, FLOOR_ALGORITHM];
    family {
        const MAY_BE_SLOW: bool = true;

        fn clear_generated_at(&mut self) {
            self.set_generated_at(crate::DEFAULT_GENERATED_AT);
        }

        fn without_metadata(self) -> Tower {
            self.without_metadata()
        }

        /// Also reads the configuration of the document of a single floor.
        fn config_of_document(document: &Document) -> Result<Config, DecodeError> {
            if document.algorithm == FLOOR_ALGORITHM {
                SingleFloor::tower_config(document)
            } else {
                Config::from_json(document.config.as_bytes())
            }
        }

        /// Also validates the document of a single floor of a tower.
        fn validate_document_within(
            document: &Document,
            reproduce: bool,
            limit: &WorkLimit,
        ) -> Result<Result<Report, Stopped>, DecodeError> {
            if document.algorithm == FLOOR_ALGORITHM {
                SingleFloor::validate_document_within(document, reproduce, limit)
            } else {
                validate_document_within::<Tower>(document, reproduce, limit)
            }
        }
    }
    generator {
        fn rejections(&self, record: &mut dyn FnMut(&'static str, u32)) {
            self.unmet_constraints().for_each(|unmet| record(unmet.field, unmet.attempts));
        }
    }
}

impl Error {
    /// Returns the error of the failed floor.
    fn cause(&self) -> Option<&FloorError> {
        if let Error::Floor { error, .. } = self { Some(error) } else { None }
    }
}

impl GenerationError for Error {
    fn seed(&self) -> Option<&Seed> {
        self.cause().and_then(GenerationError::seed)
    }

    fn stopped(&self) -> Option<Stopped> {
        self.cause().and_then(GenerationError::stopped)
    }

    fn conflicts(&self) -> Vec<String> {
        self.cause().map(GenerationError::conflicts).unwrap_or_default()
    }

    fn remedy(&self) -> String {
        match self {
            Error::Floor { error, .. } => GenerationError::remedy(error),
            Error::Config(error) => error.remedy.clone(),
            Error::Input(error) => error.remedy.clone(),
        }
    }

    fn details(&self) -> Map<String, Value> {
        self.cause().map(GenerationError::details).unwrap_or_default()
    }

    fn config_error(&self) -> Option<&ConfigError> {
        if let Error::Config(error) = self { Some(error) } else { None }
    }
}
