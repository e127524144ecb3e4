//! Import buffer: stores validated lines in an anonymous temporary file until the last line has
//! arrived, because a database transaction must not wait for slow clients.

use crate::error::{Result, StoreError};
use crate::guild_file::Line;
use crate::key::Id;
use crate::row::{ChannelRow, DocumentRow, HistoryRow};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use wayforge::Document;

/// Number of bytes of lines that are decoded together.
const BATCH: usize = 256 << 10;

/// Row of an import; its keys contain the guild.
pub(crate) enum ImportRow {
    Document(DocumentRow),
    Entry(HistoryRow),
    Channel(ChannelRow),
}

/// Appends validated lines to the buffer.
pub(crate) struct ImportBufferWriter {
    file: BufWriter<File>,
    length: u64,
}

/// Reads validated lines back as rows with their line numbers.
pub(crate) struct ImportBuffer {
    file: BufReader<File>,
    guild: Option<Id>,
    line: u64,
}

impl ImportBufferWriter {
    pub(crate) fn new() -> Result<ImportBufferWriter> {
        Ok(ImportBufferWriter { file: BufWriter::new(tempfile::tempfile()?), length: 0 })
    }

    /// Appends a line. Returns its byte offset.
    pub(crate) fn add(&mut self, line: &str) -> Result<u64> {
        let offset = self.length;
        self.file.write_all(line.as_bytes())?;
        self.file.write_all(b"\n")?;
        self.length += line.len() as u64 + 1;
        Ok(offset)
    }

    /// Returns the line at a byte offset, without its line ending.
    pub(crate) fn line_at(&mut self, offset: u64) -> Result<String> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(offset))?;
        let mut line = String::new();
        BufReader::new(Read::by_ref(file)).read_line(&mut line)?;
        file.seek(SeekFrom::End(0))?;
        line.truncate(line.trim_end_matches('\n').len());
        Ok(line)
    }

    /// Returns a reader at the first line after the header.
    pub(crate) fn finish(mut self, guild: Option<Id>) -> Result<ImportBuffer> {
        self.file.flush()?;
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        let mut file = BufReader::new(file);
        // Skip the header.
        file.skip_until(b'\n')?;
        Ok(ImportBuffer { file, guild, line: 1 })
    }
}

impl ImportBuffer {
    /// Returns the next rows with their line numbers, and the buffer; no rows at the end. They are
    /// read and decoded on a blocking thread.
    pub(crate) async fn next_rows(self) -> Result<(ImportBuffer, Vec<(u64, ImportRow)>)> {
        let rows = tokio::task::spawn_blocking(move || self.read_rows()).await;
        rows.map_err(|error| StoreError::Database(format!("import failed: {error}")))?
    }

    fn read_rows(mut self) -> Result<(ImportBuffer, Vec<(u64, ImportRow)>)> {
        let (mut rows, mut bytes) = (Vec::new(), 0);
        let mut text = String::new();
        while bytes < BATCH {
            text.clear();
            if self.file.read_line(&mut text)? == 0 {
                break;
            }
            bytes += text.len();
            self.line += 1;
            let row = match serde_json::from_str(&text).map_err(std::io::Error::other)? {
                Line::Document(raw) => {
                    let document =
                        Document::decode(raw.get().as_bytes()).map_err(std::io::Error::other)?;
                    ImportRow::Document(DocumentRow::from_document(&document)?)
                }
                Line::Entry(mut entry) => {
                    entry.key.guild.clone_from(&self.guild);
                    ImportRow::Entry(entry)
                }
                Line::Channel(mut channel) => {
                    channel.key.guild.clone_from(&self.guild);
                    ImportRow::Channel(channel)
                }
                Line::End(_) => continue,
            };
            rows.push((self.line, row));
        }
        Ok((self, rows))
    }
}

/// Returns the error for a channel that already exists.
pub(crate) fn occupied(line: u64, channel: &Id) -> StoreError {
    let problem = format!("channel {channel} already has a map or a history");
    StoreError::Import { line, problem }
}
