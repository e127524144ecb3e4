//! Discord's API on loopback: it takes edits as Discord does, and is as strict.

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

/// More requests at once than any test makes.
const GATE: u32 = 1000;

#[derive(Clone)]
pub(crate) struct StandIn {
    pub(crate) address: String,
    inner: Arc<Inner>,
}

struct Inner {
    taken: Mutex<VecDeque<Taken>>,
    changed: Notify,
    /// Tokens whose interaction has been answered: before that there is nothing to edit.
    answered: Mutex<BTreeSet<String>>,
    /// What the next requests are answered with instead of being taken.
    faults: Mutex<VecDeque<(u16, Option<&'static str>)>>,
    /// When it was asked.
    asked: Mutex<Vec<Instant>>,
    /// How often an edit came before the answer to its interaction and was rejected.
    too_early: AtomicUsize,
    /// Requests are held while it has no permits.
    gate: Semaphore,
}

/// Something that was sent and taken.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
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

impl StandIn {
    pub(crate) async fn start() -> StandIn {
        let inner = Arc::new(Inner {
            taken: Mutex::default(),
            changed: Notify::new(),
            answered: Mutex::default(),
            faults: Mutex::default(),
            asked: Mutex::default(),
            too_early: AtomicUsize::new(0),
            gate: Semaphore::new(GATE as usize),
        });
        let app = Router::new().fallback(take).with_state(Arc::clone(&inner));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/api/v10", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        StandIn { address, inner }
    }

    /// The first answer to an interaction has arrived.
    pub(crate) fn answered(&self, token: &str) {
        self.inner.answered.lock().unwrap().insert(token.to_owned());
    }

    /// The next requests fail like this: status, and Retry-After.
    pub(crate) fn fail(&self, faults: &[(u16, Option<&'static str>)]) {
        self.inner.faults.lock().unwrap().extend(faults);
    }

    /// Holds all requests until the guard is dropped.
    pub(crate) async fn hold(&self) -> tokio::sync::SemaphorePermit<'_> {
        self.inner.gate.acquire_many(GATE).await.unwrap()
    }

    /// How often it was asked so far.
    pub(crate) fn asked(&self) -> usize {
        self.inner.asked.lock().unwrap().len()
    }

    /// The pauses between the last `count` requests.
    pub(crate) fn pauses(&self, count: usize) -> Vec<Duration> {
        let asked = self.inner.asked.lock().unwrap();
        asked[asked.len() - count..].windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// How many edits were rejected because their interaction was not answered yet.
    pub(crate) fn too_early(&self) -> usize {
        self.inner.too_early.load(Ordering::Relaxed)
    }

    /// What was taken for a token; waits for it.
    pub(crate) async fn next(&self, token: &str) -> Taken {
        let found = async {
            loop {
                let changed = self.inner.changed.notified();
                if let Some(taken) = self.try_next(token) {
                    return taken;
                }
                let _ = tokio::time::timeout(Duration::from_millis(100), changed).await;
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(60), found).await;
        found.unwrap_or_else(|_| panic!("nothing was sent for {token}"))
    }

    /// What was taken for a token so far.
    pub(crate) fn try_next(&self, token: &str) -> Option<Taken> {
        let mut taken = self.inner.taken.lock().unwrap();
        let at = taken.iter().position(|taken| taken.token == token)?;
        taken.remove(at)
    }
}

impl Taken {
    /// The buttons as label and `custom_id`.
    pub(crate) fn buttons(&self) -> Vec<(String, String)> {
        let rows = self.body["components"].as_array().unwrap();
        let buttons = rows.iter().flat_map(|row| row["components"].as_array().unwrap());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        buttons.map(|button| (text(&button["label"]), text(&button["custom_id"]))).collect()
    }

    /// The `custom_id` of a button by its label.
    #[track_caller]
    pub(crate) fn button(&self, label: &str) -> String {
        let found = self.buttons().into_iter().find(|(name, _)| name == label);
        found.unwrap_or_else(|| panic!("no button {label}: {:?}", self.buttons())).1
    }

    /// The buttons that move the party, as label and move.
    pub(crate) fn moves(&self) -> Vec<(String, String)> {
        let step =
            |id: &str| id.strip_prefix("wf1 move ").and_then(|rest| Some(rest.split_once(' ')?.1.to_owned()));
        self.buttons().into_iter().filter_map(|(label, id)| Some((label, step(&id)?))).collect()
    }

    pub(crate) fn content(&self) -> &str {
        self.body["content"].as_str().unwrap()
    }

    /// The description of the picture.
    pub(crate) fn alt(&self) -> &str {
        self.body["attachments"][0]["description"].as_str().unwrap()
    }

    /// The picture, decoded: width, height, and how many different colours a part of its pixels has.
    pub(crate) fn picture(&self) -> (u32, u32, usize) {
        let file = self.file.as_ref().expect("a picture");
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file.bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let size = info.line_size / info.width as usize;
        let colours: BTreeSet<&[u8]> = pixels[..info.buffer_size()].chunks_exact(size).step_by(61).collect();
        (info.width, info.height, colours.len())
    }
}

async fn take(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    inner.asked.lock().unwrap().push(Instant::now());
    let _through = inner.gate.acquire().await.unwrap();
    let fault = inner.faults.lock().unwrap().pop_front();
    if let Some((status, after)) = fault {
        let status = StatusCode::from_u16(status).unwrap();
        let body = json!({ "message": "on purpose", "code": 0 }).to_string();
        return match after {
            Some(after) => (status, [("retry-after", after)], body).into_response(),
            None => (status, body).into_response(),
        };
    }
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let headers = request.headers().clone();
    let token = path.split('/').nth(5).unwrap_or_default().to_owned();
    if path.contains("/webhooks/") && !inner.answered.lock().unwrap().contains(&token) {
        inner.too_early.fetch_add(1, Ordering::Relaxed);
        return (StatusCode::NOT_FOUND, json!({ "message": "Unknown Webhook", "code": 10015 }).to_string())
            .into_response();
    }
    let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let (body, file) = match kind.starts_with("multipart/form-data") {
        true => parts(request).await,
        false => {
            let bytes = Bytes::from_request(request, &()).await.unwrap();
            (serde_json::from_slice(&bytes).unwrap_or_default(), None)
        }
    };
    if method != Method::DELETE && path.contains("/webhooks/") {
        check_message(&body, file.as_ref());
    }
    let answer = if method == Method::PUT { body.clone() } else { json!({ "id": "1" }) };
    inner.taken.lock().unwrap().push_back(Taken { method, path, token, body, file, headers });
    inner.changed.notify_waiters();
    answer.to_string().into_response()
}

/// Read by a library that knows nothing of what wrote it.
async fn parts(request: Request) -> (Value, Option<File>) {
    let mut parts = Multipart::from_request(request, &()).await.unwrap();
    let (mut body, mut file) = (Value::Null, None);
    while let Some(part) = parts.next_field().await.unwrap() {
        let (field, kind) = (part.name().unwrap().to_owned(), part.content_type().unwrap().to_owned());
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

/// Discord's rules for messages. A panic here breaks the connection, and whoever waits for the message fails.
fn check_message(body: &Value, file: Option<&File>) {
    let length = |value: &Value| value.as_str().unwrap().chars().count();
    assert!((1..=2000).contains(&length(&body["content"])), "{body}");
    assert_eq!(body["allowed_mentions"], json!({ "parse": [] }), "nobody is woken");
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
            assert!(ids.insert(button["custom_id"].as_str().unwrap()), "one id twice: {row}");
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
