//! Seeds given as text: documents store the text, but maps depend only on the number.

use wayforge::act::{self, ActMap};
use wayforge::floor::{self, Floor};
use wayforge::level::{self, Level};
use wayforge::nav::{ArchipelagoConfig, archipelago_document};
use wayforge::tower::{self, SingleFloor, Tower};
use wayforge::{Document, Family, Seed, validate_document};

const TEXTS: [&str; 6] = [
    "first light",
    "007",
    "",
    "quote \" backslash \\ slash / apostrophe '",
    "\u{1}\u{8}\t\n\u{c}\r\u{1f}\u{7f}\u{85}\u{2028}",
    "äöü 日本語 \u{1f680}",
];

/// Returns documents of all families and of configurations that use seeds differently.
fn documents(seed: &Seed) -> Vec<Document> {
    let generate = |family: Family, config: &str| {
        family.generate(config.as_bytes(), seed.clone()).unwrap().to_document()
    };
    let tower = tower::Config::default().resolve().unwrap();
    vec![
        generate(Family::Act, "{}"),
        generate(Family::Act, r#"{"ruleset":"rows"}"#),
        generate(Family::Act, r#"{"ruleset":"spire"}"#),
        generate(Family::Level, "{}"),
        generate(
            Family::Level,
            r#"{"retry":"hash","walls":"maze","interior_walls":"solid","pitfalls":"10%"}"#,
        ),
        generate(Family::Floor, "{}"),
        generate(Family::Floor, r#"{"templateId":"shop"}"#),
        generate(Family::Tower, r#"{"floors":3}"#),
        SingleFloor::generate(seed.clone(), &tower, 2).unwrap().to_document(),
        archipelago_document(
            seed.clone(),
            &ArchipelagoConfig { width: 40, height: 30, ..Default::default() }.resolve().unwrap(),
        ),
    ]
}

#[test]
fn documents_store_the_seed_text() {
    for text in TEXTS {
        let seed = Seed::from_text(text);
        for document in documents(&seed) {
            let written = document.to_text();
            let value: serde_json::Value = serde_json::from_str(&written).unwrap();
            assert_eq!(value["seed"], text, "{}", document.algorithm);
            let read = Document::decode(written.as_bytes()).unwrap();
            assert_eq!((&read, read.check_digest()), (&document, Ok(())));
            assert_eq!(read.seed.number(), seed.number());
            assert_eq!(read.to_text(), written);
        }
        let document =
            floor::Config::default().resolve().map(|spec| floor::generate(seed.clone(), &spec));
        let document = document.unwrap().unwrap().to_document();
        let value: serde_json::Value = serde_json::from_str(&document.map).unwrap();
        assert_eq!(value["seed"], text, "MapFloor.seed");
    }
}

#[test]
fn maps_decoded_from_documents_are_equal_and_valid() {
    for text in TEXTS {
        let seed = Seed::from_text(text);
        let map = act::generate(seed.clone(), &act::Config::default().resolve().unwrap()).unwrap();
        assert_eq!(ActMap::decode(map.to_document().to_text().as_bytes()).unwrap(), map);
        let level =
            level::generate(seed.clone(), &level::Config::default().resolve().unwrap()).unwrap();
        assert_eq!(Level::decode(level.to_document().to_text().as_bytes()).unwrap(), level);
        let floor =
            floor::generate(seed.clone(), &floor::Config::default().resolve().unwrap()).unwrap();
        assert_eq!(Floor::decode(floor.to_document().to_text().as_bytes()).unwrap(), floor);
        let tower =
            tower::generate(seed.clone(), &tower::Config::default().resolve().unwrap()).unwrap();
        assert_eq!(Tower::decode(tower.to_document().to_text().as_bytes()).unwrap(), tower);
        for document in
            documents(&seed).iter().filter(|document| document.algorithm != "water.archipelago/1")
        {
            let report = validate_document(document, true).unwrap();
            assert!(report.is_valid(), "{}: {report:?}", document.algorithm);
        }
    }
}

#[test]
fn seeds_with_the_same_number_give_the_same_map() {
    for text in TEXTS {
        let given = Seed::from_text(text);
        let pairs = documents(&given).into_iter().zip(documents(&Seed::new(given.number())));
        for (given, derived) in pairs {
            assert_ne!(given.digest, derived.digest);
            assert_eq!(given.config, derived.config);
            // The map of a floor document repeats the document's seed.
            match given.algorithm.as_str() {
                "floor.module/1" => {
                    assert_eq!(without_seed(&given.map), without_seed(&derived.map))
                }
                _ => assert_eq!(given.map, derived.map),
            }
        }
    }
}

fn without_seed(map: &str) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(map).unwrap();
    value.as_object_mut().unwrap().remove("seed");
    value
}

#[test]
fn digest_covers_the_seed_text() {
    let document = Family::Act.generate(b"{}", Seed::from_text("007")).unwrap().to_document();
    for other in ["7", "0007", "07"] {
        let text = document.to_text().replace("\"seed\":\"007\"", &format!("\"seed\":\"{other}\""));
        assert!(Document::decode(text.as_bytes()).unwrap().check_digest().is_err(), "{other}");
        assert!(
            !validate_document(&Document::decode(text.as_bytes()).unwrap(), false)
                .unwrap()
                .is_valid()
        );
    }
}

#[test]
fn rejects_seed_texts_that_are_too_long_or_contain_nul() {
    let document = Family::Act.generate(b"{}", Seed::new(7)).unwrap().to_document().to_text();
    for (seed, problem) in
        [("x".repeat(257), "257 characters; use at most 256"), ("\\u0000".into(), "U+0000")]
    {
        let text = document.replace("\"seed\":\"7\"", &format!("\"seed\":\"{seed}\""));
        let error = Document::decode(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("seed: ") && error.contains(problem), "{error}");
    }
}
