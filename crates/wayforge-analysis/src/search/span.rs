//! Which seeds are gone through: a range, cut into blocks, of which a shard takes every n-th.

use std::fmt;
use std::str::FromStr;
use wayforge::Seed;

/// How many seeds a thread goes through at a time. Part of what a shard means, so it never changes.
pub const BLOCK: u64 = 4096;

/// Seeds one after another, wrapping around after the largest. The first keeps its text; the others are numbers.
///
/// ```
/// use wayforge_analysis::search::{Shard, Span};
/// let span = Span::from(10).take(3);
/// assert_eq!(span.seeds().map(|seed| seed.number()).collect::<Vec<_>>(), [10, 11, 12]);
/// let shard: Shard = "2/3".parse()?;
/// assert_eq!(Span::from(0).take(20_000).of(shard).blocks().count(), 2);
/// # Ok::<(), wayforge_analysis::search::SpanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    first: Seed,
    count: u64,
    shard: Shard,
}

/// One of several parts of a span: every `of`-th block, beginning with the `part`-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    of: u64,
}

/// A shard that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no shard; write PART/OF, as in 1/4, with PART from 1 to OF and OF up to 1000000")]
pub struct SpanError(String);

impl Default for Shard {
    fn default() -> Shard {
        Shard { part: 1, of: 1 }
    }
}

impl FromStr for Shard {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Shard, SpanError> {
        let parts = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((part, of)) if (1..=of).contains(&part) && of <= 1_000_000 => Ok(Shard { part, of }),
            _ => Err(SpanError(text.chars().take(40).collect())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl From<u64> for Span {
    fn from(first: u64) -> Span {
        Span::new(Seed::new(first))
    }
}

impl Span {
    /// All seeds from `first` on.
    pub fn new(first: Seed) -> Span {
        Span { first, count: u64::MAX, shard: Shard::default() }
    }

    /// The first `count` of them.
    pub fn take(self, count: u64) -> Span {
        Span { count: self.count.min(count), ..self }
    }

    /// Those of one shard.
    pub fn of(self, shard: Shard) -> Span {
        Span { shard, ..self }
    }

    /// The same seeds without text: searches and surveys report numbers.
    pub fn numbers(self) -> Span {
        Span { first: Seed::new(self.first.number()), ..self }
    }

    /// The first seed, of all shards.
    pub fn first(&self) -> &Seed {
        &self.first
    }

    /// How many seeds there are, in all shards.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The shard.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// How many seeds there are, in this shard.
    pub fn len(&self) -> u64 {
        let (whole, rest) = (self.count / BLOCK, self.count % BLOCK);
        let mine = |blocks: u64| (blocks + self.shard.of - self.shard.part) / self.shard.of;
        let last = rest > 0 && whole % self.shard.of == self.shard.part - 1;
        mine(whole).saturating_mul(BLOCK) + if last { rest } else { 0 }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The blocks in order: the number of the first seed in the span, and how many there are.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + use<> {
        let Span { first, count, shard } = self.clone();
        let all = count.div_ceil(BLOCK);
        (shard.part - 1..all).step_by(shard.of as usize).map(move |block| {
            let start = block * BLOCK;
            Block { first: first.plus(start), len: BLOCK.min(count - start) }
        })
    }

    /// The seeds in order.
    pub fn seeds(&self) -> impl Iterator<Item = Seed> + use<> {
        self.blocks().flat_map(|block| block.seeds())
    }
}

/// Seeds that one thread goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    first: Seed,
    len: u64,
}

impl Block {
    /// The seeds in order.
    pub fn seeds(&self) -> impl Iterator<Item = Seed> + use<> {
        let first = self.first.clone();
        (0..self.len).map(move |n| first.plus(n))
    }

    /// The same seeds in blocks of at most `len`; of at most one, if that is 0.
    pub fn cut(self, len: u64) -> impl Iterator<Item = Block> + use<> {
        let len = len.max(1);
        (0..self.len.div_ceil(len))
            .map(move |n| Block { first: self.first.plus(n * len), len: len.min(self.len - n * len) })
    }

    /// What is left after the first `seeds`.
    pub fn after(self, seeds: u64) -> Block {
        let gone = seeds.min(self.len);
        Block { first: self.first.plus(gone), len: self.len - gone }
    }

    /// How many they are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
