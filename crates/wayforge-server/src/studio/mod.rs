//! Serves the browser studio from files embedded in the binary.
//!
//! Browsers revalidate the page on every load. The URLs of its files contain a version, so browsers
//! cache them forever.

mod export;
mod files;

pub use export::{WasmPackage, export_studio};

use crate::access::RequiredAccess;
use crate::api::ApiRouter;
use crate::extract::NegotiationHeaders;
use crate::generate::IMMUTABLE;
use crate::openapi::Operation;
use crate::output_format;
use crate::problem::{Problem, ProblemKind};
use axum::extract::Path;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use files::FILES;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::nav::ArchipelagoConfig;
use wayforge::seed::fnv1a_64;
use wayforge::{Family, floor};
use wayforge_api::handlers::path::CorridorInput;
use wayforge_formats::{ContentKind, Format};

/// Content security policy: only resources of the same origin, and images from blobs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// Page with a placeholder for the version.
const PAGE: &str = include_str!("../../studio/index.html");
const VERSION: &str = "{version}";

/// Adds the routes.
pub(crate) fn routes(api: &mut ApiRouter) {
    let files = files();
    let version: Arc<str> = version(&files).into();
    let page = Bytes::from(PAGE.replace(VERSION, &version));
    let operation = Operation::new("server", "getStudio", "Get the page of the studio")
        .response(200, "The page.", "text/html", None)
        .empty_response(304, "`If-None-Match` matches.");
    let etag = format!("\"{version}\"");
    let handler = async move |request: NegotiationHeaders| {
        let headers = [
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::CACHE_CONTROL, "no-cache"),
            (header::REFERRER_POLICY, "no-referrer"),
        ];
        (headers, respond_with_etag(&request, etag, "text/html; charset=utf-8", page))
    };
    api.route(Method::GET, "/", RequiredAccess::None, operation, handler);
    let names: Vec<&str> = files.iter().map(|file| file.0).collect();
    api.openapi.add_schema("StudioVersion", json!({ "type": "string", "const": &*version }));
    api.openapi.add_schema("StudioFile", json!({ "type": "string", "enum": names }));
    let kinds = ["text/javascript", "text/css", "image/svg+xml", "font/ttf", "application/json"];
    let operation = Operation::new("server", "getStudioFile", "Get a file of the studio")
        .path("version", "StudioVersion", "Version of the page.")
        .path("file", "StudioFile", "Name of the file.")
        .responses(200, "The file.", &kinds.map(|kind| (kind, None)), &["ETag", "Cache-Control"])
        .empty_response(304, "`If-None-Match` matches.")
        .problem(&[ProblemKind::NotFound]);
    let handler = async move |request: NegotiationHeaders, path: Path<(String, String)>| {
        let Path((requested, name)) = path;
        let file = files.iter().find(|file| file.0 == name && requested == *version);
        let missing =
            || Problem::new(ProblemKind::NotFound, "unknown file of the studio; reload the page");
        let content = file.ok_or_else(missing)?.1.clone();
        let etag = format!("\"{version};{name}\"");
        let response = respond_with_etag(&request, etag, media_type(&name), content);
        Ok::<_, Problem>(([(header::CACHE_CONTROL, IMMUTABLE)], response))
    };
    api.route(Method::GET, "/studio/{version}/{file}", RequiredAccess::None, operation, handler);
}

/// Returns all files that the page loads, by name.
fn files() -> Vec<(&'static str, Bytes)> {
    let schemas = serde_json::to_vec(&schemas()).unwrap_or_default().into();
    let files = FILES.iter().map(|(name, content)| (*name, Bytes::from_static(content)));
    files
        .chain([("schemas.json", schemas), ("serif.ttf", Bytes::from_static(wayforge_draw::FONT))])
        .collect()
}

/// Returns a hash of the page and all files.
fn version(files: &[(&str, Bytes)]) -> String {
    let all: Vec<u8> =
        files.iter().flat_map(|(_, content)| content).chain(PAGE.as_bytes()).copied().collect();
    format!("{:016x}", fnv1a_64(&all))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("ttf") => "font/ttf",
        _ => "application/json",
    }
}

/// Responds with content and its ETag, or with 304 if `If-None-Match` matches.
fn respond_with_etag(
    request: &NegotiationHeaders,
    etag: String,
    content_type: &'static str,
    content: Bytes,
) -> Response {
    let is_match = request.matches(&etag);
    let headers = [(header::CONTENT_TYPE, content_type.to_owned()), (header::ETAG, etag)];
    if is_match {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        (headers, content).into_response()
    }
}

/// Returns the schemas from which the page builds its controls.
fn schemas() -> serde_json::Value {
    let templates = floor::Template::embedded().into_iter().map(|template| template.id);
    let mut all = json!({
        "path": schemars::schema_for!(ArchipelagoConfig),
        "corridor": schemars::schema_for!(CorridorInput),
        "formats": formats(),
        "symbols": symbols(),
        "families": families(),
        "templates": templates.collect::<Vec<String>>(),
    });
    for family in Family::ALL {
        all[family.name()] = family.schema().to_value();
    }
    all
}

/// Returns the algorithms of each family and whether its maps can be played.
fn families() -> serde_json::Value {
    let properties = |family: Family| {
        let (algorithms, playable) = (family.algorithms(), family.is_playable());
        (family.name(), json!({ "algorithms": algorithms, "playable": playable }))
    };
    json!(Family::ALL.into_iter().map(properties).collect::<BTreeMap<_, _>>())
}

/// Returns the output formats of each family.
fn formats() -> serde_json::Value {
    let list = |content| {
        let entry = |format: Format| {
            let (suffix, name) = (output_format::path_suffix(format), format.info().label);
            json!({ "suffix": suffix, "name": name, "description": format.info().description })
        };
        json!(output_format::formats_for(content).into_iter().map(entry).collect::<Vec<_>>())
    };
    let mut formats = json!({ "path": list(ContentKind::NavGrid) });
    for family in Family::ALL {
        formats[family.name()] = list(ContentKind::Map(family));
    }
    formats
}

/// Returns the symbols of floor tiles and entities, by name.
fn symbols() -> serde_json::Value {
    let tiles = TileKind::ALL.into_iter().map(|kind| (kind.name(), kind.symbol()));
    let entities = EntityKind::ALL.into_iter().map(|kind| (kind.name(), kind.symbol()));
    json!(tiles.chain(entities).collect::<BTreeMap<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/studio");
        let names = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let served = |name: &String| [".js", ".css", ".svg"].iter().any(|end| name.ends_with(end));
        let present: BTreeSet<String> = names.filter(served).collect();
        let embedded: BTreeSet<String> = FILES.iter().map(|file| file.0.to_owned()).collect();
        assert_eq!(present, embedded);
    }
}
