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
    let head = "POST /v1/act HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n";
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

#[test]
fn rejects_invalid_options_with_one_line() {
    for (args, message) in [
        (&["serve", "--listen", "nowhere"][..], "--listen nowhere"),
        (&["serve", "--database", "maps.db"], "use sqlite:FILE"),
        (&["serve", "--max-body", "much"], "--max-body"),
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
