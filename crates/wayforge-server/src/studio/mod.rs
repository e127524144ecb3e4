//! The studio: the page where designers make maps, out of the binary itself.
//!
//! The page is asked for anew each time; everything it loads stands under an address that names this very version, so that it is
//! kept for ever.

mod export;
mod files;

pub use export::{Package, export};

use crate::access::Need;
use crate::api::Api;
use crate::extract::Wanted;
use crate::form::Form;
use crate::openapi::Operation;
use crate::problem::{Kind, Problem};
use axum::extract::Path;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use files::FILES;
use serde_json::json;
use std::sync::Arc;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::nav::ArchipelagoConfig;
use wayforge::seed::fnv1a_64;
use wayforge::{Family, floor};
use wayforge_api::handlers::ways::CorridorInput;
use wayforge_formats::What;

/// The page loads what stands beside it, shows pictures that it was given, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page, with the place where the version goes.
const PAGE: &str = include_str!("../../studio/index.html");
const VERSION: &str = "{version}";
/// The face of the pictures.
const FONT: &[u8] = include_bytes!("../../assets/WayforgeSerif.ttf");

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    let files = files();
    let version: Arc<str> = version(&files).into();
    let page = Bytes::from(PAGE.replace(VERSION, &version));
    let told = Operation::new("server", "studio", "The studio: a page where maps are made")
        .answer(200, "The page.", "text/html", None)
        .empty(304, "The caller has it already (`If-None-Match`).");
    let tag = format!("\"{version}\"");
    api.on(Method::GET, "/", Need::Nothing, told, async move |wanted: Wanted| {
        let headers = [
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::CACHE_CONTROL, "no-cache"),
            (header::REFERRER_POLICY, "no-referrer"),
        ];
        (headers, tagged(&wanted, tag, "text/html; charset=utf-8", page))
    });
    let names: Vec<&str> = files.iter().map(|file| file.0).collect();
    api.outline.plain("StudioVersion", json!({ "type": "string", "const": &*version }));
    api.outline.plain("StudioFile", json!({ "type": "string", "enum": names }));
    let kinds = ["text/javascript", "text/css", "image/svg+xml", "font/ttf", "application/json"];
    let told = Operation::new("server", "studioFile", "A file of the studio")
        .path("version", "StudioVersion", "The version, as the page names it.")
        .path("file", "StudioFile", "The file's name.")
        .answers(200, "The file.", &kinds.map(|kind| (kind, None)), &["ETag", "Cache-Control"])
        .empty(304, "The caller has it already (`If-None-Match`).")
        .problem(&[Kind::NotFound]);
    api.on(
        Method::GET,
        "/studio/{version}/{file}",
        Need::Nothing,
        told,
        async move |wanted: Wanted, path| {
            let Path::<(String, String)>((asked, name)) = path;
            let file = files.iter().find(|file| file.0 == name && asked == *version);
            let missing = || Problem::new(Kind::NotFound, "the studio has no such file; load the page again");
            let content = file.ok_or_else(missing)?.1.clone();
            let response = tagged(&wanted, format!("\"{version};{name}\""), media_type(&name), content);
            Ok::<_, Problem>(([(header::CACHE_CONTROL, "public, max-age=31536000, immutable")], response))
        },
    );
}

/// Everything that the page loads, by name.
fn files() -> Vec<(&'static str, Bytes)> {
    let schemas = serde_json::to_vec(&schemas()).unwrap_or_default().into();
    let files = FILES.iter().map(|(name, content)| (*name, Bytes::from_static(content)));
    files.chain([("schemas.json", schemas), ("serif.ttf", Bytes::from_static(FONT))]).collect()
}

/// Names the page and the files: other content has other addresses.
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

/// Content with its tag, or 304 for a caller that has it.
fn tagged(wanted: &Wanted, tag: String, kind: &'static str, content: Bytes) -> Response {
    let known = wanted.has(&tag);
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::ETAG, tag)];
    match known {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, content).into_response(),
    }
}

/// The schemas that the page makes its controls from.
fn schemas() -> serde_json::Value {
    let mut all = json!({
        "water": schemars::schema_for!(ArchipelagoConfig),
        "corridor": schemars::schema_for!(CorridorInput),
        "forms": forms(),
        "symbols": symbols(),
        "templates": floor::Template::embedded().into_iter().map(|template| template.id).collect::<Vec<String>>(),
    });
    for family in Family::ALL {
        all[family.name()] = family.schema().to_value();
    }
    all
}

/// The forms that each family's page offers.
fn forms() -> serde_json::Value {
    let list = |what| {
        let told =
            |form: Form| json!({ "suffix": form.suffix(), "name": form.label(), "about": form.about() });
        Form::of(what).into_iter().map(told).collect::<Vec<_>>()
    };
    let families = Family::ALL.map(|family| (family.name().to_owned(), json!(list(What::Map(family)))));
    let water = ("water".to_owned(), json!(list(What::Water)));
    families.into_iter().chain([water]).collect::<serde_json::Map<_, _>>().into()
}

/// What tiles and entities of floors are drawn as, by name.
fn symbols() -> serde_json::Value {
    let tiles = TileKind::ALL.into_iter().map(|kind| (kind.name(), kind.symbol()));
    let entities = EntityKind::ALL.into_iter().map(|kind| (kind.name(), kind.symbol()));
    tiles
        .chain(entities)
        .map(|(name, symbol)| (name.to_owned(), json!(symbol)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Whatever stands in the folder is embedded, and nothing else.
    #[test]
    fn every_file_of_the_folder_is_in_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/studio");
        let names =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let served = |name: &String| [".js", ".css", ".svg"].iter().any(|end| name.ends_with(end));
        let there: BTreeSet<String> = names.filter(served).collect();
        let table: BTreeSet<String> = FILES.iter().map(|file| file.0.to_owned()).collect();
        assert_eq!(there, table);
    }
}
