//! Strict deserialisation: structs only from objects, integers also from floats such as `7.0`.

use crate::error::{TextPosition, suffix};
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use std::fmt;
use std::marker::PhantomData;

/// Wraps a deserializer and rejects lists where a struct is expected.
///
/// By default, Serde also reads a struct from a list of its fields in source order: `[7, 3]` for
/// `{"row": 7, "col": 3}`. No schema allows this, and adding a field would change the meaning. All
/// external input is deserialised through this wrapper.
///
/// A float without fraction, such as `7.0`, is accepted as a whole number, as in JSON Schema.
/// Floats beyond 2^53 are rejected because they do not represent every whole number.
///
/// Has no effect on values that Serde buffers first: untagged and internally tagged enums, and
/// flattened structs. Such types must check their input themselves.
pub(crate) struct Strict<D>(pub(crate) D);

/// Describes a JSON error for the author of the JSON.
///
/// Rewords Serde's type errors: `found "x", expected a whole number` instead of `invalid type:
/// string "x", expected i64`. Marks syntax errors as "not JSON". The position stays at the end;
/// other messages are unchanged.
///
/// # Examples
/// ```
/// use wayforge_core::describe_json_error;
/// let error = serde_json::from_str::<Vec<u16>>("[1, \"x\"]").unwrap_err();
/// let text = describe_json_error(&error);
/// let expected = "found \"x\", expected a whole number from 0 to 65535 at line 1 column 7";
/// assert_eq!(text, expected);
/// let error = serde_json::from_str::<bool>("yes").unwrap_err();
/// assert_eq!(describe_json_error(&error), "not JSON: expected value at line 1 column 1");
/// ```
pub fn describe_json_error(error: &serde_json::Error) -> String {
    let (message, position) = split_json_error(error);
    message + &suffix(&position)
}

/// Returns the message of [`describe_json_error`] without the position, and the position.
pub(crate) fn split_json_error(error: &serde_json::Error) -> (String, Option<TextPosition>) {
    use serde_json::error::Category;
    // Line 0 means that the error has no position.
    let position = TextPosition { line: error.line(), column: error.column() };
    let position = Some(position).filter(|position| position.line > 0);
    let full = error.to_string();
    let text = full.strip_suffix(suffix(&position).as_str()).unwrap_or(&full);
    let message = if matches!(error.classify(), Category::Syntax | Category::Eof) {
        format!("not JSON: {text}")
    } else if let Some(rest) = text.strip_prefix("unknown variant ") {
        format!("unknown value {rest}")
    } else {
        let parts = text.rsplit_once(", expected ");
        match parts.and_then(|(found, expected)| Some((plain_value(found)?, expected))) {
            Some((value, expected)) => {
                format!("found {value}, expected {}", plain_expectation(expected))
            }
            None => text.to_owned(),
        }
    };
    (message, position)
}

/// Rewrites Serde's description of a rejected value as JSON, or as "a list" or "an object".
///
/// Returns `None` if `found` describes another problem.
fn plain_value(found: &str) -> Option<String> {
    if let Some(len) = found.strip_prefix("invalid length ") {
        return Some(format!("a list of length {len}"));
    }
    let mut prefixes = ["invalid type: ", "invalid value: "].into_iter();
    let value = prefixes.find_map(|prefix| found.strip_prefix(prefix))?;
    if let Some(text) = value.strip_prefix("string ") {
        return Some(text.to_owned());
    }
    let plain = match value {
        "sequence" => "a list",
        "map" => "an object",
        "unit value" => "null",
        _ => match value.split_once('`').map(|(kind, rest)| (kind, rest.trim_end_matches('`'))) {
            Some(("character ", letter)) => return Some(format!("\"{letter}\"")),
            Some((_, number)) => number,
            None => value,
        },
    };
    Some(plain.to_owned())
}

/// Rewrites Serde's description of an expected value without names of Rust types.
fn plain_expectation(expected: &str) -> String {
    let size =
        |prefix: &str| expected.strip_prefix(prefix).filter(|text| text.parse::<usize>().is_ok());
    if let Some(len) = size("a tuple of size ").or_else(|| size("an array of length ")) {
        return format!("a list of {len} values");
    }
    let starts_with = |prefix: &str| expected.starts_with(prefix);
    match expected {
        "i64" | "i128" | "isize" => "a whole number".to_owned(),
        "u64" | "u128" | "usize" => "a non-negative whole number".to_owned(),
        "i8" => format!("a whole number from {} to {}", i8::MIN, i8::MAX),
        "i16" => format!("a whole number from {} to {}", i16::MIN, i16::MAX),
        "i32" => format!("a whole number from {} to {}", i32::MIN, i32::MAX),
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u16" => format!("a whole number from 0 to {}", u16::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a borrowed string" => "a string".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "unit" => "null".to_owned(),
        _ if starts_with("struct ") || starts_with("internally tagged enum ") => {
            "an object".to_owned()
        }
        _ if starts_with("enum ") || starts_with("variant ") => {
            "one of the allowed names".to_owned()
        }
        _ => expected.to_owned(),
    }
}

/// Deserialises a type that Serde buffers, but only from an object; for `deserialize_with`.
#[doc(hidden)]
pub fn deserialize_object<'de, D: Deserializer<'de>, T: de::Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    struct ObjectOnly<T>(PhantomData<T>);
    impl<'de, T: de::Deserialize<'de>> Visitor<'de> for ObjectOnly<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(de::value::MapAccessDeserializer::new(map))
        }
    }
    deserializer.deserialize_map(ObjectOnly(PhantomData))
}

/// A visitor, seed or access whose nested values are deserialised strictly.
struct Inner<T>(T);

/// Visitor of a struct, which rejects lists.
struct ObjectVisitor<V>(V);

/// Visitor of an integer, which accepts floats without a fraction.
struct IntegerVisitor<V>(V);

/// Forwards the visitor methods for values without nested values.
macro_rules! forward_visits {
    ($($visit:ident($($value:ident: $kind:ty)?)),* $(,)?) => {
        $(fn $visit<E: de::Error>(self $(, $value: $kind)?) -> Result<V::Value, E> {
            self.0.$visit($($value)?)
        })*
    };
}

/// Forwards to the wrapped deserializer with a strict visitor.
macro_rules! forward {
    ($Error:ty, $wrap:ident: $($method:ident($($name:ident: $kind:ty),*)),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(
            self $(, $name: $kind)*,
            visitor: V,
        ) -> Result<V::Value, $Error> {
            self.0.$method($($name,)* $wrap(visitor))
        })*
    };
}

/// Names of fields or variants.
type Names = &'static [&'static str];

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    forward! {
        D::Error, Inner:
        deserialize_any(), deserialize_bool(), deserialize_f32(), deserialize_f64(),
        deserialize_char(), deserialize_str(), deserialize_string(), deserialize_bytes(),
        deserialize_byte_buf(), deserialize_option(), deserialize_unit(),
        deserialize_unit_struct(name: &'static str), deserialize_newtype_struct(name: &'static str),
        deserialize_seq(), deserialize_tuple(len: usize),
        deserialize_tuple_struct(name: &'static str, len: usize), deserialize_map(),
        deserialize_enum(name: &'static str, variants: Names), deserialize_identifier(),
        deserialize_ignored_any(),
    }

    forward! { D::Error, ObjectVisitor: deserialize_struct(name: &'static str, fields: Names) }

    forward! {
        D::Error, IntegerVisitor:
        deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(),
        deserialize_i128(), deserialize_u8(), deserialize_u16(), deserialize_u32(),
        deserialize_u64(), deserialize_u128(),
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for ObjectVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<V::Value, A::Error> {
        Err(de::Error::invalid_type(Unexpected::Seq, &self as &dyn Expected))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Inner(map))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for IntegerVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<V::Value, E> {
        const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
        if value.fract() != 0.0 || value.abs() > MAX_EXACT {
            self.0.visit_f64(value)
        } else if value < 0.0 {
            self.0.visit_i64(value as i64)
        } else {
            self.0.visit_u64(value as u64)
        }
    }

    forward_visits! {
        visit_bool(value: bool), visit_i64(value: i64), visit_i128(value: i128),
        visit_u64(value: u64), visit_u128(value: u128), visit_str(value: &str), visit_unit(),
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Inner<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    forward_visits! {
        visit_bool(value: bool), visit_i8(value: i8), visit_i16(value: i16), visit_i32(value: i32),
        visit_i64(value: i64), visit_i128(value: i128), visit_u8(value: u8), visit_u16(value: u16),
        visit_u32(value: u32), visit_u64(value: u64), visit_u128(value: u128),
        visit_f32(value: f32), visit_f64(value: f64), visit_char(value: char),
        visit_str(value: &str), visit_string(value: String), visit_borrowed_str(value: &'de str),
        visit_bytes(value: &[u8]), visit_borrowed_bytes(value: &'de [u8]),
        visit_byte_buf(value: Vec<u8>), visit_none(), visit_unit(),
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Strict(deserializer))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Strict(deserializer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Inner(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Inner(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Inner(variant))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Inner<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Strict(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Inner<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Inner(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Inner<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(Inner(seed))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Inner(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Inner<A> {
    type Error = A::Error;
    type Variant = Inner<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Inner<A::Variant>), A::Error> {
        self.0.variant_seed(Inner(seed)).map(|(value, variant)| (value, Inner(variant)))
    }
}

impl<'de, A: de::VariantAccess<'de>> de::VariantAccess<'de> for Inner<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Inner(seed))
    }

    forward! { A::Error, Inner: tuple_variant(len: usize) }

    forward! { A::Error, ObjectVisitor: struct_variant(fields: Names) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Place {
        row: u16,
        col: u16,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    enum Choice {
        None,
        Number(u8),
        Pair(u8, Place),
        Place { at: Place },
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Wrapped(Place);

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct All<'a> {
        maybe: Option<Place>,
        list: Vec<Place>,
        pair: (u8, Option<Place>),
        names: BTreeMap<String, Place>,
        choices: Vec<Choice>,
        wrapped: Option<Wrapped>,
        #[serde(borrow)]
        raw: Option<&'a serde_json::value::RawValue>,
        text: &'a str,
        letter: Option<char>,
        ratio: f64,
        below: i8,
        nothing: (),
        yes: bool,
    }

    fn read(text: &str) -> Result<All<'_>, String> {
        let mut json = serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(Strict(&mut json)).map_err(|error| error.to_string())
    }

    const ALL_FIELDS: &str = r#"{
        "maybe": {"row": 1, "col": 2}, "list": [{"row": 1, "col": 2}],
        "pair": [3, {"row": 1, "col": 2}], "names": {"a": {"row": 1, "col": 2}},
        "wrapped": {"row": 1, "col": 2}, "raw": [1, 2], "text": "as is", "letter": "x",
        "choices": [
            "None", {"Number": 4}, {"Pair": [5, {"row": 1, "col": 2}]},
            {"Place": {"at": {"row": 1, "col": 2}}}
        ],
        "ratio": 0.5, "below": -1, "nothing": null, "yes": true
    }"#;

    #[test]
    fn deserialises_valid_input_like_serde() {
        let plain: All<'_> = serde_json::from_str(ALL_FIELDS).unwrap();
        let strict = read(ALL_FIELDS).unwrap();
        assert_eq!(format!("{strict:?}"), format!("{plain:?}"));
        assert_eq!(strict.raw.unwrap().get(), "[1, 2]");
        assert_eq!(
            strict.text.as_ptr() as usize - ALL_FIELDS.as_ptr() as usize,
            ALL_FIELDS.find("as is").unwrap()
        );
    }

    #[test]
    fn rejects_lists_for_structs_at_any_depth() {
        let places = [
            (r#"{"maybe": [1, 2]}"#, "maybe"),
            (r#"{"list": [{"row": 1, "col": 2}, [1, 2]]}"#, "list[1]"),
            (r#"{"pair": [3, [1, 2]]}"#, "pair[1]"),
            (r#"{"names": {"a": [1, 2]}}"#, "names.a"),
            (r#"{"choices": [{"Pair": [5, [1, 2]]}]}"#, "choices[0].Pair[1]"),
            (r#"{"choices": [{"Place": [{"row": 1, "col": 2}]}]}"#, "choices[0].Place"),
            (r#"{"choices": [{"Place": {"at": [1, 2]}}]}"#, "choices[0].Place.at"),
            (r#"{"wrapped": [1, 2]}"#, "wrapped"),
            ("[]", "invalid type"),
        ];
        for (text, path) in places {
            assert!(serde_json::from_str::<All<'_>>(text).is_ok(), "Serde alone accepts {text}");
            let message = read(text).unwrap_err();
            assert!(message.starts_with(path), "{text}: {message}");
            assert!(
                message.contains("invalid type: sequence, expected an object"),
                "{text}: {message}"
            );
        }
    }

    #[test]
    fn accepts_floats_without_fraction_as_whole_numbers() {
        for (text, row) in [("7.0", 7), ("7e0", 7), ("0.7e1", 7), ("-0.0", 0), ("65535.0", 65535)] {
            let all = format!(r#"{{"maybe": {{"row": {text}, "col": 2}}}}"#);
            assert_eq!(read(&all).unwrap().maybe, Some(Place { row, col: 2 }), "{text}");
        }
        assert_eq!(read(r#"{"below": -7.0}"#).unwrap().below, -7);
        assert_eq!(read(r#"{"ratio": 7.0}"#).unwrap().ratio, 7.0);
        for (text, message) in [
            ("7.5", "floating point `7.5`"),
            ("1e300", "floating point"),
            ("65536.0", "integer `65536`"),
            ("-1.0", "integer `-1`"),
            ("\"7\"", "string"),
            ("null", "null"),
            ("true", "boolean"),
        ] {
            let error = read(&format!(r#"{{"maybe": {{"row": {text}, "col": 2}}}}"#)).unwrap_err();
            assert!(
                error.starts_with("maybe.row: invalid") && error.contains(message),
                "{text}: {error}"
            );
        }
        let beyond = r#"[9007199254740994.0]"#;
        let read =
            |text| Vec::<u64>::deserialize(Strict(&mut serde_json::Deserializer::from_str(text)));
        assert!(read(beyond).is_err());
        assert_eq!(read("[9007199254740994]").unwrap(), [9_007_199_254_740_994]);
    }

    #[test]
    fn errors_contain_no_names_of_rust_types() {
        fn describe<T: de::DeserializeOwned>(text: &str) -> String {
            let mut json = serde_json::Deserializer::from_str(text);
            let read = T::deserialize(Strict(&mut json)).and_then(|_| json.end());
            describe_json_error(&read.err().unwrap())
        }
        let at = |text: &str, column: u32| format!("{text} at line 1 column {column}");
        assert_eq!(describe::<i64>("\"nine\""), at("found \"nine\", expected a whole number", 6));
        assert_eq!(describe::<i64>("7.5"), at("found 7.5, expected a whole number", 3));
        assert_eq!(describe::<u64>("-1"), at("found -1, expected a non-negative whole number", 2));
        assert_eq!(
            describe::<u8>("300"),
            at("found 300, expected a whole number from 0 to 255", 3)
        );
        assert_eq!(
            describe::<i16>("40000"),
            at("found 40000, expected a whole number from -32768 to 32767", 5)
        );
        assert_eq!(describe::<f64>("\"x\""), at("found \"x\", expected a number", 3));
        assert_eq!(describe::<bool>("1"), at("found 1, expected true or false", 1));
        assert_eq!(describe::<Vec<u8>>("{}"), at("found an object, expected a list", 0));
        assert_eq!(
            describe::<(u8, u8)>("[1]"),
            at("found a list of length 1, expected a list of 2 values", 3)
        );
        assert_eq!(describe::<Place>("[1, 2]"), at("found a list, expected an object", 1));
        assert_eq!(describe::<Place>("{\"row\": 1}"), at("missing field `col`", 10));
        let choice = describe::<Choice>("\"Some\"");
        assert!(
            choice.starts_with("unknown value `Some`, expected one of `None`, `Number`"),
            "{choice}"
        );
        // Only Serde's text is rewritten, never the value.
        assert_eq!(
            describe::<i64>("\"a, expected i64\""),
            at("found \"a, expected i64\", expected a whole number", 17)
        );
        for (text, problem) in
            [("{", "EOF"), ("[1,]", "trailing comma"), ("1 2", "trailing characters")]
        {
            let message = describe::<serde_json::Value>(text);
            assert!(message.starts_with("not JSON: ") && message.contains(problem), "{message}");
        }
    }

    #[test]
    fn reports_missing_fields_and_wrong_types() {
        assert!(
            read(r#"{"maybe": 3}"#)
                .unwrap_err()
                .contains("maybe: invalid type: integer `3`, expected an object")
        );
        assert!(
            read(r#"{"maybe": {"row": 1}}"#).unwrap_err().contains("maybe: missing field `col`")
        );
        assert!(
            read(r#"{"text": 1}"#)
                .unwrap_err()
                .contains("text: invalid type: integer `1`, expected a borrowed string")
        );
    }
}
