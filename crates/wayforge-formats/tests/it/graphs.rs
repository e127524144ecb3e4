//! Every graph format contains each node and edge of an act map exactly once.

use crate::common::{act_map, text};
use wayforge::act::{self, ActMap, Edge};
use wayforge_formats::Content;

/// Returns the ids of the nodes and the edges, sorted and including the boss.
fn parts(map: &ActMap) -> (Vec<String>, Vec<String>) {
    let id = |row: u16, col: u16| format!("n{col}_{row}");
    let mut nodes: Vec<_> = map.nodes.iter().map(|node| id(node.row, node.col)).collect();
    let edge = |edge: &Edge| format!("{} {}", id(edge.row, edge.from), id(edge.row + 1, edge.to));
    let mut edges: Vec<_> = map.edges.iter().map(edge).collect();
    if map.boss.is_some() {
        let tops = map.nodes.iter().filter(|node| node.row + 1 == map.spec.rows());
        edges.extend(tops.map(|node| format!("{} boss", id(node.row, node.col))));
        nodes.push("boss".to_owned());
    }
    nodes.sort();
    edges.sort();
    (nodes, edges)
}

/// Returns the nodes and edges of a file. `node` and `edge` are the texts before, between and after
/// the ids in a line.
fn parts_in(text: &str, node: [&str; 2], edge: [&str; 3]) -> (Vec<String>, Vec<String>) {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        let between = |[before, middle, after]: [&str; 3]| {
            let (from, to) = line.strip_prefix(before)?.split_once(middle)?;
            Some(format!("{from} {}", to.strip_suffix(after)?))
        };
        let [before, after] = node;
        let id = line.strip_prefix(before).and_then(|rest| rest.split_once(after));
        edges.extend(between(edge));
        nodes.extend(id.map(|(id, _)| id.to_owned()));
    }
    nodes.sort();
    edges.sort();
    (nodes, edges)
}

#[test]
fn all_formats_have_the_same_nodes_and_edges() {
    let rows = act::Config::from_json(br#"{"ruleset":"rows"}"#).unwrap();
    for map in [act_map(), act::generate(3.into(), &rows.resolve().unwrap()).unwrap()] {
        let expected = parts(&map);
        let content = Content::from(map.clone());
        let dot = text(&content, "a.dot");
        assert_eq!(parts_in(&dot, ["", " [label="], ["", " -> ", ";"]), expected);
        let graphml = text(&content, "a.graphml");
        let edge = ["<edge source=\"", "\" target=\"", "\"/>"];
        assert_eq!(parts_in(&graphml, ["<node id=\"", "\""], edge), expected);
        assert!(graphml.contains(&format!("<data key=\"seed\">{}</data>", map.seed)));
        let mermaid = text(&content, "a.mmd");
        assert_eq!(parts_in(&mermaid, ["", "(("], ["", " --> ", ""]), expected);
    }
}
