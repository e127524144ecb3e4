//! Changes: what is there is read, what will be there is worked out, and it is written if nothing happened in between.

use super::Store;
use crate::cache::Ready;
use crate::database::{Change, Work, on};
use crate::error::{Result, StoreError};
use crate::history::Event;
use crate::key::{Actor, ChannelKey};
use crate::map::{NewMap, Revision, StoredMap};
use crate::row::{ChannelRow, HistoryRow, Kept};
use crate::timestamp::Timestamp;
use std::sync::Arc;
use wayforge::act::Fog;
use wayforge::run::RunError;
use wayforge::{Document, InputError, Run, Seed};

/// Progress is written into history at least so often; in between it follows from the moves.
pub(crate) const CHECKPOINT: i64 = 32;
/// The longest progress that is kept: each move writes it anew.
const MAX_PROGRESS: usize = 64 << 10;
/// A change that only others' deletions stood against is tried so often.
const MAX_TRIES: usize = 16;

/// What a caller wants done.
#[derive(Clone)]
pub(super) enum Wish {
    Create(Box<NewMap>),
    Reseed(Seed),
    /// An event that needs nothing beside itself.
    Plain(Event),
}

/// The map as it will be.
struct Next {
    ready: Arc<Ready>,
    progress: Option<String>,
    /// Whether its document may not be in the database yet.
    is_new: bool,
}

impl Store {
    /// Makes a change that leaves a map.
    pub(super) async fn change_map(
        &self,
        key: &ChannelKey,
        seen: Option<Revision>,
        wish: Wish,
        who: &Actor,
    ) -> Result<StoredMap> {
        match self.change(key, seen, wish, who).await? {
            (row, Some(ready)) => Ok(ready.stored(row)),
            (_, None) => Err(StoreError::Absent { key: key.clone() }),
        }
    }

    /// Makes a change; gives the channel's new row, with the map that is there now.
    pub(super) async fn change(
        &self,
        key: &ChannelKey,
        seen: Option<Revision>,
        wish: Wish,
        who: &Actor,
    ) -> Result<(ChannelRow, Option<Arc<Ready>>)> {
        for _ in 0..MAX_TRIES {
            let known = self.rows.get(key).filter(|row| seen == Some(row.revision()));
            let before = match known {
                Some(row) => Some(row),
                None => on!(self, channel(key))?.map(Arc::new),
            };
            let live = before.as_deref().filter(|row| row.digest.is_some());
            match (live, seen) {
                (None, Some(_)) => return Err(StoreError::Absent { key: key.clone() }),
                (Some(row), seen) if seen != Some(row.revision()) => return Err(self.conflict(row).await?),
                _ => {}
            }
            let next = self.plan(key, live, &wish).await?;
            let change = compose(key, before.as_deref(), &wish, next.as_ref(), who);
            let after = change.channel.clone();
            // Whatever happens next, the row that was known is not the last one any more.
            self.rows.remove(key);
            if on!(self, write(Work::Change(Box::new(change))))? {
                self.rows.insert(key.clone(), Arc::new(after.clone()));
                return Ok((after, next.map(|next| next.ready)));
            }
            // Someone was first: looking again tells who and how.
        }
        Err(StoreError::Database(format!("{key}: others change this channel all the time; try again")))
    }

    async fn conflict(&self, row: &ChannelRow) -> Result<StoreError> {
        let Some(digest) = row.digest else { return Ok(StoreError::Absent { key: row.key.clone() }) };
        let ready = self.ready(digest).await?;
        Ok(StoreError::Conflict { current: Box::new(ready.stored(row.clone())) })
    }

    /// What a wish makes of what is there; nothing if the map goes.
    async fn plan(&self, key: &ChannelKey, live: Option<&ChannelRow>, wish: &Wish) -> Result<Option<Next>> {
        let absent = || StoreError::Absent { key: key.clone() };
        match wish {
            Wish::Plain(Event::Delete) => return Ok(None),
            Wish::Create(map) => return new_map(map.document(), map.fog).map(Some),
            Wish::Plain(Event::Restore(former)) => {
                let (ready, progress) = self.state_at(key, *former).await?;
                return Ok(Some(Next { ready, progress, is_new: false }));
            }
            _ => {}
        }
        let row = live.ok_or_else(absent)?;
        let ready = self.ready(row.digest.ok_or_else(absent)?).await?;
        if let Wish::Reseed(seed) = wish {
            let seed = seed.clone();
            let fog = match row.progress.as_ref().map(|_| run_of(row, &ready)).transpose()? {
                Some(Run::Act(play)) => play.progress().fog(),
                _ => Fog::None,
            };
            let (text, family) = (Arc::clone(&ready.kept.text), ready.kept.map.family);
            // Generation takes as long as its configuration makes it.
            let made = tokio::task::spawn_blocking(move || -> Result<Document> {
                let config = Document::decode(text.as_bytes()).map_err(RunError::from)?.config;
                Ok(family.generate(config.as_bytes(), seed)?.to_document())
            });
            let document =
                made.await.map_err(|error| StoreError::Database(format!("generation: {error}")))??;
            return new_map(&document, fog).map(Some);
        }
        if let (Wish::Plain(Event::Reset), None) = (wish, &row.progress) {
            return Ok(Some(Next { ready, progress: None, is_new: false }));
        }
        let run = run_of(row, &ready)?;
        let run = match wish {
            Wish::Plain(Event::Move(step)) => run.advance(*step)?,
            Wish::Plain(Event::Undo) => run.undo().ok_or_else(|| StoreError::AtStart { key: key.clone() })?,
            _ => run.restarted(),
        };
        let progress = run.progress();
        if let (Wish::Plain(Event::Move(step)), true) = (wish, progress.len() > MAX_PROGRESS) {
            let problem = format!("progress would be longer than {MAX_PROGRESS} bytes");
            return Err(InputError::new("move", step, problem, "take steps back, or reset the map").into());
        }
        Ok(Some(Next { ready, progress: Some(progress), is_new: false }))
    }
}

/// The party of a row on its map.
fn run_of(row: &ChannelRow, ready: &Ready) -> Result<Run> {
    let start = ready.start.as_ref().map_err(Clone::clone)?;
    match &row.progress {
        Some(progress) => start.resumed(progress.as_bytes()).map_err(|_| row.damaged()),
        None => Ok(start.clone()),
    }
}

/// A map at its start.
fn new_map(document: &Document, fog: Fog) -> Result<Next> {
    let progress = match Run::start_in(document, fog) {
        Ok(run) => Some(run.progress()),
        Err(RunError::NoProgress { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(Next { ready: Ready::new(document, Kept::of(document)?), progress, is_new: true })
}

/// The rows of a change.
fn compose(
    key: &ChannelKey,
    before: Option<&ChannelRow>,
    wish: &Wish,
    next: Option<&Next>,
    who: &Actor,
) -> Change {
    let seen = before.map_or(0, |row| row.revision);
    let revision = seen + 1;
    // Clocks of several servers differ; a channel's time does not run backwards.
    let now = before.map_or(Timestamp(i64::MIN), |row| row.updated).max(Timestamp::now());
    let event = match *wish {
        Wish::Create(_) => Event::Create,
        Wish::Reseed(_) => Event::Reseed,
        Wish::Plain(event) => event,
    };
    let created = match event {
        Event::Create | Event::Reseed | Event::Restore(_) => now,
        _ => before.map_or(now, |row| row.created),
    };
    let digest = next.map(|next| next.ready.kept.map.digest);
    let progress = next.and_then(|next| next.progress.clone());
    let is_checkpoint = !event.follows() || revision % CHECKPOINT == 0;
    let entry = HistoryRow {
        key: key.clone(),
        revision,
        at: now,
        actor: who.clone(),
        event,
        digest,
        progress: progress.clone().filter(|_| is_checkpoint),
    };
    let channel = ChannelRow { key: key.clone(), revision, digest, progress, created, updated: now };
    let document = next.filter(|next| next.is_new).map(|next| next.ready.kept.clone());
    Change { seen, channel, entry, document }
}
