//! Seeds whose maps are wanted: the first that match a condition, or those that come closest to metric values.

use crate::search::span::{BLOCK, Span};
use crate::search::waves::Waves;
use crate::search::worker::{Sieve, block_step};
use wayforge::metric::{Aim, Query};
use wayforge::{AnySpec, Seed};

/// A search for the first seeds of a span whose maps meet a condition, a wave of seeds at a time: between waves it can be looked at,
/// stopped, saved and taken up again.
pub struct Search {
    waves: Waves,
    sieve: Sieve,
    wanted: usize,
    seeds: u64,
    /// Seeds of the last piece beyond those wanted among them, for whoever wants more later.
    found: Vec<Seed>,
}

impl Search {
    /// A search for the first `wanted` seeds of `span` of which `query` holds.
    pub fn new(subject: &AnySpec, span: Span, query: Query, wanted: usize) -> Search {
        let sieve = Sieve::new(subject, query);
        Search { waves: pieces(subject, span), sieve, wanted, seeds: 0, found: Vec::new() }
    }

    /// Takes up a search that has gone through so many seeds and [kept](Search::kept) these; more may be wanted than before.
    pub fn resume(mut self, seeds: u64, kept: Vec<Seed>) -> Search {
        self.seeds = self.waves.skip(seeds);
        self.found = kept;
        self
    }

    /// How many pieces of a few seeds each thread is given before the search can be looked at again.
    pub fn give(&mut self, pieces: usize) {
        self.waves.give(pieces);
    }

    /// Goes through the next seeds, on all threads of the pool it is called in.
    ///
    /// * **Returns.** Whether there is more to do: false once enough is found or no seed is left.
    /// * **Determinism.** What is found does not depend on threads: blocks are put together in their order.
    pub fn advance(&mut self) -> bool {
        if self.found.len() >= self.wanted {
            return false;
        }
        let sieve = &self.sieve;
        let wave = self.waves.advance(|worker, block| -> Vec<Seed> {
            block.seeds().filter(|seed| worker.keeps(seed.clone(), sieve)).collect()
        });
        let Some(wave) = wave else { return false };
        // Pieces after the one that has the last wanted seed count as not gone through: so much is the same on any machine.
        for (block, part) in wave {
            if self.found.len() >= self.wanted {
                break;
            }
            self.seeds += block.len();
            self.found.extend(part);
        }
        self.found.len() < self.wanted
    }

    /// The seeds found so far, in their order.
    pub fn found(&self) -> &[Seed] {
        &self.found[..self.found.len().min(self.wanted)]
    }

    /// What a later search needs to go on: all seeds gone through whose maps are wanted, a few more perhaps than were asked for.
    pub fn kept(&self) -> &[Seed] {
        &self.found
    }

    /// How many seeds have been gone through.
    pub fn seeds_done(&self) -> u64 {
        self.seeds
    }
}

/// Waves of pieces, so that a search of slow maps can be stopped soon.
fn pieces(subject: &AnySpec, span: Span) -> Waves {
    // A piece costs little beside its maps; where they may take seconds, it is a single one.
    let piece = block_step(subject).min(8);
    let mut waves = Waves::new(subject, span.numbers()).by(piece);
    waves.give((4 * BLOCK / piece) as usize);
    waves
}

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
        // A piece has few seeds, so all of its maps are returned.
        let wave = self.waves.advance(|worker, block| -> Vec<Near> {
            let near = |(place, seed): (u64, Seed)| {
                if sieve.as_ref().is_some_and(|sieve| !worker.keeps(seed.clone(), sieve)) {
                    return None;
                }
                Some(Near { distance: worker.distance(seed.clone(), aim)?, place, seed })
            };
            (0..).zip(block.seeds()).filter_map(near).collect()
        });
        let Some(wave) = wave else { return false };
        for (block, part) in wave {
            let before = self.seeds;
            self.best.extend(part.into_iter().map(|near| Near { place: before + near.place, ..near }));
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
