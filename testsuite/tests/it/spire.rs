//! The spire ruleset reproduces maps of Slay the Spire.
//!
//! `testsuite/spire/maps.jsonl` contains some of them. A larger collection is read from
//! `spire/maps.jsonl` in the folder `WAYFORGE_DATA`.

use crate::data;
use serde::Deserialize;
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::act::{self, ActMap, NodePos, SpireConfig};

/// Map of the game, from `testsuite/spire/maps.jsonl`.
#[derive(Deserialize)]
struct GameMap {
    seed: String,
    text: String,
    act: i64,
    ascension: i64,
    line: String,
    emerald: NodePos,
}

/// Map of the larger collection.
#[derive(Deserialize)]
struct CollectionMap {
    seed: i64,
    seed_str: String,
    act: i64,
    ascension: i64,
    canon: String,
    nodes: Vec<(u16, u16, String)>,
    edges: Vec<(u16, u16, u16)>,
    emerald: (u16, u16),
}

fn generate(seed: i64, act: i64, ascension: i64) -> ActMap {
    let config = SpireConfig { act, ascension, emerald: true, ..Default::default() };
    act::generate(Seed::new(seed as u64), &act::Config::Spire(config).resolve().unwrap()).unwrap()
}

#[test]
fn reproduces_maps_of_the_game() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("spire/maps.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let expected_maps: Vec<GameMap> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(expected_maps.len() >= 12);
    for expected in expected_maps {
        let seed: i64 = expected.seed.parse().unwrap();
        let map = generate(seed, expected.act, expected.ascension);
        let name = format!("seed {seed}, act {}, ascension {}", expected.act, expected.ascension);
        assert_eq!(act::canonical_line(&map).unwrap(), expected.line, "{name}");
        assert_eq!(map.emerald, Some(expected.emerald), "{name}");
        assert_eq!(act::spire_seed_to_text(&map.seed), expected.text);
        assert_eq!(act::spire_seed_from_text(&expected.text).unwrap(), map.seed);
        assert!(act::validate(&map).is_valid(), "{name}: {:?}", act::validate(&map).violations);
        assert_eq!(ActMap::decode(map.to_document().to_text().as_bytes()).unwrap(), map, "{name}");
    }
}

#[test]
#[ignore = "needs real maps: set WAYFORGE_DATA"]
fn reproduces_the_larger_collection() {
    let text = String::from_utf8(data("spire/maps.jsonl")).unwrap();
    let mut checked = 0;
    for line in text.lines() {
        let expected: CollectionMap = serde_json::from_str(line).unwrap();
        let map = generate(expected.seed, expected.act, expected.ascension);
        let name = format!(
            "seed {}, act {}, ascension {}",
            expected.seed, expected.act, expected.ascension
        );
        let symbol = |kind: Option<act::KindId>| {
            map.kinds()[usize::from(kind.unwrap().0)].symbol.to_string()
        };
        let nodes: Vec<_> = map.nodes.iter().map(|n| (n.col, n.row, symbol(n.kind))).collect();
        let edges: Vec<_> = map.edges.iter().map(|e| (e.from, e.row, e.to)).collect();
        assert_eq!(act::canonical_line(&map).unwrap(), expected.canon, "{name}");
        assert_eq!((nodes, edges), (expected.nodes, expected.edges), "{name}");
        assert_eq!(map.emerald.map(|mark| (mark.col, mark.row)), Some(expected.emerald), "{name}");
        assert_eq!(act::spire_seed_to_text(&map.seed), expected.seed_str);
        assert_eq!(act::spire_seed_from_text(&expected.seed_str).unwrap(), map.seed);
        assert!(act::validate(&map).is_valid(), "{name}: {:?}", act::validate(&map).violations);
        checked += 1;
    }
    assert!(checked > 0);
}
