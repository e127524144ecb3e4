//! Pages of the history, and maps at earlier revisions.

use super::change::CHECKPOINT_INTERVAL;
use super::{Store, page, page_limit};
use crate::cache::DecodedMap;
use crate::database::dispatch;
use crate::error::{Result, StoreError};
use crate::history::{HistoryEntry, apply_event};
use crate::key::ChannelKey;
use crate::map::{Page, Revision, StoredMap};
use crate::row::{ChannelRow, HistoryRow, damaged};
use std::sync::Arc;
use std::vec;

/// Number of entries that a [`HistoryReader`] reads at once.
const PAGE: i64 = 500;

/// Reads the history of a channel in ascending order. History is append-only, so concurrent changes
/// only add entries.
pub(super) struct HistoryReader<'a> {
    store: &'a Store,
    key: &'a ChannelKey,
    /// Smallest revision of the next page; `None` after the last page.
    from: Option<i64>,
    page: vec::IntoIter<(i64, Result<HistoryRow>)>,
}

impl<'a> HistoryReader<'a> {
    /// Starts at a revision.
    pub(super) fn new(store: &'a Store, key: &'a ChannelKey, from: i64) -> HistoryReader<'a> {
        HistoryReader { store, key, from: Some(from), page: Vec::new().into_iter() }
    }

    /// Returns the next entry with its revision; a damaged entry is an `Err`.
    pub(super) async fn next(&mut self) -> Result<Option<(i64, Result<HistoryRow>)>> {
        if let (Some(from), true) = (self.from, self.page.len() == 0) {
            let page = dispatch!(self.store, history(self.key, from, false, PAGE))?;
            self.from = page.last().and_then(|(revision, _)| revision.checked_add(1));
            self.page = page.into_iter();
        }
        Ok(self.page.next())
    }
}

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
        // The channel is read first, so its revision may only be older.
        let last = self.channel(key).await?.map_or(0, |row| row.revision);
        let rows = dispatch!(self, history(key, from, true, limit + 1))?;
        let rows = rows.into_iter().map(|(_, row)| row).collect::<Result<Vec<_>>>()?;
        check_complete(key, &rows, from.min(last), limit + 1)?;
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            let map = match row.digest {
                Some(digest) => Some(self.identity(key, digest).await?),
                None => None,
            };
            entries.push(row.into_entry(map));
        }
        Ok(page(entries, limit, |entry| entry.revision))
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
        match rows.into_iter().next().map(|(_, row)| row).transpose()? {
            Some(row) if row.revision == number => Ok(row),
            // Every revision of the channel has an entry.
            _ if dispatch!(self, channel(key))?
                .is_some_and(|row| number >= 1 && row.revision >= number) =>
            {
                Err(damaged(key, "the history", None))
            }
            _ => Err(missing()),
        }
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
        for (_, row) in rows {
            let row = row?;
            let expected = target.revision - moves.len() as i64;
            if row.digest != Some(digest) || row.revision != expected {
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

/// Checks that no entry is missing: `rows` are the latest entries, in descending order, from a
/// revision that is `last` or later, and at most `limit`.
fn check_complete(key: &ChannelKey, rows: &[HistoryRow], last: i64, limit: i64) -> Result<()> {
    let is_contiguous = rows.windows(2).all(|pair| pair[0].revision == pair[1].revision + 1);
    let begins = rows.first().map_or(0, |row| row.revision) >= last;
    let ends = rows.len() as i64 == limit || rows.last().is_none_or(|row| row.revision == 1);
    if is_contiguous && begins && ends {
        return Ok(());
    }
    Err(damaged(key, "the history", None))
}
