//! Discord bot on the HTTP interactions endpoint.
//!
//! Discord requires a first response within three seconds. The server verifies the signature and
//! executes the command. If it succeeds, the first response is deferred and public, and an edit
//! adds the map. If it fails, the first response is a private message. If it takes too long, the
//! first response is deferred, and the outcome follows later.

mod api;
mod commands;
mod definitions;
mod interaction;
mod message;
mod request;
mod signature;
mod text;

pub use api::{ApiAddress, ApiError};
pub use definitions::{command_definitions, guild_command_definitions};
pub use signature::PublicKey;

use crate::Service;
use crate::access::{RequiredAccess, check_rate_limit, client_address};
use crate::api::ApiRouter;
use crate::channels::store_problem;
use crate::extract::{RawBody, State};
use crate::openapi::Operation;
use crate::pages::no_store;
use crate::problem::{Problem, ProblemKind};
use crate::rate_limit::Client;
use api::ApiClient;
use axum::extract::{FromRequest, Request};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use bytes::Bytes;
use commands::Outcome;
use interaction::response;
use message::Message;
use request::{BotRequest, Command};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::{Semaphore, oneshot};
use tracing::Instrument;
use wayforge::describe_json_error;

/// Settings of a bot.
#[derive(Clone)]
pub struct Settings {
    /// Public key of the application.
    pub public_key: PublicKey,
    /// Id of the application.
    pub application: u64,
    /// Base URL of Discord's API.
    pub api: ApiAddress,
    /// Maximum difference between a request's timestamp and the server's clock.
    pub timestamp_window: Duration,
    /// Clock of the server.
    pub clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// Time until the first response is deferred; Discord waits three seconds. If it is zero, every
    /// first response is deferred.
    pub defer_after: Duration,
    /// Maximum number of commands in progress, including their edits.
    pub max_pending: usize,
    /// Delay before the first retry of a request to Discord; doubled for each further one.
    pub retry_delay: Duration,
}

impl Settings {
    /// Creates settings with defaults for an application.
    pub fn new(public_key: PublicKey, application: u64) -> Settings {
        Settings {
            public_key,
            application,
            api: ApiAddress::default(),
            timestamp_window: Duration::from_secs(300),
            clock: Arc::new(SystemTime::now),
            defer_after: Duration::from_secs(2),
            max_pending: 256,
            retry_delay: Duration::from_millis(250),
        }
    }
}

/// Discord bot. Clones are cheap and share their state.
///
/// # Examples
/// ```
/// use wayforge_server::discord::{Discord, Settings};
/// let key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a".parse()?;
/// let bot = Discord::new(Settings::new(key, 845027738276462632))?;
/// // Service::new(store, limits, access).discord(bot.clone()) serves /discord/interactions.
/// // After the last request, bot.finish(grace) waits for pending edits.
/// assert_eq!(bot.pending(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Discord(Arc<Bot>);

/// State that the clones of a [`Discord`] share.
struct Bot {
    settings: Settings,
    api: ApiClient,
    /// One permit per command in progress.
    permits: Arc<Semaphore>,
    total_permits: u32,
}

impl Discord {
    /// Creates a bot.
    ///
    /// # Errors
    /// [`ApiError::NoTls`] if TLS cannot be set up.
    pub fn new(settings: Settings) -> Result<Discord, ApiError> {
        let api = ApiClient::new(settings.api.clone(), settings.retry_delay)?;
        let total_permits = settings.max_pending.clamp(1, 65_536) as u32;
        let permits = Arc::new(Semaphore::new(total_permits as usize));
        Ok(Discord(Arc::new(Bot { settings, api, permits, total_permits })))
    }

    /// Returns the number of commands in progress, including their edits.
    pub fn pending(&self) -> usize {
        (self.0.total_permits as usize).saturating_sub(self.0.permits.available_permits())
    }

    /// Waits at most `grace` until every command is done and its edit is sent.
    ///
    /// Call it when no more requests arrive. Returns the number of unfinished commands.
    pub async fn finish(&self, grace: Duration) -> usize {
        let all = self.0.permits.acquire_many(self.0.total_permits);
        match tokio::time::timeout(grace, all).await {
            Ok(_) => 0,
            Err(_) => self.pending(),
        }
    }
}

/// Registers the slash commands with Discord, replacing all commands of the application.
///
/// Registers them in one guild, or globally if `guild` is `None`. Returns Discord's response.
///
/// # Errors
/// [`ApiError`] if Discord rejects the request or cannot be reached.
pub async fn register(
    address: ApiAddress,
    application: u64,
    guild: Option<u64>,
    bot_token: &str,
) -> Result<Value, ApiError> {
    let api = ApiClient::new(address, Duration::from_millis(250))?;
    let (path, definitions) = match guild {
        Some(guild) => (
            format!("/applications/{application}/guilds/{guild}/commands"),
            guild_command_definitions(),
        ),
        None => (format!("/applications/{application}/commands"), command_definitions()),
    };
    let body = definitions.to_string().into();
    let response = api.send(Method::PUT, &path, "application/json", body, Some(bot_token)).await?;
    serde_json::from_slice(&response).map_err(|error| {
        ApiError::Unreachable(format!("invalid response: {}", describe_json_error(&error)))
    })
}

/// Adds the interactions endpoint if there is a bot.
pub(crate) fn routes(api: &mut ApiRouter, bot: Option<Discord>) {
    let Some(bot) = bot else { return };
    let openapi = &mut api.openapi;
    openapi.add_schema("Interaction", json!({ "type": "object", "required": ["type"] }));
    openapi.add_schema("InteractionResponse", json!({ "type": "object", "required": ["type"] }));
    let signature = "Ed25519 signature of timestamp and body, in hex.";
    let timestamp = "Time of the signature, in seconds since 1970.";
    let operation = Operation::new(
        "discord",
        "handleInteraction",
        "Handle a Discord interaction: a slash command or a button press",
    )
    .header("X-Signature-Ed25519", false, "Text", signature)
    .header("X-Signature-Timestamp", false, "Text", timestamp)
    .body("application/json", "Interaction", true)
    .json_response("The first response.", "InteractionResponse")
    .problem(&[ProblemKind::InvalidSignature, ProblemKind::TooManyRequests]);
    // No token required: the signature authenticates the request.
    let handler = move |state, request| handle_interaction(bot, state, request);
    let access = RequiredAccess::None;
    api.route(Method::POST, "/discord/interactions", access, operation, handler);
}

async fn handle_interaction(
    bot: Discord,
    axum::extract::State(service): State,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let settings = &bot.0.settings;
    let (parts, body) = request.into_parts();
    let RawBody(body) =
        RawBody::from_request(Request::from_parts(parts.clone(), body), &service).await?;
    let (now, window) = ((settings.clock)(), settings.timestamp_window);
    if let Err(problem) = settings.public_key.check(&parts.headers, &body, now, window) {
        // Discord probes the endpoint with a few invalid signatures; many are rate-limited.
        check_rate_limit(&service, Client::from_address(client_address(&service, &parts)))?;
        return Err(problem);
    }
    let response = match request::parse(&body, settings.application)? {
        BotRequest::Ping => json!({ "type": response::PONG }),
        BotRequest::Unsupported(message) => private_response(message),
        BotRequest::Autocomplete { key, option, typed } => {
            // On timeout an empty list lets the user type freely.
            let suggestions = commands::autocomplete(&service, key, option, typed);
            let suggestions =
                tokio::time::timeout(settings.defer_after, suggestions).await.unwrap_or_default();
            let choices = suggestions.into_iter();
            let choices = choices.map(|(name, value)| json!({ "name": name, "value": value }));
            let data = json!({ "choices": choices.collect::<Vec<_>>() });
            json!({ "type": response::AUTOCOMPLETE, "data": data })
        }
        BotRequest::Command(command) => start(bot, service, *command).await?,
    };
    Ok(no_store(response))
}

/// Message after a timeout, when it is unknown whether the map was changed.
const TIMEOUT_MESSAGE: &str = "That took too long. Use `/map show` to see whether it worked.";

/// Rejects an interaction that was already handled, by any server.
///
/// Without this, a captured request could be replayed while its timestamp is valid.
async fn reject_replay(
    service: &Service,
    command: &Command,
    window: Duration,
) -> Result<(), Problem> {
    // A request is valid for twice the window; a minute more covers clock differences of servers.
    let expiry = 2 * window + Duration::from_secs(60);
    let key = format!("discord:{}", command.id);
    if service.store.claim_idempotency_key(&key, expiry).await.map_err(store_problem)? {
        return Ok(());
    }
    let detail = format!("id: interaction {} was already handled", command.id);
    let problem = Problem::new(ProblemKind::InvalidSignature, detail);
    Err(problem.field("id").value(command.id.to_string()))
}

/// Executes a command in the background and returns the first response: its outcome, or deferred.
async fn start(bot: Discord, service: Arc<Service>, command: Command) -> Result<Value, Problem> {
    // Acquired before any change, so that every executed command can send its edit.
    let Ok(permit) = Arc::clone(&bot.0.permits).try_acquire_owned() else {
        return Ok(private_response(
            "The bot is drawing too many maps right now. Please try again in a moment.",
        ));
    };
    let (deferred, defer_after) = (json!({ "type": command.deferred }), bot.0.settings.defer_after);
    let (sender, mut receiver) = oneshot::channel();
    if defer_after.is_zero() {
        receiver.close();
    }
    let public = deferred.clone();
    let run = async move {
        let work = async {
            reject_replay(&service, &command, bot.0.settings.timestamp_window).await?;
            Ok::<_, Problem>(commands::execute(&service, &command).await)
        };
        let outcome = match tokio::time::timeout(service.limits.timeout, work).await {
            // A replay: only its sender gets this response.
            Ok(Err(problem)) if problem.status() == StatusCode::UNAUTHORIZED => {
                let _ = sender.send(Err(problem));
                return;
            }
            Ok(Err(problem)) => {
                Outcome::Private(format!("Nothing was changed: {}.", problem.detail()))
            }
            Ok(Ok(outcome)) => outcome,
            Err(_) => Outcome::Private(TIMEOUT_MESSAGE.to_owned()),
        };
        let first = match &outcome {
            Outcome::Public { .. } => public,
            Outcome::Private(message) | Outcome::Conflict { message, .. } => {
                private_response(message)
            }
        };
        let was_deferred = sender.send(Ok(first)).is_err();
        follow_up(&bot, &service, &command, outcome, was_deferred).await;
        drop(permit);
    };
    tokio::spawn(run.in_current_span());
    if let Ok(Ok(response)) = tokio::time::timeout(defer_after, &mut receiver).await {
        return response;
    }
    // Closing makes the command's `send` fail, unless it has just succeeded.
    receiver.close();
    receiver.try_recv().unwrap_or(Ok(deferred))
}

/// Sends the edits and messages after the first response.
async fn follow_up(
    bot: &Discord,
    service: &Arc<Service>,
    command: &Command,
    outcome: Outcome,
    was_deferred: bool,
) {
    let (api, max_pixels) = (&bot.0.api, service.limits.pixels);
    let webhook = format!("/webhooks/{}/{}", bot.0.settings.application, command.token);
    let original = format!("{webhook}/messages/@original");
    let sent = match (outcome, was_deferred) {
        (Outcome::Public { map, action }, _) => {
            let message = service
                .workers
                .draw(move |painter, _| message::map_message(&map, &action, max_pixels, painter))
                .await;
            let message = message.unwrap_or_else(|problem| {
                let detail = problem.detail();
                Message::text(format!(
                    "Done, but the map could not be shown: {detail}. Try `/map show`."
                ))
            });
            edit(api, &original, message).await
        }
        (Outcome::Private(_), false) => Ok(()),
        (Outcome::Conflict { map, message }, false) => {
            let message = service
                .workers
                .draw(move |painter, _| {
                    message::conflict_message(&map, &message, max_pixels, painter)
                })
                .await;
            match message {
                Ok(message) => edit(api, &original, message).await,
                // The first response already contains the text.
                Err(_) => Ok(()),
            }
        }
        (Outcome::Private(message) | Outcome::Conflict { message, .. }, true) => {
            // Everyone sees the deferred response of a slash command, so it is deleted; the private
            // message is a new one.
            if command.deferred == response::DEFERRED_MESSAGE
                && let Err(error) = api
                    .send(Method::DELETE, &original, "application/json", Bytes::new(), None)
                    .await
            {
                tracing::warn!(%error, key = %command.key, "deferred response not deleted");
            }
            api.send_message(Method::POST, &webhook, &Message::text(message).private()).await
        }
    };
    if let Err(error) = sent {
        tracing::error!(%error, key = %command.key, "response not sent to Discord");
    }
}

/// Edits the first response; if Discord rejects the picture, sends the text without it.
async fn edit(api: &ApiClient, path: &str, message: Message) -> Result<(), ApiError> {
    match api.send_message(Method::PATCH, path, &message).await {
        Err(ApiError::Rejected { status: status @ (400..=403 | 405..=428), body })
            if !message.attachments.is_empty() =>
        {
            tracing::warn!(status, body, "Discord rejected a picture");
            api.send_message(Method::PATCH, path, &message.without_picture()).await
        }
        other => other,
    }
}

/// Creates a first response that only the requesting user sees.
fn private_response(message: impl AsRef<str>) -> Value {
    let Message { content, allowed_mentions, flags, .. } = Message::text(message).private();
    let data = json!({ "content": content, "allowed_mentions": allowed_mentions, "flags": flags });
    json!({ "type": response::MESSAGE, "data": data })
}
