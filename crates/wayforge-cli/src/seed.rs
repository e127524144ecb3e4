//! Random seeds: the one place where chance enters.

use crate::failure::Failure;
use wayforge::Seed;

/// A seed from the system's randomness.
pub(crate) fn random() -> Result<Seed, Failure> {
    getrandom::u64().map(Seed).map_err(|error| Failure::about("no random seed; give one with --seed", error))
}
