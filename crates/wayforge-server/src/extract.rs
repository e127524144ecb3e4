//! Extractors of handler arguments. Every rejection is an RFC 9457 problem.

use crate::Service;
use crate::access::{Caller, invalid_parameter};
use crate::channels::store_problem;
use crate::output_format;
use crate::problem::{Problem, ProblemKind};
use crate::query::Query;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use std::sync::Arc;
use wayforge::InputError;
use wayforge_api::handlers::request::read_object;
use wayforge_formats::Format;
use wayforge_store::{Actor, ChannelKey, Id, Revision};

/// State of all handlers.
type AppState = Arc<Service>;
/// Extractor of the state.
pub(crate) type State = axum::extract::State<AppState>;

/// Query parameters; the handler parses them strictly.
pub(crate) struct QueryParams(pub(crate) Query);

/// Extractor that rejects all query parameters.
pub(crate) struct NoQueryParams;

/// Guild in the path; `None` on routes of direct messages.
pub(crate) struct Guild(pub(crate) Option<Id>);

/// Channel in the path.
pub(crate) struct Channel(pub(crate) ChannelKey);

/// Revision in the path.
pub(crate) struct RevisionInPath(pub(crate) Revision);

/// Request to change a channel's map. Rejects query parameters.
pub(crate) struct ChangeRequest {
    pub(crate) service: AppState,
    pub(crate) key: ChannelKey,
    pub(crate) actor: Actor,
    /// Revision in `If-Match`, if any.
    pub(crate) revision: Option<Revision>,
}

/// Headers that select a representation: `Accept` and `If-None-Match`.
pub(crate) struct NegotiationHeaders {
    accept: Option<String>,
    if_none_match: Option<String>,
}

/// Complete body, received within the limits of size and time.
pub(crate) struct RawBody(pub(crate) Bytes);

/// Unparsed JSON body. An empty body becomes `{}`.
pub(crate) struct JsonBytes(pub(crate) Bytes);

/// Parsed JSON body.
pub(crate) struct Json<T>(pub(crate) T);

impl ChangeRequest {
    /// Returns the revision in `If-Match`.
    ///
    /// # Errors
    /// [`ProblemKind::PreconditionRequired`] without the header.
    pub(crate) fn required_revision(&self) -> Result<Revision, Problem> {
        self.revision.ok_or_else(|| {
            let detail = "send If-Match with the ETag of the map, for example \"7\"";
            Problem::new(ProblemKind::PreconditionRequired, detail)
                .field("If-Match")
                .allowed("\"7\"")
        })
    }
}

impl NegotiationHeaders {
    /// Returns the format that the path suffix or `Accept` selects.
    pub(crate) fn select(
        &self,
        suffix: Option<Format>,
        formats: &[Format],
    ) -> Result<Format, Problem> {
        suffix.map_or_else(|| output_format::negotiate(self.accept.as_deref(), formats), Ok)
    }

    /// Returns whether `If-None-Match` contains `etag`, by weak comparison (RFC 9110).
    pub(crate) fn matches(&self, etag: &str) -> bool {
        self.if_none_match.as_deref().is_some_and(|list| contains_etag(list, etag))
    }
}

/// Returns whether a list of ETags contains `etag` or `*`.
fn contains_etag(list: &str, etag: &str) -> bool {
    list.split(',')
        .map(str::trim)
        .any(|entry| entry == "*" || entry.strip_prefix("W/").unwrap_or(entry) == etag)
}

/// Returns a header as text.
fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Problem> {
    let invalid = |_| {
        let detail = format!("the header {name} is not valid text");
        Problem::new(ProblemKind::InvalidParameter, detail).field(name.as_str())
    };
    headers.get(name).map(|value| value.to_str().map_err(invalid)).transpose()
}

/// Returns a path parameter.
async fn path_text(
    parts: &mut Parts,
    service: &AppState,
    name: &str,
) -> Result<Option<String>, Problem> {
    let invalid = |_| Problem::new(ProblemKind::InvalidParameter, "the path is not valid UTF-8");
    let params = RawPathParams::from_request_parts(parts, service).await.map_err(invalid)?;
    Ok(params.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned()))
}

/// Implements extractors that need no body.
macro_rules! from_parts {
    ($($Type:ty: |$parts:ident, $service:ident| $read:expr;)+) => {
        $(impl FromRequestParts<AppState> for $Type {
            type Rejection = Problem;

            async fn from_request_parts(
                $parts: &mut Parts,
                $service: &AppState,
            ) -> Result<$Type, Problem> {
                $read
            }
        })+
    };
}

from_parts! {
    QueryParams: |parts, _service| {
        Ok(QueryParams(Query::parse(parts.uri.query().unwrap_or_default())))
    };
    NoQueryParams: |parts, _service| {
        Query::parse(parts.uri.query().unwrap_or_default()).finish().map(|()| NoQueryParams)
    };
    Guild: |parts, service| {
        let guild = path_text(parts, service, "guild").await?;
        let guild = guild.map(|guild| Id::checked("guild", &guild)).transpose();
        guild.map(Guild).map_err(invalid_parameter)
    };
    Channel: |parts, service| {
        let channel = path_text(parts, service, "channel").await?.unwrap_or_default();
        let guild = Guild::from_request_parts(parts, service).await?.0;
        let channel = Id::checked("channel", &channel).map_err(invalid_parameter)?;
        Ok(Channel(ChannelKey { guild, channel }))
    };
    RevisionInPath: |parts, service| {
        let text = path_text(parts, service, "revision").await?.unwrap_or_default();
        parse_revision(&text).map(RevisionInPath).map_err(invalid_parameter)
    };
    NegotiationHeaders: |parts, _service| {
        let text = |name| header_text(&parts.headers, &name).map(|text| text.map(str::to_owned));
        let (accept, if_none_match) = (text(header::ACCEPT)?, text(header::IF_NONE_MATCH)?);
        Ok(NegotiationHeaders { accept, if_none_match })
    };
    ChangeRequest: |parts, service| {
        NoQueryParams::from_request_parts(parts, service).await?;
        let Channel(key) = Channel::from_request_parts(parts, service).await?;
        let (revision, actor) = (if_match(parts, service, &key).await?, actor(parts)?);
        Ok(ChangeRequest { service: Arc::clone(service), key, actor, revision })
    };
}

/// Parses the number of a revision.
pub(crate) fn parse_revision(text: &str) -> Result<Revision, InputError> {
    let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let number = digits.and_then(|text| text.parse().ok());
    number.map(Revision).filter(|number| (Revision(1)..=Revision::MAX).contains(number)).ok_or_else(
        || {
            let remedy = format!("use a whole number from 1 to {}", Revision::MAX);
            InputError::new("revision", text, "not a revision", remedy)
        },
    )
}

/// Returns the author of a change: the `Wayforge-Actor` header, the token, or `anonymous`.
fn actor(parts: &Parts) -> Result<Actor, Problem> {
    let text = match (parts.headers.get("wayforge-actor"), parts.extensions.get::<Caller>()) {
        (Some(value), _) => {
            let detail = "the header Wayforge-Actor is not valid UTF-8";
            let invalid = |_| Problem::new(ProblemKind::InvalidParameter, detail);
            std::str::from_utf8(value.as_bytes()).map_err(invalid)?.to_owned()
        }
        (None, Some(Caller { token: Some(token) })) => format!("token:{}", token.id),
        (None, _) => "anonymous".to_owned(),
    };
    let actor = Actor::new(&text);
    let actor = actor.map_err(|error| invalid_parameter(error).field("Wayforge-Actor"))?;
    let caller = parts.extensions.get::<Caller>();
    Ok(match caller.and_then(|caller| caller.token.as_ref()) {
        Some(token) => actor.with_token(&token.id),
        None => actor,
    })
}

/// Returns the revision in `If-Match`, if any; for `*`, the current one (RFC 9110).
async fn if_match(
    parts: &Parts,
    service: &AppState,
    key: &ChannelKey,
) -> Result<Option<Revision>, Problem> {
    // An empty header counts as missing.
    let text = header_text(&parts.headers, &header::IF_MATCH)?.filter(|text| !text.is_empty());
    let Some(text) = text else { return Ok(None) };
    if text.trim() == "*" {
        let current = service.store.revision(key).await.map_err(store_problem)?;
        let missing = || {
            let detail = format!("If-Match: *: {key} has no map; create one without If-Match");
            Problem::new(ProblemKind::PreconditionFailed, detail).field("If-Match").value("*")
        };
        return current.map(Some).ok_or_else(missing);
    }
    let number = text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    // The ETag of a picture also starts with the revision.
    let revision = number.and_then(|text| parse_revision(text.split(';').next()?).ok());
    revision.map(Some).ok_or_else(|| {
        let remedy = "send the ETag of the map, for example \"7\"";
        invalid_parameter(InputError::new("If-Match", text, "not a revision", remedy))
    })
}

impl FromRequest<AppState> for RawBody {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &AppState) -> Result<RawBody, Problem> {
        let max = service.limits.body;
        let too_large = || {
            let detail = format!("the body is larger than {max} bytes");
            Problem::new(ProblemKind::ContentTooLarge, detail)
                .field("Content-Length")
                .allowed(format!("at most {max}"))
                .header("connection", "close")
        };
        let length = header_text(request.headers(), &header::CONTENT_LENGTH)?;
        if length.and_then(|text| text.parse().ok()).is_some_and(|length: usize| length > max) {
            return Err(too_large());
        }
        let read = Limited::new(request.into_body(), max).collect();
        // The body gets half of the timeout; the other half is for the handler.
        match tokio::time::timeout(service.limits.timeout / 2, read).await {
            Ok(Ok(read)) => Ok(RawBody(read.to_bytes())),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
            Ok(Err(error)) => Err(Problem::new(
                ProblemKind::InvalidBody,
                format!("the body is incomplete: {error}"),
            )),
            Err(_) => {
                Err(Problem::new(ProblemKind::RequestTimeout, "the body did not arrive in time")
                    .header("connection", "close"))
            }
        }
    }
}

impl FromRequest<AppState> for JsonBytes {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &AppState) -> Result<JsonBytes, Problem> {
        let bytes = typed_body(request, service, "application/json").await?;
        Ok(JsonBytes(if bytes.is_empty() { Bytes::from_static(b"{}") } else { bytes }))
    }
}

impl<T: DeserializeOwned> FromRequest<AppState> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &AppState) -> Result<Json<T>, Problem> {
        read_object(&JsonBytes::from_request(request, service).await?.0).map(Json)
    }
}

/// Reads a body and checks its media type. An empty body needs none.
async fn typed_body(request: Request, service: &AppState, media: &str) -> Result<Bytes, Problem> {
    let checked = check_media_type(request.headers(), media);
    let RawBody(bytes) = RawBody::from_request(request, service).await?;
    if bytes.is_empty() {
        return Ok(bytes);
    }
    checked.map(|()| bytes)
}

/// Checks the media type of a body.
pub(crate) fn check_media_type(headers: &HeaderMap, media: &str) -> Result<(), Problem> {
    let stated = header_text(headers, &header::CONTENT_TYPE)?;
    let essence = stated.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(media) {
        return Ok(());
    }
    let stated = stated.unwrap_or("(missing)");
    let error = InputError::new("Content-Type", stated, "not supported", format!("use {media}"));
    Err(Problem::from_error(ProblemKind::UnsupportedMediaType, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_etags_in_lists() {
        for list in ["\"a\"", "\"b\", W/\"a\"", "*"] {
            assert!(contains_etag(list, "\"a\""), "{list}");
        }
        for list in ["\"b\"", "", "a"] {
            assert!(!contains_etag(list, "\"a\""), "{list}");
        }
    }
}
