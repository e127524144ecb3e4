//! Tables and their versions. Migrations are never changed once they are published; a new one is added.

use crate::error::{Result, StoreError};

/// The steps of one backend, by version from 1.
pub(crate) struct Migrations(pub(crate) &'static [&'static str]);

impl Migrations {
    /// The steps that a database of version `found` has still to take, with the version that each leads to.
    pub(crate) fn after(&self, found: i64) -> Result<impl Iterator<Item = (i64, &'static str)> + use<>> {
        let known = self.0.len() as i64;
        match usize::try_from(found) {
            Ok(done) if done <= self.0.len() => Ok((1..).zip(self.0.iter().copied()).skip(done)),
            _ => Err(StoreError::Schema { found, known }),
        }
    }
}
