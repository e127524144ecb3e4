//! What every floor keeps, over many seeds and all kinds of configurations.

use wayforge::Seed;
use wayforge::floor::{
    self, Budget, Carve, Density, Floor, FloorConfig, Forge, Judge, Opening, Origin, Template, TileKind,
    Turn, Vec2, rules, validate_floor,
};
use wayforge::grid::{Dir, Pos};

fn config(text: &str) -> FloorConfig {
    FloorConfig::from_json(text.as_bytes()).unwrap()
}

/// Makes the floors of many seeds and checks each by the judge; gives how many were drawn, not safe.
#[track_caller]
fn check(config: &FloorConfig, seeds: u64) -> u64 {
    let spec = config.resolve().unwrap_or_else(|error| panic!("{error}"));
    let (mut forge, mut judge, mut drawn) = (Forge::new(&spec), Judge::default(), 0);
    for seed in 0..seeds {
        let floor = forge.generate(Seed(seed));
        if !judge.is_valid(floor) {
            panic!("seed {seed}: {:?}\n{floor}", judge.judge(floor).report.violations);
        }
        drawn += u64::from(matches!(floor.origin, Origin::Carve { .. }));
    }
    drawn
}

#[test]
fn a_million_default_floors_keep_every_rule() {
    assert_eq!(check(&FloorConfig::default(), 1_000_000), 1_000_000, "none needs the safe shape");
}

#[test]
fn floors_of_all_kinds_keep_every_rule() {
    for (text, least) in [
        (r#"{"open":"rooms"}"#, 2000),
        (r#"{"carve":"astar"}"#, 2000),
        (r#"{"carve":"astar","open":"rooms","width":12,"height":9,"trapBudget":4,"doorBudget":1}"#, 1900),
        (
            r#"{"itemBudget":1,"relicBudget":1,"npcBudget":1,"trapBudget":1,"doorBudget":1,"waterBudget":2}"#,
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
        let drawn = check(&config(text), 2000);
        assert!(drawn >= least, "{text}: {drawn}");
    }
}

#[test]
fn large_floors_keep_every_rule() {
    for text in [
        r#"{"width":64,"height":64,"enemyBudget":40,"chestBudget":10,"trapBudget":20,"doorBudget":4,"waterBudget":60,"wallDensity":0.6}"#,
        r#"{"width":64,"height":64,"minPathLength":300,"enemyBudget":40,"wallDensity":0.4}"#,
        r#"{"width":40,"height":24,"carve":"astar","open":"rooms","minPathLength":120,"itemBudget":30}"#,
        r#"{"width":64,"height":64,"enemyBudget":3900,"wallDensity":0}"#,
    ] {
        check(&config(text), 30);
    }
}
