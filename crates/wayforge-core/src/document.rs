//! What is saved: a map in a versioned envelope with a digest.
//!
//! The canonical bytes of a document are one line of JSON in UTF-8 without any space, its members in the order `format`,
//! `algorithm`, `seed`, `config`, `map`, `digest`. The digest is the SHA-256 of the same line without the `digest`
//! member and without any member called `generatedAt`, so that any language can check it with what it has at hand.

use crate::{DecodeError, Rule, Seed, Strict, describe_json_error};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The envelope's own version.
pub const FORMAT: &str = "wayforge/1";

/// The rule that a document's digest belongs to its content.
pub const DIGEST_MATCHES: Rule = Rule("digest-matches");

/// The rule that a document is written in the one canonical way.
pub const CANONICAL_FORM: Rule = Rule("canonical-form");

/// A saved map of any family: what it was made from, what it is, and the digest of both.
///
/// ```
/// use wayforge_core::{Digest, Document, Seed};
/// let (config, map) = ("{}".to_owned(), r#"{"nodes":[]}"#.to_owned());
/// let algorithm = "act.walks/1".to_owned();
/// let mut document = Document { algorithm, seed: Seed::new(7), config, map, digest: Digest([0; 32]) };
/// assert!(document.check_digest().is_err());
/// document.digest = document.computed_digest();
/// assert_eq!(Document::decode(document.to_text().as_bytes())?, document);
/// # Ok::<(), wayforge_core::DecodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The algorithm that made the map, which fixes it for ever (`act.walks/1`).
    pub algorithm: String,
    /// The seed.
    pub seed: Seed,
    /// The configuration with every default written out, as JSON without spaces.
    pub config: String,
    /// The map, as JSON without spaces.
    pub map: String,
    /// The digest as the document states it.
    pub digest: Digest,
}

/// The SHA-256 of a document's canonical bytes, written `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

/// Puts a map into its document.
#[doc(hidden)]
pub fn seal(algorithm: &str, seed: &Seed, config: &impl Serialize, map: &impl Serialize) -> Document {
    // Writing plain values into memory cannot fail; an empty member would be caught by every decoder.
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

/// Parses JSON of one type, [strictly](Strict), and says where it is wrong; `path` stands before the place.
#[doc(hidden)]
pub fn parse<T: DeserializeOwned>(path: &str, text: &[u8]) -> Result<T, DecodeError> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let parsed = serde_path_to_error::deserialize(Strict(&mut deserializer)).map_err(|error| {
        let inner = error.path().to_string();
        let at = match (path, inner.as_str()) {
            ("", ".") => "document".to_owned(),
            ("", inner) => inner.to_owned(),
            (path, ".") => path.to_owned(),
            (path, inner) if inner.starts_with('[') => format!("{path}{inner}"),
            (path, inner) => format!("{path}.{inner}"),
        };
        let message = describe_json_error(&error.into_inner());
        // Inside a member, line and column would count from its beginning and mislead; the path says where.
        let message = match message.rsplit_once(" at line ") {
            Some((what, _)) if !path.is_empty() => what.to_owned(),
            _ => message,
        };
        DecodeError::Shape { path: at, message }
    })?;
    deserializer.end().map_err(|error| DecodeError::Shape {
        path: if path.is_empty() { "document".into() } else { path.into() },
        message: describe_json_error(&error),
    })?;
    Ok(parsed)
}

/// Parses a JSON object, and says so in plain words if it is none.
#[doc(hidden)]
pub fn parse_object<T: DeserializeOwned>(text: &[u8]) -> Result<T, DecodeError> {
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') | None => parse("", text),
        Some(_) => Err(DecodeError::Shape { path: "document".into(), message: "not a JSON object".into() }),
    }
}

impl Document {
    /// Reads the envelope strictly: all members, none twice, no others. White space is not looked at.
    ///
    /// The digest is read, not compared: see [`check_digest`](Self::check_digest).
    pub fn decode(bytes: &[u8]) -> Result<Document, DecodeError> {
        let envelope: Envelope = parse_object(bytes)?;
        if envelope.format != FORMAT {
            let known = FORMAT.to_owned();
            return Err(DecodeError::Unknown { field: "format", value: envelope.format, known });
        }
        Ok(Document {
            algorithm: envelope.algorithm,
            seed: envelope.seed,
            config: without_spaces(envelope.config.get()),
            map: without_spaces(envelope.map.get()),
            digest: envelope.digest,
        })
    }

    /// The canonical text: one line, no space, no end of line.
    pub fn to_text(&self) -> String {
        let mut text = self.unsigned_text();
        text.pop();
        text.push_str(&format!(",\"digest\":\"{}\"}}", self.digest));
        text
    }

    /// The digest of what the document holds.
    pub fn computed_digest(&self) -> Digest {
        Digest(Sha256::digest(self.timeless_text().as_bytes()).into())
    }

    /// Compares the stated digest with the content.
    pub fn check_digest(&self) -> Result<(), DecodeError> {
        let computed = self.computed_digest();
        if computed == self.digest {
            return Ok(());
        }
        Err(DecodeError::Digest { stated: self.digest.to_string(), computed: computed.to_string() })
    }

    /// Compares the content with what it says when it is written anew.
    pub(crate) fn check_form(&self, again: &Document) -> Result<(), DecodeError> {
        let seeds = [self.seed.to_string(), again.seed.to_string()];
        let parts = [
            ("seed", &seeds[0], &seeds[1]),
            ("config", &self.config, &again.config),
            ("map", &self.map, &again.map),
        ];
        let Some((path, here, canonical)) = parts.into_iter().find(|(_, here, canonical)| here != canonical)
        else {
            return Ok(());
        };
        let at = here.bytes().zip(canonical.bytes()).take_while(|(a, b)| a == b).count();
        let snippet = |text: &str| text.chars().skip(at.saturating_sub(20)).take(50).collect::<String>();
        let message =
            format!("not in canonical form: {:?} should be {:?}", snippet(here), snippet(canonical));
        Err(DecodeError::Shape { path: path.to_owned(), message })
    }

    /// What the digest is of: when a map was made is no part of what it is.
    fn timeless_text(&self) -> String {
        let (text, moment) = (self.unsigned_text(), "\"generatedAt\"");
        // Few maps say when they were made; looking is much cheaper than copying.
        if text.contains(moment) { without_member(&text, moment) } else { text }
    }

    fn unsigned_text(&self) -> String {
        let algorithm = serde_json::Value::from(self.algorithm.as_str());
        let seed = serde_json::Value::from(self.seed.to_string());
        let Document { config, map, .. } = self;
        format!(
            "{{\"format\":\"{FORMAT}\",\"algorithm\":{algorithm},\"seed\":{seed},\"config\":{config},\"map\":{map}}}"
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

/// JSON without the white space between its tokens.
fn without_spaces(json: &str) -> String {
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

/// JSON without spaces, without the members of one name whose value is a string.
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
                // The last member of an object takes the comma before it along.
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

/// Where the string ends that begins a text.
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
    /// Reads a digest as [`Display`](fmt::Display) writes it.
    pub fn from_text(text: &str) -> Option<Digest> {
        let hex = text.strip_prefix("sha256:")?;
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        // Capitals, signs and more digits are not written that way.
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
            let expected = &"\"sha256:\" and 64 small hexadecimal digits";
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
        seal("example/1", &Seed::new(5), &serde_json::json!({"name": "a \" b"}), &serde_json::json!([1, 2]))
    }

    #[test]
    fn digest_is_the_sha256_of_the_unsigned_line() {
        let unsigned = r#"{"format":"wayforge/1","algorithm":"example/1","seed":"5","config":{"name":"a \" b"},"map":[1,2]}"#;
        assert_eq!(sample().computed_digest().0, <[u8; 32]>::from(Sha256::digest(unsigned)));
        assert_eq!(Digest::from_text(&sample().digest.to_string()), Some(sample().digest));
        // The published value of the empty message.
        let empty = Digest(Sha256::digest(b"").into()).to_string();
        assert_eq!(empty, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn text_of_seeds_is_escaped_as_other_languages_do() {
        // The line is Python's json.dumps(..., separators=(",", ":"), ensure_ascii=False), and JavaScript's JSON.stringify.
        let unsigned = "{\"format\":\"wayforge/1\",\"algorithm\":\"example/1\",\
            \"seed\":\"\\\" \\\\ / \\u0001\\b\\t\\n\\f\\r\\u001f\u{7f}\u{85}\u{2028}\u{e4}\u{1f680}\",\"config\":{},\"map\":[]}";
        let seed = Seed::from_text("\" \\ / \u{1}\u{8}\t\n\u{c}\r\u{1f}\u{7f}\u{85}\u{2028}\u{e4}\u{1f680}");
        let document = seal("example/1", &seed, &serde_json::json!({}), &serde_json::json!([]));
        assert_eq!(document.unsigned_text(), unsigned);
        assert_eq!(
            document.digest.to_string(),
            "sha256:65f011d17326225ebdee5fd35fb34ba27091a48ea2d3e3364873a8d05731d55f"
        );
        assert_eq!(Document::decode(document.to_text().as_bytes()), Ok(document));
        // A seed cannot pose as a time, which stands outside the digest.
        let tricky = Seed::from_text("\"generatedAt\":\"x\",");
        let document = seal("example/1", &tricky, &serde_json::json!({}), &serde_json::json!([]));
        assert_eq!(document.timeless_text(), document.unsigned_text());
    }

    #[test]
    fn when_a_map_was_made_is_no_part_of_the_digest() {
        let made = |at: &str| {
            let tricky = "\"generatedAt\":\"x\",";
            let map = serde_json::json!([{"a": tricky, "generatedAt": at, "version": "generatedAt"}]);
            seal("example/1", &Seed::new(5), &serde_json::json!({}), &map)
        };
        let (one, other) = (made("1970"), made("20\"26\\\\"));
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
    fn spaces_and_member_order_do_not_matter_but_content_does() {
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
    fn strict_about_members_and_says_where() {
        let text = sample().to_text();
        let error = |text: String| Document::decode(text.as_bytes()).unwrap_err().to_string();
        assert!(
            error(text.replace("wayforge/1", "wayforge/9")).starts_with("format: \"wayforge/9\" is unknown")
        );
        assert!(error(text.replace("\"seed\":\"5\"", "\"seed\":5")).starts_with("seed: "));
        assert!(error(text.replace("\"seed\"", "\"sead\"")).contains("sead"));
        assert!(error(text.replace("\"map\":[1,2],", "")).contains("map"));
        assert!(error(text.replace("sha256:", "md5:")).starts_with("digest: "));
        assert!(error(format!("{text}x")).starts_with("document: "));
        assert_eq!(error("[".repeat(100_000)), "document: not a JSON object");
        assert!(
            error(text.replace("[1,2]", &"[".repeat(100_000))).contains("line 1 column"),
            "nesting costs no stack"
        );
        assert!(error(text.replace("\"map\"", "\"config\":1,\"map\"")).contains("duplicate"));
    }
}
