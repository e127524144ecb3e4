//! Changes with optimistic concurrency control (Kung & Robinson 1981): read the current row,
//! compute the new one, and write it if the revision has not changed.

use super::Store;
use crate::cache::DecodedMap;
use crate::database::{Change, Write, dispatch};
use crate::error::{Result, StoreError};
use crate::history::Event;
use crate::key::{Actor, ChannelKey};
use crate::map::{NewMap, Revision, StoredMap};
use crate::row::{ChannelRow, DocumentRow, HistoryRow};
use crate::timestamp::Timestamp;
use std::sync::Arc;
use wayforge::act::Fog;
use wayforge::run::RunError;
use wayforge::{AnySpec, Document, InputError, Run, Seed, WorkLimit};

/// Maximum number of revisions between two checkpoints, which are history entries with full
/// progress. The progress in between is computed from the moves.
pub(crate) const CHECKPOINT_INTERVAL: i64 = 32;
/// Maximum size of stored progress in bytes. It is limited because every move writes all of it.
const MAX_PROGRESS: usize = 64 << 10;
/// Maximum number of attempts to write a change. More than two are needed only if others repeatedly
/// create and delete a map in the channel.
const MAX_ATTEMPTS: usize = 16;

/// A requested change.
#[derive(Clone)]
pub(super) enum ChangeRequest {
    Create(Arc<NewMap>),
    Reseed(Seed),
    /// An event that needs no other data.
    Plain(Event),
}

/// The map after a change.
struct NextState {
    decoded: Arc<DecodedMap>,
    progress: Option<String>,
    /// Whether the document may be missing in the database.
    is_new: bool,
}

impl Store {
    /// Applies a change after which the channel has a map.
    pub(super) async fn change_map(
        &self,
        key: &ChannelKey,
        expected: Option<Revision>,
        request: ChangeRequest,
        actor: &Actor,
    ) -> Result<StoredMap> {
        match self.change(key, expected, request, actor).await? {
            (row, Some(decoded)) => Ok(decoded.stored_map(row)),
            (_, None) => Err(StoreError::NoMap { key: key.clone() }),
        }
    }

    /// Applies a change. Returns the new row and map of the channel.
    pub(super) async fn change(
        &self,
        key: &ChannelKey,
        expected: Option<Revision>,
        request: ChangeRequest,
        actor: &Actor,
    ) -> Result<(ChannelRow, Option<Arc<DecodedMap>>)> {
        for _ in 0..MAX_ATTEMPTS {
            let cached = self.rows.get(key).filter(|row| expected == Some(row.revision()));
            let before = match cached {
                Some(row) => Some(row),
                None => dispatch!(self, channel(key))?.map(Arc::new),
            };
            let existing = before.as_deref().filter(|row| row.digest.is_some());
            match (existing, expected) {
                (None, Some(_)) => return Err(StoreError::NoMap { key: key.clone() }),
                (Some(row), expected) if expected != Some(row.revision()) => {
                    return Err(self.conflict(row).await?);
                }
                _ => {}
            }
            let next = self.plan(key, existing, &request).await?;
            let mut change = build_change(key, before.as_deref(), &request, next.as_ref(), actor);
            if before.is_none() {
                change.quota = self.channel_quota(key.guild.as_ref(), 1);
            }
            let after = change.channel.clone();
            // The cached row is outdated from here on, even if the write fails.
            self.rows.remove(key);
            if self.write(Write::Change(Box::new(change))).await? {
                self.rows.insert(key.clone(), Arc::new(after.clone()));
                return Ok((after, next.map(|next| next.decoded)));
            }
            // Another change was first: read the row again.
        }
        Err(StoreError::Database(format!(
            "{key}: too many concurrent changes of this channel; try again"
        )))
    }

    /// Returns the error for a row that is not at the expected revision.
    async fn conflict(&self, row: &ChannelRow) -> Result<StoreError> {
        let Some(digest) = row.digest else {
            return Ok(StoreError::NoMap { key: row.key.clone() });
        };
        let decoded = self.decoded(digest).await?;
        Ok(StoreError::Conflict { current: Box::new(decoded.stored_map(row.clone())) })
    }

    /// Computes the map after a change; `None` if it is deleted.
    async fn plan(
        &self,
        key: &ChannelKey,
        existing: Option<&ChannelRow>,
        request: &ChangeRequest,
    ) -> Result<Option<NextState>> {
        let no_map = || StoreError::NoMap { key: key.clone() };
        match request {
            ChangeRequest::Plain(Event::Delete) => return Ok(None),
            ChangeRequest::Create(map) => {
                let map = Arc::clone(map);
                let size = map.document().map.len();
                let work = move || new_map(map.document(), map.fog).map(Some);
                return self.executor.run_sized(size, work).await;
            }
            ChangeRequest::Plain(Event::Restore(source)) => {
                let (decoded, progress) = self.state_at(key, *source).await?;
                return Ok(Some(NextState { decoded, progress, is_new: false }));
            }
            _ => {}
        }
        let row = existing.ok_or_else(no_map)?;
        let decoded = self.decoded(row.digest.ok_or_else(no_map)?).await?;
        if let ChangeRequest::Reseed(seed) = request {
            let seed = seed.clone();
            let fog = match row.progress.as_ref().map(|_| run_of(row, &decoded)).transpose()? {
                Some(Run::Act(play)) => play.progress().fog(),
                _ => Fog::None,
            };
            let (text, family) = (Arc::clone(&decoded.row.text), decoded.row.map.family);
            let executor = self.executor.clone();
            // Some configurations take long to generate.
            let generate = move |limit: &WorkLimit| {
                let document = Document::decode(text.as_bytes()).map_err(RunError::from)?;
                executor.check(&document)?;
                let spec = AnySpec::from_json(family, document.config.as_bytes())?;
                let map = spec.generate_within(seed, limit)?;
                new_map(&map.to_document(), fog).map(Some)
            };
            return self.executor.run(generate).await;
        }
        if let (ChangeRequest::Plain(Event::Reset), None) = (request, &row.progress) {
            return Ok(Some(NextState { decoded, progress: None, is_new: false }));
        }
        let run = run_of(row, &decoded)?;
        let run = match request {
            ChangeRequest::Plain(Event::Move(step)) => run.advance(*step)?,
            ChangeRequest::Plain(Event::Undo) => {
                run.undo().ok_or_else(|| StoreError::NothingToUndo { key: key.clone() })?
            }
            _ => run.restarted(),
        };
        let progress = run.progress();
        if let (ChangeRequest::Plain(Event::Move(step)), true) =
            (request, progress.len() > MAX_PROGRESS)
        {
            let problem = format!("progress would be longer than {MAX_PROGRESS} bytes");
            return Err(
                InputError::new("move", step, problem, "undo moves, or reset the map").into()
            );
        }
        Ok(Some(NextState { decoded, progress: Some(progress), is_new: false }))
    }
}

/// Returns the run that a row describes.
fn run_of(row: &ChannelRow, decoded: &DecodedMap) -> Result<Run> {
    let start = decoded.start.as_ref().map_err(Clone::clone)?;
    match &row.progress {
        Some(progress) => start.resumed(progress.as_bytes()).map_err(|_| row.damaged()),
        None => Ok(start.clone()),
    }
}

/// Returns a new map in its initial state.
fn new_map(document: &Document, fog: Fog) -> Result<NextState> {
    let progress = match Run::start_with_fog(document, fog) {
        Ok(run) => Some(run.progress()),
        Err(RunError::NotPlayable { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(NextState {
        decoded: DecodedMap::new(document, DocumentRow::from_document(document)?),
        progress,
        is_new: true,
    })
}

/// Builds the rows of a change.
fn build_change(
    key: &ChannelKey,
    before: Option<&ChannelRow>,
    request: &ChangeRequest,
    next: Option<&NextState>,
    actor: &Actor,
) -> Change {
    let expected = before.map_or(0, |row| row.revision);
    let revision = expected + 1;
    // Server clocks may differ, but times within a channel must not decrease.
    let now = before.map_or(Timestamp(i64::MIN), |row| row.updated).max(Timestamp::now());
    let event = match *request {
        ChangeRequest::Create(_) => Event::Create,
        ChangeRequest::Reseed(_) => Event::Reseed,
        ChangeRequest::Plain(event) => event,
    };
    let created = match event {
        Event::Create | Event::Reseed | Event::Restore(_) => now,
        _ => before.map_or(now, |row| row.created),
    };
    let digest = next.map(|next| next.decoded.row.map.digest);
    let progress = next.and_then(|next| next.progress.clone());
    let is_checkpoint = !event.is_incremental() || revision % CHECKPOINT_INTERVAL == 0;
    let entry = HistoryRow {
        key: key.clone(),
        revision,
        at: now,
        actor: actor.without_token(),
        token: actor.token().map(str::to_owned),
        event,
        digest,
        progress: progress.clone().filter(|_| is_checkpoint),
    };
    let channel =
        ChannelRow { key: key.clone(), revision, digest, progress, created, updated: now };
    let document = next.filter(|next| next.is_new).map(|next| next.decoded.row.clone());
    Change { expected, channel, entry, document, quota: None }
}
