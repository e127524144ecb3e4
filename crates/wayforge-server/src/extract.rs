//! Extractors: the typed arguments of handlers. Each rejects with an RFC 9457 problem.

use crate::Service;
use crate::access::{Caller, parameter};
use crate::form::Form;
use crate::problem::{Kind, Problem};
use crate::query::Query;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use std::sync::Arc;
use wayforge_api::handlers::ask::read_object;
use wayforge_store::{Actor, ChannelKey, Id, Revision};

/// The largest revision number that a request may name.
pub(crate) const MAX_REVISION: u64 = 999_999_999_999_999;

/// The state of all handlers.
type Shared = Arc<Service>;
/// The state of a handler as an argument.
pub(crate) type State = axum::extract::State<Shared>;

/// Query parameters; the handler reads them strictly.
pub(crate) struct Params(pub(crate) Query);

/// The absence of query parameters.
pub(crate) struct NoParams;

/// The guild in the path; none on routes about direct messages.
pub(crate) struct Guild(pub(crate) Option<Id>);

/// The channel in the path.
pub(crate) struct Channel(pub(crate) ChannelKey);

/// The revision in the path.
pub(crate) struct PathRevision(pub(crate) Revision);

/// A change of a channel's map without query parameters.
pub(crate) struct Change {
    pub(crate) service: Shared,
    pub(crate) key: ChannelKey,
    pub(crate) who: Actor,
    /// The revision that `If-Match` names, if any.
    pub(crate) seen: Option<Revision>,
}

/// Headers that choose a representation of a resource: `Accept` and `If-None-Match`.
pub(crate) struct Wanted {
    accept: Option<String>,
    if_none_match: Option<String>,
}

/// The whole body, within the limits of size and time.
pub(crate) struct RawBody(pub(crate) Bytes);

/// A body of JSON, not parsed yet. An empty body is an empty object.
pub(crate) struct JsonBytes(pub(crate) Bytes);

/// A body of JSON.
pub(crate) struct Json<T>(pub(crate) T);

impl Change {
    /// The revision that `If-Match` names; required.
    pub(crate) fn seen(&self) -> Result<Revision, Problem> {
        self.seen.ok_or_else(|| {
            let detail = "say which revision you saw: If-Match with the ETag of the map, as in \"7\"";
            Problem::new(Kind::Unconditional, detail).field("If-Match").allowed("\"7\"")
        })
    }
}

impl Wanted {
    /// The form that a suffix of the path or `Accept` selects.
    pub(crate) fn form(&self, suffix: Option<Form>, forms: &[Form]) -> Result<Form, Problem> {
        suffix.map_or_else(|| Form::negotiate(self.accept.as_deref(), forms), Ok)
    }

    /// True if `If-None-Match` names `tag`. Weak tags count, because they name the same map.
    pub(crate) fn has(&self, tag: &str) -> bool {
        self.if_none_match.as_deref().is_some_and(|list| names(list, tag))
    }
}

fn names(list: &str, tag: &str) -> bool {
    list.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

/// A header as text.
fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Problem> {
    let unreadable =
        |_| Problem::new(Kind::Parameter, format!("the header {name} is not readable")).field(name.as_str());
    headers.get(name).map(|value| value.to_str().map_err(unreadable)).transpose()
}

/// A parameter of the path.
async fn path_text(parts: &mut Parts, service: &Shared, name: &str) -> Result<Option<String>, Problem> {
    let unreadable = |_| Problem::new(Kind::Parameter, "the path is not readable text");
    let params = RawPathParams::from_request_parts(parts, service).await.map_err(unreadable)?;
    Ok(params.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned()))
}

/// Implements an extractor that reads the head of a request only.
macro_rules! from_parts {
    ($($Type:ty: |$parts:ident, $service:ident| $read:expr;)+) => {
        $(impl FromRequestParts<Shared> for $Type {
            type Rejection = Problem;

            async fn from_request_parts($parts: &mut Parts, $service: &Shared) -> Result<$Type, Problem> {
                $read
            }
        })+
    };
}

from_parts! {
    Params: |parts, _service| Ok(Params(Query::read(parts.uri.query().unwrap_or_default())));
    NoParams: |parts, _service| {
        Query::read(parts.uri.query().unwrap_or_default()).finish().map(|()| NoParams)
    };
    Guild: |parts, service| {
        let guild = path_text(parts, service, "guild").await?;
        guild.map(|guild| Id::checked("guild", &guild)).transpose().map(Guild).map_err(parameter)
    };
    Channel: |parts, service| {
        let channel = path_text(parts, service, "channel").await?.unwrap_or_default();
        let guild = Guild::from_request_parts(parts, service).await?.0;
        let channel = Id::checked("channel", &channel).map_err(parameter)?;
        Ok(Channel(ChannelKey { guild, channel }))
    };
    PathRevision: |parts, service| {
        let text = path_text(parts, service, "revision").await?.unwrap_or_default();
        let revision = text.parse().ok().filter(|number| (1..=MAX_REVISION).contains(number));
        revision.map(|number| PathRevision(Revision(number))).ok_or_else(|| {
            Problem::new(Kind::Parameter, format!("revision {text}: not a revision; use a number from 1 up"))
                .field("revision")
                .value(text)
                .allowed("1 and up")
        })
    };
    Wanted: |parts, _service| {
        let text = |name| header_text(&parts.headers, &name).map(|text| text.map(str::to_owned));
        Ok(Wanted { accept: text(header::ACCEPT)?, if_none_match: text(header::IF_NONE_MATCH)? })
    };
    Change: |parts, service| {
        NoParams::from_request_parts(parts, service).await?;
        let Channel(key) = Channel::from_request_parts(parts, service).await?;
        let (seen, who) = (if_match(parts)?, actor(parts)?);
        Ok(Change { service: Arc::clone(service), key, who, seen })
    };
}

/// Who makes a change: the `Wayforge-Actor` header, else the token.
fn actor(parts: &Parts) -> Result<Actor, Problem> {
    let text = match (parts.headers.get("wayforge-actor"), parts.extensions.get::<Caller>()) {
        (Some(value), _) => {
            let unreadable = |_| Problem::new(Kind::Parameter, "the header Wayforge-Actor is not readable");
            std::str::from_utf8(value.as_bytes()).map_err(unreadable)?.to_owned()
        }
        (None, Some(Caller { token: Some(token) })) => format!("token:{}", token.id),
        (None, _) => "anonymous".to_owned(),
    };
    Actor::new(&text).map_err(|error| parameter(error).field("Wayforge-Actor"))
}

/// The revision that `If-Match` names, if any.
fn if_match(parts: &Parts) -> Result<Option<Revision>, Problem> {
    // A header without a value is the same as none.
    let text = header_text(&parts.headers, &header::IF_MATCH)?.filter(|text| !text.is_empty());
    let Some(text) = text else { return Ok(None) };
    let number = text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    // The tag of a picture begins with the revision too.
    let number = number.and_then(|text| text.split(';').next()?.parse().ok());
    number.map(|number| Some(Revision(number))).ok_or_else(|| {
        let detail = format!("If-Match: {text}: not a revision; send the ETag of the map, as in \"7\"");
        Problem::new(Kind::Parameter, detail).field("If-Match").value(text).allowed("\"7\"")
    })
}

impl FromRequest<Shared> for RawBody {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Shared) -> Result<RawBody, Problem> {
        let most = service.limits.body;
        let too_large = || {
            let detail = format!("this server reads at most {most} bytes");
            Problem::new(Kind::TooLarge, detail)
                .field("Content-Length")
                .allowed(format!("at most {most}"))
                .header("connection", "close")
        };
        let length = header_text(request.headers(), &header::CONTENT_LENGTH)?;
        if length.and_then(|text| text.parse().ok()).is_some_and(|length: usize| length > most) {
            return Err(too_large());
        }
        let read = Limited::new(request.into_body(), most).collect();
        // Half of the time for the body, so that the other half is left for the work.
        match tokio::time::timeout(service.limits.time / 2, read).await {
            Ok(Ok(read)) => Ok(RawBody(read.to_bytes())),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
            Ok(Err(error)) => Err(Problem::new(Kind::Body, format!("the body broke off: {error}"))),
            Err(_) => {
                Err(Problem::new(Kind::SlowBody, "the body did not arrive in time")
                    .header("connection", "close"))
            }
        }
    }
}

impl FromRequest<Shared> for JsonBytes {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Shared) -> Result<JsonBytes, Problem> {
        let bytes = typed_body(request, service, "application/json", false).await?;
        Ok(JsonBytes(if bytes.is_empty() { Bytes::from_static(b"{}") } else { bytes }))
    }
}

impl<T: DeserializeOwned> FromRequest<Shared> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Shared) -> Result<Json<T>, Problem> {
        read_object(&JsonBytes::from_request(request, service).await?.0).map(Json)
    }
}

/// Reads a body and checks its media type. An empty body needs no type unless it is `required`.
pub(crate) async fn typed_body(
    request: Request,
    service: &Shared,
    media: &str,
    required: bool,
) -> Result<Bytes, Problem> {
    let stated = header_text(request.headers(), &header::CONTENT_TYPE)?.map(str::to_owned);
    let RawBody(bytes) = RawBody::from_request(request, service).await?;
    let essence = stated.as_deref().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(media) || (bytes.is_empty() && !required) {
        return Ok(bytes);
    }
    let stated = stated.as_deref().unwrap_or("nothing");
    Err(Problem::new(Kind::MediaType, format!("Content-Type: {stated}: use {media}"))
        .field("Content-Type")
        .value(stated)
        .allowed(media))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_tags() {
        assert!(names("\"a\"", "\"a\"") && names("\"b\", W/\"a\"", "\"a\"") && names("*", "\"a\""));
        assert!(!names("\"b\"", "\"a\"") && !names("", "\"a\"") && !names("a", "\"a\""));
    }
}
