//! Blocks of seeds, gone through a wave at a time.

use crate::span::{Block, Span};
use crate::subject::{Subject, Worker};
use rayon::prelude::*;

/// How many blocks a thread is given before anybody looks at what came of them.
const WAVE: usize = 4;

/// The blocks of a span, a wave at a time: between waves what is done can be looked at, stopped and saved. Memory is bounded by a wave.
///
/// ```
/// use wayforge::Family;
/// use wayforge_search::{Span, Subject, Waves};
/// let subject = Subject::read(Family::Floor, b"{}")?;
/// let mut waves = Waves::new(&subject, Span::from(1).take(1000)).by(64);
/// let mut seeds = 0;
/// while let Some(wave) = waves.advance(|_worker, block| block.len()) {
///     seeds += wave.into_iter().map(|(_, len)| len).sum::<u64>();
/// }
/// assert_eq!(seeds, 1000);
/// # Ok::<(), wayforge::ForgeError>(())
/// ```
pub struct Waves {
    subject: Subject,
    span: Span,
    blocks: Box<dyn Iterator<Item = Block> + Send>,
}

impl Waves {
    /// All blocks of a span.
    pub fn new(subject: &Subject, span: Span) -> Waves {
        Waves { subject: subject.clone(), span, blocks: Box::new(span.blocks()) }
    }

    /// The same seeds in blocks of at most `len`, for maps that are slow to make or large to keep. A `len` that divides
    /// [`BLOCK`](crate::BLOCK) leaves no block shorter but the last.
    pub fn by(self, len: u64) -> Waves {
        Waves { blocks: Box::new(self.span.blocks().flat_map(move |block| block.cut(len))), ..self }
    }

    /// Goes on after the first `blocks` blocks; returns how many seeds they have.
    pub fn skip(&mut self, blocks: u64) -> u64 {
        let before = usize::try_from(blocks).unwrap_or(usize::MAX);
        self.blocks.by_ref().take(before).map(|block| block.len()).sum()
    }

    /// Goes through the next blocks on all threads of the pool it is called in; nothing, once no block is left.
    ///
    /// * **Determinism.** What `look` gave stands in the order of blocks, whatever the threads. How many blocks a wave has depends on them.
    pub fn advance<T: Send>(
        &mut self,
        look: impl Fn(&mut Worker, Block) -> T + Sync,
    ) -> Option<Vec<(Block, T)>> {
        let wave: Vec<Block> = self.blocks.by_ref().take(WAVE * rayon::current_num_threads()).collect();
        if wave.is_empty() {
            return None;
        }
        let subject = &self.subject;
        let looked = wave
            .into_par_iter()
            // Blocks are long: each may be taken by another thread.
            .with_max_len(1)
            .map_init(|| subject.worker(), |worker, block| (block, look(worker, block)));
        Some(looked.collect())
    }

    /// The seeds to go through.
    pub fn span(&self) -> Span {
        self.span
    }
}
