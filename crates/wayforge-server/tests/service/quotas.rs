//! Quotas of a guild: requests per second over all tokens, and channels.

use crate::fixture::{Fixture, TestResponse, limits};
use axum::body::Body;
use std::time::Duration;
use wayforge_server::{AccessPolicy, Limits};
use wayforge_store::{Access, Id};

async fn token(fixture: &Fixture, guild: &str) -> String {
    let guild: Id = guild.parse().unwrap();
    let created = fixture.store.create_token("test", Some(&guild), Access::Read).await;
    created.unwrap().1.reveal().to_owned()
}

async fn list(fixture: &Fixture, guild: &str, secret: &str) -> TestResponse {
    let bearer = format!("Bearer {secret}");
    let headers = [("authorization", bearer.as_str())];
    fixture.request("GET", &format!("/v1/guilds/{guild}/maps"), &headers, Body::empty()).await
}

#[tokio::test]
async fn rate_limit_of_a_guild_counts_all_its_tokens_and_nobody_else() {
    let limits = Limits { guild_rate: 1, guild_burst: 4, ..limits() };
    let fixture = Fixture::with(limits, AccessPolicy::All).await;
    let (one, two) = (token(&fixture, "a").await, token(&fixture, "a").await);
    let other = token(&fixture, "b").await;
    // Callers without access to the guild do not use up its limit.
    for _ in 0..10 {
        list(&fixture, "a", &other).await.expect_status(403);
        fixture.get("/v1/guilds/a/maps").await.expect_status(401);
    }
    for _ in 0..2 {
        list(&fixture, "a", &one).await.expect_status(200);
        list(&fixture, "a", &two).await.expect_status(200);
    }
    for secret in [&one, &two] {
        let response = list(&fixture, "a", secret).await;
        assert_eq!(response.header("retry-after"), "1");
        let problem = response.expect_problem(429, "too-many-requests", Some("guild"));
        assert!(problem["detail"].as_str().unwrap().contains("1 requests per second"), "{problem}");
    }
    list(&fixture, "b", &other).await.expect_status(200);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    list(&fixture, "a", &two).await.expect_status(200);
}

#[tokio::test]
async fn rejects_channels_beyond_the_quota_of_a_guild() {
    let fixture = Fixture::with(Limits { guild_channels: 2, ..limits() }, AccessPolicy::Open).await;
    let map = r#"{"family":"act","seed":1}"#;
    let path = |guild: &str, channel: &str| format!("/v1/guilds/{guild}/channels/{channel}/map");
    fixture.post(&path("a", "1"), map).await.expect_status(201);
    fixture.post(&path("a", "2"), map).await.expect_status(201);
    let rejected = fixture.post(&path("a", "3"), map).await;
    let problem = rejected.expect_problem(422, "limit-exceeded", Some("guild"));
    assert_eq!(problem["allowed"], "at most 2 channels");
    assert_eq!(problem["value"], "a");
    assert!(problem["detail"].as_str().unwrap().contains("that had one before"), "{problem}");
    fixture.get(&path("a", "3")).await.expect_status(404);
    fixture.post(&path("b", "3"), map).await.expect_status(201);
    fixture.post("/v1/channels/3/map", map).await.expect_status(201);
    // A deleted map keeps its history, so its channel still counts, and can get a map again.
    let headers = [("if-match", "\"1\"")];
    fixture.request("DELETE", &path("a", "1"), &headers, Body::empty()).await.expect_status(204);
    fixture.post(&path("a", "3"), map).await.expect_status(422);
    fixture.post(&path("a", "1"), map).await.expect_status(201);
    // An import must fit as well.
    let export = fixture.get("/v1/guilds/a/export").await.expect_status(200);
    let lines = [("content-type", "application/jsonl")];
    let full = fixture.reopen(Limits { guild_channels: 1, ..limits() }).await;
    let rejected = full.request("POST", "/v1/guilds/a/import", &lines, export.body.clone()).await;
    let problem = rejected.expect_problem(422, "limit-exceeded", Some("guild"));
    assert!(problem["detail"].as_str().unwrap().contains("the import adds 2"), "{problem}");
}
