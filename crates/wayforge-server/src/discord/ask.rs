//! What an interaction asks for, read from Discord's types, and what a button stands for.

use super::commands::NUMBERS;
use super::interaction::{CommandOption, Data, Interaction, User, kind, response};
use crate::problem::{Kind, Problem};
use serde::Deserialize;
use serde_json::Value;
use wayforge::run::Move;
use wayforge_store::{Actor, ChannelKey, Revision};

/// What is asked for.
#[derive(Debug)]
pub(super) enum Ask {
    /// Are you there?
    Ping,
    /// What could stand in this option? It is `node` or `kind`.
    Complete { key: ChannelKey, option: String, typed: String },
    /// Do this.
    Order(Box<Order>),
    /// Something that this version does not know, with the message for the user.
    Unknown(String),
}

/// Something to do.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// The id of the interaction: no two have the same.
    pub(super) id: u64,
    pub(super) key: ChannelKey,
    /// Who asks, for the history.
    pub(super) who: Actor,
    /// Who asks, as a mention.
    pub(super) mention: String,
    /// The token that answers are sent with.
    pub(super) token: String,
    /// The first answer before the rest follows: a command's is a new message, a button's an edit of the button's message.
    pub(super) deferred: u8,
    /// The revision that a button was shown with; none means the map as it stands.
    pub(super) seen: Option<Revision>,
    pub(super) what: What,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    New(Box<Wish>),
    Show,
    Reset,
    Reseed(Option<String>),
    Move(Move),
    Undo,
    Routes(Option<String>),
}

/// Names the format of buttons: they live as long as their message, and later versions must know what they meant.
const VERSION: &str = "wf1";

impl What {
    /// The `custom_id` of a button: the action and the revision of the map that it was shown with.
    pub(super) fn to_button(&self, seen: Revision) -> String {
        match self {
            What::Move(step) => format!("{VERSION} move {seen} {step}"),
            What::Undo => format!("{VERSION} undo {seen}"),
            What::Reset => format!("{VERSION} reset {seen}"),
            What::Reseed(_) => format!("{VERSION} reseed {seen}"),
            // These change nothing and need no revision.
            What::Routes(_) | What::Show | What::New(_) => format!("{VERSION} routes"),
        }
    }

    /// Reads a `custom_id`.
    fn from_button(text: &str) -> Option<(Option<Revision>, What)> {
        let parts: Vec<&str> = text.split(' ').collect();
        let (seen, what) = match parts[..] {
            [VERSION, "move", seen, step] => (seen, What::Move(step.parse().ok()?)),
            [VERSION, "undo", seen] => (seen, What::Undo),
            [VERSION, "reset", seen] => (seen, What::Reset),
            [VERSION, "reseed", seen] => (seen, What::Reseed(None)),
            [VERSION, "routes"] => return Some((None, What::Routes(None))),
            _ => return None,
        };
        let seen = Revision(seen.parse().ok()?);
        // There is one way to write each: `+7` and `07` were not written by this program.
        (what.to_button(seen) == text).then_some((Some(seen), what))
    }
}

/// The options of `/map new`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) ruleset: Option<String>,
    pub(super) seed: Option<String>,
    /// Whole numbers of the configuration, by the configuration's own names.
    pub(super) numbers: Vec<(String, i64)>,
    pub(super) fog: Option<i64>,
    pub(super) replace: bool,
}

/// Reads a body that was signed by Discord for an application.
pub(super) fn read(body: &[u8], application: u64) -> Result<Ask, Problem> {
    #[derive(Deserialize)]
    struct Head {
        r#type: u8,
    }
    let refuse = |error: serde_json::Error| Problem::new(Kind::Body, format!("not an interaction: {error}"));
    let head: Head = serde_json::from_slice(body).map_err(refuse)?;
    // A ping may come with nothing but its type.
    if head.r#type == kind::PING {
        return Ok(Ask::Ping);
    }
    let interaction: Interaction = serde_json::from_slice(body).map_err(refuse)?;
    // Answers go out in the name of the application that the server was told of.
    if interaction.application_id.0 != application {
        let detail =
            format!("application_id: {} is not the application {application}", interaction.application_id);
        return Err(Problem::new(Kind::Body, detail)
            .field("application_id")
            .allowed(application.to_string()));
    }
    understand(interaction)
}

fn understand(interaction: Interaction) -> Result<Ask, Problem> {
    let missing = |what: &str| Problem::new(Kind::Body, format!("the interaction has no {what}")).field(what);
    let channel = interaction.channel().ok_or_else(|| missing("channel"))?.to_string();
    let guild = interaction.guild_id.map(|guild| guild.to_string());
    let key = ChannelKey::new(guild.as_deref(), &channel)?;
    let user = interaction.author().ok_or_else(|| missing("user"))?;
    let (who, mention) = (actor(user)?, format!("<@{}>", user.id));
    let token = interaction.token.clone();
    // It becomes part of an address.
    let plain = |c: u8| c.is_ascii_alphanumeric() || b"-_.~=".contains(&c);
    if token.is_empty() || token.len() > 1024 || !token.bytes().all(plain) {
        return Err(Problem::new(Kind::Body, "token: not a token of an interaction").field("token"));
    }
    let id = interaction.id.0;
    let order = |deferred, seen, what| {
        Ask::Order(Box::new(Order { id, key: key.clone(), who, mention, token, deferred, seen, what }))
    };
    let Data { name, options, custom_id } = interaction.data.unwrap_or_default();
    Ok(match interaction.kind {
        kind::COMMAND => match command_asks(&name, options) {
            Ok(what) => order(response::DEFERRED_MESSAGE, None, what),
            Err(message) => Ask::Unknown(message),
        },
        kind::AUTOCOMPLETE => {
            let focused = options.into_iter().flat_map(|sub| sub.options).find(|option| option.focused);
            let (option, typed) = focused.map_or_else(Default::default, |option| (option.name, option.value));
            Ask::Complete { key, option, typed: typed.as_str().unwrap_or_default().to_owned() }
        }
        kind::COMPONENT => match What::from_button(&custom_id) {
            Some((seen, what)) => order(response::DEFERRED_UPDATE, seen, what),
            None => Ask::Unknown("This button is of another version. `/map show` has new ones.".into()),
        },
        _ => Ask::Unknown("This version does not know what that is.".into()),
    })
}

/// The user's id, and the name for those who read the history.
fn actor(user: &User) -> Result<Actor, Problem> {
    let name: String = user.username.chars().filter(|c| !c.is_control()).take(64).collect();
    Ok(Actor::new(format!("discord:{} {name}", user.id).trim_end())?)
}

fn command_asks(name: &str, options: Vec<CommandOption>) -> Result<What, String> {
    let unknown = |what: &str| {
        format!(
            "This version does not know `{what}`; whoever runs the bot may have to register its commands again."
        )
    };
    let mut options = options.into_iter();
    let (Some(sub), "map") = (options.next(), name) else { return Err(unknown(&format!("/{name}"))) };
    let (mut wish, mut node, mut kind, mut unread) = (Box::<Wish>::default(), String::new(), None, None);
    let is_number = |name: &str| NUMBERS.iter().any(|known| known.0 == name);
    for option in sub.options {
        match (sub.name.as_str(), option.name.as_str(), option.value) {
            ("new", "ruleset", Value::String(text)) => wish.ruleset = Some(text),
            ("new" | "reseed", "seed", Value::String(text)) => wish.seed = Some(text),
            ("new", "fog", Value::Number(rows)) if rows.is_i64() => wish.fog = rows.as_i64(),
            ("new", "replace", Value::Bool(flag)) => wish.replace = flag,
            ("new", name, Value::Number(number)) if is_number(name) && number.is_i64() => {
                wish.numbers.extend(number.as_i64().map(|number| (option.name, number)));
            }
            ("move", "node", Value::String(text)) => node = text,
            ("routes", "kind", Value::String(text)) => kind = Some(text),
            _ => unread = unread.or(Some(option.name)),
        }
    }
    let what = match sub.name.as_str() {
        "new" => What::New(wish),
        "show" => What::Show,
        "reset" => What::Reset,
        "reseed" => What::Reseed(wish.seed),
        "move" => {
            // People write "Node 3, 5" as the picture does.
            let plain = node.trim().to_lowercase().replace(' ', "");
            let step = plain.strip_prefix("node").unwrap_or(&plain).parse();
            What::Move(step.map_err(|error: wayforge::InputError| {
                format!("`node`: {}; {}.", error.problem, error.remedy)
            })?)
        }
        "undo" => What::Undo,
        "routes" => What::Routes(kind),
        other => return Err(unknown(&format!("/map {other}"))),
    };
    match unread {
        Some(name) => Err(unknown(&name)),
        None => Ok(what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_are_read_as_they_were_written() {
        let steps = ["0,0", "4095,63", "boss", "north", "west"];
        let moves = steps.map(|step| (Revision(u64::MAX), What::Move(step.parse().unwrap())));
        let others = [What::Undo, What::Reset, What::Reseed(None)].map(|what| (Revision(7), what));
        for (seen, what) in moves.into_iter().chain(others) {
            let text = what.to_button(seen);
            assert!(text.len() <= 100, "Discord takes no more: {text}");
            assert_eq!(What::from_button(&text), Some((Some(seen), what)));
        }
        let routes = What::Routes(None);
        assert_eq!(What::from_button(&routes.to_button(Revision(7))), Some((None, routes)));
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
            assert_eq!(What::from_button(bad), None, "{bad:?}");
        }
    }
}
