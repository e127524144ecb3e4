//! Ranges of seeds, divided into blocks and shards.

use std::fmt;
use std::str::FromStr;
use wayforge::{InputError, Seed};

/// Number of seeds in a block. Shards are defined by blocks, so this value must never change.
pub const BLOCK_LEN: u64 = 4096;

/// A range of consecutive seeds that wraps around after the largest one.
///
/// The first seed keeps its text; the others are numeric.
///
/// # Examples
///
/// ```
/// use wayforge_analysis::search::{Shard, SeedRange};
/// let range = SeedRange::from(10).take(3);
/// assert_eq!(range.seeds().map(|seed| seed.number()).collect::<Vec<_>>(), [10, 11, 12]);
/// let shard: Shard = "2/3".parse()?;
/// assert_eq!(SeedRange::from(0).take(20_000).with_shard(shard).blocks().count(), 2);
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedRange {
    first: Seed,
    /// Number of seeds in all shards together.
    count: u64,
    shard: Shard,
}

/// One of `total` disjoint parts of a range: every `total`-th block, starting with block `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, from 1 to `total`.
    number: u64,
    /// Number of shards.
    total: u64,
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { number: 1, total: 1 }
    }
}

impl FromStr for Shard {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Shard, InputError> {
        let parts = text.split_once('/').and_then(|(number, total)| {
            Some(Shard { number: number.parse().ok()?, total: total.parse().ok()? })
        });
        parts
            .filter(|shard| (1..=shard.total).contains(&shard.number) && shard.total <= 1_000_000)
            .ok_or_else(|| {
                let remedy = "use PART/OF, as in 1/4, with PART from 1 to OF and OF up to 1000000";
                InputError::new("shard", text, "not a shard", remedy)
            })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.total)
    }
}

impl From<u64> for SeedRange {
    fn from(first: u64) -> SeedRange {
        SeedRange::new(Seed::new(first))
    }
}

impl SeedRange {
    /// Returns all seeds from `first` on.
    pub fn new(first: Seed) -> SeedRange {
        SeedRange { first, count: u64::MAX, shard: Shard::default() }
    }

    /// Limits the range to its first `count` seeds.
    pub fn take(self, count: u64) -> SeedRange {
        SeedRange { count: self.count.min(count), ..self }
    }

    /// Restricts the range to one shard.
    pub fn with_shard(self, shard: Shard) -> SeedRange {
        SeedRange { shard, ..self }
    }

    /// Replaces the text of the first seed by its number. Searches and surveys report seeds as
    /// numbers.
    pub fn without_text(self) -> SeedRange {
        SeedRange { first: Seed::new(self.first.number()), ..self }
    }

    /// Returns the first seed of the whole range, regardless of the shard.
    pub fn first(&self) -> &Seed {
        &self.first
    }

    /// Returns the number of seeds in all shards together.
    pub fn total_len(&self) -> u64 {
        self.count
    }

    /// Returns the shard.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// Returns the number of seeds in this shard.
    pub fn len(&self) -> u64 {
        let (full_blocks, rest) = (self.count / BLOCK_LEN, self.count % BLOCK_LEN);
        let shard_blocks =
            |blocks: u64| (blocks + self.shard.total - self.shard.number) / self.shard.total;
        let has_rest = rest > 0 && full_blocks % self.shard.total == self.shard.number - 1;
        shard_blocks(full_blocks).saturating_mul(BLOCK_LEN) + if has_rest { rest } else { 0 }
    }

    /// Returns true if this shard contains no seed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the blocks of this shard in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + use<> {
        let SeedRange { first, count, shard } = self.clone();
        let all = count.div_ceil(BLOCK_LEN);
        (shard.number - 1..all).step_by(shard.total as usize).map(move |block| {
            let start = block * BLOCK_LEN;
            Block { first: first.offset(start), len: BLOCK_LEN.min(count - start) }
        })
    }

    /// Returns the seeds of this shard in order.
    pub fn seeds(&self) -> impl Iterator<Item = Seed> + use<> {
        self.blocks().flat_map(|block| block.seeds())
    }
}

/// Consecutive seeds that one thread processes at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    first: Seed,
    len: u64,
}

impl Block {
    /// Returns the seeds in order.
    pub fn seeds(&self) -> impl Iterator<Item = Seed> + use<> {
        let first = self.first.clone();
        (0..self.len).map(move |n| first.offset(n))
    }

    /// Splits the block into blocks of at most `len` seeds. A `len` of 0 counts as 1.
    pub fn split(self, len: u64) -> impl Iterator<Item = Block> + use<> {
        let len = len.max(1);
        (0..self.len.div_ceil(len)).map(move |n| Block {
            first: self.first.offset(n * len),
            len: len.min(self.len - n * len),
        })
    }

    /// Returns the block without its first `seeds` seeds.
    pub fn skip(self, seeds: u64) -> Block {
        let skipped = seeds.min(self.len);
        Block { first: self.first.offset(skipped), len: self.len - skipped }
    }

    /// Returns the number of seeds.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if the block contains no seed.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
