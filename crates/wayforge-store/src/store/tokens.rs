//! Tokens: made, checked, revoked, listed; and names that count once.

use super::{Store, page, page_limit};
use crate::database::{Work, on};
use crate::error::Result;
use crate::key::Id;
use crate::map::Page;
use crate::timestamp::Timestamp;
use crate::token::{self, Access, Secret, Token};
use std::time::Duration;
use wayforge::InputError;

/// Uses within so many milliseconds of the last are not written down: reading must not cost a write.
const NOTE_USE: i64 = 60_000;

/// The longest name of [`Store::once`], in bytes.
const MAX_NAME: usize = 128;

impl Store {
    /// Makes a token for one guild, or for all. The secret is not stored.
    pub async fn create_token(
        &self,
        name: &str,
        guild: Option<&Id>,
        access: Access,
    ) -> Result<(Token, Secret)> {
        let secret = Secret::random()?;
        let token = Token::new(name, guild, access)?;
        on!(self, write(Work::AddToken(Box::new(token.clone()), token::hash(secret.reveal()))))?;
        Ok((token, secret))
    }

    /// The token of a secret, if it is known and not revoked.
    pub async fn check_token(&self, secret: &str) -> Result<Option<Token>> {
        let found = on!(self, find_token(&token::hash(secret)))?;
        let Some(mut token) = found.filter(|token| token.revoked.is_none()) else { return Ok(None) };
        let now = Timestamp::now();
        if token.used.is_none_or(|used| now.0 - used.0 >= NOTE_USE) {
            on!(self, write(Work::MarkToken { id: token.id.clone(), at: now.0, revoke: false }))?;
            token.used = Some(now);
        }
        Ok(Some(token))
    }

    /// Revokes a token by its id, at once and for ever; false if there is no such token that is still good.
    pub async fn revoke_token(&self, id: &str) -> Result<bool> {
        // What is no id is the id of no token.
        if !is_id(id) {
            return Ok(false);
        }
        on!(self, write(Work::MarkToken { id: id.to_owned(), at: Timestamp::now().0, revoke: true }))
    }

    /// All tokens by id, revoked ones included, at most `limit` (1 to 1000) after one.
    pub async fn list_tokens(&self, after: Option<&str>, limit: u32) -> Result<Page<Token, String>> {
        let limit = page_limit(limit)?;
        let after = after.unwrap_or_default();
        if !is_id(after) {
            return Err(
                InputError::new("after", after, "not a token's id", "use what the last page gave").into()
            );
        }
        Ok(page(on!(self, tokens(after, limit + 1))?, limit, |token| token.id.clone()))
    }

    /// True the first time that a name (1 to 128 bytes) is asked with, and false until `keep` is over, whichever server asks.
    /// Older names are forgotten bit by bit.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let store = wayforge_store::open(&format!("sqlite:{}", folder.path().join("maps.db").display())).await?;
    /// use std::time::Duration;
    /// assert!(store.once("discord:1190000000001000000", Duration::from_secs(600)).await?);
    /// assert!(!store.once("discord:1190000000001000000", Duration::from_secs(600)).await?);
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn once(&self, name: &str, keep: Duration) -> Result<bool> {
        if name.is_empty() || name.len() > MAX_NAME || name.contains('\0') {
            let remedy = format!("use 1 to {MAX_NAME} bytes");
            return Err(InputError::new("name", format!("{name:?}"), "not a name", remedy).into());
        }
        let now = Timestamp::now().0;
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        on!(self, write(Work::Once { name: name.to_owned(), now, until: now.saturating_add(keep) }))
    }
}

fn is_id(text: &str) -> bool {
    text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
