//! Committed JSON Schemas: up to date, matched by real documents, violated by damaged ones.
//!
//! `WAYFORGE_REFRESH=1 cargo test -p wayforge-testsuite --test it schema` rewrites them.

use serde_json::{Value, json};
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::act;
use wayforge::level;

/// Schema of a map family, with documents that match and violate it.
struct Family {
    name: &'static str,
    /// Generated schema as text.
    schema: String,
    /// Generates the document of a configuration and a seed.
    document: fn(&str, u64) -> Value,
    configs: &'static [&'static str],
    damage: &'static [Damage],
}

/// Name of the damaged part, and the change.
type Damage = (&'static str, fn(&mut Value));

/// Damages to the envelope, which all families share.
const ENVELOPE: [Damage; 5] = [
    ("format", |d| d["format"] = json!("wayforge/9")),
    ("algorithm", |d| d["algorithm"] = json!("act.magic/1")),
    ("seed", |d| d["seed"] = json!(7)),
    ("digest", |d| d["digest"] = json!("sha256:12")),
    ("unknown member", |d| d["extra"] = json!(1)),
];

fn families() -> [Family; 2] {
    [
        Family {
            name: "act",
            schema: serde_json::to_string_pretty(&act::document_schema()).unwrap() + "\n",
            document: |config, seed| {
                let spec = act::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
                read(&act::generate(Seed::new(seed), &spec).unwrap().to_document().to_text())
            },
            configs: &[
                "{}",
                r#"{"kinds":"none","boss":false}"#,
                r#"{"pins":[{"row":5,"col":0,"kind":"shop"},{"row":6,"col":6}],"blocked":[{"row":3,"col":3}]}"#,
            ],
            damage: &[
                ("config.rows", |d| d["config"]["rows"] = json!(5000)),
                ("map.nodes", |d| d["map"]["nodes"][0]["row"] = json!(-1)),
                ("map.edges", |d| d["map"]["edges"][0] = json!({"row": 0, "from": 1})),
                ("no boss", |d| drop(d["map"].as_object_mut().unwrap().remove("boss"))),
                ("no kind", |d| drop(d["map"]["nodes"][0].as_object_mut().unwrap().remove("kind"))),
            ],
        },
        Family {
            name: "level",
            schema: serde_json::to_string_pretty(&level::document_schema()).unwrap() + "\n",
            document: |config, seed| {
                let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
                read(&level::generate(Seed::new(seed), &spec).unwrap().to_document().to_text())
            },
            configs: &[
                "{}",
                r#"{"walls":"sparse_moore.25%","fuel":"refuel_chain","reinforced":"12.5%","pitfalls":"2%","plants":7}"#,
                r#"{"interior_walls":"solid","endurance":true,"walls":"grid_wire","retry":"hash","exits":["top"],
                    "moving_floors":{"amount":"1%","zones":[{"x":9,"y":9,"width":3,"height":2,"moves":"<"}]},
                    "fall_spawn_zones":[{"x":3,"y":3,"width":4,"height":4}],"fall_spawn_floor_ratio":0.03,"min_separation":4}"#,
                r#"{"marks":[{"name":"key"},{"name":"door","count":2,"cells":[[9,9]],"locked_until":"key"}],
                    "objectives":[{"steps":["P","key","door","E"]},{"mover":"car","steps":["C","E"]}]}"#,
            ],
            damage: &[
                ("config.width", |d| d["config"]["width"] = json!(8)),
                ("config.walls", |d| d["config"]["walls"] = json!("sparse_moore.101%")),
                ("config.walls name", |d| d["config"]["walls"] = json!("bricks")),
                ("config.fuel", |d| d["config"]["fuel"] = json!("gas")),
                ("config.pitfalls", |d| d["config"]["pitfalls"]["amount"] = json!("101%")),
                ("config.exits", |d| d["config"]["exits"] = json!(["up"])),
                ("map.rows", |d| d["map"]["rows"][0] = json!(5)),
                ("map.marks", |d| d["map"]["marks"] = json!({"key": [[1]]})),
                ("map.witness", |d| d["map"]["witness"][0]["route"][0] = json!([1, -1])),
                ("map.witness mover", |d| d["map"]["witness"][0]["mover"] = json!("bus")),
                ("no attempt", |d| drop(d["map"].as_object_mut().unwrap().remove("attempt"))),
                ("no reinforced", |d| drop(d["map"].as_object_mut().unwrap().remove("reinforced"))),
            ],
        },
    ]
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn committed_schemas_are_up_to_date() {
    for family in families() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../docs/schema/{}.schema.json", family.name));
        if std::env::var_os("WAYFORGE_REFRESH").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &family.schema).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == family.schema,
            "{} is out of date: see the top of this file",
            path.display()
        );
    }
}

#[test]
fn documents_match_their_schema_and_damaged_ones_do_not() {
    for Family { name, schema, document, configs, damage } in families() {
        let validator = jsonschema::validator_for(&read(&schema)).unwrap();
        for config in configs {
            for seed in 0..20 {
                if let Err(error) = validator.validate(&document(config, seed)) {
                    panic!("{name} {config} seed {seed}: {error} at {}", error.instance_path());
                }
            }
        }
        for (part, change) in ENVELOPE.iter().chain(damage) {
            let mut document = document("{}", 1);
            change(&mut document);
            assert!(!validator.is_valid(&document), "{name}: {part}");
        }
    }
}
