//! Wayforge over HTTP: maps made from a seed, judged, drawn, and kept per guild and channel.
//!
//! The app is a function: [`app`] builds the router of a [`Service`], and tests call it without a socket.
//!
//! ```
//! use axum::{body::Body, http::Request};
//! use tower::ServiceExt;
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use wayforge_server::{Guard, Limits, Service, app};
//! let folder = tempfile::tempdir()?;
//! let store = wayforge_store::open(&format!("sqlite:{}", folder.path().join("maps.db").display())).await?;
//! let app = app(Service::new(store, Limits::default(), Guard::Open));
//! let request = Request::get("/v1/act.svg?seed=42").body(Body::empty())?;
//! let response = app.oneshot(request).await?;
//! assert_eq!(response.headers()["content-type"], "image/svg+xml");
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```

#![forbid(unsafe_code)]

mod access;
mod answers;
mod api;
mod channels;
pub mod discord;
mod extract;
mod generate;
mod metrics;
mod observe;
mod openapi;
mod pages;
mod problem;
mod rate;
mod serve;
mod studio;
mod work;

pub use access::{Guard, Peer};
pub use problem::{Kind, Problem};
pub use serve::{serve, stop_signal};
pub use studio::{Package, export};
pub use wayforge_api::handlers::Limits;

use api::Api;
use axum::{Router, middleware};
use metrics::Metrics;
use rate::Rate;
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use wayforge_api::handlers::{Brush, form, map, query};
use wayforge_store::Store;
use work::Workers;

/// What all requests share.
pub struct Service {
    limits: Limits,
    store: Arc<Store>,
    guard: Guard,
    workers: Workers,
    rate: Rate,
    metrics: Metrics,
    behind_proxy: bool,
    discord: Option<discord::Discord>,
}

impl Service {
    /// A service over a store, within limits. It asks for tokens as `guard` says.
    pub fn new(store: Arc<Store>, limits: Limits, guard: Guard) -> Service {
        Service {
            store,
            guard,
            workers: Workers::new(limits.concurrent, limits.waiting),
            rate: Rate::new(limits.rate, limits.burst),
            metrics: Metrics::default(),
            behind_proxy: false,
            discord: None,
            limits,
        }
    }

    /// Whether clients are told apart by the last address of `X-Forwarded-For`, which a proxy of one's own wrote.
    pub fn behind_proxy(mut self, behind: bool) -> Service {
        self.behind_proxy = behind;
        self
    }

    /// Answers Discord's interactions, too.
    pub fn discord(mut self, bot: discord::Discord) -> Service {
        self.discord = Some(bot);
        self
    }

    /// Paints what pictures share, so that the first requests need not wait for it. It takes about half a second.
    pub async fn warm(&self) {
        self.workers.warm().await;
    }

    /// Runs `work` on a worker.
    async fn draw<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Brush, &Limits) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let service = Arc::clone(self);
        self.workers.draw(move |brush| work(brush, &service.limits)).await
    }
}

/// The router of a service: every route, guarded and told.
pub fn app(service: Service) -> Router {
    let service = Arc::new(service);
    let mut api = Api::new(Arc::clone(&service));
    generate::routes(&mut api);
    answers::routes(&mut api);
    studio::routes(&mut api);
    channels::routes(&mut api);
    discord::routes(&mut api, service.discord.clone());
    let description = pages::routes(&mut api);
    let (router, outline) = api.finish();
    let text = serde_json::to_vec_pretty(&outline.describe()).unwrap_or_default();
    let _ = description.set(text.into());
    router
        .layer(CatchPanicLayer::custom(observe::caught))
        .layer(middleware::from_fn_with_state(service, observe::observe))
}
