//! Documents: maps saved in a versioned JSON envelope with a digest.
//!
//! The canonical bytes of a document are one line of UTF-8 JSON without white space. Its members
//! are `format`, `algorithm`, `seed`, `config`, `map` and `digest`, in this order. The digest is
//! the SHA-256 of the same line without the `digest` member and without members named
//! `generatedAt`. Any language with a JSON parser and SHA-256 can check it.

use crate::error::{DecodeError, TextPosition};
use crate::strict::{Strict, split_json_error};
use crate::{Rule, Seed};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// Version of the envelope.
pub const FORMAT: &str = "wayforge/1";

/// Rule: the digest of a document matches its content.
pub const DIGEST_MATCHES: Rule = Rule("digest-matches");

/// Rule: a document is in canonical form.
pub const CANONICAL_FORM: Rule = Rule("canonical-form");

/// A saved map of any family: algorithm, seed, configuration, map and digest.
///
/// # Examples
/// ```
/// use wayforge_core::{Digest, Document, Seed};
/// let (config, map) = ("{}".to_owned(), r#"{"nodes":[]}"#.to_owned());
/// let algorithm = "act.walks/1".to_owned();
/// let (seed, digest) = (Seed::new(7), Digest([0; 32]));
/// let mut document = Document { algorithm, seed, config, map, digest };
/// assert!(document.check_digest().is_err());
/// document.digest = document.computed_digest();
/// assert_eq!(Document::decode(document.to_text().as_bytes())?, document);
/// # Ok::<(), wayforge_core::DecodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Name of the algorithm that generated the map (`act.walks/1`).
    pub algorithm: String,
    /// Seed of the map.
    pub seed: Seed,
    /// Configuration with all defaults written out, as JSON without white space.
    pub config: String,
    /// Map, as JSON without white space.
    pub map: String,
    /// Digest as stated in the document.
    pub digest: Digest,
}

/// SHA-256 of a document, written as `sha256:` followed by 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

/// Builds the document of a map and computes its digest.
#[doc(hidden)]
pub fn build(
    algorithm: &str,
    seed: &Seed,
    config: &impl Serialize,
    map: &impl Serialize,
) -> Document {
    // Serialising plain values to memory cannot fail; every decoder rejects an empty member.
    let json = |part: serde_json::Result<String>| part.unwrap_or_default();
    let mut document = Document {
        algorithm: algorithm.to_owned(),
        seed: seed.clone(),
        config: json(serde_json::to_string(config)),
        map: json(serde_json::to_string(map)),
        digest: Digest([0; 32]),
    };
    document.digest = document.computed_digest();
    document
}

/// Error of [`deserialize`].
#[doc(hidden)]
pub struct JsonError {
    /// Path of the faulty member; `.` for the whole value.
    pub path: String,
    /// The problem.
    pub message: String,
    /// Where the parser found the problem.
    pub position: Option<TextPosition>,
}

/// Deserialises JSON strictly, without copying borrowed members.
#[doc(hidden)]
pub fn deserialize<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, JsonError> {
    let error = |path: String, error: serde_json::Error| {
        let (message, position) = split_json_error(&error);
        JsonError { path, message, position }
    };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let parsed = serde_path_to_error::deserialize(Strict(&mut deserializer))
        .map_err(|fault| error(fault.path().to_string(), fault.into_inner()))?;
    deserializer.end().map_err(|fault| error(".".to_owned(), fault))?;
    Ok(parsed)
}

/// Parses JSON strictly. Errors contain the path of the member, prefixed with `path`.
#[doc(hidden)]
pub fn parse<'a, T: Deserialize<'a>>(path: &str, text: &'a [u8]) -> Result<T, DecodeError> {
    deserialize(text).map_err(|JsonError { path: inner, message, position }| {
        let full_path = match (path, inner.as_str()) {
            ("", ".") => "document".to_owned(),
            ("", inner) => inner.to_owned(),
            (path, ".") => path.to_owned(),
            (path, inner) if inner.starts_with('[') => format!("{path}{inner}"),
            (path, inner) => format!("{path}.{inner}"),
        };
        // A position would be relative to the member; the path locates the error instead.
        let position = position.filter(|_| path.is_empty());
        DecodeError::Malformed { path: full_path, message, position }
    })
}

/// Parses a JSON object; rejects other JSON values with the error "not a JSON object".
#[doc(hidden)]
pub fn parse_object<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, DecodeError> {
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') | None => parse("", text),
        Some(_) => Err(DecodeError::malformed("document", "not a JSON object")),
    }
}

impl Document {
    /// Parses an envelope strictly, ignoring white space.
    ///
    /// Does not compare the digest; see [`check_digest`](Self::check_digest).
    ///
    /// # Errors
    /// A member is missing, duplicate, unknown or malformed, or the format is unknown.
    pub fn decode(bytes: &[u8]) -> Result<Document, DecodeError> {
        let envelope: Envelope = parse_object(bytes)?;
        if envelope.format != FORMAT {
            return Err(DecodeError::unknown("format", &envelope.format, FORMAT));
        }
        Ok(Document {
            algorithm: envelope.algorithm,
            seed: envelope.seed,
            config: without_white_space(envelope.config.get()),
            map: without_white_space(envelope.map.get()),
            digest: envelope.digest,
        })
    }

    /// Returns the canonical text: one line without white space or line terminator.
    pub fn to_text(&self) -> String {
        let mut text = self.text_without_digest();
        text.pop();
        text.push_str(&format!(",\"digest\":\"{}\"}}", self.digest));
        text
    }

    /// Checks that the algorithm is one of `known`.
    #[doc(hidden)]
    pub fn expect_algorithm(&self, known: &[&str]) -> Result<(), DecodeError> {
        if known.contains(&self.algorithm.as_str()) {
            return Ok(());
        }
        Err(DecodeError::unknown("algorithm", &self.algorithm, &known.join(", ")))
    }

    /// Computes the digest of the content.
    pub fn computed_digest(&self) -> Digest {
        Digest(Sha256::digest(self.digest_input().as_bytes()).into())
    }

    /// Compares the stated digest with the digest of the content.
    ///
    /// # Errors
    /// [`DecodeError::Digest`] if they differ.
    pub fn check_digest(&self) -> Result<(), DecodeError> {
        let computed = self.computed_digest();
        if computed == self.digest {
            return Ok(());
        }
        Err(DecodeError::Digest { stated: self.digest.to_string(), computed: computed.to_string() })
    }

    /// Compares the content with the `canonical` document of the same map.
    ///
    /// # Errors
    /// [`DecodeError::Malformed`] with the first member that differs.
    pub(crate) fn check_canonical_form(&self, canonical: &Document) -> Result<(), DecodeError> {
        let seeds = [self.seed.to_string(), canonical.seed.to_string()];
        let parts = [
            ("seed", &seeds[0], &seeds[1]),
            ("config", &self.config, &canonical.config),
            ("map", &self.map, &canonical.map),
        ];
        let Some((path, actual, expected)) =
            parts.into_iter().find(|(_, actual, expected)| actual != expected)
        else {
            return Ok(());
        };
        let same = actual.chars().zip(expected.chars()).take_while(|(a, b)| a == b).count();
        let snippet =
            |text: &str| text.chars().skip(same.saturating_sub(20)).take(50).collect::<String>();
        let (actual, expected) = (snippet(actual), snippet(expected));
        let message = format!("not in canonical form: {actual:?} should be {expected:?}");
        Err(DecodeError::malformed(path, message))
    }

    /// Returns the text that the digest covers: without `digest` and `generatedAt`.
    fn digest_input(&self) -> String {
        let (text, name) = (self.text_without_digest(), "\"generatedAt\"");
        // Few maps have the member, and searching is much cheaper than copying.
        if text.contains(name) { without_member(&text, name) } else { text }
    }

    fn text_without_digest(&self) -> String {
        let algorithm = serde_json::Value::from(self.algorithm.as_str());
        let seed = serde_json::Value::from(self.seed.to_string());
        let Document { config, map, .. } = self;
        format!(
            "{{\"format\":\"{FORMAT}\",\"algorithm\":{algorithm},\"seed\":{seed},\
             \"config\":{config},\"map\":{map}}}"
        )
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    format: String,
    algorithm: String,
    seed: Seed,
    config: Box<RawValue>,
    map: Box<RawValue>,
    digest: Digest,
}

/// Removes white space between JSON tokens.
fn without_white_space(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in json.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            in_string = c == '"';
        }
        out.push(c);
    }
    out
}

/// Removes the members called `name` that have string values. `json` contains no white space.
fn without_member(json: &str, name: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('"') {
        let (before, string) = rest.split_at(at);
        let end = string_end(string);
        let (string, after) = string.split_at(end);
        out.push_str(before);
        if string == name && after.starts_with(":\"") {
            let value = &after[1..];
            let after = &value[string_end(value)..];
            rest = match after.strip_prefix(',') {
                Some(next) => next,
                // After the last member of an object, remove the comma before it instead.
                None => {
                    out.truncate(out.strip_suffix(',').map_or(out.len(), str::len));
                    after
                }
            };
        } else {
            out.push_str(string);
            rest = after;
        }
    }
    out + rest
}

/// Returns the length of the JSON string at the start of `text`.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        end
    });
    end.map_or(text.len(), |end| end + 2)
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Digest {
    /// Parses a digest in the form that [`Display`](fmt::Display) writes; `None` for other text.
    pub fn from_text(text: &str) -> Option<Digest> {
        let hex = text.strip_prefix("sha256:")?;
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        // Rejects upper case, signs and extra digits.
        Some(Digest(bytes)).filter(|digest| digest.to_string() == text)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = String::deserialize(deserializer)?;
        Digest::from_text(&text).ok_or_else(|| {
            let expected = &"\"sha256:\" and 64 lower-case hexadecimal digits";
            serde::de::Error::invalid_value(serde::de::Unexpected::Str(&text), expected)
        })
    }
}

#[cfg(feature = "schema")]
crate::impl_json_schema!(Digest, "Digest", |_| {
    "type": "string",
    "pattern": "^sha256:[0-9a-f]{64}$",
    "description": "SHA-256 of the canonical bytes of the other members."
});

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Document {
        build(
            "example/1",
            &Seed::new(5),
            &serde_json::json!({"name": "a \" b"}),
            &serde_json::json!([1, 2]),
        )
    }

    #[test]
    fn digest_is_sha256_of_the_line_without_digest() {
        let without_digest = concat!(
            r#"{"format":"wayforge/1","algorithm":"example/1","seed":"5","#,
            r#""config":{"name":"a \" b"},"map":[1,2]}"#,
        );
        assert_eq!(sample().computed_digest().0, <[u8; 32]>::from(Sha256::digest(without_digest)));
        assert_eq!(Digest::from_text(&sample().digest.to_string()), Some(sample().digest));
        // The published SHA-256 of the empty message.
        let empty = Digest(Sha256::digest(b"").into()).to_string();
        assert_eq!(
            empty,
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }

    #[test]
    fn seed_text_is_escaped_as_in_python_and_javascript() {
        // Same as Python's json.dumps(..., separators=(",", ":"), ensure_ascii=False) and
        // JavaScript's JSON.stringify.
        let without_digest = "{\"format\":\"wayforge/1\",\"algorithm\":\"example/1\",\
            \"seed\":\"\\\" \\\\ / \\u0001\\b\\t\\n\\f\\r\\u001f\
             \u{7f}\u{85}\u{2028}\u{e4}\u{1f680}\",\
            \"config\":{},\"map\":[]}";
        let seed = Seed::from_text(
            "\" \\ / \u{1}\u{8}\t\n\u{c}\r\u{1f}\u{7f}\u{85}\u{2028}\u{e4}\u{1f680}",
        );
        let document = build("example/1", &seed, &serde_json::json!({}), &serde_json::json!([]));
        assert_eq!(document.text_without_digest(), without_digest);
        assert_eq!(
            document.digest.to_string(),
            "sha256:65f011d17326225ebdee5fd35fb34ba27091a48ea2d3e3364873a8d05731d55f"
        );
        assert_eq!(Document::decode(document.to_text().as_bytes()), Ok(document));
        // A seed that looks like a `generatedAt` member is still part of the digest.
        let tricky = Seed::from_text("\"generatedAt\":\"x\",");
        let document = build("example/1", &tricky, &serde_json::json!({}), &serde_json::json!([]));
        assert_eq!(document.digest_input(), document.text_without_digest());
    }

    #[test]
    fn generated_at_is_not_part_of_the_digest() {
        let generated = |at: &str| {
            let tricky = "\"generatedAt\":\"x\",";
            let map =
                serde_json::json!([{"a": tricky, "generatedAt": at, "version": "generatedAt"}]);
            build("example/1", &Seed::new(5), &serde_json::json!({}), &map)
        };
        let (one, other) = (generated("1970"), generated("20\"26\\\\"));
        assert_eq!(one.digest, other.digest);
        assert_ne!(one.to_text(), other.to_text());
        assert_eq!(
            without_member(&one.map, "\"generatedAt\""),
            "[{\"a\":\"\\\"generatedAt\\\":\\\"x\\\",\",\"version\":\"generatedAt\"}]"
        );
        let read = Document::decode(other.to_text().as_bytes()).unwrap();
        assert_eq!(read.check_digest(), Ok(()));
        let last = r#"[{"a":1,"generatedAt":"x"},{"generatedAt":"x"},{"generatedAt":3}]"#;
        assert_eq!(without_member(last, "\"generatedAt\""), r#"[{"a":1},{},{"generatedAt":3}]"#);
    }

    #[test]
    fn decoding_ignores_white_space_and_member_order() {
        let text = sample().to_text();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        assert_ne!(pretty, text);
        let read = Document::decode(pretty.as_bytes()).unwrap();
        assert_eq!((read.to_text(), read.check_digest()), (text.clone(), Ok(())));
        let changed = Document::decode(text.replace("[1,2]", "[1,3]").as_bytes()).unwrap();
        assert!(matches!(changed.check_digest(), Err(DecodeError::Digest { .. })));
    }

    #[test]
    fn snippets_of_other_forms_count_characters() {
        let config =
            |tail: &str| serde_json::json!({ "name": format!("{}{tail}", "é".repeat(100)) });
        let document = |tail| build("example/1", &Seed::new(5), &config(tail), &());
        let error = document("x").check_canonical_form(&document("y")).unwrap_err().to_string();
        let same = "é".repeat(20);
        let expected = format!(
            "config: not in canonical form: {:?} should be {:?}",
            format!("{same}x\"}}"),
            format!("{same}y\"}}")
        );
        assert_eq!(error, expected);
    }

    #[test]
    fn positions_are_fields_and_never_part_of_a_value() {
        let error = parse::<u8>("", br#""x at line 9 column 9""#).unwrap_err();
        let text = error.to_string();
        assert!(
            text.ends_with("expected a whole number from 0 to 255 at line 1 column 22"),
            "{text}"
        );
        let member = parse::<u8>("map", br#""x at line 9 column 9""#).unwrap_err();
        assert_eq!(
            member.to_string(),
            "map: found \"x at line 9 column 9\", expected a whole number from 0 to 255"
        );
        assert!(error.without_position().to_string().ends_with("from 0 to 255"));
    }

    #[test]
    fn rejects_malformed_members_and_names_them() {
        let text = sample().to_text();
        let error = |text: String| Document::decode(text.as_bytes()).unwrap_err().to_string();
        assert!(
            error(text.replace("wayforge/1", "wayforge/9"))
                .starts_with("format: \"wayforge/9\" is unknown")
        );
        assert!(error(text.replace("\"seed\":\"5\"", "\"seed\":5")).starts_with("seed: "));
        assert!(error(text.replace("\"seed\"", "\"sead\"")).contains("sead"));
        assert!(error(text.replace("\"map\":[1,2],", "")).contains("map"));
        assert!(error(text.replace("sha256:", "md5:")).starts_with("digest: "));
        assert!(error(format!("{text}x")).starts_with("document: "));
        assert_eq!(error("[".repeat(100_000)), "document: not a JSON object");
        assert!(
            error(text.replace("[1,2]", &"[".repeat(100_000))).contains("line 1 column"),
            "deep nesting does not overflow the stack"
        );
        assert!(error(text.replace("\"map\"", "\"config\":1,\"map\"")).contains("duplicate"));
    }
}
