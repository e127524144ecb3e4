//! Committed JSON Schemas of floors and towers.
//!
//! `WAYFORGE_REFRESH=1 cargo test -p wayforge-testsuite --test it floor` rewrites the schemas.

use serde_json::{Value, json};
use std::path::PathBuf;
use wayforge::floor;
use wayforge::tower;
use wayforge::{Document, Seed};
use wayforge_testsuite::{FLOORS, TOWERS};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn floor_document(config: &str, seed: Seed) -> Document {
    let spec = floor::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    floor::generate(seed, &spec).unwrap().to_document()
}

fn tower_document(config: &str, seed: Seed) -> Document {
    let spec = tower::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    tower::generate(seed, &spec).unwrap().to_document()
}

#[test]
fn committed_schemas_are_up_to_date() {
    for (name, schema) in [
        ("floor", floor::document_schema()),
        ("map-floor", floor::map_floor_schema()),
        ("tower", tower::document_schema()),
        ("tower-floor", tower::floor_schema()),
        ("tower-run", tower::run_schema()),
    ] {
        let file = path(&format!("../docs/schema/{name}.schema.json"));
        let generated = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("WAYFORGE_REFRESH").is_some() {
            std::fs::write(&file, &generated).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == generated,
            "{name}.schema.json is out of date: see the top of this file"
        );
    }
}

#[test]
fn runs_and_single_floors_of_towers_match_their_schemas() {
    let runs =
        jsonschema::validator_for(&serde_json::to_value(tower::run_schema()).unwrap()).unwrap();
    let floors = serde_json::to_value(tower::floor_schema()).unwrap();
    let floors = jsonschema::validator_for(&floors).unwrap();
    let read = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    let spec = tower::Config::default().resolve().unwrap();
    let single_floor = tower::SingleFloor::generate(Seed::new(3), &spec, 4).unwrap();
    let document = read(&single_floor.to_document().to_text());
    assert!(floors.is_valid(&document));
    for (path, value) in [
        ("/config/floor", json!(0)),
        ("/algorithm", json!("floor.tower/1")),
        ("/map/seed", json!(4)),
    ] {
        let mut damaged = document.clone();
        *damaged.pointer_mut(path).unwrap() = value;
        assert!(!floors.is_valid(&damaged), "{path}");
    }
    let mut run = tower::TowerRun::start(single_floor);
    while let Some(dir) = run.next_step() {
        run.step(dir).unwrap();
    }
    let saved = read(&run.saved().to_text());
    assert!(runs.is_valid(&saved), "{saved}");
    for (path, value) in
        [("/format", json!("wayforge-tower-run/2")), ("/steps", json!("nnx")), ("/map", json!(1))]
    {
        let mut damaged = saved.clone();
        *damaged.pointer_mut(path).unwrap() = value;
        assert!(!runs.is_valid(&damaged), "{path}");
    }
}

#[test]
fn documents_match_the_schema_and_damaged_ones_do_not() {
    let floors =
        jsonschema::validator_for(&serde_json::to_value(floor::document_schema()).unwrap())
            .unwrap();
    let towers =
        jsonschema::validator_for(&serde_json::to_value(tower::document_schema()).unwrap())
            .unwrap();
    let read = |document: Document| -> Value { serde_json::from_str(&document.to_text()).unwrap() };
    for seed in (0..10).map(Seed::new) {
        for text in FLOORS {
            let document = read(floor_document(text, seed.clone()));
            if let Err(error) = floors.validate(&document) {
                panic!("{text} seed {seed}: {error} at {}", error.instance_path());
            }
        }
        for text in TOWERS {
            let document = read(tower_document(text, seed.clone()));
            if let Err(error) = towers.validate(&document) {
                panic!("{text} seed {seed}: {error} at {}", error.instance_path());
            }
        }
    }
    type Damage<'a> = (&'a str, &'a dyn Fn(&mut Value));
    let damages: [Damage; 10] = [
        ("algorithm", &|d| d["algorithm"] = json!("floor.tower/1")),
        ("version", &|d| d["map"]["version"] = json!("floor.module/2")),
        ("seed", &|d| d["map"]["seed"] = json!(7)),
        ("density", &|d| d["config"]["wallDensity"] = json!(1.5)),
        ("width", &|d| d["config"]["width"] = json!(65)),
        ("tile kind", &|d| d["map"]["tiles"][0]["kind"] = json!("lava")),
        ("no meta", &|d| drop(d["map"]["tiles"][0].as_object_mut().unwrap().remove("meta"))),
        ("no time", &|d| drop(d["map"].as_object_mut().unwrap().remove("generatedAt"))),
        ("unknown member", &|d| d["map"]["extra"] = json!(1)),
        ("origin", &|d| d["map"]["origin"] = json!({"by": "magic"})),
    ];
    for (name, change) in damages {
        let mut document = read(floor_document("{}", Seed::new(1)));
        change(&mut document);
        assert!(!floors.is_valid(&document), "{name}");
    }
}
