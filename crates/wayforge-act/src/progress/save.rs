//! What is saved of a run: one line of JSON that names its map by digest.

use super::step::{Fog, Step};
use crate::read;
use serde::{Deserialize, Serialize};
use wayforge_core::{DecodeError, Digest};

/// The save's own version.
const FORMAT: &str = "wayforge-progress/1";

/// How far a party has come on one map: the map's digest, the path, and the fog.
///
/// It is a plain value without the map. [`Play`](super::Play) moves it, and checks on the way in that it belongs to its map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    pub(super) map: Digest,
    pub(super) path: Vec<u16>,
    pub(super) boss: bool,
    pub(super) fog: Fog,
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
        self.fog
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
        let fog = match self.fog {
            Fog::None => None,
            Fog::Rows(rows) => Some(rows),
        };
        let Progress { map, path, boss, .. } = self.clone();
        // Writing plain values into memory cannot fail; an empty save would be refused by every decoder.
        serde_json::to_string(&WireProgress { format: FORMAT.to_owned(), map, path, boss, fog })
            .unwrap_or_default()
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
        let Versioned { format } = read::parse("", bytes)?;
        if format != FORMAT {
            return Err(DecodeError::Unknown { field: "format", value: format, known: FORMAT.to_owned() });
        }
        let WireProgress { map, path, boss, fog, .. } = read::parse("", bytes)?;
        Ok(Progress { map, path, boss, fog: fog.map_or(Fog::None, Fog::Rows) })
    }

    /// The steps taken, from row 0 up.
    pub(super) fn steps(&self) -> Steps<'_> {
        Steps { progress: self, taken: 0..self.path.len() + usize::from(self.boss) }
    }
}

/// The steps of a path, whose last one is found without walking there.
pub(super) struct Steps<'a> {
    progress: &'a Progress,
    taken: std::ops::Range<usize>,
}

impl Steps<'_> {
    fn at(&self, index: usize) -> Step {
        match self.progress.path.get(index) {
            // Only legal steps are on a path, and rows are numbers of 16 bits.
            Some(&col) => Step::Node { row: index as u16, col },
            None => Step::Boss,
        }
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        self.taken.next().map(|index| self.at(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.taken.size_hint()
    }
}

impl DoubleEndedIterator for Steps<'_> {
    fn next_back(&mut self) -> Option<Step> {
        self.taken.next_back().map(|index| self.at(index))
    }
}

impl ExactSizeIterator for Steps<'_> {}

/// A run on an act map, saved.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "Wayforge progress"))]
// A null must be written, which schemars does not guess from how it is read.
#[cfg_attr(feature = "schema", schemars(extend("required" = ["format", "map", "path", "boss", "fog"])))]
#[serde(deny_unknown_fields)]
struct WireProgress {
    /// The save's version.
    #[cfg_attr(feature = "schema", schemars(extend("const" = FORMAT)))]
    format: String,
    /// The digest of the map's document.
    map: Digest,
    /// The columns of the nodes walked, from row 0 up.
    path: Vec<u16>,
    /// Whether the boss above the top row has been reached.
    boss: bool,
    /// How many rows ahead of the party are seen; null for all.
    #[serde(deserialize_with = "Option::deserialize")]
    fog: Option<u16>,
}

/// The JSON Schema of a save.
///
/// ```
/// let schema = wayforge_act::progress_schema();
/// assert_eq!(schema.get("title").unwrap(), "Wayforge progress");
/// ```
#[cfg(feature = "schema")]
pub fn progress_schema() -> schemars::Schema {
    schemars::schema_for!(WireProgress)
}
