//! Registers routes together with their required access and OpenAPI description.

use crate::Service;
use crate::access::{RequiredAccess, authorize};
use crate::cross_origin;
use crate::openapi::{OpenApiBuilder, Operation};
use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, on};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Router under construction.
pub(crate) struct ApiRouter {
    service: Arc<Service>,
    router: Router<Arc<Service>>,
    /// Paths that answer preflight requests.
    cross_origin_paths: BTreeSet<String>,
    /// OpenAPI description of the routes; modules add their schemas to it.
    pub(crate) openapi: OpenApiBuilder,
}

impl ApiRouter {
    pub(crate) fn new(service: Arc<Service>) -> ApiRouter {
        ApiRouter {
            service,
            router: Router::new(),
            cross_origin_paths: BTreeSet::new(),
            openapi: OpenApiBuilder::default(),
        }
    }

    /// Adds a route. The required access is checked before `handler`'s extractors run.
    pub(crate) fn route<H, T>(
        &mut self,
        method: Method,
        path: &str,
        access: RequiredAccess,
        operation: Operation,
        handler: H,
    ) where
        H: Handler<T, Arc<Service>>,
        T: 'static,
    {
        let timeout = (!operation.streams).then_some(self.service.limits.timeout);
        self.openapi.add_operation(&method, path, access, operation);
        let filter = MethodFilter::try_from(method).unwrap_or(MethodFilter::GET);
        let layer = from_fn_with_state((Arc::clone(&self.service), access, timeout), authorize);
        self.router =
            std::mem::take(&mut self.router).route(path, on(filter, handler).route_layer(layer));
        if self.service.is_cross_origin
            && access == RequiredAccess::Token
            && path.starts_with("/v1/")
            && self.cross_origin_paths.insert(path.to_owned())
        {
            let preflight = on(MethodFilter::OPTIONS, cross_origin::preflight);
            self.router = std::mem::take(&mut self.router).route(path, preflight);
        }
    }

    /// Returns the router and its description.
    pub(crate) fn finish(self) -> (Router, OpenApiBuilder) {
        (self.router.with_state(self.service), self.openapi)
    }
}
