//! What is saved of a run: one line of JSON that names its map by digest.

use super::step::{Fog, Step};
use crate::read;
use serde::{Deserialize, Serialize};
use wayforge_core::{DecodeError, Digest};

/// The save's own version.
const FORMAT: &str = "wayforge-progress/1";

/// [`FORMAT`] as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Format {
    #[serde(rename = "wayforge-progress/1")]
    V1,
}

/// How far a party has come on one map: the map's digest, the path, and the fog.
///
/// It is a plain value without the map. [`Play`](super::Play) moves it, and checks on the way in that it belongs to its map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(title = "Wayforge progress", description = "A run on an act map, saved.")
)]
// A null must be written, which schemars does not guess from how it is read.
#[cfg_attr(feature = "schema", schemars(extend("required" = ["format", "map", "path", "boss", "fog"])))]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The save's version.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("const" = FORMAT)))]
    pub(super) format: Format,
    /// The digest of the map's document.
    pub(super) map: Digest,
    /// The columns of the nodes walked, from row 0 up.
    pub(super) path: Vec<u16>,
    /// Whether the boss above the top row has been reached.
    pub(super) boss: bool,
    /// How many rows ahead of the party are seen; null for all.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) fog: Option<u16>,
}

impl Progress {
    /// The digest of the map's canonical document.
    pub fn map(&self) -> Digest {
        self.map
    }

    /// The columns of the nodes walked, from row 0 up.
    pub fn path(&self) -> &[u16] {
        &self.path
    }

    /// Whether the boss above the top row has been reached.
    pub fn boss(&self) -> bool {
        self.boss
    }

    /// How much of the map is seen.
    pub fn fog(&self) -> Fog {
        self.fog.map_or(Fog::None, Fog::Rows)
    }

    /// The save: one line of JSON, no space, no end of line.
    ///
    /// ```
    /// use wayforge_act::{self as act, Fog, Play};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let digest = map.to_document().digest;
    /// let text = Play::start(map, Fog::Rows(3)).progress().to_text();
    /// assert_eq!(text, format!(r#"{{"format":"wayforge-progress/1","map":"{digest}","path":[],"boss":false,"fog":3}}"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self) -> String {
        // Writing plain values into memory cannot fail; an empty save would be rejected by every decoder.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a save strictly: all members, none twice, no others. Whether it belongs to a map is for
    /// [`Play::resume`](super::Play::resume) to say.
    ///
    /// ```
    /// use wayforge_act::Progress;
    /// let error = Progress::decode(br#"{"format":"wayforge-progress/9"}"#).unwrap_err();
    /// assert!(error.to_string().starts_with("format: \"wayforge-progress/9\" is unknown"));
    /// ```
    pub fn decode(bytes: &[u8]) -> Result<Progress, DecodeError> {
        // The version first: a later one may have other members.
        #[derive(Deserialize)]
        struct Versioned {
            format: String,
        }
        let Versioned { format } = read::parse("", bytes, read::ROWS)?;
        if format != FORMAT {
            return Err(DecodeError::Unknown { field: "format", value: format, known: FORMAT.to_owned() });
        }
        read::parse("", bytes, read::ROWS)
    }

    /// The steps taken, from row 0 up.
    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = Step> + ExactSizeIterator {
        (0..self.path.len() + usize::from(self.boss)).map(|index| match self.path.get(index) {
            // Maps have fewer rows than a number of 16 bits counts; a longer path has left the map before.
            Some(&col) => Step::Node { row: index as u16, col },
            None => Step::Boss,
        })
    }
}

/// The JSON Schema of a save.
///
/// ```
/// let schema = wayforge_act::progress_schema();
/// assert_eq!(schema.get("title").unwrap(), "Wayforge progress");
/// ```
#[cfg(feature = "schema")]
pub fn progress_schema() -> schemars::Schema {
    schemars::schema_for!(Progress)
}
