//! Random seeds: the one place where chance enters.

use crate::failure::Failure;
use wayforge::{InputError, Seed};

/// The seed that `--seed` gives.
pub(crate) fn parse(text: &str) -> Result<Seed, Failure> {
    text.parse().map_err(|error: InputError| Failure::Input(format!("--{error}")))
}

/// A seed as an argument in a POSIX shell.
pub(crate) fn quoted(seed: &Seed) -> String {
    match seed.text() {
        Some(text) => format!("'{}'", text.replace('\'', r"'\''")),
        None => seed.to_string(),
    }
}

/// A seed from the system's randomness.
pub(crate) fn random() -> Result<Seed, Failure> {
    getrandom::u64()
        .map(Seed::new)
        .map_err(|error| Failure::about("no random seed; give one with --seed", error))
}
