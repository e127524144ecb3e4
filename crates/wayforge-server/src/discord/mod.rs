//! Discord's interactions over HTTP: the commands and buttons that play a channel's map.
//!
//! A request is let in by its signature. The change is made first, so that the first answer, within Discord's three
//! seconds, can be for everybody (deferred) or, if something is refused, for the asking user alone; the picture follows as an
//! edit. A change that takes longer than that is answered as deferred, and whatever came of it follows.

mod api;
mod ask;
mod commands;
mod interaction;
mod message;
mod orders;
mod signature;
mod words;

pub use api::{ApiAddress, ApiError};
pub use commands::{commands, guild_commands};
pub use signature::PublicKey;

use crate::Service;
use crate::access::{Need, client_address, slow_down};
use crate::api::Api as Routes;
use crate::channels::refused;
use crate::extract::{RawBody, State};
use crate::openapi::Operation;
use crate::pages::no_store;
use crate::problem::{Kind, Problem};
use crate::rate::Client;
use api::Api;
use ask::{Ask, Order};
use axum::extract::{FromRequest, Request};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use bytes::Bytes;
use interaction::response;
use message::Message;
use orders::Outcome;
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::{Semaphore, oneshot};
use wayforge::ConfigError;

/// What a bot is, and how it behaves.
#[derive(Clone)]
pub struct Settings {
    /// The public key of the application.
    pub public_key: PublicKey,
    /// The id of the application.
    pub application: u64,
    /// Where Discord's API is.
    pub api: ApiAddress,
    /// How far a request's timestamp may be from now.
    pub window: Duration,
    /// What time it is.
    pub clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// How long a change may take before it is answered as deferred; Discord waits for three seconds. Zero waits for none.
    pub answer_within: Duration,
    /// How many orders may be under way, their edits included; more are told to come back.
    pub pending: usize,
    /// The first pause before something is sent to Discord again; each later one is twice as long.
    pub pause: Duration,
}

impl Settings {
    /// The usual behaviour of an application's bot.
    pub fn new(public_key: PublicKey, application: u64) -> Settings {
        Settings {
            public_key,
            application,
            api: ApiAddress::default(),
            window: Duration::from_secs(300),
            clock: Arc::new(SystemTime::now),
            answer_within: Duration::from_secs(2),
            pending: 256,
            pause: Duration::from_millis(250),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { public_key, application, api, window, .. } = self;
        write!(f, "Settings {{ {public_key}, {application}, {api}, {window:?} }}")
    }
}

/// A bot. Cheap to clone; all clones are the same one.
///
/// ```
/// use wayforge_server::discord::{Discord, Settings};
/// let key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a".parse()?;
/// let bot = Discord::new(Settings::new(key, 845027738276462632))?;
/// // Service::new(store, limits, guard).discord(bot.clone()) answers at /discord/interactions;
/// // after the last request, bot.finish(grace) waits for the edits that are still under way.
/// assert_eq!(bot.pending(), 0);
/// # Ok::<(), wayforge::ConfigError>(())
/// ```
#[derive(Clone)]
pub struct Discord(Arc<Bot>);

struct Bot {
    settings: Settings,
    api: Api,
    /// A place for every order under way.
    places: Arc<Semaphore>,
    all: u32,
}

impl Discord {
    /// A bot with these settings.
    pub fn new(settings: Settings) -> Result<Discord, ConfigError> {
        let api = Api::new(settings.api.clone(), settings.pause)?;
        let all = settings.pending.clamp(1, 65_536) as u32;
        Ok(Discord(Arc::new(Bot { settings, api, places: Arc::new(Semaphore::new(all as usize)), all })))
    }

    /// How many orders are under way, their edits included.
    pub fn pending(&self) -> usize {
        (self.0.all as usize).saturating_sub(self.0.places.available_permits())
    }

    /// Waits until every order under way is done and its edit is sent, at most for `grace`; to be called when no more
    /// requests come in.
    ///
    /// * **Returns.** How many were not done in time.
    pub async fn finish(&self, grace: Duration) -> usize {
        let all = self.0.places.acquire_many(self.0.all);
        match tokio::time::timeout(grace, all).await {
            Ok(_) => 0,
            Err(_) => self.pending(),
        }
    }
}

/// Writes the definitions of the commands to Discord, in the place of all that the application had.
///
/// * **Arguments.** Where the API is, the application, one guild or none for everywhere, and the token of its bot.
/// * **Returns.** What Discord keeps now.
pub async fn register(
    address: ApiAddress,
    application: u64,
    guild: Option<u64>,
    bot_token: &str,
) -> Result<Value, ApiError> {
    let api = Api::new(address, Duration::from_millis(250));
    let api = api.map_err(|error| ApiError::Unreachable(error.to_string()))?;
    let (path, definitions) = match guild {
        Some(guild) => (format!("/applications/{application}/guilds/{guild}/commands"), guild_commands()),
        None => (format!("/applications/{application}/commands"), commands()),
    };
    let body = definitions.to_string().into();
    let said = api.send(Method::PUT, &path, "application/json", body, Some(bot_token)).await?;
    serde_json::from_slice(&said).map_err(|error| ApiError::Unreachable(format!("not an answer: {error}")))
}

/// Adds the route, if there is a bot.
pub(crate) fn routes(api: &mut Routes, bot: Option<Discord>) {
    let Some(bot) = bot else { return };
    let outline = &mut api.outline;
    outline.plain("Interaction", json!({ "type": "object", "required": ["type"] }));
    outline.plain("InteractionResponse", json!({ "type": "object", "required": ["type"] }));
    let told = Operation::new(
        "discord",
        "interactions",
        "What Discord sends when somebody uses a command or a button",
    )
    .header("X-Signature-Ed25519", false, "Text", "The signature of timestamp and body, in hex.")
    .header("X-Signature-Timestamp", false, "Text", "When it was signed, in seconds since 1970.")
    .json_body("Interaction", true)
    .json("The first answer.", "InteractionResponse")
    .problem(&[Kind::Signature, Kind::TooMany]);
    // No token of ours: the signature is what lets a request in.
    let answer = move |state, request| answer(bot, state, request);
    api.on(Method::POST, "/discord/interactions", Need::Nothing, told, answer);
}

async fn answer(
    bot: Discord,
    axum::extract::State(service): State,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let settings = &bot.0.settings;
    let (parts, body) = request.into_parts();
    let RawBody(body) = RawBody::from_request(Request::from_parts(parts.clone(), body), &service).await?;
    let checked = settings.public_key.check(&parts.headers, &body, (settings.clock)(), settings.window);
    if let Err(refused) = checked {
        // Discord sends a few bad signatures to see that they are rejected; a client that sends many is slowed down.
        slow_down(&service, Client::of(client_address(&service, &parts)))?;
        return Err(refused);
    }
    let response = match ask::read(&body, settings.application)? {
        Ask::Ping => json!({ "type": response::PONG }),
        Ask::Unknown(told) => private(told),
        Ask::Complete { key, option, typed } => {
            // A list that comes late is of no use; an empty one lets the user type.
            let found = orders::complete(&service, key, option, typed);
            let found = tokio::time::timeout(settings.answer_within, found).await.unwrap_or_default();
            let choices = found.into_iter().map(|(name, value)| json!({ "name": name, "value": value }));
            let data = json!({ "choices": choices.collect::<Vec<_>>() });
            json!({ "type": response::AUTOCOMPLETE, "data": data })
        }
        Ask::Order(order) => begin(bot, service, *order).await?,
    };
    Ok(no_store(response))
}

/// What is told if even the time of a request is not enough; a change under way may or may not be made.
const TOO_LONG: &str = "That took too long; `/map show` tells whether it was done.";

/// Refuses an order that came before: who has caught a signed request could send it again while its timestamp is good, to any server.
async fn first_time(service: &Service, order: &Order, window: Duration) -> Result<(), Problem> {
    // It could come as early and as late as the window allows, and servers' clocks differ.
    let keep = 2 * window + Duration::from_secs(60);
    match service.store.once(&format!("discord:{}", order.id), keep).await.map_err(refused)? {
        true => Ok(()),
        false => {
            let detail = format!("id: the interaction {} came before, and counts once", order.id);
            Err(Problem::new(Kind::Signature, detail).field("id").value(order.id.to_string()))
        }
    }
}

/// Carries an order out, and gives the first answer: what came of it, or that it takes a while.
async fn begin(bot: Discord, service: Arc<Service>, order: Order) -> Result<Value, Problem> {
    // Before anything is changed: an order that is taken on is also answered.
    let Ok(place) = Arc::clone(&bot.0.places).try_acquire_owned() else {
        return Ok(private("So many maps are being drawn that yours has to wait; try again in a moment."));
    };
    let (deferred, within) = (json!({ "type": order.deferred }), bot.0.settings.answer_within);
    let (send, mut first) = oneshot::channel();
    if within.is_zero() {
        first.close();
    }
    let response = deferred.clone();
    tokio::spawn(async move {
        let work = async {
            first_time(&service, &order, bot.0.settings.window).await?;
            Ok::<_, Problem>(orders::carry_out(&service, &order).await)
        };
        let outcome = match tokio::time::timeout(service.limits.time, work).await {
            // Whoever sent it again is told, and nobody else: its answer has been given.
            Ok(Err(refused)) if refused.status() == StatusCode::UNAUTHORIZED => {
                let _ = send.send(Err(refused));
                return;
            }
            Ok(Err(problem)) => Outcome::Told(format!("Nothing was done: {}.", problem.detail())),
            Ok(Ok(outcome)) => outcome,
            Err(_) => Outcome::Told(TOO_LONG.to_owned()),
        };
        let first = match &outcome {
            Outcome::Shown { .. } => response,
            Outcome::Told(said) | Outcome::Lost { said, .. } => private(said),
        };
        let late = send.send(Ok(first)).is_err();
        follow(&bot, &service, &order, outcome, late).await;
        drop(place);
    });
    if let Ok(Ok(response)) = tokio::time::timeout(within, &mut first).await {
        return response;
    }
    // From here on the order knows that it is late; unless it was done just now.
    first.close();
    first.try_recv().unwrap_or(Ok(deferred))
}

/// What follows the first answer.
async fn follow(bot: &Discord, service: &Arc<Service>, order: &Order, outcome: Outcome, late: bool) {
    let (api, pixels) = (&bot.0.api, service.limits.pixels);
    let hook = format!("/webhooks/{}/{}", bot.0.settings.application, order.token);
    let original = format!("{hook}/messages/@original");
    let done = match (outcome, late) {
        (Outcome::Shown { map, did }, _) => {
            let drawn = service.workers.draw(move |brush| message::of_map(&map, &did, pixels, brush)).await;
            let drawn = drawn.unwrap_or_else(|problem| {
                let why = problem.detail();
                Message::of_words(format!(
                    "It was done, but it cannot be shown: {why}. `/map show` tries again."
                ))
            });
            edit(api, &original, drawn).await
        }
        (Outcome::Told(_), false) => Ok(()),
        (Outcome::Lost { map, said }, false) => {
            let drawn = service.workers.draw(move |brush| message::of_lost(&map, &said, pixels, brush)).await;
            match drawn {
                Ok(message) => edit(api, &original, message).await,
                // The words are there already.
                Err(_) => Ok(()),
            }
        }
        (Outcome::Told(said) | Outcome::Lost { said, .. }, true) => {
            // Everybody sees that a command is being thought about; what is for one user needs a message of its own.
            if order.deferred == response::DEFERRED_MESSAGE
                && let Err(error) =
                    api.send(Method::DELETE, &original, "application/json", Bytes::new(), None).await
            {
                tracing::warn!(%error, key = %order.key, "an answer was not taken away");
            }
            api.send_message(Method::POST, &hook, &Message::of_words(said).private()).await
        }
    };
    if let Err(error) = done {
        tracing::error!(%error, key = %order.key, "an answer did not reach Discord");
    }
}

/// Edits the first answer; a picture that Discord does not take is left out.
async fn edit(api: &Api, path: &str, message: Message) -> Result<(), ApiError> {
    match api.send_message(Method::PATCH, path, &message).await {
        Err(ApiError::Refused { status: status @ (400..=403 | 405..=428), said })
            if !message.attachments.is_empty() =>
        {
            tracing::warn!(status, said, "Discord did not take a picture");
            api.send_message(Method::PATCH, path, &message.without_picture()).await
        }
        other => other,
    }
}

fn private(told: impl AsRef<str>) -> Value {
    let Message { content, allowed_mentions, flags, .. } = Message::of_words(told).private();
    let data = json!({ "content": content, "allowed_mentions": allowed_mentions, "flags": flags });
    json!({ "type": response::MESSAGE, "data": data })
}
