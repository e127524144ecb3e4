//! An import on its way: lines that were checked, in a nameless file, until the last one has come.
//!
//! A caller may send lines slowly; the database must not wait for them inside a transaction.

use crate::error::{Result, StoreError};
use crate::guild_file::Line;
use crate::key::Id;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

/// Checked lines, written one after another.
pub(crate) struct SpoolWriter {
    file: BufWriter<File>,
    length: u64,
}

/// Checked lines, read as rows. Lines keep their numbers.
pub(crate) struct Spool {
    file: BufReader<File>,
    guild: Option<Id>,
    line: u64,
}

impl SpoolWriter {
    pub(crate) fn new() -> Result<SpoolWriter> {
        Ok(SpoolWriter { file: BufWriter::new(tempfile::tempfile()?), length: 0 })
    }

    /// Adds a line; gives where it begins.
    pub(crate) fn add(&mut self, line: &str) -> Result<u64> {
        let at = self.length;
        self.file.write_all(line.as_bytes())?;
        self.file.write_all(b"\n")?;
        self.length += line.len() as u64 + 1;
        Ok(at)
    }

    /// The line that begins somewhere, without its end.
    pub(crate) fn line_at(&mut self, at: u64) -> Result<String> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(at))?;
        let mut line = String::new();
        BufReader::new(Read::by_ref(file)).read_line(&mut line)?;
        file.seek(SeekFrom::End(0))?;
        line.truncate(line.trim_end_matches('\n').len());
        Ok(line)
    }

    pub(crate) fn finish(mut self, guild: Option<Id>) -> Result<Spool> {
        self.file.flush()?;
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        let mut file = BufReader::new(file);
        // The first line is the head.
        file.skip_until(b'\n')?;
        Ok(Spool { file, guild, line: 1 })
    }
}

impl Spool {
    /// The next line behind the head with its number, its guild filled in.
    pub(crate) fn next_record(&mut self) -> Result<Option<(u64, Line)>> {
        let mut text = String::new();
        if self.file.read_line(&mut text)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        let mut line = serde_json::from_str(&text).map_err(std::io::Error::other)?;
        match &mut line {
            Line::Entry(entry) => entry.key.guild.clone_from(&self.guild),
            Line::Channel(channel) => channel.key.guild.clone_from(&self.guild),
            Line::Document(_) | Line::End(_) => {}
        }
        Ok(Some((self.line, line)))
    }
}

/// What is said of a channel that cannot be imported.
pub(crate) fn occupied(line: u64, channel: &Id) -> StoreError {
    let problem = format!("channel {channel} has a map or a history already");
    StoreError::Import { line, problem }
}
