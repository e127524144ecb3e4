//! What is found does not depend on threads, shards or pauses, and is what going through all seeds one by one finds.

use wayforge::metric::{Aim, Measure, Query};
use wayforge::{AnySpec, Family, Seed};
use wayforge_analysis::search::{BLOCK, Closest, Search, Shard, Span, Visit, Worker, columns};

const CASES: [(Family, &str, &str, u64); 4] = [
    (Family::Act, "{}", "routes > 600 and min(elite) = 0", 3 * BLOCK + 17),
    (Family::Act, r#"{"ruleset":"rows"}"#, "splits >= 22", 2 * BLOCK),
    (Family::Floor, r#"{"width":6,"minPathLength":5}"#, "path > 11", 2 * BLOCK + 1),
    (Family::Tower, r#"{"floors":2}"#, "path >= 14", 700),
];

fn subject(family: Family, config: &str) -> AnySpec {
    AnySpec::from_json(family, config.as_bytes()).unwrap()
}

fn query(subject: &AnySpec, text: &str) -> Query {
    Query::parse(text, &subject.catalogue()).unwrap()
}

/// Whether a finished map satisfies a condition.
struct Holds<'a>(&'a Query);

impl Visit for Holds<'_> {
    type Out = bool;

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> bool {
        self.0.holds(meter, map)
    }
}

fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn run(mut search: Search) -> (Vec<Seed>, u64) {
    while search.advance() {}
    (search.found().to_vec(), search.seeds_done())
}

#[test]
fn threads_change_nothing() {
    for (family, config, text, count) in CASES {
        let subject = subject(family, config);
        let query = query(&subject, text);
        let mut worker = Worker::new(&subject);
        let span = Span::from(5).take(count);
        let holds = |seed: &Seed| worker.look(seed.clone(), &mut Holds(&query)) == Some(true);
        let plain: Vec<Seed> = (5..5 + count).map(Seed::new).filter(holds).collect();
        assert!(plain.len() > 20, "{family} {text}: {}", plain.len());
        for wanted in [1, 7, plain.len(), usize::MAX] {
            let mut answers = [1, 2, 5].map(|threads| {
                with_threads(threads, || run(Search::new(&subject, span.clone(), query.clone(), wanted)))
            });
            answers.sort();
            assert_eq!(answers[0], answers[2], "{family} {text}");
            assert_eq!(answers[0].0, plain[..wanted.min(plain.len())]);
        }
    }
}

#[test]
fn shards_together_are_the_whole_and_a_pause_changes_nothing() {
    let (family, config, text, count) = CASES[0];
    let subject = subject(family, config);
    let query = query(&subject, text);
    let span = Span::from(u64::MAX - 5000).take(count);
    let (whole, gone) = run(Search::new(&subject, span.clone(), query.clone(), usize::MAX));
    assert_eq!(gone, count);
    let mut parts: Vec<Seed> = Vec::new();
    let mut seeds = 0;
    for part in 1..=3 {
        let shard: Shard = format!("{part}/3").parse().unwrap();
        let span = span.clone().of(shard);
        assert_eq!(span.len(), span.seeds().count() as u64);
        seeds += span.len();
        parts.extend(run(Search::new(&subject, span, query.clone(), usize::MAX)).0);
    }
    assert_eq!(seeds, count);
    // Seeds wrap around: their order is that of the span.
    parts.sort_by_key(|seed| seed.number().wrapping_sub(u64::MAX - 5000));
    assert_eq!(parts, whole);
    let mut first = Search::new(&subject, span.clone(), query.clone(), usize::MAX);
    with_threads(1, || {
        let mut short = Search::new(&subject, span.clone().take(2 * BLOCK + 3), query.clone(), usize::MAX);
        while short.advance() {}
        first = Search::new(&subject, span, query.clone(), usize::MAX)
            .resume(short.seeds_done(), short.found().to_vec());
        first.give(3);
    });
    assert_eq!(run(first), (whole, count));
    for text in ["", "0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/1000001"] {
        assert!(text.parse::<Shard>().unwrap_err().to_string().contains("PART/OF"), "{text}");
    }
}

#[test]
fn the_closest_are_those_of_a_plain_sort() {
    let subject = subject(Family::Act, "{}");
    let aim = Aim::parse("nodes = 60, routes = 200", &subject.catalogue()).unwrap();
    let mut worker = Worker::new(&subject);
    let count = BLOCK + 500;
    let mut plain: Vec<(u64, u64)> =
        (0..count).map(|seed| (worker.distance(Seed::new(seed), &aim).unwrap(), seed)).collect();
    plain.sort();
    for threads in [1, 3] {
        let best = with_threads(threads, || {
            let mut closest = Closest::new(&subject, Span::from(0).take(count), aim.clone(), None, 25);
            while closest.advance() {}
            assert_eq!(closest.seeds_done(), count);
            closest.best().iter().map(|near| (near.distance, near.seed.number())).collect::<Vec<_>>()
        });
        assert_eq!(best, plain[..25]);
    }
}

#[test]
fn columns_hold_what_meters_read() {
    let subject = subject(Family::Floor, "{}");
    let terms: Vec<_> = subject.catalogue().terms().collect();
    let table = with_threads(2, || columns(&subject, Span::from(9).take(BLOCK + 3), &terms));
    assert_eq!(table.seeds, (9..9 + BLOCK + 3).collect::<Vec<u64>>());
    assert!(table.made.iter().all(|&made| made));
    let (mut worker, mut row) = (Worker::new(&subject), vec![0; terms.len()]);
    for (i, &seed) in table.seeds.iter().enumerate() {
        assert!(worker.measure(Seed::new(seed), &terms, &mut row));
        assert!(table.values.iter().zip(&row).all(|(column, &value)| column[i] == value));
    }
}
