//! Random sequences of operations against a plain model: a list of states for every channel.

use crate::bed::{Bed, key, who};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use wayforge::{Family, Run, Seed};
use wayforge_store::{NewMap, Revision, Store, StoreError, StoredMap};

#[derive(Clone, Debug)]
enum Operation {
    Create { family: Family, seed: u64 },
    Reset,
    Reseed { seed: u64 },
    Move { choice: usize },
    Undo,
    Delete,
    Restore { former: u64 },
    Reopen,
}

/// An operation on one of three channels, by someone who saw the map as it is, or an older one, or none.
#[derive(Clone, Debug)]
struct Turn {
    channel: usize,
    seen: Seen,
    operation: Operation,
}

#[derive(Clone, Copy, Debug)]
enum Seen {
    Now,
    Before,
    Nothing,
}

/// A channel: what stood there at each revision, from 1; none where it was deleted.
#[derive(Default)]
struct Channel(Vec<Option<State>>);

#[derive(Clone)]
struct State {
    family: Family,
    seed: u64,
    document: String,
    run: Option<Run>,
}

/// What an operation is expected to come to.
enum Expected {
    Becomes(Option<State>),
    Conflict,
    Absent,
    Refused,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let family =
        prop::sample::select(vec![Family::Act, Family::Act, Family::Level, Family::Floor, Family::Tower]);
    let operation = prop_oneof![
        3 => (family, 0..3_u64).prop_map(|(family, seed)| Operation::Create { family, seed }),
        1 => Just(Operation::Reset),
        1 => (0..3_u64).prop_map(|seed| Operation::Reseed { seed }),
        8 => (0..4_usize).prop_map(|choice| Operation::Move { choice }),
        3 => Just(Operation::Undo),
        1 => Just(Operation::Delete),
        2 => (0..20_u64).prop_map(|former| Operation::Restore { former }),
        1 => Just(Operation::Reopen),
    ];
    let seen = prop_oneof![8 => Just(Seen::Now), 1 => Just(Seen::Before), 1 => Just(Seen::Nothing)];
    let turn = (0..3_usize, seen, operation);
    prop::collection::vec(
        turn.prop_map(|(channel, seen, operation)| Turn { channel, seen, operation }),
        1..60,
    )
}

fn forge(family: Family, seed: u64) -> (NewMap, State) {
    let new = NewMap::generate(family, b"{}", Seed::new(seed)).unwrap();
    let state =
        State { family, seed, document: new.document().to_text(), run: Run::start(new.document()).ok() };
    (new, state)
}

impl Channel {
    fn now(&self) -> Option<&State> {
        self.0.last().and_then(Option::as_ref)
    }

    fn revision(&self) -> u64 {
        self.0.len() as u64
    }

    fn expect(&self, operation: &Operation, seen: Option<u64>) -> Expected {
        match (self.now(), seen) {
            (Some(_), seen) if seen != Some(self.revision()) => return Expected::Conflict,
            (None, Some(_)) => return Expected::Absent,
            _ => {}
        }
        let state = |run: Option<Run>| match (self.now(), run) {
            (Some(now), Some(run)) => Expected::Becomes(Some(State { run: Some(run), ..now.clone() })),
            _ => Expected::Refused,
        };
        let now = self.now().cloned();
        let run = now.as_ref().and_then(|now| now.run.clone());
        match *operation {
            Operation::Create { family, seed } => Expected::Becomes(Some(forge(family, seed).1)),
            Operation::Restore { former } => {
                match former.checked_sub(1).and_then(|at| self.0.get(at as usize)) {
                    Some(Some(state)) => Expected::Becomes(Some(state.clone())),
                    _ => Expected::Refused,
                }
            }
            _ if now.is_none() => Expected::Absent,
            Operation::Delete => Expected::Becomes(None),
            Operation::Reseed { seed } => Expected::Becomes(now.map(|now| forge(now.family, seed).1)),
            Operation::Reset if run.is_none() => Expected::Becomes(now),
            Operation::Reset => state(run.map(|run| run.restarted())),
            Operation::Move { choice } => {
                state(run.and_then(|run| run.advance(*run.moves().get(choice)?).ok()))
            }
            Operation::Undo => state(run.and_then(|run| run.undo())),
            Operation::Reopen => Expected::Refused,
        }
    }
}

/// Every case has channels of its own; making a database takes longer than playing.
async fn play(bed: &Bed, case: u32, turns: Vec<Turn>) {
    let mut store = bed.open().await;
    let mut channels: [Channel; 3] = Default::default();
    for turn in turns {
        if let Operation::Reopen = turn.operation {
            store.close().await;
            store = bed.open().await;
            continue;
        }
        let channel = &mut channels[turn.channel];
        let seen = match turn.seen {
            Seen::Now => channel.now().map(|_| channel.revision()),
            Seen::Before => channel.revision().checked_sub(1),
            Seen::Nothing => None,
        };
        // Only creation and restoring may have seen nothing.
        let needs_map = !matches!(turn.operation, Operation::Create { .. } | Operation::Restore { .. });
        let seen = seen.or(needs_map.then_some(0));
        let expected = channel.expect(&turn.operation, seen);
        let answer = ask(&store, &name(case, turn.channel), &turn.operation, seen, channel).await;
        match (expected, answer) {
            (Expected::Becomes(state), Ok(map)) => {
                channel.0.push(state);
                assert_eq!(map.is_some(), channel.now().is_some());
                map.iter().for_each(|map| assert_same(map, channel));
            }
            (Expected::Conflict, Err(StoreError::Conflict { current })) => assert_same(&current, channel),
            (Expected::Absent, Err(StoreError::Absent { .. })) => {}
            (
                Expected::Refused,
                Err(StoreError::Run(_) | StoreError::AtStart { .. } | StoreError::NoFormer { .. }),
            ) => {}
            (_, answer) => panic!("{turn:?} at revision {}: {answer:?}", channel.revision()),
        }
    }
    for (number, channel) in channels.iter().enumerate() {
        let key = key(&name(case, number));
        let map = store.get(&key).await.unwrap();
        assert_eq!(map.is_some(), channel.now().is_some());
        map.iter().for_each(|map| assert_same(map, channel));
        let history = store.history(&key, None, 1000).await.unwrap().items;
        assert_eq!(history.len(), channel.0.len());
        for (state, revision) in channel.0.iter().zip(1..) {
            let former = store.former(&key, Revision(revision)).await.ok();
            let there = former.map(|map| (map.document.to_string(), map.progress));
            let expected = state.as_ref().map(|s| (s.document.clone(), s.run.as_ref().map(Run::progress)));
            assert_eq!(there, expected, "revision {revision}");
        }
    }
    store.close().await;
}

fn assert_same(map: &StoredMap, channel: &Channel) {
    let state = channel.now().expect("a map is expected");
    assert_eq!(map.revision.0, channel.revision());
    assert_eq!((map.family, map.seed.clone()), (state.family, Seed::new(state.seed)));
    assert_eq!(map.document.as_ref(), state.document);
    assert_eq!(map.progress, state.run.as_ref().map(Run::progress));
}

async fn ask(
    store: &Arc<Store>,
    name: &str,
    operation: &Operation,
    seen: Option<u64>,
    channel: &Channel,
) -> Result<Option<StoredMap>, StoreError> {
    let (key, who, seen) = (key(name), who("model"), seen.map(Revision));
    let must = seen.unwrap_or(Revision(0));
    match *operation {
        Operation::Create { family, seed } => {
            store.create(&key, forge(family, seed).0, seen, &who).await.map(Some)
        }
        Operation::Reset => store.reset(&key, must, &who).await.map(Some),
        Operation::Reseed { seed } => store.reseed(&key, must, Seed::new(seed), &who).await.map(Some),
        Operation::Move { choice } => {
            let run = channel.now().and_then(|now| now.run.clone());
            let legal = run.and_then(|run| run.moves().get(choice).copied());
            // Where there is no such legal move, one that never is.
            let step = legal.unwrap_or_else(|| "65535,65535".parse().unwrap());
            store.advance(&key, must, step, &who).await.map(Some)
        }
        Operation::Undo => store.undo(&key, must, &who).await.map(Some),
        Operation::Delete => store.delete(&key, must, &who).await.map(|_| None),
        Operation::Restore { former } => store.restore(&key, seen, Revision(former), &who).await.map(Some),
        Operation::Reopen => Ok(None),
    }
}

fn name(case: u32, channel: usize) -> String {
    format!("{case}-{channel}")
}

fn check(count: u32, bed: impl AsyncFn() -> Bed) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let bed = runtime.block_on(bed());
    let cases = AtomicU32::new(0);
    let mut runner = TestRunner::new(Config { cases: count, failure_persistence: None, ..Config::default() });
    let result = runner.run(&turns(), |turns| {
        runtime.block_on(play(&bed, cases.fetch_add(1, Ordering::Relaxed), turns));
        Ok(())
    });
    result.unwrap();
}

#[test]
fn sqlite_behaves_as_the_model() {
    check(40, Bed::sqlite);
}

#[test]
fn postgres_behaves_as_the_model() {
    check(16, Bed::postgres);
}
