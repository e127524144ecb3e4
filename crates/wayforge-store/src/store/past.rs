//! The past: pages of it, and maps as they once stood.

use super::change::CHECKPOINT;
use super::{Store, page, page_limit};
use crate::cache::Ready;
use crate::database::on;
use crate::error::{Result, StoreError};
use crate::history::{HistoryEntry, follow};
use crate::key::ChannelKey;
use crate::map::{Page, Revision, StoredMap};
use crate::row::{ChannelRow, HistoryRow};
use std::sync::Arc;

impl Store {
    /// The history of a channel, latest first: at most `limit` entries (1 to 1000) before a revision, or the latest ones.
    pub async fn history(
        &self,
        key: &ChannelKey,
        before: Option<Revision>,
        limit: u32,
    ) -> Result<Page<HistoryEntry, Revision>> {
        let limit = page_limit(limit)?;
        let from = match before {
            Some(Revision(before)) => i64::try_from(before).unwrap_or(i64::MAX).saturating_sub(1),
            None => i64::MAX,
        };
        let rows = on!(self, history(key, from, true, limit + 1))?;
        let entries = rows.into_iter().map(|row| row.and_then(|(row, origin)| row.entry(origin)));
        Ok(page(entries.collect::<Result<_>>()?, limit, |entry| entry.revision))
    }

    /// The channel's map as it stood at a revision.
    pub async fn former(&self, key: &ChannelKey, revision: Revision) -> Result<StoredMap> {
        let at = self.entry(key, revision).await?.at;
        let (ready, progress) = self.state_at(key, revision).await?;
        let (key, revision) = (key.clone(), revision.0 as i64);
        Ok(ready.stored(ChannelRow { key, revision, digest: None, progress, created: at, updated: at }))
    }

    async fn entry(&self, key: &ChannelKey, revision: Revision) -> Result<HistoryRow> {
        let problem = "is not in this channel's history";
        let missing = || StoreError::NoFormer { key: key.clone(), revision, problem };
        let number = i64::try_from(revision.0).map_err(|_| missing())?;
        let rows = on!(self, history(key, number, true, 1))?;
        let (row, _) = rows.into_iter().next().ok_or_else(missing)??;
        if row.revision == number { Ok(row) } else { Err(missing()) }
    }

    /// The map and the progress at a revision: from the last row that has progress, by the moves since.
    pub(super) async fn state_at(
        &self,
        key: &ChannelKey,
        revision: Revision,
    ) -> Result<(Arc<Ready>, Option<String>)> {
        let there = self.entry(key, revision).await?;
        let Some(digest) = there.digest else {
            let problem = "is where the map was deleted; take the one before";
            return Err(StoreError::NoFormer { key: key.clone(), revision, problem });
        };
        let ready = self.ready(digest).await?;
        let rows = on!(self, history(key, there.revision, true, CHECKPOINT))?;
        // From the row that was asked for back to one that says all.
        let mut since = Vec::new();
        let mut base = None;
        for row in rows {
            let (row, _) = row?;
            if row.digest != Some(digest) {
                return Err(row.damaged());
            }
            if row.progress.is_some() || !row.event.follows() {
                base = Some(row);
                break;
            }
            since.push(row);
        }
        let base = base.ok_or_else(|| there.damaged())?;
        let Some(progress) = &base.progress else { return Ok((ready, None)) };
        let start = ready.start.as_ref().map_err(Clone::clone)?;
        let mut run = start.resumed(progress.as_bytes()).map_err(|_| base.damaged())?;
        for row in since.iter().rev() {
            run = follow(&run, row.event).ok().flatten().ok_or_else(|| row.damaged())?;
        }
        Ok((ready, Some(run.progress())))
    }
}
