//! Discord's own API, as far as the bot speaks to it.

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
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;
use wayforge::ConfigError;

/// The address of Discord's API: `https://`, or `http://` on this machine.
///
/// ```
/// use wayforge_server::discord::ApiAddress;
/// assert_eq!(ApiAddress::default().to_string(), "https://discord.com/api/v10");
/// assert!("http://127.0.0.1:9000/api".parse::<ApiAddress>().is_ok());
/// assert!("http://example.org/api".parse::<ApiAddress>().is_err(), "tokens are secrets");
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
        let refuse = |problem: &str| {
            let remedy = "use https://HOST/PATH, as in https://discord.com/api/v10, or http:// with a loopback address";
            ConfigError::new("api", format!("{text:?}"), problem, remedy)
        };
        let uri: Uri = text.parse().map_err(|_| refuse("not an address"))?;
        let host = uri.host().ok_or_else(|| refuse("not a whole address"))?;
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let near = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if near => {}
            Some("http") => return Err(refuse("tokens would travel in the open")),
            _ => return Err(refuse("no such scheme")),
        }
        if uri.query().is_some() || text.contains(['#', '@']) {
            return Err(refuse("more than an address"));
        }
        Ok(ApiAddress(text.trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for ApiAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why Discord did not take something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// It answered, and said no.
    #[error("Discord refused with {status}: {said}")]
    Refused {
        /// The status.
        status: u16,
        /// The beginning of what it said.
        said: String,
    },
    /// It did not answer, or not in time, as often as it was asked.
    #[error("Discord cannot be reached: {0}")]
    Unreachable(String),
}

/// How often something is sent at most.
const TRIES: u32 = 6;
/// The longest that Discord may make us wait before we give up.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(15);
/// The most of an answer that is read.
const MAX: usize = 1 << 20;

/// A connection to Discord's API.
pub(super) struct Api {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    address: ApiAddress,
    /// The first pause before something is sent again; each later one is twice as long.
    pause: Duration,
}

impl Api {
    pub(super) fn new(address: ApiAddress, pause: Duration) -> Result<Api, ConfigError> {
        let broken = |error: rustls::Error| {
            ConfigError::new("api", &address, format!("no TLS: {error}"), "report this: it should not happen")
        };
        // Named, because a second provider in the build would make the choice ambiguous.
        let provider = rustls::crypto::ring::default_provider();
        let tls = HttpsConnectorBuilder::new().with_provider_and_webpki_roots(provider).map_err(broken)?;
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_connect_timeout(Some(Duration::from_secs(5)));
        http.set_nodelay(true);
        let connector = tls.https_or_http().enable_http1().wrap_connector(http);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(30))
            .pool_max_idle_per_host(16)
            .build(connector);
        Ok(Api { client, address, pause })
    }

    /// Creates or edits a message.
    pub(super) async fn send_message(
        &self,
        method: Method,
        path: &str,
        message: &Message,
    ) -> Result<(), ApiError> {
        let body = match message.attachments.is_empty() {
            true => serde_json::to_vec(message).map(|body| ("application/json".to_owned(), body.into())),
            false => multipart(message),
        };
        let (kind, body) = body.map_err(|error| ApiError::Unreachable(error.to_string()))?;
        self.send(method, path, &kind, body, None).await.map(drop)
    }

    /// Sends until Discord takes it, says no, or patience ends.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        kind: &str,
        body: Bytes,
        bot_token: Option<&str>,
    ) -> Result<Bytes, ApiError> {
        let mut pause = self.pause;
        let mut waited = Duration::ZERO;
        for attempt in 1.. {
            let request = Request::builder()
                .method(method.clone())
                .uri(format!("{}{path}", self.address))
                .header(USER_AGENT, AGENT)
                .header(CONTENT_TYPE, kind);
            let request = match bot_token {
                Some(token) => request.header(AUTHORIZATION, format!("Bot {token}")),
                None => request,
            };
            // The error would hold the path, and the path a token.
            let request = request.body(Full::new(body.clone()));
            let request =
                request.map_err(|_| ApiError::Unreachable("the request cannot be written".to_owned()))?;
            let failed = match tokio::time::timeout(ANSWER, self.once(request)).await {
                Ok(Ok((status, _, said))) if status.is_success() => return Ok(said),
                Ok(Ok((status, headers, said))) => {
                    let wait = again_after(status, &headers, &said, pause);
                    let said = String::from_utf8_lossy(&said).chars().take(500).collect();
                    let error = ApiError::Refused { status: status.as_u16(), said };
                    match wait {
                        Some(wait) => (wait, error),
                        None => return Err(error),
                    }
                }
                Ok(Err(why)) => (pause, ApiError::Unreachable(why)),
                Err(_) => (pause, ApiError::Unreachable("no answer in time".to_owned())),
            };
            let (wait, error) = failed;
            if attempt >= TRIES || waited + wait > PATIENCE {
                return Err(error);
            }
            tracing::debug!(%method, %error, attempt, "sent again");
            tokio::time::sleep(wait).await;
            waited += wait;
            pause *= 2;
        }
        Err(ApiError::Unreachable("never sent".to_owned()))
    }

    async fn once(&self, request: Request<Full<Bytes>>) -> Result<(StatusCode, HeaderMap, Bytes), String> {
        let response = self.client.request(request).await.map_err(|error| whole_error(&error))?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX).collect().await.map_err(|error| error.to_string())?;
        Ok((head.status, head.headers, body.to_bytes()))
    }
}

const AGENT: &str =
    concat!("DiscordBot (https://crates.io/crates/wayforge-server, ", env!("CARGO_PKG_VERSION"), ")");

/// When to send again; `None` if Discord said no for good.
fn again_after(status: StatusCode, headers: &HeaderMap, said: &[u8], pause: Duration) -> Option<Duration> {
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            let header = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse::<f64>().ok());
            let member =
                || serde_json::from_slice::<Value>(said).ok().and_then(|said| said["retry_after"].as_f64());
            let seconds = header.or_else(member).unwrap_or(1.0);
            Some(Duration::try_from_secs_f64(seconds).unwrap_or(PATIENCE).max(pause.min(PATIENCE)))
        }
        // An edit may overtake the answer that it edits: then there is nothing to edit yet.
        StatusCode::NOT_FOUND => Some(pause),
        status if status.is_server_error() => Some(pause),
        _ => None,
    }
}

/// An error with its causes: the outer one alone says little. None of them names the path.
fn whole_error(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut inner = error.source();
    while let Some(cause) = inner {
        told = format!("{told}: {cause}");
        inner = cause.source();
    }
    told
}

/// A message with a picture as `multipart/form-data`: the media type and the body, `payload_json`, then `files[0]` and so on.
fn multipart(message: &Message) -> Result<(String, Bytes), serde_json::Error> {
    let payload = serde_json::to_vec(message)?;
    let files = || message.attachments.iter().map(|attachment| attachment.file.as_slice());
    let contains = |part: &[u8], text: &str| part.windows(text.len()).any(|window| window == text.as_bytes());
    // The first boundary that is in no part.
    let boundary = (0_u64..)
        .map(|number| format!("wayforge-boundary-{number}"))
        .find(|text| !files().chain([&payload[..]]).any(|part| contains(part, text)))
        .unwrap_or_default();
    let mut body = Vec::with_capacity(payload.len() + files().map(<[u8]>::len).sum::<usize>() + 1024);
    let mut part = |head: &str, content: &[u8]| {
        body.extend_from_slice(
            format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    part("name=\"payload_json\"\r\nContent-Type: application/json", &payload);
    for attachment in &message.attachments {
        // Names of ours hold no sign that would have to be escaped.
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
    use crate::discord::message::Attachment;

    #[test]
    fn discord_says_when_to_send_again() {
        let pause = Duration::from_millis(10);
        let after = |status: StatusCode, header: Option<&'static str>, said: &str| {
            let value = header.map(hyper::header::HeaderValue::from_static);
            let headers = value.into_iter().map(|value| (RETRY_AFTER, value)).collect();
            again_after(status, &headers, said.as_bytes(), pause)
        };
        let busy = StatusCode::TOO_MANY_REQUESTS;
        assert_eq!(after(busy, Some("0.3"), ""), Some(Duration::from_millis(300)), "the header");
        assert_eq!(after(busy, None, r#"{"retry_after":2}"#), Some(Duration::from_secs(2)), "the body");
        assert_eq!(after(busy, None, ""), Some(Duration::from_secs(1)), "a second if it does not say");
        assert_eq!(after(busy, Some("0"), ""), Some(pause), "never at once");
        assert_eq!(after(busy, Some("1e300"), ""), Some(PATIENCE));
        assert_eq!(after(StatusCode::NOT_FOUND, None, ""), Some(pause));
        assert_eq!(after(StatusCode::BAD_GATEWAY, None, ""), Some(pause));
        assert_eq!(after(StatusCode::BAD_REQUEST, None, ""), None, "no for good");
    }

    #[test]
    fn a_boundary_never_stands_in_a_part() {
        let mut message = Message::of_words("words with --wayforge-boundary-0 in them");
        message.attachments.push(Attachment {
            id: 0,
            filename: "map-1.png".into(),
            description: String::new(),
            file: b"\r\n--wayforge-boundary-1\r\n".to_vec(),
        });
        let (kind, body) = multipart(&message).unwrap();
        assert_eq!(kind, "multipart/form-data; boundary=wayforge-boundary-2");
        let text = std::str::from_utf8(&body).unwrap();
        assert_eq!(text.matches("--wayforge-boundary-2").count(), 3);
        assert!(text.ends_with("--wayforge-boundary-2--\r\n"));
    }
}
