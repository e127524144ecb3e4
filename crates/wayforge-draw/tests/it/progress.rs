//! Pictures of runs: node states are correct, and pictures do not reveal what the fog hides.

use wayforge::act::{self, ActMap, Edge, Fog, KindId, KindsChoice, Node, Play, Step, WalksConfig};
use wayforge_draw::{
    AsciiStyle, NodeState, Scene, SceneNode, Theme, ascii, find_layout_defects, png, svg,
};

fn map(config: WalksConfig, seed: u64) -> ActMap {
    act::generate(seed.into(), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

/// Plays a run to its end and returns all states; `choice` selects the legal move.
fn run(map: ActMap, fog: Fog, choice: usize) -> Vec<Play> {
    let mut plays = vec![Play::start(map, fog)];
    while let Some(last) = plays.last()
        && let legal = last.legal_moves()
        && !legal.is_empty()
    {
        let next = last.advance(legal[choice % legal.len()]).unwrap();
        plays.push(next);
    }
    plays
}

fn step(node: &SceneNode) -> Step {
    if node.boss { Step::Boss } else { Step::Node { row: node.row, col: node.col } }
}

#[test]
fn node_states_match_the_run() {
    for (seed, fog) in [(1, Fog::None), (2, Fog::Rows(0)), (3, Fog::Rows(1)), (4, Fog::Rows(4))] {
        for play in run(map(WalksConfig::default(), seed), fog, seed as usize) {
            let scene = Scene::from_play(&play);
            let (reachable, legal) = (play.reachable(), play.legal_moves());
            for node in &scene.nodes {
                let step = step(node);
                let expected = if play.current() == Some(step) {
                    NodeState::Current
                } else if play.is_visited(step) {
                    NodeState::Visited
                } else if !play.is_revealed(step) && !legal.contains(&step) {
                    NodeState::Hidden
                } else if reachable.contains(&step) {
                    NodeState::Reachable
                } else {
                    NodeState::Plain
                };
                assert_eq!(node.state, expected, "{} of seed {seed}", node.label);
            }
            let edges_on_route = scene.edges.iter().filter(|edge| edge.on_route).count();
            assert_eq!(
                edges_on_route + 1,
                play.path().count().max(1),
                "one edge on the route between consecutive steps"
            );
            assert_eq!(find_layout_defects(&scene), []);
        }
    }
}

#[test]
fn without_fog_only_states_differ_from_the_plain_scene() {
    let map = map(WalksConfig::default(), 7);
    for play in run(map.clone(), Fog::None, 1) {
        let mut scene = Scene::from_play(&play);
        scene.nodes.iter_mut().for_each(|node| node.state = NodeState::Plain);
        scene.edges.iter_mut().for_each(|edge| edge.on_route = false);
        assert_eq!(scene, Scene::from_act(&map));
    }
}

#[test]
fn fog_hides_kinds_edges_and_counts_everywhere() {
    for rows in 0..4 {
        let map = map(WalksConfig::default(), 11);
        let plain = Scene::from_act(&map);
        for play in run(map.clone(), Fog::Rows(rows), 0) {
            let scene = Scene::from_play(&play);
            assert_eq!(
                (scene.width, scene.height),
                (plain.width, plain.height),
                "all pictures of a run have one size"
            );
            let is_revealed =
                |node: &Node| play.is_revealed(Step::Node { row: node.row, col: node.col });
            let mut counts = vec![0; map.kinds().len()];
            for node in map.nodes.iter().filter(|node| is_revealed(node)) {
                counts[usize::from(node.kind.unwrap().0)] += 1;
            }
            if play.is_revealed(Step::Boss) {
                counts[usize::from(map.boss.unwrap().kind.unwrap().0)] += 1;
            }
            let expected: Vec<(&str, usize)> = map
                .kinds()
                .iter()
                .map(|kind| kind.name.as_str())
                .zip(counts)
                .filter(|kind| kind.1 > 0)
                .collect();
            let legend: Vec<(&str, usize)> =
                scene.kinds.iter().map(|kind| (kind.name.as_str(), kind.count)).collect();
            assert_eq!(legend, expected, "the legend counts visible nodes");
            assert_eq!(scene.legend.len(), scene.kinds.len());
            for (node, plain_node) in scene.nodes.iter().zip(&plain.nodes) {
                assert_eq!(
                    (node.pos, &node.label),
                    (plain_node.pos, &plain_node.label),
                    "nodes keep their positions"
                );
                if play.is_revealed(step(node)) {
                    assert_eq!(
                        scene.kind_of(node).unwrap().name,
                        plain.kind_of(plain_node).unwrap().name
                    );
                } else {
                    assert_eq!(node.kind, None);
                }
            }
            for edge in &scene.edges {
                let (low, high) = (&scene.nodes[edge.from], &scene.nodes[edge.to]);
                let next =
                    low.state == NodeState::Current && play.legal_moves().contains(&step(high));
                assert!(next || play.is_revealed(step(low)) && play.is_revealed(step(high)));
            }
            let output = scene.description()
                + &ascii(&scene, AsciiStyle::Plain)
                + &svg(&scene, Theme::Night);
            // The existence of the boss is not secret.
            let hidden =
                |name: &str| name != "boss" && !legend.iter().any(|&(shown, _)| shown == name);
            for kind in plain.kinds.iter().filter(|kind| hidden(&kind.name)) {
                assert!(!output.contains(&kind.name), "{} leaks", kind.name);
            }
        }
    }
}

#[test]
fn ascii_shows_node_states() {
    let config = WalksConfig {
        rows: 4,
        cols: 3,
        walks: 3,
        kinds: KindsChoice::None,
        ..WalksConfig::default()
    };
    let play = Play::start(map(config, 3), Fog::Rows(1));
    let play = play.advance(play.legal_moves()[0]).unwrap();
    let play = play.advance(play.legal_moves()[0]).unwrap();
    let text = ascii(&Scene::from_play(&play), AsciiStyle::Plain);
    let row = |row: char| text.lines().find(|line| line.trim_start().starts_with(row)).unwrap();
    assert!(
        row('0').contains("(o)") && row('1').contains("[o]") && row('2').contains("<o>"),
        "{text}"
    );
    assert!(row('3').contains('.') && !row('3').contains('o'), "{text}");
}

#[test]
fn description_contains_the_position_of_the_party() {
    let plays = run(map(WalksConfig::default(), 5), Fog::Rows(2), 0);
    let describe = |at: usize| Scene::from_play(&plays[at]).description();
    assert!(
        !describe(0).contains("The party") && describe(0).contains("nodes are hidden."),
        "{}",
        describe(0)
    );
    let current = plays[2].current().unwrap();
    assert!(
        describe(2).contains(&format!("The party is at {current} and has visited 1 node before.")),
        "{}",
        describe(2)
    );
    assert!(
        describe(16).contains("The party is at Boss and has visited 15 nodes before."),
        "{}",
        describe(16)
    );
    assert!(
        svg(&Scene::from_play(&plays[2]), Theme::Parchment)
            .contains(&format!("<title>{current}: "))
    );
}

#[test]
fn invalid_maps_are_drawn() {
    let mut map = map(WalksConfig::default(), 1);
    map.nodes.extend([(15, 0), (0, 7), (65_535, 65_535)].map(|(row, col)| Node {
        row,
        col,
        kind: None,
    }));
    map.edges.extend([(14, 0, 0), (65_535, 0, 0), (3, 60_000, 1)].map(|(row, from, to)| Edge {
        row,
        from,
        to,
    }));
    map.nodes.iter_mut().step_by(3).for_each(|node| node.kind = Some(KindId(99)));
    map.nodes.reverse();
    for fog in [Fog::None, Fog::Rows(0), Fog::Rows(u16::MAX)] {
        for play in run(map.clone(), fog, 1) {
            let scene = Scene::from_play(&play);
            assert!(ascii(&scene, AsciiStyle::Plain).is_ascii());
            assert_eq!(find_layout_defects(&scene), []);
        }
    }
    map.nodes.clear();
    png(&Scene::from_play(&Play::start(map, Fog::Rows(0))), Theme::Night, 10).unwrap();
}
