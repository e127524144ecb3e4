//! Blocks of seeds, gone through a wave at a time.

use crate::search::span::{Block, Span};
use crate::search::threads;
use crate::search::worker::Worker;
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
        let wave: Vec<Block> = self.blocks.by_ref().take(self.each * threads::number()).collect();
        if wave.is_empty() {
            return None;
        }
        let portion = (self.each / PORTIONS).max(1);
        Some(threads::each(&self.subject, wave, portion, |worker, block| {
            (block.clone(), look(worker, block))
        }))
    }

    /// The seeds to go through.
    pub fn span(&self) -> &Span {
        &self.span
    }
}
