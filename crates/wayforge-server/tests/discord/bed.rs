//! A service with a bot, over a database of its own, and Discord on both sides of it.

use crate::cluster;
use crate::interaction::{APPLICATION, Place, token};
use crate::stand_in::{StandIn, Taken};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use ed25519_dalek::{Signer, SigningKey};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tower::ServiceExt;
use wayforge_server::discord::{Discord, Settings};
use wayforge_server::{Guard, Limits, Service, app};
use wayforge_store::{ChannelKey, Store, StoredMap};

/// What Discord's clock says when a test begins.
pub(crate) const START: u64 = 1_790_000_000;

pub(crate) struct Bed {
    pub(crate) app: Router,
    pub(crate) bot: Discord,
    pub(crate) store: Arc<Store>,
    /// The database's address.
    pub(crate) address: String,
    pub(crate) discord: StandIn,
    pub(crate) key: SigningKey,
    /// The server's clock.
    pub(crate) clock: Arc<AtomicU64>,
    _folder: Option<TempDir>,
}

/// Runs each of the functions on both databases. The store's tests have the same macro: test helpers are not part of a crate
/// that other crates could use.
macro_rules! both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::bed::Bed::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::bed::Bed::postgres().await).await;
            })*
        }
    };
}
pub(crate) use both;

impl Bed {
    pub(crate) async fn sqlite() -> Bed {
        Bed::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Settings)) -> Bed {
        let folder = cluster::folder();
        let address = cluster::file_address(folder.path());
        Bed::over(&address, Some(folder), Bed::limits(), change).await
    }

    /// A bed whose service has limits of its own.
    pub(crate) async fn limited(limits: Limits) -> Bed {
        let folder = cluster::folder();
        let address = cluster::file_address(folder.path());
        Bed::over(&address, Some(folder), limits, |_| {}).await
    }

    /// No limit that a test meets by chance.
    fn limits() -> Limits {
        Limits { rate: 0, time: Duration::from_secs(120), ..Limits::default() }
    }

    pub(crate) async fn postgres() -> Bed {
        Bed::over(&cluster::shared().new_database().await, None, Bed::limits(), |_| {}).await
    }

    async fn over(
        address: &str,
        folder: Option<TempDir>,
        limits: Limits,
        change: impl FnOnce(&mut Settings),
    ) -> Bed {
        let store = wayforge_store::open(address).await.unwrap();
        let discord = StandIn::start().await;
        let key = SigningKey::from_bytes(&[7; 32]);
        let clock = Arc::new(AtomicU64::new(START));
        let public: String =
            key.verifying_key().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let mut settings = Settings::new(public.parse().unwrap(), APPLICATION);
        settings.api = discord.address.parse().unwrap();
        settings.pause = Duration::from_millis(10);
        // A loaded machine is no reason to be late; a test of lateness says so.
        settings.answer_within = Duration::from_secs(60);
        let read = Arc::clone(&clock);
        settings.clock =
            Arc::new(move || SystemTime::UNIX_EPOCH + Duration::from_secs(read.load(Ordering::Relaxed)));
        change(&mut settings);
        let bot = Discord::new(settings).unwrap();
        // A guarded server: Discord brings no token of ours.
        let app = app(Service::new(Arc::clone(&store), limits, Guard::All).discord(bot.clone()));
        Bed { app, bot, store, address: address.to_owned(), discord, key, clock, _folder: folder }
    }

    /// The headers that Discord would sign a body with.
    pub(crate) fn sign(&self, timestamp: u64, body: &str) -> [(&'static str, String); 2] {
        let signature = self.key.sign(format!("{timestamp}{body}").as_bytes()).to_bytes();
        let hex = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        [("x-signature-ed25519", hex), ("x-signature-timestamp", timestamp.to_string())]
    }

    /// Sends a body with headers; gives status and body.
    pub(crate) async fn post(&self, headers: &[(&str, String)], body: &str) -> (u16, Value) {
        let mut request = Request::post("/discord/interactions").header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let response =
            self.app.clone().oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&body).unwrap())
    }

    /// A page of the server.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = self.app.clone().oneshot(request).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&body).unwrap()
    }

    /// Sends an interaction as Discord does, and gives the first answer.
    pub(crate) async fn send(&self, interaction: &Value) -> Value {
        let body = interaction.to_string();
        let (status, answer) = self.post(&self.sign(START, &body), &body).await;
        assert_eq!(status, 200, "{answer}");
        self.discord.answered(&token(interaction));
        answer
    }

    /// Sends an interaction that is answered for everybody, and gives the edit that follows.
    pub(crate) async fn shown(&self, interaction: Value) -> Taken {
        let kind = if interaction["type"] == 3 { 6 } else { 5 };
        let answer = self.send(&interaction).await;
        assert_eq!(answer, json!({ "type": kind }), "{interaction}");
        let edit = self.discord.next(&token(&interaction)).await;
        let path = format!("/api/v10/webhooks/{APPLICATION}/{}/messages/@original", token(&interaction));
        assert_eq!((edit.method.as_str(), edit.path.as_str()), ("PATCH", path.as_str()));
        assert!(edit.headers["user-agent"].to_str().unwrap().starts_with("DiscordBot ("));
        assert!(edit.headers.get("authorization").is_none(), "the token in the path is enough");
        edit
    }

    /// Sends an interaction that is answered for the asking user alone, and gives the words.
    pub(crate) async fn told(&self, interaction: Value) -> String {
        let answer = self.send(&interaction).await;
        assert_eq!((&answer["type"], &answer["data"]["flags"]), (&json!(4), &json!(64)), "{answer}");
        assert_eq!(answer["data"]["allowed_mentions"], json!({ "parse": [] }));
        answer["data"]["content"].as_str().unwrap().to_owned()
    }

    /// The map of a place.
    pub(crate) async fn map(&self, place: Place) -> Option<StoredMap> {
        self.store.get(&key(place)).await.unwrap()
    }
}

pub(crate) fn key(place: Place) -> ChannelKey {
    let (guild, channel) = match place {
        Place::Guild(guild, channel) => (Some(guild.to_string()), channel),
        Place::Direct(channel) => (None, channel),
    };
    ChannelKey::new(guild.as_deref(), &channel.to_string()).unwrap()
}
