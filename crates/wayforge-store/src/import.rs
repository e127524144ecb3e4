//! Validates an import line by line: every document by its digest, every history by playing it again.

use crate::cache::{self, Documents, Ready};
use crate::error::{Result, StoreError};
use crate::guild_file::{FORMAT, Head, Line, Tally};
use crate::history::{Event, follow};
use crate::key::Id;
use crate::map::NewMap;
use crate::row::{ChannelRow, HistoryRow, Kept};
use crate::spool::{Spool, SpoolWriter};
use crate::store::CHECKPOINT;
use crate::timestamp::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge::document::parse;
use wayforge::{Digest, Document, Run};

/// An import under way.
pub(crate) struct Import {
    guild: Option<Id>,
    /// The number of the last line.
    line: u64,
    spool: SpoolWriter,
    /// Where in the spool each document stands.
    documents: BTreeMap<Digest, u64>,
    cache: Documents,
    tally: Tally,
    /// The last channel that was finished.
    last: Option<Id>,
    open: Option<Open>,
    ended: bool,
}

/// A channel whose history is being played.
struct Open {
    channel: Id,
    revision: i64,
    at: Timestamp,
    map: Option<Played>,
}

/// A map and the party on it; maps of some families have none.
type Played = (Arc<Ready>, Option<Run>);

/// What is wrong with a line.
type Fault = String;

impl Import {
    pub(crate) fn new(guild: Option<Id>) -> Result<Import> {
        Ok(Import {
            guild,
            line: 0,
            spool: SpoolWriter::new()?,
            documents: BTreeMap::new(),
            cache: cache::documents(),
            tally: Tally::default(),
            last: None,
            open: None,
            ended: false,
        })
    }

    /// Rejects the line that comes next.
    pub(crate) fn reject(&self, problem: impl Into<Fault>) -> StoreError {
        StoreError::Import { line: self.line + 1, problem: problem.into() }
    }

    /// Validates one line and keeps it.
    pub(crate) fn take(&mut self, text: &[u8]) -> Result<()> {
        let text = std::str::from_utf8(text).map_err(|_| self.reject("not UTF-8"))?;
        let text = text.trim_end_matches(['\r', '\n']);
        if self.ended {
            return Err(self.reject("nothing may follow the end"));
        }
        if self.line == 0 {
            let head: Head = parse("", text.as_bytes()).map_err(|error| self.reject(error.to_string()))?;
            if head.format != FORMAT {
                return Err(self.reject(format!("format: {:?} is unknown; known: {FORMAT}", head.format)));
            }
            if head.guild != self.guild {
                let name =
                    |guild: &Option<Id>| guild.as_ref().map_or("direct messages".into(), Id::to_string);
                let (file, asked) = (name(&head.guild), name(&self.guild));
                return Err(self.reject(format!("guild: the file is of {file}, the import is for {asked}")));
            }
            return self.keep(text).map(drop);
        }
        match parse("", text.as_bytes()).map_err(|error| self.reject(error.to_string()))? {
            Line::Document(raw) => {
                let map = NewMap::read(raw.get().as_bytes());
                let map = map.map_err(|error| self.reject(format!("document: {error}")))?;
                return self.document(map.document());
            }
            Line::Entry(entry) => {
                let ready = entry.digest.map(|digest| self.ready(digest)).transpose()?;
                self.entry(entry, ready).map_err(|problem| self.reject(problem))?;
            }
            Line::Channel(channel) => self.channel(channel).map_err(|problem| self.reject(problem))?,
            Line::End(tally) => self.end(tally).map_err(|problem| self.reject(problem))?,
        }
        self.keep(text).map(drop)
    }

    /// Adds a line to the spool; gives where it begins.
    fn keep(&mut self, text: &str) -> Result<u64> {
        self.line += 1;
        self.spool.add(text)
    }

    /// What is to be imported, if all has come.
    pub(crate) fn finish(self) -> Result<(Spool, Tally)> {
        if !self.ended {
            let problem = "the file ends early: its last line says {\"end\":...}".to_owned();
            return Err(StoreError::Import { line: self.line, problem });
        }
        Ok((self.spool.finish(self.guild)?, self.tally))
    }

    /// Writes a document again, because when a floor was generated is no part of what it is.
    fn document(&mut self, document: &Document) -> Result<()> {
        let at = self.keep(&format!("{{\"document\":{}}}", document.to_text()))?;
        self.documents.insert(document.digest, at);
        self.tally.documents += 1;
        self.cache.insert(document.digest, Ready::new(document, Kept::of(document)?));
        Ok(())
    }

    /// The map of a digest that an earlier line brought.
    fn ready(&mut self, digest: Digest) -> Result<Arc<Ready>> {
        let Some(&at) = self.documents.get(&digest) else {
            let problem = format!("entry.map: no document {digest} stands before this line");
            return Err(self.reject(problem));
        };
        if let Some(ready) = self.cache.get(&digest) {
            return Ok(ready);
        }
        let line = self.spool.line_at(at)?;
        let text = line.strip_prefix("{\"document\":").and_then(|rest| rest.strip_suffix('}')).unwrap_or("");
        let document = Document::decode(text.as_bytes()).map_err(std::io::Error::other)?;
        let ready = Ready::new(&document, Kept::of(&document)?);
        self.cache.insert(digest, Arc::clone(&ready));
        Ok(ready)
    }

    fn entry(&mut self, entry: HistoryRow, ready: Option<Arc<Ready>>) -> Result<(), Fault> {
        let channel = &entry.key.channel;
        let open = match self.open.take() {
            Some(open) if open.channel == *channel => open,
            Some(open) => {
                return Err(format!("entry.channel: {channel} begins before {} is closed", open.channel));
            }
            None if self.last.as_ref().is_some_and(|last| last >= channel) => {
                return Err(format!("entry.channel: {channel} is out of order; channels rise"));
            }
            None => Open { channel: channel.clone(), revision: 0, at: Timestamp(i64::MIN), map: None },
        };
        let revision = open.revision + 1;
        if entry.revision != revision {
            return Err(format!("entry.revision: {} should be {revision}", entry.revision));
        }
        if entry.at < open.at {
            return Err(format!("entry.at: {} is before the entry above", entry.at));
        }
        let map = play(&entry, &open, ready)?;
        let progress = map.as_ref().and_then(|(_, run)| run.as_ref()).map(Run::progress);
        let is_written = !entry.event.follows() || revision % CHECKPOINT == 0;
        let expected = progress.filter(|_| is_written);
        if entry.progress != expected {
            let expected = expected.unwrap_or_else(|| "none".to_owned());
            return Err(format!("entry.progress: should be {expected}"));
        }
        self.open = Some(Open { channel: open.channel, revision, at: entry.at, map });
        self.tally.entries += 1;
        Ok(())
    }

    fn channel(&mut self, row: ChannelRow) -> Result<(), Fault> {
        let channel = row.key.channel;
        let open = self.open.take().filter(|open| open.channel == channel);
        let open = open.ok_or_else(|| format!("channel.channel: {channel} has no history above"))?;
        let digest = open.map.as_ref().map(|(ready, _)| ready.kept.map.digest);
        let progress = open.map.as_ref().and_then(|(_, run)| run.as_ref()).map(Run::progress);
        let agrees = [
            ("revision", row.revision == open.revision),
            ("map", row.digest == digest),
            ("progress", row.progress == progress),
            ("updated", row.updated == open.at && row.created <= row.updated),
        ];
        if let Some((field, _)) = agrees.iter().find(|(_, agrees)| !agrees) {
            return Err(format!("channel.{field}: is not what the history above leads to"));
        }
        self.last = Some(channel);
        self.tally.channels += 1;
        Ok(())
    }

    fn end(&mut self, tally: Tally) -> Result<(), Fault> {
        if let Some(open) = &self.open {
            return Err(format!("end: channel {} is not closed", open.channel));
        }
        if tally != self.tally {
            let Tally { channels, entries, documents } = self.tally;
            return Err(format!(
                "end: there were {channels} channels, {entries} entries, {documents} documents"
            ));
        }
        self.ended = true;
        Ok(())
    }
}

/// The map after an entry.
fn play(entry: &HistoryRow, open: &Open, ready: Option<Arc<Ready>>) -> Result<Option<Played>, Fault> {
    let name = entry.event.name();
    if entry.event == Event::Delete {
        return match (&open.map, ready) {
            (Some(_), None) => Ok(None),
            _ => Err("entry.did: delete needs a map before and none after".to_owned()),
        };
    }
    let ready = ready.ok_or_else(|| format!("entry.map: {name} leaves a map"))?;
    match entry.event {
        Event::Create | Event::Reseed | Event::Restore(_) => {
            if let Event::Restore(former) = entry.event
                && former.0 >= entry.revision as u64
            {
                return Err(format!("entry.did: {} cannot be restored here", former));
            }
            let run = match (&ready.start, &entry.progress) {
                (Ok(start), Some(progress)) => {
                    let run = start.resumed(progress.as_bytes());
                    Some(run.map_err(|error| format!("entry.progress: {error}"))?)
                }
                (Ok(_), None) => return Err("entry.progress: this map has progress".to_owned()),
                (Err(_), _) => None,
            };
            let is_new = !matches!(entry.event, Event::Restore(_));
            if is_new && run.as_ref().is_some_and(|run| *run != run.restarted()) {
                return Err(format!("entry.progress: {name} begins at the start"));
            }
            Ok(Some((ready, run)))
        }
        _ => {
            let (former, run) = open.map.as_ref().ok_or_else(|| format!("entry.did: {name} needs a map"))?;
            if former.kept.map.digest != ready.kept.map.digest {
                return Err(format!("entry.map: {name} does not change the map"));
            }
            let next = match (entry.event, run) {
                (Event::Reset, run) => run.as_ref().map(Run::restarted),
                (event, Some(run)) => {
                    let next = follow(run, event).map_err(|error| format!("entry.did: {error}"))?;
                    Some(next.ok_or_else(|| "entry.did: nothing to undo".to_owned())?)
                }
                (_, None) => return Err("entry.did: maps of this family have no progress".to_owned()),
            };
            Ok(Some((ready, next)))
        }
    }
}
