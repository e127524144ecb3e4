//! The validator: valid maps broken in each way, and the right rule fires.

use wayforge_act::{
    self as act, ActMap, Attempts, Cell, Edge, KindId, KindsChoice, KindsConfig, Node, Pin, WalksConfig,
    rules,
};
use wayforge_core::{Document, Report, Rule, Seed};

fn map_of(config: WalksConfig, seed: u64) -> ActMap {
    act::generate(Seed::new(seed), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

fn sample() -> ActMap {
    map_of(WalksConfig::default(), 3)
}

fn broken(map: &ActMap) -> Vec<Rule> {
    let mut rules: Vec<Rule> = act::validate(map).violations.iter().map(|v| v.rule).collect();
    rules.dedup();
    rules
}

/// Breaks the sample and expects exactly these rules to fire.
#[track_caller]
fn expect(breaking: impl FnOnce(&mut ActMap), expected: &[Rule]) {
    let mut map = sample();
    assert_eq!(broken(&map), []);
    breaking(&mut map);
    assert_eq!(broken(&map), expected);
}

fn kind(map: &ActMap, name: &str) -> Option<KindId> {
    Some(map.spec.find_kind(name).unwrap())
}

#[test]
fn every_rule_is_checked_and_named_once() {
    let report = act::validate(&sample());
    let mut names: Vec<&str> = report.rules.iter().map(|rule| rule.0).collect();
    assert_eq!(names.len(), 22);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 22);
}

#[test]
fn structure() {
    expect(|m| m.nodes.push(Node { row: 15, col: 0, kind: m.nodes[0].kind }), &[rules::IN_RANGE]);
    expect(|m| m.edges.push(Edge { row: 14, from: 0, to: 0 }), &[rules::IN_RANGE]);
    expect(|m| m.edges.push(Edge { row: u16::MAX, from: 0, to: 0 }), &[rules::IN_RANGE]);
    expect(|m| m.nodes.push(m.nodes[4]), &[rules::UNIQUE_NODES]);
    expect(|m| m.edges.push(m.edges[4]), &[rules::UNIQUE_EDGES]);
    expect(|m| m.boss = None, &[rules::BOSS]);
    expect(|m| m.boss.as_mut().unwrap().kind = kind(m, "shop"), &[rules::BOSS]);
}

#[test]
fn a_missing_node_breaks_edges_and_walks_through_it() {
    expect(
        |m| {
            let start = m.walks.get(0)[0];
            m.nodes.retain(|node| (node.row, node.col) != (0, start));
        },
        &[rules::EDGE_ENDS, rules::WALKS_COMPLETE],
    );
}

#[test]
fn walks() {
    let rebuild = |map: &mut ActMap, change: &dyn Fn(&mut Vec<Vec<u16>>)| {
        let mut walks: Vec<Vec<u16>> = map.walks.iter().map(<[u16]>::to_vec).collect();
        change(&mut walks);
        map.walks = walks.into_iter().collect();
    };
    expect(|m| rebuild(m, &|walks| walks.swap(1, 0)), &[]);
    expect(|m| rebuild(m, &|walks| walks.push(walks[0].clone())), &[rules::WALKS_COMPLETE]);
    expect(|m| rebuild(m, &|walks| walks[1] = walks[0].clone()), &[rules::START_DIVERSITY, rules::PRUNED]);
    expect(
        |m| {
            rebuild(m, &|walks| {
                let last = walks[5][14];
                walks[5].push(last);
            })
        },
        &[rules::IN_RANGE, rules::WALKS_COMPLETE],
    );
}

#[test]
fn pruning_crossings_and_steps() {
    let blank = || WalksConfig { kinds: KindsChoice::None, walks: 2, rows: 2, cols: 7, ..Default::default() };
    let drawn = |walks: &[[u16; 2]], extra: &[Edge]| {
        let mut map = map_of(blank(), 1);
        map.walks = walks.iter().copied().collect();
        let mut nodes: Vec<(u16, u16)> = walks.iter().flat_map(|w| [(0, w[0]), (1, w[1])]).collect();
        nodes.extend(extra.iter().flat_map(|e| [(e.row, e.from), (e.row + 1, e.to)]));
        nodes.sort_unstable();
        nodes.dedup();
        map.nodes = nodes.into_iter().map(|(row, col)| Node { row, col, kind: None }).collect();
        map.edges = walks
            .iter()
            .map(|w| Edge { row: 0, from: w[0], to: w[1] })
            .chain(extra.iter().copied())
            .collect();
        map.edges.sort_unstable();
        broken(&map)
    };
    assert_eq!(drawn(&[[2, 2], [3, 3]], &[]), []);
    assert_eq!(drawn(&[[2, 3], [3, 3]], &[]), [], "merging is allowed");
    assert_eq!(drawn(&[[0, 2], [6, 4]], &[]), [], "two columns are near at the border");
    assert_eq!(drawn(&[[2, 3], [3, 2]], &[]), [rules::NO_CROSSINGS]);
    assert_eq!(drawn(&[[0, 2], [1, 1]], &[]), [rules::NO_CROSSINGS], "a wide edge crosses its neighbour");
    assert_eq!(drawn(&[[2, 4], [6, 6]], &[]), [rules::NEAREST_HONOURED]);
    assert_eq!(drawn(&[[2, 2], [4, 4]], &[Edge { row: 0, from: 2, to: 4 }]), [rules::PRUNED]);
    assert_eq!(drawn(&[[2, 2], [4, 4]], &[Edge { row: 0, from: 6, to: 6 }]), [rules::PRUNED]);
}

#[test]
fn pins_and_blocked_cells() {
    // The same map judged by a configuration that blocks or pins other cells.
    let judged = |change: &dyn Fn(&mut WalksConfig, &ActMap)| {
        let mut map = sample();
        let mut config = WalksConfig::default();
        change(&mut config, &map);
        map.spec = act::Config::Walks(config).resolve().unwrap();
        broken(&map)
    };
    let free = |map: &ActMap| {
        let row = (0..7).find(|&col| map.nodes.iter().all(|n| (n.row, n.col) != (5, col)));
        i64::from(row.unwrap())
    };
    assert_eq!(
        judged(&|c, m| c.blocked.push(Cell { row: m.nodes[9].row.into(), col: m.nodes[9].col.into() })),
        [rules::BLOCKED_EMPTY]
    );
    assert_eq!(judged(&|c, m| c.blocked.push(Cell { row: 5, col: free(m) })), []);
    assert_eq!(judged(&|c, m| c.pins.push(Pin { row: 5, col: free(m), kind: None })), [rules::PINS_PRESENT]);
    let pin_first = |c: &mut WalksConfig, m: &ActMap, kind: &str| {
        let node = m.nodes.iter().find(|n| n.row == 3 && n.kind == m.spec.find_kind("monster")).unwrap();
        c.pins.push(Pin { row: 3, col: node.col.into(), kind: Some(kind.into()) });
    };
    assert_eq!(judged(&|c, m| pin_first(c, m, "monster")), []);
    assert_eq!(judged(&|c, m| pin_first(c, m, "event")), [rules::KIND_PINNED]);
}

#[test]
fn kinds() {
    let set = |m: &mut ActMap, row: u16, name: &str| {
        let kind = kind(m, name);
        let node = m.nodes.iter_mut().find(|n| n.row == row).unwrap();
        node.kind = kind;
    };
    expect(|m| m.nodes.iter_mut().find(|n| n.row == 3).unwrap().kind = None, &[rules::KIND_GIVEN]);
    expect(|m| set(m, 0, "event"), &[rules::KIND_FIXED_ROWS]);
    expect(|m| set(m, 2, "elite"), &[rules::KIND_ROWS]);
    expect(|m| set(m, 3, "boss"), &[rules::KIND_WEIGHTS]);
    // A whole column of elites repeats itself, stands beside itself, and is too many for a route.
    let mut map = sample();
    let elite = kind(&map, "elite");
    map.nodes.iter_mut().filter(|n| n.row > 8 && n.row < 14).for_each(|n| n.kind = elite);
    let rules = broken(&map);
    for rule in [rules::KIND_NO_REPEAT, rules::KIND_SIBLINGS_DIFFER, rules::KIND_ROUTE_COUNT] {
        assert!(rules.contains(&rule), "{rule}: {rules:?}");
    }
}

#[test]
fn counts_on_map_and_routes_name_number_and_route() {
    let kinds = |count: &str| {
        let text = format!(r#"{{"kinds": [{{"name": "a", {count}}}, {{"name": "b"}}]}}"#);
        KindsChoice::Own(serde_json::from_str::<Box<KindsConfig>>(&text).unwrap())
    };
    let base = |count: &str| WalksConfig { kinds: kinds(count), boss: false, ..Default::default() };
    let judged = |count: &str| {
        let mut map = map_of(base(r#""weight": 1"#), 8);
        map.nodes.iter_mut().for_each(|n| n.kind = Some(KindId(1)));
        let walk = map.walks.get(2).to_vec();
        map.nodes
            .iter_mut()
            .filter(|n| walk[usize::from(n.row)] == n.col && n.row < 6)
            .for_each(|n| n.kind = Some(KindId(0)));
        map.spec = act::Config::Walks(base(count)).resolve().unwrap();
        let report = act::validate(&map);
        report.violations.iter().map(|v| format!("{} {}", v.rule, v.why)).collect::<Vec<_>>()
    };
    assert_eq!(judged(r#""map": {"max": 6}"#), [""; 0]);
    assert_eq!(judged(r#""map": {"max": 5}"#), ["kind-map-count at most 5 a on the map: there are 6"]);
    assert_eq!(judged(r#""map": {"min": 7}"#), ["kind-map-count at least 7 a on the map: there are 6"]);
    assert_eq!(judged(r#""route": {"max": 6}"#), [""; 0]);
    assert_eq!(
        judged(r#""route": {"max": 5}"#),
        ["kind-route-count at most 5 a on every route: this one passes 6"]
    );
    assert_eq!(
        judged(r#""route": {"min": 1}"#),
        ["kind-route-count at least 1 a on every route: this one passes 0"]
    );
}

#[test]
fn a_hostile_map_gets_a_bounded_report() {
    let mut map =
        map_of(WalksConfig { cols: 64, rows: 300, kinds: KindsChoice::None, ..Default::default() }, 1);
    map.edges = (0..299)
        .flat_map(|row| (0..64).flat_map(move |from| (0..64).map(move |to| Edge { row, from, to })))
        .collect();
    let report = act::validate(&map);
    let crossings = report.violations.iter().filter(|v| v.rule == rules::NO_CROSSINGS).count();
    assert_eq!(crossings, Report::MAX);
    assert!(report.cut.contains(&rules::NO_CROSSINGS));
}

#[test]
fn an_empty_map_is_judged_not_feared() {
    let mut map = sample();
    map.nodes.clear();
    map.edges.clear();
    map.walks.clear();
    map.attempts = Attempts::default();
    assert_eq!(broken(&map), [rules::WALKS_COMPLETE]);
    map.walks = [vec![], vec![400_u16; 40]].into_iter().collect();
    assert!(broken(&map).contains(&rules::IN_RANGE));
}

#[test]
fn a_saved_document_is_checked_by_someone_else() {
    let text = sample().to_document().to_text();
    let map = ActMap::decode(text.as_bytes()).unwrap();
    assert_eq!(map, sample());
    let spoilt = text.replacen("\"kind\":\"event\"", "\"kind\":\"boss\"", 1);
    assert!(ActMap::decode(spoilt.as_bytes()).unwrap_err().to_string().starts_with("digest: "));
    let judged = ActMap::from_document(&Document::decode(spoilt.as_bytes()).unwrap()).unwrap();
    assert_eq!(broken(&judged), [rules::KIND_WEIGHTS]);
    let unknown = text.replacen("\"kind\":\"event\"", "\"kind\":\"dragon\"", 1);
    let error =
        ActMap::from_document(&Document::decode(unknown.as_bytes()).unwrap()).unwrap_err().to_string();
    assert!(
        error.starts_with("map.nodes[") && error.contains("dragon") && error.contains("monster"),
        "{error}"
    );
}

#[test]
fn only_the_canonical_form_decodes() {
    let map = sample();
    let document = map.to_document();
    let resealed = |change: &dyn Fn(&mut Document)| {
        let mut document = document.clone();
        change(&mut document);
        document.digest = document.computed_digest();
        ActMap::decode(document.to_text().as_bytes()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(resealed(&|_| ()), Ok(()));
    // Defaults left out, another order: all would read, none is how it is written. Arrays for objects do not even read.
    let node = map.nodes[0];
    let object = format!("{{\"row\":0,\"col\":{},\"kind\":\"monster\"}}", node.col);
    let array = format!("[0,{},\"monster\"]", node.col);
    let arrays = resealed(&|d| d.map = d.map.replacen(&object, &array, 1)).unwrap_err();
    assert_eq!(arrays, "map.nodes[0]: a list is not an object (use {...})");
    let short = resealed(&|d| d.config = "{\"ruleset\":\"walks\"}".into()).unwrap_err();
    assert!(short.starts_with("config: not in canonical form"), "{short}");
    let mut swapped = map.clone();
    swapped.nodes.swap(0, 1);
    assert!(ActMap::decode(swapped.to_document().to_text().as_bytes()).is_err(), "nodes out of order");
    let mut burning = map.clone();
    burning.emerald = Some(act::NodePos { row: 0, col: 0 });
    assert_eq!(broken(&burning), [rules::BOSS]);
}
