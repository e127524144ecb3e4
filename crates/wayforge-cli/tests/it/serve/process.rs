//! Tests of one server process: addresses, tokens and shutdown.

use super::cluster::{file_address, folder};
use super::http::{Server, read, wayforge};
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;

#[test]
fn shutdown_finishes_requests_in_progress() {
    let folder = folder();
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &[]);
    assert_eq!(server.send("GET", "/healthz", "", "").unwrap().body, "ok\n");
    // A half-sent request is in progress.
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = "POST /v1/act HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut interim = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n", "the body is being read");
    stream.write_all(b"{\"seed\"").unwrap();
    // An idle connection does not delay the shutdown.
    let idle = TcpStream::connect(&server.address).unwrap();
    server.signal("-TERM");
    // Wait until new connections are rejected.
    while TcpStream::connect(&server.address).is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    stream.write_all(b": 1}").unwrap();
    let response = read(&mut BufReader::new(stream)).unwrap();
    assert_eq!((response.status, response.json()["seed"].as_str()), (200, Some("1")));
    drop(idle);
    let (code, log) = server.wait();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("stopped"), "{log}");
}

#[test]
fn signal_right_after_the_announcement_shuts_down_cleanly() {
    let folder = folder();
    for signal in ["-TERM", "-INT"] {
        let server = Server::start("127.0.0.1", &file_address(folder.path()), &[]);
        server.signal(signal);
        let (code, log) = server.wait();
        assert_eq!(code, Some(0), "{signal}: {log}");
    }
}

#[test]
fn stored_maps_survive_a_restart() {
    let folder = folder();
    let database = file_address(folder.path());
    let path = "/v1/guilds/g/channels/c/map";
    let server = Server::start("127.0.0.1", &database, &["--log-format", "json", "--log", "debug"]);
    let created = server.send("POST", path, "", r#"{"family":"tower","seed":5}"#).unwrap();
    assert_eq!(created.status, 201, "{}", created.body);
    server.signal("-INT");
    let (code, log) = server.wait();
    assert_eq!(code, Some(0));
    let logged =
        log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let handled: Vec<_> = logged.filter(|line| line["message"] == "request handled").collect();
    assert!(handled.iter().any(|line| line["status"] == 201 && line["path"] == path), "{log}");
    let again = Server::start("127.0.0.1", &database, &[]);
    assert_eq!(again.send("GET", path, "", "").unwrap().json(), created.json());
}

#[test]
fn log_lines_contain_the_request_id() {
    let folder = folder();
    let options = ["--log-format", "json", "--log", "debug"];
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &options);
    // The task that writes an export logs its end.
    let head =
        "GET /v1/guilds/g/export HTTP/1.0\r\nHost: localhost\r\nX-Request-Id: trace-1\r\n\r\n";
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut export = String::new();
    stream.read_to_string(&mut export).unwrap();
    assert!(export.contains("\r\nx-request-id: trace-1\r\n"), "{export}");
    let head = "GET /healthz HTTP/1.1\r\nX-Request-Id: no-host\r\n\r\n";
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let rejected = read(&mut BufReader::new(stream)).unwrap();
    assert_eq!((rejected.status, rejected.request_id.as_str()), (400, "no-host"));
    server.signal("-TERM");
    let (_, log) = server.wait();
    for message in ["exported", "request handled"] {
        let line = log.lines().find(|line| line.contains(message)).expect(message);
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["span"]["request_id"], "trace-1", "{line}");
    }
}

#[test]
fn non_loopback_addresses_need_a_token() {
    let folder = folder();
    let database = file_address(folder.path());
    let rejected = wayforge()
        .args(["serve", "--listen", "0.0.0.0:0", "--database", &database])
        .output()
        .unwrap();
    let stderr = String::from_utf8(rejected.stderr).unwrap();
    assert_eq!(rejected.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("has no access token") && stderr.contains("wayforge token create"),
        "{stderr}"
    );
    let proxied = wayforge()
        .args(["serve", "--listen", "127.0.0.1:0", "--behind-proxy", "--database", &database])
        .output()
        .unwrap();
    let stderr = String::from_utf8(proxied.stderr).unwrap();
    assert_eq!(proxied.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("--behind-proxy") && stderr.contains("--allow-anonymous"), "{stderr}");
    let token = |args: &[&str]| {
        let output =
            wayforge().arg("token").args(args).args(["--database", &database]).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, secret, stderr) = token(&["create", "bot", "--guild", "g1", "--access", "write"]);
    assert_eq!(code, Some(0), "{stderr}");
    let (id, secret) = (stderr.split(' ').next().unwrap().to_owned(), secret.trim().to_owned());
    assert!(stderr.contains("write  guild g1  bot") && !stderr.contains(&secret), "{stderr}");
    assert_eq!(token(&["create", "x"]).0, Some(2), "--guild or --all is required");
    assert_eq!(token(&["create", "x", "--guild", "a b"]).0, Some(2));
    let server = Server::start("0.0.0.0", &database, &["--open-maps"]);
    let bearer = format!("Authorization: Bearer {secret}\r\n");
    let status = |path: &str, headers: &str| server.send("GET", path, headers, "").unwrap().status;
    assert_eq!(status("/v1/act.svg?seed=1", ""), 200);
    assert_eq!(status("/v1/guilds/g1/maps", ""), 401);
    assert_cross_origin(&server);
    assert_eq!(status("/v1/guilds/g1/maps", &bearer), 200);
    assert_eq!(status("/v1/guilds/g2/maps", &bearer), 403);
    let (_, list, _) = token(&["list"]);
    assert!(list.lines().count() == 1 && list.contains(&id) && !list.contains(&secret), "{list}");
    assert_eq!(token(&["revoke", &id]).0, Some(0));
    assert_eq!(status("/v1/guilds/g1/maps", &bearer), 401, "revocation takes effect at once");
    assert_eq!(token(&["revoke", &id]).0, Some(2), "a token is revoked only once");
    drop(server);
    // After the last token is revoked, the service stays closed, also on loopback.
    let closed = Server::start("127.0.0.1", &database, &[]);
    assert_eq!(closed.send("GET", "/v1/act", "", "").unwrap().status, 401);
}

/// Checks that pages of other sites can generate maps, and cannot read stored ones.
fn assert_cross_origin(server: &Server) {
    let send = |method: &str, path: &str, body: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.example\r\n\
             Access-Control-Request-Method: POST\r\nConnection: close\r\n{kind}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response.split("\r\n\r\n").next().unwrap().to_owned()
    };
    let allow = "access-control-allow-origin: *";
    for (method, path, body, status) in [
        ("OPTIONS", "/v1/act", "", "204"),
        ("POST", "/v1/act", "{}", "200"),
        ("POST", "/v1/act", "[]", "400"),
        ("GET", "/v1/act.svg?seed=1", "", "200"),
    ] {
        let head = send(method, path, body);
        assert!(head.contains(status) && head.contains(allow), "{method} {path}: {head}");
        let exposed =
            "access-control-expose-headers: ETag, Retry-After, Wayforge-Seed, X-Request-Id";
        assert!(head.contains(exposed), "{method} {path}: {head}");
    }
    for (method, path) in [("GET", "/v1/guilds/g1/maps"), ("GET", "/metrics"), ("GET", "/healthz")]
    {
        let head = send(method, path, "");
        assert!(!head.contains(allow), "{method} {path}: {head}");
    }
}

#[test]
fn a_token_created_while_the_server_runs_closes_it() {
    let folder = folder();
    let database = file_address(folder.path());
    let server = Server::start("0.0.0.0", &database, &["--allow-anonymous"]);
    assert!(server.startup_log.contains("warning"), "{}", server.startup_log);
    let status = |headers: &str| {
        server.send("POST", "/v1/guilds/g/channels/c/map", headers, "{}").unwrap().status
    };
    assert_eq!(status(""), 400, "open: the body is rejected");
    let created = wayforge()
        .args(["token", "create", "bot", "--all", "--access", "write", "--database", &database])
        .output()
        .unwrap();
    let secret = String::from_utf8(created.stdout).unwrap();
    let start = std::time::Instant::now();
    while status("") != 401 {
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "still open");
    }
    assert_eq!(status(&format!("Authorization: Bearer {}\r\n", secret.trim())), 400);
}

#[test]
fn foreign_hosts_and_origins_are_rejected() {
    let folder = folder();
    let database = file_address(folder.path());
    let server = Server::start("127.0.0.1", &database, &["--host-name", "maps.example"]);
    let status = |method: &str, headers: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let body = if method == "POST" { "{}" } else { "" };
        let head = format!(
            "{method} /v1/act?seed=1 HTTP/1.1\r\nConnection: close\r\n{headers}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let head = if method == "POST" { head.replace("?seed=1", "") } else { head };
        stream.write_all(head.as_bytes()).unwrap();
        read(&mut BufReader::new(stream)).unwrap().status
    };
    assert_eq!(status("GET", "Host: evil.example\r\n"), 421);
    assert_eq!(status("GET", "Host: maps.example:8080\r\n"), 200);
    assert_eq!(status("GET", "Host: localhost\r\n"), 200);
    assert_eq!(status("GET", ""), 400);
    assert_eq!(status("GET", "Host: localhost\r\nHost: localhost\r\n"), 400);
    assert_eq!(status("POST", "Host: localhost\r\nOrigin: http://evil.example\r\n"), 403);
    assert_eq!(status("POST", "Host: localhost\r\nOrigin: https://maps.example\r\n"), 200);
}

#[test]
fn rejects_invalid_options_with_one_line() {
    for (args, message) in [
        (&["serve", "--listen", "nowhere"][..], "--listen nowhere"),
        (&["serve", "--database", "maps.db"], "use sqlite:FILE"),
        (&["serve", "--max-body", "much"], "--max-body"),
        (&["serve", "--host-name", "https://maps.example"], "use a name without scheme"),
        (&["token", "list", "--database", "mysql://secret@host/x"], "use sqlite:FILE"),
    ] {
        let output = wayforge().args(args).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(
            text.contains(message) && text.lines().count() == 1 && !text.contains("secret"),
            "{text}"
        );
    }
}
