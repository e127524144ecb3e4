//! Tests of the Discord bot, and of `wayforge discord register`.

use super::cluster::{file_address, folder};
use super::http::{Server, wayforge};
use ed25519_dalek::{Signer, SigningKey};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::SystemTime;

const APPLICATION: &str = "845027738276462632";

/// A request to Discord: request line, authorization and body.
type SentRequest = (String, Option<String>, Vec<u8>);

/// Starts a mock of the Discord API. Returns its address and its requests.
///
/// Before each response it calls `before_response`.
fn mock_discord(
    mut before_response: impl FnMut() + Send + 'static,
    status: &'static str,
) -> (String, Receiver<SentRequest>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/api/v10", listener.local_addr().unwrap());
    let (sender, sent) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut first, mut length, mut authorization) = (String::new(), 0, None);
            stream.read_line(&mut first).unwrap();
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                let Some((name, value)) = line.trim_end().split_once(": ") else { break };
                match name.to_ascii_lowercase().as_str() {
                    "content-length" => length = value.parse().unwrap(),
                    "authorization" => authorization = Some(value.to_owned()),
                    _ => {}
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            before_response();
            let response =
                format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]");
            if stream.get_mut().write_all(response.as_bytes()).is_err() {
                continue;
            }
            if sender.send((first.trim_end().to_owned(), authorization, body)).is_err() {
                return;
            }
        }
    });
    (address, sent)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Builds the interaction of a `/map` subcommand in a direct message.
fn interaction(subcommand: &str) -> Value {
    json!({
        "id": "1190000000000000001",
        "application_id": APPLICATION,
        "type": 2,
        "version": 1,
        "token": "a-token",
        "channel_id": "5",
        "channel": { "id": "5", "type": 1 },
        "context": 1,
        "entitlements": [],
        "attachment_size_limit": 10_485_760,
        "authorizing_integration_owners": { "1": "42" },
        "user": { "id": "42", "username": "ada", "discriminator": "0", "avatar": null },
        "data": {
            "id": "1",
            "name": "map",
            "type": 1,
            "options": [{ "name": subcommand, "type": 1 }],
        },
    })
}

#[test]
fn sends_pending_edits_before_shutdown() {
    let key = SigningKey::from_bytes(&[7; 32]);
    let (arrived, arrival) = channel();
    let (release, released) = channel::<()>();
    let hold = move || {
        arrived.send(()).unwrap();
        released.recv().unwrap();
    };
    let (api, sent) = mock_discord(hold, "200 OK");
    let folder = folder();
    let public = hex(key.verifying_key().as_bytes());
    let options = [
        "--discord-public-key",
        &public,
        "--discord-application",
        APPLICATION,
        "--discord-api",
        &api,
    ];
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &options);
    let post = |body: &str, suffix: &str| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        let signature = hex(&key.sign(format!("{now}{body}").as_bytes()).to_bytes());
        let headers =
            format!("X-Signature-Ed25519: {signature}\r\nX-Signature-Timestamp: {now}\r\n");
        server.send("POST", "/discord/interactions", &headers, &format!("{body}{suffix}")).unwrap()
    };
    assert_eq!(post(r#"{"type":1}"#, "").json(), json!({ "type": 1 }));
    assert_eq!(post(r#"{"type":1}"#, " ").status, 401);
    assert_eq!(post(&interaction("new").to_string(), "").json(), json!({ "type": 5 }));
    arrival.recv().expect("the edit");
    server.signal("-TERM");
    // The server stops accepting connections, then waits for the response to the edit.
    while server.send("GET", "/healthz", "", "").is_ok() {}
    release.send(()).unwrap();
    let (code, log) = server.wait();
    assert_eq!(code, Some(0), "{log}");
    let (first, authorization, body) = sent.try_recv().expect("sent before shutdown");
    assert_eq!(
        first,
        format!("PATCH /api/v10/webhooks/{APPLICATION}/a-token/messages/@original HTTP/1.1")
    );
    assert_eq!(authorization, None);
    assert!(body.windows(4).any(|window| window == b"\x89PNG"), "with the picture");
    assert!(!log.contains("a-token"), "tokens are not logged");
}

#[test]
fn register_sends_or_prints_the_command_definitions() {
    let run = |args: &[&str], token: Option<&str>| {
        let mut command = wayforge();
        command.args(["discord", "register"]).args(args);
        if let Some(token) = token {
            command.env("DISCORD_BOT_TOKEN", token);
        }
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let printed = |args: &[&str]| {
        let (code, stdout, stderr) = run(args, None);
        assert_eq!(code, Some(0), "{stderr}");
        let commands: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(commands[0]["name"], "map");
        commands
    };
    let (api, sent) = mock_discord(|| {}, "200 OK");
    for (guild, path) in [(None, "commands"), (Some("77"), "guilds/77/commands")] {
        let mut dry = vec!["--dry-run"];
        dry.extend(guild.iter().flat_map(|guild| ["--guild", guild]));
        let commands = printed(&dry);
        let args = [&dry[1..], &["--application", APPLICATION, "--api", &api]].concat();
        assert_eq!(run(&args, Some("secret")), (Some(0), "[]\n".to_owned(), String::new()));
        let (first, authorization, body) = sent.recv().unwrap();
        assert_eq!(first, format!("PUT /api/v10/applications/{APPLICATION}/{path} HTTP/1.1"));
        assert_eq!(authorization.as_deref(), Some("Bot secret"));
        assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), commands);
    }
    let (unauthorized, _sent) = mock_discord(|| {}, "401 Unauthorized");
    for (args, token, message) in [
        (
            vec!["--application", APPLICATION, "--api", &unauthorized],
            Some("secret"),
            "Discord responded with 401",
        ),
        (vec!["--application", APPLICATION], None, "DISCORD_BOT_TOKEN: missing"),
        (vec![], Some("secret"), "--discord-application: missing"),
        (vec!["--application", "mine"], Some("secret"), "not an ID"),
        (vec!["--application", "1", "--api", "http://example.org"], Some("secret"), "unencrypted"),
    ] {
        let (code, _, stderr) = run(&args, token);
        assert!(
            code == Some(2) && stderr.contains(message) && !stderr.contains("secret"),
            "{message}: {stderr}"
        );
    }
}

#[test]
fn bot_needs_a_valid_public_key_and_an_application() {
    for (args, message) in [
        (vec!["--discord-public-key", "abc", "--discord-application", "1"], "64 hex digits"),
        (
            vec!["--discord-public-key", &"0".repeat(64), "--discord-application", "1"],
            "small order",
        ),
        (
            vec![
                "--discord-public-key",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            ],
            "--discord-application",
        ),
    ] {
        let output = wayforge()
            .args(["serve", "--database", "sqlite:/nowhere/maps.db"])
            .args(&args)
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let code = output.status.code();
        assert!(code == Some(2) && stderr.contains(message), "{message}: {stderr}");
    }
}
