//! Where a store runs CPU-bound work, and which configurations it generates.

use crate::error::{Result, StoreError};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use tokio::sync::oneshot;
use wayforge::{Document, WorkLimit};

/// Documents up to this size are decoded on the caller's thread, which takes less than a
/// millisecond.
const INLINE_BYTES: usize = 32 << 10;

/// CPU-bound work of a store, which gets the limit on the steps of generating one map. It sends its
/// result itself.
pub type Job = Box<dyn FnOnce(&WorkLimit) + Send>;

/// Runs the CPU-bound work of a store: generation, validation and decoding of large maps.
pub trait Executor: Send + Sync {
    /// Runs a job on another thread and waits for it.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if too much work is waiting.
    fn run(&self, job: Job) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>>;

    /// Checks that maps with the configuration of `document` may be generated and stored.
    ///
    /// # Errors
    /// [`StoreError::Limit`] if the configuration exceeds a limit.
    fn check(&self, document: &Document) -> Result<()>;
}

/// The executor of a store, if any. Without one, work runs on tokio's blocking threads and has no
/// limits.
#[derive(Clone, Default)]
pub(crate) struct OptionalExecutor(Arc<OnceLock<Arc<dyn Executor>>>);

impl OptionalExecutor {
    /// Sets the executor, unless it is already set.
    pub(crate) fn set(&self, executor: Arc<dyn Executor>) {
        let _ = self.0.set(executor);
    }

    /// Checks the configuration of a document.
    pub(crate) fn check(&self, document: &Document) -> Result<()> {
        self.0.get().map_or(Ok(()), |executor| executor.check(document))
    }

    /// Runs work whose duration depends on `bytes` of input, on the caller's thread if they are
    /// few.
    pub(crate) async fn run_sized<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if bytes <= INLINE_BYTES { work() } else { self.run(|_| work()).await }
    }

    /// Runs work on another thread.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&WorkLimit) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let failed = || StoreError::Database("a worker failed".to_owned());
        let Some(executor) = self.0.get() else {
            let work = || work(&WorkLimit::UNLIMITED);
            return tokio::task::spawn_blocking(work).await.map_err(|_| failed())?;
        };
        let (send, receive) = oneshot::channel();
        let job = move |limit: &WorkLimit| {
            // The caller may have been cancelled.
            let _ = send.send(work(limit));
        };
        executor.run(Box::new(job)).await?;
        receive.await.map_err(|_| failed())?
    }
}
