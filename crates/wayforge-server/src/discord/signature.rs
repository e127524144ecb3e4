//! Verifies that a request comes from Discord: an Ed25519 signature of timestamp and raw body.

use crate::problem::{Problem, ProblemKind};
use axum::http::HeaderMap;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use ed25519_dalek::{Signature, VerifyingKey};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};
use wayforge::ConfigError;

/// Public key of an application, as Discord's developer portal shows it: 64 hex digits.
///
/// # Examples
///
/// ```
/// use wayforge_server::discord::PublicKey;
/// let key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
/// assert!(key.parse::<PublicKey>().is_ok());
/// let error = "my key".parse::<PublicKey>().unwrap_err();
/// assert!(error.to_string().contains("64 hex digits"), "{error}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl FromStr for PublicKey {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<PublicKey, ConfigError> {
        let invalid = |problem: &str| {
            let remedy = "copy the 64 hex digits of \"Public Key\" from the application's General \
                          Information page";
            ConfigError::new("public key", format!("{text:?}"), problem, remedy)
        };
        let bytes = decode_hex::<32>(text).ok_or_else(|| invalid("not a key"))?;
        let key =
            VerifyingKey::from_bytes(&bytes).map_err(|_| invalid("not a point on the curve"))?;
        // Anyone can create valid signatures for a weak key.
        if key.is_weak() {
            return Err(invalid("a weak key of small order"));
        }
        Ok(PublicKey(key))
    }
}

impl PublicKey {
    /// Checks that a request is signed for this key and its timestamp is within `window` of `now`.
    ///
    /// # Errors
    /// [`ProblemKind::InvalidSignature`] naming the invalid header.
    pub(super) fn check(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: SystemTime,
        window: Duration,
    ) -> Result<(), Problem> {
        let header = |name: &'static str| {
            let invalid = |problem: &str| invalid_signature(name, format!("{name}: {problem}"));
            let value = headers.get(name).ok_or_else(|| invalid("missing"))?;
            value.to_str().map_err(|_| invalid("not valid text"))
        };
        let (signature, timestamp) = (header(SIGNATURE)?, header(TIMESTAMP)?);
        let bytes = decode_hex::<64>(signature).ok_or_else(|| {
            invalid_signature(SIGNATURE, format!("{SIGNATURE}: not 128 hex digits"))
        })?;
        let message = [timestamp.as_bytes(), body].concat();
        self.0.verify_strict(&message, &Signature::from_bytes(&bytes)).map_err(|_| {
            invalid_signature(SIGNATURE, "the signature does not match timestamp and body")
        })?;
        // The timestamp is trusted only after the signature is verified.
        let stale = || {
            let seconds = window.as_secs();
            let detail = format!("{TIMESTAMP}: more than {seconds} s from the server's time");
            invalid_signature(TIMESTAMP, detail)
        };
        let digits = (1..=12).contains(&timestamp.len())
            && timestamp.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = timestamp.parse().ok().filter(|_| digits).ok_or_else(stale)?;
        let then =
            SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)).ok_or_else(stale)?;
        let difference = now.duration_since(then).unwrap_or_else(|ahead| ahead.duration());
        if difference > window { Err(stale()) } else { Ok(()) }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(self.0.as_bytes()))
    }
}

const SIGNATURE: &str = "x-signature-ed25519";
const TIMESTAMP: &str = "x-signature-timestamp";

fn invalid_signature(field: &str, detail: impl Into<String>) -> Problem {
    Problem::new(ProblemKind::InvalidSignature, detail).field(field)
}

/// Decodes hex digits.
fn decode_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::{Signer, SigningKey};

    const NOW: u64 = 1_790_000_000;
    const WINDOW: Duration = Duration::from_secs(300);

    fn signed(key: &SigningKey, timestamp: &str, body: &[u8]) -> HeaderMap {
        let signature = key.sign(&[timestamp.as_bytes(), body].concat()).to_bytes();
        let hex = HEXLOWER.encode(&signature);
        let mut headers = HeaderMap::new();
        headers.insert(SIGNATURE, hex.parse().unwrap());
        headers.insert(TIMESTAMP, timestamp.parse().unwrap());
        headers
    }

    fn public(key: &SigningKey) -> PublicKey {
        PublicKey(key.verifying_key())
    }

    fn check(key: &PublicKey, headers: &HeaderMap, body: &[u8]) -> Result<(), Option<String>> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW);
        key.check(headers, body, now, WINDOW).map_err(|problem| {
            assert_eq!(problem.status(), 401);
            serde_json::to_value(&problem).unwrap()["field"].as_str().map(str::to_owned)
        })
    }

    #[test]
    fn rejects_altered_and_foreign_signatures() {
        let (key, other) = (SigningKey::from_bytes(&[7; 32]), SigningKey::from_bytes(&[8; 32]));
        let (mine, body, now) = (public(&key), br#"{"type":1}"#, NOW.to_string());
        assert_eq!(check(&mine, &signed(&key, &now, body), body), Ok(()));
        let signature = || Err(Some(SIGNATURE.to_owned()));
        assert_eq!(check(&mine, &signed(&other, &now, body), body), signature(), "another key");
        assert_eq!(
            check(&mine, &signed(&key, &now, body), br#"{"type":2}"#),
            signature(),
            "another body"
        );
        let mut redated = signed(&key, &now, body);
        redated.insert(TIMESTAMP, (NOW + 1).to_string().parse().unwrap());
        assert_eq!(check(&mine, &redated, body), signature(), "another timestamp");
        for broken in ["", "ab", &"g".repeat(128), &"0".repeat(128)] {
            let mut headers = signed(&key, &now, body);
            headers.insert(SIGNATURE, broken.parse().unwrap());
            assert_eq!(check(&mine, &headers, body), signature(), "{broken:?}");
        }
        for name in [SIGNATURE, TIMESTAMP] {
            let mut headers = signed(&key, &now, body);
            headers.remove(name);
            assert_eq!(check(&mine, &headers, body), Err(Some(name.to_owned())));
        }
    }

    #[test]
    fn rejects_signed_timestamps_outside_the_window() {
        let key = SigningKey::from_bytes(&[7; 32]);
        for (timestamp, passes) in [
            (NOW.to_string(), true),
            ((NOW - 300).to_string(), true),
            ((NOW - 301).to_string(), false),
            ((NOW + 300).to_string(), true),
            ((NOW + 301).to_string(), false),
            ("0".to_owned(), false),
            (u64::MAX.to_string(), false),
            (String::new(), false),
            (format!("+{NOW}"), false),
            ("yesterday".to_owned(), false),
        ] {
            let result = check(&public(&key), &signed(&key, &timestamp, b"{}"), b"{}");
            let expected = if passes { Ok(()) } else { Err(Some(TIMESTAMP.to_owned())) };
            assert_eq!(result, expected, "{timestamp:?}");
        }
    }

    #[test]
    fn parses_valid_keys_and_rejects_others() {
        let key = public(&SigningKey::from_bytes(&[7; 32]));
        assert_eq!(key.to_string().parse::<PublicKey>().unwrap(), key);
        assert_eq!(key.to_string().to_uppercase().parse::<PublicKey>().unwrap(), key);
        for bad in [
            "",
            "00",
            &"0".repeat(64),
            &"é".repeat(32),
            &"f".repeat(65),
            &format!("01{}", "0".repeat(62)),
        ] {
            assert!(bad.parse::<PublicKey>().is_err(), "{bad:?}");
        }
    }
}
