//! Every valid configuration gives a valid level or a generation error.

use super::configs::any_config;
use crate::{self as level, Generator, Level, attempt_seed, rules, soft_locks, validate};
use proptest::prelude::*;
use wayforge_core::{Seed, Violation};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(1_000),
        ..ProptestConfig::default()
    })]

    #[test]
    fn resolved_configs_give_valid_levels_or_errors(config in any_config(), seed in any::<u64>()) {
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
                    let expected = attempt_seed(&Seed::new(seed), index, config.retry);
                    prop_assert_eq!(attempt.seed.clone(), expected);
                }
            }
        }
    }

    /// The acceptance check and the validator report the same rule.
    #[test]
    fn acceptance_check_and_validator_agree(config in any_config(), seed in any::<u64>()) {
        let Ok(spec) = config.resolve() else { return Ok(()) };
        let mut generator = Generator::new(&spec);
        let result = generator.attempt(&Seed::new(seed), &mut ());
        let Err(Violation { rule, place, why }) = result else { return Ok(()) };
        if [rules::FEATURE_COUNTS, rules::SEPARATION].contains(&rule) {
            return Ok(());
        }
        // The acceptance check stops before it writes these.
        generator.level.car_walkable_cells.reset(spec.size());
        generator.level.tags.fall_spawn_cells.reset(spec.size());
        let report = validate(&generator.level);
        // For unreachable candidates, the validator reports another start.
        let same = |found: &&Violation| found.place == place || rule == rules::CANDIDATES_REACHABLE;
        let mut of_rule = report.violations.iter().filter(|found| found.rule == rule);
        let found = of_rule.any(|found| same(&found));
        let blueprint = &generator.level.blueprint;
        prop_assert!(
            found, "{rule} at {place}: {why}\n{:#?}\n{blueprint}", report.violations
        );
    }
}
