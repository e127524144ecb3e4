//! A guild as JSON lines: a head, then for every channel its history from the first entry on and the channel as it stands,
//! each document before the first line that names it, and at the end how many there were.

use crate::history::Event;
use crate::key::{Actor, ChannelKey, Id};
use crate::row::{ChannelRow, DocumentRow, HistoryRow};
use crate::timestamp::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::Digest;

/// The file's own version.
pub(crate) const FORMAT: &str = "wayforge-guild/1";

/// How much an export wrote or an import took in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

/// Every other line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    Document(Box<RawValue>),
    Entry(WireEntry),
    Channel(WireChannel),
    End(Tally),
}

/// An entry of a channel's history.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireEntry {
    pub(crate) channel: Id,
    pub(crate) revision: i64,
    pub(crate) at: Timestamp,
    pub(crate) actor: Actor,
    pub(crate) did: Event,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) map: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) progress: Option<Box<RawValue>>,
}

/// A channel as it stands.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireChannel {
    pub(crate) channel: Id,
    pub(crate) revision: i64,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) map: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) progress: Option<Box<RawValue>>,
    pub(crate) created: Timestamp,
    pub(crate) updated: Timestamp,
}

/// A row of an import.
pub(crate) enum Record {
    Document(DocumentRow),
    Entry(HistoryRow),
    Channel(ChannelRow),
}

impl WireEntry {
    /// A row that was checked; none if its members cannot be read.
    pub(crate) fn of(row: &HistoryRow) -> Option<WireEntry> {
        Some(WireEntry {
            channel: row.key.channel.clone(),
            revision: row.revision,
            at: Timestamp(row.at),
            actor: Actor::new(&row.actor).ok()?,
            did: row.event().ok()?,
            map: row.digest().ok()?,
            progress: raw(row.progress.as_deref())?,
        })
    }

    pub(crate) fn row(self, guild: Option<&Id>) -> HistoryRow {
        let row = HistoryRow {
            key: ChannelKey { guild: guild.cloned(), channel: self.channel },
            revision: self.revision,
            at: self.at.0,
            actor: self.actor.into(),
            event: self.did.name().to_owned(),
            detail: self.did.detail(),
            digest: self.map.map(|digest| digest.0.to_vec()),
            progress: self.progress.map(|progress| progress.get().to_owned()),
            seal: Vec::new(),
        };
        row.sealed()
    }
}

impl WireChannel {
    /// A row that was checked; none if its members cannot be read.
    pub(crate) fn of(row: &ChannelRow) -> Option<WireChannel> {
        Some(WireChannel {
            channel: row.key.channel.clone(),
            revision: row.revision,
            map: row.digest().ok()?,
            progress: raw(row.progress.as_deref())?,
            created: Timestamp(row.created),
            updated: Timestamp(row.updated),
        })
    }

    pub(crate) fn row(self, guild: Option<&Id>) -> ChannelRow {
        let row = ChannelRow {
            key: ChannelKey { guild: guild.cloned(), channel: self.channel },
            revision: self.revision,
            digest: self.map.map(|digest| digest.0.to_vec()),
            progress: self.progress.map(|progress| progress.get().to_owned()),
            created: self.created.0,
            updated: self.updated.0,
            seal: Vec::new(),
        };
        row.sealed()
    }
}

/// Progress is JSON already.
fn raw(progress: Option<&str>) -> Option<Option<Box<RawValue>>> {
    match progress {
        None => Some(None),
        Some(text) => RawValue::from_string(text.to_owned()).ok().map(Some),
    }
}
