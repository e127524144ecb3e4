//! Queries do not allocate after warm-up.

use crate::oracle::{Terrain, random_query, test_grid};
use wayforge_core::grid::Size;
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{Connectivity, Method, Metric, Navigator, Path, Preprocessing, Query};

#[test]
fn queries_do_not_allocate_after_warm_up() {
    let grid = test_grid(Terrain::Archipelago, Size::new(150, 110), Seed::new(2));
    let mut navigator = Navigator::new(&grid, Preprocessing::Full);
    let mut rng = MapRng::from_u64(2);
    let random_queries: Vec<Query> =
        (0..20).filter_map(|_| random_query(&mut rng, &grid)).collect();
    let mut path = Path::default();
    for method in Method::ALL {
        for metric in [Metric::Steps, Metric::Octile] {
            let queries: Vec<Query> = random_queries
                .iter()
                .map(|query| query.clone().method(method).metric(metric))
                .filter(|query| {
                    metric == Metric::Steps || query.connectivity == Connectivity::Eight
                })
                .collect();
            assert!(!queries.is_empty(), "{method} {metric:?}");
            // Methods that count steps reject octile lengths; every method supports steps.
            let supports_octile = [Method::Auto, Method::Jps, Method::JpsGraph].contains(&method);
            let is_supported = metric == Metric::Steps || supports_octile;
            let mut run_all = || {
                queries
                    .iter()
                    .all(|query| navigator.find_into(query, &mut path).is_ok() == is_supported)
            };
            assert!(run_all(), "{method} {metric:?}");
            if !is_supported {
                continue;
            }
            run_all();
            let allocations = allocation_counter::measure(|| {
                run_all();
            });
            assert_eq!(allocations.count_total, 0, "{method} {metric:?}");
        }
    }
}
