//! Replays the history of a channel: checks that each entry follows from those before it, and that
//! the channel is in the state after the last one.

use crate::cache::DecodedMap;
use crate::history::{Event, apply_event};
use crate::key::Id;
use crate::row::{ChannelRow, HistoryRow};
use crate::store::CHECKPOINT_INTERVAL;
use crate::timestamp::Timestamp;
use std::sync::Arc;
use wayforge::{Digest, Run};

/// A channel whose history is being replayed.
pub(crate) struct Replay {
    channel: Id,
    revision: i64,
    at: Timestamp,
    map: Option<MapState>,
}

/// A map and its run; `None` for families that cannot be played.
type MapState = (Arc<DecodedMap>, Option<Run>);

/// Problem of an entry or a channel. It begins with the member of the line in a guild file.
pub(crate) type LineError = String;

impl Replay {
    /// Begins before the first entry of a channel.
    pub(crate) fn new(channel: Id) -> Replay {
        Replay { channel, revision: 0, at: Timestamp(i64::MIN), map: None }
    }

    pub(crate) fn channel(&self) -> &Id {
        &self.channel
    }

    /// Returns the digest of the map after the last entry.
    pub(crate) fn digest(&self) -> Option<Digest> {
        self.map.as_ref().map(|(decoded, _)| decoded.row.map.digest)
    }

    /// Replays the next entry. `decoded` is its map.
    pub(crate) fn apply(
        self,
        entry: &HistoryRow,
        decoded: Option<Arc<DecodedMap>>,
    ) -> Result<Replay, LineError> {
        let revision = self.revision + 1;
        if entry.revision != revision {
            return Err(format!("entry.revision: {} should be {revision}", entry.revision));
        }
        if entry.at < self.at {
            return Err(format!("entry.at: {} is earlier than the previous entry", entry.at));
        }
        let map = state_after(entry, &self, decoded)?;
        let progress = map.as_ref().and_then(|(_, run)| run.as_ref()).map(Run::progress);
        let is_checkpoint = !entry.event.is_incremental() || revision % CHECKPOINT_INTERVAL == 0;
        let expected = progress.filter(|_| is_checkpoint);
        if entry.progress != expected {
            let expected = expected.unwrap_or_else(|| "none".to_owned());
            return Err(format!("entry.progress: should be {expected}"));
        }
        Ok(Replay { channel: self.channel, revision, at: entry.at, map })
    }

    /// Compares the current state of the channel with its replayed history.
    pub(crate) fn check(&self, row: &ChannelRow) -> Result<(), LineError> {
        let progress = self.map.as_ref().and_then(|(_, run)| run.as_ref()).map(Run::progress);
        let checks = [
            ("revision", row.revision == self.revision),
            ("map", row.digest == self.digest()),
            ("progress", row.progress == progress),
            ("updated", row.updated == self.at && row.created <= row.updated),
        ];
        match checks.iter().find(|(_, matches)| !matches) {
            Some((field, _)) => Err(format!("channel.{field}: does not match the history above")),
            None => Ok(()),
        }
    }
}

/// Computes the map and its run after an entry; `None` if the entry deletes the map.
fn state_after(
    entry: &HistoryRow,
    open: &Replay,
    decoded: Option<Arc<DecodedMap>>,
) -> Result<Option<MapState>, LineError> {
    let name = entry.event.name();
    if entry.event == Event::Delete {
        return match (&open.map, decoded) {
            (Some(_), None) => Ok(None),
            _ => Err("entry.event: delete needs a map before it and no map after it".to_owned()),
        };
    }
    let decoded = decoded.ok_or_else(|| format!("entry.map: {name} needs a map"))?;
    match entry.event {
        Event::Create | Event::Reseed | Event::Restore(_) => {
            if let Event::Restore(source) = entry.event
                && source.0 >= entry.revision as u64
            {
                return Err(format!(
                    "entry.event: revision {source} is not earlier than this entry"
                ));
            }
            let run = match (&decoded.start, &entry.progress) {
                (Ok(start), Some(progress)) => {
                    let run = start.resumed(progress.as_bytes());
                    Some(run.map_err(|error| format!("entry.progress: {error}"))?)
                }
                (Ok(_), None) => return Err("entry.progress: missing".to_owned()),
                (Err(_), _) => None,
            };
            let is_new = !matches!(entry.event, Event::Restore(_));
            if is_new && run.as_ref().is_some_and(|run| *run != run.restarted()) {
                return Err(format!("entry.progress: {name} must start a new run"));
            }
            Ok(Some((decoded, run)))
        }
        _ => {
            let (source, run) =
                open.map.as_ref().ok_or_else(|| format!("entry.event: {name} needs a map"))?;
            if source.row.map.digest != decoded.row.map.digest {
                return Err(format!("entry.map: {name} must not change the map"));
            }
            let next = match (entry.event, run) {
                (Event::Reset, run) => run.as_ref().map(Run::restarted),
                (event, Some(run)) => {
                    let next =
                        apply_event(run, event).map_err(|error| format!("entry.event: {error}"))?;
                    Some(next.ok_or_else(|| "entry.event: nothing to undo".to_owned())?)
                }
                (_, None) => {
                    return Err("entry.event: maps of this family have no progress".to_owned());
                }
            };
            Ok(Some((decoded, next)))
        }
    }
}
