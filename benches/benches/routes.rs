//! How fast questions about routes are answered: `cargo bench -p wayforge-benches --bench routes`.

#![allow(missing_docs)] // Criterion's macros write items without documentation.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::act::routes::Wanted;
use wayforge::act::{self, WalksConfig};

/// Each question on the default map and on large ones, sparse and full.
fn questions(c: &mut Criterion) {
    for (cols, rows, walks) in [(7, 15, 6), (64, 1000, 6), (64, 1000, 200)] {
        let config = act::Config::Walks(WalksConfig { cols, rows, walks, ..Default::default() });
        let map = act::generate(Seed::new(42), &config.resolve().unwrap()).unwrap();
        let mut group = c.benchmark_group(format!("act.routes {cols}x{rows}, {walks} walks"));
        group.bench_function("lay out", |b| b.iter(|| black_box(act::routes(&map))));
        let routes = act::routes(&map);
        group.bench_function("count", |b| b.iter(|| black_box(routes.count(None))));
        group.bench_function("least and most", |b| b.iter(|| black_box(routes.kinds(None))));
        group.bench_function("forks", |b| b.iter(|| black_box(routes.forks(None).count())));
        group.bench_function("dominated", |b| b.iter(|| black_box(routes.dominated(None).count())));
        group.bench_function("no returns", |b| b.iter(|| black_box(routes.no_returns(None).count())));
        let elite = map.spec.find_kind("elite").unwrap();
        let event = map.spec.find_kind("event").unwrap();
        let (most, _) = routes.most(event, None).unwrap();
        let elites = Wanted::default().at_least(elite, 3);
        group.bench_function("three elites", |b| b.iter(|| black_box(routes.find(None, &elites))));
        let events = Wanted::default().exactly(event, most / 2);
        group.bench_function("exactly half the events", |b| b.iter(|| black_box(routes.find(None, &events))));
        group.bench_function("all together", |b| {
            b.iter(|| {
                let routes = act::routes(black_box(&map));
                let answers = (routes.count(None), routes.kinds(None), routes.find(None, &elites));
                let lists = (
                    routes.forks(None).count(),
                    routes.dominated(None).count(),
                    routes.no_returns(None).count(),
                );
                black_box((answers, lists))
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
    targets = questions
}
criterion_main!(benches);
