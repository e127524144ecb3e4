//! The house's random numbers: [`MapRng`] and all sampling on top of it.
//!
//! No other file samples. Nothing here reads a float or a `usize`-wide draw, so the same seed gives the same
//! values on every platform, 32-bit and WebAssembly included. Everything in this file is frozen: the tests pin it.

use crate::seed::mix_64;
use std::hint::select_unpredictable;

/// xoshiro256++ 1.0 by Blackman and Vigna, seeded by SplitMix64 as its authors advise.
///
/// Value stability is promised: neither the raw stream nor any sampling method will ever answer differently.
///
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
    /// Seeds the generator: the state is SplitMix64's first four answers from `key`.
    #[inline]
    pub fn from_u64(key: u64) -> MapRng {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let word = |n: u64| mix_64(key.wrapping_add(GOLDEN.wrapping_mul(n)));
        MapRng { state: [word(1), word(2), word(3), word(4)] }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let answer = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        answer
    }

    /// A number below `n`, every one equally likely; 0 if `n` is 0.
    ///
    /// Lemire's multiplication with rejection over the upper 32 bits of each draw.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = (self.next_u64() >> 32) * u64::from(n);
        if (product as u32) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u32) < unfair {
                product = (self.next_u64() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A number below `n` for `n` beyond 32 bits; 0 if `n` is 0. Its values differ from [`below`](Self::below)'s.
    #[inline]
    pub fn below_u64(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u64) < unfair {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// A number from `low` to `high`, both included; `low` if `high` is below it.
    #[inline]
    pub fn range(&mut self, low: i32, high: i32) -> i32 {
        if high <= low {
            return low;
        }
        let span = (i64::from(high) - i64::from(low) + 1) as u64;
        (i64::from(low) + self.below_u64(span) as i64) as i32
    }

    /// True in `part` of `whole` cases; never if `part` is 0, always if `part` is at least `whole`.
    #[inline]
    pub fn chance(&mut self, part: u32, whole: u32) -> bool {
        self.below(whole.max(1)) < part
    }

    /// Fisher-Yates from the end: every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            // Lengths beyond 32 bits exist only on 64-bit machines; shorter ones draw the same everywhere.
            let j = match u32::try_from(i + 1) {
                Ok(n) => self.below(n) as usize,
                Err(_) => self.below_u64(i as u64 + 1) as usize,
            };
            items.swap(i, j);
        }
    }

    /// The index of one weight, chosen in proportion to it; `None` if all are zero.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
        if total == 0 {
            return None;
        }
        let mut rest = self.below_u64(total);
        weights.iter().position(|&w| {
            let here = rest < u64::from(w);
            rest = rest.wrapping_sub(u64::from(w));
            here
        })
    }

    /// 64 bits, each set in `part` of 65,536 cases; all if `part` is more.
    ///
    /// From the lowest set bit of `part` up to its bit 15, one draw each: joined to the answer if the bit is set, met with
    /// it if not.
    #[inline]
    pub fn bits(&mut self, part: u32) -> u64 {
        if part == 0 || part >= 1 << 16 {
            return if part == 0 { 0 } else { u64::MAX };
        }
        (part.trailing_zeros()..16).fold(0, |bits, place| {
            let draw = self.next_u64();
            if part >> place & 1 == 1 { bits | draw } else { bits & draw }
        })
    }

    /// One set bit of `mask`, every one equally likely; `None` if there is none.
    #[inline]
    pub fn bit(&mut self, mask: u64) -> Option<u32> {
        if mask == 0 {
            return None;
        }
        // Up to three bits are the common case: counting and selecting them takes no loop and no population count,
        // which many machines lack.
        let second = mask & (mask - 1);
        let third = second & second.wrapping_sub(1);
        let fourth = third & third.wrapping_sub(1);
        if fourth != 0 {
            return Some(self.bit_of_many(mask));
        }
        let nth = self.below(1 + u32::from(second != 0) + u32::from(third != 0));
        let rest = select_unpredictable(nth == 0, mask, second);
        let rest = select_unpredictable(nth == 2, third, rest);
        Some(rest.trailing_zeros())
    }

    fn bit_of_many(&mut self, mut mask: u64) -> u32 {
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
    fn raw_stream_has_the_published_values() {
        // The reference implementation's first ten answers from the state 1, 2, 3, 4.
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
    fn seeding_and_stream_agree_with_an_independent_crate() {
        for key in [0, 1, 42, u64::MAX, 0x0123_4567_89ab_cdef] {
            let mut ours = MapRng::from_u64(key);
            let mut theirs = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(key);
            for _ in 0..1000 {
                assert_eq!(ours.next_u64(), theirs.next_u64());
            }
        }
    }

    #[test]
    fn sampling_is_frozen() {
        let mut rng = MapRng::from_u64(2026);
        let below: Vec<u32> = [1, 2, 3, 7, 100, 1 << 31, u32::MAX].iter().map(|&n| rng.below(n)).collect();
        let wide: Vec<u64> = [1, 10, 1 << 40, u64::MAX].iter().map(|&n| rng.below_u64(n)).collect();
        let range: Vec<i32> =
            [(-3, 3), (5, 5), (i32::MIN, i32::MAX)].iter().map(|&(l, h)| rng.range(l, h)).collect();
        let mut order: Vec<u8> = (0..8).collect();
        rng.shuffle(&mut order);
        let weighted: Vec<_> = (0..6).map(|_| rng.weighted(&[5, 0, 1, 10]).unwrap()).collect();
        let bits: Vec<_> = (0..6).map(|_| rng.bit(0b1011_0110).unwrap()).collect();
        let text = format!("{below:?} {wide:?} {range:?} {order:?} {weighted:?} {bits:?}");
        assert_eq!(text, FROZEN_SAMPLES);
    }

    // Computed by an independent implementation of the same definitions.
    const FROZEN_SAMPLES: &str = "[0, 1, 2, 6, 3, 1965389336, 3473579330] [0, 8, 521185231794, 16771228823562809199] \
        [1, 5, 2029643161] [5, 4, 0, 2, 6, 1, 3, 7] [0, 0, 3, 0, 3, 3] [5, 4, 7, 5, 5, 7]";

    #[test]
    fn masks_are_frozen_and_fair() {
        let mut rng = MapRng::from_u64(2026);
        let masks = [0, 1, 6554, 32_768, 65_535, 65_536].map(|part| rng.bits(part));
        assert_eq!(masks, FROZEN_MASKS);
        // 64,000 bits at one in ten: 6,400 with a standard deviation of 76.
        let set: u32 = (0..1_000).map(|_| rng.bits(6554).count_ones()).sum();
        assert!(set.abs_diff(6_400) < 400, "{set}");
    }

    // Computed by an independent implementation of the same definitions.
    const FROZEN_MASKS: [u64; 6] =
        [0, 0, 10376786122670866945, 18232913656629865358, 18446744073709551615, 18446744073709551615];

    #[test]
    fn edges_of_sampling_do_not_panic() {
        let mut rng = MapRng::from_u64(1);
        assert_eq!((rng.below(0), rng.below_u64(0), rng.range(4, -4)), (0, 0, 4));
        assert_eq!((rng.weighted(&[]), rng.weighted(&[0, 0]), rng.bit(0)), (None, None, None));
        assert!(!rng.chance(0, 10) && rng.chance(10, 10) && rng.chance(1, 0));
        rng.shuffle::<u8>(&mut []);
    }

    #[test]
    fn draws_are_fair() {
        // 60,000 draws over six faces: each face 10,000 with a standard deviation of 91.
        let mut rng = MapRng::from_u64(3);
        let mut faces = [0_i32; 6];
        let mut bits = [0_i32; 6];
        for _ in 0..60_000 {
            faces[rng.below(6) as usize] += 1;
            bits[rng.bit(0b11_1111).unwrap() as usize] += 1;
        }
        assert!(faces.iter().chain(&bits).all(|n| (n - 10_000).abs() < 500), "{faces:?} {bits:?}");
    }

    #[test]
    fn rejection_removes_the_bias() {
        // With n = 3 * 2^30 a plain multiplication would favour every third answer by half.
        let n = 3 << 30;
        let mut rng = MapRng::from_u64(5);
        let mut thirds = [0_i32; 3];
        for _ in 0..30_000 {
            thirds[(rng.below(n) % 3) as usize] += 1;
        }
        assert!(thirds.iter().all(|c| (c - 10_000).abs() < 500), "{thirds:?}");
    }
}
