//! Identifiers of guilds, channels and actors.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use wayforge::InputError;

/// Id of a guild or channel: 1 to 64 characters of `A-Z a-z 0-9 _ -`. Discord snowflakes are valid
/// ids.
///
/// # Examples
/// ```
/// use wayforge_store::Id;
/// assert_eq!("81384788765712384".parse::<Id>()?.as_str(), "81384788765712384");
/// assert!("a/b".parse::<Id>().unwrap_err().to_string().contains("letters, digits"));
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Id(String);

/// Key of a channel. The guild is `None` for direct messages.
///
/// # Examples
/// ```
/// use wayforge_store::ChannelKey;
/// let key = ChannelKey::new(Some("guild-1"), "general")?;
/// assert_eq!(key.to_string(), "guild-1/general");
/// assert_eq!(ChannelKey::new(None, "general")?.to_string(), "@/general");
/// assert_eq!(ChannelKey::new(Some(""), "general").unwrap_err().field, "guild");
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelKey {
    /// Guild; `None` for a direct message.
    pub guild: Option<Id>,
    /// Channel.
    pub channel: Id,
}

/// Author of a change, as recorded in the history: 1 to 128 characters without control characters,
/// for example `discord:80351110224678912`.
///
/// # Examples
/// ```
/// use wayforge_store::Actor;
/// assert_eq!(Actor::new("discord:42")?.as_str(), "discord:42");
/// assert_eq!(Actor::new("two\nlines").unwrap_err().field, "actor");
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Actor(String, Option<String>);

impl ChannelKey {
    /// Creates a key from two ids.
    ///
    /// # Errors
    /// [`InputError`] if an id is invalid; its field is `guild` or `channel`.
    pub fn new(guild: Option<&str>, channel: &str) -> Result<ChannelKey, InputError> {
        let guild = guild.map(|guild| Id::checked("guild", guild)).transpose()?;
        Ok(ChannelKey { guild, channel: Id::checked("channel", channel)? })
    }

    /// Reads a key from the columns `guild` and `channel`.
    pub(crate) fn from_columns([guild, channel]: &[String; 2]) -> Result<ChannelKey, InputError> {
        ChannelKey::new(Some(guild.as_str()).filter(|guild| !guild.is_empty()), channel)
    }

    /// Returns the value of the `guild` column: `''` for direct messages.
    pub(crate) fn guild_column(&self) -> &str {
        guild_column(self.guild.as_ref())
    }
}

/// Returns the value of a `guild` column: `''` if there is no guild.
pub(crate) fn guild_column(guild: Option<&Id>) -> &str {
    guild.map_or("", Id::as_str)
}

impl Id {
    /// Validates an id. `field` is the name that the error reports.
    ///
    /// # Errors
    /// [`InputError`] if the text is not a valid id.
    pub fn checked(field: &str, text: &str) -> Result<Id, InputError> {
        let allowed = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'-';
        if (1..=64).contains(&text.len()) && text.bytes().all(allowed) {
            return Ok(Id(text.to_owned()));
        }
        let remedy = "use 1 to 64 letters, digits, _ or -";
        Err(InputError::new(field, format!("{text:?}"), "invalid id", remedy))
    }
}

impl Actor {
    /// Validates the name of an actor.
    ///
    /// # Errors
    /// [`InputError`] if the name is empty, too long, or contains control characters.
    pub fn new(text: &str) -> Result<Actor, InputError> {
        check_name("actor", text).map(|()| Actor(text.to_owned(), None))
    }

    /// Adds the id of the token that authenticates the change. Unlike the name, callers cannot
    /// choose it.
    pub fn with_token(self, id: &str) -> Actor {
        Actor(self.0, Some(id.to_owned()))
    }

    /// Returns the id of the token.
    pub(crate) fn token(&self) -> Option<&str> {
        self.1.as_deref()
    }

    /// Removes the id of the token.
    pub(crate) fn without_token(&self) -> Actor {
        Actor(self.0.clone(), None)
    }
}

/// Validates the name of an actor or a token.
pub(crate) fn check_name(field: &str, text: &str) -> Result<(), InputError> {
    if (1..=128).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
        return Ok(());
    }
    let remedy = "use 1 to 128 characters without control characters";
    Err(InputError::new(field, format!("{text:?}"), "invalid name", remedy))
}

/// Writes `guild/channel`, or `@/channel` for a direct message. Ids contain neither `/` nor `@`.
impl fmt::Display for ChannelKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.guild.as_ref().map_or("@", Id::as_str), self.channel)
    }
}

impl FromStr for Id {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Id, InputError> {
        Id::checked("id", text)
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> String {
        actor.0
    }
}

/// Implements `as_str`, `Display`, `TryFrom<String>` and `JsonSchema` for validated text.
macro_rules! checked_text {
    ($($Type:ident: $pattern:literal, $check:expr;)+) => {
        $(
            impl $Type {
                /// Returns the text.
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            impl fmt::Display for $Type {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.0)
                }
            }

            impl TryFrom<String> for $Type {
                type Error = InputError;

                fn try_from(text: String) -> Result<$Type, InputError> {
                    $check(&text)
                }
            }

            impl JsonSchema for $Type {
                fn schema_name() -> Cow<'static, str> {
                    stringify!($Type).into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!({ "type": "string", "pattern": $pattern })
                }
            }
        )+
    };
}

checked_text! {
    Id: "^[A-Za-z0-9_-]{1,64}$", |text| Id::checked("id", text);
    Actor: r"^\P{Cc}{1,128}$", Actor::new;
}
