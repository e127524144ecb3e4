//! Whether a request comes from Discord: Ed25519 over the timestamp and the raw body after it.

use crate::problem::{Kind, Problem};
use axum::http::HeaderMap;
use ed25519_dalek::{Signature, VerifyingKey};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};
use wayforge::ConfigError;

/// The public key of an application, as Discord's developer page shows it: 64 hex digits.
///
/// ```
/// use wayforge_server::discord::PublicKey;
/// assert!("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a".parse::<PublicKey>().is_ok());
/// let error = "my key".parse::<PublicKey>().unwrap_err();
/// assert!(error.to_string().contains("64 hex digits"), "{error}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl FromStr for PublicKey {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<PublicKey, ConfigError> {
        let refuse = |problem: &str| {
            let remedy =
                "copy the 64 hex digits of \"Public Key\" from the application's General Information";
            ConfigError::new("public key", format!("{text:?}"), problem, remedy)
        };
        let bytes = unhex::<32>(text).ok_or_else(|| refuse("not a key"))?;
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| refuse("not a point of the curve"))?;
        // Anybody can sign for such a key.
        if key.is_weak() {
            return Err(refuse("a key of small order, which proves nothing"));
        }
        Ok(PublicKey(key))
    }
}

impl PublicKey {
    /// Lets a request through if it was signed with this key's other half, within `window` of `now`.
    pub(super) fn check(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: SystemTime,
        window: Duration,
    ) -> Result<(), Problem> {
        let named = |name: &'static str| {
            let refuse = |what: &str| refused(name, format!("{name}: {what}"));
            let value = headers.get(name).ok_or_else(|| refuse("missing"))?;
            value.to_str().map_err(|_| refuse("not readable"))
        };
        let (signature, timestamp) = (named(SIGNATURE)?, named(TIMESTAMP)?);
        let bytes = unhex::<64>(signature)
            .ok_or_else(|| refused(SIGNATURE, format!("{SIGNATURE}: not 128 hex digits")))?;
        let message = [timestamp.as_bytes(), body].concat();
        self.0
            .verify_strict(&message, &Signature::from_bytes(&bytes))
            .map_err(|_| refused(SIGNATURE, "the signature does not hold for this timestamp and body"))?;
        // Only now is the timestamp what Discord wrote.
        let stale = || {
            let detail = format!("{TIMESTAMP}: further than {} s from now", window.as_secs());
            refused(TIMESTAMP, detail)
        };
        let digits =
            (1..=12).contains(&timestamp.len()) && timestamp.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = timestamp.parse().ok().filter(|_| digits).ok_or_else(stale)?;
        let then = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)).ok_or_else(stale)?;
        let apart = now.duration_since(then).unwrap_or_else(|ahead| ahead.duration());
        if apart > window { Err(stale()) } else { Ok(()) }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0.as_bytes()))
    }
}

const SIGNATURE: &str = "x-signature-ed25519";
const TIMESTAMP: &str = "x-signature-timestamp";

fn refused(field: &str, detail: impl Into<String>) -> Problem {
    Problem::new(Kind::Signature, detail).field(field)
}

/// Bytes from hex digits.
fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::{Signer, SigningKey};

    const NOW: u64 = 1_790_000_000;
    const WINDOW: Duration = Duration::from_secs(300);

    fn signed(key: &SigningKey, timestamp: &str, body: &[u8]) -> HeaderMap {
        let signature = key.sign(&[timestamp.as_bytes(), body].concat()).to_bytes();
        let hex = hex::encode(signature);
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
        let answer = key.check(headers, body, now, WINDOW);
        answer.map_err(|problem| {
            assert_eq!(problem.status(), 401);
            serde_json::to_value(&problem).unwrap()["field"].as_str().map(str::to_owned)
        })
    }

    #[test]
    fn only_what_is_signed_with_the_key_passes() {
        let (key, other) = (SigningKey::from_bytes(&[7; 32]), SigningKey::from_bytes(&[8; 32]));
        let (mine, body, now) = (public(&key), br#"{"type":1}"#, NOW.to_string());
        assert_eq!(check(&mine, &signed(&key, &now, body), body), Ok(()));
        let signature = || Err(Some(SIGNATURE.to_owned()));
        assert_eq!(check(&mine, &signed(&other, &now, body), body), signature(), "another key");
        assert_eq!(check(&mine, &signed(&key, &now, body), br#"{"type":2}"#), signature(), "another body");
        let mut moved = signed(&key, &now, body);
        moved.insert(TIMESTAMP, (NOW + 1).to_string().parse().unwrap());
        assert_eq!(check(&mine, &moved, body), signature(), "another timestamp");
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
    fn timestamps_out_of_the_window_are_refused_though_signed() {
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
            let answer = check(&public(&key), &signed(&key, &timestamp, b"{}"), b"{}");
            let expected = if passes { Ok(()) } else { Err(Some(TIMESTAMP.to_owned())) };
            assert_eq!(answer, expected, "{timestamp:?}");
        }
    }

    #[test]
    fn keys_are_read_or_refused() {
        let key = public(&SigningKey::from_bytes(&[7; 32]));
        assert_eq!(key.to_string().parse::<PublicKey>().unwrap(), key);
        assert_eq!(key.to_string().to_uppercase().parse::<PublicKey>().unwrap(), key);
        for bad in
            ["", "00", &"0".repeat(64), &"é".repeat(32), &"f".repeat(65), &format!("01{}", "0".repeat(62))]
        {
            assert!(bad.parse::<PublicKey>().is_err(), "{bad:?}");
        }
    }
}
