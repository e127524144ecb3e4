//! Request ids: `X-Request-Id` connects a response with the log lines of its request.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Header of requests and responses.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Maximum length of an id that a client chooses.
const MAX_LENGTH: usize = 64;

/// Random prefix of the ids of this process.
static PREFIX: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one("request id"));
/// Number of ids that this process has created.
static CREATED: AtomicU64 = AtomicU64::new(0);

/// Returns the id that the client sent, or a new one if it sent none, several or an invalid one.
pub(crate) fn request_id(headers: &HeaderMap) -> HeaderValue {
    let mut sent = headers.get_all(REQUEST_ID).iter();
    if let (Some(id), None) = (sent.next(), sent.next())
        && is_valid(id.as_bytes())
    {
        return id.clone();
    }
    let number = CREATED.fetch_add(1, Ordering::Relaxed);
    let id = format!("{:016x}-{number}", *PREFIX);
    HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("unknown"))
}

/// Returns whether an id is safe in headers and logs: 1 to 64 characters of `[A-Za-z0-9._-]`.
fn is_valid(id: &[u8]) -> bool {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    (1..=MAX_LENGTH).contains(&id.len()) && id.iter().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(ids: &[&str]) -> HeaderMap {
        let values = ids.iter().map(|id| HeaderValue::from_bytes(id.as_bytes()).unwrap());
        values.map(|value| (REQUEST_ID, value)).collect()
    }

    #[test]
    fn keeps_valid_ids_and_replaces_others() {
        let longest = "x".repeat(MAX_LENGTH);
        for id in ["a", "A.b_c-9", &longest] {
            assert_eq!(request_id(&headers(&[id])), id);
        }
        let too_long = "x".repeat(MAX_LENGTH + 1);
        let mut created = vec![request_id(&HeaderMap::new()), request_id(&headers(&["a", "b"]))];
        for id in ["", "a b", "a\"b", "a/b", "\u{e9}", &too_long] {
            created.push(request_id(&headers(&[id])));
            assert_ne!(created.last().unwrap().as_bytes(), id.as_bytes());
        }
        assert!(created.iter().all(|id| is_valid(id.as_bytes())), "{created:?}");
        created.sort();
        created.dedup();
        assert_eq!(created.len(), 8, "ids are unique");
    }
}
