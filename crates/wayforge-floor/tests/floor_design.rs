//! What designers ask of floors: complete configurations with templates, uniform exits, doors that guard something, rooms
//! joined by corridors, safe routes.

use std::collections::{BTreeMap, BTreeSet};
use wayforge_core::Seed;
use wayforge_core::grid::{Dir, Pos};
use wayforge_floor::{self as floor, Budget, EntityKind, Floor, Origin, TileKind, Validator, rules, tower};

fn config(text: &str) -> floor::Config {
    floor::Config::from_json(text.as_bytes()).unwrap()
}

/// Generates the floors of many seeds, validates each and hands it on; returns how many are fallback layouts.
#[track_caller]
fn each(text: &str, seeds: u64, mut see: impl FnMut(&Floor)) -> u64 {
    let spec = config(text).resolve().unwrap_or_else(|error| panic!("{text}: {error}"));
    let (mut forge, mut judge, mut fallback) = (floor::Generator::new(&spec), Validator::default(), 0);
    for seed in 0..seeds {
        let floor = forge.generate(Seed::new(seed)).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(
            judge.is_valid(floor),
            "{text}, seed {seed}: {:?}\n{floor}",
            judge.judge(floor).report.violations
        );
        fallback += u64::from(matches!(floor.origin, Origin::Safe { .. }));
        see(floor);
    }
    fallback
}

fn beside(floor: &Floor, pos: Pos) -> impl Iterator<Item = Pos> + use<> {
    let size = floor.size();
    Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size))
}

/// What can be reached from the entrance without stepping on `closed`.
fn reached(floor: &Floor, closed: &dyn Fn(Pos) -> bool) -> BTreeSet<Pos> {
    let mut seen = BTreeSet::from([floor.entrance]);
    let mut rest = vec![floor.entrance];
    while let Some(pos) = rest.pop() {
        for next in beside(floor, pos).filter(|&next| floor.tile(next).walkable() && !closed(next)) {
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

/// Every required field of the document's `GenerationConfig`, with a template.
fn complete(template: &str, more: &str) -> String {
    format!(
        r#"{{"width":5,"height":5,"wallDensity":0.5,"enemyBudget":3,"chestBudget":1,"templateId":"{template}"{more}}}"#
    )
}

#[test]
fn complete_configurations_work_with_templates() {
    for template in ["shop", "boss", "rest"] {
        for more in ["", r#","minPathLength":12"#, r#","itemBudget":4,"trapBudget":1,"useTemplate":true"#] {
            let text = complete(template, more);
            let mut places = BTreeSet::new();
            each(&text, 300, |floor| {
                assert!(matches!(floor.origin, Origin::Template { .. }));
                assert_eq!((floor.count(Budget::Enemy), floor.count(Budget::Chest)), (3, 1));
                assert_eq!(Floor::decode(floor.to_document().to_text().as_bytes()).unwrap(), *floor);
                places.insert(floor.to_string());
            });
            assert!(places.len() > 100, "{text}: {} floors", places.len());
        }
    }
    // What the template holds counts: the boss is one of three enemies, and keeps its data.
    each(&complete("boss", ""), 50, |floor| {
        let bosses = floor.entities.iter().filter(|entity| entity.data.is_some()).count();
        assert_eq!((bosses, floor.count(Budget::Enemy), floor.count(Budget::Relic)), (1, 3, 1));
    });
    // Doors and water find their places, too.
    let hall = r####""template":{"id":"hall","rows":["<......","###.###",".......",".......","......>"]}"####;
    each(
        &format!(r#"{{{hall},"doorBudget":1,"waterBudget":2,"enemyBudget":2,"chestBudget":1}}"#),
        200,
        |floor| {
            assert_eq!((floor.count(Budget::Door), floor.count(Budget::Water)), (1, 2));
        },
    );
}

#[test]
fn templates_reject_what_they_cannot_hold() {
    for (text, field, parts) in [
        (
            r#"{"templateId":"boss","enemyBudget":0}"#,
            "enemyBudget",
            ["the template boss holds 1 enemy", "at least 1"],
        ),
        (r#"{"templateId":"shop","itemBudget":1}"#, "itemBudget", ["holds 2 items", "at least 2"]),
        (r#"{"templateId":"shop","width":6,"height":5}"#, "width", ["the template shop is 5 x 5", "5 x 5"]),
        (r#"{"templateId":"shop","width":5,"height":6}"#, "height", ["the template shop is 5 x 5", "5 x 5"]),
        (
            r#"{"templateId":"boss","chestBudget":20}"#,
            "chestBudget",
            ["no room was found on the free floor of the template boss for 20 chests more", "use "],
        ),
        (
            r#"{"templateId":"boss","doorBudget":1}"#,
            "doorBudget",
            [
                "no room was found on the free floor of the template boss for 1 door more",
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
fn a_crowded_template_names_the_given_value_and_one_that_fits() {
    for id in ["shop", "boss", "rest"] {
        for budget in Budget::ALL {
            let with = |count: i64| {
                config(&format!(r#"{{"templateId":"{id}","{}":{count}}}"#, budget.field())).resolve()
            };
            // More than the template has tiles, and more than any number of tiles.
            for given in [30, 5_000_000_000] {
                let error = with(given).unwrap_err();
                assert_eq!(
                    (error.field.as_str(), error.value.as_str()),
                    (budget.field(), &*given.to_string())
                );
                let named = error.remedy.split(' ').nth(1).and_then(|word| word.parse().ok());
                let named: i64 = named.unwrap_or_else(|| panic!("{error}"));
                with(named).unwrap_or_else(|other| panic!("{error}, but {other}"));
                assert_eq!(with(named + 1).unwrap_err().remedy, error.remedy, "the largest that was found");
            }
        }
    }
    // Where no value of one budget helps, the error names every budget that goes beyond the template.
    let error = config(r#"{"templateId":"boss","enemyBudget":30,"chestBudget":30}"#).resolve().unwrap_err();
    assert_eq!(error.value, "30");
    assert_eq!(error.remedy, "use less, or leave out chestBudget, enemyBudget");
}

#[test]
fn traps_can_be_walked_around() {
    for text in [
        r#"{"width":24,"height":16,"open":"rooms","trapBudget":6,"doorBudget":2}"#,
        r#"{"width":16,"height":12,"trapBudget":4}"#,
    ] {
        let mut traps = 0;
        each(text, 300, |floor| {
            let all = reached(floor, &|_| false).len();
            for trap in cells(floor, TileKind::Trap) {
                assert_eq!(reached(floor, &|pos| pos == trap).len() + 1, all, "{trap}\n{floor}");
                traps += 1;
            }
        });
        assert!(traps >= 1200);
    }
    // A narrow floor has nowhere else to put them.
    let mut narrow = 0;
    each(r#"{"width":3,"height":12,"wallDensity":0.6,"trapBudget":2,"enemyBudget":0}"#, 100, |floor| {
        let all = reached(floor, &|_| false).len();
        let cuts = |trap: &Pos| reached(floor, &|pos| pos == *trap).len() + 1 < all;
        narrow += cells(floor, TileKind::Trap).iter().filter(|trap| cuts(trap)).count();
    });
    assert!(narrow > 0);
}

#[test]
fn water_forms_pools_at_the_shore() {
    let (mut single, mut pools) = (0, 0);
    each(r#"{"width":20,"height":14,"open":"rooms","waterBudget":12,"doorBudget":2}"#, 300, |floor| {
        let mut left: BTreeSet<Pos> = cells(floor, TileKind::Water).into_iter().collect();
        while let Some(first) = left.pop_first() {
            let mut pool = vec![first];
            let mut at = 0;
            while at < pool.len() {
                pool.extend(beside(floor, pool[at]).filter(|next| left.remove(next)));
                at += 1;
            }
            let shore = |pos: &Pos| beside(floor, *pos).any(|next| floor.tile(next).walkable());
            assert!(pool.iter().any(shore), "a pool that nobody sees\n{floor}");
            single += u32::from(pool.len() == 1);
            pools += 1;
        }
    });
    // Twelve tiles drawn one by one would form about ten pools.
    assert!(pools < 300 * 4, "{pools}");
    assert!(single * 3 < pools, "{single} of {pools}");
}

#[test]
fn use_template_false_switches_a_named_template_off() {
    let off = config(&complete("boss", r#","useTemplate":false"#)).resolve().unwrap();
    let drawn = config(r#"{"width":5,"height":5,"wallDensity":0.5,"enemyBudget":3,"chestBudget":1}"#)
        .resolve()
        .unwrap();
    assert_eq!(off.config(), drawn.config());
    assert_eq!(floor::generate(Seed::new(5), &off).unwrap(), floor::generate(Seed::new(5), &drawn).unwrap());
    assert!(off.template().is_none());
}

#[test]
fn the_rest_on_a_template_is_where_the_template_is_free() {
    let spec = config(&complete("shop", "")).resolve().unwrap();
    let mut floor = floor::generate(Seed::new(1), &spec).unwrap();
    assert!(floor::validate(&floor).is_valid());
    // A wall of the template that became a chest is none of its free floor.
    let (wall, chest) = (cells(&floor, TileKind::Wall)[0], cells(&floor, TileKind::Chest)[0]);
    let size = floor.size();
    floor.tiles[size.index(wall)] = TileKind::Chest;
    floor.tiles[size.index(chest)] = TileKind::Floor;
    assert!(!floor::validate(&floor).holds(rules::TEMPLATE_KEPT));
}

/// Pearson's chi-squared statistic over all cells but the entrance.
fn chi_squared(text: &str, seeds: u64, cells: usize) -> f64 {
    let mut counts: BTreeMap<Pos, u64> = BTreeMap::new();
    each(text, seeds, |floor| *counts.entry(floor.exit).or_default() += 1);
    let expected = seeds as f64 / (cells - 1) as f64;
    let missing = (cells - 1 - counts.len()) as f64 * expected;
    missing + counts.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum::<f64>()
}

/// The seeds are fixed, so nothing here is random: a biased draw fails by far.
#[test]
fn without_a_least_length_the_exit_is_uniform() {
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
    let found = chi_squared(r#"{"width":4,"height":3,"entrance":{"x":0,"y":1},"enemyBudget":1}"#, 6_000, 12);
    assert!(found < 36.0, "4 x 3: {found}");
    let found = chi_squared(
        r#"{"width":12,"height":8,"entrance":{"x":3,"y":4},"open":"rooms","doorBudget":2}"#,
        9_500,
        96,
    );
    assert!(found < 152.0, "12 x 8: {found}");
    // Neighbours are as likely as any other cell: 4 of 24.
    let mut near = 0;
    each(r#"{"entrance":{"x":2,"y":2}}"#, 6_000, |floor| near += u64::from(floor.path.len() == 2));
    assert!((900..1_100).contains(&near), "{near}");
}

/// Where budgets leave no floor for some exits, those that have one are equally likely.
#[test]
fn exits_that_have_no_floor_are_left_out_evenly() {
    // Nine enemies, a chest and the ends fill the floor, and no enemy stands beside the entrance: the chest and the exit do.
    let mut counts: BTreeMap<Pos, u64> = BTreeMap::new();
    let text = r#"{"width":4,"height":3,"entrance":{"x":0,"y":0},"enemyBudget":9,"chestBudget":1}"#;
    each(text, 3_000, |floor| *counts.entry(floor.exit).or_default() += 1);
    let (least, most) = (counts.values().min().unwrap(), counts.values().max().unwrap());
    assert!(counts.len() == 2 && most * 10 < least * 13, "{counts:?}");
}

const WITH_DOORS: [&str; 8] = [
    r#"{"doorBudget":1}"#,
    r#"{"doorBudget":2}"#,
    r#"{"width":12,"height":8,"doorBudget":2}"#,
    r#"{"width":12,"height":8,"doorBudget":3,"open":"rooms","wallDensity":0.3}"#,
    r#"{"width":24,"height":16,"doorBudget":3,"open":"rooms"}"#,
    r#"{"width":24,"height":16,"doorBudget":8,"minPathLength":20,"carve":"astar"}"#,
    r#"{"width":9,"height":7,"doorBudget":2,"wallDensity":0,"chestBudget":3}"#,
    r#"{"width":7,"height":5,"doorBudget":1,"open":"rooms","entrance":{"x":3,"y":2},"exit":{"x":3,"y":3}}"#,
];

#[track_caller]
fn check_doors(floor: &Floor) {
    let open = floor.tiles.iter().filter(|tile| tile.walkable()).count();
    for door in cells(floor, TileKind::Door) {
        let guarded = open - 1 - reached(floor, &|pos| pos == door).len();
        assert!(guarded >= 3, "the door at {door} guards {guarded} tiles\n{floor}");
        assert!(beside(floor, door).all(|next| floor.tile(next) != TileKind::Door), "{door}\n{floor}");
    }
}

#[test]
fn doors_guard_something_and_stand_apart() {
    for text in WITH_DOORS {
        let fallback = each(text, 1_000, check_doors);
        assert!(fallback <= 10, "{text}: {fallback} of 1000 are fallback layouts");
    }
    let tower = tower::Config::from_json(
        br#"{"floors":8,"floor":{"width":9,"height":9,"doorBudget":2,"open":"rooms","safeRoute":true},"curves":[],"boss":null}"#,
    );
    let spec = tower.unwrap().resolve().unwrap();
    for seed in 0..20 {
        let tower = tower::generate(Seed::new(seed), &spec).unwrap();
        assert_eq!(tower::validate(&tower).violations, []);
        tower.floors.iter().for_each(check_doors);
    }
}

#[test]
fn doors_that_guard_nothing_are_violations() {
    let check = |rows: &str| floor::Template::from_ascii("hall", rows).check();
    let faults = check("<..#..\n...+..\n..>#..\n");
    assert!(faults.is_empty(), "{faults:?}");
    let faults = check("<..###\n...+..\n..>###\n");
    assert!(
        faults[0].contains("door-guards") && faults[0].contains("guards 2 of at least 3 tiles"),
        "{faults:?}"
    );
    let faults = check("<..##...\n...++...\n..>##...\n");
    assert!(faults[0].contains("door-guards") && faults[0].contains("beside another door"), "{faults:?}");
}

/// Open tiles in some open square of 2 x 2 are of rooms, all others of corridors.
fn rooms_of(floor: &Floor) -> (Vec<BTreeSet<Pos>>, usize) {
    let open = |x: i32, y: i32| {
        let size = floor.size();
        x >= 0
            && y >= 0
            && x < size.width.into()
            && y < size.height.into()
            && floor.tile(Pos::new(x as u16, y as u16)).walkable()
    };
    let in_room = |pos: &Pos| {
        let (x, y) = (i32::from(pos.x), i32::from(pos.y));
        [(-1, -1), (0, -1), (-1, 0), (0, 0)]
            .iter()
            .any(|&(dx, dy)| (0..2).all(|i| (0..2).all(|j| open(x + dx + i, y + dy + j))))
    };
    let walkable: BTreeSet<Pos> = floor.size().iter().filter(|&pos| floor.tile(pos).walkable()).collect();
    let mut rest: BTreeSet<Pos> = walkable.iter().copied().filter(in_room).collect();
    let corridors = walkable.len() - rest.len();
    let mut rooms = Vec::new();
    while let Some(first) = rest.pop_first() {
        let (mut room, mut queue) = (BTreeSet::from([first]), vec![first]);
        while let Some(pos) = queue.pop() {
            for next in beside(floor, pos).filter(|next| rest.remove(next)).collect::<Vec<_>>() {
                room.insert(next);
                queue.push(next);
            }
        }
        rooms.push(room);
    }
    (rooms, corridors)
}

#[test]
fn rooms_are_rectangles_joined_by_corridors() {
    for (text, least) in [
        (r#"{"width":12,"height":8,"open":"rooms"}"#, 2),
        (r#"{"width":24,"height":16,"open":"rooms","doorBudget":3}"#, 4),
        (r#"{"width":40,"height":30,"open":"rooms","wallDensity":0.6}"#, 8),
        (r#"{"width":64,"height":64,"open":"rooms","safeRoute":true}"#, 25),
    ] {
        let (mut all, mut rectangles, mut few, mut with_corridors) = (0, 0, 0, 0);
        let seeds = 200;
        each(text, seeds, |floor| {
            let (rooms, corridors) = rooms_of(floor);
            let is_rectangle = |room: &&BTreeSet<Pos>| {
                let range = |of: fn(&Pos) -> u16| {
                    let low = room.iter().map(of).min().unwrap();
                    usize::from(room.iter().map(of).max().unwrap() - low) + 1
                };
                range(|pos| pos.x) * range(|pos| pos.y) == room.len()
            };
            all += rooms.len();
            rectangles += rooms.iter().filter(is_rectangle).count();
            few += u64::from(rooms.len() < least);
            with_corridors += u64::from(corridors >= rooms.len() - 1);
        });
        assert!(rectangles * 100 >= all * 98, "{text}: {rectangles} of {all} rooms are rectangles");
        assert!(few * 20 <= seeds && with_corridors * 20 >= seeds * 19, "{text}: {few} {with_corridors}");
    }
}

#[test]
fn safe_routes_and_chests_are_kept() {
    let enemy =
        |floor: &Floor, pos: Pos| floor.entity(pos).is_some_and(|entity| entity.kind == EntityKind::Enemy);
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
            each(&text, 500, |floor| {
                let safe = reached(floor, &|pos| enemy(floor, pos));
                assert!(!route || safe.contains(&floor.exit), "{text}\n{floor}");
                // Around an enemy that is pinned to the path a route leads to the exit, but not to every chest.
                let chests = !route || !more.contains("pins");
                assert!(
                    !chests || cells(floor, TileKind::Chest).iter().all(|pos| safe.contains(pos)),
                    "{text}\n{floor}"
                );
                on_path += floor.path.iter().filter(|&&pos| enemy(floor, pos)).count();
            });
            // Chests alone leave the rest of the path to the enemies.
            assert!(route || on_path > 0 || more.contains("pins"), "{text}");
        }
    }
    // Without the options most floors of this kind have an enemy in the way.
    let mut blocked = 0;
    each(r#"{"enemyBudget":8}"#, 500, |floor| {
        blocked += u32::from(!reached(floor, &|pos| enemy(floor, pos)).contains(&floor.exit));
    });
    assert!(blocked > 250, "{blocked}");
}

#[test]
fn rules_of_safety_fire_and_impossible_ones_are_refused() {
    let mut broken = [0; 2];
    each(r#"{"safeRoute":true,"safeChests":true,"minPathLength":6,"wallDensity":1}"#, 50, |floor| {
        for &step in &floor.path[2..floor.path.len() - 1] {
            let mut moved = floor.clone();
            moved.entities[0].pos = step;
            let safe = reached(&moved, &|pos| {
                moved.entity(pos).is_some_and(|entity| entity.kind == EntityKind::Enemy)
            });
            let report = floor::validate(&moved);
            let chests = cells(&moved, TileKind::Chest).iter().all(|pos| safe.contains(pos));
            assert_eq!(report.holds(rules::SAFE_ROUTE), safe.contains(&moved.exit), "{moved}");
            assert_eq!(report.holds(rules::SAFE_CHESTS), chests, "{moved}");
            broken[0] += u32::from(!report.holds(rules::SAFE_ROUTE));
            broken[1] += u32::from(!chests);
        }
    });
    assert!(broken[0] > 30 && broken[1] > 10, "{broken:?}");
    let error = config(r#"{"minPathLength":16,"enemyBudget":8,"safeRoute":true}"#).resolve().unwrap_err();
    assert!(error.to_string().contains("safeRoute"), "{error}");
    assert!(config(r#"{"minPathLength":16,"enemyBudget":8}"#).resolve().is_ok());
}
