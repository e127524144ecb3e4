//! Table rows. Each is stored with a checksum, so that damaged rows are detected and never served.
//!
//! A checksum is the first half of a SHA-256 hash over all fields of a row; fields of variable
//! length are prefixed with their length. It detects damage, but not deliberate changes by someone
//! with write access.

use crate::error::{Result, StoreError};
use crate::history::{Event, HistoryEntry, MapIdentity};
use crate::key::{Actor, ChannelKey, Id};
use crate::map::{MapSummary, Revision, RunStart, StoredMap};
use crate::timestamp::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use wayforge::{Digest, Document, Family, Run, Seed};

/// A row of `channels`, and a line of guild files. The digest is `None` if the map was deleted.
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
    /// Id of the token that made the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    pub(crate) event: Event,
    #[serde(rename = "map", deserialize_with = "Option::deserialize")]
    pub(crate) digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "raw_json")]
    pub(crate) progress: Option<String>,
}

/// A verified row of `documents`.
#[derive(Clone, Debug)]
pub(crate) struct DocumentRow {
    pub(crate) map: MapIdentity,
    pub(crate) text: Arc<str>,
}

/// A row of `documents` that is not verified yet.
pub(crate) struct RawDocument {
    pub(crate) digest: Digest,
    pub(crate) origin: AlgorithmAndSeed,
    pub(crate) text: String,
    pub(crate) checksum: Vec<u8>,
}

/// Algorithm and seed of a document; `None` if a join found no document.
pub(crate) type AlgorithmAndSeed = Option<(String, String)>;

impl ChannelRow {
    pub(crate) fn checksum(&self) -> Vec<u8> {
        RowHasher::new("channel")
            .key(&self.key)
            .number(self.revision)
            .bytes(digest_bytes(&self.digest))
            .bytes(self.progress.as_deref().map(str::as_bytes))
            .number(self.created.0)
            .number(self.updated.0)
            .checksum()
    }

    pub(crate) fn damaged(&self) -> StoreError {
        damaged(&self.key, "the progress", self.digest)
    }

    pub(crate) fn revision(&self) -> Revision {
        Revision(self.revision as u64)
    }

    /// Combines the row with its document.
    pub(crate) fn into_stored_map(
        mut self,
        document: &DocumentRow,
        start: Option<&Run>,
    ) -> StoredMap {
        StoredMap {
            document: Arc::clone(&document.text),
            progress: self.progress.take(),
            start: RunStart(start.cloned()),
            summary: self.into_summary(document.map.clone()),
        }
    }

    pub(crate) fn into_summary(self, map: MapIdentity) -> MapSummary {
        let MapIdentity { family, algorithm, seed, digest } = map;
        let (revision, created, updated) = (self.revision(), self.created, self.updated);
        MapSummary { key: self.key, revision, family, algorithm, seed, digest, created, updated }
    }
}

impl RawDocument {
    /// Verifies the row. Takes milliseconds per megabyte.
    pub(crate) fn verify(self) -> Result<DocumentRow> {
        DocumentRow::from_columns(self.digest, self.origin, &self.text, &self.checksum)
    }
}

impl HistoryRow {
    pub(crate) fn checksum(&self) -> Vec<u8> {
        RowHasher::new("history")
            .key(&self.key)
            .number(self.revision)
            .number(self.at.0)
            .bytes(Some(self.actor.as_str().as_bytes()))
            .bytes(Some(self.event.name().as_bytes()))
            .bytes(self.event.detail().as_deref().map(str::as_bytes))
            .bytes(digest_bytes(&self.digest))
            .bytes(self.progress.as_deref().map(str::as_bytes))
            .optional(self.token.as_deref().map(str::as_bytes))
            .checksum()
    }

    pub(crate) fn damaged(&self) -> StoreError {
        damaged(&self.key, "the history", self.digest)
    }

    pub(crate) fn into_entry(self, map: Option<MapIdentity>) -> HistoryEntry {
        let revision = Revision(self.revision as u64);
        let HistoryRow { at, actor, token, event, .. } = self;
        HistoryEntry { revision, at, actor, token, event, map }
    }
}

impl DocumentRow {
    pub(crate) fn from_document(document: &Document) -> Result<DocumentRow> {
        let origin = (document.algorithm.clone(), document.seed.to_string());
        Ok(DocumentRow {
            map: map_identity("documents", document.digest, Some(origin))?,
            text: document.to_text().into(),
        })
    }

    pub(crate) fn checksum(&self) -> Vec<u8> {
        let MapIdentity { digest, algorithm, seed, .. } = &self.map;
        document_checksum(digest, algorithm, &seed.to_string(), &self.text)
    }

    /// Verifies the columns of the row with this digest.
    pub(crate) fn from_columns(
        digest: Digest,
        origin: AlgorithmAndSeed,
        text: &str,
        checksum: &[u8],
    ) -> Result<DocumentRow> {
        // The canonical text ends with its digest, and the checksum proves that the text was
        // validated before it was written. It need not be decoded again.
        let is_intact = origin.as_ref().is_some_and(|(algorithm, seed)| {
            checksum == document_checksum(&digest, algorithm, seed, text)
                && Seed::from_text(seed).to_string() == *seed
                && text.ends_with(&format!(",\"digest\":\"{digest}\"}}"))
        });
        let map = map_identity("documents", digest, origin.filter(|_| is_intact))?;
        Ok(DocumentRow { map, text: text.into() })
    }
}

/// Returns the error for a damaged row.
pub(crate) fn damaged(
    location: impl ToString,
    part: &'static str,
    digest: Option<Digest>,
) -> StoreError {
    StoreError::Damaged { location: location.to_string(), part, digest }
}

/// Returns the value of a digest column.
pub(crate) fn digest_bytes(digest: &Option<Digest>) -> Option<&[u8]> {
    digest.as_ref().map(|digest| digest.0.as_slice())
}

/// Reads a digest column.
pub(crate) fn read_digest(key: &ChannelKey, bytes: Option<&[u8]>) -> Result<Option<Digest>> {
    let digest = bytes.map(|bytes| bytes.try_into().map(Digest)).transpose();
    digest.map_err(|_| damaged(key, "the digest", None))
}

/// Returns the identity of a map.
///
/// # Errors
/// [`StoreError::Damaged`] if the origin is missing, [`StoreError::UnknownAlgorithm`] if this
/// version does not know the algorithm.
pub(crate) fn map_identity(
    location: impl ToString,
    digest: Digest,
    origin: AlgorithmAndSeed,
) -> Result<MapIdentity> {
    let Some((algorithm, seed)) = origin else {
        return Err(damaged(location, "the document", Some(digest)));
    };
    match Family::from_algorithm(&algorithm) {
        Some(family) => Ok(MapIdentity { family, algorithm, seed: Seed::from_text(&seed), digest }),
        None => {
            Err(StoreError::UnknownAlgorithm { location: location.to_string(), algorithm, digest })
        }
    }
}

fn document_checksum(digest: &Digest, algorithm: &str, seed: &str, text: &str) -> Vec<u8> {
    RowHasher::new("document")
        .bytes(Some(&digest.0))
        .bytes(Some(algorithm.as_bytes()))
        .bytes(Some(seed.as_bytes()))
        .bytes(Some(text.as_bytes()))
        .checksum()
}

/// Incremental checksum over the fields of a row.
struct RowHasher(Sha256);

impl RowHasher {
    fn new(table: &str) -> RowHasher {
        RowHasher(Sha256::new()).bytes(Some(table.as_bytes()))
    }

    fn key(self, key: &ChannelKey) -> RowHasher {
        self.bytes(Some(key.guild_column().as_bytes())).bytes(Some(key.channel.as_str().as_bytes()))
    }

    fn number(mut self, number: i64) -> RowHasher {
        self.0.update(number.to_be_bytes());
        self
    }

    fn bytes(mut self, bytes: Option<&[u8]>) -> RowHasher {
        // `None` and an empty value must differ.
        self.0.update(bytes.map_or(u64::MAX, |bytes| bytes.len() as u64).to_be_bytes());
        self.0.update(bytes.unwrap_or_default());
        self
    }

    /// Adds a field that earlier versions did not have. Without a value, it changes nothing, so
    /// that the checksums of older rows stay valid.
    fn optional(self, bytes: Option<&[u8]>) -> RowHasher {
        if bytes.is_some() { self.bytes(bytes) } else { self }
    }

    fn checksum(self) -> Vec<u8> {
        self.0.finalize()[..16].to_vec()
    }
}

/// Serialises only the channel of a key. In guild files, the header contains the guild.
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

/// Serialises progress as JSON instead of a string, because it is already JSON text.
mod raw_json {
    use super::{Deserialize, Serialize};
    use serde::{Deserializer, Serializer, ser::Error as _};
    use serde_json::value::RawValue;

    pub(super) fn serialize<S: Serializer>(
        text: &Option<String>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let raw: Option<&RawValue> =
            text.as_deref().map(serde_json::from_str).transpose().map_err(S::Error::custom)?;
        raw.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<String>, D::Error> {
        Ok(Option::<Box<RawValue>>::deserialize(from)?.map(|raw| raw.get().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A newer version may have stored the map.
    #[test]
    fn unknown_algorithms_are_not_reported_as_damage() {
        let digest = Digest([7; 32]);
        let origin = || Some(("act.spiral/1".to_owned(), "7".to_owned()));
        let text =
            format!("{{\"digest\":\"{digest}\"}}").replace("{\"digest", "{\"map\":{},\"digest");
        let checksum = document_checksum(&digest, "act.spiral/1", "7", &text);
        let error = DocumentRow::from_columns(digest, origin(), &text, &checksum).unwrap_err();
        assert!(matches!(
            &error,
            StoreError::UnknownAlgorithm { algorithm, .. } if algorithm == "act.spiral/1"
        ));
        assert!(error.to_string().ends_with("use a newer wayforge"), "{error}");
        let damaged = text.replace("{}", "[]");
        let read = DocumentRow::from_columns(digest, origin(), &damaged, &checksum);
        assert!(matches!(read, Err(StoreError::Damaged { .. })));
        let key = ChannelKey::new(None, "c").unwrap();
        let error = map_identity(&key, digest, origin()).unwrap_err();
        assert!(
            matches!(error, StoreError::UnknownAlgorithm { location, .. } if location == "@/c")
        );
    }
}
