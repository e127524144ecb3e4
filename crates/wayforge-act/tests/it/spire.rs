//! The spire ruleset: comparison with a reference implementation, validator, and reuse of memory.

mod reference;

use wayforge_act::{self as act, ActMap, Edge, KindId, Node, NodePos, SpireConfig, rules};
use wayforge_core::{Rule, Seed};

fn config(act: i64, ascension: i64, emerald: bool) -> SpireConfig {
    SpireConfig { act, ascension, emerald, ..Default::default() }
}

fn generator(config: SpireConfig) -> act::Generator {
    act::Generator::new(&act::Config::Spire(config).resolve().unwrap())
}

fn generate_map(seed: i64, config: SpireConfig) -> ActMap {
    generator(config).generate(Seed::new(seed as u64)).unwrap().clone()
}

/// Small seeds of both signs, the ends of the range, and `count` seeds in between.
fn seeds(count: i64) -> impl Iterator<Item = i64> {
    let scattered = (0..count).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64));
    (-700..700).chain([i64::MIN, i64::MAX]).chain(scattered)
}

#[test]
fn agrees_with_the_reference_implementation() {
    for (act, ascension) in [(1, 0), (1, 1), (2, 0), (2, 20), (3, 0), (3, 1)] {
        let mut generator = generator(config(act, ascension, true));
        for seed in seeds(2_000) {
            let map = generator.generate(Seed::new(seed as u64)).unwrap();
            let (line, emerald) = reference::generate(seed, act, ascension);
            assert_eq!(
                act::canonical_line(map).unwrap(),
                line,
                "seed {seed}, act {act}, ascension {ascension}"
            );
            assert_eq!(
                map.emerald.map(|elite| (elite.row, elite.col)),
                emerald,
                "seed {seed}, act {act}"
            );
        }
    }
}

#[test]
fn every_map_is_valid() {
    for (act, ascension) in [(1, 0), (2, 1), (3, 1), (4, 0)] {
        let mut generator = generator(config(act, ascension, act < 4));
        for seed in seeds(500) {
            let report = act::validate(generator.generate(Seed::new(seed as u64)).unwrap());
            assert!(report.is_valid(), "seed {seed}, act {act}: {:?}", report.violations);
        }
    }
}

#[test]
fn generator_seed_zero_is_replaced() {
    // These seeds give the generator seed 0, which the game replaces by 2^63.
    for (seed, act) in [(-1, 1), (-200, 2), (-600, 3)] {
        let line = |seed| act::canonical_line(&generate_map(seed, config(act, 1, false))).unwrap();
        assert_eq!(line(seed), reference::generate(seed, act, 1).0);
        // So the seed at a distance of 2^63 gives the same map.
        assert_eq!(line(seed), line(seed.wrapping_add(i64::MIN)));
        assert_ne!(line(seed), line(seed + 1));
    }
}

#[test]
fn all_ascension_levels_above_zero_give_the_same_map() {
    let nodes = |ascension| generate_map(7, config(1, ascension, true)).nodes;
    assert_ne!(nodes(0), nodes(1));
    assert!((2..=20).all(|ascension| nodes(ascension) == nodes(1)));
}

#[test]
fn the_burning_elite_does_not_change_the_rest_of_the_map() {
    let (with, without) =
        (generate_map(7, config(1, 1, true)), generate_map(7, config(1, 1, false)));
    assert_eq!((&with.nodes, &with.edges), (&without.nodes, &without.edges));
    assert!(with.emerald.is_some() && without.emerald.is_none());
}

#[test]
fn act_4_is_one_column() {
    let map = generate_map(99, config(4, 1, false));
    assert_eq!(act::canonical_line(&map).unwrap(), "3R3,/3$3,/3E,/");
    assert_eq!((map.spec.rows(), map.spec.cols()), (3, 7));
    assert_eq!(map.kind_name(map.boss.unwrap().kind), Some("boss"));
    assert_eq!(map.emerald, None);
}

#[test]
fn a_skeleton_is_the_map_without_kinds() {
    let mut generator = generator(config(2, 1, true));
    let map = generator.generate(Seed::new(5)).unwrap().clone();
    let bare = generator.skeleton(Seed::new(5));
    assert_eq!(bare.edges, map.edges);
    assert_eq!(bare.emerald, None);
    let stripped: Vec<Node> = map.nodes.iter().map(|&node| Node { kind: None, ..node }).collect();
    assert_eq!(bare.nodes, stripped);
    assert_eq!(act::canonical_line(bare).unwrap_err().field, "kinds");
    assert_eq!(generator.generate(Seed::new(5)).unwrap(), &map);
}

#[test]
fn generator_does_not_allocate_after_the_first_map() {
    for config in [config(1, 0, false), config(2, 1, true), config(4, 0, false)] {
        let mut generator = generator(config);
        // The first map reserves memory for the largest one.
        generator.generate(Seed::new(0)).unwrap();
        let counted = allocation_counter::measure(|| {
            for seed in 0..2_000 {
                generator.generate(Seed::new(seed)).unwrap();
                generator.skeleton(Seed::new(seed));
            }
        });
        assert_eq!(counted.count_total, 0);
    }
}

#[test]
fn rejects_invalid_values_and_names_the_field() {
    let field = |config| act::Config::Spire(config).resolve().unwrap_err().field;
    assert_eq!(field(config(0, 0, false)), "act");
    assert_eq!(field(config(5, 0, false)), "act");
    assert_eq!(field(config(1, -1, false)), "ascension");
    assert_eq!(field(config(1, 21, false)), "ascension");
    assert_eq!(field(config(4, 0, true)), "emerald");
}

#[test]
fn seed_texts_round_trip() {
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
    for (text, part) in [
        ("", "empty"),
        ("  \t", "empty"),
        ("AB CD", "' '"),
        ("Ä1", "'Ä'"),
        ("-5", "'-'"),
        ("ſ", "'ſ'"),
    ] {
        let error = act::spire_seed_from_text(text).unwrap_err();
        assert_eq!(error.field, "seed text");
        assert!(
            error.to_string().contains(part) && error.to_string().contains("A to Z"),
            "{error}"
        );
    }
}

#[test]
fn canonical_line_accepts_other_rulesets_with_kinds_and_ten_columns() {
    let line = |text: &[u8]| {
        let spec = act::Config::from_json(text).unwrap().resolve().unwrap();
        act::canonical_line(&act::generate(Seed::new(1), &spec).unwrap())
    };
    let walks = line(br#"{"ruleset": "walks", "cols": 10}"#).unwrap();
    assert_eq!(walks.matches('/').count(), 15);
    assert_eq!(line(br#"{"ruleset": "walks", "cols": 11}"#).unwrap_err().field, "cols");
    assert_eq!(line(br#"{"ruleset": "walks", "kinds": "none"}"#).unwrap_err().field, "kinds");
}

fn violations(map: &ActMap) -> Vec<Rule> {
    let mut rules: Vec<Rule> = act::validate(map).violations.iter().map(|v| v.rule).collect();
    rules.dedup();
    rules
}

/// Corrupts maps where possible, and expects violations of `rule` and of no others except `also`.
#[track_caller]
fn expect(corrupt: impl Fn(&mut ActMap) -> Option<()>, rule: Rule, also: &[Rule]) {
    let mut corrupted = 0;
    for seed in 0..60 {
        let mut map = generate_map(seed, config(1, 1, true));
        assert_eq!(violations(&map), []);
        if corrupt(&mut map).is_some() {
            let rules = violations(&map);
            assert!(rules.contains(&rule), "{rule} is not reported: {rules:?}");
            assert!(
                rules.iter().all(|other| *other == rule || also.contains(other)),
                "{rule}: {rules:?}"
            );
            corrupted += 1;
        }
    }
    assert!(corrupted > 0, "no map could be corrupted");
}

fn kind(map: &ActMap, name: &str) -> Option<KindId> {
    Some(map.spec.find_kind(name).unwrap())
}

/// Sets the kind of the first node of `row` that is not an elite, because one elite burns.
fn set(map: &mut ActMap, row: u16, name: &str) -> Option<()> {
    let (elite, kind) = (kind(map, "elite"), kind(map, name));
    map.nodes.iter_mut().find(|n| n.row == row && n.kind != elite)?.kind = kind;
    Some(())
}

/// Rules that a misplaced kind may violate in addition.
const MISPLACED: [Rule; 3] =
    [rules::SPIRE_NO_REPEAT, rules::SPIRE_SIBLINGS_DIFFER, rules::SPIRE_PORTIONS];

#[test]
fn reports_misplaced_kinds() {
    for (row, name) in [(0, "event"), (8, "monster"), (14, "monster"), (14, "treasure")] {
        expect(|map| set(map, row, name), rules::SPIRE_FIXED_ROWS, &[rules::SPIRE_PORTIONS]);
    }
    for (row, name) in
        [(4, "rest"), (4, "elite"), (13, "rest"), (1, "elite"), (6, "treasure"), (9, "boss")]
    {
        expect(|map| set(map, row, name), rules::SPIRE_KIND_ROWS, &MISPLACED);
    }
    expect(
        |map| map.nodes[20].kind.take().map(|_| map.emerald = None),
        rules::KIND_ASSIGNED,
        &[rules::SPIRE_EMERALD],
    );
}

#[test]
fn reports_repeated_kinds() {
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
fn reports_siblings_of_the_same_kind() {
    for name in ["event", "elite", "rest", "shop"] {
        let equalize = |map: &mut ActMap| {
            let (kind, elite) = (kind(map, name), kind(map, "elite"));
            let fork = map
                .edges
                .windows(2)
                .find(|e| (e[0].row, e[0].from) == (e[1].row, e[1].from) && e[0].row == 5)?;
            let (row, cols) = (fork[0].row + 1, [fork[0].to, fork[1].to]);
            let nodes = map.nodes.iter_mut().filter(|n| n.row == row && cols.contains(&n.col));
            let mut nodes: Vec<&mut Node> = nodes.collect();
            let has_elite = nodes.iter().any(|n| n.kind == elite && name != "elite");
            (!has_elite).then(|| nodes.iter_mut().for_each(|n| n.kind = kind))
        };
        expect(equalize, rules::SPIRE_SIBLINGS_DIFFER, &MISPLACED);
    }
}

#[test]
fn reports_more_events_than_the_bag_contains() {
    let replace_monsters = |map: &mut ActMap| {
        let (monster, event) = (kind(map, "monster"), kind(map, "event"));
        map.nodes
            .iter_mut()
            .filter(|n| n.row > 0 && n.kind == monster)
            .for_each(|n| n.kind = event);
        Some(())
    };
    expect(replace_monsters, rules::SPIRE_PORTIONS, &[rules::SPIRE_SIBLINGS_DIFFER]);
}

#[test]
fn reports_invalid_edges() {
    // Two nodes of row 0 lead to the same node.
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
    let also = [
        rules::INCOMING_EDGE,
        rules::OUTGOING_EDGE,
        rules::EDGE_ENDS,
        rules::NO_CROSSINGS,
        rules::UNIQUE_EDGES,
    ];
    expect(far, rules::EDGE_REACH, &also);
    let remove_only = |ends: fn(&Edge) -> (u16, u16)| {
        move |map: &mut ActMap| {
            let all: Vec<(u16, u16)> = map.edges.iter().map(ends).collect();
            let at = (0..all.len()).find(|&i| {
                (3..6).contains(&map.edges[i].row)
                    && all.iter().filter(|&&end| end == all[i]).count() == 1
            })?;
            map.edges.remove(at);
            Some(())
        }
    };
    expect(remove_only(|e| (e.row, e.to)), rules::INCOMING_EDGE, &[rules::OUTGOING_EDGE]);
    expect(remove_only(|e| (e.row, e.from)), rules::OUTGOING_EDGE, &[rules::INCOMING_EDGE]);
}

#[test]
fn reports_more_than_six_edges_on_a_row() {
    let mut map = generate_map(1, config(1, 1, false));
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
    map.edges
        .extend((0..14).flat_map(|row| (0..7).map(move |col| Edge { row, from: col, to: col })));
    assert_eq!(violations(&map), [rules::SPIRE_SIX_WALKS]);
    map.nodes.retain(|n| n.col > 0);
    map.edges.retain(|e| e.from > 0);
    assert_eq!(violations(&map), []);
}

#[test]
fn reports_a_missing_or_misplaced_burning_elite() {
    expect(|map| map.emerald.take().map(|_| ()), rules::SPIRE_EMERALD, &[]);
    expect(
        |map| map.emerald.replace(NodePos { row: 0, col: 9 }).map(|_| ()),
        rules::SPIRE_EMERALD,
        &[],
    );
    let moved = |map: &mut ActMap| {
        let monster = kind(map, "monster");
        let node = map.nodes.iter().find(|n| n.kind == monster)?;
        map.emerald = Some(NodePos { row: node.row, col: node.col });
        Some(())
    };
    expect(moved, rules::SPIRE_EMERALD, &[]);
    let mut unexpected = generate_map(3, config(1, 1, true));
    unexpected.spec = act::Config::Spire(config(1, 1, false)).resolve().unwrap();
    assert_eq!(violations(&unexpected), [rules::SPIRE_EMERALD]);
}

#[test]
fn reports_changes_to_act_4() {
    let map = generate_map(0, config(4, 0, false));
    let violations_after = |corrupt: &dyn Fn(&mut ActMap)| {
        let mut map = map.clone();
        corrupt(&mut map);
        violations(&map)
    };
    assert_eq!(violations_after(&|_| ()), []);
    assert_eq!(
        violations_after(&|map| map.nodes[1].kind = kind(map, "rest")),
        [rules::SPIRE_FINAL_ACT]
    );
    assert_eq!(
        violations_after(&|map| map.nodes[0].col = 2),
        [rules::EDGE_ENDS, rules::OUTGOING_EDGE, rules::SPIRE_FINAL_ACT]
    );
    assert_eq!(
        violations_after(&|map| map.edges.truncate(1)),
        [rules::INCOMING_EDGE, rules::OUTGOING_EDGE, rules::SPIRE_FINAL_ACT]
    );
}
