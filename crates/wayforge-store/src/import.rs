//! Judging an import line by line: every document by its digest, every history by playing it again.

use crate::cache::{self, Documents, Ready};
use crate::error::{Result, StoreError};
use crate::guild_file::{FORMAT, Head, Line, Tally, WireChannel, WireEntry};
use crate::history::{Event, follow};
use crate::key::Id;
use crate::map::NewMap;
use crate::row::Kept;
use crate::spool::{Spool, SpoolWriter};
use crate::store::CHECKPOINT;
use crate::timestamp::Timestamp;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge::document::parse;
use wayforge::{Digest, Document, Run};

/// An import under way.
pub(crate) struct Import {
    guild: Option<Id>,
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
            spool: SpoolWriter::new()?,
            documents: BTreeMap::new(),
            cache: cache::documents(),
            tally: Tally::default(),
            last: None,
            open: None,
            ended: false,
        })
    }

    /// Judges one line and keeps it.
    pub(crate) fn take(&mut self, line: u64, text: &str) -> Result<()> {
        let refuse = |problem: String| StoreError::Import { line, problem };
        if self.ended {
            return Err(refuse("nothing may follow the end".to_owned()));
        }
        if line == 1 {
            let head: Head = parse("", text.as_bytes()).map_err(|error| refuse(error.to_string()))?;
            if head.format != FORMAT {
                return Err(refuse(format!("format: {:?} is unknown; known: {FORMAT}", head.format)));
            }
            if head.guild != self.guild {
                let name =
                    |guild: &Option<Id>| guild.as_ref().map_or("direct messages".into(), Id::to_string);
                let (file, asked) = (name(&head.guild), name(&self.guild));
                return Err(refuse(format!("guild: the file is of {file}, the import is for {asked}")));
            }
            self.spool.add(text)?;
            return Ok(());
        }
        match parse("", text.as_bytes()).map_err(|error| refuse(error.to_string()))? {
            Line::Document(raw) => return self.document(&raw).and_then(|fault| fault.map_err(refuse)),
            Line::Entry(entry) => {
                let ready = self.ready(entry.map)?.map_err(refuse)?;
                self.entry(entry, ready).map_err(refuse)?;
            }
            Line::Channel(channel) => self.channel(channel).map_err(refuse)?,
            Line::End(tally) => self.end(tally).map_err(refuse)?,
        }
        self.spool.add(text)?;
        Ok(())
    }

    /// What is to be imported, if all has come.
    pub(crate) fn finish(self, line: u64) -> Result<(Spool, Tally)> {
        if !self.ended {
            let problem = "the file ends early: its last line says {\"end\":...}".to_owned();
            return Err(StoreError::Import { line, problem });
        }
        Ok((self.spool.finish(self.guild)?, self.tally))
    }

    fn document(&mut self, raw: &RawValue) -> Result<Result<(), Fault>> {
        let document = match NewMap::read(raw.get().as_bytes()) {
            Ok(map) => map.document().clone(),
            Err(error) => return Ok(Err(format!("document: {error}"))),
        };
        // Written anew, because when a floor was made is no part of what it is.
        let at = self.spool.add(&format!("{{\"document\":{}}}", document.to_text()))?;
        self.documents.insert(document.digest, at);
        self.tally.documents += 1;
        self.cache.insert(document.digest, Arc::new(Ready::of(Kept::of(&document)?)?));
        Ok(Ok(()))
    }

    /// The map of a digest that an earlier line brought.
    fn ready(&mut self, digest: Option<Digest>) -> Result<Result<Option<Arc<Ready>>, Fault>> {
        let Some(digest) = digest else { return Ok(Ok(None)) };
        let Some(&at) = self.documents.get(&digest) else {
            return Ok(Err(format!("entry.map: no document {digest} stands before this line")));
        };
        if let Some(ready) = self.cache.get(&digest) {
            return Ok(Ok(Some(ready)));
        }
        let line = self.spool.line_at(at)?;
        let text = line.strip_prefix("{\"document\":").and_then(|rest| rest.strip_suffix('}')).unwrap_or("");
        let document = Document::decode(text.as_bytes()).map_err(std::io::Error::other)?;
        let ready = Arc::new(Ready::of(Kept::of(&document)?)?);
        self.cache.insert(digest, Arc::clone(&ready));
        Ok(Ok(Some(ready)))
    }

    fn entry(&mut self, entry: WireEntry, ready: Option<Arc<Ready>>) -> Result<(), Fault> {
        let open = match self.open.take() {
            Some(open) if open.channel == entry.channel => open,
            Some(open) => {
                return Err(format!(
                    "entry.channel: {} begins before {} is closed",
                    entry.channel, open.channel
                ));
            }
            None if self.last.as_ref().is_some_and(|last| *last >= entry.channel) => {
                return Err(format!("entry.channel: {} is out of order; channels rise", entry.channel));
            }
            None => Open { channel: entry.channel.clone(), revision: 0, at: Timestamp(i64::MIN), map: None },
        };
        let revision = open.revision + 1;
        if entry.revision != revision {
            return Err(format!("entry.revision: {} should be {revision}", entry.revision));
        }
        if entry.at < open.at {
            return Err(format!("entry.at: {} is before the entry above", entry.at));
        }
        let map = play(&entry, &open, ready)?;
        let said = entry.progress.as_deref().map(RawValue::get);
        let progress = map.as_ref().and_then(|(_, run)| run.as_ref()).map(Run::progress);
        let is_written = !entry.did.follows() || revision % CHECKPOINT == 0;
        let expected = progress.filter(|_| is_written);
        if said != expected.as_deref() {
            let expected = expected.unwrap_or_else(|| "none".to_owned());
            return Err(format!("entry.progress: should be {expected}"));
        }
        self.open = Some(Open { channel: open.channel, revision, at: entry.at, map });
        self.tally.entries += 1;
        Ok(())
    }

    fn channel(&mut self, channel: WireChannel) -> Result<(), Fault> {
        let open = self.open.take().filter(|open| open.channel == channel.channel);
        let open =
            open.ok_or_else(|| format!("channel.channel: {} has no history above", channel.channel))?;
        let digest = open.map.as_ref().map(|(ready, _)| ready.kept.digest);
        let progress = open.map.as_ref().and_then(|(_, run)| run.as_ref()).map(Run::progress);
        let agrees = [
            ("revision", channel.revision == open.revision),
            ("map", channel.map == digest),
            ("progress", channel.progress.as_deref().map(RawValue::get) == progress.as_deref()),
            ("updated", channel.updated == open.at && channel.created <= channel.updated),
        ];
        if let Some((field, _)) = agrees.iter().find(|(_, agrees)| !agrees) {
            return Err(format!("channel.{field}: is not what the history above leads to"));
        }
        self.last = Some(channel.channel);
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
fn play(entry: &WireEntry, open: &Open, ready: Option<Arc<Ready>>) -> Result<Option<Played>, Fault> {
    let name = entry.did.name();
    if entry.did == Event::Delete {
        return match (&open.map, ready) {
            (Some(_), None) => Ok(None),
            _ => Err("entry.did: delete needs a map before and none after".to_owned()),
        };
    }
    let ready = ready.ok_or_else(|| format!("entry.map: {name} leaves a map"))?;
    match entry.did {
        Event::Create | Event::Reseed | Event::Restore(_) => {
            if let Event::Restore(former) = entry.did
                && former.0 >= entry.revision as u64
            {
                return Err(format!("entry.did: {} cannot be restored here", former));
            }
            let run = match (&ready.start, &entry.progress) {
                (Ok(start), Some(progress)) => {
                    let run = start.resumed(progress.get().as_bytes());
                    Some(run.map_err(|error| format!("entry.progress: {error}"))?)
                }
                (Ok(_), None) => return Err("entry.progress: this map has progress".to_owned()),
                (Err(_), _) => None,
            };
            let is_new = !matches!(entry.did, Event::Restore(_));
            if is_new && run.as_ref().is_some_and(|run| *run != run.restarted()) {
                return Err(format!("entry.progress: {name} begins at the start"));
            }
            Ok(Some((ready, run)))
        }
        _ => {
            let (former, run) = open.map.as_ref().ok_or_else(|| format!("entry.did: {name} needs a map"))?;
            if former.kept.digest != ready.kept.digest {
                return Err(format!("entry.map: {name} does not change the map"));
            }
            let next = match (entry.did, run) {
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
