//! Rules of floors, over many seeds and configurations.

use wayforge_core::grid::{Dir, Pos, Symmetry};
use wayforge_core::{MapFamily, Seed};
use wayforge_floor::{
    self as floor, Budget, CarveMethod, Density, Floor, OpenMethod, Origin, Template, TileKind,
    Validator, Vec2, compat::validate_floor, rules,
};

fn config(text: &str) -> floor::Config {
    floor::Config::from_json(text.as_bytes()).unwrap()
}

/// Generates and validates the floors of many seeds. Returns how many are not fallback layouts.
#[track_caller]
fn check(config: &floor::Config, seeds: u64) -> u64 {
    let spec = config.resolve().unwrap_or_else(|error| panic!("{error}"));
    let (mut generator, mut validator, mut carved) =
        (floor::Generator::new(&spec), Validator::default(), 0);
    for seed in 0..seeds {
        let floor = generator.generate(Seed::new(seed)).unwrap_or_else(|error| panic!("{error}"));
        if !validator.is_valid(floor) {
            panic!("seed {seed}: {:?}\n{floor}", validator.validate(floor).report.violations);
        }
        carved += u64::from(matches!(floor.origin, Origin::Carve { .. }));
    }
    carved
}

#[test]
fn one_million_default_floors_are_valid() {
    assert_eq!(
        check(&floor::Config::default(), 1_000_000),
        1_000_000,
        "none uses the fallback layout"
    );
}

#[test]
fn floors_of_all_configurations_are_valid() {
    for (text, min_carved) in [
        (r#"{"open":"rooms"}"#, 2000),
        (r#"{"carve":"astar"}"#, 2000),
        (
            r#"{"carve":"astar","open":"rooms","width":12,"height":9,"trapBudget":4,
                "doorBudget":1}"#,
            1900,
        ),
        (
            r#"{"itemBudget":1,"relicBudget":1,"npcBudget":1,"trapBudget":1,"doorBudget":1,
                "waterBudget":2}"#,
            1500,
        ),
        (r#"{"wallDensity":0,"enemyBudget":10,"chestBudget":3,"trapBudget":3}"#, 1900),
        (r#"{"wallDensity":1}"#, 2000),
        (r#"{"wallDensity":0.2,"waterBudget":5,"doorBudget":0}"#, 2000),
        (r#"{"minPathLength":8}"#, 2000),
        (r#"{"minPathLength":12,"enemyBudget":2,"chestBudget":0}"#, 500),
        (r#"{"minPathLength":16,"enemyBudget":2,"chestBudget":0}"#, 0),
        (r#"{"entrance":{"x":2,"y":2}}"#, 2000),
        (r#"{"entrance":{"x":0,"y":0},"exit":{"x":1,"y":1},"minPathLength":0}"#, 2000),
        (r#"{"entrance":{"x":1,"y":1},"exit":{"x":3,"y":1},"minPathLength":6}"#, 1000),
        (r#"{"exit":{"x":4,"y":0},"attempts":1}"#, 1500),
        (r#"{"attempts":0}"#, 0),
        (r#"{"width":3,"height":3,"enemyBudget":1,"chestBudget":1}"#, 2000),
        (r#"{"width":3,"height":21}"#, 2000),
        (r#"{"width":8,"height":8,"doorBudget":2,"wallDensity":0.6}"#, 1500),
        (r#"{"width":13,"height":5,"enemyBudget":9,"doorBudget":2,"wallDensity":0.6}"#, 1500),
    ] {
        let carved = check(&config(text), 2000);
        assert!(carved >= min_carved, "{text}: {carved}");
    }
}

#[test]
fn large_floors_are_valid() {
    for text in [
        r#"{"width":64,"height":64,"enemyBudget":40,"chestBudget":10,"trapBudget":20,
            "doorBudget":4,"waterBudget":60,"wallDensity":0.6}"#,
        r#"{"width":64,"height":64,"minPathLength":300,"enemyBudget":40,"wallDensity":0.4}"#,
        r#"{"width":40,"height":24,"carve":"astar","open":"rooms","minPathLength":120,
            "itemBudget":30}"#,
        r#"{"width":64,"height":64,"enemyBudget":3900,"wallDensity":0}"#,
    ] {
        check(&config(text), 30);
    }
}

/// Returns a valid floor with at least one object of every kind.
fn floor_with_every_object() -> Floor {
    let config = config(
        r#"{"width":7,"height":7,"itemBudget":1,"relicBudget":1,"npcBudget":1,"trapBudget":1,
            "doorBudget":1,"waterBudget":2,"minPathLength":3}"#,
    );
    let floor = floor::generate(Seed::new(3), &config.resolve().unwrap()).unwrap();
    assert_eq!(floor::validate(&floor).violations, []);
    floor
}

fn cells(floor: &Floor, kind: TileKind) -> Vec<Pos> {
    floor.size().iter().filter(|&pos| floor.tile(pos) == kind).collect()
}

fn set(floor: &mut Floor, pos: Pos, kind: TileKind) {
    let index = floor.size().index(pos);
    floor.tiles[index] = kind;
}

#[test]
fn validator_reports_every_broken_rule() {
    type Break<'a> = (wayforge_core::Rule, &'a dyn Fn(&mut Floor));
    let breaks: [Break; 17] = [
        (rules::TILES_COMPLETE, &|f| f.tiles.truncate(24)),
        (rules::TILES_COMPLETE, &|f| f.tiles.push(TileKind::Wall)),
        (rules::ENDS_IN_PLACE, &|f| f.entrance = f.path[1]),
        (rules::ENDS_IN_PLACE, &|f| {
            let wall = cells(f, TileKind::Wall)[0];
            set(f, wall, TileKind::Exit);
        }),
        (rules::SOLVABLE, &|f| set(f, f.path[1], TileKind::Water)),
        (rules::CONNECTED, &|f| {
            let is_isolated = |pos: &Pos| {
                Dir::STRAIGHT.iter().all(|&dir| {
                    pos.step(dir, f.size()).is_none_or(|next| !f.tile(next).is_walkable())
                })
            };
            let wall = cells(f, TileKind::Wall).into_iter().find(is_isolated).unwrap();
            set(f, wall, TileKind::Floor);
        }),
        (rules::MIN_PATH_LENGTH, &|f| {
            let (exit, second) = (f.exit, f.path[2]);
            set(f, exit, TileKind::Floor);
            set(f, second, TileKind::Exit);
            f.exit = second;
        }),
        (rules::PATH_WITNESS, &|f| {
            f.path.remove(1);
        }),
        (rules::PATH_WITNESS, &|f| f.path.clear()),
        (rules::BUDGETS, &|f| drop(f.entities.pop())),
        (rules::REACHABLE, &|f| f.entities[0].pos = cells(f, TileKind::Wall)[0]),
        (rules::NO_STACKING, &|f| f.entities[0].pos = f.entities[1].pos),
        (rules::NO_STACKING, &|f| f.entities[0].pos = f.exit),
        (rules::ENEMY_DISTANCE, &|f| f.entities[0].pos = f.path[1]),
        (rules::TRAP_OFF_PATH, &|f| set(f, f.path[2], TileKind::Trap)),
        (rules::WATER_OFF_PATH, &|f| set(f, f.path[2], TileKind::Water)),
        (rules::UNIQUE_IDS, &|f| f.entities[0].id = Some("enemy-2".into())),
    ];
    for (rule, change) in breaks {
        let mut floor = floor_with_every_object();
        change(&mut floor);
        let result = validate_floor(&floor);
        assert!(!result.report.passes(rule), "{rule}: {:?}", result.report.violations);
        assert!(!Validator::default().is_valid(&floor), "{rule}: is_valid agrees with the report");
    }
}

#[test]
fn validator_ignores_meta_and_data() {
    let shop = floor::Config { template_id: Some("shop".into()), ..floor::Config::default() };
    for config in [floor::Config::default(), shop] {
        let mut floor = floor::generate(Seed::new(4), &config.resolve().unwrap()).unwrap();
        let metadata = serde_json::json!({"hp": 3}).as_object().unwrap().clone();
        floor.meta = vec![(floor.exit, metadata.clone().into())];
        floor.entities[0].data = Some(metadata.into());
        assert!(floor::validate(&floor).is_valid(), "{:?}", floor::validate(&floor).violations);
        let document = floor.to_document();
        assert_eq!(Floor::decode(document.to_text().as_bytes()).unwrap(), floor);
        assert!(Floor::validate_document(&document, true).unwrap().is_valid());
        let wall = cells(&floor, TileKind::Wall)[0];
        set(&mut floor, wall, TileKind::Water);
        assert_eq!(
            floor::validate(&floor).passes(rules::TEMPLATE_MATCHES),
            config.template_id.is_none()
        );
    }
}

#[test]
fn validator_reports_broken_tile_rules() {
    let floor = floor_with_every_object();
    let beside_path = |floor: &Floor, pos: Pos| {
        Dir::STRAIGHT
            .iter()
            .any(|&dir| pos.step(dir, floor.size()).is_some_and(|next| floor.path.contains(&next)))
    };
    let remote = cells(&floor, TileKind::Floor)
        .into_iter()
        .find(|&pos| !beside_path(&floor, pos) && !floor.path.contains(&pos));
    let mut chest = floor.clone();
    let moved = remote.unwrap_or(floor.path[2]);
    let old = cells(&floor, TileKind::Chest)[0];
    set(&mut chest, old, TileKind::Floor);
    set(&mut chest, moved, TileKind::Chest);
    assert!(!floor::validate(&chest).passes(rules::CHEST_BESIDE_PATH));
    let mut door = floor.clone();
    let open = cells(&floor, TileKind::Floor);
    let junction = open.iter().find(|&&pos| {
        Dir::STRAIGHT
            .iter()
            .filter(|&&dir| {
                pos.step(dir, floor.size()).is_some_and(|n| floor.tile(n).is_walkable())
            })
            .count()
            > 2
    });
    set(&mut door, *junction.unwrap(), TileKind::Door);
    assert!(!floor::validate(&door).passes(rules::DOOR_AT_CHOKEPOINT));
    // A door in a ring can be bypassed.
    let ring = Template::from_ascii("ring", "<.+.>\n.###.\n.....\n");
    let faults = ring.lint();
    assert!(
        faults
            .iter()
            .all(|fault| fault.contains("door-at-chokepoint") && fault.contains("can be bypassed")),
        "{faults:?}"
    );
    assert_eq!(faults.len(), 8);
    // Objects outside the floor are reported by id, because their position does not help to find
    // them.
    let mut outside = floor.clone();
    outside.entities[1].pos = Pos::new(9, 12);
    let messages: Vec<String> =
        floor::validate(&outside).violations.iter().map(ToString::to_string).collect();
    assert!(
        messages.iter().any(|line| line.ends_with("enemy-2 at 9,12 is outside a floor of 7 x 7")),
        "{messages:?}"
    );
    // A floor with more closed tiles than configured.
    let spec = floor::Config { wall_density: Some(Density(0)), ..floor::Config::default() }
        .resolve()
        .unwrap();
    let mut closed = floor::generate(Seed::new(1), &spec).unwrap();
    let unused = cells(&closed, TileKind::Floor)
        .into_iter()
        .find(|&pos| !closed.path.contains(&pos) && closed.entity(pos).is_none());
    set(&mut closed, unused.unwrap(), TileKind::Wall);
    assert!(!floor::validate(&closed).passes(rules::WALL_DENSITY));
}

#[test]
fn validation_counts_present_and_reachable_objects() {
    let mut floor = floor_with_every_object();
    let result = validate_floor(&floor);
    for budget in Budget::ALL {
        let (present, reachable) = result.count(budget);
        assert_eq!((present, present as usize), (floor.spec.budget(budget), floor.count(budget)));
        assert!(reachable == present || budget == Budget::Water, "{budget:?}");
    }
    assert_eq!(result.shortest_path, Some(floor.path.len() as u32 - 1));
    assert_eq!(result.reachable, result.walkable);
    let entrance = floor.entrance;
    set(&mut floor, entrance, TileKind::Wall);
    let result = validate_floor(&floor);
    assert_eq!(
        (result.reachable, result.shortest_path, result.count(Budget::Enemy)),
        (0, None, (3, 0))
    );
}

#[test]
fn rejects_infeasible_configurations_and_names_the_constraint() {
    for (text, field, parts) in [
        (r#"{"width":2}"#, "width", vec!["use 3 to 64"]),
        (r#"{"height":65}"#, "height", vec!["use 3 to 64"]),
        (r#"{"enemyBudget":-1}"#, "enemyBudget", vec!["use 0 to 23"]),
        (
            r#"{"minPathLength":17}"#,
            "minPathLength",
            vec!["no floor of 5 x 5 has a shortest path this long", "use at most 16"],
        ),
        (
            r#"{"entrance":{"x":2,"y":2},"minPathLength":17}"#,
            "minPathLength",
            vec!["from 2,2", "use at most "],
        ),
        (
            r#"{"entrance":{"x":0,"y":0},"exit":{"x":1,"y":0},"minPathLength":3}"#,
            "minPathLength",
            vec!["from 0,0 to 1,0", "use at most 1"],
        ),
        (
            r#"{"entrance":{"x":0,"y":0},"exit":{"x":1,"y":1},"minPathLength":3}"#,
            "minPathLength",
            vec!["use at most 2"],
        ),
        (
            r#"{"entrance":{"x":3,"y":3},"exit":{"x":3,"y":3}}"#,
            "exit",
            vec!["same cell as the entrance"],
        ),
        (r#"{"entrance":{"x":5,"y":0}}"#, "entrance.x", vec!["use 0 to 4"]),
        (
            r#"{"enemyBudget":23}"#,
            "enemyBudget",
            vec![
                "no floor of 5 x 5 has room for this many enemies",
                "chestBudget 1",
                "use at most 22",
            ],
        ),
        (
            r#"{"minPathLength":16,"enemyBudget":16}"#,
            "enemyBudget",
            vec!["use at most 15", "minPathLength 16"],
        ),
        (r#"{"chestBudget":20}"#, "chestBudget", vec!["use at most "]),
        (
            r#"{"trapBudget":21}"#,
            "trapBudget",
            vec!["with chestBudget 1, enemyBudget 3", "use at most 19"],
        ),
        (
            r#"{"trapBudget":24,"enemyBudget":0,"chestBudget":0}"#,
            "trapBudget",
            vec!["use at most 23"],
        ),
        (r#"{"waterBudget":21}"#, "waterBudget", vec!["use at most "]),
        (r#"{"wallDensity":0.5,"attempts":2000}"#, "attempts", vec!["use 0 to 1000"]),
        (r#"{"useTemplate":true}"#, "useTemplate", vec!["shop, boss, rest"]),
        (r#"{"templateId":"tavern"}"#, "templateId", vec!["no such template", "shop, boss, rest"]),
        (
            r#"{"templateId":"rest","itemBudget":0}"#,
            "itemBudget",
            vec!["the template rest contains 1 item"],
        ),
        (r#"{"templateId":"boss","width":9}"#, "width", vec!["5 x 5"]),
        (
            r#"{"templateId":"shop","entrance":{"x":2,"y":2}}"#,
            "entrance",
            vec!["in any orientation", "0,0"],
        ),
    ] {
        let error = config(text).resolve().unwrap_err();
        assert_eq!(error.field, field, "{text}: {error}");
        let line = error.to_string();
        assert!(parts.iter().all(|part| line.contains(part)), "{text}: {line}");
        assert!(!line.contains("no known"), "{text}: every rejection at 5 x 5 is a proof: {line}");
    }
}

/// Every rejection at 5 x 5 is a proof, and every accepted configuration generates floors.
#[test]
fn decides_tight_configurations_at_5_x_5() {
    let mut rng = wayforge_core::MapRng::from_u64(5);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..120 {
        let mut draw = |max: u32| Some(i64::from(rng.below(max + 1)));
        let config = floor::Config {
            min_path_length: draw(16),
            enemy_budget: draw(12),
            chest_budget: draw(6),
            trap_budget: draw(6),
            item_budget: draw(5),
            water_budget: draw(6),
            ..floor::Config::default()
        };
        match config.resolve() {
            Ok(_) => {
                check(&config, 20);
                accepted += 1;
            }
            Err(error) => {
                assert!(error.problem.starts_with("no floor of 5 x 5 has "), "{error}");
                rejected += 1;
            }
        }
    }
    assert!(accepted > 20 && rejected > 20, "{accepted} {rejected}");
}

/// Returns an integer field of a configuration by name.
fn number<'a>(config: &'a mut floor::Config, field: &str) -> &'a mut Option<i64> {
    match field {
        "minPathLength" => &mut config.min_path_length,
        "enemyBudget" => &mut config.enemy_budget,
        "chestBudget" => &mut config.chest_budget,
        "trapBudget" => &mut config.trap_budget,
        "doorBudget" => &mut config.door_budget,
        "itemBudget" => &mut config.item_budget,
        "relicBudget" => &mut config.relic_budget,
        "npcBudget" => &mut config.npc_budget,
        "waterBudget" => &mut config.water_budget,
        other => panic!("{other}"),
    }
}

/// Applies the suggestion of an error. It must work, and the next larger value must not.
#[track_caller]
fn apply_suggestion(config: &floor::Config) -> floor::Config {
    let error = config.resolve().unwrap_err();
    let mut better = config.clone();
    let suggestion = error.remedy.strip_prefix("use at most ").unwrap_or_else(|| panic!("{error}"));
    let (suggestion, _) = suggestion.split_once(';').unwrap_or((suggestion, ""));
    let mut parts = suggestion.split(", ");
    let max_value: i64 = parts.next().unwrap().parse().unwrap_or_else(|_| panic!("{error}"));
    *number(&mut better, &error.field) = Some(max_value);
    for part in parts {
        let (field, max_value) = part.trim_start_matches("with ").split_once(" at most ").unwrap();
        *number(&mut better, field) = Some(max_value.parse().unwrap());
    }
    match better.resolve() {
        Ok(spec) => assert!(spec.is_proven_feasible(), "{error}\nbut the suggestion may fail"),
        Err(second_error) => panic!("{error}\nbut the suggestion fails: {second_error}"),
    }
    let mut more = better.clone();
    *number(&mut more, &error.field) = Some(max_value + 1);
    let (is_small, may_work) = (
        better.width.unwrap_or(5) * better.height.unwrap_or(5) <= 25,
        error.remedy.contains("; values up to "),
    );
    match more.resolve() {
        // Up to 25 cells everything is decided, so the suggestion is the exact maximum.
        Ok(_) => assert!(
            !is_small && (may_work || error.remedy.contains("with ")),
            "{error}\nbut {} is accepted",
            max_value + 1
        ),
        Err(_) => assert!(!may_work, "{error}\nbut {} is rejected", max_value + 1),
    }
    better
}

#[test]
fn suggested_values_work() {
    for text in [
        r#"{"enemyBudget":23}"#,
        r#"{"chestBudget":20}"#,
        r#"{"trapBudget":22}"#,
        r#"{"entrance":{"x":2,"y":2},"minPathLength":20}"#,
        r#"{"doorBudget":13,"enemyBudget":0}"#,
        r#"{"doorBudget":23,"enemyBudget":23,"trapBudget":23,"minPathLength":24}"#,
        r#"{"width":4,"height":6,"minPathLength":23}"#,
        r#"{"width":20,"height":20,"minPathLength":390}"#,
        r#"{"minPathLength":10,"enemyBudget":20}"#,
        r#"{"minPathLength":40}"#,
        r#"{"enemyBudget":9223372036854775807}"#,
        r#"{"waterBudget":26}"#,
        r#"{"width":64,"height":64,"trapBudget":9223372036854775807,"chestBudget":5000}"#,
        r#"{"width":7,"height":7,"chestBudget":40}"#,
        r#"{"width":7,"height":7,"chestBudget":12,"doorBudget":30,"entrance":{"x":3,"y":3}}"#,
        r#"{"width":7,"height":7,"minPathLength":20,"entrance":{"x":3,"y":3},
            "exit":{"x":3,"y":4}}"#,
        r#"{"width":9,"height":8,"waterBudget":60,"enemyBudget":9,"minPathLength":12,
            "exit":{"x":1,"y":4}}"#,
        r#"{"width":64,"height":64,"minPathLength":2800}"#,
        r#"{"width":64,"height":64,"doorBudget":3000,"open":"rooms"}"#,
        r#"{"width":64,"height":64,"chestBudget":3000}"#,
        r#"{"width":64,"height":64,"enemyBudget":3000,"trapBudget":3000}"#,
    ] {
        let better = apply_suggestion(&config(text));
        check(&better, if better.width > Some(20) { 3 } else { 50 });
    }
}

/// Feasible configurations with doors, long paths or many objects.
#[test]
fn accepts_feasible_configurations() {
    for text in [
        r#"{"width":64,"height":64,"open":"rooms","doorBudget":1}"#,
        r#"{"width":64,"height":64,"doorBudget":100}"#,
        r#"{"width":64,"height":64,"doorBudget":100,"minPathLength":1000}"#,
        r#"{"width":64,"height":64,"minPathLength":2000,"enemyBudget":500,"doorBudget":200}"#,
        r#"{"width":64,"height":64,"chestBudget":1800}"#,
        r#"{"width":64,"height":64,"waterBudget":4080}"#,
        r#"{"width":30,"height":20,"entrance":{"x":14,"y":9},"exit":{"x":16,"y":9},
            "minPathLength":150}"#,
    ] {
        check(&config(text), 5);
    }
    for chests in 0..=19 {
        check(
            &floor::Config {
                width: Some(7),
                height: Some(7),
                chest_budget: Some(chests),
                ..floor::Config::default()
            },
            20,
        );
    }
}

/// Feasible configurations that a fixed list of layouts does not cover.
#[test]
fn accepts_feasible_configurations_beyond_a_fixed_list_of_layouts() {
    for text in [
        r#"{"width":6,"height":5,"minPathLength":12,"doorBudget":3,"chestBudget":5,"trapBudget":2,
            "waterBudget":1,"relicBudget":2,"enemyBudget":0}"#,
        r#"{"width":13,"height":3,"minPathLength":9,"doorBudget":2,"chestBudget":12,
            "trapBudget":9,"itemBudget":1,"enemyBudget":0}"#,
        r#"{"width":7,"height":7,"minPathLength":18,"doorBudget":4,"trapBudget":14,"itemBudget":2,
            "relicBudget":3,"entrance":{"x":5,"y":1},"exit":{"x":3,"y":3},"enemyBudget":0,
            "chestBudget":0}"#,
        r#"{"width":9,"height":8,"minPathLength":24,"doorBudget":7,"chestBudget":14,
            "itemBudget":10,"enemyBudget":0}"#,
    ] {
        check(&config(text), 20);
    }
}

/// If feasibility is undecided, attempts may fail, and the error names the unmet constraint.
#[test]
fn undecided_configurations_fail_with_the_unmet_constraint() {
    let config = config(r#"{"width":64,"height":64,"minPathLength":2650,"attempts":3}"#);
    let spec = config.resolve().unwrap();
    assert!(!spec.is_proven_feasible());
    let error = floor::generate(Seed::new(7), &spec).unwrap_err();
    assert_eq!(
        (error.seed.clone(), error.attempts, error.unmet[0].field),
        (Seed::new(7), 3, "minPathLength")
    );
    let line = error.to_string();
    for part in [
        "seed 7",
        "3 attempts",
        "minPathLength in 3",
        "neither proved feasible nor proved infeasible",
    ] {
        assert!(line.contains(part), "{line}");
    }
    assert!(floor::Config::default().resolve().unwrap().is_proven_feasible());
}

#[test]
fn rejects_huge_values_with_the_largest_that_works() {
    let error_of = |text: &str| config(text).resolve().unwrap_err();
    let error = error_of(r#"{"minPathLength":40}"#);
    assert_eq!((error.field.as_str(), error.value.as_str()), ("minPathLength", "40"));
    assert_eq!(error.remedy, "use at most 16");
    assert_eq!(
        error_of(r#"{"minPathLength":40,"enemyBudget":0,"chestBudget":0}"#).remedy,
        "use at most 16"
    );
    assert_eq!(error_of(r#"{"enemyBudget":1000000000000}"#).value, "1000000000000");
    let pinned =
        error_of(r#"{"pins":["<....","?????","?????","?????","????>"],"minPathLength":40}"#);
    assert_eq!((pinned.field.as_str(), pinned.value.as_str()), ("minPathLength", "40"), "{pinned}");
}

/// Errors name given constraints rather than defaults, and only constraints that have to change.
#[test]
fn errors_name_given_constraints_rather_than_defaults() {
    for (text, field) in [
        (r#"{"waterBudget":21}"#, "waterBudget"),
        (r#"{"doorBudget":12}"#, "doorBudget"),
        (r#"{"chestBudget":22,"enemyBudget":0,"itemBudget":1}"#, "chestBudget"),
        (r#"{"width":12,"height":12,"npcBudget":142}"#, "npcBudget"),
    ] {
        let error = config(text).resolve().unwrap_err();
        assert_eq!(error.field, field, "{error}");
        apply_suggestion(&config(text));
    }
}

#[test]
fn templates_use_every_symmetry_that_fits_the_entrance() {
    for template in Template::embedded() {
        assert_eq!(template.lint(), Vec::<String>::new(), "{}", template.id);
        let mut symmetries = std::collections::BTreeSet::new();
        let mut entrances = std::collections::BTreeSet::new();
        for y in 0..5 {
            for x in 0..5 {
                let config = floor::Config {
                    template_id: Some(template.id.clone()),
                    entrance: Some(Vec2 { x, y }),
                    ..floor::Config::default()
                };
                let Ok(spec) = config.resolve() else { continue };
                for seed in 0..40 {
                    let floor = floor::generate(Seed::new(seed), &spec).unwrap();
                    assert_eq!(floor.entrance, Pos::new(x as u16, y as u16));
                    assert_eq!(floor::validate(&floor).violations, []);
                    let Origin::Template { symmetry } = floor.origin else {
                        panic!("{:?}", floor.origin)
                    };
                    symmetries.insert(symmetry);
                    entrances.insert(floor.entrance);
                }
            }
        }
        assert_eq!(symmetries.len(), Symmetry::ALL.len(), "{}", template.id);
        assert!(entrances.len() >= 20, "{}: {}", template.id, entrances.len());
    }
}

#[test]
fn lint_reports_faults_of_broken_templates() {
    for (rows, part) in [
        ("<.\n.>\n..", "out of range"),
        ("<..\n.#\n..>", "write rows of equal length"),
        ("<..\n.?.\n..>", "unknown symbol '?'"),
        ("...\n...\n..>", "marks 0 cells as entrance"),
        ("<..\n...\n...", "marks 0 cells as exit"),
        ("<.#\n.##\n##>", "the exit cannot be reached"),
        ("<#n\n.##\n..>", "cannot be reached"),
        ("<e.\n...\n..>", "the enemy is 1 step from the entrance"),
        ("<..\n.+.\n..>", "the door is not between two walls"),
        ("<.>\n...\n..$", "not next to the path"),
        ("<##\n^##\n.>#", "on the path"),
    ] {
        let faults = Template::from_ascii("bad", rows).lint();
        assert!(faults.iter().any(|fault| fault.contains(part)), "{rows}: {faults:?}");
    }
    let custom = r#"{"id":"x","rows":["<..","..Q","..>"],"legend":{"Q":{"kind":"dragon"}}}"#;
    let faults = Template::from_json(custom.as_bytes()).unwrap().lint();
    assert!(
        faults[0].contains("template.legend.Q.kind") && faults[0].contains("enemy"),
        "{faults:?}"
    );
    let time = r#"{"id":"x","rows":["<..","..Q","..>"],
        "legend":{"Q":{"kind":"npc","data":{"a":[{"generatedAt":""}]}}}}"#;
    assert!(
        Template::from_json(time.as_bytes()).unwrap().lint()[0].contains("not part of the digest")
    );
}

#[test]
fn neighbouring_seeds_and_methods_give_different_floors() {
    let floors = |config: &floor::Config| {
        let mut generator = floor::Generator::new(&config.resolve().unwrap());
        (0..500)
            .map(|seed| generator.generate(Seed::new(seed)).unwrap().to_string())
            .collect::<std::collections::BTreeSet<String>>()
    };
    assert_eq!(floors(&floor::Config::default()).len(), 500);
    let astar = floor::Config { carve: CarveMethod::Astar, ..floor::Config::default() };
    let rooms = floor::Config { open: OpenMethod::Rooms, ..floor::Config::default() };
    for other in [astar, rooms] {
        let common = floors(&other).intersection(&floors(&floor::Config::default())).count();
        // If the exit is close, both methods give the same path.
        assert!(common < 250, "{common}");
    }
}

#[test]
fn every_cell_becomes_entrance_and_exit() {
    let mut generator = floor::Generator::new(&floor::Config::default().resolve().unwrap());
    let (mut entrances, mut exits, mut lengths) = ([0; 25], [0; 25], [0; 17]);
    for seed in 0..20_000 {
        let floor = generator.generate(Seed::new(seed)).unwrap();
        entrances[floor.size().index(floor.entrance)] += 1;
        exits[floor.size().index(floor.exit)] += 1;
        lengths[floor.path.len() - 1] += 1;
    }
    assert!(entrances.iter().chain(&exits).all(|&count| count > 300), "{entrances:?} {exits:?}");
    assert!(lengths[0] == 0 && lengths[1..9].iter().all(|&count| count > 100), "{lengths:?}");
}
