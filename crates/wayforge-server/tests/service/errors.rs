//! Error responses: each is an RFC 9457 problem document with field and remedy.

use crate::fixture::{Fixture, limits};
use axum::body::{Body, Bytes};
use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};
use std::time::Duration;
use wayforge_server::{AccessPolicy, Limits};

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn rejects_invalid_requests_with_problem_documents() {
    let fixture = Fixture::open().await;
    for (body, field) in [
        ("{", "body"),
        ("[1, {}]", "body"),
        ("nonsense", "body"),
        (r#"{"seed": 1} x"#, "body"),
        (r#"{"seed": -1.5}"#, "seed"),
        (r#"{"seed": 18446744073709551616}"#, "seed"),
        (r#"{"seed": 1.5}"#, "seed"),
        (r#"{"seed": null}"#, "seed"),
        (r#"{"seeds": 1}"#, "seeds"),
        (r#"{"seed": 1, "seed": 2}"#, "seed"),
    ] {
        let problem =
            fixture.post("/v1/act", body).await.expect_problem(400, "invalid-body", Some(field));
        assert_eq!(problem["instance"], "/v1/act");
    }
    // JSON does not distinguish 7.0 from 7.
    assert_eq!(
        fixture
            .post("/v1/act", r#"{"seed": 7.0}"#)
            .await
            .expect_status(200)
            .header("wayforge-seed"),
        "7"
    );
    // A negative integer is text, as in the query string.
    let text = fixture.get("/v1/act?seed=-1").await.expect_status(200).body;
    assert_eq!(fixture.post("/v1/act", r#"{"seed": -1}"#).await.expect_status(200).body, text);
    assert_eq!(fixture.post("/v1/act", r#"{"seed": -1.0}"#).await.expect_status(200).body, text);
    for (body, field) in [
        (r#"{"config": {"rows": 0}}"#, "config.rows"),
        (r#"{"config": {"ruleset": "magic"}}"#, "config.ruleset"),
        (r#"{"config": {"pins": [{"row": 3, "col": 99}]}}"#, "config.pins[0].col"),
    ] {
        let problem =
            fixture.post("/v1/act", body).await.expect_problem(422, "invalid-config", Some(field));
        assert!(problem["value"].is_string() && problem["allowed"].is_string(), "{problem}");
    }
    for (body, field) in [
        (r#"{"config": []}"#, "config"),
        (r#"{"config": null}"#, "config"),
        (r#"{"config": {"rows": "nine"}}"#, "config.rows"),
        (r#"{"config": {"rowz": 9}}"#, "config.rowz"),
        (r#"{"config": {"kinds": {"kinds": [{"name": 1}]}}}"#, "config.kinds.kinds[0].name"),
    ] {
        fixture.post("/v1/act", body).await.expect_problem(422, "invalid-config", Some(field));
    }
    // Line and column would count from the start of the configuration, so the detail has none.
    let body = "{\"seed\": 1,\n \"config\": {\"rows\": \"nine\"}}";
    let problem = fixture.post("/v1/act", body).await.expect_problem(
        422,
        "invalid-config",
        Some("config.rows"),
    );
    assert_eq!(problem["detail"], "rows: \"nine\" is not a whole number (use 1 to 4096)");
    // A query parameter is parsed separately, so its detail has line and column.
    let problem = fixture.get("/v1/act?config=%7B%22rows%22:").await.expect_problem(
        422,
        "invalid-config",
        Some("config.rows"),
    );
    assert!(problem["detail"].as_str().unwrap().ends_with("at line 1 column 8"), "{problem}");
    // A list in place of an object is rejected at any depth.
    for (path, body, field) in [
        ("act", r#"{"config": {"pins": [[3, 2]]}}"#, "config.pins[0]"),
        ("act", r#"{"config": {"kinds": {"kinds": [["monster"]]}}}"#, "config.kinds.kinds[0]"),
        ("level", r#"{"config": {"blocked": ["OBx", "OBx"]}}"#, "config.blocked"),
        ("level", r#"{"config": {"pitfalls": ["2%", []]}}"#, "config.pitfalls"),
        (
            "level",
            r#"{"config": {"pitfalls": {"zones": [[1, 1, 2, 2]]}}}"#,
            "config.pitfalls.zones[0]",
        ),
        ("tower", r#"{"config": {"floor": [null, null]}}"#, "config.floor"),
        ("tower", r#"{"config": {"boss": ["boss", [], {}]}}"#, "config.boss"),
    ] {
        fixture.post(&format!("/v1/{path}"), body).await.expect_problem(
            422,
            "invalid-config",
            Some(field),
        );
    }
    fixture.post("/v1/routes", r#"{"from": [0, 1]}"#).await.expect_problem(
        400,
        "invalid-body",
        Some("from"),
    );
    fixture
        .post(
            "/v1/level",
            r#"{"config": {"pitfalls": "2%", "puddles": {"amount": 3}, "plants": {}}}"#,
        )
        .await
        .expect_status(200);
    for (query, field) in [
        ("theme=neon", "theme"),
        ("scale=0", "scale"),
        ("scale=1001", "scale"),
        ("seed=1&seed=2", "seed"),
        ("witness=all", "witness"),
        ("x=1", "x"),
    ] {
        fixture.get(&format!("/v1/act.svg?{query}")).await.expect_problem(
            400,
            "invalid-parameter",
            Some(field),
        );
    }
    fixture.get("/v1/act.svg?config=x").await.expect_problem(422, "invalid-config", Some("config"));
    fixture.get("/v1/nothing").await.expect_problem(404, "not-found", None);
    let response = fixture.request("PATCH", "/v1/act", &[], Body::empty()).await;
    assert_eq!(response.header("allow"), "GET,HEAD,POST");
    response.expect_problem(405, "method-not-allowed", None);
    fixture
        .request("GET", "/v1/act", &[("accept", "text/html")], Body::empty())
        .await
        .expect_problem(406, "not-acceptable", Some("Accept"));
    for media in ["text/plain", "application/jsonp", ""] {
        let response = fixture.request("POST", "/v1/act", &[("content-type", media)], "{}").await;
        response.expect_problem(415, "unsupported-media-type", Some("Content-Type"));
    }
    fixture
        .request("POST", "/v1/act", &[("content-type", "application/json; charset=utf-8")], "{}")
        .await
        .expect_status(200);
}

#[tokio::test]
async fn rejects_bodies_above_the_limit() {
    let fixture = Fixture::with(Limits { body: 100, ..limits() }, AccessPolicy::Open).await;
    let long = format!("{{\"seed\": \"{}\"}}", "x".repeat(100));
    fixture.post("/v1/act", &long).await.expect_problem(
        413,
        "content-too-large",
        Some("Content-Length"),
    );
    // Also without `Content-Length`.
    let chunks = http_body_util::StreamBody::new(ChunkedBody(20));
    let response = fixture.request("POST", "/v1/act", &[JSON], Body::new(chunks)).await;
    response.expect_problem(413, "content-too-large", Some("Content-Length"));
    fixture.post("/v1/act", r#"{"seed": 1}"#).await.expect_status(200);
}

#[tokio::test]
async fn rejects_expensive_requests_before_any_work() {
    let fixture = Fixture::open().await;
    for (path, config, field) in [
        ("/v1/level", r#"{"width":40000,"height":25000}"#, "config.width"),
        (
            "/v1/level",
            r#"{"width":9223372036854775807,"height":9223372036854775807}"#,
            "config.width",
        ),
        ("/v1/level", r#"{"width":512,"height":512,"attempts":1000}"#, "config.attempts"),
        ("/v1/act", r#"{"rows":4096,"cols":64,"walks":1024}"#, "config.rows"),
        ("/v1/tower", r#"{"floors":1000,"floor":{"width":64,"height":64}}"#, "config.floors"),
    ] {
        let body = format!("{{\"seed\":1,\"config\":{config}}}");
        fixture.post(path, &body).await.expect_problem(422, "limit-exceeded", Some(field));
    }
    let metrics = fixture.get("/metrics").await.expect_status(200);
    assert!(metrics.text().contains("\nwayforge_maps_generated_total 0\n"), "{}", metrics.text());
    // The limits also apply to documents and pictures.
    let text = wayforge::Family::Act
        .generate(br#"{"rows":40,"cols":30}"#, wayforge::Seed::new(1))
        .unwrap()
        .to_document()
        .to_text();
    let strict =
        Fixture::with(Limits { cells: 1000, pixels: 10_000, ..limits() }, AccessPolicy::Open).await;
    strict.post("/v1/validate", &text).await.expect_problem(
        422,
        "limit-exceeded",
        Some("config.rows"),
    );
    strict.post("/v1/routes", &format!("{{\"document\":{text}}}")).await.expect_problem(
        422,
        "limit-exceeded",
        Some("document.config.rows"),
    );
    for path in ["/v1/act.png", "/v1/floor.png", "/v1/level.png?witness=car", "/v1/tower.png"] {
        let response = strict.post(path, r#"{"seed":1}"#).await;
        if path.contains("level") {
            response.expect_problem(422, "limit-exceeded", Some("config.width"));
        } else {
            response.expect_problem(422, "limit-exceeded", Some("scale"));
        }
    }
}

/// With paused time, tokio advances the clock to the next deadline when all tasks wait.
#[tokio::test]
async fn requests_and_bodies_time_out() {
    let fixture = Fixture::with(
        Limits { timeout: Duration::from_millis(40), ..limits() },
        AccessPolicy::Open,
    )
    .await;
    // Another writer locks the database for longer than the timeout.
    let mut other = SqliteConnectOptions::new().filename(&fixture.file).connect().await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    tokio::time::pause();
    let body = Body::new(http_body_util::StreamBody::new(PendingBody));
    fixture.request("POST", "/v1/act", &[JSON], body).await.expect_problem(
        408,
        "request-timeout",
        None,
    );
    let path = "/v1/guilds/g/channels/c/map";
    fixture.post(path, r#"{"family":"act","seed":1}"#).await.expect_problem(503, "timeout", None);
}

#[tokio::test]
async fn rate_limited_response_has_retry_after() {
    let fixture = Fixture::with(Limits { rate: 1, burst: 5, ..limits() }, AccessPolicy::Open).await;
    // Small act maps are generated on this thread, so tokio never waits and its clock stands still.
    tokio::time::pause();
    for _ in 0..5 {
        fixture.get("/v1/act?seed=1").await.expect_status(200);
    }
    let response = fixture.get("/v1/act?seed=1").await;
    assert_eq!(response.header("retry-after"), "1");
    response.expect_problem(429, "too-many-requests", None);
    tokio::time::advance(Duration::from_secs(1)).await;
    fixture.get("/v1/act?seed=1").await.expect_status(200);
    fixture.get("/v1/act?seed=1").await.expect_problem(429, "too-many-requests", None);
    fixture.get("/healthz").await.expect_status(200);
}

#[tokio::test]
async fn serves_health_readiness_metrics_and_docs() {
    let fixture = Fixture::open().await;
    assert_eq!(fixture.get("/healthz").await.expect_status(200).text(), "ok\n");
    assert_eq!(fixture.get("/readyz").await.expect_status(200).text(), "ready\n");
    fixture.get("/v1/act?seed=1").await.expect_status(200);
    let metrics = fixture.get("/metrics").await.expect_status(200);
    let labels = "{route=\"/v1/act\",method=\"GET\",status=\"200\"}";
    let line = format!("wayforge_request_duration_seconds_count{labels} 1");
    assert!(metrics.text().lines().any(|found| found == line), "{}", metrics.text());
    for (path, kind) in [
        ("/docs", "text/html"),
        ("/docs/page.js", "text/javascript"),
        ("/docs/page.css", "text/css"),
    ] {
        let page = fixture.get(path).await.expect_status(200);
        assert!(page.header("content-type").starts_with(kind) && page.body.len() > 500);
        assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
        assert!(
            !page.text().contains("http://") && !page.text().contains("https://"),
            "external resource"
        );
        assert_eq!(page.header("x-content-type-options"), "nosniff");
    }
    fixture.store.close().await;
    fixture.get("/readyz").await.expect_problem(503, "unavailable", None);
    fixture.get("/healthz").await.expect_status(200);
}

/// Body with this number of chunks of ten bytes.
struct ChunkedBody(usize);

/// Body that never arrives.
struct PendingBody;

type Frame = Result<hyper::body::Frame<Bytes>, std::io::Error>;

impl futures_core::Stream for ChunkedBody {
    type Item = Frame;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Frame>> {
        let left = self.0.checked_sub(1);
        self.0 = left.unwrap_or_default();
        let frame = left.map(|_| Ok(hyper::body::Frame::data(Bytes::from_static(b"          "))));
        std::task::Poll::Ready(frame)
    }
}

impl futures_core::Stream for PendingBody {
    type Item = Frame;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Frame>> {
        std::task::Poll::Pending
    }
}
