//! Validation of levels: damaged levels and drawings violate exactly the expected rules.

use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{Report, Rule, Seed};
use wayforge_level::{
    self as level, Blueprint, Level, Purpose, SoftLock, Symbol, Witness, attempt_seed, rules,
    soft_locks, validate, validate_drawing,
};

/// A stage of 13 x 9 with one exit and additional fields.
fn stage(more: &str) -> level::Config {
    let text = format!(r#"{{"width": 13, "height": 9, "exits": ["top"]{more}}}"#);
    level::Config::from_json(text.as_bytes()).unwrap()
}

const BASE: [&str; 9] = [
    "OOOOOOOOOOOOO",
    "OBBBBBEBBBBBO",
    "OB.........BO",
    "OB.P...f...BO",
    "OB.........BO",
    "OB.....C...BO",
    "OB.........BO",
    "OBBBBBBBBBBBO",
    "OOOOOOOOOOOOO",
];

/// The base drawing with some cells replaced.
fn with(cells: &[(u16, u16, char)]) -> Vec<String> {
    let mut rows: Vec<Vec<char>> = BASE.iter().map(|row| row.chars().collect()).collect();
    for &(x, y, c) in cells {
        rows[usize::from(y)][usize::from(x)] = c;
    }
    rows.into_iter().map(|row| row.into_iter().collect()).collect()
}

/// Returns the level of a drawing with witness routes, as if generated: generates it with every
/// cell pinned, then removes the pins.
#[track_caller]
fn drawn(more: &str, rows: &[String]) -> Level {
    let config = stage(more);
    let none = level::Config::default();
    let pinned = level::Config {
        pins: rows.to_vec(),
        pitfalls: none.pitfalls,
        plants: none.plants,
        puddles: none.puddles,
        moving_floors: none.moving_floors,
        repair: false,
        ..config.clone()
    };
    let mut level = level::generate(Seed::new(0), &pinned.resolve().unwrap()).unwrap();
    level.spec = config.resolve().unwrap();
    level
}

/// Returns the rules that a report lists as violated, each once.
fn violated_rules(report: &Report) -> Vec<Rule> {
    let mut rules: Vec<Rule> = report.violations.iter().map(|v| v.rule).collect();
    rules.dedup();
    rules
}

/// Returns the rules that a level violates.
fn violations_of(level: &Level) -> Vec<Rule> {
    violated_rules(&validate(level))
}

/// Checks that a drawing violates exactly these rules.
#[track_caller]
fn expect_drawing_violations(more: &str, cells: &[(u16, u16, char)], expected: &[Rule]) {
    let level = drawn(more, &with(cells));
    assert_eq!(
        violations_of(&level),
        expected,
        "{:#?}\n{}",
        validate(&level).violations,
        level.blueprint
    );
}

/// Checks that a damaged level violates exactly these rules.
#[track_caller]
fn expect_violations(more: &str, damage: impl FnOnce(&mut Level), expected: &[Rule]) {
    let mut level = drawn(more, &with(&[]));
    assert_eq!(violations_of(&level), [], "{:#?}", validate(&level).violations);
    damage(&mut level);
    assert_eq!(
        violations_of(&level),
        expected,
        "{:#?}\n{}",
        validate(&level).violations,
        level.blueprint
    );
}

fn put(x: u16, y: u16, symbol: Symbol) -> impl FnOnce(&mut Level) {
    move |level| level.blueprint.set(Pos::new(x, y), symbol)
}

#[test]
fn every_rule_is_checked_once() {
    let all =
        drawn(r#", "objectives": [{"steps": ["P", "E"]}], "soft_locks": "forbidden""#, &with(&[]));
    let mut names: Vec<&str> = validate(&all).rules.iter().map(|rule| rule.0).collect();
    assert_eq!(names.len(), 24);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 24);
}

#[test]
fn checks_rings_and_exits() {
    expect_drawing_violations("", &[], &[]);
    expect_violations("", put(0, 0, Symbol::Floor), &[rules::OUTSIDE_RING]);
    expect_violations("", put(12, 5, Symbol::Band), &[rules::OUTSIDE_RING]);
    expect_violations("", put(2, 2, Symbol::Outside), &[rules::OUTSIDE_RING, rules::CAR_WALKABLE]);
    expect_violations("", put(1, 1, Symbol::Floor), &[rules::OUTER_BAND]);
    expect_violations("", put(2, 2, Symbol::Band), &[rules::OUTER_BAND, rules::CAR_WALKABLE]);
    expect_violations("", put(1, 1, Symbol::Exit), &[rules::EXITS]);
    expect_violations("", put(8, 1, Symbol::Exit), &[rules::EXITS, rules::CAR_WALKABLE]);
    expect_violations(
        "",
        put(6, 7, Symbol::Exit),
        &[rules::EXITS, rules::CAR_WALKABLE, rules::WITNESS_SHORTEST],
    );
    expect_violations("", put(2, 5, Symbol::Exit), &[rules::EXITS]);
    expect_violations(
        "",
        put(6, 1, Symbol::Band),
        &[
            rules::EXITS,
            rules::CAR_CONNECTIVITY,
            rules::CONNECTIVITY,
            rules::CAR_WALKABLE,
            rules::WITNESS,
        ],
    );
    // Next to a corner: allowed for pins and drawings, but not for the generator.
    let beside = [(6, 1, 'B'), (2, 1, 'E')];
    expect_drawing_violations("", &beside, &[rules::EXITS]);
    let drawing = Blueprint::from_rows(&with(&beside)).unwrap();
    assert_eq!(violated_rules(&validate_drawing(&stage("").resolve().unwrap(), &drawing)), []);
    let pinned = level::Config { pins: with(&beside), ..stage("") };
    let level = level::generate(Seed::new(0), &pinned.resolve().unwrap()).unwrap();
    assert_eq!(violations_of(&level), []);
}

#[test]
fn checks_candidate_counts_and_margin() {
    expect_violations("", put(4, 4, Symbol::Flashlight), &[rules::CANDIDATE_COUNTS]);
    expect_violations(
        r#", "players": 1"#,
        put(4, 4, Symbol::Player),
        &[rules::CANDIDATE_COUNTS, rules::WITNESS],
    );
    expect_drawing_violations("", &[(2, 3, 'P'), (3, 3, '.')], &[rules::CANDIDATE_MARGIN]);
    expect_drawing_violations("", &[(7, 2, 'f'), (7, 3, '.')], &[rules::CANDIDATE_MARGIN]);
    // Three cells have the margin on 9 x 7: only the last candidate in order may be closer.
    let small = |middle: &str, outer: &str| {
        let config = level::Config { width: 9, height: 7, flashlights: 1, ..stage("") };
        let rows: Vec<String> =
            ["OOOOOOOOO", "OBBBEBBBO", "OB.....BO", middle, outer, "OBBBBBBBO", "OOOOOOOOO"]
                .map(str::to_owned)
                .to_vec();
        let pinned = level::Config { pins: rows, ..config.clone() };
        let mut level = level::generate(Seed::new(0), &pinned.resolve().unwrap()).unwrap();
        level.spec = config.resolve().unwrap();
        violations_of(&level)
    };
    let rows =
        ["OOOOOOOOO", "OBBBEBBBO", "OB.....BO", "OB.PCf.BO", "OBl...lBO", "OBBBBBBBO", "OOOOOOOOO"];
    let pins = rows.map(str::to_owned).to_vec();
    let config = level::Config { width: 9, height: 7, flashlights: 1, pins, ..stage("") };
    let error = config.resolve().unwrap_err().to_string();
    let expected = "flashlights = 1: 2 flashlights are pinned; use at least 2, or remove pins";
    assert_eq!(error, expected);
    assert_eq!(small("OB.PCf.BO", "OB..l..BO"), []);
    assert_eq!(small("OB.PCl.BO", "OB..f..BO"), [rules::CANDIDATE_MARGIN], "f is placed before l");
    assert_eq!(small("OB.PC..BO", "OB.fl..BO"), [rules::CANDIDATE_MARGIN]);
}

#[test]
fn checks_feature_counts() {
    expect_drawing_violations(r#", "plants": 2"#, &[(4, 4, 'h'), (5, 4, 'h')], &[]);
    expect_drawing_violations(r#", "plants": 2"#, &[(4, 4, 'h')], &[rules::FEATURE_COUNTS]);
    expect_drawing_violations(
        r#", "plants": 2"#,
        &[(4, 4, 'h'), (5, 4, 'h'), (6, 5, 'h')],
        &[rules::FEATURE_COUNTS],
    );
    expect_drawing_violations("", &[(4, 4, 'w')], &[rules::FEATURE_COUNTS]);
    expect_drawing_violations(
        r#", "moving_floors": 4"#,
        &[(4, 4, '^'), (5, 4, 'v'), (6, 5, '<'), (9, 5, '>')],
        &[],
    );
    // 45 cells inside, 3 of them candidates: 10 % of 42 is 4.
    expect_drawing_violations(
        r#", "puddles": "10%""#,
        &[(4, 4, 'w'), (5, 4, 'w'), (6, 4, 'w'), (7, 4, 'w')],
        &[],
    );
    expect_drawing_violations(
        r#", "puddles": "10%""#,
        &[(4, 4, 'w'), (5, 4, 'w'), (6, 4, 'w')],
        &[rules::FEATURE_COUNTS],
    );
    let zone = |more: &str| {
        format!(r#", "plants": {{"zones": [{{"x": 2, "y": 5, "width": 2, "height": 2{more}}}]}}"#)
    };
    expect_drawing_violations(
        &zone(""),
        &[(2, 5, 'h'), (3, 5, 'h'), (2, 6, 'h'), (3, 6, 'h')],
        &[],
    );
    expect_drawing_violations(
        &zone(""),
        &[(2, 5, 'h'), (3, 5, 'h'), (2, 6, 'h'), (4, 6, 'h')],
        &[rules::FEATURE_COUNTS],
    );
    expect_drawing_violations(&zone(r#", "amount": 1"#), &[(3, 6, 'h')], &[]);
    expect_drawing_violations(&zone(r#", "amount": 1"#), &[(9, 6, 'h')], &[rules::FEATURE_COUNTS]);
    let moving = r#", "moving_floors": {"amount": 1,
        "zones": [{"x": 2, "y": 5, "width": 2, "height": 2, "amount": 1, "moves": "<"}]}"#;
    expect_drawing_violations(moving, &[(2, 5, '<'), (3, 5, '>')], &[]);
    expect_drawing_violations(moving, &[(2, 5, '^'), (3, 5, '>')], &[rules::FEATURE_COUNTS]);
}

#[test]
fn checks_wall_style_and_cells_next_to_exits() {
    let wire = [(4, 4, '1'), (5, 4, '1'), (6, 4, '1'), (5, 5, '1')];
    let square = [(4, 4, '1'), (5, 4, '1'), (4, 5, '1'), (5, 5, '1')];
    let diagonal = [(4, 4, '1'), (5, 5, '1')];
    let pair = [(4, 4, '1'), (4, 5, '1')];
    let (fine, wrong): (&[Rule], &[Rule]) = (&[], &[rules::WALL_STYLE]);
    for (style, cells, expected) in [
        ("default", &square[..], fine),
        ("empty", &[(4, 4, '1')], wrong),
        ("grid_wire", &wire, fine),
        ("grid_wire", &square, wrong),
        ("sparse_moore", &[(4, 4, '1'), (6, 4, '1')], fine),
        ("sparse_moore", &diagonal, wrong),
        ("sparse_ortho", &diagonal, fine),
        ("sparse_ortho", &pair, wrong),
        ("sparse_ortho.0%", &[(4, 4, '1')], wrong),
        ("sparse_moore.0%", &[(4, 4, '1')], wrong),
    ] {
        expect_drawing_violations(&format!(r#", "walls": "{style}""#), cells, expected);
    }
    expect_drawing_violations("", &[(5, 2, '1')], &[rules::EXITS_CLEAR]);
    expect_drawing_violations("", &[(4, 2, '1')], &[]);
    let over = r#", "pitfalls": 1, "blocked": {"car": "OB", "person": "OB"}"#;
    expect_drawing_violations(over, &[(6, 2, 'x')], &[rules::EXITS_CLEAR]);
    expect_drawing_violations(over, &[(5, 2, 'x')], &[]);
}

#[test]
fn default_walls_leave_the_neighbours_of_candidates_free() {
    let mut walls = 0;
    for (width, height) in [(9, 7), (15, 11), (24, 18), (30, 20), (48, 30)] {
        for fuel in ["fuel_can", "refuel_chain", "start_full"] {
            let config = format!(r#"{{"width": {width}, "height": {height}, "fuel": "{fuel}"}}"#);
            let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
            for seed in 0..40 {
                let blueprint = level::generate(Seed::new(seed), &spec).unwrap().blueprint;
                walls += blueprint.find(Symbol::Wall).count();
                for candidate in [Symbol::Player, Symbol::Car, Symbol::EmptyCan, Symbol::Fuel] {
                    for Pos { x, y } in blueprint.find(candidate) {
                        let mut around = (y - 1..=y + 1)
                            .flat_map(|y| (x - 1..=x + 1).map(move |x| Pos { x, y }));
                        let wall = around.find(|pos| blueprint.get(*pos) == Symbol::Wall);
                        assert_eq!(
                            wall, None,
                            "{config}, seed {seed}: beside {candidate:?} at {x},{y}"
                        );
                    }
                }
            }
        }
    }
    assert!(walls > 50_000, "{walls} walls in 600 levels");
}

#[test]
fn pinned_cells_are_exempt_from_placement_rules() {
    let mut rows: Vec<String> = vec!["?".repeat(13); 9];
    rows[2] = "??11?????????".into();
    rows[3] = "??P1?????????".into();
    rows[4] = "????x????????".into();
    let config = level::Config { pins: rows, ..stage(r#", "walls": "sparse_moore.0%""#) };
    let mut level = level::generate(Seed::new(1), &config.resolve().unwrap()).unwrap();
    assert_eq!(violations_of(&level), []);
    // A full drawing with features and marks can be pinned.
    let more =
        r#", "plants": 2, "moving_floors": 1, "marks": [{"name": "key", "cells": [[5, 5]]}]"#;
    let whole =
        level::Config { pins: with(&[(4, 4, 'h'), (5, 4, 'h'), (6, 4, '^')]), ..stage(more) };
    assert_eq!(
        violations_of(&level::generate(Seed::new(1), &whole.resolve().unwrap()).unwrap()),
        []
    );
    level.blueprint.set(Pos::new(3, 2), Symbol::Floor);
    assert_eq!(violations_of(&level), [rules::PINS_KEPT]);
    level.blueprint.set(Pos::new(4, 4), Symbol::Floor);
    assert!(violations_of(&level).contains(&rules::FEATURE_COUNTS), "pinned features count");
}

#[test]
fn checks_tags() {
    let reinforced = r#", "reinforced": "50%""#;
    let walls = [(4, 4, '1'), (4, 5, '1'), (9, 5, '1'), (10, 5, '1')];
    let level = drawn(reinforced, &with(&walls));
    assert_eq!((violations_of(&level), level.tags.reinforced.len()), (vec![], 2));
    let changed = |change: &dyn Fn(&mut Level)| {
        let mut level = level.clone();
        change(&mut level);
        let rules = violations_of(&level);
        // Cars cannot pass a reinforced wall.
        rules.into_iter().filter(|rule| *rule != rules::CAR_WALKABLE).collect::<Vec<_>>()
    };
    let first = level.tags.reinforced.iter().next().unwrap();
    assert_eq!(changed(&|level| level.tags.reinforced.remove(first)), [rules::REINFORCED_WALLS]);
    assert_eq!(
        changed(&|level| level.tags.reinforced.insert(Pos::new(2, 2))),
        [rules::REINFORCED_WALLS]
    );
    assert_eq!(
        changed(&|level| {
            level.tags.reinforced.remove(first);
            level.blueprint.set(first, Symbol::Floor);
            level.attempt.repaired = vec![first];
        }),
        [],
        "a repair may have removed the wall"
    );

    let zone = r#", "fall_spawn_zones": [{"x": 3, "y": 3, "width": 2, "height": 2}],
        "fall_spawn_floor_ratio": 0.1"#;
    expect_violations(zone, |_| (), &[]);
    expect_violations(
        zone,
        |level| level.tags.fall_spawn_cells.remove(Pos::new(3, 3)),
        &[rules::FALL_SPAWN],
    );
    expect_violations(
        zone,
        |level| level.tags.fall_spawn_cells = BitGrid::new(Size::new(13, 9)),
        &[rules::FALL_SPAWN],
    );
    expect_violations(
        zone,
        |level| level.tags.fall_spawn_cells.insert(Pos::new(0, 0)),
        &[rules::FALL_SPAWN],
    );
    expect_violations(
        "",
        |level| level.tags.fall_spawn_cells.insert(Pos::new(3, 3)),
        &[rules::FALL_SPAWN],
    );
    expect_violations(
        "",
        |level| level.tags.fall_spawn_cells = BitGrid::new(Size::new(13, 8)),
        &[rules::SIZE],
    );
    expect_violations(
        "",
        |level| level.spec = level::Config::default().resolve().unwrap(),
        &[rules::SIZE],
    );

    let mark = r#", "marks": [{"name": "key", "cells": [[5, 4]]}]"#;
    let set = |cells: &[(u16, u16)]| {
        let cells: Vec<Pos> = cells.iter().map(|&(x, y)| Pos::new(x, y)).collect();
        move |level: &mut Level| level.tags.marks = vec![cells]
    };
    expect_violations(mark, set(&[(5, 4)]), &[]);
    for wrong in [&[][..], &[(5, 5)], &[(5, 4), (6, 4)], &[(5, 4), (5, 4)], &[(500, 4)], &[(7, 3)]]
    {
        expect_violations(mark, set(wrong), &[rules::MARKS]);
    }
    expect_violations(mark, set(&[(1, 4)]), &[rules::MARKS, rules::CANDIDATES_REACHABLE]);
    expect_violations(mark, |level| level.tags.marks.clear(), &[rules::MARKS]);
    let two = r#", "marks": [{"name": "key", "count": 2}]"#;
    let mut level =
        drawn(r#", "marks": [{"name": "key", "count": 2, "cells": [[4, 4], [5, 5]]}]"#, &with(&[]));
    level.spec = stage(two).resolve().unwrap();
    assert_eq!(violations_of(&level), []);
    level.tags.marks[0].reverse();
    assert_eq!(violations_of(&level), [rules::MARKS], "row-major order");
    level.tags.marks = vec![vec![Pos::new(2, 4), Pos::new(5, 5)]];
    assert_eq!(violations_of(&level), [rules::CANDIDATE_MARGIN]);
}

#[test]
fn checks_car_walkable_cells() {
    expect_violations(
        "",
        |level| level.car_walkable_cells.remove(Pos::new(2, 2)),
        &[rules::CAR_WALKABLE],
    );
    expect_violations(
        "",
        |level| level.car_walkable_cells.insert(Pos::new(1, 1)),
        &[rules::CAR_WALKABLE],
    );
    expect_violations(
        r#", "endurance": true"#,
        |level| assert!(level.car_walkable_cells.is_empty()),
        &[],
    );
    expect_violations(
        r#", "endurance": true"#,
        |level| level.car_walkable_cells.insert(Pos::new(3, 3)),
        &[rules::CAR_WALKABLE],
    );
}

#[test]
fn checks_witness_routes() {
    let person_witness =
        |change: fn(&mut Witness)| move |level: &mut Level| change(&mut level.witness[1]);
    let wrong = &[rules::WITNESS];
    expect_violations(
        "",
        person_witness(|person| assert_eq!((person.chain, person.route.len()), (1, 7))),
        &[],
    );
    expect_violations("", person_witness(|person| person.route.clear()), wrong);
    expect_violations("", person_witness(|person| person.route.truncate(6)), wrong);
    expect_violations("", person_witness(|person| person.route.swap(2, 4)), wrong);
    expect_violations("", person_witness(|person| person.route[2] = Pos::new(60_000, 3)), wrong);
    expect_violations("", person_witness(|person| person.route.push(Pos::new(8, 6))), wrong);
    expect_violations("", person_witness(|person| person.reached[1] -= 1), wrong);
    expect_violations("", person_witness(|person| person.reached.clear()), wrong);
    expect_violations("", person_witness(|person| person.chain = 0), wrong);
    expect_violations("", person_witness(|person| person.chain = 9), wrong);
    expect_violations("", person_witness(|person| person.route.reverse()), wrong);
    expect_violations("", |level| level.witness.swap(0, 1), wrong);
    expect_violations("", |level| drop(level.witness.pop()), wrong);
    expect_violations("", |level| level.witness.push(level.witness[0].clone()), wrong);
    // Going back and forth is legal, but not shortest.
    expect_violations(
        "",
        person_witness(|person| {
            let start = person.route[0];
            person.route.splice(0..0, [start, Pos::new(start.x, start.y + 1)]);
            person.reached[1..].iter_mut().for_each(|reached| *reached += 2);
        }),
        &[rules::WITNESS_SHORTEST],
    );
    // Cars cannot move diagonally.
    expect_violations(
        "",
        |level| {
            let corner = level.witness[0]
                .route
                .windows(3)
                .position(|r| r[0].x != r[2].x && r[0].y != r[2].y)
                .unwrap();
            level.witness[0].route.remove(corner + 1);
            level.witness[0].reached[1] -= 1;
        },
        wrong,
    );
}

#[test]
fn checks_the_attempt() {
    let wrong = &[rules::ATTEMPT];
    expect_violations("", |level| level.attempt.seed = Seed::new(9), wrong);
    expect_violations("", |level| level.attempt.index = 1, wrong);
    expect_violations(
        "",
        |level| (level.attempt.index, level.attempt.seed) = (19, Seed::new(19)),
        &[],
    );
    expect_violations(
        "",
        |level| (level.attempt.index, level.attempt.seed) = (20, Seed::new(20)),
        wrong,
    );
    expect_violations(
        "",
        |level| level.attempt.repaired = vec![Pos::new(4, 4), Pos::new(5, 4)],
        &[],
    );
    expect_violations(
        "",
        |level| level.attempt.repaired = vec![Pos::new(5, 4), Pos::new(4, 4)],
        wrong,
    );
    expect_violations("", |level| level.attempt.repaired = vec![Pos::new(3, 3)], wrong);
    expect_violations("", |level| level.attempt.repaired = vec![Pos::new(500, 3)], wrong);
    expect_violations(
        r#", "repair": false"#,
        |level| level.attempt.repaired = vec![Pos::new(4, 4)],
        wrong,
    );
}

#[test]
fn added_retry_seeds_collide_and_hashed_ones_do_not() {
    use wayforge_level::RetryRule::{Add, Hash};
    let all = |rule| {
        let mut seeds: Vec<u64> = (0..200)
            .flat_map(|seed| {
                (0..20).map(move |attempt| attempt_seed(&Seed::new(seed), attempt, rule).number())
            })
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        seeds.len()
    };
    assert_eq!((all(Add), all(Hash)), (219, 4_000));
    assert_eq!(attempt_seed(&Seed::new(u64::MAX), 1, Add), Seed::new(0));
    // Attempt 1 of a seed is attempt 0 of the next one: the same grid.
    let config =
        r#", "walls": "default", "pitfalls": "55%", "soft_locks": "forbidden", "repair": false"#;
    let spec = level::Config { attempts: 100, ..stage(config) }.resolve().unwrap();
    let retried = (0..200).find_map(|seed| {
        level::generate(Seed::new(seed), &spec).ok().filter(|level| level.attempt.index > 0)
    });
    let level = retried.expect("some seed needs a second attempt");
    let next =
        level::generate(Seed::new(level.seed.number() + u64::from(level.attempt.index)), &spec)
            .unwrap();
    assert_eq!((next.attempt.index, &next.blueprint), (0, &level.blueprint));
    assert_eq!(next.attempt.seed, level.attempt.seed);
}

/// Returns the rules that a drawing of 9 columns violates.
#[track_caller]
fn drawing_violations(more: &str, rows: &[&str]) -> Vec<Rule> {
    let drawing = Blueprint::from_rows(rows).unwrap();
    violated_rules(&validate_drawing(&spec_of(more, drawing.size()), &drawing))
}

fn spec_of(more: &str, size: Size) -> level::Spec {
    let config =
        level::Config { width: size.width.into(), height: size.height.into(), ..stage(more) };
    config.resolve().unwrap()
}

/// A room of 9 columns around some rows, with an exit in the middle of the top.
fn room(inside: &[&str]) -> Vec<String> {
    let mut rows = vec!["OOOOOOOOO".to_owned(), "OBBBEBBBO".to_owned()];
    rows.extend(inside.iter().map(|row| format!("OB{row}BO")));
    rows.extend(["OBBBBBBBO".to_owned(), "OOOOOOOOO".to_owned()]);
    rows
}

/// Checks that a drawing of 9 columns, given without its rings, violates exactly these rules.
#[track_caller]
fn expect(more: &str, inside: &[&str], expected: &[Rule]) {
    let rows = room(inside);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(drawing_violations(more, &rows), expected, "{}", rows.join("\n"));
}

const CAR: [Rule; 2] = [rules::CAR_CONNECTIVITY, rules::CONNECTIVITY];
const PERSON: [Rule; 2] = [rules::HUMANOID_CONNECTIVITY, rules::CONNECTIVITY];

/// A stage with full fuel, where only objectives must be reachable.
const FULL: &str = r#", "fuel": "start_full", "reachable": "objectives""#;
const SOLID: &str =
    r#", "fuel": "start_full", "reachable": "objectives", "interior_walls": "solid""#;

#[test]
fn drawings_are_exempt_from_generator_conventions() {
    expect("", &["P1f1C", "1111.", "xxhhw"], &[]);
    expect("", &[".1P1.", "1111.", "..fC."], &[]);
    expect("", &["P...C", ".....", "....."], &[rules::CANDIDATE_COUNTS, PERSON[0], PERSON[1]]);
    expect("", &["P.f..", ".....", "....."], &[rules::CANDIDATE_COUNTS, CAR[0], PERSON[0], CAR[1]]);
    expect("", &["..f.C", ".....", "....."], &[rules::CANDIDATE_COUNTS, PERSON[0], PERSON[1]]);
    expect("", &["PPfCC", "ff...", "..C.P"], &[]);
    expect("", &["Plf.C", ".....", "....."], &[rules::CANDIDATE_COUNTS]);
    expect(r#", "flashlights": 2"#, &["Plf.C", ".....", "....."], &[rules::CANDIDATE_COUNTS]);
    expect(r#", "flashlights": 2, "shoes": 1"#, &["Plf.C", "l...s", "....."], &[]);
    expect(r#", "fuel": "refuel_chain""#, &["P.f.C", ".....", "....e"], &[]);
    let stage = stage("").resolve().unwrap();
    let small = Blueprint::from_rows(&room(&["P.f.C", ".....", "....."])).unwrap();
    assert_eq!(violated_rules(&validate_drawing(&stage, &small)), [rules::SIZE]);
    let pins = level::Config { pins: with(&[]), ..self::stage("") }.resolve().unwrap();
    let moved = Blueprint::from_rows(&with(&[(4, 4, 'f')])).unwrap();
    assert_eq!(violated_rules(&validate_drawing(&pins, &moved)), [rules::PINS_KEPT]);
}

#[test]
fn cars_move_in_four_directions_and_ignore_moving_floors() {
    expect(FULL, &["x....", ".P.1C", "....."], &[]);
    expect(FULL, &["vv.vv", "v>vv.", "PvvvC"], &[]);
    // People can move diagonally, cars cannot.
    expect(FULL, &["P..xx", "..xC.", "...xx"], &[CAR[0], CAR[1]]);
    expect(FULL, &["P...x", "..x.C", "....x"], &[]);
    // On endurance stages, only people need a path to an exit.
    let endurance = r#", "fuel": "start_full", "reachable": "objectives", "endurance": true"#;
    expect(endurance, &["P..xx", "..xC.", "...xx"], &[]);
    expect(endurance, &["xxxxx", ".....", "P..C."], &PERSON);
}

#[test]
fn diagonal_steps_need_one_open_corner() {
    // Solid walls are corners, pitfalls are not. A single corner does not block.
    expect(FULL, &["Px..C", "x....", "....."], &[]);
    expect(SOLID, &["P1..C", "1....", "....."], &PERSON);
    expect(SOLID, &["P1..C", ".....", "....."], &[]);
    expect(SOLID, &["Px..C", "1....", "....."], &[]);
    expect(FULL, &["P1..C", "1....", "....."], &[]);
    // Reinforced walls are corners, too, even if other walls are breakable.
    let mut level =
        drawn(r#", "fuel": "start_full""#, &with(&[(7, 3, '.'), (3, 4, '1'), (4, 3, '1')]));
    let (a, b) = (Pos::new(3, 4), Pos::new(4, 3));
    let route =
        vec![Pos::new(3, 3), Pos::new(4, 4), Pos::new(5, 5), Pos::new(6, 5), Pos::new(7, 5)];
    level.witness[1] = Witness { chain: 1, route, reached: vec![0, 4] };
    assert_eq!(violations_of(&level), []);
    level.tags.reinforced.insert(a);
    let violates_witness = |level: &Level| violations_of(level).contains(&rules::WITNESS);
    assert!(!violates_witness(&level));
    level.tags.reinforced.insert(b);
    assert!(violates_witness(&level));
}

#[test]
fn moving_floors_cannot_be_left_against_their_direction() {
    // Tries each pair of neighbours of the centre. A moving floor forbids three of the eight exits.
    let around = [(2, 1), (3, 1), (4, 1), (4, 2), (4, 3), (3, 3), (2, 3), (2, 2)];
    for (floor, blocked) in [('^', [4, 5, 6]), ('v', [0, 1, 2]), ('<', [2, 3, 4]), ('>', [0, 6, 7])]
    {
        for from in 0..8 {
            for to in (0..8).filter(|to| *to != from) {
                // All other cells are pitfalls. Adjacent neighbours would not need the centre.
                let (a, b): ((i32, i32), (i32, i32)) = (around[from], around[to]);
                if (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1 {
                    continue;
                }
                let mut rows = vec![vec!['x'; 5]; 5];
                rows[2][3] = floor;
                rows[a.1 as usize][a.0 as usize] = 'P';
                rows[b.1 as usize][b.0 as usize] = 'C';
                let rows: Vec<String> =
                    rows.into_iter().map(|row| row.into_iter().collect()).collect();
                let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
                let closed = blocked.contains(&to);
                let drawing = Blueprint::from_rows(&room(&rows)).unwrap();
                let endurance =
                    r#", "fuel": "start_full", "reachable": "objectives", "endurance": true"#;
                let report = validate_drawing(&spec_of(endurance, drawing.size()), &drawing);
                let why = |v: &wayforge_core::Violation| v.why == "P -> C: no path from P to C";
                assert_eq!(report.violations.iter().any(why), closed, "{}", rows.join("\n"));
            }
        }
    }
}

#[test]
fn every_start_must_reach_its_steps_in_order() {
    let chain = r#", "fuel": "refuel_chain", "reachable": "objectives""#;
    expect(chain, &["P....", "e.f.C", "....."], &[]);
    // The route passes f before e and cannot return to it.
    expect(chain, &["....C", "xxxx.", "Pf>e."], &PERSON);
    expect(chain, &["....C", "xxxx.", "Pe>f."], &[]);
    // One of two starts is enclosed.
    expect(
        r#", "fuel": "start_full""#,
        &["P...C", "xxxxx", "..P.."],
        &[PERSON[0], PERSON[1], rules::CANDIDATES_REACHABLE],
    );
    // An unreachable fuel spot is a violation only if all candidates must be reachable.
    expect(r#", "reachable": "objectives""#, &["P.f.C", "xxxxx", "..f.."], &[]);
    expect("", &["P.f.C", "xxxxx", "..f.."], &[rules::CANDIDATES_REACHABLE]);
    // A one-way floor between two starts: one of them cannot reach the other.
    expect("", &["P.f.C", "^xxxx", "P...."], &[rules::CANDIDATES_REACHABLE]);
    expect("", &["P.f.C", "vxxxx", "PfC.."], &[rules::CANDIDATES_REACHABLE]);
}

#[test]
fn checks_custom_objectives_with_keys_and_doors() {
    let doors = |steps: &str| {
        format!(
            r#", "fuel": "start_full", "reachable": "objectives",
            "marks": [{{"name": "key", "cells": [[6, 4]]}},
                      {{"name": "door", "cells": [[3, 3]], "locked_until": "key"}}],
            "objectives": [{{"steps": [{steps}]}}]"#
        )
    };
    // The door is the only passage to the upper room with the exit and the car.
    let locked = ["...C.", "x.xxx", "P...."];
    let both = [rules::HUMANOID_CONNECTIVITY, rules::CONNECTIVITY];
    expect(&doors(r#""P", "key", "door", "E""#), &locked, &both);
    let open = ["..C..", "x.x..", "P...."];
    expect(&doors(r#""P", "key", "door", "E""#), &open, &[]);
    // A chain without the key never opens the door.
    let shut = [rules::HUMANOID_CONNECTIVITY, rules::CONNECTIVITY, rules::OBJECTIVE_CONNECTIVITY];
    expect(&doors(r#""P", "E""#), &locked, &shut);
    expect(&doors(r#""P", "key", "E""#), &locked, &both);
    // A drawing has no marks: the stage must list all their cells.
    expect(r#", "marks": [{"name": "key"}]"#, &["P.f.C", ".....", "....."], &[rules::MARKS]);
    expect(
        r#", "marks": [{"name": "key", "cells": [[3, 3]]}]"#,
        &["P.f.C", ".1...", "....."],
        &[rules::MARKS],
    );
    let unresolved = |more: &str| stage(more).resolve().unwrap_err().to_string();
    assert_eq!(
        unresolved(r#", "objectives": [{"steps": ["P", "l", "E"]}]"#),
        "objectives[0].steps[1] = \"l\": the level contains no l (flashlight); request one, or pin \
         one"
    );
    let start = unresolved(
        r#", "marks": [{"name": "door", "locked_until": "P"}],
            "objectives": [{"steps": ["door", "E"]}]"#,
    );
    assert!(start.starts_with(r#"objectives[0].steps[0] = "door": a locked mark"#), "{start}");
}

#[test]
fn chains_follow_the_specification() {
    let chains = |more: &str| {
        let spec = stage(more).resolve().unwrap();
        let name = |chain: &level::Chain| {
            let names: Vec<String> = chain.steps.iter().map(|step| spec.step_name(*step)).collect();
            format!("{:?} {:?} {}", chain.purpose, chain.mover, names.join("")).to_lowercase()
        };
        assert!(spec.chains().iter().all(|chain| chain.purpose != Purpose::Custom));
        spec.chains().iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(chains(""), ["car car ce", "humanoid person pfc"]);
    assert_eq!(chains(r#", "fuel": "REFUEL_CHAIN""#), ["car car ce", "humanoid person pefc"]);
    assert_eq!(chains(r#", "fuel": "START_FULL""#), ["car car ce", "humanoid person pc"]);
    assert_eq!(chains(r#", "endurance": true"#), ["humanoid person pfc", "humanoid person pe"]);
}

#[test]
fn finds_soft_locks_behind_moving_floors() {
    let forbidden = r#", "reachable": "objectives", "soft_locks": "forbidden""#;
    // The pocket in the south-east is entered over `v` and cannot be left.
    expect(forbidden, &["P.f.C", "xxxxv", "xxx.."], &[rules::NO_SOFT_LOCKS]);
    expect(r#", "reachable": "objectives""#, &["P.f.C", "xxxxv", "xxx.."], &[]);
    expect(forbidden, &["P.f.C", "xxxx.", "xxx.."], &[]);
    // A one-way floor towards the goal is not a soft lock.
    expect(forbidden, &["P>f.C", "xxxx.", "xxx.."], &[]);
    expect(forbidden, &[".....", "xxxx.", "P>f>C"], &[]);
    // A player can bypass f over the exit and then reach only the car.
    expect(forbidden, &["P>f>C", "xxxxx", "xxxxx"], &[rules::NO_SOFT_LOCKS]);
    let level =
        drawn("", &with(&[(9, 5, 'v'), (8, 6, 'x'), (10, 6, 'x'), (8, 5, 'x'), (10, 5, 'x')]));
    let lock = |progress, step: &str, y| SoftLock {
        chain: 1,
        progress,
        step: step.into(),
        cell: Pos::new(9, y),
    };
    assert_eq!(
        soft_locks(&level),
        [lock(0, "P", 5), lock(0, "P", 6), lock(1, "f", 5), lock(1, "f", 6)],
        "{}",
        level.blueprint
    );
}

#[test]
fn validating_malformed_levels_does_not_panic() {
    let spec =
        level::Config { width: 200, height: 200, ..level::Config::default() }.resolve().unwrap();
    let mut level = level::generate(Seed::new(1), &spec).unwrap();
    level.blueprint = Blueprint::filled(Size::new(200, 200), Symbol::Exit);
    let report = validate(&level);
    assert!(report.truncated.contains(&rules::EXITS));
    assert!(
        report.violations.iter().filter(|v| v.rule == rules::EXITS).count() == Report::MAX_PER_RULE
    );
    for symbol in Symbol::ALL {
        let mut level = level.clone();
        level.blueprint = Blueprint::filled(Size::new(200, 200), symbol);
        level.witness.iter_mut().for_each(|witness| witness.route.clear());
        assert!(!validate(&level).is_valid());
        soft_locks(&level);
        validate_drawing(&spec, &level.blueprint);
    }
}

#[test]
fn smallest_and_largest_levels_are_valid() {
    for seed in 0..300 {
        let config = level::Config { width: 9, height: 7, ..level::Config::default() };
        let level = level::generate(Seed::new(seed), &config.resolve().unwrap()).unwrap();
        assert_eq!(violations_of(&level), [], "{}", level.blueprint);
        for exit in level.blueprint.find(Symbol::Exit) {
            assert!((3..=5).contains(&exit.x) || exit.y == 3, "{exit}");
        }
    }
    let text = r#"{"width": 1024, "height": 1024, "fuel": "refuel_chain", "walls": "grid_wire",
        "interior_walls": "solid", "moving_floors": "2%", "pitfalls": "1%", "players": 3}"#;
    let spec = level::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap();
    let level = level::generate(Seed::new(7), &spec).unwrap();
    assert_eq!(violations_of(&level), []);
}

#[test]
fn generator_and_generate_give_the_same_level() {
    for more in [
        "",
        r#", "walls": "sparse_moore", "pitfalls": "20%""#,
        r#", "interior_walls": "solid", "players": 3"#,
    ] {
        let spec = level::Config { attempts: 2, ..stage(more) }.resolve().unwrap();
        let mut generator = level::Generator::new(&spec);
        for seed in 0..200 {
            let fresh = level::generate(Seed::new(seed), &spec);
            match (generator.generate(Seed::new(seed)), &fresh) {
                (Ok(level), Ok(fresh)) => assert_eq!(level, fresh),
                (Err(error), Err(fresh)) => assert_eq!(&error, fresh),
                (used, fresh) => panic!("{used:?} is not {fresh:?}"),
            }
        }
    }
}
