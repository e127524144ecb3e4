//! xoshiro256++ (Blackman & Vigna 2018), seeded by SplitMix64 (Steele, Lea & Flood 2014), and all
//! sampling on top of it.
//!
//! Bounded integers use multiplication with rejection (Lemire 2019); shuffles are Fisher-Yates. No
//! other module implements sampling. It uses only fixed-width integers, so a seed gives the same
//! values on every platform, including 32-bit targets and WebAssembly. Tests compare the values
//! with recorded ones.

use crate::seed::split_mix_64;
use std::hint::select_unpredictable;

/// Random number generator xoshiro256++ 1.0, seeded by SplitMix64 as its authors recommend.
///
/// # Determinism
/// The raw stream and the results of all sampling methods never change.
///
/// # Examples
/// ```
/// use wayforge_core::MapRng;
/// let mut rng = MapRng::from_u64(7);
/// let die = 1 + rng.below(6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapRng {
    state: [u64; 4],
}

impl MapRng {
    /// Seeds the generator with the first four outputs of SplitMix64 started from `key`.
    #[inline]
    pub fn from_u64(key: u64) -> MapRng {
        let word = |n: u64| split_mix_64(key, n);
        MapRng { state: [word(1), word(2), word(3), word(4)] }
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let output = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        output
    }

    /// Returns a uniformly distributed number below `n`; 0 if `n` is 0.
    ///
    /// Uses Lemire's multiplication with rejection on the upper 32 bits of each output.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = (self.next_u64() >> 32) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = (self.next_u64() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Returns a uniformly distributed number below the 64-bit `n`; 0 if `n` is 0.
    ///
    /// Uses whole 64-bit outputs, so its values differ from those of [`below`](Self::below).
    #[inline]
    pub fn below_u64(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// Returns a uniformly distributed number in `low..=high`; `low` if `high < low`.
    #[inline]
    pub fn range(&mut self, low: i32, high: i32) -> i32 {
        if high <= low {
            return low;
        }
        let span = (i64::from(high) - i64::from(low) + 1) as u64;
        (i64::from(low) + self.below_u64(span) as i64) as i32
    }

    /// Returns true with probability `part / whole`, capped at 1.
    #[inline]
    pub fn chance(&mut self, part: u32, whole: u32) -> bool {
        self.below(whole.max(1)) < part
    }

    /// Shuffles uniformly by the Fisher-Yates algorithm, from the end.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            // Lengths beyond 32 bits exist only on 64-bit targets.
            let j = match u32::try_from(i + 1) {
                Ok(n) => self.below(n) as usize,
                Err(_) => self.below_u64(i as u64 + 1) as usize,
            };
            items.swap(i, j);
        }
    }

    /// Swaps a uniformly distributed item of `items[at..]` to index `at`: one step of a partial
    /// Fisher-Yates shuffle from the start.
    ///
    /// Does nothing if `at` is out of range.
    #[inline]
    pub fn shuffle_step<T>(&mut self, items: &mut [T], at: usize) {
        let rest = items.len().saturating_sub(at);
        if rest > 0 {
            items.swap(at, at + self.below(rest as u32) as usize);
        }
    }

    /// Returns an index with probability proportional to its weight; `None` if all weights are 0.
    pub fn weighted_index(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
        if total == 0 {
            return None;
        }
        let mut rest = self.below_u64(total);
        weights.iter().position(|&w| {
            let chosen = rest < u64::from(w);
            rest = rest.wrapping_sub(u64::from(w));
            chosen
        })
    }

    /// Returns 64 independent bits, each set with probability `part / 65536`, capped at 1.
    ///
    /// Draws one random word for each bit of `part`, from its lowest set bit to bit 15. Combines
    /// the word with the result by OR if the bit is set, and by AND otherwise.
    #[inline]
    pub fn bernoulli_bits(&mut self, part: u32) -> u64 {
        if part == 0 || part >= 1 << 16 {
            return if part == 0 { 0 } else { u64::MAX };
        }
        (part.trailing_zeros()..16).fold(0, |bits, place| {
            let draw = self.next_u64();
            if part >> place & 1 == 1 { bits | draw } else { bits & draw }
        })
    }

    /// Returns the index of a uniformly chosen set bit of `mask`; `None` if `mask` is 0.
    #[inline]
    pub fn choose_bit(&mut self, mask: u64) -> Option<u32> {
        if mask == 0 {
            return None;
        }
        // Fast path for up to three bits: no loop and no population count, which baseline x86-64
        // lacks.
        let second = mask & (mask - 1);
        let third = second & second.wrapping_sub(1);
        let fourth = third & third.wrapping_sub(1);
        if fourth != 0 {
            return Some(self.choose_bit_of_many(mask));
        }
        let nth = self.below(1 + u32::from(second != 0) + u32::from(third != 0));
        let rest = select_unpredictable(nth == 0, mask, second);
        let rest = select_unpredictable(nth == 2, third, rest);
        Some(rest.trailing_zeros())
    }

    fn choose_bit_of_many(&mut self, mut mask: u64) -> u32 {
        let nth = self.below(mask.count_ones());
        let first = mask.trailing_zeros();
        let run = mask >> first;
        if run & run.wrapping_add(1) == 0 {
            return first + nth;
        }
        for _ in 0..nth {
            mask &= mask - 1;
        }
        mask.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng, SeedableRng};

    #[test]
    fn raw_stream_matches_the_published_values() {
        // The reference implementation's first ten outputs from the state 1, 2, 3, 4.
        let mut rng = MapRng { state: [1, 2, 3, 4] };
        let published = [
            41943041,
            58720359,
            3588806011781223,
            3591011842654386,
            9228616714210784205,
            9973669472204895162,
            14011001112246962877,
            12406186145184390807,
            15849039046786891736,
            10450023813501588000,
        ];
        assert_eq!(published.map(|_| rng.next_u64()), published);
    }

    #[test]
    fn seeding_and_stream_match_an_independent_crate() {
        for key in [0, 1, 42, u64::MAX, 0x0123_4567_89ab_cdef] {
            let mut ours = MapRng::from_u64(key);
            let mut theirs = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(key);
            for _ in 0..1000 {
                assert_eq!(ours.next_u64(), theirs.next_u64());
            }
        }
    }

    #[test]
    fn sampling_values_are_frozen() {
        let mut rng = MapRng::from_u64(2026);
        let below: Vec<u32> =
            [1, 2, 3, 7, 100, 1 << 31, u32::MAX].iter().map(|&n| rng.below(n)).collect();
        let wide: Vec<u64> = [1, 10, 1 << 40, u64::MAX].iter().map(|&n| rng.below_u64(n)).collect();
        let range: Vec<i32> =
            [(-3, 3), (5, 5), (i32::MIN, i32::MAX)].iter().map(|&(l, h)| rng.range(l, h)).collect();
        let mut order: Vec<u8> = (0..8).collect();
        rng.shuffle(&mut order);
        let weighted: Vec<_> =
            (0..6).map(|_| rng.weighted_index(&[5, 0, 1, 10]).unwrap()).collect();
        let bits: Vec<_> = (0..6).map(|_| rng.choose_bit(0b1011_0110).unwrap()).collect();
        let text = format!("{below:?} {wide:?} {range:?} {order:?} {weighted:?} {bits:?}");
        assert_eq!(text, FROZEN_SAMPLES);
    }

    // Computed by an independent implementation of the same definitions.
    const FROZEN_SAMPLES: &str = "[0, 1, 2, 6, 3, 1965389336, 3473579330] \
        [0, 8, 521185231794, 16771228823562809199] \
        [1, 5, 2029643161] [5, 4, 0, 2, 6, 1, 3, 7] [0, 0, 3, 0, 3, 3] [5, 4, 7, 5, 5, 7]";

    #[test]
    fn bernoulli_bits_are_frozen_and_unbiased() {
        let mut rng = MapRng::from_u64(2026);
        let masks = [0, 1, 6554, 32_768, 65_535, 65_536].map(|part| rng.bernoulli_bits(part));
        assert_eq!(masks, FROZEN_MASKS);
        // 64,000 bits at one in ten: 6,400 with a standard deviation of 76.
        let set: u32 = (0..1_000).map(|_| rng.bernoulli_bits(6554).count_ones()).sum();
        assert!(set.abs_diff(6_400) < 400, "{set}");
    }

    // Computed by an independent implementation of the same definitions.
    const FROZEN_MASKS: [u64; 6] = [
        0,
        0,
        10376786122670866945,
        18232913656629865358,
        18446744073709551615,
        18446744073709551615,
    ];

    #[test]
    fn degenerate_arguments_do_not_panic() {
        let mut rng = MapRng::from_u64(1);
        assert_eq!((rng.below(0), rng.below_u64(0), rng.range(4, -4)), (0, 0, 4));
        assert_eq!(
            (rng.weighted_index(&[]), rng.weighted_index(&[0, 0]), rng.choose_bit(0)),
            (None, None, None)
        );
        assert!(!rng.chance(0, 10) && rng.chance(10, 10) && rng.chance(1, 0));
        rng.shuffle::<u8>(&mut []);
    }

    #[test]
    fn samples_are_uniform() {
        // 60,000 draws over six faces: each face 10,000 with a standard deviation of 91.
        let mut rng = MapRng::from_u64(3);
        let mut faces = [0_i32; 6];
        let mut bits = [0_i32; 6];
        for _ in 0..60_000 {
            faces[rng.below(6) as usize] += 1;
            bits[rng.choose_bit(0b11_1111).unwrap() as usize] += 1;
        }
        assert!(faces.iter().chain(&bits).all(|n| (n - 10_000).abs() < 500), "{faces:?} {bits:?}");
    }

    #[test]
    fn rejection_removes_the_bias() {
        // With n = 3 * 2^30, multiplication without rejection returns every third value 1.5 times
        // as often.
        let n = 3 << 30;
        let mut rng = MapRng::from_u64(5);
        let mut thirds = [0_i32; 3];
        for _ in 0..30_000 {
            thirds[(rng.below(n) % 3) as usize] += 1;
        }
        assert!(thirds.iter().all(|c| (c - 10_000).abs() < 500), "{thirds:?}");
    }
}
