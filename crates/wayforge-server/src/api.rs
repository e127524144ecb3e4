//! Registers routes together with their required access and OpenAPI description.

use crate::Service;
use crate::access::{Need, guard};
use crate::openapi::{Operation, Outline};
use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, on};
use std::sync::Arc;

/// Routes under construction.
pub(crate) struct Api {
    service: Arc<Service>,
    router: Router<Arc<Service>>,
    /// The description of the routes, to add schemas to.
    pub(crate) outline: Outline,
}

impl Api {
    pub(crate) fn new(service: Arc<Service>) -> Api {
        Api { service, router: Router::new(), outline: Outline::default() }
    }

    /// Adds a route. A request passes the check of `need` before `handler` extracts anything from it.
    pub(crate) fn on<H, T>(&mut self, method: Method, path: &str, need: Need, told: Operation, handler: H)
    where
        H: Handler<T, Arc<Service>>,
        T: 'static,
    {
        self.outline.add(&method, path, need, told);
        let filter = MethodFilter::try_from(method).unwrap_or(MethodFilter::GET);
        let guard = from_fn_with_state((Arc::clone(&self.service), need), guard);
        self.router = std::mem::take(&mut self.router).route(path, on(filter, handler).route_layer(guard));
    }

    /// The router and its description.
    pub(crate) fn finish(self) -> (Router, Outline) {
        (self.router.with_state(self.service), self.outline)
    }
}
