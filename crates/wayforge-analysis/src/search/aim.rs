//! Seeds whose maps come closest to what is aimed at.

use crate::search::seed_search::pieces;
use crate::search::span::Span;
use crate::search::waves::Waves;
use crate::search::worker::Sieve;
use wayforge::AnySpec;
use wayforge::Seed;
use wayforge::metric::{Aim, Query};

/// A seed and how far its map is from the aim. The nearest is the least; of equally near ones the first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near {
    /// How far, in the aim's own measure.
    pub distance: u64,
    /// The number of the seed among those gone through, so that of equals the first is kept.
    pub place: u64,
    /// The seed.
    pub seed: Seed,
}

/// A search through all of a span for the seeds whose maps come closest to an aim.
pub struct Closest {
    waves: Waves,
    aim: Aim,
    sieve: Option<Sieve>,
    wanted: usize,
    seeds: u64,
    best: Vec<Near>,
}

impl Closest {
    /// A search for the `wanted` seeds of `span` that come closest to `aim` among those of which `query` holds.
    pub fn new(subject: &AnySpec, span: Span, aim: Aim, query: Option<Query>, wanted: usize) -> Closest {
        let sieve = query.map(|query| Sieve::new(subject, query));
        Closest { waves: pieces(subject, span), aim, sieve, wanted, seeds: 0, best: Vec::new() }
    }

    /// Takes up a search that has gone through so many seeds and found these to be the best.
    pub fn resume(mut self, seeds: u64, best: Vec<Near>) -> Closest {
        self.seeds = self.waves.skip(seeds);
        self.best = best;
        keep(&mut self.best, self.wanted);
        self
    }

    /// How many pieces of a few seeds each thread is given before the search can be looked at again.
    pub fn give(&mut self, pieces: usize) {
        self.waves.give(pieces);
    }

    /// Goes through the next seeds; false once no seed is left, or if none is wanted.
    pub fn advance(&mut self) -> bool {
        if self.wanted == 0 {
            return false;
        }
        let (aim, sieve, wanted) = (&self.aim, &self.sieve, self.wanted);
        let wave = self.waves.advance(|worker, block| {
            let mut part = Vec::new();
            for (place, seed) in (0..).zip(block.seeds()) {
                if sieve.as_ref().is_some_and(|sieve| !worker.keeps(seed.clone(), sieve)) {
                    continue;
                }
                let Some(distance) = worker.distance(seed.clone(), aim) else { continue };
                part.push(Near { distance, place, seed });
                if part.len() >= wanted.saturating_mul(2).max(1024) {
                    keep(&mut part, wanted);
                }
            }
            keep(&mut part, wanted);
            part
        });
        let Some(wave) = wave else { return false };
        for (block, part) in wave {
            let before = self.seeds;
            self.best.extend(part.into_iter().map(|near| Near { place: before + near.place, ..near }));
            if self.best.len() >= wanted.saturating_mul(2).max(1024) {
                keep(&mut self.best, wanted);
            }
            self.seeds += block.len();
        }
        keep(&mut self.best, wanted);
        true
    }

    /// The nearest so far, the nearest first.
    pub fn best(&self) -> &[Near] {
        &self.best
    }

    /// How many seeds have been gone through.
    pub fn seeds_done(&self) -> u64 {
        self.seeds
    }
}

fn keep(list: &mut Vec<Near>, wanted: usize) {
    list.sort_unstable();
    list.truncate(wanted);
}
