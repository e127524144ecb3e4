//! Maps stored per guild and channel.
//!
//! The revision of a map is its ETag. A change names the revision that it is based on
//! (`If-Match: "7"`). Of two concurrent changes, one succeeds. The other fails with status 412, and
//! the problem contains the stored map.

mod change;
mod guild;
mod read;
mod view;

pub(crate) use view::draw as draw_stored;

use crate::api::ApiRouter;
use crate::openapi::Operation;
use crate::problem::{Problem, ProblemKind};
use wayforge_api::handlers::illegal_move::illegal_move;
use wayforge_store::StoreError;

/// Base path and operation id suffix of a channel's routes, in a guild and in direct messages.
const CHANNELS: [(&str, &str); 2] =
    [("/v1/guilds/{guild}/channels/{channel}/map", ""), ("/v1/channels/{channel}/map", "Direct")];

/// Adds the routes.
pub(crate) fn routes(api: &mut ApiRouter) {
    view::add_schemas(&mut api.openapi);
    for (base, suffix) in CHANNELS {
        read::routes(api, base, suffix);
        change::routes(api, base, suffix);
    }
    guild::routes(api);
}

/// Creates an operation with the path parameters of `base`.
fn operation(base: &str, id: String, summary: &str) -> Operation {
    let mut operation = Operation::new("channels", id, summary);
    for (name, description) in [("guild", "Id of the guild."), ("channel", "Id of the channel.")] {
        if base.contains(&format!("{{{name}}}")) {
            operation = operation.path(name, "Id", description);
        }
    }
    operation
}

/// Converts an error of the store to a problem. Logs corrupt data and database errors.
pub(crate) fn store_problem(error: StoreError) -> Problem {
    let detail = error.to_string();
    match error {
        StoreError::Input(error) => error.into(),
        StoreError::Generate(error) => error.into(),
        StoreError::Run(error) => illegal_move(&error, detail),
        StoreError::NoMap { .. } | StoreError::NoSuchRevision { .. } => {
            Problem::new(ProblemKind::MapNotFound, detail)
        }
        StoreError::NothingToUndo { .. } => Problem::new(ProblemKind::Conflict, detail),
        StoreError::Conflict { current } => {
            let etag = view::etag(current.revision);
            let current = view::MapView::from_stored(&current).ok();
            Problem::new(ProblemKind::PreconditionFailed, detail)
                .header("etag", &etag)
                .extension("current", current)
        }
        StoreError::Damaged { digest, .. } => {
            tracing::error!(%detail, "stored data is corrupt");
            let problem = Problem::new(ProblemKind::CorruptMap, detail);
            match digest {
                Some(digest) => problem.value(digest.to_string()),
                None => problem,
            }
        }
        StoreError::UnknownAlgorithm { algorithm, .. } => {
            Problem::new(ProblemKind::UnknownAlgorithm, detail).value(algorithm)
        }
        StoreError::Import { line, .. } => {
            Problem::new(ProblemKind::InvalidConfig, detail).field("line").value(line.to_string())
        }
        StoreError::Io(error) => {
            Problem::new(ProblemKind::InvalidBody, format!("the body cannot be read: {error}"))
        }
        _ => {
            tracing::error!(%detail, "database error");
            // Database messages may contain hosts and users, so they are only logged.
            Problem::new(ProblemKind::Unavailable, "the database is not available")
                .header("retry-after", "1")
        }
    }
}
