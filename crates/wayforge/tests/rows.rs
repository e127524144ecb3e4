//! Act maps by rows: every demand, exhaustively over small configurations and at random over larger ones.

use proptest::prelude::*;
use wayforge::Seed;
use wayforge::act::{
    self, ActConfig, ActMap, Edge, Forge, KindConfig, KindsChoice, KindsConfig, Node, RowsConfig, rules,
};

fn bare(rows: i64, cols: i64, min_nodes: i64, max_nodes: i64) -> RowsConfig {
    RowsConfig { rows, cols, min_nodes, max_nodes, kinds: KindsChoice::None, ..Default::default() }
}

fn forge(config: &RowsConfig) -> Forge {
    Forge::new(&ActConfig::Rows(config.clone()).resolve().unwrap())
}

/// How many columns of a row lie within both cones.
fn room(config: &RowsConfig, row: i64) -> i64 {
    let middle = (config.cols - 1) / 2;
    let reach = row.min(config.rows - 1 - row);
    (0..config.cols).filter(|col| (col - middle).abs() <= reach).count() as i64
}

/// The demands of the document, written once more without the validator, on bit masks.
fn demands(map: &ActMap, config: &RowsConfig) {
    let rows = config.rows as usize;
    let mut nodes = vec![0_u64; rows];
    for node in &map.nodes {
        let bit = 1 << node.col;
        assert!(
            i64::from(node.col) < config.cols && nodes[usize::from(node.row)] & bit == 0,
            "unique places"
        );
        nodes[usize::from(node.row)] |= bit;
    }
    let middle = 1_u64 << ((config.cols - 1) / 2);
    assert_eq!((nodes[0], nodes[rows - 1]), (middle, middle), "single centred start and boss");
    for row in 1..rows - 1 {
        let (size, room) = (i64::from(nodes[row].count_ones()), room(config, row as i64));
        assert!(
            size >= config.min_nodes.min(room) && size <= config.max_nodes.min(room),
            "row {row} holds {size}"
        );
        if row + 2 < rows {
            let (next, next_room) =
                (i64::from(nodes[row + 1].count_ones()), self::room(config, row as i64 + 1));
            let forced = if next > size {
                next == config.min_nodes.min(next_room)
            } else {
                size == config.min_nodes.min(room)
            };
            assert!((size - next).abs() <= 1 || forced, "rows {row} and the next: {size} and {next}");
        }
    }
    let (mut out, mut into) = (vec![[0_u64; 64]; rows], vec![[0_u64; 64]; rows]);
    for edge in &map.edges {
        let (row, from, to) = (usize::from(edge.row), usize::from(edge.from), usize::from(edge.to));
        assert!(from.abs_diff(to) <= 1, "no skipping");
        assert!(nodes[row] >> from & 1 == 1 && nodes[row + 1] >> to & 1 == 1);
        out[row][from] |= 1 << to;
        into[row + 1][to] |= 1 << from;
    }
    for row in 0..rows {
        for col in (0..64).filter(|col| nodes[row] >> col & 1 == 1) {
            // Ways in and out on every row make a way from start to boss through every node.
            assert!(row == 0 || into[row][col] != 0, "a way in");
            assert!(row == rows - 1 || out[row][col] != 0, "a way out");
            let crosses =
                col < 63 && out[row][col] >> (col + 1) & 1 == 1 && out[row][col + 1] >> col & 1 == 1;
            assert!(!crosses, "no X");
            let needed = (0..64)
                .filter(|&to| out[row][col] >> to & 1 == 1 && into[row + 1][to].count_ones() == 1)
                .count();
            assert!(
                out[row][col].count_ones() as usize <= 2 + needed,
                "at most two edges, or what is needed"
            );
        }
    }
}

#[test]
fn small_configurations_exhaustively() {
    let (mut made, mut refused) = (0, 0);
    for rows in 2..=12 {
        for cols in 1..=9 {
            for max in 1..=9 {
                for min in 1..=max {
                    let config = bare(rows, cols, min, max);
                    let widest = match rows {
                        2 => cols,
                        _ => (1..rows - 1).map(|row| room(&config, row)).max().unwrap(),
                    };
                    match ActConfig::Rows(config.clone()).resolve() {
                        Ok(_) => assert!(min <= widest),
                        Err(error) => {
                            assert!(min > widest);
                            assert_eq!(
                                (error.field.as_str(), error.remedy),
                                ("min_nodes", format!("use 1 to {widest}"))
                            );
                            refused += 1;
                            continue;
                        }
                    }
                    let mut forge = forge(&config);
                    for seed in 0..100 {
                        demands(forge.generate(Seed::new(seed)).unwrap(), &config);
                        made += 1;
                    }
                    assert!(act::validate(forge.generate(Seed::new(1)).unwrap()).is_valid());
                }
            }
        }
    }
    assert!(made > 250_000 && refused > 1_000, "{made} {refused}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn larger_configurations(rows in 2_i64..=80, cols in 1_i64..=64, a in 1_i64..=64, b in 1_i64..=64, seed: u64) {
        let config = bare(rows, cols, a.min(b), a.max(b));
        if let Ok(spec) = ActConfig::Rows(config.clone()).resolve() {
            let map = act::generate(Seed::new(seed), &spec).unwrap();
            demands(&map, &config);
            let report = act::validate(&map);
            prop_assert!(report.is_valid(), "{:?}", report.violations);
        }
    }
}

#[test]
fn no_side_is_favoured() {
    let mut forge = forge(&bare(15, 7, 2, 5));
    let (mut nodes, mut straight, mut left, mut right) = ([0_i64; 7], 0_i64, 0_i64, 0_i64);
    for seed in 0..100_000 {
        let map = forge.generate(Seed::new(seed)).unwrap();
        map.nodes.iter().for_each(|node| nodes[usize::from(node.col)] += 1);
        for edge in &map.edges {
            match edge.to.cmp(&edge.from) {
                std::cmp::Ordering::Less => left += 1,
                std::cmp::Ordering::Equal => straight += 1,
                std::cmp::Ordering::Greater => right += 1,
            }
        }
    }
    // Some 600,000 nodes a column: nodes of one map hang together, so allow for eight times the plain deviation.
    for col in 0..3 {
        let (a, b) = (nodes[col], nodes[6 - col]);
        assert!(
            (a - b).abs() < 8 * ((a + b) as u64).isqrt() as i64,
            "columns {col} and {}: {nodes:?}",
            6 - col
        );
    }
    assert!((left - right).abs() < 8 * ((left + right) as u64).isqrt() as i64, "{left} {right}");
    assert!(straight > 0);
}

#[test]
fn splits_and_merges_are_common_and_long_lanes_rare() {
    let mut forge = forge(&bare(15, 7, 2, 5));
    let (mut nodes, mut splits, mut merges, mut six, mut eight) = (0, 0, 0, 0, 0);
    for seed in 0..10_000 {
        let map = forge.generate(Seed::new(seed)).unwrap();
        let (mut out, mut into, mut from) = ([0; 105], [0; 105], [0; 105]);
        for e in &map.edges {
            let lower = usize::from(e.row) * 7 + usize::from(e.from);
            let upper = usize::from(e.row + 1) * 7 + usize::from(e.to);
            out[lower] += 1;
            into[upper] += 1;
            from[upper] = lower;
        }
        // A lane is a run of nodes with one way in and one way out.
        let (mut lane, mut longest) = ([0; 105], 0);
        for node in &map.nodes {
            let cell = usize::from(node.row) * 7 + usize::from(node.col);
            lane[cell] = if (out[cell], into[cell]) == (1, 1) { lane[from[cell]] + 1 } else { 0 };
            longest = longest.max(lane[cell]);
            splits += usize::from(out[cell] > 1);
            merges += usize::from(into[cell] > 1);
        }
        nodes += map.nodes.len();
        six += u32::from(longest >= 6);
        eight += u32::from(longest >= 8);
    }
    let percent = |n: usize| n * 100 / nodes;
    assert!((30..45).contains(&percent(splits)), "splits at {} % of nodes", percent(splits));
    assert!((30..45).contains(&percent(merges)), "merges at {} % of nodes", percent(merges));
    assert!(six < 900 && eight < 300, "of 10,000 maps {six} have a lane of six nodes, {eight} one of eight");
}

#[test]
fn kinds_and_route_guarantees_work_as_for_walks() {
    let mut kinds = KindsConfig::standard_rows(15);
    kinds.kinds.push(KindConfig {
        route: act::Count { min: Some(1), max: Some(2) },
        no_repeat: true,
        ..KindConfig::new("shrine")
    });
    for choice in [KindsChoice::Standard, KindsChoice::Own(Box::new(kinds))] {
        let config = RowsConfig { kinds: choice, ..Default::default() };
        let mut forge = forge(&config);
        for seed in 0..500 {
            let map = forge.generate(Seed::new(seed)).unwrap();
            let report = act::validate(map);
            assert!(report.is_valid(), "{:?}", report.violations);
            assert_eq!(map.kind_name(map.nodes[0].kind), Some("start"));
            assert_eq!(map.kind_name(map.nodes.last().unwrap().kind), Some("boss"));
        }
    }
    for rows in 2..30 {
        let mut forge = forge(&RowsConfig { rows, min_nodes: 1, ..Default::default() });
        assert!(
            (0..50)
                .all(|seed| forge.generate(Seed::new(seed)).is_ok_and(|map| act::validate(map).is_valid())),
            "{rows}"
        );
    }
}

#[test]
fn a_new_seed_is_one_call() {
    let map =
        act::generate(Seed::new(1), &ActConfig::Rows(RowsConfig::default()).resolve().unwrap()).unwrap();
    let other = map.reseed(Seed::new(2)).unwrap();
    assert_ne!(other.nodes, map.nodes);
    assert_eq!((&other.spec, other.seed), (&map.spec, Seed::new(2)));
    let mut labels: Vec<String> = map.nodes.iter().map(Node::label).collect();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), map.nodes.len());
    assert_eq!(ActMap::decode(map.to_document().to_text().as_bytes()).unwrap(), map);
}

#[test]
fn the_right_rule_fires() {
    let sample =
        || act::generate(Seed::new(4), &ActConfig::Rows(bare(9, 7, 2, 4)).resolve().unwrap()).unwrap();
    let broken = |breaking: &dyn Fn(&mut ActMap)| {
        let mut map = sample();
        breaking(&mut map);
        map.nodes.sort_unstable();
        map.edges.sort_unstable();
        act::validate(&map).violations.iter().map(|v| v.rule).collect::<Vec<_>>()
    };
    let judged_by = |config: RowsConfig| {
        let mut map = sample();
        map.spec = ActConfig::Rows(config).resolve().unwrap();
        act::validate(&map).violations.iter().map(|v| v.rule).collect::<Vec<_>>()
    };
    assert_eq!(broken(&|_| ()), []);
    assert!(broken(&|m| m.nodes.push(Node { row: 0, col: 0, kind: None })).contains(&rules::ENDS_CENTRED));
    assert!(judged_by(bare(9, 7, 5, 5)).contains(&rules::ROW_SIZES));
    assert!(judged_by(bare(9, 7, 1, 1)).contains(&rules::ROW_SIZES));
    assert!(broken(&|m| m.edges.push(Edge { row: 3, from: 0, to: 6 })).contains(&rules::EDGE_REACH));
    // A row with two nodes more than its neighbours, all joined.
    let uneven = broken(&|m| {
        let free = (0..7).filter(|col| m.nodes.iter().all(|n| (n.row, n.col) != (4, *col)));
        let free: Vec<u16> = free.collect();
        m.nodes.extend(free.iter().map(|&col| Node { row: 4, col, kind: None }));
    });
    assert!(
        uneven.contains(&rules::ROWS_EVEN)
            && uneven.contains(&rules::WAY_IN)
            && uneven.contains(&rules::WAY_OUT)
    );
    assert!(uneven.contains(&rules::NO_ORPHANS));
    // Three edges where two would do: every node of a full row leads to all three above it.
    let full = ActConfig::Rows(bare(5, 3, 3, 3)).resolve().unwrap();
    let mut map = act::generate(Seed::new(1), &full).unwrap();
    map.edges.retain(|e| e.row != 1);
    map.edges.extend([(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)].map(|(from, to)| Edge { row: 1, from, to }));
    map.edges.sort_unstable();
    assert!(
        act::validate(&map).is_valid(),
        "column 1 of row 2 has no other way in: {:?}",
        act::validate(&map).violations
    );
    map.edges.push(Edge { row: 1, from: 0, to: 1 });
    map.edges.sort_unstable();
    let found: Vec<_> = act::validate(&map).violations.iter().map(|v| v.rule).collect();
    // Between neighbouring columns a third edge that is not needed crosses another one as well.
    assert_eq!(found, [rules::NO_CROSSINGS, rules::EDGES_DRAWN]);
}
