//! Properties that designers rely on: templates with complete configurations, uniform exits, doors
//! that guard tiles, rooms connected by corridors, safe routes.

use std::collections::{BTreeMap, BTreeSet};
use wayforge_core::Seed;
use wayforge_core::grid::{Dir, Pos};
use wayforge_floor::{
    self as floor, Budget, EntityKind, Floor, Origin, TileKind, Validator, rules, tower,
};

fn config(text: &str) -> floor::Config {
    floor::Config::from_json(text.as_bytes()).unwrap()
}

/// Generates and validates the floors of many seeds and visits each. Returns the number of fallback
/// layouts.
#[track_caller]
fn for_each_floor(text: &str, seeds: u64, mut visit: impl FnMut(&Floor)) -> u64 {
    let spec = config(text).resolve().unwrap_or_else(|error| panic!("{text}: {error}"));
    let (mut generator, mut validator, mut fallback) =
        (floor::Generator::new(&spec), Validator::default(), 0);
    for seed in 0..seeds {
        let floor =
            generator.generate(Seed::new(seed)).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(
            validator.is_valid(floor),
            "{text}, seed {seed}: {:?}\n{floor}",
            validator.validate(floor).report.violations
        );
        fallback += u64::from(matches!(floor.origin, Origin::Fallback { .. }));
        visit(floor);
    }
    fallback
}

fn neighbours(floor: &Floor, pos: Pos) -> impl Iterator<Item = Pos> + use<> {
    let size = floor.size();
    Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size))
}

/// Returns the cells reachable from the entrance without stepping on `closed`.
fn reachable_cells(floor: &Floor, closed: &dyn Fn(Pos) -> bool) -> BTreeSet<Pos> {
    let mut seen = BTreeSet::from([floor.entrance]);
    let mut rest = vec![floor.entrance];
    while let Some(pos) = rest.pop() {
        for next in
            neighbours(floor, pos).filter(|&next| floor.tile(next).is_walkable() && !closed(next))
        {
            if seen.insert(next) {
                rest.push(next);
            }
        }
    }
    seen
}

fn cells(floor: &Floor, kind: TileKind) -> Vec<Pos> {
    floor.size().iter().filter(|&pos| floor.tile(pos) == kind).collect()
}

/// Returns a template configuration with every required field of `GenerationConfig`.
fn template_config(template: &str, more: &str) -> String {
    format!(
        r#"{{"width":5,"height":5,"wallDensity":0.5,"enemyBudget":3,"chestBudget":1,
            "templateId":"{template}"{more}}}"#
    )
}

#[test]
fn templates_accept_complete_configurations() {
    for template in ["shop", "boss", "rest"] {
        for more in
            ["", r#","minPathLength":12"#, r#","itemBudget":4,"trapBudget":1,"useTemplate":true"#]
        {
            let text = template_config(template, more);
            let mut layouts = BTreeSet::new();
            for_each_floor(&text, 300, |floor| {
                assert!(matches!(floor.origin, Origin::Template { .. }));
                assert_eq!((floor.count(Budget::Enemy), floor.count(Budget::Chest)), (3, 1));
                assert_eq!(
                    Floor::decode(floor.to_document().to_text().as_bytes()).unwrap(),
                    *floor
                );
                layouts.insert(floor.to_string());
            });
            assert!(layouts.len() > 100, "{text}: {} floors", layouts.len());
        }
    }
    // Objects of the template count: the boss is one of three enemies and keeps its data.
    for_each_floor(&template_config("boss", ""), 50, |floor| {
        let bosses = floor.entities.iter().filter(|entity| entity.data.is_some()).count();
        assert_eq!((bosses, floor.count(Budget::Enemy), floor.count(Budget::Relic)), (1, 3, 1));
    });
    // Doors and water are placed as well.
    let hall = r####""template":{"id":"hall",
        "rows":["<......","###.###",".......",".......","......>"]}"####;
    for_each_floor(
        &format!(r#"{{{hall},"doorBudget":1,"waterBudget":2,"enemyBudget":2,"chestBudget":1}}"#),
        200,
        |floor| {
            assert_eq!((floor.count(Budget::Door), floor.count(Budget::Water)), (1, 2));
        },
    );
}

#[test]
fn templates_reject_budgets_they_have_no_room_for() {
    for (text, field, parts) in [
        (
            r#"{"templateId":"boss","enemyBudget":0}"#,
            "enemyBudget",
            ["the template boss contains 1 enemy", "at least 1"],
        ),
        (
            r#"{"templateId":"shop","itemBudget":1}"#,
            "itemBudget",
            ["contains 2 items", "at least 2"],
        ),
        (
            r#"{"templateId":"shop","width":6,"height":5}"#,
            "width",
            ["the template shop is 5 x 5", "5 x 5"],
        ),
        (
            r#"{"templateId":"shop","width":5,"height":6}"#,
            "height",
            ["the template shop is 5 x 5", "5 x 5"],
        ),
        (
            r#"{"templateId":"boss","chestBudget":20}"#,
            "chestBudget",
            ["no room was found on the free floor of the template boss for 20 more chests", "use "],
        ),
        (
            r#"{"templateId":"boss","doorBudget":1}"#,
            "doorBudget",
            [
                "no room was found on the free floor of the template boss for 1 more door",
                "use 0 or leave it out",
            ],
        ),
    ] {
        let error = config(text).resolve().unwrap_err();
        assert_eq!(error.field, field, "{text}: {error}");
        assert!(parts.iter().all(|part| error.to_string().contains(part)), "{text}: {error}");
    }
}

#[test]
fn template_without_room_names_the_given_value_and_the_largest_that_fits() {
    for id in ["shop", "boss", "rest"] {
        for budget in Budget::ALL {
            let with = |count: i64| {
                config(&format!(r#"{{"templateId":"{id}","{}":{count}}}"#, budget.field()))
                    .resolve()
            };
            // More than the tiles of the template, and more than fits into 32 bits.
            for given in [30, 5_000_000_000] {
                let error = with(given).unwrap_err();
                assert_eq!(
                    (error.field.as_str(), error.value.as_str()),
                    (budget.field(), &*given.to_string())
                );
                let named = error.remedy.split(' ').nth(1).and_then(|word| word.parse().ok());
                let named: i64 = named.unwrap_or_else(|| panic!("{error}"));
                with(named).unwrap_or_else(|other| panic!("{error}, but {other}"));
                assert_eq!(
                    with(named + 1).unwrap_err().remedy,
                    error.remedy,
                    "the largest value that fits"
                );
            }
        }
    }
    // If no value of one budget helps, the error names every budget that exceeds the template.
    let error =
        config(r#"{"templateId":"boss","enemyBudget":30,"chestBudget":30}"#).resolve().unwrap_err();
    assert_eq!(error.value, "30");
    assert_eq!(error.remedy, "lower or leave out chestBudget, enemyBudget");
}

#[test]
fn traps_can_be_bypassed() {
    for text in [
        r#"{"width":24,"height":16,"open":"rooms","trapBudget":6,"doorBudget":2}"#,
        r#"{"width":16,"height":12,"trapBudget":4}"#,
    ] {
        let mut traps = 0;
        for_each_floor(text, 300, |floor| {
            let all = reachable_cells(floor, &|_| false).len();
            for trap in cells(floor, TileKind::Trap) {
                assert_eq!(
                    reachable_cells(floor, &|pos| pos == trap).len() + 1,
                    all,
                    "{trap}\n{floor}"
                );
                traps += 1;
            }
        });
        assert!(traps >= 1200);
    }
    // A narrow floor has no other tiles for traps.
    let mut unavoidable = 0;
    for_each_floor(
        r#"{"width":3,"height":12,"wallDensity":0.6,"trapBudget":2,"enemyBudget":0}"#,
        100,
        |floor| {
            let all = reachable_cells(floor, &|_| false).len();
            let is_unavoidable =
                |trap: &Pos| reachable_cells(floor, &|pos| pos == *trap).len() + 1 < all;
            unavoidable +=
                cells(floor, TileKind::Trap).iter().filter(|trap| is_unavoidable(trap)).count();
        },
    );
    assert!(unavoidable > 0);
}

#[test]
fn water_forms_pools_next_to_open_tiles() {
    let (mut single, mut pools) = (0, 0);
    for_each_floor(
        r#"{"width":20,"height":14,"open":"rooms","waterBudget":12,"doorBudget":2}"#,
        300,
        |floor| {
            let mut left: BTreeSet<Pos> = cells(floor, TileKind::Water).into_iter().collect();
            while let Some(first) = left.pop_first() {
                let mut pool = vec![first];
                let mut head = 0;
                while head < pool.len() {
                    pool.extend(neighbours(floor, pool[head]).filter(|next| left.remove(next)));
                    head += 1;
                }
                let is_shore =
                    |pos: &Pos| neighbours(floor, *pos).any(|next| floor.tile(next).is_walkable());
                assert!(pool.iter().any(is_shore), "a pool without open neighbours\n{floor}");
                single += u32::from(pool.len() == 1);
                pools += 1;
            }
        },
    );
    // Twelve tiles placed independently would form about ten pools.
    assert!(pools < 300 * 4, "{pools}");
    assert!(single * 3 < pools, "{single} of {pools}");
}

#[test]
fn use_template_false_disables_a_named_template() {
    let off = config(&template_config("boss", r#","useTemplate":false"#)).resolve().unwrap();
    let carved =
        config(r#"{"width":5,"height":5,"wallDensity":0.5,"enemyBudget":3,"chestBudget":1}"#)
            .resolve()
            .unwrap();
    assert_eq!(off.config(), carved.config());
    assert_eq!(
        floor::generate(Seed::new(5), &off).unwrap(),
        floor::generate(Seed::new(5), &carved).unwrap()
    );
    assert!(off.template().is_none());
}

#[test]
fn validator_reports_objects_off_the_free_floor_of_a_template() {
    let spec = config(&template_config("shop", "")).resolve().unwrap();
    let mut floor = floor::generate(Seed::new(1), &spec).unwrap();
    assert!(floor::validate(&floor).is_valid());
    // A wall of the template is not free floor, so it cannot become a chest.
    let (wall, chest) = (cells(&floor, TileKind::Wall)[0], cells(&floor, TileKind::Chest)[0]);
    let size = floor.size();
    floor.tiles[size.index(wall)] = TileKind::Chest;
    floor.tiles[size.index(chest)] = TileKind::Floor;
    assert!(!floor::validate(&floor).passes(rules::TEMPLATE_MATCHES));
}

/// Returns Pearson's chi-squared statistic over all cells except the entrance.
fn chi_squared(text: &str, seeds: u64, cells: usize) -> f64 {
    let mut counts: BTreeMap<Pos, u64> = BTreeMap::new();
    for_each_floor(text, seeds, |floor| *counts.entry(floor.exit).or_default() += 1);
    let expected = seeds as f64 / (cells - 1) as f64;
    let missing = (cells - 1 - counts.len()) as f64 * expected;
    missing
        + counts.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum::<f64>()
}

/// The seeds are fixed, so the test is deterministic. A biased exit fails by far.
#[test]
fn exit_is_uniform_without_minimum_path_length() {
    for entrance in [(0, 0), (2, 2), (1, 3), (4, 2)] {
        let at = format!(r#""entrance":{{"x":{},"y":{}}}"#, entrance.0, entrance.1);
        for more in [
            "",
            r#","doorBudget":1"#,
            r#","doorBudget":2"#,
            r#","open":"rooms","carve":"astar""#,
            r#","enemyBudget":12"#,
        ] {
            // 23 degrees of freedom: 55.5 is exceeded once in 6,000 uniform samples.
            let text = format!("{{{at}{more}}}");
            let found = chi_squared(&text, 6_000, 25);
            assert!(found < 55.5, "{text}: {found}");
        }
    }
    let found = chi_squared(
        r#"{"width":4,"height":3,"entrance":{"x":0,"y":1},"enemyBudget":1}"#,
        6_000,
        12,
    );
    assert!(found < 36.0, "4 x 3: {found}");
    let found = chi_squared(
        r#"{"width":12,"height":8,"entrance":{"x":3,"y":4},"open":"rooms","doorBudget":2}"#,
        9_500,
        96,
    );
    assert!(found < 152.0, "12 x 8: {found}");
    // Neighbours of the entrance are as likely as any other cell: 4 of 24.
    let mut adjacent = 0;
    for_each_floor(r#"{"entrance":{"x":2,"y":2}}"#, 6_000, |floor| {
        adjacent += u64::from(floor.path.len() == 2)
    });
    assert!((900..1_100).contains(&adjacent), "{adjacent}");
}

/// If some exits are infeasible, the others are equally likely.
#[test]
fn exit_is_uniform_over_feasible_exits() {
    // Nine enemies, a chest, entrance and exit fill the floor. No enemy may be next to the
    // entrance, so its two neighbours are the chest and the exit.
    let mut counts: BTreeMap<Pos, u64> = BTreeMap::new();
    let text = r#"{"width":4,"height":3,"entrance":{"x":0,"y":0},"enemyBudget":9,"chestBudget":1}"#;
    for_each_floor(text, 3_000, |floor| *counts.entry(floor.exit).or_default() += 1);
    let (min_count, max_count) = (counts.values().min().unwrap(), counts.values().max().unwrap());
    assert!(counts.len() == 2 && max_count * 10 < min_count * 13, "{counts:?}");
}

const WITH_DOORS: [&str; 8] = [
    r#"{"doorBudget":1}"#,
    r#"{"doorBudget":2}"#,
    r#"{"width":12,"height":8,"doorBudget":2}"#,
    r#"{"width":12,"height":8,"doorBudget":3,"open":"rooms","wallDensity":0.3}"#,
    r#"{"width":24,"height":16,"doorBudget":3,"open":"rooms"}"#,
    r#"{"width":24,"height":16,"doorBudget":8,"minPathLength":20,"carve":"astar"}"#,
    r#"{"width":9,"height":7,"doorBudget":2,"wallDensity":0,"chestBudget":3}"#,
    r#"{"width":7,"height":5,"doorBudget":1,"open":"rooms","entrance":{"x":3,"y":2},
        "exit":{"x":3,"y":3}}"#,
];

#[track_caller]
fn check_doors(floor: &Floor) {
    let open = floor.tiles.iter().filter(|tile| tile.is_walkable()).count();
    for door in cells(floor, TileKind::Door) {
        let guarded = open - 1 - reachable_cells(floor, &|pos| pos == door).len();
        assert!(guarded >= 3, "the door at {door} guards {guarded} tiles\n{floor}");
        assert!(
            neighbours(floor, door).all(|next| floor.tile(next) != TileKind::Door),
            "{door}\n{floor}"
        );
    }
}

#[test]
fn doors_guard_enough_tiles_and_are_not_neighbours() {
    for text in WITH_DOORS {
        let fallback = for_each_floor(text, 1_000, check_doors);
        assert!(fallback <= 10, "{text}: {fallback} of 1000 are fallback layouts");
    }
    let tower = tower::Config::from_json(
        br#"{"floors":8,"curves":[],"boss":null,
            "floor":{"width":9,"height":9,"doorBudget":2,"open":"rooms","safeRoute":true}}"#,
    );
    let spec = tower.unwrap().resolve().unwrap();
    for seed in 0..20 {
        let tower = tower::generate(Seed::new(seed), &spec).unwrap();
        assert_eq!(tower::validate(&tower).violations, []);
        tower.floors.iter().for_each(check_doors);
    }
}

#[test]
fn lint_reports_doors_that_guard_too_few_tiles() {
    let check = |rows: &str| floor::Template::from_ascii("hall", rows).lint();
    let faults = check("<..#..\n...+..\n..>#..\n");
    assert!(faults.is_empty(), "{faults:?}");
    let faults = check("<..###\n...+..\n..>###\n");
    assert!(
        faults[0].contains("door-guards")
            && faults[0].contains("guards 2 tiles, expected at least 3"),
        "{faults:?}"
    );
    let faults = check("<..##...\n...++...\n..>##...\n");
    assert!(
        faults[0].contains("door-guards") && faults[0].contains("next to another door"),
        "{faults:?}"
    );
}

/// Returns the rooms and the number of corridor tiles. Open tiles in an open 2 x 2 square belong to
/// rooms.
fn rooms_of(floor: &Floor) -> (Vec<BTreeSet<Pos>>, usize) {
    let open = |x: i32, y: i32| {
        let size = floor.size();
        x >= 0
            && y >= 0
            && x < size.width.into()
            && y < size.height.into()
            && floor.tile(Pos::new(x as u16, y as u16)).is_walkable()
    };
    let in_room = |pos: &Pos| {
        let (x, y) = (i32::from(pos.x), i32::from(pos.y));
        [(-1, -1), (0, -1), (-1, 0), (0, 0)]
            .iter()
            .any(|&(dx, dy)| (0..2).all(|i| (0..2).all(|j| open(x + dx + i, y + dy + j))))
    };
    let walkable: BTreeSet<Pos> =
        floor.size().iter().filter(|&pos| floor.tile(pos).is_walkable()).collect();
    let mut rest: BTreeSet<Pos> = walkable.iter().copied().filter(in_room).collect();
    let corridors = walkable.len() - rest.len();
    let mut rooms = Vec::new();
    while let Some(first) = rest.pop_first() {
        let (mut room, mut queue) = (BTreeSet::from([first]), vec![first]);
        while let Some(pos) = queue.pop() {
            for next in neighbours(floor, pos).filter(|next| rest.remove(next)).collect::<Vec<_>>()
            {
                room.insert(next);
                queue.push(next);
            }
        }
        rooms.push(room);
    }
    (rooms, corridors)
}

#[test]
fn rooms_are_rectangles_connected_by_corridors() {
    for (text, min_rooms) in [
        (r#"{"width":12,"height":8,"open":"rooms"}"#, 2),
        (r#"{"width":24,"height":16,"open":"rooms","doorBudget":3}"#, 4),
        (r#"{"width":40,"height":30,"open":"rooms","wallDensity":0.6}"#, 8),
        (r#"{"width":64,"height":64,"open":"rooms","safeRoute":true}"#, 25),
    ] {
        let (mut rooms_total, mut rectangles, mut too_few, mut with_corridors) = (0, 0, 0, 0);
        let seeds = 200;
        for_each_floor(text, seeds, |floor| {
            let (rooms, corridors) = rooms_of(floor);
            let is_rectangle = |room: &&BTreeSet<Pos>| {
                let extent = |coordinate: fn(&Pos) -> u16| {
                    let low = room.iter().map(coordinate).min().unwrap();
                    usize::from(room.iter().map(coordinate).max().unwrap() - low) + 1
                };
                extent(|pos| pos.x) * extent(|pos| pos.y) == room.len()
            };
            rooms_total += rooms.len();
            rectangles += rooms.iter().filter(is_rectangle).count();
            too_few += u64::from(rooms.len() < min_rooms);
            with_corridors += u64::from(corridors >= rooms.len() - 1);
        });
        assert!(
            rectangles * 100 >= rooms_total * 98,
            "{text}: {rectangles} of {rooms_total} rooms are rectangles"
        );
        assert!(
            too_few * 20 <= seeds && with_corridors * 20 >= seeds * 19,
            "{text}: {too_few} {with_corridors}"
        );
    }
}

#[test]
fn safe_routes_and_chests_avoid_enemies() {
    let enemy = |floor: &Floor, pos: Pos| {
        floor.entity(pos).is_some_and(|entity| entity.kind == EntityKind::Enemy)
    };
    for (options, route) in [(r#""safeRoute":true"#, true), (r#""safeChests":true"#, false)] {
        for more in [
            "",
            r#","enemyBudget":8,"chestBudget":2,"minPathLength":4"#,
            r#","width":12,"height":8,"doorBudget":1,"enemyBudget":20,"chestBudget":4"#,
            r#","width":24,"height":16,"open":"rooms","enemyBudget":40,"chestBudget":6"#,
            r#","pins":["?????","??e??","?????","?????","?????"]"#,
            r#","templateId":"boss","enemyBudget":4,"chestBudget":2"#,
        ] {
            let text = format!("{{{options}{more}}}");
            let mut on_path = 0;
            for_each_floor(&text, 500, |floor| {
                let safe = reachable_cells(floor, &|pos| enemy(floor, pos));
                assert!(!route || safe.contains(&floor.exit), "{text}\n{floor}");
                // With a pinned enemy, `safeRoute` protects the route but not every chest.
                let chests = !route || !more.contains("pins");
                assert!(
                    !chests || cells(floor, TileKind::Chest).iter().all(|pos| safe.contains(pos)),
                    "{text}\n{floor}"
                );
                on_path += floor.path.iter().filter(|&&pos| enemy(floor, pos)).count();
            });
            // Safe chests alone allow enemies on the rest of the path.
            assert!(route || on_path > 0 || more.contains("pins"), "{text}");
        }
    }
    // Without the options, an enemy blocks every route on most of these floors.
    let mut blocked = 0;
    for_each_floor(r#"{"enemyBudget":8}"#, 500, |floor| {
        blocked +=
            u32::from(!reachable_cells(floor, &|pos| enemy(floor, pos)).contains(&floor.exit));
    });
    assert!(blocked > 250, "{blocked}");
}

#[test]
fn validator_reports_unsafe_floors_and_resolve_rejects_infeasible_safety() {
    let mut broken = [0; 2];
    for_each_floor(
        r#"{"safeRoute":true,"safeChests":true,"minPathLength":6,"wallDensity":1}"#,
        50,
        |floor| {
            for &step in &floor.path[2..floor.path.len() - 1] {
                let mut moved = floor.clone();
                moved.entities[0].pos = step;
                let safe = reachable_cells(&moved, &|pos| {
                    moved.entity(pos).is_some_and(|entity| entity.kind == EntityKind::Enemy)
                });
                let report = floor::validate(&moved);
                let chests = cells(&moved, TileKind::Chest).iter().all(|pos| safe.contains(pos));
                assert_eq!(report.passes(rules::SAFE_ROUTE), safe.contains(&moved.exit), "{moved}");
                assert_eq!(report.passes(rules::SAFE_CHESTS), chests, "{moved}");
                broken[0] += u32::from(!report.passes(rules::SAFE_ROUTE));
                broken[1] += u32::from(!chests);
            }
        },
    );
    assert!(broken[0] > 30 && broken[1] > 10, "{broken:?}");
    let error =
        config(r#"{"minPathLength":16,"enemyBudget":8,"safeRoute":true}"#).resolve().unwrap_err();
    assert!(error.to_string().contains("safeRoute"), "{error}");
    assert!(config(r#"{"minPathLength":16,"enemyBudget":8}"#).resolve().is_ok());
}
