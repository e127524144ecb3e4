//! Implements the traits of map families for levels.

use crate::{
    ALGORITHM, Config, Error, Generator, Level, RepairOutcome, Spec, generate, validate,
    validate_within,
};
use serde_json::{Map, Value, json};
use wayforge_core::{GenerationError, Report, Seed, Stopped, WorkLimit, map_family};

map_family! {
    Level, "level", [ALGORITHM];
    family {
        const MAY_BE_SLOW: bool = true;

        fn validate_within(&self, limit: &WorkLimit) -> Result<Report, Stopped> {
            validate_within(self, limit)
        }
    }
    generator {
        fn rejections(&self, record: &mut dyn FnMut(&'static str, u32)) {
            self.rejected().iter().for_each(|attempt| record(attempt.violation.rule.0, 1));
        }

        fn repaired_rule(&self) -> Option<&'static str> {
            self.repaired_rule().map(|rule| rule.0)
        }
    }
}

/// Maximum number of attempts in a machine-readable error report.
const MAX_LISTED_ATTEMPTS: usize = 20;

impl GenerationError for Error {
    fn seed(&self) -> Option<&Seed> {
        Some(&self.seed)
    }

    fn stopped(&self) -> Option<Stopped> {
        self.stopped
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

    fn details(&self) -> Map<String, Value> {
        let listed = self.attempts.iter().take(MAX_LISTED_ATTEMPTS);
        let violations: Vec<_> = listed.map(|attempt| &attempt.violation).collect();
        let repair = match &self.repair {
            RepairOutcome::Found(repair) => Some(&repair.cells),
            _ => None,
        };
        Map::from_iter([
            ("violations".to_owned(), json!(violations)),
            ("repair".to_owned(), json!(repair)),
        ])
    }
}
