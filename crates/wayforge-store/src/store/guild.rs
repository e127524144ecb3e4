//! Lists, exports and imports the maps of a guild.

use super::history::HistoryReader;
use super::{Store, page, page_limit};
use crate::database::{Write, dispatch};
use crate::error::Result;
use crate::guild_file::{FORMAT, Header, Line, RecordCounts};
use crate::import::Import;
use crate::key::{ChannelKey, Id};
use crate::map::{MapSummary, Page};
use crate::row::{ChannelRow, damaged};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use wayforge::{Digest, WorkLimit};

/// Maximum size of an import line in bytes.
const MAX_LINE: u64 = 64 << 20;
/// Maximum size of an import in bytes.
const MAX_BYTES: u64 = 4 << 30;
/// Number of bytes of import lines that are validated together.
const BATCH: usize = 256 << 10;
/// Maximum number of document digests remembered during an export. Larger exports may contain a
/// document twice, which imports accept.
const MAX_SENT: usize = 1 << 20;

/// Output stream of an export.
type Out<'a> = &'a mut (dyn AsyncWrite + Send + Unpin);

impl Store {
    /// Lists the maps of a guild, sorted by channel: at most `limit` (1 to 1000) maps after the
    /// channel `after`. Without a guild, lists the maps of direct messages.
    ///
    /// # Errors
    /// [`StoreError::Input`](crate::StoreError::Input) if the limit is out of range,
    /// [`StoreError::Damaged`](crate::StoreError::Damaged) if a row is damaged.
    pub async fn list(
        &self,
        guild: Option<&Id>,
        after: Option<&Id>,
        limit: u32,
    ) -> Result<Page<MapSummary, Id>> {
        let limit = page_limit(limit)?;
        let rows =
            dispatch!(self, channels(guild, after.map_or("", Id::as_str), false, limit + 1))?;
        let is_last = rows.len() as i64 <= limit;
        let until = rows.last().filter(|_| !is_last).map(|row| row.key.channel.as_str());
        self.check_no_channel_is_lost(guild, after.map_or("", Id::as_str), until).await?;
        let mut maps = Vec::with_capacity(rows.len());
        for row in rows {
            let digest = row.digest.ok_or_else(|| damaged(&row.key, "the document", None))?;
            let map = self.identity(&row.key, digest).await?;
            maps.push(row.into_summary(map));
        }
        Ok(page(maps, limit, |map: &MapSummary| map.key.channel.clone()))
    }

    /// Writes all channels of a guild with their histories as JSON Lines. Each channel is
    /// a consistent snapshot; channels are not snapshotted together.
    ///
    /// # Errors
    /// [`StoreError::Damaged`](crate::StoreError::Damaged) if a row is damaged,
    /// [`StoreError::Io`](crate::StoreError::Io) if writing fails.
    pub async fn export(
        &self,
        guild: Option<&Id>,
        out: &mut (dyn AsyncWrite + Send + Unpin),
    ) -> Result<RecordCounts> {
        write_line(out, &Header { format: FORMAT.to_owned(), guild: guild.cloned() }).await?;
        let (mut counts, mut sent, mut after) =
            (RecordCounts::default(), BTreeSet::new(), String::new());
        loop {
            let rows = dispatch!(self, channels(guild, &after, true, 100))?;
            let until = rows.last().map(|row| row.key.channel.as_str());
            self.check_no_channel_is_lost(guild, &after, until).await?;
            let Some(last) = rows.last() else { break };
            after = last.key.channel.as_str().to_owned();
            for row in rows {
                self.export_channel(row, &mut counts, &mut sent, out).await?;
            }
        }
        write_line(out, &Line::End(counts)).await?;
        out.flush().await?;
        Ok(counts)
    }

    /// Checks that every channel with a history has a row, after `after` and up to `until`.
    ///
    /// # Errors
    /// [`StoreError::Damaged`](crate::StoreError::Damaged) names the first one without a row.
    async fn check_no_channel_is_lost(
        &self,
        guild: Option<&Id>,
        after: &str,
        until: Option<&str>,
    ) -> Result<()> {
        match dispatch!(self, lost_channel(guild, after, until))? {
            None => Ok(()),
            Some(channel) => {
                let key = ChannelKey { guild: guild.cloned(), channel: channel.parse()? };
                Err(damaged(&key, "the channel", None))
            }
        }
    }

    /// Writes one channel up to the revision of the row.
    async fn export_channel(
        &self,
        row: ChannelRow,
        counts: &mut RecordCounts,
        sent: &mut BTreeSet<Digest>,
        out: Out<'_>,
    ) -> Result<()> {
        let mut history = HistoryReader::new(self, &row.key, 1);
        for expected in 1..=row.revision {
            let Some((_, entry)) = history.next().await? else {
                return Err(damaged(&row.key, "the history", row.digest));
            };
            let entry = entry?;
            if entry.revision != expected {
                return Err(entry.damaged());
            }
            if let Some(digest) = entry.digest
                && !sent.contains(&digest)
            {
                let raw = dispatch!(self, document(digest))?;
                let (size, damage) = (raw.text.len(), entry.damaged());
                let encode = move || -> Result<_> {
                    let text = raw.verify()?.text.as_ref().to_owned();
                    let raw = RawValue::from_string(text).map_err(|_| damage)?;
                    encode_line(&Line::Document(raw))
                };
                out.write_all(&self.executor.run_sized(size, encode).await?).await?;
                if sent.len() >= MAX_SENT {
                    sent.clear();
                }
                sent.insert(digest);
                counts.documents += 1;
            }
            write_line(out, &Line::Entry(entry)).await?;
            counts.entries += 1;
        }
        write_line(out, &Line::Channel(row)).await?;
        counts.channels += 1;
        Ok(())
    }

    /// Imports the output of [`export`](Self::export) in one transaction. Every line, digest and
    /// move is validated.
    ///
    /// # Errors
    /// [`StoreError::Import`](crate::StoreError::Import) if a line is invalid or a channel already
    /// exists; [`StoreError::GuildFull`](crate::StoreError::GuildFull) if the guild would have too
    /// many channels; [`StoreError::Io`](crate::StoreError::Io) if reading fails.
    pub async fn import(
        &self,
        guild: Option<&Id>,
        lines: &mut (dyn AsyncBufRead + Send + Unpin),
    ) -> Result<RecordCounts> {
        let mut import = Import::new(guild.cloned(), self.executor.clone())?;
        let mut bytes = 0;
        loop {
            let (mut text, mut ends) = (Vec::new(), Vec::new());
            let mut is_too_large = false;
            while text.len() < BATCH && !is_too_large {
                let mut line = (&mut *lines).take(MAX_LINE + 1);
                let read = line.read_until(b'\n', &mut text).await? as u64;
                if read == 0 {
                    break;
                }
                bytes += read;
                is_too_large = read > MAX_LINE || bytes > MAX_BYTES;
                ends.push(text.len());
            }
            if ends.is_empty() {
                break;
            }
            let validate = move |_: &WorkLimit| {
                let mut start = 0;
                for (index, &end) in ends.iter().enumerate() {
                    if is_too_large && index + 1 == ends.len() {
                        let problem = "the line exceeds 64 MiB, or the file exceeds 4 GiB";
                        return Err(import.reject(problem));
                    }
                    import.add_line(&text[start..end])?;
                    start = end;
                }
                Ok(import)
            };
            import = self.executor.run(validate).await?;
        }
        let (buffer, counts) = self.executor.run(move |_| import.finish()).await?;
        let quota = self.channel_quota(guild, counts.channels);
        if let Some(quota) = &quota {
            // A file that cannot fit need not be written first.
            quota.check(i64::try_from(counts.channels).unwrap_or(i64::MAX))?;
        }
        self.write(Write::Import(Box::new(buffer), quota)).await?;
        Ok(counts)
    }
}

/// Writes one line of JSON.
async fn write_line(out: Out<'_>, line: &impl Serialize) -> Result<()> {
    out.write_all(&encode_line(line)?).await?;
    Ok(())
}

fn encode_line(line: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec(line).map_err(std::io::Error::other)?;
    text.push(b'\n');
    Ok(text)
}
