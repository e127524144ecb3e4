//! Maps kept per guild and channel.
//!
//! The revision of a map is its ETag. A change names the revision that it saw (`If-Match: "7"`); of two simultaneous changes
//! one wins, and the other is told how things stand.

mod change;
mod guild;
mod look;
mod view;

pub(crate) use view::draw as draw_kept;

use crate::api::Api;
use crate::openapi::Operation;
use crate::problem::{Kind, Problem};
use wayforge_api::handlers::moves::illegal;
use wayforge_store::StoreError;

/// Where the routes about one channel stand: with a guild, and without one for direct messages.
const CHANNELS: [(&str, &str); 2] =
    [("/v1/guilds/{guild}/channels/{channel}/map", ""), ("/v1/channels/{channel}/map", "Direct")];

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    view::schemas(&mut api.outline);
    for (base, suffix) in CHANNELS {
        look::routes(api, base, suffix);
        change::routes(api, base, suffix);
    }
    guild::routes(api);
}

/// An operation on the guild or the channel of the path.
fn operation(base: &str, id: String, summary: &str) -> Operation {
    let mut described = Operation::new("channels", id, summary);
    for (name, about) in [("guild", "The guild."), ("channel", "The channel.")] {
        if base.contains(&format!("{{{name}}}")) {
            described = described.path(name, "Id", about);
        }
    }
    described
}

/// Why the store refused.
pub(crate) fn refused(error: StoreError) -> Problem {
    let detail = error.to_string();
    match error {
        StoreError::Input(error) => error.into(),
        StoreError::Generate(error) => error.into(),
        StoreError::Run(error) => illegal(&error, detail),
        StoreError::Absent { .. } | StoreError::NoFormer { .. } => Problem::new(Kind::NoMap, detail),
        StoreError::AtStart { .. } => Problem::new(Kind::Conflict, detail),
        StoreError::Conflict { current } => {
            let tag = view::tag(current.revision);
            let current = view::MapView::of(&current);
            Problem::new(Kind::Stale, detail).header("etag", &tag).with("current", current.ok())
        }
        StoreError::Damaged { digest, .. } => {
            tracing::error!(%detail, "damaged");
            Problem::new(Kind::Damaged, detail).value(digest)
        }
        StoreError::UnknownAlgorithm { algorithm, .. } => {
            Problem::new(Kind::NewerMap, detail).value(algorithm)
        }
        StoreError::Import { line, .. } => {
            Problem::new(Kind::Config, detail).field("line").value(line.to_string())
        }
        StoreError::Stream(error) => Problem::new(Kind::Body, format!("the stream broke: {error}")),
        _ => {
            tracing::error!(%detail, "the database failed");
            // What a database says may name hosts and users: that is for the log.
            Problem::new(Kind::Unavailable, "the database does not answer as it should")
                .header("retry-after", "1")
        }
    }
}
