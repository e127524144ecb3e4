//! The studio's page and the routes that it uses: scenes, rerolls, archipelagos, paths.

use crate::fixture::{Fixture, limits};
use axum::body::Body;
use data_encoding::BASE64;
use serde_json::{Value, json};
use wayforge::metric::{ActMeter, FloorMeter, LevelMeter, Measure, TowerMeter};
use wayforge::{Family, Seed, act, floor, level, tower};
use wayforge_formats::{ContentKind, Format};
use wayforge_server::{AccessPolicy, Limits};

/// Returns the version in the page's URLs.
fn version(page: &str) -> &str {
    let start = page.find("\"studio/").unwrap() + "\"studio/".len();
    &page[start..start + 16]
}

#[tokio::test]
async fn serves_the_page_and_its_files() {
    let fixture = Fixture::with(limits(), AccessPolicy::All).await;
    let page = fixture.get("/").await.expect_status(200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    let version = version(page.text()).to_owned();
    for (name, kind) in [
        ("main.js", "text/javascript; charset=utf-8"),
        ("theme.css", "text/css; charset=utf-8"),
        ("mark.svg", "image/svg+xml"),
        ("serif.ttf", "font/ttf"),
        ("schemas.json", "application/json"),
    ] {
        let path = format!("/studio/{version}/{name}");
        let file = fixture.get(&path).await.expect_status(200);
        assert_eq!(file.header("content-type"), kind);
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
        let etag = file.header("etag").to_owned();
        fixture
            .request("GET", &path, &[("if-none-match", &etag)], Body::empty())
            .await
            .expect_status(304);
    }
    fixture.get(&format!("/studio/{version}/index.rs")).await.expect_problem(
        404,
        "not-found",
        None,
    );
    fixture.get("/studio/0123456789abcdef/main.js").await.expect_problem(404, "not-found", None);
    let etag = page.header("etag").to_owned();
    fixture
        .request("GET", "/", &[("if-none-match", &etag)], Body::empty())
        .await
        .expect_status(304);
    // Every imported module is served.
    let main = fixture.get(&format!("/studio/{version}/main.js")).await.expect_status(200);
    let imports: Vec<&str> =
        main.text().split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(imports.len() > 4);
    for name in imports {
        fixture.get(&format!("/studio/{version}/{name}")).await.expect_status(200);
    }
}

#[tokio::test]
async fn act_map_pictures_have_labels_on_request() {
    let fixture = Fixture::open().await;
    let document = fixture.get("/v1/act?seed=5").await.expect_status(200).json();
    let node = &document["map"]["nodes"][0];
    let label = format!(">{},{}</text>", node["col"], node["row"]);
    let plain = fixture.get("/v1/act.svg?seed=5").await.expect_status(200).text().to_owned();
    let labelled =
        fixture.get("/v1/act.svg?seed=5&labels=true").await.expect_status(200).text().to_owned();
    assert!(labelled.contains(&label) && !plain.contains(&label), "{label}");
    fixture.get("/v1/act.svg?seed=5&labels=yes").await.expect_problem(
        400,
        "invalid-parameter",
        Some("labels"),
    );
    fixture.get("/v1/floor.svg?seed=5&labels=true").await.expect_problem(
        400,
        "invalid-parameter",
        Some("labels"),
    );
}

#[tokio::test]
async fn scenes_equal_the_map_routes_and_contain_a_layout() {
    let fixture = Fixture::open().await;
    for family in Family::ALL {
        let body = json!({ "seed": 5, "theme": "night" });
        let scene = fixture
            .post(&format!("/v1/scene/{family}"), &body.to_string())
            .await
            .expect_status(200)
            .json();
        let document = fixture.get(&format!("/v1/{family}?seed=5")).await.expect_status(200).json();
        assert_eq!(scene["document"], document);
        let picture =
            fixture.get(&format!("/v1/{family}.svg?seed=5&theme=night")).await.expect_status(200);
        assert_eq!(scene["svg"], picture.text());
        let size = format!("width=\"{}\" height=\"{}\"", scene["width"], scene["height"])
            .replace(".0\"", "\"");
        assert!(picture.text().contains(&size), "{family}: {size}");
        assert_eq!(scene["party"], Value::Null);
        assert_eq!(scene["metrics"], library_metrics(family, 5), "{family}");
        let count = |member: &str| scene[member].as_array().unwrap().len();
        match family {
            Family::Act => {
                assert_eq!(count("nodes"), document["map"]["nodes"].as_array().unwrap().len() + 1)
            }
            Family::Tower => assert_eq!(count("grids"), 10),
            Family::Level | Family::Floor => assert_eq!(count("grids"), 1),
        }
    }
}

#[tokio::test]
async fn marks_of_a_level_config_are_metrics() {
    let fixture = Fixture::open().await;
    let body = json!({ "seed": 5, "config": { "marks": [{ "name": "key", "count": 3 }] } });
    let scene = fixture.post("/v1/scene/level", &body.to_string()).await.expect_status(200).json();
    let last = scene["metrics"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["name"], &last["argument"], &last["value"]),
        (&json!("count(key)"), &json!("key"), &json!(3))
    );
}

/// Computes the metrics of a map with the library.
fn library_metrics(family: Family, seed: u64) -> Value {
    let seed = Seed::new(seed);
    json!(match family {
        Family::Act => {
            let map = act::generate(seed, &act::Config::default().resolve().unwrap()).unwrap();
            act::ActMap::catalogue(&map.spec).metric_values(&mut ActMeter::default(), &map)
        }
        Family::Level => {
            let level =
                level::generate(seed, &level::Config::default().resolve().unwrap()).unwrap();
            level::Level::catalogue(&level.spec).metric_values(&mut LevelMeter::default(), &level)
        }
        Family::Floor => {
            let floor =
                floor::generate(seed, &floor::Config::default().resolve().unwrap()).unwrap();
            floor::Floor::catalogue(&floor.spec).metric_values(&mut FloorMeter::default(), &floor)
        }
        Family::Tower => {
            let tower =
                tower::generate(seed, &tower::Config::default().resolve().unwrap()).unwrap();
            tower::Tower::catalogue(&tower.spec).metric_values(&mut TowerMeter::default(), &tower)
        }
    })
}

#[tokio::test]
async fn scenes_replay_moves_and_reject_illegal_ones() {
    let fixture = Fixture::open().await;
    let play =
        |moves: Value| json!({ "seed": 42, "play": { "moves": moves, "fog": 1 } }).to_string();
    let start = fixture.post("/v1/scene/act", &play(json!([]))).await.expect_status(200).json();
    let first = start["party"]["moves"][0].as_str().unwrap().to_owned();
    let hidden = |scene: &Value| {
        scene["nodes"].as_array().unwrap().iter().filter(|n| n["kind"].is_null()).count()
    };
    let next = fixture.post("/v1/scene/act", &play(json!([first]))).await.expect_status(200).json();
    assert!(hidden(&start) > hidden(&next), "a move reveals nodes");
    assert_eq!(next["party"]["finished"], false);
    let mut moves = vec![];
    loop {
        let scene =
            fixture.post("/v1/scene/act", &play(json!(moves))).await.expect_status(200).json();
        if scene["party"]["finished"] == true {
            break;
        }
        moves.push(scene["party"]["moves"][0].clone());
    }
    assert_eq!(moves.last().unwrap(), "boss");
    let problem = fixture.post("/v1/scene/act", &play(json!([first, "7,0"]))).await;
    let problem = problem.expect_problem(422, "illegal-move", Some("play.moves[1]"));
    assert!(!problem["legal"].as_array().unwrap().is_empty());
    fixture.post("/v1/scene/act", &play(json!(["up"]))).await.expect_problem(
        400,
        "invalid-body",
        Some("play.moves[0]"),
    );
    for (family, body, field) in [
        ("level", r#"{"play": {}}"#, "play"),
        ("act", r#"{"witness": "all"}"#, "witness"),
        ("floor", r#"{"witness": "none"}"#, "witness"),
        ("tower", r#"{"play": {"fog": 3}}"#, "play.fog"),
        ("level", r#"{"labels": true}"#, "labels"),
        ("floor", r#"{"labels": false}"#, "labels"),
    ] {
        fixture.post(&format!("/v1/scene/{family}"), body).await.expect_problem(
            422,
            "invalid-config",
            Some(field),
        );
    }
    fixture.post("/v1/scene/act", r#"{"play": {"fog": 65536}}"#).await.expect_problem(
        400,
        "invalid-body",
        Some("play.fog"),
    );
    fixture.post("/v1/scene/act", r#"{"play": {"fog": 65535.0}}"#).await.expect_status(200);
    fixture.post("/v1/scene/act", r#"{"theme":"noon"}"#).await.expect_problem(
        422,
        "invalid-config",
        Some("theme"),
    );
    fixture.post("/v1/scene/act", r#"{"config":{"rows":0}}"#).await.expect_problem(
        422,
        "invalid-config",
        Some("config.rows"),
    );
    let climb =
        fixture.post("/v1/scene/tower", r#"{"seed":3,"play":{}}"#).await.expect_status(200).json();
    assert_eq!(climb["party"]["position"][0], 0);
}

#[tokio::test]
async fn finds_paths_with_search_events() {
    let fixture = Fixture::open().await;
    // ..... / .###. / .....
    let open = BASE64.encode(&0b11111_10001_11111_u16.to_le_bytes());
    let map = json!({ "width": 5, "height": 3, "open": open });
    let query = |method: &str| {
        json!({ "map": map, "sources": [[0, 1]], "targets": [[4, 1]],
        "method": method, "connectivity": "four" })
    };
    for method in
        ["bfs", "mask-f2", "mask-optimal", "components", "restart", "jps", "bidirectional"]
    {
        let response =
            fixture.post("/v1/path", &query(method).to_string()).await.expect_status(200).json();
        assert_eq!(response["path"]["steps"], 6, "{method}");
        assert_eq!(
            (&response["path"]["tiles"][0], &response["path"]["tiles"][6]),
            (&json!([0, 1]), &json!([4, 1]))
        );
        assert_eq!(response["bfs"]["steps"], 6);
        let events = BASE64.decode(response["events"].as_str().unwrap().as_bytes()).unwrap();
        let visits = events.chunks(4).filter(|event| event[3] >> 4 == 0).count() as u64;
        match method {
            "jps" | "bidirectional" => assert!(events.is_empty()),
            _ => assert_eq!(visits, response["stats"]["visited"].as_u64().unwrap(), "{method}"),
        }
    }
    // The only gap in the wall is far away, so corridors must widen or fall back.
    let bits: Vec<u8> = (0..60_usize)
        .flat_map(|y| (0..88_usize).map(move |x| x != 44 || y < 5))
        .collect::<Vec<bool>>()
        .chunks(8)
        .map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)))
        .collect();
    let map = json!({ "width": 88, "height": 60, "open": BASE64.encode(&bits) });
    for (corridor, expansions, fallback) in [
        (json!({ "radius": 30 }), Some(0), false),
        (json!({ "coarse_rule": "components" }), Some(0), false),
        (json!({ "max_expansions": 0 }), Some(0), true),
        (json!({ "factor": 2.0, "max_expansions": 1000 }), None, false),
        (json!({}), None, true),
    ] {
        let body = json!({ "map": map, "sources": [[39, 50]], "targets": [[49, 50]],
            "method": "mask-optimal", "corridor": corridor });
        let counts =
            fixture.post("/v1/path", &body.to_string()).await.expect_status(200).json()["stats"]
                .clone();
        assert_eq!(
            (&counts["steps"], &counts["fallback"]),
            (&94.into(), &fallback.into()),
            "{corridor}"
        );
        let widened = counts["expansions"].as_u64().unwrap();
        assert!(
            expansions.map_or(widened > 0, |expansions| widened == expansions),
            "{corridor}: {counts}"
        );
    }
    let archipelago = fixture
        .post("/v1/archipelago", r#"{"seed":7,"config":{"width":64,"height":40}}"#)
        .await
        .expect_status(200)
        .json();
    let tiles = BASE64.decode(archipelago["tiles"].as_str().unwrap().as_bytes()).unwrap();
    assert_eq!(tiles.len(), 64 * 40);
    let land = tiles.iter().filter(|&&tile| tile == 128).count();
    assert!(land.abs_diff(64 * 40 * 30 / 100) < 60, "{land}");
    // Two disconnected components.
    let disconnected = json!({ "map": { "width": 3, "height": 1, "open": "BQ==" }, "sources": [[0,
        0]], "targets": [[2, 0]] });
    let response =
        fixture.post("/v1/path", &disconnected.to_string()).await.expect_status(200).json();
    assert_eq!((&response["path"], &response["stats"]["steps"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn rejects_invalid_path_queries() {
    let fixture = Fixture::with(Limits { work: 10_000, ..limits() }, AccessPolicy::Open).await;
    let query = |change: Value| {
        let mut body = json!({ "map": { "width": 3, "height": 1, "open": "BQ==" }, "sources": [[0,
            0]], "targets": [[2, 0]] });
        change.as_object().unwrap().iter().for_each(|(key, value)| body[key] = value.clone());
        body.to_string()
    };
    let map =
        |width: u32, open: &str| json!({ "map": { "width": width, "height": 1, "open": open } });
    for (change, kind, field) in [
        (json!({ "sources": [[1, 0]] }), "invalid-config", "sources[0]"),
        (json!({ "targets": [[9, 0]] }), "invalid-config", "targets[0]"),
        (json!({ "targets": [] }), "invalid-config", "targets"),
        (json!({ "method": "magic" }), "invalid-config", "method"),
        (json!({ "corridor": { "factor": 0 } }), "invalid-config", "corridor.factor"),
        (json!({ "corridor": { "radius": 1025 } }), "invalid-config", "corridor.radius"),
        (
            json!({ "corridor": { "max_expansions": 5000 } }),
            "invalid-config",
            "corridor.max_expansions",
        ),
        (
            json!({ "corridor": { "coarse_rule": "cells" } }),
            "invalid-config",
            "corridor.coarse_rule",
        ),
        (
            json!({ "corridor": { "factor": 2 }, "method": "bfs" }),
            "invalid-config",
            "corridor.factor",
        ),
        (json!({ "seed": 1 }), "invalid-config", "map"),
        (map(3, "?"), "invalid-config", "map.open"),
        (map(3, "BQUF"), "invalid-config", "map.open"),
        (map(0, ""), "invalid-config", "map.width"),
        (map(16_384, "BQ=="), "limit-exceeded", "map.width"),
        (json!({ "sources": vec![[0, 0]; 4097] }), "limit-exceeded", "sources"),
    ] {
        fixture.post("/v1/path", &query(change.clone())).await.expect_problem(
            422,
            kind,
            Some(field),
        );
    }
    fixture.post("/v1/archipelago", r#"{"config":{"land":101}}"#).await.expect_problem(
        422,
        "invalid-config",
        Some("config.land"),
    );
    fixture.post("/v1/archipelago", r#"{"config":{"width":9999}}"#).await.expect_problem(
        422,
        "limit-exceeded",
        Some("config.width"),
    );
    fixture.post("/v1/path", "{}").await.expect_problem(400, "invalid-body", Some("sources"));
    let large_grid = |corridor: Value| {
        json!({ "seed": 1, "config": { "width": 100, "height": 50 }, "sources": [[0, 0]],
            "targets": [[0, 0]], "corridor": corridor })
        .to_string()
    };
    fixture.post("/v1/path", &large_grid(json!({ "factor": 1 }))).await.expect_problem(
        422,
        "limit-exceeded",
        Some("corridor.factor"),
    );
    fixture.post("/v1/path", &large_grid(json!({ "height": 1 }))).await.expect_problem(
        400,
        "invalid-body",
        Some("corridor.height"),
    );
}

#[tokio::test]
async fn studio_requests_and_responses_match_their_schemas() {
    let fixture = Fixture::open().await;
    let api = fixture.get("/openapi.json").await.expect_status(200).json();
    let check = |name: &str, value: &Value| {
        let mut schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        schema["components"] = api["components"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        if let Err(error) = validator.validate(value) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
    };
    for (family, title) in
        [("act", "Act"), ("level", "Level"), ("floor", "Floor"), ("tower", "Tower")]
    {
        let mut body = json!({ "seed": 3, "config": {}, "theme": "parchment" });
        if family == "level" {
            body["witness"] = "all".into();
        }
        check(&format!("{title}SceneRequest"), &body);
        check(
            "MapScene",
            &fixture
                .post(&format!("/v1/scene/{family}"), &body.to_string())
                .await
                .expect_status(200)
                .json(),
        );
    }
    let labelled = json!({ "seed": 3, "labels": true });
    check("ActSceneRequest", &labelled);
    let scene =
        fixture.post("/v1/scene/act", &labelled.to_string()).await.expect_status(200).json();
    let plain = fixture
        .post("/v1/scene/act", r#"{"seed": 3, "labels": false}"#)
        .await
        .expect_status(200)
        .json();
    // Labels change the picture only, not the layout.
    let picture =
        fixture.get("/v1/act.svg?seed=3&labels=true").await.expect_status(200).text().to_owned();
    assert_eq!(scene["svg"].as_str().unwrap(), picture);
    assert_ne!(scene["svg"], plain["svg"]);
    assert_eq!((&scene["nodes"], &scene["document"]), (&plain["nodes"], &plain["document"]));
    let played = json!({ "seed": 3, "play": { "moves": [], "fog": 2 } });
    check("ActSceneRequest", &played);
    check(
        "MapScene",
        &fixture.post("/v1/scene/act", &played.to_string()).await.expect_status(200).json(),
    );
    let archipelago = json!({ "seed": 7, "config": { "width": 30, "height": 20, "scale": 8 } });
    check("ArchipelagoRequest", &archipelago);
    check(
        "ArchipelagoResponse",
        &fixture.post("/v1/archipelago", &archipelago.to_string()).await.expect_status(200).json(),
    );
    let query = json!({ "map": { "width": 3, "height": 1, "open": "Bw==" }, "sources": [[0, 0]],
        "targets": [[2, 0]], "method": "mask-f1", "connectivity": "eight",
        "corridor": { "factor": 2, "radius": 0, "max_expansions": 3, "coarse_rule": "any-tile" } });
    check("PathRequest", &query);
    check(
        "PathResponse",
        &fixture.post("/v1/path", &query.to_string()).await.expect_status(200).json(),
    );
    let pins = json!({ "seed": 3, "config": { "ruleset": "rows" }, "pins": [{ "row": 4, "col": 3,
        "kind": "monster" }] });
    check("ActRerollRequest", &pins);
    check(
        "RerollResponse",
        &fixture.post("/v1/reroll/act", &pins.to_string()).await.expect_status(200).json(),
    );
    let pins = json!({ "seed": 3, "pins": [{ "floor": 1, "x": 0, "y": 0, "symbol": "#" }] });
    check("TowerRerollRequest", &pins);
    check(
        "RerollResponse",
        &fixture.post("/v1/reroll/tower", &pins.to_string()).await.expect_status(200).json(),
    );
}

#[tokio::test]
async fn rerolled_maps_contain_all_pins() {
    let fixture = Fixture::open().await;
    for ruleset in ["rows", "spire"] {
        let config = json!({ "ruleset": ruleset });
        let first = fixture
            .post("/v1/act", &json!({ "seed": 5, "config": config }).to_string())
            .await
            .expect_status(200)
            .json();
        let nodes = first["map"]["nodes"].as_array().unwrap();
        let pins: Vec<Value> =
            [nodes.len() / 3, nodes.len() / 2].map(|at| nodes[at].clone()).into();
        let body = json!({ "seed": 900, "config": config, "pins": pins });
        let found =
            fixture.post("/v1/reroll/act", &body.to_string()).await.expect_status(200).json();
        let seed = found["seed"].as_str().unwrap().to_owned();
        assert_eq!(seed.parse::<u64>().unwrap(), 899 + found["tried"].as_u64().unwrap());
        let map = fixture
            .post("/v1/act", &json!({ "seed": seed, "config": config }).to_string())
            .await
            .expect_status(200)
            .json();
        for pin in &pins {
            assert!(map["map"]["nodes"].as_array().unwrap().contains(pin), "{ruleset}: {pin}");
        }
    }
    let body = json!({ "seed": 1, "pins": [{ "floor": 3, "x": 2, "y": 2, "symbol": "#" }] });
    let found = fixture.post("/v1/reroll/tower", &body.to_string()).await.expect_status(200).json();
    let tower = fixture
        .get(&format!("/v1/tower?seed={}", found["seed"].as_str().unwrap()))
        .await
        .expect_status(200)
        .json();
    let tiles = tower["map"]["floors"][2]["tiles"].as_array().unwrap();
    assert!(
        tiles.iter().any(|tile| tile["pos"] == json!({ "x": 2, "y": 2 }) && tile["kind"] == "wall")
    );

    let impossible =
        json!({ "config": { "ruleset": "rows" }, "pins": [{ "row": 0, "col": 0 }] }).to_string();
    let problem = fixture.post("/v1/reroll/act", &impossible).await.expect_problem(
        422,
        "invalid-config",
        Some("pins"),
    );
    assert!(problem["detail"].as_str().unwrap().contains("0,0 is missing most often"), "{problem}");
    fixture.post("/v1/reroll/act", "{}").await.expect_problem(400, "invalid-body", Some("pins"));
    let pins = json!({ "pins": vec![json!({ "row": 0, "col": 0 }); 257] }).to_string();
    fixture.post("/v1/reroll/act", &pins).await.expect_problem(422, "limit-exceeded", Some("pins"));
}

#[tokio::test]
async fn writes_grids_and_searches_in_every_format() {
    let fixture = Fixture::open().await;
    let archipelago = json!({ "seed": 7, "config": { "width": 40, "height": 30, "scale": 9 } });
    let generated =
        fixture.post("/v1/archipelago", &archipelago.to_string()).await.expect_status(200).json();
    let tiles = BASE64.decode(generated["tiles"].as_str().unwrap().as_bytes()).unwrap();
    let text: String = tiles
        .chunks(40)
        .map(|row| {
            row.iter()
                .map(|&tile| if tile == 128 { '#' } else { '.' })
                .chain(['\n'])
                .collect::<String>()
        })
        .collect();
    let normalise = |text: &str| {
        let plain = |c: char| {
            if c.is_ascii_digit() || c == '~' {
                '.'
            } else if c == '@' {
                '#'
            } else {
                c
            }
        };
        text.chars().map(plain).collect::<String>()
    };
    let infos = Format::ALL.iter().map(|format| format.info());
    for format in infos.filter(|format| format.writes.contains(&ContentKind::NavGrid)) {
        let archive = ["tmx", "tmj", "ldtk", "openfront"].contains(&format.name);
        let path =
            format!("/v1/archipelago.{}{}", format.suffixes[0], if archive { ".zip" } else { "" });
        let response = fixture.post(&path, &archipelago.to_string()).await.expect_status(200);
        match format.name {
            "ascii" => assert_eq!(normalise(response.text()), text),
            "movingai" => {
                assert!(normalise(response.text()).ends_with(&text), "{}", response.text())
            }
            "csv" => assert_eq!(response.text().lines().count(), 2),
            "pgm" => assert!(response.body.starts_with(b"P5")),
            "png" => assert!(response.body.starts_with(b"\x89PNG")),
            _ => assert!(archive && response.body.starts_with(b"PK\x03\x04"), "{path}"),
        }
    }
    let uploaded = json!({ "map": { "width": 3, "height": 1, "open": "BQ==" } });
    assert_eq!(
        fixture.post("/v1/archipelago.txt", &uploaded.to_string()).await.expect_status(200).text(),
        ".#.\n"
    );
    let mut deep = uploaded.clone();
    deep["map"]["magnitudes"] = json!("BYAH");
    assert_eq!(
        fixture.post("/v1/archipelago.txt", &deep.to_string()).await.expect_status(200).text(),
        "5#7\n"
    );
    deep["map"]["magnitudes"] = json!("BQ==");
    fixture.post("/v1/archipelago.txt", &deep.to_string()).await.expect_problem(
        422,
        "invalid-config",
        Some("map.magnitudes"),
    );
    let both = json!({ "seed": 1, "map": uploaded["map"] });
    fixture.post("/v1/archipelago.txt", &both.to_string()).await.expect_problem(
        422,
        "invalid-config",
        Some("map"),
    );
    let mut query = json!({ "map": { "width": 3, "height": 1, "open": "Bw==" }, "sources": [[0,
        0]], "targets": [[2, 0]], "method": "bfs" });
    let animation =
        fixture.post("/v1/path.apng?theme=night", &query.to_string()).await.expect_status(200);
    assert!(animation.body.windows(4).any(|chunk| chunk == b"acTL"));
    query["method"] = json!("jps");
    fixture.post("/v1/path.apng", &query.to_string()).await.expect_problem(
        422,
        "invalid-config",
        Some("method"),
    );
}

/// The exported page calls `dispatch` in WebAssembly instead of the service.
#[tokio::test]
async fn dispatch_and_service_return_the_same_responses() {
    let fixture = Fixture::open().await;
    let endpoints = json!({ "sources": [[5, 5]], "targets": [[40, 20]] });
    let archipelago = json!({ "seed": 7, "config": { "width": 48, "height": 32, "land": 10 } });
    let query = |method: &str| {
        let mut body = archipelago.clone();
        body["method"] = json!(method);
        body.as_object_mut().unwrap().extend(endpoints.as_object().unwrap().clone());
        body
    };
    let mut requests = vec![
        ("/v1/scene/act", json!({ "seed": 42, "play": { "moves": ["1,0"], "fog": 2 } })),
        ("/v1/scene/level", json!({ "seed": 7, "witness": "all", "theme": "night" })),
        ("/v1/scene/tower", json!({ "seed": "a", "play": {} })),
        ("/v1/scene/boat", json!({})),
        ("/v1/reroll/act", json!({ "seed": 1, "pins": [] })),
        ("/v1/reroll/floor", json!({ "seed": 1, "pins": [] })),
        ("/v1/routes", json!({ "seed": 3, "route": { "max": "elite" } })),
        ("/v1/routes?from=1", json!({ "seed": 3 })),
        ("/v1/archipelago", archipelago.clone()),
        ("/v1/archipelago.map", archipelago.clone()),
        ("/v1/archipelago.svg", archipelago.clone()),
        ("/v1/path", query("mask-f2")),
        ("/v1/path", query("teleport")),
        ("/v1/path.apng?theme=night", query("bfs")),
        ("/v1/act.svg?theme=dusk", json!({ "seed": 1 })),
        ("/v1/act.gif", json!({ "seed": 1 })),
        ("/v1/level.json", json!({ "seed": 1, "config": { "width": 3 } })),
    ];
    for format in ["json", "svg", "png", "txt", "csv", "apng"] {
        requests.push(("/v1/floor.", json!({ "seed": 9, "format": format })));
    }
    let document = fixture.post("/v1/floor", "{\"seed\": 4}").await.expect_status(200).json();
    requests.push(("/v1/validate?reproduce=true", document));
    for (address, mut body) in requests {
        let format = body.as_object_mut().and_then(|body| body.remove("format"));
        let address =
            format!("{address}{}", format.as_ref().and_then(Value::as_str).unwrap_or_default());
        let served = fixture.post(&address, &body.to_string()).await;
        let (path, query) = address.split_once('?').unwrap_or((&address, ""));
        let mut painter = wayforge_api::handlers::LazyPainter::default();
        let dispatched = wayforge_api::handlers::dispatch(
            path,
            query,
            body.to_string().as_bytes(),
            &limits(),
            &mut painter,
        );
        match dispatched {
            Ok(dispatched) => {
                let kind = served.header("content-type").to_owned();
                assert_eq!(kind, dispatched.content_type, "{address}");
                assert_eq!(served.expect_status(200).body, dispatched.body, "{address}");
            }
            Err(problem) if problem.status() == 404 => {
                served.expect_problem(404, "not-found", None);
            }
            Err(problem) => {
                let expected: Value = serde_json::from_slice(&problem.to_body(path)).unwrap();
                assert_eq!(served.expect_status(problem.status()).json(), expected, "{address}");
            }
        }
    }
}
