//! Seeds: one number decides one map.
//!
//! A [`Seed`] is an unsigned 64-bit number. It comes from a number or from any text, it is written as a
//! string in JSON (JavaScript cannot hold 64-bit numbers), and every stage of a generator draws from its own
//! [stream](Seed::stream), so that a change in one stage leaves the others alone.

use crate::rng::MapRng;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// The number that, with a configuration, decides a map.
///
/// Text of ASCII digits that fits 64 bits *is* that number; any other text is hashed by
/// [FNV-1a, 64 bits](fnv1a_64) over its UTF-8 bytes. Both rules are frozen.
///
/// ```
/// use wayforge::Seed;
/// assert_eq!(Seed::from_text("42"), Seed(42));
/// assert_eq!(Seed::from_text("007"), Seed(7));
/// assert_eq!(Seed::from_text("foobar"), Seed(0x85944171f73967e8));
/// assert_eq!(Seed(42).to_string(), "42");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub u64);

/// The name of one stage of a generator; each has its own stream of random numbers.
///
/// ```
/// use wayforge::{Seed, Stage};
/// const WALLS: Stage = Stage::named("example.walls");
/// assert_ne!(Seed(1).stream(WALLS).next_u64(), Seed(1).stream(Stage::named("example.doors")).next_u64());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage(u64);

impl Seed {
    /// Reads a seed from text: digits that fit are the number, anything else is hashed. Never fails.
    pub fn from_text(text: &str) -> Seed {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match text.parse() {
            Ok(number) if digits => Seed(number),
            _ => Seed(fnv1a_64(text.as_bytes())),
        }
    }

    /// The stream of random numbers that belongs to `stage` under this seed.
    ///
    /// The four state words are [SplitMix64](MapRng::from_u64)'s answers from the mixed seed xor the stage's tag, so that
    /// neighbouring seeds and stages share nothing.
    pub fn stream(self, stage: Stage) -> MapRng {
        MapRng::from_u64(mix_64(self.0) ^ stage.0)
    }

    /// The seed `n` places further on, wrapping at 2^64: the order of `--count`.
    pub fn plus(self, n: u64) -> Seed {
        Seed(self.0.wrapping_add(n))
    }
}

impl Stage {
    /// The stage of a further attempt under the same seed; attempt 0 is the stage itself.
    ///
    /// The tag of attempt `n` is SplitMix64's answer number `n` from the stage's own tag, so that neither neighbouring
    /// attempts nor neighbouring seeds share streams.
    pub(crate) const fn attempt(self, n: u32) -> Stage {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        match n {
            0 => self,
            n => Stage(mix_64(self.0.wrapping_add(GOLDEN.wrapping_mul(n as u64)))),
        }
    }

    /// The stage called `name`. The name is frozen with the algorithm that uses it.
    pub const fn named(name: &str) -> Stage {
        Stage(fnv1a_64(name.as_bytes()))
    }
}

/// FNV-1a with 64 bits: the frozen hash behind text seeds and stage names.
///
/// ```
/// assert_eq!(wayforge::seed::fnv1a_64(b""), 0xcbf29ce484222325);
/// assert_eq!(wayforge::seed::fnv1a_64(b"a"), 0xaf63dc4c8601ec8c);
/// ```
pub const fn fnv1a_64(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// SplitMix64's output function: a bijection of 64-bit numbers that mixes every bit into every other.
pub(crate) const fn mix_64(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        Seed(number)
    }
}

impl From<&str> for Seed {
    fn from(text: &str) -> Seed {
        Seed::from_text(text)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A document's seed is the number in digits, as [`Display`](fmt::Display) writes it; other text is refused, because
/// hashing it here would hide a damaged document.
impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        let text = String::deserialize(deserializer)?;
        let seed = Seed::from_text(&text);
        if seed.to_string() == text {
            Ok(seed)
        } else {
            Err(de::Error::invalid_value(
                de::Unexpected::Str(&text),
                &"a seed as a string of digits, 0 to 18446744073709551615, without leading zeros",
            ))
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Seed {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seed".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^(0|[1-9][0-9]{0,19})$",
            "description": "An unsigned 64-bit number as a string of digits."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_digits_is_the_number_if_it_fits() {
        assert_eq!(Seed::from_text("18446744073709551615"), Seed(u64::MAX));
        assert_eq!(Seed::from_text("18446744073709551616"), Seed(fnv1a_64(b"18446744073709551616")));
        assert_eq!(Seed::from_text("+5"), Seed(fnv1a_64(b"+5")), "only digits count as a number");
        assert_eq!(Seed::from_text(""), Seed(0xcbf2_9ce4_8422_2325));
    }

    #[test]
    fn hash_has_the_published_values() {
        // From the test suite of the FNV reference code.
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(fnv1a_64(b"b"), 0xaf63_df4c_8601_f1a5);
    }

    #[test]
    fn streams_are_frozen() {
        let draw = |seed: u64, stage| Seed(seed).stream(Stage::named(stage)).next_u64();
        let first =
            [draw(0, "act.walks"), draw(1, "act.walks"), draw(1, "act.kinds"), draw(u64::MAX, "act.walks")];
        assert_eq!(first, FROZEN_STREAMS);
    }

    // Computed by an independent implementation of the same definitions.
    const FROZEN_STREAMS: [u64; 4] =
        [7615730387652612898, 18046974309985665934, 15874740236388476353, 5710652571510728457];

    #[test]
    fn json_keeps_all_64_bits_and_refuses_anything_else() {
        assert_eq!(serde_json::to_string(&Seed(u64::MAX)).unwrap(), "\"18446744073709551615\"");
        assert_eq!(serde_json::from_str::<Seed>("\"9\"").unwrap(), Seed(9));
        for bad in ["9", "\"x\"", "\"09\"", "\"\"", "\"-1\""] {
            assert!(serde_json::from_str::<Seed>(bad).is_err(), "{bad}");
        }
    }
}
