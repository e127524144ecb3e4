//! Client of Discord's HTTP API, with retries.

use super::message::Message;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, USER_AGENT};
use hyper::{HeaderMap, Method, Request, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;
use wayforge::ConfigError;

/// Base URL of Discord's API: `https://`, or `http://` with a loopback address.
///
/// # Examples
/// ```
/// use wayforge_server::discord::ApiAddress;
/// assert_eq!(ApiAddress::default().to_string(), "https://discord.com/api/v10");
/// assert!("http://127.0.0.1:9000/api".parse::<ApiAddress>().is_ok());
/// assert!("http://example.org/api".parse::<ApiAddress>().is_err(), "would expose tokens");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiAddress(String);

impl Default for ApiAddress {
    fn default() -> ApiAddress {
        ApiAddress("https://discord.com/api/v10".to_owned())
    }
}

impl FromStr for ApiAddress {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<ApiAddress, ConfigError> {
        let invalid = |problem: &str| {
            let remedy = "use https://HOST/PATH, for example https://discord.com/api/v10, or \
                          http:// with a loopback address";
            ConfigError::new("api", format!("{text:?}"), problem, remedy)
        };
        let uri: Uri = text.parse().map_err(|_| invalid("not a URL"))?;
        let host = uri.host().ok_or_else(|| invalid("not an absolute URL"))?;
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_loopback = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if is_loopback => {}
            Some("http") => return Err(invalid("would send tokens unencrypted")),
            _ => return Err(invalid("unknown scheme")),
        }
        if uri.query().is_some() || text.contains(['#', '@']) {
            return Err(invalid("has a query, a fragment or a user"));
        }
        Ok(ApiAddress(text.trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for ApiAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Failed request to Discord's API.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// Discord rejected the request.
    #[error("Discord responded with {status}: {body}")]
    Rejected {
        /// Status of the response.
        status: u16,
        /// Beginning of the response's body.
        body: String,
    },
    /// No attempt got a valid response.
    #[error("Discord cannot be reached: {0}")]
    Unreachable(String),
    /// The build of the server cannot set up TLS.
    #[error("TLS is not available: {0}; report this as a bug")]
    NoTls(String),
}

/// Maximum number of attempts to send a request.
const MAX_ATTEMPTS: u32 = 6;
/// Maximum total delay between the attempts of a request.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(60);
/// Timeout of one attempt.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum size of a response's body in bytes.
const MAX_RESPONSE_BODY: usize = 1 << 20;

/// Client of Discord's API.
pub(super) struct ApiClient {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    address: ApiAddress,
    /// Delay before the first retry; doubled for each further one.
    retry_delay: Duration,
}

impl ApiClient {
    pub(super) fn new(address: ApiAddress, retry_delay: Duration) -> Result<ApiClient, ApiError> {
        // Set explicitly, because a second provider in the build would make the default ambiguous.
        let provider = rustls::crypto::ring::default_provider();
        let tls = HttpsConnectorBuilder::new()
            .with_provider_and_webpki_roots(provider)
            .map_err(|error| ApiError::NoTls(error.to_string()))?;
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_connect_timeout(Some(Duration::from_secs(5)));
        http.set_nodelay(true);
        let connector = tls.https_or_http().enable_http1().wrap_connector(http);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(30))
            .pool_max_idle_per_host(16)
            .build(connector);
        Ok(ApiClient { client, address, retry_delay })
    }

    /// Creates or edits a message.
    pub(super) async fn send_message(
        &self,
        method: Method,
        path: &str,
        message: &Message,
    ) -> Result<(), ApiError> {
        let encoded = if message.attachments.is_empty() {
            serde_json::to_vec(message).map(|body| ("application/json".to_owned(), body.into()))
        } else {
            multipart(message)
        };
        let (content_type, body) =
            encoded.map_err(|error| ApiError::Unreachable(error.to_string()))?;
        self.send(method, path, &content_type, body, None).await.map(drop)
    }

    /// Sends a request; retries after rate limits, server errors and failed connections.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Bytes,
        bot_token: Option<&str>,
    ) -> Result<Bytes, ApiError> {
        let (mut delay, mut waited, mut attempt) = (self.retry_delay, Duration::ZERO, 0);
        loop {
            attempt += 1;
            let request = Request::builder()
                .method(method.clone())
                .uri(format!("{}{path}", self.address))
                .header(USER_AGENT, USER_AGENT_VALUE)
                .header(CONTENT_TYPE, content_type);
            let request = match bot_token {
                Some(token) => request.header(AUTHORIZATION, format!("Bot {token}")),
                None => request,
            };
            // The original error is dropped: it contains the path, and the path contains a token.
            let request = request.body(Full::new(body.clone()));
            let request =
                request.map_err(|_| ApiError::Unreachable("the request is invalid".to_owned()))?;
            let attempted = tokio::time::timeout(RESPONSE_TIMEOUT, self.send_once(request)).await;
            let (wait, error) = match attempted {
                Ok(Ok((status, _, body))) if status.is_success() => return Ok(body),
                Ok(Ok((status, headers, body))) => {
                    let wait = retry_after(status, &headers, &body, delay);
                    let body = String::from_utf8_lossy(&body).chars().take(500).collect();
                    let error = ApiError::Rejected { status: status.as_u16(), body };
                    match wait {
                        Some(wait) => (wait, error),
                        None => return Err(error),
                    }
                }
                Ok(Err(error)) => (delay, ApiError::Unreachable(error)),
                Err(_) => (delay, ApiError::Unreachable("no response in time".to_owned())),
            };
            if attempt >= MAX_ATTEMPTS || waited + wait > MAX_RETRY_DELAY {
                return Err(error);
            }
            tracing::debug!(%method, %error, attempt, "retrying request to Discord");
            tokio::time::sleep(wait).await;
            waited += wait;
            delay *= 2;
        }
    }

    async fn send_once(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<(StatusCode, HeaderMap, Bytes), String> {
        let response = self.client.request(request).await.map_err(|error| error_chain(&error))?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_RESPONSE_BODY).collect().await;
        let body = body.map_err(|error| error.to_string())?;
        Ok((head.status, head.headers, body.to_bytes()))
    }
}

const USER_AGENT_VALUE: &str = concat!(
    "DiscordBot (https://crates.io/crates/wayforge-server, ",
    env!("CARGO_PKG_VERSION"),
    ")"
);

/// Returns the delay before the next attempt; `None` if the response is final.
fn retry_after(
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    delay: Duration,
) -> Option<Duration> {
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            let header =
                headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse::<f64>().ok());
            let member = || {
                serde_json::from_slice::<Value>(body)
                    .ok()
                    .and_then(|body| body["retry_after"].as_f64())
            };
            let seconds = header.or_else(member).unwrap_or(1.0);
            let wait = Duration::try_from_secs_f64(seconds).unwrap_or(MAX_RETRY_DELAY);
            Some(wait.max(delay.min(MAX_RETRY_DELAY)))
        }
        // An edit may arrive before the response that it edits exists.
        StatusCode::NOT_FOUND => Some(delay),
        status if status.is_server_error() => Some(delay),
        _ => None,
    }
}

/// Formats an error with its causes. They do not contain the path, which is secret.
fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// Encodes a message with attachments as `multipart/form-data`; returns media type and body.
///
/// The parts are `payload_json`, then `files[0]`, `files[1]`, ...
fn multipart(message: &Message) -> Result<(String, Bytes), serde_json::Error> {
    let payload = serde_json::to_vec(message)?;
    // Random, so that no part contains it by chance.
    let random = || RandomState::new().hash_one(0);
    let boundary = format!("wayforge-{:016x}{:016x}", random(), random());
    let mut body = Vec::new();
    let mut part = |head: &str, content: &[u8]| {
        body.extend_from_slice(
            format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    part("name=\"payload_json\"\r\nContent-Type: application/json", &payload);
    for attachment in &message.attachments {
        // File names are generated here and need no escaping.
        let head = format!(
            "name=\"files[{}]\"; filename=\"{}\"\r\nContent-Type: image/png",
            attachment.id, attachment.filename
        );
        part(&head, &attachment.file);
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok((format!("multipart/form-data; boundary={boundary}"), body.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_delay_follows_header_body_and_status() {
        let delay = Duration::from_millis(10);
        let after = |status: StatusCode, header: Option<&'static str>, body: &str| {
            let value = header.map(hyper::header::HeaderValue::from_static);
            let headers = value.into_iter().map(|value| (RETRY_AFTER, value)).collect();
            retry_after(status, &headers, body.as_bytes(), delay)
        };
        let limited = StatusCode::TOO_MANY_REQUESTS;
        assert_eq!(after(limited, Some("0.3"), ""), Some(Duration::from_millis(300)), "header");
        let in_body = r#"{"retry_after":2}"#;
        assert_eq!(after(limited, None, in_body), Some(Duration::from_secs(2)), "body");
        assert_eq!(after(limited, None, ""), Some(Duration::from_secs(1)), "default");
        assert_eq!(after(limited, Some("0"), ""), Some(delay), "never immediately");
        assert_eq!(after(limited, Some("1e300"), ""), Some(MAX_RETRY_DELAY));
        assert_eq!(after(StatusCode::NOT_FOUND, None, ""), Some(delay));
        assert_eq!(after(StatusCode::BAD_GATEWAY, None, ""), Some(delay));
        assert_eq!(after(StatusCode::BAD_REQUEST, None, ""), None, "final");
    }

    #[test]
    fn boundaries_are_random() {
        let message = Message::text("text");
        let (first, body) = multipart(&message).unwrap();
        let boundary = first.strip_prefix("multipart/form-data; boundary=").unwrap();
        assert!(body.starts_with(format!("--{boundary}\r\n").as_bytes()));
        assert!(body.ends_with(format!("\r\n--{boundary}--\r\n").as_bytes()));
        assert_ne!(multipart(&message).unwrap().0, first);
    }
}
