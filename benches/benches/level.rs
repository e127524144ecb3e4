//! Generation and validation of levels: `cargo bench -p wayforge-benches --bench level`.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::level;

fn spec(json: &str) -> level::Spec {
    level::Config::from_json(json.as_bytes()).unwrap().resolve().unwrap()
}

/// Measures all wall styles at the default size of 48 x 30.
fn default_size(c: &mut Criterion) {
    let mut group = c.benchmark_group("level 48x30 refuel_chain");
    group.throughput(Throughput::Elements(1));
    for walls in ["default", "empty", "grid_wire", "sparse_moore", "sparse_ortho", "maze", "caves"]
    {
        let mut generator = level::Generator::new(&spec(&format!(
            r#"{{"walls":"{walls}","fuel":"refuel_chain"}}"#
        )));
        let mut seed = 0;
        group.bench_function(walls, |b| {
            b.iter(|| {
                seed += 1;
                black_box(generator.generate(Seed::new(seed)).unwrap().witness.len())
            });
        });
    }
    let full = r#"{"fuel":"refuel_chain","flashlights":3,"shoes":3,"pitfalls":"3%",
        "plants":"2%","puddles":"2%","moving_floors":"3%"}"#;
    let solid = r#"{"fuel":"refuel_chain","interior_walls":"solid"}"#;
    for (name, json) in [("default, every feature", full), ("default, solid, repaired", solid)] {
        let mut generator = level::Generator::new(&spec(json));
        let mut seed = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                seed += 1;
                black_box(generator.generate(Seed::new(seed)).unwrap().witness.len())
            });
        });
    }
    let level = level::generate(Seed::new(42), &spec(r#"{"fuel":"refuel_chain"}"#)).unwrap();
    group.bench_function("validate every rule", |b| {
        b.iter(|| black_box(level::validate(&level).is_valid()))
    });
    group.finish();
}

/// Measures the growth of the cost, which is O(cells).
fn growth(c: &mut Criterion) {
    let mut group = c.benchmark_group("level growth");
    group.sample_size(20);
    for side in [64, 128, 256, 512, 1024] {
        group.throughput(Throughput::Elements(side * side));
        for walls in ["default", "grid_wire", "sparse_moore"] {
            let json = format!(
                r#"{{"walls":"{walls}","fuel":"refuel_chain","width":{side},"height":{side}}}"#
            );
            let mut generator = level::Generator::new(&spec(&json));
            let mut seed = 0;
            group.bench_function(BenchmarkId::new(walls, side), |b| {
                b.iter(|| {
                    seed += 1;
                    black_box(generator.generate(Seed::new(seed)).unwrap().witness.len())
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, default_size, growth);
criterion_main!(benches);
