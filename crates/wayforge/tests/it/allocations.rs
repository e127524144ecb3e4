//! Generators do not allocate after warm-up.

use wayforge::Seed;
use wayforge::act::{self, Count, KindsChoice, KindsConfig, WalksConfig};
use wayforge::level;

/// Returns the number of allocations of a warmed-up generator.
fn allocations(config: WalksConfig) -> u64 {
    let mut generator = act::Generator::new(&act::Config::Walks(config).resolve().unwrap());
    // Maps of one configuration differ in their numbers of nodes and edges. Warm up with enough
    // seeds to include the largest map.
    for seed in 0..2_000 {
        generator.generate(Seed::new(seed)).unwrap();
    }
    let text = Seed::from_text("first light");
    let counted = allocation_counter::measure(|| {
        for seed in 0..2_000 {
            generator.generate(Seed::new(seed)).unwrap();
            generator.skeleton(Seed::new(seed));
            generator.generate(text.clone()).unwrap();
        }
    });
    counted.count_total
}

#[test]
fn generating_acts_does_not_allocate_after_warm_up() {
    assert_eq!(allocations(WalksConfig::default()), 0);
    assert_eq!(allocations(WalksConfig { kinds: KindsChoice::None, ..Default::default() }), 0);
}

#[test]
fn generating_acts_with_route_minimums_does_not_allocate_after_warm_up() {
    let mut kinds = KindsConfig::standard(15);
    kinds.kinds[3].route = Count { min: Some(1), max: None };
    kinds.kinds[3].siblings_differ = false;
    assert_eq!(
        allocations(WalksConfig {
            kinds: KindsChoice::Custom(Box::new(kinds)),
            ..Default::default()
        }),
        0
    );
}

/// Returns the number of allocations of a warmed-up level generator.
fn level_allocations(config: &str) -> u64 {
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let mut generator = level::Generator::new(&spec);
    let mut generate_all = || {
        for seed in 0..1_000 {
            generator.generate(Seed::new(seed)).unwrap();
        }
    };
    generate_all();
    allocation_counter::measure(generate_all).count_total
}

#[test]
fn generating_levels_does_not_allocate_after_warm_up() {
    for config in [
        r#"{}"#,
        r#"{"fuel": "refuel_chain"}"#,
        r#"{"fuel": "start_full", "walls": "empty"}"#,
        r#"{"walls": "grid_wire", "flashlights": 3, "shoes": 2}"#,
        r#"{"walls": "sparse_moore.25%", "endurance": true}"#,
        r#"{"walls": "sparse_ortho", "plants": "3%", "puddles": "2%", "pitfalls": "0.5%"}"#,
        r#"{"moving_floors": "1%", "reinforced": "5%", "fall_spawn_floor_ratio": 0.1}"#,
        r#"{"moving_floors": 2, "soft_locks": "forbidden"}"#,
        r#"{"players": 4, "marks": [{"name": "key", "count": 3}],
            "objectives": [{"steps": ["P", "key", "E"]}]}"#,
    ] {
        assert_eq!(level_allocations(config), 0, "{config}");
    }
}

#[test]
fn generating_and_validating_floors_does_not_allocate_after_warm_up() {
    use wayforge::floor::{self, Validator};
    for text in [
        "{}",
        r#"{"carve":"astar","open":"rooms"}"#,
        r#"{"itemBudget":1,"trapBudget":1,"doorBudget":1,"waterBudget":2}"#,
        r#"{"width":20,"height":20,"doorBudget":2,"enemyBudget":20,"minPathLength":50}"#,
    ] {
        let mut generator = floor::Generator::new(
            &floor::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap(),
        );
        let mut validator = Validator::default();
        let mut generate_all = || {
            assert!(
                (0..500)
                    .all(|seed| validator.is_valid(generator.generate(Seed::new(seed)).unwrap()))
            )
        };
        generate_all();
        assert_eq!(allocation_counter::measure(generate_all).count_total, 0, "{text}");
    }
}

#[test]
fn counter_counts_allocations() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8; 100])));
    assert_eq!(counted.count_total, 1);
}
