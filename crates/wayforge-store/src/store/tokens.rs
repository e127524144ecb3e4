//! Tokens and idempotency keys.

use super::{Store, page, page_limit};
use crate::database::{Write, dispatch};
use crate::error::Result;
use crate::key::Id;
use crate::map::Page;
use crate::timestamp::Timestamp;
use crate::token::{self, Access, Secret, Token};
use std::time::Duration;
use wayforge::InputError;

/// Resolution of the time of last use, in milliseconds. Without it, every request would write to
/// the database.
const USE_RESOLUTION_MS: i64 = 60_000;

/// Maximum length of an idempotency key in bytes.
const MAX_KEY: usize = 128;

impl Store {
    /// Creates a token for one guild, or for all guilds. The secret is not stored.
    ///
    /// # Errors
    /// [`StoreError::Input`](crate::StoreError::Input) if the name is invalid.
    pub async fn create_token(
        &self,
        name: &str,
        guild: Option<&Id>,
        access: Access,
    ) -> Result<(Token, Secret)> {
        let secret = Secret::random()?;
        let token = Token::new(name, guild, access)?;
        let hash = token::hash(secret.reveal());
        self.write(Write::AddToken(Box::new(token.clone()), hash)).await?;
        Ok((token, secret))
    }

    /// Returns the token with this secret, and updates its time of last use. `None` if the secret
    /// is unknown or the token was revoked.
    pub async fn check_token(&self, secret: &str) -> Result<Option<Token>> {
        let found = dispatch!(self, find_token(&token::hash(secret)))?;
        let Some(mut token) = found.filter(|token| token.revoked.is_none()) else {
            return Ok(None);
        };
        let now = Timestamp::now();
        if token.used.is_none_or(|used| now.0 - used.0 >= USE_RESOLUTION_MS) {
            let id = token.id.clone();
            self.write(Write::MarkToken { id, at: now.0, revoke: false }).await?;
            token.used = Some(now);
        }
        Ok(Some(token))
    }

    /// Revokes a token permanently. Returns false if no valid token has this id.
    pub async fn revoke_token(&self, id: &str) -> Result<bool> {
        // No token has a malformed id.
        if !is_id(id) {
            return Ok(false);
        }
        let (id, at) = (id.to_owned(), Timestamp::now().0);
        self.write(Write::MarkToken { id, at, revoke: true }).await
    }

    /// Lists all tokens, sorted by id, including revoked ones: at most `limit` (1 to 1000) tokens
    /// after the id `after`.
    ///
    /// # Errors
    /// [`StoreError::Input`](crate::StoreError::Input) if the limit is out of range or `after` is
    /// not a token id.
    pub async fn list_tokens(
        &self,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Page<Token, String>> {
        let limit = page_limit(limit)?;
        let after = after.unwrap_or_default();
        if !is_id(after) {
            let remedy = "use the cursor of the previous page";
            return Err(InputError::new("after", after, "invalid token id", remedy).into());
        }
        Ok(page(dispatch!(self, tokens(after, limit + 1))?, limit, |token| token.id.clone()))
    }

    /// Claims an idempotency key of 1 to 128 bytes. Returns true for the first claim, and false for
    /// further claims on any server until `ttl` has passed. Expired keys are deleted in small
    /// batches by later calls.
    ///
    /// # Errors
    /// [`StoreError::Input`](crate::StoreError::Input) if the key is empty, too long, or
    /// contains a NUL byte.
    ///
    /// # Examples
    /// ```
    /// # let mut runtime = tokio::runtime::Builder::new_current_thread();
    /// # runtime.enable_all().build().unwrap().block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let file = folder.path().join("maps.db");
    /// # let store = wayforge_store::open(&format!("sqlite:{}", file.display())).await?;
    /// let (key, ttl) = ("discord:1190000000001000000", std::time::Duration::from_secs(600));
    /// assert!(store.claim_idempotency_key(key, ttl).await?);
    /// assert!(!store.claim_idempotency_key(key, ttl).await?);
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn claim_idempotency_key(&self, name: &str, ttl: Duration) -> Result<bool> {
        if name.is_empty() || name.len() > MAX_KEY || name.contains('\0') {
            let remedy = format!("use 1 to {MAX_KEY} bytes without NUL");
            return Err(InputError::new("key", format!("{name:?}"), "invalid key", remedy).into());
        }
        if name == READINESS_KEY {
            let remedy = "use another key";
            return Err(InputError::new("key", name, "reserved", remedy).into());
        }
        let now = Timestamp::now().0;
        let ttl = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX);
        let (name, expires) = (name.to_owned(), now.saturating_add(ttl));
        self.write(Write::ClaimKey { name, now, expires }).await
    }
}

/// Key of the write that checks whether the database accepts writes.
const READINESS_KEY: &str = "wayforge:readiness";

impl Store {
    /// Checks that the database responds and accepts writes.
    ///
    /// # Errors
    /// [`StoreError::Database`](crate::StoreError::Database) if it is unreachable, its disk is
    /// full, or its file was deleted or replaced.
    pub async fn check_writable(&self) -> Result<()> {
        self.ping().await?;
        let (name, now) = (READINESS_KEY.to_owned(), Timestamp::now().0);
        // Already expired, so that every check writes.
        self.write(Write::ClaimKey { name, now, expires: now }).await.map(drop)
    }
}

/// Returns whether the text is empty or can be the id of a token.
fn is_id(text: &str) -> bool {
    text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
