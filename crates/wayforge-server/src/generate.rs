//! `/v1/act`, `/v1/level`, `/v1/floor`, `/v1/tower`: maps from a seed and a configuration. Nothing is kept, and what a seed was
//! given for never changes.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::condition;
use crate::form::Form;
use crate::map::{self, Look, check_load, read_config, write_map};
use crate::openapi::{Operation, Outline};
use crate::problem::{Kind, Problem};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use serde_json::json;
use std::sync::atomic::Ordering;
use wayforge::seed::MAX_TEXT;
use wayforge::tower;
use wayforge::{Digest, Family, Seed, act, floor, level};
use wayforge_api::handlers::Brush;
use wayforge_api::handlers::ask::{Ask, not_made, random_seed, read_look, title, what};
use wayforge_api::handlers::export::usual_scale;
use wayforge_draw::Theme;

/// What nobody has to ask for again.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    describe_schemas(api.outline());
    for family in Family::ALL {
        let name = family.name();
        for form in [None].into_iter().chain(Form::of(what(family)).into_iter().map(Some)) {
            let suffix = form.map(|form| format!(".{}", form.suffix())).unwrap_or_default();
            let path = format!("/v1/{name}{suffix}");
            for method in [Method::GET, Method::POST] {
                let told = describe(family, form, &method);
                api.on(method, &path, Need::Token, told, move |call| make(call, family, form));
            }
        }
    }
}

/// What the parameter `labels` does.
pub(crate) const LABELS: &str =
    "Whether column and row are written beside the nodes of an act map in SVG and PNG pictures.";

/// The strong tag of a map in a form. A document is its digest for ever; pictures may become prettier with a version.
pub(crate) fn tag(digest: Digest, form: Form, look: Look) -> String {
    let Look { theme, scale, witness, .. } = look;
    let labels = if look.labels { ";labels" } else { "" };
    let version = env!("CARGO_PKG_VERSION");
    match form {
        Form::Json => format!("\"{digest}\""),
        Form::Svg => format!("\"{digest};svg;{};{witness:?}{labels};{version}\"", theme.name()),
        Form::Png | Form::Film => {
            format!("\"{digest};{};{};{witness:?};{scale}{labels};{version}\"", form.suffix(), theme.name())
        }
        _ if form.is_archive() => format!("\"{digest};{};{};{version}\"", form.suffix(), theme.name()),
        _ => format!("\"{digest};{};{version}\"", form.suffix()),
    }
}

/// A response with a body of a form.
pub(crate) fn respond(form: Form, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(form.content_type()));
    if form == Form::Svg {
        // A picture from here is no page: it runs and loads nothing.
        let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Sets a header whose value is ours.
pub(crate) fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Text with all but RFC 3986's unreserved characters percent-encoded, as headers and queries can hold it.
fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// What became of the work.
struct Made {
    tag: String,
    /// None if the caller has it already.
    body: Option<Vec<u8>>,
}

async fn make(mut call: Call, family: Family, suffix: Option<Form>) -> Answer {
    let form = match suffix {
        Some(form) => form,
        None => Form::negotiate(call.header(&header::ACCEPT)?, &Form::of(what(family)))?,
    };
    let mut query = call.query();
    let scale = usual_scale(family, form);
    let look = read_look(&mut query, Some(family), scale, &call.service.limits)?;
    let (seed, config) = match call.is_get() {
        true => {
            let seed = query.take("seed")?.map(|text| text.parse::<Seed>()).transpose()?;
            let config = query.take("config")?;
            query.finish()?;
            let read = read_config(family, config.as_deref().unwrap_or("{}").as_bytes());
            (seed, read.map_err(|problem| problem.under("config"))?)
        }
        false => {
            query.finish()?;
            let body = call.json().await?;
            let ask = Ask::read(&body)?;
            let read = read_config(family, ask.config.as_bytes());
            (ask.seed, read.map_err(|problem| problem.inside("config"))?)
        }
    };
    let load = check_load(&config, &call.service.limits).map_err(|problem| problem.inside("config"))?;
    let (seed, given) = match seed {
        Some(seed) => (seed, true),
        None => (random_seed()?, false),
    };
    let seen = call.header(&header::IF_NONE_MATCH)?.map(str::to_owned);
    let shown = percent_encoded(&seed.to_string());
    let work = move |brush: &mut Brush| {
        let map = map::generate(&config, seed.clone()).map_err(not_made)?;
        let document = map.to_document();
        let tag = tag(document.digest, form, look);
        let known = seen.is_some_and(|seen| condition::names(&seen, &tag));
        let body = match form {
            _ if known => None,
            Form::Json => Some(document.to_text().into_bytes()),
            _ => Some(write_map(map, &seed, form, look, brush)?),
        };
        Ok(Made { tag, body })
    };
    // An act map in JSON takes less time than handing it to another thread.
    let made = match load.quick && form == Form::Json {
        true => work(&mut Brush::default())?,
        false => call.service.workers.draw(work).await?,
    };
    call.service.metrics.made.fetch_add(1, Ordering::Relaxed);
    let mut response = match made.body {
        Some(body) => respond(form, body),
        None if call.is_get() => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        }
        None => {
            let detail = "If-None-Match names this very map: you have it already";
            return Err(Problem::new(Kind::Stale, detail).field("If-None-Match").value(made.tag));
        }
    };
    set(&mut response, header::ETAG, &made.tag);
    set(&mut response, header::CACHE_CONTROL, if given { FOR_EVER } else { "no-store" });
    set(&mut response, HeaderName::from_static("wayforge-seed"), &shown);
    if suffix.is_none() {
        set(&mut response, header::VARY, "Accept");
    }
    Ok(response)
}

fn describe(family: Family, form: Option<Form>, method: &Method) -> Operation {
    let (name, get) = (family.name(), method == Method::GET);
    let title = title(family);
    let id =
        format!("{}{title}{}", if get { "get" } else { "make" }, form.map(Form::title).unwrap_or_default());
    let summary = match form {
        None => format!("The {name} of a seed and a configuration, in the form that Accept asks for"),
        Some(Form::Json) => format!("The {name} of a seed and a configuration as its document"),
        Some(Form::Film) => {
            format!("The {name} of a seed and a configuration in the making, as animated PNG")
        }
        Some(form) if form.is_archive() => {
            let file = form.file(name);
            format!(
                "The {name} of a seed and a configuration as an archive: {file} with what belongs beside it"
            )
        }
        Some(form) => format!("The {name} of a seed and a configuration as {}", form.title()),
    };
    let mut told =
        Operation::new("maps", id, summary).query("theme", "Theme", "The look of pictures.").query(
            "scale",
            "Scale",
            "The size of PNG pictures in percent; 100 if left out, and 40 for films (30 of levels).",
        );
    if family == Family::Level {
        told = told.query(
            "witness",
            "Witness",
            "Which of the routes that prove the level are shown in pictures.",
        );
    }
    if family == Family::Act {
        told = told.query("labels", "Flag", LABELS);
    }
    told = match get {
        true => told
            .query("seed", "SeedText", "The seed, a number or any text; drawn at random if left out.")
            .json_query("config", &format!("{name}.{title}Config"), "The configuration as JSON."),
        false => told.body("application/json", &format!("{title}Request"), false),
    };
    if get {
        told = told.empty(304, "The caller has it already (`If-None-Match`).").problem(&[Kind::Body]);
    } else {
        told = told.problem(&[Kind::Stale]);
    }
    let forms = match form {
        Some(form) => vec![form],
        None => {
            told = told.problem(&[Kind::NotAcceptable]);
            Form::of(what(family)).into_iter().filter(|form| !form.is_archive()).collect()
        }
    };
    told.map_answer(200, &forms, &format!("{title}Document")).problem(&[
        Kind::Config,
        Kind::Limit,
        Kind::NoSeedMap,
        Kind::Busy,
    ])
}

fn describe_schemas(outline: &mut Outline) {
    let documents = [
        (Family::Act, act::document_schema()),
        (Family::Level, level::document_schema()),
        (Family::Floor, floor::document_schema()),
        (Family::Tower, tower::document_schema()),
    ];
    for (family, schema) in documents {
        let (name, title) = (family.name(), title(family));
        outline.root(&format!("{name}."), &format!("{title}Document"), schema);
        let config = format!("#/components/schemas/{name}.{title}Config");
        outline.plain(
            &format!("{title}Request"),
            json!({
                "type": "object",
                "properties": { "seed": { "$ref": "#/components/schemas/SeedInput" }, "config": { "$ref": config } },
                "additionalProperties": false,
            }),
        );
    }
    outline.plain(
        "SeedInput",
        json!({
            "description": "An integer, or any text of at most 256 characters, which the map keeps. Digits are the number; other text is hashed, and so is a negative integer.",
            "anyOf": [
                { "type": "integer", "minimum": i64::MIN, "maximum": u64::MAX },
                { "$ref": "#/components/schemas/SeedText" },
            ],
        }),
    );
    outline.plain("SeedText", json!({ "type": "string", "maxLength": MAX_TEXT, "pattern": "^[^\\u0000]*$" }));
    outline.plain("Theme", json!({ "type": "string", "enum": Theme::ALL.map(Theme::name) }));
    outline.plain("Scale", json!({ "type": "integer", "minimum": 1, "maximum": 1000 }));
    outline.plain("Flag", json!({ "type": "string", "enum": ["true", "false"] }));
    outline.plain("Witness", json!({ "type": "string", "enum": ["none", "all", "car", "person"] }));
}
