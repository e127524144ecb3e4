//! Maps that were played lately, decoded, by digest. What a digest names never changes, so nothing here can be stale.

use crate::error::Result;
use crate::row::Kept;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use wayforge::run::RunError;
use wayforge::{Digest, Document, Run};

/// About so much memory is used, in bytes.
const MOST: usize = 64 << 20;

/// A document with the beginning of a run on it; none for families that are not played.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) kept: Kept,
    pub(crate) start: std::result::Result<Run, RunError>,
}

/// Two generations: when the young one is full the old one goes, and what is asked for becomes young again.
#[derive(Default)]
pub(crate) struct Cache(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<Digest, Arc<Ready>>,
    old: HashMap<Digest, Arc<Ready>>,
    weight: usize,
}

impl Ready {
    /// Decodes a document that was checked.
    pub(crate) fn of(kept: Kept) -> Result<Ready> {
        let document = Document::decode(kept.text.as_bytes()).map_err(RunError::from)?;
        let start = Run::start(&document);
        Ok(Ready { kept, start })
    }

    /// What it weighs: decoded maps are several times as large as their text.
    fn weight(&self) -> usize {
        self.kept.text.len() * 6 + 1024
    }
}

impl Cache {
    pub(crate) fn get(&self, digest: &Digest) -> Option<Arc<Ready>> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = generations.young.get(digest) {
            return Some(Arc::clone(ready));
        }
        let ready = generations.old.remove(digest)?;
        generations.add(Arc::clone(&ready));
        Some(ready)
    }

    pub(crate) fn add(&self, ready: Arc<Ready>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(ready);
    }
}

impl Generations {
    fn add(&mut self, ready: Arc<Ready>) {
        let weight = ready.weight();
        if weight > MOST / 4 {
            return;
        }
        if self.weight + weight > MOST / 2 {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
        if self.young.insert(ready.kept.digest, ready).is_none() {
            self.weight += weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge::{Family, Seed};

    #[test]
    fn memory_is_bounded_and_what_is_used_stays() {
        let ready = |seed| {
            let document = Family::Act.forge(br#"{"rows":100,"cols":20,"walks":30}"#, Seed(seed)).unwrap();
            Arc::new(Ready::of(Kept::of(&document).unwrap()).unwrap())
        };
        let cache = Cache::default();
        let first = ready(0);
        cache.add(Arc::clone(&first));
        let mut added = 0;
        for seed in 1..2000 {
            let next = ready(seed);
            added += next.weight();
            cache.add(next);
            assert!(cache.get(&first.kept.digest).is_some(), "asked for all the time");
            if added > 3 * MOST {
                break;
            }
        }
        assert!(added > 3 * MOST, "the test fills the cache");
        let generations = cache.0.lock().unwrap();
        let held: usize =
            generations.young.values().chain(generations.old.values()).map(|ready| ready.weight()).sum();
        assert!(held <= MOST, "{held}");
    }
}
