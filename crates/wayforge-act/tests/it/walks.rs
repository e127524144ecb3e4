//! The walks ruleset: postconditions, backtracking, restarts and look-ahead.

use proptest::prelude::*;
use wayforge_act::{self as act, Cell, KindsChoice, Pin, WalksConfig};
use wayforge_core::Seed;

fn skeleton_only(config: WalksConfig) -> WalksConfig {
    WalksConfig { kinds: KindsChoice::None, ..config }
}

fn cell(row: i64, col: i64) -> Cell {
    Cell { row, col }
}

/// Checks the specification's postconditions and the structure of a map, without the validator.
fn assert_postconditions(map: &wayforge_act::ActMap, config: &WalksConfig) {
    let (rows, cols) = (config.rows as usize, config.cols as u16);
    assert_eq!(map.walks.len() as i64, config.walks);
    let walks: Vec<&[u16]> = map.walks.iter().collect();
    assert!(walks.len() < 2 || walks[0][0] != walks[1][0], "start diversity");
    let mut nodes: Vec<(u16, u16)> = Vec::new();
    let mut edges: Vec<(u16, u16, u16)> = Vec::new();
    for walk in &walks {
        assert_eq!(walk.len(), rows, "each walk passes every row");
        for (row, &col) in (0..).zip(*walk) {
            assert!(col < cols);
            nodes.push((row, col));
        }
        for (row, step) in (0..).zip(walk.windows(2)) {
            let mut by_distance: Vec<u16> = (0..cols).map(|col| col.abs_diff(step[0])).collect();
            by_distance.sort_unstable();
            let furthest = by_distance[(config.nearest as usize).min(cols.into()) - 1];
            assert!(step[0].abs_diff(step[1]) <= furthest, "nearest honoured");
            edges.push((row, step[0], step[1]));
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    edges.sort_unstable();
    edges.dedup();
    assert_eq!(
        map.nodes.iter().map(|n| (n.row, n.col)).collect::<Vec<_>>(),
        nodes,
        "pruned to the walks"
    );
    assert_eq!(
        map.edges.iter().map(|e| (e.row, e.from, e.to)).collect::<Vec<_>>(),
        edges,
        "pruned to the walks"
    );
    for a in &edges {
        for b in edges.iter().filter(|b| b.0 == a.0) {
            assert!(!(a.1 < b.1 && a.2 > b.2), "{a:?} crosses {b:?}");
        }
    }
    for cell in &config.blocked {
        assert!(!nodes.contains(&(cell.row as u16, cell.col as u16)), "blocked");
    }
    for pin in &config.pins {
        assert!(nodes.contains(&(pin.row as u16, pin.col as u16)), "pinned");
    }
}

fn configs() -> impl Strategy<Value = WalksConfig> {
    (1_i64..=30, 1_i64..=12, 1_i64..=12, 1_i64..=6, 0_i64..=8, 0_i64..=3, 0_u32..=25).prop_perturb(
        |(rows, cols, walks, nearest, depth, restarts, percent), mut rng| {
            let mut blocked = Vec::new();
            let mut pins = Vec::new();
            for row in 0..rows {
                for col in 0..cols {
                    match rng.next_u32() % 100 {
                        n if n < percent => blocked.push(cell(row, col)),
                        n if n >= 97 => pins.push(Pin { row, col, kind: None }),
                        _ => {}
                    }
                }
            }
            skeleton_only(WalksConfig {
                rows,
                cols,
                walks,
                nearest,
                depth,
                restarts,
                blocked,
                pins,
                ..Default::default()
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        max_global_rejects: 40_000,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn every_resolved_configuration_generates_a_valid_map(config in configs(), seed: u64) {
        let spec = act::Config::Walks(config.clone()).resolve();
        prop_assume!(spec.is_ok());
        let map = act::generate(Seed::new(seed), &spec.unwrap()).unwrap();
        assert_postconditions(&map, &config);
        let report = act::validate(&map);
        prop_assert!(report.is_valid(), "{:?}", report.violations);
    }

    /// Pins copied from an existing map are satisfiable with every seed.
    #[test]
    fn pins_copied_from_a_map_are_satisfiable(
        rows in 1_i64..=20,
        cols in 2_i64..=9,
        walks in 2_i64..=8,
        seed: u64,
        share in 1_u32..=100,
    ) {
        let config = skeleton_only(WalksConfig { rows, cols, walks, ..Default::default() });
        let spec = act::Config::Walks(config.clone()).resolve().unwrap();
        let map = act::generate(Seed::new(seed), &spec).unwrap();
        let mut rng = wayforge_core::MapRng::from_u64(seed);
        let pins = map.nodes.iter().filter(|_| rng.chance(share, 100));
        let pins = pins.map(|n| Pin { row: n.row.into(), col: n.col.into(), kind: None }).collect();
        let pinned = WalksConfig { pins, ..config };
        let spec = act::Config::Walks(pinned.clone()).resolve();
        prop_assert!(spec.is_ok(), "{:?}", spec);
        let map = act::generate(Seed::new(seed ^ 1), &spec.unwrap()).unwrap();
        assert_postconditions(&map, &pinned);
    }
}

#[test]
fn postconditions_hold_on_all_small_grids() {
    for rows in 1..=6 {
        for cols in 1..=5 {
            for walks in 1..=4 {
                for nearest in 1..=4 {
                    let config = skeleton_only(WalksConfig {
                        rows,
                        cols,
                        walks,
                        nearest,
                        ..Default::default()
                    });
                    let resolved = act::Config::Walks(config.clone()).resolve();
                    if cols == 1 && walks > 1 {
                        assert_eq!(resolved.unwrap_err().field, "cols");
                        continue;
                    }
                    let mut generator = act::Generator::new(&resolved.unwrap());
                    for seed in 0..50 {
                        assert_postconditions(
                            generator.generate(Seed::new(seed)).unwrap(),
                            &config,
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn three_nearest_columns_never_get_stuck_on_an_unrestricted_grid() {
    let mut generator = act::Generator::new(&act::Config::default().resolve().unwrap());
    for seed in 0..5_000 {
        let attempts = generator.generate(Seed::new(seed)).unwrap().attempts;
        assert_eq!((attempts.backtracks, attempts.restarts, attempts.guided), (0, 0, 0));
    }
}

/// Blocks all cells of a row but one. Walks that arrive elsewhere must backtrack or restart.
fn funnel(row: i64, open: i64, cols: i64) -> Vec<Cell> {
    (0..cols).filter(|&col| col != open).map(|col| cell(row, col)).collect()
}

#[test]
fn backtracking_completes_stuck_walks() {
    let config = skeleton_only(WalksConfig { blocked: funnel(6, 3, 7), ..Default::default() });
    let mut generator = act::Generator::new(&act::Config::Walks(config.clone()).resolve().unwrap());
    let mut completed = 0;
    for seed in 0..500 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        assert_postconditions(map, &config);
        completed += u32::from(map.attempts.backtracks > 0 && map.attempts.restarts == 0);
    }
    assert!(completed > 100, "only {completed} of 500 maps were completed by backtracking alone");
}

#[test]
fn straight_walks_restart_at_blocked_cells() {
    // With one nearest column, a walk climbs straight and cannot pass a blocked cell.
    let blocked = vec![cell(9, 0), cell(9, 1), cell(9, 2), cell(9, 5)];
    let config = skeleton_only(WalksConfig { nearest: 1, blocked, ..Default::default() });
    let mut generator = act::Generator::new(&act::Config::Walks(config.clone()).resolve().unwrap());
    let mut restarted = 0;
    for seed in 0..200 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        assert_postconditions(map, &config);
        restarted += u32::from(map.attempts.restarts > 0);
    }
    assert!(restarted > 150, "{restarted}");
}

#[test]
fn ties_between_two_nearest_columns_require_backtracking() {
    // The drawn side of a tie may be crossed or blocked although the other is free.
    let blocked =
        (0..15).step_by(2).flat_map(|row| [1, 2, 4, 5].map(|col| cell(row, col))).collect();
    let config = skeleton_only(WalksConfig { nearest: 2, blocked, ..Default::default() });
    let mut generator = act::Generator::new(&act::Config::Walks(config.clone()).resolve().unwrap());
    let mut backtracks = 0;
    for seed in 0..200 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        assert_postconditions(map, &config);
        backtracks += map.attempts.backtracks;
    }
    assert!(backtracks > 50, "{backtracks}");
}

#[test]
fn depth_limits_backtracking() {
    // With depth 0 walks never backtrack; with a large depth they never restart.
    let run = |depth| {
        let config =
            skeleton_only(WalksConfig { depth, blocked: funnel(12, 0, 7), ..Default::default() });
        let mut generator =
            act::Generator::new(&act::Config::Walks(config.clone()).resolve().unwrap());
        let mut total = [0; 3];
        for seed in 0..200 {
            let map = generator.generate(Seed::new(seed)).unwrap();
            assert_postconditions(map, &config);
            let a = map.attempts;
            total = [total[0] + a.backtracks, total[1] + a.restarts, total[2] + a.guided];
        }
        total
    };
    let (none, deep) = (run(0), run(15));
    assert_eq!(none[0], 0, "no backtracking with depth 0");
    assert!(none[1] > 500 && none[2] > 0, "{none:?}");
    assert!(deep[0] > 500 && deep[1] == 0 && deep[2] == 0, "{deep:?}");
}

#[test]
fn uses_look_ahead_after_the_last_restart() {
    let config = skeleton_only(WalksConfig {
        cols: 64,
        rows: 8,
        restarts: 2,
        depth: 2,
        blocked: funnel(7, 0, 64),
        ..Default::default()
    });
    let mut generator = act::Generator::new(&act::Config::Walks(config.clone()).resolve().unwrap());
    for seed in 0..100 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        assert_postconditions(map, &config);
        assert!(map.attempts.restarts <= 6 * 2);
        assert!(map.attempts.guided > 0);
    }
}

#[test]
fn rejects_invalid_values_and_names_the_field() {
    let error = |config: WalksConfig| act::Config::Walks(config).resolve().unwrap_err();
    let base = || skeleton_only(WalksConfig::default());
    for (field, config) in [
        ("rows", WalksConfig { rows: 0, ..base() }),
        ("rows", WalksConfig { rows: i64::MAX, ..base() }),
        ("cols", WalksConfig { cols: 65, ..base() }),
        ("cols", WalksConfig { cols: 1, ..base() }),
        ("walks", WalksConfig { walks: -1, ..base() }),
        ("nearest", WalksConfig { nearest: 0, ..base() }),
        ("depth", WalksConfig { depth: -6, ..base() }),
        ("restarts", WalksConfig { restarts: 1_000_000, ..base() }),
        ("blocked[0].row", WalksConfig { blocked: vec![cell(15, 0)], ..base() }),
        ("blocked[1].col", WalksConfig { blocked: vec![cell(0, 0), cell(0, 7)], ..base() }),
        ("pins[0].row", WalksConfig { pins: vec![Pin { row: -1, col: 0, kind: None }], ..base() }),
        (
            "pins[0].kind",
            WalksConfig { pins: vec![Pin { row: 1, col: 0, kind: Some("shop".into()) }], ..base() },
        ),
    ] {
        assert_eq!(error(config).field, field);
    }
}

#[test]
fn rejects_blocked_rows_and_names_the_row() {
    let error = |blocked| {
        let config = skeleton_only(WalksConfig { blocked, ..Default::default() });
        act::Config::Walks(config).resolve().unwrap_err().to_string()
    };
    let wall = (0..7).map(|col| cell(4, col)).collect();
    assert_eq!(
        error(wall),
        "blocked = 7 cells of row 4: no walk can step onto row 4; \
         open a cell of row 4 that is one step from a reachable cell"
    );
    // Two partial walls whose openings are too far apart.
    let slanted = (0..5).map(|col| cell(4, col)).chain((2..7).map(|col| cell(5, col))).collect();
    assert!(error(slanted).contains("no walk can step onto row 5"));
    let one_start = (1..7).map(|col| cell(0, col)).collect();
    assert!(error(one_start).contains("only one start leads to the top"));
}

#[test]
fn rejects_pins_that_need_too_many_walks() {
    let pins = |cols: &[i64]| cols.iter().map(|&col| Pin { row: 7, col, kind: None }).collect();
    let config = |walks, cols: &[i64]| {
        act::Config::Walks(skeleton_only(WalksConfig {
            walks,
            pins: pins(cols),
            ..Default::default()
        }))
        .resolve()
    };
    assert!(config(4, &[0, 2, 4, 6]).is_ok());
    let error = config(3, &[0, 2, 4, 6]).unwrap_err();
    assert_eq!(error.field, "pins");
    assert!(error.to_string().contains("4 walks are needed"), "{error}");
}

#[test]
fn kinds_do_not_change_the_skeleton() {
    let with = act::Config::default().resolve().unwrap();
    let without = act::Config::Walks(skeleton_only(WalksConfig::default())).resolve().unwrap();
    for seed in 0..200 {
        let (a, b) = (
            act::generate(Seed::new(seed), &with).unwrap(),
            act::generate(Seed::new(seed), &without).unwrap(),
        );
        assert_eq!((&a.walks, &a.edges), (&b.walks, &b.edges));
        assert!(b.nodes.iter().all(|node| node.kind.is_none()));
        assert_eq!(act::Generator::new(&with).skeleton(Seed::new(seed)).nodes, b.nodes);
    }
}

#[test]
fn starts_and_steps_are_uniform() {
    // 6,000 starts over seven columns: expected 857 each, standard deviation 27.
    let mut generator = act::Generator::new(
        &act::Config::Walks(skeleton_only(WalksConfig::default())).resolve().unwrap(),
    );
    let (mut first, mut second) = ([0_i32; 7], [0_i32; 7]);
    let (mut steps, mut offset) = ([0_i32; 3], 0_i32);
    for seed in 0..6_000 {
        let map = generator.generate(Seed::new(seed)).unwrap();
        first[usize::from(map.walks.get(0)[0])] += 1;
        second[usize::from(map.walks.get(1)[0])] += 1;
        let walk = map.walks.get(0);
        if let [3, next, ..] = *walk {
            steps[usize::from(next - 2)] += 1;
        }
        offset += map.nodes.iter().map(|n| i32::from(n.col) - 3).sum::<i32>();
    }
    assert!(first.iter().chain(&second).all(|n| (n - 857).abs() < 150), "{first:?} {second:?}");
    let mean = steps.iter().sum::<i32>() / 3;
    assert!(steps.iter().all(|n| (n - mean).abs() < 100), "{steps:?}");
    // The mean column of about 350,000 nodes is the middle one.
    assert!(offset.abs() < 20_000, "{offset}");
}
