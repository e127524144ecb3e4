//! Service with its own database, and helpers for requests.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tower::ServiceExt;
use wayforge_server::{AccessPolicy, Limits, Service, app};
use wayforge_store::Store;

pub(crate) struct Fixture {
    pub(crate) app: Router,
    pub(crate) store: Arc<Store>,
    /// SQLite file.
    pub(crate) file: PathBuf,
    _folder: TempDir,
}

/// Received response.
pub(crate) struct TestResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Returns limits that no test reaches by accident.
pub(crate) fn limits() -> Limits {
    // Long, because a busy machine is slow.
    let timeout = Duration::from_secs(120);
    Limits { rate: 0, guild_rate: 0, timeout, ..Limits::default() }
}

impl Fixture {
    pub(crate) async fn open() -> Fixture {
        Fixture::with(limits(), AccessPolicy::Open).await
    }

    pub(crate) async fn with(limits: Limits, access: AccessPolicy) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("maps.db");
        let store = wayforge_store::open(&format!("sqlite:{}", file.display())).await.unwrap();
        let app = app(Service::new(Arc::clone(&store), limits, access));
        Fixture { app, store, file, _folder: folder }
    }

    /// Opens another service on the same database.
    pub(crate) async fn reopen(&self, limits: Limits) -> Fixture {
        let file = self.file.clone();
        let store = wayforge_store::open(&format!("sqlite:{}", file.display())).await.unwrap();
        let app = app(Service::new(Arc::clone(&store), limits, AccessPolicy::Open));
        Fixture { app, store, file, _folder: tempfile::tempdir().unwrap() }
    }

    /// Sends a request with headers and a body.
    pub(crate) async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> TestResponse {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.app.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        TestResponse { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, path: &str) -> TestResponse {
        self.request("GET", path, &[], Body::empty()).await
    }

    /// Posts JSON.
    pub(crate) async fn post(&self, path: &str, json: &str) -> TestResponse {
        self.request("POST", path, &[("content-type", "application/json")], json.to_owned()).await
    }

    /// Posts JSON with `If-Match`.
    pub(crate) async fn change(&self, path: &str, revision: u64, json: &str) -> TestResponse {
        let tag = format!("\"{revision}\"");
        let headers = [("content-type", "application/json"), ("if-match", tag.as_str())];
        self.request("POST", path, &headers, json.to_owned()).await
    }
}

impl TestResponse {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .unwrap_or_else(|| panic!("no {name}: {:?}", self.headers))
            .to_str()
            .unwrap()
    }

    /// Asserts the status.
    #[track_caller]
    pub(crate) fn expect_status(self, status: u16) -> TestResponse {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// Asserts the status, kind and field of a problem document, and returns it.
    #[track_caller]
    pub(crate) fn expect_problem(self, status: u16, kind: &str, field: Option<&str>) -> Value {
        let response = self.expect_status(status);
        assert_eq!(response.header("content-type"), "application/problem+json");
        assert_eq!(response.header("cache-control"), "no-store");
        let problem = response.json();
        assert_eq!(problem["type"], format!("/docs#problem-{kind}"), "{problem}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem.get("field").and_then(Value::as_str), field, "{problem}");
        for member in ["title", "detail", "instance"] {
            assert!(
                problem[member].as_str().is_some_and(|text| !text.is_empty()),
                "{member}: {problem}"
            );
        }
        problem
    }
}
