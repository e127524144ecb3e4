//! Lists that are rejected while they are read, not after.

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// At most `MAX` values.
pub(crate) struct Few<T, const MAX: usize>(pub(crate) Vec<T>);

impl<T, const MAX: usize> Default for Few<T, MAX> {
    fn default() -> Few<T, MAX> {
        Few(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Few<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Seen<T, const MAX: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for Seen<T, MAX> {
            type Value = Few<T, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MAX}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Few<T, MAX>, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = seq.next_element()? {
                    if values.len() == MAX {
                        return Err(de::Error::custom(format_args!("a list longer than {MAX}")));
                    }
                    values.push(value);
                }
                Ok(Few(values))
            }
        }
        deserializer.deserialize_seq(Seen(PhantomData))
    }
}
