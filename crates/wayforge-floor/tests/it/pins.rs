//! Floors around pinned cells.

use proptest::prelude::*;
use wayforge_core::grid::Pos;
use wayforge_core::{Seed, StreamId};
use wayforge_floor::{
    self as floor, Budget, CarveMethod, EntityKind, Floor, TileKind, rules, tower, validate,
};

fn pinned(rows: &[&str]) -> floor::Config {
    floor::Config {
        width: Some(rows[0].len() as i64),
        height: Some(rows.len() as i64),
        pins: rows.iter().map(|row| (*row).to_owned()).collect(),
        ..floor::Config::default()
    }
}

#[test]
fn pinned_cells_are_kept_and_the_rest_varies() {
    let rows = ["?????????", "?##??????", "?#$..????", "?##????e?", "????????>", "<????????"];
    let spec = pinned(&rows).resolve().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let floor = floor::generate(seed.into(), &spec).unwrap();
        let report = validate(&floor);
        assert!(report.is_valid(), "{floor}{:?}", report.violations);
        assert!(report.rules.contains(&rules::PINS_MATCH));
        assert_eq!((floor.entrance, floor.exit), (Pos::new(0, 5), Pos::new(8, 4)));
        assert_eq!(floor.tile(Pos::new(2, 2)), TileKind::Chest);
        assert_eq!(floor.entity(Pos::new(7, 3)).map(|entity| entity.kind), Some(EntityKind::Enemy));
        assert_eq!((floor.count(Budget::Enemy), floor.count(Budget::Chest)), (3, 1));
        let text = floor.to_document().to_text();
        assert_eq!(Floor::decode(text.as_bytes()).unwrap(), floor);
        assert_eq!(floor::generate(seed.into(), &spec).unwrap(), floor);
        seen.insert(floor.to_string());
    }
    assert!(seen.len() > 30, "{} different floors", seen.len());
}

#[test]
fn pinned_doors_are_kept() {
    let rows = ["???????", "???????", "???+???", "???????", "???????"];
    let config = floor::Config { door_budget: Some(1), ..pinned(&rows) };
    let spec = config.resolve().unwrap();
    for seed in 0..20 {
        let floor = floor::generate(seed.into(), &spec).unwrap();
        assert!(
            validate(&floor).is_valid() && floor.tile(Pos::new(3, 2)) == TileKind::Door,
            "{floor}"
        );
    }
}

#[test]
fn validator_reports_broken_pins() {
    let spec = pinned(&["?????", "?????", "??.??", "?????", "?????"]).resolve().unwrap();
    let mut floor = floor::generate(3.into(), &spec).unwrap();
    assert!(validate(&floor).passes(rules::PINS_MATCH));
    let index = floor.size().index(Pos::new(2, 2));
    floor.tiles[index] = TileKind::Wall;
    assert!(!validate(&floor).passes(rules::PINS_MATCH));
}

#[test]
fn rejects_invalid_pins() {
    let error_of = |config: floor::Config| config.resolve().unwrap_err().to_string();
    assert!(
        error_of(pinned(&["???", "???", "??"]))
            .starts_with("pins[2] = ??: not the floor's width; draw 3 rows of 3")
    );
    assert!(
        error_of(pinned(&["???", "?X?", "???"])).contains("unknown symbol 'X'; use ? .#<>+^$~eirn")
    );
    assert!(
        error_of(pinned(&["<??", "?<?", "???"]))
            .contains("a second entrance at 1,1; pin one of each")
    );
    let too_many_enemies = pinned(&["?????", "?eeee", "?????", "?????", "?????"]);
    assert_eq!(
        error_of(too_many_enemies),
        "enemyBudget = 3: the pins contain 4 enemies; use at least 4, or free some cells"
    );
    let disconnected = pinned(&["<#???", "##???", "?????", "?????", "????>"]);
    assert!(error_of(disconnected).contains("no floor with these pins was found in 400 attempts"));
    let template =
        floor::Config { template_id: Some("shop".into()), ..pinned(&["???", "???", "???"]) };
    assert!(error_of(template).contains("a template fixes every cell"));
    let tower = tower::Config { floor: pinned(&["???", "???", "???"]), ..tower::Config::default() };
    assert!(tower.resolve().unwrap_err().to_string().starts_with("floor.pins = 3 rows"));
    let ends =
        floor::Config { exit: Some(floor::Vec2 { x: 0, y: 0 }), ..pinned(&["??>", "???", "???"]) };
    assert!(error_of(ends).contains("exit = 0,0: the pins place it at 2,0"));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Random cells of a generated floor are feasible as pins. Most are accepted, and generated
    /// floors are valid.
    #[test]
    fn accepts_cells_of_a_generated_floor_as_pins(
        seed: u64,
        percent in 0..100_u32,
        side in 4_i64..12,
        astar: bool,
    ) {
        let config = floor::Config {
            width: Some(side + 1),
            height: Some(side),
            carve: if astar { CarveMethod::Astar } else { CarveMethod::Walk },
            trap_budget: Some(1),
            water_budget: Some(1),
            ..floor::Config::default()
        };
        let floor = floor::generate(seed.into(), &config.resolve().unwrap()).unwrap();
        let mut rng = Seed::new(seed).stream(StreamId::named("test.pins"));
        let text = floor.to_string();
        let mut pin = |c: char| if rng.below(100) < percent { c } else { '?' };
        let pins = text.lines().map(|row| row.chars().map(&mut pin).collect());
        let config = floor::Config { pins: pins.collect(), ..config };
        // A floor with these pins exists. With few pins, the search must find one.
        let spec = config.resolve();
        prop_assert!(spec.is_ok() || percent > 15, "{spec:?}");
        prop_assume!(spec.is_ok());
        let spec = spec.unwrap();
        for seed in 0..5 {
            let regenerated = floor::generate(seed.into(), &spec).unwrap();
            prop_assert!(validate(&regenerated).is_valid(), "{regenerated}");
        }
    }
}

#[test]
fn adversarial_pins_on_large_floors_are_decided_quickly() {
    // Isolated open cells on the largest floor: every one has to be connected.
    let rows: Vec<String> = (0..64)
        .map(|y| (0..64).map(|x| if (x % 2, y % 2) == (0, 0) { '.' } else { '?' }).collect())
        .collect();
    let config =
        floor::Config { width: Some(64), height: Some(64), pins: rows, ..floor::Config::default() };
    // The purity lint forbids clocks, so only the duration of this test shows a regression.
    let mut accepted = 0;
    for min_path_length in [None, Some(120), Some(2000)] {
        let resolved =
            floor::Config { min_path_length, door_budget: Some(4), ..config.clone() }.resolve();
        let Ok(spec) = resolved else { continue };
        assert!(validate(&floor::generate(1.into(), &spec).unwrap()).is_valid());
        accepted += 1;
    }
    assert_eq!(accepted, 2);
}
