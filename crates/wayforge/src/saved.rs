//! Saved maps in either form: a document with an envelope, or a `MapFloor` without one.

use crate::floor::{Floor, MapFloor};
use crate::{AnyMap, DecodeError, Digest, Document, Report, Seed, floor, validate_document};

/// A saved map: the document of any family, or a bare `MapFloor`, which has no digest. Exhaustive:
/// code that reads saved maps must handle both forms.
///
/// # Examples
/// ```
/// use wayforge::SavedMap;
/// use wayforge::floor::{self, compat::{generate_floor, serialize_floor}};
/// let floor = generate_floor("first light", &floor::Config::default())?;
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
    /// Decodes either form. An object with `tiles` or `entities` but no `format` is a `MapFloor`.
    ///
    /// # Errors
    /// [`DecodeError`] if the text is not JSON or the envelope is invalid. The members of a
    /// `MapFloor` are checked by [`validate`](Self::validate).
    pub fn decode(bytes: &[u8]) -> Result<SavedMap, DecodeError> {
        match MapFloor::from_bare_json(bytes)? {
            Some(floor) => Ok(SavedMap::MapFloor(floor)),
            None => Document::decode(bytes).map(SavedMap::Document),
        }
    }

    /// The algorithm of the document; `None` for a `MapFloor`.
    pub fn algorithm(&self) -> Option<&str> {
        match self {
            SavedMap::Document(document) => Some(&document.algorithm),
            SavedMap::MapFloor(_) => None,
        }
    }

    /// The seed, if present.
    pub fn seed(&self) -> Option<Seed> {
        match self {
            SavedMap::Document(document) => Some(document.seed.clone()),
            SavedMap::MapFloor(floor) => floor.seed().map(Seed::from_text),
        }
    }

    /// The digest stated by the document; `None` for a `MapFloor`.
    pub fn digest(&self) -> Option<Digest> {
        match self {
            SavedMap::Document(document) => Some(document.digest),
            SavedMap::MapFloor(_) => None,
        }
    }

    /// Validates the map; with `reproduce`, also generates it again and compares.
    ///
    /// # Errors
    /// [`DecodeError`] if a document cannot be decoded. Validating a `MapFloor` never fails.
    pub fn validate(&self, reproduce: bool) -> Result<Report, DecodeError> {
        match self {
            SavedMap::Document(document) => validate_document(document, reproduce),
            SavedMap::MapFloor(floor) => {
                let mut report = floor.validate().report;
                if reproduce {
                    report.check_reproduction(floor::ALGORITHM, reproduce_map_floor(floor));
                }
                Ok(report)
            }
        }
    }

    /// Decodes the map strictly; a `MapFloor` becomes a floor.
    ///
    /// # Errors
    /// [`DecodeError`] with the first problem.
    pub fn to_map(&self) -> Result<AnyMap, DecodeError> {
        match self {
            SavedMap::Document(document) => AnyMap::decode_document(document),
            SavedMap::MapFloor(floor) => Ok(floor.to_floor()?.into()),
        }
    }

    /// Returns the document of the map; a `MapFloor` gets an envelope.
    ///
    /// # Errors
    /// [`DecodeError`] if a `MapFloor` is incomplete; see [`MapFloor::to_floor`].
    pub fn to_document(&self) -> Result<Document, DecodeError> {
        match self {
            SavedMap::Document(document) => Ok(document.clone()),
            SavedMap::MapFloor(floor) => floor.to_floor().map(|floor: Floor| floor.to_document()),
        }
    }
}

/// Generates a `MapFloor` again from its `config`. Returns whether both are equal, and the digest
/// of the generated floor.
fn reproduce_map_floor(map_floor: &MapFloor) -> Result<(bool, Digest), String> {
    if map_floor.config().is_none() {
        return Err("the floor has no config to generate it from".to_owned());
    }
    let floor = map_floor.to_floor().map_err(|error| error.to_string())?;
    let reproduced =
        floor::generate(floor.seed.clone(), &floor.spec).map_err(|error| error.to_string())?;
    let digest = reproduced.to_document().digest;
    Ok((reproduced.without_metadata() == floor.without_metadata(), digest))
}
