//! Pictures of runs: states where they belong, and nothing that the fog hides.

use wayforge::act::{self, ActMap, Edge, Fog, KindId, KindsChoice, Node, Play, Step, WalksConfig};
use wayforge_draw::{NodeState, Paint, Scene, SceneNode, Theme, ascii, find_faults, png, svg};

fn map(config: WalksConfig, seed: u64) -> ActMap {
    act::generate(seed.into(), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

/// All states of one run, from below row 0 to the end, always turning to the side that `turn` says.
fn run(map: ActMap, fog: Fog, turn: usize) -> Vec<Play> {
    let mut plays = vec![Play::start(map, fog)];
    while let Some(last) = plays.last()
        && let legal = last.legal_moves()
        && !legal.is_empty()
    {
        let next = last.advance(legal[turn % legal.len()]).unwrap();
        plays.push(next);
    }
    plays
}

fn step(node: &SceneNode) -> Step {
    if node.boss { Step::Boss } else { Step::Node { row: node.row, col: node.col } }
}

#[test]
fn states_are_those_of_the_run() {
    for (seed, fog) in [(1, Fog::None), (2, Fog::Rows(0)), (3, Fog::Rows(1)), (4, Fog::Rows(4))] {
        for play in run(map(WalksConfig::default(), seed), fog, seed as usize) {
            let scene = Scene::of_play(&play);
            let (attainable, legal) = (play.attainable(), play.legal_moves());
            for node in &scene.nodes {
                let here = step(node);
                let expected = if play.current() == Some(here) {
                    NodeState::Current
                } else if play.is_visited(here) {
                    NodeState::Visited
                } else if !play.is_revealed(here) && !legal.contains(&here) {
                    NodeState::Hidden
                } else if attainable.contains(&here) {
                    NodeState::Attainable
                } else {
                    NodeState::Plain
                };
                assert_eq!(node.state, expected, "{} of seed {seed}", node.label);
            }
            let walked = scene.edges.iter().filter(|edge| edge.on_route).count();
            assert_eq!(walked + 1, play.path().count().max(1), "one edge between two steps");
            assert_eq!(find_faults(&scene), []);
        }
    }
}

#[test]
fn without_fog_only_states_differ_from_the_plain_picture() {
    let map = map(WalksConfig::default(), 7);
    for play in run(map.clone(), Fog::None, 1) {
        let mut scene = Scene::of_play(&play);
        scene.nodes.iter_mut().for_each(|node| node.state = NodeState::Plain);
        scene.edges.iter_mut().for_each(|edge| edge.on_route = false);
        assert_eq!(scene, Scene::of_act(&map));
    }
}

#[test]
fn what_the_fog_hides_is_nowhere_in_the_picture() {
    for rows in 0..4 {
        let map = map(WalksConfig::default(), 11);
        let plain = Scene::of_act(&map);
        for play in run(map.clone(), Fog::Rows(rows), 0) {
            let scene = Scene::of_play(&play);
            assert_eq!((scene.width, scene.height), (plain.width, plain.height), "one size for a run");
            let seen = |node: &Node| play.is_revealed(Step::Node { row: node.row, col: node.col });
            let mut counts = vec![0; map.kinds().len()];
            for node in map.nodes.iter().filter(|node| seen(node)) {
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
            assert_eq!(legend, expected, "the legend counts what is seen");
            assert_eq!(scene.legend.len(), scene.kinds.len());
            for (node, whole) in scene.nodes.iter().zip(&plain.nodes) {
                assert_eq!((node.pos, &node.label), (whole.pos, &whole.label), "nodes keep their places");
                match play.is_revealed(step(node)) {
                    true => assert_eq!(scene.kind_of(node).unwrap().name, plain.kind_of(whole).unwrap().name),
                    false => assert_eq!(node.kind, None),
                }
            }
            for edge in &scene.edges {
                let (low, high) = (&scene.nodes[edge.from], &scene.nodes[edge.to]);
                let next = low.state == NodeState::Current && play.legal_moves().contains(&step(high));
                assert!(next || play.is_revealed(step(low)) && play.is_revealed(step(high)));
            }
            let words = scene.description() + &ascii(&scene, Paint::Plain) + &svg(&scene, Theme::Night);
            // That a boss waits at the top is no secret.
            let hidden = |name: &str| name != "boss" && !legend.iter().any(|&(seen, _)| seen == name);
            for kind in plain.kinds.iter().filter(|kind| hidden(&kind.name)) {
                assert!(!words.contains(&kind.name), "{} is given away", kind.name);
            }
        }
    }
}

#[test]
fn the_text_shows_the_states() {
    let config =
        WalksConfig { rows: 4, cols: 3, walks: 3, kinds: KindsChoice::None, ..WalksConfig::default() };
    let play = Play::start(map(config, 3), Fog::Rows(1));
    let play = play.advance(play.legal_moves()[0]).unwrap();
    let play = play.advance(play.legal_moves()[0]).unwrap();
    let text = ascii(&Scene::of_play(&play), Paint::Plain);
    let row = |row: char| text.lines().find(|line| line.trim_start().starts_with(row)).unwrap();
    assert!(row('0').contains("(o)") && row('1').contains("[o]") && row('2').contains("<o>"), "{text}");
    assert!(row('3').contains('.') && !row('3').contains('o'), "{text}");
}

#[test]
fn the_description_says_where_the_party_is() {
    let plays = run(map(WalksConfig::default(), 5), Fog::Rows(2), 0);
    let said = |at: usize| Scene::of_play(&plays[at]).description();
    assert!(!said(0).contains("The party") && said(0).contains("nodes are hidden."), "{}", said(0));
    let here = plays[2].current().unwrap();
    assert!(
        said(2).contains(&format!("The party is at {here} and has visited 1 node before.")),
        "{}",
        said(2)
    );
    assert!(said(16).contains("The party is at Boss and has visited 15 nodes before."), "{}", said(16));
    assert!(svg(&Scene::of_play(&plays[2]), Theme::Parchment).contains(&format!("<title>{here}: ")));
}

#[test]
fn maps_that_break_their_rules_are_drawn_too() {
    let mut map = map(WalksConfig::default(), 1);
    map.nodes.extend([(15, 0), (0, 7), (65_535, 65_535)].map(|(row, col)| Node { row, col, kind: None }));
    map.edges.extend([(14, 0, 0), (65_535, 0, 0), (3, 60_000, 1)].map(|(row, from, to)| Edge {
        row,
        from,
        to,
    }));
    map.nodes.iter_mut().step_by(3).for_each(|node| node.kind = Some(KindId(99)));
    map.nodes.reverse();
    for fog in [Fog::None, Fog::Rows(0), Fog::Rows(u16::MAX)] {
        for play in run(map.clone(), fog, 1) {
            let scene = Scene::of_play(&play);
            assert!(ascii(&scene, Paint::Plain).is_ascii());
            assert_eq!(find_faults(&scene), []);
        }
    }
    map.nodes.clear();
    png(&Scene::of_play(&Play::start(map, Fog::Rows(0))), Theme::Night, 10).unwrap();
}
