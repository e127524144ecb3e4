//! Assignment of kinds with minimum and maximum counts on every route:
//! `cargo bench -p wayforge-benches --bench kinds`.
//!
//! The fast search solves some of the skeletons, the complete search the others; see
//! `docs/rules.md`.

#![allow(missing_docs)] // Criterion's macros generate undocumented items.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wayforge::Seed;
use wayforge::act::{self, Count, KindsChoice, KindsConfig, WalksConfig};

/// Kind of the standard set, with its minimum and maximum count on every route.
type Rule = (usize, i64, Option<i64>);
/// Names and rules of the rule sets.
const RULES: [(&str, &[Rule]); 4] = [
    ("elite 2..", &[(1, 2, None)]),
    ("shop 1..", &[(3, 1, None)]),
    ("shop 1.., elite 2..3", &[(3, 1, None), (1, 2, Some(3))]),
    ("shop 1..2, rest 2..3, elite 2..3", &[(3, 1, Some(2)), (4, 2, Some(3)), (1, 2, Some(3))]),
];

fn guarantees(c: &mut Criterion) {
    let mut group = c.benchmark_group("act.walks 7x15, counts on every route");
    group.throughput(Throughput::Elements(1));
    for (name, bounds) in RULES {
        let mut kinds = KindsConfig::standard(15);
        for &(kind, min, max) in bounds {
            kinds.kinds[kind].route = Count { min: Some(min), max };
        }
        let config =
            WalksConfig { kinds: KindsChoice::Custom(Box::new(kinds)), ..Default::default() };
        let mut generator = act::Generator::new(&act::Config::Walks(config).resolve().unwrap());
        let mut seed = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                seed += 1;
                black_box(generator.generate(Seed::new(seed)).unwrap().nodes.len())
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(3));
    targets = guarantees
}
criterion_main!(benches);
