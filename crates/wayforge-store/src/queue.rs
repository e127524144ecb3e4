//! Queue of writes for a writer task. While a commit waits for the disk, further jobs queue up;
//! they share the next commit. Senders get their results after the commit.

use crate::error::{Result, StoreError};
use tokio::sync::{mpsc, oneshot};

/// Maximum number of queued jobs; further senders wait.
const MAX_WAITING: usize = 4096;

/// A write, and the sender for its result. The result is false if the condition of the write
/// failed.
pub(crate) type Job<W> = (W, oneshot::Sender<Result<bool>>);

enum Entry<W> {
    Job(Job<W>),
    /// The writer drops the sender after all earlier jobs are done.
    Close(oneshot::Sender<()>),
}

/// Sending half of the queue.
pub(crate) struct Queue<W>(mpsc::Sender<Entry<W>>);

/// Receiving half of the queue.
pub(crate) struct JobReceiver<W> {
    entries: mpsc::Receiver<Entry<W>>,
    closing: Vec<oneshot::Sender<()>>,
}

impl<W> Queue<W> {
    pub(crate) fn new() -> (Queue<W>, JobReceiver<W>) {
        let (send, entries) = mpsc::channel(MAX_WAITING);
        (Queue(send), JobReceiver { entries, closing: Vec::new() })
    }

    /// Sends a write to the writer and waits for its result.
    pub(crate) async fn submit(&self, work: W) -> Result<bool> {
        let (send, result) = oneshot::channel();
        self.0.send(Entry::Job((work, send))).await.map_err(|_| StoreError::Closed)?;
        result.await.map_err(|_| StoreError::Closed)?
    }

    /// Returns [`StoreError::Closed`] if the queue was closed.
    pub(crate) fn check_open(&self) -> Result<()> {
        if self.0.is_closed() { Err(StoreError::Closed) } else { Ok(()) }
    }

    /// Stops accepting writes and waits until the writer has finished.
    pub(crate) async fn close(&self) {
        let (send, done) = oneshot::channel();
        if self.0.send(Entry::Close(send)).await.is_ok() {
            let _ = done.await;
        }
    }
}

impl<W> JobReceiver<W> {
    /// Waits for jobs and returns at most `max` of them, or all remaining ones if the queue was
    /// closed. Returns `None` after that.
    pub(crate) async fn next(&mut self, max: usize) -> Option<Vec<Job<W>>> {
        let mut entries = Vec::new();
        if !self.closing.is_empty() || self.entries.recv_many(&mut entries, max).await == 0 {
            return None;
        }
        if entries.iter().any(|entry| matches!(entry, Entry::Close(_))) {
            self.entries.close();
            while let Some(entry) = self.entries.recv().await {
                entries.push(entry);
            }
        }
        let mut jobs = Vec::with_capacity(entries.len());
        for entry in entries {
            match entry {
                Entry::Job(job) => jobs.push(job),
                Entry::Close(done) => self.closing.push(done),
            }
        }
        Some(jobs)
    }
}
