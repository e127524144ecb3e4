//! Refusals: every one is a problem that names what was wrong and what would work.

use crate::bed::{Bed, limits};
use axum::body::{Body, Bytes};
use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};
use std::time::Duration;
use wayforge_server::{Guard, Limits};

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn every_rejection_is_a_problem() {
    let bed = Bed::open().await;
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
        let problem = bed.post("/v1/act", body).await.refused(400, "body", Some(field));
        assert_eq!(problem["instance"], "/v1/act");
    }
    // The same number to JSON.
    assert_eq!(bed.post("/v1/act", r#"{"seed": 7.0}"#).await.is(200).header("wayforge-seed"), "7");
    // A negative integer is text, as in the address.
    let text = bed.get("/v1/act?seed=-1").await.is(200).body;
    assert_eq!(bed.post("/v1/act", r#"{"seed": -1}"#).await.is(200).body, text);
    assert_eq!(bed.post("/v1/act", r#"{"seed": -1.0}"#).await.is(200).body, text);
    for (body, field) in [
        (r#"{"config": {"rows": 0}}"#, "config.rows"),
        (r#"{"config": {"ruleset": "magic"}}"#, "config.ruleset"),
        (r#"{"config": {"pins": [{"row": 3, "col": 99}]}}"#, "config.pins[0].col"),
    ] {
        let problem = bed.post("/v1/act", body).await.refused(422, "config", Some(field));
        assert!(problem["value"].is_string() && problem["allowed"].is_string(), "{problem}");
    }
    for (body, field) in [
        (r#"{"config": []}"#, "config"),
        (r#"{"config": null}"#, "config"),
        (r#"{"config": {"rows": "nine"}}"#, "config.rows"),
        (r#"{"config": {"rowz": 9}}"#, "config.rowz"),
        (r#"{"config": {"kinds": {"kinds": [{"name": 1}]}}}"#, "config.kinds.kinds[0].name"),
    ] {
        bed.post("/v1/act", body).await.refused(422, "config", Some(field));
    }
    // The field says where. A line and a column would count from the beginning of the configuration, not of the body.
    let body = "{\"seed\": 1,\n \"config\": {\"rows\": \"nine\"}}";
    let problem = bed.post("/v1/act", body).await.refused(422, "config", Some("config.rows"));
    assert_eq!(problem["detail"], "rows: \"nine\" is not a whole number (use 1 to 4096)");
    // A parameter is read by itself.
    let problem = bed.get("/v1/act?config=%7B%22rows%22:").await.refused(422, "config", Some("config.rows"));
    assert!(problem["detail"].as_str().unwrap().ends_with("at line 1 column 8"), "{problem}");
    // A list is no object, however deep it stands.
    for (path, body, field) in [
        ("act", r#"{"config": {"pins": [[3, 2]]}}"#, "config.pins[0]"),
        ("act", r#"{"config": {"kinds": {"kinds": [["monster"]]}}}"#, "config.kinds.kinds[0]"),
        ("level", r#"{"config": {"blocked": ["OBx", "OBx"]}}"#, "config.blocked"),
        ("level", r#"{"config": {"pitfalls": ["2%", []]}}"#, "config.pitfalls"),
        ("level", r#"{"config": {"pitfalls": {"zones": [[1, 1, 2, 2]]}}}"#, "config.pitfalls.zones[0]"),
        ("tower", r#"{"config": {"floor": [null, null]}}"#, "config.floor"),
        ("tower", r#"{"config": {"boss": ["boss", [], {}]}}"#, "config.boss"),
    ] {
        bed.post(&format!("/v1/{path}"), body).await.refused(422, "config", Some(field));
    }
    bed.post("/v1/routes", r#"{"from": [0, 1]}"#).await.refused(400, "body", Some("from"));
    bed.post("/v1/level", r#"{"config": {"pitfalls": "2%", "puddles": {"amount": 3}, "plants": {}}}"#)
        .await
        .is(200);
    for (query, field) in [
        ("theme=neon", "theme"),
        ("scale=0", "scale"),
        ("scale=1001", "scale"),
        ("seed=1&seed=2", "seed"),
        ("witness=all", "witness"),
        ("x=1", "x"),
    ] {
        bed.get(&format!("/v1/act.svg?{query}")).await.refused(400, "parameter", Some(field));
    }
    bed.get("/v1/act.svg?config=x").await.refused(422, "config", Some("config"));
    bed.get("/v1/nothing").await.refused(404, "not-found", None);
    let got = bed.ask("PATCH", "/v1/act", &[], Body::empty()).await;
    assert_eq!(got.header("allow"), "GET,HEAD,POST");
    got.refused(405, "method", None);
    bed.ask("GET", "/v1/act", &[("accept", "text/html")], Body::empty()).await.refused(
        406,
        "not-acceptable",
        Some("Accept"),
    );
    for kind in ["text/plain", "application/jsonp", ""] {
        let got = bed.ask("POST", "/v1/act", &[("content-type", kind)], "{}").await;
        got.refused(415, "media-type", Some("Content-Type"));
    }
    bed.ask("POST", "/v1/act", &[("content-type", "application/json; charset=utf-8")], "{}").await.is(200);
}

#[tokio::test]
async fn bodies_are_bounded() {
    let bed = Bed::with(Limits { body: 100, ..limits() }, Guard::Open).await;
    let long = format!("{{\"seed\": \"{}\"}}", "x".repeat(100));
    bed.post("/v1/act", &long).await.refused(413, "too-large", Some("Content-Length"));
    // The same without a stated length.
    let chunks = http_body_util::StreamBody::new(Chunks(20));
    let got = bed.ask("POST", "/v1/act", &[JSON], Body::new(chunks)).await;
    got.refused(413, "too-large", Some("Content-Length"));
    bed.post("/v1/act", r#"{"seed": 1}"#).await.is(200);
}

#[tokio::test]
async fn work_is_weighed_before_it_begins() {
    let bed = Bed::open().await;
    for (path, config, field) in [
        ("/v1/level", r#"{"width":40000,"height":25000}"#, "config.width"),
        ("/v1/level", r#"{"width":9223372036854775807,"height":9223372036854775807}"#, "config.width"),
        ("/v1/level", r#"{"width":512,"height":512,"attempts":1000}"#, "config.attempts"),
        ("/v1/act", r#"{"rows":4096,"cols":64,"walks":1024}"#, "config.rows"),
        ("/v1/tower", r#"{"floors":1000,"floor":{"width":64,"height":64}}"#, "config.floors"),
    ] {
        let body = format!("{{\"seed\":1,\"config\":{config}}}");
        bed.post(path, &body).await.refused(422, "limit", Some(field));
    }
    let metrics = bed.get("/metrics").await.is(200);
    assert!(metrics.text().contains("\nwayforge_maps_made_total 0\n"), "{}", metrics.text());
    // The same inside documents and in pictures.
    let text = wayforge::Family::Act
        .generate(br#"{"rows":40,"cols":30}"#, wayforge::Seed::new(1))
        .unwrap()
        .to_document()
        .to_text();
    let narrow = Bed::with(Limits { cells: 1000, pixels: 10_000, ..limits() }, Guard::Open).await;
    narrow.post("/v1/validate", &text).await.refused(422, "limit", Some("config.rows"));
    narrow.post("/v1/routes", &format!("{{\"document\":{text}}}")).await.refused(
        422,
        "limit",
        Some("document.config.rows"),
    );
    for path in ["/v1/act.png", "/v1/floor.png", "/v1/level.png?witness=car", "/v1/tower.png"] {
        let got = narrow.post(path, r#"{"seed":1}"#).await;
        if path.contains("level") {
            got.refused(422, "limit", Some("config.width"));
        } else {
            got.refused(422, "limit", Some("scale"));
        }
    }
}

/// The clock stands still unless everything waits; then it goes on to the next deadline.
#[tokio::test]
async fn time_is_bounded() {
    let bed = Bed::with(Limits { time: Duration::from_millis(40), ..limits() }, Guard::Open).await;
    // Another writer holds the database, for longer than the request has.
    let mut other = SqliteConnectOptions::new().filename(&bed.file).connect().await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    tokio::time::pause();
    let body = Body::new(http_body_util::StreamBody::new(Never));
    bed.ask("POST", "/v1/act", &[JSON], body).await.refused(408, "slow-body", None);
    let path = "/v1/guilds/g/channels/c/map";
    bed.post(path, r#"{"family":"act","seed":1}"#).await.refused(503, "timeout", None);
}

#[tokio::test]
async fn a_client_that_asks_too_often_is_told_when_to_come_back() {
    let bed = Bed::with(Limits { rate: 1, burst: 5, ..limits() }, Guard::Open).await;
    for _ in 0..5 {
        bed.get("/v1/act?seed=1").await.is(200);
    }
    let got = bed.get("/v1/act?seed=1").await;
    assert_eq!(got.header("retry-after"), "1");
    got.refused(429, "too-many", None);
    bed.get("/healthz").await.is(200);
}

#[tokio::test]
async fn the_servers_own_pages() {
    let bed = Bed::open().await;
    assert_eq!(bed.get("/healthz").await.is(200).text(), "ok\n");
    assert_eq!(bed.get("/readyz").await.is(200).text(), "ready\n");
    bed.get("/v1/act?seed=1").await.is(200);
    let metrics = bed.get("/metrics").await.is(200);
    let line = "wayforge_request_seconds_count{route=\"/v1/act\",method=\"GET\",status=\"200\"} 1";
    assert!(metrics.text().lines().any(|found| found == line), "{}", metrics.text());
    for (path, kind) in
        [("/docs", "text/html"), ("/docs/page.js", "text/javascript"), ("/docs/page.css", "text/css")]
    {
        let page = bed.get(path).await.is(200);
        assert!(page.header("content-type").starts_with(kind) && page.body.len() > 500);
        assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
        assert!(
            !page.text().contains("http://") && !page.text().contains("https://"),
            "nothing from outside"
        );
        assert_eq!(page.header("x-content-type-options"), "nosniff");
    }
    bed.store.close().await;
    bed.get("/readyz").await.refused(503, "unavailable", None);
    bed.get("/healthz").await.is(200);
}

/// So many chunks of ten bytes.
struct Chunks(usize);

/// A body that never comes.
struct Never;

type Frame = Result<hyper::body::Frame<Bytes>, std::io::Error>;

impl futures_core::Stream for Chunks {
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

impl futures_core::Stream for Never {
    type Item = Frame;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Frame>> {
        std::task::Poll::Pending
    }
}
