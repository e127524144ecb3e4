//! Whatever resolves gives a level without a fault, or says what failed.

use super::configs::any_config;
use crate::{self as level, Generator, Level, attempt_seed, rules, soft_locks, validate};
use proptest::prelude::*;
use wayforge_core::{Seed, Violation};

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(1_000), ..ProptestConfig::default() })]

    #[test]
    fn whatever_resolves_gives_a_clean_level_or_says_what_failed(config in any_config(), seed in any::<u64>()) {
        let Ok(spec) = config.resolve() else { return Ok(()) };
        let config = spec.config();
        match level::generate(Seed::new(seed), &spec) {
            Ok(level) => {
                let report = validate(&level);
                prop_assert!(report.is_valid(), "{:#?}\n{}", report.violations, level.blueprint);
                if config.soft_locks == level::SoftLocks::Forbidden {
                    prop_assert_eq!(soft_locks(&level), []);
                }
                let text = level.to_document().to_text();
                prop_assert_eq!(Level::decode(text.as_bytes()).unwrap(), level);
            }
            Err(error) => {
                prop_assert_eq!(error.attempts.len() as i64, config.attempts);
                for (index, attempt) in (0..).zip(&error.attempts) {
                    prop_assert_eq!(attempt.index, index);
                    prop_assert_eq!(attempt.seed.clone(), attempt_seed(&Seed::new(seed), index, config.retry));
                }
            }
        }
    }

    /// What the gate refuses breaks that very rule: it is neither too strict nor too lax.
    #[test]
    fn the_gate_and_the_judge_agree(config in any_config(), seed in any::<u64>()) {
        let Ok(spec) = config.resolve() else { return Ok(()) };
        let mut forge = Generator::new(&spec);
        let Err(Violation { rule, place, why }) = forge.attempt(&Seed::new(seed), &mut ()) else { return Ok(()) };
        if [rules::FEATURE_COUNTS, rules::SEPARATION].contains(&rule) {
            return Ok(());
        }
        // The gate breaks off before these are written.
        forge.level.car_walkable_cells.reset(spec.size());
        forge.level.tags.fall_spawn_cells.reset(spec.size());
        let report = validate(&forge.level);
        // Of candidates that cannot be reached the judge names another start.
        let same = |found: &&Violation| found.place == place || rule == rules::CANDIDATES_REACHABLE;
        let found = report.violations.iter().filter(|found| found.rule == rule).any(|found| same(&found));
        prop_assert!(found, "{rule} at {place}: {why}\n{:#?}\n{}", report.violations, forge.level.blueprint);
    }
}
