//! The rows ruleset: postconditions on all small and on random larger configurations.

use proptest::prelude::*;
use wayforge_act::{
    self as act, ActMap, Edge, KindConfig, KindsChoice, KindsConfig, Node, RowsConfig, rules,
};
use wayforge_core::{Place, Seed};

fn without_kinds(rows: i64, cols: i64, min_nodes: i64, max_nodes: i64) -> RowsConfig {
    RowsConfig { rows, cols, min_nodes, max_nodes, kinds: KindsChoice::None, ..Default::default() }
}

fn generator(config: &RowsConfig) -> act::Generator {
    act::Generator::new(&act::Config::Rows(config.clone()).resolve().unwrap())
}

/// Returns the number of columns of a row that are inside both cones.
fn capacity(config: &RowsConfig, row: i64, [start, boss]: [i64; 2]) -> i64 {
    let inside = |col: &i64| (col - start).abs() <= row && (col - boss).abs() < config.rows - row;
    (0..config.cols).filter(inside).count() as i64
}

/// Returns the middle column, or both.
fn centres(config: &RowsConfig) -> [i64; 2] {
    [(config.cols - 1) / 2, config.cols / 2]
}

/// Returns the columns of the nodes of each row, and the successors of each node.
fn masks(map: &ActMap) -> (Vec<u64>, Vec<[u64; 64]>) {
    let rows = usize::from(map.spec.rows());
    let (mut nodes, mut out) = (vec![0_u64; rows], vec![[0_u64; 64]; rows]);
    map.nodes.iter().for_each(|node| nodes[usize::from(node.row)] |= 1 << node.col);
    map.edges
        .iter()
        .for_each(|edge| out[usize::from(edge.row)][usize::from(edge.from)] |= 1 << edge.to);
    (nodes, out)
}

fn columns(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |col| mask >> col & 1 == 1)
}

/// Returns the longest run of rows without a node that has two edges, except the last row.
fn longest_corridor(map: &ActMap) -> usize {
    let (nodes, out) = masks(map);
    let no_choice = |row: usize| columns(nodes[row]).all(|col| out[row][col].count_ones() < 2);
    let rows: Vec<bool> = (0..nodes.len() - 1).map(no_choice).collect();
    rows.chunk_by(|a, b| a == b).filter(|run| run[0]).map(<[bool]>::len).max().unwrap_or(0)
}

/// Returns the longest stretch of a route, in rows, without a choice.
fn longest_without_choice(map: &ActMap) -> usize {
    let (nodes, out) = masks(map);
    let mut longest = 0;
    // Length of the stretch that ends at each node of the row.
    let mut ends = [0; 64];
    for row in 0..nodes.len() - 1 {
        let mut next = [0; 64];
        for col in columns(nodes[row]).filter(|&col| out[row][col].count_ones() == 1) {
            let to = out[row][col].trailing_zeros() as usize;
            next[to] = next[to].max(ends[col] + 1);
        }
        longest = next.into_iter().max().unwrap_or(0).max(longest);
        ends = next;
    }
    longest
}

/// Returns the longest chain of nodes with one incoming and one outgoing edge.
fn longest_isolated_lane(map: &ActMap) -> usize {
    let (nodes, out) = masks(map);
    let mut longest = 0;
    let mut chain = [0; 64];
    for row in 1..nodes.len() - 1 {
        let mut next = [0; 64];
        for col in columns(nodes[row]) {
            let below: Vec<usize> = columns(nodes[row - 1])
                .filter(|&from| out[row - 1][from] >> col & 1 == 1)
                .collect();
            if below.len() == 1 && out[row][col].count_ones() == 1 {
                next[col] = chain[below[0]] + 1;
            }
        }
        longest = next.into_iter().max().unwrap_or(0).max(longest);
        chain = next;
    }
    longest
}

/// Whether the rows between the first and the last are connected, by flood fill from one node.
fn lanes_meet(map: &ActMap) -> bool {
    let (nodes, out) = masks(map);
    let inner = 1..nodes.len() - 1;
    let mut reached = vec![0_u64; nodes.len()];
    reached[1] = nodes[1] & nodes[1].wrapping_neg();
    loop {
        let before = reached.clone();
        for row in inner.clone().take(inner.len() - 1) {
            for col in columns(nodes[row]) {
                if reached[row] >> col & 1 == 1 || reached[row + 1] & out[row][col] != 0 {
                    reached[row] |= 1 << col;
                    reached[row + 1] |= out[row][col];
                }
            }
        }
        if reached == before {
            return inner.clone().all(|row| reached[row] == nodes[row]);
        }
    }
}

/// Returns the minimum number of nodes with three edges between two rows.
///
/// Exhaustive. Legal edges do not cross, span at most one column, and leave no node without an
/// edge.
fn min_triples(lower: u64, upper: u64) -> u32 {
    let sources: Vec<usize> = columns(lower).collect();
    fn search(sources: &[usize], upper: u64, covered: u64, rightmost: usize) -> Option<u32> {
        let Some((&col, rest)) = sources.split_first() else {
            return (covered == upper).then_some(0);
        };
        let reach = columns(upper).filter(|to| to.abs_diff(col) <= 1);
        let reach = reach.fold(0_u64, |mask, to| mask | 1 << to);
        // All sets of targets that do not cross the edges of the previous nodes.
        let sets =
            (1..8_u64).map(|set| set << col >> 1).filter(|set| *set != 0 && set & !reach == 0);
        let sets = sets.filter(|set| set.trailing_zeros() as usize >= rightmost);
        let counts = sets.filter_map(|set| {
            let last = 63 - set.leading_zeros() as usize;
            let rest = search(rest, upper, covered | set, last)?;
            Some(rest + u32::from(set.count_ones() == 3))
        });
        counts.min()
    }
    search(&sources, upper, 0, 0).unwrap()
}

/// Checks the specification's postconditions on bit masks, without the validator.
fn assert_postconditions(map: &ActMap, config: &RowsConfig) {
    let rows = config.rows as usize;
    let (nodes, out) = masks(map);
    assert!(map.nodes.iter().all(|node| i64::from(node.col) < config.cols), "on the grid");
    assert_eq!(
        nodes.iter().map(|row| row.count_ones()).sum::<u32>() as usize,
        map.nodes.len(),
        "no duplicate nodes"
    );
    let ends = [nodes[0], nodes[rows - 1]];
    assert!(ends.iter().all(|end| end.count_ones() == 1), "single start and boss");
    let ends = ends.map(|end| i64::from(end.trailing_zeros()));
    assert!(ends.iter().all(|end| centres(config).contains(end)), "centred start and boss");
    for row in 1..rows - 1 {
        let (size, space) =
            (i64::from(nodes[row].count_ones()), capacity(config, row as i64, ends));
        assert!(
            size >= config.min_nodes.min(space) && size <= config.max_nodes.min(space),
            "row {row} has {size} nodes"
        );
        if row + 2 < rows {
            let (next, next_space) =
                (i64::from(nodes[row + 1].count_ones()), capacity(config, row as i64 + 1, ends));
            let forced = if next > size {
                next == config.min_nodes.min(next_space)
            } else {
                size == config.min_nodes.min(space)
            };
            assert!(
                (size - next).abs() <= 1 || forced,
                "row {row} has {size} nodes, the next row {next}"
            );
        }
    }
    let mut into = vec![0_u64; rows];
    for edge in &map.edges {
        let (row, from, to) = (usize::from(edge.row), usize::from(edge.from), usize::from(edge.to));
        assert!(from.abs_diff(to) <= 1, "no skipping");
        assert!(nodes[row] >> from & 1 == 1 && nodes[row + 1] >> to & 1 == 1);
        into[row + 1] |= 1 << to;
    }
    for row in 0..rows - 1 {
        // With incoming and outgoing edges on every row, every node is on a route.
        assert_eq!(into[row + 1], nodes[row + 1], "an incoming edge");
        for col in columns(nodes[row]) {
            assert!(out[row][col] != 0, "an outgoing edge");
            let crosses = col < 63
                && out[row][col] >> (col + 1) & 1 == 1
                && out[row][col + 1] >> col & 1 == 1;
            assert!(!crosses, "no crossing");
        }
        let triples = columns(nodes[row]).filter(|&col| out[row][col].count_ones() > 2).count();
        let needed = if triples == 0 { 0 } else { min_triples(nodes[row], nodes[row + 1]) };
        assert_eq!(triples as u32, needed, "third edges only where they are needed");
        assert!(
            triples == 0 || row == 0 && config.min_nodes > 2,
            "only the start needs a third edge"
        );
    }
    assert!(rows < 4 || lanes_meet(map), "lanes meet");
}

#[test]
fn postconditions_hold_for_all_small_configurations() {
    let (mut generated, mut rejected) = (0, 0);
    for rows in 2..=12 {
        for cols in 1..=9 {
            for max in 1..=9 {
                for min in 1..=max {
                    let config = without_kinds(rows, cols, min, max);
                    let widest = match rows {
                        2 => cols,
                        _ => (1..rows - 1)
                            .map(|row| capacity(&config, row, [(cols - 1) / 2; 2]))
                            .max()
                            .unwrap(),
                    };
                    match act::Config::Rows(config.clone()).resolve() {
                        Ok(_) => assert!(min <= widest),
                        Err(error) => {
                            assert!(min > widest);
                            assert_eq!(
                                (error.field.as_str(), error.remedy),
                                ("min_nodes", format!("use 1 to {widest}"))
                            );
                            rejected += 1;
                            continue;
                        }
                    }
                    let mut generator = generator(&config);
                    for seed in 0..100 {
                        assert_postconditions(
                            generator.generate(Seed::new(seed)).unwrap(),
                            &config,
                        );
                        generated += 1;
                    }
                    assert!(act::validate(generator.generate(Seed::new(1)).unwrap()).is_valid());
                }
            }
        }
    }
    assert!(generated > 250_000 && rejected > 1_000, "{generated} {rejected}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_000,
        max_global_rejects: 20_000,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn postconditions_hold_for_random_configurations(
        rows in 2_i64..=80,
        cols in 1_i64..=64,
        a in 1_i64..=64,
        b in 1_i64..=64,
        seed: u64,
    ) {
        let config = without_kinds(rows, cols, a.min(b), a.max(b));
        let spec = act::Config::Rows(config.clone()).resolve();
        prop_assume!(spec.is_ok());
        let map = act::generate(Seed::new(seed), &spec.unwrap()).unwrap();
        assert_postconditions(&map, &config);
        let report = act::validate(&map);
        prop_assert!(report.is_valid(), "{:?}", report.violations);
    }
}

#[test]
fn left_and_right_are_equally_likely() {
    let mut generator = generator(&without_kinds(15, 7, 2, 5));
    let (mut nodes, mut straight, mut left, mut right) = ([0_i64; 7], 0_i64, 0_i64, 0_i64);
    for seed in 0..100_000 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        map.nodes.iter().for_each(|node| nodes[usize::from(node.col)] += 1);
        for edge in &map.edges {
            match edge.to.cmp(&edge.from) {
                std::cmp::Ordering::Less => left += 1,
                std::cmp::Ordering::Equal => straight += 1,
                std::cmp::Ordering::Greater => right += 1,
            }
        }
    }
    // About 600,000 nodes per column. Nodes of one map are correlated, so allow eight times the
    // standard deviation of independent ones.
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
fn maps_are_balanced_between_left_and_right() {
    for cols in [2, 5, 6, 7, 8, 13, 40] {
        let config = without_kinds(15, cols, 2, 5);
        let mut generator = generator(&config);
        let (mut sum, mut nodes, mut ends) = (0_i64, 0_i64, [[0_i64; 2]; 2]);
        for seed in 0..10_000 {
            let map = generator.generate(Seed::new(seed)).unwrap();
            // Twice the distance from the middle, which is always an integer.
            sum += map.nodes.iter().map(|node| 2 * i64::from(node.col) - (cols - 1)).sum::<i64>();
            nodes += map.nodes.len() as i64;
            let right = |node: &Node| usize::from(2 * i64::from(node.col) > cols - 1);
            ends[right(&map.nodes[0])][right(map.nodes.last().unwrap())] += 1;
        }
        // At most 0.05 columns from the middle on average.
        assert!(sum.abs() * 10 < nodes, "{cols} columns: {sum} half columns over {nodes} nodes");
        if cols % 2 == 0 {
            // Expected: a quarter of 10,000 each, with a standard deviation of 43.
            assert!(
                ends.iter().flatten().all(|n| (n - 2_500).abs() < 260),
                "{cols} columns: {ends:?}"
            );
        }
    }
    // Single maps whose nodes are a column or more from the middle on average are rare.
    let mut generator = generator(&without_kinds(15, 7, 2, 5));
    let leans = |seed: &u64| {
        let map = generator.generate(Seed::new(*seed)).unwrap();
        let sum: i64 = map.nodes.iter().map(|node| i64::from(node.col) - 3).sum();
        sum.unsigned_abs() as usize >= map.nodes.len()
    };
    let leaning = (0..10_000).filter(leans).count();
    assert!(leaning <= 200, "{leaning} of 10,000 maps are off by a column or more");
    // Three rows of four columns: if start and boss were in different columns, the row between them
    // would have space for only two nodes instead of three.
    let mut generator = self::generator(&without_kinds(3, 4, 3, 3));
    for seed in 0..100 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        assert_eq!((map.nodes.len(), map.nodes[0].col), (5, map.nodes[4].col));
    }
}

#[test]
fn lanes_meet_on_every_map() {
    for (config, seeds) in [
        (without_kinds(15, 7, 2, 5), 100_000),
        (without_kinds(4, 3, 2, 3), 10_000),
        (without_kinds(5, 8, 2, 8), 10_000),
        (without_kinds(6, 9, 5, 5), 10_000),
        (without_kinds(15, 40, 6, 12), 2_000),
        (without_kinds(30, 64, 3, 4), 2_000),
        (without_kinds(15, 7, 2, 2), 10_000),
    ] {
        let mut generator = generator(&config);
        for seed in 0..seeds {
            let map = generator.generate(Seed::new(seed)).unwrap();
            assert!(lanes_meet(map), "{config:?}, seed {seed}");
        }
    }
}

#[test]
fn corridors_are_short_and_splits_and_merges_are_common() {
    let mut generator = generator(&without_kinds(15, 7, 2, 5));
    // The worst seeds of an earlier generator.
    for seed in [576, 408, 1205, 2655, 765] {
        assert!(longest_corridor(generator.generate(Seed::new(seed)).unwrap()) <= 3, "seed {seed}");
    }
    let (mut nodes, mut splits, mut merges, mut five) = (0, 0, 0, 0);
    for seed in 0..10_000 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        five += u32::from(longest_corridor(map) >= 5);
        let (rows, out) = masks(map);
        nodes += map.nodes.len();
        for (row, &cols) in rows.iter().enumerate() {
            splits += columns(cols).filter(|&col| out[row][col].count_ones() > 1).count();
            let entering =
                |to: usize| columns(cols).filter(|&col| out[row][col] >> to & 1 == 1).count();
            merges += (0..7).filter(|&to| entering(to) > 1).count();
        }
    }
    let percent = |n: usize| n * 100 / nodes;
    assert!((30..45).contains(&percent(splits)), "splits at {} % of nodes", percent(splits));
    assert!((30..45).contains(&percent(merges)), "merges at {} % of nodes", percent(merges));
    assert!(five <= 50, "{five} of 10,000 maps have five rows or more without a choice");
}

#[test]
fn routes_offer_choices_and_lanes_are_not_isolated() {
    let mut generator = generator(&without_kinds(15, 7, 2, 5));
    // An earlier generator had an isolated lane of 9 to 11 nodes here.
    for seed in [8064, 5956, 49, 5033, 941] {
        let map = generator.generate(Seed::new(seed)).unwrap();
        assert!(longest_isolated_lane(map) <= 5 && longest_without_choice(map) <= 6, "seed {seed}");
    }
    let (mut isolated, mut seven) = (0, 0);
    for seed in 0..10_000 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        isolated += u32::from(longest_isolated_lane(map) > 6);
        seven += u32::from(longest_without_choice(map) >= 7);
    }
    assert_eq!(isolated, 0, "maps with an isolated lane of more than six nodes");
    assert!(
        seven <= 10,
        "{seven} of 10,000 maps have a route of seven rows or more without a choice"
    );
}

/// Narrow rows and wide maps, where distant lanes prevent splits.
#[test]
fn isolated_lanes_are_rare_in_other_configurations() {
    for config in [
        without_kinds(15, 7, 2, 2),
        without_kinds(15, 8, 3, 4),
        without_kinds(30, 20, 2, 5),
        without_kinds(15, 7, 1, 3),
    ] {
        let mut generator = generator(&config);
        let is_isolated =
            |seed: &u64| longest_isolated_lane(generator.generate(Seed::new(*seed)).unwrap()) > 7;
        let isolated = (0..5_000).filter(is_isolated).count();
        assert!(
            isolated <= 5,
            "{config:?}: {isolated} of 5,000 maps have an isolated lane of more than seven nodes"
        );
    }
}

#[test]
fn supports_kinds_and_bounds_on_routes() {
    let mut kinds = KindsConfig::standard_rows(15);
    kinds.kinds.push(KindConfig {
        route: act::Count { min: Some(1), max: Some(2) },
        no_repeat: true,
        ..KindConfig::new("shrine")
    });
    for choice in [KindsChoice::Standard, KindsChoice::Custom(Box::new(kinds))] {
        let config = RowsConfig { kinds: choice, ..Default::default() };
        let mut generator = generator(&config);
        for seed in 0..500 {
            let map = generator.generate(Seed::new(seed)).unwrap();
            let report = act::validate(map);
            assert!(report.is_valid(), "{:?}", report.violations);
            assert_eq!(map.kind_name(map.nodes[0].kind), Some("start"));
            assert_eq!(map.kind_name(map.nodes.last().unwrap().kind), Some("boss"));
        }
    }
    for rows in 2..30 {
        let mut generator = generator(&RowsConfig { rows, min_nodes: 1, ..Default::default() });
        assert!(
            (0..50).all(|seed| generator
                .generate(Seed::new(seed))
                .is_ok_and(|map| act::validate(map).is_valid())),
            "{rows}"
        );
    }
}

#[test]
fn reseed_changes_only_the_map() {
    let map =
        act::generate(Seed::new(1), &act::Config::Rows(RowsConfig::default()).resolve().unwrap())
            .unwrap();
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
fn validator_reports_the_violated_rule() {
    let sample = || {
        act::generate(
            Seed::new(4),
            &act::Config::Rows(without_kinds(9, 7, 2, 4)).resolve().unwrap(),
        )
        .unwrap()
    };
    let violations = |corrupt: &dyn Fn(&mut ActMap)| {
        let mut map = sample();
        corrupt(&mut map);
        map.nodes.sort_unstable();
        map.edges.sort_unstable();
        act::validate(&map).violations.iter().map(|v| v.rule).collect::<Vec<_>>()
    };
    let violations_with = |config: RowsConfig| {
        let mut map = sample();
        map.spec = act::Config::Rows(config).resolve().unwrap();
        act::validate(&map).violations.iter().map(|v| v.rule).collect::<Vec<_>>()
    };
    assert_eq!(violations(&|_| ()), []);
    assert!(
        violations(&|m| m.nodes.push(Node { row: 0, col: 0, kind: None }))
            .contains(&rules::ENDS_CENTRED)
    );
    assert!(violations_with(without_kinds(9, 7, 5, 5)).contains(&rules::ROW_SIZES));
    assert!(violations_with(without_kinds(9, 7, 1, 1)).contains(&rules::ROW_SIZES));
    assert!(
        violations(&|m| m.edges.push(Edge { row: 3, from: 0, to: 6 })).contains(&rules::EDGE_REACH)
    );
    // A row with a node in every column.
    let uneven = violations(&|m| {
        let free = (0..7).filter(|col| m.nodes.iter().all(|n| (n.row, n.col) != (4, *col)));
        let free: Vec<u16> = free.collect();
        m.nodes.extend(free.iter().map(|&col| Node { row: 4, col, kind: None }));
    });
    assert!(
        uneven.contains(&rules::ROWS_EVEN)
            && uneven.contains(&rules::INCOMING_EDGE)
            && uneven.contains(&rules::OUTGOING_EDGE)
    );
    assert!(uneven.contains(&rules::NO_ORPHANS));
    // Two lanes that only start and boss connect.
    let lanes = violations(&|m| {
        m.nodes.clear();
        m.edges.clear();
        m.nodes.extend([0, 8].map(|row| Node { row, col: 3, kind: None }));
        m.nodes.extend((1..8).flat_map(|row| [2, 4].map(|col| Node { row, col, kind: None })));
        m.edges.extend((1..7).flat_map(|row| [2, 4].map(|col| Edge { row, from: col, to: col })));
        m.edges.extend([2, 4].map(|to| Edge { row: 0, from: 3, to }));
        m.edges.extend([2, 4].map(|from| Edge { row: 7, from, to: 3 }));
    });
    assert_eq!(lanes, [rules::LANES_MEET]);
    // An unnecessary third edge: the middle node of a full row leads to all three nodes above it.
    let full = act::Config::Rows(without_kinds(6, 3, 3, 3)).resolve().unwrap();
    let mut map = act::generate(Seed::new(1), &full).unwrap();
    map.edges.retain(|e| e.row != 1);
    map.edges.extend([(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)].map(|(from, to)| Edge {
        row: 1,
        from,
        to,
    }));
    map.edges.sort_unstable();
    let report = act::validate(&map);
    let found: Vec<_> = report.violations.iter().map(|v| (v.rule, v.place.clone())).collect();
    assert_eq!(found, [(rules::OUT_DEGREE, Place::Node { row: 1, col: 1 })]);
    assert_eq!(min_triples(0b111, 0b111), 0);
    // The start needs its three edges.
    assert_eq!((min_triples(0b10, 0b111), map.edges.iter().filter(|e| e.row == 0).count()), (1, 3));
}
