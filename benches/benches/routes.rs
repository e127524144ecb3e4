//! Analysis of routes: `cargo bench -p wayforge-benches --bench routes`.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::act::routes::RouteQuery;
use wayforge::act::{self, WalksConfig};

/// Measures each analysis on the default map and on large maps, sparse and dense.
fn analyses(c: &mut Criterion) {
    for (cols, rows, walks) in [(7, 15, 6), (64, 1000, 6), (64, 1000, 200)] {
        let config = act::Config::Walks(WalksConfig { cols, rows, walks, ..Default::default() });
        let map = act::generate(Seed::new(42), &config.resolve().unwrap()).unwrap();
        let mut group = c.benchmark_group(format!("act.routes {cols}x{rows}, {walks} walks"));
        group.bench_function("build", |b| b.iter(|| black_box(act::routes(&map))));
        let routes = act::routes(&map);
        group.bench_function("count", |b| b.iter(|| black_box(routes.count(None))));
        group.bench_function("minimum and maximum counts", |b| {
            b.iter(|| black_box(routes.kind_ranges(None)))
        });
        group.bench_function("forks", |b| b.iter(|| black_box(routes.forks(None).count())));
        group.bench_function("dominated", |b| b.iter(|| black_box(routes.dominated(None).count())));
        group.bench_function("points of no return", |b| {
            b.iter(|| black_box(routes.points_of_no_return(None).count()))
        });
        let elite = map.spec.find_kind("elite").unwrap();
        let event = map.spec.find_kind("event").unwrap();
        let (max_events, _) = routes.max_count(event, None).unwrap();
        let elites = RouteQuery::default().at_least(elite, 3);
        group.bench_function("three elites", |b| b.iter(|| black_box(routes.find(None, &elites))));
        let events = RouteQuery::default().exactly(event, max_events / 2);
        group.bench_function("exactly half the events", |b| {
            b.iter(|| black_box(routes.find(None, &events)))
        });
        group.bench_function("all together", |b| {
            b.iter(|| {
                let routes = act::routes(black_box(&map));
                let results =
                    (routes.count(None), routes.kind_ranges(None), routes.find(None, &elites));
                let lists = (
                    routes.forks(None).count(),
                    routes.dominated(None).count(),
                    routes.points_of_no_return(None).count(),
                );
                black_box((results, lists))
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1))
        .sample_size(20);
    targets = analyses
}
criterion_main!(benches);
