//! What an interaction asks for, read from Discord's types.

use super::press::Press;
use crate::problem::{Kind, Problem};
use serde::Deserialize;
use twilight_model::application::interaction::application_command::{CommandDataOption, CommandOptionValue};
use twilight_model::application::interaction::{Interaction, InteractionData, InteractionType};
use twilight_model::user::User;
use wayforge::run::Move;
use wayforge_store::{Actor, ChannelKey, Revision};

/// What is asked for.
#[derive(Debug)]
pub(super) enum Ask {
    /// Are you there?
    Ping,
    /// What could stand in this option?
    Complete(Complete),
    /// Do this.
    Order(Box<Order>),
    /// Something that this version does not know, with what to tell the user.
    Unknown(String),
}

/// An option that is being typed.
#[derive(Debug)]
pub(super) struct Complete {
    pub(super) key: ChannelKey,
    /// The option: `node` or `kind`.
    pub(super) option: String,
    pub(super) typed: String,
}

/// Something to do.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// The id of the interaction: no two have the same.
    pub(super) id: u64,
    pub(super) key: ChannelKey,
    /// Who asks, as history tells it.
    pub(super) who: Actor,
    /// Who asks, as a mention.
    pub(super) mention: String,
    /// The token that answers are sent with.
    pub(super) token: String,
    pub(super) from: From,
    pub(super) what: What,
}

/// Where an order comes from: it decides what the first answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// A command; its answer is a new message.
    Command,
    /// A button; its answer is an edit of the button's message.
    Button,
}

/// What is to be done. Buttons name the revision that they were shown with; commands mean the map as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    New(Box<Wish>),
    Show,
    Reset(Option<Revision>),
    Reseed(Option<Revision>, Option<String>),
    Move(Option<Revision>, Move),
    Undo(Option<Revision>),
    Routes(Option<String>),
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
    if head.r#type == InteractionType::Ping as u8 {
        return Ok(Ask::Ping);
    }
    let interaction: Interaction = serde_json::from_slice(body).map_err(refuse)?;
    // Answers go out in the name of the application that the server was told of.
    if interaction.application_id.get() != application {
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
    #[allow(deprecated)] // Discord still sends it, and some interactions come with nothing else.
    let channel = interaction.channel.as_ref().map(|channel| channel.id).or(interaction.channel_id);
    let channel = channel.ok_or_else(|| missing("channel"))?.to_string();
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
    let id = interaction.id.get();
    let order =
        |from, what| Ask::Order(Box::new(Order { id, key: key.clone(), who, mention, token, from, what }));
    Ok(match (interaction.kind, interaction.data) {
        (InteractionType::ApplicationCommand, Some(InteractionData::ApplicationCommand(command))) => {
            match command_asks(&command.name, command.options) {
                Ok(what) => order(From::Command, what),
                Err(told) => Ask::Unknown(told),
            }
        }
        (
            InteractionType::ApplicationCommandAutocomplete,
            Some(InteractionData::ApplicationCommand(command)),
        ) => {
            let focused = command.options.into_iter().flat_map(inner).find_map(|option| match option.value {
                CommandOptionValue::Focused(typed, _) => Some((option.name, typed)),
                _ => None,
            });
            let (option, typed) = focused.unwrap_or_default();
            Ask::Complete(Complete { key, option, typed })
        }
        (InteractionType::MessageComponent, Some(InteractionData::MessageComponent(component))) => {
            match component.custom_id.parse() {
                Ok(press) => order(From::Button, press_asks(press)),
                Err(()) => {
                    Ask::Unknown("This button is of another version. `/map show` has new ones.".into())
                }
            }
        }
        _ => Ask::Unknown("This version does not know what that is.".into()),
    })
}

/// The user's id, and the name for those who read the history.
fn actor(user: &User) -> Result<Actor, Problem> {
    let name: String = user.name.chars().filter(|c| !c.is_control()).take(64).collect();
    Ok(Actor::new(format!("discord:{} {name}", user.id).trim_end())?)
}

fn inner(option: CommandDataOption) -> Vec<CommandDataOption> {
    match option.value {
        CommandOptionValue::SubCommand(options) => options,
        _ => vec![option],
    }
}

fn command_asks(name: &str, options: Vec<CommandDataOption>) -> Result<What, String> {
    let unknown = |what: &str| {
        format!(
            "This version does not know `{what}`; whoever runs the bot may have to register its commands again."
        )
    };
    let mut options = options.into_iter();
    let (Some(sub), "map") = (options.next(), name) else { return Err(unknown(&format!("/{name}"))) };
    let CommandOptionValue::SubCommand(options) = sub.value else { return Err(unknown(&sub.name)) };
    let mut given = Given(options);
    let what = match sub.name.as_str() {
        "new" => {
            let mut wish = Wish {
                ruleset: given.text("ruleset"),
                seed: given.text("seed"),
                fog: given.number("fog"),
                replace: given.flag("replace"),
                numbers: Vec::new(),
            };
            for (name, ..) in super::commands::NUMBERS {
                wish.numbers.extend(given.number(name).map(|value| (name.to_owned(), value)));
            }
            What::New(Box::new(wish))
        }
        "show" => What::Show,
        "reset" => What::Reset(None),
        "reseed" => What::Reseed(None, given.text("seed")),
        "move" => {
            let node = given.text("node").unwrap_or_default();
            // People write "Node 3, 5" as the picture does.
            let plain = node.trim().to_lowercase().replace(' ', "");
            let step = plain.strip_prefix("node").unwrap_or(&plain).parse();
            What::Move(
                None,
                step.map_err(|error: wayforge::InputError| {
                    format!("`node`: {}; {}.", error.problem, error.remedy)
                })?,
            )
        }
        "undo" => What::Undo(None),
        "routes" => What::Routes(given.text("kind")),
        other => return Err(unknown(&format!("/map {other}"))),
    };
    match given.0.first() {
        Some(left) => Err(unknown(&left.name)),
        None => Ok(what),
    }
}

fn press_asks(press: Press) -> What {
    match press {
        Press::Move(seen, step) => What::Move(Some(seen), step),
        Press::Undo(seen) => What::Undo(Some(seen)),
        Press::Reset(seen) => What::Reset(Some(seen)),
        Press::Reseed(seen) => What::Reseed(Some(seen), None),
        Press::Routes => What::Routes(None),
    }
}

/// The options of a command; what is read is taken out.
struct Given(Vec<CommandDataOption>);

impl Given {
    fn take<T>(&mut self, name: &str, read: impl Fn(&CommandOptionValue) -> Option<T>) -> Option<T> {
        let at = self.0.iter().position(|option| option.name == name && read(&option.value).is_some())?;
        read(&self.0.swap_remove(at).value)
    }

    fn text(&mut self, name: &str) -> Option<String> {
        self.take(name, |value| match value {
            CommandOptionValue::String(text) => Some(text.clone()),
            _ => None,
        })
    }

    fn number(&mut self, name: &str) -> Option<i64> {
        self.take(name, |value| match value {
            CommandOptionValue::Integer(number) => Some(*number),
            _ => None,
        })
    }

    fn flag(&mut self, name: &str) -> bool {
        let read = |value: &CommandOptionValue| match value {
            CommandOptionValue::Boolean(flag) => Some(*flag),
            _ => None,
        };
        self.take(name, read).unwrap_or(false)
    }
}
