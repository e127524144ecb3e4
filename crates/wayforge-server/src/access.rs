//! Authentication, authorisation and rate limiting.
//!
//! Every route declares its [`RequiredAccess`] when it is registered. Unless it is `None`, a token
//! is checked even if the [`AccessPolicy`] does not require one, and an invalid token is rejected.

use crate::cross_origin;
use crate::problem::{Problem, ProblemKind};
use crate::rate_limit::Client;
use crate::{Limits, Service};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use wayforge_store::{Access, Id, Token};

/// Access that a route requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequiredAccess {
    /// No token: pages of the server, and endpoints that verify signatures.
    None,
    /// Any valid token, unless the [`AccessPolicy`] allows everyone to generate maps.
    Token,
    /// A token with read access to the guild in the path.
    Read,
    /// A token with write access to the guild in the path.
    Write,
}

/// Which routes require a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccessPolicy {
    /// No route. Use this only on loopback addresses.
    Open,
    /// Routes of stored maps; all other routes are public.
    StoredMaps,
    /// All routes except health checks, documentation and the studio.
    #[default]
    All,
}

/// Authenticated caller.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    /// Token of the request, if any.
    pub(crate) token: Option<Token>,
}

/// Address of the client's socket. [`serve`](crate::serve) adds it to every request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Middleware of every route: checks access, then runs the handler with a timeout, if any.
pub(crate) async fn authorize(
    State((service, required_access, timeout)): State<(
        Arc<Service>,
        RequiredAccess,
        Option<Duration>,
    )>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let is_cross_origin = service.is_cross_origin
        && required_access == RequiredAccess::Token
        && request.uri().path().starts_with("/v1/");
    let response = async {
        let params = params.map_err(|_| {
            Problem::new(ProblemKind::InvalidParameter, "the path is not valid UTF-8")
        })?;
        let guild = params.iter().find(|(name, _)| *name == "guild").map(|(_, value)| value);
        let (mut parts, body) = request.into_parts();
        let caller = authenticate(&service, required_access, guild, &parts).await?;
        parts.extensions.insert(caller);
        Ok(next.run(Request::from_parts(parts, body)).await)
    };
    let response = match timeout {
        None => response.await,
        Some(timeout) => tokio::time::timeout(timeout, response).await.unwrap_or_else(|_| {
            let detail =
                format!("no response within {} ms; use a smaller map", timeout.as_millis());
            Err(Problem::new(ProblemKind::Timeout, detail))
        }),
    };
    if !is_cross_origin {
        return response;
    }
    let mut response = response.into_response();
    cross_origin::allow(&mut response);
    Ok(response)
}

/// Identifies the caller, and checks its rate limit and its access to `guild`.
async fn authenticate(
    service: &Service,
    required_access: RequiredAccess,
    guild: Option<&str>,
    parts: &Parts,
) -> Result<Caller, Problem> {
    let policy = service.guard.policy(&service.store).await;
    service.host_names.check(parts, policy, required_access)?;
    let address = Client::from_address(client_address(service, parts));
    // Metrics stay available while requests are rejected.
    if parts.uri.path().starts_with("/v1/") {
        service.unsent.admit(&address)?;
    }
    if required_access == RequiredAccess::None {
        return Ok(Caller::default());
    }
    let token = match bearer_token(parts)? {
        None => None,
        Some(secret) => {
            // Guesses are rate-limited by address, before they reach the database.
            let is_new = service.guard.is_known(secret) != Some(true);
            if is_new {
                check_rate_limit(service, address.clone())?;
            }
            let token = service.guard.token(&service.store, secret).await?;
            if is_new {
                service.rate_limiter.give_back(&address);
            }
            Some(token)
        }
    };
    check_rate_limit(
        service,
        token.as_ref().map_or(address, |token| Client::Token(token.id.clone())),
    )?;
    let is_required = match policy {
        AccessPolicy::Open => false,
        AccessPolicy::StoredMaps => required_access != RequiredAccess::Token,
        AccessPolicy::All => true,
    };
    let access = match required_access {
        RequiredAccess::None | RequiredAccess::Token => None,
        RequiredAccess::Read => Some(Access::Read),
        RequiredAccess::Write => Some(Access::Write),
    };
    if is_required && token.is_none() {
        return Err(unauthorized(
            "send Authorization: Bearer TOKEN; create one with `wayforge token create`",
        ));
    }
    let guild = guild.map(|guild| Id::checked("guild", guild)).transpose();
    let guild = guild.map_err(invalid_parameter)?;
    // Routes without a guild belong to direct messages and require a token for all guilds.
    if let (Some(token), Some(access)) = (&token, access)
        && !token.grants(guild.as_ref(), access)
    {
        let scope = token.guild.as_ref();
        let scope = scope.map_or("all guilds".to_owned(), |guild| format!("guild {guild}"));
        let granted = token.access.name();
        let detail = format!("token {} grants {granted} access to {scope} only", token.id);
        return Err(Problem::new(ProblemKind::Forbidden, detail));
    }
    // Only callers with access to the guild count, so that others cannot use up its limit.
    if let Some(guild) = guild {
        check_guild_rate_limit(service, guild)?;
    }
    Ok(Caller { token })
}

/// Creates the problem for an invalid path segment, header or query parameter.
pub(crate) fn invalid_parameter(error: wayforge::InputError) -> Problem {
    Problem::from_error(ProblemKind::InvalidParameter, error)
}

/// Returns the bearer token of the `Authorization` header.
fn bearer_token(parts: &Parts) -> Result<Option<&str>, Problem> {
    let Some(value) = parts.headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let bearer = value.to_str().ok().and_then(|text| {
        let (scheme, secret) = text.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(secret.trim())
    });
    bearer
        .map(Some)
        .ok_or_else(|| unauthorized("Authorization: not a bearer token; use Bearer TOKEN"))
}

pub(crate) fn unauthorized(detail: &str) -> Problem {
    Problem::new(ProblemKind::Unauthorized, detail)
        .field("Authorization")
        .header("www-authenticate", "Bearer realm=\"wayforge\"")
}

/// Returns the address of the client.
///
/// Behind a trusted proxy it is the last address of `X-Forwarded-For`; the client controls the
/// others.
pub(crate) fn client_address(service: &Service, parts: &Parts) -> IpAddr {
    let peer =
        parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
    if !service.behind_proxy {
        return peer;
    }
    let header = parts.headers.get_all("x-forwarded-for").iter().next_back();
    let last =
        header.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    last.unwrap_or(peer)
}

/// Counts a request of a client.
///
/// # Errors
/// [`ProblemKind::TooManyRequests`] with `Retry-After` if the client exceeds its rate limit.
pub(crate) fn check_rate_limit(service: &Service, client: Client) -> Result<(), Problem> {
    let Limits { rate, burst, .. } = service.limits;
    service.rate_limiter.take(client).map_err(|wait| {
        too_many_requests(format!("the limit is {rate} requests per second, {burst} at once"), wait)
    })
}

/// Counts a request for a guild, over all its clients.
fn check_guild_rate_limit(service: &Service, guild: Id) -> Result<(), Problem> {
    let Limits { guild_rate, guild_burst, .. } = service.limits;
    service.guild_rate_limiter.take(guild).map_err(|wait| {
        let detail = format!(
            "the limit of a guild is {guild_rate} requests per second over all its clients, \
             {guild_burst} at once"
        );
        too_many_requests(detail, wait).field("guild")
    })
}

fn too_many_requests(detail: String, wait: Duration) -> Problem {
    let seconds = wait.as_nanos().div_ceil(1_000_000_000);
    Problem::new(ProblemKind::TooManyRequests, detail).header("retry-after", seconds.to_string())
}
