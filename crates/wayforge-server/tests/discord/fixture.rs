//! Service with a bot, its own database and a mock of Discord's API.

use crate::cluster;
use crate::interaction::{APPLICATION, TestChannel, token};
use crate::mock_api::{MockApi, SentRequest};
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
use wayforge_server::{AccessPolicy, Limits, Service, app};
use wayforge_store::{ChannelKey, Store, StoredMap};

/// Timestamp of signed requests, in seconds since 1970.
pub(crate) const START: u64 = 1_790_000_000;

pub(crate) struct Fixture {
    pub(crate) app: Router,
    pub(crate) bot: Discord,
    pub(crate) store: Arc<Store>,
    /// Address of the database.
    pub(crate) address: String,
    pub(crate) discord: MockApi,
    pub(crate) key: SigningKey,
    /// Clock of the server.
    pub(crate) clock: Arc<AtomicU64>,
    _folder: Option<TempDir>,
}

impl Fixture {
    pub(crate) async fn sqlite() -> Fixture {
        Fixture::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Settings)) -> Fixture {
        let folder = cluster::folder();
        let address = cluster::file_address(folder.path());
        Fixture::on_database(&address, Some(folder), Fixture::limits(), change).await
    }

    /// Creates a fixture with other limits.
    pub(crate) async fn with_limits(limits: Limits) -> Fixture {
        let folder = cluster::folder();
        let address = cluster::file_address(folder.path());
        Fixture::on_database(&address, Some(folder), limits, |_| {}).await
    }

    /// Returns limits that no test reaches by accident.
    fn limits() -> Limits {
        Limits { rate: 0, timeout: Duration::from_secs(120), ..Limits::default() }
    }

    pub(crate) async fn postgres() -> Fixture {
        Fixture::on_database(
            &cluster::shared().new_database().await,
            None,
            Fixture::limits(),
            |_| {},
        )
        .await
    }

    /// Creates a fixture on a database; `change` adjusts the settings of the bot.
    async fn on_database(
        address: &str,
        folder: Option<TempDir>,
        limits: Limits,
        change: impl FnOnce(&mut Settings),
    ) -> Fixture {
        let store = wayforge_store::open(address).await.unwrap();
        let discord = MockApi::start().await;
        let key = SigningKey::from_bytes(&[7; 32]);
        let clock = Arc::new(AtomicU64::new(START));
        let public: String =
            key.verifying_key().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let mut settings = Settings::new(public.parse().unwrap(), APPLICATION);
        settings.api = discord.address.parse().unwrap();
        settings.retry_delay = Duration::from_millis(10);
        // Long, because a busy machine is slow; tests of deferred responses set their own.
        settings.defer_after = Duration::from_secs(60);
        let read = Arc::clone(&clock);
        settings.clock = Arc::new(move || {
            SystemTime::UNIX_EPOCH + Duration::from_secs(read.load(Ordering::Relaxed))
        });
        change(&mut settings);
        let bot = Discord::new(settings).unwrap();
        // The server requires tokens, and Discord's requests have none.
        let app =
            app(Service::new(Arc::clone(&store), limits, AccessPolicy::All).discord(bot.clone()));
        Fixture {
            app,
            bot,
            store,
            address: address.to_owned(),
            discord,
            key,
            clock,
            _folder: folder,
        }
    }

    /// Returns the signature headers of a body.
    pub(crate) fn sign(&self, timestamp: u64, body: &str) -> [(&'static str, String); 2] {
        let signature = self.key.sign(format!("{timestamp}{body}").as_bytes()).to_bytes();
        let hex = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        [("x-signature-ed25519", hex), ("x-signature-timestamp", timestamp.to_string())]
    }

    /// Posts a body with headers; returns status and body.
    pub(crate) async fn post(&self, headers: &[(&str, String)], body: &str) -> (u16, Value) {
        let mut request =
            Request::post("/discord/interactions").header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let response = self
            .app
            .clone()
            .oneshot(request.body(Body::from(body.to_owned())).unwrap())
            .await
            .unwrap();
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&body).unwrap())
    }

    /// Gets JSON from the server.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = self.app.clone().oneshot(request).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&body).unwrap()
    }

    /// Sends a signed interaction and returns the first response.
    pub(crate) async fn send(&self, interaction: &Value) -> Value {
        let body = interaction.to_string();
        let (status, response) = self.post(&self.sign(START, &body), &body).await;
        assert_eq!(status, 200, "{response}");
        self.discord.mark_responded(&token(interaction));
        response
    }

    /// Sends an interaction with a public response and returns the edit that follows.
    pub(crate) async fn send_public(&self, interaction: Value) -> SentRequest {
        let kind = if interaction["type"] == 3 { 6 } else { 5 };
        let response = self.send(&interaction).await;
        assert_eq!(response, json!({ "type": kind }), "{interaction}");
        let edit = self.discord.next(&token(&interaction)).await;
        let path =
            format!("/api/v10/webhooks/{APPLICATION}/{}/messages/@original", token(&interaction));
        assert_eq!((edit.method.as_str(), edit.path.as_str()), ("PATCH", path.as_str()));
        assert!(edit.headers["user-agent"].to_str().unwrap().starts_with("DiscordBot ("));
        assert!(edit.headers.get("authorization").is_none(), "the path contains the token");
        edit
    }

    /// Sends an interaction with a private response and returns its text.
    pub(crate) async fn send_private(&self, interaction: Value) -> String {
        let response = self.send(&interaction).await;
        assert_eq!(
            (&response["type"], &response["data"]["flags"]),
            (&json!(4), &json!(64)),
            "{response}"
        );
        assert_eq!(response["data"]["allowed_mentions"], json!({ "parse": [] }));
        response["data"]["content"].as_str().unwrap().to_owned()
    }

    /// Returns the map of a channel.
    pub(crate) async fn map(&self, channel: TestChannel) -> Option<StoredMap> {
        self.store.get(&key(channel)).await.unwrap()
    }
}

pub(crate) fn key(channel: TestChannel) -> ChannelKey {
    let (guild, channel) = match channel {
        TestChannel::Guild(guild, channel) => (Some(guild.to_string()), channel),
        TestChannel::Direct(channel) => (None, channel),
    };
    ChannelKey::new(guild.as_deref(), &channel.to_string()).unwrap()
}
