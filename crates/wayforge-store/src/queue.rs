//! Work that waits for a writer's task. A commit waits for the disk; meanwhile the next changes queue up and share the next
//! commit. Nobody gets a response before the database has committed.

use crate::error::{Result, StoreError};
use tokio::sync::{mpsc, oneshot};

/// The most changes that wait; a sender waits until there is room.
const MAX_WAITING: usize = 4096;

/// Work, and where its result goes: false if something else was first.
pub(crate) type Job<W> = (W, oneshot::Sender<Result<bool>>);

enum Entry<W> {
    Job(Job<W>),
    /// Dropped when everything before it is done.
    Close(oneshot::Sender<()>),
}

/// The senders' end.
pub(crate) struct Queue<W>(mpsc::Sender<Entry<W>>);

/// The writer's end.
pub(crate) struct Waiting<W> {
    entries: mpsc::Receiver<Entry<W>>,
    closing: Vec<oneshot::Sender<()>>,
}

impl<W> Queue<W> {
    pub(crate) fn new() -> (Queue<W>, Waiting<W>) {
        let (send, entries) = mpsc::channel(MAX_WAITING);
        (Queue(send), Waiting { entries, closing: Vec::new() })
    }

    /// Hands work to the writer and waits for its result.
    pub(crate) async fn ask(&self, work: W) -> Result<bool> {
        let (send, result) = oneshot::channel();
        self.0.send(Entry::Job((work, send))).await.map_err(|_| StoreError::Closed)?;
        result.await.map_err(|_| StoreError::Closed)?
    }

    pub(crate) fn is_open(&self) -> Result<()> {
        if self.0.is_closed() { Err(StoreError::Closed) } else { Ok(()) }
    }

    /// Accepts no more work, and waits until the writer has finished.
    pub(crate) async fn close(&self) {
        let (send, done) = oneshot::channel();
        if self.0.send(Entry::Close(send)).await.is_ok() {
            let _ = done.await;
        }
    }
}

impl<W> Waiting<W> {
    /// The jobs that wait, about `most` at once; none when the queue was closed.
    pub(crate) async fn next(&mut self, most: usize) -> Option<Vec<Job<W>>> {
        let mut entries = Vec::new();
        if !self.closing.is_empty() || self.entries.recv_many(&mut entries, most).await == 0 {
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
