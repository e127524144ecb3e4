//! Generation of Slay the Spire maps by the game's own algorithm:
//! `cargo bench -p wayforge-benches --bench spire`.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::act::{self, SpireConfig};

/// Measures complete maps with nodes, edges and kinds, with a reused generator.
fn maps(c: &mut Criterion) {
    let mut group = c.benchmark_group("act.spire");
    group.throughput(Throughput::Elements(1));
    for (name, ascension, emerald) in
        [("ascension 0", 0, false), ("ascension 1", 1, false), ("emerald", 1, true)]
    {
        let config = SpireConfig { ascension, emerald, ..Default::default() };
        let mut generator = act::Generator::new(&act::Config::Spire(config).resolve().unwrap());
        let mut seed = 0_u64;
        group.bench_function(name, |b| {
            b.iter(|| {
                // Scattered seeds, so that the branch predictor cannot learn a sequence.
                seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let map = generator.generate(Seed::new(seed)).unwrap();
                black_box(map.nodes.len() + map.edges.len())
            });
        });
    }
    let spec = act::Config::Spire(SpireConfig::default()).resolve().unwrap();
    let map = act::generate(Seed::new(42), &spec).unwrap();
    group.bench_function("validate", |b| b.iter(|| black_box(act::validate(&map).is_valid())));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = maps
}
criterion_main!(benches);
