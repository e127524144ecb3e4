//! Tokens: every route is asked by those who may not, found in the description so that a new route cannot be forgotten.

use crate::bed::{Bed, Got, limits};
use axum::body::Body;
use serde_json::Value;
use wayforge_server::{Guard, Limits};
use wayforge_store::{Access, Id};

/// Every route of the description with its ids filled in.
async fn every_route(bed: &Bed, guild: &str) -> Vec<(String, String, Value)> {
    let api = bed.get("/openapi.json").await.is(200).json();
    let mut all = Vec::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let path = path.replace("{guild}", guild).replace("{channel}", "c1").replace("{revision}", "1");
            let path = path.replace("{version}", "0").replace("{file}", "main.js");
            assert!(!path.contains('{'), "{path} has a part that this test does not know");
            all.push((method.to_uppercase(), path, operation.clone()));
        }
    }
    assert!(all.len() > 70, "{} routes", all.len());
    all
}

async fn ask(bed: &Bed, method: &str, path: &str, secret: &str) -> Got {
    let bearer = format!("Bearer {secret}");
    let headers =
        [("content-type", "application/json"), ("if-match", "\"1\""), ("authorization", bearer.as_str())];
    bed.ask(method, path, &headers, Body::from("{}")).await
}

async fn token(bed: &Bed, guild: Option<&str>, access: Access) -> (String, String) {
    let guild: Option<Id> = guild.map(|guild| guild.parse().unwrap());
    let (token, secret) = bed.store.create_token("test", guild.as_ref(), access).await.unwrap();
    (token.id, secret.reveal().to_owned())
}

/// Whether a route is about a channel or a guild, by its path alone.
fn is_kept(path: &str) -> bool {
    path.starts_with("/v1/guilds/") || path.starts_with("/v1/channels")
}

#[tokio::test]
async fn one_guilds_token_never_opens_another_guild_on_any_route() {
    let bed = Bed::with(limits(), Guard::All).await;
    let (_, all) = token(&bed, None, Access::Write).await;
    let (_, mine) = token(&bed, Some("mine"), Access::Write).await;
    let (_, reader) = token(&bed, Some("theirs"), Access::Read).await;
    let secret = "the seed of theirs";
    let body = format!(r#"{{"family":"act","seed":"{secret}"}}"#);
    let bearer = format!("Bearer {all}");
    let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
    for path in ["/v1/guilds/theirs/channels/c1/map", "/v1/channels/c1/map"] {
        bed.ask("POST", path, &headers, body.clone()).await.is(201);
    }
    let digest =
        wayforge::Family::Act.generate(b"{}", secret.into()).unwrap().to_document().digest.to_string();
    let (mut guarded, mut kept) = (0, 0);
    for (method, path, operation) in every_route(&bed, "theirs").await {
        let guards = !operation["security"].is_null();
        assert_eq!(guards, path.starts_with("/v1/") || path == "/metrics", "{path} is told as it is guarded");
        if !guards {
            continue;
        }
        guarded += 1;
        // Nobody, and who made a secret up.
        bed.ask(&method, &path, &[], Body::empty()).await.refused(401, "unauthorized", Some("Authorization"));
        ask(&bed, &method, &path, "wayforge_made_up").await.refused(
            401,
            "unauthorized",
            Some("Authorization"),
        );
        if !is_kept(&path) {
            continue;
        }
        kept += 1;
        let got = ask(&bed, &method, &path, &mine).await;
        assert!(!String::from_utf8_lossy(&got.body).contains(&digest), "{method} {path}");
        got.refused(403, "forbidden", None);
        // Who may look may not change; and no token of a guild opens direct messages.
        let got = ask(&bed, &method, &path, &reader).await;
        match method == "GET" && path.starts_with("/v1/guilds/theirs") {
            true => assert!(got.status.is_success(), "{path}: {}", got.status),
            false => drop(got.refused(403, "forbidden", None)),
        }
    }
    assert!(guarded > 60 && kept > 30, "{guarded} {kept}");
    // Their map is untouched.
    let path = "/v1/guilds/theirs/channels/c1/map";
    assert_eq!(ask(&bed, "GET", path, &reader).await.is(200).json()["revision"], 1);
    assert_eq!(ask(&bed, "GET", "/v1/channels/c1/map", &all).await.is(200).json()["revision"], 1);
    let history = ask(&bed, "GET", &format!("{path}/history"), &all).await.is(200).json();
    assert!(history["entries"][0]["actor"].as_str().unwrap().starts_with("token:"));
}

#[tokio::test]
async fn a_revoked_token_is_over() {
    let bed = Bed::with(limits(), Guard::All).await;
    let (id, secret) = token(&bed, Some("mine"), Access::Write).await;
    let path = "/v1/guilds/mine/maps";
    ask(&bed, "GET", path, &secret).await.is(200);
    assert!(bed.store.revoke_token(&id).await.unwrap());
    ask(&bed, "GET", path, &secret).await.refused(401, "unauthorized", Some("Authorization"));
    for header in ["Basic abc", "Bearer", "wayforge_x", "Bearer \u{e9}"] {
        let got = bed.ask("GET", path, &[("authorization", header)], Body::empty()).await;
        assert_eq!(got.header("www-authenticate"), "Bearer realm=\"wayforge\"");
        got.refused(401, "unauthorized", Some("Authorization"));
    }
}

#[tokio::test]
async fn maps_that_are_not_kept_may_be_open_and_bad_tokens_never_help() {
    let bed = Bed::with(limits(), Guard::Kept).await;
    let (_, mine) = token(&bed, Some("mine"), Access::Read).await;
    bed.get("/v1/act.svg?seed=1").await.is(200);
    bed.get("/v1/guilds/mine/maps").await.refused(401, "unauthorized", Some("Authorization"));
    ask(&bed, "GET", "/v1/act", "wayforge_made_up").await.refused(401, "unauthorized", Some("Authorization"));
    // Also where no token is needed, one that is presented holds its owner to its guild.
    let open = Bed::open().await;
    open.get("/v1/guilds/mine/maps").await.is(200);
    let (_, theirs) = token(&open, Some("theirs"), Access::Write).await;
    ask(&open, "GET", "/v1/guilds/mine/maps", &theirs).await.refused(403, "forbidden", None);
    ask(&bed, "GET", "/v1/guilds/mine/maps", &mine).await.is(200);
}

#[tokio::test]
async fn clients_are_counted_by_token() {
    let bed = Bed::with(Limits { rate: 1, burst: 3, ..limits() }, Guard::All).await;
    let (_, one) = token(&bed, Some("a"), Access::Read).await;
    let (_, other) = token(&bed, Some("b"), Access::Read).await;
    for _ in 0..3 {
        ask(&bed, "GET", "/v1/guilds/a/maps", &one).await.is(200);
    }
    ask(&bed, "GET", "/v1/guilds/a/maps", &one).await.refused(429, "too-many", None);
    ask(&bed, "GET", "/v1/guilds/b/maps", &other).await.is(200);
    // Guessing is counted by address.
    for _ in 0..3 {
        ask(&bed, "GET", "/v1/guilds/a/maps", "wayforge_guess").await.is(401);
    }
    ask(&bed, "GET", "/v1/guilds/a/maps", "wayforge_guess").await.refused(429, "too-many", None);
}
