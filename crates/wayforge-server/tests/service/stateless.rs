//! Maps that are not kept.

use crate::bed::Bed;
use axum::body::Body;
use serde_json::json;
use wayforge::act::{self, ActMap};
use wayforge::{Family, Seed, tower};
use wayforge_formats::{FORMATS, Memory, ReadOptions, What};

#[tokio::test]
async fn what_comes_over_http_is_what_the_library_makes() {
    let bed = Bed::open().await;
    for family in Family::ALL {
        let document = family.generate(b"{}", Seed::new(42)).unwrap().to_document();
        let path = format!("/v1/{family}");
        let made = bed.post(&path, r#"{"seed": 42}"#).await.is(200);
        assert_eq!(made.text(), document.to_text());
        assert_eq!(made.header("content-type"), "application/json");
        assert_eq!(made.header("etag"), format!("\"{}\"", document.digest));
        assert_eq!(made.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(made.header("wayforge-seed"), "42");
        for other in [
            bed.post(&path, r#"{"seed": "42", "config": {}}"#).await,
            bed.post(&format!("{path}.json"), r#"{"seed": "42"}"#).await,
            bed.get(&format!("{path}?seed=42")).await,
            bed.get(&format!("{path}.json?seed=42&config=%7B%7D")).await,
        ] {
            assert_eq!(other.is(200).body, made.body);
        }
        let verdict = bed.post("/v1/validate?reproduce=true", made.text()).await.is(200).json();
        assert_eq!((&verdict["valid"], &verdict["digest"]), (&json!(true), &json!(document.digest)));
    }
    let text = bed.post("/v1/act", r#"{"seed": "first light", "config": {"ruleset": "rows"}}"#).await.is(200);
    assert_eq!(text.json()["seed"], "first light");
    let config = act::Config::from_json(br#"{"ruleset": "rows"}"#).unwrap().resolve().unwrap();
    let map = act::generate(Seed::from_text("first light"), &config).unwrap();
    assert_eq!(ActMap::decode(&text.body).unwrap(), map);
}

#[tokio::test]
async fn text_of_a_seed_comes_back_as_it_was_given() {
    let bed = Bed::open().await;
    for seed in ["first light", "007", "a\u{1}\"\\ äöü \u{1f680}/../%"] {
        let body = json!({ "seed": seed }).to_string();
        for family in Family::ALL {
            let path = format!("/v1/{family}");
            let made = bed.post(&path, &body).await.is(200);
            assert_eq!(
                made.text(),
                family.generate(b"{}", Seed::from_text(seed)).unwrap().to_document().to_text()
            );
            // The header is what a query takes.
            let again = bed.get(&format!("{path}?seed={}", made.header("wayforge-seed"))).await.is(200);
            assert_eq!((again.header("etag"), &again.body), (made.header("etag"), &made.body));
            let report = bed.post("/v1/validate?reproduce=true", made.text()).await.is(200).json();
            assert_eq!((&report["valid"], &report["seed"]), (&json!(true), &json!(seed)));
            let scene = bed.post(&format!("/v1/scene/{family}"), &body).await.is(200).json();
            assert_eq!(scene["document"]["seed"], seed);
        }
        // Names inside archives use the number.
        let bytes = bed.post("/v1/level.tmx.zip", &body).await.is(200).body;
        let name = format!("level-{}.tmx", Seed::from_text(seed).number());
        assert!(bytes.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
    }
    let long = "x".repeat(257);
    for answer in [
        bed.get(&format!("/v1/act?seed={long}")).await,
        bed.get("/v1/act?seed=%00").await,
        bed.post("/v1/act", &json!({ "seed": long }).to_string()).await,
        bed.post("/v1/reroll/tower", &json!({ "seed": long, "pins": [] }).to_string()).await,
    ] {
        let problem = answer.json();
        assert!(problem["status"] == 400 || problem["status"] == 422, "{problem}");
        assert_eq!(problem["field"], "seed", "{problem}");
    }
}

#[tokio::test]
async fn a_floor_without_an_envelope_is_validated() {
    let bed = Bed::open().await;
    let made = bed.get("/v1/floor?seed=first%20light").await.is(200).json();
    let mut floor = made["map"].clone();
    let verdict = bed.post("/v1/validate", &floor.to_string()).await.is(200).json();
    assert_eq!((&verdict["valid"], &verdict["seed"]), (&json!(true), &json!("first light")), "{verdict}");
    assert_eq!((&verdict["algorithm"], &verdict["digest"]), (&json!(null), &json!(null)));
    floor["config"] = made["config"].clone();
    let verdict = bed.post("/v1/validate?reproduce=true", &floor.to_string()).await.is(200).json();
    assert_eq!(verdict["valid"], json!(true), "{verdict}");
    floor["entities"][0]["data"] = json!({"hp": 3});
    floor["config"]["enemyBudget"] = json!(1);
    floor["tiles"][7]["pos"]["x"] = json!(-2);
    let verdict = bed.post("/v1/validate", &floor.to_string()).await.is(200).json();
    let rules: Vec<&str> = verdict["report"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|v| v["rule"].as_str())
        .collect();
    assert_eq!(rules, ["whole-numbers", "budgets"]);
    floor["config"] = json!({"width": 7, "pins": ["?"]});
    let verdict = bed.post("/v1/validate", &floor.to_string()).await.is(200).json();
    assert_eq!(verdict["valid"], json!(false), "{verdict}");
}

#[tokio::test]
async fn a_seed_that_is_not_given_is_drawn_and_told() {
    let bed = Bed::open().await;
    let (one, other) = (bed.post("/v1/act", "").await.is(200), bed.get("/v1/act").await.is(200));
    assert_ne!(one.header("wayforge-seed"), other.header("wayforge-seed"));
    assert_eq!(one.json()["seed"], one.header("wayforge-seed"));
    assert_eq!(one.header("cache-control"), "no-store", "the next one will be another map");
}

#[tokio::test]
async fn pictures_by_suffix_and_by_negotiation() {
    let bed = Bed::open().await;
    let forms =
        [("svg", "image/svg+xml"), ("png", "image/png"), ("txt", "text/plain"), ("json", "application/json")];
    for family in Family::ALL {
        let mut tags = Vec::new();
        for (suffix, media) in forms {
            let named = bed.get(&format!("/v1/{family}.{suffix}?seed=7&scale=30")).await.is(200);
            let path = format!("/v1/{family}?seed=7&scale=30");
            let agreed = bed.ask("GET", &path, &[("accept", media)], Body::empty()).await.is(200);
            assert!(named.body == agreed.body && named.header("content-type").starts_with(media), "{suffix}");
            assert_eq!((named.header("etag"), agreed.header("vary")), (agreed.header("etag"), "Accept"));
            let start: &[u8] = match suffix {
                "svg" => b"<svg ",
                "png" => b"\x89PNG",
                "json" => b"{\"format\":\"wayforge/1\"",
                _ => &[],
            };
            assert!(named.body.starts_with(start) && named.body.len() > 20);
            tags.push(named.header("etag").to_owned());
        }
        tags.dedup();
        assert_eq!(tags.len(), forms.len(), "each form has a tag of its own");
    }
    let themes = ["parchment", "night"].map(|theme| format!("/v1/act.svg?seed=7&theme={theme}"));
    let (day, night) = (bed.get(&themes[0]).await, bed.get(&themes[1]).await);
    assert!(day.body != night.body && day.header("etag") != night.header("etag"));
    let (small, large) =
        (bed.get("/v1/act.png?seed=7&scale=10").await, bed.get("/v1/act.png?seed=7&scale=20").await);
    assert!(small.body.len() < large.body.len() && small.header("etag") != large.header("etag"));
    let shown = bed.get("/v1/level.svg?seed=7&witness=all").await.is(200);
    assert_ne!(shown.body, bed.get("/v1/level.svg?seed=7").await.is(200).body);
    assert!(day.header("content-security-policy").contains("default-src 'none'"));
}

#[tokio::test]
async fn who_has_a_map_does_not_get_it_again() {
    let bed = Bed::open().await;
    for path in ["/v1/act?seed=7", "/v1/act.png?seed=7", "/v1/level.svg?seed=7"] {
        let first = bed.get(path).await.is(200);
        let tag = first.header("etag").to_owned();
        let lists = [tag.clone(), format!("\"x\", W/{tag}"), "*".to_owned()];
        for list in &lists {
            let again = bed.ask("GET", path, &[("if-none-match", list)], Body::empty()).await.is(304);
            assert!(again.body.is_empty() && again.header("etag") == tag);
        }
        let other = path.replace("seed=7", "seed=8");
        bed.ask("GET", &other, &[("if-none-match", &tag)], Body::empty()).await.is(200);
        let head = bed.ask("HEAD", path, &[], Body::empty()).await.is(200);
        assert!(head.body.is_empty() && head.header("etag") == tag);
    }
    let tag = bed.get("/v1/act?seed=7").await.header("etag").to_owned();
    let headers = [("content-type", "application/json"), ("if-none-match", tag.as_str())];
    let got = bed.ask("POST", "/v1/act", &headers, r#"{"seed":7}"#).await;
    got.refused(412, "stale", Some("If-None-Match"));
}

#[tokio::test]
async fn a_single_floor_of_a_tower_is_validated() {
    let spec = tower::Config::default().resolve().unwrap();
    let floor = tower::SingleFloor::generate(Seed::new(42), &spec, 6).unwrap();
    let bed = Bed::open().await;
    let text = floor.to_document().to_text();
    let report = bed.post("/v1/validate?reproduce=true", &text).await.is(200).json();
    assert_eq!((&report["valid"], &report["algorithm"]), (&true.into(), &"floor.tower.floor/1".into()));
}

#[tokio::test]
async fn broken_documents_are_judged_and_not_refused() {
    let bed = Bed::open().await;
    let text = Family::Act.generate(b"{}", Seed::new(42)).unwrap().to_document().to_text();
    let verdict = bed.post("/v1/validate", &text.replacen("\"from\":", "\"from\":1", 1)).await.is(200).json();
    assert_eq!(verdict["valid"], false);
    let rules: Vec<&str> = verdict["report"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|violation| violation["rule"].as_str().unwrap())
        .collect();
    assert!(rules.contains(&"digest-matches"), "{rules:?}");
}

#[tokio::test]
async fn routes_answer_as_the_library_does() {
    let bed = Bed::open().await;
    let map = act::generate(Seed::new(42), &act::Config::default().resolve().unwrap()).unwrap();
    let routes = act::routes(&map);
    let made = bed.post("/v1/routes", r#"{"seed": 42}"#).await.is(200).json();
    assert_eq!(made["routes"], routes.count(None).to_string());
    assert_eq!((&made["wanted"], &made["route"], &made["from"]), (&json!(null), &json!(null), &json!(null)));
    // As text: a library that sorts members would change what the digest is of.
    let document = map.to_document().to_text();
    let node = map.nodes.iter().find(|node| node.row == 4).unwrap();
    let elite = map.spec.find_kind("elite").unwrap();
    let from = Some(node.pos());
    let ask = json!({
        "from": { "row": node.row, "col": node.col },
        "want": [{ "kind": "elite", "min": 1 }, { "kind": "shop", "max": 9 }],
        "route": { "most": "elite" },
    });
    let ask = ask.to_string().replacen('{', &format!("{{\"document\":{document},"), 1);
    let saved = bed.post("/v1/routes", &ask).await.is(200).json();
    assert_eq!(saved["routes"], routes.count(from).to_string());
    assert_eq!(saved["route"]["cols"], json!(routes.most(elite, from).unwrap().1.cols));
    assert!(saved["wanted"]["description"].is_string() && saved["kinds"].as_array().unwrap().len() > 3);
    for (ask, field) in [
        (r#"{"seed":42,"from":{"row":99,"col":0}}"#, "from"),
        (r#"{"seed":42,"want":[{"kind":"dragon"}]}"#, "want[0].kind"),
        (r#"{"seed":42,"want":[{"kind":"elite","min":3,"max":1}]}"#, "want[0].min"),
        (r#"{"seed":42,"route":{"least":"dragon"}}"#, "route.least"),
        (r#"{"seed":42,"route":{"cols":[99]}}"#, "route[0]"),
    ] {
        bed.post("/v1/routes", ask).await.refused(422, "config", Some(field));
    }
}

/// The files of an archive, unpacked.
fn unzip(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let number = |at: usize, long: usize| {
        bytes[at..at + long].iter().rev().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte))
    };
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let (count, mut at) = (number(end + 10, 2), number(end + 16, 4));
    let mut files = Vec::new();
    for _ in 0..count {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        let (packed, size, name, local) =
            (number(at + 20, 4), number(at + 24, 4), number(at + 28, 2), number(at + 42, 4));
        let title = String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap();
        let start = local + 30 + number(local + 26, 2) + number(local + 28, 2);
        let mut content = Vec::new();
        let mut inflater = flate2::read::DeflateDecoder::new(&bytes[start..start + packed]);
        std::io::Read::read_to_end(&mut inflater, &mut content).unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(&content);
        assert_eq!((content.len(), crc.sum() as usize), (size, number(at + 16, 4)), "{title}");
        files.push((title, content));
        at += 46 + name + number(at + 30, 2) + number(at + 32, 2);
    }
    files
}

#[tokio::test]
async fn every_format_that_is_written_is_served() {
    let bed = Bed::open().await;
    for (family, what) in wayforge::Family::ALL.map(|family| (family.name(), What::Map(family))) {
        let digest = bed.get(&format!("/v1/{family}?seed=7")).await.is(200).json()["digest"].clone();
        let mut served = 0;
        // Films are asked for below, and small.
        let written = FORMATS.iter().filter(|format| format.writes.contains(&what) && format.name != "apng");
        for format in written {
            let archive = ["tmx", "tmj", "world", "ldtk"].contains(&format.name);
            let suffix = format!("{}{}", format.suffixes[0], if archive { ".zip" } else { "" });
            let path = format!("/v1/{family}.{suffix}");
            let got = bed.get(&format!("{path}?seed=7")).await.is(200);
            assert_eq!(bed.post(&path, r#"{"seed": 7}"#).await.is(200).body, got.body, "{path}");
            served += 1;
            if !archive {
                assert!(got.body.len() > 20, "{path}");
                continue;
            }
            assert_eq!(got.header("content-type"), "application/zip");
            let files = unzip(&got.body);
            let mut folder = Memory(files.iter().cloned().collect());
            let name = format!("{family}-7.{}", format.suffixes[0]);
            assert!(
                files.iter().any(|(title, bytes)| title.ends_with(".png") && bytes.starts_with(b"\x89PNG"))
            );
            if !format.reads.is_empty() {
                let read = format.read(&name, &mut folder, ReadOptions::default()).unwrap();
                assert_eq!(json!(read[0].stated), digest, "{path}");
                assert!(!read[0].is_edited(), "{path}");
            }
        }
        assert!(served >= 6, "{family}");
        let film = bed.get(&format!("/v1/{family}.apng?seed=7&scale=12")).await.is(200);
        assert_eq!(film.header("content-type"), "image/apng");
        assert!(film.body.windows(4).any(|chunk| chunk == b"acTL"));
    }
    bed.get("/v1/act.tmx.zip?seed=7").await.refused(404, "not-found", None);
    bed.get("/v1/level.dot?seed=7").await.refused(404, "not-found", None);
    bed.get("/v1/act.apng?seed=7&scale=1000").await.refused(422, "limit", Some("scale"));
    let csv = bed.ask("GET", "/v1/act?seed=7", &[("accept", "text/csv")], Body::empty()).await.is(200);
    assert_eq!(csv.text().lines().count(), 2);
    let refused = [("accept", "application/zip")];
    bed.ask("GET", "/v1/level?seed=7", &refused, Body::empty()).await.refused(
        406,
        "not-acceptable",
        Some("Accept"),
    );
}
