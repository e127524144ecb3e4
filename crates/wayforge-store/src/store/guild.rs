//! A whole guild: its list, its export, its import.

use super::{Store, page, page_limit};
use crate::database::{Work, on};
use crate::error::Result;
use crate::guild_file::{FORMAT, Head, Line, Tally};
use crate::import::Import;
use crate::key::Id;
use crate::map::{Listed, Page};
use crate::row::{ChannelRow, Origin, damaged, history_map};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use wayforge::Digest;

/// The longest line of an import.
const MAX_LINE: u64 = 64 << 20;
/// The most bytes of an import.
const MAX_BYTES: u64 = 4 << 30;
/// So many digests are remembered as written; then some documents may be written twice, which an import does not mind.
const MAX_SENT: usize = 1 << 20;

type Out<'a> = &'a mut (dyn AsyncWrite + Send + Unpin);

impl Store {
    /// The maps of a guild by channel, at most `limit` (1 to 1000) after a channel; without a guild, those of direct messages.
    pub async fn list(&self, guild: Option<&Id>, after: Option<&Id>, limit: u32) -> Result<Page<Listed, Id>> {
        let limit = page_limit(limit)?;
        let rows = on!(self, channels(guild, after.map_or("", Id::as_str), false, limit + 1))?;
        let listed = |(row, origin): (ChannelRow, Origin)| {
            let digest = row.digest.ok_or_else(|| damaged(&row.key, "the document", None))?;
            history_map(&row.key, digest, origin).map(|map| row.listed(map))
        };
        let maps = rows.into_iter().map(listed).collect::<Result<_>>()?;
        Ok(page(maps, limit, |map: &Listed| map.key.channel.clone()))
    }

    /// Writes all of a guild, histories included, as JSON lines. Every channel is written as it stood at one moment.
    pub async fn export(
        &self,
        guild: Option<&Id>,
        out: &mut (dyn AsyncWrite + Send + Unpin),
    ) -> Result<Tally> {
        write(out, &Head { format: FORMAT.to_owned(), guild: guild.cloned() }).await?;
        let (mut tally, mut sent, mut after) = (Tally::default(), BTreeSet::new(), String::new());
        loop {
            let rows = on!(self, channels(guild, &after, true, 100))?;
            let Some((last, _)) = rows.last() else { break };
            after = last.key.channel.as_str().to_owned();
            for (row, _) in rows {
                self.export_channel(row, &mut tally, &mut sent, out).await?;
            }
        }
        write(out, &Line::End(tally)).await?;
        out.flush().await?;
        Ok(tally)
    }

    /// History only grows: what stood there up to the row's revision stands there still, whatever happens meanwhile.
    async fn export_channel(
        &self,
        row: ChannelRow,
        tally: &mut Tally,
        sent: &mut BTreeSet<Digest>,
        out: Out<'_>,
    ) -> Result<()> {
        let mut next = 1;
        while next <= row.revision {
            let entries = on!(self, history(&row.key, next, false, 500))?;
            if entries.is_empty() {
                return Err(damaged(&row.key, "the history", row.digest));
            }
            for entry in entries {
                let (entry, _) = entry?;
                if entry.revision != next {
                    return Err(entry.damaged());
                }
                if let Some(digest) = entry.digest
                    && !sent.contains(&digest)
                {
                    let kept = on!(self, document(digest))?;
                    let raw = RawValue::from_string(kept.text.as_ref().to_owned());
                    write(out, &Line::Document(raw.map_err(|_| entry.damaged())?)).await?;
                    if sent.len() >= MAX_SENT {
                        sent.clear();
                    }
                    sent.insert(digest);
                    tally.documents += 1;
                }
                write(out, &Line::Entry(entry)).await?;
                tally.entries += 1;
                next += 1;
                if next > row.revision {
                    break;
                }
            }
        }
        write(out, &Line::Channel(row)).await?;
        tally.channels += 1;
        Ok(())
    }

    /// Takes in what [`export`](Self::export) wrote: all of it or nothing. Every digest, every move and every line's shape is
    /// checked; channels that ever had a map are rejected.
    pub async fn import(
        &self,
        guild: Option<&Id>,
        lines: &mut (dyn AsyncBufRead + Send + Unpin),
    ) -> Result<Tally> {
        let mut import = Import::new(guild.cloned())?;
        let (mut text, mut bytes) = (Vec::new(), 0);
        loop {
            text.clear();
            let read = (&mut *lines).take(MAX_LINE + 1).read_until(b'\n', &mut text).await? as u64;
            if read == 0 {
                break;
            }
            bytes += read;
            if read > MAX_LINE || bytes > MAX_BYTES {
                return Err(import.reject("larger than 64 MiB, or the whole larger than 4 GiB"));
            }
            import.take(&text)?;
        }
        let (spool, tally) = import.finish()?;
        on!(self, write(Work::Import(Box::new(spool))))?;
        Ok(tally)
    }
}

async fn write(out: Out<'_>, line: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec(line).map_err(std::io::Error::other)?;
    text.push(b'\n');
    out.write_all(&text).await?;
    Ok(())
}
