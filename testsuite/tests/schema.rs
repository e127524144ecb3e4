//! The committed JSON Schema: up to date, kept by real documents, broken by damaged ones.
//!
//! `WAYFORGE_REFRESH=1 cargo test -p wayforge-testsuite --test schema` writes it anew.

use serde_json::{Value, json};
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::act::{self, ActConfig};

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/schema/act.schema.json")
}

fn document(config: &str, seed: u64) -> Value {
    let spec = ActConfig::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    serde_json::from_str(&act::generate(Seed(seed), &spec).unwrap().to_document().to_text()).unwrap()
}

#[test]
fn committed_schema_is_the_generated_one() {
    let generated = serde_json::to_string_pretty(&act::document_schema()).unwrap() + "\n";
    if std::env::var_os("WAYFORGE_REFRESH").is_some() {
        std::fs::create_dir_all(path().parent().unwrap()).unwrap();
        std::fs::write(path(), &generated).unwrap();
    }
    let committed = std::fs::read_to_string(path()).unwrap_or_default();
    assert!(committed == generated, "docs/schema/act.schema.json is out of date: see the top of this test");
}

#[test]
fn documents_keep_the_schema_and_damaged_ones_do_not() {
    let schema = serde_json::to_value(act::document_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for config in [
        "{}",
        r#"{"kinds":"none","boss":false}"#,
        r#"{"pins":[{"row":5,"col":0,"kind":"shop"},{"row":6,"col":6}],"blocked":[{"row":3,"col":3}]}"#,
    ] {
        for seed in 0..20 {
            let document = document(config, seed);
            if let Err(error) = validator.validate(&document) {
                panic!("{config} seed {seed}: {error} at {}", error.instance_path());
            }
        }
    }
    type Damage<'a> = (&'a str, &'a dyn Fn(&mut Value));
    let damage: [Damage; 10] = [
        ("format", &|d| d["format"] = json!("wayforge/9")),
        ("algorithm", &|d| d["algorithm"] = json!("act.magic/1")),
        ("seed", &|d| d["seed"] = json!(7)),
        ("digest", &|d| d["digest"] = json!("sha256:12")),
        ("config.rows", &|d| d["config"]["rows"] = json!(5000)),
        ("map.nodes", &|d| d["map"]["nodes"][0]["row"] = json!(-1)),
        ("map.edges", &|d| d["map"]["edges"][0] = json!({"row": 0, "from": 1})),
        ("unknown member", &|d| d["extra"] = json!(1)),
        ("no boss", &|d| drop(d["map"].as_object_mut().unwrap().remove("boss"))),
        ("no kind", &|d| drop(d["map"]["nodes"][0].as_object_mut().unwrap().remove("kind"))),
    ];
    for (what, change) in damage {
        let mut document = document("{}", 1);
        change(&mut document);
        assert!(!validator.is_valid(&document), "{what}");
    }
}
