//! What happens when Discord is slow, busy or broken, and when the server stops.

use crate::bed::{Bed, START};
use crate::interaction::{ADA, APPLICATION, BOB, Place, command, press, token};
use serde_json::{Value, json};
use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const PLACE: Place = Place::Guild(1, 2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_discord_cannot_take_now_is_sent_again() {
    let bed = Bed::sqlite().await;
    bed.discord.fail(&[(429, Some("0.3")), (500, None), (502, None), (429, None)]);
    let before = bed.discord.asked();
    let made = command(ADA, PLACE, "new", &[("seed", json!("42"))]);
    let body = made.to_string();
    assert_eq!(bed.post(&bed.sign(START, &body), &body).await, (200, json!({ "type": 5 })));
    bed.discord.answered(&token(&made));
    let edit = bed.discord.next(&token(&made)).await;
    assert!(edit.picture().0 > 300);
    assert_eq!(bed.discord.asked() - before, 5, "four faults, then it was taken");
    // Lower bounds only: a busy machine makes pauses longer, never shorter.
    let pauses = bed.discord.pauses(5);
    assert!(pauses[0] >= Duration::from_millis(300), "as long as Discord asked for: {pauses:?}");
    assert!(pauses[3] >= Duration::from_millis(900), "a second if it does not say: {pauses:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_that_overtakes_its_answer_is_sent_again() {
    let bed = Bed::sqlite().await;
    let made = command(ADA, PLACE, "new", &[("seed", json!("42"))]);
    let body = made.to_string();
    bed.post(&bed.sign(START, &body), &body).await;
    // Our answer is under way for so long that the edit is there before it.
    while bed.discord.too_early() == 0 {
        tokio::task::yield_now().await;
    }
    assert!(bed.discord.try_next(&token(&made)).is_none(), "there was nothing to edit");
    bed.discord.answered(&token(&made));
    bed.discord.next(&token(&made)).await;
    assert!(bed.discord.asked() >= 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tries_are_bounded_and_a_refusal_is_final() {
    let bed = Bed::sqlite().await;
    // Too much for Discord: the words and buttons come without the picture.
    bed.discord.fail(&[(413, None)]);
    let edit = bed.shown(command(ADA, PLACE, "new", &[("seed", json!("42"))])).await;
    assert!(edit.file.is_none() && edit.content().contains("could not be sent"), "{}", edit.content());
    assert!(!edit.moves().is_empty());
    assert_eq!(bed.discord.asked(), 2);
    // Broken for good.
    bed.discord.fail(&[(500, None); 6]);
    let shown = command(ADA, PLACE, "show", &[]);
    bed.send(&shown).await;
    assert_eq!(bed.bot.finish(Duration::from_secs(60)).await, 0, "it ends");
    assert_eq!(bed.discord.asked(), 2 + 6);
    // A wait longer than patience.
    bed.discord.fail(&[(429, Some("3600"))]);
    bed.send(&command(ADA, PLACE, "show", &[])).await;
    assert_eq!(bed.bot.finish(Duration::from_secs(60)).await, 0);
    assert_eq!(bed.discord.asked(), 2 + 6 + 1);
    // And nothing of that stands in the way of the next.
    bed.shown(command(ADA, PLACE, "show", &[])).await;
}

/// A change that takes longer than Discord waits is answered as deferred; what came of it follows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_answers_follow() {
    let bed = Bed::with(|settings| settings.answer_within = Duration::ZERO).await;
    let made = bed.shown(command(ADA, PLACE, "new", &[("seed", json!("42"))])).await;
    // A refused command: what everybody sees is taken away, and the asking user is told.
    let refused = command(BOB, PLACE, "move", &[("node", json!("9,9"))]);
    assert_eq!(bed.send(&refused).await, json!({ "type": 5 }));
    let gone = bed.discord.next(&token(&refused)).await;
    assert_eq!((gone.method.as_str(), gone.path.ends_with("/messages/@original")), ("DELETE", true));
    let told = bed.discord.next(&token(&refused)).await;
    assert_eq!(told.path, format!("/api/v10/webhooks/{APPLICATION}/{}", token(&refused)));
    assert_eq!((told.method.as_str(), &told.body["flags"]), ("POST", &json!(64)));
    assert!(told.content().starts_with("Node 9,9 is not a legal move"), "{}", told.content());
    // A button that lost: its message stays.
    let id = made.button(&made.moves()[0].0);
    bed.shown(press(ADA, PLACE, &id)).await;
    let lost = press(BOB, PLACE, &id);
    assert_eq!(bed.send(&lost).await, json!({ "type": 6 }));
    let told = bed.discord.next(&token(&lost)).await;
    assert_eq!((told.method.as_str(), &told.body["flags"]), ("POST", &json!(64)));
    assert!(told.content().starts_with("Somebody else was first"), "{}", told.content());
}

/// A database that is busy for longer than Discord waits: the first answer is there in time, and the map follows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_answer_does_not_wait_for_the_database() {
    let bed = Bed::with(|settings| settings.answer_within = Duration::from_millis(50)).await;
    let file = SqliteConnectOptions::new().filename(bed.address.strip_prefix("sqlite:").unwrap());
    let mut other = file.connect().await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let made = command(ADA, PLACE, "new", &[("seed", json!("42"))]);
    let sent = Instant::now();
    assert_eq!(bed.send(&made).await, json!({ "type": 5 }));
    assert!(sent.elapsed() >= Duration::from_millis(50), "the change has this long to be done in time");
    assert!(bed.map(PLACE).await.is_none(), "it is not made yet");
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    let edit = bed.discord.next(&token(&made)).await;
    assert!(!edit.moves().is_empty() && bed.map(PLACE).await.is_some());
}

/// Orders under way are bounded; one too many is told to come back, and nothing of it is done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pending_edits_are_bounded() {
    let bed = Bed::with(|settings| settings.pending = 2).await;
    let held = bed.discord.hold().await;
    let waiting = [command(ADA, Place::Direct(1), "new", &[]), command(ADA, Place::Direct(2), "new", &[])];
    for one in &waiting {
        assert_eq!(bed.send(one).await, json!({ "type": 5 }));
    }
    assert_eq!(bed.bot.pending(), 2);
    let busy = bed.told(command(ADA, Place::Direct(3), "new", &[])).await;
    assert!(busy.contains("try again in a moment"), "{busy}");
    assert!(bed.map(Place::Direct(3)).await.is_none());
    drop(held);
    for one in &waiting {
        bed.discord.next(&token(one)).await;
    }
    assert_eq!(bed.bot.finish(Duration::from_secs(60)).await, 0);
    bed.shown(command(ADA, Place::Direct(3), "new", &[])).await;
}

/// A real server with a real connection stops while edits are under way: every one is sent before the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_edit_is_lost_when_the_server_stops() {
    let bed = Bed::sqlite().await;
    let held = bed.discord.hold().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async move { drop(stopped.await) };
    let server = tokio::spawn(wayforge_server::serve(
        listener,
        bed.app.clone(),
        100,
        Duration::from_secs(60),
        stopped,
    ));
    let mut orders = Vec::new();
    for channel in 0..20 {
        let order = command(ADA, Place::Direct(100 + channel), "new", &[("seed", json!("42"))]);
        let body = order.to_string();
        let mut request =
            "POST /discord/interactions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n".to_owned();
        for (name, value) in bed.sign(START, &body) {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        let mut connection = TcpStream::connect(address).await.unwrap();
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(serde_json::from_str::<Value>(body).unwrap(), json!({ "type": 5 }), "{answer}");
        bed.discord.answered(&token(&order));
        orders.push(order);
    }
    stop.send(()).unwrap();
    assert_eq!(server.await.unwrap().unwrap(), 0, "all requests are done");
    assert_eq!(bed.bot.pending(), 20, "and their edits are not");
    assert_eq!(bed.bot.finish(Duration::from_millis(50)).await, 20, "who does not wait is told what is lost");
    let finishing = tokio::spawn({
        let bot = bed.bot.clone();
        async move { bot.finish(Duration::from_secs(60)).await }
    });
    drop(held);
    assert_eq!(finishing.await.unwrap(), 0);
    for order in &orders {
        let edit = bed.discord.try_next(&token(order)).expect("sent before the end");
        assert!(edit.picture().0 > 300);
    }
}

/// The real API is spoken to in TLS and in nothing else; whoever is no server of that name gets no token.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn https_means_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}/api/v10", listener.local_addr().unwrap());
    let bed = Bed::with(|settings| settings.api = address.parse().unwrap()).await;
    let made = command(ADA, PLACE, "new", &[("seed", json!("42"))]);
    assert_eq!(bed.send(&made).await, json!({ "type": 5 }));
    let (mut connection, _) = listener.accept().await.unwrap();
    let mut hello = vec![0; 5];
    connection.read_exact(&mut hello).await.unwrap();
    assert_eq!((hello[0], hello[1]), (22, 3), "a handshake of TLS: {hello:?}");
    connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").await.unwrap();
    let mut rest = Vec::new();
    let _ = connection.read_to_end(&mut rest).await;
    let secret = token(&made).into_bytes();
    assert!(!rest.windows(secret.len()).any(|window| window == secret), "nothing was said in the open");
    drop(listener);
    assert_eq!(bed.bot.finish(Duration::from_secs(60)).await, 0, "it gives up");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_are_registered() {
    let bed = Bed::sqlite().await;
    bed.discord.fail(&[(429, Some("0.1"))]);
    for (guild, path) in [(None, "commands"), (Some(77), "guilds/77/commands")] {
        let api = bed.discord.address.parse().unwrap();
        let kept =
            wayforge_server::discord::register(api, APPLICATION, guild, "the.bot-token").await.unwrap();
        let definitions = match guild {
            None => wayforge_server::discord::commands(),
            Some(_) => wayforge_server::discord::guild_commands(),
        };
        assert_eq!(kept, definitions);
        assert_eq!(kept[0].get("contexts").is_some(), guild.is_none(), "a guild's commands have no contexts");
        let path = format!("/api/v10/applications/{APPLICATION}/{path}");
        let name = path.split('/').nth(5).unwrap().to_owned();
        let put = bed.discord.next(&name).await;
        assert_eq!((put.method.as_str(), &put.path), ("PUT", &path));
        assert_eq!((put.headers["authorization"].to_str().unwrap(), &put.body), ("Bot the.bot-token", &kept));
    }
    bed.discord.fail(&[(401, None)]);
    let api = bed.discord.address.parse().unwrap();
    let error = wayforge_server::discord::register(api, APPLICATION, None, "wrong").await.unwrap_err();
    assert!(error.to_string().starts_with("Discord refused with 401: "), "{error}");
    assert!(!error.to_string().contains("wrong"), "tokens are not told");
}
