//! A query after the first ones of its kind allocates nothing.

mod nav_oracle;

use nav_oracle::{Kind, random_query, water_of};
use wayforge_core::grid::Size;
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{Method, Metric, Moves, Navigator, Prepare, Query, Way};

#[test]
fn none_after_warm_up() {
    let water = water_of(Kind::Archipelago, Size::new(150, 110), Seed::new(2));
    let mut navigator = Navigator::new(&water, Prepare::Full);
    let mut rng = MapRng::from_u64(2);
    let queries: Vec<Query> = (0..20).filter_map(|_| random_query(&mut rng, &water)).collect();
    let mut way = Way::default();
    for method in Method::ALL {
        for metric in [Metric::Steps, Metric::Octile] {
            let asked: Vec<Query> = queries
                .iter()
                .map(|query| query.clone().method(method).metric(metric))
                .filter(|query| metric == Metric::Steps || query.moves == Moves::Eight)
                .collect();
            assert!(!asked.is_empty(), "{method} {metric:?}");
            // Methods that count steps reject octile lengths, and every method finds steps.
            let by_octile = [Method::Auto, Method::Jump, Method::Graph].contains(&method);
            let is_supported = metric == Metric::Steps || by_octile;
            let mut all =
                || asked.iter().all(|query| navigator.find_into(query, &mut way).is_ok() == is_supported);
            assert!(all(), "{method} {metric:?}");
            if !is_supported {
                continue;
            }
            all();
            let counted = allocation_counter::measure(|| {
                all();
            });
            assert_eq!(counted.count_total, 0, "{method} {metric:?}");
        }
    }
}
