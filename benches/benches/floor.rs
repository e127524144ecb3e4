//! Generation of floors and towers: `cargo bench -p wayforge-benches --bench floor`.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::floor::{self, Validator};
use wayforge::tower;

fn generator(text: &str) -> floor::Generator {
    floor::Generator::new(&floor::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap())
}

/// Measures floors of 5 x 5 with a reused generator and a new seed for each floor.
fn default_floor(c: &mut Criterion) {
    let mut group = c.benchmark_group("floor.module 5x5");
    group.throughput(Throughput::Elements(1));
    let mut seed = 0;
    let mut validator = Validator::default();
    let mut reused = generator("{}");
    group.bench_function("generate", |b| {
        b.iter(|| {
            seed += 1;
            black_box(reused.generate(Seed::new(seed)).unwrap().path.len())
        });
    });
    for (name, text) in [
        ("generate and validate", "{}"),
        ("rooms, and validate", r#"{"open":"rooms"}"#),
        ("A*, and validate", r#"{"carve":"astar"}"#),
        (
            "every kind of entity, and validate",
            r#"{"itemBudget":1,"relicBudget":1,"npcBudget":1,"trapBudget":1,
                "doorBudget":1,"waterBudget":2}"#,
        ),
        ("path of 12, and validate", r#"{"minPathLength":12,"enemyBudget":2,"chestBudget":0}"#),
    ] {
        let mut reused = generator(text);
        group.bench_function(name, |b| {
            b.iter(|| {
                seed += 1;
                assert!(validator.is_valid(reused.generate(Seed::new(seed)).unwrap()));
            });
        });
    }
    let floor =
        floor::generate(Seed::new(42), &floor::Config::default().resolve().unwrap()).unwrap();
    group.bench_function("validate", |b| b.iter(|| black_box(validator.is_valid(&floor))));
    group.bench_function("document with digest", |b| {
        b.iter(|| black_box(floor.to_document().digest))
    });
    group.bench_function("resolve", |b| {
        b.iter(|| black_box(floor::Config::default().resolve().is_ok()))
    });
    group.finish();
}

/// Measures floors from 3 x 3 to 64 x 64; the number of entities grows with the number of tiles.
fn growth(c: &mut Criterion) {
    let mut group = c.benchmark_group("floor.module growth, validated");
    let mut validator = Validator::default();
    for side in [3, 4, 5, 6, 8, 9, 12, 16, 24, 32, 48, 64] {
        let (enemies, chests) = (side * side / 10, side / 5 + 1);
        let text = format!(
            r#"{{"width":{side},"height":{side},"enemyBudget":{enemies},
                "chestBudget":{chests},"minPathLength":{}}}"#,
            side / 2
        );
        let mut reused = generator(&text);
        let mut seed = 0;
        group.throughput(Throughput::Elements(side * side));
        group.bench_function(BenchmarkId::from_parameter(format!("{side}x{side}")), |b| {
            b.iter(|| {
                seed += 1;
                assert!(validator.is_valid(reused.generate(Seed::new(seed)).unwrap()));
            });
        });
    }
    group.finish();
}

/// Measures whole towers, including the feasibility check of every floor's configuration.
fn towers(c: &mut Criterion) {
    let mut group = c.benchmark_group("floor.tower");
    for floors in [10, 100] {
        let spec = tower::Config { floors, ..tower::Config::default() }.resolve().unwrap();
        let mut seed = 0;
        group.throughput(Throughput::Elements(floors as u64));
        group.bench_function(BenchmarkId::from_parameter(format!("{floors} floors")), |b| {
            b.iter(|| {
                seed += 1;
                black_box(tower::generate(Seed::new(seed), &spec).unwrap().floors.len())
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = default_floor, growth, towers
}
criterion_main!(benches);
