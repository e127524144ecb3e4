//! Floors around cells that were made by hand.

use proptest::prelude::*;
use wayforge_core::grid::Pos;
use wayforge_floor::{self as floor, Budget, Carve, EntityKind, Floor, TileKind, rules, tower, validate};

fn pinned(rows: &[&str]) -> floor::Config {
    floor::Config {
        width: Some(rows[0].len() as i64),
        height: Some(rows.len() as i64),
        pins: rows.iter().map(|row| (*row).to_owned()).collect(),
        ..floor::Config::default()
    }
}

#[test]
fn fixed_cells_stay_and_the_rest_is_drawn() {
    let rows = ["?????????", "?##??????", "?#$..????", "?##????e?", "????????>", "<????????"];
    let spec = pinned(&rows).resolve().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let made = floor::generate(seed.into(), &spec).unwrap();
        let report = validate(&made);
        assert!(report.is_valid(), "{made}{:?}", report.violations);
        assert!(report.rules.contains(&rules::PINS_KEPT));
        assert_eq!((made.entrance, made.exit), (Pos::new(0, 5), Pos::new(8, 4)));
        assert_eq!(made.tile(Pos::new(2, 2)), TileKind::Chest);
        assert_eq!(made.entity(Pos::new(7, 3)).map(|entity| entity.kind), Some(EntityKind::Enemy));
        assert_eq!((made.count(Budget::Enemy), made.count(Budget::Chest)), (3, 1));
        let text = made.to_document().to_text();
        assert_eq!(Floor::decode(text.as_bytes()).unwrap(), made);
        assert_eq!(floor::generate(seed.into(), &spec).unwrap(), made);
        seen.insert(made.to_string());
    }
    assert!(seen.len() > 30, "{} different floors", seen.len());
}

#[test]
fn doors_that_are_fixed_can_be_kept() {
    let rows = ["???????", "???????", "???+???", "???????", "???????"];
    let config = floor::Config { door_budget: Some(1), ..pinned(&rows) };
    let spec = config.resolve().unwrap();
    for seed in 0..20 {
        let made = floor::generate(seed.into(), &spec).unwrap();
        assert!(validate(&made).is_valid() && made.tile(Pos::new(3, 2)) == TileKind::Door, "{made}");
    }
}

#[test]
fn a_broken_pin_is_found() {
    let spec = pinned(&["?????", "?????", "??.??", "?????", "?????"]).resolve().unwrap();
    let mut made = floor::generate(3.into(), &spec).unwrap();
    assert!(validate(&made).holds(rules::PINS_KEPT));
    let at = made.size().index(Pos::new(2, 2));
    made.tiles[at] = TileKind::Wall;
    assert!(!validate(&made).holds(rules::PINS_KEPT));
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let refused = |config: floor::Config| config.resolve().unwrap_err().to_string();
    assert!(
        refused(pinned(&["???", "???", "??"]))
            .starts_with("pins[2] = ??: not the floor's width; draw 3 rows of 3")
    );
    assert!(refused(pinned(&["???", "?X?", "???"])).contains("'X' means nothing; use ? .#<>+^$~eirn"));
    assert!(refused(pinned(&["<??", "?<?", "???"])).contains("a second entrance at 1,1; fix one of each"));
    let crowd = pinned(&["?????", "?eeee", "?????", "?????", "?????"]);
    assert_eq!(
        refused(crowd),
        "enemyBudget = 3: the pins hold 4 enemies; ask for at least 4, or free some cells"
    );
    let apart = pinned(&["<#???", "##???", "?????", "?????", "????>"]);
    assert!(refused(apart).contains("no floor was found that holds them in 400 attempts"));
    let template = floor::Config { template_id: Some("shop".into()), ..pinned(&["???", "???", "???"]) };
    assert!(refused(template).contains("a template fixes every cell"));
    let tower = tower::Config { floor: pinned(&["???", "???", "???"]), ..tower::Config::default() };
    assert!(tower.resolve().unwrap_err().to_string().starts_with("floor.pins = 3 rows"));
    let ends = floor::Config { exit: Some(floor::Vec2 { x: 0, y: 0 }), ..pinned(&["??>", "???", "???"]) };
    assert!(refused(ends).contains("exit = 0,0: the pins have it at 2,0"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Cells of a floor that was made, fixed at random: there is a floor that holds them, so most are found; those that are hold.
    #[test]
    fn cells_of_a_real_floor_can_be_fixed(
        seed: u64,
        keep in 0..100_u32,
        side in 4_i64..12,
        astar: bool,
    ) {
        let config = floor::Config {
            width: Some(side + 1),
            height: Some(side),
            carve: if astar { Carve::Astar } else { Carve::Walk },
            trap_budget: Some(1),
            water_budget: Some(1),
            ..floor::Config::default()
        };
        let made = floor::generate(seed.into(), &config.resolve().unwrap()).unwrap();
        let mut draw = wayforge_core::Seed::new(seed).stream(wayforge_core::Stage::named("test.pins"));
        let text = made.to_string();
        let pins = text.lines().map(|row| row.chars().map(|c| if draw.below(100) < keep { c } else { '?' }).collect());
        let config = floor::Config { pins: pins.collect(), ..config };
        // There is a floor that holds them; with few of them, the search must not give up.
        let spec = config.resolve();
        prop_assert!(spec.is_ok() || keep > 15, "{spec:?}");
        let Ok(spec) = spec else { return Ok(()) };
        for seed in 0..5 {
            let again = floor::generate(seed.into(), &spec).unwrap();
            prop_assert!(validate(&again).is_valid(), "{again}");
        }
    }
}

#[test]
fn large_floors_with_hostile_pins_are_decided_soon() {
    // Open cells that nothing joins, on the largest floor: every one of them has to be reached.
    let rows: Vec<String> = (0..64)
        .map(|y| (0..64).map(|x| if (x % 2, y % 2) == (0, 0) { '.' } else { '?' }).collect())
        .collect();
    let config = floor::Config { width: Some(64), height: Some(64), pins: rows, ..floor::Config::default() };
    // The wall keeps clocks out; a test that takes minutes is seen.
    for min_path_length in [None, Some(120), Some(2000)] {
        let resolved = floor::Config { min_path_length, door_budget: Some(4), ..config.clone() }.resolve();
        if let Ok(spec) = resolved {
            assert!(validate(&floor::generate(1.into(), &spec).unwrap()).is_valid());
        }
    }
}
