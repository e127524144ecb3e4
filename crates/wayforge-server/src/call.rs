//! One request, as handlers see it.

use crate::Service;
use crate::access::Caller;
use crate::problem::{Kind, Problem};
use crate::query::Query;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, Method, header};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::net::IpAddr;
use std::sync::Arc;

/// A request whose caller has been let in.
pub(crate) struct Call {
    pub(crate) service: Arc<Service>,
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) caller: Caller,
    /// Where it comes from.
    pub(crate) address: IpAddr,
    pub(crate) params: Vec<(String, String)>,
    pub(crate) query: Option<String>,
    pub(crate) body: Body,
}

impl Call {
    /// A part of the path by its name in the route.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        self.params.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The query parameters.
    pub(crate) fn query(&self) -> Query {
        Query::read(self.query.as_deref().unwrap_or_default())
    }

    /// A header that is there once, as text.
    pub(crate) fn header(&self, name: &HeaderName) -> Result<Option<&str>, Problem> {
        let Some(value) = self.headers.get(name) else { return Ok(None) };
        let refuse = || {
            Problem::new(Kind::Parameter, format!("the header {name} is not readable")).field(name.as_str())
        };
        value.to_str().map(Some).map_err(|_| refuse())
    }

    /// True if the method only looks.
    pub(crate) fn is_get(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    /// A body of JSON; nothing at all is an empty object.
    pub(crate) async fn json(&mut self) -> Result<Bytes, Problem> {
        let kind = self.header(&header::CONTENT_TYPE)?.map(str::to_owned);
        let bytes = self.bytes().await?;
        if bytes.is_empty() {
            return Ok(Bytes::from_static(b"{}"));
        }
        check_type(kind.as_deref(), "application/json")?;
        Ok(bytes)
    }

    /// The whole body, within the limit.
    pub(crate) async fn bytes(&mut self) -> Result<Bytes, Problem> {
        let most = self.service.limits.body;
        let too_large = || {
            let detail = format!("this server reads at most {most} bytes");
            Problem::new(Kind::TooLarge, detail)
                .field("Content-Length")
                .allowed(format!("at most {most}"))
                .header("connection", "close")
        };
        let stated = self.header(&header::CONTENT_LENGTH)?.and_then(|text| text.parse::<usize>().ok());
        if stated.is_some_and(|stated| stated > most) {
            return Err(too_large());
        }
        let body = std::mem::take(&mut self.body);
        let read = Limited::new(body, most).collect();
        // Half of the time for the body, so that the other half is left for the work.
        match tokio::time::timeout(self.service.limits.time / 2, read).await {
            Ok(Ok(read)) => Ok(read.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
            Ok(Err(error)) => Err(Problem::new(Kind::Body, format!("the body broke off: {error}"))),
            Err(_) => {
                Err(Problem::new(Kind::SlowBody, "the body did not arrive in time")
                    .header("connection", "close"))
            }
        }
    }
}

/// Refuses a body of another type.
pub(crate) fn check_type(kind: Option<&str>, wanted: &str) -> Result<(), Problem> {
    let media = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if media.eq_ignore_ascii_case(wanted) {
        return Ok(());
    }
    let told = kind.unwrap_or("nothing");
    Err(Problem::new(Kind::MediaType, format!("Content-Type: {told}: use {wanted}"))
        .field("Content-Type")
        .value(told)
        .allowed(wanted))
}
