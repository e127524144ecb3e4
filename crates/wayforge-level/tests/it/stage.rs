//! Stages of the specification: wall densities, solid mazes, separation, field names.

use serde_json::{Value, json};
use wayforge_core::Seed;
use wayforge_core::grid::{Dir, Pos, Size};
use wayforge_level::{self as level, Level, Symbol, rules, validate};

fn spec(stage: Value) -> level::Spec {
    level::Config::from_json(stage.to_string().as_bytes()).unwrap().resolve().unwrap()
}

/// Calls `visit` with the levels of many seeds, all of which must be valid.
fn for_each_level(spec: &level::Spec, seeds: u64, mut visit: impl FnMut(&Level)) {
    let mut generator = level::Generator::new(spec);
    for seed in 0..seeds {
        let level = generator.generate(Seed::new(seed)).unwrap();
        let report = validate(level);
        assert!(report.is_valid(), "seed {seed}: {:?}\n{}", report.violations, level.blueprint);
        visit(level);
    }
}

fn config_error(stage: Value) -> String {
    let config = level::Config::from_json(stage.to_string().as_bytes());
    config
        .map_err(|error| error.to_string())
        .and_then(|config| config.resolve().map_err(|error| error.to_string()))
        .unwrap_err()
}

#[test]
fn sparse_density_is_a_share_of_the_eligible_cells() {
    let eight = [Dir::NorthWest, Dir::North, Dir::NorthEast, Dir::West];
    let four = [Dir::North, Dir::West];
    for (walls, earlier, density) in [
        ("sparse_moore", &eight[..], 0.10),
        ("sparse_ortho", &four, 0.10),
        ("sparse_moore.10%", &eight, 0.10),
        ("sparse_moore.25%", &eight, 0.25),
        ("sparse_ortho.30%", &four, 0.30),
        ("sparse_ortho.50%", &four, 0.50),
        ("sparse_moore.100%", &eight, 1.0),
        ("sparse_ortho.100%", &four, 1.0),
        ("sparse_ortho.0%", &four, 0.0),
    ] {
        let (mut tried, mut built) = (0_u32, 0_u32);
        for_each_level(&spec(json!({ "walls": walls })), 100, |level| {
            let size = level.blueprint.size();
            let is = |pos: Pos, symbol| level.blueprint.get(pos) == symbol;
            let interior =
                (2..size.height - 2).flat_map(|y| (2..size.width - 2).map(move |x| Pos { x, y }));
            for pos in interior.filter(|pos| !level.blueprint.get(*pos).is_candidate()) {
                let near = |dirs: &[Dir], symbol| {
                    dirs.iter().any(|dir| is(pos.step(*dir, size).unwrap(), symbol))
                };
                if !near(&Dir::ALL, Symbol::Exit) && !near(earlier, Symbol::Wall) {
                    tried += 1;
                    built += u32::from(is(pos, Symbol::Wall));
                }
            }
        });
        let found = f64::from(built) / f64::from(tried);
        assert!((found - density).abs() < 0.01, "{walls}: {found} of {tried} tried cells");
    }
    for walls in ["sparse_moore.101%", "sparse_ortho.200%", "sparse_moore.-1%"] {
        assert!(config_error(json!({ "walls": walls })).contains("0 to 100"), "{walls}");
    }
}

#[test]
fn mazes_and_caves_are_solid_by_default() {
    let broken = |level: &Level| {
        level.witness.iter().flat_map(|witness| level.broken_walls(witness)).count()
    };
    for walls in ["maze", "caves"] {
        for fuel in ["fuel_can", "refuel_chain", "start_full"] {
            let solid = spec(json!({ "walls": walls, "fuel": fuel }));
            assert_eq!(serde_json::to_value(solid.config()).unwrap()["interior_walls"], "solid");
            let mut attempts = 0;
            for_each_level(&solid, 100, |level| {
                assert_eq!(broken(level), 0, "{}", level.blueprint);
                attempts += level.attempt.index;
            });
            assert!(attempts <= 2, "{walls}: {attempts} attempts were rejected");
        }
        let breakable = spec(json!({ "walls": walls, "interior_walls": "breakable" }));
        let mut levels = 0;
        for_each_level(&breakable, 100, |level| levels += u32::from(broken(level) > 0));
        assert!(levels > 90, "{walls}: {levels}");
    }
    for walls in ["default", "empty", "grid_wire", "sparse_moore", "sparse_ortho"] {
        let config = spec(json!({ "walls": walls })).config().clone();
        assert_eq!(serde_json::to_value(config).unwrap()["interior_walls"], "breakable", "{walls}");
    }
}

#[test]
fn documents_list_broken_walls() {
    let mut routes = 0;
    for_each_level(&spec(json!({"walls": "grid_wire"})), 100, |level| {
        let map: Value = serde_json::from_str(&level.to_document().map).unwrap();
        for (witness, written) in level.witness.iter().zip(map["witness"].as_array().unwrap()) {
            let mut walls: Vec<Pos> = Vec::new();
            for &pos in
                witness.route.iter().filter(|pos| level.blueprint.get(**pos) == Symbol::Wall)
            {
                if !walls.contains(&pos) {
                    walls.push(pos);
                }
            }
            assert_eq!(written["breaks"], json!(walls));
            routes += usize::from(!walls.is_empty());
        }
    });
    assert!(routes > 50, "{routes}");
}

/// Minimum Chebyshev distance between player, car and fuel candidates of different symbols.
fn smallest_separation(level: &Level) -> u16 {
    let kinds = [Symbol::Player, Symbol::Car, Symbol::EmptyCan, Symbol::Fuel];
    let cells = |symbol| level.blueprint.find(symbol).map(move |pos| (symbol, pos));
    let cells: Vec<_> = kinds.into_iter().flat_map(cells).collect();
    let pairs = cells.iter().flat_map(|a| cells.iter().map(move |b| (a, b)));
    let apart = pairs.filter(|(a, b)| a.0 != b.0).map(|(a, b)| {
        let (dx, dy) = (a.1.x.abs_diff(b.1.x), a.1.y.abs_diff(b.1.y));
        dx.max(dy)
    });
    apart.min().unwrap()
}

#[test]
fn candidates_respect_the_separation() {
    for (stage, steps) in [
        (json!({}), 8),
        (json!({"fuel": "refuel_chain"}), 8),
        (json!({"fuel": "refuel_chain", "players": 3, "cars": 2, "fuel_spots": 3}), 6),
        (json!({"width": 20, "height": 20}), 5),
        (json!({"width": 12, "height": 10}), 2),
        (json!({"width": 9, "height": 7}), 1),
        (json!({"min_separation": 15}), 15),
        (json!({"min_separation": 1}), 1),
    ] {
        let spec = spec(stage.clone());
        assert_eq!(spec.min_separation(), steps, "{stage}");
        for_each_level(&spec, 300, |level| {
            assert!(smallest_separation(level) >= steps, "{stage}\n{}", level.blueprint)
        });
    }
}

#[test]
fn rejects_separations_that_do_not_fit() {
    assert_eq!(
        config_error(json!({"width": 20, "height": 12, "min_separation": 16})),
        "min_separation = 16: out of range; use 1 to 6; values up to 3 work for every seed"
    );
    assert!(
        config_error(json!({"min_separation": 0}))
            .contains("use 1 to 23; values up to 11 work for every seed")
    );
    assert!(
        config_error(json!({"min_separation": 30}))
            .contains("use 1 to 23; values up to 11 work for every seed")
    );
    let tight = json!({"min_separation": 23, "attempts": 1});
    let error = (0..100)
        .find_map(|seed| level::generate(Seed::new(seed), &spec(tight.clone())).err())
        .unwrap();
    assert!(error.attempts.iter().all(|attempt| attempt.violation.rule == rules::SEPARATION));
    let text = error.to_string();
    assert!(text.contains("min_separation = 23: no free cell"), "{text}");
    assert!(text.contains("values up to 11 work for every seed"), "{text}");
    // Both values of the message are correct: 23 works for some seeds, 11 for all.
    let wide = spec(json!({"min_separation": 23}));
    assert!((0..20).any(|seed| level::generate(Seed::new(seed), &wide).is_ok()));
    let certain =
        spec(json!({"min_separation": 11, "attempts": 1, "walls": "empty", "repair": false}));
    for_each_level(&certain, 300, |level| assert!(smallest_separation(level) >= 11));
}

/// Returns true if `count` cells with pairwise distances of at least `steps` fit into a box, by
/// exhaustive search.
fn fit_apart(width: u16, height: u16, count: usize, steps: u16, chosen: &mut Vec<Pos>) -> bool {
    if chosen.len() == count {
        return true;
    }
    for pos in Size::new(width, height).iter() {
        if chosen.iter().all(|other| pos.x.abs_diff(other.x).max(pos.y.abs_diff(other.y)) >= steps)
        {
            chosen.push(pos);
            if fit_apart(width, height, count, steps, chosen) {
                return true;
            }
            chosen.pop();
        }
    }
    false
}

#[test]
fn largest_separation_agrees_with_exhaustive_search() {
    for (width, height) in [(10, 7), (12, 7), (10, 10), (13, 9), (16, 9), (9, 16), (14, 13)] {
        for (fuel, count) in [("start_full", 2), ("fuel_can", 3), ("refuel_chain", 4)] {
            let fits =
                |steps: &u16| fit_apart(width - 6, height - 6, count, *steps, &mut Vec::new());
            let largest = (1..30).rev().find(fits).unwrap_or(1);
            let error = config_error(
                json!({"width": width, "height": height, "fuel": fuel, "min_separation": 99}),
            );
            assert!(
                error.contains(&format!("use 1 to {largest};")),
                "{width} x {height}, {fuel}: {error}"
            );
        }
    }
}

#[test]
fn candidates_are_separated_from_pinned_ones() {
    let mut pins = vec!["?".repeat(30); 20];
    pins[9].replace_range(9..12, "P?C");
    let stage = json!({"width": 30, "height": 20, "pins": pins});
    let spec = spec(stage);
    for_each_level(&spec, 100, |level| {
        let fuel = level.blueprint.find(Symbol::Fuel).next().unwrap();
        for fixed in [Pos::new(9, 9), Pos::new(11, 9)] {
            let steps = fuel.x.abs_diff(fixed.x).max(fuel.y.abs_diff(fixed.y));
            assert!(steps >= spec.min_separation(), "{fuel}");
        }
    });
    // The validator measures independently.
    let mut level = level::generate(Seed::new(3), &spec).unwrap();
    let fuel = level.blueprint.find(Symbol::Fuel).next().unwrap();
    level.blueprint.set(fuel, Symbol::Floor);
    level.blueprint.set(Pos::new(12, 9), Symbol::Fuel);
    assert!(!validate(&level).passes(rules::SEPARATION));
}

#[test]
fn field_names_follow_the_specification() {
    let stage = json!({
        "fuel": "REFUEL_CHAIN", "plants": 9, "moving_floors": 5, "marks": [{"name": "key"}],
        "fall_spawn_zones": [{"x": 4, "y": 4, "width": 5, "height": 3}],
        "fall_spawn_floor_ratio": 0.05,
    });
    let spec = spec(stage);
    let config = serde_json::to_value(spec.config()).unwrap();
    assert_eq!(config["fall_spawn_floor_ratio"], json!(0.05));
    for_each_level(&spec, 50, |level| {
        let map: Value = serde_json::from_str(&level.to_document().map).unwrap();
        let has = |layer: &str, pos: Pos| {
            map[layer][usize::from(pos.y)].as_str().unwrap().as_bytes()[usize::from(pos.x)] == b'#'
        };
        for pos in level.blueprint.size().iter() {
            let symbol = level.blueprint.get(pos);
            let free = symbol == Symbol::Floor && !level.tags.marks[0].contains(&pos);
            assert_eq!(has("fall_spawn_cells", pos), level.tags.fall_spawn_cells.contains(pos));
            assert_eq!(has("car_walkable_cells", pos), level.car_walkable_cells.contains(pos));
            assert_eq!(has("car_spawn_cells", pos), level.car_walkable_cells.contains(pos) && free);
            assert_eq!(has("car_spawn_cells", pos), level.car_spawn_cells().contains(pos));
        }
    });
    for (ratio, problem) in
        [(json!(1.01), "0 to 1"), (json!(-0.1), "0 to 1"), (json!("5%"), "fall_spawn_floor_ratio")]
    {
        let error = config_error(json!({ "fall_spawn_floor_ratio": ratio }));
        assert!(error.contains(problem), "{error}");
    }
    for (ratio, written) in
        [("0.0", "0"), ("1.0", "1"), ("0.0081", "0.0081"), ("0.008100001", "0.0081")]
    {
        let config = level::Config::from_json(
            format!(r#"{{"fall_spawn_floor_ratio": {ratio}}}"#).as_bytes(),
        )
        .unwrap();
        assert_eq!(serde_json::to_string(&config.fall_spawn_floor_ratio).unwrap(), written);
    }
}
