//! Invalid maps and scenes are drawn as far as possible, without panics.

use wayforge::act::{self, ActMap, Edge, KindId, Node, WalksConfig};
use wayforge_draw::{AsciiStyle, Point, Scene, Theme, ascii, find_layout_defects, png, svg};

fn map(config: WalksConfig) -> ActMap {
    act::generate(1.into(), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

fn draw(map: &ActMap) -> Scene {
    let scene = Scene::from_act(map);
    assert!(ascii(&scene, AsciiStyle::Plain).is_ascii());
    Theme::ALL.iter().for_each(|&theme| {
        svg(&scene, theme);
        png(&scene, theme, 10).unwrap();
    });
    scene
}

#[test]
fn nodes_and_edges_outside_the_grid_are_left_out() {
    let mut map = map(WalksConfig::default());
    let (nodes, edges) = (map.nodes.len(), map.edges.len());
    let kind = Some(KindId(200));
    map.nodes.extend([(15, 0), (0, 7), (65_535, 65_535)].map(|(row, col)| Node { row, col, kind }));
    map.nodes.push(Node { kind: None, ..map.nodes[0] });
    map.edges.extend(
        [(14, 0, 0), (65_535, 0, 0), (3, 60_000, 1), (0, 0, 65_535)].map(|(row, from, to)| Edge {
            row,
            from,
            to,
        }),
    );
    map.edges.push(map.edges[0]);
    map.nodes.reverse();
    map.edges.reverse();
    let scene = draw(&map);
    assert_eq!((scene.info.nodes, scene.info.edges), (nodes, edges));
}

#[test]
fn unknown_kind_is_drawn_as_a_plain_dot() {
    let mut map = map(WalksConfig::default());
    map.nodes.iter_mut().for_each(|node| node.kind = Some(KindId(99)));
    let scene = draw(&map);
    assert!(scene.nodes.iter().filter(|node| !node.boss).all(|node| node.kind.is_none()));
}

#[test]
fn forced_crossings_and_empty_maps_are_drawn() {
    let mut map = map(WalksConfig { cols: 12, rows: 6, walks: 4, ..WalksConfig::default() });
    map.nodes =
        (0..6).flat_map(|row| (0..12).map(move |col| Node { row, col, kind: None })).collect();
    let ends = |row| (0..12).flat_map(move |from| (0..12).map(move |to| Edge { row, from, to }));
    map.edges = (0..5).flat_map(ends).collect();
    let scene = draw(&map);
    assert_eq!(scene.info.edges, 5 * 144);
    assert_eq!(find_layout_defects(&scene), [], "forced crossings are not layout defects");

    map.edges.clear();
    map.nodes.clear();
    assert_eq!(draw(&map).nodes.len(), 1, "only the boss is left");
    map.boss = None;
    assert!(draw(&map).nodes.is_empty());
}

#[test]
fn scene_with_invalid_indices_and_positions_is_drawn() {
    let mut scene = Scene::from_act(&map(WalksConfig::default()));
    scene.edges[0].to = usize::MAX;
    scene.nodes[3].kind = Some(77);
    scene.nodes[4].row = 900;
    scene.nodes[5].col = 900;
    scene.nodes[6].pos = Point::new(i32::MAX, i32::MIN);
    scene.nodes[7].radius = i32::MAX;
    scene.edges[9].curve.0[1] = Point::new(i32::MIN, i32::MAX);
    scene.kinds[0].symbol = '\u{1b}';
    scene.kinds[0].name = "é<script>".to_owned();
    scene.title = "\u{0}<&\"'".to_owned();
    assert!(ascii(&scene, AsciiStyle::Plain).bytes().all(|b| b == b'\n' || (32..127).contains(&b)));
    assert!(!svg(&scene, Theme::Night).contains("<script"));
    png(&scene, Theme::Night, 10).unwrap();
    find_layout_defects(&scene);
    (scene.info.rows, scene.info.cols) = (0, 0);
    ascii(&scene, AsciiStyle::Colour);
}
