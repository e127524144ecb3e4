//! The validator reports exactly the violated rules of corrupted maps.

use wayforge_act::{
    self as act, ActMap, Attempts, Cell, Edge, KindId, KindsChoice, KindsConfig, Node, Pin,
    WalksConfig, rules,
};
use wayforge_core::{Document, Report, Rule, Seed};

fn generate(config: WalksConfig, seed: u64) -> ActMap {
    act::generate(Seed::new(seed), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

fn sample() -> ActMap {
    generate(WalksConfig::default(), 3)
}

fn violations(map: &ActMap) -> Vec<Rule> {
    let mut rules: Vec<Rule> = act::validate(map).violations.iter().map(|v| v.rule).collect();
    rules.dedup();
    rules
}

/// Corrupts the sample and expects violations of exactly these rules.
#[track_caller]
fn expect(corrupt: impl FnOnce(&mut ActMap), expected: &[Rule]) {
    let mut map = sample();
    assert_eq!(violations(&map), []);
    corrupt(&mut map);
    assert_eq!(violations(&map), expected);
}

fn kind(map: &ActMap, name: &str) -> Option<KindId> {
    Some(map.spec.find_kind(name).unwrap())
}

#[test]
fn report_lists_every_rule_once() {
    let report = act::validate(&sample());
    let mut names: Vec<&str> = report.rules.iter().map(|rule| rule.0).collect();
    assert_eq!(names.len(), 22);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 22);
}

#[test]
fn reports_structural_violations() {
    expect(|m| m.nodes.push(Node { row: 15, col: 0, kind: m.nodes[0].kind }), &[rules::IN_RANGE]);
    expect(|m| m.edges.push(Edge { row: 14, from: 0, to: 0 }), &[rules::IN_RANGE]);
    expect(|m| m.edges.push(Edge { row: u16::MAX, from: 0, to: 0 }), &[rules::IN_RANGE]);
    expect(|m| m.nodes.push(m.nodes[4]), &[rules::UNIQUE_NODES]);
    expect(|m| m.edges.push(m.edges[4]), &[rules::UNIQUE_EDGES]);
    expect(|m| m.boss = None, &[rules::BOSS]);
    expect(|m| m.boss.as_mut().unwrap().kind = kind(m, "shop"), &[rules::BOSS]);
}

#[test]
fn reports_edges_and_walks_through_a_missing_node() {
    expect(
        |m| {
            let start = m.walks.get(0)[0];
            m.nodes.retain(|node| (node.row, node.col) != (0, start));
        },
        &[rules::EDGE_ENDS, rules::WALKS_COMPLETE],
    );
}

#[test]
fn reports_invalid_walks() {
    let rebuild = |map: &mut ActMap, change: &dyn Fn(&mut Vec<Vec<u16>>)| {
        let mut walks: Vec<Vec<u16>> = map.walks.iter().map(<[u16]>::to_vec).collect();
        change(&mut walks);
        map.walks = walks.into_iter().collect();
    };
    expect(|m| rebuild(m, &|walks| walks.swap(1, 0)), &[]);
    expect(|m| rebuild(m, &|walks| walks.push(walks[0].clone())), &[rules::WALKS_COMPLETE]);
    expect(
        |m| rebuild(m, &|walks| walks[1] = walks[0].clone()),
        &[rules::START_DIVERSITY, rules::PRUNED],
    );
    expect(
        |m| {
            rebuild(m, &|walks| {
                let last = walks[5][14];
                walks[5].push(last);
            })
        },
        &[rules::IN_RANGE, rules::WALKS_COMPLETE],
    );
    // More columns than row numbers.
    let mut long = sample();
    rebuild(&mut long, &|walks| walks[5].resize(usize::from(u16::MAX) + 2, 0));
    assert!(!act::validate(&long).passes(rules::IN_RANGE));
}

#[test]
fn reports_crossings_long_steps_and_unused_edges() {
    let config = || WalksConfig {
        kinds: KindsChoice::None,
        walks: 2,
        rows: 2,
        cols: 7,
        ..Default::default()
    };
    let violations_of = |walks: &[[u16; 2]], extra: &[Edge]| {
        let mut map = generate(config(), 1);
        map.walks = walks.iter().copied().collect();
        let mut nodes: Vec<(u16, u16)> =
            walks.iter().flat_map(|w| [(0, w[0]), (1, w[1])]).collect();
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
        violations(&map)
    };
    assert_eq!(violations_of(&[[2, 2], [3, 3]], &[]), []);
    assert_eq!(violations_of(&[[2, 3], [3, 3]], &[]), [], "merging is allowed");
    assert_eq!(violations_of(&[[0, 2], [6, 4]], &[]), [], "two columns are near at the edge");
    assert_eq!(violations_of(&[[2, 3], [3, 2]], &[]), [rules::NO_CROSSINGS]);
    assert_eq!(
        violations_of(&[[0, 2], [1, 1]], &[]),
        [rules::NO_CROSSINGS],
        "a wide edge crosses its neighbour"
    );
    assert_eq!(violations_of(&[[2, 4], [6, 6]], &[]), [rules::NEAREST_HONOURED]);
    assert_eq!(
        violations_of(&[[2, 2], [4, 4]], &[Edge { row: 0, from: 2, to: 4 }]),
        [rules::PRUNED]
    );
    assert_eq!(
        violations_of(&[[2, 2], [4, 4]], &[Edge { row: 0, from: 6, to: 6 }]),
        [rules::PRUNED]
    );
}

#[test]
fn reports_missing_pins_and_nodes_on_blocked_cells() {
    // Validates the sample under a configuration that blocks or pins other cells.
    let violations_with = |change: &dyn Fn(&mut WalksConfig, &ActMap)| {
        let mut map = sample();
        let mut config = WalksConfig::default();
        change(&mut config, &map);
        map.spec = act::Config::Walks(config).resolve().unwrap();
        violations(&map)
    };
    let free = |map: &ActMap| {
        let col = (0..7).find(|&col| map.nodes.iter().all(|n| (n.row, n.col) != (5, col)));
        i64::from(col.unwrap())
    };
    assert_eq!(
        violations_with(&|c, m| c
            .blocked
            .push(Cell { row: m.nodes[9].row.into(), col: m.nodes[9].col.into() })),
        [rules::BLOCKED_EMPTY]
    );
    assert_eq!(violations_with(&|c, m| c.blocked.push(Cell { row: 5, col: free(m) })), []);
    assert_eq!(
        violations_with(&|c, m| c.pins.push(Pin { row: 5, col: free(m), kind: None })),
        [rules::PINS_PRESENT]
    );
    let pin_first = |c: &mut WalksConfig, m: &ActMap, kind: &str| {
        let node =
            m.nodes.iter().find(|n| n.row == 3 && n.kind == m.spec.find_kind("monster")).unwrap();
        c.pins.push(Pin { row: 3, col: node.col.into(), kind: Some(kind.into()) });
    };
    assert_eq!(violations_with(&|c, m| pin_first(c, m, "monster")), []);
    assert_eq!(violations_with(&|c, m| pin_first(c, m, "event")), [rules::KIND_PINNED]);
}

#[test]
fn reports_kinds_that_violate_rules() {
    let set = |m: &mut ActMap, row: u16, name: &str| {
        let kind = kind(m, name);
        let node = m.nodes.iter_mut().find(|n| n.row == row).unwrap();
        node.kind = kind;
    };
    expect(
        |m| m.nodes.iter_mut().find(|n| n.row == 3).unwrap().kind = None,
        &[rules::KIND_ASSIGNED],
    );
    expect(|m| set(m, 0, "event"), &[rules::KIND_FIXED_ROWS]);
    expect(|m| set(m, 2, "elite"), &[rules::KIND_ROWS]);
    expect(|m| set(m, 3, "boss"), &[rules::KIND_WEIGHTS]);
    // Several rows of elites repeat, are siblings, and exceed the maximum on a route.
    let mut map = sample();
    let elite = kind(&map, "elite");
    map.nodes.iter_mut().filter(|n| n.row > 8 && n.row < 14).for_each(|n| n.kind = elite);
    let rules = violations(&map);
    for rule in [rules::KIND_NO_REPEAT, rules::KIND_SIBLINGS_DIFFER, rules::KIND_ROUTE_COUNT] {
        assert!(rules.contains(&rule), "{rule}: {rules:?}");
    }
}

#[test]
fn count_violations_name_the_actual_count() {
    let kinds = |count: &str| {
        let text = format!(r#"{{"kinds": [{{"name": "a", {count}}}, {{"name": "b"}}]}}"#);
        KindsChoice::Custom(serde_json::from_str::<Box<KindsConfig>>(&text).unwrap())
    };
    let base = |count: &str| WalksConfig { kinds: kinds(count), boss: false, ..Default::default() };
    let violations_with = |count: &str| {
        let mut map = generate(base(r#""weight": 1"#), 8);
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
    assert_eq!(violations_with(r#""map": {"max": 6}"#), [""; 0]);
    assert_eq!(
        violations_with(r#""map": {"max": 5}"#),
        ["kind-map-count at most 5 a on the map: the map has 6"]
    );
    assert_eq!(
        violations_with(r#""map": {"min": 7}"#),
        ["kind-map-count at least 7 a on the map: the map has 6"]
    );
    assert_eq!(violations_with(r#""route": {"max": 6}"#), [""; 0]);
    assert_eq!(
        violations_with(r#""route": {"max": 5}"#),
        ["kind-route-count at most 5 a on every route: this route has 6"]
    );
    assert_eq!(
        violations_with(r#""route": {"min": 1}"#),
        ["kind-route-count at least 1 a on every route: this route has 0"]
    );
}

#[test]
fn report_is_truncated_for_maps_with_many_crossings() {
    let mut map = generate(
        WalksConfig { cols: 64, rows: 300, kinds: KindsChoice::None, ..Default::default() },
        1,
    );
    map.edges = (0..299)
        .flat_map(|row| (0..64).flat_map(move |from| (0..64).map(move |to| Edge { row, from, to })))
        .collect();
    let report = act::validate(&map);
    let crossings = report.violations.iter().filter(|v| v.rule == rules::NO_CROSSINGS).count();
    assert_eq!(crossings, Report::MAX_PER_RULE);
    assert!(report.truncated.contains(&rules::NO_CROSSINGS));
}

#[test]
fn validates_empty_maps() {
    let mut map = sample();
    map.nodes.clear();
    map.edges.clear();
    map.walks.clear();
    map.attempts = Attempts::default();
    assert_eq!(violations(&map), [rules::WALKS_COMPLETE]);
    map.walks = [vec![], vec![400_u16; 40]].into_iter().collect();
    assert!(violations(&map).contains(&rules::IN_RANGE));
}

#[test]
fn decode_rejects_edited_documents() {
    let text = sample().to_document().to_text();
    let map = ActMap::decode(text.as_bytes()).unwrap();
    assert_eq!(map, sample());
    let edited = text.replacen("\"kind\":\"event\"", "\"kind\":\"boss\"", 1);
    assert!(ActMap::decode(edited.as_bytes()).unwrap_err().to_string().starts_with("digest: "));
    let edited = ActMap::from_document(&Document::decode(edited.as_bytes()).unwrap()).unwrap();
    assert_eq!(violations(&edited), [rules::KIND_WEIGHTS]);
    let unknown = text.replacen("\"kind\":\"event\"", "\"kind\":\"dragon\"", 1);
    let error = ActMap::from_document(&Document::decode(unknown.as_bytes()).unwrap())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("map.nodes[") && error.contains("dragon") && error.contains("monster"),
        "{error}"
    );
}

#[test]
fn decode_rejects_documents_that_are_not_canonical() {
    let map = sample();
    let document = map.to_document();
    let decode_with = |change: &dyn Fn(&mut Document)| {
        let mut document = document.clone();
        change(&mut document);
        document.digest = document.computed_digest();
        ActMap::decode(document.to_text().as_bytes()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(decode_with(&|_| ()), Ok(()));
    // Arrays instead of objects, missing defaults, another order of nodes.
    let node = map.nodes[0];
    let object = format!("{{\"row\":0,\"col\":{},\"kind\":\"monster\"}}", node.col);
    let array = format!("[0,{},\"monster\"]", node.col);
    let arrays = decode_with(&|d| d.map = d.map.replacen(&object, &array, 1)).unwrap_err();
    assert_eq!(arrays, "map.nodes[0]: a list is not an object (use {...})");
    let short = decode_with(&|d| d.config = "{\"ruleset\":\"walks\"}".into()).unwrap_err();
    assert!(short.starts_with("config: not in canonical form"), "{short}");
    let mut swapped = map.clone();
    swapped.nodes.swap(0, 1);
    assert!(ActMap::decode(swapped.to_document().to_text().as_bytes()).is_err(), "unsorted nodes");
    let mut burning = map.clone();
    burning.emerald = Some(act::NodePos { row: 0, col: 0 });
    assert_eq!(violations(&burning), [rules::BOSS]);
}
