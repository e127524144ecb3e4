//! Maps as the store takes and gives them.

use crate::error::Result;
use crate::key::ChannelKey;
use crate::row::channel_only;
use crate::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use wayforge::act::Fog;
use wayforge::run::RunError;
use wayforge::{DecodeError, Digest, Document, Family, GenerateError, Run, Seed};

/// How often a channel's map was changed, counted from 1. It never goes back: a deleted map's channel counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Revision(pub u64);

/// A map that is ready to be kept: made or read, and checked.
///
/// ```
/// use wayforge::{Family, Seed};
/// use wayforge_store::NewMap;
/// let map = NewMap::generate(Family::Act, br#"{"rows": 9}"#, Seed::new(42))?;
/// assert_eq!(NewMap::read(map.document().to_text().as_bytes())?, map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMap {
    document: Document,
    pub(crate) fog: Fog,
}

/// A channel's map. The members that lists show are reached through [`Deref`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMap {
    /// The members that lists show.
    pub listed: Listed,
    /// The canonical text of its document, which holds its configuration.
    pub document: Arc<str>,
    /// How far the party has come, as the library saves it; none for families that are not played.
    pub progress: Option<String>,
    pub(crate) start: Start,
}

impl Deref for StoredMap {
    type Target = Listed;

    fn deref(&self) -> &Listed {
        &self.listed
    }
}

/// The beginning of a run on a map, where the store has it at hand: decoding takes longer than a move. It says nothing that
/// the document does not, so it is no part of what a map equals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Start(pub(crate) Option<Run>);

impl PartialEq for Start {
    fn eq(&self, _: &Start) -> bool {
        true
    }
}

impl Eq for Start {}

/// A kept map in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ListedView")]
pub struct Listed {
    /// The channel.
    #[serde(rename = "channel", serialize_with = "channel_only::serialize")]
    #[schemars(with = "String")]
    pub key: ChannelKey,
    /// How often the channel's map was changed; also the ETag.
    #[schemars(with = "u64")]
    pub revision: Revision,
    /// The family.
    pub family: Family,
    /// The algorithm that made it.
    pub algorithm: String,
    /// Its seed.
    pub seed: Seed,
    /// Its digest.
    pub digest: Digest,
    /// When this map came to the channel.
    #[schemars(with = "String")]
    pub created: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated: Timestamp,
}

/// One page of a list, and where the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, C> {
    /// The items in order.
    pub items: Vec<T>,
    /// The cursor for the next page; none after the last one.
    pub next: Option<C>,
}

impl NewMap {
    /// Generates the map of `seed` under a configuration in JSON. Pure and possibly slow: keep it off async threads.
    pub fn generate(family: Family, config: &[u8], seed: Seed) -> Result<NewMap, GenerateError> {
        Ok(NewMap { document: family.generate(config, seed)?.to_document(), fog: Fog::None })
    }

    /// Takes a document that was made elsewhere, after a strict look at its shape, form and digest.
    pub fn read(text: &[u8]) -> Result<NewMap, DecodeError> {
        let family = Family::from_document(&Document::decode(text)?)?;
        Ok(NewMap { document: family.canonical(text)?, fog: Fog::None })
    }

    /// The same map, of which the party sees only so much. Only act maps have fog.
    pub fn with_fog(self, fog: Fog) -> NewMap {
        NewMap { fog, ..self }
    }

    /// The document.
    pub fn document(&self) -> &Document {
        &self.document
    }
}

impl StoredMap {
    /// The document's parts, its configuration among them.
    pub fn decode(&self) -> Result<Document, DecodeError> {
        Document::decode(self.document.as_bytes())
    }

    /// The configuration with every default written out, as JSON without spaces.
    pub fn config(&self) -> Result<String, DecodeError> {
        Ok(self.decode()?.config)
    }

    /// The map with its party on it, ready to be asked for legal moves.
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
