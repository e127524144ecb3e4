//! Dispatches a request to its handler by path, for callers without an HTTP router.

use crate::handlers::map::{generate, write_map};
use crate::handlers::output_format;
use crate::handlers::path::{self, read_theme};
use crate::handlers::problem::{Problem, ProblemKind};
use crate::handlers::query::Query;
use crate::handlers::request::{
    SeedAndConfig, generation_problem, read_object, read_render_options,
};
use crate::handlers::validate::{read_reproduce, validate};
use crate::handlers::{LazyPainter, Limits, export, reroll, routes, scene};
use serde::Serialize;
use wayforge::Family;
use wayforge_formats::{ContentKind, Format};

/// Successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Value of `Content-Type`.
    pub content_type: &'static str,
    /// Body.
    pub body: Vec<u8>,
}

/// Handles a `POST` of `body` to `path` with the query string `query`, as the HTTP service does.
///
/// # Errors
/// The problem that the service would return; [`ProblemKind::NotFound`] for paths of stored maps.
pub fn dispatch(
    path: &str,
    query: &str,
    body: &[u8],
    limits: &Limits,
    painter: &mut LazyPainter,
) -> Result<Response, Problem> {
    let query = Query::parse(query);
    let route = path.strip_prefix("/v1/").ok_or_else(|| not_found(path))?;
    if let Some((action, family)) = route.split_once('/') {
        query.finish()?;
        let family = Family::ALL.into_iter().find(|known| known.name() == family);
        return match (action, family) {
            ("scene", Some(family)) => json(&scene::scene(body, family, limits)?),
            ("reroll", Some(family)) => json(&reroll::reroll(body, family, limits)?),
            _ => Err(not_found(path)),
        };
    }
    match route.split_once('.') {
        None if route == "validate" => json(&validate(body, read_reproduce(query)?, limits)?),
        None => {
            query.finish()?;
            match route {
                "routes" => json(&routes::routes(body, limits)?),
                "archipelago" => json(&path::archipelago_map(body, limits)?),
                "path" => json(&path::find_path(body, limits)?),
                _ => Err(not_found(path)),
            }
        }
        Some(("path", "apng")) => {
            Ok(respond(Format::Apng, path::animation(body, read_theme(query)?, limits)?))
        }
        Some(("archipelago", suffix)) => {
            let format =
                format_by_suffix(ContentKind::NavGrid, suffix).ok_or_else(|| not_found(path))?;
            Ok(respond(format, path::write_grid(body, format, read_theme(query)?, limits)?))
        }
        Some((family, suffix)) => {
            let family = Family::ALL.into_iter().find(|known| known.name() == family);
            let family = family.ok_or_else(|| not_found(path))?;
            let format = format_by_suffix(ContentKind::Map(family), suffix)
                .ok_or_else(|| not_found(path))?;
            Ok(respond(format, map(query, body, family, format, limits, painter)?))
        }
    }
}

/// Generates a map and writes it in a format.
fn map(
    mut query: Query,
    body: &[u8],
    family: Family,
    format: Format,
    limits: &Limits,
    painter: &mut LazyPainter,
) -> Result<Vec<u8>, Problem> {
    let options = read_render_options(
        &mut query,
        Some(family),
        export::default_scale(family, format),
        limits,
    )?;
    query.finish()?;
    let request: SeedAndConfig<'_> = read_object(body)?;
    let (config, _) = request.config.config(family, limits)?;
    let seed = request.seed.seed()?;
    write_map(
        generate(&config, seed.clone(), limits).map_err(generation_problem)?,
        &seed,
        format,
        options,
        painter,
        limits,
    )
}

fn format_by_suffix(content: ContentKind, suffix: &str) -> Option<Format> {
    output_format::formats_for(content)
        .into_iter()
        .find(|format| output_format::path_suffix(*format) == suffix)
}

fn respond(format: Format, body: Vec<u8>) -> Response {
    Response { content_type: format.info().content_type, body }
}

fn json(value: &impl Serialize) -> Result<Response, Problem> {
    let failed = |error| {
        Problem::new(
            ProblemKind::InternalError,
            format!("the response cannot be serialised: {error}"),
        )
    };
    Ok(respond(Format::Document, serde_json::to_vec(value).map_err(failed)?))
}

fn not_found(path: &str) -> Problem {
    let short: String = path.chars().take(80).collect();
    Problem::new(ProblemKind::NotFound, format!("{short}: not available without a server"))
        .value(short)
}
