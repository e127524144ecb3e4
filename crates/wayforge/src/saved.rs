//! Saved maps in either form: a document with an envelope, or a `MapFloor` without one.

use crate::floor::{Floor, MapFloor};
use crate::{DecodeError, Digest, Document, Report, Seed, judge};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// A saved map: the document of any family, or a bare `MapFloor`, which has no digest.
///
/// ```
/// use wayforge::SavedMap;
/// use wayforge::floor::{FloorConfig, generate_floor, serialize_floor};
/// let floor = generate_floor("first light", &FloorConfig::default())?;
/// let bare = SavedMap::decode(serialize_floor(&floor).as_bytes())?;
/// assert!(bare.validate(true)?.is_valid() && bare.digest().is_none());
/// assert_eq!(bare.to_document()?, floor.to_document());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum SavedMap {
    /// A document with an envelope.
    Document(Document),
    /// A floor without an envelope.
    MapFloor(MapFloor),
}

impl SavedMap {
    /// Reads either form. An object with `tiles` or `entities` and without `format` is a `MapFloor`.
    ///
    /// # Errors
    /// Text that is not JSON, or whose envelope is not strictly right. The members of a `MapFloor` are for
    /// [`validate`](Self::validate) to check.
    pub fn decode(bytes: &[u8]) -> Result<SavedMap, DecodeError> {
        #[derive(Deserialize)]
        struct Members {
            format: Option<IgnoredAny>,
            tiles: Option<IgnoredAny>,
            entities: Option<IgnoredAny>,
        }
        match serde_json::from_slice(bytes) {
            Ok(Members { format: None, tiles, entities }) if tiles.is_some() || entities.is_some() => {
                MapFloor::from_json(bytes).map(SavedMap::MapFloor)
            }
            _ => Document::decode(bytes).map(SavedMap::Document),
        }
    }

    /// The algorithm that the document names.
    pub fn algorithm(&self) -> Option<&str> {
        match self {
            SavedMap::Document(document) => Some(&document.algorithm),
            SavedMap::MapFloor(_) => None,
        }
    }

    /// The seed, if there is one.
    pub fn seed(&self) -> Option<Seed> {
        match self {
            SavedMap::Document(document) => Some(document.seed.clone()),
            SavedMap::MapFloor(floor) => floor.seed().map(Seed::from_text),
        }
    }

    /// The digest that the document states.
    pub fn digest(&self) -> Option<Digest> {
        match self {
            SavedMap::Document(document) => Some(document.digest),
            SavedMap::MapFloor(_) => None,
        }
    }

    /// Validates the map; with `reproduce`, also generates it again and compares.
    ///
    /// # Errors
    /// A document that cannot be read. A `MapFloor` is always validated, whatever it holds.
    pub fn validate(&self, reproduce: bool) -> Result<Report, DecodeError> {
        match self {
            SavedMap::Document(document) => judge(document, reproduce),
            SavedMap::MapFloor(floor) => {
                let mut report = floor.validate().report;
                if reproduce {
                    judge::reproduce_map_floor(floor, &mut report);
                }
                Ok(report)
            }
        }
    }

    /// The document of the map; a `MapFloor` gets an envelope.
    ///
    /// # Errors
    /// A `MapFloor` that is not whole: see [`MapFloor::to_floor`].
    pub fn to_document(&self) -> Result<Document, DecodeError> {
        match self {
            SavedMap::Document(document) => Ok(document.clone()),
            SavedMap::MapFloor(floor) => floor.to_floor().map(|floor: Floor| floor.to_document()),
        }
    }
}
