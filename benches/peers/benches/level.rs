//! Generation of connected levels, compared with the crate `mapgen`:
//! `cargo bench -p wayforge-peers --bench level`.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mapgen::MapBuilder;
use mapgen::filter::{
    AreaStartingPosition, CellularAutomata, CullUnreachable, DistantExit, NearestCorridors,
    NoiseGenerator, SimpleRooms, XStart, YStart,
};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::level;

fn spec(json: &str) -> level::Spec {
    level::Config::from_json(json.as_bytes()).unwrap().resolve().unwrap()
}

/// Measures connected levels of 80 x 50 cells with a start and an exit.
fn peers(c: &mut Criterion) {
    let mut group = c.benchmark_group("connected 80x50");
    group.throughput(Throughput::Elements(1));
    for walls in ["default", "sparse_moore", "maze", "caves"] {
        let json =
            format!(r#"{{"walls":"{walls}","width":80,"height":50,"interior_walls":"solid"}}"#);
        let mut generator = level::Generator::new(&spec(&json));
        let mut seed = 0;
        group.bench_function(BenchmarkId::new("wayforge, solid walls", walls), |b| {
            b.iter(|| {
                seed += 1;
                black_box(generator.generate(Seed::new(seed)).unwrap().witness.len())
            });
        });
    }
    let start = || AreaStartingPosition::new(XStart::CENTER, YStart::CENTER);
    group.bench_function("mapgen rooms, corridors, cull, exit", |b| {
        b.iter(|| {
            let mut builder = MapBuilder::new(80, 50);
            let builder = builder.with(SimpleRooms::new()).with(NearestCorridors::new());
            black_box(
                builder.with(start()).with(CullUnreachable::new()).with(DistantExit::new()).build(),
            )
        });
    });
    group.bench_function("mapgen noise, cellular automaton, cull, exit", |b| {
        b.iter(|| {
            let mut builder = MapBuilder::new(80, 50);
            let builder = builder.with(NoiseGenerator::uniform()).with(CellularAutomata::new());
            black_box(
                builder.with(start()).with(CullUnreachable::new()).with(DistantExit::new()).build(),
            )
        });
    });
    group.finish();
}

criterion_group!(benches, peers);
criterion_main!(benches);
