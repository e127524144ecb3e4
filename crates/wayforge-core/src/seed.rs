//! Seeds: a number, or any text, from which a map is generated.
//!
//! A [`Seed`] keeps what was given and the unsigned 64-bit number derived from it. Generators use only the number; documents,
//! file formats and messages write the text as given. Every stage of a generator draws from its own
//! [stream](Seed::stream), so that a change in one stage leaves the others alone.

use crate::InputError;
use crate::rng::MapRng;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Longest text of a seed, in characters.
pub const MAX_TEXT: usize = 256;

/// A number or text that, with a configuration, determines a map.
///
/// Text of ASCII digits that fits 64 bits *is* that number; any other text is hashed by
/// [FNV-1a, 64 bits](fnv1a_64) over its UTF-8 bytes. Both rules are frozen.
///
/// A seed keeps the text that was given, unless it is the number in canonical digits. Equality compares number and text: maps
/// of `007` and `7` have the same tiles, but their documents differ in the seed. Cloning never allocates.
///
/// ```
/// use wayforge_core::Seed;
/// assert_eq!(Seed::from_text("42"), Seed::new(42));
/// assert_eq!(Seed::from_text("007").number(), 7);
/// assert_eq!(Seed::from_text("007").to_string(), "007");
/// assert_eq!(Seed::from_text("foobar").number(), 0x85944171f73967e8);
/// assert_eq!(Seed::new(42).to_string(), "42");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed {
    number: u64,
    /// The text as given; `None` if it is the number in canonical digits.
    text: Option<Arc<str>>,
}

/// The name of one stage of a generator; each has its own stream of random numbers.
///
/// ```
/// use wayforge_core::{Seed, Stage};
/// const WALLS: Stage = Stage::named("example.walls");
/// let seed = Seed::new(1);
/// assert_ne!(seed.stream(WALLS).next_u64(), seed.stream(Stage::named("example.doors")).next_u64());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage(u64);

impl Seed {
    /// Seed of a number.
    pub const fn new(number: u64) -> Seed {
        Seed { number, text: None }
    }

    /// Seed of any text: digits that fit are the number, anything else is hashed. Never fails.
    ///
    /// Text longer than [`MAX_TEXT`] or with U+0000 is not kept: the seed is the number derived from it. Where a person or a
    /// program gives a seed, use [`str::parse`], which rejects such text.
    pub fn from_text(text: &str) -> Seed {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        let canonical = number.is_some() && (text == "0" || !text.starts_with('0'));
        let keep = !canonical && is_valid(text);
        Seed {
            number: number.unwrap_or_else(|| fnv1a_64(text.as_bytes())),
            text: keep.then(|| Arc::from(text)),
        }
    }

    /// The number that generators draw from.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The text that was given, if it is not the number in canonical digits.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The seed on one line of a message or title: at most 40 characters, control characters replaced by U+FFFD.
    pub fn to_line(&self) -> String {
        let text = self.to_string();
        let mut line: String =
            text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        if text.chars().nth(40).is_some() {
            line.push('…');
        }
        line
    }

    /// The stream of random numbers that belongs to `stage` under this seed.
    ///
    /// The four state words are outputs of [SplitMix64](MapRng::from_u64), started from the mixed number xor the stage's tag, so
    /// that neighbouring seeds and stages share nothing.
    pub fn stream(&self, stage: Stage) -> MapRng {
        MapRng::from_u64(mix_64(self.number) ^ stage.0)
    }

    /// The seed `n` places further on, wrapping at 2^64: the order of `--count`. `plus(0)` keeps the text; any other is a number.
    pub fn plus(&self, n: u64) -> Seed {
        if n == 0 { self.clone() } else { Seed::new(self.number.wrapping_add(n)) }
    }
}

impl Stage {
    /// The stage of a further attempt under the same seed; attempt 0 is the stage itself.
    ///
    /// The tag of attempt `n` is SplitMix64's answer number `n` from the stage's own tag, so that neither neighbouring
    /// attempts nor neighbouring seeds share streams.
    #[doc(hidden)]
    pub const fn attempt(self, n: u32) -> Stage {
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
/// assert_eq!(wayforge_core::seed::fnv1a_64(b""), 0xcbf29ce484222325);
/// assert_eq!(wayforge_core::seed::fnv1a_64(b"a"), 0xaf63dc4c8601ec8c);
/// ```
#[doc(hidden)]
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
#[doc(hidden)]
pub const fn mix_64(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        Seed::new(number)
    }
}

impl From<&str> for Seed {
    fn from(text: &str) -> Seed {
        Seed::from_text(text)
    }
}

fn is_short(text: &str) -> bool {
    text.chars().nth(MAX_TEXT).is_none()
}

/// Text that a seed can keep: U+0000 is excluded because databases and arguments of programs cannot hold it.
fn is_valid(text: &str) -> bool {
    is_short(text) && !text.contains('\0')
}

/// Reads a seed that a person or a program gives: any text of at most [`MAX_TEXT`] characters without U+0000.
///
/// ```
/// use wayforge_core::Seed;
/// assert_eq!("first light".parse(), Ok(Seed::from_text("first light")));
/// let error = "x".repeat(300).parse::<Seed>().unwrap_err();
/// assert!(error.to_string().ends_with("300 characters; use at most 256"));
/// ```
impl FromStr for Seed {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Seed, InputError> {
        if is_valid(text) {
            return Ok(Seed::from_text(text));
        }
        let value = text.chars().take(MAX_TEXT).collect::<String>();
        let (problem, remedy) = match is_short(text) {
            true => ("contains U+0000".to_owned(), "leave it out".to_owned()),
            false => (format!("{} characters", text.chars().count()), format!("use at most {MAX_TEXT}")),
        };
        Err(InputError::new("seed", value.escape_debug(), problem, remedy))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => text.fmt(f),
            None => self.number.fmt(f),
        }
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The seed of a document: text of at most [`MAX_TEXT`] characters without U+0000, never a JSON number.
impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(feature = "schema")]
crate::impl_json_schema!(Seed, "Seed", |_| {
    "type": "string",
    "maxLength": MAX_TEXT,
    "pattern": "^[^\\u0000]*$",
    "description": "The seed as given: a number in digits, or any text of at most 256 characters."
});

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> u64 {
        Seed::from_text(text).number()
    }

    #[test]
    fn text_of_digits_is_the_number_if_it_fits() {
        assert_eq!(Seed::from_text("18446744073709551615"), Seed::new(u64::MAX));
        assert_eq!(number("18446744073709551616"), fnv1a_64(b"18446744073709551616"));
        assert_eq!(number("+5"), fnv1a_64(b"+5"), "only digits count as a number");
        assert_eq!(number(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(number("007"), 7);
    }

    #[test]
    fn text_is_kept_unless_it_is_the_number_in_canonical_digits() {
        for text in ["0", "7", "18446744073709551615"] {
            assert_eq!(
                (Seed::from_text(text).text(), Seed::from_text(text).to_string()),
                (None, text.into())
            );
        }
        for text in ["", "00", "007", "+5", " 7", "first light", "18446744073709551616", "\"\\\u{1}\u{1f680}"]
        {
            let seed = Seed::from_text(text);
            assert_eq!((seed.text(), seed.to_string()), (Some(text), text.into()));
            assert_ne!(seed, Seed::new(seed.number()));
            assert_eq!(seed.plus(0), seed);
            assert_eq!(seed.plus(1), Seed::new(seed.number().wrapping_add(1)));
        }
        assert_eq!(format!("{:>4}|{:<4}", Seed::new(7), Seed::from_text("ab")), "   7|ab  ");
    }

    #[test]
    fn lines_are_short_and_printable() {
        assert_eq!(Seed::new(u64::MAX).to_line(), "18446744073709551615");
        assert_eq!(Seed::from_text("a\u{1b}[31m\n").to_line(), "a\u{fffd}[31m\u{fffd}");
        assert_eq!(Seed::from_text(&"é".repeat(41)).to_line(), "é".repeat(40) + "…");
    }

    #[test]
    fn text_is_bounded() {
        let (fits, long) = ("\u{1f680}".repeat(MAX_TEXT), "x".repeat(MAX_TEXT + 1));
        assert_eq!(fits.parse(), Ok(Seed::from_text(&fits)));
        let error = long.parse::<Seed>().unwrap_err().to_string();
        assert!(error.starts_with("seed = xxx") && error.len() < 150, "{error}");
        assert!(error.ends_with("...: 257 characters; use at most 256"), "{error}");
        assert_eq!(Seed::from_text(&long), Seed::new(fnv1a_64(long.as_bytes())));
        assert!(
            serde_json::from_str::<Seed>(&format!("\"{long}\""))
                .unwrap_err()
                .to_string()
                .contains("257 characters")
        );
        assert_eq!(
            "a\0".parse::<Seed>().unwrap_err().to_string(),
            "seed = a\\0: contains U+0000; leave it out"
        );
        assert_eq!(Seed::from_text("a\0"), Seed::new(fnv1a_64(b"a\0")));
        let zeros = "0".repeat(MAX_TEXT + 1);
        assert_eq!(Seed::from_text(&zeros), Seed::new(0));
    }

    #[test]
    fn hash_has_the_published_values() {
        // From the test suite of the FNV reference code.
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(fnv1a_64(b"b"), 0xaf63_df4c_8601_f1a5);
    }

    #[test]
    fn streams_are_frozen() {
        let draw = |seed: u64, stage| Seed::new(seed).stream(Stage::named(stage)).next_u64();
        let first =
            [draw(0, "act.walks"), draw(1, "act.walks"), draw(1, "act.kinds"), draw(u64::MAX, "act.walks")];
        assert_eq!(first, FROZEN_STREAMS);
    }

    // Computed by an independent implementation of the same definitions.
    const FROZEN_STREAMS: [u64; 4] =
        [7615730387652612898, 18046974309985665934, 15874740236388476353, 5710652571510728457];

    #[test]
    fn json_is_the_text_as_given() {
        assert_eq!(serde_json::to_string(&Seed::new(u64::MAX)).unwrap(), "\"18446744073709551615\"");
        for (json, seed) in [
            ("\"9\"", Seed::new(9)),
            ("\"09\"", Seed::from_text("09")),
            ("\"a \\\"b\\\" \\\\ \\u0001\\n \u{e4}\"", Seed::from_text("a \"b\" \\ \u{1}\n \u{e4}")),
        ] {
            assert_eq!(serde_json::from_str::<Seed>(json).unwrap(), seed);
            assert_eq!(serde_json::to_string(&seed).unwrap(), json);
        }
        for bad in ["9", "null", "[1]", "true"] {
            assert!(serde_json::from_str::<Seed>(bad).is_err(), "{bad}");
        }
    }
}
