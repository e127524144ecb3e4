//! The routes: each is put in with what it needs and how it is documented, so that none can be served unguarded or untold.

use crate::Service;
use crate::access::{self, Need};
use crate::call::Call;
use crate::openapi::{Operation, Outline};
use crate::problem::{Kind, Problem, carry};
use axum::Router;
use axum::extract::{RawPathParams, Request};
use axum::http::Method;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use std::future::Future;
use std::sync::Arc;

/// What a handler gives.
pub(crate) type Answer = Result<Response, Problem>;

/// Routes under construction.
pub(crate) struct Api {
    service: Arc<Service>,
    router: Router,
    outline: Outline,
}

impl Api {
    pub(crate) fn new(service: Arc<Service>) -> Api {
        Api { service, router: Router::new(), outline: Outline::default() }
    }

    /// Adds a route. Whoever calls it has been let in as `need` says before `handler` sees anything.
    pub(crate) fn on<F, R>(&mut self, method: Method, path: &str, need: Need, told: Operation, handler: F)
    where
        F: Fn(Call) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = Answer> + Send,
    {
        let filter = match method {
            Method::PUT => MethodFilter::PUT,
            Method::POST => MethodFilter::POST,
            Method::DELETE => MethodFilter::DELETE,
            _ => MethodFilter::GET,
        };
        self.outline.add(&method, path, need, told);
        let service = Arc::clone(&self.service);
        let answer = move |params: Result<RawPathParams, _>, request: Request| {
            let (service, handler) = (Arc::clone(&service), handler.clone());
            let params = match params {
                Ok(params) => Ok(params.iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect()),
                Err::<RawPathParams, axum::extract::rejection::RawPathParamsRejection>(_) => {
                    Err(Problem::new(Kind::Parameter, "the path is not readable text"))
                }
            };
            async move {
                let time = service.limits.time;
                let call = async {
                    let call = enter(service, need, params?, request).await?;
                    handler(call).await
                };
                match tokio::time::timeout(time, call).await {
                    Ok(answer) => answer.unwrap_or_else(carry),
                    Err(_) => {
                        let detail = format!("no answer within {} ms; ask for less", time.as_millis());
                        carry(Problem::new(Kind::Timeout, detail))
                    }
                }
            }
        };
        self.router = std::mem::take(&mut self.router).route(path, on(filter, answer));
    }

    /// What is told about the routes, to add schemas to.
    pub(crate) fn outline(&mut self) -> &mut Outline {
        &mut self.outline
    }

    /// The router, and what is told about it.
    pub(crate) fn finish(self) -> (Router, Outline) {
        (self.router, self.outline)
    }
}

/// Lets a request in, or does not.
async fn enter(
    service: Arc<Service>,
    need: Need,
    params: Vec<(String, String)>,
    request: Request,
) -> Result<Call, Problem> {
    let (parts, body) = request.into_parts();
    let caller = access::admit(&service, need, &params, &parts).await?;
    let address = access::address(&service, &parts);
    Ok(Call {
        service,
        address,
        method: parts.method,
        headers: parts.headers,
        caller,
        params,
        query: parts.uri.query().map(str::to_owned),
        body,
    })
}
