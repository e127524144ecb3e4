//! Input and output types of the store.

use crate::error::Result;
use crate::key::{ChannelKey, Id};
use crate::row::channel_only;
use crate::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use wayforge::act::Fog;
use wayforge::run::RunError;
use wayforge::{AnyMap, DecodeError, Digest, Document, Family, GenerateError, Run, Seed};

/// Number of changes of a channel, counted from 1. It never decreases, even after a deletion.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Revision(#[schemars(range(min = 1, max = Revision::MAX.0))] pub u64);

impl Revision {
    /// Largest revision.
    pub const MAX: Revision = Revision(999_999_999_999_999);
}

/// A validated map that can be stored: generated here or decoded from a document.
///
/// # Examples
/// ```
/// use wayforge::{Family, Seed};
/// use wayforge_store::NewMap;
/// let map = NewMap::generate(Family::Act, br#"{"rows": 9}"#, Seed::new(42))?;
/// assert_eq!(NewMap::parse(map.document().to_text().as_bytes())?, map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMap {
    document: Document,
    pub(crate) fog: Fog,
}

/// A stored map. The fields of [`MapSummary`] are available through [`Deref`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMap {
    /// Summary, as in lists.
    pub summary: MapSummary,
    /// Canonical text of the document, including the configuration.
    pub document: Arc<str>,
    /// Saved progress of the run; `None` for families that cannot be played.
    pub progress: Option<String>,
    pub(crate) start: RunStart,
}

impl Deref for StoredMap {
    type Target = MapSummary;

    fn deref(&self) -> &MapSummary {
        &self.summary
    }
}

/// Initial state of a run, if cached, because decoding takes longer than a move. It is derived from
/// the document, so equality ignores it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunStart(pub(crate) Option<Run>);

impl PartialEq for RunStart {
    fn eq(&self, _: &RunStart) -> bool {
        true
    }
}

impl Eq for RunStart {}

/// Summary of a stored map, as in lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MapSummary {
    /// Channel.
    #[serde(rename = "channel", serialize_with = "channel_only::serialize")]
    #[schemars(with = "Id")]
    pub key: ChannelKey,
    /// Revision of the channel; also the ETag.
    pub revision: Revision,
    /// Map family.
    pub family: Family,
    /// Name of the generation algorithm.
    pub algorithm: String,
    /// Seed.
    pub seed: Seed,
    /// Digest of the document.
    pub digest: Digest,
    /// Time at which this map was stored in the channel.
    pub created: Timestamp,
    /// Time of the last change.
    pub updated: Timestamp,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, C> {
    /// Items in order.
    pub items: Vec<T>,
    /// Cursor of the next page; `None` on the last page.
    pub next: Option<C>,
}

impl From<&AnyMap> for NewMap {
    fn from(map: &AnyMap) -> NewMap {
        NewMap { document: map.to_document(), fog: Fog::None }
    }
}

impl NewMap {
    /// Generates a map from a seed and a JSON configuration. CPU-bound and possibly slow: do not
    /// call it on async threads.
    ///
    /// # Errors
    /// [`GenerateError`] if the configuration is invalid or no map satisfies it.
    pub fn generate(family: Family, config: &[u8], seed: Seed) -> Result<NewMap, GenerateError> {
        Ok(NewMap::from(&family.generate(config, seed)?))
    }

    /// Decodes a document and strictly validates its fields, canonical form and digest.
    ///
    /// # Errors
    /// [`DecodeError`] if the document is invalid; it names the field.
    pub fn parse(text: &[u8]) -> Result<NewMap, DecodeError> {
        let family = Family::from_document(&Document::decode(text)?)?;
        Ok(NewMap { document: family.canonical(text)?, fog: Fog::None })
    }

    /// Sets the fog. Only act maps have fog.
    pub fn with_fog(self, fog: Fog) -> NewMap {
        NewMap { fog, ..self }
    }

    /// Returns the document.
    pub fn document(&self) -> &Document {
        &self.document
    }
}

impl StoredMap {
    /// Decodes the document.
    ///
    /// # Errors
    /// [`DecodeError`] if the text is damaged.
    pub fn decode(&self) -> Result<Document, DecodeError> {
        Document::decode(self.document.as_bytes())
    }

    /// Returns the configuration with all defaults as compact JSON.
    ///
    /// # Errors
    /// [`DecodeError`] if the text is damaged.
    pub fn config(&self) -> Result<String, DecodeError> {
        Ok(self.decode()?.config)
    }

    /// Returns the run on this map at the stored progress.
    ///
    /// # Errors
    /// [`RunError::NotPlayable`] if maps of this family cannot be played; another [`RunError`] if
    /// the document or the progress is damaged.
    pub fn run(&self) -> Result<Run, RunError> {
        let start = match &self.start.0 {
            Some(start) => start.clone(),
            None => Run::start(&self.decode()?)?,
        };
        match &self.progress {
            Some(progress) => start.resumed(progress.as_bytes()),
            None => Ok(start),
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
