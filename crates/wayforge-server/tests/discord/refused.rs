//! What is let in and what is not: signatures, timestamps, and interactions that make no sense.

use crate::bed::{Bed, START};
use crate::interaction::{ADA, Place, command, press};
use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

const PLACE: Place = Place::Guild(1, 2);
const PING: &str = r#"{"type":1}"#;

#[track_caller]
fn check_refused((status, problem): (u16, Value), field: &str) {
    assert_eq!((status, &problem["type"]), (401, &json!("/docs#problem-signature")), "{problem}");
    assert_eq!(problem["field"], field, "{problem}");
}

#[tokio::test]
async fn pings_are_answered_and_forgeries_are_not() {
    let mut bed = Bed::sqlite().await;
    let good = bed.sign(START, PING);
    assert_eq!(bed.post(&good, PING).await, (200, json!({ "type": 1 })));
    // As Discord itself tries it when an address is saved: signed by somebody else, altered, or not at all.
    check_refused(bed.post(&good, r#"{"type":1 }"#).await, "x-signature-ed25519");
    check_refused(bed.post(&good[..1], PING).await, "x-signature-timestamp");
    check_refused(bed.post(&good[1..], PING).await, "x-signature-ed25519");
    let mut moved = good.clone();
    moved[1].1 = (START + 1).to_string();
    check_refused(bed.post(&moved, PING).await, "x-signature-ed25519");
    bed.key = SigningKey::from_bytes(&[8; 32]);
    check_refused(bed.post(&bed.sign(START, PING), PING).await, "x-signature-ed25519");
}

/// Whoever tries many signatures has to wait; Discord at the same time does not.
#[tokio::test]
async fn forgers_are_slowed_down() {
    let bed = Bed::limited(wayforge_server::Limits { rate: 1, burst: 3, ..Default::default() }).await;
    let good = bed.sign(START, PING);
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(bed.post(&good, "{}").await.0);
        assert_eq!(bed.post(&good, PING).await.0, 200);
    }
    assert_eq!(answers[..3], [401; 3]);
    assert!(answers[3..].contains(&429), "{answers:?}");
}

#[tokio::test]
async fn the_route_is_told() {
    let bed = Bed::sqlite().await;
    let api = bed.get("/openapi.json").await;
    let told = &api["paths"]["/discord/interactions"]["post"];
    assert!(told["security"].is_null(), "no token of ours: {told}");
    let schema = told["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
    assert!(api.pointer(&schema[1..]).is_some(), "{schema}");
    assert!(["200", "400", "401"].iter().all(|status| told["responses"].get(status).is_some()), "{told}");
}

#[tokio::test]
async fn stale_requests_change_nothing() {
    let bed = Bed::sqlite().await;
    let body = command(ADA, PLACE, "new", &[]).to_string();
    let signed = bed.sign(START, &body);
    for (now, passes) in [(START + 301, false), (START - 301, false), (START + 300, true)] {
        bed.clock.store(now, Ordering::Relaxed);
        let answer = bed.post(&signed, &body).await;
        match passes {
            true => assert_eq!(answer, (200, json!({ "type": 5 }))),
            false => {
                check_refused(answer, "x-signature-timestamp");
                assert!(bed.map(PLACE).await.is_none(), "nothing was made");
            }
        }
    }
    let wide = Bed::with(|settings| settings.window = std::time::Duration::from_secs(1000)).await;
    wide.clock.store(START + 900, Ordering::Relaxed);
    assert_eq!(wide.post(&wide.sign(START, PING), PING).await.0, 200, "the window is a setting");
}

#[tokio::test]
async fn what_is_signed_and_makes_no_sense_is_told() {
    let bed = Bed::sqlite().await;
    for body in ["", "{}", "[]", r#"{"type":"x"}"#, r#"{"type":2}"#, r#"{"type":99}"#] {
        let (status, problem) = bed.post(&bed.sign(START, body), body).await;
        assert_eq!((status, &problem["type"]), (400, &json!("/docs#problem-body")), "{body}: {problem}");
    }
    let mut strange = command(ADA, PLACE, "show", &[]);
    strange["application_id"] = json!("1");
    let mut nobody = command(ADA, PLACE, "show", &[]);
    nobody.as_object_mut().unwrap().remove("member");
    let mut nowhere = command(ADA, PLACE, "show", &[]);
    for member in ["channel", "channel_id"] {
        nowhere.as_object_mut().unwrap().remove(member);
    }
    let mut escaping = command(ADA, PLACE, "show", &[]);
    escaping["token"] = json!("../../applications");
    for (interaction, field) in
        [(strange, "application_id"), (nobody, "user"), (nowhere, "channel"), (escaping, "token")]
    {
        let body = interaction.to_string();
        let (status, problem) = bed.post(&bed.sign(START, &body), &body).await;
        assert_eq!((status, &problem["field"]), (400, &json!(field)), "{problem}");
    }
    // What another version of the commands or buttons would send is told to the user alone.
    assert!(bed.told(command(ADA, PLACE, "fly", &[])).await.contains("`/map fly`"));
    assert!(bed.told(command(ADA, PLACE, "show", &[("size", json!(3))])).await.contains("`size`"));
    assert!(bed.told(press(ADA, PLACE, "wf9 jump")).await.contains("another version"));
    assert!(bed.told(press(ADA, PLACE, "wf1 move 1 0,1")).await.starts_with("This channel has no map yet"));
    for (options, told) in [
        (vec![("rows", json!(41))], "`rows`: 41 is out of range; use 2 to 40."),
        (vec![("fog", json!(0))], "`fog`: 0 is out of range; use 1 to 40."),
        (vec![("act", json!(2))], "`act`: walks has no such option; use it with spire."),
        (vec![("ruleset", json!("maze"))], "`ruleset`: no such ruleset; use walks, rows, spire."),
        (vec![("ruleset", json!("spire")), ("seed", json!("é"))], "`seed`: "),
        (
            vec![("cols", json!(2)), ("walks", json!(40)), ("seed", json!("x".repeat(101)))],
            "`seed`: use at most 100 characters.",
        ),
    ] {
        let said = bed.told(command(ADA, PLACE, "new", &options)).await;
        assert!(said.starts_with(told), "{said}");
    }
    assert!(bed.map(PLACE).await.is_none());
}

/// Names that are odd are no reason to refuse somebody.
#[tokio::test]
async fn odd_names_are_kept_readable() {
    let bed = Bed::sqlite().await;
    let mut made = command(ADA, Place::Direct(5), "new", &[]);
    made["user"]["username"] = json!("a\u{7}d\na é 🗺️");
    bed.shown(made).await;
    let history = bed.store.history(&crate::bed::key(Place::Direct(5)), None, 1).await.unwrap();
    assert_eq!(history.items[0].actor.as_str(), format!("discord:{} ada é 🗺️", ADA.0));
}

#[tokio::test]
async fn without_a_bot_there_is_no_such_route() {
    use tower::ServiceExt;
    let folder = crate::cluster::folder();
    let store = wayforge_store::open(&crate::cluster::file_address(folder.path())).await.unwrap();
    let service = wayforge_server::Service::new(store, Default::default(), wayforge_server::Guard::Open);
    let request =
        axum::http::Request::post("/discord/interactions").body(axum::body::Body::from(PING)).unwrap();
    let response = wayforge_server::app(service).oneshot(request).await.unwrap();
    assert_eq!(response.status(), 404);
}
