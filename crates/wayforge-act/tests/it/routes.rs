//! Compares every route query with enumeration of all routes, on valid and invalid maps.

use proptest::prelude::*;
use std::collections::BTreeSet;
use wayforge_act::routes::{Route, RouteQuery, Routes};
use wayforge_act::{
    self as act, ActMap, Boss, Edge, KindConfig, KindId, KindsChoice, KindsConfig, Node, NodePos,
    WalksConfig,
};
use wayforge_core::Seed;

fn generate(config: WalksConfig, seed: u64) -> ActMap {
    act::generate(Seed::new(seed), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

/// Returns a map with `kinds` kinds and no nodes.
fn empty_map(rows: i64, cols: i64, kinds: usize, boss: bool) -> ActMap {
    let names = ["elite", "shop", "mystery", "mini_boss"];
    let set = KindsConfig {
        kinds: names[..kinds].iter().map(|name| KindConfig::new(*name)).collect(),
        bands: vec![],
        fixed: vec![],
        boss: boss.then(|| names[0].to_owned()),
        search_limit: 0,
    };
    let kinds = if kinds == 0 { KindsChoice::None } else { KindsChoice::Custom(Box::new(set)) };
    let walks = cols.min(2);
    let mut map = generate(WalksConfig { rows, cols, walks, kinds, boss, ..Default::default() }, 1);
    map.nodes.clear();
    map.edges.clear();
    map
}

fn node(row: u16, col: u16, kind: Option<u8>) -> Node {
    Node { row, col, kind: kind.map(KindId) }
}

fn at(col: u16, row: u16) -> NodePos {
    NodePos { col, row }
}

fn edge(row: u16, from: u16, to: u16) -> Edge {
    Edge { row, from, to }
}

/// Enumerates routes by recursion over the lists of nodes and edges.
struct BruteForce<'a> {
    map: &'a ActMap,
}

impl BruteForce<'_> {
    fn rows(&self) -> u16 {
        self.map.spec.rows()
    }

    fn has_node(&self, cell: NodePos) -> bool {
        cell.row < self.rows()
            && cell.col < self.map.spec.cols()
            && self.map.nodes.iter().any(|n| n.pos() == cell)
    }

    fn kind(&self, cell: NodePos) -> Option<KindId> {
        let first = self.map.nodes.iter().find(|n| n.pos() == cell)?;
        first.kind.filter(|kind| usize::from(kind.0) < self.map.kinds().len())
    }

    /// Returns all paths from a cell to the top, in lexicographic order.
    fn paths(&self, cell: NodePos) -> Vec<Vec<u16>> {
        if !self.has_node(cell) {
            return Vec::new();
        }
        if cell.row + 1 == self.rows() {
            return vec![vec![cell.col]];
        }
        let next: BTreeSet<u16> =
            self.map.edges.iter().filter(|e| at(e.from, e.row) == cell).map(|e| e.to).collect();
        let mut all = Vec::new();
        for col in next {
            for mut path in self.paths(at(col, cell.row + 1)) {
                path.insert(0, cell.col);
                all.push(path);
            }
        }
        all
    }

    fn routes(&self, from: Option<NodePos>) -> Vec<Route> {
        let (row, paths) = match from {
            Some(cell) => (cell.row, self.paths(cell)),
            None => (0, (0..self.map.spec.cols()).flat_map(|col| self.paths(at(col, 0))).collect()),
        };
        paths.into_iter().map(|cols| Route { row, cols }).collect()
    }

    fn count(&self, route: &Route, kind: KindId) -> u16 {
        route.positions().filter(|&cell| self.kind(cell) == Some(kind)).count() as u16
    }

    /// Returns the choices at a node, read off the routes through it.
    fn choices(&self, from: Option<NodePos>) -> Vec<NodePos> {
        let cells: BTreeSet<NodePos> = match from {
            Some(_) => {
                self.routes(from).iter().filter_map(|route| route.positions().nth(1)).collect()
            }
            None => self.routes(None).iter().filter_map(|route| route.positions().next()).collect(),
        };
        cells.into_iter().collect()
    }

    fn range(&self, from: NodePos, kind: KindId) -> (u16, u16) {
        let counts: Vec<u16> =
            self.routes(Some(from)).iter().map(|route| self.count(route, kind)).collect();
        (*counts.iter().min().unwrap(), *counts.iter().max().unwrap())
    }
}

/// Compares every query except `find` with the list of all routes.
fn check_queries(map: &ActMap, routes: &Routes, from: Option<NodePos>) {
    let brute_force = BruteForce { map };
    let all = brute_force.routes(from);
    assert_eq!(routes.count(from).to_u128(), Some(all.len() as u128), "count from {from:?}");
    assert_eq!(routes.count(from).is_zero(), all.is_empty());
    let kinds: Vec<KindId> = (0..map.kinds().len()).map(|kind| KindId(kind as u8)).collect();
    let ranges = routes.kind_ranges(from);
    assert_eq!(ranges.len(), if all.is_empty() { 0 } else { kinds.len() });
    for range in ranges {
        let count = |route: &&Route| brute_force.count(route, range.kind);
        let min = all.iter().min_by_key(count).unwrap();
        // `max_by_key` returns the last maximum; `rev` makes it the first.
        let max = all.iter().rev().max_by_key(count).unwrap();
        assert_eq!((range.min, &range.min_route), (count(&min), min), "minimum from {from:?}");
        assert_eq!((range.max, &range.max_route), (count(&max), max), "maximum from {from:?}");
        assert_eq!(routes.min_count(range.kind, from), Some((range.min, range.min_route)));
        assert_eq!(routes.max_count(range.kind, from), Some((range.max, range.max_route)));
    }
    for route in &all {
        assert!(routes.check(route).is_ok());
        assert_eq!(
            routes.tally(route),
            kinds.iter().map(|&kind| brute_force.count(route, kind)).collect::<Vec<_>>()
        );
    }
    // All positions on routes from `from`; `None` is the choice of a start.
    let mut places: BTreeSet<Option<NodePos>> =
        all.iter().flat_map(|route| route.positions().map(Some).collect::<Vec<_>>()).collect();
    if from.is_none() && !all.is_empty() {
        places.insert(None);
    }
    let (mut points, mut forks, mut dominated, mut points_of_no_return) =
        (0, vec![], vec![], vec![]);
    for &at in &places {
        let choices = brute_force.choices(at);
        points += usize::from(choices.len() >= 2);
        assert_eq!(routes.choices(at).iter().map(|choice| choice.to).collect::<Vec<_>>(), choices);
        let different: BTreeSet<Option<KindId>> =
            choices.iter().map(|&cell| brute_force.kind(cell)).collect();
        if different.len() >= 2 {
            forks.push((at, choices.clone(), different));
        }
        let ranges = |cell: NodePos| {
            kinds.iter().map(|&kind| brute_force.range(cell, kind)).collect::<Vec<_>>()
        };
        for &choice in &choices {
            let own = ranges(choice);
            let dominates = |by: &&NodePos| {
                let other = ranges(**by);
                other != own && other.iter().zip(&own).all(|(o, s)| o.0 <= s.0 && s.1 <= o.1)
            };
            dominated.extend(choices.iter().find(dominates).map(|&by| (at, choice, by)));
            for (i, &kind) in kinds.iter().enumerate() {
                let best = choices.iter().map(|&other| ranges(other)[i].1).max().unwrap();
                if own[i].1 < best {
                    points_of_no_return.push((at, choice, kind, best, own[i].1));
                }
            }
        }
    }
    assert_eq!(routes.choice_points(from), points);
    let found: Vec<_> = routes.forks(from).collect();
    assert_eq!(found.len(), forks.len(), "forks from {from:?}");
    for (fork, (at, choices, different)) in found.iter().zip(&forks) {
        assert_eq!(fork.at, *at);
        assert_eq!(fork.cols, choices.iter().map(|cell| cell.col).collect::<Vec<_>>());
        assert_eq!(fork.kinds, different.iter().copied().collect::<Vec<_>>());
    }
    assert_eq!(
        routes.dominated(from).map(|d| (d.at, d.choice, d.by)).collect::<Vec<_>>(),
        dominated
    );
    assert_eq!(
        routes
            .points_of_no_return(from)
            .map(|p| (p.at, p.choice, p.kind, p.before, p.after))
            .collect::<Vec<_>>(),
        points_of_no_return
    );
}

/// Compares `find` for one kind and for two kinds with the list of all routes.
fn check_find(map: &ActMap, routes: &Routes, from: Option<NodePos>) {
    let brute_force = BruteForce { map };
    let all = brute_force.routes(from);
    let limit = map.spec.rows().min(6);
    let ranges: Vec<(u16, u16)> = (0..=limit)
        .flat_map(|min| {
            (min..=limit + 1).map(move |max| (min, if max > limit { u16::MAX } else { max }))
        })
        .collect();
    let kinds: Vec<KindId> = (0..map.kinds().len()).map(|kind| KindId(kind as u8)).collect();
    let fits = |route: &Route, kind, (min, max): (u16, u16)| {
        (min..=max).contains(&brute_force.count(route, kind))
    };
    for (i, &kind) in kinds.iter().enumerate() {
        for &(min, max) in &ranges {
            let query = RouteQuery::default().between(kind, min, max);
            let expected = all.iter().find(|route| fits(route, kind, (min, max)));
            assert_eq!(
                routes.find(from, &query).unwrap().as_ref(),
                expected,
                "{query} from {from:?}"
            );
            let Some(&other) = kinds.get(i + 1) else { continue };
            for &(low, high) in ranges.iter().step_by(3) {
                let query = query.clone().between(other, low, high);
                let expected = all
                    .iter()
                    .find(|route| fits(route, kind, (min, max)) && fits(route, other, (low, high)));
                assert_eq!(routes.find(from, &query).unwrap().as_ref(), expected, "{query}");
            }
        }
    }
    assert_eq!(routes.find(from, &RouteQuery::default()).unwrap().as_ref(), all.first());
}

#[test]
fn queries_agree_with_brute_force() {
    for seed in 0..20 {
        for (rows, cols, walks, nearest) in
            [(1, 4, 4, 3), (2, 3, 5, 3), (5, 4, 5, 3), (7, 5, 6, 3), (6, 6, 4, 5)]
        {
            let map =
                generate(WalksConfig { rows, cols, walks, nearest, ..Default::default() }, seed);
            let routes = act::routes(&map);
            check_queries(&map, &routes, None);
            for node in map.nodes.iter().step_by(3) {
                check_queries(&map, &routes, Some(node.pos()));
            }
        }
        let map = generate(
            WalksConfig { kinds: KindsChoice::None, rows: 6, boss: false, ..Default::default() },
            seed,
        );
        check_queries(&map, &act::routes(&map), None);
    }
}

#[test]
fn find_agrees_with_brute_force() {
    for seed in 0..8 {
        let map = generate(WalksConfig { rows: 8, cols: 4, walks: 5, ..Default::default() }, seed);
        let routes = act::routes(&map);
        check_find(&map, &routes, None);
        check_find(&map, &routes, Some(map.nodes[0].pos()));
        check_find(&map, &routes, Some(at(map.walks.get(0)[4], 4)));
    }
}

#[test]
fn counts_and_ranges_agree_with_brute_force_on_default_maps() {
    for seed in 0..3 {
        let map = generate(WalksConfig::default(), seed);
        let routes = act::routes(&map);
        let all = BruteForce { map: &map }.routes(None);
        assert_eq!(routes.count(None).to_u128(), Some(all.len() as u128));
        for range in routes.kind_ranges(None) {
            let counts = all.iter().map(|route| routes.tally(route)[usize::from(range.kind.0)]);
            let counts: BTreeSet<u16> = counts.collect();
            assert_eq!((Some(&range.min), Some(&range.max)), (counts.first(), counts.last()));
        }
    }
}

/// Two routes, with no elite and with three elites: a query for one or two elites finds nothing.
#[test]
fn find_respects_gaps_between_counts() {
    let mut map = empty_map(3, 3, 2, false);
    for row in 0..3 {
        map.nodes.push(node(row, 0, Some(1)));
        map.nodes.push(node(row, 2, Some(0)));
    }
    map.edges = (0..2).flat_map(|row| [edge(row, 0, 0), edge(row, 2, 2)]).collect();
    let routes = act::routes(&map);
    let elite = KindId(0);
    let range = &routes.kind_ranges(None)[0];
    assert_eq!((range.min, range.max), (0, 3));
    for (count, cols) in [(0, Some(vec![0; 3])), (1, None), (2, None), (3, Some(vec![2; 3]))] {
        let found = routes.find(None, &RouteQuery::default().exactly(elite, count)).unwrap();
        assert_eq!(found.map(|route| route.cols), cols, "exactly {count}");
    }
    let between = RouteQuery::default().at_least(elite, 1).at_most(elite, 2);
    assert_eq!(routes.find(None, &between).unwrap(), None);
    let both = RouteQuery::default().at_least(elite, 1).at_least(KindId(1), 1);
    assert_eq!(
        routes.find(None, &both).unwrap(),
        None,
        "each bound alone is satisfiable, but not both"
    );
}

#[test]
fn finds_dominated_choices_and_points_of_no_return() {
    // Left: a shop, then an elite or a shop. Right: a shop, then only a shop.
    let mut map = empty_map(3, 3, 2, true);
    map.nodes = vec![
        node(0, 1, Some(1)),
        node(1, 0, Some(1)),
        node(1, 2, Some(1)),
        node(2, 0, Some(0)),
        node(2, 2, Some(1)),
    ];
    map.edges = vec![edge(0, 1, 0), edge(0, 1, 2), edge(1, 0, 0), edge(1, 0, 2), edge(1, 2, 2)];
    let routes = act::routes(&map);
    check_queries(&map, &routes, None);
    let dominated: Vec<_> = routes.dominated(None).collect();
    assert_eq!(dominated.len(), 1);
    assert_eq!(
        (dominated[0].at, dominated[0].choice, dominated[0].by),
        (Some(at(1, 0)), at(2, 1), at(0, 1))
    );
    let lost: Vec<_> = routes.points_of_no_return(None).filter(|point| point.after == 0).collect();
    assert_eq!(
        (lost[0].at, lost[0].choice, lost[0].kind, lost[0].before),
        (Some(at(1, 0)), at(2, 1), KindId(0), 1)
    );
    assert_eq!(routes.forks(None).map(|fork| fork.at).collect::<Vec<_>>(), [Some(at(0, 1))]);
    assert_eq!(
        routes.describe_choices(Some(at(1, 0))),
        "From Node 1,0, a shop, there are two choices. Left to Node 0,1, a shop: from there on at \
         most 1 elite and 1 to 2 shops. Right to Node 2,1, a shop: from there on no elites and \
         exactly 2 shops."
    );
    assert_eq!(
        routes.describe_route(&Route { row: 0, cols: vec![1, 0, 0] }),
        "Start at column 1 with a shop. Then left to column 0, a shop; straight ahead, an elite. \
         3 nodes: 1 elite and 2 shops; then the boss."
    );
}

#[test]
fn describes_choices_and_routes_in_every_situation() {
    let mut map = empty_map(2, 3, 0, false);
    map.nodes = vec![node(0, 0, None), node(0, 2, None), node(1, 1, None), node(0, 1, None)];
    map.edges = vec![edge(0, 0, 1), edge(0, 2, 1)];
    let describe = |map: &ActMap, from| act::routes(map).describe_choices(from);
    assert_eq!(describe(&map, None), "There are two starting nodes. Column 0. Column 2.");
    assert_eq!(
        describe(&map, Some(at(2, 0))),
        "From Node 2,0 there is one choice: left to Node 1,1."
    );
    assert_eq!(describe(&map, Some(at(1, 0))), "From Node 1,0 no route leads to the top.");
    assert_eq!(describe(&map, Some(at(1, 1))), "Node 1,1 is on the top row, where the route ends.");
    assert_eq!(describe(&map, Some(at(8, 9))), "There is no node 8,9.");
    let route =
        |row, cols: &[u16]| act::routes(&map).describe_route(&Route { row, cols: cols.to_vec() });
    assert_eq!(route(0, &[0, 1]), "Start at column 0. Then right to column 1. 2 nodes.");
    assert_eq!(route(1, &[1]), "Start at Node 1,1. 1 node.");
    let no_route = |problem: &str| format!("This is not a route of the map: {problem}.");
    assert_eq!(route(0, &[1, 1]), no_route("no route starts there"));
    assert_eq!(route(0, &[0, 2]), no_route("no edge leads there from Node 0,0"));
    assert_eq!(route(0, &[0]), no_route("the route does not end on the top row"));
    assert_eq!(route(0, &[]), no_route("the route does not end on the top row"));
    map.edges.pop();
    assert_eq!(describe(&map, None), "There is one starting node: column 0.");
    map.boss = Some(Boss { kind: None });
    assert_eq!(describe(&map, Some(at(1, 1))), "From Node 1,1 the route leads to the boss.");
    map.nodes.clear();
    assert_eq!(describe(&map, None), "No route leads to the top.");

    let mut alike = empty_map(1, 2, 2, false);
    alike.nodes = vec![node(0, 0, Some(0)), node(0, 1, Some(0))];
    assert_eq!(
        describe(&alike, None),
        "There are two starting nodes. Column 0, an elite. Column 1, an elite. \
         All of them lead to the same counts of kinds."
    );
}

#[test]
fn check_rejects_other_routes_and_names_a_remedy() {
    let mut map = empty_map(2, 3, 1, false);
    map.nodes = vec![node(0, 0, None), node(0, 2, None), node(1, 1, None)];
    map.edges = vec![edge(0, 0, 1), edge(0, 2, 1)];
    let routes = act::routes(&map);
    let error = |row, cols: &[u16]| {
        routes.check(&Route { row, cols: cols.to_vec() }).unwrap_err().to_string()
    };
    assert_eq!(error(0, &[1, 1]), "route[0] = 1: no route starts there; use one of 0, 2");
    assert_eq!(error(0, &[0, 0]), "route[1] = 0: no edge leads there from Node 0,0; use one of 1");
    assert_eq!(
        error(0, &[0, 1, 1]),
        "route[2] = 1: no route to the top leads through Node 1,2; name a route of this map"
    );
    assert_eq!(
        error(0, &[0]),
        "route[1] = missing: the route does not end on the top row; name 2 columns"
    );
    assert_eq!(
        error(9, &[]),
        "route[0] = missing: the route does not end on the top row; name 1 column"
    );
    assert_eq!(
        error(1, &[0]),
        "route[0] = 0: no route to the top leads through Node 0,1; name a route of this map"
    );
}

#[test]
fn find_rejects_too_many_combinations_but_accepts_any_single_kind() {
    let kinds = |n: u8| (0..n).map(|i| KindConfig::new(format!("k{i}"))).collect();
    let set =
        KindsConfig { kinds: kinds(8), bands: vec![], fixed: vec![], boss: None, search_limit: 0 };
    let config = WalksConfig {
        rows: 300,
        cols: 8,
        boss: false,
        kinds: KindsChoice::Custom(Box::new(set)),
        ..Default::default()
    };
    let map = generate(config, 5);
    let routes = act::routes(&map);
    let wide =
        (0..8).fold(RouteQuery::default(), |query, kind| query.between(KindId(kind), 3, 200));
    let error = routes.find(None, &wide).unwrap_err();
    assert_eq!(error.field, "query");
    assert!(error.to_string().contains("bound fewer kinds"), "{error}");
    let many = (0..8).fold(RouteQuery::default(), |query, kind| query.at_least(KindId(kind), 3));
    let route = routes.find(None, &many).unwrap().unwrap();
    assert!(routes.tally(&route).iter().all(|&count| count >= 3));
    let (max, _) = routes.max_count(KindId(3), None).unwrap();
    let exact = routes.find(None, &RouteQuery::default().exactly(KindId(3), max)).unwrap().unwrap();
    assert_eq!(routes.tally(&exact)[3], max);
    // Unknown kinds have count 0 on every route.
    assert_eq!(routes.find(None, &RouteQuery::default().at_least(KindId(200), 1)).unwrap(), None);
    assert!(routes.find(None, &RouteQuery::default().at_most(KindId(200), 1)).unwrap().is_some());
    assert_eq!(
        (routes.max_count(KindId(200), None), routes.min_count(KindId(8), None)),
        (None, None)
    );
    assert_eq!(routes.find(None, &RouteQuery::default().between(KindId(0), 3, 2)).unwrap(), None);
}

/// If every node leads to all four nodes above, there are `4^rows` routes.
#[test]
fn counts_beyond_128_bits_are_exact() {
    let mut map = empty_map(80, 4, 1, false);
    for row in 0..80 {
        for col in 0..4 {
            map.nodes.push(node(row, col, Some(0)));
            map.edges.extend((0..4).map(|to| edge(row, col, to)));
        }
    }
    let routes = act::routes(&map);
    assert_eq!(
        routes.count(None).to_string(),
        "1461501637330902918203684832716283019655932542976",
        "4^80 = 2^160"
    );
    assert_eq!(routes.count(None).to_u128(), None);
    assert!(routes.count(Some(at(0, 1))) < routes.count(None));
    assert_eq!(routes.count(Some(at(3, 17))).to_u128(), Some(1 << 124));
    assert_eq!(routes.max_count(KindId(0), None).unwrap().0, 80);
    // On lower rows, the bit sets of counts are longer than one word.
    for row in 0..80 {
        let query = RouteQuery::default().exactly(KindId(0), 80 - row);
        let cols = vec![0; usize::from(80 - row)];
        assert_eq!(routes.find(Some(at(0, row)), &query).unwrap(), Some(Route { row, cols }));
        let fewer = RouteQuery::default().at_most(KindId(0), 79 - row);
        assert_eq!(routes.find(Some(at(0, row)), &fewer).unwrap(), None);
    }
}

#[test]
fn queries_work_on_the_largest_maps() {
    for (rows, walks) in [(1000, 200), (4096, 40)] {
        let map = generate(WalksConfig { rows, cols: 64, walks, ..Default::default() }, 9);
        let routes = act::routes(&map);
        assert!(routes.count(None).to_u128().is_none());
        for range in routes.kind_ranges(None) {
            assert_eq!(routes.tally(&range.max_route)[usize::from(range.kind.0)], range.max);
            let query = RouteQuery::default().exactly(range.kind, range.min);
            assert_eq!(routes.find(None, &query).unwrap(), Some(range.min_route));
        }
        let events = RouteQuery::default().exactly(KindId(2), rows as u16 / 3);
        assert!(routes.find(None, &events).unwrap().is_some());
        assert!(routes.forks(None).count() <= routes.choice_points(None));
        assert!(routes.dominated(None).count() + routes.points_of_no_return(None).count() > 0);
    }
}

/// Invalid maps: nodes and edges outside the grid, duplicates, missing ends, unknown kinds.
fn arbitrary_map() -> impl Strategy<Value = ActMap> {
    let node = (0_u16..6, 0_u16..5, prop::option::of(0_u8..4)).prop_map(|(r, c, k)| node(r, c, k));
    let edge = (0_u16..6, 0_u16..5, 0_u16..5).prop_map(|(r, f, t)| edge(r, f, t));
    let far = prop_oneof![9 => Just(None), 1 => Just(Some(u16::MAX))];
    let nodes = prop::collection::vec(node, 0..40);
    let edges = prop::collection::vec(edge, 0..60);
    (1_i64..=5, 1_i64..=4, 0_usize..=3, any::<bool>(), nodes, edges, far).prop_map(
        |(rows, cols, kinds, boss, nodes, edges, far)| {
            let mut map = empty_map(rows, cols, kinds, boss && kinds > 0);
            map.nodes = nodes;
            map.edges = edges;
            if let Some(far) = far {
                map.nodes.insert(0, Node { row: far, col: far, kind: Some(KindId(255)) });
                map.edges.insert(0, Edge { row: far, from: far, to: far });
            }
            map
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn queries_on_invalid_maps_agree_with_brute_force(
        map in arbitrary_map(),
        place in (0_u16..6, 0_u16..7),
    ) {
        let routes = act::routes(&map);
        let place = at(place.0, place.1);
        for from in [None, Some(place), Some(at(u16::MAX, u16::MAX))] {
            check_queries(&map, &routes, from);
            let text = routes.describe_choices(from);
            prop_assert!(text.ends_with('.') && !text.contains('\n'));
        }
        let describe = |route: &Route| routes.describe_route(route);
        for route in (BruteForce { map: &map }).routes(None).iter().take(20) {
            prop_assert!(describe(route).starts_with("Start at "));
        }
        for (row, cols) in [(0, vec![]), (place.row, vec![place.col]), (u16::MAX, vec![0, 0, 0])] {
            let text = describe(&Route { row, cols });
            prop_assert!(text.ends_with('.'));
        }
    }

    #[test]
    fn find_on_invalid_maps_agrees_with_brute_force(
        map in arbitrary_map(),
        place in (0_u16..6, 0_u16..7),
    ) {
        let routes = act::routes(&map);
        check_find(&map, &routes, None);
        check_find(&map, &routes, Some(at(place.0, place.1)));
    }

    #[test]
    fn order_and_duplicates_do_not_change_the_result(seed: u64) {
        let map = generate(WalksConfig::default(), seed);
        let mut shuffled = map.clone();
        shuffled.nodes.reverse();
        shuffled.edges.reverse();
        shuffled.edges.extend(map.edges.iter().copied());
        shuffled.nodes.extend(map.nodes.iter().copied());
        let (one, other) = (act::routes(&map), act::routes(&shuffled));
        prop_assert_eq!(one.count(None), other.count(None));
        prop_assert_eq!(one.kind_ranges(None), other.kind_ranges(None));
        prop_assert_eq!(one.forks(None).collect::<Vec<_>>(), other.forks(None).collect::<Vec<_>>());
        let points = |routes: &Routes| routes.points_of_no_return(None).collect::<Vec<_>>();
        prop_assert_eq!(points(&one), points(&other));
    }
}
