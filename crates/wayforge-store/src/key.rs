//! Whose map it is, and who changes it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use wayforge::InputError;

/// The id of a guild or a channel: 1 to 64 characters of `A-Z a-z 0-9 _ -`. Discord's snowflakes are such ids.
///
/// ```
/// use wayforge_store::Id;
/// assert_eq!("81384788765712384".parse::<Id>()?.as_str(), "81384788765712384");
/// assert!("a/b".parse::<Id>().unwrap_err().to_string().contains("letters, digits"));
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Id(String);

/// The key of a channel's map. A direct message has a channel and no guild.
///
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
    /// The guild; none for a direct message.
    pub guild: Option<Id>,
    /// The channel.
    pub channel: Id,
}

/// Who makes a change, as history tells it: 1 to 128 characters without controls (`discord:80351110224678912`).
///
/// ```
/// use wayforge_store::Actor;
/// assert_eq!(Actor::new("discord:42")?.as_str(), "discord:42");
/// assert_eq!(Actor::new("two\nlines").unwrap_err().field, "actor");
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Actor(String);

impl ChannelKey {
    /// Checks both ids; the error names the one that is wrong.
    pub fn new(guild: Option<&str>, channel: &str) -> Result<ChannelKey, InputError> {
        let guild = guild.map(|guild| Id::checked("guild", guild)).transpose()?;
        Ok(ChannelKey { guild, channel: Id::checked("channel", channel)? })
    }

    /// The guild as tables keep it: `''` for none.
    pub(crate) fn guild_column(&self) -> &str {
        guild_column(self.guild.as_ref())
    }
}

/// A guild as tables keep it: `''` for none.
pub(crate) fn guild_column(guild: Option<&Id>) -> &str {
    guild.map_or("", Id::as_str)
}

impl Id {
    /// Checks an id that stands in `field`.
    pub fn checked(field: &str, text: &str) -> Result<Id, InputError> {
        let known = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'-';
        if (1..=64).contains(&text.len()) && text.bytes().all(known) {
            return Ok(Id(text.to_owned()));
        }
        Err(InputError::new(field, format!("{text:?}"), "not an id", "use 1 to 64 letters, digits, _ or -"))
    }
}

impl Actor {
    /// Checks a name.
    pub fn new(text: &str) -> Result<Actor, InputError> {
        if (1..=128).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
            return Ok(Actor(text.to_owned()));
        }
        let remedy = "use 1 to 128 characters without controls";
        Err(InputError::new("actor", format!("{text:?}"), "not a name", remedy))
    }
}

/// `guild/channel`, and `@/channel` for a direct message: no id holds either sign.
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

/// Text that was checked: how it is shown, and how files hold it.
macro_rules! checked_text {
    ($($Type:ident: $check:expr;)+) => {
        $(
            impl $Type {
                /// The text.
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
        )+
    };
}

checked_text! {
    Id: |text| Id::checked("id", text);
    Actor: Actor::new;
}
