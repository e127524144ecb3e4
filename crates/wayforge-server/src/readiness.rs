//! Readiness: whether the database accepts writes.

use crate::channels::store_problem;
use crate::problem::Problem;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;
use wayforge_store::Store;

/// Time for which a successful write is not repeated. Anyone may ask, and each write waits for
/// the disk.
const MAX_AGE: Duration = Duration::from_millis(500);

/// Time of the last successful write.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<Instant>>);

impl Readiness {
    /// Checks that the database accepts writes. Concurrent callers share a write.
    ///
    /// # Errors
    /// The problem of the write.
    pub(crate) async fn check(&self, store: &Store) -> Result<(), Problem> {
        let mut checked = self.0.lock().await;
        if checked.is_some_and(|at| at.elapsed() < MAX_AGE) {
            return store.ping().await.map_err(store_problem);
        }
        *checked = None;
        store.check_writable().await.map_err(store_problem)?;
        *checked = Some(Instant::now());
        Ok(())
    }
}
