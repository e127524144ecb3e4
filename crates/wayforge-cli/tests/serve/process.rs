//! One process: where it listens, whom it lets in, how it ends.

use crate::cluster::{file_address, folder};
use crate::http::{Server, read, wayforge};
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;

#[test]
fn it_finishes_requests_under_way_when_it_is_asked_to_stop() {
    let folder = folder();
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &[]);
    assert_eq!(server.ask("GET", "/healthz", "", "").unwrap().body, "ok\n");
    // A request that is half sent is under way.
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = "POST /v1/act HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut interim = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n", "the body is being read");
    stream.write_all(b"{\"seed\"").unwrap();
    // An idle connection does not hold it up.
    let idle = TcpStream::connect(&server.address).unwrap();
    server.signal("-TERM");
    // Nobody new is let in from some moment on.
    while TcpStream::connect(&server.address).is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    stream.write_all(b": 1}").unwrap();
    let answer = read(&mut BufReader::new(stream)).unwrap();
    assert_eq!((answer.status, answer.json()["seed"].as_str()), (200, Some("1")));
    drop(idle);
    let (code, log) = server.wait();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("stopped"), "{log}");
}

#[test]
fn what_is_kept_is_there_after_a_restart() {
    let folder = folder();
    let database = file_address(folder.path());
    let path = "/v1/guilds/g/channels/c/map";
    let server = Server::start("127.0.0.1", &database, &["--log-format", "json", "--log", "debug"]);
    let made = server.ask("POST", path, "", r#"{"family":"tower","seed":5}"#).unwrap();
    assert_eq!(made.status, 201, "{}", made.body);
    server.signal("-INT");
    let (code, log) = server.wait();
    assert_eq!(code, Some(0));
    let logged = log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let answered: Vec<_> = logged.filter(|line| line["message"] == "answered").collect();
    assert!(answered.iter().any(|line| line["status"] == 201 && line["path"] == path), "{log}");
    let again = Server::start("127.0.0.1", &database, &[]);
    assert_eq!(again.ask("GET", path, "", "").unwrap().json(), made.json());
}

#[test]
fn other_addresses_need_a_token() {
    let folder = folder();
    let database = file_address(folder.path());
    let refused =
        wayforge().args(["serve", "--listen", "0.0.0.0:0", "--database", &database]).output().unwrap();
    let told = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("holds no token") && told.contains("wayforge token create"), "{told}");
    let token = |args: &[&str]| {
        let output = wayforge().arg("token").args(args).args(["--database", &database]).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, secret, told) = token(&["create", "bot", "--guild", "g1", "--access", "write"]);
    assert_eq!(code, Some(0), "{told}");
    let (id, secret) = (told.split(' ').next().unwrap().to_owned(), secret.trim().to_owned());
    assert!(told.contains("write  guild g1  bot") && !told.contains(&secret), "{told}");
    assert_eq!(token(&["create", "x"]).0, Some(2), "whose maps must be said");
    assert_eq!(token(&["create", "x", "--guild", "a b"]).0, Some(2));
    let server = Server::start("0.0.0.0", &database, &["--open-maps"]);
    let bearer = format!("Authorization: Bearer {secret}\r\n");
    let status = |path: &str, headers: &str| server.ask("GET", path, headers, "").unwrap().status;
    assert_eq!(status("/v1/act.svg?seed=1", ""), 200);
    assert_eq!(status("/v1/guilds/g1/maps", ""), 401);
    assert_eq!(status("/v1/guilds/g1/maps", &bearer), 200);
    assert_eq!(status("/v1/guilds/g2/maps", &bearer), 403);
    let (_, list, _) = token(&["list"]);
    assert!(list.lines().count() == 1 && list.contains(&id) && !list.contains(&secret), "{list}");
    assert_eq!(token(&["revoke", &id]).0, Some(0));
    assert_eq!(status("/v1/guilds/g1/maps", &bearer), 401, "at once");
    assert_eq!(token(&["revoke", &id]).0, Some(2), "once");
    drop(server);
    // The last token is gone, and the door stays shut: also on loopback.
    let closed = Server::start("127.0.0.1", &database, &[]);
    assert_eq!(closed.ask("GET", "/v1/act", "", "").unwrap().status, 401);
}

#[test]
fn bad_options_are_told_in_one_line() {
    for (args, told) in [
        (&["serve", "--listen", "nowhere"][..], "--listen nowhere"),
        (&["serve", "--database", "maps.db"], "use sqlite:FILE"),
        (&["serve", "--max-body", "much"], "--max-body"),
        (&["token", "list", "--database", "mysql://secret@host/x"], "use sqlite:FILE"),
    ] {
        let output = wayforge().args(args).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(told) && text.lines().count() == 1 && !text.contains("secret"), "{text}");
    }
}
