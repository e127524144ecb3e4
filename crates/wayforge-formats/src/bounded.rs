//! Lists that are refused while they are read, not after.

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// At most `MOST` values.
pub(crate) struct Few<T, const MOST: usize>(pub(crate) Vec<T>);

impl<T, const MOST: usize> Default for Few<T, MOST> {
    fn default() -> Few<T, MOST> {
        Few(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Few<T, MOST> {
    /// Reads a list; one value too many ends it.
    pub(crate) fn collect<A: SeqAccess<'de>>(mut seq: A) -> Result<Few<T, MOST>, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element()? {
            if values.len() == MOST {
                return Err(de::Error::custom(format_args!("a list longer than {MOST}")));
            }
            values.push(value);
        }
        Ok(Few(values))
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for Few<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Seen<T, const MOST: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Seen<T, MOST> {
            type Value = Few<T, MOST>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MOST}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Few<T, MOST>, A::Error> {
                Few::collect(seq)
            }
        }
        deserializer.deserialize_seq(Seen(PhantomData))
    }
}
