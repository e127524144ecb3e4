//! The studio's page, and what it asks: scenes, seas, ways.

use crate::bed::{Bed, limits};
use axum::body::Body;
use data_encoding::BASE64;
use serde_json::{Value, json};
use wayforge::Seed;
use wayforge::act;
use wayforge::floor;
use wayforge::level;
use wayforge::metric::{ActMeter, FloorMeter, LevelMeter, Measure, TowerMeter};
use wayforge::tower;
use wayforge_formats::{FORMATS, What};
use wayforge_server::{Guard, Limits};

/// The version that the page names.
fn version(page: &str) -> &str {
    let start = page.find("\"studio/").unwrap() + "\"studio/".len();
    &page[start..start + 16]
}

#[tokio::test]
async fn the_page_and_its_files_are_served_from_the_binary() {
    let bed = Bed::with(limits(), Guard::All).await;
    let page = bed.get("/").await.is(200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
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
        let file = bed.get(&path).await.is(200);
        assert_eq!(file.header("content-type"), kind);
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
        let tag = file.header("etag").to_owned();
        bed.ask("GET", &path, &[("if-none-match", &tag)], Body::empty()).await.is(304);
    }
    bed.get(&format!("/studio/{version}/index.rs")).await.refused(404, "not-found", None);
    bed.get("/studio/0123456789abcdef/main.js").await.refused(404, "not-found", None);
    let tag = page.header("etag").to_owned();
    bed.ask("GET", "/", &[("if-none-match", &tag)], Body::empty()).await.is(304);
    // Every module that a module asks for is there.
    let main = bed.get(&format!("/studio/{version}/main.js")).await.is(200);
    let asked: Vec<&str> =
        main.text().split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(asked.len() > 4);
    for name in asked {
        bed.get(&format!("/studio/{version}/{name}")).await.is(200);
    }
}

#[tokio::test]
async fn pictures_of_act_maps_have_labels_on_request() {
    let bed = Bed::open().await;
    let document = bed.get("/v1/act?seed=5").await.is(200).json();
    let node = &document["map"]["nodes"][0];
    let label = format!(">{},{}</text>", node["col"], node["row"]);
    let plain = bed.get("/v1/act.svg?seed=5").await.is(200).text().to_owned();
    let labelled = bed.get("/v1/act.svg?seed=5&labels=true").await.is(200).text().to_owned();
    assert!(labelled.contains(&label) && !plain.contains(&label), "{label}");
    bed.get("/v1/act.svg?seed=5&labels=yes").await.refused(400, "parameter", Some("labels"));
    bed.get("/v1/floor.svg?seed=5&labels=true").await.refused(400, "parameter", Some("labels"));
}

#[tokio::test]
async fn scenes_are_of_the_same_map_and_know_where_it_stands() {
    let bed = Bed::open().await;
    for family in ["act", "level", "floor", "tower"] {
        let ask = json!({ "seed": 5, "theme": "night" });
        let scene = bed.post(&format!("/v1/scene/{family}"), &ask.to_string()).await.is(200).json();
        let document = bed.get(&format!("/v1/{family}?seed=5")).await.is(200).json();
        assert_eq!(scene["document"], document);
        let picture = bed.get(&format!("/v1/{family}.svg?seed=5&theme=night")).await.is(200);
        assert_eq!(scene["svg"], picture.text());
        let size =
            format!("width=\"{}\" height=\"{}\"", scene["width"], scene["height"]).replace(".0\"", "\"");
        assert!(picture.text().contains(&size), "{family}: {size}");
        assert_eq!(scene["party"], Value::Null);
        assert_eq!(scene["metrics"], told_metrics(family, 5), "{family}");
        let count = |member: &str| scene[member].as_array().unwrap().len();
        match family {
            "act" => assert_eq!(count("nodes"), document["map"]["nodes"].as_array().unwrap().len() + 1),
            "tower" => assert_eq!(count("grids"), 10),
            _ => assert_eq!(count("grids"), 1),
        }
    }
}

#[tokio::test]
async fn marks_of_a_stage_are_among_the_figures() {
    let bed = Bed::open().await;
    let ask = json!({ "seed": 5, "config": { "marks": [{ "name": "key", "count": 3 }] } });
    let scene = bed.post("/v1/scene/level", &ask.to_string()).await.is(200).json();
    let last = scene["metrics"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["name"], &last["thing"], &last["value"]),
        (&json!("count(key)"), &json!("key"), &json!(3))
    );
}

/// What the library tells of a map's metrics, read off a map of its own.
fn told_metrics(family: &str, seed: u64) -> Value {
    let seed = Seed::new(seed);
    json!(match family {
        "act" => {
            let map = act::generate(seed, &act::Config::default().resolve().unwrap()).unwrap();
            act::ActMap::catalogue(&map.spec).readings(&mut ActMeter::default(), &map)
        }
        "level" => {
            let level = level::generate(seed, &level::Config::default().resolve().unwrap()).unwrap();
            level::Level::catalogue(&level.spec).readings(&mut LevelMeter::default(), &level)
        }
        "floor" => {
            let floor = floor::generate(seed, &floor::Config::default().resolve().unwrap()).unwrap();
            floor::Floor::catalogue(&floor.spec).readings(&mut FloorMeter::default(), &floor)
        }
        _ => {
            let tower = tower::generate(seed, &tower::Config::default().resolve().unwrap()).unwrap();
            tower::Tower::catalogue(&tower.spec).readings(&mut TowerMeter::default(), &tower)
        }
    })
}

#[tokio::test]
async fn moves_are_played_and_refused_without_being_kept() {
    let bed = Bed::open().await;
    let play = |moves: Value| json!({ "seed": 42, "play": { "moves": moves, "fog": 1 } }).to_string();
    let start = bed.post("/v1/scene/act", &play(json!([]))).await.is(200).json();
    let first = start["party"]["moves"][0].as_str().unwrap().to_owned();
    let hidden =
        |scene: &Value| scene["nodes"].as_array().unwrap().iter().filter(|n| n["kind"].is_null()).count();
    let next = bed.post("/v1/scene/act", &play(json!([first]))).await.is(200).json();
    assert!(hidden(&start) > hidden(&next), "the fog recedes");
    assert_eq!(next["party"]["finished"], false);
    let mut moves = vec![];
    loop {
        let scene = bed.post("/v1/scene/act", &play(json!(moves))).await.is(200).json();
        if scene["party"]["finished"] == true {
            break;
        }
        moves.push(scene["party"]["moves"][0].clone());
    }
    assert_eq!(moves.last().unwrap(), "boss");
    let refused = bed.post("/v1/scene/act", &play(json!([first, "7,0"]))).await;
    let refused = refused.refused(422, "illegal-move", Some("play.moves[1]"));
    assert!(!refused["legal"].as_array().unwrap().is_empty());
    bed.post("/v1/scene/act", &play(json!(["up"]))).await.refused(400, "body", Some("play.moves[0]"));
    for (family, ask, field) in [
        ("level", r#"{"play": {}}"#, "play"),
        ("act", r#"{"witness": "all"}"#, "witness"),
        ("floor", r#"{"witness": "none"}"#, "witness"),
        ("tower", r#"{"play": {"fog": 3}}"#, "play.fog"),
        ("level", r#"{"labels": true}"#, "labels"),
        ("floor", r#"{"labels": false}"#, "labels"),
    ] {
        bed.post(&format!("/v1/scene/{family}"), ask).await.refused(422, "config", Some(field));
    }
    bed.post("/v1/scene/act", r#"{"play": {"fog": 65536}}"#).await.refused(400, "body", Some("play.fog"));
    bed.post("/v1/scene/act", r#"{"play": {"fog": 65535.0}}"#).await.is(200);
    bed.post("/v1/scene/act", r#"{"theme":"noon"}"#).await.refused(422, "config", Some("theme"));
    bed.post("/v1/scene/act", r#"{"config":{"rows":0}}"#).await.refused(422, "config", Some("config.rows"));
    let climb = bed.post("/v1/scene/tower", r#"{"seed":3,"play":{}}"#).await.is(200).json();
    assert_eq!(climb["party"]["at"][0], 0);
}

#[tokio::test]
async fn ways_are_found_and_tell_every_step() {
    let bed = Bed::open().await;
    // ..... / .###. / .....
    let open = BASE64.encode(&0b11111_10001_11111_u16.to_le_bytes());
    let map = json!({ "width": 5, "height": 3, "open": open });
    let ask = |method: &str| json!({ "map": map, "sources": [[0, 1]], "targets": [[4, 1]], "method": method, "moves": "four" });
    for method in ["bfs", "mask-f2", "mask-optimal", "pieces", "restart", "jump", "wave"] {
        let answer = bed.post("/v1/way", &ask(method).to_string()).await.is(200).json();
        assert_eq!(answer["way"]["steps"], 6, "{method}");
        assert_eq!(
            (&answer["way"]["tiles"][0], &answer["way"]["tiles"][6]),
            (&json!([0, 1]), &json!([4, 1]))
        );
        assert_eq!(answer["bfs"]["steps"], 6);
        let events = BASE64.decode(answer["events"].as_str().unwrap().as_bytes()).unwrap();
        let visits = events.chunks(4).filter(|event| event[3] >> 4 == 0).count() as u64;
        match method {
            "jump" | "wave" => assert!(events.is_empty()),
            _ => assert_eq!(visits, answer["counts"]["visited"].as_u64().unwrap(), "{method}"),
        }
    }
    // A wall with a gap far away: the corridor decides how often it is widened, and whether it is given up.
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
        let ask = json!({ "map": map, "sources": [[39, 50]], "targets": [[49, 50]], "method": "mask-optimal", "corridor": corridor });
        let counts = bed.post("/v1/way", &ask.to_string()).await.is(200).json()["counts"].clone();
        assert_eq!((&counts["steps"], &counts["fallback"]), (&94.into(), &fallback.into()), "{corridor}");
        let widened = counts["expansions"].as_u64().unwrap();
        assert!(expansions.map_or(widened > 0, |expansions| widened == expansions), "{corridor}: {counts}");
    }
    let sea = bed.post("/v1/water", r#"{"seed":7,"config":{"width":64,"height":40}}"#).await.is(200).json();
    let tiles = BASE64.decode(sea["tiles"].as_str().unwrap().as_bytes()).unwrap();
    assert_eq!(tiles.len(), 64 * 40);
    let land = tiles.iter().filter(|&&tile| tile == 128).count();
    assert!(land.abs_diff(64 * 40 * 30 / 100) < 60, "{land}");
    // Two seas that do not meet.
    let parted = json!({ "map": { "width": 3, "height": 1, "open": "BQ==" }, "sources": [[0, 0]], "targets": [[2, 0]] });
    let answer = bed.post("/v1/way", &parted.to_string()).await.is(200).json();
    assert_eq!((&answer["way"], &answer["counts"]["steps"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn ways_that_cannot_be_searched_are_refused() {
    let bed = Bed::with(Limits { work: 10_000, ..limits() }, Guard::Open).await;
    let ask = |change: Value| {
        let mut body = json!({ "map": { "width": 3, "height": 1, "open": "BQ==" }, "sources": [[0, 0]], "targets": [[2, 0]] });
        change.as_object().unwrap().iter().for_each(|(key, value)| body[key] = value.clone());
        body.to_string()
    };
    let map = |width: u32, open: &str| json!({ "map": { "width": width, "height": 1, "open": open } });
    for (change, kind, field) in [
        (json!({ "sources": [[1, 0]] }), "config", "sources[0]"),
        (json!({ "targets": [[9, 0]] }), "config", "targets[0]"),
        (json!({ "targets": [] }), "config", "targets"),
        (json!({ "method": "magic" }), "config", "method"),
        (json!({ "corridor": { "factor": 0 } }), "config", "corridor.factor"),
        (json!({ "corridor": { "radius": 1025 } }), "config", "corridor.radius"),
        (json!({ "corridor": { "max_expansions": 5000 } }), "config", "corridor.max_expansions"),
        (json!({ "corridor": { "coarse_rule": "cells" } }), "config", "corridor.coarse_rule"),
        (json!({ "corridor": { "factor": 2 }, "method": "bfs" }), "config", "corridor.factor"),
        (json!({ "seed": 1 }), "config", "map"),
        (map(3, "?"), "config", "map.open"),
        (map(3, "BQUF"), "config", "map.open"),
        (map(0, ""), "config", "map.width"),
        (map(16_384, "BQ=="), "limit", "map.width"),
        (json!({ "sources": vec![[0, 0]; 4097] }), "limit", "sources"),
    ] {
        bed.post("/v1/way", &ask(change.clone())).await.refused(422, kind, Some(field));
    }
    bed.post("/v1/water", r#"{"config":{"land":101}}"#).await.refused(422, "config", Some("config.land"));
    bed.post("/v1/water", r#"{"config":{"width":9999}}"#).await.refused(422, "limit", Some("config.width"));
    bed.post("/v1/way", "{}").await.refused(400, "body", Some("sources"));
    let wide = |corridor: Value| {
        json!({ "seed": 1, "config": { "width": 100, "height": 50 }, "sources": [[0, 0]], "targets": [[0, 0]], "corridor": corridor }).to_string()
    };
    bed.post("/v1/way", &wide(json!({ "factor": 1 }))).await.refused(422, "limit", Some("corridor.factor"));
    bed.post("/v1/way", &wide(json!({ "height": 1 }))).await.refused(400, "body", Some("corridor.height"));
}

#[tokio::test]
async fn what_the_studio_is_told_keeps_its_schema() {
    let bed = Bed::open().await;
    let api = bed.get("/openapi.json").await.is(200).json();
    let check = |name: &str, value: &Value| {
        let mut schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        schema["components"] = api["components"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        if let Err(error) = validator.validate(value) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
    };
    for (family, title) in [("act", "Act"), ("level", "Level"), ("floor", "Floor"), ("tower", "Tower")] {
        let mut ask = json!({ "seed": 3, "config": {}, "theme": "parchment" });
        if family == "level" {
            ask["witness"] = "all".into();
        }
        check(&format!("{title}SceneRequest"), &ask);
        check("MapScene", &bed.post(&format!("/v1/scene/{family}"), &ask.to_string()).await.is(200).json());
    }
    let labelled = json!({ "seed": 3, "labels": true });
    check("ActSceneRequest", &labelled);
    let scene = bed.post("/v1/scene/act", &labelled.to_string()).await.is(200).json();
    let plain = bed.post("/v1/scene/act", r#"{"seed": 3, "labels": false}"#).await.is(200).json();
    // Labels change the picture alone: the same picture as `GET /v1/act.svg?labels=true`, with every place where it was.
    let picture = bed.get("/v1/act.svg?seed=3&labels=true").await.is(200).text().to_owned();
    assert_eq!(scene["svg"].as_str().unwrap(), picture);
    assert_ne!(scene["svg"], plain["svg"]);
    assert_eq!((&scene["nodes"], &scene["document"]), (&plain["nodes"], &plain["document"]));
    let played = json!({ "seed": 3, "play": { "moves": [], "fog": 2 } });
    check("ActSceneRequest", &played);
    check("MapScene", &bed.post("/v1/scene/act", &played.to_string()).await.is(200).json());
    let sea = json!({ "seed": 7, "config": { "width": 30, "height": 20, "scale": 8 } });
    check("WaterRequest", &sea);
    check("WaterMap", &bed.post("/v1/water", &sea.to_string()).await.is(200).json());
    let way = json!({ "map": { "width": 3, "height": 1, "open": "Bw==" }, "sources": [[0, 0]], "targets": [[2, 0]], "method": "mask-f1", "moves": "eight",
        "corridor": { "factor": 2, "radius": 0, "max_expansions": 3, "coarse_rule": "any-tile" } });
    check("WayRequest", &way);
    check("WayAnswer", &bed.post("/v1/way", &way.to_string()).await.is(200).json());
    let pins = json!({ "seed": 3, "config": { "ruleset": "rows" }, "pins": [{ "row": 4, "col": 3, "kind": "monster" }] });
    check("ActRerollRequest", &pins);
    check("RerollAnswer", &bed.post("/v1/reroll/act", &pins.to_string()).await.is(200).json());
    let pins = json!({ "seed": 3, "pins": [{ "floor": 1, "x": 0, "y": 0, "symbol": "#" }] });
    check("TowerRerollRequest", &pins);
    check("RerollAnswer", &bed.post("/v1/reroll/tower", &pins.to_string()).await.is(200).json());
}

#[tokio::test]
async fn a_roll_keeps_what_is_pinned() {
    let bed = Bed::open().await;
    for ruleset in ["rows", "spire"] {
        let config = json!({ "ruleset": ruleset });
        let first =
            bed.post("/v1/act", &json!({ "seed": 5, "config": config }).to_string()).await.is(200).json();
        let nodes = first["map"]["nodes"].as_array().unwrap();
        let pins: Vec<Value> = [nodes.len() / 3, nodes.len() / 2].map(|at| nodes[at].clone()).into();
        let ask = json!({ "seed": 900, "config": config, "pins": pins });
        let found = bed.post("/v1/reroll/act", &ask.to_string()).await.is(200).json();
        let seed = found["seed"].as_str().unwrap().to_owned();
        assert_eq!(seed.parse::<u64>().unwrap(), 899 + found["tried"].as_u64().unwrap());
        let map =
            bed.post("/v1/act", &json!({ "seed": seed, "config": config }).to_string()).await.is(200).json();
        for pin in &pins {
            assert!(map["map"]["nodes"].as_array().unwrap().contains(pin), "{ruleset}: {pin}");
        }
    }
    let ask = json!({ "seed": 1, "pins": [{ "floor": 3, "x": 2, "y": 2, "symbol": "#" }] });
    let found = bed.post("/v1/reroll/tower", &ask.to_string()).await.is(200).json();
    let tower = bed.get(&format!("/v1/tower?seed={}", found["seed"].as_str().unwrap())).await.is(200).json();
    let tiles = tower["map"]["floors"][2]["tiles"].as_array().unwrap();
    assert!(tiles.iter().any(|tile| tile["pos"] == json!({ "x": 2, "y": 2 }) && tile["kind"] == "wall"));

    let lost = json!({ "config": { "ruleset": "rows" }, "pins": [{ "row": 0, "col": 0 }] }).to_string();
    let refused = bed.post("/v1/reroll/act", &lost).await.refused(422, "config", Some("pins"));
    assert!(refused["detail"].as_str().unwrap().contains("0,0 is missed most"), "{refused}");
    bed.post("/v1/reroll/act", "{}").await.refused(400, "body", Some("pins"));
    let pins = json!({ "pins": vec![json!({ "row": 0, "col": 0 }); 257] }).to_string();
    bed.post("/v1/reroll/act", &pins).await.refused(422, "limit", Some("pins"));
}

#[tokio::test]
async fn seas_and_searches_are_written_in_every_format() {
    let bed = Bed::open().await;
    let sea = json!({ "seed": 7, "config": { "width": 40, "height": 30, "scale": 9 } });
    let made = bed.post("/v1/water", &sea.to_string()).await.is(200).json();
    let tiles = BASE64.decode(made["tiles"].as_str().unwrap().as_bytes()).unwrap();
    let text: String = tiles
        .chunks(40)
        .map(|row| {
            row.iter().map(|&tile| if tile == 128 { '#' } else { '.' }).chain(['\n']).collect::<String>()
        })
        .collect();
    let water = |text: &str| {
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
    for format in FORMATS.iter().filter(|format| format.writes.contains(&What::Water)) {
        let archive = ["tmx", "tmj", "ldtk", "openfront"].contains(&format.name);
        let path = format!("/v1/water.{}{}", format.suffixes[0], if archive { ".zip" } else { "" });
        let got = bed.post(&path, &sea.to_string()).await.is(200);
        match format.name {
            "ascii" => assert_eq!(water(got.text()), text),
            "movingai" => assert!(water(got.text()).ends_with(&text), "{}", got.text()),
            "csv" => assert_eq!(got.text().lines().count(), 2),
            "pgm" => assert!(got.body.starts_with(b"P5")),
            "png" => assert!(got.body.starts_with(b"\x89PNG")),
            _ => assert!(archive && got.body.starts_with(b"PK\x03\x04"), "{path}"),
        }
    }
    let own = json!({ "map": { "width": 3, "height": 1, "open": "BQ==" } });
    assert_eq!(bed.post("/v1/water.txt", &own.to_string()).await.is(200).text(), ".#.\n");
    let mut deep = own.clone();
    deep["map"]["magnitudes"] = json!("BYAH");
    assert_eq!(bed.post("/v1/water.txt", &deep.to_string()).await.is(200).text(), "5#7\n");
    deep["map"]["magnitudes"] = json!("BQ==");
    bed.post("/v1/water.txt", &deep.to_string()).await.refused(422, "config", Some("map.magnitudes"));
    let both = json!({ "seed": 1, "map": own["map"] });
    bed.post("/v1/water.txt", &both.to_string()).await.refused(422, "config", Some("map"));
    let mut way = json!({ "map": { "width": 3, "height": 1, "open": "Bw==" }, "sources": [[0, 0]], "targets": [[2, 0]], "method": "bfs" });
    let film = bed.post("/v1/way.apng?theme=night", &way.to_string()).await.is(200);
    assert!(film.body.windows(4).any(|chunk| chunk == b"acTL"));
    way["method"] = json!("jump");
    bed.post("/v1/way.apng", &way.to_string()).await.refused(422, "config", Some("method"));
}

/// A page without a service carries its questions to the library itself.
#[tokio::test]
async fn an_exported_page_is_answered_as_by_the_service() {
    let bed = Bed::open().await;
    let ends = json!({ "sources": [[5, 5]], "targets": [[40, 20]] });
    let sea = json!({ "seed": 7, "config": { "width": 48, "height": 32, "land": 10 } });
    let way = |method: &str| {
        let mut ask = sea.clone();
        ask["method"] = json!(method);
        ask.as_object_mut().unwrap().extend(ends.as_object().unwrap().clone());
        ask
    };
    let mut asked = vec![
        ("/v1/scene/act", json!({ "seed": 42, "play": { "moves": ["1,0"], "fog": 2 } })),
        ("/v1/scene/level", json!({ "seed": 7, "witness": "all", "theme": "night" })),
        ("/v1/scene/tower", json!({ "seed": "a", "play": {} })),
        ("/v1/scene/boat", json!({})),
        ("/v1/reroll/act", json!({ "seed": 1, "pins": [] })),
        ("/v1/reroll/floor", json!({ "seed": 1, "pins": [] })),
        ("/v1/routes", json!({ "seed": 3, "route": { "most": "elite" } })),
        ("/v1/routes?from=1", json!({ "seed": 3 })),
        ("/v1/water", sea.clone()),
        ("/v1/water.map", sea.clone()),
        ("/v1/water.svg", sea.clone()),
        ("/v1/way", way("mask-f2")),
        ("/v1/way", way("teleport")),
        ("/v1/way.apng?theme=night", way("bfs")),
        ("/v1/act.svg?theme=dusk", json!({ "seed": 1 })),
        ("/v1/act.gif", json!({ "seed": 1 })),
        ("/v1/level.json", json!({ "seed": 1, "config": { "width": 3 } })),
    ];
    for form in ["json", "svg", "png", "txt", "csv", "apng"] {
        asked.push(("/v1/floor.", json!({ "seed": 9, "form": form })));
    }
    let document = bed.post("/v1/floor", "{\"seed\": 4}").await.is(200).json();
    asked.push(("/v1/validate?reproduce=true", document));
    for (address, mut body) in asked {
        let form = body.as_object_mut().and_then(|body| body.remove("form"));
        let address = format!("{address}{}", form.as_ref().and_then(Value::as_str).unwrap_or_default());
        let served = bed.post(&address, &body.to_string()).await;
        let (path, query) = address.split_once('?').unwrap_or((&address, ""));
        let mut brush = wayforge_api::handlers::Brush::default();
        let told =
            wayforge_api::handlers::answer(path, query, body.to_string().as_bytes(), &limits(), &mut brush);
        match told {
            Ok(told) => {
                let kind = served.header("content-type").to_owned();
                assert_eq!(kind, told.content_type, "{address}");
                assert_eq!(served.is(200).body, told.body, "{address}");
            }
            Err(problem) if problem.status() == 404 => {
                served.refused(404, "not-found", None);
            }
            Err(problem) => {
                let mine: Value = serde_json::from_slice(&problem.to_body(path)).unwrap();
                assert_eq!(served.is(problem.status()).json(), mine, "{address}");
            }
        }
    }
}
