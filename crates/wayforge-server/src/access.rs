//! Who may do what, and how often.

use crate::Service;
use crate::problem::{Kind, Problem};
use crate::rate::Client;
use axum::http::header;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// What a route asks of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing: the server's own pages.
    Nothing,
    /// Any good token, where the server asks for tokens at all.
    Token,
    /// A token that opens the guild of the path for looking.
    Read,
    /// A token that opens the guild of the path for changes.
    Write,
}

/// Who calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {}

/// Where a request came from; the accepting loop puts it on every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Lets a caller in, or says why not.
pub(crate) async fn admit(
    service: &Service,
    need: Need,
    _params: &[(String, String)],
    parts: &Parts,
) -> Result<Caller, Problem> {
    if need == Need::Nothing {
        return Ok(Caller::default());
    }
    let address = address(service, parts);
    slow_down(service, Client::of(address))?;
    Ok(Caller::default())
}

/// The address that a request comes from. Behind a proxy of one's own it is the last one that `X-Forwarded-For` names: those
/// before it are only what the client says.
fn address(service: &Service, parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
    if !service.behind_proxy {
        return peer;
    }
    let named = parts.headers.get_all("x-forwarded-for").iter().next_back();
    let last = named.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    last.unwrap_or(peer)
}

fn slow_down(service: &Service, client: Client) -> Result<(), Problem> {
    service.rate.take(client).map_err(|wait| {
        let seconds = wait.as_secs() + 1;
        let limits = &service.limits;
        let detail = format!("{} requests a second are allowed, {} at once", limits.rate, limits.burst);
        Problem::new(Kind::TooMany, detail).header(header::RETRY_AFTER, &seconds.to_string())
    })
}
