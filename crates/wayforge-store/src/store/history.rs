//! Pages of the history, and maps at earlier revisions.

use super::change::CHECKPOINT_INTERVAL;
use super::{Store, page, page_limit};
use crate::cache::DecodedMap;
use crate::database::dispatch;
use crate::error::{Result, StoreError};
use crate::history::{HistoryEntry, apply_event};
use crate::key::ChannelKey;
use crate::map::{Page, Revision, StoredMap};
use crate::row::{ChannelRow, HistoryRow};
use std::sync::Arc;

impl Store {
    /// Returns a page of the history of a channel, latest entry first: at most `limit` (1 to 1000)
    /// entries before the revision `before`.
    ///
    /// # Errors
    /// [`StoreError::Input`] if the limit is out of range, [`StoreError::Damaged`] if an entry is
    /// damaged.
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
        let rows = dispatch!(self, history(key, from, true, limit + 1))?;
        let entries =
            rows.into_iter().map(|row| row.and_then(|(row, origin)| row.into_entry(origin)));
        Ok(page(entries.collect::<Result<_>>()?, limit, |entry| entry.revision))
    }

    /// Returns the map of a channel at a revision.
    ///
    /// # Errors
    /// [`StoreError::NoSuchRevision`] if the history has no map at this revision.
    pub async fn map_at(&self, key: &ChannelKey, revision: Revision) -> Result<StoredMap> {
        let at = self.entry(key, revision).await?.at;
        let (decoded, progress) = self.state_at(key, revision).await?;
        let (key, revision) = (key.clone(), revision.0 as i64);
        Ok(decoded.stored_map(ChannelRow {
            key,
            revision,
            digest: None,
            progress,
            created: at,
            updated: at,
        }))
    }

    /// Returns the history entry of a revision.
    async fn entry(&self, key: &ChannelKey, revision: Revision) -> Result<HistoryRow> {
        let problem = "is not in this channel's history";
        let missing = || StoreError::NoSuchRevision { key: key.clone(), revision, problem };
        let number = i64::try_from(revision.0).map_err(|_| missing())?;
        let rows = dispatch!(self, history(key, number, true, 1))?;
        let (row, _) = rows.into_iter().next().ok_or_else(missing)??;
        if row.revision == number { Ok(row) } else { Err(missing()) }
    }

    /// Computes map and progress at a revision: starts at the last checkpoint and replays the moves
    /// after it.
    pub(super) async fn state_at(
        &self,
        key: &ChannelKey,
        revision: Revision,
    ) -> Result<(Arc<DecodedMap>, Option<String>)> {
        let target = self.entry(key, revision).await?;
        let Some(digest) = target.digest else {
            let problem = "deleted the map; use the revision before it";
            return Err(StoreError::NoSuchRevision { key: key.clone(), revision, problem });
        };
        let decoded = self.decoded(digest).await?;
        let rows = dispatch!(self, history(key, target.revision, true, CHECKPOINT_INTERVAL))?;
        // Collect entries backwards until the last checkpoint.
        let mut moves = Vec::new();
        let mut base = None;
        for row in rows {
            let (row, _) = row?;
            if row.digest != Some(digest) {
                return Err(row.damaged());
            }
            if row.progress.is_some() || !row.event.is_incremental() {
                base = Some(row);
                break;
            }
            moves.push(row);
        }
        let base = base.ok_or_else(|| target.damaged())?;
        let Some(progress) = &base.progress else { return Ok((decoded, None)) };
        let start = decoded.start.as_ref().map_err(Clone::clone)?;
        let mut run = start.resumed(progress.as_bytes()).map_err(|_| base.damaged())?;
        for row in moves.iter().rev() {
            run = apply_event(&run, row.event).ok().flatten().ok_or_else(|| row.damaged())?;
        }
        Ok((decoded, Some(run.progress())))
    }
}
