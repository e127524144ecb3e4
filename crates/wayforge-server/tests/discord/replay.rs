//! Replay protection: a signed request is handled once, by all servers together.

use crate::cluster::both;
use crate::fixture::{Fixture, START};
use crate::interaction::{ADA, TestChannel, command, press};
use serde_json::json;
use wayforge_server::discord::{Discord, Settings};
use wayforge_server::{AccessPolicy, Limits, Service, app};

both!(rejects_replayed_requests_on_all_servers);

const CHANNEL: TestChannel = TestChannel::Guild(1, 2);

async fn rejects_replayed_requests_on_all_servers(mut fixture: Fixture) {
    fixture.send(&command(ADA, CHANNEL, "new", &[("seed", json!("42"))])).await;
    for _ in 0..2 {
        let step = fixture.map(CHANNEL).await.unwrap().run().unwrap().moves()[0].to_string();
        fixture.send(&command(ADA, CHANNEL, "move", &[("node", json!(step))])).await;
    }
    let before = fixture.map(CHANNEL).await.unwrap().revision.0;

    // `undo` without a revision would undo two moves if it were handled twice.
    let body = command(ADA, CHANNEL, "undo", &[]).to_string();
    let signed = fixture.sign(START, &body);
    assert_eq!(fixture.post(&signed, &body).await, (200, json!({ "type": 5 })));
    assert_eq!(fixture.map(CHANNEL).await.unwrap().revision.0, before + 1);
    let (status, problem) = fixture.post(&signed, &body).await;
    assert_eq!(
        (status, &problem["type"], &problem["field"]),
        (401, &json!("/docs#problem-invalid-signature"), &json!("id"))
    );

    // Another server with the same database and application.
    let store = wayforge_store::open(&fixture.address).await.unwrap();
    let public: String =
        fixture.key.verifying_key().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let mut settings = Settings::new(public.parse().unwrap(), crate::interaction::APPLICATION);
    let clock = std::sync::Arc::clone(&fixture.clock);
    settings.clock = std::sync::Arc::new(move || {
        let seconds = clock.load(std::sync::atomic::Ordering::Relaxed);
        std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)
    });
    let limits = Limits { rate: 0, ..Limits::default() };
    fixture.app = app(
        Service::new(store, limits, AccessPolicy::All).discord(Discord::new(settings).unwrap())
    );
    assert_eq!(fixture.post(&signed, &body).await.0, 401, "the other server rejects it, too");
    assert_eq!(fixture.map(CHANNEL).await.unwrap().revision.0, before + 1);

    // Read-only commands and buttons are rejected as well; a ping may be repeated.
    for body in [
        command(ADA, CHANNEL, "routes", &[]).to_string(),
        press(ADA, CHANNEL, "wf1 routes").to_string(),
    ] {
        let signed = fixture.sign(START, &body);
        assert_eq!(fixture.post(&signed, &body).await.0, 200);
        assert_eq!(fixture.post(&signed, &body).await.0, 401, "{body}");
    }
    let ping = r#"{"type":1}"#;
    for _ in 0..2 {
        assert_eq!(fixture.post(&fixture.sign(START, ping), ping).await.0, 200);
    }
}
