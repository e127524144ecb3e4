//! API tokens: a random secret that is shown once, and what is kept of it.
//!
//! A secret is 256 random bits, so nobody can guess it or try a list of likely ones, which is what slow password hashes are
//! against: one SHA-256 keeps it from being read out of the database, costs nothing at each request, and can be looked up.

use crate::error::{Result, StoreError};
use crate::key::Id;
use crate::timestamp::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;
use wayforge::InputError;

/// What a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Look.
    Read,
    /// Look and change.
    Write,
}

/// What is known of a token; not its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its public name, by which it is revoked.
    pub id: String,
    /// What a person called it.
    pub name: String,
    /// The guild whose maps it opens; none for all.
    pub guild: Option<Id>,
    /// What it may do there.
    pub access: Access,
    /// When it was made.
    pub created: Timestamp,
    /// When it was revoked.
    pub revoked: Option<Timestamp>,
    /// When it was last used, to a minute.
    pub used: Option<Timestamp>,
}

/// A token's secret: shown once, never kept. It is not printed by `{:?}`.
///
/// ```
/// use wayforge_store::Secret;
/// let secret = Secret::random()?;
/// assert!(secret.reveal().starts_with("wayforge_") && secret.reveal().len() == 73);
/// assert_eq!(format!("{secret:?}"), "Secret(..)");
/// # Ok::<(), wayforge_store::StoreError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Access {
    /// The name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Access> {
        [Access::Read, Access::Write].into_iter().find(|access| access.name() == name)
    }
}

impl Secret {
    /// A new one, from the system's randomness.
    pub fn random() -> Result<Secret> {
        Ok(Secret(format!("wayforge_{}", hex::encode(random::<32>()?))))
    }

    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Token {
    /// A new token.
    pub(crate) fn new(name: &str, guild: Option<&Id>, access: Access) -> Result<Token> {
        if !(1..=128).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            let remedy = "use 1 to 128 characters without controls";
            return Err(InputError::new("name", format!("{name:?}"), "not a name", remedy).into());
        }
        Ok(Token {
            id: hex::encode(random::<8>()?),
            name: name.to_owned(),
            guild: guild.cloned(),
            access,
            created: Timestamp::now(),
            revoked: None,
            used: None,
        })
    }

    /// True if the token opens the maps of `guild` for `access`. Only a token for all guilds opens direct messages.
    ///
    /// ```
    /// # use wayforge_store::{Access, Id, Timestamp, Token};
    /// let mine: Id = "mine".parse()?;
    /// let token = Token { id: "1".into(), name: "bot".into(), guild: Some(mine.clone()), access: Access::Read,
    ///     created: Timestamp(0), revoked: None, used: None };
    /// assert!(token.opens(Some(&mine), Access::Read));
    /// assert!(!token.opens(Some(&mine), Access::Write) && !token.opens(Some(&"other".parse()?), Access::Read));
    /// assert!(!token.opens(None, Access::Read));
    /// # Ok::<(), wayforge::InputError>(())
    /// ```
    pub fn opens(&self, guild: Option<&Id>, access: Access) -> bool {
        let here = self.guild.is_none() || self.guild.as_ref() == guild;
        here && self.revoked.is_none() && self.access >= access
    }
}

/// What is kept of a secret.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let refuse = |error| StoreError::Stream(std::io::Error::other(format!("no randomness: {error}")));
    getrandom::fill(&mut bytes).map_err(refuse)?;
    Ok(bytes)
}
