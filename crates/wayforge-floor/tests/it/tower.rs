//! Towers: every floor starts where the floor below ends and can be generated on its own.

use wayforge_core::grid::Dir;
use wayforge_core::{Document, Report, Seed};
use wayforge_floor::{
    self as floor, TileKind, rules,
    tower::{self, ResumeError, SavedRun, Tower, TowerRun},
};

fn config(text: &str) -> tower::Config {
    tower::Config::from_json(text.as_bytes()).unwrap()
}

#[track_caller]
fn check(tower: &Tower) {
    assert_eq!(tower::validate(tower).violations, []);
    for pair in tower.floors.windows(2) {
        assert_eq!(pair[0].exit, pair[1].entrance);
    }
}

const CONFIGS: [&str; 7] = [
    "{}",
    r#"{"floors":20}"#,
    r#"{"floors":1}"#,
    r#"{"floors":40,"boss":null,
        "templates":[{"every":3,"template":"rest"},{"every":5,"template":"shop"}]}"#,
    r#"{"floors":12,"floor":{"minPathLength":11,"enemyBudget":2,"chestBudget":0},"curves":[],
        "templates":[]}"#,
    r#"{"floors":9,"floor":{"width":9,"height":7,"entrance":{"x":8,"y":6}},
        "curves":[{"field":"minPathLength","every":1,"by":2,"to":20}]}"#,
    r#"{"floors":6,"floor":{"width":20,"height":14},"templates":[{"every":2,"template":"shop"}]}"#,
];

#[test]
fn generated_towers_are_valid() {
    for text in CONFIGS {
        let spec = config(text).resolve().unwrap_or_else(|error| panic!("{text}: {error}"));
        for seed in 0..40 {
            let tower = tower::generate(Seed::new(seed), &spec).unwrap();
            assert_eq!(tower.floors.len(), spec.floors() as usize);
            check(&tower);
        }
    }
}

#[test]
fn violations_are_limited_per_rule() {
    let spec = config(r#"{"floors":1000}"#).resolve().unwrap();
    let mut tower = tower::generate(Seed::new(1), &spec).unwrap();
    for floor in &mut tower.floors {
        floor.tiles.fill(TileKind::Chest);
        floor.path.clear();
    }
    let report = tower::validate(&tower);
    let listed = |rule| report.violations.iter().filter(|v| v.rule == rule).count();
    // Every floor violates the first rule many times, and the second one once.
    assert_eq!(listed(rules::CHEST_BESIDE_PATH), Report::MAX_PER_RULE);
    assert_eq!(listed(rules::PATH_WITNESS), 1000);
    assert!(report.truncated.contains(&rules::CHEST_BESIDE_PATH));
    assert!(!report.truncated.contains(&rules::PATH_WITNESS));
}

#[test]
fn single_floors_equal_those_of_the_tower() {
    for text in CONFIGS {
        let spec = config(text).resolve().unwrap();
        let tower = tower::generate(Seed::new(7), &spec).unwrap();
        for (number, floor) in tower.floors.iter().enumerate() {
            assert_eq!(&tower::generate_floor(Seed::new(7), &spec, number as u32).unwrap(), floor);
        }
        let floors = spec.floors();
        let error = tower::generate_floor(Seed::new(7), &spec, floors).unwrap_err().to_string();
        assert_eq!(error, format!("floor = {floors}: out of range; use 0 to {}", floors - 1));
    }
}

#[test]
fn curves_change_fields_up_to_their_limit() {
    let text = r#"{"floors":10,"boss":null,"templates":[],
        "floor":{"width":8,"height":8,"enemyBudget":2,"wallDensity":0.3,"trapBudget":4},
        "curves":[{"field":"enemyBudget","every":2,"by":1,"to":5},
                  {"field":"wallDensity","every":1,"by":0.05,"to":0.45},
                  {"field":"trapBudget","every":3,"by":-2,"to":0}]}"#;
    let spec = config(text).resolve().unwrap();
    let configs: Vec<_> = (0..10).map(|floor| spec.floor_config(floor)).collect();
    let enemies: Vec<i64> = configs.iter().map(|config| config.enemy_budget.unwrap()).collect();
    let walls: Vec<u16> = configs.iter().map(|config| config.wall_density.unwrap().0).collect();
    let traps: Vec<i64> = configs.iter().map(|config| config.trap_budget.unwrap()).collect();
    assert_eq!(enemies, [2, 2, 3, 3, 4, 4, 5, 5, 5, 5]);
    assert_eq!(walls, [3000, 3500, 4000, 4500, 4500, 4500, 4500, 4500, 4500, 4500]);
    assert_eq!(traps, [4, 4, 4, 2, 2, 2, 0, 0, 0, 0]);
    for surplus in [10, u32::MAX] {
        assert_eq!(spec.floor_config(surplus), configs[9]);
        assert_eq!(spec.floor(surplus, None), spec.floor(9, None));
    }
    let tower = tower::generate(Seed::new(1), &spec).unwrap();
    let counts: Vec<usize> =
        tower.floors.iter().map(|floor| floor.count(floor::Budget::Enemy)).collect();
    assert_eq!(counts, [2, 2, 3, 3, 4, 4, 5, 5, 5, 5]);
}

#[test]
fn templates_are_on_the_configured_floors() {
    let spec = config(r#"{"floors":20}"#).resolve().unwrap();
    let tower = tower::generate(Seed::new(1), &spec).unwrap();
    let names: Vec<&str> = tower
        .floors
        .iter()
        .map(|floor| floor.spec.template().map_or("-", |template| &template.id))
        .collect();
    assert_eq!(names.join(" "), "- - - - shop - - - - shop - - - - shop - - - - boss");
}

#[test]
fn rejects_infeasible_towers_and_names_the_floor() {
    for (text, field, part) in [
        (r#"{"floors":0}"#, "floors", "use 1 to 1000"),
        (r#"{"floor":{"exit":{"x":1,"y":1}}}"#, "floor.exit", "leave it out"),
        (r#"{"floor":{"templateId":"shop"}}"#, "floor.useTemplate", "templates"),
        (r#"{"templates":[{"every":0,"template":"shop"}]}"#, "templates[0].every", "use 1 to 1000"),
        (r#"{"boss":"dragon"}"#, "boss", "shop, boss, rest"),
        (
            r#"{"curves":[{"field":"enemyBudget","every":1,"by":0.5,"to":4}]}"#,
            "curves[0].by",
            "whole",
        ),
        (
            r#"{"curves":[{"field":"enemyBudget","every":1,"by":1,"to":4},
                          {"field":"enemyBudget","every":1,"by":1,"to":4}]}"#,
            "curves[1].field",
            "already",
        ),
        (
            r#"{"floors":30,"boss":null,"templates":[],
                "curves":[{"field":"enemyBudget","every":1,"by":1,"to":40}]}"#,
            "enemyBudget",
            "on floor ",
        ),
    ] {
        let error = config(text).resolve().unwrap_err();
        assert_eq!(error.field, field, "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
    // A template of another size is accepted if the floors contain its ends.
    let small = r#"{"floors":2,"curves":[],"boss":null,
        "templates":[{"every":2,"template":"rest"}],
        "floor":{"width":3,"height":3,"enemyBudget":0,"chestBudget":0,"itemBudget":0,
                 "minPathLength":1}}"#;
    check(&tower::generate(Seed::new(1), &config(small).resolve().unwrap()).unwrap());
}

#[test]
fn validator_reports_every_broken_tower_rule() {
    let spec = tower::Config::default().resolve().unwrap();
    let tower = tower::generate(Seed::new(4), &spec).unwrap();
    let broken = |change: &dyn Fn(&mut Tower)| {
        let mut tower = tower.clone();
        change(&mut tower);
        tower::validate(&tower)
    };
    assert!(!broken(&|tower| drop(tower.floors.pop())).passes(tower::rules::HEIGHT));
    assert!(!broken(&|tower| tower.floors.swap(1, 2)).passes(tower::rules::CHAIN));
    assert!(!broken(&|tower| tower.floors[3].seed = Seed::new(1)).passes(tower::rules::SEEDS));
    let report = broken(&|tower| drop(tower.floors[6].entities.pop()));
    assert!(
        report.violations[0].to_string().starts_with("budgets at floor 7: "),
        "{}",
        report.violations[0]
    );
}

#[test]
fn next_step_reaches_the_last_exit_from_anywhere() {
    for text in CONFIGS {
        let tower = tower::generate(Seed::new(3), &config(text).resolve().unwrap()).unwrap();
        let witness: usize = tower.floors.iter().map(|floor| floor.path.len() - 1).sum();
        let mut run = TowerRun::start(tower.clone());
        while let Some(dir) = run.next_step() {
            run.step(dir).unwrap();
        }
        assert!(run.is_finished());
        assert_eq!(run.len(), witness, "next_step follows the witness");
        // After random steps, the run still finds the exit.
        let mut run = TowerRun::start(tower);
        let mut rng = wayforge_core::MapRng::from_u64(1);
        for _ in 0..50 {
            if run.is_finished() {
                break;
            }
            let moves = run.moves();
            run.step(moves[rng.below(moves.len() as u32) as usize].0).unwrap();
        }
        while let Some(dir) = run.next_step() {
            run.step(dir).unwrap();
        }
        assert!(run.is_finished());
    }
}

/// `resolve` rejects only provably infeasible towers. For others, generation may fail at a floor.
#[test]
fn generation_of_undecided_towers_fails_with_the_floor_number() {
    let base = r#""floors":4,"boss":null,"templates":[],"curves":[]"#;
    let spec = config(&format!(
        r#"{{{base},"floor":{{"width":64,"height":64,"minPathLength":2650,"attempts":2}}}}"#
    ));
    let error = tower::generate(Seed::new(9), &spec.resolve().unwrap()).unwrap_err();
    let tower::Error::Floor { floor, error: floor_error } = &error else { panic!("{error}") };
    assert_eq!(
        (*floor, floor_error.seed.clone(), floor_error.attempts),
        (1, Seed::new(9), 2),
        "{error}"
    );
    assert!(error.to_string().starts_with("on floor 1: seed 9: no floor in 2 attempts"), "{error}");
    // Only the third floor is undecided: the two floors below succeed, the third fails.
    let spec = config(
        r#"{"floors":4,"boss":null,"templates":[],
            "floor":{"width":40,"height":40,"minPathLength":3,"attempts":2},
            "curves":[{"field":"minPathLength","every":2,"by":1040,"to":1043}]}"#,
    )
    .resolve()
    .unwrap();
    assert!(tower::generate_floor(Seed::new(9), &spec, 1).is_ok());
    for number in [2, 3] {
        let error = tower::generate_floor(Seed::new(9), &spec, number).unwrap_err();
        assert!(matches!(error, tower::Error::Floor { floor: 3, .. }), "{error}");
    }
    // Provably infeasible, so rejected before generation.
    let spec =
        config(&format!(r#"{{{base},"floor":{{"width":64,"height":64,"minPathLength":3500}}}}"#));
    assert!(
        spec.resolve().unwrap_err().to_string().contains("no floor of 64 x 64 has a shortest path")
    );
}

/// Random tight towers of small floors: every rejection is a proof, and every generated tower is
/// valid.
#[test]
fn tight_towers_are_valid_or_fail_with_the_floor_number() {
    let mut rng = wayforge_core::MapRng::from_u64(5);
    let (mut generated, mut failed, mut rejected) = (0, 0, 0);
    for _ in 0..60 {
        let mut draw = |max: u32| rng.below(max);
        let text = format!(
            r#"{{"floors":3,"boss":null,"templates":[],
                "curves":[{{"field":"minPathLength","every":1,"by":1,"to":60}}],
                "floor":{{"width":6,"height":6,"attempts":8,"minPathLength":{},"doorBudget":{},
                "chestBudget":{},"trapBudget":{},
                "enemyBudget":{},"waterBudget":{}}}}}"#,
            8 + draw(24),
            draw(7),
            draw(7),
            draw(7),
            draw(5),
            draw(5)
        );
        let Ok(spec) = config(&text).resolve().map_err(|error| {
            assert!(error.problem.contains(": no floor of 6 x 6 has "), "{error}");
            rejected += 1;
        }) else {
            continue;
        };
        for seed in 0..5 {
            match tower::generate(Seed::new(seed), &spec) {
                Ok(tower) => {
                    check(&tower);
                    generated += 1;
                }
                Err(tower::Error::Floor { floor, .. }) => {
                    assert!((1..=3).contains(&floor));
                    failed += 1;
                }
                Err(error) => panic!("{text}: {error}"),
            }
        }
    }
    assert!(generated > 50 && failed > 5 && rejected > 5, "{generated} {failed} {rejected}");
}

#[test]
fn errors_of_floors_in_documents_contain_the_path_of_the_floor() {
    let spec = tower::Config::default().resolve().unwrap();
    let text = tower::generate(Seed::new(3), &spec).unwrap().to_document().to_text();
    for (from, to, expected) in [
        (
            "floor.module/1",
            "floor.module/9",
            "map.floors[1].version: \"floor.module/9\" is unknown",
        ),
        ("\"width\":5", "\"width\":6", "map.floors[1].width: 6 does not match the floor's width"),
    ] {
        let second = text.match_indices("{\"width\"").nth(2).unwrap().0;
        let at = second + text[second..].find(from).unwrap();
        let changed = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
        let document = Document::decode(changed.as_bytes()).unwrap();
        let error = Tower::from_document(&document).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

/// Rooms on large floors rarely have choke points by chance.
#[test]
fn accepts_towers_of_large_floors_with_a_door() {
    let config =
        config(r#"{"floors":3,"floor":{"width":64,"height":64,"open":"rooms","doorBudget":1}}"#);
    let tower = tower::generate(Seed::new(1), &config.resolve().unwrap()).unwrap();
    check(&tower);
}

#[test]
fn runs_are_saved_resumed_and_undone() {
    let tower =
        tower::generate(Seed::new(3), &tower::Config::default().resolve().unwrap()).unwrap();
    let mut run = TowerRun::start(tower.clone());
    let start = run.clone();
    while run.floor_number() < 4 {
        run.step(run.next_step().unwrap()).unwrap();
    }
    let text = run.saved().to_text();
    let saved = SavedRun::decode(text.as_bytes()).unwrap();
    assert_eq!(TowerRun::resume(tower.clone(), &saved).unwrap(), run);
    let other =
        tower::generate(Seed::new(4), &tower::Config::default().resolve().unwrap()).unwrap();
    let other = TowerRun::start(other);
    let expected = ResumeError::OtherMap { save: run.digest(), map: other.digest() };
    assert_eq!(other.resumed(&saved).unwrap_err(), expected);
    let changed = |steps: &str| text.replace("\"steps\":\"", &format!("\"steps\":\"{steps}"));
    let error = SavedRun::decode(changed("x").as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("steps: found \"x\", expected n, e, s or w"), "{error}");
    // The floors have five rows, so the fifth step north leaves the grid at the latest.
    let saved = SavedRun::decode(changed("nnnnn").as_bytes()).unwrap();
    let error = run.resumed(&saved).unwrap_err().to_string();
    assert!(error.starts_with("steps[") && error.contains("no walkable tile; go "), "{error}");
    assert!(SavedRun::decode(b"{}").is_err());
    while run.undo() {}
    assert_eq!(run, start);
    let blocked =
        Dir::STRAIGHT.into_iter().find(|&dir| run.moves().iter().all(|&(open, _, _)| open != dir));
    let error = run.step(blocked.unwrap()).unwrap_err();
    assert_eq!(error.legal, run.moves().iter().map(|&(dir, _, _)| dir).collect::<Vec<_>>());
    assert!(error.to_string().contains("no walkable tile; go "));
    while let Some(dir) = run.next_step() {
        run.step(dir).unwrap();
    }
    let error = run.step(Dir::North).unwrap_err();
    assert_eq!(error.to_string(), "step = north: the run is finished; undo some steps");
}
