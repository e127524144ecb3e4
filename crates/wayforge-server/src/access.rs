//! Who may do what, and how often.
//!
//! Every route says what it needs ([`Need`]) when it is put into the app; nothing else lets a caller in. A token that is
//! presented is always looked at, also where none is asked for: nobody gains by sending a bad one.

use crate::Service;
use crate::channels::refused;
use crate::problem::{Kind, Problem};
use crate::rate::Client;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use wayforge_store::{Access, Id, Token};

/// What a route asks of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing: the server's own pages, and what is signed by whom it comes from.
    Nothing,
    /// Any good token, where the server asks for tokens; maps that are not kept may be open to all.
    Token,
    /// A token that opens the guild of the path for looking.
    Read,
    /// A token that opens the guild of the path for changes.
    Write,
}

/// Whether a server asks for tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    /// Whoever can reach the server may do anything: only for addresses that nobody else can reach.
    Open,
    /// Kept maps need a token; maps that are not kept do not.
    Kept,
    /// Everything but the server's own pages needs a token.
    #[default]
    All,
}

/// Who calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    /// The token that was presented, if any.
    pub(crate) token: Option<Token>,
}

/// Where a request came from; the accepting loop puts it on every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Middleware of every route: checks access, then runs the handler within the time of a request.
pub(crate) async fn guard(
    State((service, need)): State<(Arc<Service>, Need)>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let time = service.limits.time;
    let response = async {
        let params = params.map_err(|_| Problem::new(Kind::Parameter, "the path is not readable text"))?;
        let guild = params.iter().find(|(name, _)| *name == "guild").map(|(_, value)| value);
        let (mut parts, body) = request.into_parts();
        let caller = admit(&service, need, guild, &parts).await?;
        parts.extensions.insert(caller);
        Ok(next.run(Request::from_parts(parts, body)).await)
    };
    tokio::time::timeout(time, response).await.unwrap_or_else(|_| {
        let detail = format!("no answer within {} ms; ask for less", time.as_millis());
        Err(Problem::new(Kind::Timeout, detail))
    })
}

/// Identifies the caller and checks that it may use a route about `guild`.
async fn admit(service: &Service, need: Need, guild: Option<&str>, parts: &Parts) -> Result<Caller, Problem> {
    if need == Need::Nothing {
        return Ok(Caller::default());
    }
    let address = Client::of(client_address(service, parts));
    let token = match secret(parts)? {
        None => None,
        // Guessing secrets is rate-limited by address.
        Some(secret) => match service.store.check_token(secret).await.map_err(refused)? {
            Some(token) => Some(token),
            None => {
                slow_down(service, address)?;
                return Err(unauthorized("the token is unknown or revoked"));
            }
        },
    };
    slow_down(service, token.as_ref().map_or(address, |token| Client::Token(token.id.clone())))?;
    let required = match service.guard {
        Guard::Open => false,
        Guard::Kept => need != Need::Token,
        Guard::All => true,
    };
    let access = match need {
        Need::Nothing | Need::Token => None,
        Need::Read => Some(Access::Read),
        Need::Write => Some(Access::Write),
    };
    match (&token, access) {
        (None, _) if required => {
            return Err(unauthorized("send Authorization: Bearer TOKEN; `wayforge token create` makes one"));
        }
        (Some(token), Some(access)) => {
            // A route without a guild is about direct messages, which only a token for all guilds opens.
            let guild = guild.map(|guild| Id::checked("guild", guild)).transpose().map_err(parameter)?;
            if !token.opens(guild.as_ref(), access) {
                let of = token.guild.as_ref().map_or("all guilds".to_owned(), |own| format!("guild {own}"));
                let what = if token.access == Access::Read { "only for looking" } else { "for changes" };
                let detail = format!("the token {} opens {of}, {what}", token.id);
                return Err(Problem::new(Kind::Forbidden, detail));
            }
        }
        _ => {}
    }
    Ok(Caller { token })
}

/// A part of the path or of the query that is refused.
pub(crate) fn parameter(error: wayforge::InputError) -> Problem {
    Problem::of_input(Kind::Parameter, error)
}

/// The secret of the `Authorization` header.
fn secret(parts: &Parts) -> Result<Option<&str>, Problem> {
    let Some(value) = parts.headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let bearer = value.to_str().ok().and_then(|text| {
        let (scheme, secret) = text.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(secret.trim())
    });
    bearer.map(Some).ok_or_else(|| unauthorized("Authorization: write Bearer and the token"))
}

fn unauthorized(detail: &str) -> Problem {
    Problem::new(Kind::Unauthorized, detail)
        .field("Authorization")
        .header("www-authenticate", "Bearer realm=\"wayforge\"")
}

/// The address that a request comes from. Behind a proxy of one's own it is the last one that `X-Forwarded-For` names: those
/// before it are only what the client says.
pub(crate) fn client_address(service: &Service, parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
    if !service.behind_proxy {
        return peer;
    }
    let named = parts.headers.get_all("x-forwarded-for").iter().next_back();
    let last = named.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    last.unwrap_or(peer)
}

/// Counts a request of a client, or tells it to wait.
pub(crate) fn slow_down(service: &Service, client: Client) -> Result<(), Problem> {
    service.rate.take(client).map_err(|wait| {
        let seconds = wait.as_secs() + 1;
        let limits = &service.limits;
        let detail = format!("{} requests a second are allowed, {} at once", limits.rate, limits.burst);
        Problem::new(Kind::TooMany, detail).header("retry-after", seconds.to_string())
    })
}
