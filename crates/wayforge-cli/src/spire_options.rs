//! Options of the spire ruleset.

use crate::failure::{Failure, reject};
use crate::number::whole;
use clap::Args;
use serde::Serialize;
use wayforge::Seed;
use wayforge::act::spire_seed_from_text;

/// Options that only the spire ruleset has.
#[derive(Args, Serialize)]
#[command(next_help_heading = "Spire")]
pub(crate) struct SpireArgs {
    /// The act, 1 to 4
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 4>)]
    act: Option<i64>,
    /// The ascension level, 0 to 20; maps only tell 0 from the others
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 0, 20>)]
    ascension: Option<i64>,
    /// Let one elite burn with the emerald flame
    #[arg(long, num_args = 0, default_missing_value = "true")]
    emerald: Option<bool>,
    /// The seed as the game shows it, in base 35
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "seed", value_parser = spire_seed_from_text)]
    #[serde(skip)]
    pub(crate) seed_text: Option<Seed>,
}

impl SpireArgs {
    /// The seed that `--seed-text` or `--seed` gives. The game's seeds are signed: -1 is the number 2^64 - 1.
    pub(crate) fn seed(&self, given: Option<Seed>) -> Result<Option<Seed>, Failure> {
        if self.seed_text.is_some() {
            return Ok(self.seed_text.clone());
        }
        let negative =
            given.as_ref().and_then(Seed::text).filter(|text| text.strip_prefix('-').is_some_and(is_number));
        let Some(text) = negative else { return Ok(given) };
        match text.parse::<i64>() {
            Ok(negative) => Ok(Some(Seed::new(negative as u64))),
            Err(_) => reject(format!("--seed {text}: below the game's least seed; use {} and up", i64::MIN)),
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
