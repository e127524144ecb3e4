//! Blocks of seeds on all threads, a wave at a time.

use crate::search::span::{Block, Span};
use crate::search::worker::Worker;
use std::time::{Duration, Instant};
use wayforge::AnySpec;

/// How many blocks a thread is given before anybody looks at what came of them, unless somebody wants to look earlier or later.
const EACH: usize = 4;
/// In how many portions a thread takes them: a portion shares one worker, and what others have not begun can be taken over.
const PORTIONS: usize = 4;

/// The blocks of a span, a wave at a time: between waves what is done can be looked at, stopped and saved. Memory is bounded by a wave.
///
/// ```
/// use wayforge::Family;
/// use wayforge_analysis::search::{Span, Waves};
/// use wayforge::AnySpec;
/// let subject = AnySpec::from_json(Family::Floor, b"{}")?;
/// let mut waves = Waves::new(&subject, Span::from(1).take(1000)).by(64);
/// let mut seeds = 0;
/// while let Some(wave) = waves.advance(|_worker, block| block.len()) {
///     seeds += wave.into_iter().map(|(_, len)| len).sum::<u64>();
/// }
/// assert_eq!(seeds, 1000);
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub struct Waves {
    subject: AnySpec,
    span: Span,
    blocks: Box<dyn Iterator<Item = Block> + Send>,
    each: usize,
}

impl Waves {
    /// All blocks of a span.
    pub fn new(subject: &AnySpec, span: Span) -> Waves {
        Waves { subject: subject.clone(), blocks: Box::new(span.blocks()), span, each: EACH }
    }

    /// The same seeds in blocks of at most `len`, for maps that are slow to make or large to keep. A `len` that divides
    /// [`BLOCK`](crate::search::BLOCK) leaves no block shorter but the last.
    pub fn by(self, len: u64) -> Waves {
        Waves { blocks: Box::new(self.span.blocks().flat_map(move |block| block.cut(len))), ..self }
    }

    /// How many blocks each thread is given in the waves that follow: few, and somebody can look soon; many, and nobody waits for
    /// the others often.
    pub fn give(&mut self, blocks: usize) {
        self.each = blocks.max(1);
    }

    /// Goes on after the first `seeds` seeds; returns how many there were to leave out.
    pub fn skip(&mut self, seeds: u64) -> u64 {
        let mut left = seeds;
        while left > 0 {
            let Some(block) = self.blocks.next() else { break };
            if block.len() > left {
                let rest = block.after(left);
                let others = std::mem::replace(&mut self.blocks, Box::new(std::iter::empty()));
                self.blocks = Box::new(std::iter::once(rest).chain(others));
                return seeds;
            }
            left -= block.len();
        }
        seeds - left
    }

    /// Goes through the next blocks on all threads of the pool it is called in; nothing, once no block is left.
    ///
    /// * **Determinism.** What `look` gave stands in the order of blocks, whatever the threads. How many blocks a wave has depends on them.
    pub fn advance<T: Send>(
        &mut self,
        look: impl Fn(&mut Worker, Block) -> T + Sync,
    ) -> Option<Vec<(Block, T)>> {
        let wave: Vec<Block> = self.blocks.by_ref().take(self.each * threads()).collect();
        if wave.is_empty() {
            return None;
        }
        let portion = (self.each / PORTIONS).max(1);
        Some(each(&self.subject, wave, portion, |worker, block| (block.clone(), look(worker, block))))
    }

    /// The seeds to go through.
    pub fn span(&self) -> &Span {
        &self.span
    }
}

/// A wave takes between these times: a caller can stop soon, and waiting for the last thread costs little.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_millis(250);
/// The most pieces of a search that a thread is given.
const MAX_PIECES: usize = 8192;

/// How many pieces a thread is given in the next wave, by how long the last one took: few of slow maps, many of fast ones. A caller can
/// stop between waves.
///
/// ```
/// use wayforge::{Family, metric::Query};
/// use wayforge_analysis::search::{Pace, Search, Span};
/// use wayforge::AnySpec;
/// let subject = AnySpec::from_json(Family::Floor, b"{}")?;
/// let query = Query::parse("path >= 9", &subject.catalogue())?;
/// let mut search = Search::new(&subject, Span::from(0).take(100_000), query, 1);
/// let mut pace = Pace::default();
/// while pace.keep(|pieces| {
///     search.give(pieces);
///     search.advance()
/// }) {}
/// assert_eq!(search.found().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pace {
    pieces: usize,
    most: usize,
}

impl Default for Pace {
    /// The pace of a [`Search`](crate::search::Search) or of the [`Closest`](crate::search::Closest).
    fn default() -> Pace {
        Pace::up_to(MAX_PIECES)
    }
}

impl Pace {
    /// One, until it is known how long that takes: what is wanted may stand among the first seeds. Never more than `most`.
    pub fn up_to(most: usize) -> Pace {
        Pace { pieces: 1, most }
    }

    /// Goes through a wave, and gives the next one more or less to do.
    pub fn keep<T>(&mut self, wave: impl FnOnce(usize) -> T) -> T {
        let start = Instant::now();
        let done = wave(self.pieces);
        let took = start.elapsed();
        if took < SHORT {
            self.pieces = (2 * self.pieces).min(self.most);
        } else if took > LONG {
            self.pieces = (self.pieces / 2).max(1);
        }
        done
    }
}

/// How many threads there are in the pool it is called in; one in a browser, which has no pool.
fn threads() -> usize {
    #[cfg(not(target_family = "wasm"))]
    return rayon::current_num_threads();
    #[cfg(target_family = "wasm")]
    1
}

/// What `look` gives of each block, in the order of blocks. A portion of them shares a worker, and what others have not begun is taken over.
pub(crate) fn each<T: Send>(
    subject: &AnySpec,
    blocks: Vec<Block>,
    portion: usize,
    look: impl Fn(&mut Worker, Block) -> T + Sync,
) -> Vec<T> {
    #[cfg(not(target_family = "wasm"))]
    {
        use rayon::prelude::*;
        let blocks = blocks.into_par_iter().with_min_len(portion).with_max_len(portion);
        blocks.map_init(|| Worker::new(subject), |worker, block| look(worker, block)).collect()
    }
    #[cfg(target_family = "wasm")]
    {
        let _ = portion;
        let mut worker = Worker::new(&subject);
        blocks.into_iter().map(|block| look(&mut worker, block)).collect()
    }
}

/// Sorts; equals are not told apart.
pub(crate) fn sort<T: Ord + Send>(list: &mut [T]) {
    #[cfg(not(target_family = "wasm"))]
    rayon::slice::ParallelSliceMut::par_sort_unstable(list);
    #[cfg(target_family = "wasm")]
    list.sort_unstable();
}
