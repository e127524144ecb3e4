//! Playing maps: random runs compared with graph search, saves, and invalid maps.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayforge_act::{
    self as act, ActMap, Attempts, Boss, Edge, Fog, KindId, KindsChoice, Node, Pin, Play, Progress,
    ResumeError, Step, WalksConfig,
};
use wayforge_core::{Seed, seed::StreamId};

fn generate(config: WalksConfig, seed: u64) -> ActMap {
    act::generate(Seed::new(seed), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

/// Configurations with and without kinds and boss, with a single row, and wide.
fn configs() -> Vec<(&'static str, WalksConfig)> {
    let plain = || WalksConfig { kinds: KindsChoice::None, ..WalksConfig::default() };
    vec![
        ("standard", WalksConfig::default()),
        ("no kinds", plain()),
        ("no boss", WalksConfig { boss: false, ..plain() }),
        ("one row", WalksConfig { rows: 1, ..plain() }),
        ("one row, no boss", WalksConfig { rows: 1, boss: false, ..plain() }),
        ("wide", WalksConfig { rows: 9, cols: 40, walks: 60, nearest: 7, ..plain() }),
    ]
}

/// Returns a map whose boss is the single node of the top row.
fn boss_on_top(seed: u64) -> ActMap {
    let mut map = generate(
        WalksConfig { rows: 8, boss: false, kinds: KindsChoice::None, ..WalksConfig::default() },
        seed,
    );
    let (top, cols): (u16, BTreeSet<u16>) =
        (7, map.nodes.iter().filter(|node| node.row == 6).map(|node| node.col).collect());
    map.nodes.retain(|node| node.row < top);
    map.edges.retain(|edge| edge.row < 6);
    map.nodes.push(Node { row: top, col: 3, kind: None });
    map.edges.extend(cols.into_iter().map(|from| Edge { row: 6, from, to: 3 }));
    map
}

/// Successors of every node; `None` is the position below row 0.
type Graph = BTreeMap<Option<Step>, BTreeSet<Step>>;

fn graph(map: &ActMap) -> Graph {
    let mut graph = Graph::from([(None, BTreeSet::new())]);
    let step = |row: u16, col: u16| Step::Node { row, col };
    for node in &map.nodes {
        let successors = graph.entry(Some(step(node.row, node.col))).or_default();
        if map.boss.is_some() && node.row + 1 == map.spec.rows() {
            successors.insert(Step::Boss);
            graph.entry(Some(Step::Boss)).or_default();
        }
        if node.row == 0 {
            graph.entry(None).or_default().insert(step(0, node.col));
        }
    }
    for edge in &map.edges {
        graph
            .entry(Some(step(edge.row, edge.from)))
            .or_default()
            .insert(step(edge.row + 1, edge.to));
    }
    graph
}

/// Returns all nodes reachable from `from`, by depth-first search.
fn reachable(graph: &Graph, from: Option<Step>) -> Vec<Step> {
    let (mut found, mut stack) = (BTreeSet::new(), vec![from]);
    while let Some(node) = stack.pop() {
        stack.extend(
            graph[&node].iter().filter(|&&step| found.insert(step)).map(|&step| Some(step)),
        );
    }
    found.into_iter().collect()
}

fn kind_at(map: &ActMap, step: Step) -> Option<KindId> {
    match step {
        Step::Boss => map.boss.unwrap().kind,
        Step::Node { row, col } => {
            map.nodes.iter().find(|node| (node.row, node.col) == (row, col)).unwrap().kind
        }
    }
}

/// Plays at random to the end, checks every query after each step, and returns the last state.
fn random_run(name: &str, map: ActMap, seed: u64) -> Play {
    let mut rng = Seed::new(seed).stream(StreamId::named("test.play"));
    let map = Arc::new(map);
    let graph = graph(&map);
    let all_steps: Vec<Step> = graph.keys().copied().flatten().collect();
    let mut play = Play::start(Arc::clone(&map), Fog::Rows(2));
    let mut path: Vec<Step> = Vec::new();
    loop {
        let current = path.last().copied();
        assert_eq!(play.current(), current, "{name}");
        assert_eq!(play.path().collect::<Vec<_>>(), path);
        let edges: Vec<Step> = graph[&current].iter().copied().collect();
        let legal = play.legal_moves();
        assert_eq!(legal, edges, "{name}: legal moves");
        assert_eq!(play.reachable(), reachable(&graph, current), "{name}: reachable nodes");
        let row_of = |step: Step| match step {
            Step::Node { row, .. } => i32::from(row),
            Step::Boss => i32::from(map.spec.rows()),
        };
        for &step in &all_steps {
            assert_eq!(play.is_visited(step), path.contains(&step));
            assert_eq!(play.kind_of(step), kind_at(&map, step));
            assert_eq!(
                play.is_revealed(step),
                row_of(step) <= path.len() as i32 - 1 + 2,
                "{name} {step}"
            );
            assert!(play.with_fog(Fog::None).is_revealed(step));
            if !legal.contains(&step) {
                let error = play.advance(step).unwrap_err();
                assert_eq!((error.step, error.from, &error.legal), (step, current, &legal));
                assert!(!error.to_string().contains('\n'));
            }
        }
        let save = play.progress().to_text();
        let resumed =
            Play::resume(Arc::clone(&map), Progress::decode(save.as_bytes()).unwrap()).unwrap();
        let resumed_save = resumed.progress().to_text();
        assert_eq!((&resumed, resumed_save), (&play, save), "{name}: save and load");
        if play.is_finished() {
            assert!(legal.is_empty() && !play.is_stuck());
            return play;
        }
        let step = legal[rng.below(legal.len() as u32) as usize];
        let next = play.advance(step).unwrap();
        assert_eq!(next.undo().as_ref(), Some(&play), "{name}: undo restores the previous state");
        assert_ne!(next, play);
        path.push(step);
        play = next;
    }
}

#[test]
fn random_runs_finish_under_every_configuration() {
    for (name, config) in configs() {
        for seed in 0..20 {
            let map = generate(config.clone(), seed);
            let (rows, boss) = (usize::from(map.spec.rows()), map.boss.is_some());
            let play = random_run(name, map, seed);
            assert_eq!(
                (play.progress().path().len(), play.progress().boss()),
                (rows, boss),
                "{name}"
            );
        }
    }
    for seed in 0..20 {
        let play = random_run("boss on top", boss_on_top(seed), seed);
        assert_eq!(play.current(), Some(Step::Node { row: 7, col: 3 }));
    }
}

#[test]
fn undo_returns_to_the_start_and_then_none() {
    let mut play = random_run("standard", generate(WalksConfig::default(), 5), 5);
    let start = Play::start(play.map().clone(), Fog::Rows(2));
    for _ in 0..16 {
        play = play.undo().unwrap();
    }
    assert_eq!(play, start);
    assert_eq!(play.undo(), None);
}

#[test]
fn move_errors_name_position_and_legal_moves() {
    let pins = vec![Pin { row: 0, col: 1, kind: None }];
    let config = WalksConfig {
        rows: 2,
        cols: 2,
        walks: 2,
        pins,
        kinds: KindsChoice::None,
        ..WalksConfig::default()
    };
    let play = Play::start(generate(config, 1), Fog::None);
    let error = |play: &Play, step| play.advance(step).unwrap_err().to_string();
    assert_eq!(
        error(&play, Step::Node { row: 1, col: 0 }),
        "Node 0,1 is not a legal move from below row 0; legal: Node 0,0, Node 1,0"
    );
    let play = random_run("small", play.map().clone(), 3);
    assert_eq!(error(&play, Step::Boss), "Boss is not a legal move from Boss; the run is finished");
}

#[test]
fn resume_rejects_saves_of_other_maps() {
    let spec = act::Config::default().resolve().unwrap();
    let maps: Vec<ActMap> =
        (0..6).map(|seed| act::generate(Seed::new(seed), &spec).unwrap()).collect();
    for (i, map) in maps.iter().enumerate() {
        let empty = Play::start(map.clone(), Fog::None);
        let full = random_run("standard", map.clone(), 1);
        for (j, other) in maps.iter().enumerate() {
            for play in [&empty, &full] {
                let resumed = Play::resume(other.clone(), play.progress().clone());
                assert_eq!(resumed.is_ok(), i == j, "{i} on {j}");
                if let Err(error) = resumed {
                    let (save, map) = (map.to_document().digest, other.to_document().digest);
                    assert_eq!(error, ResumeError::OtherMap { save, map });
                }
            }
        }
    }
    // Also maps with the same graph that differ in the attempts or in one kind.
    let play = random_run("standard", maps[0].clone(), 1);
    let mut similar = maps[0].clone();
    similar.attempts = Attempts { guided: similar.attempts.guided + 1, ..similar.attempts };
    assert!(Play::resume(similar, play.progress().clone()).is_err());
    let mut similar = maps[0].clone();
    similar.nodes[20].kind = None;
    assert!(Play::resume(similar, play.progress().clone()).is_err());
}

#[test]
fn decode_rejects_damaged_saves_and_names_the_field() {
    let map = generate(WalksConfig::default(), 3);
    let text = random_run("standard", map.clone(), 3).with_fog(Fog::Rows(4)).progress().to_text();
    let decode = |text: &str| Progress::decode(text.as_bytes()).map_err(|error| error.to_string());
    assert!(decode(&text).is_ok());
    let pretty = serde_json_pretty(&text);
    assert_eq!(decode(&pretty).unwrap().to_text(), text, "white space does not matter");
    for (from, to, expected) in [
        (
            "progress/1",
            "progress/2",
            "format: \"wayforge-progress/2\" is unknown; known: wayforge-progress/1",
        ),
        ("wayforge-progress/1", "wayforge/1", "format: "),
        ("\"map\":\"sha256:", "\"map\":\"md5:", "map: "),
        ("\"path\":[", "\"path\":[-1,", "path[0]: "),
        ("\"path\":[", "\"path\":[0,65536,", "path[1]: "),
        ("\"path\":[", "\"path\":[1.5,", "path[0]: "),
        ("\"boss\":true", "\"boss\":1", "boss: "),
        ("\"boss\":true,", "", "missing field `boss`"),
        ("\"fog\":4", "\"fog\":\"4\"", "fog: "),
        (",\"fog\":4", "", "missing field `fog`"),
        ("\"fog\":4", "\"fog\":4,\"gold\":99", "gold"),
        ("\"fog\":4", "\"fog\":4,\"fog\":4", "duplicate field `fog`"),
        ("\"format\"", "\"format\":\"wayforge-progress/1\",\"format\"", "duplicate field `format`"),
        ("{", "", "document"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = decode(&text.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(expected) && !error.contains('\n'), "{to}: {error}: no {expected}");
    }
    for end in 0..text.len() {
        assert!(decode(&text[..end]).is_err(), "truncated at {end}");
    }
    assert!(decode(&"[".repeat(100_000)).is_err());
}

#[test]
fn resume_rejects_illegal_paths_and_names_the_step() {
    let map = generate(WalksConfig::default(), 3);
    let play = random_run("standard", map.clone(), 3);
    let text = play.progress().to_text();
    let resume = |text: String| {
        Play::resume(map.clone(), Progress::decode(text.as_bytes()).unwrap())
            .map_err(|error| error.to_string())
    };
    let path = play.progress().path();
    let with = |path: &[u16], boss: bool| {
        let cols: Vec<String> = path.iter().map(u16::to_string).collect();
        let start = text.find("\"path\"").unwrap();
        resume(format!(
            "{}\"path\":[{}],\"boss\":{boss},\"fog\":null}}",
            &text[..start],
            cols.join(",")
        ))
    };
    assert!(
        with(path, true).is_ok() && with(path, false).is_ok() && with(&path[..4], false).is_ok()
    );
    let mut jump = path.to_vec();
    jump[6] = 60_000;
    assert!(
        with(&jump, true)
            .unwrap_err()
            .starts_with("path[6]: Node 60000,6 is not a legal move from Node ")
    );
    assert!(
        with(&path[..4], true)
            .unwrap_err()
            .starts_with("boss: Boss is not a legal move from Node ")
    );
    assert!(with(&[path, &[0]].concat(), false).unwrap_err().starts_with("path[15]: "));
    assert!(with(&vec![path[0]; 70_000], true).unwrap_err().starts_with("path["));
}

#[test]
fn invalid_maps_can_be_played() {
    let mut map = generate(WalksConfig::default(), 1);
    let outside = [(15, 0), (0, 7), (65_535, 65_535)];
    map.nodes.extend(outside.map(|(row, col)| Node { row, col, kind: None }));
    map.nodes.push(map.nodes[0]);
    let dangling = [(14, 0, 0), (65_535, 0, 0), (3, 60_000, 1), (0, 0, 65_535), (0, 7, 7)];
    map.edges.extend(dangling.map(|(row, from, to)| Edge { row, from, to }));
    map.edges.push(map.edges[0]);
    map.nodes.reverse();
    map.edges.reverse();
    let valid = generate(WalksConfig::default(), 1);
    let play = Play::start(map.clone(), Fog::Rows(1));
    assert_eq!(play.legal_moves(), Play::start(valid.clone(), Fog::None).legal_moves());
    assert_eq!(play.reachable(), Play::start(valid, Fog::None).reachable());
    assert!(play.advance(Step::Node { row: 0, col: 7 }).is_err(), "outside the grid");

    map.edges.clear();
    let play = Play::start(map.clone(), Fog::None);
    let stuck = play.advance(play.legal_moves()[0]).unwrap();
    assert!(stuck.is_stuck() && !stuck.is_finished() && stuck.reachable().is_empty());
    let error = stuck.advance(Step::Boss).unwrap_err().to_string();
    assert!(error.ends_with("; there is no legal move"), "{error}");

    map.nodes.clear();
    let empty = Play::start(map.clone(), Fog::Rows(0));
    assert!(empty.is_stuck() && empty.reachable().is_empty() && empty.undo().is_none());
    map.boss = None;
    assert!(Play::start(map, Fog::None).is_stuck());
}

proptest! {
    /// Moves follow edges between existing nodes, every run ends, and nothing panics.
    #[test]
    fn arbitrary_maps_can_be_played(
        nodes in prop::collection::vec((0u16..5, 0u16..5), 0..20),
        edges in prop::collection::vec((0u16..5, 0u16..5, 0u16..5), 0..40),
        boss: bool,
        choices in prop::collection::vec(any::<u8>(), 8),
    ) {
        let kinds = KindsChoice::None;
        let config = WalksConfig { rows: 4, cols: 4, walks: 2, kinds, ..WalksConfig::default() };
        let mut map = generate(config, 1);
        map.nodes = nodes.iter().map(|&(row, col)| Node { row, col, kind: None }).collect();
        map.edges = edges.iter().map(|&(row, from, to)| Edge { row, from, to }).collect();
        map.boss = boss.then_some(Boss { kind: None });
        let exists = |row, col| row < 4 && col < 4 && nodes.contains(&(row, col));
        let mut play = Play::start(map, Fog::Rows(1));
        for choice in choices {
            let reachable = play.reachable();
            let legal = play.legal_moves();
            for &step in &legal {
                prop_assert!(reachable.contains(&step));
                match (play.current(), step) {
                    (None, Step::Node { row, col }) => prop_assert!(row == 0 && exists(row, col)),
                    (Some(Step::Node { row: low, col: from }), Step::Node { row, col }) => {
                        prop_assert!(row == low + 1 && exists(row, col));
                        prop_assert!(edges.contains(&(low, from, col)));
                    }
                    (Some(Step::Node { row, .. }), Step::Boss) => prop_assert!(boss && row == 3),
                    other => prop_assert!(false, "{other:?}"),
                }
            }
            prop_assert_eq!(play.is_stuck(), legal.is_empty() && !play.is_finished());
            if legal.is_empty() {
                return Ok(());
            }
            play = play.advance(legal[usize::from(choice) % legal.len()]).unwrap();
        }
        prop_assert!(play.is_finished());
    }

    #[test]
    fn decode_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Progress::decode(&bytes);
    }
}

/// Update with `WAYFORGE_REFRESH=1 cargo test -p wayforge-act --features schema`.
#[cfg(feature = "schema")]
#[test]
fn committed_schema_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/progress.schema.json");
    let generated = serde_json::to_string_pretty(&act::progress_schema()).unwrap() + "\n";
    #[allow(clippy::disallowed_methods)] // The purity lint is for the library, not for its tests.
    {
        if std::env::var_os("WAYFORGE_REFRESH").is_some() {
            std::fs::write(path, &generated).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(path).unwrap_or_default(),
            generated,
            "see the comment above"
        );
    }
}

fn serde_json_pretty(text: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}
