//! Every skeleton up to the documented size is decided: it gets kinds, or a proof that none exist.
//!
//! See `docs/rules.md`, "Bounds". Half of the rule sets are random. The others are derived from a
//! random assignment of kinds, and some bounds are then tightened by one. These are the hard
//! instances, close to the limit of satisfiability.

use wayforge_act::{
    self as act, ActMap, BandConfig, Count, FixedRow, KindConfig, KindsChoice, KindsConfig, Pin,
    RowsConfig, WalksConfig,
};
use wayforge_core::{MapRng, Seed};

const ROWS: i64 = 15;
const COLS: i64 = 7;
const MAX_WALKS: u32 = 6;
const MAX_KINDS: u32 = 8;

/// Returns a configuration without kinds, with one attempt per map.
fn grid(rng: &mut MapRng, rows: i64, cols: i64, walks: u32) -> act::Config {
    match rng.below(2) {
        0 => act::Config::Walks(WalksConfig {
            rows,
            cols,
            walks: if rng.chance(1, 4) {
                2 + i64::from(rng.below(walks - 1))
            } else {
                walks.into()
            },
            boss: false,
            kinds: KindsChoice::None,
            attempts: 1,
            ..Default::default()
        }),
        _ => act::Config::Rows(RowsConfig {
            rows,
            cols,
            min_nodes: 2 + i64::from(rng.below(2)),
            max_nodes: 4 + i64::from(rng.below(3)),
            kinds: KindsChoice::None,
            attempts: 1,
            ..Default::default()
        }),
    }
}

fn with_rules(config: &act::Config, kinds: KindsConfig, pins: Vec<Pin>) -> act::Config {
    let kinds = KindsChoice::Custom(Box::new(kinds));
    match config.clone() {
        act::Config::Walks(config) => act::Config::Walks(WalksConfig { kinds, pins, ..config }),
        act::Config::Rows(config) => act::Config::Rows(RowsConfig { kinds, ..config }),
        act::Config::Spire(_) => unreachable!("spire has no rules"),
    }
}

fn rule_set(kinds: Vec<KindConfig>) -> KindsConfig {
    let search_limit = KindsConfig::standard(ROWS).search_limit;
    KindsConfig { kinds, bands: vec![], fixed: vec![], boss: None, search_limit }
}

fn numbered_kinds(count: u32) -> impl Iterator<Item = KindConfig> {
    (0..count).map(|i| KindConfig::new(format!("k{i}")))
}

/// Draws independent random rules.
fn random_rules(rng: &mut MapRng, rows: i64, nodes: u32, pins: &mut [Pin]) -> KindsConfig {
    let kinds = 2 + rng.below(MAX_KINDS - 1);
    let row = |rng: &mut MapRng| i64::from(rng.below(rows as u32));
    let count = |rng: &mut MapRng, end: u32| match rng.below(6) {
        0 => Count { min: Some(rng.below(end).into()), max: None },
        1 => Count { min: None, max: Some(rng.below(end).into()) },
        2 => {
            let min = i64::from(rng.below(end));
            Count { min: Some(min), max: Some(min + i64::from(rng.below(3))) }
        }
        _ => Count::default(),
    };
    let drawn = numbered_kinds(kinds).map(|kind| KindConfig {
        weight: rng.below(6).into(),
        no_repeat: rng.chance(1, 3),
        siblings_differ: rng.chance(1, 3),
        earliest: rng.chance(1, 5).then(|| row(rng) / 2),
        latest: rng.chance(1, 5).then(|| rows - 1 - row(rng) / 2),
        route: count(rng, rows as u32 / 2),
        map: count(rng, nodes / 2),
        ..kind
    });
    let mut config = rule_set(drawn.collect());
    let name = |rng: &mut MapRng| format!("k{}", rng.below(kinds));
    config.fixed = (0..rng.below(3)).map(|_| FixedRow { row: row(rng), kind: name(rng) }).collect();
    config.fixed.sort_by_key(|fixed| fixed.row);
    config.fixed.dedup_by_key(|fixed| fixed.row);
    if rng.chance(1, 3) {
        let from = row(rng);
        let weights = (0..2).map(|_| (name(rng), rng.below(3).into())).collect();
        config.bands.push(BandConfig { from, to: (from + row(rng) / 2).min(rows - 1), weights });
    }
    pins.iter_mut().for_each(|pin| pin.kind = rng.chance(1, 2).then(|| name(rng)));
    config
}

/// Returns minimum and maximum count of a kind over the routes of a map.
fn range_on_routes(map: &ActMap, of_kind: impl Fn(usize) -> bool) -> (i64, i64) {
    let mut counts: Vec<(i64, i64)> = Vec::with_capacity(map.nodes.len());
    let at = |row, col| {
        map.nodes.binary_search_by_key(&(row, col), |node| (node.row, node.col)).unwrap()
    };
    for (i, node) in map.nodes.iter().enumerate() {
        let below = map.edges.iter().filter(|e| (e.row + 1, e.to) == (node.row, node.col));
        let below: Vec<(i64, i64)> = below.map(|e| counts[at(e.row, e.from)]).collect();
        let min = below.iter().map(|count| count.0).min().unwrap_or(0);
        let max = below.iter().map(|count| count.1).max().unwrap_or(0);
        let own = i64::from(of_kind(i));
        counts.push((min + own, max + own));
    }
    let top = map.spec.rows() - 1;
    let ends = || {
        map.nodes.iter().zip(&counts).filter(|(node, _)| node.row == top).map(|(_, count)| count)
    };
    (ends().map(|count| count.0).min().unwrap(), ends().map(|count| count.1).max().unwrap())
}

/// Returns rules that a random assignment satisfies, some of them tightened by one.
fn tight_rules(rng: &mut MapRng, map: &ActMap, pins: &mut [Pin]) -> KindsConfig {
    let kinds = 3 + rng.below(MAX_KINDS - 2);
    let no_repeat: Vec<bool> = (0..kinds).map(|_| rng.chance(1, 3)).collect();
    let at = |row, col| {
        map.nodes.binary_search_by_key(&(row, col), |node| (node.row, node.col)).unwrap()
    };
    let parents: Vec<Vec<usize>> = map
        .nodes
        .iter()
        .map(|n| {
            map.edges
                .iter()
                .filter(|e| (e.row + 1, e.to) == (n.row, n.col))
                .map(|e| at(e.row, e.from))
        })
        .map(Iterator::collect)
        .collect();
    let mut chosen: Vec<u32> = Vec::new();
    for own in &parents {
        let mut kind = rng.below(kinds);
        for _ in 0..20 {
            if !(no_repeat[kind as usize] && own.iter().any(|&parent| chosen[parent] == kind)) {
                break;
            }
            kind = rng.below(kinds);
        }
        chosen.push(kind);
    }
    let tighten = rng.below(3);
    let count = |rng: &mut MapRng, (min, max): (i64, i64)| {
        let mut count =
            Count { min: rng.chance(2, 3).then_some(min), max: rng.chance(2, 3).then_some(max) };
        if rng.chance(tighten, 8) {
            match rng.below(2) {
                0 => count.min = count.min.map(|min| (min + 1).min(count.max.unwrap_or(i64::MAX))),
                _ => count.max = count.max.map(|max| (max - 1).max(count.min.unwrap_or(0))),
            }
        }
        count
    };
    let drawn = numbered_kinds(kinds).zip(0..).map(|(kind, number)| {
        let is = |node: usize| chosen[node] == number;
        let on_map = chosen.iter().filter(|&&kind| kind == number).count() as i64;
        let repeats =
            (0..chosen.len()).any(|node| is(node) && parents[node].iter().any(|&p| is(p)));
        let first = map.nodes.iter().zip(&chosen).find(|(_, kind)| **kind == number);
        KindConfig {
            weight: 1 + i64::from(rng.below(5)),
            no_repeat: !repeats,
            siblings_differ: rng.chance(1, 12),
            earliest: first.filter(|_| rng.chance(1, 3)).map(|(node, _)| node.row.into()),
            route: if rng.chance(2, 3) {
                count(rng, range_on_routes(map, is))
            } else {
                Count::default()
            },
            map: if rng.chance(2, 3) { count(rng, (on_map, on_map)) } else { Count::default() },
            ..kind
        }
    });
    let config = rule_set(drawn.collect());
    for pin in pins {
        let node =
            map.nodes.binary_search_by_key(&(pin.row, pin.col), |n| (n.row.into(), n.col.into()));
        pin.kind = node.ok().map(|node| format!("k{}", chosen[node]));
    }
    config
}

/// Results of the searches.
#[derive(Debug, Default)]
struct Tally {
    /// Kinds were found.
    found: u32,
    /// Kinds were found by the complete search.
    searched: u32,
    /// Infeasibility was proved.
    proved: u32,
    /// The conflict does not name all rules.
    explained: u32,
    undecided: Vec<String>,
}

fn decide(cases: u64, seed: u64, size: impl Fn(&mut MapRng) -> (i64, i64), walks: u32) -> Tally {
    let mut rng = MapRng::from_u64(seed);
    let mut tally = Tally::default();
    for case in 0..cases {
        let (rows, cols) = size(&mut rng);
        let mut config = grid(&mut rng, rows, cols, walks);
        let mut pins: Vec<Pin> = Vec::new();
        if let act::Config::Walks(config) = &mut config {
            let cell =
                |rng: &mut MapRng| (rng.below(rows as u32).into(), rng.below(cols as u32).into());
            let cells = (0..rng.below(3)).map(|_| cell(&mut rng));
            pins.extend(cells.map(|(row, col)| Pin { row, col, kind: None }));
            pins.sort_by_key(|pin| (pin.row, pin.col));
            pins.dedup();
            config.pins = pins.clone();
        }
        let seed = Seed::new(rng.next_u64());
        let Ok(spec) = config.resolve() else { continue };
        let skeleton = act::Generator::new(&spec).skeleton(seed.clone()).clone();
        let kinds = match rng.below(2) {
            0 => random_rules(&mut rng, rows, skeleton.nodes.len() as u32, &mut pins),
            _ => tight_rules(&mut rng, &skeleton, &mut pins),
        };
        let Ok(spec) = with_rules(&config, kinds, pins).resolve() else { continue };
        match act::generate(seed, &spec) {
            Ok(map) => {
                let report = act::validate(&map);
                assert!(report.is_valid(), "case {case}: {:?}", report.violations);
                tally.found += 1;
                tally.searched += u32::from(map.attempts.dead_ends >= 1_000);
            }
            Err(error) if error.proven => {
                assert!(!error.conflict.is_empty(), "case {case}: {error}");
                tally.proved += 1;
                tally.explained += u32::from(error.conflict.len() < spec.kind_rules().len());
            }
            Err(error) => tally.undecided.push(format!("case {case}: {error}")),
        }
    }
    tally
}

#[test]
fn every_skeleton_of_the_documented_size_is_decided() {
    let tally = decide(300, 20, |_| (ROWS, COLS), MAX_WALKS);
    assert!(tally.undecided.is_empty(), "{}", tally.undecided.join("\n"));
    assert!(tally.found > 150 && tally.searched > 15 && tally.proved > 80, "{tally:?}");
    assert_eq!(tally.proved, tally.explained, "every conflict is smaller than the rule set");
}

#[test]
fn smaller_maps_are_decided() {
    let size = |rng: &mut MapRng| (2 + i64::from(rng.below(14)), 2 + i64::from(rng.below(6)));
    let tally = decide(150, 21, size, MAX_WALKS);
    assert!(tally.undecided.is_empty(), "{}", tally.undecided.join("\n"));
    assert!(tally.found > 20 && tally.proved > 20, "{tally:?}");
}
