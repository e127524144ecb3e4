//! Maps kept per guild and channel.
//!
//! The revision of a map is its ETag. A change names the revision that it saw (`If-Match: "7"`); of two simultaneous changes
//! one wins, and the other is told how things stand.

mod change;
mod guild;
mod look;
mod told;
mod view;

pub(crate) use view::draw as draw_kept;

use crate::access::parameter;
use crate::api::Api;
use crate::call::Call;
use crate::openapi::Operation;
use crate::problem::{Kind, Problem};
use axum::http::header;
use wayforge_api::handlers::moves::illegal;
use wayforge_store::{Actor, ChannelKey, Id, Revision, StoreError};

/// Where the routes about one channel stand: with a guild, and without one for direct messages.
const CHANNELS: [(&str, &str); 2] =
    [("/v1/guilds/{guild}/channels/{channel}/map", ""), ("/v1/channels/{channel}/map", "Direct")];

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    told::schemas(api.outline());
    for (base, suffix) in CHANNELS {
        look::routes(api, base, suffix);
        change::routes(api, base, suffix);
    }
    guild::routes(api);
}

/// An operation on the channel of the path.
fn operation(base: &str, id: String, summary: &str) -> Operation {
    let told = Operation::new("channels", id, summary);
    let told = match base.contains("{guild}") {
        true => told.path("guild", "Id", "The guild."),
        false => told,
    };
    told.path("channel", "Id", "The channel.")
}

/// The channel of the path.
fn key(call: &Call) -> Result<ChannelKey, Problem> {
    ChannelKey::new(call.param("guild"), call.param("channel").unwrap_or_default()).map_err(parameter)
}

/// Who makes the change, for the history: whom the caller names, else the token.
fn actor(call: &Call) -> Result<Actor, Problem> {
    let named = call.headers.get("wayforge-actor");
    let text = match (named, &call.caller.token) {
        (Some(value), _) => {
            let refuse = |_| Problem::new(Kind::Parameter, "the header Wayforge-Actor is not readable");
            std::str::from_utf8(value.as_bytes()).map_err(refuse)?.to_owned()
        }
        (None, Some(token)) => format!("token:{}", token.id),
        (None, None) => "anonymous".to_owned(),
    };
    Actor::new(&text).map_err(|error| parameter(error).field("Wayforge-Actor"))
}

/// The revision that a change saw.
fn seen(call: &Call) -> Result<Option<Revision>, Problem> {
    // A header without a value says nothing.
    let Some(text) = call.header(&header::IF_MATCH)?.filter(|text| !text.is_empty()) else { return Ok(None) };
    let number = text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    // A tag of a picture begins with the revision too.
    let number = number.and_then(|text| text.split(';').next()?.parse().ok());
    number.map(|number| Some(Revision(number))).ok_or_else(|| {
        let detail = format!("If-Match: {text}: not a revision; send the ETag of the map, as in \"7\"");
        Problem::new(Kind::Parameter, detail).field("If-Match").value(text).allowed("\"7\"")
    })
}

/// The revision that a change must have seen.
fn must_have_seen(call: &Call) -> Result<Revision, Problem> {
    seen(call)?.ok_or_else(|| {
        let detail = "say which revision you saw: If-Match with the ETag of the map, as in \"7\"";
        Problem::new(Kind::Unconditional, detail).field("If-Match").allowed("\"7\"")
    })
}

/// A part of the path that is an id.
fn guild_of(call: &Call) -> Result<Option<Id>, Problem> {
    call.param("guild").map(|guild| Id::checked("guild", guild)).transpose().map_err(parameter)
}

/// Why the store refused.
pub(crate) fn refused(error: StoreError) -> Problem {
    let detail = error.to_string();
    match error {
        StoreError::Input(error) => error.into(),
        StoreError::Forge(error) => error.into(),
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
        StoreError::Import { line, .. } => {
            Problem::new(Kind::Config, detail).field("line").value(line.to_string())
        }
        StoreError::Schema { .. } | StoreError::Database(_) | StoreError::Closed => {
            tracing::error!(%detail, "the database failed");
            // What a database says may name hosts and users: that is for the log.
            Problem::new(Kind::Unavailable, "the database does not answer as it should")
                .header("retry-after", "1")
        }
        StoreError::Stream(error) => Problem::new(Kind::Body, format!("the stream broke: {error}")),
    }
}
