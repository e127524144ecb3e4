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
use std::io::ErrorKind;
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
    for (name, description, example) in
        [("guild", "Id of the guild.", "my-guild"), ("channel", "Id of the channel.", "general")]
    {
        if base.contains(&format!("{{{name}}}")) {
            operation = operation.path(name, "Id", description).example(example);
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
        StoreError::Run(error) => illegal_move(error),
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
        StoreError::Limit(_) => {
            let field = detail.split(':').next().unwrap_or_default();
            let field = format!("config.{field}");
            Problem::new(ProblemKind::LimitExceeded, detail).field(field)
        }
        StoreError::GuildFull { guild, max, .. } => {
            Problem::new(ProblemKind::LimitExceeded, detail)
                .field("guild")
                .value(guild.to_string())
                .allowed(format!("at most {max} channels"))
        }
        StoreError::Busy => Problem::new(ProblemKind::Busy, detail).header("retry-after", "1"),
        StoreError::Import { line, .. } => {
            Problem::new(ProblemKind::InvalidConfig, detail).field("line").value(line.to_string())
        }
        // Bodies are read before the store is called, so a file of the server failed.
        StoreError::Io(error) => {
            tracing::error!(%error, "temporary file not written");
            let kind = match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                    ProblemKind::InsufficientStorage
                }
                _ => ProblemKind::InternalError,
            };
            Problem::new(kind, format!("the server cannot store the request: {}", error.kind()))
        }
        _ => {
            tracing::error!(%detail, "database error");
            // Database messages may contain hosts and users, so they are only logged.
            Problem::new(ProblemKind::Unavailable, "the database is not available")
                .header("retry-after", "1")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_disk_is_an_error_of_the_server() {
        let status = |kind: ErrorKind| store_problem(StoreError::Io(kind.into())).status();
        assert_eq!(status(ErrorKind::StorageFull), 507);
        assert_eq!(status(ErrorKind::PermissionDenied), 500);
    }
}
