//! Searches for the first seeds that match a condition, and for the seeds closest to metric values.

use crate::search::seed_range::{BLOCK_LEN, SeedRange};
use crate::search::waves::Waves;
use crate::search::worker::{StagedQuery, default_block_len};
use wayforge::metric::{MetricTargets, Query};
use wayforge::{AnySpec, Seed};

/// Search for the first seeds of a range whose maps match a condition.
///
/// The search advances in waves. Between waves the caller can inspect, stop, save and resume it.
pub struct SeedSearch {
    waves: Waves,
    query: StagedQuery,
    wanted: usize,
    seeds: u64,
    /// Matches in seed order. The last block may contribute more than `wanted`; a resumed search
    /// can use them.
    matches: Vec<Seed>,
}

impl SeedSearch {
    /// Creates a search for the first `wanted` seeds of `range` that match `query`.
    pub fn new(spec: &AnySpec, range: SeedRange, query: Query, wanted: usize) -> SeedSearch {
        let query = StagedQuery::new(spec, query);
        SeedSearch { waves: new_waves(spec, range), query, wanted, seeds: 0, matches: Vec::new() }
    }

    /// Continues a search that has processed `seeds` seeds and found
    /// [`all_matches`](SeedSearch::all_matches). The resumed search may want more seeds than the
    /// original one.
    pub fn resume(mut self, seeds: u64, all_matches: Vec<Seed>) -> SeedSearch {
        self.seeds = self.waves.skip(seeds);
        self.matches = all_matches;
        self
    }

    /// Sets the number of blocks each thread processes per wave.
    pub fn set_blocks_per_thread(&mut self, blocks: usize) {
        self.waves.set_blocks_per_thread(blocks);
    }

    /// Processes the next wave, on all threads of the current Rayon pool.
    ///
    /// Returns false if enough matches were found or no seed is left.
    ///
    /// # Determinism
    /// Matches are collected in block order, so they do not depend on the number of threads.
    pub fn advance(&mut self) -> bool {
        if self.matches.len() >= self.wanted {
            return false;
        }
        let query = &self.query;
        let wave = self.waves.advance(|worker, block| -> Vec<Seed> {
            block.seeds().filter(|seed| worker.matches(seed.clone(), query)).collect()
        });
        let Some(wave) = wave else { return false };
        // Blocks after the last wanted match are not counted. This keeps the result independent of
        // the wave size.
        for (block, part) in wave {
            if self.matches.len() >= self.wanted {
                break;
            }
            self.seeds += block.len();
            self.matches.extend(part);
        }
        self.matches.len() < self.wanted
    }

    /// Returns the first matches, at most as many as wanted.
    pub fn matches(&self) -> &[Seed] {
        &self.matches[..self.matches.len().min(self.wanted)]
    }

    /// Returns all matches, including surplus ones beyond the wanted number.
    /// [`resume`](Self::resume) takes this list.
    pub fn all_matches(&self) -> &[Seed] {
        &self.matches
    }

    /// Returns the number of processed seeds.
    pub fn seeds_done(&self) -> u64 {
        self.seeds
    }
}

/// Creates waves of short blocks, so that a search over slow maps can be stopped quickly.
fn new_waves(spec: &AnySpec, range: SeedRange) -> Waves {
    // The overhead per block is small compared to generating its maps. If a map may take seconds,
    // a block has one seed.
    let block_len = default_block_len(spec).min(8);
    let mut waves = Waves::new(spec, range.without_text()).with_block_len(block_len);
    waves.set_blocks_per_thread((4 * BLOCK_LEN / block_len) as usize);
    waves
}

/// A seed and the distance of its map from the target values. Ordered by distance, then by index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClosestMatch {
    /// Distance as computed by [`MetricTargets::distance`].
    pub distance: u64,
    /// Index of the seed among the processed ones. Breaks ties in favour of earlier seeds.
    pub index: u64,
    /// The seed.
    pub seed: Seed,
}

/// Search of a whole range for the seeds whose maps are closest to target values.
pub struct ClosestSearch {
    waves: Waves,
    targets: MetricTargets,
    query: Option<StagedQuery>,
    wanted: usize,
    seeds: u64,
    best: Vec<ClosestMatch>,
}

impl ClosestSearch {
    /// Creates a search for the `wanted` seeds of `range` closest to `targets`, among those that
    /// match `query`.
    pub fn new(
        spec: &AnySpec,
        range: SeedRange,
        targets: MetricTargets,
        query: Option<Query>,
        wanted: usize,
    ) -> ClosestSearch {
        let query = query.map(|query| StagedQuery::new(spec, query));
        ClosestSearch {
            waves: new_waves(spec, range),
            targets,
            query,
            wanted,
            seeds: 0,
            best: Vec::new(),
        }
    }

    /// Continues a search that has processed `seeds` seeds with the given best matches.
    pub fn resume(mut self, seeds: u64, best: Vec<ClosestMatch>) -> ClosestSearch {
        self.seeds = self.waves.skip(seeds);
        self.best = best;
        keep_closest(&mut self.best, self.wanted);
        self
    }

    /// Sets the number of blocks each thread processes per wave.
    pub fn set_blocks_per_thread(&mut self, blocks: usize) {
        self.waves.set_blocks_per_thread(blocks);
    }

    /// Processes the next wave. Returns false if no seed is left or none is wanted.
    pub fn advance(&mut self) -> bool {
        if self.wanted == 0 {
            return false;
        }
        let (targets, query, wanted) = (&self.targets, &self.query, self.wanted);
        // Blocks are short, so returning every match of a block is cheap.
        let wave = self.waves.advance(|worker, block| -> Vec<ClosestMatch> {
            let evaluate = |(index, seed): (u64, Seed)| {
                if query.as_ref().is_some_and(|query| !worker.matches(seed.clone(), query)) {
                    return None;
                }
                Some(ClosestMatch {
                    distance: worker.distance(seed.clone(), targets)?,
                    index,
                    seed,
                })
            };
            (0..).zip(block.seeds()).filter_map(evaluate).collect()
        });
        let Some(wave) = wave else { return false };
        for (block, part) in wave {
            let before = self.seeds;
            self.best.extend(
                part.into_iter().map(|found| ClosestMatch { index: before + found.index, ..found }),
            );
            self.seeds += block.len();
        }
        keep_closest(&mut self.best, wanted);
        true
    }

    /// Returns the best matches so far, closest first.
    pub fn best(&self) -> &[ClosestMatch] {
        &self.best
    }

    /// Returns the number of processed seeds.
    pub fn seeds_done(&self) -> u64 {
        self.seeds
    }
}

fn keep_closest(list: &mut Vec<ClosestMatch>, wanted: usize) {
    list.sort_unstable();
    list.truncate(wanted);
}
