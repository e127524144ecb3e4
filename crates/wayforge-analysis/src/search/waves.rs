//! Parallel processing of seed blocks in waves.

use crate::search::seed_range::{Block, SeedRange};
use crate::search::worker::Worker;
use std::time::{Duration, Instant};
use wayforge::AnySpec;

/// Default number of blocks per thread and wave.
const BLOCKS_PER_THREAD: usize = 4;
/// Number of chunks a thread's share is divided into. A chunk reuses one worker; idle threads steal
/// whole chunks.
const CHUNKS_PER_THREAD: usize = 4;

/// Processes the blocks of a range in waves.
///
/// Between waves the caller can inspect, stop and save the work. Memory is bounded by one wave.
///
/// # Examples
///
/// ```
/// use wayforge::Family;
/// use wayforge_analysis::search::{SeedRange, Waves};
/// use wayforge::AnySpec;
/// let spec = AnySpec::from_json(Family::Floor, b"{}")?;
/// let mut waves = Waves::new(&spec, SeedRange::from(1).take(1000)).with_block_len(64);
/// let mut seeds = 0;
/// while let Some(wave) = waves.advance(|_worker, block| block.len()) {
///     seeds += wave.into_iter().map(|(_, len)| len).sum::<u64>();
/// }
/// assert_eq!(seeds, 1000);
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub struct Waves {
    spec: AnySpec,
    range: SeedRange,
    blocks: Box<dyn Iterator<Item = Block> + Send>,
    blocks_per_thread: usize,
}

impl Waves {
    /// Creates waves over all blocks of `range`.
    pub fn new(spec: &AnySpec, range: SeedRange) -> Waves {
        Waves {
            spec: spec.clone(),
            blocks: Box::new(range.blocks()),
            range,
            blocks_per_thread: BLOCKS_PER_THREAD,
        }
    }

    /// Splits the blocks into blocks of at most `len` seeds, for maps that are slow to generate or
    /// large to store.
    ///
    /// If `len` divides [`BLOCK_LEN`](crate::search::BLOCK_LEN), only the last block can be
    /// shorter.
    pub fn with_block_len(self, len: u64) -> Waves {
        Waves {
            blocks: Box::new(self.range.blocks().flat_map(move |block| block.split(len))),
            ..self
        }
    }

    /// Sets the number of blocks each thread gets in the following waves.
    ///
    /// Few blocks return control to the caller sooner; many blocks reduce waiting for the slowest
    /// thread.
    pub fn set_blocks_per_thread(&mut self, blocks: usize) {
        self.blocks_per_thread = blocks.max(1);
    }

    /// Skips the first `seeds` seeds. Returns the number of seeds actually skipped.
    pub fn skip(&mut self, seeds: u64) -> u64 {
        let mut left = seeds;
        while left > 0 {
            let Some(block) = self.blocks.next() else { break };
            if block.len() > left {
                let rest = block.skip(left);
                let others = std::mem::replace(&mut self.blocks, Box::new(std::iter::empty()));
                self.blocks = Box::new(std::iter::once(rest).chain(others));
                return seeds;
            }
            left -= block.len();
        }
        seeds - left
    }

    /// Processes the next blocks on all threads of the current Rayon pool. Returns `None` if no
    /// block is left.
    ///
    /// # Determinism
    /// Results are in block order, independent of the number of threads. Only the number of blocks
    /// per wave depends on it.
    pub fn advance<T: Send>(
        &mut self,
        process: impl Fn(&mut Worker, Block) -> T + Sync,
    ) -> Option<Vec<(Block, T)>> {
        let wave: Vec<Block> =
            self.blocks.by_ref().take(self.blocks_per_thread * threads()).collect();
        if wave.is_empty() {
            return None;
        }
        let chunk_len = (self.blocks_per_thread / CHUNKS_PER_THREAD).max(1);
        Some(map_blocks(&self.spec, wave, chunk_len, |worker, block| {
            (block.clone(), process(worker, block))
        }))
    }

    /// Returns the range of seeds to process.
    pub fn range(&self) -> &SeedRange {
        &self.range
    }
}

/// Target duration of a wave: short enough to stop soon, long enough to make waiting for the last
/// thread cheap.
const MIN_WAVE_TIME: Duration = Duration::from_millis(50);
const MAX_WAVE_TIME: Duration = Duration::from_millis(250);
/// Maximum number of blocks per thread and wave in a search.
const MAX_BLOCKS: usize = 8192;

/// Adapts the number of blocks per thread to the duration of the last wave: few for slow maps, many
/// for fast ones.
///
/// # Examples
///
/// ```
/// use wayforge::{Family, metric::Query};
/// use wayforge_analysis::search::{WavePacer, SeedSearch, SeedRange};
/// use wayforge::AnySpec;
/// let spec = AnySpec::from_json(Family::Floor, b"{}")?;
/// let query = Query::parse("path >= 9", &spec.catalogue())?;
/// let mut search = SeedSearch::new(&spec, SeedRange::from(0).take(100_000), query, 1);
/// let mut pacer = WavePacer::default();
/// while pacer.run(|blocks| {
///     search.set_blocks_per_thread(blocks);
///     search.advance()
/// }) {}
/// assert_eq!(search.matches().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WavePacer {
    /// Blocks per thread in the next wave.
    blocks: usize,
    max: usize,
}

impl Default for WavePacer {
    /// Creates a pacer for a [`SeedSearch`](crate::search::SeedSearch) or
    /// [`ClosestSearch`](crate::search::ClosestSearch).
    fn default() -> WavePacer {
        WavePacer::with_max(MAX_BLOCKS)
    }
}

impl WavePacer {
    /// Creates a pacer that starts with one block per thread and never exceeds `max`. Starting
    /// small pays off if a match is among the first seeds.
    pub fn with_max(max: usize) -> WavePacer {
        WavePacer { blocks: 1, max }
    }

    /// Runs `wave` with the current number of blocks per thread, then doubles or halves it by the
    /// time the wave took.
    pub fn run<T>(&mut self, wave: impl FnOnce(usize) -> T) -> T {
        let start = Instant::now();
        let output = wave(self.blocks);
        let elapsed = start.elapsed();
        if elapsed < MIN_WAVE_TIME {
            self.blocks = (2 * self.blocks).min(self.max);
        } else if elapsed > MAX_WAVE_TIME {
            self.blocks = (self.blocks / 2).max(1);
        }
        output
    }
}

/// Returns the number of threads of the current Rayon pool. Browsers have no pool, so it is 1
/// there.
fn threads() -> usize {
    #[cfg(not(target_family = "wasm"))]
    return rayon::current_num_threads();
    #[cfg(target_family = "wasm")]
    1
}

/// Applies `process` to each block in parallel and returns the results in block order. `chunk_len`
/// consecutive blocks share one worker.
pub(crate) fn map_blocks<T: Send>(
    spec: &AnySpec,
    blocks: Vec<Block>,
    chunk_len: usize,
    process: impl Fn(&mut Worker, Block) -> T + Sync,
) -> Vec<T> {
    #[cfg(not(target_family = "wasm"))]
    {
        use rayon::prelude::*;
        let blocks = blocks.into_par_iter().with_min_len(chunk_len).with_max_len(chunk_len);
        blocks.map_init(|| Worker::new(spec), |worker, block| process(worker, block)).collect()
    }
    #[cfg(target_family = "wasm")]
    {
        let _ = chunk_len;
        let mut worker = Worker::new(spec);
        blocks.into_iter().map(|block| process(&mut worker, block)).collect()
    }
}

/// Sorts a list unstably, in parallel if possible.
pub(crate) fn sort<T: Ord + Send>(list: &mut [T]) {
    #[cfg(not(target_family = "wasm"))]
    rayon::slice::ParallelSliceMut::par_sort_unstable(list);
    #[cfg(target_family = "wasm")]
    list.sort_unstable();
}
