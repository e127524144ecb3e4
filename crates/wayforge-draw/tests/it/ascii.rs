//! ASCII pictures of act maps.

use wayforge::act::{self, ActMap, Boss, Edge, KindsChoice, Node, WalksConfig};
use wayforge_draw::{AsciiStyle, NodeState, Scene, ascii};

/// Builds a map without kinds from rows of `o`, top row first, and edges as (row, from, to).
fn map(rows: &[&str], edges: &[(u16, u16, u16)], boss: bool) -> ActMap {
    let cols = rows.iter().map(|row| row.len()).max().unwrap_or(1);
    let config = WalksConfig {
        rows: rows.len() as i64,
        cols: cols as i64,
        walks: if cols == 1 { 1 } else { 2 },
        kinds: KindsChoice::None,
        boss,
        ..WalksConfig::default()
    };
    let mut map = act::generate(1.into(), &act::Config::Walks(config).resolve().unwrap()).unwrap();
    let node = |(i, c): (usize, char), row: usize| {
        (c == 'o').then_some(Node { row: row as u16, col: i as u16, kind: None })
    };
    map.nodes = rows
        .iter()
        .rev()
        .enumerate()
        .flat_map(|(row, text)| text.chars().enumerate().filter_map(move |cell| node(cell, row)))
        .collect();
    map.edges = edges.iter().map(|&(row, from, to)| Edge { row, from, to }).collect();
    map.boss = boss.then_some(Boss { kind: None });
    map
}

/// Renders a scene without legend and caption.
fn picture(scene: &Scene) -> String {
    let text = ascii(scene, AsciiStyle::Plain);
    let end = text.find("\n\n").unwrap();
    text[..=end].to_owned()
}

#[test]
fn draws_slanted_and_vertical_edges() {
    let map = map(
        &["o.oo.", "oo..o", "o.oo."],
        &[(0, 0, 0), (0, 2, 1), (0, 3, 4), (1, 0, 0), (1, 1, 2), (1, 4, 3)],
        false,
    );
    let expected = "
 2   o       o   o
     |     /       \\
 1   o   o           o
     |     \\       /
 0   o       o   o
";
    assert_eq!(format!("\n{}", picture(&Scene::from_act(&map))), expected);
}

#[test]
fn draws_wide_edges_and_the_boss() {
    let map = map(
        &["o.o.o", "oo..o", "o...o"],
        &[(0, 0, 0), (0, 0, 1), (0, 4, 4), (1, 0, 2), (1, 1, 2), (1, 4, 2), (1, 4, 4)],
        true,
    );
    let expected = "
             @
     ,-------+-------.
 2   o       o       o
      ,---,-' `-----.|
 1   o   o           o
     | /             |
 0   o               o
";
    assert_eq!(format!("\n{}", picture(&Scene::from_act(&map))), expected);
}

#[test]
fn brackets_show_node_states() {
    let mut scene = Scene::from_act(&map(&["oo", "oo"], &[(0, 0, 0), (0, 0, 1)], false));
    let states = [NodeState::Visited, NodeState::Current, NodeState::Reachable, NodeState::Hidden];
    scene.nodes.iter_mut().zip(states).for_each(|(node, state)| node.state = state);
    assert_eq!(picture(&scene), " 1  <o>  .\n     | /\n 0  (o) [o]\n");
}

#[test]
fn colour_style_adds_only_escape_sequences() {
    let map = act::generate(42.into(), &act::Config::default().resolve().unwrap()).unwrap();
    let scene = Scene::from_act(&map);
    let coloured = ascii(&scene, AsciiStyle::Colour);
    let mut plain = String::new();
    for (i, part) in coloured.split("\x1b[").enumerate() {
        plain.push_str(if i == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert!(coloured.contains("\x1b[96m?\x1b[0m"));
    assert_eq!(plain, ascii(&scene, AsciiStyle::Plain));
    assert!(!plain.contains('\x1b'));
}

#[test]
fn lines_have_fewer_than_80_columns_and_no_trailing_spaces() {
    let map = act::generate(42.into(), &act::Config::default().resolve().unwrap()).unwrap();
    let text = ascii(&Scene::from_act(&map), AsciiStyle::Plain);
    assert!(text.lines().all(|line| line.len() < 80 && line == line.trim_end()), "{text}");
}
