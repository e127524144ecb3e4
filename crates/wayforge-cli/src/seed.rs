//! Random seeds, the only source of randomness, and quoting of seeds for shells.

use crate::failure::{Context, Failure};
use wayforge::Seed;

/// Quotes a seed as an argument for a POSIX shell.
pub(crate) fn quoted(seed: &Seed) -> String {
    match seed.text() {
        Some(text) => format!("'{}'", text.replace('\'', r"'\''")),
        None => seed.to_string(),
    }
}

/// Returns a seed from the system's random number generator.
pub(crate) fn random() -> Result<Seed, Failure> {
    getrandom::u64().map(Seed::new).context("no random seed; give one with --seed")
}
