//! Access policy that follows the database, and remembers which tokens are unknown.

use crate::access::{AccessPolicy, unauthorized};
use crate::channels::store_problem;
use crate::problem::Problem;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use wayforge_store::{Store, Token};

/// Maximum age of the information whether the database has tokens.
const MAX_AGE: Duration = Duration::from_secs(1);
/// Maximum number of remembered secrets.
const MAX_SECRETS: usize = 1 << 16;

/// Decides which requests need a token.
pub(crate) struct Guard {
    policy: AccessPolicy,
    /// While true, the database has no token and every caller has full access. Never becomes true
    /// again: revoking the last token must not open the service.
    is_open: AtomicBool,
    checked: Mutex<Option<Instant>>,
    hash: RandomState,
    /// Hashes of secrets, with whether they were valid when they were last looked up. An invalid
    /// secret never becomes valid, because secrets are random.
    secrets: Mutex<HashMap<u64, bool>>,
}

impl Guard {
    pub(crate) fn new(policy: AccessPolicy) -> Guard {
        Guard {
            policy,
            is_open: AtomicBool::new(false),
            checked: Mutex::default(),
            hash: RandomState::new(),
            secrets: Mutex::default(),
        }
    }

    /// Gives every caller full access while the database has no token.
    pub(crate) fn open_without_tokens(&mut self) {
        self.is_open = AtomicBool::new(true);
    }

    /// Returns the current policy.
    pub(crate) async fn policy(&self, store: &Store) -> AccessPolicy {
        if !self.is_open.load(Ordering::Acquire) {
            return self.policy;
        }
        let is_due = {
            let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
            let is_due = checked.is_none_or(|at| at.elapsed() >= MAX_AGE);
            if is_due {
                *checked = Some(Instant::now());
            }
            is_due
        };
        // Revoked tokens count as well. While the database is unavailable, nothing can be changed.
        if is_due
            && let Ok(page) = store.list_tokens(None, 1).await
            && !page.items.is_empty()
        {
            tracing::warn!("the database has a token now: requests need one");
            self.is_open.store(false, Ordering::Release);
            return self.policy;
        }
        AccessPolicy::Open
    }

    /// Returns whether a secret was valid when it was last looked up; `None` if it is new.
    pub(crate) fn is_known(&self, secret: &str) -> Option<bool> {
        self.secrets().get(&self.hash.hash_one(secret)).copied()
    }

    /// Returns the token with this secret. A secret known to be invalid is not looked up.
    ///
    /// # Errors
    /// [`ProblemKind::Unauthorized`](crate::ProblemKind::Unauthorized) if the secret is unknown or
    /// revoked.
    pub(crate) async fn token(&self, store: &Store, secret: &str) -> Result<Token, Problem> {
        let unknown = || unauthorized("the token is unknown or revoked");
        if self.is_known(secret) == Some(false) {
            return Err(unknown());
        }
        let token = store.check_token(secret).await.map_err(store_problem)?;
        let mut secrets = self.secrets();
        if secrets.len() >= MAX_SECRETS {
            secrets.retain(|_, is_valid| *is_valid);
        }
        if secrets.len() < MAX_SECRETS {
            secrets.insert(self.hash.hash_one(secret), token.is_some());
        }
        drop(secrets);
        token.ok_or_else(unknown)
    }

    fn secrets(&self) -> std::sync::MutexGuard<'_, HashMap<u64, bool>> {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
