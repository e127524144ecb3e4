//! Protection against DNS rebinding and changes by pages of other sites.
//!
//! In DNS rebinding, the name of a foreign site resolves to this server's address, so that the
//! browser lets the site's page read responses. The page cannot change the `Host` of its requests,
//! so the server accepts only its own names. It also rejects changes with a foreign `Origin`.

use crate::access::{AccessPolicy, RequiredAccess};
use crate::problem::{Problem, ProblemKind};
use crate::serve::HEALTH_ROUTES;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{Method, Uri, header};
use std::net::{IpAddr, Ipv6Addr};

/// Names of the server.
#[derive(Debug, Default)]
pub(crate) struct HostNames(Vec<String>);

impl HostNames {
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> HostNames {
        let normalize = |name: String| name.trim_end_matches('.').to_ascii_lowercase();
        HostNames(names.into_iter().map(normalize).collect())
    }

    /// Checks the host and the origin of a request.
    ///
    /// Without names, every host is accepted if requests need a token, and only loopback names
    /// otherwise.
    ///
    /// # Errors
    /// [`ProblemKind::MisdirectedRequest`] for another host, [`ProblemKind::Forbidden`] for a
    /// change by a page of another origin.
    pub(crate) fn check(
        &self,
        parts: &Parts,
        policy: AccessPolicy,
        required_access: RequiredAccess,
    ) -> Result<(), Problem> {
        // Load balancers check the health by address, and Discord signs its requests.
        let is_signed = required_access == RequiredAccess::None && parts.method == Method::POST;
        if is_signed || HEALTH_ROUTES.contains(&parts.uri.path()) {
            return Ok(());
        }
        if self.0.is_empty() && policy != AccessPolicy::Open {
            return Ok(());
        }
        let mut hosts = Vec::new();
        hosts.extend(parts.uri.authority().map(Authority::as_str));
        for value in parts.headers.get_all(header::HOST) {
            hosts.push(value.to_str().unwrap_or("(not text)"));
        }
        for host in hosts {
            if !host.parse::<Authority>().is_ok_and(|host| self.contains(host.host())) {
                let detail = format!(
                    "Host {host}: not a name of this server; start it with --host-name NAME"
                );
                let problem = Problem::new(ProblemKind::MisdirectedRequest, detail);
                return Err(problem.field("Host").value(host).allowed(self.describe()));
            }
        }
        // `AccessPolicy::StoredMaps` lets every page generate maps that are not stored.
        let is_public =
            policy == AccessPolicy::StoredMaps && required_access == RequiredAccess::Token;
        if is_public || [Method::GET, Method::HEAD, Method::OPTIONS].contains(&parts.method) {
            return Ok(());
        }
        for value in parts.headers.get_all(header::ORIGIN) {
            let origin = value.to_str().unwrap_or("(not text)");
            let uri = origin.parse::<Uri>().ok();
            let host = uri.as_ref().and_then(Uri::host);
            if !host.is_some_and(|host| self.contains(host)) {
                let detail = format!(
                    "Origin {origin}: pages of other sites may not change anything; send the \
                     request from a page of this server, or start it with --host-name NAME"
                );
                let problem = Problem::new(ProblemKind::Forbidden, detail);
                return Err(problem.field("Origin").value(origin).allowed(self.describe()));
            }
        }
        Ok(())
    }

    fn contains(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        is_loopback(&host) || self.0.contains(&host)
    }

    fn describe(&self) -> String {
        let names = self.0.iter().map(String::as_str);
        names.chain(["localhost", "127.0.0.1", "[::1]"]).collect::<Vec<_>>().join(", ")
    }
}

/// Returns whether a host is `localhost`, a name below it, or a loopback address.
fn is_loopback(host: &str) -> bool {
    if let Some(v6) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return v6.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback());
    }
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn check(
        names: &[&str],
        policy: AccessPolicy,
        method: &str,
        headers: &[(&str, &str)],
    ) -> Result<(), u16> {
        let names = HostNames::new(names.iter().map(|name| (*name).to_owned()));
        let mut request = Request::builder().method(method).uri("/v1/act");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let parts = request.body(()).unwrap().into_parts().0;
        names.check(&parts, policy, RequiredAccess::Write).map_err(|problem| problem.status())
    }

    #[test]
    fn without_tokens_only_loopback_names_are_accepted() {
        let get = |host| check(&[], AccessPolicy::Open, "GET", &[("host", host)]);
        for host in
            ["localhost", "LOCALHOST.:80", "127.0.0.1:8080", "127.8.9.1", "[::1]:80", "a.localhost"]
        {
            assert_eq!(get(host), Ok(()), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1:80",
            "[::2]",
            "0.0.0.0",
            "",
            "localhost@evil.example",
            "a b",
            "127.0.0.1, evil.example",
            "notlocalhost",
            "2130706433",
        ] {
            assert_eq!(get(host), Err(421), "{host}");
        }
        let named =
            check(&["Maps.Example"], AccessPolicy::Open, "GET", &[("host", "maps.example")]);
        assert_eq!(named, Ok(()));
    }

    #[test]
    fn with_tokens_names_are_optional() {
        let host = [("host", "maps.example:443")];
        assert_eq!(check(&[], AccessPolicy::All, "GET", &host), Ok(()));
        assert_eq!(check(&["maps.example"], AccessPolicy::All, "GET", &host), Ok(()));
        assert_eq!(check(&["other.example"], AccessPolicy::All, "GET", &host), Err(421));
    }

    #[test]
    fn changes_by_pages_of_other_origins_are_rejected() {
        let send = |method, origin| {
            let headers = [("host", "localhost:8080"), ("origin", origin)];
            check(&[], AccessPolicy::Open, method, &headers)
        };
        for origin in ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]"] {
            assert_eq!(send("POST", origin), Ok(()), "{origin}");
        }
        for origin in ["http://evil.example", "null", "", "http://localhost.evil.example"] {
            for method in ["POST", "PUT", "DELETE", "PATCH"] {
                assert_eq!(send(method, origin), Err(403), "{method} {origin}");
            }
            // Without permission of the server, the page cannot read the response.
            assert_eq!(send("GET", origin), Ok(()));
        }
    }
}
