//! Edits when Discord is slow, busy or broken, and when the server stops.

use crate::fixture::{Fixture, START};
use crate::interaction::{ADA, APPLICATION, BOB, TestChannel, command, press, token};
use serde_json::{Value, json};
use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const CHANNEL: TestChannel = TestChannel::Guild(1, 2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retries_after_rate_limits_and_server_errors() {
    let fixture = Fixture::sqlite().await;
    fixture.discord.fail(&[(429, Some("0.3")), (500, None), (502, None), (429, None)]);
    let before = fixture.discord.request_count();
    let new_map = command(ADA, CHANNEL, "new", &[("seed", json!("42"))]);
    let body = new_map.to_string();
    assert_eq!(fixture.post(&fixture.sign(START, &body), &body).await, (200, json!({ "type": 5 })));
    fixture.discord.mark_responded(&token(&new_map));
    let edit = fixture.discord.next(&token(&new_map)).await;
    assert!(edit.picture().0 > 300);
    assert_eq!(fixture.discord.request_count() - before, 5, "four failures, one success");
    // Lower bounds only: a busy machine makes pauses longer, never shorter.
    let pauses = fixture.discord.pauses(5);
    assert!(pauses[0] >= Duration::from_millis(300), "Retry-After: {pauses:?}");
    assert!(pauses[3] >= Duration::from_millis(900), "default of one second: {pauses:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retries_an_edit_that_arrives_before_its_response() {
    let fixture = Fixture::sqlite().await;
    let new_map = command(ADA, CHANNEL, "new", &[("seed", json!("42"))]);
    let body = new_map.to_string();
    fixture.post(&fixture.sign(START, &body), &body).await;
    // The first response is delayed until the edit has arrived.
    while fixture.discord.early_edits() == 0 {
        tokio::task::yield_now().await;
    }
    assert!(fixture.discord.try_next(&token(&new_map)).is_none(), "nothing to edit yet");
    fixture.discord.mark_responded(&token(&new_map));
    fixture.discord.next(&token(&new_map)).await;
    assert!(fixture.discord.request_count() >= 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attempts_are_bounded_and_a_rejection_is_final() {
    let fixture = Fixture::sqlite().await;
    // Discord rejects the picture: text and buttons are sent without it.
    fixture.discord.fail(&[(413, None)]);
    let edit = fixture.send_public(command(ADA, CHANNEL, "new", &[("seed", json!("42"))])).await;
    assert!(
        edit.file.is_none() && edit.content().contains("could not be sent"),
        "{}",
        edit.content()
    );
    assert!(!edit.moves().is_empty());
    assert_eq!(fixture.discord.request_count(), 2);
    // Permanent server error.
    fixture.discord.fail(&[(500, None); 6]);
    let shown = command(ADA, CHANNEL, "show", &[]);
    fixture.send(&shown).await;
    assert_eq!(fixture.bot.finish(Duration::from_secs(60)).await, 0, "the bot gives up");
    assert_eq!(fixture.discord.request_count(), 2 + 6);
    // Retry-After is longer than the maximum delay.
    fixture.discord.fail(&[(429, Some("3600"))]);
    fixture.send(&command(ADA, CHANNEL, "show", &[])).await;
    assert_eq!(fixture.bot.finish(Duration::from_secs(60)).await, 0);
    assert_eq!(fixture.discord.request_count(), 2 + 6 + 1);
    // Later commands still work.
    fixture.send_public(command(ADA, CHANNEL, "show", &[])).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outcome_follows_a_deferred_response() {
    let fixture = Fixture::with(|settings| settings.defer_after = Duration::ZERO).await;
    let shown = fixture.send_public(command(ADA, CHANNEL, "new", &[("seed", json!("42"))])).await;
    // A rejected command: the public response is deleted, and the user gets a private message.
    let rejected = command(BOB, CHANNEL, "move", &[("node", json!("9,9"))]);
    assert_eq!(fixture.send(&rejected).await, json!({ "type": 5 }));
    let deleted = fixture.discord.next(&token(&rejected)).await;
    assert_eq!(
        (deleted.method.as_str(), deleted.path.ends_with("/messages/@original")),
        ("DELETE", true)
    );
    let sent = fixture.discord.next(&token(&rejected)).await;
    assert_eq!(sent.path, format!("/api/v10/webhooks/{APPLICATION}/{}", token(&rejected)));
    assert_eq!((sent.method.as_str(), &sent.body["flags"]), ("POST", &json!(64)));
    assert!(sent.content().starts_with("Node 9,9 is not a legal move"), "{}", sent.content());
    // A button with an old revision: its message stays.
    let id = shown.button(&shown.moves()[0].0);
    fixture.send_public(press(ADA, CHANNEL, &id)).await;
    let late = press(BOB, CHANNEL, &id);
    assert_eq!(fixture.send(&late).await, json!({ "type": 6 }));
    let sent = fixture.discord.next(&token(&late)).await;
    assert_eq!((sent.method.as_str(), &sent.body["flags"]), ("POST", &json!(64)));
    assert!(sent.content().starts_with("Someone else was faster"), "{}", sent.content());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn first_response_does_not_wait_for_a_locked_database() {
    let fixture = Fixture::with(|settings| settings.defer_after = Duration::from_millis(50)).await;
    let file =
        SqliteConnectOptions::new().filename(fixture.address.strip_prefix("sqlite:").unwrap());
    let mut other = file.connect().await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let new_map = command(ADA, CHANNEL, "new", &[("seed", json!("42"))]);
    let sent = Instant::now();
    assert_eq!(fixture.send(&new_map).await, json!({ "type": 5 }));
    assert!(
        sent.elapsed() >= Duration::from_millis(50),
        "the command gets this time before the response is deferred"
    );
    assert!(fixture.map(CHANNEL).await.is_none(), "not created yet");
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    let edit = fixture.discord.next(&token(&new_map)).await;
    assert!(!edit.moves().is_empty() && fixture.map(CHANNEL).await.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejects_commands_when_too_many_are_pending() {
    let fixture = Fixture::with(|settings| settings.max_pending = 2).await;
    let held = fixture.discord.hold().await;
    let waiting = [
        command(ADA, TestChannel::Direct(1), "new", &[]),
        command(ADA, TestChannel::Direct(2), "new", &[]),
    ];
    for command in &waiting {
        assert_eq!(fixture.send(command).await, json!({ "type": 5 }));
    }
    assert_eq!(fixture.bot.pending(), 2);
    let busy = fixture.send_private(command(ADA, TestChannel::Direct(3), "new", &[])).await;
    assert!(busy.contains("try again in a moment"), "{busy}");
    assert!(fixture.map(TestChannel::Direct(3)).await.is_none());
    drop(held);
    for command in &waiting {
        fixture.discord.next(&token(command)).await;
    }
    assert_eq!(fixture.bot.finish(Duration::from_secs(60)).await, 0);
    fixture.send_public(command(ADA, TestChannel::Direct(3), "new", &[])).await;
}

/// Runs a real server with connections, and stops it while edits are pending.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_pending_edits_before_the_server_stops() {
    let fixture = Fixture::sqlite().await;
    let held = fixture.discord.hold().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async move { drop(stopped.await) };
    let mut options = wayforge_server::ServeOptions::default();
    options.grace = Duration::from_secs(60);
    let server =
        tokio::spawn(wayforge_server::serve(listener, fixture.app.clone(), options, stopped));
    let mut commands = Vec::new();
    for channel in 0..20 {
        let new = command(ADA, TestChannel::Direct(100 + channel), "new", &[("seed", json!("42"))]);
        let body = new.to_string();
        let mut request =
            "POST /discord/interactions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
                .to_owned();
        for (name, value) in fixture.sign(START, &body) {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!(
            "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut connection = TcpStream::connect(address).await.unwrap();
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        connection.read_to_string(&mut response).await.unwrap();
        let (_, body) = response.split_once("\r\n\r\n").unwrap();
        let body = serde_json::from_str::<Value>(body).unwrap();
        assert_eq!(body, json!({ "type": 5 }), "{response}");
        fixture.discord.mark_responded(&token(&new));
        commands.push(new);
    }
    stop.send(()).unwrap();
    assert_eq!(server.await.unwrap(), 0, "all requests are finished");
    assert_eq!(fixture.bot.pending(), 20, "their edits are pending");
    assert_eq!(
        fixture.bot.finish(Duration::from_millis(50)).await,
        20,
        "number of unfinished commands"
    );
    let finishing = tokio::spawn({
        let bot = fixture.bot.clone();
        async move { bot.finish(Duration::from_secs(60)).await }
    });
    drop(held);
    assert_eq!(finishing.await.unwrap(), 0);
    for command in &commands {
        let edit = fixture.discord.try_next(&token(command)).expect("edit was sent");
        assert!(edit.picture().0 > 300);
    }
}

/// The client never sends a token to a server without a valid TLS certificate.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn https_address_requires_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}/api/v10", listener.local_addr().unwrap());
    let fixture = Fixture::with(|settings| settings.api = address.parse().unwrap()).await;
    let new_map = command(ADA, CHANNEL, "new", &[("seed", json!("42"))]);
    assert_eq!(fixture.send(&new_map).await, json!({ "type": 5 }));
    let (mut connection, _) = listener.accept().await.unwrap();
    let mut hello = vec![0; 5];
    connection.read_exact(&mut hello).await.unwrap();
    assert_eq!((hello[0], hello[1]), (22, 3), "TLS handshake: {hello:?}");
    connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").await.unwrap();
    let mut rest = Vec::new();
    let _ = connection.read_to_end(&mut rest).await;
    let secret = token(&new_map).into_bytes();
    assert!(
        !rest.windows(secret.len()).any(|window| window == secret),
        "the token was sent unencrypted"
    );
    drop(listener);
    assert_eq!(fixture.bot.finish(Duration::from_secs(60)).await, 0, "the bot gives up");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn registers_commands_globally_and_in_a_guild() {
    let fixture = Fixture::sqlite().await;
    fixture.discord.fail(&[(429, Some("0.1"))]);
    for (guild, path) in [(None, "commands"), (Some(77), "guilds/77/commands")] {
        let api = fixture.discord.address.parse().unwrap();
        let registered =
            wayforge_server::discord::register(api, APPLICATION, guild, "the.bot-token")
                .await
                .unwrap();
        let definitions = match guild {
            None => wayforge_server::discord::command_definitions(),
            Some(_) => wayforge_server::discord::guild_command_definitions(),
        };
        assert_eq!(registered, definitions);
        assert_eq!(
            registered[0].get("contexts").is_some(),
            guild.is_none(),
            "guild commands have no contexts"
        );
        let path = format!("/api/v10/applications/{APPLICATION}/{path}");
        let name = path.split('/').nth(5).unwrap().to_owned();
        let put = fixture.discord.next(&name).await;
        assert_eq!((put.method.as_str(), &put.path), ("PUT", &path));
        assert_eq!(
            (put.headers["authorization"].to_str().unwrap(), &put.body),
            ("Bot the.bot-token", &registered)
        );
    }
    fixture.discord.fail(&[(401, None)]);
    let api = fixture.discord.address.parse().unwrap();
    let error =
        wayforge_server::discord::register(api, APPLICATION, None, "wrong").await.unwrap_err();
    assert!(error.to_string().starts_with("Discord responded with 401: "), "{error}");
    assert!(!error.to_string().contains("wrong"), "the error contains the token");
}
