//! Generation and search traces: replaying the recorded events gives the generated map.

use wayforge::Seed;
use wayforge::act::{
    self, Cell, Count, KindsChoice, KindsConfig, Pin, Replay, RowsConfig, SpireConfig, WalksConfig,
};
use wayforge::floor;
use wayforge::grid::Pos;
use wayforge::level;
use wayforge::nav::{
    ArchipelagoConfig, Method, Navigator, Preprocessing, Query, SearchEvent, SearchReplay,
    archipelago,
};
use wayforge::tower;
use wayforge::trace::Recorder;

/// Replays the trace of an act map, compares it with the map, and returns the events.
fn replay_act(seed: u64, spec: &act::Spec) -> Vec<act::Event> {
    let mut recorder = Recorder::new(1 << 20);
    let map = act::generate_traced(Seed::new(seed), spec, &mut recorder)
        .expect("the configuration is feasible");
    assert_eq!(recorder.dropped(), 0);
    assert_eq!(map, act::generate(Seed::new(seed), spec).unwrap(), "tracing changes nothing");
    let mut replay = Replay::new(Seed::new(seed), spec);
    for event in recorder.events() {
        replay.apply(event);
    }
    let built = replay.map();
    assert!(replay.walk().is_empty(), "seed {seed}: a walk is unfinished");
    assert_eq!(
        (built.nodes, built.edges, built.emerald),
        (map.nodes, map.edges, map.emerald),
        "seed {seed}"
    );
    let backtracks = recorder
        .events()
        .iter()
        .filter(|event| matches!(event, act::Event::Backtrack { .. }))
        .count() as u64;
    assert!(
        backtracks >= map.attempts.backtracks,
        "seed {seed}: {backtracks} of {:?}",
        map.attempts
    );
    recorder.events().to_vec()
}

#[test]
fn replayed_act_traces_give_the_map() {
    let walks = |config: WalksConfig| act::Config::Walks(config).resolve().unwrap();
    let blocked = (1..7).map(|col| Cell { row: 5, col }).collect();
    let pins = vec![Pin { row: 4, col: 1, kind: None }, Pin { row: 6, col: 5, kind: None }];
    let mut elites = KindsConfig::standard(15);
    elites.kinds[1].route = Count { min: Some(2), max: None };
    let elites = KindsChoice::Custom(Box::new(elites));
    let (mut backtracks, mut discarded) = (0, 0);
    for spec in [
        walks(WalksConfig { kinds: elites, ..WalksConfig::default() }),
        walks(WalksConfig::default()),
        walks(WalksConfig { kinds: KindsChoice::None, ..WalksConfig::default() }),
        walks(WalksConfig { blocked, ..WalksConfig::default() }),
        walks(WalksConfig { pins, ..WalksConfig::default() }),
        act::Config::Rows(RowsConfig::default()).resolve().unwrap(),
        act::Config::Spire(SpireConfig::default()).resolve().unwrap(),
        act::Config::Spire(SpireConfig { emerald: true, ascension: 5, ..SpireConfig::default() })
            .resolve()
            .unwrap(),
        act::Config::Spire(SpireConfig { act: 4, ..SpireConfig::default() }).resolve().unwrap(),
    ] {
        for seed in 0..200 {
            let events = replay_act(seed, &spec);
            backtracks +=
                events.iter().filter(|event| matches!(event, act::Event::Backtrack { .. })).count();
            discarded +=
                events.iter().filter(|event| matches!(event, act::Event::Discard { .. })).count();
        }
    }
    assert!(backtracks > 0, "some walk was stuck");
    assert!(discarded > 0, "some skeleton was discarded");
}

#[test]
fn walks_are_recorded_one_after_another() {
    let spec = act::Config::default().resolve().unwrap();
    let events = replay_act(1, &spec);
    let walks: Vec<u32> = events
        .iter()
        .filter_map(|event| match event {
            act::Event::Step { walk, .. } => Some(*walk),
            _ => None,
        })
        .collect();
    assert!(walks.is_sorted());
    assert_eq!(events.iter().filter(|event| matches!(event, act::Event::Commit { .. })).count(), 6);
}

#[test]
fn replayed_level_traces_give_the_level() {
    let base = level::Config { attempts: 40, ..level::Config::default() };
    let mut repaired = 0;
    for walls in
        ["default", "grid_wire", "sparse_moore.6%", "sparse_ortho.30%", "maze", "caves", "empty"]
    {
        let config: level::Config = serde_json::from_value(serde_json::json!({
            "walls": walls, "interior_walls": "solid", "puddles": 6, "pitfalls": "2%",
            "moving_floors": 5, "reinforced": "20%", "fall_spawn_floor_ratio": 0.05,
            "attempts": base.attempts,
            "marks": [
                { "name": "altar", "count": 2 },
                { "name": "well", "cells": [[5, 5]], "count": 1 },
            ],
        }))
        .expect(walls);
        let spec = config.resolve().expect(walls);
        for seed in 0..20 {
            let mut recorder = Recorder::new(1 << 20);
            let level = level::generate_traced(Seed::new(seed), &spec, &mut recorder).expect(walls);
            assert_eq!(recorder.dropped(), 0);
            assert_eq!(
                level,
                level::generate(Seed::new(seed), &spec).unwrap(),
                "tracing changes nothing"
            );
            let mut replay = level::Replay::new(Seed::new(seed), &spec);
            recorder.events().iter().for_each(|event| replay.apply(event));
            let built = replay.level();
            assert_eq!(built.blueprint, level.blueprint, "{walls}, seed {seed}");
            assert_eq!(
                (&built.tags, &built.witness),
                (&level.tags, &level.witness),
                "{walls}, seed {seed}"
            );
            assert_eq!(built.attempt.repaired, level.attempt.repaired);
            repaired += built.attempt.repaired.len();
        }
    }
    assert!(repaired > 0, "some level was repaired");
}

#[test]
fn walls_are_recorded_segment_by_segment() {
    let spec = level::Config::default().resolve().unwrap();
    let mut recorder = Recorder::new(1 << 20);
    level::generate_traced(Seed::new(1), &spec, &mut recorder).unwrap();
    let groups = recorder.events().iter().filter(|event| **event == level::Event::EndGroup).count();
    assert!(
        (50..=110).contains(&groups),
        "about 80 wall segments and some objects: {groups} groups"
    );
}

#[test]
fn replayed_search_traces_give_the_visited_tiles() {
    let config = ArchipelagoConfig {
        width: 150,
        height: 110,
        land: 45,
        scale: 24,
        ..ArchipelagoConfig::default()
    };
    let grid = archipelago(Seed::new(5), &config.resolve().unwrap());
    let tiles: Vec<Pos> = grid.size().iter().filter(|&pos| grid.is_open(pos)).collect();
    let mut expansions = 0;
    for method in [
        Method::Bfs,
        Method::Restart,
        Method::MaskF1,
        Method::MaskF2,
        Method::MaskOptimal,
        Method::Components,
    ] {
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        for n in 0..40 {
            let ends = [tiles[n * 97 % tiles.len()], tiles[(n * 613 + 50) % tiles.len()]];
            let query = Query::new([ends[0]], [ends[1]]).method(method);
            let mut recorder = Recorder::new(1 << 22);
            let path = navigator.find_traced(&query, &mut recorder).unwrap();
            let visited = navigator.visited();
            assert_eq!(path, navigator.find(&query).unwrap(), "tracing changes nothing");
            let mut replay = SearchReplay::new(&grid);
            let mut inside = true;
            for event in recorder.events() {
                replay.apply(event);
                if let (SearchEvent::Visit(pos), true) = (event, method != Method::Bfs) {
                    inside &= replay.allowed().contains(*pos);
                }
            }
            assert_eq!(*replay.visited(), visited, "{method} {ends:?}");
            assert!(inside, "{method} {ends:?}: a tile outside the mask was visited");
            if let Some(path) = path {
                assert_eq!(replay.expansions(), path.stats.expansions, "{method} {ends:?}");
            }
            expansions += replay.expansions();
        }
    }
    assert!(expansions > 20, "some masks were expanded: {expansions}");
    let query = Query::new([tiles[0]], [tiles[1]]).method(Method::Jps);
    let error =
        Navigator::new(&grid, Preprocessing::None).find_traced(&query, &mut ()).unwrap_err();
    assert!(error.to_string().starts_with("method = jps: "), "{error}");
}

#[test]
fn replayed_floor_traces_give_the_floor() {
    let spec_of =
        |text: &str| floor::Config::from_json(text.as_bytes()).unwrap().resolve().expect(text);
    let mut fallbacks = 0;
    for spec in [
        spec_of("{}"),
        spec_of(
            r#"{"width":12,"height":9,"doorBudget":2,"trapBudget":3,"waterBudget":6,
                "itemBudget":1,"relicBudget":1,"npcBudget":1}"#,
        ),
        spec_of(r#"{"width":20,"height":13,"open":"rooms","carve":"astar","minPathLength":40}"#),
        spec_of(r#"{"attempts":0,"doorBudget":1}"#),
        spec_of(r#"{"templateId":"shop"}"#),
    ] {
        for seed in 0..60 {
            let mut recorder = Recorder::new(1 << 20);
            let floor = floor::generate_traced(Seed::new(seed), &spec, &mut recorder).unwrap();
            assert_eq!(
                floor,
                floor::generate(Seed::new(seed), &spec).unwrap(),
                "tracing changes nothing"
            );
            let mut replay = floor::Replay::new(Seed::new(seed), &spec);
            recorder.events().iter().for_each(|event| replay.apply(event));
            let built = replay.floor();
            // Traces omit the entity properties that a template sets.
            let positions = |floor: &floor::Floor| {
                floor.entities.iter().map(|e| (e.kind, e.pos)).collect::<Vec<_>>()
            };
            assert_eq!(
                (&built.tiles, positions(built)),
                (&floor.tiles, positions(&floor)),
                "seed {seed}"
            );
            assert_eq!((built.entrance, built.exit), (floor.entrance, floor.exit), "seed {seed}");
            fallbacks +=
                recorder.events().iter().filter(|event| **event == floor::Event::Fallback).count();
        }
    }
    assert!(fallbacks >= 60, "fallback layouts are traced");
}

#[test]
fn tower_traces_contain_every_floor_in_order() {
    let config = tower::Config { floors: 12, ..tower::Config::default() };
    let spec = config.resolve().unwrap();
    for seed in 0..40 {
        let mut recorder = Recorder::new(1_000_000);
        let tower = tower::generate_traced(Seed::new(seed), &spec, &mut recorder).unwrap();
        assert_eq!(
            tower,
            tower::generate(Seed::new(seed), &spec).unwrap(),
            "tracing changes nothing"
        );
        assert!(recorder.events().is_sorted_by_key(|event| event.floor));
        for (n, floor) in tower.floors.iter().enumerate() {
            let mut replay = floor::Replay::new(floor.seed.clone(), &floor.spec);
            let events = recorder.events().iter().filter(|event| event.floor as usize == n);
            events.for_each(|event| replay.apply(&event.event));
            assert_eq!(replay.floor().tiles, floor.tiles, "seed {seed}, floor {n}");
            assert_eq!(
                replay.floor().entities.len(),
                floor.entities.len(),
                "seed {seed}, floor {n}"
            );
        }
    }
}
