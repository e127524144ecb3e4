//! A small HTTP client, and a served process.

use serde_json::Value;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn wayforge() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayforge"));
    for (name, _) in
        std::env::vars().filter(|(name, _)| name.starts_with("WAYFORGE_") || name.starts_with("DISCORD_"))
    {
        command.env_remove(name);
    }
    command
}

/// A server of its own, ended with the test however it goes.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    log: Option<BufReader<std::process::ChildStderr>>,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) tag: String,
    pub(crate) body: String,
}

impl Server {
    /// Starts one on a free port of `host` and waits until it serves.
    pub(crate) fn start(host: &str, database: &str, options: &[&str]) -> Server {
        let mut child = wayforge()
            .args(["serve", "--listen", &format!("{host}:0"), "--database", database, "--rate", "0"])
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut server = Server { child, address: String::new(), log: None };
        let mut told = String::new();
        while server.address.is_empty() {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "it did not start: {told}");
            if let Some((_, rest)) = line.split_once("serving on http://") {
                server.address = rest.split(',').next().unwrap().replace("0.0.0.0", "127.0.0.1");
            }
            told += &line;
        }
        server.log = Some(log);
        server
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Result<Answer, Error> {
        ask(&self.address, method, path, headers, body)
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    /// What it logs from now on, and how it ends.
    pub(crate) fn wait(mut self) -> (Option<i32>, String) {
        let mut text = String::new();
        if let Some(mut log) = self.log.take() {
            let _ = log.read_to_string(&mut text);
        }
        let start = Instant::now();
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return (status.code(), text),
                None if start.elapsed() > Duration::from_secs(30) => panic!("it does not end: {text}"),
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

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Sends a request on a connection of its own.
pub(crate) fn ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Result<Answer, Error> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{kind}{headers}");
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
    read(&mut BufReader::new(stream))
}

/// Reads an answer.
pub(crate) fn read(stream: &mut impl BufRead) -> Result<Answer, Error> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| Error::new(ErrorKind::UnexpectedEof, "no answer"))?;
    let (mut length, mut tag) = (None, String::new());
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse::<usize>().ok(),
            "etag" => tag = value.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    Ok(Answer { status, tag, body: String::from_utf8_lossy(&body).into_owned() })
}
