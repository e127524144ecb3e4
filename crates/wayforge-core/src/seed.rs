//! Seeds and independent random streams.
//!
//! A [`Seed`] contains a 64-bit number and, if given, the text from which FNV-1a (Fowler, Noll & Vo
//! 1991) derives the number. Generators use only the number; documents, file formats and messages
//! write the text. Every stage of a generator has its own [stream](Seed::stream), derived by
//! SplitMix64 (Steele, Lea & Flood 2014), so changing one stage does not affect the others.

use crate::InputError;
use crate::rng::MapRng;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Maximum length of a seed's text, in characters.
pub const MAX_TEXT: usize = 256;

/// A number or text that, with a configuration, determines a map.
///
/// Text of ASCII digits that fits in 64 bits *is* that number. Any other text is hashed by
/// [FNV-1a, 64 bits](fnv1a_64) over its UTF-8 bytes. Neither rule will ever change.
///
/// A seed stores its text, unless the text is the number in canonical digits. Equality compares
/// number and text: the maps of `007` and `7` are the same, but their documents differ in the seed.
/// Cloning never allocates.
///
/// # Examples
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

/// Identifies the random stream of one stage of a generator.
///
/// ```
/// use wayforge_core::{Seed, StreamId};
/// const WALLS: StreamId = StreamId::named("example.walls");
/// const DOORS: StreamId = StreamId::named("example.doors");
/// let seed = Seed::new(1);
/// assert_ne!(seed.stream(WALLS).next_u64(), seed.stream(DOORS).next_u64());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamId(u64);

impl Seed {
    /// Creates a seed from a number.
    pub const fn new(number: u64) -> Seed {
        Seed { number, text: None }
    }

    /// Creates a seed from any text: digits that fit in 64 bits are the number, other text is
    /// hashed.
    ///
    /// If the text is longer than [`MAX_TEXT`] or contains U+0000, the seed stores only the number.
    /// For user input, use [`str::parse`], which rejects such text.
    pub fn from_text(text: &str) -> Seed {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        let canonical = number.is_some() && (text == "0" || !text.starts_with('0'));
        let store_text = !canonical && is_storable(text);
        Seed {
            number: number.unwrap_or_else(|| fnv1a_64(text.as_bytes())),
            text: store_text.then(|| Arc::from(text)),
        }
    }

    /// Returns the number that generators use.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the text as given, unless it is the number in canonical digits.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Returns the seed for use in a one-line message.
    ///
    /// Truncates the text to 40 characters and replaces control characters by U+FFFD.
    pub fn to_line(&self) -> String {
        let text = self.to_string();
        let mut line: String =
            text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        if text.chars().nth(40).is_some() {
            line.push('…');
        }
        line
    }

    /// Returns the random stream `id` of this seed.
    ///
    /// The generator is [seeded](MapRng::from_u64) with the mixed number XOR the hash of the
    /// stream's name, so streams of neighbouring seeds and stages are independent.
    pub fn stream(&self, id: StreamId) -> MapRng {
        MapRng::from_u64(mix_64(self.number) ^ id.0)
    }

    /// Returns the `n`-th seed after this one, wrapping at 2^64. `offset(0)` preserves the text.
    pub fn offset(&self, n: u64) -> Seed {
        if n == 0 { self.clone() } else { Seed::new(self.number.wrapping_add(n)) }
    }
}

impl StreamId {
    /// Returns the stream of attempt `n` under the same seed; attempt 0 is this stream.
    ///
    /// The id of attempt `n` is the `n`-th output of SplitMix64 started from this id, so streams of
    /// neighbouring attempts and seeds are independent.
    #[doc(hidden)]
    pub const fn attempt(self, n: u32) -> StreamId {
        match n {
            0 => self,
            n => StreamId(split_mix_64(self.0, n as u64)),
        }
    }

    /// Returns the stream called `name`. The name never changes for a given version of an
    /// algorithm.
    pub const fn named(name: &str) -> StreamId {
        StreamId(fnv1a_64(name.as_bytes()))
    }
}

/// Returns the 64-bit FNV-1a hash (Fowler, Noll & Vo 1991), used for seed texts and stream names.
///
/// # Determinism
/// The results never change.
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

/// Returns output number `n`, from 1, of SplitMix64 (Steele, Lea & Flood 2014) started from `key`.
#[doc(hidden)]
pub const fn split_mix_64(key: u64, n: u64) -> u64 {
    const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    mix_64(key.wrapping_add(GOLDEN_GAMMA.wrapping_mul(n)))
}

/// Applies the output function of SplitMix64 (Steele, Lea & Flood 2014), a bijective 64-bit mixer.
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

/// Returns true if a seed can store the text.
///
/// Databases and program arguments cannot contain U+0000.
fn is_storable(text: &str) -> bool {
    is_short(text) && !text.contains('\0')
}

/// Parses user input: any text of at most [`MAX_TEXT`] characters without U+0000.
///
/// # Examples
/// ```
/// use wayforge_core::Seed;
/// assert_eq!("first light".parse(), Ok(Seed::from_text("first light")));
/// let error = "x".repeat(300).parse::<Seed>().unwrap_err();
/// assert!(error.to_string().ends_with("300 characters; use at most 256"));
/// ```
impl FromStr for Seed {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Seed, InputError> {
        if is_storable(text) {
            return Ok(Seed::from_text(text));
        }
        let value = text.chars().take(MAX_TEXT).collect::<String>();
        let (problem, remedy) = if is_short(text) {
            ("contains U+0000".to_owned(), "remove it".to_owned())
        } else {
            (format!("{} characters", text.chars().count()), format!("use at most {MAX_TEXT}"))
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

/// Deserialises a seed from text of at most [`MAX_TEXT`] characters without U+0000; rejects
/// numbers.
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
    fn stores_text_unless_it_is_the_number_in_canonical_digits() {
        for text in ["0", "7", "18446744073709551615"] {
            assert_eq!(
                (Seed::from_text(text).text(), Seed::from_text(text).to_string()),
                (None, text.into())
            );
        }
        for text in [
            "",
            "00",
            "007",
            "+5",
            " 7",
            "first light",
            "18446744073709551616",
            "\"\\\u{1}\u{1f680}",
        ] {
            let seed = Seed::from_text(text);
            assert_eq!((seed.text(), seed.to_string()), (Some(text), text.into()));
            assert_ne!(seed, Seed::new(seed.number()));
            assert_eq!(seed.offset(0), seed);
            assert_eq!(seed.offset(1), Seed::new(seed.number().wrapping_add(1)));
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
            "seed = a\\0: contains U+0000; remove it"
        );
        assert_eq!(Seed::from_text("a\0"), Seed::new(fnv1a_64(b"a\0")));
        let zeros = "0".repeat(MAX_TEXT + 1);
        assert_eq!(Seed::from_text(&zeros), Seed::new(0));
    }

    #[test]
    fn fnv1a_matches_the_published_values() {
        // From the test suite of the FNV reference code.
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(fnv1a_64(b"b"), 0xaf63_df4c_8601_f1a5);
    }

    #[test]
    fn streams_are_frozen() {
        let draw = |seed: u64, name| Seed::new(seed).stream(StreamId::named(name)).next_u64();
        let first = [
            draw(0, "act.walks"),
            draw(1, "act.walks"),
            draw(1, "act.kinds"),
            draw(u64::MAX, "act.walks"),
        ];
        assert_eq!(first, FROZEN_STREAMS);
    }

    // Computed by an independent implementation of the same definitions.
    const FROZEN_STREAMS: [u64; 4] =
        [7615730387652612898, 18046974309985665934, 15874740236388476353, 5710652571510728457];

    #[test]
    fn json_is_the_text_as_given() {
        assert_eq!(
            serde_json::to_string(&Seed::new(u64::MAX)).unwrap(),
            "\"18446744073709551615\""
        );
        for (json, seed) in [
            ("\"9\"", Seed::new(9)),
            ("\"09\"", Seed::from_text("09")),
            (
                "\"a \\\"b\\\" \\\\ \\u0001\\n \u{e4}\"",
                Seed::from_text("a \"b\" \\ \u{1}\n \u{e4}"),
            ),
        ] {
            assert_eq!(serde_json::from_str::<Seed>(json).unwrap(), seed);
            assert_eq!(serde_json::to_string(&seed).unwrap(), json);
        }
        for bad in ["9", "null", "[1]", "true"] {
            assert!(serde_json::from_str::<Seed>(bad).is_err(), "{bad}");
        }
    }
}
