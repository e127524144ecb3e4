//! Model-based test: applies random operations to the store and to a model, which is a list of
//! states per channel.

use crate::fixture::{Fixture, actor, key};
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
    Restore { earlier: u64 },
    Reopen,
}

/// An operation on one of three channels, based on the current revision, an older one, or none.
#[derive(Clone, Debug)]
struct Action {
    channel: usize,
    expected_revision: BasedOn,
    operation: Operation,
}

#[derive(Clone, Copy, Debug)]
enum BasedOn {
    Current,
    Previous,
    NoRevision,
}

/// States of a channel by revision, from 1; `None` where the map was deleted.
#[derive(Default)]
struct Channel(Vec<Option<State>>);

#[derive(Clone)]
struct State {
    family: Family,
    seed: u64,
    document: String,
    run: Option<Run>,
}

/// Expected outcome of an operation.
enum Expected {
    Becomes(Option<State>),
    Conflict,
    Absent,
    Rejected,
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let family = prop::sample::select(vec![
        Family::Act,
        Family::Act,
        Family::Level,
        Family::Floor,
        Family::Tower,
    ]);
    let operation = prop_oneof![
        3 => (family, 0..3_u64).prop_map(|(family, seed)| Operation::Create { family, seed }),
        1 => Just(Operation::Reset),
        1 => (0..3_u64).prop_map(|seed| Operation::Reseed { seed }),
        8 => (0..4_usize).prop_map(|choice| Operation::Move { choice }),
        3 => Just(Operation::Undo),
        1 => Just(Operation::Delete),
        2 => (0..20_u64).prop_map(|earlier| Operation::Restore { earlier }),
        1 => Just(Operation::Reopen),
    ];
    let expected_revision = prop_oneof![
        8 => Just(BasedOn::Current),
        1 => Just(BasedOn::Previous),
        1 => Just(BasedOn::NoRevision),
    ];
    let action = (0..3_usize, expected_revision, operation);
    prop::collection::vec(
        action.prop_map(|(channel, expected_revision, operation)| Action {
            channel,
            expected_revision,
            operation,
        }),
        1..60,
    )
}

fn generate(family: Family, seed: u64) -> (NewMap, State) {
    let new = NewMap::generate(family, b"{}", Seed::new(seed)).unwrap();
    let state = State {
        family,
        seed,
        document: new.document().to_text(),
        run: Run::start(new.document()).ok(),
    };
    (new, state)
}

impl Channel {
    fn current(&self) -> Option<&State> {
        self.0.last().and_then(Option::as_ref)
    }

    fn revision(&self) -> u64 {
        self.0.len() as u64
    }

    fn expect(&self, operation: &Operation, expected_revision: Option<u64>) -> Expected {
        match (self.current(), expected_revision) {
            (Some(_), expected_revision) if expected_revision != Some(self.revision()) => {
                return Expected::Conflict;
            }
            (None, Some(_)) => return Expected::Absent,
            _ => {}
        }
        let state = |run: Option<Run>| match (self.current(), run) {
            (Some(current), Some(run)) => {
                Expected::Becomes(Some(State { run: Some(run), ..current.clone() }))
            }
            _ => Expected::Rejected,
        };
        let current = self.current().cloned();
        let run = current.as_ref().and_then(|current| current.run.clone());
        match *operation {
            Operation::Create { family, seed } => Expected::Becomes(Some(generate(family, seed).1)),
            Operation::Restore { earlier } => {
                match earlier.checked_sub(1).and_then(|at| self.0.get(at as usize)) {
                    Some(Some(state)) => Expected::Becomes(Some(state.clone())),
                    _ => Expected::Rejected,
                }
            }
            _ if current.is_none() => Expected::Absent,
            Operation::Delete => Expected::Becomes(None),
            Operation::Reseed { seed } => {
                Expected::Becomes(current.map(|current| generate(current.family, seed).1))
            }
            Operation::Reset if run.is_none() => Expected::Becomes(current),
            Operation::Reset => state(run.map(|run| run.restarted())),
            Operation::Move { choice } => {
                state(run.and_then(|run| run.advance(*run.moves().get(choice)?).ok()))
            }
            Operation::Undo => state(run.and_then(|run| run.undo())),
            Operation::Reopen => Expected::Rejected,
        }
    }
}

/// Runs one case. All cases share a database and use different channels, because creating a
/// database takes longer than a case.
async fn run_case(fixture: &Fixture, case: u32, actions: Vec<Action>) {
    let mut store = fixture.open().await;
    let mut channels: [Channel; 3] = Default::default();
    for action in actions {
        if let Operation::Reopen = action.operation {
            store.close().await;
            store = fixture.open().await;
            continue;
        }
        let channel = &mut channels[action.channel];
        let expected_revision = match action.expected_revision {
            BasedOn::Current => channel.current().map(|_| channel.revision()),
            BasedOn::Previous => channel.revision().checked_sub(1),
            BasedOn::NoRevision => None,
        };
        // Only create and restore accept a missing revision.
        let needs_map =
            !matches!(action.operation, Operation::Create { .. } | Operation::Restore { .. });
        let expected_revision = expected_revision.or(needs_map.then_some(0));
        let expected = channel.expect(&action.operation, expected_revision);
        let result = apply(
            &store,
            &name(case, action.channel),
            &action.operation,
            expected_revision,
            channel,
        )
        .await;
        match (expected, result) {
            (Expected::Becomes(state), Ok(map)) => {
                channel.0.push(state);
                assert_eq!(map.is_some(), channel.current().is_some());
                map.iter().for_each(|map| assert_same(map, channel));
            }
            (Expected::Conflict, Err(StoreError::Conflict { current })) => {
                assert_same(&current, channel)
            }
            (Expected::Absent, Err(StoreError::NoMap { .. })) => {}
            (
                Expected::Rejected,
                Err(
                    StoreError::Run(_)
                    | StoreError::NothingToUndo { .. }
                    | StoreError::NoSuchRevision { .. },
                ),
            ) => {}
            (_, result) => panic!("{action:?} at revision {}: {result:?}", channel.revision()),
        }
    }
    for (number, channel) in channels.iter().enumerate() {
        let key = key(&name(case, number));
        let map = store.get(&key).await.unwrap();
        assert_eq!(map.is_some(), channel.current().is_some());
        map.iter().for_each(|map| assert_same(map, channel));
        let history = store.history(&key, None, 1000).await.unwrap().items;
        assert_eq!(history.len(), channel.0.len());
        for (state, revision) in channel.0.iter().zip(1..) {
            let earlier = store.map_at(&key, Revision(revision)).await.ok();
            let actual = earlier.map(|map| (map.document.to_string(), map.progress));
            let expected =
                state.as_ref().map(|s| (s.document.clone(), s.run.as_ref().map(Run::progress)));
            assert_eq!(actual, expected, "revision {revision}");
        }
    }
    store.close().await;
}

fn assert_same(map: &StoredMap, channel: &Channel) {
    let state = channel.current().expect("a map is expected");
    assert_eq!(map.revision.0, channel.revision());
    assert_eq!((map.family, map.seed.clone()), (state.family, Seed::new(state.seed)));
    assert_eq!(map.document.as_ref(), state.document);
    assert_eq!(map.progress, state.run.as_ref().map(Run::progress));
}

async fn apply(
    store: &Arc<Store>,
    name: &str,
    operation: &Operation,
    expected_revision: Option<u64>,
    channel: &Channel,
) -> Result<Option<StoredMap>, StoreError> {
    let (key, actor, expected_revision) =
        (key(name), actor("model"), expected_revision.map(Revision));
    let required = expected_revision.unwrap_or(Revision(0));
    match *operation {
        Operation::Create { family, seed } => {
            store.create(&key, generate(family, seed).0, expected_revision, &actor).await.map(Some)
        }
        Operation::Reset => store.reset(&key, required, &actor).await.map(Some),
        Operation::Reseed { seed } => {
            store.reseed(&key, required, Seed::new(seed), &actor).await.map(Some)
        }
        Operation::Move { choice } => {
            let run = channel.current().and_then(|current| current.run.clone());
            let legal = run.and_then(|run| run.moves().get(choice).copied());
            // If there is no such legal move, use one that is never legal.
            let step = legal.unwrap_or_else(|| "65535,65535".parse().unwrap());
            store.advance(&key, required, step, &actor).await.map(Some)
        }
        Operation::Undo => store.undo(&key, required, &actor).await.map(Some),
        Operation::Delete => store.delete(&key, required, &actor).await.map(|_| None),
        Operation::Restore { earlier } => {
            store.restore(&key, expected_revision, Revision(earlier), &actor).await.map(Some)
        }
        Operation::Reopen => Ok(None),
    }
}

fn name(case: u32, channel: usize) -> String {
    format!("{case}-{channel}")
}

fn check(count: u32, fixture: impl AsyncFn() -> Fixture) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let fixture = runtime.block_on(fixture());
    let cases = AtomicU32::new(0);
    let mut runner =
        TestRunner::new(Config { cases: count, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&actions(), |actions| {
        runtime.block_on(run_case(&fixture, cases.fetch_add(1, Ordering::Relaxed), actions));
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn sqlite_matches_the_model() {
    check(40, Fixture::sqlite);
}

#[test]
fn postgres_matches_the_model() {
    check(16, Fixture::postgres);
}
