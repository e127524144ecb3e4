//! A signed request counts once: who has caught one and sends it again changes nothing, on whichever server.

use crate::bed::{Bed, START, both};
use crate::interaction::{ADA, Place, command, press};
use serde_json::json;
use wayforge_server::discord::{Discord, Settings};
use wayforge_server::{Guard, Limits, Service, app};

both!(a_request_counts_once_on_all_servers);

const PLACE: Place = Place::Guild(1, 2);

async fn a_request_counts_once_on_all_servers(mut bed: Bed) {
    bed.send(&command(ADA, PLACE, "new", &[("seed", json!("42"))])).await;
    for _ in 0..2 {
        let step = bed.map(PLACE).await.unwrap().run().unwrap().moves()[0].to_string();
        bed.send(&command(ADA, PLACE, "move", &[("node", json!(step))])).await;
    }
    let before = bed.map(PLACE).await.unwrap().revision.0;

    // Going back names no revision: twice would be two steps.
    let body = command(ADA, PLACE, "undo", &[]).to_string();
    let signed = bed.sign(START, &body);
    assert_eq!(bed.post(&signed, &body).await, (200, json!({ "type": 5 })));
    assert_eq!(bed.map(PLACE).await.unwrap().revision.0, before + 1);
    let (status, problem) = bed.post(&signed, &body).await;
    assert_eq!(
        (status, &problem["type"], &problem["field"]),
        (401, &json!("/docs#problem-signature"), &json!("id"))
    );

    // Another server over the same database, with the same application.
    let store = wayforge_store::open(&bed.address).await.unwrap();
    let public: String =
        bed.key.verifying_key().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let mut settings = Settings::new(public.parse().unwrap(), crate::interaction::APPLICATION);
    let clock = std::sync::Arc::clone(&bed.clock);
    settings.clock = std::sync::Arc::new(move || {
        let seconds = clock.load(std::sync::atomic::Ordering::Relaxed);
        std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)
    });
    let limits = Limits { rate: 0, ..Limits::default() };
    bed.app = app(Service::new(store, limits, Guard::All).discord(Discord::new(settings).unwrap()));
    assert_eq!(bed.post(&signed, &body).await.0, 401, "the other server knows it too");
    assert_eq!(bed.map(PLACE).await.unwrap().revision.0, before + 1);

    // Looking and pressing are orders as well; a ping changes nothing and may come again.
    for body in [command(ADA, PLACE, "routes", &[]).to_string(), press(ADA, PLACE, "wf1 routes").to_string()]
    {
        let signed = bed.sign(START, &body);
        assert_eq!(bed.post(&signed, &body).await.0, 200);
        assert_eq!(bed.post(&signed, &body).await.0, 401, "{body}");
    }
    let ping = r#"{"type":1}"#;
    for _ in 0..2 {
        assert_eq!(bed.post(&bed.sign(START, ping), ping).await.0, 200);
    }
}
