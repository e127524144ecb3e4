//! `/v1/act`, `/v1/level`, `/v1/floor`, `/v1/tower`: maps from a seed and a configuration. Nothing is kept, and what a seed was
//! given for never changes.

use crate::Service;
use crate::access::Need;
use crate::api::Api;
use crate::extract::{JsonBytes, Params, State, Wanted};
use crate::form::Form;
use crate::map::{self, Look, Witness, check_load, read_config, write_map};
use crate::openapi::{Operation, Outline};
use crate::problem::{Kind, Problem};
use crate::query::Query;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use std::sync::atomic::Ordering;
use wayforge::seed::MAX_TEXT;
use wayforge::{AnyConfig, Digest, Family, Seed};
use wayforge_api::handlers::Brush;
use wayforge_api::handlers::ask::{SeedAndConfig, not_made, random_seed, read_look, read_object, title};
use wayforge_api::handlers::export::usual_scale;
use wayforge_draw::Theme;
use wayforge_formats::What;

/// What nobody has to ask for again.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    describe_schemas(&mut api.outline);
    for family in Family::ALL {
        let name = family.name();
        for form in [None].into_iter().chain(Form::of(What::Map(family)).into_iter().map(Some)) {
            let suffix = form.map(|form| format!(".{}", form.suffix())).unwrap_or_default();
            let path = format!("/v1/{name}{suffix}");
            let told = describe(family, form, &Method::GET);
            api.on(Method::GET, &path, Need::Token, told, move |service, wanted, params| {
                get((family, form), service, wanted, params)
            });
            let told = describe(family, form, &Method::POST);
            api.on(Method::POST, &path, Need::Token, told, move |service, wanted, params, body| {
                post((family, form), service, wanted, params, body)
            });
        }
    }
}

/// Adds the query parameters of pictures; without a family, those of all.
pub(crate) fn describe_look(told: Operation, family: Option<Family>, scale: &str) -> Operation {
    let mut told = told.query("theme", "Theme", "The look of pictures.").query("scale", "Scale", scale);
    if matches!(family, Some(Family::Level) | None) {
        let about = "Which of the routes that prove a level are shown in pictures.";
        told = told.query("witness", "Witness", about);
    }
    if matches!(family, Some(Family::Act) | None) {
        let about =
            "Whether column and row are written beside the nodes of an act map in SVG and PNG pictures.";
        told = told.query("labels", "Flag", about);
    }
    told
}

/// The strong tag of a map in a form. A document is its digest for ever; pictures may become prettier with a version.
pub(crate) fn tag(digest: Digest, form: Form, look: Look) -> String {
    let Look { theme, scale, witness, .. } = look;
    let labels = if look.labels { ";labels" } else { "" };
    let (version, suffix, theme) = (env!("CARGO_PKG_VERSION"), form.suffix(), theme.name());
    match form {
        Form::Json => format!("\"{digest}\""),
        Form::Svg => format!("\"{digest};svg;{theme};{witness:?}{labels};{version}\""),
        Form::Png | Form::Film => {
            format!("\"{digest};{suffix};{theme};{witness:?};{scale}{labels};{version}\"")
        }
        _ if form.is_archive() => format!("\"{digest};{suffix};{theme};{version}\""),
        _ => format!("\"{digest};{suffix};{version}\""),
    }
}

/// A response with a body. JSON is not cached unless the handler says otherwise.
pub(crate) fn respond(content_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = ([(header::CONTENT_TYPE, content_type)], body.into()).into_response();
    let own = match content_type {
        "application/json" => (header::CACHE_CONTROL, "no-store"),
        // A picture is no page: it runs and loads nothing.
        "image/svg+xml" => {
            (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        }
        _ => return response,
    };
    response.headers_mut().insert(own.0, HeaderValue::from_static(own.1));
    response
}

/// All but RFC 3986's unreserved characters, as headers and queries encode them.
const RESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// How a map is to be written.
struct Output {
    form: Form,
    suffix: Option<Form>,
    look: Look,
    wanted: Wanted,
}

impl Output {
    fn read(
        service: &Service,
        family: Family,
        suffix: Option<Form>,
        wanted: Wanted,
        query: &mut Query,
    ) -> Result<Output, Problem> {
        let form = wanted.form(suffix, &Form::of(What::Map(family)))?;
        let look = read_look(query, Some(family), usual_scale(family, form), &service.limits)?;
        Ok(Output { form, suffix, look, wanted })
    }
}

async fn get(
    (family, suffix): (Family, Option<Form>),
    axum::extract::State(service): State,
    wanted: Wanted,
    Params(mut query): Params,
) -> Result<Response, Problem> {
    let output = Output::read(&service, family, suffix, wanted, &mut query)?;
    let seed = query.take("seed")?.map(|text| text.parse::<Seed>()).transpose()?;
    let config = query.take("config")?;
    query.finish()?;
    let config = read_config(family, config.as_deref().unwrap_or("{}").as_bytes());
    let config = config.map_err(|problem| problem.under("config"))?;
    let not_modified = |_: &str| Ok(StatusCode::NOT_MODIFIED.into_response());
    make(&service, output, seed, config, not_modified).await
}

async fn post(
    (family, suffix): (Family, Option<Form>),
    axum::extract::State(service): State,
    wanted: Wanted,
    Params(mut query): Params,
    JsonBytes(body): JsonBytes,
) -> Result<Response, Problem> {
    let output = Output::read(&service, family, suffix, wanted, &mut query)?;
    query.finish()?;
    let request: SeedAndConfig<'_> = read_object(&body)?;
    let config = read_config(family, request.config.json()).map_err(|problem| problem.inside("config"))?;
    let seed = request.seed.0.map(|seed| seed.0);
    let known = |tag: &str| {
        let detail = "If-None-Match names this very map: you have it already";
        Err(Problem::new(Kind::Stale, detail).field("If-None-Match").value(tag))
    };
    make(&service, output, seed, config, known).await
}

/// Generates and writes a map. `known` responds to a caller that has it already.
async fn make(
    service: &Service,
    Output { form, suffix, look, wanted }: Output,
    seed: Option<Seed>,
    config: AnyConfig,
    known: fn(&str) -> Result<Response, Problem>,
) -> Result<Response, Problem> {
    let load = check_load(&config, &service.limits).map_err(|problem| problem.inside("config"))?;
    let cached = if seed.is_some() { FOR_EVER } else { "no-store" };
    let seed = seed.map_or_else(random_seed, Ok)?;
    let shown = utf8_percent_encode(&seed.to_string(), &RESERVED).to_string();
    let work = move |brush: &mut Brush| {
        let map = map::generate(&config, seed.clone()).map_err(not_made)?;
        let document = map.to_document();
        let tag = tag(document.digest, form, look);
        let body = match form {
            _ if wanted.has(&tag) => None,
            Form::Json => Some(document.to_text().into_bytes()),
            _ => Some(write_map(map, &seed, form, look, brush)?),
        };
        Ok((tag, body))
    };
    // An act map in JSON takes less time than handing it to another thread.
    let (tag, body) = match load.quick && form == Form::Json {
        true => work(&mut Brush::default())?,
        false => service.workers.draw(work).await?,
    };
    service.metrics.made.fetch_add(1, Ordering::Relaxed);
    let response = match body {
        Some(body) => respond(form.content_type(), body),
        None => known(&tag)?,
    };
    let seed = (HeaderName::from_static("wayforge-seed"), shown);
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, cached.to_owned()), seed];
    Ok((headers, varied(suffix), response).into_response())
}

/// The `Vary` header of a response whose form `Accept` selected.
pub(crate) fn varied(suffix: Option<Form>) -> Option<[(HeaderName, &'static str); 1]> {
    suffix.is_none().then_some([(header::VARY, "Accept")])
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
        Some(form) => format!("The {name} of a seed and a configuration as {}", form.described(name)),
    };
    let scale = "The size of PNG pictures in percent; 100 if left out, and 40 for films (30 of levels).";
    let mut told = describe_look(Operation::new("maps", id, summary), Some(family), scale);
    told = match get {
        true => told
            .query("seed", "SeedText", "The seed, a number or any text; drawn at random if left out.")
            .json_query("config", &format!("{name}.{title}Config"), "The configuration as JSON.")
            .empty(304, "The caller has it already (`If-None-Match`).")
            .problem(&[Kind::Body]),
        false => told.json_body(&format!("{title}Request"), false).problem(&[Kind::Stale]),
    };
    let forms = match form {
        Some(form) => vec![form],
        None => {
            told = told.problem(&[Kind::NotAcceptable]);
            Form::of(What::Map(family)).into_iter().filter(|form| !form.is_archive()).collect()
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
    for family in Family::ALL {
        let (name, title) = (family.name(), title(family));
        outline.root(&format!("{name}."), &format!("{title}Document"), family.schema());
        let config = format!("{name}.{title}Config");
        outline.request::<SeedAndConfig<'_>>(&format!("{title}Request"), &config, &[]);
    }
    outline.plain("SeedText", json!({ "type": "string", "maxLength": MAX_TEXT, "pattern": "^[^\\u0000]*$" }));
    outline.plain("Theme", json!({ "type": "string", "enum": Theme::ALL.map(Theme::name) }));
    outline.plain("Scale", json!({ "type": "integer", "minimum": 1, "maximum": 1000 }));
    outline.plain("Flag", json!({ "type": "boolean" }));
    outline.plain("Witness", json!({ "type": "string", "enum": Witness::ALL.map(|(name, _)| name) }));
}
