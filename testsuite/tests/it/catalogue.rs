//! Digest catalogues, one per family: the output of a named algorithm never changes.
//!
//! `WAYFORGE_REFRESH=1 cargo test -p wayforge-testsuite --test it catalogue` adds missing entries.
//! It never changes an existing digest: new output needs a new algorithm name or, before a
//! release, the removal of the line by hand.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use wayforge::act;
use wayforge::floor;
use wayforge::level;
use wayforge::nav::{ArchipelagoConfig, archipelago_document};
use wayforge::tower;
use wayforge::{Document, Seed};
use wayforge_testsuite::{FLOORS, TOWERS};

/// Line of a catalogue.
#[derive(Serialize, Deserialize)]
struct Entry {
    algorithm: String,
    config: serde_json::Value,
    seed: Seed,
    digest: String,
}

/// Configurations of the pinned act maps: small and large, every option, rare cases.
const ACTS: &[&str] = &[
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
];

/// Configurations of the pinned levels: every wall algorithm, mode and feature, with pins, marks
/// and repairs.
const LEVELS: &[&str] = &[
    r#"{}"#,
    r#"{"fuel":"refuel_chain"}"#,
    r#"{"fuel":"start_full","walls":"empty"}"#,
    r#"{"fuel":"refuel_chain","walls":"grid_wire"}"#,
    r#"{"fuel":"refuel_chain","walls":"sparse_moore"}"#,
    r#"{"fuel":"refuel_chain","walls":"sparse_moore.25%"}"#,
    r#"{"fuel":"refuel_chain","walls":"sparse_ortho"}"#,
    r#"{"walls":"sparse_ortho.30%"}"#,
    r#"{"walls":"maze"}"#,
    r#"{"walls":"caves"}"#,
    r#"{"interior_walls":"solid"}"#,
    r#"{"interior_walls":"solid","walls":"grid_wire","fuel":"refuel_chain"}"#,
    r#"{"interior_walls":"solid","walls":"sparse_ortho.50%","exits":["bottom"]}"#,
    r#"{"interior_walls":"solid","walls":"maze","players":3,"cars":2}"#,
    r#"{"interior_walls":"solid","walls":"caves","width":80,"height":50}"#,
    r#"{"width":9,"height":7}"#,
    r#"{"width":9,"height":7,"exits":["left"],"walls":"empty","fuel":"refuel_chain","flashlights":2}"#,
    r#"{"width":120,"height":7,"walls":"sparse_moore"}"#,
    r#"{"width":20,"height":53,"exits":["top"],"walls":"grid_wire"}"#,
    r#"{"width":130,"height":66,"moving_floors":"1%","pitfalls":"1%"}"#,
    r#"{"width":512,"height":512,"fuel":"refuel_chain","walls":"sparse_moore"}"#,
    r#"{"endurance":true}"#,
    r#"{"endurance":true,"interior_walls":"solid","exits":["right","top"]}"#,
    r#"{"players":4,"cars":3,"fuel_spots":5,"flashlights":3,"shoes":2}"#,
    r#"{"fuel":"refuel_chain","empty_cans":3,"fuel_spots":2}"#,
    r#"{"pitfalls":"1%","plants":"3%","puddles":12,"moving_floors":"2%"}"#,
    r#"{"pitfalls":{"amount":2,"zones":[{"x":10,"y":10,"width":4,"height":3}]},"plants":{"zones":[{"x":20,"y":5,"width":6,"height":6,"amount":"50%"}]}}"#,
    r#"{"moving_floors":{"amount":"0.5%","zones":[{"x":5,"y":5,"width":8,"height":1,"moves":">"},{"x":5,"y":7,"width":8,"height":1,"moves":"<"}]}}"#,
    r#"{"moving_floors":"1%","soft_locks":"forbidden","attempts":1000}"#,
    r#"{"reinforced":"10%","fall_spawn_zones":[{"x":8,"y":8,"width":5,"height":4}],"fall_spawn_floor_ratio":0.075}"#,
    r#"{"pitfalls":"2%","blocked":{"car":"OBxw","person":"OB"},"puddles":"1%"}"#,
    r#"{"reachable":"objectives","interior_walls":"solid","walls":"grid_wire"}"#,
    r#"{"retry":"hash","repair":false,"interior_walls":"solid","walls":"sparse_ortho","attempts":1000}"#,
    r#"{"marks":[{"name":"key","count":2},{"name":"door","cells":[[20,10]],"locked_until":"key"}],"objectives":[{"steps":["P","key","door","E"]}]}"#,
    r#"{"width":13,"height":9,"exits":["top"],"pins":["?????????????","?????E???????","??11111??????","??1P??1??????","??1???1??????","??11?11??????","????^????????","?????????????","?????????????"]}"#,
];

/// Configurations of the pinned archipelagos: every option at its limits, widths around 64 tiles, a
/// single tile.
const ARCHIPELAGOS: &[&str] = &[
    r#"{"width":320,"height":200}"#,
    r#"{"width":1,"height":1}"#,
    r#"{"width":1,"height":300,"land":50}"#,
    r#"{"width":300,"height":1,"land":50,"scale":16}"#,
    r#"{"width":63,"height":65,"scale":2,"detail":0}"#,
    r#"{"width":65,"height":64,"land":55,"scale":9,"detail":12}"#,
    r#"{"width":128,"height":96,"land":0,"scale":32}"#,
    r#"{"width":128,"height":96,"land":100,"scale":32}"#,
    r#"{"width":200,"height":150,"land":90,"scale":4096,"detail":12}"#,
    r#"{"width":250,"height":130,"land":10,"scale":77,"detail":3}"#,
];

fn seeds() -> impl Iterator<Item = Seed> {
    (0..20).chain([42, u64::from(u32::MAX), 1 << 53, u64::MAX]).map(Seed::new)
}

/// Returns the catalogue entries of the documents that `generate` returns for each configuration.
fn entries(configs: &[&str], generate: impl Fn(&str) -> Vec<Document>) -> Vec<Entry> {
    let entries = configs.iter().flat_map(|text| {
        generate(text).into_iter().map(|document| Entry {
            algorithm: document.algorithm.clone(),
            config: serde_json::from_str(text).unwrap(),
            seed: document.seed,
            digest: document.digest.to_string(),
        })
    });
    entries.collect()
}

/// Compares entries with a catalogue, or rewrites the catalogue if `WAYFORGE_REFRESH` is set.
fn compare(catalogue: &str, entries: &[Entry]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("catalogue").join(catalogue);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let pinned: Vec<Entry> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let key = |entry: &Entry| format!("{} {} {}", entry.algorithm, entry.config, entry.seed);
    let by_key: BTreeMap<String, &Entry> = pinned.iter().map(|entry| (key(entry), entry)).collect();
    for entry in entries {
        if let Some(pinned) = by_key.get(&key(entry)) {
            assert_eq!(pinned.digest, entry.digest, "the map of {} has changed", key(entry));
        }
    }
    if std::env::var_os("WAYFORGE_REFRESH").is_some() {
        let lines: String =
            entries.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
        std::fs::write(path, lines).unwrap();
        return;
    }
    let missing = entries.iter().filter(|entry| !by_key.contains_key(&key(entry))).count();
    assert_eq!(
        (missing, pinned.len()),
        (0, entries.len()),
        "refresh the catalogue: see the top of this file"
    );
}

#[test]
fn pinned_act_maps_have_not_changed() {
    let entries = entries(ACTS, |text| {
        let spec = act::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap();
        seeds().map(|seed| act::generate(seed, &spec).unwrap().to_document()).collect()
    });
    compare("act.jsonl", &entries);
}

#[test]
fn pinned_floors_and_towers_have_not_changed() {
    let seeds = || (0..20).chain([42, u64::from(u32::MAX), 1 << 53, u64::MAX]).map(Seed::new);
    let mut all = entries(&FLOORS, |text| {
        let spec = floor::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap();
        seeds().map(|seed| floor::generate(seed, &spec).unwrap().to_document()).collect()
    });
    all.extend(entries(&TOWERS, |text| {
        let spec = tower::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap();
        seeds().map(|seed| tower::generate(seed, &spec).unwrap().to_document()).collect()
    }));
    compare("floor.jsonl", &all);
}

#[test]
fn pinned_levels_have_not_changed() {
    let entries = entries(LEVELS, |text| {
        let spec = level::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap();
        let level =
            |seed| level::generate(seed, &spec).unwrap_or_else(|error| panic!("{text}: {error}"));
        seeds().map(|seed| level(seed).to_document()).collect()
    });
    compare("level.jsonl", &entries);
}

#[test]
fn pinned_archipelagos_have_not_changed() {
    let entries = entries(ARCHIPELAGOS, |text| {
        let spec = ArchipelagoConfig::from_json(text.as_bytes()).unwrap().resolve().unwrap();
        seeds().map(|seed| archipelago_document(seed, &spec)).collect()
    });
    compare("archipelago.jsonl", &entries);
}
