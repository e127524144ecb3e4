//! Export format of a guild: JSON Lines. The first line is a header, and the last line contains the
//! number of records. Each channel is written as its history entries, oldest first, followed by its
//! current state. Each document precedes the first line that refers to it.

use crate::key::Id;
use crate::row::{ChannelRow, HistoryRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Format version.
pub(crate) const FORMAT: &str = "wayforge-guild/1";

/// Number of imported or exported records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordCounts {
    /// Channels, including those whose map was deleted.
    pub channels: u64,
    /// History entries.
    pub entries: u64,
    /// Documents.
    pub documents: u64,
}

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) format: String,
    /// `null` for direct messages.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) guild: Option<Id>,
}

/// Any line after the header. Rows parsed from a line have no guild yet.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    Document(Box<RawValue>),
    Entry(HistoryRow),
    Channel(ChannelRow),
    End(RecordCounts),
}
