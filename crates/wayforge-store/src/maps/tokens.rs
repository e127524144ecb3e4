//! Tokens: made, checked, revoked, listed.

use super::{Maps, page, page_limit};
use crate::backend::Backend;
use crate::error::Result;
use crate::key::Id;
use crate::map::Page;
use crate::time::Timestamp;
use crate::token::{self, Access, Secret, Token, TokenRow};
use wayforge::InputError;

/// Uses within so many milliseconds of the last are not written down: reading must not cost a write.
const NOTE_USE: i64 = 60_000;

impl<B: Backend> Maps<B> {
    pub(super) async fn make_token(
        &self,
        name: &str,
        guild: Option<&Id>,
        access: Access,
    ) -> Result<(Token, Secret)> {
        let secret = Secret::random()?;
        let row = TokenRow::new(name, guild, access, &secret)?;
        self.backend.add_token(row.clone()).await?;
        Ok((row.token()?, secret))
    }

    pub(super) async fn good_token(&self, secret: &str) -> Result<Option<Token>> {
        let Some(row) = self.backend.find_token(&token::hash(secret)).await? else { return Ok(None) };
        let mut token = row.token()?;
        if token.revoked.is_some() {
            return Ok(None);
        }
        let now = Timestamp::now();
        if token.used.is_none_or(|used| now.0 - used.0 >= NOTE_USE) {
            self.backend.touch_token(&token.id, now.0).await?;
            token.used = Some(now);
        }
        Ok(Some(token))
    }

    pub(super) async fn end_token(&self, id: &str) -> Result<bool> {
        // What is no id is the id of no token.
        if !is_id(id) {
            return Ok(false);
        }
        self.backend.revoke_token(id, Timestamp::now().0).await
    }

    pub(super) async fn token_page(&self, after: Option<&str>, limit: u32) -> Result<Page<Token, String>> {
        let limit = page_limit(limit)?;
        let after = after.unwrap_or_default();
        if !is_id(after) {
            return Err(
                InputError::new("after", after, "not a token's id", "use what the last page gave").into()
            );
        }
        let rows = self.backend.tokens(after, limit + 1).await?;
        let tokens = rows.into_iter().map(TokenRow::token).collect::<Result<Vec<_>>>()?;
        Ok(page(tokens, limit, |token| token.id.clone()))
    }
}

fn is_id(text: &str) -> bool {
    text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
