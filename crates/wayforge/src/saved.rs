//! Saved maps in either form: a document with an envelope, or a `MapFloor` without one.

use crate::floor::{Floor, MapFloor};
use crate::{
    AnyMap, DecodeError, Digest, Document, GenerationError, MapFamily, Report, Seed, Stopped,
    WorkLimit, floor, validate_document_within,
};

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
        // Unlimited work never stops.
        Ok(self.validate_within(reproduce, &WorkLimit::UNLIMITED)?.unwrap_or_default())
    }

    /// Validates the map like [`validate`](Self::validate) within a limit of work, which validation
    /// and reproduction have each. Returns `Ok(Err(_))` if the work was stopped.
    ///
    /// # Errors
    /// The same as [`validate`](Self::validate).
    pub fn validate_within(
        &self,
        reproduce: bool,
        limit: &WorkLimit,
    ) -> Result<Result<Report, Stopped>, DecodeError> {
        let floor = match self {
            SavedMap::Document(document) => {
                return validate_document_within(document, reproduce, limit);
            }
            SavedMap::MapFloor(floor) => floor,
        };
        let mut report = floor.validate().report;
        if reproduce {
            match reproduce_map_floor(floor, limit) {
                Ok(reproduced) => report.check_reproduction(floor::ALGORITHM, reproduced),
                Err(stopped) => return Ok(Err(stopped)),
            }
        }
        Ok(Ok(report))
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
fn reproduce_map_floor(
    map_floor: &MapFloor,
    limit: &WorkLimit,
) -> Result<Result<(bool, Digest), String>, Stopped> {
    if map_floor.config().is_none() {
        return Ok(Err("the floor has no config to generate it from".to_owned()));
    }
    let floor = match map_floor.to_floor() {
        Ok(floor) => floor,
        Err(error) => return Ok(Err(error.to_string())),
    };
    match Floor::generate_within(floor.seed.clone(), &floor.spec, limit) {
        Ok(reproduced) => {
            let digest = reproduced.to_document().digest;
            Ok(Ok((reproduced.without_metadata() == floor.without_metadata(), digest)))
        }
        Err(error) => error.stopped().map_or(Ok(Err(error.to_string())), Err),
    }
}
