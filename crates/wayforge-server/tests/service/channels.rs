//! Maps kept per guild and channel.

use crate::bed::Bed;
use axum::body::Body;
use serde_json::{Value, json};
use wayforge::{Family, Seed};

const MAP: &str = "/v1/guilds/g1/channels/c1/map";

async fn create(bed: &Bed, path: &str, body: &str) -> Value {
    let got = bed.post(path, body).await.is(201);
    let map = got.json();
    assert_eq!(got.header("etag"), format!("\"{}\"", map["revision"]));
    map
}

#[tokio::test]
async fn a_map_is_played_from_new_to_the_boss() {
    let bed = Bed::open().await;
    for (path, guild) in [(MAP, json!("g1")), ("/v1/channels/c1/map", json!(null))] {
        bed.get(path).await.refused(404, "no-map", None);
        let mut map = create(&bed, path, r#"{"family":"act","seed":42}"#).await;
        let document = Family::Act.generate(b"{}", Seed::new(42)).unwrap().to_document();
        assert_eq!((&map["guild"], &map["channel"], &map["revision"]), (&guild, &json!("c1"), &json!(1)));
        assert_eq!(map["document"], serde_json::from_str::<Value>(&document.to_text()).unwrap());
        let mut steps = 0;
        while let Some(step) = map["party"]["moves"][0].as_str() {
            let body = json!({ "move": step }).to_string();
            map = bed
                .change(&format!("{path}/move"), map["revision"].as_u64().unwrap(), &body)
                .await
                .is(200)
                .json();
            steps += 1;
        }
        assert_eq!((steps, &map["party"]["finished"]), (16, &json!(true)));
        assert_eq!(bed.get(path).await.is(200).json(), map);
        let back = bed.change(&format!("{path}/undo"), 17, "").await.is(200).json();
        assert_eq!((&back["revision"], &back["party"]["finished"]), (&json!(18), &json!(false)));
        let reset = bed.change(&format!("{path}/reset"), 18, "").await.is(200).json();
        assert_eq!(reset["party"]["progress"]["path"], json!([]));
        bed.change(&format!("{path}/undo"), 19, "").await.refused(409, "conflict", None);
        let reseeded = bed.change(&format!("{path}/reseed"), 19, r#"{"seed":"new"}"#).await.is(200).json();
        assert_eq!(reseeded["seed"], Seed::from_text("new").to_string());
        let drawn = bed.change(&format!("{path}/reseed"), 20, "").await.is(200).json();
        assert_ne!(drawn["seed"], reseeded["seed"]);
        let gone = bed.ask("DELETE", path, &[("if-match", "\"21\"")], Body::empty()).await.is(204);
        assert!(gone.body.is_empty());
        bed.get(path).await.refused(404, "no-map", None);
        let restored = bed.post(&format!("{path}/restore"), r#"{"revision":17}"#).await.is(200).json();
        assert_eq!((&restored["revision"], &restored["party"]["finished"]), (&json!(23), &json!(true)));
        let former = bed.get(&format!("{path}/history/17")).await.is(200).json();
        assert_eq!(former["party"], restored["party"]);
        bed.get(&format!("{path}/history/99")).await.refused(404, "no-map", None);
        bed.get(&format!("{path}/history/x")).await.refused(400, "parameter", Some("revision"));
        let mut events = Vec::new();
        let mut next = json!(24);
        while let Some(before) = next.as_u64() {
            let page = bed.get(&format!("{path}/history?limit=5&before={before}")).await.is(200).json();
            events.extend(page["entries"].as_array().unwrap().clone());
            next = page["next"].clone();
        }
        assert_eq!(events.len(), 23);
        assert_eq!((&events[0]["event"], &events[0]["detail"]), (&json!("restore"), &json!("17")));
        assert_eq!((&events[1]["event"], &events[1]["digest"]), (&json!("delete"), &json!(null)));
        assert_eq!(events[22]["event"], "create");
        assert!(events.iter().all(|event| event["actor"] == "anonymous"));
    }
}

#[tokio::test]
async fn of_two_moves_one_wins_and_the_other_is_told() {
    let bed = Bed::open().await;
    let map = create(&bed, MAP, r#"{"family":"act","seed":42}"#).await;
    let body = json!({ "move": map["party"]["moves"][0] }).to_string();
    let path = format!("{MAP}/move");
    let (one, other) = tokio::join!(bed.change(&path, 1, &body), bed.change(&path, 1, &body));
    let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
    let won = won.is(200).json();
    assert_eq!(lost.header("etag"), "\"2\"");
    let problem = lost.refused(412, "stale", None);
    assert_eq!(problem["current"], won, "the loser sees what the winner made");
    bed.post(&path, &body).await.refused(428, "unconditional", Some("If-Match"));
    let headers = [("content-type", "application/json"), ("if-match", "seven")];
    bed.ask("POST", &path, &headers, body.clone()).await.refused(400, "parameter", Some("If-Match"));
    let problem = bed.change(&path, 2, r#"{"move":"14,6"}"#).await.refused(422, "illegal-move", Some("move"));
    assert_eq!(problem["legal"], won["party"]["moves"]);
    bed.change(&path, 2, r#"{"move":"north"}"#).await.refused(422, "illegal-move", Some("move"));
    bed.change(&path, 2, r#"{"move":"up"}"#).await.refused(400, "body", Some("move"));
    bed.change("/v1/guilds/g1/channels/none/map/move", 2, &body).await.refused(404, "no-map", None);
    // A map that is there is replaced only by who has seen it.
    let new = r#"{"family":"floor","seed":1}"#;
    bed.post(MAP, new).await.refused(412, "stale", None);
    assert_eq!(bed.change(MAP, 2, new).await.is(200).json()["family"], "floor");
}

#[tokio::test]
async fn all_families_are_kept_and_drawn() {
    let bed = Bed::open().await;
    for family in Family::ALL {
        let path = format!("/v1/guilds/g1/channels/{family}/map");
        let text = family.generate(b"{}", Seed::new(7)).unwrap().to_document().to_text();
        let brought = create(&bed, &path, &format!("{{\"document\":{text}}}")).await;
        let body = format!("{{\"family\":\"{family}\",\"seed\":7,\"config\":{{}}}}");
        let made = create(&bed, &format!("/v1/guilds/g2/channels/{family}/map"), &body).await;
        assert_eq!(brought["document"], made["document"]);
        let mut before = Vec::new();
        for (suffix, start) in [("svg", &b"<svg "[..]), ("png", b"\x89PNG"), ("txt", b""), ("json", b"{")] {
            let got = bed.get(&format!("{path}.{suffix}?scale=20")).await.is(200);
            assert!(got.body.starts_with(start) && got.body.len() > 20, "{family}.{suffix}");
            assert_eq!(got.header("cache-control"), "private, no-cache");
            let tag = got.header("etag").to_owned();
            let url = format!("{path}.{suffix}?scale=20");
            bed.ask("GET", &url, &[("if-none-match", &tag)], Body::empty()).await.is(304);
            before.push((url, tag, got.body));
        }
        let Some(step) = brought["party"]["moves"][0].as_str() else {
            assert_eq!(family, Family::Level);
            let got = bed.change(&format!("{path}/move"), 1, r#"{"move":"boss"}"#).await;
            got.refused(409, "conflict", None);
            continue;
        };
        bed.change(&format!("{path}/move"), 1, &json!({ "move": step }).to_string()).await.is(200);
        for (url, tag, body) in before {
            let got = bed.ask("GET", &url, &[("if-none-match", &tag)], Body::empty()).await.is(200);
            assert!(got.body != body, "{url} shows the party where it was");
        }
    }
}

#[tokio::test]
async fn fog_and_actors() {
    let bed = Bed::open().await;
    let map = create(&bed, MAP, r#"{"family":"act","seed":42,"fog":2}"#).await;
    assert_eq!(map["party"]["progress"]["fog"], 2);
    bed.post("/v1/guilds/g1/channels/x/map", r#"{"family":"floor","fog":2}"#).await.refused(
        422,
        "config",
        Some("fog"),
    );
    let headers = [("if-match", "\"1\""), ("wayforge-actor", "discord:42")];
    bed.ask("POST", &format!("{MAP}/reset"), &headers, Body::empty()).await.is(200);
    let history = bed.get(&format!("{MAP}/history?limit=1")).await.is(200).json();
    assert_eq!((&history["entries"][0]["actor"], &history["next"]), (&json!("discord:42"), &json!(2)));
    let long = "x".repeat(129);
    let headers = [("if-match", "\"2\""), ("wayforge-actor", long.as_str())];
    let got = bed.ask("POST", &format!("{MAP}/reset"), &headers, Body::empty()).await;
    got.refused(400, "parameter", Some("Wayforge-Actor"));
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused_with_its_field() {
    let bed = Bed::open().await;
    for (body, status, kind, field) in [
        ("{}", 400, "body", "family"),
        (r#"{"family":"maze"}"#, 400, "body", "family"),
        (r#"{"family":"act","config":{"rows":0}}"#, 422, "config", "config.rows"),
        (r#"{"family":"level","config":{"width":40000,"height":25000}}"#, 422, "limit", "config.width"),
        (r#"{"document":{"format":"wayforge/9"}}"#, 422, "config", "document.algorithm"),
        (r#"{"document":{},"seed":1}"#, 400, "body", "seed"),
    ] {
        let problem = bed.post(MAP, body).await;
        let found = problem.json()["field"].clone();
        assert!(found == field || body.contains("wayforge/9"), "{body}: {found}");
        assert_eq!(problem.status, status, "{body}");
        assert_eq!(problem.json()["type"], format!("/docs#problem-{kind}"));
    }
    let text = Family::Act
        .generate(b"{}", Seed::new(7))
        .unwrap()
        .to_document()
        .to_text()
        .replace("\"row\":3", "\"row\":4");
    bed.post(MAP, &format!("{{\"document\":{text}}}")).await.refused(422, "config", Some("document.digest"));
    let long = "g".repeat(65);
    for guild in [long.as_str(), "a%20b", "%C3%A9", "%FF"] {
        let got = bed.get(&format!("/v1/guilds/{guild}/channels/c/map")).await;
        assert_eq!(got.status, 400, "{guild}");
    }
}

#[tokio::test]
async fn guilds_are_listed_exported_and_imported() {
    let bed = Bed::open().await;
    for n in 0..7 {
        create(
            &bed,
            &format!("/v1/guilds/g1/channels/c{n}/map"),
            &format!(r#"{{"family":"act","seed":{n}}}"#),
        )
        .await;
    }
    create(&bed, "/v1/guilds/g2/channels/c9/map", r#"{"family":"act","seed":9}"#).await;
    let first = bed.get("/v1/guilds/g1/maps?limit=4").await.is(200).json();
    let rest = bed.get("/v1/guilds/g1/maps?limit=4&after=c3").await.is(200).json();
    let channels = |page: &Value| -> Vec<String> {
        page["maps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|map| map["channel"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!((channels(&first).len(), &first["next"]), (4, &json!("c3")));
    assert_eq!((channels(&rest), &rest["next"]), (vec!["c4".into(), "c5".into(), "c6".into()], &json!(null)));
    bed.get("/v1/guilds/g1/maps?limit=0").await.refused(400, "parameter", Some("limit"));
    let export = bed.get("/v1/guilds/g1/export").await.is(200);
    assert_eq!(export.header("content-type"), "application/jsonl");
    assert!(export.text().lines().count() > 3 * 7);
    let other = Bed::open().await;
    let lines = [("content-type", "application/jsonl")];
    let tally = other.ask("POST", "/v1/guilds/g1/import", &lines, export.body.clone()).await.is(200).json();
    assert_eq!((&tally["channels"], &tally["documents"]), (&json!(7), &json!(7)));
    for n in 0..7 {
        let path = format!("/v1/guilds/g1/channels/c{n}/map");
        assert_eq!(other.get(&path).await.is(200).json(), bed.get(&path).await.is(200).json());
    }
    let again = other.ask("POST", "/v1/guilds/g1/import", &lines, export.body.clone()).await;
    assert!(again.status.is_client_error(), "nothing is overwritten");
    bed.ask("POST", "/v1/guilds/g3/import", &lines, "{}").await.refused(422, "config", Some("line"));
    bed.ask("POST", "/v1/guilds/g3/import", &[("content-type", "text/plain")], "{}").await.refused(
        415,
        "media-type",
        Some("Content-Type"),
    );
}
