//! A forge that has made a map of a size allocates nothing for the next ones.

use wayforge::Seed;
use wayforge::act::{self, Count, KindsChoice, KindsConfig, WalksConfig};
use wayforge::level;

fn allocations(config: WalksConfig) -> u64 {
    let mut forge = act::Generator::new(&act::Config::Walks(config).resolve().unwrap());
    // Maps of one size differ in nodes and edges: warm up over enough seeds to have met the largest.
    for seed in 0..2_000 {
        forge.generate(Seed::new(seed)).unwrap();
    }
    let text = Seed::from_text("first light");
    let counted = allocation_counter::measure(|| {
        for seed in 0..2_000 {
            forge.generate(Seed::new(seed)).unwrap();
            forge.skeleton(Seed::new(seed));
            forge.generate(text.clone()).unwrap();
        }
    });
    counted.count_total
}

#[test]
fn none_after_warm_up() {
    assert_eq!(allocations(WalksConfig::default()), 0);
    assert_eq!(allocations(WalksConfig { kinds: KindsChoice::None, ..Default::default() }), 0);
}

#[test]
fn none_with_route_guarantees_either() {
    let mut kinds = KindsConfig::standard(15);
    kinds.kinds[3].route = Count { min: Some(1), max: None };
    kinds.kinds[3].siblings_differ = false;
    assert_eq!(
        allocations(WalksConfig { kinds: KindsChoice::Own(Box::new(kinds)), ..Default::default() }),
        0
    );
}

fn level_allocations(config: &str) -> u64 {
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let mut forge = level::Generator::new(&spec);
    let mut make = || {
        for seed in 0..1_000 {
            forge.generate(Seed::new(seed)).unwrap();
        }
    };
    make();
    allocation_counter::measure(make).count_total
}

#[test]
fn none_for_levels_either() {
    for config in [
        r#"{}"#,
        r#"{"fuel": "refuel_chain"}"#,
        r#"{"fuel": "start_full", "walls": "empty"}"#,
        r#"{"walls": "grid_wire", "flashlights": 3, "shoes": 2}"#,
        r#"{"walls": "sparse_moore.25%", "endurance": true}"#,
        r#"{"walls": "sparse_ortho", "plants": "3%", "puddles": "2%", "pitfalls": "0.5%"}"#,
        r#"{"moving_floors": "1%", "reinforced": "5%", "fall_spawn_floor_ratio": 0.1}"#,
        r#"{"moving_floors": 2, "soft_locks": "forbidden"}"#,
        r#"{"players": 4, "marks": [{"name": "key", "count": 3}], "objectives": [{"steps": ["P", "key", "E"]}]}"#,
    ] {
        assert_eq!(level_allocations(config), 0, "{config}");
    }
}

#[test]
fn none_for_floors_drawn_and_judged() {
    use wayforge::floor::{self, Validator};
    for text in [
        "{}",
        r#"{"carve":"astar","open":"rooms"}"#,
        r#"{"itemBudget":1,"trapBudget":1,"doorBudget":1,"waterBudget":2}"#,
        r#"{"width":20,"height":20,"doorBudget":2,"enemyBudget":20,"minPathLength":50}"#,
    ] {
        let mut forge =
            floor::Generator::new(&floor::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap());
        let mut judge = Validator::default();
        let mut make =
            || assert!((0..500).all(|seed| judge.is_valid(forge.generate(Seed::new(seed)).unwrap())));
        make();
        assert_eq!(allocation_counter::measure(make).count_total, 0, "{text}");
    }
}

#[test]
fn the_counter_counts() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8; 100])));
    assert_eq!(counted.count_total, 1);
}
