//! Levels as a map family.

use crate::{Config, Error, Generator, Level, Remedy, Spec, generate, validate};
use serde_json::{Map, Value, json};
use wayforge_core::family::{GenerationError, MapFamily, MapGenerator};
use wayforge_core::{ConfigError, DecodeError, Document, Report, Seed};

impl MapFamily for Level {
    const NAME: &'static str = "level";
    const ALGORITHMS: &'static [&'static str] = &[crate::ALGORITHM];
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
        crate::ALGORITHM
    }

    fn generator(spec: &Spec) -> Generator {
        Generator::new(spec)
    }

    fn generate(seed: Seed, spec: &Spec) -> Result<Level, Error> {
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

    fn from_document(document: &Document) -> Result<Level, DecodeError> {
        Level::from_document(document)
    }
}

impl MapGenerator for Generator {
    type Map = Level;
    type Error = Error;

    #[inline]
    fn generate(&mut self, seed: Seed) -> Result<&Level, Error> {
        self.generate(seed)
    }

    fn rejections(&self, record: &mut dyn FnMut(&'static str, u32)) {
        self.rejected().iter().for_each(|attempt| record(attempt.violation.rule.0, 1));
    }

    fn repaired_rule(&self) -> Option<&'static str> {
        self.repaired_rule().map(|rule| rule.0)
    }
}

/// Number of attempts that a machine-readable error report lists.
const MAX_LISTED_ATTEMPTS: usize = 20;

impl GenerationError for Error {
    fn seed(&self) -> Option<&Seed> {
        Some(&self.seed)
    }

    fn conflicts(&self) -> Vec<String> {
        let mut rules: Vec<String> = Vec::new();
        for attempt in &self.attempts {
            let rule = attempt.violation.rule.0;
            if !rules.iter().any(|known| known == rule) {
                rules.push(rule.to_owned());
            }
        }
        rules
    }

    fn remedy(&self) -> String {
        "ask for less, try another seed or raise attempts".to_owned()
    }

    fn details(&self) -> Map<String, Value> {
        let listed = self.attempts.iter().take(MAX_LISTED_ATTEMPTS);
        let violations: Vec<_> = listed.map(|attempt| &attempt.violation).collect();
        let removal = match &self.remedy {
            Remedy::Remove(removal) => Some(&removal.cells),
            _ => None,
        };
        Map::from_iter([("violations".to_owned(), json!(violations)), ("removal".to_owned(), json!(removal))])
    }
}
