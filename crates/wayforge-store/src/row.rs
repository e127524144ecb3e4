//! What tables hold, each row with a seal, so that damage is seen and never served.
//!
//! A seal is half a SHA-256 over all members of a row, each with its length before it. It guards against damage, not against
//! whoever may write to the database.

use crate::error::{Result, StoreError};
use crate::history::{Event, HistoryEntry, HistoryMap};
use crate::key::{Actor, ChannelKey};
use crate::map::{Listed, Revision, Start, StoredMap};
use crate::timestamp::Timestamp;
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use wayforge::{Digest, Document, Family, Run, Seed};

/// A row of `channels`. Without a digest the map was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChannelRow {
    pub(crate) key: ChannelKey,
    pub(crate) revision: i64,
    pub(crate) digest: Option<Vec<u8>>,
    pub(crate) progress: Option<String>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) seal: Vec<u8>,
}

/// A row of `history`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HistoryRow {
    pub(crate) key: ChannelKey,
    pub(crate) revision: i64,
    pub(crate) at: i64,
    pub(crate) actor: String,
    pub(crate) event: String,
    pub(crate) detail: Option<String>,
    pub(crate) digest: Option<Vec<u8>>,
    pub(crate) progress: Option<String>,
    pub(crate) seal: Vec<u8>,
}

/// A row of `documents`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocumentRow {
    pub(crate) digest: Vec<u8>,
    pub(crate) algorithm: String,
    pub(crate) seed: String,
    pub(crate) text: String,
    pub(crate) seal: Vec<u8>,
}

/// Algorithm and seed of a document, as joins bring them along.
pub(crate) type Origin = Option<(String, String)>;

impl ChannelRow {
    pub(crate) fn sealed(mut self) -> ChannelRow {
        self.seal = self.computed_seal();
        self
    }

    fn computed_seal(&self) -> Vec<u8> {
        Sealing::new("channel")
            .key(&self.key)
            .number(self.revision)
            .bytes(self.digest.as_deref())
            .bytes(self.progress.as_deref().map(str::as_bytes))
            .number(self.created)
            .number(self.updated)
            .seal()
    }

    /// The row if it is as it was written.
    pub(crate) fn checked(self) -> Result<ChannelRow> {
        match self.seal == self.computed_seal() {
            true => Ok(self),
            false => Err(damaged(&self.key.to_string(), "the progress", self.digest.as_deref())),
        }
    }

    pub(crate) fn digest(&self) -> Result<Option<Digest>> {
        read_digest(&self.key, self.digest.as_deref())
    }

    /// The map of a checked row with the document that belongs to it.
    pub(crate) fn stored(self, document: &Kept, start: Option<&Run>) -> StoredMap {
        StoredMap {
            key: self.key,
            family: document.family,
            algorithm: document.algorithm.clone(),
            seed: document.seed.clone(),
            document: Arc::clone(&document.text),
            digest: document.digest,
            progress: self.progress,
            revision: Revision(self.revision as u64),
            created: Timestamp(self.created),
            updated: Timestamp(self.updated),
            start: Start(start.cloned()),
        }
    }

    pub(crate) fn listed(self, origin: Origin) -> Result<Listed> {
        let row = self.checked()?;
        let map = history_map(&row.key, row.digest.as_deref(), origin)?;
        let Some(HistoryMap { family, algorithm, seed, digest }) = map else {
            return Err(damaged(&row.key.to_string(), "the document", None));
        };
        Ok(Listed {
            key: row.key,
            family,
            algorithm,
            seed,
            digest,
            revision: Revision(row.revision as u64),
            created: Timestamp(row.created),
            updated: Timestamp(row.updated),
        })
    }
}

impl HistoryRow {
    pub(crate) fn sealed(mut self) -> HistoryRow {
        self.seal = self.computed_seal();
        self
    }

    fn computed_seal(&self) -> Vec<u8> {
        Sealing::new("history")
            .key(&self.key)
            .number(self.revision)
            .number(self.at)
            .bytes(Some(self.actor.as_bytes()))
            .bytes(Some(self.event.as_bytes()))
            .bytes(self.detail.as_deref().map(str::as_bytes))
            .bytes(self.digest.as_deref())
            .bytes(self.progress.as_deref().map(str::as_bytes))
            .seal()
    }

    /// The row if it is as it was written.
    pub(crate) fn checked(self) -> Result<HistoryRow> {
        match self.seal == self.computed_seal() {
            true => Ok(self),
            false => Err(self.damaged()),
        }
    }

    pub(crate) fn damaged(&self) -> StoreError {
        damaged(&self.key.to_string(), "the history", self.digest.as_deref())
    }

    pub(crate) fn event(&self) -> Result<Event> {
        Event::read(&self.event, self.detail.as_deref()).map_err(|_| self.damaged())
    }

    pub(crate) fn digest(&self) -> Result<Option<Digest>> {
        read_digest(&self.key, self.digest.as_deref())
    }

    pub(crate) fn entry(self, origin: Origin) -> Result<HistoryEntry> {
        let row = self.checked()?;
        Ok(HistoryEntry {
            revision: Revision(row.revision as u64),
            at: Timestamp(row.at),
            actor: Actor::new(&row.actor).map_err(|_| row.damaged())?,
            event: row.event()?,
            map: history_map(&row.key, row.digest.as_deref(), origin)?,
        })
    }
}

impl DocumentRow {
    /// The row of a document, sealed.
    pub(crate) fn of(document: &Document) -> DocumentRow {
        let row = DocumentRow {
            digest: document.digest.0.to_vec(),
            algorithm: document.algorithm.clone(),
            seed: document.seed.to_string(),
            text: document.to_text(),
            seal: Vec::new(),
        };
        DocumentRow { seal: row.computed_seal(), ..row }
    }

    fn computed_seal(&self) -> Vec<u8> {
        Sealing::new("document")
            .bytes(Some(&self.digest))
            .bytes(Some(self.algorithm.as_bytes()))
            .bytes(Some(self.seed.as_bytes()))
            .bytes(Some(self.text.as_bytes()))
            .seal()
    }
}

/// A document that was looked at: it is as it was written, and it is the one that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) digest: Digest,
    pub(crate) family: Family,
    pub(crate) algorithm: String,
    pub(crate) seed: Seed,
    pub(crate) text: Arc<str>,
}

impl Kept {
    pub(crate) fn of(document: &Document) -> Result<Kept> {
        Kept::read(document.digest, Some(DocumentRow::of(document)))
    }

    /// Checks the row that was found for a digest.
    pub(crate) fn read(digest: Digest, row: Option<DocumentRow>) -> Result<Kept> {
        let damage = || damaged("documents", "the document", Some(&digest.0));
        let row = row.ok_or_else(damage)?;
        let seed = Seed::from_text(&row.seed);
        // The canonical text ends with its own digest, and the seal says that the text is the one that was checked before
        // it was written: the long way, through every member, need not be gone again.
        let whole = row.seal == row.computed_seal()
            && row.digest == digest.0
            && seed.to_string() == row.seed
            && row.text.ends_with(&format!(",\"digest\":\"{digest}\"}}"));
        if !whole {
            return Err(damage());
        }
        let family = family_of(&row.algorithm, "documents", digest)?;
        Ok(Kept { digest, family, algorithm: row.algorithm, seed, text: row.text.into() })
    }
}

/// The family of a stored map.
fn family_of(algorithm: &str, place: &str, digest: Digest) -> Result<Family> {
    Family::from_algorithm(algorithm).ok_or_else(|| StoreError::UnknownAlgorithm {
        place: place.to_owned(),
        algorithm: algorithm.to_owned(),
        digest,
    })
}

/// What is wrong with which map.
pub(crate) fn damaged(place: &str, what: &'static str, digest: Option<&[u8]>) -> StoreError {
    let digest = match digest.map(<[u8; 32]>::try_from) {
        Some(Ok(bytes)) => Digest(bytes).to_string(),
        _ => "without digest".to_owned(),
    };
    StoreError::Damaged { place: place.to_owned(), what, digest }
}

fn read_digest(key: &ChannelKey, bytes: Option<&[u8]>) -> Result<Option<Digest>> {
    match bytes.map(<[u8; 32]>::try_from) {
        None => Ok(None),
        Some(Ok(bytes)) => Ok(Some(Digest(bytes))),
        Some(Err(_)) => Err(damaged(&key.to_string(), "the digest", None)),
    }
}

fn history_map(key: &ChannelKey, digest: Option<&[u8]>, origin: Origin) -> Result<Option<HistoryMap>> {
    let Some(digest) = read_digest(key, digest)? else { return Ok(None) };
    let damage = || damaged(&key.to_string(), "the document", Some(&digest.0));
    let (algorithm, seed) = origin.ok_or_else(damage)?;
    let family = family_of(&algorithm, &key.to_string(), digest)?;
    Ok(Some(HistoryMap { family, algorithm, seed: Seed::from_text(&seed), digest }))
}

/// Members of a row on their way into a seal.
struct Sealing(Sha256);

impl Sealing {
    fn new(table: &str) -> Sealing {
        Sealing(Sha256::new()).bytes(Some(table.as_bytes()))
    }

    fn key(self, key: &ChannelKey) -> Sealing {
        self.bytes(Some(key.guild_column().as_bytes())).bytes(Some(key.channel.as_str().as_bytes()))
    }

    fn number(mut self, number: i64) -> Sealing {
        self.0.update(number.to_be_bytes());
        self
    }

    fn bytes(mut self, bytes: Option<&[u8]>) -> Sealing {
        // Nothing is not the same as something empty.
        self.0.update(bytes.map_or(u64::MAX, |bytes| bytes.len() as u64).to_be_bytes());
        self.0.update(bytes.unwrap_or_default());
        self
    }

    fn seal(self) -> Vec<u8> {
        self.0.finalize()[..16].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A later version may know more algorithms; its maps are whole.
    #[test]
    fn maps_of_unknown_algorithms_are_not_damaged() {
        let digest = Digest([7; 32]);
        let row = DocumentRow {
            digest: digest.0.to_vec(),
            algorithm: "act.spiral/1".into(),
            seed: "7".into(),
            text: format!("{{\"digest\":\"{digest}\"}}").replace("{\"digest", "{\"map\":{},\"digest"),
            seal: Vec::new(),
        };
        let row = DocumentRow { seal: row.computed_seal(), ..row };
        let error = Kept::read(digest, Some(row.clone())).unwrap_err();
        assert!(
            matches!(&error, StoreError::UnknownAlgorithm { algorithm, .. } if algorithm == "act.spiral/1")
        );
        assert!(error.to_string().ends_with("use a newer wayforge"), "{error}");
        let damaged = DocumentRow { text: row.text.replace("{}", "[]"), ..row };
        assert!(matches!(Kept::read(digest, Some(damaged)), Err(StoreError::Damaged { .. })));
        let key = ChannelKey::new(None, "c").unwrap();
        let origin = Some(("act.spiral/1".to_owned(), "7".to_owned()));
        let error = history_map(&key, Some(&digest.0), origin).unwrap_err();
        assert!(matches!(error, StoreError::UnknownAlgorithm { place, .. } if place == "@/c"));
    }
}
