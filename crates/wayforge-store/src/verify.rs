//! Results of a verification.

use crate::error::StoreError;
use crate::guild_file::RecordCounts;
use crate::map::Revision;
use std::fmt;
use wayforge::Digest;

/// Numbers of rows that [`Store::verify`](crate::Store::verify) read, damaged ones included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifiedCounts {
    /// Guilds, without direct messages.
    pub guilds: u64,
    /// Channels, history entries and documents.
    pub records: RecordCounts,
    /// Tokens, including revoked ones.
    pub tokens: u64,
}

/// A damaged row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// `guild/channel`, with the guild `@` for a direct message; else `documents`, `tokens`, or
    /// `database` for the file itself.
    pub location: String,
    /// Revision of a history entry.
    pub revision: Option<Revision>,
    /// Digest of the map, if known.
    pub digest: Option<Digest>,
    /// The problem.
    pub problem: String,
}

/// Writes one line, for example `g1/general revision 7: the history is damaged, of the map
/// sha256:...`.
impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.location)?;
        if let Some(revision) = self.revision {
            write!(f, " revision {revision}")?;
        }
        write!(f, ": {}", self.problem)?;
        match self.digest {
            Some(digest) => write!(f, ", of the map {digest}"),
            None => Ok(()),
        }
    }
}

impl Damage {
    pub(crate) fn new(location: impl ToString, problem: impl ToString) -> Damage {
        let (location, problem) = (location.to_string(), problem.to_string());
        Damage { location, revision: None, digest: None, problem }
    }

    /// Describes a row that cannot be read.
    pub(crate) fn unreadable(location: impl ToString, error: &StoreError) -> Damage {
        match *error {
            StoreError::Damaged { part, digest, .. } => {
                Damage { digest, ..Damage::new(location, format!("{part} is damaged")) }
            }
            ref error => Damage::new(location, error),
        }
    }

    pub(crate) fn with_revision(self, revision: i64) -> Damage {
        // Only a damaged revision is negative.
        Damage { revision: u64::try_from(revision).ok().map(Revision), ..self }
    }
}
