//! Options of the spire ruleset.

use crate::failure::Failure;
use crate::number::whole;
use clap::Args;
use wayforge::Seed;
use wayforge::act::{SpireConfig, spire_seed_from_text};

/// Options that only the spire ruleset has.
#[derive(Args)]
#[command(next_help_heading = "Spire")]
pub(crate) struct SpireArgs {
    /// The act, 1 to 4
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 1, 4>)]
    act: Option<i64>,
    /// The ascension level, 0 to 20; maps only tell 0 from the others
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 0, 20>)]
    ascension: Option<i64>,
    /// Let one elite burn with the emerald flame
    #[arg(long)]
    emerald: bool,
    /// The seed as the game shows it, in base 35
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "seed")]
    seed_text: Option<String>,
}

impl SpireArgs {
    /// These options, and whether each was given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 4] {
        [
            ("act", self.act.is_some()),
            ("ascension", self.ascension.is_some()),
            ("emerald", self.emerald),
            ("seed-text", self.seed_text.is_some()),
        ]
    }

    /// The configuration with these options on top.
    pub(crate) fn apply(&self, mut config: SpireConfig) -> SpireConfig {
        config.act = self.act.unwrap_or(config.act);
        config.ascension = self.ascension.unwrap_or(config.ascension);
        config.emerald |= self.emerald;
        config
    }

    /// The seed that `--seed-text` or `--seed` gives. The game's seeds are signed: -1 is the number 2^64 - 1.
    pub(crate) fn seed(&self, given: Option<Seed>) -> Result<Option<Seed>, Failure> {
        if let Some(text) = &self.seed_text {
            let seed = spire_seed_from_text(text).map_err(|error| {
                Failure::Input(format!("--seed-text {:?}: {}; {}", error.value, error.problem, error.remedy))
            })?;
            return Ok(Some(seed));
        }
        let negative =
            given.as_ref().and_then(Seed::text).filter(|text| text.strip_prefix('-').is_some_and(is_number));
        let Some(text) = negative else { return Ok(given) };
        match text.parse::<i64>() {
            Ok(negative) => Ok(Some(Seed::new(negative as u64))),
            Err(_) => Err(Failure::Input(format!(
                "--seed {text}: below the game's least seed; use {} and up",
                i64::MIN
            ))),
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
