//! Seed search: `cargo bench -p wayforge-benches --bench find`; `cargo test` searches a few seeds.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use std::time::Duration;
use wayforge::AnySpec;
use wayforge::Family;
use wayforge::metric::Query;
use wayforge_analysis::search::{SeedRange, SeedSearch};

/// Condition from docs/performance.md. No map matches it, so all seeds are searched.
const CONDITION: &str = "routes > 300 and min(elite) = 0 and max(shop) >= 30";

/// Measures seeds per second on default act maps, with one thread and with all threads.
fn find(c: &mut Criterion) {
    let spec = AnySpec::from_json(Family::Act, b"{}").unwrap();
    let query = Query::parse(CONDITION, &spec.catalogue()).unwrap();
    // Several batches per thread; only a few seeds in `cargo test`.
    let seeds = if std::env::args().any(|arg| arg == "--bench") { 1 << 17 } else { 1 << 12 };
    let mut group = c.benchmark_group("find act 7x15");
    group.throughput(Throughput::Elements(seeds)).sampling_mode(SamplingMode::Flat).sample_size(10);
    for (name, threads) in [("one thread", 1), ("all threads", 0)] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut first = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                let range = SeedRange::from(first).take(seeds);
                first += seeds;
                let mut search = SeedSearch::new(&spec, range, query.clone(), 1);
                pool.install(|| while search.advance() {});
                assert_eq!((search.seeds_done(), search.matches().len()), (seeds, 0));
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(5));
    targets = find
}
criterion_main!(benches);
