//! Deserialisation of values with a short form (text or an integer) and a long form (an object).

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, Unexpected};
use std::fmt;

/// The short form of a value.
#[derive(Clone, Copy, Debug)]
pub enum Short<'a> {
    /// Text.
    Text(&'a str),
    /// A whole number.
    Number(i128),
}

/// Deserialises a value from text or a whole number with `short`, or from an object with `long`.
///
/// An untagged enum would report every error inside the object as "no variant matched".
///
/// # Errors
/// `short` fails, or returns `None`, or the value has neither form. In the last two cases the error
/// message contains `expected`.
pub fn deserialize<'de, D: Deserializer<'de>, T, L: Deserialize<'de>>(
    deserializer: D,
    expected: &str,
    short: fn(Short<'_>) -> Option<Result<T, String>>,
    long: Option<fn(L) -> T>,
) -> Result<T, D::Error> {
    deserializer.deserialize_any(Visitor { expected, short, long })
}

struct Visitor<'a, T, L> {
    expected: &'a str,
    short: fn(Short<'_>) -> Option<Result<T, String>>,
    long: Option<fn(L) -> T>,
}

impl<T, L> Visitor<'_, T, L> {
    fn read<'de, E: de::Error>(self, short: Short<'_>, unexpected: Unexpected<'_>) -> Result<T, E>
    where
        L: Deserialize<'de>,
    {
        match (self.short)(short) {
            Some(result) => result.map_err(E::custom),
            None => Err(E::invalid_value(unexpected, &self)),
        }
    }
}

impl<'de, T, L: Deserialize<'de>> de::Visitor<'de> for Visitor<'_, T, L> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        self.read(Short::Number(number.into()), Unexpected::Signed(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        self.read(Short::Number(number.into()), Unexpected::Unsigned(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        self.read(Short::Text(text), Unexpected::Str(text))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        match self.long {
            Some(long) => L::deserialize(MapAccessDeserializer::new(map)).map(long),
            None => Err(de::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

/// Implements `schemars::JsonSchema` from a name and a JSON object.
#[macro_export]
macro_rules! impl_json_schema {
    ($type:ty, $name:literal, |$generator:pat_param| $schema:tt) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}
