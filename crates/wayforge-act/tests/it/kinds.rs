//! Kinds of nodes: random rule sets, guarantees on routes, and explanations of conflicts.

use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;
use wayforge_act::{
    self as act, ActMap, BandConfig, Count, FixedRow, KindConfig, KindsChoice, KindsConfig, Pin,
    RowsConfig, WalksConfig,
};
use wayforge_core::Seed;

fn config(kinds: KindsConfig) -> WalksConfig {
    WalksConfig {
        boss: kinds.boss.is_some(),
        kinds: KindsChoice::Custom(Box::new(kinds)),
        ..Default::default()
    }
}

fn kind_set(kinds: Vec<KindConfig>) -> KindsConfig {
    KindsConfig { kinds, bands: vec![], fixed: vec![], boss: None, search_limit: 20_000 }
}

fn kind(name: &str, weight: i64) -> KindConfig {
    KindConfig { weight, ..KindConfig::new(name) }
}

fn between(min: i64, max: i64) -> Count {
    Count { min: Some(min), max: Some(max) }
}

fn generate(config: &WalksConfig, seed: u64) -> Result<ActMap, act::Error> {
    act::generate(Seed::new(seed), &act::Config::Walks(config.clone()).resolve().unwrap())
}

#[track_caller]
fn generate_valid(config: &WalksConfig, seed: u64) -> ActMap {
    let map = generate(config, seed).unwrap_or_else(|error| panic!("{error}"));
    let report = act::validate(&map);
    assert!(report.is_valid(), "seed {seed}: {:?}", report.violations);
    map
}

#[test]
fn standard_kinds_never_fail_at_any_size() {
    for rows in 1..=40 {
        for cols in [2, 3, 7, 20] {
            let config = WalksConfig { rows, cols, ..Default::default() };
            let mut generator = act::Generator::new(&act::Config::Walks(config).resolve().unwrap());
            for seed in 0..100 {
                let map = generator.generate(Seed::new(seed)).unwrap();
                assert_eq!(map.attempts.dead_ends, 0);
                assert!(act::validate(map).is_valid());
            }
        }
    }
}

/// Returns the count of a kind on every route, by enumeration with an independent graph library.
fn route_counts(map: &ActMap, name: &str) -> Vec<usize> {
    let id = map.spec.find_kind(name);
    let mut graph: DiGraph<bool, ()> = DiGraph::new();
    let nodes: Vec<NodeIndex> = map.nodes.iter().map(|n| graph.add_node(n.kind == id)).collect();
    let at = |row, col| nodes[map.nodes.iter().position(|n| (n.row, n.col) == (row, col)).unwrap()];
    for e in &map.edges {
        graph.add_edge(at(e.row, e.from), at(e.row + 1, e.to), ());
    }
    let top = map.spec.rows() - 1;
    let mut counts = Vec::new();
    let mut stack: Vec<(NodeIndex, usize)> =
        map.nodes.iter().filter(|n| n.row == 0).map(|n| (at(0, n.col), 0)).collect();
    while let Some((node, before)) = stack.pop() {
        let count = before + usize::from(graph[node]);
        if map.nodes[node.index()].row == top {
            counts.push(count);
        }
        stack.extend(graph.neighbors(node).map(|next| (next, count)));
    }
    counts
}

#[test]
fn every_route_passes_a_shop_and_at_most_three_elites() {
    let mut kinds = KindsConfig::standard(15);
    kinds.kinds[3].route = Count { min: Some(1), max: None };
    kinds.kinds[3].siblings_differ = false;
    kinds.kinds[1].route = Count { min: None, max: Some(3) };
    let config = config(kinds);
    let mut below_7 = 0;
    for seed in 0..400 {
        let map = generate_valid(&config, seed);
        assert!(route_counts(&map, "shop").iter().all(|&n| n >= 1), "seed {seed}");
        assert!(route_counts(&map, "elite").iter().all(|&n| n <= 3), "seed {seed}");
        let shop = map.spec.find_kind("shop");
        below_7 += map.nodes.iter().filter(|n| n.kind == shop && n.row < 7).count();
    }
    assert!(below_7 > 400, "required kinds accumulate at the top: {below_7} below row 7");
}

#[test]
fn satisfies_tight_bounds_on_routes() {
    let config = config(kind_set(vec![
        KindConfig { route: between(2, 2), no_repeat: true, ..kind("key", 1) },
        KindConfig { route: between(5, 9), ..kind("room", 5) },
        kind("hall", 5),
    ]));
    for seed in 0..200 {
        let map = generate_valid(&config, seed);
        assert!(route_counts(&map, "key").iter().all(|&n| n == 2));
    }
}

#[test]
fn counts_on_the_map_are_satisfied_and_spread_over_the_rows() {
    let config = config(kind_set(vec![
        KindConfig { map: between(5, 5), ..kind("shrine", 1) },
        KindConfig { map: between(10, 12), siblings_differ: true, ..kind("camp", 1) },
        kind("road", 20),
    ]));
    let mut low = 0;
    for seed in 0..300 {
        let map = generate_valid(&config, seed);
        let shrine = map.spec.find_kind("shrine");
        let rows: Vec<u16> = map.nodes.iter().filter(|n| n.kind == shrine).map(|n| n.row).collect();
        assert_eq!(rows.len(), 5);
        low += rows.iter().filter(|&&row| row < 7).count();
    }
    assert!(
        (500..1_000).contains(&low),
        "1,500 shrines should spread over the rows; {low} are below row 7"
    );
}

#[test]
fn respects_bands_weights_and_fixed_rows() {
    let mut kinds = kind_set(vec![kind("a", 1), kind("b", 1), kind("c", 0)]);
    kinds.bands = vec![BandConfig {
        from: 3,
        to: 5,
        weights: [("a".to_owned(), 0), ("c".to_owned(), 2)].into_iter().collect(),
    }];
    kinds.fixed = vec![FixedRow { row: -1, kind: "c".into() }];
    let config = config(kinds);
    let mut seen = [0; 3];
    for seed in 0..300 {
        let map = generate_valid(&config, seed);
        for node in &map.nodes {
            let name = map.kind_name(node.kind).unwrap();
            match node.row {
                14 => assert_eq!(name, "c"),
                3..=5 => {
                    assert_ne!(name, "a");
                    seen[usize::from(name == "c")] += 1;
                }
                _ => assert_ne!(name, "c"),
            }
        }
    }
    // c has twice the weight of b there.
    assert!(seen[1] > seen[0] * 17 / 10 && seen[1] < seen[0] * 23 / 10, "{seen:?}");
}

#[test]
fn pinned_kinds_are_independent_of_the_seed() {
    let first = generate_valid(&WalksConfig::default(), 10);
    let event = first.spec.find_kind("event");
    let node = *first.nodes.iter().find(|n| n.kind == event && n.row > 2).unwrap();
    let pin = Pin { row: node.row.into(), col: node.col.into(), kind: Some("shop".into()) };
    let config = WalksConfig { pins: vec![pin], ..Default::default() };
    for seed in 0..300 {
        let map = generate_valid(&config, seed);
        let pinned = map.nodes.iter().find(|n| (n.row, n.col) == (node.row, node.col)).unwrap();
        assert_eq!(map.kind_name(pinned.kind), Some("shop"));
    }
}

#[test]
fn errors_name_conflicting_rules_and_rows() {
    let mut kinds = KindsConfig::standard(15);
    kinds.kinds[3].route = Count { min: Some(2), max: None };
    kinds.kinds[3].earliest = Some(6);
    kinds.kinds[3].latest = Some(6);
    let error = generate(&config(kinds), 4).unwrap_err();
    assert!(error.proven && error.skeletons == 20, "{error}");
    assert_eq!(error.conflict, ["shop only on rows 6 to 6", "at least 2 shop on every route"]);
    let text = error.to_string();
    assert!(
        text.contains("\n  conflicting rules: shop only") && text.contains("or raise attempts"),
        "{text}"
    );

    let mut kinds = KindsConfig::standard(15);
    kinds.kinds[5].map = Count { min: None, max: Some(1) };
    let error = generate(&config(kinds), 1).unwrap_err();
    assert!(error.conflict.contains(&"at most 1 treasure on the map".to_owned()), "{error}");
    assert!(error.conflict.contains(&"row 8 is all treasure".to_owned()), "{error}");
    assert_eq!((error.conflict.len(), error.rows), (2, Some((8, 8))));
}

#[test]
fn proves_infeasibility_where_search_is_needed() {
    // Two kinds, both different from parents and siblings: infeasible if a node has three children
    // or there is an odd cycle.
    let strict = |name| KindConfig { no_repeat: true, siblings_differ: true, ..kind(name, 1) };
    let config = config(kind_set(vec![strict("a"), strict("b")]));
    let (mut proved, mut generated) = (0, 0);
    for seed in 0..50 {
        match generate(&config, seed) {
            Ok(map) => {
                assert!(act::validate(&map).is_valid());
                generated += 1;
            }
            Err(error) => {
                assert!(error.proven, "{error}");
                assert!(!error.conflict.is_empty());
                proved += 1;
            }
        }
    }
    assert!(proved > 0 && proved + generated == 50, "{proved} {generated}");
}

#[test]
fn respects_the_search_limit() {
    let strict = |name| KindConfig { no_repeat: true, siblings_differ: true, ..kind(name, 1) };
    let mut kinds = kind_set(vec![
        strict("a"),
        strict("b"),
        KindConfig { map: between(30, 30), ..strict("c") },
    ]);
    kinds.search_limit = 100;
    for seed in 0..50 {
        match generate(&config(kinds.clone()), seed) {
            Ok(map) => assert!(map.attempts.dead_ends <= 100 && act::validate(&map).is_valid()),
            Err(error) => assert!(!error.conflict.is_empty()),
        }
    }
}

#[test]
fn backjumping_solves_wide_maps_with_hard_rules() {
    // Forty walks over forty columns: most nodes of a row are unrelated to a dead end.
    let mut kinds = KindsConfig::standard(20);
    kinds.kinds[3].route = Count { min: Some(1), max: Some(3) };
    kinds.kinds[3].siblings_differ = false;
    kinds.kinds[4].route = Count { min: Some(2), max: None };
    kinds.kinds[4].siblings_differ = false;
    let config = WalksConfig { rows: 20, cols: 40, walks: 40, ..config(kinds) };
    let mut dead_ends = 0;
    for seed in 0..4 {
        dead_ends += generate_valid(&config, seed).attempts.dead_ends;
    }
    assert!(dead_ends > 0, "the test should need the search");
}

/// `wayforge act --kind elite:route=2..`. The fast search alone fails on 16 of the first 100 seeds.
fn two_elites() -> WalksConfig {
    let mut kinds = KindsConfig::standard(15);
    kinds.kinds[1].route = Count { min: Some(2), max: None };
    config(kinds)
}

#[test]
fn every_route_passes_two_elites() {
    let (mut solved, mut retried) = (0, 0);
    for seed in 0..150 {
        let map = generate_valid(&two_elites(), seed);
        assert!(route_counts(&map, "elite").iter().all(|&n| n >= 2), "seed {seed}");
        solved += u32::from(map.attempts.dead_ends >= 1_000);
        retried += u32::from(map.attempts.skeletons > 1);
    }
    assert!(
        solved >= 5 && retried >= 5,
        "{solved} by the complete search, {retried} on another skeleton"
    );
}

#[test]
fn complete_search_has_a_similar_distribution_of_kinds() {
    // Between 2/3 and 3/2 as many of each kind as the fast search.
    let mut counts = [[0_u32; 7]; 2];
    let mut maps = [0_u32; 2];
    for seed in 0..300 {
        let map = generate(&two_elites(), seed).unwrap();
        let solved = usize::from(map.attempts.dead_ends >= 1_000);
        maps[solved] += 1;
        map.nodes.iter().for_each(|node| counts[solved][usize::from(node.kind.unwrap().0)] += 1);
    }
    let [fast, solved] = counts;
    for (kind, (fast, solved)) in fast.into_iter().zip(solved).enumerate().take(5) {
        let (fast, solved) = (100 * fast / maps[0], 100 * solved / maps[1]);
        assert!(
            solved * 3 > fast * 2 && solved * 2 < fast * 3,
            "kind {kind}: {fast} and {solved} per 100 maps"
        );
    }
}

#[test]
fn generates_another_skeleton_if_the_rules_are_unsatisfiable() {
    let once = WalksConfig { attempts: 1, ..two_elites() };
    let spec = act::Config::Walks(two_elites()).resolve().unwrap();
    let mut generator = act::Generator::new(&spec);
    let mut retried = 0;
    for seed in 0..150 {
        let map = generate(&two_elites(), seed).unwrap();
        match generate(&once, seed) {
            Ok(first) => {
                assert_eq!(
                    (map.attempts.skeletons, &map.nodes, &map.edges),
                    (1, &first.nodes, &first.edges)
                )
            }
            Err(error) => {
                assert!(
                    error.proven && error.skeletons == 1 && map.attempts.skeletons > 1,
                    "{error}"
                );
                retried += 1;
            }
        }
        // `skeleton` and `generate_if` use the same skeleton as the map.
        let skeleton = generator.skeleton(Seed::new(seed)).clone();
        assert_eq!(skeleton.edges, map.edges);
        assert_eq!(skeleton.attempts.skeletons, map.attempts.skeletons);
        let mut seen = None;
        let accepted = generator.generate_if(Seed::new(seed), |skeleton| {
            seen.insert(skeleton.clone()).seed == Seed::new(seed)
        });
        assert_eq!(accepted, Some(&map));
        assert_eq!(seen.map(|seen| seen.edges), Some(map.edges));
        assert_eq!(generator.generate_if(Seed::new(seed), |_| false), None);
    }
    assert!(retried > 0, "some seed should need a second skeleton");
}

#[test]
fn validates_the_recorded_attempts() {
    let mut map = generate_valid(&two_elites(), 0);
    for (skeletons, valid) in [(0, false), (1, true), (20, true), (21, false)] {
        map.attempts.skeletons = skeletons;
        assert_eq!(act::validate(&map).passes(act::rules::ATTEMPTS), valid, "{skeletons}");
    }
    let mut without_kinds =
        generate_valid(&WalksConfig { kinds: KindsChoice::None, ..Default::default() }, 0);
    assert_eq!(without_kinds.attempts.skeletons, 1);
    without_kinds.attempts.skeletons = 2;
    assert!(!act::validate(&without_kinds).passes(act::rules::ATTEMPTS));
    for attempts in [0, 1001, -1] {
        let error = act::Config::Walks(WalksConfig { attempts, ..Default::default() })
            .resolve()
            .unwrap_err();
        assert_eq!(error.field, "attempts");
    }
}

#[test]
fn maps_with_pins_and_rows_maps_try_further_skeletons() {
    let pin = Pin { row: 7, col: 3, kind: Some("elite".into()) };
    let walks = WalksConfig { pins: vec![pin], ..two_elites() };
    let mut kinds = KindsConfig::standard_rows(15);
    kinds.kinds[1].route = Count { min: Some(2), max: None };
    let rows = RowsConfig { kinds: KindsChoice::Custom(Box::new(kinds)), ..Default::default() };
    for config in [act::Config::Walks(walks), act::Config::Rows(rows)] {
        let spec = config.resolve().unwrap();
        let mut retried = 0;
        for seed in 0..60 {
            match act::generate(Seed::new(seed), &spec) {
                Ok(map) => {
                    assert!(act::validate(&map).is_valid(), "{:?}", act::validate(&map).violations);
                    retried += u32::from(map.attempts.skeletons > 1);
                }
                Err(error) => assert!(error.proven, "{error}"),
            }
        }
        assert!(retried > 0);
    }
}

#[test]
fn rejects_invalid_kinds_and_names_the_field() {
    let error = |kinds: KindsConfig| act::Config::Walks(config(kinds)).resolve().unwrap_err();
    let with = |kind: KindConfig| kind_set(vec![kind, KindConfig::new("other")]);
    let fixed = |row, kind: &str| KindsConfig {
        fixed: vec![FixedRow { row, kind: kind.into() }],
        ..with(kind_a())
    };
    fn kind_a() -> KindConfig {
        KindConfig::new("a")
    }
    let band = |from, to| BandConfig { from, to, weights: Default::default() };
    for (field, kinds) in [
        ("kinds.kinds", kind_set(vec![])),
        ("kinds.kinds", kind_set((0..33).map(|i| KindConfig::new(format!("k{i}"))).collect())),
        ("kinds.kinds[0].name", with(KindConfig::new("Shop"))),
        ("kinds.kinds[0].name", with(KindConfig::new("1st"))),
        ("kinds.kinds[1].name", with(KindConfig::new("other"))),
        ("kinds.kinds[0].weight", with(kind("a", -1))),
        ("kinds.kinds[0].symbol", with(KindConfig { symbol: Some('/'), ..kind_a() })),
        ("kinds.kinds[0].earliest", with(KindConfig { earliest: Some(15), ..kind_a() })),
        (
            "kinds.kinds[0].earliest",
            with(KindConfig { earliest: Some(9), latest: Some(8), ..kind_a() }),
        ),
        ("kinds.kinds[0].map.min", with(KindConfig { map: between(3, 2), ..kind_a() })),
        ("kinds.kinds[0].route.max", with(KindConfig { route: between(0, -2), ..kind_a() })),
        ("kinds.fixed[0].row", fixed(-16, "a")),
        ("kinds.fixed[0].kind", fixed(0, "shop")),
        ("kinds.bands[0].from", KindsConfig { bands: vec![band(5, 4)], ..with(kind_a()) }),
        ("kinds.bands[1]", KindsConfig { bands: vec![band(0, 4), band(4, 6)], ..with(kind_a()) }),
        ("kinds.boss", KindsConfig { boss: Some("dragon".into()), ..with(kind_a()) }),
        ("kinds.search_limit", KindsConfig { search_limit: -1, ..with(kind_a()) }),
        ("kinds.kinds", kind_set(vec![kind("a", 0)])),
    ] {
        let error = error(kinds);
        assert_eq!(error.field, field, "{error}");
    }
}

fn rule_sets() -> impl Strategy<Value = KindsConfig> {
    let count = prop_oneof![
        4 => Just(Count::default()),
        1 => (0_i64..4).prop_map(|min| Count { min: Some(min), max: None }),
        1 => (0_i64..6).prop_map(|max| Count { min: None, max: Some(max) }),
    ];
    let one = (
        0_i64..5,
        any::<bool>(),
        any::<bool>(),
        count.clone(),
        count,
        proptest::option::of(0_i64..12),
    );
    (proptest::collection::vec(one, 1..6), proptest::option::of((0_i64..12, 0_usize..6))).prop_map(
        |(parts, fixed)| {
            let kinds = parts.iter().enumerate().map(
                |(i, &(weight, no_repeat, siblings_differ, map, route, earliest))| KindConfig {
                    weight,
                    no_repeat,
                    siblings_differ,
                    map,
                    route,
                    earliest,
                    ..KindConfig::new(format!("k{i}"))
                },
            );
            let mut config = kind_set(kinds.collect());
            config.search_limit = 2_000;
            config.fixed.extend(
                fixed
                    .filter(|f| f.1 < parts.len())
                    .map(|f| FixedRow { row: f.0, kind: format!("k{}", f.1) }),
            );
            config
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600,
        max_global_rejects: 20_000,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn random_rules_give_a_valid_map_or_a_conflict(kinds in rule_sets(), seed: u64) {
        let config = WalksConfig { rows: 12, cols: 5, walks: 4, ..config(kinds) };
        let spec = act::Config::Walks(config).resolve();
        prop_assume!(spec.is_ok());
        match act::generate(Seed::new(seed), &spec.unwrap()) {
            Ok(map) => {
                let report = act::validate(&map);
                prop_assert!(report.is_valid(), "{:?}", report.violations);
            }
            Err(error) => prop_assert!(!error.conflict.is_empty()),
        }
    }
}

#[test]
fn errors_of_too_large_maps_name_the_limit_of_literals() {
    // Counters up to thousands over tens of thousands of nodes: no search limit helps.
    let mut kinds = kind_set(vec![
        KindConfig { map: between(5_000, 5_000), no_repeat: true, ..kind("a", 1) },
        KindConfig { map: between(5_000, 5_000), no_repeat: true, ..kind("b", 1) },
        KindConfig { no_repeat: true, siblings_differ: true, ..kind("c", 1) },
    ]);
    kinds.search_limit = 0;
    let config = WalksConfig { rows: 1_000, cols: 30, walks: 40, attempts: 1, ..config(kinds) };
    let error = generate(&config, 1).unwrap_err();
    assert!(error.too_large && !error.proven && error.rows.is_none(), "{error}");
    let text = error.to_string();
    assert!(
        text.starts_with("seed 1: the map is too large for the complete search for kinds\n"),
        "{text}"
    );
    assert!(
        text.contains("\n  limit: 6000000 literals in the clauses of one skeleton\n"),
        "{text}"
    );
    assert!(
        text.ends_with("use fewer rows or columns, or bound the counts of fewer kinds"),
        "{text}"
    );
    assert!(!text.contains("search_limit"), "{text}");
}

#[test]
fn conflicts_with_weights_name_no_row() {
    let relic = |map, route| KindConfig { map, route, ..kind("relic", 0) };
    let one = Count { min: Some(1), max: None };
    for (map, route, rule) in [
        (one, Count::default(), "at least 1 relic on the map"),
        (Count::default(), one, "at least 1 relic on every route"),
    ] {
        let error =
            generate(&config(kind_set(vec![relic(map, route), kind("road", 1)])), 3).unwrap_err();
        assert_eq!(
            (error.conflict.as_slice(), error.rows),
            (&[rule.to_owned()][..], None),
            "{error}"
        );
        assert_eq!(error.remedies, ["lower the minimum", "give the kind a weight on more rows"]);
    }
    // If the kind has a weight only on rows 4 and 5, the error names those rows.
    let mut kinds = kind_set(vec![
        KindConfig {
            no_repeat: true,
            ..relic(Count::default(), Count { min: Some(2), max: None })
        },
        kind("road", 1),
    ]);
    kinds.bands = vec![BandConfig {
        from: 4,
        to: 5,
        weights: [("relic".to_owned(), 1)].into_iter().collect(),
    }];
    let error = generate(&config(kinds), 3).unwrap_err();
    assert_eq!(error.rows, Some((4, 5)), "{error}");
    // A minimum above the number of nodes: weights are not part of the conflict.
    let many = KindConfig { map: Count { min: Some(500), max: None }, ..kind("many", 1) };
    let error = generate(&config(kind_set(vec![many, kind("road", 1)])), 3).unwrap_err();
    assert_eq!(
        (error.rows, error.remedies.as_slice()),
        (None, &["lower the minimum"][..]),
        "{error}"
    );
}
