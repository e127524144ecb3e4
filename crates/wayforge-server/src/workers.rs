//! Bounded pool of workers for blocking work, with a bounded queue.

use crate::observe::CounterGuard;
use crate::problem::{Problem, ProblemKind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use wayforge::Document;
use wayforge_api::handlers::request::check_document_cost;
use wayforge_api::handlers::{LazyPainter, Limits};
use wayforge_store::{Executor, Job, StoreError};

/// Pool of workers that generate and draw maps.
pub(crate) struct Workers {
    permits: Arc<Semaphore>,
    total: usize,
    waiting: AtomicUsize,
    max_waiting: usize,
    /// Painters that are not in use; at most one per worker.
    idle_painters: Arc<Mutex<Vec<LazyPainter>>>,
}

/// Says whether work on a worker must stop, because nobody waits for its result any more.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Returns whether the work must stop.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Sets the interrupt when the future that waits for the work is dropped: the client has
/// disconnected, or the request has timed out.
struct InterruptOnDrop(Interrupt);

impl Drop for InterruptOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Maximum number of painters to warm up; each caches a few megabytes.
const MAX_WARM_PAINTERS: usize = 16;

impl Workers {
    pub(crate) fn new(workers: usize, max_waiting: usize) -> Workers {
        let total = workers.clamp(1, 1024);
        let (permits, idle_painters) = (Arc::new(Semaphore::new(total)), Arc::default());
        Workers { permits, total, waiting: AtomicUsize::new(0), max_waiting, idle_painters }
    }

    /// Fills the caches of painters for the first requests.
    pub(crate) async fn warm(&self) {
        let warming: Vec<_> = (0..self.total.min(MAX_WARM_PAINTERS))
            .map(|_| tokio::task::spawn_blocking(|| LazyPainter::warm().ok()))
            .collect();
        for painter in warming {
            // If warming fails, the painter is created when it is needed.
            if let (Ok(Some(painter)), Ok(mut idle)) = (painter.await, self.idle_painters.lock())
                && idle.len() < self.total
            {
                idle.push(painter);
            }
        }
    }

    /// Runs `work` with a painter, like [`run`](Self::run).
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut LazyPainter, Interrupt) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let idle_painters = Arc::clone(&self.idle_painters);
        self.run(move |interrupt| {
            let idle = idle_painters.lock().map_or(None, |mut idle| idle.pop());
            let mut painter = idle.unwrap_or_default();
            let result = work(&mut painter, interrupt);
            if let Ok(mut idle) = idle_painters.lock() {
                idle.push(painter);
            }
            result
        })
        .await
    }

    /// Runs blocking `work` on a worker.
    ///
    /// The work gets an interrupt that is set when the caller stops waiting. It occupies its worker
    /// until it returns.
    ///
    /// # Errors
    /// [`ProblemKind::Busy`] if too many requests are waiting, or the problem that `work` returns.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Interrupt) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = match Arc::clone(&self.permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let _queued =
                    CounterGuard::try_new(&self.waiting, self.max_waiting).ok_or_else(|| {
                        let detail = "too many requests are waiting; try again in a moment";
                        Problem::new(ProblemKind::Busy, detail).header("retry-after", "1")
                    })?;
                let permit = Arc::clone(&self.permits).acquire_owned().await;
                permit.map_err(|_| {
                    Problem::new(ProblemKind::InternalError, "the server is shutting down")
                })?
            }
        };
        let interrupt = Interrupt::default();
        let _interrupt_on_drop = InterruptOnDrop(interrupt.clone());
        // Logs of the work contain the id of the request.
        let span = tracing::Span::current();
        let task = tokio::task::spawn_blocking(move || {
            let result = span.in_scope(|| work(interrupt));
            drop(permit);
            result
        });
        match task.await {
            Ok(result) => result,
            Err(error) => {
                tracing::error!(%error, "a worker panicked");
                Err(Problem::new(ProblemKind::InternalError, "internal server error"))
            }
        }
    }

    /// Returns the number of busy workers and of waiting requests.
    pub(crate) fn load(&self) -> (usize, usize) {
        (
            self.total - self.permits.available_permits().min(self.total),
            self.waiting.load(Ordering::Relaxed),
        )
    }
}

/// Runs the work of the store on the service's workers, with its limits.
pub(crate) struct StoreExecutor {
    pub(crate) workers: Arc<Workers>,
    pub(crate) limits: Limits,
}

impl Executor for StoreExecutor {
    fn run(&self, job: Job) -> Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + '_>> {
        let limit = self.limits.work_limit.clone();
        Box::pin(async {
            let run = self.workers.run(|interrupt| {
                job(&limit.with_interrupt(move || interrupt.is_set()));
                Ok(())
            });
            run.await.map_err(|problem| match problem.status() {
                503 => StoreError::Busy,
                _ => StoreError::Database(problem.detail().to_owned()),
            })
        })
    }

    fn check(&self, document: &Document) -> Result<(), StoreError> {
        check_document_cost(document, &self.limits)
            .map_err(|problem| StoreError::Limit(problem.detail().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge::act;
    use wayforge_draw::{Scene, Theme};

    /// Returns whether a picture in every theme leaves the painter's cache unchanged.
    fn is_warm(painter: &mut LazyPainter, _: Interrupt) -> Result<bool, Problem> {
        let before = format!("{:?}", painter.get());
        let spec = act::Config::default().resolve()?;
        let scene = Scene::from_act(&act::generate(9.into(), &spec).unwrap());
        for theme in Theme::ALL {
            painter.get().png(&scene, theme, 100)?;
        }
        Ok(before == format!("{:?}", painter.get()))
    }

    #[tokio::test]
    async fn warm_painters_have_cached_every_theme_and_are_bounded() {
        let workers = Workers::new(2, 1);
        assert!(!workers.draw(is_warm).await.unwrap());
        workers.idle_painters.lock().unwrap().clear();
        workers.warm().await;
        assert!(workers.draw(is_warm).await.unwrap(), "the first picture fills no cache");
        workers.warm().await;
        assert_eq!(workers.idle_painters.lock().unwrap().len(), 2, "at most one per worker");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn rejects_requests_when_workers_and_queue_are_full() {
        let workers = Arc::new(Workers::new(1, 1));
        let (release, released) = std::sync::mpsc::channel::<()>();
        let spawn = |work: Box<dyn FnOnce() -> Result<u8, Problem> + Send>| {
            let workers = Arc::clone(&workers);
            tokio::spawn(async move { workers.run(|_| work()).await })
        };
        let first = spawn(Box::new(move || {
            let _ = released.recv();
            Ok(1)
        }));
        while workers.load() != (1, 0) {
            tokio::task::yield_now().await;
        }
        let second = spawn(Box::new(|| Ok(2)));
        while workers.load() != (1, 1) {
            tokio::task::yield_now().await;
        }
        assert_eq!(spawn(Box::new(|| Ok(3))).await.unwrap().unwrap_err().status(), 503);
        release.send(()).unwrap();
        assert_eq!((first.await.unwrap().unwrap(), second.await.unwrap().unwrap()), (1, 2));
        // A panic releases the worker.
        assert_eq!(
            spawn(Box::new(|| panic!("on purpose"))).await.unwrap().unwrap_err().status(),
            500
        );
        assert_eq!(spawn(Box::new(|| Ok(4))).await.unwrap().unwrap(), 4);
        assert_eq!(workers.load(), (0, 0));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn abandoned_work_is_interrupted() {
        let workers = Arc::new(Workers::new(1, 1));
        let (started, ended) = (tokio::sync::oneshot::channel(), tokio::sync::oneshot::channel());
        let pool = Arc::clone(&workers);
        let task = tokio::spawn(async move {
            pool.run(move |interrupt| {
                let _ = started.0.send(());
                while !interrupt.is_set() {
                    std::thread::yield_now();
                }
                let _ = ended.0.send(());
                Ok(())
            })
            .await
        });
        started.1.await.unwrap();
        task.abort();
        ended.1.await.unwrap();
        assert_eq!(workers.run(|_| Ok(1)).await.unwrap(), 1, "the worker is free again");
    }
}
