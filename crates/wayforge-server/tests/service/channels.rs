//! Maps stored per guild and channel.

use crate::fixture::Fixture;
use axum::body::Body;
use serde_json::{Value, json};
use wayforge::{Family, Run, Seed};
use wayforge_server::AccessPolicy;

const MAP: &str = "/v1/guilds/g1/channels/c1/map";

async fn create(fixture: &Fixture, path: &str, body: &str) -> Value {
    let response = fixture.post(path, body).await.expect_status(201);
    let map = response.json();
    assert_eq!(response.header("etag"), format!("\"{}\"", map["revision"]));
    map
}

#[tokio::test]
async fn plays_a_map_to_the_boss_and_uses_its_history() {
    let fixture = Fixture::open().await;
    for (path, guild) in [(MAP, json!("g1")), ("/v1/channels/c1/map", json!(null))] {
        fixture.get(path).await.expect_problem(404, "map-not-found", None);
        let mut map = create(&fixture, path, r#"{"family":"act","seed":42}"#).await;
        let document = Family::Act.generate(b"{}", Seed::new(42)).unwrap().to_document();
        assert_eq!(
            (&map["guild"], &map["channel"], &map["revision"]),
            (&guild, &json!("c1"), &json!(1))
        );
        assert_eq!(map["document"], serde_json::from_str::<Value>(&document.to_text()).unwrap());
        let mut steps = 0;
        while let Some(step) = map["party"]["moves"][0].as_str() {
            let body = json!({ "move": step }).to_string();
            map = fixture
                .change(&format!("{path}/move"), map["revision"].as_u64().unwrap(), &body)
                .await
                .expect_status(200)
                .json();
            steps += 1;
        }
        assert_eq!((steps, &map["party"]["finished"]), (16, &json!(true)));
        assert_eq!(fixture.get(path).await.expect_status(200).json(), map);
        let undone =
            fixture.change(&format!("{path}/undo"), 17, "").await.expect_status(200).json();
        assert_eq!(
            (&undone["revision"], &undone["party"]["finished"]),
            (&json!(18), &json!(false))
        );
        let reset =
            fixture.change(&format!("{path}/reset"), 18, "").await.expect_status(200).json();
        assert_eq!(reset["party"]["progress"]["path"], json!([]));
        fixture.change(&format!("{path}/undo"), 19, "").await.expect_problem(409, "conflict", None);
        let reseeded = fixture
            .change(&format!("{path}/reseed"), 19, r#"{"seed":"new"}"#)
            .await
            .expect_status(200)
            .json();
        assert_eq!(reseeded["seed"], Seed::from_text("new").to_string());
        let random =
            fixture.change(&format!("{path}/reseed"), 20, "").await.expect_status(200).json();
        assert_ne!(random["seed"], reseeded["seed"]);
        let deleted = fixture
            .request("DELETE", path, &[("if-match", "\"21\"")], Body::empty())
            .await
            .expect_status(204);
        assert!(deleted.body.is_empty());
        fixture.get(path).await.expect_problem(404, "map-not-found", None);
        let restored = fixture
            .post(&format!("{path}/restore"), r#"{"revision":17}"#)
            .await
            .expect_status(200)
            .json();
        assert_eq!(
            (&restored["revision"], &restored["party"]["finished"]),
            (&json!(23), &json!(true))
        );
        let earlier = fixture.get(&format!("{path}/history/17")).await.expect_status(200).json();
        assert_eq!(earlier["party"], restored["party"]);
        fixture.get(&format!("{path}/history/99")).await.expect_problem(404, "map-not-found", None);
        fixture.get(&format!("{path}/history/x")).await.expect_problem(
            400,
            "invalid-parameter",
            Some("revision"),
        );
        let mut events = Vec::new();
        let mut next = json!(24);
        while let Some(before) = next.as_u64() {
            let page = fixture
                .get(&format!("{path}/history?limit=5&before={before}"))
                .await
                .expect_status(200)
                .json();
            events.extend(page["entries"].as_array().unwrap().clone());
            next = page["next"].clone();
        }
        assert_eq!(events.len(), 23);
        assert_eq!(
            (&events[0]["event"]["name"], &events[0]["event"]["detail"]),
            (&json!("restore"), &json!("17"))
        );
        assert_eq!(
            (&events[1]["event"]["name"], &events[1]["map"]),
            (&json!("delete"), &json!(null))
        );
        assert_eq!(events[22]["event"]["name"], "create");
        assert!(events.iter().all(|event| event["actor"] == "anonymous"));
    }
}

#[tokio::test]
async fn stores_no_second_map_without_a_revision() {
    let fixture = Fixture::open().await;
    let body = r#"{"family":"act","seed":42}"#;
    let map = create(&fixture, MAP, body).await;
    let restore = format!("{MAP}/restore");
    for (path, body) in [(MAP, body), (restore.as_str(), r#"{"revision":1}"#)] {
        let response = fixture.post(path, body).await;
        assert_eq!(response.header("etag"), "\"1\"");
        let problem = response.expect_problem(412, "precondition-failed", Some("If-Match"));
        assert_eq!(
            problem["detail"],
            "g1/c1: this channel already has a map; to replace it, send If-Match: \"1\""
        );
        assert_eq!(problem["current"], map);
    }
    fixture.change(MAP, 1, body).await.expect_status(200);
}

#[tokio::test]
async fn one_of_two_concurrent_moves_gets_a_revision_conflict() {
    let fixture = Fixture::open().await;
    let map = create(&fixture, MAP, r#"{"family":"act","seed":42}"#).await;
    let body = json!({ "move": map["party"]["moves"][0] }).to_string();
    let path = format!("{MAP}/move");
    let (one, other) =
        tokio::join!(fixture.change(&path, 1, &body), fixture.change(&path, 1, &body));
    let (winner, loser) = if one.status == 200 { (one, other) } else { (other, one) };
    let winner = winner.expect_status(200).json();
    assert_eq!(loser.header("etag"), "\"2\"");
    let problem = loser.expect_problem(412, "precondition-failed", None);
    assert_eq!(problem["current"], winner, "the conflict contains the stored map");
    fixture.post(&path, &body).await.expect_problem(428, "precondition-required", Some("If-Match"));
    let headers = [("content-type", "application/json"), ("if-match", "seven")];
    fixture.request("POST", &path, &headers, body.clone()).await.expect_problem(
        400,
        "invalid-parameter",
        Some("If-Match"),
    );
    let problem = fixture.change(&path, 2, r#"{"move":"14,6"}"#).await.expect_problem(
        422,
        "illegal-move",
        Some("move"),
    );
    assert_eq!(problem["legal"], winner["party"]["moves"]);
    fixture.change(&path, 2, r#"{"move":"north"}"#).await.expect_problem(
        422,
        "illegal-move",
        Some("move"),
    );
    fixture.change(&path, 2, r#"{"move":"up"}"#).await.expect_problem(
        400,
        "invalid-body",
        Some("move"),
    );
    fixture.change("/v1/guilds/g1/channels/none/map/move", 2, &body).await.expect_problem(
        404,
        "map-not-found",
        None,
    );
    // Replacing a map requires its revision.
    let new = r#"{"family":"floor","seed":1}"#;
    fixture.post(MAP, new).await.expect_problem(412, "precondition-failed", Some("If-Match"));
    assert_eq!(fixture.change(MAP, 2, new).await.expect_status(200).json()["family"], "floor");
}

#[tokio::test]
async fn stores_and_draws_all_families() {
    let fixture = Fixture::open().await;
    for family in Family::ALL {
        let path = format!("/v1/guilds/g1/channels/{family}/map");
        let text = family.generate(b"{}", Seed::new(7)).unwrap().to_document().to_text();
        let uploaded = create(&fixture, &path, &format!("{{\"document\":{text}}}")).await;
        let body = format!("{{\"family\":\"{family}\",\"seed\":7,\"config\":{{}}}}");
        let generated =
            create(&fixture, &format!("/v1/guilds/g2/channels/{family}/map"), &body).await;
        assert_eq!(uploaded["document"], generated["document"]);
        let mut before = Vec::new();
        for (suffix, start) in
            [("svg", &b"<svg "[..]), ("png", b"\x89PNG"), ("txt", b""), ("json", b"{")]
        {
            let response =
                fixture.get(&format!("{path}.{suffix}?scale=20")).await.expect_status(200);
            assert!(
                response.body.starts_with(start) && response.body.len() > 20,
                "{family}.{suffix}"
            );
            assert_eq!(response.header("cache-control"), "private, no-cache");
            let etag = response.header("etag").to_owned();
            let url = format!("{path}.{suffix}?scale=20");
            fixture
                .request("GET", &url, &[("if-none-match", &etag)], Body::empty())
                .await
                .expect_status(304);
            before.push((url, etag, response.body));
        }
        let Some(step) = uploaded["party"]["moves"][0].as_str() else {
            assert_eq!(family, Family::Level);
            let response = fixture.change(&format!("{path}/move"), 1, r#"{"move":"boss"}"#).await;
            response.expect_problem(409, "conflict", None);
            continue;
        };
        fixture
            .change(&format!("{path}/move"), 1, &json!({ "move": step }).to_string())
            .await
            .expect_status(200);
        for (url, etag, body) in before {
            let response = fixture
                .request("GET", &url, &[("if-none-match", &etag)], Body::empty())
                .await
                .expect_status(200);
            assert!(response.body != body, "{url} shows an old position of the party");
        }
    }
}

#[tokio::test]
async fn stores_fog_and_actors() {
    let fixture = Fixture::open().await;
    let map = create(&fixture, MAP, r#"{"family":"act","seed":42,"fog":2}"#).await;
    assert_eq!(map["party"]["progress"]["fog"], 2);
    fixture
        .post("/v1/guilds/g1/channels/x/map", r#"{"family":"floor","fog":2}"#)
        .await
        .expect_problem(422, "invalid-config", Some("fog"));
    let headers = [("if-match", "\"1\""), ("wayforge-actor", "discord:42")];
    fixture
        .request("POST", &format!("{MAP}/reset"), &headers, Body::empty())
        .await
        .expect_status(200);
    let history = fixture.get(&format!("{MAP}/history?limit=1")).await.expect_status(200).json();
    assert_eq!(
        (&history["entries"][0]["actor"], &history["next"]),
        (&json!("discord:42"), &json!(2))
    );
    let long = "x".repeat(129);
    let headers = [("if-match", "\"2\""), ("wayforge-actor", long.as_str())];
    let response = fixture.request("POST", &format!("{MAP}/reset"), &headers, Body::empty()).await;
    response.expect_problem(400, "invalid-parameter", Some("Wayforge-Actor"));
}

#[tokio::test]
async fn rejects_invalid_maps_and_names_the_field() {
    let fixture = Fixture::open().await;
    for (body, status, kind, field) in [
        ("{}", 400, "invalid-body", "family"),
        (r#"{"family":"maze"}"#, 400, "invalid-body", "family"),
        (r#"{"family":"act","config":{"rows":0}}"#, 422, "invalid-config", "config.rows"),
        (
            r#"{"family":"level","config":{"width":40000,"height":25000}}"#,
            422,
            "limit-exceeded",
            "config.width",
        ),
        (r#"{"document":{"format":"wayforge/9"}}"#, 422, "invalid-config", "document"),
        (r#"{"document":{},"seed":1}"#, 400, "invalid-body", "seed"),
    ] {
        let problem = fixture.post(MAP, body).await;
        assert_eq!(problem.json()["field"], field, "{body}");
        assert_eq!(problem.status, status, "{body}");
        assert_eq!(problem.json()["type"], format!("/docs#problem-{kind}"));
    }
    let text = Family::Act
        .generate(b"{}", Seed::new(7))
        .unwrap()
        .to_document()
        .to_text()
        .replace("\"row\":3", "\"row\":4");
    fixture.post(MAP, &format!("{{\"document\":{text}}}")).await.expect_problem(
        422,
        "invalid-config",
        Some("document.digest"),
    );
    let long = "g".repeat(65);
    for guild in [long.as_str(), "a%20b", "%C3%A9", "%FF"] {
        let response = fixture.get(&format!("/v1/guilds/{guild}/channels/c/map")).await;
        assert_eq!(response.status, 400, "{guild}");
    }
}

#[tokio::test]
async fn lists_exports_and_imports_guilds() {
    let fixture = Fixture::open().await;
    for n in 0..7 {
        create(
            &fixture,
            &format!("/v1/guilds/g1/channels/c{n}/map"),
            &format!(r#"{{"family":"act","seed":{n}}}"#),
        )
        .await;
    }
    create(&fixture, "/v1/guilds/g2/channels/c9/map", r#"{"family":"act","seed":9}"#).await;
    let first = fixture.get("/v1/guilds/g1/maps?limit=4").await.expect_status(200).json();
    let rest = fixture.get("/v1/guilds/g1/maps?limit=4&after=c3").await.expect_status(200).json();
    let channels = |page: &Value| -> Vec<String> {
        page["maps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|map| map["channel"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!((channels(&first).len(), &first["next"]), (4, &json!("c3")));
    assert_eq!(
        (channels(&rest), &rest["next"]),
        (vec!["c4".into(), "c5".into(), "c6".into()], &json!(null))
    );
    fixture.get("/v1/guilds/g1/maps?limit=0").await.expect_problem(
        400,
        "invalid-parameter",
        Some("limit"),
    );
    let export = fixture.get("/v1/guilds/g1/export").await.expect_status(200);
    assert_eq!(export.header("content-type"), "application/jsonl");
    assert!(export.text().lines().count() > 3 * 7);
    let other = Fixture::open().await;
    let lines = [("content-type", "application/jsonl")];
    let counts = other
        .request("POST", "/v1/guilds/g1/import", &lines, export.body.clone())
        .await
        .expect_status(200)
        .json();
    assert_eq!((&counts["channels"], &counts["documents"]), (&json!(7), &json!(7)));
    for n in 0..7 {
        let path = format!("/v1/guilds/g1/channels/c{n}/map");
        assert_eq!(
            other.get(&path).await.expect_status(200).json(),
            fixture.get(&path).await.expect_status(200).json()
        );
    }
    let repeated = other.request("POST", "/v1/guilds/g1/import", &lines, export.body.clone()).await;
    assert!(repeated.status.is_client_error(), "an import must not overwrite maps");
    fixture.request("POST", "/v1/guilds/g3/import", &lines, "{}").await.expect_problem(
        422,
        "invalid-config",
        Some("line"),
    );
    fixture
        .request("POST", "/v1/guilds/g3/import", &[("content-type", "text/plain")], "{}")
        .await
        .expect_problem(415, "unsupported-media-type", Some("Content-Type"));
}

/// Maps stored under other limits, or by another server.
#[tokio::test]
async fn reseed_and_import_are_limited_like_new_maps() {
    let fixture = Fixture::open().await;
    let path = "/v1/guilds/g1/channels/c1/map";
    fixture.post(path, r#"{"family":"act","seed":1}"#).await.expect_status(201);
    let export = fixture.get("/v1/guilds/g1/export").await.expect_status(200).body;
    let small = wayforge_server::Limits { cells: 50, ..crate::fixture::limits() };
    let other = Fixture::with(small.clone(), AccessPolicy::Open).await;
    let lines = [("content-type", "application/jsonl")];
    let problem = other
        .request("POST", "/v1/guilds/g1/import", &lines, export)
        .await
        .expect_problem(422, "invalid-config", Some("line"));
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("105 cells; at most 50 are allowed"), "{detail}");
    let reopened = fixture.reopen(small).await;
    let problem = reopened.change(&format!("{path}/reseed"), 1, "{}").await;
    problem.expect_problem(422, "limit-exceeded", Some("config.rows"));
    reopened.change(&format!("{path}/undo"), 1, "").await.expect_status(409);
}

#[tokio::test]
async fn if_match_star_means_any_current_map() {
    let fixture = Fixture::open().await;
    let path = "/v1/guilds/g1/channels/c1/map";
    let headers = [("content-type", "application/json"), ("if-match", "*")];
    let body = r#"{"family":"act","seed":1}"#;
    let missing = fixture.request("PUT", path, &headers, body).await;
    missing.expect_problem(412, "precondition-failed", Some("If-Match"));
    fixture.post(path, body).await.expect_status(201);
    let replaced = fixture.request("PUT", path, &headers, body).await.expect_status(200);
    assert_eq!(replaced.header("etag"), "\"2\"");
    let step = r#"{"move":"2,0"}"#;
    fixture.request("POST", &format!("{path}/move"), &headers, step).await.expect_status(200);
    fixture.request("DELETE", path, &headers, "").await.expect_status(204);
    let missing = fixture.request("DELETE", path, &headers, "").await;
    missing.expect_problem(412, "precondition-failed", Some("If-Match"));
}

/// A client can show a stored run and a run of its own with the same code.
#[tokio::test]
async fn stored_maps_and_scenes_describe_a_run_alike() {
    let fixture = Fixture::open().await;
    let none = || json!(null);
    for (family, fog) in [
        (Family::Act, none()),
        (Family::Act, json!(2)),
        (Family::Floor, none()),
        (Family::Tower, none()),
    ] {
        let document = family.generate(b"{}", Seed::new(42)).unwrap().to_document();
        let path = format!("/v1/guilds/g1/channels/{family}-{fog}/map");
        let body = json!({ "family": family, "seed": 42, "config": {} });
        let mut body = body.as_object().unwrap().clone();
        let mut play = serde_json::Map::new();
        if !fog.is_null() {
            body.insert("fog".into(), fog.clone());
            play.insert("fog".into(), fog.clone());
        }
        let mut map = create(&fixture, &path, &Value::from(body).to_string()).await;
        let mut moves = vec![];
        for _ in 0..4 {
            play.insert("moves".into(), json!(moves));
            let body = json!({ "seed": 42, "play": play }).to_string();
            let scene = fixture.post(&format!("/v1/scene/{family}"), &body).await;
            let scene = scene.expect_status(200).json();
            assert_eq!(scene["party"], map["party"], "{family} after {moves:?}");
            // The format of `wayforge play`.
            let progress = scene["party"]["progress"].to_string();
            let run = Run::start(&document).unwrap().resumed(progress.as_bytes()).unwrap();
            assert_eq!(run.is_finished(), scene["party"]["finished"]);
            // Small floors end after a few moves.
            let Some(step) = map["party"]["moves"][0].as_str().map(str::to_owned) else { break };
            let body = json!({ "move": step }).to_string();
            let revision = map["revision"].as_u64().unwrap();
            let changed = fixture.change(&format!("{path}/move"), revision, &body).await;
            map = changed.expect_status(200).json();
            moves.push(step);
        }
    }
}
