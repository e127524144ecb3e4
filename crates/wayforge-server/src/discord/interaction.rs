//! Discord's interaction types, as far as the bot uses them.
//!
//! `twilight-model` describes every object of Discord's API. Deserialising its `Interaction` also
//! instantiates code for messages, channels and guilds, more than half of this crate's code in a
//! release build. The tests compare these types with it.

use serde::Deserialize;
use serde_json::Value;
use std::fmt;
use std::num::ParseIntError;

/// Types of interactions.
pub(super) mod kind {
    pub(in super::super) const PING: u8 = 1;
    pub(in super::super) const COMMAND: u8 = 2;
    pub(in super::super) const COMPONENT: u8 = 3;
    pub(in super::super) const AUTOCOMPLETE: u8 = 4;
}

/// Types of responses to interactions.
pub(super) mod response {
    pub(in super::super) const PONG: u8 = 1;
    pub(in super::super) const MESSAGE: u8 = 4;
    pub(in super::super) const DEFERRED_MESSAGE: u8 = 5;
    pub(in super::super) const DEFERRED_UPDATE: u8 = 6;
    pub(in super::super) const AUTOCOMPLETE: u8 = 8;
}

/// Snowflake: a 64-bit id, written as a decimal string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Id(pub(super) u64);

impl TryFrom<String> for Id {
    type Error = ParseIntError;

    fn try_from(text: String) -> Result<Id, ParseIntError> {
        text.parse().map(Id)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Slash command, pressed button, or autocompletion of an option.
#[derive(Debug, Deserialize)]
pub(super) struct Interaction {
    pub(super) id: Id,
    pub(super) application_id: Id,
    #[serde(rename = "type")]
    pub(super) kind: u8,
    pub(super) token: String,
    pub(super) guild_id: Option<Id>,
    /// Deprecated by Discord, but some interactions have no `channel`.
    channel_id: Option<Id>,
    channel: Option<Channel>,
    /// The user in a direct message; in a guild the user is part of `member`.
    user: Option<User>,
    member: Option<Member>,
    pub(super) data: Option<Data>,
}

#[derive(Debug, Deserialize)]
struct Channel {
    id: Id,
}

#[derive(Debug, Deserialize)]
struct Member {
    user: Option<User>,
}

#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: Id,
    pub(super) username: String,
}

/// Data of a command or a button.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Data {
    pub(super) name: String,
    pub(super) options: Vec<CommandOption>,
    pub(super) custom_id: String,
}

/// Option of a command. A subcommand is an option with options instead of a value.
#[derive(Debug, Deserialize)]
pub(super) struct CommandOption {
    pub(super) name: String,
    #[serde(default)]
    pub(super) value: Value,
    #[serde(default)]
    pub(super) focused: bool,
    #[serde(default)]
    pub(super) options: Vec<CommandOption>,
}

impl Interaction {
    /// Returns the channel of the interaction.
    pub(super) fn channel(&self) -> Option<Id> {
        self.channel.as_ref().map(|channel| channel.id).or(self.channel_id)
    }

    /// Returns the user who caused the interaction.
    pub(super) fn author(&self) -> Option<&User> {
        self.member.as_ref().and_then(|member| member.user.as_ref()).or(self.user.as_ref())
    }
}
