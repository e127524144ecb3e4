//! Playing maps: random runs against an independent reading of the edges, saves, damage, and maps that break every rule.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayforge_act::{
    self as act, ActMap, Attempts, Boss, Edge, Fog, KindId, KindsChoice, Node, Pin, Play, Progress,
    ResumeError, Step, WalksConfig,
};
use wayforge_core::{Seed, seed::Stage};

fn map_of(config: WalksConfig, seed: u64) -> ActMap {
    act::generate(Seed::new(seed), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

/// Maps of all sorts: standard, without kinds, without a boss, a single row, and the boss as the node of the top row.
fn sorts() -> Vec<(&'static str, WalksConfig)> {
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

/// A map whose boss is the single node of its top row: the shape of documents with a boss on the grid.
fn boss_on_top(seed: u64) -> ActMap {
    let mut map = map_of(
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

/// Where every place leads; `None` is the place below row 0.
type Graph = BTreeMap<Option<Step>, BTreeSet<Step>>;

fn graph(map: &ActMap) -> Graph {
    let mut graph = Graph::from([(None, BTreeSet::new())]);
    let step = |row: u16, col: u16| Step::Node { row, col };
    for node in &map.nodes {
        let ahead = graph.entry(Some(step(node.row, node.col))).or_default();
        if map.boss.is_some() && node.row + 1 == map.spec.rows() {
            ahead.insert(Step::Boss);
            graph.entry(Some(Step::Boss)).or_default();
        }
        if node.row == 0 {
            graph.entry(None).or_default().insert(step(0, node.col));
        }
    }
    for edge in &map.edges {
        graph.entry(Some(step(edge.row, edge.from))).or_default().insert(step(edge.row + 1, edge.to));
    }
    graph
}

/// Everything that a plain search finds.
fn searched(graph: &Graph, from: Option<Step>) -> Vec<Step> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(here) = open.pop() {
        open.extend(graph[&here].iter().filter(|&&step| found.insert(step)).map(|&step| Some(step)));
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

/// Plays at random to the end, checks every claim on the way, and gives the last state.
fn random_run(name: &str, map: ActMap, chance: u64) -> Play {
    let mut rng = Seed::new(chance).stream(Stage::named("test.play"));
    let map = Arc::new(map);
    let graph = graph(&map);
    let everything: Vec<Step> = graph.keys().copied().flatten().collect();
    let mut play = Play::start(Arc::clone(&map), Fog::Rows(2));
    let mut trail: Vec<Step> = Vec::new();
    loop {
        let here = trail.last().copied();
        assert_eq!(play.current(), here, "{name}");
        assert_eq!(play.path().collect::<Vec<_>>(), trail);
        let edges: Vec<Step> = graph[&here].iter().copied().collect();
        let legal = play.legal_moves();
        assert_eq!(legal, edges, "{name}: legal moves are the edges");
        assert_eq!(play.attainable(), searched(&graph, here), "{name}: attainable is a search");
        let height = |step: Step| match step {
            Step::Node { row, .. } => i32::from(row),
            Step::Boss => i32::from(map.spec.rows()),
        };
        for &step in &everything {
            assert_eq!(play.is_visited(step), trail.contains(&step));
            assert_eq!(play.kind_of(step), kind_at(&map, step));
            assert_eq!(play.is_revealed(step), height(step) <= trail.len() as i32 - 1 + 2, "{name} {step}");
            assert!(play.with_fog(Fog::None).is_revealed(step));
            if !legal.contains(&step) {
                let error = play.advance(step).unwrap_err();
                assert_eq!((error.step, error.from, &error.legal), (step, here, &legal));
                assert!(!error.to_string().contains('\n'));
            }
        }
        let save = play.progress().to_text();
        let again = Play::resume(Arc::clone(&map), Progress::decode(save.as_bytes()).unwrap()).unwrap();
        assert_eq!((&again, again.progress().to_text()), (&play, save), "{name}: save and load");
        if play.is_finished() {
            assert!(legal.is_empty() && !play.is_stuck());
            return play;
        }
        let step = legal[rng.below(legal.len() as u32) as usize];
        let next = play.advance(step).unwrap();
        assert_eq!(next.undo().as_ref(), Some(&play), "{name}: undo gives the exact former value");
        assert_ne!(next, play);
        trail.push(step);
        play = next;
    }
}

#[test]
fn random_runs_reach_the_end_of_every_sort_of_map() {
    for (name, config) in sorts() {
        for seed in 0..20 {
            let map = map_of(config.clone(), seed);
            let (rows, boss) = (usize::from(map.spec.rows()), map.boss.is_some());
            let play = random_run(name, map, seed);
            assert_eq!((play.progress().path().len(), play.progress().boss()), (rows, boss), "{name}");
        }
    }
    for seed in 0..20 {
        let play = random_run("boss on top", boss_on_top(seed), seed);
        assert_eq!(play.current(), Some(Step::Node { row: 7, col: 3 }));
    }
}

#[test]
fn undo_leads_back_to_the_start_and_no_further() {
    let mut play = random_run("standard", map_of(WalksConfig::default(), 5), 5);
    let start = Play::start(play.map().clone(), Fog::Rows(2));
    for _ in 0..16 {
        play = play.undo().unwrap();
    }
    assert_eq!(play, start);
    assert_eq!(play.undo(), None);
}

#[test]
fn a_refusal_reads_well() {
    let pins = vec![Pin { row: 0, col: 1, kind: None }];
    let config =
        WalksConfig { rows: 2, cols: 2, walks: 2, pins, kinds: KindsChoice::None, ..WalksConfig::default() };
    let play = Play::start(map_of(config, 1), Fog::None);
    let error = |play: &Play, step| play.advance(step).unwrap_err().to_string();
    assert_eq!(
        error(&play, Step::Node { row: 1, col: 0 }),
        "Node 0,1 is not a legal move from below row 0; legal: Node 0,0, Node 1,0"
    );
    let play = random_run("small", play.map().clone(), 3);
    assert_eq!(error(&play, Step::Boss), "Boss is not a legal move from Boss; the run is finished");
}

#[test]
fn a_save_is_never_applied_to_another_map() {
    let spec = act::Config::default().resolve().unwrap();
    let maps: Vec<ActMap> = (0..6).map(|seed| act::generate(Seed::new(seed), &spec).unwrap()).collect();
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
    // The smallest difference counts: the same ways with another number of attempts, or one kind.
    let play = random_run("standard", maps[0].clone(), 1);
    let mut near = maps[0].clone();
    near.attempts = Attempts { guided: near.attempts.guided + 1, ..near.attempts };
    assert!(Play::resume(near, play.progress().clone()).is_err());
    let mut near = maps[0].clone();
    near.nodes[20].kind = None;
    assert!(Play::resume(near, play.progress().clone()).is_err());
}

#[test]
fn damaged_saves_are_refused_with_where() {
    let map = map_of(WalksConfig::default(), 3);
    let text = random_run("standard", map.clone(), 3).with_fog(Fog::Rows(4)).progress().to_text();
    let decode = |text: &str| Progress::decode(text.as_bytes()).map_err(|error| error.to_string());
    assert!(decode(&text).is_ok());
    let pretty = serde_json_pretty(&text);
    assert_eq!(decode(&pretty).unwrap().to_text(), text, "white space does not matter");
    for (from, to, said) in [
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
        assert!(error.contains(said) && !error.contains('\n'), "{to}: {error} does not say {said}");
    }
    for end in 0..text.len() {
        assert!(decode(&text[..end]).is_err(), "cut at {end}");
    }
    assert!(decode(&"[".repeat(100_000)).is_err());
}

#[test]
fn a_path_that_leaves_the_ways_is_refused_with_where() {
    let map = map_of(WalksConfig::default(), 3);
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
        resume(format!("{}\"path\":[{}],\"boss\":{boss},\"fog\":null}}", &text[..start], cols.join(",")))
    };
    assert!(with(path, true).is_ok() && with(path, false).is_ok() && with(&path[..4], false).is_ok());
    let mut jump = path.to_vec();
    jump[6] = 60_000;
    assert!(
        with(&jump, true).unwrap_err().starts_with("path[6]: Node 60000,6 is not a legal move from Node ")
    );
    assert!(with(&path[..4], true).unwrap_err().starts_with("boss: Boss is not a legal move from Node "));
    assert!(with(&[path, &[0]].concat(), false).unwrap_err().starts_with("path[15]: "));
    assert!(with(&vec![path[0]; 70_000], true).unwrap_err().starts_with("path["));
}

#[test]
fn maps_that_break_their_rules_are_played_as_far_as_they_go() {
    let mut map = map_of(WalksConfig::default(), 1);
    let far = [(15, 0), (0, 7), (65_535, 65_535)].map(|(row, col)| Node { row, col, kind: None });
    map.nodes.extend(far);
    map.nodes.push(map.nodes[0]);
    let nowhere = [(14, 0, 0), (65_535, 0, 0), (3, 60_000, 1), (0, 0, 65_535), (0, 7, 7)];
    map.edges.extend(nowhere.map(|(row, from, to)| Edge { row, from, to }));
    map.edges.push(map.edges[0]);
    map.nodes.reverse();
    map.edges.reverse();
    let sound = map_of(WalksConfig::default(), 1);
    let play = Play::start(map.clone(), Fog::Rows(1));
    assert_eq!(play.legal_moves(), Play::start(sound.clone(), Fog::None).legal_moves());
    assert_eq!(play.attainable(), Play::start(sound, Fog::None).attainable());
    assert!(play.advance(Step::Node { row: 0, col: 7 }).is_err(), "off the grid");

    map.edges.clear();
    let play = Play::start(map.clone(), Fog::None);
    let stuck = play.advance(play.legal_moves()[0]).unwrap();
    assert!(stuck.is_stuck() && !stuck.is_finished() && stuck.attainable().is_empty());
    let error = stuck.advance(Step::Boss).unwrap_err().to_string();
    assert!(error.ends_with("; no way leads on"), "{error}");

    map.nodes.clear();
    let empty = Play::start(map.clone(), Fog::Rows(0));
    assert!(empty.is_stuck() && empty.attainable().is_empty() && empty.undo().is_none());
    map.boss = None;
    assert!(Play::start(map, Fog::None).is_stuck());
}

proptest! {
    /// Any nodes and edges at all: nothing panics, moves follow edges between nodes that are there, every run ends.
    #[test]
    fn hostile_maps(
        nodes in prop::collection::vec((0u16..5, 0u16..5), 0..20),
        edges in prop::collection::vec((0u16..5, 0u16..5, 0u16..5), 0..40),
        boss: bool,
        choices in prop::collection::vec(any::<u8>(), 8),
    ) {
        let config = WalksConfig { rows: 4, cols: 4, walks: 2, kinds: KindsChoice::None, ..WalksConfig::default() };
        let mut map = map_of(config, 1);
        map.nodes = nodes.iter().map(|&(row, col)| Node { row, col, kind: None }).collect();
        map.edges = edges.iter().map(|&(row, from, to)| Edge { row, from, to }).collect();
        map.boss = boss.then_some(Boss { kind: None });
        let there = |row, col| row < 4 && col < 4 && nodes.contains(&(row, col));
        let mut play = Play::start(map, Fog::Rows(1));
        for choice in choices {
            let attainable = play.attainable();
            let legal = play.legal_moves();
            for &step in &legal {
                prop_assert!(attainable.contains(&step));
                match (play.current(), step) {
                    (None, Step::Node { row, col }) => prop_assert!(row == 0 && there(row, col)),
                    (Some(Step::Node { row: low, col: from }), Step::Node { row, col }) => {
                        prop_assert!(row == low + 1 && there(row, col) && edges.contains(&(low, from, col)));
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

    /// Any bytes: an error or a save, never a panic.
    #[test]
    fn any_bytes_decode_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Progress::decode(&bytes);
    }
}

/// `docs/schema/progress.schema.json`; written anew with `WAYFORGE_REFRESH=1 cargo test -p wayforge --features schema`.
#[cfg(feature = "schema")]
#[test]
fn committed_schema_is_the_generated_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/progress.schema.json");
    let generated = serde_json::to_string_pretty(&act::progress_schema()).unwrap() + "\n";
    #[allow(clippy::disallowed_methods)] // The wall is around the library, not its tests.
    {
        if std::env::var_os("WAYFORGE_REFRESH").is_some() {
            std::fs::write(path, &generated).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), generated, "see the comment above");
    }
}

fn serde_json_pretty(text: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}
