//! Rows of the tables, each stored with a checksum, so that damage is detected and never served.
//!
//! A checksum is half a SHA-256 over all members of a row, each with its length before it. It guards against damage, not against
//! anybody who may write to the database.

use crate::error::{Result, StoreError};
use crate::history::{Event, HistoryEntry, HistoryMap};
use crate::key::{Actor, ChannelKey, Id};
use crate::map::{Listed, Revision, Start, StoredMap};
use crate::timestamp::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use wayforge::{Digest, Document, Family, Run, Seed};

/// A row of `channels`, and a line of guild files. Without a digest the map was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChannelRow {
    #[serde(rename = "channel", with = "channel_only")]
    pub(crate) key: ChannelKey,
    pub(crate) revision: i64,
    #[serde(rename = "map", deserialize_with = "Option::deserialize")]
    pub(crate) digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "raw_json")]
    pub(crate) progress: Option<String>,
    pub(crate) created: Timestamp,
    pub(crate) updated: Timestamp,
}

/// A row of `history`, and a line of guild files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryRow {
    #[serde(rename = "channel", with = "channel_only")]
    pub(crate) key: ChannelKey,
    pub(crate) revision: i64,
    pub(crate) at: Timestamp,
    pub(crate) actor: Actor,
    #[serde(rename = "did")]
    pub(crate) event: Event,
    #[serde(rename = "map", deserialize_with = "Option::deserialize")]
    pub(crate) digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "raw_json")]
    pub(crate) progress: Option<String>,
}

/// A row of `documents` that was checked: it is as it was written, and it is the one that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) map: HistoryMap,
    pub(crate) text: Arc<str>,
}

/// Algorithm and seed of a document, as joins bring them along.
pub(crate) type Origin = Option<(String, String)>;

impl ChannelRow {
    pub(crate) fn seal(&self) -> Vec<u8> {
        Sealing::new("channel")
            .key(&self.key)
            .number(self.revision)
            .bytes(digest_bytes(&self.digest))
            .bytes(self.progress.as_deref().map(str::as_bytes))
            .number(self.created.0)
            .number(self.updated.0)
            .seal()
    }

    pub(crate) fn damaged(&self) -> StoreError {
        damaged(&self.key, "the progress", self.digest)
    }

    pub(crate) fn revision(&self) -> Revision {
        Revision(self.revision as u64)
    }

    /// The channel's map with the document that belongs to it.
    pub(crate) fn stored(mut self, document: &Kept, start: Option<&Run>) -> StoredMap {
        StoredMap {
            document: Arc::clone(&document.text),
            progress: self.progress.take(),
            start: Start(start.cloned()),
            listed: self.listed(document.map.clone()),
        }
    }

    pub(crate) fn listed(self, map: HistoryMap) -> Listed {
        let HistoryMap { family, algorithm, seed, digest } = map;
        let (revision, created, updated) = (self.revision(), self.created, self.updated);
        Listed { key: self.key, revision, family, algorithm, seed, digest, created, updated }
    }
}

impl HistoryRow {
    pub(crate) fn seal(&self) -> Vec<u8> {
        Sealing::new("history")
            .key(&self.key)
            .number(self.revision)
            .number(self.at.0)
            .bytes(Some(self.actor.as_str().as_bytes()))
            .bytes(Some(self.event.name().as_bytes()))
            .bytes(self.event.detail().as_deref().map(str::as_bytes))
            .bytes(digest_bytes(&self.digest))
            .bytes(self.progress.as_deref().map(str::as_bytes))
            .seal()
    }

    pub(crate) fn damaged(&self) -> StoreError {
        damaged(&self.key, "the history", self.digest)
    }

    pub(crate) fn entry(self, origin: Origin) -> Result<HistoryEntry> {
        let revision = Revision(self.revision as u64);
        let map = self.digest.map(|digest| history_map(&self.key, digest, origin)).transpose()?;
        Ok(HistoryEntry { revision, at: self.at, actor: self.actor, event: self.event, map })
    }
}

impl Kept {
    pub(crate) fn of(document: &Document) -> Result<Kept> {
        let origin = (document.algorithm.clone(), document.seed.to_string());
        Ok(Kept {
            map: history_map("documents", document.digest, Some(origin))?,
            text: document.to_text().into(),
        })
    }

    pub(crate) fn seal(&self) -> Vec<u8> {
        let HistoryMap { digest, algorithm, seed, .. } = &self.map;
        document_seal(digest, algorithm, &seed.to_string(), &self.text)
    }

    /// Checks the row that was found for a digest.
    pub(crate) fn read(digest: Digest, origin: Origin, text: &str, seal: &[u8]) -> Result<Kept> {
        // The canonical text ends with its own digest, and the checksum proves that it is the text that was checked before
        // it was written: its members need not be decoded again.
        let is_whole = origin.as_ref().is_some_and(|(algorithm, seed)| {
            seal == document_seal(&digest, algorithm, seed, text)
                && Seed::from_text(seed).to_string() == *seed
                && text.ends_with(&format!(",\"digest\":\"{digest}\"}}"))
        });
        let map = history_map("documents", digest, origin.filter(|_| is_whole))?;
        Ok(Kept { map, text: text.into() })
    }
}

/// The error of a damaged map.
pub(crate) fn damaged(place: impl ToString, what: &'static str, digest: Option<Digest>) -> StoreError {
    let digest = digest.map_or_else(|| "without digest".to_owned(), |digest| digest.to_string());
    StoreError::Damaged { place: place.to_string(), what, digest }
}

/// A digest as columns hold it.
pub(crate) fn digest_bytes(digest: &Option<Digest>) -> Option<&[u8]> {
    digest.as_ref().map(|digest| digest.0.as_slice())
}

/// Reads the column of a digest.
pub(crate) fn read_digest(key: &ChannelKey, bytes: Option<&[u8]>) -> Result<Option<Digest>> {
    let digest = bytes.map(|bytes| bytes.try_into().map(Digest)).transpose();
    digest.map_err(|_| damaged(key, "the digest", None))
}

/// The map of a digest; damaged without an origin.
pub(crate) fn history_map(place: impl ToString, digest: Digest, origin: Origin) -> Result<HistoryMap> {
    let Some((algorithm, seed)) = origin else {
        return Err(damaged(place, "the document", Some(digest)));
    };
    match Family::from_algorithm(&algorithm) {
        Some(family) => Ok(HistoryMap { family, algorithm, seed: Seed::from_text(&seed), digest }),
        None => Err(StoreError::UnknownAlgorithm { place: place.to_string(), algorithm, digest }),
    }
}

fn document_seal(digest: &Digest, algorithm: &str, seed: &str, text: &str) -> Vec<u8> {
    Sealing::new("document")
        .bytes(Some(&digest.0))
        .bytes(Some(algorithm.as_bytes()))
        .bytes(Some(seed.as_bytes()))
        .bytes(Some(text.as_bytes()))
        .seal()
}

/// Members of a row on their way into a checksum.
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

/// The key of a line in a guild file: the guild is in the first line alone.
pub(crate) mod channel_only {
    use super::{ChannelKey, Deserialize, Id, Serialize};
    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(key: &ChannelKey, to: S) -> Result<S::Ok, S::Error> {
        key.channel.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ChannelKey, D::Error> {
        Ok(ChannelKey { guild: None, channel: Id::deserialize(from)? })
    }
}

/// Progress is JSON already.
mod raw_json {
    use super::{Deserialize, Serialize};
    use serde::{Deserializer, Serializer, ser::Error as _};
    use serde_json::value::RawValue;

    pub(super) fn serialize<S: Serializer>(text: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
        let raw: Option<&RawValue> =
            text.as_deref().map(serde_json::from_str).transpose().map_err(S::Error::custom)?;
        raw.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
        Ok(Option::<Box<RawValue>>::deserialize(from)?.map(|raw| raw.get().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A later version may know more algorithms; its maps are whole.
    #[test]
    fn maps_of_unknown_algorithms_are_not_damaged() {
        let digest = Digest([7; 32]);
        let origin = || Some(("act.spiral/1".to_owned(), "7".to_owned()));
        let text = format!("{{\"digest\":\"{digest}\"}}").replace("{\"digest", "{\"map\":{},\"digest");
        let seal = document_seal(&digest, "act.spiral/1", "7", &text);
        let error = Kept::read(digest, origin(), &text, &seal).unwrap_err();
        assert!(
            matches!(&error, StoreError::UnknownAlgorithm { algorithm, .. } if algorithm == "act.spiral/1")
        );
        assert!(error.to_string().ends_with("use a newer wayforge"), "{error}");
        let damaged = text.replace("{}", "[]");
        let read = Kept::read(digest, origin(), &damaged, &seal);
        assert!(matches!(read, Err(StoreError::Damaged { .. })));
        let key = ChannelKey::new(None, "c").unwrap();
        let error = history_map(&key, digest, origin()).unwrap_err();
        assert!(matches!(error, StoreError::UnknownAlgorithm { place, .. } if place == "@/c"));
    }
}
