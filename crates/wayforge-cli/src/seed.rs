//! Random seeds: the one place where chance enters.

use crate::failure::{Context, Failure};
use wayforge::Seed;

/// A seed as an argument in a POSIX shell.
pub(crate) fn quoted(seed: &Seed) -> String {
    match seed.text() {
        Some(text) => format!("'{}'", text.replace('\'', r"'\''")),
        None => seed.to_string(),
    }
}

/// A seed from the system's randomness.
pub(crate) fn random() -> Result<Seed, Failure> {
    getrandom::u64().map(Seed::new).about("no random seed; give one with --seed")
}
