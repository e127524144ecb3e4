//! A guild as JSON lines: a head, then for every channel its history from the first entry on and the channel as it stands,
//! each document before the first line that names it, and at the end how many there were.

use crate::key::Id;
use crate::row::{ChannelRow, HistoryRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The file's own version.
pub(crate) const FORMAT: &str = "wayforge-guild/1";

/// How much was taken in, or written by an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Imported")]
pub struct Tally {
    /// Channels, those without a map included.
    pub channels: u64,
    /// Entries of their histories.
    pub entries: u64,
    /// Documents.
    pub documents: u64,
}

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    pub(crate) format: String,
    /// Null for direct messages.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) guild: Option<Id>,
}

/// Every other line. Rows that were read from one have no guild yet.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    Document(Box<RawValue>),
    Entry(HistoryRow),
    Channel(ChannelRow),
    End(Tally),
}
