//! Every graph format contains each node and edge of an act map exactly once.

mod common;

use common::{act_map, text};
use wayforge::act::{self, ActMap};
use wayforge_formats::Content;

/// Returns the numbers of nodes and edges, including the boss.
fn counts(map: &ActMap) -> (usize, usize) {
    let boss = usize::from(map.boss.is_some());
    let tops = map.nodes.iter().filter(|node| node.row + 1 == map.spec.rows()).count();
    (map.nodes.len() + boss, map.edges.len() + boss * tops)
}

#[test]
fn all_formats_have_the_same_nodes_and_edges() {
    let rows = act::Config::from_json(br#"{"ruleset":"rows"}"#).unwrap();
    for map in [act_map(), act::generate(3.into(), &rows.resolve().unwrap()).unwrap()] {
        let (nodes, edges) = counts(&map);
        let content = Content::from(map.clone());
        let dot = text(&content, "a.dot");
        assert_eq!(dot.matches(" [label=").count(), nodes, "{dot}");
        assert_eq!(dot.matches(" -> ").count(), edges);
        let graphml = text(&content, "a.graphml");
        assert_eq!(
            (graphml.matches("<node ").count(), graphml.matches("<edge ").count()),
            (nodes, edges)
        );
        assert!(graphml.contains(&format!("<data key=\"seed\">{}</data>", map.seed)));
        let mermaid = text(&content, "a.mmd");
        assert_eq!(
            (mermaid.matches("((").count(), mermaid.matches(" --> ").count()),
            (nodes, edges)
        );
    }
}
