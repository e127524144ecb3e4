//! Validates an import line by line: checks the digest of every document and replays every history.

use crate::cache::{self, DecodedMap, Documents};
use crate::error::{Result, StoreError};
use crate::executor::OptionalExecutor;
use crate::guild_file::{FORMAT, Header, Line, RecordCounts};
use crate::import_buffer::{ImportBuffer, ImportBufferWriter};
use crate::key::Id;
use crate::map::NewMap;
use crate::replay::{LineError, Replay};
use crate::row::{ChannelRow, DocumentRow, HistoryRow};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;
use wayforge::document::parse;
use wayforge::{Digest, Document};

/// Size of the cache of decoded maps.
const CACHE_BYTES: u64 = 64 << 20;

/// An import in progress.
pub(crate) struct Import {
    guild: Option<Id>,
    /// Number of lines read.
    line: u64,
    buffer: ImportBufferWriter,
    /// Offset of each document in the buffer.
    documents: BTreeMap<Digest, u64>,
    cache: Documents,
    counts: RecordCounts,
    /// The last complete channel.
    last: Option<Id>,
    /// The channel whose history is being replayed.
    open: Option<Replay>,
    /// Whether the end record was read.
    ended: bool,
    executor: OptionalExecutor,
}

impl Import {
    /// `executor` only checks the limits of configurations.
    pub(crate) fn new(guild: Option<Id>, executor: OptionalExecutor) -> Result<Import> {
        Ok(Import {
            guild,
            line: 0,
            buffer: ImportBufferWriter::new()?,
            documents: BTreeMap::new(),
            cache: cache::documents(CACHE_BYTES),
            counts: RecordCounts::default(),
            last: None,
            open: None,
            ended: false,
            executor,
        })
    }

    /// Creates the error for the next line.
    pub(crate) fn reject(&self, problem: impl Into<LineError>) -> StoreError {
        StoreError::Import { line: self.line + 1, problem: problem.into() }
    }

    /// Validates one line and appends it to the buffer.
    pub(crate) fn add_line(&mut self, text: &[u8]) -> Result<()> {
        let text = std::str::from_utf8(text).map_err(|_| self.reject("not UTF-8"))?;
        let text = text.trim_end_matches(['\r', '\n']);
        if self.ended {
            return Err(self.reject("unexpected line after the end record"));
        }
        if self.line == 0 {
            let header: Header =
                parse("", text.as_bytes()).map_err(|error| self.reject(error.to_string()))?;
            if header.format != FORMAT {
                return Err(self.reject(format!(
                    "format: {:?} is not supported; use {FORMAT}",
                    header.format
                )));
            }
            if header.guild != self.guild {
                let name = |guild: &Option<Id>| {
                    guild.as_ref().map_or("direct messages".into(), Id::to_string)
                };
                let (file, requested) = (name(&header.guild), name(&self.guild));
                return Err(self.reject(format!(
                    "guild: the file belongs to {file}, but the import is for {requested}"
                )));
            }
            return self.append(text).map(drop);
        }
        match parse("", text.as_bytes()).map_err(|error| self.reject(error.to_string()))? {
            Line::Document(raw) => {
                let text = raw.get().as_bytes();
                // Validating a map takes as long as generating it.
                let in_document = |error: &dyn Display| self.reject(format!("document: {error}"));
                let document = Document::decode(text).map_err(|error| in_document(&error))?;
                self.executor.check(&document).map_err(|error| in_document(&error))?;
                let map = NewMap::parse(text);
                let map = map.map_err(|error| self.reject(format!("document: {error}")))?;
                return self.add_document(map.document());
            }
            Line::Entry(entry) => {
                let decoded = entry.digest.map(|digest| self.decoded(digest)).transpose()?;
                self.replay_entry(entry, decoded).map_err(|problem| self.reject(problem))?;
            }
            Line::Channel(channel) => {
                self.check_channel(channel).map_err(|problem| self.reject(problem))?
            }
            Line::End(counts) => self.check_end(counts).map_err(|problem| self.reject(problem))?,
        }
        self.append(text).map(drop)
    }

    /// Appends a line to the buffer. Returns its offset.
    fn append(&mut self, text: &str) -> Result<u64> {
        self.line += 1;
        self.buffer.add(text)
    }

    /// Returns the validated lines and their counts.
    ///
    /// # Errors
    /// [`StoreError::Import`] if the end record is missing.
    pub(crate) fn finish(self) -> Result<(ImportBuffer, RecordCounts)> {
        if !self.ended {
            let problem = "the file is truncated: the last line must be {\"end\":...}".to_owned();
            return Err(StoreError::Import { line: self.line, problem });
        }
        Ok((self.buffer.finish(self.guild)?, self.counts))
    }

    /// Appends a document in its canonical form, which does not contain the generation time of a
    /// floor.
    fn add_document(&mut self, document: &Document) -> Result<()> {
        let offset = self.append(&format!("{{\"document\":{}}}", document.to_text()))?;
        self.documents.insert(document.digest, offset);
        self.counts.documents += 1;
        self.cache.insert(
            document.digest,
            DecodedMap::new(document, DocumentRow::from_document(document)?),
        );
        Ok(())
    }

    /// Returns the map of a digest from an earlier line.
    fn decoded(&mut self, digest: Digest) -> Result<Arc<DecodedMap>> {
        let Some(&offset) = self.documents.get(&digest) else {
            let problem = format!("entry.map: no document {digest} before this line");
            return Err(self.reject(problem));
        };
        if let Some(decoded) = self.cache.get(&digest) {
            return Ok(decoded);
        }
        let line = self.buffer.line_at(offset)?;
        let text = line
            .strip_prefix("{\"document\":")
            .and_then(|rest| rest.strip_suffix('}'))
            .unwrap_or("");
        let document = Document::decode(text.as_bytes()).map_err(std::io::Error::other)?;
        let decoded = DecodedMap::new(&document, DocumentRow::from_document(&document)?);
        self.cache.insert(digest, Arc::clone(&decoded));
        Ok(decoded)
    }

    /// Replays a history entry on the open channel.
    fn replay_entry(
        &mut self,
        entry: HistoryRow,
        decoded: Option<Arc<DecodedMap>>,
    ) -> Result<(), LineError> {
        let channel = &entry.key.channel;
        let open = match self.open.take() {
            Some(open) if open.channel() == channel => open,
            Some(open) => {
                return Err(format!(
                    "entry.channel: {channel} begins before {} is complete",
                    open.channel()
                ));
            }
            None if self.last.as_ref().is_some_and(|last| last >= channel) => {
                return Err(format!(
                    "entry.channel: {channel} is out of order; channels must be sorted"
                ));
            }
            None => Replay::new(channel.clone()),
        };
        self.open = Some(open.apply(&entry, decoded)?);
        self.counts.entries += 1;
        Ok(())
    }

    /// Compares the current state of a channel with its replayed history.
    fn check_channel(&mut self, row: ChannelRow) -> Result<(), LineError> {
        let channel = &row.key.channel;
        let open = self.open.take().filter(|open| open.channel() == channel);
        let open = open
            .ok_or_else(|| format!("channel.channel: {channel} has no history before this line"))?;
        open.check(&row)?;
        self.last = Some(row.key.channel);
        self.counts.channels += 1;
        Ok(())
    }

    /// Compares the record counts with the lines read.
    fn check_end(&mut self, counts: RecordCounts) -> Result<(), LineError> {
        if let Some(open) = &self.open {
            return Err(format!("end: channel {} is incomplete", open.channel()));
        }
        if counts != self.counts {
            let RecordCounts { channels, entries, documents } = self.counts;
            return Err(format!(
                "end: the file has {channels} channels, {entries} entries, {documents} documents"
            ));
        }
        self.ended = true;
        Ok(())
    }
}
