//! Parses interactions into requests, and encodes actions in the `custom_id` of buttons.

use super::definitions::NUMBER_OPTIONS;
use super::interaction::{CommandOption, Data, Interaction, User, kind, response};
use crate::problem::{Problem, ProblemKind};
use serde::Deserialize;
use serde_json::Value;
use wayforge::run::Move;
use wayforge::{InputError, describe_json_error};
use wayforge_store::{Actor, ChannelKey, Revision};

/// Parsed interaction.
#[derive(Debug)]
pub(super) enum BotRequest {
    /// Discord's health check.
    Ping,
    /// Autocompletion of the option `node` or `kind`.
    Autocomplete { key: ChannelKey, option: String, typed: String },
    /// Slash command or pressed button.
    Command(Box<Command>),
    /// Interaction that this version does not support, with a message for the user.
    Unsupported(String),
}

/// Slash command or pressed button.
#[derive(Clone, Debug)]
pub(super) struct Command {
    /// Unique id of the interaction.
    pub(super) id: u64,
    pub(super) key: ChannelKey,
    /// Requesting user, for the history.
    pub(super) actor: Actor,
    /// Requesting user, as a mention.
    pub(super) mention: String,
    /// Token that authenticates responses to this interaction.
    pub(super) token: String,
    /// Type of the deferred response: a new message for a slash command, an edit of the existing
    /// message for a button.
    pub(super) deferred: u8,
    /// Revision that a button was created for; `None` for the current one.
    pub(super) revision: Option<Revision>,
    pub(super) action: Action,
}

/// Action of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    New(Box<NewMapOptions>),
    Show,
    Reset,
    Reseed(Option<String>),
    Move(Move),
    Undo,
    Routes(Option<String>),
}

/// Version of the `custom_id` format. Buttons live as long as their message, so later versions
/// must recognise old ones.
const BUTTON_VERSION: &str = "wf1";

impl Action {
    /// Encodes the action and the revision of the shown map as the `custom_id` of a button.
    pub(super) fn to_button(&self, revision: Revision) -> String {
        match self {
            Action::Move(step) => format!("{BUTTON_VERSION} move {revision} {step}"),
            Action::Undo => format!("{BUTTON_VERSION} undo {revision}"),
            Action::Reset => format!("{BUTTON_VERSION} reset {revision}"),
            Action::Reseed(_) => format!("{BUTTON_VERSION} reseed {revision}"),
            // Read-only, so the revision does not matter.
            Action::Routes(_) | Action::Show | Action::New(_) => {
                format!("{BUTTON_VERSION} routes")
            }
        }
    }

    /// Decodes a `custom_id`.
    fn from_button(text: &str) -> Option<(Option<Revision>, Action)> {
        let parts: Vec<&str> = text.split(' ').collect();
        let (revision, action) = match parts[..] {
            [BUTTON_VERSION, "move", revision, step] => {
                (revision, Action::Move(step.parse().ok()?))
            }
            [BUTTON_VERSION, "undo", revision] => (revision, Action::Undo),
            [BUTTON_VERSION, "reset", revision] => (revision, Action::Reset),
            [BUTTON_VERSION, "reseed", revision] => (revision, Action::Reseed(None)),
            [BUTTON_VERSION, "routes"] => return Some((None, Action::Routes(None))),
            _ => return None,
        };
        let revision = Revision(revision.parse().ok()?);
        // Accept only the canonical encoding, not `+7` or `07`.
        (action.to_button(revision) == text).then_some((Some(revision), action))
    }
}

/// Options of `/map new`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NewMapOptions {
    pub(super) ruleset: Option<String>,
    pub(super) seed: Option<String>,
    /// Whole numbers of the configuration, with the configuration's field names.
    pub(super) numbers: Vec<(String, i64)>,
    pub(super) fog: Option<i64>,
    pub(super) replace: bool,
}

/// Parses the body of a request whose signature has been verified.
///
/// # Errors
/// [`ProblemKind::InvalidBody`] if the body is not an interaction of `application`.
pub(super) fn parse(body: &[u8], application: u64) -> Result<BotRequest, Problem> {
    #[derive(Deserialize)]
    struct Head {
        r#type: u8,
    }
    let invalid = |error: serde_json::Error| {
        let detail = format!("not an interaction: {}", describe_json_error(&error));
        Problem::new(ProblemKind::InvalidBody, detail)
    };
    let head: Head = serde_json::from_slice(body).map_err(invalid)?;
    // A ping may have no other member.
    if head.r#type == kind::PING {
        return Ok(BotRequest::Ping);
    }
    let interaction: Interaction = serde_json::from_slice(body).map_err(invalid)?;
    // Responses are sent on behalf of the configured application.
    if interaction.application_id.0 != application {
        let (id, remedy) = (interaction.application_id, format!("use {application}"));
        let error = InputError::new("application_id", id, "another application", remedy);
        return Err(Problem::from_error(ProblemKind::InvalidBody, error));
    }
    convert(interaction)
}

/// Converts an interaction other than a ping.
fn convert(interaction: Interaction) -> Result<BotRequest, Problem> {
    let missing = |member: &str| {
        let detail = format!("the interaction has no {member}");
        Problem::new(ProblemKind::InvalidBody, detail).field(member)
    };
    let channel = interaction.channel().ok_or_else(|| missing("channel"))?.to_string();
    let guild = interaction.guild_id.map(|guild| guild.to_string());
    let key = ChannelKey::new(guild.as_deref(), &channel)?;
    let user = interaction.author().ok_or_else(|| missing("user"))?;
    let (actor, mention) = (to_actor(user)?, format!("<@{}>", user.id));
    let token = interaction.token.clone();
    // The token becomes part of a URL.
    let is_allowed = |c: u8| c.is_ascii_alphanumeric() || b"-_.~=".contains(&c);
    if token.is_empty() || token.len() > 1024 || !token.bytes().all(is_allowed) {
        let detail = "token: not a valid interaction token";
        return Err(Problem::new(ProblemKind::InvalidBody, detail).field("token"));
    }
    let id = interaction.id.0;
    let command = |deferred, revision, action| {
        BotRequest::Command(Box::new(Command {
            id,
            key: key.clone(),
            actor,
            mention,
            token,
            deferred,
            revision,
            action,
        }))
    };
    let Data { name, options, custom_id } = interaction.data.unwrap_or_default();
    Ok(match interaction.kind {
        kind::COMMAND => match parse_command(&name, options) {
            Ok(action) => command(response::DEFERRED_MESSAGE, None, action),
            Err(message) => BotRequest::Unsupported(message),
        },
        kind::AUTOCOMPLETE => {
            let focused =
                options.into_iter().flat_map(|sub| sub.options).find(|option| option.focused);
            let (option, typed) =
                focused.map_or_else(Default::default, |option| (option.name, option.value));
            let typed = typed.as_str().unwrap_or_default().to_owned();
            BotRequest::Autocomplete { key, option, typed }
        }
        kind::COMPONENT => match Action::from_button(&custom_id) {
            Some((revision, action)) => command(response::DEFERRED_UPDATE, revision, action),
            None => BotRequest::Unsupported(
                "This button is from another version of the bot. Use `/map show` for new ones."
                    .into(),
            ),
        },
        _ => BotRequest::Unsupported("This version of the bot does not support that.".into()),
    })
}

/// Returns the actor for the history: id and name of the user.
fn to_actor(user: &User) -> Result<Actor, Problem> {
    let name: String = user.username.chars().filter(|c| !c.is_control()).take(64).collect();
    Ok(Actor::new(format!("discord:{} {name}", user.id).trim_end())?)
}

/// Parses a slash command; the error is a message for the user.
fn parse_command(name: &str, options: Vec<CommandOption>) -> Result<Action, String> {
    let unknown = |name: &str| {
        format!(
            "This version of the bot does not know `{name}`. Its owner may need to register the \
             commands again."
        )
    };
    let mut options = options.into_iter();
    let (Some(sub), "map") = (options.next(), name) else {
        return Err(unknown(&format!("/{name}")));
    };
    let (mut new, mut node, mut kind, mut unread) =
        (Box::<NewMapOptions>::default(), String::new(), None, None);
    let is_number = |name: &str| NUMBER_OPTIONS.iter().any(|option| option.name == name);
    for option in sub.options {
        match (sub.name.as_str(), option.name.as_str(), option.value) {
            ("new", "ruleset", Value::String(text)) => new.ruleset = Some(text),
            ("new" | "reseed", "seed", Value::String(text)) => new.seed = Some(text),
            ("new", "fog", Value::Number(rows)) if rows.is_i64() => new.fog = rows.as_i64(),
            ("new", "replace", Value::Bool(flag)) => new.replace = flag,
            ("new", name, Value::Number(number)) if is_number(name) && number.is_i64() => {
                new.numbers.extend(number.as_i64().map(|number| (option.name, number)));
            }
            ("move", "node", Value::String(text)) => node = text,
            ("routes", "kind", Value::String(text)) => kind = Some(text),
            _ => unread = unread.or(Some(option.name)),
        }
    }
    let action = match sub.name.as_str() {
        "new" => Action::New(new),
        "show" => Action::Show,
        "reset" => Action::Reset,
        "reseed" => Action::Reseed(new.seed),
        "move" => {
            // Also accept "Node 3, 5", as error messages write it.
            let plain = node.trim().to_lowercase().replace(' ', "");
            let step = plain.strip_prefix("node").unwrap_or(&plain).parse();
            Action::Move(step.map_err(|error: InputError| {
                format!("`node`: {}; {}.", error.problem, error.remedy)
            })?)
        }
        "undo" => Action::Undo,
        "routes" => Action::Routes(kind),
        other => return Err(unknown(&format!("/map {other}"))),
    };
    match unread {
        Some(name) => Err(unknown(&name)),
        None => Ok(action),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_ids_round_trip_and_reject_other_encodings() {
        let steps = ["0,0", "4095,63", "boss", "north", "west"];
        let moves = steps.map(|step| (Revision(u64::MAX), Action::Move(step.parse().unwrap())));
        let others =
            [Action::Undo, Action::Reset, Action::Reseed(None)].map(|action| (Revision(7), action));
        for (revision, action) in moves.into_iter().chain(others) {
            let text = action.to_button(revision);
            assert!(text.len() <= 100, "Discord's maximum length: {text}");
            assert_eq!(Action::from_button(&text), Some((Some(revision), action)));
        }
        let routes = Action::Routes(None);
        assert_eq!(Action::from_button(&routes.to_button(Revision(7))), Some((None, routes)));
        for bad in [
            "",
            "wf1",
            "wf2 undo 7",
            "wf1 undo",
            "wf1 undo 07",
            "wf1 undo +7",
            "wf1 undo -1",
            "wf1 move 7",
            "wf1 move 7 up",
            "wf1 undo 7 ",
            "wf1 routes 7",
        ] {
            assert_eq!(Action::from_button(bad), None, "{bad:?}");
        }
    }
}
