//! `/v1/act`, `/v1/level`, `/v1/floor`, `/v1/tower`: maps from seed and configuration.
//!
//! Nothing is stored. Responses with an explicit seed are immutable.

use crate::access::RequiredAccess;
use crate::api::ApiRouter;
use crate::extract::{JsonBytes, NegotiationHeaders, QueryParams, State};
use crate::map::{self, RenderOptions, check_cost, read_config, write_map};
use crate::openapi::{GENERATION_PROBLEMS, OpenApiBuilder, Operation};
use crate::output_format;
use crate::problem::{Problem, ProblemKind};
use crate::query::Query;
use crate::stateless::with_article;
use crate::{Limits, Service};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use wayforge::{AnyConfig, Digest, Family, Seed};
use wayforge_api::FamilyOption;
use wayforge_api::handlers::LazyPainter;
use wayforge_api::handlers::export::default_scale;
use wayforge_api::handlers::request::{
    SeedAndConfig, generation_problem, random_seed, read_object, read_render_options, supports,
    title,
};
use wayforge_draw::{Routes, Theme};
use wayforge_formats::{ContentKind, Format};

/// `Cache-Control` of immutable responses.
pub(crate) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Adds the routes.
pub(crate) fn routes(api: &mut ApiRouter) {
    add_schemas(&mut api.openapi);
    for family in Family::ALL {
        let name = family.name();
        let formats = output_format::formats_for(ContentKind::Map(family));
        for format in [None].into_iter().chain(formats.into_iter().map(Some)) {
            let suffix = format
                .map(|format| format!(".{}", output_format::path_suffix(format)))
                .unwrap_or_default();
            let path = format!("/v1/{name}{suffix}");
            let operation = describe(family, format, &Method::GET);
            let handler =
                move |service, headers, params| get((family, format), service, headers, params);
            api.route(Method::GET, &path, RequiredAccess::Token, operation, handler);
            let operation = describe(family, format, &Method::POST);
            let handler = move |service, headers, params, body| {
                post((family, format), service, headers, params, body)
            };
            api.route(Method::POST, &path, RequiredAccess::Token, operation, handler);
        }
    }
}

/// Adds the query parameters of pictures; without a family, those of all families.
pub(crate) fn describe_render_options(
    operation: Operation,
    family: Option<Family>,
    scale: &str,
) -> Operation {
    let mut operation =
        operation.query("theme", "Theme", "Theme of pictures.").query("scale", "Scale", scale);
    if supports(family, FamilyOption::Witness) {
        let description = "Proven routes of a level to show in pictures.";
        operation = operation.query("witness", "Witness", description);
    }
    if supports(family, FamilyOption::Labels) {
        let description = "Whether SVG and PNG pictures of act maps show column and row of nodes.";
        operation = operation.query("labels", "Flag", description);
    }
    operation
}

/// Returns the strong ETag of a map in a format.
///
/// The ETag of a document is its digest. Other ETags contain the version of the server, because
/// their formats may change.
pub(crate) fn etag(digest: Digest, format: Format, options: RenderOptions) -> String {
    let RenderOptions { theme, scale, routes, .. } = options;
    let labels = if options.labels { ";labels" } else { "" };
    let (version, suffix, theme) =
        (env!("CARGO_PKG_VERSION"), output_format::path_suffix(format), theme.name());
    let routes = routes.name();
    match format {
        Format::Document => format!("\"{digest}\""),
        Format::Svg => format!("\"{digest};svg;{theme};{routes}{labels};{version}\""),
        Format::Png | Format::Apng => {
            format!("\"{digest};{suffix};{theme};{routes};{scale}{labels};{version}\"")
        }
        _ if format.info().writes_several_files => {
            format!("\"{digest};{suffix};{theme};{version}\"")
        }
        _ => format!("\"{digest};{suffix};{version}\""),
    }
}

/// Creates a response with a body.
///
/// JSON gets `Cache-Control: no-store`, which handlers may override.
pub(crate) fn respond(content_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = ([(header::CONTENT_TYPE, content_type)], body.into()).into_response();
    let (name, value) = match content_type {
        "application/json" => (header::CACHE_CONTROL, "no-store"),
        // An SVG must not run scripts or load anything.
        "image/svg+xml" => (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ),
        _ => return response,
    };
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}

/// Characters to percent-encode: all except the unreserved ones of RFC 3986.
const RESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Requested representation of a map.
struct Output {
    format: Format,
    /// Format of the path suffix, if any.
    suffix: Option<Format>,
    options: RenderOptions,
    headers: NegotiationHeaders,
}

impl Output {
    fn parse(
        service: &Service,
        family: Family,
        suffix: Option<Format>,
        headers: NegotiationHeaders,
        query: &mut Query,
    ) -> Result<Output, Problem> {
        let format =
            headers.select(suffix, &output_format::formats_for(ContentKind::Map(family)))?;
        let options = read_render_options(
            query,
            Some(family),
            default_scale(family, format),
            &service.limits,
        )?;
        Ok(Output { format, suffix, options, headers })
    }
}

async fn get(
    (family, suffix): (Family, Option<Format>),
    axum::extract::State(service): State,
    headers: NegotiationHeaders,
    QueryParams(mut query): QueryParams,
) -> Result<Response, Problem> {
    let output = Output::parse(&service, family, suffix, headers, &mut query)?;
    let seed = query.take("seed")?.map(|text| text.parse::<Seed>()).transpose()?;
    let config = query.take("config")?;
    query.finish()?;
    let config = read_config(family, config.as_deref().unwrap_or("{}").as_bytes());
    let config = config.map_err(|problem| problem.in_parameter("config"))?;
    let not_modified = |_: &str| Ok(StatusCode::NOT_MODIFIED.into_response());
    respond_with_map(&service, output, seed, config, not_modified).await
}

async fn post(
    (family, suffix): (Family, Option<Format>),
    axum::extract::State(service): State,
    headers: NegotiationHeaders,
    QueryParams(mut query): QueryParams,
    JsonBytes(body): JsonBytes,
) -> Result<Response, Problem> {
    let output = Output::parse(&service, family, suffix, headers, &mut query)?;
    query.finish()?;
    let request: SeedAndConfig<'_> = read_object(&body)?;
    let config = read_config(family, request.config.json())
        .map_err(|problem| problem.in_member("config"))?;
    let seed = request.seed.0.map(|seed| seed.0);
    let precondition_failed = |etag: &str| {
        let detail = "If-None-Match: matches the current map";
        let problem = Problem::new(ProblemKind::PreconditionFailed, detail);
        Err(problem.field("If-None-Match").value(etag))
    };
    respond_with_map(&service, output, seed, config, precondition_failed).await
}

/// Generates and writes a map. `on_match` creates the response if `If-None-Match` matches.
async fn respond_with_map(
    service: &Arc<Service>,
    Output { format, suffix, options, headers }: Output,
    seed: Option<Seed>,
    config: AnyConfig,
    on_match: fn(&str) -> Result<Response, Problem>,
) -> Result<Response, Problem> {
    let cost =
        check_cost(&config, &service.limits).map_err(|problem| problem.in_member("config"))?;
    let cache_control = if seed.is_some() { IMMUTABLE } else { "no-store" };
    let seed = seed.map_or_else(random_seed, Ok)?;
    let encoded_seed = utf8_percent_encode(&seed.to_string(), &RESERVED).to_string();
    let work = move |painter: &mut LazyPainter, limits: &Limits| {
        let map = map::generate(&config, seed.clone(), limits).map_err(generation_problem)?;
        let document = map.to_document();
        let etag = etag(document.digest, format, options);
        let body = match format {
            _ if headers.matches(&etag) => None,
            Format::Document => Some(document.to_text().into_bytes()),
            _ => Some(write_map(map, &seed, format, options, painter, limits)?),
        };
        Ok((etag, body))
    };
    // Generating a small act map is faster than handing it to another thread.
    let (etag, body) = if cost.is_inline && format == Format::Document {
        work(&mut LazyPainter::default(), &service.limits)?
    } else {
        service.draw(work).await?
    };
    service.metrics.generated.fetch_add(1, Ordering::Relaxed);
    let response = match body {
        Some(body) => respond(format.info().content_type, body),
        None => on_match(&etag)?,
    };
    let seed = (HeaderName::from_static("wayforge-seed"), encoded_seed);
    let cache_control = (header::CACHE_CONTROL, cache_control.to_owned());
    Ok(([(header::ETAG, etag), cache_control, seed], vary(suffix), response).into_response())
}

/// Returns the `Vary` header, which is set if `Accept` selected the format.
pub(crate) fn vary(suffix: Option<Format>) -> Option<[(HeaderName, &'static str); 1]> {
    suffix.is_none().then_some([(header::VARY, "Accept")])
}

/// Describes the operation of one method, family and format.
fn describe(family: Family, format: Option<Format>, method: &Method) -> Operation {
    let (name, is_get) = (family.name(), method == Method::GET);
    let title = title(family);
    let verb = if is_get { "get" } else { "generate" };
    let suffix = format.map(output_format::operation_suffix).unwrap_or_default();
    let map = with_article(family);
    let summary = match format {
        None => format!("Generate {map} in the format that Accept selects"),
        Some(format) => {
            format!("Generate {map} as {}", output_format::describe_response(format, name))
        }
    };
    let scale =
        "Scale of PNGs in percent. [default: 100; 40 for animations, 30 for animations of levels]";
    let operation = Operation::new("maps", format!("{verb}{title}{suffix}"), summary);
    let mut operation = describe_render_options(operation, Some(family), scale);
    operation = if is_get {
        let config = format!("{name}.{title}Config");
        operation
            .query("seed", "SeedInput", "Seed: a number or any text; random if omitted.")
            .example("42")
            .json_query("config", &config, "Configuration as JSON.")
            .empty_response(304, "`If-None-Match` matches.")
            .empty_response(414, "The address is longer than 64 KiB; use POST.")
            .problem(&[ProblemKind::InvalidBody])
    } else {
        operation
            .json_body(&format!("{title}Request"), false, json!({ "seed": 42 }))
            .problem(&[ProblemKind::PreconditionFailed])
    };
    let formats = match format {
        Some(format) => vec![format],
        None => {
            operation = operation.problem(&[ProblemKind::NotAcceptable]);
            output_format::formats_for(ContentKind::Map(family))
                .into_iter()
                .filter(|format| !format.info().writes_several_files)
                .collect()
        }
    };
    let document = format!("{title}Document");
    operation.map_response(200, &formats, &document).problem(&GENERATION_PROBLEMS)
}

fn add_schemas(openapi: &mut OpenApiBuilder) {
    for family in Family::ALL {
        let (name, title) = (family.name(), title(family));
        openapi.add_root(&format!("{name}."), &format!("{title}Document"), family.schema());
        let config = format!("{name}.{title}Config");
        openapi.add_request::<SeedAndConfig<'_>>(&format!("{title}Request"), &config, &[]);
    }
    openapi.add_schema("Theme", json!({ "type": "string", "enum": Theme::ALL.map(Theme::name) }));
    openapi.add_schema("Scale", json!({ "type": "integer", "minimum": 1, "maximum": 1000 }));
    openapi.add_schema("Flag", json!({ "type": "boolean" }));
    openapi
        .add_schema("Witness", json!({ "type": "string", "enum": Routes::ALL.map(Routes::name) }));
}
