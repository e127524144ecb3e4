//! The spire ruleset: against a plain telling of the game's rules, against its judge, and in one memory.

#[path = "spire/plain.rs"]
mod plain;

use wayforge_act::{self as act, ActMap, Edge, KindId, Node, NodePos, SpireConfig, rules};
use wayforge_core::{Rule, Seed};

fn config(act: i64, ascension: i64, emerald: bool) -> SpireConfig {
    SpireConfig { act, ascension, emerald, ..Default::default() }
}

fn forge(config: SpireConfig) -> act::Generator {
    act::Generator::new(&act::Config::Spire(config).resolve().unwrap())
}

fn made(seed: i64, config: SpireConfig) -> ActMap {
    forge(config).generate(Seed::new(seed as u64)).unwrap().clone()
}

/// Seeds of every sort: small ones of both signs, the ends of the range, and many in between.
fn seeds(count: i64) -> impl Iterator<Item = i64> {
    let scattered = (0..count).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64));
    (-700..700).chain([i64::MIN, i64::MAX]).chain(scattered)
}

#[test]
fn agrees_with_the_rules_told_plainly() {
    for (act, ascension) in [(1, 0), (1, 1), (2, 0), (2, 20), (3, 0), (3, 1)] {
        let mut forge = forge(config(act, ascension, true));
        for seed in seeds(2_000) {
            let map = forge.generate(Seed::new(seed as u64)).unwrap();
            let (line, emerald) = plain::tell(seed, act, ascension);
            assert_eq!(
                act::canonical_line(map).unwrap(),
                line,
                "seed {seed}, act {act}, ascension {ascension}"
            );
            assert_eq!(map.emerald.map(|mark| (mark.row, mark.col)), emerald, "seed {seed}, act {act}");
        }
    }
}

#[test]
fn every_map_keeps_every_rule() {
    for (act, ascension) in [(1, 0), (2, 1), (3, 1), (4, 0)] {
        let mut forge = forge(config(act, ascension, act < 4));
        for seed in seeds(500) {
            let report = act::validate(forge.generate(Seed::new(seed as u64)).unwrap());
            assert!(report.is_valid(), "seed {seed}, act {act}: {:?}", report.violations);
        }
    }
}

#[test]
fn the_zero_of_the_generator_is_replaced() {
    // These seeds make the generator's seed zero, which the game replaces; the neighbours are ordinary.
    for (seed, act) in [(-1, 1), (-200, 2), (-600, 3)] {
        let line = |seed| act::canonical_line(&made(seed, config(act, 1, false))).unwrap();
        assert_eq!(line(seed), plain::tell(seed, act, 1).0);
        // Zero is read as 2^63, so the seed that far away makes the same map.
        assert_eq!(line(seed), line(seed.wrapping_add(i64::MIN)));
        assert_ne!(line(seed), line(seed + 1));
    }
}

#[test]
fn ascension_tells_only_zero_from_the_others() {
    let nodes = |ascension| made(7, config(1, ascension, true)).nodes;
    assert_ne!(nodes(0), nodes(1));
    assert!((2..=20).all(|ascension| nodes(ascension) == nodes(1)));
}

#[test]
fn the_emerald_elite_comes_last_and_only_if_asked_for() {
    let (with, without) = (made(7, config(1, 1, true)), made(7, config(1, 1, false)));
    assert_eq!((&with.nodes, &with.edges), (&without.nodes, &without.edges));
    assert!(with.emerald.is_some() && without.emerald.is_none());
}

#[test]
fn act_4_is_one_column() {
    let map = made(99, config(4, 1, false));
    assert_eq!(act::canonical_line(&map).unwrap(), "3R3,/3$3,/3E,/");
    assert_eq!((map.spec.rows(), map.spec.cols()), (3, 7));
    assert_eq!(map.kind_name(map.boss.unwrap().kind), Some("boss"));
    assert_eq!(map.emerald, None);
}

#[test]
fn a_skeleton_is_the_map_without_kinds() {
    let mut forge = forge(config(2, 1, true));
    let map = forge.generate(Seed::new(5)).unwrap().clone();
    let bare = forge.skeleton(Seed::new(5));
    assert_eq!(bare.edges, map.edges);
    assert_eq!(bare.emerald, None);
    let stripped: Vec<Node> = map.nodes.iter().map(|&node| Node { kind: None, ..node }).collect();
    assert_eq!(bare.nodes, stripped);
    assert_eq!(act::canonical_line(bare).unwrap_err().field, "kinds");
    assert_eq!(forge.generate(Seed::new(5)).unwrap(), &map);
}

#[test]
fn nothing_is_allocated_after_warm_up() {
    for config in [config(1, 0, false), config(2, 1, true), config(4, 0, false)] {
        let mut forge = forge(config);
        // One map is enough: room for the largest there can be is made at once.
        forge.generate(Seed::new(0)).unwrap();
        let counted = allocation_counter::measure(|| {
            for seed in 0..2_000 {
                forge.generate(Seed::new(seed)).unwrap();
                forge.skeleton(Seed::new(seed));
            }
        });
        assert_eq!(counted.count_total, 0);
    }
}

#[test]
fn bad_values_are_refused_by_name() {
    let refused = |config| act::Config::Spire(config).resolve().unwrap_err().field;
    assert_eq!(refused(config(0, 0, false)), "act");
    assert_eq!(refused(config(5, 0, false)), "act");
    assert_eq!(refused(config(1, -1, false)), "ascension");
    assert_eq!(refused(config(1, 21, false)), "ascension");
    assert_eq!(refused(config(4, 0, true)), "emerald");
}

#[test]
fn seed_texts_go_there_and_back() {
    let seeds = seeds(500).chain([673465884448]);
    for seed in seeds {
        let text = act::spire_seed_to_text(&Seed::new(seed as u64));
        assert!(!text.contains('O') && (text == "0" || !text.starts_with('0')), "{text}");
        assert_eq!(act::spire_seed_from_text(&text), Ok(Seed::new(seed as u64)));
        assert_eq!(
            act::spire_seed_from_text(&format!(" {}\n", text.to_lowercase())),
            Ok(Seed::new(seed as u64))
        );
        assert_eq!(act::spire_seed_from_text(&text.replace('0', "o")), Ok(Seed::new(seed as u64)));
    }
    // Longer texts wrap: 35^13 and more do not fit.
    assert_eq!(act::spire_seed_from_text("5G24A25UXKXFG"), Ok(Seed::new(0)));
    assert_eq!(
        act::spire_seed_from_text("ZZZZZZZZZZZZZZZZZZZZ").unwrap().number(),
        35_u64.wrapping_pow(20).wrapping_sub(1)
    );
    for (text, part) in
        [("", "empty"), ("  \t", "empty"), ("AB CD", "' '"), ("Ä1", "'Ä'"), ("-5", "'-'"), ("ſ", "'ſ'")]
    {
        let error = act::spire_seed_from_text(text).unwrap_err();
        assert_eq!(error.field, "seed text");
        assert!(error.to_string().contains(part) && error.to_string().contains("A to Z"), "{error}");
    }
}

#[test]
fn lines_of_other_maps() {
    let line = |text: &[u8]| {
        let spec = act::Config::from_json(text).unwrap().resolve().unwrap();
        act::canonical_line(&act::generate(Seed::new(1), &spec).unwrap())
    };
    let walks = line(br#"{"ruleset": "walks", "cols": 10}"#).unwrap();
    assert_eq!(walks.matches('/').count(), 15);
    assert_eq!(line(br#"{"ruleset": "walks", "cols": 11}"#).unwrap_err().field, "cols");
    assert_eq!(line(br#"{"ruleset": "walks", "kinds": "none"}"#).unwrap_err().field, "kinds");
}

fn broken(map: &ActMap) -> Vec<Rule> {
    let mut rules: Vec<Rule> = act::validate(map).violations.iter().map(|v| v.rule).collect();
    rules.dedup();
    rules
}

/// Tries to break maps in one way until it can be done, and expects that rule to fire, and no other but those `beside` it.
#[track_caller]
fn expect(breaking: impl Fn(&mut ActMap) -> Option<()>, rule: Rule, beside: &[Rule]) {
    let mut fired = 0;
    for seed in 0..60 {
        let mut map = made(seed, config(1, 1, true));
        assert_eq!(broken(&map), []);
        if breaking(&mut map).is_some() {
            let rules = broken(&map);
            assert!(rules.contains(&rule), "{rule} does not fire: {rules:?}");
            assert!(rules.iter().all(|other| *other == rule || beside.contains(other)), "{rule}: {rules:?}");
            fired += 1;
        }
    }
    assert!(fired > 0, "no map could be broken");
}

fn kind(map: &ActMap, name: &str) -> Option<KindId> {
    Some(map.spec.find_kind(name).unwrap())
}

/// The first node of `row` that is no elite becomes `name`; elites are spared because one of them burns.
fn set(map: &mut ActMap, row: u16, name: &str) -> Option<()> {
    let (elite, kind) = (kind(map, "elite"), kind(map, name));
    map.nodes.iter_mut().find(|n| n.row == row && n.kind != elite)?.kind = kind;
    Some(())
}

/// What may happen beside when a node gets a kind that does not belong there.
const MISPLACED: [Rule; 3] = [rules::SPIRE_NO_REPEAT, rules::SPIRE_SIBLINGS_DIFFER, rules::SPIRE_PORTIONS];

#[test]
fn kinds_out_of_place() {
    for (row, name) in [(0, "event"), (8, "monster"), (14, "monster"), (14, "treasure")] {
        expect(|map| set(map, row, name), rules::SPIRE_FIXED_ROWS, &[rules::SPIRE_PORTIONS]);
    }
    for (row, name) in [(4, "rest"), (4, "elite"), (13, "rest"), (1, "elite"), (6, "treasure"), (9, "boss")] {
        expect(|map| set(map, row, name), rules::SPIRE_KIND_ROWS, &MISPLACED);
    }
    expect(
        |map| map.nodes[20].kind.take().map(|_| map.emerald = None),
        rules::KIND_GIVEN,
        &[rules::SPIRE_EMERALD],
    );
}

#[test]
fn kinds_that_repeat() {
    for name in ["rest", "elite", "shop"] {
        let repeat = |map: &mut ActMap| {
            let (kind, elite) = (kind(map, name), kind(map, "elite"));
            let lower = *map.nodes.iter().find(|n| n.kind == kind && (5..7).contains(&n.row))?;
            let edge = *map.edges.iter().find(|e| (e.row, e.from) == (lower.row, lower.col))?;
            let upper = map.nodes.iter_mut().find(|n| (n.row, n.col) == (edge.row + 1, edge.to))?;
            (upper.kind != elite || name == "elite").then(|| upper.kind = kind)
        };
        expect(repeat, rules::SPIRE_NO_REPEAT, &MISPLACED);
    }
}

#[test]
fn siblings_alike() {
    for name in ["event", "elite", "rest", "shop"] {
        let alike = |map: &mut ActMap| {
            let (kind, elite) = (kind(map, name), kind(map, "elite"));
            let fork = map
                .edges
                .windows(2)
                .find(|e| (e[0].row, e[0].from) == (e[1].row, e[1].from) && e[0].row == 5)?;
            let (row, cols) = (fork[0].row + 1, [fork[0].to, fork[1].to]);
            let nodes = map.nodes.iter_mut().filter(|n| n.row == row && cols.contains(&n.col));
            let mut nodes: Vec<&mut Node> = nodes.collect();
            let spared = nodes.iter().any(|n| n.kind == elite && name != "elite");
            (!spared).then(|| nodes.iter_mut().for_each(|n| n.kind = kind))
        };
        expect(alike, rules::SPIRE_SIBLINGS_DIFFER, &MISPLACED);
    }
}

#[test]
fn more_than_the_bag_holds() {
    let greedy = |map: &mut ActMap| {
        let (monster, event) = (kind(map, "monster"), kind(map, "event"));
        map.nodes.iter_mut().filter(|n| n.row > 0 && n.kind == monster).for_each(|n| n.kind = event);
        Some(())
    };
    expect(greedy, rules::SPIRE_PORTIONS, &[rules::SPIRE_SIBLINGS_DIFFER]);
}

#[test]
fn edges_out_of_place() {
    // A node of the second row is led to by a second node of the first.
    let shared = |map: &mut ActMap| {
        let pair = map
            .edges
            .windows(2)
            .find(|e| e[1].row == 0 && e[0].from < e[1].from && e[1].from - e[0].to <= 1)?;
        let edge = Edge { row: 0, from: pair[1].from, to: pair[0].to };
        let crosses = map.edges.iter().any(|e| e.row == 0 && e.from < edge.from && e.to > edge.to);
        (!crosses).then(|| map.edges.insert(0, edge))
    };
    expect(
        shared,
        rules::SPIRE_FIRST_ROW,
        &[rules::SPIRE_NO_REPEAT, rules::SPIRE_SIBLINGS_DIFFER, rules::SPIRE_SIX_WALKS],
    );
    let far = |map: &mut ActMap| {
        let edge = map.edges.iter_mut().rfind(|e| e.row == 13)?;
        edge.from.checked_sub(2).map(|to| edge.to = to)
    };
    let torn = [rules::WAY_IN, rules::WAY_OUT, rules::EDGE_ENDS, rules::NO_CROSSINGS, rules::UNIQUE_EDGES];
    expect(far, rules::EDGE_REACH, &torn);
    let only = |ends: fn(&Edge) -> (u16, u16)| {
        move |map: &mut ActMap| {
            let all: Vec<(u16, u16)> = map.edges.iter().map(ends).collect();
            let at = (0..all.len()).find(|&i| {
                (3..6).contains(&map.edges[i].row) && all.iter().filter(|&&end| end == all[i]).count() == 1
            })?;
            map.edges.remove(at);
            Some(())
        }
    };
    expect(only(|e| (e.row, e.to)), rules::WAY_IN, &[rules::WAY_OUT]);
    expect(only(|e| (e.row, e.from)), rules::WAY_OUT, &[rules::WAY_IN]);
}

#[test]
fn more_edges_than_walks() {
    let mut map = made(1, config(1, 1, false));
    map.nodes.clear();
    map.edges.clear();
    for row in 0..15 {
        let name = match row {
            8 => "treasure",
            14 => "rest",
            _ => "monster",
        };
        let kind = kind(&map, name);
        map.nodes.extend((0..7).map(|col| Node { row, col, kind }));
    }
    map.edges.extend((0..14).flat_map(|row| (0..7).map(move |col| Edge { row, from: col, to: col })));
    assert_eq!(broken(&map), [rules::SPIRE_SIX_WALKS]);
    map.nodes.retain(|n| n.col > 0);
    map.edges.retain(|e| e.from > 0);
    assert_eq!(broken(&map), []);
}

#[test]
fn the_flame_out_of_place() {
    expect(|map| map.emerald.take().map(|_| ()), rules::SPIRE_EMERALD, &[]);
    expect(|map| map.emerald.replace(NodePos { row: 0, col: 9 }).map(|_| ()), rules::SPIRE_EMERALD, &[]);
    let moved = |map: &mut ActMap| {
        let monster = kind(map, "monster");
        let node = map.nodes.iter().find(|n| n.kind == monster)?;
        map.emerald = Some(NodePos { row: node.row, col: node.col });
        Some(())
    };
    expect(moved, rules::SPIRE_EMERALD, &[]);
    let mut unasked = made(3, config(1, 1, true));
    unasked.spec = act::Config::Spire(config(1, 1, false)).resolve().unwrap();
    assert_eq!(broken(&unasked), [rules::SPIRE_EMERALD]);
}

#[test]
fn act_4_otherwise() {
    let map = made(0, config(4, 0, false));
    let judged = |breaking: &dyn Fn(&mut ActMap)| {
        let mut map = map.clone();
        breaking(&mut map);
        broken(&map)
    };
    assert_eq!(judged(&|_| ()), []);
    assert_eq!(judged(&|map| map.nodes[1].kind = kind(map, "rest")), [rules::SPIRE_FINAL_ACT]);
    assert_eq!(
        judged(&|map| map.nodes[0].col = 2),
        [rules::EDGE_ENDS, rules::WAY_OUT, rules::SPIRE_FINAL_ACT]
    );
    assert_eq!(judged(&|map| map.edges.truncate(1)), [rules::WAY_IN, rules::WAY_OUT, rules::SPIRE_FINAL_ACT]);
}
