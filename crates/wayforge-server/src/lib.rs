//! HTTP service of Wayforge: generates, validates and draws maps, and stores them per guild and
//! channel.
//!
//! The main functions:
//!
//! - [`Service::new`] combines a store, limits and an access policy.
//! - [`app`] builds the axum router of a [`Service`]; tests call it without a socket.
//! - [`serve()`] serves the router until a signal.
//!
//! ```
//! use axum::{body::Body, http::Request};
//! use tower::ServiceExt;
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use wayforge_server::{AccessPolicy, Limits, Service, app};
//! let folder = tempfile::tempdir()?;
//! let database = format!("sqlite:{}", folder.path().join("maps.db").display());
//! let store = wayforge_store::open(&database).await?;
//! let app = app(Service::new(store, Limits::default(), AccessPolicy::Open));
//! let request = Request::get("/v1/act.svg?seed=42").body(Body::empty())?;
//! let response = app.oneshot(request).await?;
//! assert_eq!(response.headers()["content-type"], "image/svg+xml");
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```
//!
//! The crate has no optional features.

#![forbid(unsafe_code)]

mod access;
mod api;
mod byte_budget;
mod channels;
mod connections;
mod cross_origin;
pub mod discord;
mod extract;
mod generate;
mod guard;
mod hosts;
mod metrics;
mod observe;
mod openapi;
mod pages;
mod problem;
mod rate_limit;
mod readiness;
mod request_id;
mod serve;
mod stateless;
mod studio;
mod workers;
mod write_timeout;

pub use access::{AccessPolicy, Peer};
pub use problem::{Problem, ProblemKind};
pub use serve::{ServeOptions, serve, shutdown_signal};
pub use studio::{WasmPackage, export_studio};
pub use wayforge_api::handlers::Limits;

use api::ApiRouter;
use axum::{Router, middleware};
use byte_budget::ByteBudget;
use guard::Guard;
use hosts::HostNames;
use metrics::Metrics;
use rate_limit::{Client, RateLimiter};
use readiness::Readiness;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use wayforge_api::handlers::{LazyPainter, map, output_format, query};
use wayforge_store::{Id, Store};
use workers::{Interrupt, StoreExecutor, Workers};

/// Maximum number of concurrent imports.
const MAX_IMPORTS: usize = 4;

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Shared state of all requests.
pub struct Service {
    limits: Limits,
    store: Arc<Store>,
    guard: Guard,
    host_names: HostNames,
    readiness: Readiness,
    workers: Arc<Workers>,
    /// Limits the temporary files of imports.
    imports: Semaphore,
    rate_limiter: RateLimiter<Client>,
    guild_rate_limiter: RateLimiter<Id>,
    unsent: Arc<ByteBudget>,
    metrics: Metrics,
    behind_proxy: bool,
    /// Whether pages of other origins may read maps that are not stored.
    is_cross_origin: bool,
    discord: Option<discord::Discord>,
}

impl Service {
    /// Creates a service with a store, limits and an access policy.
    pub fn new(store: Arc<Store>, limits: Limits, access: AccessPolicy) -> Service {
        let workers = Arc::new(Workers::new(limits.workers, limits.waiting));
        let executor = StoreExecutor { workers: Arc::clone(&workers), limits: limits.clone() };
        store.set_executor(Arc::new(executor));
        store.set_max_guild_channels(limits.guild_channels);
        Service {
            store,
            guard: Guard::new(access),
            host_names: HostNames::default(),
            readiness: Readiness::default(),
            workers,
            imports: Semaphore::new(MAX_IMPORTS),
            rate_limiter: RateLimiter::new(limits.rate, limits.burst),
            guild_rate_limiter: RateLimiter::new(limits.guild_rate, limits.guild_burst),
            unsent: ByteBudget::new(limits.unsent, limits.client_unsent),
            metrics: Metrics::default(),
            behind_proxy: false,
            is_cross_origin: false,
            discord: None,
            limits,
        }
    }

    /// Sets whether a trusted proxy is in front of the service.
    ///
    /// If so, the last address of `X-Forwarded-For` identifies the client.
    pub fn behind_proxy(mut self, behind_proxy: bool) -> Service {
        self.behind_proxy = behind_proxy;
        self
    }

    /// Gives every caller full access while the database has no token, not even a revoked one. The
    /// first token closes the service within a second.
    pub fn open_without_tokens(mut self) -> Service {
        self.guard.open_without_tokens();
        self
    }

    /// Sets the names that clients may send in `Host`, besides `localhost` and loopback addresses.
    ///
    /// Without names, requests without token checks may use only those, and others any name.
    pub fn host_names(mut self, names: impl IntoIterator<Item = String>) -> Service {
        self.host_names = HostNames::new(names);
        self
    }

    /// Lets pages of other origins read maps that are not stored (CORS).
    pub fn cross_origin(mut self, is_cross_origin: bool) -> Service {
        self.is_cross_origin = is_cross_origin;
        self
    }

    /// Adds a Discord bot.
    pub fn discord(mut self, bot: discord::Discord) -> Service {
        self.discord = Some(bot);
        self
    }

    /// Fills the caches of the painters, so the first pictures are as fast as later ones.
    ///
    /// Takes about half a second.
    pub async fn warm(&self) {
        self.workers.warm().await;
    }

    /// Runs `work` on a worker with a painter.
    async fn draw<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut LazyPainter, &Limits) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let service = Arc::clone(self);
        let work = move |painter: &mut LazyPainter, interrupt: Interrupt| {
            work(painter, &service.limits.with_interrupt(move || interrupt.is_set()))
        };
        self.workers.draw(work).await
    }
}

/// Builds the router of a service, with access checks and OpenAPI description of every route.
pub fn app(service: Service) -> Router {
    let service = Arc::new(service);
    let mut api = ApiRouter::new(Arc::clone(&service));
    generate::routes(&mut api);
    stateless::routes(&mut api);
    studio::routes(&mut api);
    channels::routes(&mut api);
    discord::routes(&mut api, service.discord.clone());
    let description = pages::routes(&mut api);
    let (router, openapi) = api.finish();
    let text = serde_json::to_vec_pretty(&openapi.build()).unwrap_or_default();
    let _ = description.set(text.into());
    router
        .layer(CatchPanicLayer::custom(observe::handle_panic))
        .layer(middleware::from_fn_with_state(service, observe::observe))
}
