//! A small HTTP client, and a server process for tests.

use serde_json::Value;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn wayforge() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayforge"));
    for (name, _) in std::env::vars()
        .filter(|(name, _)| name.starts_with("WAYFORGE_") || name.starts_with("DISCORD_"))
    {
        command.env_remove(name);
    }
    command
}

/// A server process that is killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    /// Log until the server was ready.
    pub(crate) startup_log: String,
    log: Option<BufReader<std::process::ChildStderr>>,
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) tag: String,
    pub(crate) request_id: String,
    /// Whether the server closes the connection.
    pub(crate) closes: bool,
    pub(crate) body: String,
}

impl Server {
    /// Starts a server on a free port of `host` and waits until it is ready.
    pub(crate) fn start(host: &str, database: &str, options: &[&str]) -> Server {
        Server::start_at(&format!("{host}:0"), database, options)
    }

    /// Starts a server on an address with a port and waits until it is ready.
    pub(crate) fn start_at(address: &str, database: &str, options: &[&str]) -> Server {
        let mut child = wayforge()
            .args(["serve", "--listen", address, "--database", database, "--rate", "0"])
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut server =
            Server { child, address: String::new(), startup_log: String::new(), log: None };
        while server.address.is_empty() {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "did not start: {}", server.startup_log);
            if let Some((_, rest)) = line.split_once("serving on http://") {
                server.address = rest.split(',').next().unwrap().replace("0.0.0.0", "127.0.0.1");
            }
            server.startup_log += &line;
        }
        server.log = Some(log);
        server
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Response, Error> {
        send(&self.address, method, path, headers, body)
    }

    /// Returns the id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    /// Waits for the end of the process. Returns its exit code and the rest of its log.
    pub(crate) fn wait(mut self) -> (Option<i32>, String) {
        let mut text = String::new();
        if let Some(mut log) = self.log.take() {
            let _ = log.read_to_string(&mut text);
        }
        let start = Instant::now();
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return (status.code(), text),
                None if start.elapsed() > Duration::from_secs(30) => {
                    panic!("did not end: {text}")
                }
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Sends a request on a new connection.
pub(crate) fn send(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Result<Response, Error> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{kind}{headers}"
    );
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
    read(&mut BufReader::new(stream))
}

/// Reads a response.
pub(crate) fn read(stream: &mut impl BufRead) -> Result<Response, Error> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| Error::new(ErrorKind::UnexpectedEof, "no response"))?;
    let (mut length, mut closes) = (None, false);
    let (mut tag, mut request_id) = (String::new(), String::new());
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse::<usize>().ok(),
            "connection" => closes = value.trim() == "close",
            "etag" => tag = value.trim().to_owned(),
            "x-request-id" => request_id = value.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    let body = String::from_utf8_lossy(&body).into_owned();
    Ok(Response { status, tag, request_id, closes, body })
}
