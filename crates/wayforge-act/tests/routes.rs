//! Routes: every answer against walking all routes one by one, on maps that keep their rules and on maps that do not.

use proptest::prelude::*;
use std::collections::BTreeSet;
use wayforge_act::routes::{Route, Routes, Wanted};
use wayforge_act::{
    self as act, ActMap, Boss, Edge, KindConfig, KindId, KindsChoice, KindsConfig, Node, NodePos, WalksConfig,
};
use wayforge_core::Seed;

fn make(config: WalksConfig, seed: u64) -> ActMap {
    act::generate(Seed::new(seed), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

/// A map with a set of kinds and nothing on it yet.
fn blank(rows: i64, cols: i64, kinds: usize, boss: bool) -> ActMap {
    let names = ["elite", "shop", "mystery", "mini_boss"];
    let set = KindsConfig {
        kinds: names[..kinds].iter().map(|name| KindConfig::new(*name)).collect(),
        bands: vec![],
        fixed: vec![],
        boss: boss.then(|| names[0].to_owned()),
        search_limit: 0,
    };
    let kinds = if kinds == 0 { KindsChoice::None } else { KindsChoice::Own(Box::new(set)) };
    let walks = cols.min(2);
    let mut map = make(WalksConfig { rows, cols, walks, kinds, boss, ..Default::default() }, 1);
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

/// The plainest reading of a map: a list of cells with kinds, and a question for each pair of cells.
struct Plain<'a> {
    map: &'a ActMap,
}

impl Plain<'_> {
    fn rows(&self) -> u16 {
        self.map.spec.rows()
    }

    fn stands(&self, cell: NodePos) -> bool {
        cell.row < self.rows()
            && cell.col < self.map.spec.cols()
            && self.map.nodes.iter().any(|n| n.pos() == cell)
    }

    fn kind(&self, cell: NodePos) -> Option<KindId> {
        let first = self.map.nodes.iter().find(|n| n.pos() == cell)?;
        first.kind.filter(|kind| usize::from(kind.0) < self.map.kinds().len())
    }

    /// All ways from a cell to the top, in order of columns.
    fn ways(&self, cell: NodePos) -> Vec<Vec<u16>> {
        if !self.stands(cell) {
            return Vec::new();
        }
        if cell.row + 1 == self.rows() {
            return vec![vec![cell.col]];
        }
        let next: BTreeSet<u16> =
            self.map.edges.iter().filter(|e| at(e.from, e.row) == cell).map(|e| e.to).collect();
        let mut all = Vec::new();
        for col in next {
            for mut way in self.ways(at(col, cell.row + 1)) {
                way.insert(0, cell.col);
                all.push(way);
            }
        }
        all
    }

    fn all(&self, from: Option<NodePos>) -> Vec<Route> {
        let (row, ways) = match from {
            Some(cell) => (cell.row, self.ways(cell)),
            None => (0, (0..self.map.spec.cols()).flat_map(|col| self.ways(at(col, 0))).collect()),
        };
        ways.into_iter().map(|cols| Route { row, cols }).collect()
    }

    fn count(&self, route: &Route, kind: KindId) -> u16 {
        route.cells().filter(|&cell| self.kind(cell) == Some(kind)).count() as u16
    }

    /// The choices at a place, read off the routes through it.
    fn choices(&self, from: Option<NodePos>) -> Vec<NodePos> {
        let cells: BTreeSet<NodePos> = match from {
            Some(_) => self.all(from).iter().filter_map(|route| route.cells().nth(1)).collect(),
            None => self.all(None).iter().filter_map(|route| route.cells().next()).collect(),
        };
        cells.into_iter().collect()
    }

    fn range(&self, from: NodePos, kind: KindId) -> (u16, u16) {
        let counts: Vec<u16> = self.all(Some(from)).iter().map(|route| self.count(route, kind)).collect();
        (*counts.iter().min().unwrap(), *counts.iter().max().unwrap())
    }
}

/// Every answer of `routes` from one place against the list of all routes.
fn agrees(map: &ActMap, routes: &Routes, from: Option<NodePos>) {
    let plain = Plain { map };
    let all = plain.all(from);
    assert_eq!(routes.count(from).to_u128(), Some(all.len() as u128), "count from {from:?}");
    assert_eq!(routes.count(from).is_zero(), all.is_empty());
    let kinds: Vec<KindId> = (0..map.kinds().len()).map(|kind| KindId(kind as u8)).collect();
    let ranges = routes.kinds(from);
    assert_eq!(ranges.len(), if all.is_empty() { 0 } else { kinds.len() });
    for range in ranges {
        let count = |route: &&Route| plain.count(route, range.kind);
        let least = all.iter().min_by_key(count).unwrap();
        // `max_by_key` gives the last, and the first is wanted.
        let most = all.iter().rev().max_by_key(count).unwrap();
        assert_eq!((range.least, &range.least_route), (count(&least), least), "least from {from:?}");
        assert_eq!((range.most, &range.most_route), (count(&most), most), "most from {from:?}");
        assert_eq!(routes.least(range.kind, from), Some((range.least, range.least_route)));
        assert_eq!(routes.most(range.kind, from), Some((range.most, range.most_route)));
    }
    for route in &all {
        assert!(routes.check(route).is_ok());
        assert_eq!(
            routes.tally(route),
            kinds.iter().map(|&kind| plain.count(route, kind)).collect::<Vec<_>>()
        );
    }
    // What lies ahead: places on routes from here that do not end there.
    let mut places: BTreeSet<Option<NodePos>> =
        all.iter().flat_map(|route| route.cells().map(Some).collect::<Vec<_>>()).collect();
    if from.is_none() && !all.is_empty() {
        places.insert(None);
    }
    let (mut points, mut forks, mut dominated, mut no_returns) = (0, vec![], vec![], vec![]);
    for &at in &places {
        let choices = plain.choices(at);
        points += usize::from(choices.len() >= 2);
        assert_eq!(routes.choices(at).iter().map(|choice| choice.to).collect::<Vec<_>>(), choices);
        let different: BTreeSet<Option<KindId>> = choices.iter().map(|&cell| plain.kind(cell)).collect();
        if different.len() >= 2 {
            forks.push((at, choices.clone(), different));
        }
        let ranges = |cell: NodePos| kinds.iter().map(|&kind| plain.range(cell, kind)).collect::<Vec<_>>();
        for &choice in &choices {
            let mine = ranges(choice);
            let contains = |by: &&NodePos| {
                let theirs = ranges(**by);
                theirs != mine && theirs.iter().zip(&mine).all(|(t, m)| t.0 <= m.0 && m.1 <= t.1)
            };
            dominated.extend(choices.iter().find(contains).map(|&by| (at, choice, by)));
            for (place, &kind) in kinds.iter().enumerate() {
                let best = choices.iter().map(|&other| ranges(other)[place].1).max().unwrap();
                if mine[place].1 < best {
                    no_returns.push((at, choice, kind, best, mine[place].1));
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
    assert_eq!(routes.dominated(from).map(|d| (d.at, d.choice, d.by)).collect::<Vec<_>>(), dominated);
    assert_eq!(
        routes.no_returns(from).map(|p| (p.at, p.choice, p.kind, p.before, p.after)).collect::<Vec<_>>(),
        no_returns
    );
}

/// Questions about one kind and about two at once, against the list of all routes.
fn finds(map: &ActMap, routes: &Routes, from: Option<NodePos>) {
    let plain = Plain { map };
    let all = plain.all(from);
    let most = map.spec.rows().min(6);
    let ranges: Vec<(u16, u16)> = (0..=most)
        .flat_map(|min| (min..=most + 1).map(move |max| (min, if max > most { u16::MAX } else { max })))
        .collect();
    let kinds: Vec<KindId> = (0..map.kinds().len()).map(|kind| KindId(kind as u8)).collect();
    let fits = |route: &Route, kind, (min, max): (u16, u16)| (min..=max).contains(&plain.count(route, kind));
    for (place, &kind) in kinds.iter().enumerate() {
        for &(min, max) in &ranges {
            let wanted = Wanted::default().between(kind, min, max);
            let expected = all.iter().find(|route| fits(route, kind, (min, max)));
            assert_eq!(routes.find(from, &wanted).unwrap().as_ref(), expected, "{wanted} from {from:?}");
            let Some(&other) = kinds.get(place + 1) else { continue };
            for &(low, high) in ranges.iter().step_by(3) {
                let wanted = wanted.clone().between(other, low, high);
                let expected =
                    all.iter().find(|route| fits(route, kind, (min, max)) && fits(route, other, (low, high)));
                assert_eq!(routes.find(from, &wanted).unwrap().as_ref(), expected, "{wanted}");
            }
        }
    }
    assert_eq!(routes.find(from, &Wanted::default()).unwrap().as_ref(), all.first());
}

#[test]
fn answers_agree_with_walking_every_route() {
    for seed in 0..20 {
        for (rows, cols, walks, nearest) in
            [(1, 4, 4, 3), (2, 3, 5, 3), (5, 4, 5, 3), (7, 5, 6, 3), (6, 6, 4, 5)]
        {
            let map = make(WalksConfig { rows, cols, walks, nearest, ..Default::default() }, seed);
            let routes = act::routes(&map);
            agrees(&map, &routes, None);
            for node in map.nodes.iter().step_by(3) {
                agrees(&map, &routes, Some(node.pos()));
            }
        }
        let map =
            make(WalksConfig { kinds: KindsChoice::None, rows: 6, boss: false, ..Default::default() }, seed);
        agrees(&map, &act::routes(&map), None);
    }
}

#[test]
fn questions_agree_with_walking_every_route() {
    for seed in 0..8 {
        let map = make(WalksConfig { rows: 8, cols: 4, walks: 5, ..Default::default() }, seed);
        let routes = act::routes(&map);
        finds(&map, &routes, None);
        finds(&map, &routes, Some(map.nodes[0].pos()));
        finds(&map, &routes, Some(at(map.walks.get(0)[4], 4)));
    }
}

#[test]
fn the_default_map_agrees_too() {
    for seed in 0..3 {
        let map = make(WalksConfig::default(), seed);
        let routes = act::routes(&map);
        let all = Plain { map: &map }.all(None);
        assert_eq!(routes.count(None).to_u128(), Some(all.len() as u128));
        for range in routes.kinds(None) {
            let counts = all.iter().map(|route| routes.tally(route)[usize::from(range.kind.0)]);
            let counts: BTreeSet<u16> = counts.collect();
            assert_eq!((Some(&range.least), Some(&range.most)), (counts.first(), counts.last()));
        }
    }
}

/// Two ways, one with no elite and one with three: one or two cannot be had, although they lie in between.
#[test]
fn gaps_between_counts_are_seen() {
    let mut map = blank(3, 3, 2, false);
    for row in 0..3 {
        map.nodes.push(node(row, 0, Some(1)));
        map.nodes.push(node(row, 2, Some(0)));
    }
    map.edges = (0..2).flat_map(|row| [edge(row, 0, 0), edge(row, 2, 2)]).collect();
    let routes = act::routes(&map);
    let elite = KindId(0);
    let range = &routes.kinds(None)[0];
    assert_eq!((range.least, range.most), (0, 3));
    for (count, cols) in [(0, Some(vec![0; 3])), (1, None), (2, None), (3, Some(vec![2; 3]))] {
        let found = routes.find(None, &Wanted::default().exactly(elite, count)).unwrap();
        assert_eq!(found.map(|route| route.cols), cols, "exactly {count}");
    }
    let between = Wanted::default().at_least(elite, 1).at_most(elite, 2);
    assert_eq!(routes.find(None, &between).unwrap(), None);
    let both = Wanted::default().at_least(elite, 1).at_least(KindId(1), 1);
    assert_eq!(routes.find(None, &both).unwrap(), None, "each can be had, but not both");
}

#[test]
fn dominated_choices_and_points_of_no_return_are_named() {
    // Left leads to a shop and then to either; right leads to a shop and then only to a shop.
    let mut map = blank(3, 3, 2, true);
    map.nodes = vec![
        node(0, 1, Some(1)),
        node(1, 0, Some(1)),
        node(1, 2, Some(1)),
        node(2, 0, Some(0)),
        node(2, 2, Some(1)),
    ];
    map.edges = vec![edge(0, 1, 0), edge(0, 1, 2), edge(1, 0, 0), edge(1, 0, 2), edge(1, 2, 2)];
    let routes = act::routes(&map);
    agrees(&map, &routes, None);
    let dominated: Vec<_> = routes.dominated(None).collect();
    assert_eq!(dominated.len(), 1);
    assert_eq!((dominated[0].at, dominated[0].choice, dominated[0].by), (Some(at(1, 0)), at(2, 1), at(0, 1)));
    let lost: Vec<_> = routes.no_returns(None).filter(|point| point.after == 0).collect();
    assert_eq!(
        (lost[0].at, lost[0].choice, lost[0].kind, lost[0].before),
        (Some(at(1, 0)), at(2, 1), KindId(0), 1)
    );
    assert_eq!(routes.forks(None).map(|fork| fork.at).collect::<Vec<_>>(), [Some(at(0, 1))]);
    assert_eq!(
        routes.describe_choices(Some(at(1, 0))),
        "From Node 1,0, a shop, two ways lead on. Left to Node 0,1, a shop: that way meets at most 1 elite and 1 to 2 \
         shops. Right to Node 2,1, a shop: that way meets no elites and exactly 2 shops."
    );
    assert_eq!(
        routes.describe_route(&Route { row: 0, cols: vec![1, 0, 0] }),
        "Start at column 1 with a shop. Then left to column 0, a shop; straight ahead, an elite. 3 places: 1 elite and \
         2 shops; then the boss."
    );
}

#[test]
fn descriptions_fit_every_place() {
    let mut map = blank(2, 3, 0, false);
    map.nodes = vec![node(0, 0, None), node(0, 2, None), node(1, 1, None), node(0, 1, None)];
    map.edges = vec![edge(0, 0, 1), edge(0, 2, 1)];
    let say = |map: &ActMap, from| act::routes(map).describe_choices(from);
    assert_eq!(say(&map, None), "There are two places to start. Column 0. Column 2.");
    assert_eq!(say(&map, Some(at(2, 0))), "From Node 2,0 one way leads on: left to Node 1,1.");
    assert_eq!(say(&map, Some(at(1, 0))), "From Node 1,0 no way leads to the top.");
    assert_eq!(say(&map, Some(at(1, 1))), "Node 1,1 ends the way: it stands on the top row.");
    assert_eq!(say(&map, Some(at(8, 9))), "There is no node 8,9.");
    let route = |row, cols: &[u16]| act::routes(&map).describe_route(&Route { row, cols: cols.to_vec() });
    assert_eq!(route(0, &[0, 1]), "Start at column 0. Then right to column 1. 2 places.");
    assert_eq!(route(1, &[1]), "Start at Node 1,1. 1 place.");
    assert_eq!(route(0, &[1, 1]), "This is no route of the map: no route starts there.");
    assert_eq!(route(0, &[0, 2]), "This is no route of the map: no way leads there from Node 0,0.");
    assert_eq!(route(0, &[0]), "This is no route of the map: the route does not end on the top row.");
    assert_eq!(route(0, &[]), "This is no route of the map: the route does not end on the top row.");
    map.edges.pop();
    assert_eq!(say(&map, None), "There is one place to start: column 0.");
    map.boss = Some(Boss { kind: None });
    assert_eq!(say(&map, Some(at(1, 1))), "From Node 1,1 the way leads to the boss.");
    map.nodes.clear();
    assert_eq!(say(&map, None), "No route leads to the top.");

    let mut alike = blank(1, 2, 2, false);
    alike.nodes = vec![node(0, 0, Some(0)), node(0, 1, Some(0))];
    assert_eq!(
        say(&alike, None),
        "There are two places to start. Column 0, an elite. Column 1, an elite. What can be met that way is the same."
    );
}

#[test]
fn refusals_name_what_would_work() {
    let mut map = blank(2, 3, 1, false);
    map.nodes = vec![node(0, 0, None), node(0, 2, None), node(1, 1, None)];
    map.edges = vec![edge(0, 0, 1), edge(0, 2, 1)];
    let routes = act::routes(&map);
    let refused =
        |row, cols: &[u16]| routes.check(&Route { row, cols: cols.to_vec() }).unwrap_err().to_string();
    assert_eq!(refused(0, &[1, 1]), "route[0] = 1: no route starts there; use one of 0, 2");
    assert_eq!(refused(0, &[0, 0]), "route[1] = 0: no way leads there from Node 0,0; use one of 1");
    assert_eq!(
        refused(0, &[0, 1, 1]),
        "route[2] = 1: no route to the top leads through Node 1,2; name a route of this map"
    );
    assert_eq!(refused(0, &[0]), "route[1] = missing: the route does not end on the top row; name 2 columns");
    assert_eq!(refused(9, &[]), "route[0] = missing: the route does not end on the top row; name 1 column");
    assert_eq!(
        refused(1, &[0]),
        "route[0] = 0: no route to the top leads through Node 0,1; name a route of this map"
    );
}

#[test]
fn questions_too_wide_are_refused_and_one_kind_never_is() {
    let kinds = |n: u8| (0..n).map(|i| KindConfig::new(format!("k{i}"))).collect();
    let set = KindsConfig { kinds: kinds(8), bands: vec![], fixed: vec![], boss: None, search_limit: 0 };
    let config = WalksConfig {
        rows: 300,
        cols: 8,
        boss: false,
        kinds: KindsChoice::Own(Box::new(set)),
        ..Default::default()
    };
    let map = make(config, 5);
    let routes = act::routes(&map);
    let wide = (0..8).fold(Wanted::default(), |wanted, kind| wanted.between(KindId(kind), 3, 200));
    let error = routes.find(None, &wide).unwrap_err();
    assert_eq!(error.field, "wanted");
    assert!(error.to_string().contains("ask for fewer kinds"), "{error}");
    let many = (0..8).fold(Wanted::default(), |wanted, kind| wanted.at_least(KindId(kind), 3));
    let route = routes.find(None, &many).unwrap().unwrap();
    assert!(routes.tally(&route).iter().all(|&count| count >= 3));
    let (most, _) = routes.most(KindId(3), None).unwrap();
    let exact = routes.find(None, &Wanted::default().exactly(KindId(3), most)).unwrap().unwrap();
    assert_eq!(routes.tally(&exact)[3], most);
    // Kinds that the map does not have are met by no route.
    assert_eq!(routes.find(None, &Wanted::default().at_least(KindId(200), 1)).unwrap(), None);
    assert!(routes.find(None, &Wanted::default().at_most(KindId(200), 1)).unwrap().is_some());
    assert_eq!((routes.most(KindId(200), None), routes.least(KindId(8), None)), (None, None));
    assert_eq!(routes.find(None, &Wanted::default().between(KindId(0), 3, 2)).unwrap(), None);
}

/// Where every node leads to all four above, there are four to the power of the rows.
#[test]
fn counts_beyond_machine_words_are_exact() {
    let mut map = blank(80, 4, 1, false);
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
        "4 to the 80th is 2 to the 160th"
    );
    assert_eq!(routes.count(None).to_u128(), None);
    assert!(routes.count(Some(at(0, 1))) < routes.count(None));
    assert_eq!(routes.count(Some(at(3, 17))).to_u128(), Some(1 << 124));
    assert_eq!(routes.most(KindId(0), None).unwrap().0, 80);
    // Sets of counts become longer than a word on the way down.
    for row in 0..80 {
        let wanted = Wanted::default().exactly(KindId(0), 80 - row);
        let cols = vec![0; usize::from(80 - row)];
        assert_eq!(routes.find(Some(at(0, row)), &wanted).unwrap(), Some(Route { row, cols }));
        let fewer = Wanted::default().at_most(KindId(0), 79 - row);
        assert_eq!(routes.find(Some(at(0, row)), &fewer).unwrap(), None);
    }
}

#[test]
fn the_largest_maps_answer() {
    for (rows, walks) in [(1000, 200), (4096, 40)] {
        let map = make(WalksConfig { rows, cols: 64, walks, ..Default::default() }, 9);
        let routes = act::routes(&map);
        assert!(routes.count(None).to_u128().is_none());
        for range in routes.kinds(None) {
            assert_eq!(routes.tally(&range.most_route)[usize::from(range.kind.0)], range.most);
            let wanted = Wanted::default().exactly(range.kind, range.least);
            assert_eq!(routes.find(None, &wanted).unwrap(), Some(range.least_route));
        }
        let events = Wanted::default().exactly(KindId(2), rows as u16 / 3);
        assert!(routes.find(None, &events).unwrap().is_some());
        assert!(routes.forks(None).count() <= routes.choice_points(None));
        assert!(routes.dominated(None).count() + routes.no_returns(None).count() > 0);
    }
}

/// Maps of any content: nodes and edges off the grid, twice, without ends, kinds out of the set, out of order.
fn hostile() -> impl Strategy<Value = ActMap> {
    let node = (0_u16..6, 0_u16..5, prop::option::of(0_u8..4)).prop_map(|(r, c, k)| node(r, c, k));
    let edge = (0_u16..6, 0_u16..5, 0_u16..5).prop_map(|(r, f, t)| edge(r, f, t));
    let far = prop_oneof![9 => Just(None), 1 => Just(Some(u16::MAX))];
    let nodes = prop::collection::vec(node, 0..40);
    let edges = prop::collection::vec(edge, 0..60);
    (1_i64..=5, 1_i64..=4, 0_usize..=3, any::<bool>(), nodes, edges, far).prop_map(
        |(rows, cols, kinds, boss, nodes, edges, far)| {
            let mut map = blank(rows, cols, kinds, boss && kinds > 0);
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
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..Default::default() })]

    /// Whatever a map holds, the answers are those of walking its routes, and nothing panics.
    #[test]
    fn hostile_maps_are_answered(map in hostile(), place in (0_u16..6, 0_u16..7)) {
        let routes = act::routes(&map);
        let place = at(place.0, place.1);
        for from in [None, Some(place), Some(at(u16::MAX, u16::MAX))] {
            agrees(&map, &routes, from);
            let text = routes.describe_choices(from);
            prop_assert!(text.ends_with('.') && !text.contains('\n'));
        }
        let every = |route: &Route| routes.describe_route(route);
        for route in (Plain { map: &map }).all(None).iter().take(20) {
            prop_assert!(every(route).starts_with("Start at "));
        }
        for (row, cols) in [(0, vec![]), (place.row, vec![place.col]), (u16::MAX, vec![0, 0, 0])] {
            let text = every(&Route { row, cols });
            prop_assert!(text.ends_with('.'));
        }
    }

    /// Questions with gaps, on maps of any content.
    #[test]
    fn hostile_maps_are_searched(map in hostile(), place in (0_u16..6, 0_u16..7)) {
        let routes = act::routes(&map);
        finds(&map, &routes, None);
        finds(&map, &routes, Some(at(place.0, place.1)));
    }

    /// What is out of order or said twice changes nothing.
    #[test]
    fn order_and_repetition_change_nothing(seed: u64) {
        let map = make(WalksConfig::default(), seed);
        let mut turned = map.clone();
        turned.nodes.reverse();
        turned.edges.reverse();
        turned.edges.extend(map.edges.iter().copied());
        turned.nodes.extend(map.nodes.iter().copied());
        let (one, other) = (act::routes(&map), act::routes(&turned));
        prop_assert_eq!(one.count(None), other.count(None));
        prop_assert_eq!(one.kinds(None), other.kinds(None));
        prop_assert_eq!(one.forks(None).collect::<Vec<_>>(), other.forks(None).collect::<Vec<_>>());
        prop_assert_eq!(one.no_returns(None).collect::<Vec<_>>(), other.no_returns(None).collect::<Vec<_>>());
    }
}
