//! A service over a database of its own, and how it is asked.

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
use wayforge_server::{Guard, Limits, Service, app};
use wayforge_store::Store;

pub(crate) struct Bed {
    pub(crate) app: Router,
    pub(crate) store: Arc<Store>,
    /// The database.
    pub(crate) file: PathBuf,
    _folder: TempDir,
}

/// An answer.
pub(crate) struct Got {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// No limit that a test meets by chance.
pub(crate) fn limits() -> Limits {
    // A busy machine is slow, which is no fault of the service.
    Limits { rate: 0, time: Duration::from_secs(120), ..Limits::default() }
}

impl Bed {
    pub(crate) async fn open() -> Bed {
        Bed::with(limits(), Guard::Open).await
    }

    pub(crate) async fn with(limits: Limits, guard: Guard) -> Bed {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("maps.db");
        let store = wayforge_store::open(&format!("sqlite:{}", file.display())).await.unwrap();
        let app = app(Service::new(Arc::clone(&store), limits, guard));
        Bed { app, store, file, _folder: folder }
    }

    /// Asks with headers and a body.
    pub(crate) async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Got {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.app.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Got { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, path: &str) -> Got {
        self.ask("GET", path, &[], Body::empty()).await
    }

    /// Asks with JSON.
    pub(crate) async fn post(&self, path: &str, json: &str) -> Got {
        self.ask("POST", path, &[("content-type", "application/json")], json.to_owned()).await
    }

    /// Asks with JSON about a revision.
    pub(crate) async fn change(&self, path: &str, revision: u64, json: &str) -> Got {
        let tag = format!("\"{revision}\"");
        let headers = [("content-type", "application/json"), ("if-match", tag.as_str())];
        self.ask("POST", path, &headers, json.to_owned()).await
    }
}

impl Got {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}: {:?}", self.headers)).to_str().unwrap()
    }

    /// The answer if it is of this status.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Got {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// A refusal: a problem of a kind, about a field.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, kind: &str, field: Option<&str>) -> Value {
        let got = self.is(status);
        assert_eq!(got.header("content-type"), "application/problem+json");
        assert_eq!(got.header("cache-control"), "no-store");
        let problem = got.json();
        assert_eq!(problem["type"], format!("/docs#problem-{kind}"), "{problem}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem.get("field").and_then(Value::as_str), field, "{problem}");
        for member in ["title", "detail", "instance"] {
            assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{member}: {problem}");
        }
        problem
    }
}
