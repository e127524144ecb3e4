//! The spire ruleset against the game's own maps.
//!
//! `testsuite/spire/maps.jsonl` has some of them. A larger collection is tried as well where it lies beside the project
//! (`../shared/data/spire/maps.jsonl`) or in the folder that WAYFORGE_DATA names.

use serde::Deserialize;
use std::path::PathBuf;
use wayforge::Seed;
use wayforge::act::{self, ActMap, NodePos, SpireConfig};

/// One map of the game, as this repository keeps it.
#[derive(Deserialize)]
struct Fact {
    seed: String,
    text: String,
    act: i64,
    ascension: i64,
    line: String,
    emerald: NodePos,
}

/// One map of the larger collection.
#[derive(Deserialize)]
struct Golden {
    seed: i64,
    seed_str: String,
    act: i64,
    ascension: i64,
    canon: String,
    nodes: Vec<(u16, u16, String)>,
    edges: Vec<(u16, u16, u16)>,
    emerald: (u16, u16),
}

fn made(seed: i64, act: i64, ascension: i64) -> ActMap {
    let config = SpireConfig { act, ascension, emerald: true, ..Default::default() };
    act::generate(Seed::new(seed as u64), &act::Config::Spire(config).resolve().unwrap()).unwrap()
}

#[test]
fn the_games_maps_bit_for_bit() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("spire/maps.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let facts: Vec<Fact> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(facts.len() >= 12);
    for fact in facts {
        let seed: i64 = fact.seed.parse().unwrap();
        let map = made(seed, fact.act, fact.ascension);
        let name = format!("seed {seed}, act {}, ascension {}", fact.act, fact.ascension);
        assert_eq!(act::canonical_line(&map).unwrap(), fact.line, "{name}");
        assert_eq!(map.emerald, Some(fact.emerald), "{name}");
        assert_eq!(act::spire_seed_to_text(&map.seed), fact.text);
        assert_eq!(act::spire_seed_from_text(&fact.text).unwrap(), map.seed);
        assert!(act::validate(&map).is_valid(), "{name}: {:?}", act::validate(&map).violations);
        assert_eq!(ActMap::decode(map.to_document().to_text().as_bytes()).unwrap(), map, "{name}");
    }
}

#[test]
#[ignore = "needs real maps: set WAYFORGE_DATA"]
fn the_larger_collection_bit_for_bit() {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let path = std::env::var_os("WAYFORGE_DATA").map_or_else(beside, PathBuf::from).join("spire/maps.jsonl");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; set WAYFORGE_DATA", path.display()));
    let mut tried = 0;
    for line in text.lines() {
        let golden: Golden = serde_json::from_str(line).unwrap();
        let map = made(golden.seed, golden.act, golden.ascension);
        let name = format!("seed {}, act {}, ascension {}", golden.seed, golden.act, golden.ascension);
        let symbol = |kind: Option<act::KindId>| map.kinds()[usize::from(kind.unwrap().0)].symbol.to_string();
        let nodes: Vec<_> = map.nodes.iter().map(|n| (n.col, n.row, symbol(n.kind))).collect();
        let edges: Vec<_> = map.edges.iter().map(|e| (e.from, e.row, e.to)).collect();
        assert_eq!(act::canonical_line(&map).unwrap(), golden.canon, "{name}");
        assert_eq!((nodes, edges), (golden.nodes, golden.edges), "{name}");
        assert_eq!(map.emerald.map(|mark| (mark.col, mark.row)), Some(golden.emerald), "{name}");
        assert_eq!(act::spire_seed_to_text(&map.seed), golden.seed_str);
        assert_eq!(act::spire_seed_from_text(&golden.seed_str).unwrap(), map.seed);
        assert!(act::validate(&map).is_valid(), "{name}: {:?}", act::validate(&map).violations);
        tried += 1;
    }
    assert!(tried > 0);
}
