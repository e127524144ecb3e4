//! The seed catalogue: a map never changes under the name of its algorithm.
//!
//! `WAYFORGE_REFRESH=1 cargo test -p wayforge-testsuite --test catalogue` adds what is missing. It refuses to change a
//! digest that is there: a new output needs a new algorithm name, or, before a release, the line's removal by hand.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::act::{self, ActConfig};

/// One line of a catalogue.
#[derive(Serialize, Deserialize)]
struct Entry {
    algorithm: String,
    config: serde_json::Value,
    seed: Seed,
    digest: String,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("catalogue/act.jsonl")
}

/// The configurations that are pinned: small and large, every option, the rare paths included.
fn configs() -> Vec<&'static str> {
    vec![
        r#"{"ruleset":"walks"}"#,
        r#"{"ruleset":"walks","kinds":"none"}"#,
        r#"{"ruleset":"walks","boss":false}"#,
        r#"{"ruleset":"walks","rows":1,"cols":2,"walks":2}"#,
        r#"{"ruleset":"walks","rows":40,"cols":1,"walks":1}"#,
        r#"{"ruleset":"walks","rows":3,"cols":3}"#,
        r#"{"ruleset":"walks","rows":25,"cols":12,"walks":9}"#,
        r#"{"ruleset":"walks","nearest":1,"walks":4}"#,
        r#"{"ruleset":"walks","nearest":2}"#,
        r#"{"ruleset":"walks","nearest":5,"cols":9}"#,
        r#"{"ruleset":"walks","rows":60,"cols":64,"walks":20,"nearest":64}"#,
        r#"{"ruleset":"walks","blocked":[{"row":3,"col":2},{"row":3,"col":3},{"row":3,"col":4},{"row":9,"col":0},{"row":9,"col":6}]}"#,
        r#"{"ruleset":"walks","depth":2,"restarts":1,"blocked":[{"row":6,"col":0},{"row":6,"col":1},{"row":6,"col":2},{"row":6,"col":4},{"row":6,"col":5},{"row":6,"col":6}]}"#,
        r#"{"ruleset":"walks","pins":[{"row":5,"col":0,"kind":"shop"},{"row":5,"col":6},{"row":10,"col":3,"kind":"elite"}]}"#,
        r#"{"ruleset":"walks","kinds":{"kinds":[{"name":"fight","weight":5},{"name":"shop","weight":1,"no_repeat":true,"route":{"min":1}},{"name":"camp","weight":2,"siblings_differ":true,"map":{"min":4,"max":6}}],"bands":[{"from":0,"to":2,"weights":{"camp":0}}],"fixed":[{"row":-1,"kind":"camp"}],"boss":"fight"}}"#,
        r#"{"ruleset":"walks","rows":200,"cols":30,"walks":12}"#,
        r#"{"ruleset":"spire"}"#,
        r#"{"ruleset":"spire","act":2,"ascension":20,"emerald":true}"#,
        r#"{"ruleset":"spire","act":3,"ascension":1}"#,
        r#"{"ruleset":"spire","act":4}"#,
        r#"{"ruleset":"rows"}"#,
        r#"{"ruleset":"rows","kinds":"none"}"#,
        r#"{"ruleset":"rows","rows":2,"cols":1,"min_nodes":1}"#,
        r#"{"ruleset":"rows","rows":20,"cols":8,"min_nodes":3,"max_nodes":3}"#,
        r#"{"ruleset":"rows","rows":60,"cols":64,"min_nodes":10,"max_nodes":40}"#,
    ]
}

fn seeds() -> impl Iterator<Item = Seed> {
    (0..20).chain([42, u64::from(u32::MAX), 1 << 53, u64::MAX]).map(Seed)
}

fn made() -> Vec<Entry> {
    let mut entries = Vec::new();
    for text in configs() {
        let spec = ActConfig::from_json(text.as_bytes()).unwrap().resolve().unwrap();
        for seed in seeds() {
            let document = act::generate(seed, &spec).unwrap().to_document();
            entries.push(Entry {
                algorithm: document.algorithm.clone(),
                config: serde_json::from_str(text).unwrap(),
                seed,
                digest: document.digest.to_string(),
            });
        }
    }
    entries
}

#[test]
fn pinned_maps_have_not_changed() {
    let text = std::fs::read_to_string(path()).unwrap_or_default();
    let pinned: Vec<Entry> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let key = |entry: &Entry| format!("{} {} {}", entry.algorithm, entry.config, entry.seed);
    let known: BTreeMap<String, &Entry> = pinned.iter().map(|entry| (key(entry), entry)).collect();
    let made = made();
    for entry in &made {
        if let Some(pinned) = known.get(&key(entry)) {
            assert_eq!(pinned.digest, entry.digest, "the map of {} has changed", key(entry));
        }
    }
    if std::env::var_os("WAYFORGE_REFRESH").is_some() {
        let lines: String = made.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
        std::fs::write(path(), lines).unwrap();
        return;
    }
    let missing = made.iter().filter(|entry| !known.contains_key(&key(entry))).count();
    assert_eq!((missing, pinned.len()), (0, made.len()), "refresh the catalogue: see the top of this file");
}
