//! API tokens. The random secret is shown once; only its hash is stored.
//!
//! A secret has 256 random bits. Dictionary attacks are therefore impossible, and a slow password
//! hash is not needed. Its SHA-256 hash is fast to compute, works as an index, and does not reveal
//! the secret to readers of the database.

use crate::error::{Result, StoreError};
use crate::key::{Id, check_name};
use crate::timestamp::Timestamp;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// Permission of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Read maps.
    Read,
    /// Read and change maps.
    Write,
}

/// A token without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Public id, used to revoke the token.
    pub id: String,
    /// Human-readable name.
    pub name: String,
    /// Guild for which the token is valid; `None` for all guilds.
    pub guild: Option<Id>,
    /// Permission.
    pub access: Access,
    /// Creation time.
    pub created: Timestamp,
    /// Time of revocation; `None` if the token is valid.
    pub revoked: Option<Timestamp>,
    /// Time of last use, with a resolution of one minute.
    pub used: Option<Timestamp>,
}

/// Secret of a token. It is shown once, never stored, and not printed by `{:?}`.
///
/// # Examples
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
    /// Returns the name, `read` or `write`.
    pub const fn name(self) -> &'static str {
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
    /// Generates a secret with the random number generator of the operating system.
    ///
    /// # Errors
    /// [`StoreError::Io`] if the generator fails.
    pub fn random() -> Result<Secret> {
        Ok(Secret(format!("wayforge_{}", HEXLOWER.encode(&random::<32>()?))))
    }

    /// Returns the secret text.
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
    /// Creates a token with a random id.
    pub(crate) fn new(name: &str, guild: Option<&Id>, access: Access) -> Result<Token> {
        check_name("name", name)?;
        Ok(Token {
            id: HEXLOWER.encode(&random::<8>()?),
            name: name.to_owned(),
            guild: guild.cloned(),
            access,
            created: Timestamp::now(),
            revoked: None,
            used: None,
        })
    }

    /// Returns true if the token grants `access` to the maps of `guild`. Direct messages need a
    /// token for all guilds.
    ///
    /// # Examples
    /// ```
    /// # use wayforge_store::{Access, Id, Timestamp, Token};
    /// let mine: Id = "mine".parse()?;
    /// let other: Id = "other".parse()?;
    /// let token = Token {
    ///     id: "1".into(),
    ///     name: "bot".into(),
    ///     guild: Some(mine.clone()),
    ///     access: Access::Read,
    ///     created: Timestamp(0),
    ///     revoked: None,
    ///     used: None,
    /// };
    /// assert!(token.grants(Some(&mine), Access::Read));
    /// assert!(!token.grants(Some(&mine), Access::Write));
    /// assert!(!token.grants(Some(&other), Access::Read));
    /// assert!(!token.grants(None, Access::Read));
    /// # Ok::<(), wayforge::InputError>(())
    /// ```
    pub fn grants(&self, guild: Option<&Id>, access: Access) -> bool {
        let guild_matches = self.guild.is_none() || self.guild.as_ref() == guild;
        guild_matches && self.revoked.is_none() && self.access >= access
    }
}

/// Returns the hash of a secret, as stored in the database.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let to_error =
        |error| StoreError::Io(std::io::Error::other(format!("random number generator: {error}")));
    getrandom::fill(&mut bytes).map_err(to_error)?;
    Ok(bytes)
}
