//! Generation of act maps: `cargo bench -p wayforge-benches --bench act`.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::act::{self, Count, KindsChoice, KindsConfig, WalksConfig};

fn generator(config: WalksConfig) -> act::Generator {
    act::Generator::new(&act::Config::Walks(config).resolve().unwrap())
}

/// Measures maps of 7 x 15 with six walks and a reused generator.
fn default_map(c: &mut Criterion) {
    let mut group = c.benchmark_group("act.walks 7x15");
    group.throughput(Throughput::Elements(1));
    let mut reused = generator(WalksConfig::default());
    let mut seed = 0;
    group.bench_function("skeleton", |b| {
        b.iter(|| {
            seed += 1;
            black_box(reused.skeleton(Seed::new(seed)).edges.len())
        });
    });
    group.bench_function("with kinds", |b| {
        b.iter(|| {
            seed += 1;
            black_box(reused.generate(Seed::new(seed)).unwrap().nodes.len())
        });
    });
    let mut kinds = KindsConfig::standard(15);
    kinds.kinds[3].route = Count { min: Some(1), max: None };
    kinds.kinds[3].siblings_differ = false;
    let mut guaranteed = generator(WalksConfig {
        kinds: KindsChoice::Custom(Box::new(kinds)),
        ..Default::default()
    });
    group.bench_function("with a shop on every route", |b| {
        b.iter(|| {
            seed += 1;
            black_box(guaranteed.generate(Seed::new(seed)).unwrap().nodes.len())
        });
    });
    let map = act::generate(Seed::new(42), &act::Config::default().resolve().unwrap()).unwrap();
    group.bench_function("validate", |b| b.iter(|| black_box(act::validate(&map).is_valid())));
    group
        .bench_function("document with digest", |b| b.iter(|| black_box(map.to_document().digest)));
    group.finish();
}

/// Measures the growth of the cost, which is O(rows * walks) and independent of the columns.
fn growth(c: &mut Criterion) {
    let mut group = c.benchmark_group("act.walks growth");
    for (cols, rows, walks) in [
        (7, 15, 6),
        (64, 15, 6),
        (64, 125, 6),
        (64, 250, 6),
        (64, 500, 6),
        (64, 1000, 6),
        (64, 1000, 24),
    ] {
        let mut reused = generator(WalksConfig { cols, rows, walks, ..Default::default() });
        group.throughput(Throughput::Elements((rows * walks) as u64));
        let mut seed = 0;
        for stage in ["skeleton", "with kinds"] {
            let name = format!("{cols}x{rows}, {walks} walks");
            group.bench_function(BenchmarkId::new(stage, name), |b| {
                b.iter(|| {
                    seed += 1;
                    if stage == "skeleton" {
                        black_box(reused.skeleton(Seed::new(seed)).edges.len())
                    } else {
                        black_box(reused.generate(Seed::new(seed)).unwrap().nodes.len())
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = default_map, growth
}
criterion_main!(benches);
