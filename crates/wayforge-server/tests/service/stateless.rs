//! Maps generated without storage.

use crate::fixture::Fixture;
use axum::body::Body;
use serde_json::json;
use wayforge::act::{self, ActMap};
use wayforge::{Family, Seed, tower};
use wayforge_formats::{ContentKind, Format, MemoryFiles, ReadOptions};

#[tokio::test]
async fn http_maps_equal_library_maps() {
    let fixture = Fixture::open().await;
    for family in Family::ALL {
        let document = family.generate(b"{}", Seed::new(42)).unwrap().to_document();
        let path = format!("/v1/{family}");
        let generated = fixture.post(&path, r#"{"seed": 42}"#).await.expect_status(200);
        assert_eq!(generated.text(), document.to_text());
        assert_eq!(generated.header("content-type"), "application/json");
        assert_eq!(generated.header("etag"), format!("\"{}\"", document.digest));
        assert_eq!(generated.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(generated.header("wayforge-seed"), "42");
        for other in [
            fixture.post(&path, r#"{"seed": "42", "config": {}}"#).await,
            fixture.post(&format!("{path}.json"), r#"{"seed": "42"}"#).await,
            fixture.get(&format!("{path}?seed=42")).await,
            fixture.get(&format!("{path}.json?seed=42&config=%7B%7D")).await,
        ] {
            assert_eq!(other.expect_status(200).body, generated.body);
        }
        let report = fixture
            .post("/v1/validate?reproduce=true", generated.text())
            .await
            .expect_status(200)
            .json();
        assert_eq!((&report["valid"], &report["digest"]), (&json!(true), &json!(document.digest)));
    }
    let text = fixture
        .post("/v1/act", r#"{"seed": "first light", "config": {"ruleset": "rows"}}"#)
        .await
        .expect_status(200);
    assert_eq!(text.json()["seed"], "first light");
    let config = act::Config::from_json(br#"{"ruleset": "rows"}"#).unwrap().resolve().unwrap();
    let map = act::generate(Seed::from_text("first light"), &config).unwrap();
    assert_eq!(ActMap::decode(&text.body).unwrap(), map);
}

#[tokio::test]
async fn seed_text_round_trips() {
    let fixture = Fixture::open().await;
    for seed in ["first light", "007", "a\u{1}\"\\ äöü \u{1f680}/../%"] {
        let body = json!({ "seed": seed }).to_string();
        for family in Family::ALL {
            let path = format!("/v1/{family}");
            let generated = fixture.post(&path, &body).await.expect_status(200);
            assert_eq!(
                generated.text(),
                family.generate(b"{}", Seed::from_text(seed)).unwrap().to_document().to_text()
            );
            // The header is encoded for use in a query string.
            let again = fixture
                .get(&format!("{path}?seed={}", generated.header("wayforge-seed")))
                .await
                .expect_status(200);
            assert_eq!(
                (again.header("etag"), &again.body),
                (generated.header("etag"), &generated.body)
            );
            let report = fixture
                .post("/v1/validate?reproduce=true", generated.text())
                .await
                .expect_status(200)
                .json();
            assert_eq!((&report["valid"], &report["seed"]), (&json!(true), &json!(seed)));
            let scene =
                fixture.post(&format!("/v1/scene/{family}"), &body).await.expect_status(200).json();
            assert_eq!(scene["document"]["seed"], seed);
        }
        // File names inside archives use the number of the seed.
        let bytes = fixture.post("/v1/level.tmx.zip", &body).await.expect_status(200).body;
        let name = format!("level-{}.tmx", Seed::from_text(seed).number());
        assert!(bytes.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
    }
    let long = "x".repeat(257);
    for response in [
        fixture.get(&format!("/v1/act?seed={long}")).await,
        fixture.get("/v1/act?seed=%00").await,
        fixture.post("/v1/act", &json!({ "seed": long }).to_string()).await,
        fixture.post("/v1/reroll/tower", &json!({ "seed": long, "pins": [] }).to_string()).await,
    ] {
        let problem = response.json();
        assert!(problem["status"] == 400 || problem["status"] == 422, "{problem}");
        assert_eq!(problem["field"], "seed", "{problem}");
    }
}

#[tokio::test]
async fn validates_a_floor_without_an_envelope() {
    let fixture = Fixture::open().await;
    let generated = fixture.get("/v1/floor?seed=first%20light").await.expect_status(200).json();
    let mut floor = generated["map"].clone();
    let report = fixture.post("/v1/validate", &floor.to_string()).await.expect_status(200).json();
    assert_eq!(
        (&report["valid"], &report["seed"]),
        (&json!(true), &json!("first light")),
        "{report}"
    );
    assert_eq!((&report["algorithm"], &report["digest"]), (&json!(null), &json!(null)));
    floor["config"] = generated["config"].clone();
    let report = fixture
        .post("/v1/validate?reproduce=true", &floor.to_string())
        .await
        .expect_status(200)
        .json();
    assert_eq!(report["valid"], json!(true), "{report}");
    floor["entities"][0]["data"] = json!({"hp": 3});
    floor["config"]["enemyBudget"] = json!(1);
    floor["tiles"][7]["pos"]["x"] = json!(-2);
    let report = fixture.post("/v1/validate", &floor.to_string()).await.expect_status(200).json();
    let rules: Vec<&str> = report["report"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|v| v["rule"].as_str())
        .collect();
    assert_eq!(rules, ["whole-numbers", "budgets"]);
    floor["config"] = json!({"width": 7, "pins": ["?"]});
    let report = fixture.post("/v1/validate", &floor.to_string()).await.expect_status(200).json();
    assert_eq!(report["valid"], json!(false), "{report}");
}

#[tokio::test]
async fn missing_seed_is_random_and_reported() {
    let fixture = Fixture::open().await;
    let (one, other) = (
        fixture.post("/v1/act", "").await.expect_status(200),
        fixture.get("/v1/act").await.expect_status(200),
    );
    assert_ne!(one.header("wayforge-seed"), other.header("wayforge-seed"));
    assert_eq!(one.json()["seed"], one.header("wayforge-seed"));
    assert_eq!(one.header("cache-control"), "no-store", "the next response is another map");
}

#[tokio::test]
async fn selects_formats_by_suffix_and_by_accept() {
    let fixture = Fixture::open().await;
    let formats = [
        ("svg", "image/svg+xml"),
        ("png", "image/png"),
        ("txt", "text/plain"),
        ("json", "application/json"),
    ];
    for family in Family::ALL {
        let mut etags = Vec::new();
        for (suffix, media) in formats {
            let by_suffix = fixture
                .get(&format!("/v1/{family}.{suffix}?seed=7&scale=30"))
                .await
                .expect_status(200);
            let path = format!("/v1/{family}?seed=7&scale=30");
            let negotiated = fixture
                .request("GET", &path, &[("accept", media)], Body::empty())
                .await
                .expect_status(200);
            assert!(
                by_suffix.body == negotiated.body
                    && by_suffix.header("content-type").starts_with(media),
                "{suffix}"
            );
            assert_eq!(
                (by_suffix.header("etag"), negotiated.header("vary")),
                (negotiated.header("etag"), "Accept")
            );
            let start: &[u8] = match suffix {
                "svg" => b"<svg ",
                "png" => b"\x89PNG",
                "json" => b"{\"format\":\"wayforge/1\"",
                _ => &[],
            };
            assert!(by_suffix.body.starts_with(start) && by_suffix.body.len() > 20);
            etags.push(by_suffix.header("etag").to_owned());
        }
        etags.sort();
        etags.dedup();
        assert_eq!(etags.len(), formats.len(), "each format has its own ETag");
    }
    let themes = ["parchment", "night"].map(|theme| format!("/v1/act.svg?seed=7&theme={theme}"));
    let (day, night) = (fixture.get(&themes[0]).await, fixture.get(&themes[1]).await);
    assert!(day.body != night.body && day.header("etag") != night.header("etag"));
    let (small, large) = (
        fixture.get("/v1/act.png?seed=7&scale=10").await,
        fixture.get("/v1/act.png?seed=7&scale=20").await,
    );
    assert!(small.body.len() < large.body.len() && small.header("etag") != large.header("etag"));
    let with_witness = fixture.get("/v1/level.svg?seed=7&witness=all").await.expect_status(200);
    assert_ne!(
        with_witness.body,
        fixture.get("/v1/level.svg?seed=7").await.expect_status(200).body
    );
    assert!(day.header("content-security-policy").contains("default-src 'none'"));
}

#[tokio::test]
async fn matching_if_none_match_returns_304_or_412() {
    let fixture = Fixture::open().await;
    for path in ["/v1/act?seed=7", "/v1/act.png?seed=7", "/v1/level.svg?seed=7"] {
        let first = fixture.get(path).await.expect_status(200);
        let etag = first.header("etag").to_owned();
        let lists = [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()];
        for list in &lists {
            let again = fixture
                .request("GET", path, &[("if-none-match", list)], Body::empty())
                .await
                .expect_status(304);
            assert!(again.body.is_empty() && again.header("etag") == etag);
        }
        let other = path.replace("seed=7", "seed=8");
        fixture
            .request("GET", &other, &[("if-none-match", &etag)], Body::empty())
            .await
            .expect_status(200);
        let head = fixture.request("HEAD", path, &[], Body::empty()).await.expect_status(200);
        assert!(head.body.is_empty() && head.header("etag") == etag);
    }
    let etag = fixture.get("/v1/act?seed=7").await.header("etag").to_owned();
    let headers = [("content-type", "application/json"), ("if-none-match", etag.as_str())];
    let response = fixture.request("POST", "/v1/act", &headers, r#"{"seed":7}"#).await;
    response.expect_problem(412, "precondition-failed", Some("If-None-Match"));
}

#[tokio::test]
async fn validates_a_single_floor_of_a_tower() {
    let spec = tower::Config::default().resolve().unwrap();
    let floor = tower::SingleFloor::generate(Seed::new(42), &spec, 6).unwrap();
    let fixture = Fixture::open().await;
    let text = floor.to_document().to_text();
    let report = fixture.post("/v1/validate?reproduce=true", &text).await.expect_status(200).json();
    assert_eq!(
        (&report["valid"], &report["algorithm"]),
        (&true.into(), &"floor.tower.floor/1".into())
    );
}

#[tokio::test]
async fn validates_broken_documents_instead_of_rejecting_them() {
    let fixture = Fixture::open().await;
    let text = Family::Act.generate(b"{}", Seed::new(42)).unwrap().to_document().to_text();
    let report = fixture
        .post("/v1/validate", &text.replacen("\"from\":", "\"from\":1", 1))
        .await
        .expect_status(200)
        .json();
    assert_eq!(report["valid"], false);
    let rules: Vec<&str> = report["report"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|violation| violation["rule"].as_str().unwrap())
        .collect();
    assert!(rules.contains(&"digest-matches"), "{rules:?}");
}

#[tokio::test]
async fn route_analysis_equals_the_library() {
    let fixture = Fixture::open().await;
    let map = act::generate(Seed::new(42), &act::Config::default().resolve().unwrap()).unwrap();
    let routes = act::routes(&map);
    let generated = fixture.post("/v1/routes", r#"{"seed": 42}"#).await.expect_status(200).json();
    assert_eq!(generated["routes"], routes.count(None).to_string());
    assert_eq!(
        (&generated["match"], &generated["route"], &generated["from"]),
        (&json!(null), &json!(null), &json!(null))
    );
    // As text: sorting the members would invalidate the digest.
    let document = map.to_document().to_text();
    let node = map.nodes.iter().find(|node| node.row == 4).unwrap();
    let elite = map.spec.find_kind("elite").unwrap();
    let from = Some(node.pos());
    let query = json!({
        "from": { "row": node.row, "col": node.col },
        "query": [{ "kind": "elite", "min": 1 }, { "kind": "shop", "max": 9 }],
        "route": { "max": "elite" },
    });
    let query = query.to_string().replacen('{', &format!("{{\"document\":{document},"), 1);
    let saved = fixture.post("/v1/routes", &query).await.expect_status(200).json();
    assert_eq!(saved["routes"], routes.count(from).to_string());
    assert_eq!(saved["route"]["cols"], json!(routes.max_count(elite, from).unwrap().1.cols));
    assert!(
        saved["match"]["description"].is_string() && saved["kinds"].as_array().unwrap().len() > 3
    );
    for (query, field) in [
        (r#"{"seed":42,"from":{"row":99,"col":0}}"#, "from"),
        (r#"{"seed":42,"query":[{"kind":"dragon"}]}"#, "query[0].kind"),
        (r#"{"seed":42,"query":[{"kind":"elite","min":3,"max":1}]}"#, "query[0].min"),
        (r#"{"seed":42,"route":{"min":"dragon"}}"#, "route.min"),
        (r#"{"seed":42,"route":{"cols":[99]}}"#, "route[0]"),
    ] {
        fixture.post("/v1/routes", query).await.expect_problem(422, "invalid-config", Some(field));
    }
}

/// Extracts the files of a ZIP archive.
fn unzip(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let number = |at: usize, length: usize| {
        bytes[at..at + length].iter().rev().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte))
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
async fn serves_every_output_format() {
    let fixture = Fixture::open().await;
    for (family, content) in
        wayforge::Family::ALL.map(|family| (family.name(), ContentKind::Map(family)))
    {
        let digest =
            fixture.get(&format!("/v1/{family}?seed=7")).await.expect_status(200).json()["digest"]
                .clone();
        let mut served = 0;
        // Animations are requested below, at a small scale.
        let infos = Format::ALL.iter().map(|format| format.info());
        for format in
            infos.filter(|format| format.writes.contains(&content) && format.name != "apng")
        {
            let archive = ["tmx", "tmj", "world", "ldtk"].contains(&format.name);
            let suffix = format!("{}{}", format.suffixes[0], if archive { ".zip" } else { "" });
            let path = format!("/v1/{family}.{suffix}");
            let response = fixture.get(&format!("{path}?seed=7")).await.expect_status(200);
            assert_eq!(
                fixture.post(&path, r#"{"seed": 7}"#).await.expect_status(200).body,
                response.body,
                "{path}"
            );
            served += 1;
            if !archive {
                assert!(response.body.len() > 20, "{path}");
                continue;
            }
            assert_eq!(response.header("content-type"), "application/zip");
            let files = unzip(&response.body);
            let mut folder = MemoryFiles(files.iter().cloned().collect());
            let name = format!("{family}-7.{}", format.suffixes[0]);
            assert!(
                files
                    .iter()
                    .any(|(title, bytes)| title.ends_with(".png") && bytes.starts_with(b"\x89PNG"))
            );
            if !format.reads.is_empty() {
                let read = Format::from_file_name(&name)
                    .unwrap()
                    .read(&name, &mut folder, ReadOptions::default())
                    .unwrap();
                assert_eq!(json!(read[0].stated_digest), digest, "{path}");
                assert!(!read[0].is_edited(), "{path}");
            }
        }
        assert!(served >= 6, "{family}");
        let animation =
            fixture.get(&format!("/v1/{family}.apng?seed=7&scale=12")).await.expect_status(200);
        assert_eq!(animation.header("content-type"), "image/apng");
        assert!(animation.body.windows(4).any(|chunk| chunk == b"acTL"));
    }
    fixture.get("/v1/act.tmx.zip?seed=7").await.expect_problem(404, "not-found", None);
    fixture.get("/v1/level.dot?seed=7").await.expect_problem(404, "not-found", None);
    fixture.get("/v1/act.apng?seed=7&scale=1000").await.expect_problem(
        422,
        "limit-exceeded",
        Some("scale"),
    );
    let csv = fixture
        .request("GET", "/v1/act?seed=7", &[("accept", "text/csv")], Body::empty())
        .await
        .expect_status(200);
    assert_eq!(csv.text().lines().count(), 2);
    let accept_zip = [("accept", "application/zip")];
    fixture.request("GET", "/v1/level?seed=7", &accept_zip, Body::empty()).await.expect_problem(
        406,
        "not-acceptable",
        Some("Accept"),
    );
}
