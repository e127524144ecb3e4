//! The game's random number generator: xorshift128+ (Vigna 2014) as implemented by libGDX.
//!
//! Used only by the spire ruleset, because the game's sampling determines its maps. Everything else
//! uses [`MapRng`](wayforge_core::MapRng).

/// State of the generator.
#[derive(Clone, Debug)]
pub(super) struct GameRng {
    a: u64,
    b: u64,
}

/// Number of precomputed reciprocals.
const MAX: usize = 128;

/// floor((2^64 - 1) / n), for the remainders in [`GameRng::below`].
const RECIPROCALS: [u64; MAX] = {
    let mut table = [0; MAX];
    let mut n = 1;
    while n < MAX {
        table[n] = u64::MAX / n as u64;
        n += 1;
    }
    table
};

impl GameRng {
    /// Creates the state that the game derives from a seed.
    pub(super) fn seeded(seed: u64) -> GameRng {
        let a = mix(if seed == 0 { 1 << 63 } else { seed });
        GameRng { a, b: mix(a) }
    }

    /// Returns the next 63 bits.
    #[inline]
    pub(super) fn bits(&mut self) -> u64 {
        let (mut x, y) = (self.a, self.b);
        self.a = y;
        x ^= x << 23;
        self.b = x ^ y ^ (x >> 17) ^ (y >> 26);
        self.b.wrapping_add(y) >> 1
    }

    /// Returns a uniform number below `n`, by rejection sampling. `n` must be 1 to 127.
    #[inline]
    pub(super) fn below(&mut self, n: u64) -> u64 {
        loop {
            let bits = self.bits();
            let value = remainder(bits, n);
            // The first comparison almost always decides; no seed is known to reach the second.
            if bits < i64::MAX as u64 - MAX as u64 || !is_rejected(bits, value, n) {
                return value;
            }
        }
    }
}

/// Whether the game rejects the bits: the next multiple of `n` exceeds 63 bits, so that the values
/// would be biased.
#[inline]
fn is_rejected(bits: u64, value: u64, n: u64) -> bool {
    bits - value + (n - 1) > i64::MAX as u64
}

/// Returns `bits % n` without a division.
///
/// The reciprocal is slightly too small, so for 63 bits the quotient is too small by at most one.
/// One subtraction corrects it.
#[inline]
fn remainder(bits: u64, n: u64) -> u64 {
    let quotient = ((u128::from(bits) * u128::from(RECIPROCALS[n as usize % MAX])) >> 64) as u64;
    let rest = bits - quotient * n;
    std::hint::select_unpredictable(rest >= n, rest.wrapping_sub(n), rest)
}

/// The 64-bit finaliser of MurmurHash3 (Appleby).
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    z = (z ^ (z >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    z ^ (z >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl GameRng {
        /// Creates a generator whose next 63 bits are `bits`.
        ///
        /// With `b = 0` the output is `x ^ (x >> 17)`, which is invertible.
        pub(in crate::spire) fn with_next_bits(bits: u64) -> GameRng {
            let output = bits << 1;
            let mut x = output;
            (0..4).for_each(|_| x = output ^ (x >> 17));
            let mut a = x;
            (0..3).for_each(|_| a = x ^ (a << 23));
            GameRng { a, b: 0 }
        }
    }

    #[test]
    fn remainder_agrees_with_division() {
        let mut rng = GameRng::seeded(7);
        for n in 1..MAX as u64 {
            let ends = [
                0,
                1,
                n - 1,
                n,
                n + 1,
                i64::MAX as u64,
                i64::MAX as u64 - 1,
                i64::MAX as u64 / n * n,
            ];
            for bits in ends.into_iter().chain((0..500).map(|_| rng.bits())) {
                assert_eq!(remainder(bits, n), bits % n, "{bits} % {n}");
            }
            for k in 1..200 {
                let multiple = (i64::MAX as u64 / n / k) * n;
                assert_eq!(remainder(multiple, n), 0);
                assert_eq!(
                    remainder(multiple.saturating_sub(1), n),
                    multiple.saturating_sub(1) % n
                );
            }
        }
    }

    #[test]
    fn below_rejects_bits_that_overflow_a_signed_number() {
        for n in 1..MAX as u64 {
            for bits in i64::MAX as u64 - 300..=i64::MAX as u64 {
                let value = bits % n;
                let fits = (bits as i64 - value as i64).checked_add(n as i64 - 1).is_some();
                assert_eq!(is_rejected(bits, value, n), !fits);
                let mut rng = GameRng::with_next_bits(bits);
                let mut second = rng.clone();
                assert_eq!(second.bits(), bits, "the next bits");
                let expected = if fits { value } else { second.bits() % n };
                assert_eq!(rng.below(n), expected);
            }
        }
    }
}
