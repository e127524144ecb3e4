//! Rejected requests: signatures, timestamps, and invalid interactions.

use crate::fixture::{Fixture, START};
use crate::interaction::{ADA, TestChannel, command, press};
use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

const CHANNEL: TestChannel = TestChannel::Guild(1, 2);
const PING: &str = r#"{"type":1}"#;

#[track_caller]
fn check_rejected((status, problem): (u16, Value), field: &str) {
    assert_eq!(
        (status, &problem["type"]),
        (401, &json!("/docs#problem-invalid-signature")),
        "{problem}"
    );
    assert_eq!(problem["field"], field, "{problem}");
}

#[tokio::test]
async fn accepts_signed_pings_and_rejects_invalid_signatures() {
    let mut fixture = Fixture::sqlite().await;
    let good = fixture.sign(START, PING);
    assert_eq!(fixture.post(&good, PING).await, (200, json!({ "type": 1 })));
    // Discord sends such requests when the endpoint is saved: altered, unsigned, or with another
    // key.
    check_rejected(fixture.post(&good, r#"{"type":1 }"#).await, "x-signature-ed25519");
    check_rejected(fixture.post(&good[..1], PING).await, "x-signature-timestamp");
    check_rejected(fixture.post(&good[1..], PING).await, "x-signature-ed25519");
    let mut redated = good.clone();
    redated[1].1 = (START + 1).to_string();
    check_rejected(fixture.post(&redated, PING).await, "x-signature-ed25519");
    fixture.key = SigningKey::from_bytes(&[8; 32]);
    check_rejected(fixture.post(&fixture.sign(START, PING), PING).await, "x-signature-ed25519");
}

#[tokio::test]
async fn rate_limits_invalid_signatures_but_not_valid_ones() {
    let fixture =
        Fixture::with_limits(wayforge_server::Limits { rate: 1, burst: 3, ..Default::default() })
            .await;
    let good = fixture.sign(START, PING);
    let mut statuses = Vec::new();
    for _ in 0..5 {
        statuses.push(fixture.post(&good, "{}").await.0);
        assert_eq!(fixture.post(&good, PING).await.0, 200);
    }
    assert_eq!(statuses[..3], [401; 3]);
    assert!(statuses[3..].contains(&429), "{statuses:?}");
}

#[tokio::test]
async fn openapi_describes_the_endpoint() {
    let fixture = Fixture::sqlite().await;
    let api = fixture.get("/openapi.json").await;
    let operation = &api["paths"]["/discord/interactions"]["post"];
    assert!(operation["security"].is_null(), "requires no token: {operation}");
    let tags = api["tags"].as_array().unwrap();
    assert!(tags.iter().any(|tag| tag["name"] == operation["tags"][0]), "the tag is listed");
    let schema =
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
    assert!(api.pointer(&schema[1..]).is_some(), "{schema}");
    assert!(
        ["200", "400", "401"].iter().all(|status| operation["responses"].get(status).is_some()),
        "{operation}"
    );
}

#[tokio::test]
async fn rejects_timestamps_outside_the_window() {
    let fixture = Fixture::sqlite().await;
    let body = command(ADA, CHANNEL, "new", &[]).to_string();
    let signed = fixture.sign(START, &body);
    for (now, passes) in [(START + 301, false), (START - 301, false), (START + 300, true)] {
        fixture.clock.store(now, Ordering::Relaxed);
        let response = fixture.post(&signed, &body).await;
        if passes {
            assert_eq!(response, (200, json!({ "type": 5 })));
        } else {
            check_rejected(response, "x-signature-timestamp");
            assert!(fixture.map(CHANNEL).await.is_none(), "nothing was created");
        }
    }
    let wide =
        Fixture::with(|settings| settings.timestamp_window = std::time::Duration::from_secs(1000))
            .await;
    wide.clock.store(START + 900, Ordering::Relaxed);
    assert_eq!(wide.post(&wide.sign(START, PING), PING).await.0, 200, "the window is a setting");
}

#[tokio::test]
async fn rejects_signed_but_invalid_interactions() {
    let fixture = Fixture::sqlite().await;
    for body in ["", "{}", "[]", r#"{"type":"x"}"#, r#"{"type":2}"#, r#"{"type":99}"#] {
        let (status, problem) = fixture.post(&fixture.sign(START, body), body).await;
        assert_eq!(
            (status, &problem["type"]),
            (400, &json!("/docs#problem-invalid-body")),
            "{body}: {problem}"
        );
    }
    let mut other_application = command(ADA, CHANNEL, "show", &[]);
    other_application["application_id"] = json!("1");
    let mut without_user = command(ADA, CHANNEL, "show", &[]);
    without_user.as_object_mut().unwrap().remove("member");
    let mut without_channel = command(ADA, CHANNEL, "show", &[]);
    for member in ["channel", "channel_id"] {
        without_channel.as_object_mut().unwrap().remove(member);
    }
    let mut path_traversal = command(ADA, CHANNEL, "show", &[]);
    path_traversal["token"] = json!("../../applications");
    for (interaction, field) in [
        (other_application, "application_id"),
        (without_user, "user"),
        (without_channel, "channel"),
        (path_traversal, "token"),
    ] {
        let body = interaction.to_string();
        let (status, problem) = fixture.post(&fixture.sign(START, &body), &body).await;
        assert_eq!((status, &problem["field"]), (400, &json!(field)), "{problem}");
    }
    // Commands and buttons of another version get a private message.
    assert!(fixture.send_private(command(ADA, CHANNEL, "fly", &[])).await.contains("`/map fly`"));
    assert!(
        fixture
            .send_private(command(ADA, CHANNEL, "show", &[("size", json!(3))]))
            .await
            .contains("`size`")
    );
    assert!(
        fixture.send_private(press(ADA, CHANNEL, "wf9 jump")).await.contains("another version")
    );
    assert!(
        fixture
            .send_private(press(ADA, CHANNEL, "wf1 move 1 0,1"))
            .await
            .starts_with("This channel has no map yet")
    );
    for (options, expected) in [
        (vec![("rows", json!(41))], "`rows`: 41 is out of range; use 2 to 40."),
        (vec![("fog", json!(0))], "`fog`: 0 is out of range; use 1 to 40."),
        (vec![("act", json!(2))], "`act`: not an option of walks; use it with spire."),
        (vec![("ruleset", json!("maze"))], "`ruleset`: unknown; use walks, rows, spire."),
        (vec![("ruleset", json!("spire")), ("seed", json!("é"))], "`seed`: "),
        (
            vec![("cols", json!(2)), ("walks", json!(40)), ("seed", json!("x".repeat(101)))],
            "`seed`: use at most 100 characters.",
        ),
    ] {
        let message = fixture.send_private(command(ADA, CHANNEL, "new", &options)).await;
        assert!(message.starts_with(expected), "{message}");
    }
    assert!(fixture.map(CHANNEL).await.is_none());
}

#[tokio::test]
async fn unusual_user_names_stay_readable_in_the_history() {
    let fixture = Fixture::sqlite().await;
    let mut new_map = command(ADA, TestChannel::Direct(5), "new", &[]);
    new_map["user"]["username"] = json!("a\u{7}d\na é 🗺️");
    fixture.send_public(new_map).await;
    let history =
        fixture.store.history(&crate::fixture::key(TestChannel::Direct(5)), None, 1).await.unwrap();
    assert_eq!(history.items[0].actor.as_str(), format!("discord:{} ada é 🗺️", ADA.0));
}

#[tokio::test]
async fn endpoint_does_not_exist_without_a_bot() {
    use tower::ServiceExt;
    let folder = crate::cluster::folder();
    let store = wayforge_store::open(&crate::cluster::file_address(folder.path())).await.unwrap();
    let service = wayforge_server::Service::new(
        store,
        Default::default(),
        wayforge_server::AccessPolicy::Open,
    );
    let request = axum::http::Request::post("/discord/interactions")
        .body(axum::body::Body::from(PING))
        .unwrap();
    let response = wayforge_server::app(service).oneshot(request).await.unwrap();
    assert_eq!(response.status(), 404);
}
