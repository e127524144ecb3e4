//! Access control. The tests call every route of the OpenAPI description, including new ones.

use crate::fixture::{Fixture, TestResponse, limits};
use axum::body::Body;
use serde_json::Value;
use wayforge_server::{AccessPolicy, Limits};
use wayforge_store::{Access, Id};

/// Returns every route of the description, with its path parameters filled in.
async fn every_route(fixture: &Fixture, guild: &str) -> Vec<(String, String, Value)> {
    let api = fixture.get("/openapi.json").await.expect_status(200).json();
    let mut all = Vec::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let path = path
                .replace("{guild}", guild)
                .replace("{channel}", "c1")
                .replace("{revision}", "1");
            let path = path.replace("{version}", "0").replace("{file}", "main.js");
            assert!(!path.contains('{'), "{path} has an unknown parameter");
            all.push((method.to_uppercase(), path, operation.clone()));
        }
    }
    assert!(all.len() > 70, "{} routes", all.len());
    all
}

async fn request_as(fixture: &Fixture, method: &str, path: &str, secret: &str) -> TestResponse {
    let bearer = format!("Bearer {secret}");
    let headers = [
        ("content-type", "application/json"),
        ("if-match", "\"1\""),
        ("authorization", bearer.as_str()),
    ];
    fixture.request(method, path, &headers, Body::from("{}")).await
}

async fn token(fixture: &Fixture, guild: Option<&str>, access: Access) -> (String, String) {
    let guild: Option<Id> = guild.map(|guild| guild.parse().unwrap());
    let (token, secret) = fixture.store.create_token("test", guild.as_ref(), access).await.unwrap();
    (token.id, secret.reveal().to_owned())
}

/// Returns whether a route belongs to a channel or a guild.
fn is_stored_map_route(path: &str) -> bool {
    path.starts_with("/v1/guilds/") || path.starts_with("/v1/channels")
}

#[tokio::test]
async fn token_of_one_guild_is_rejected_on_every_route_of_another() {
    let fixture = Fixture::with(limits(), AccessPolicy::All).await;
    let (_, all) = token(&fixture, None, Access::Write).await;
    let (_, mine) = token(&fixture, Some("mine"), Access::Write).await;
    let (_, reader) = token(&fixture, Some("theirs"), Access::Read).await;
    let secret = "the seed of theirs";
    let body = format!(r#"{{"family":"act","seed":"{secret}"}}"#);
    let bearer = format!("Bearer {all}");
    let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
    for path in ["/v1/guilds/theirs/channels/c1/map", "/v1/channels/c1/map"] {
        fixture.request("POST", path, &headers, body.clone()).await.expect_status(201);
    }
    let digest = wayforge::Family::Act
        .generate(b"{}", secret.into())
        .unwrap()
        .to_document()
        .digest
        .to_string();
    let (mut protected, mut stored) = (0, 0);
    for (method, path, operation) in every_route(&fixture, "theirs").await {
        let is_protected = !operation["security"].is_null();
        assert_eq!(
            is_protected,
            path.starts_with("/v1/") || path == "/metrics",
            "{path}: description and access differ"
        );
        if !is_protected {
            continue;
        }
        protected += 1;
        // Without a token, and with an invalid one.
        fixture.request(&method, &path, &[], Body::empty()).await.expect_problem(
            401,
            "unauthorized",
            Some("Authorization"),
        );
        request_as(&fixture, &method, &path, "wayforge_made_up").await.expect_problem(
            401,
            "unauthorized",
            Some("Authorization"),
        );
        if !is_stored_map_route(&path) {
            continue;
        }
        stored += 1;
        let response = request_as(&fixture, &method, &path, &mine).await;
        assert!(!String::from_utf8_lossy(&response.body).contains(&digest), "{method} {path}");
        response.expect_problem(403, "forbidden", None);
        // A read token allows no changes, and no guild token grants access to direct messages.
        let response = request_as(&fixture, &method, &path, &reader).await;
        if method == "GET" && path.starts_with("/v1/guilds/theirs") {
            assert!(response.status.is_success(), "{path}: {}", response.status);
        } else {
            response.expect_problem(403, "forbidden", None);
        }
    }
    assert!(protected > 60 && stored > 30, "{protected} {stored}");
    // The other guild's map is unchanged.
    let path = "/v1/guilds/theirs/channels/c1/map";
    for (path, secret) in [(path, &reader), ("/v1/channels/c1/map", &all)] {
        let map = request_as(&fixture, "GET", path, secret).await.expect_status(200).json();
        assert_eq!(map["revision"], 1);
    }
    let history = request_as(&fixture, "GET", &format!("{path}/history"), &all)
        .await
        .expect_status(200)
        .json();
    assert!(history["entries"][0]["actor"].as_str().unwrap().starts_with("token:"));
}

#[tokio::test]
async fn rejects_revoked_tokens_and_other_schemes() {
    let fixture = Fixture::with(limits(), AccessPolicy::All).await;
    let (id, secret) = token(&fixture, Some("mine"), Access::Write).await;
    let path = "/v1/guilds/mine/maps";
    request_as(&fixture, "GET", path, &secret).await.expect_status(200);
    assert!(fixture.store.revoke_token(&id).await.unwrap());
    request_as(&fixture, "GET", path, &secret).await.expect_problem(
        401,
        "unauthorized",
        Some("Authorization"),
    );
    for header in ["Basic abc", "Bearer", "wayforge_x", "Bearer \u{e9}"] {
        let headers = [("authorization", header)];
        let response = fixture.request("GET", path, &headers, Body::empty()).await;
        assert_eq!(response.header("www-authenticate"), "Bearer realm=\"wayforge\"");
        response.expect_problem(401, "unauthorized", Some("Authorization"));
    }
}

#[tokio::test]
async fn stored_maps_policy_allows_public_generation_but_checks_tokens() {
    let fixture = Fixture::with(limits(), AccessPolicy::StoredMaps).await;
    let (_, mine) = token(&fixture, Some("mine"), Access::Read).await;
    fixture.get("/v1/act.svg?seed=1").await.expect_status(200);
    fixture.get("/v1/guilds/mine/maps").await.expect_problem(
        401,
        "unauthorized",
        Some("Authorization"),
    );
    request_as(&fixture, "GET", "/v1/act", "wayforge_made_up").await.expect_problem(
        401,
        "unauthorized",
        Some("Authorization"),
    );
    // A token restricts its caller to its guild even where none is required.
    let open = Fixture::open().await;
    open.get("/v1/guilds/mine/maps").await.expect_status(200);
    let (_, theirs) = token(&open, Some("theirs"), Access::Write).await;
    request_as(&open, "GET", "/v1/guilds/mine/maps", &theirs).await.expect_problem(
        403,
        "forbidden",
        None,
    );
    request_as(&fixture, "GET", "/v1/guilds/mine/maps", &mine).await.expect_status(200);
}

#[tokio::test]
async fn rate_limit_counts_by_token_and_invalid_tokens_by_address() {
    let fixture = Fixture::with(Limits { rate: 1, burst: 3, ..limits() }, AccessPolicy::All).await;
    let (_, one) = token(&fixture, Some("a"), Access::Read).await;
    let (_, other) = token(&fixture, Some("b"), Access::Read).await;
    for _ in 0..3 {
        request_as(&fixture, "GET", "/v1/guilds/a/maps", &one).await.expect_status(200);
    }
    request_as(&fixture, "GET", "/v1/guilds/a/maps", &one).await.expect_problem(
        429,
        "too-many-requests",
        None,
    );
    request_as(&fixture, "GET", "/v1/guilds/b/maps", &other).await.expect_status(200);
    // Invalid tokens count by address.
    for _ in 0..3 {
        request_as(&fixture, "GET", "/v1/guilds/a/maps", "wayforge_guess").await.expect_status(401);
    }
    request_as(&fixture, "GET", "/v1/guilds/a/maps", "wayforge_guess").await.expect_problem(
        429,
        "too-many-requests",
        None,
    );
}

#[tokio::test]
async fn guesses_of_tokens_are_limited_before_they_reach_the_database() {
    let limits = Limits { rate: 1, burst: 20, ..limits() };
    let fixture = Fixture::with(limits, AccessPolicy::All).await;
    let (_, valid) = token(&fixture, None, Access::Read).await;
    let status = async |secret: &str| request_as(&fixture, "GET", "/v1/act", secret).await.status;
    assert_eq!(status(&valid).await, 200);
    // Every look-up fails from here on.
    fixture.store.close().await;
    assert_eq!(status("wayforge_guess").await, 503);
    let mut limited = 0;
    for n in 0..100 {
        limited += usize::from(status(&format!("wayforge_{n}")).await == 429);
    }
    assert!(limited >= 70, "{limited} guesses of 100 were limited");
    assert_eq!(status(&valid).await, 503, "known tokens are still looked up");
}

#[tokio::test]
async fn unknown_secrets_are_looked_up_once() {
    let fixture = Fixture::with(limits(), AccessPolicy::All).await;
    let status = async |secret: &str| request_as(&fixture, "GET", "/v1/act", secret).await.status;
    assert_eq!(status("wayforge_guess").await, 401);
    fixture.store.close().await;
    assert_eq!(status("wayforge_guess").await, 401, "remembered");
}

#[tokio::test]
async fn the_history_names_the_token_beside_the_actor() {
    let fixture = Fixture::with(limits(), AccessPolicy::All).await;
    let (id, secret) = token(&fixture, None, Access::Write).await;
    let bearer = format!("Bearer {secret}");
    let path = "/v1/guilds/g/channels/c/map";
    let mut headers = vec![
        ("content-type", "application/json"),
        ("authorization", bearer.as_str()),
        ("wayforge-actor", "somebody else"),
    ];
    let body = r#"{"family":"act","seed":1}"#;
    fixture.request("POST", path, &headers, body).await.expect_status(201);
    headers.push(("if-match", "\"1\""));
    fixture
        .request("POST", &format!("{path}/move"), &headers, r#"{"move":"2,0"}"#)
        .await
        .expect_status(200);
    let history = fixture.request("GET", &format!("{path}/history"), &headers[..2], "").await;
    let entries = history.expect_status(200).json()["entries"].clone();
    for entry in entries.as_array().unwrap() {
        assert_eq!(
            (&entry["actor"], &entry["token"]),
            (&"somebody else".into(), &id.clone().into())
        );
    }
    assert_eq!(entries.as_array().unwrap().len(), 2);
    // Exports and imports keep it.
    let export = fixture.request("GET", "/v1/guilds/g/export", &headers[..2], "").await;
    assert_eq!(export.text().matches(&id).count(), 2);
    let other = Fixture::with(limits(), AccessPolicy::Open).await;
    let lines = [("content-type", "application/jsonl")];
    other
        .request("POST", "/v1/guilds/g/import", &lines, export.body.clone())
        .await
        .expect_status(200);
    assert_eq!(other.get("/v1/guilds/g/export").await.text(), export.text());
}
