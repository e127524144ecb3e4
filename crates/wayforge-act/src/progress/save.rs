//! Saved state of a run: one line of JSON that names its map by digest.

use super::step::{Fog, Step};
use crate::read;
use serde::{Deserialize, Serialize};
use wayforge_core::{DecodeError, Digest};

/// Name and version of the format.
const FORMAT: &str = "wayforge-progress/1";

/// [`FORMAT`] as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Format {
    #[serde(rename = "wayforge-progress/1")]
    V1,
}

/// Progress of a party on one map: the map's digest, the path and the fog.
///
/// Does not contain the map. [`Play::resume`](super::Play::resume) checks that it belongs to a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(title = "Wayforge progress", description = "Saved run on an act map.")
)]
// `fog` is required although it may be null; schemars cannot infer that.
#[cfg_attr(
    feature = "schema",
    schemars(extend("required" = ["format", "map", "path", "boss", "fog"]))
)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Name and version of the format.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("const" = FORMAT)))]
    pub(super) format: Format,
    /// The digest of the map's document.
    pub(super) map: Digest,
    /// Columns of the visited nodes, from row 0 up.
    pub(super) path: Vec<u16>,
    /// Whether the boss above the top row has been reached.
    pub(super) boss: bool,
    /// Number of visible rows ahead of the party; null for all.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) fog: Option<u16>,
}

impl Progress {
    /// Returns the digest of the map's canonical document.
    pub fn map(&self) -> Digest {
        self.map
    }

    /// Returns the columns of the visited nodes, from row 0 up.
    pub fn path(&self) -> &[u16] {
        &self.path
    }

    /// Returns true if the boss has been reached.
    pub fn boss(&self) -> bool {
        self.boss
    }

    /// Returns the fog setting.
    pub fn fog(&self) -> Fog {
        self.fog.map_or(Fog::None, Fog::Rows)
    }

    /// Serialises the progress as one line of JSON without spaces or a final line break.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, Fog, Play};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let digest = map.to_document().digest;
    /// let text = Play::start(map, Fog::Rows(3)).progress().to_text();
    /// let rest = r#""path":[],"boss":false,"fog":3}"#;
    /// assert_eq!(text, format!(r#"{{"format":"wayforge-progress/1","map":"{digest}",{rest}"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self) -> String {
        // Serialising plain values cannot fail. Every decoder would reject an empty text.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Parses saved progress strictly.
    ///
    /// # Errors
    /// A field is missing, duplicated, unknown or has the wrong type, or the format is unknown.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::Progress;
    /// let error = Progress::decode(br#"{"format":"wayforge-progress/9"}"#).unwrap_err();
    /// assert!(error.to_string().starts_with("format: \"wayforge-progress/9\" is unknown"));
    /// ```
    pub fn decode(bytes: &[u8]) -> Result<Progress, DecodeError> {
        // Check the version first, because later versions may have other fields.
        #[derive(Deserialize)]
        struct Versioned {
            format: String,
        }
        let Versioned { format } = read::parse("", bytes, read::ROWS_REMEDY)?;
        if format != FORMAT {
            return Err(DecodeError::unknown("format", &format, FORMAT));
        }
        read::parse("", bytes, read::ROWS_REMEDY)
    }

    /// Returns the steps taken, from row 0 up.
    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = Step> + ExactSizeIterator {
        (0..self.path.len() + usize::from(self.boss)).map(|index| match self.path.get(index) {
            // Maps have at most 4,096 rows, so an index beyond `u16` is never a legal move.
            Some(&col) => Step::Node { row: index as u16, col },
            None => Step::Boss,
        })
    }
}

/// Returns the JSON Schema of saved progress.
///
/// # Examples
/// ```
/// let schema = wayforge_act::progress_schema();
/// assert_eq!(schema.get("title").unwrap(), "Wayforge progress");
/// ```
#[cfg(feature = "schema")]
pub fn progress_schema() -> schemars::Schema {
    schemars::schema_for!(Progress)
}
