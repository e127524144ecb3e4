//! Command-line options of the spire ruleset.

use crate::failure::{Failure, reject};
use crate::number::whole;
use clap::Args;
use serde::Serialize;
use wayforge::Seed;
use wayforge::act::spire_seed_from_text;

/// Options of the spire ruleset only.
#[derive(Args, Serialize)]
#[command(next_help_heading = "Spire")]
pub(crate) struct SpireArgs {
    /// Act, 1 to 4 [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(1..=4))]
    act: Option<i64>,
    /// Ascension level, 0 to 20; all levels above 0 give the same maps [default: 0]
    #[arg(long, value_name = "N", value_parser = whole(0..=20))]
    ascension: Option<i64>,
    /// Mark the elite that burns with the emerald flame
    #[arg(long, num_args = 0, default_missing_value = "true")]
    emerald: Option<bool>,
    /// Seed as the game displays it, in base 35
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        conflicts_with = "seed",
        value_parser = spire_seed_from_text
    )]
    #[serde(skip)]
    pub(crate) seed_text: Option<Seed>,
}

impl SpireArgs {
    /// Returns the seed of `--seed-text` or `--seed`.
    ///
    /// The game's seeds are signed: -1 means 2^64 - 1.
    pub(crate) fn seed(&self, given: Option<Seed>) -> Result<Option<Seed>, Failure> {
        if self.seed_text.is_some() {
            return Ok(self.seed_text.clone());
        }
        let negative = given
            .as_ref()
            .and_then(Seed::text)
            .filter(|text| text.strip_prefix('-').is_some_and(is_number));
        let Some(text) = negative else { return Ok(given) };
        match text.parse::<i64>() {
            Ok(negative) => Ok(Some(Seed::new(negative as u64))),
            Err(_) => reject(format!("--seed {text}: out of range; use {} or more", i64::MIN)),
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
