//! Attacks on a server process over loopback: slow readers, idle connections, malformed requests.

use super::cluster::{file_address, folder};
use super::http::{Response, Server, read, send};
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Waits until a condition holds.
#[track_caller]
fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns a gauge of `/metrics`.
fn metric(server: &Server, name: &str) -> u64 {
    let text = server.send("GET", "/metrics", "", "").unwrap().body;
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
}

/// Opens a connection and writes `text`.
fn connect(server: &Server, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// Reads until the server closes the connection; a reset counts as closing.
fn read_to_end(mut stream: &TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the largest resident memory of a process, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn slow_readers_hold_bounded_memory_and_are_disconnected() {
    let (unsent, client_unsent) = (32 << 20, 24 << 20);
    let folder = folder();
    let options = [
        &format!("--max-unsent={unsent}"),
        &format!("--max-client-unsent={client_unsent}"),
        "--write-timeout=1000",
        "--workers=2",
        "--max-time=120000",
        "--behind-proxy",
        "--allow-anonymous",
    ];
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &options);
    let request = |client: &str| {
        // The response has 10 MB.
        let body = r#"{"seed":1,"config":{"rows":512,"cols":64,"walks":64}}"#;
        format!(
            "POST /v1/scene/act HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {client}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let before = peak_memory(server.id());
    let readers: Vec<TcpStream> =
        (0..48).map(|n| connect(&server, &request(&format!("10.0.0.{}", n % 4)))).collect();
    let mut statuses = Vec::new();
    for mut reader in &readers {
        let mut head = [0; 12];
        reader.read_exact(&mut head).unwrap();
        statuses.push(String::from_utf8_lossy(&head[9..]).into_owned());
        assert!(metric(&server, "wayforge_unsent_bytes") <= unsent);
        assert_eq!(server.send("GET", "/healthz", "", "").unwrap().status, 200);
    }
    assert!(statuses.iter().all(|status| status == "200" || status == "503"), "{statuses:?}");
    assert!(statuses.contains(&"200".to_owned()) && statuses.contains(&"503".to_owned()));
    // Small responses fit, although large ones have to wait.
    let other = "X-Forwarded-For: 10.0.1.1\r\n";
    assert_eq!(server.send("GET", "/v1/act?seed=1", other, "").unwrap().status, 200);
    wait_until("slow readers are disconnected", || metric(&server, "wayforge_unsent_bytes") == 0);
    let large = connect(&server, &request("10.0.1.2"));
    assert_eq!(read(&mut BufReader::new(&large)).unwrap().status, 200);
    let grown = peak_memory(server.id()) - before;
    // Two workers build 10 MB each from a larger tree; unlimited, 48 responses take 480 MB.
    assert!(grown < 200 << 20, "the memory grew by {grown} bytes");
}

#[test]
fn responses_larger_than_the_limit_name_it() {
    let folder = folder();
    let options = ["--max-client-unsent=1000"];
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &options);
    let response = server.send("GET", "/v1/act?seed=1", "", "").unwrap();
    assert_eq!(response.status, 422, "{}", response.body);
    assert_eq!(response.json()["allowed"], "at most 1000");
}

#[test]
fn idle_connections_of_one_address_leave_room_for_health_checks() {
    let folder = folder();
    let options = ["--max-client-connections=20"];
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &options);
    let idle: Vec<TcpStream> = (0..200).map(|_| connect(&server, "")).collect();
    for path in ["/healthz", "/readyz"] {
        assert_eq!(server.send("GET", path, "", "").unwrap().status, 200);
    }
    let rejected = server.send("GET", "/v1/act?seed=1", "", "").unwrap();
    assert_eq!(rejected.status, 503, "{}", rejected.body);
    assert_eq!(rejected.json()["type"], "/docs#problem-busy");
    drop(idle);
    wait_until("closed connections do not count", || {
        server.send("GET", "/v1/act?seed=1", "", "").unwrap().status == 200
    });
    let _first = connect(&server, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    wait_until("the gauge counts", || metric(&server, "wayforge_connections_open") == 2);
}

#[test]
fn malformed_requests_get_a_response() {
    let folder = folder();
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &[]);
    let host = "Host: localhost\r\n";
    let many = format!("GET /healthz HTTP/1.1\r\n{host}{}\r\n", "A: b\r\n".repeat(200));
    let long = format!("GET /healthz HTTP/1.1\r\n{host}A: {}\r\n\r\n", "b".repeat(200 << 10));
    let path = format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(80 << 10));
    for (request, status) in [
        ("nonsense\r\n\r\n", 400),
        ("GET / HTTP/7.1\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nA b: c\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        ("POST /v1/act HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\n", 400),
        ("POST /v1/act HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        ("POST /v1/act HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n", 400),
        (many.as_str(), 431),
        (long.as_str(), 431),
        (path.as_str(), 414),
    ] {
        let stream = connect(&server, "");
        // The server may respond before it has read everything.
        let _ = (&stream).write_all(request.as_bytes());
        let response = read_to_end(&stream);
        let start = &request[..request.len().min(60)];
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{start:?}: {response:?}, expected {status}"
        );
    }
    assert_eq!(server.send("GET", "/healthz", "", "").unwrap().status, 200);
}

#[test]
fn shutdown_answers_requests_on_open_connections() {
    let folder = folder();
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &[]);
    let (stopping, address) = (AtomicBool::new(false), server.address.clone());
    let (connected, start) = (AtomicUsize::new(0), Instant::now());
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..24)
            .map(|_| {
                scope.spawn(|| {
                    let stream = TcpStream::connect(&address).unwrap();
                    let mut reader = BufReader::new(&stream);
                    let mut answered = 0;
                    // Until the server says that it closes the connection.
                    while start.elapsed() < Duration::from_secs(60) {
                        let request = "GET /v1/act?seed=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
                        (&stream).write_all(request.as_bytes()).unwrap();
                        let Response { status, closes, .. } =
                            read(&mut reader).expect("no response to a request");
                        assert_eq!(status, 200);
                        answered += 1;
                        if answered == 1 {
                            connected.fetch_add(1, Ordering::SeqCst);
                        }
                        if closes {
                            assert!(stopping.load(Ordering::SeqCst));
                            return answered;
                        }
                    }
                    panic!("the server does not close the connection");
                })
            })
            .collect();
        wait_until("all clients are connected", || connected.load(Ordering::SeqCst) == 24);
        stopping.store(true, Ordering::SeqCst);
        server.signal("-TERM");
        for client in clients {
            assert!(client.join().unwrap() > 0);
        }
    });
    assert!(send(&address, "GET", "/healthz", "", "").is_err());
    let (code, log) = server.wait();
    assert_eq!(code, Some(0), "{log}");
}

#[test]
#[cfg(target_os = "linux")]
fn imports_a_guild_of_a_hundred_megabytes_in_bounded_memory() {
    let folder = folder();
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &[]);
    let created = server
        .send(
            "POST",
            "/v1/guilds/a/channels/c000/map",
            "",
            r#"{"family":"tower","seed":1,"config":{"floors":16,"floor":{"width":40,"height":40}}}"#,
        )
        .unwrap();
    assert_eq!(created.status, 201, "{}", created.body);
    // The response has no length.
    let stream = connect(&server, "GET /v1/guilds/a/export HTTP/1.0\r\nHost: localhost\r\n\r\n");
    let response = read_to_end(&stream);
    let lines: Vec<&str> = response.split_once("\r\n\r\n").unwrap().1.trim().lines().collect();
    let [header, document, entry, channel, _end] = lines[..] else { panic!("{response}") };
    // The same map in many channels, with its document each time.
    let copies = (100 << 20) / document.len() + 1;
    let parts = (0..copies).flat_map(|n| {
        let channel_name = format!("c{n:05}");
        let name = move |line: &str| line.replace("c000", &channel_name) + "\n";
        [document.to_owned() + "\n", name(entry), name(channel)]
    });
    let end = format!(
        "{{\"end\":{{\"channels\":{copies},\"entries\":{copies},\"documents\":{copies}}}}}\n"
    );
    let before = peak_memory(server.id());
    let stream = connect(
        &server,
        "POST /v1/guilds/a2/import HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    let head = header.replace("\"a\"", "\"a2\"") + "\n";
    for part in [head].into_iter().chain(parts).chain([end]) {
        write!(&stream, "{:x}\r\n{part}\r\n", part.len()).unwrap();
    }
    (&stream).write_all(b"0\r\n\r\n").unwrap();
    let response = read(&mut BufReader::new(&stream)).unwrap();
    assert_eq!(response.status, 200, "{}", response.body);
    assert_eq!(response.json()["channels"], copies as u64);
    let grown = peak_memory(server.id()) - before;
    assert!(grown < 64 << 20, "the memory grew by {grown} bytes");
    let last = format!("/v1/guilds/a2/channels/c{:05}/map", copies - 1);
    assert_eq!(server.send("GET", &last, "", "").unwrap().status, 200);
}
