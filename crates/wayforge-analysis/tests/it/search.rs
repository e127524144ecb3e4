//! Search results do not depend on threads, shards or interruptions, and equal those of a
//! sequential scan.

use wayforge::metric::{Measure, MetricTargets, Query};
use wayforge::{AnySpec, Family, Seed};
use wayforge_analysis::search::{
    BLOCK_LEN, ClosestSearch, MapVisitor, SeedRange, SeedSearch, Shard, Worker, measure_seeds,
};

const CASES: [(Family, &str, &str, u64); 4] = [
    (Family::Act, "{}", "routes > 600 and min(elite) = 0", 3 * BLOCK_LEN + 17),
    (Family::Act, r#"{"ruleset":"rows"}"#, "splits >= 22", 2 * BLOCK_LEN),
    (Family::Floor, r#"{"width":6,"minPathLength":5}"#, "path > 11", 2 * BLOCK_LEN + 1),
    (Family::Tower, r#"{"floors":2}"#, "path >= 14", 700),
];

fn spec(family: Family, config: &str) -> AnySpec {
    AnySpec::from_json(family, config.as_bytes()).unwrap()
}

fn query(spec: &AnySpec, text: &str) -> Query {
    Query::parse(text, &spec.catalogue()).unwrap()
}

/// Evaluates a condition on a finished map.
struct Matches<'a>(&'a Query);

impl MapVisitor for Matches<'_> {
    type Output = bool;

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> bool {
        self.0.matches(meter, map)
    }
}

fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn run(mut search: SeedSearch) -> (Vec<Seed>, u64) {
    while search.advance() {}
    (search.matches().to_vec(), search.seeds_done())
}

#[test]
fn search_results_do_not_depend_on_threads() {
    for (family, config, text, count) in CASES {
        let spec = spec(family, config);
        let query = query(&spec, text);
        let mut worker = Worker::new(&spec);
        let range = SeedRange::from(5).take(count);
        let matches = |seed: &Seed| worker.visit(seed.clone(), &mut Matches(&query)) == Some(true);
        let expected: Vec<Seed> = (5..5 + count).map(Seed::new).filter(matches).collect();
        assert!(expected.len() > 20, "{family} {text}: {}", expected.len());
        for wanted in [1, 7, expected.len(), usize::MAX] {
            let mut results = [1, 2, 5].map(|threads| {
                with_threads(threads, || {
                    run(SeedSearch::new(&spec, range.clone(), query.clone(), wanted))
                })
            });
            results.sort();
            assert_eq!(results[0], results[2], "{family} {text}");
            assert_eq!(results[0].0, expected[..wanted.min(expected.len())]);
        }
    }
}

#[test]
fn shards_partition_the_range_and_resuming_changes_nothing() {
    let (family, config, text, count) = CASES[0];
    let spec = spec(family, config);
    let query = query(&spec, text);
    let range = SeedRange::from(u64::MAX - 5000).take(count);
    let (whole, searched) = run(SeedSearch::new(&spec, range.clone(), query.clone(), usize::MAX));
    assert_eq!(searched, count);
    let mut parts: Vec<Seed> = Vec::new();
    let mut seeds = 0;
    for part in 1..=3 {
        let shard: Shard = format!("{part}/3").parse().unwrap();
        let range = range.clone().with_shard(shard);
        assert_eq!(range.len(), range.seeds().count() as u64);
        seeds += range.len();
        parts.extend(run(SeedSearch::new(&spec, range, query.clone(), usize::MAX)).0);
    }
    assert_eq!(seeds, count);
    // Seeds wrap around, so the order is that of the range.
    parts.sort_by_key(|seed| seed.number().wrapping_sub(u64::MAX - 5000));
    assert_eq!(parts, whole);
    let mut first = SeedSearch::new(&spec, range.clone(), query.clone(), usize::MAX);
    with_threads(1, || {
        let mut short = SeedSearch::new(
            &spec,
            range.clone().take(2 * BLOCK_LEN + 3),
            query.clone(),
            usize::MAX,
        );
        while short.advance() {}
        first = SeedSearch::new(&spec, range, query.clone(), usize::MAX)
            .resume(short.seeds_done(), short.matches().to_vec());
        first.set_blocks_per_thread(3);
    });
    assert_eq!(run(first), (whole, count));
    for text in ["", "0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/1000001"] {
        assert!(text.parse::<Shard>().unwrap_err().to_string().contains("PART/OF"), "{text}");
    }
}

#[test]
fn closest_matches_equal_a_full_sort() {
    let spec = spec(Family::Act, "{}");
    let targets = MetricTargets::parse("nodes = 60, routes = 200", &spec.catalogue()).unwrap();
    let mut worker = Worker::new(&spec);
    let count = BLOCK_LEN + 500;
    let mut expected: Vec<(u64, u64)> = (0..count)
        .map(|seed| (worker.distance(Seed::new(seed), &targets).unwrap(), seed))
        .collect();
    expected.sort();
    for threads in [1, 3] {
        let best = with_threads(threads, || {
            let mut closest = ClosestSearch::new(
                &spec,
                SeedRange::from(0).take(count),
                targets.clone(),
                None,
                25,
            );
            while closest.advance() {}
            assert_eq!(closest.seeds_done(), count);
            closest
                .best()
                .iter()
                .map(|near| (near.distance, near.seed.number()))
                .collect::<Vec<_>>()
        });
        assert_eq!(best, expected[..25]);
    }
}

#[test]
fn columns_contain_the_measured_metrics() {
    let spec = spec(Family::Floor, "{}");
    let terms: Vec<_> = spec.catalogue().terms().collect();
    let table =
        with_threads(2, || measure_seeds(&spec, SeedRange::from(9).take(BLOCK_LEN + 3), &terms));
    assert_eq!(table.seeds, (9..9 + BLOCK_LEN + 3).collect::<Vec<u64>>());
    assert!(table.generated.iter().all(|&generated| generated));
    let (mut worker, mut row) = (Worker::new(&spec), vec![0; terms.len()]);
    for (i, &seed) in table.seeds.iter().enumerate() {
        assert!(worker.measure(Seed::new(seed), &terms, &mut row));
        assert!(table.values.iter().zip(&row).all(|(column, &value)| column[i] == value));
    }
}
