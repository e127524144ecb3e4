//! Where CPU-bound work runs, and the limits of configurations.

use crate::fixture::{Fixture, act, actor, first_move, key};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use wayforge::{Document, Family, Seed, WorkLimit};
use wayforge_store::{Executor, Job, NewMap, Result, StoreError};

/// Counts work and checks, and can reject them.
#[derive(Default)]
struct Counting {
    works: AtomicUsize,
    is_busy: AtomicBool,
    is_limited: AtomicBool,
}

impl Executor for Counting {
    fn run(&self, job: Job) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> {
        Box::pin(async {
            if self.is_busy.load(Ordering::SeqCst) {
                return Err(StoreError::Busy);
            }
            self.works.fetch_add(1, Ordering::SeqCst);
            tokio::task::spawn_blocking(|| job(&WorkLimit::UNLIMITED)).await.unwrap();
            Ok(())
        })
    }

    fn check(&self, _: &Document) -> Result<()> {
        match self.is_limited.load(Ordering::SeqCst) {
            true => Err(StoreError::Limit("rows: too many".to_owned())),
            false => Ok(()),
        }
    }
}

#[tokio::test]
async fn large_maps_and_generation_use_the_executor() {
    let fixture = Fixture::sqlite().await;
    let (store, executor) = (fixture.open().await, Arc::new(Counting::default()));
    store.set_executor(Arc::clone(&executor) as Arc<dyn Executor>);
    let works = || executor.works.load(Ordering::SeqCst);
    let config = br#"{"rows": 200, "cols": 40, "walks": 40}"#;
    let large = NewMap::generate(Family::Act, config, Seed::new(1)).unwrap();
    assert!(large.document().to_text().len() > 100 << 10);
    let (small_key, large_key, ada) = (key("small"), key("large"), actor("ada"));
    let small = store.create(&small_key, act(1), None, &ada).await.unwrap();
    store.advance(&small_key, small.revision, first_move(&small), &ada).await.unwrap();
    store.get(&small_key).await.unwrap().unwrap();
    assert_eq!(works(), 0, "small maps are decoded on the caller's thread");
    let map = store.create(&large_key, large, None, &ada).await.unwrap();
    assert_eq!(works(), 1);
    store.close().await;

    // A new store has no cached maps.
    let store = fixture.open().await;
    store.set_executor(Arc::clone(&executor) as Arc<dyn Executor>);
    let read = store.get(&large_key).await.unwrap().unwrap();
    assert_eq!(works(), 2);
    let moved = store.advance(&large_key, map.revision, first_move(&read), &ada).await.unwrap();
    assert_eq!(works(), 3, "the first move decodes the map");
    let moved = store.advance(&large_key, moved.revision, first_move(&moved), &ada).await.unwrap();
    let undone = store.undo(&large_key, moved.revision, &ada).await.unwrap();
    assert_eq!(works(), 3, "further moves use the cache");
    let reseeded = store.reseed(&large_key, undone.revision, Seed::new(2), &ada).await.unwrap();
    assert_eq!(works(), 4);
    let mut export = Vec::new();
    store.export(Some(&"guild".parse().unwrap()), &mut export).await.unwrap();
    assert!(works() > 4, "exports verify large documents");

    executor.is_busy.store(true, Ordering::SeqCst);
    let busy = store.reseed(&large_key, reseeded.revision, Seed::new(3), &ada).await;
    assert!(matches!(busy, Err(StoreError::Busy)), "{busy:?}");
    let busy = store.get(&large_key).await;
    assert!(matches!(busy, Err(StoreError::Busy)), "{busy:?}");
    executor.is_busy.store(false, Ordering::SeqCst);
    assert_eq!(store.get(&large_key).await.unwrap(), Some(reseeded), "nothing was changed");
    store.close().await;

    let other = Fixture::sqlite().await;
    let target = other.open().await;
    target.set_executor(Arc::clone(&executor) as Arc<dyn Executor>);
    let (before, guild) = (works(), "guild".parse().unwrap());
    target.import(Some(&guild), &mut export.as_slice()).await.unwrap();
    assert!(works() > before, "imports validate on workers");
}

#[tokio::test]
async fn reseed_and_import_check_the_limits() {
    let fixture = Fixture::sqlite().await;
    let (store, executor) = (fixture.open().await, Arc::new(Counting::default()));
    store.set_executor(Arc::clone(&executor) as Arc<dyn Executor>);
    let map = store.create(&key("c"), act(1), None, &actor("ada")).await.unwrap();
    let (mut export, guild) = (Vec::new(), "guild".parse().unwrap());
    store.export(Some(&guild), &mut export).await.unwrap();
    executor.is_limited.store(true, Ordering::SeqCst);
    let rejected = store.reseed(&key("c"), map.revision, Seed::new(2), &actor("ada")).await;
    assert!(matches!(rejected, Err(StoreError::Limit(_))), "{rejected:?}");
    let other = Fixture::sqlite().await;
    let target = other.open().await;
    target.set_executor(executor);
    let rejected = target.import(Some(&guild), &mut export.as_slice()).await;
    let message = rejected.unwrap_err().to_string();
    assert_eq!(message, "line 2: document: rows: too many; nothing was imported");
}
