//! Mock of Discord's API on loopback, which checks messages as strictly as Discord.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};
use twilight_model::channel::message::Component;

/// More concurrent requests than any test sends.
const GATE_PERMITS: u32 = 1000;

#[derive(Clone)]
pub(crate) struct MockApi {
    pub(crate) address: String,
    inner: Arc<Inner>,
}

struct Inner {
    accepted: Mutex<VecDeque<SentRequest>>,
    changed: Notify,
    /// Tokens of interactions that got their first response, which edits require.
    responded: Mutex<BTreeSet<String>>,
    /// Statuses and `Retry-After` headers for the next requests.
    failures: Mutex<VecDeque<(u16, Option<&'static str>)>>,
    /// Times of all requests.
    request_times: Mutex<Vec<Instant>>,
    /// Number of edits that arrived before the first response.
    early_edits: AtomicUsize,
    /// Requests wait while it has no permits.
    gate: Semaphore,
}

/// Accepted request of the bot.
#[derive(Clone, Debug)]
pub(crate) struct SentRequest {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) token: String,
    pub(crate) body: Value,
    pub(crate) file: Option<File>,
    pub(crate) headers: HeaderMap,
}

#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) field: String,
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) bytes: Bytes,
}

impl MockApi {
    pub(crate) async fn start() -> MockApi {
        let inner = Arc::new(Inner {
            accepted: Mutex::default(),
            changed: Notify::new(),
            responded: Mutex::default(),
            failures: Mutex::default(),
            request_times: Mutex::default(),
            early_edits: AtomicUsize::new(0),
            gate: Semaphore::new(GATE_PERMITS as usize),
        });
        let app = Router::new().fallback(handle).with_state(Arc::clone(&inner));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/api/v10", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        MockApi { address, inner }
    }

    /// Marks that the first response to an interaction has arrived.
    pub(crate) fn mark_responded(&self, token: &str) {
        self.inner.responded.lock().unwrap().insert(token.to_owned());
    }

    /// Makes the next requests fail with these statuses and `Retry-After` headers.
    pub(crate) fn fail(&self, failures: &[(u16, Option<&'static str>)]) {
        self.inner.failures.lock().unwrap().extend(failures);
    }

    /// Delays all requests until the permit is dropped.
    pub(crate) async fn hold(&self) -> tokio::sync::SemaphorePermit<'_> {
        self.inner.gate.acquire_many(GATE_PERMITS).await.unwrap()
    }

    /// Returns the number of requests so far.
    pub(crate) fn request_count(&self) -> usize {
        self.inner.request_times.lock().unwrap().len()
    }

    /// Returns the pauses between the last `count` requests.
    pub(crate) fn pauses(&self, count: usize) -> Vec<Duration> {
        let times = self.inner.request_times.lock().unwrap();
        times[times.len() - count..].windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Returns the number of edits that were rejected before the first response.
    pub(crate) fn early_edits(&self) -> usize {
        self.inner.early_edits.load(Ordering::Relaxed)
    }

    /// Waits for the next accepted request with a token.
    pub(crate) async fn next(&self, token: &str) -> SentRequest {
        let found = async {
            loop {
                let changed = self.inner.changed.notified();
                if let Some(request) = self.try_next(token) {
                    return request;
                }
                let _ = tokio::time::timeout(Duration::from_millis(100), changed).await;
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(60), found).await;
        found.unwrap_or_else(|_| panic!("nothing was sent for {token}"))
    }

    /// Returns the next accepted request with a token, if any.
    pub(crate) fn try_next(&self, token: &str) -> Option<SentRequest> {
        let mut accepted = self.inner.accepted.lock().unwrap();
        let i = accepted.iter().position(|request| request.token == token)?;
        accepted.remove(i)
    }
}

impl SentRequest {
    /// Returns label and `custom_id` of each button.
    pub(crate) fn buttons(&self) -> Vec<(String, String)> {
        let rows = self.body["components"].as_array().unwrap();
        let buttons = rows.iter().flat_map(|row| row["components"].as_array().unwrap());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        buttons.map(|button| (text(&button["label"]), text(&button["custom_id"]))).collect()
    }

    /// Returns the `custom_id` of the button with a label.
    #[track_caller]
    pub(crate) fn button(&self, label: &str) -> String {
        let found = self.buttons().into_iter().find(|(name, _)| name == label);
        found.unwrap_or_else(|| panic!("no button {label}: {:?}", self.buttons())).1
    }

    /// Returns label and move of each button that moves the party.
    pub(crate) fn moves(&self) -> Vec<(String, String)> {
        let step = |id: &str| {
            id.strip_prefix("wf1 move ").and_then(|rest| Some(rest.split_once(' ')?.1.to_owned()))
        };
        self.buttons().into_iter().filter_map(|(label, id)| Some((label, step(&id)?))).collect()
    }

    pub(crate) fn content(&self) -> &str {
        self.body["content"].as_str().unwrap()
    }

    /// Returns the alt text of the picture.
    pub(crate) fn alt(&self) -> &str {
        self.body["attachments"][0]["description"].as_str().unwrap()
    }

    /// Decodes the picture: width, height, and number of colours in a sample of its pixels.
    pub(crate) fn picture(&self) -> (u32, u32, usize) {
        let file = self.file.as_ref().expect("a picture");
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file.bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let size = info.line_size / info.width as usize;
        let colours: BTreeSet<&[u8]> =
            pixels[..info.buffer_size()].chunks_exact(size).step_by(61).collect();
        (info.width, info.height, colours.len())
    }
}

async fn handle(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    inner.request_times.lock().unwrap().push(Instant::now());
    let _permit = inner.gate.acquire().await.unwrap();
    let failure = inner.failures.lock().unwrap().pop_front();
    if let Some((status, retry_after)) = failure {
        let status = StatusCode::from_u16(status).unwrap();
        let body = json!({ "message": "on purpose", "code": 0 }).to_string();
        return match retry_after {
            Some(seconds) => (status, [("retry-after", seconds)], body).into_response(),
            None => (status, body).into_response(),
        };
    }
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let headers = request.headers().clone();
    let token = path.split('/').nth(5).unwrap_or_default().to_owned();
    if path.contains("/webhooks/") && !inner.responded.lock().unwrap().contains(&token) {
        inner.early_edits.fetch_add(1, Ordering::Relaxed);
        return (
            StatusCode::NOT_FOUND,
            json!({ "message": "Unknown Webhook", "code": 10015 }).to_string(),
        )
            .into_response();
    }
    let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let (body, file) = if kind.starts_with("multipart/form-data") {
        parts(request).await
    } else {
        let bytes = Bytes::from_request(request, &()).await.unwrap();
        (serde_json::from_slice(&bytes).unwrap_or_default(), None)
    };
    if method != Method::DELETE && path.contains("/webhooks/") {
        check_message(&body, file.as_ref());
    }
    let response = if method == Method::PUT { body.clone() } else { json!({ "id": "1" }) };
    let sent = SentRequest { method, path, token, body, file, headers };
    inner.accepted.lock().unwrap().push_back(sent);
    inner.changed.notify_waiters();
    response.to_string().into_response()
}

/// Parses a multipart body with an independent implementation.
async fn parts(request: Request) -> (Value, Option<File>) {
    let mut parts = Multipart::from_request(request, &()).await.unwrap();
    let (mut body, mut file) = (Value::Null, None);
    while let Some(part) = parts.next_field().await.unwrap() {
        let (field, kind) =
            (part.name().unwrap().to_owned(), part.content_type().unwrap().to_owned());
        match field.as_str() {
            "payload_json" => body = serde_json::from_slice(&part.bytes().await.unwrap()).unwrap(),
            _ => {
                let name = part.file_name().unwrap().to_owned();
                file = Some(File { field, name, kind, bytes: part.bytes().await.unwrap() });
            }
        }
    }
    (body, file)
}

/// Checks Discord's rules for messages. A panic closes the connection, so the test that waits for
/// the message fails.
fn check_message(body: &Value, file: Option<&File>) {
    let length = |value: &Value| value.as_str().unwrap().chars().count();
    assert!((1..=2000).contains(&length(&body["content"])), "{body}");
    assert_eq!(body["allowed_mentions"], json!({ "parse": [] }), "no notifications");
    let rows = body["components"].as_array().unwrap();
    let _: Vec<Component> = serde_json::from_value(body["components"].clone()).unwrap();
    assert!(rows.len() <= 5);
    let mut ids = BTreeSet::new();
    for row in rows {
        assert_eq!(row["type"], 1);
        let buttons = row["components"].as_array().unwrap();
        assert!((1..=5).contains(&buttons.len()));
        for button in buttons {
            assert_eq!(button["type"], 2);
            assert!(
                (1..=80).contains(&length(&button["label"]))
                    && (1..=100).contains(&length(&button["custom_id"]))
            );
            assert!(ids.insert(button["custom_id"].as_str().unwrap()), "duplicate id: {row}");
        }
    }
    let attachments = body["attachments"].as_array().unwrap();
    assert_eq!(attachments.len(), usize::from(file.is_some()));
    if let (Some(attachment), Some(file)) = (attachments.first(), file) {
        assert_eq!(file.field, format!("files[{}]", attachment["id"]));
        assert_eq!((file.kind.as_str(), &attachment["filename"]), ("image/png", &json!(file.name)));
        assert!((1..=1024).contains(&length(&attachment["description"])), "{attachment}");
        assert!(file.bytes.starts_with(b"\x89PNG\r\n\x1a\n") && file.bytes.len() < 10 << 20);
    }
}
