//! How fast seeds are searched: `cargo bench -p wayforge-benches --bench find`; `cargo test` goes through a few.

#![allow(missing_docs)] // Criterion's macros write items without documentation.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use std::time::Duration;
use wayforge::AnySpec;
use wayforge::Family;
use wayforge::metric::Query;
use wayforge_analysis::search::{Search, Span};

/// No map is like it, so that all seeds are gone through; it is the condition of docs/performance.md.
const CONDITION: &str = "routes > 300 and min(elite) = 0 and max(shop) >= 30";

/// Seeds of default act maps a second, by one thread and by all.
fn find(c: &mut Criterion) {
    let subject = AnySpec::from_json(Family::Act, b"{}").unwrap();
    let query = Query::parse(CONDITION, &subject.catalogue()).unwrap();
    // Several waves a thread, or a moment.
    let seeds = if std::env::args().any(|arg| arg == "--bench") { 1 << 17 } else { 1 << 12 };
    let mut group = c.benchmark_group("find act 7x15");
    group.throughput(Throughput::Elements(seeds)).sampling_mode(SamplingMode::Flat).sample_size(10);
    for (name, threads) in [("one thread", 1), ("all threads", 0)] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut first = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                let span = Span::from(first).take(seeds);
                first += seeds;
                let mut search = Search::new(&subject, span, query.clone(), 1);
                pool.install(|| while search.advance() {});
                assert_eq!((search.seeds_done(), search.found().len()), (seeds, 0));
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(5));
    targets = find
}
criterion_main!(benches);
