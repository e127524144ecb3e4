//! Requests whose work exceeds the time limit, on a server process.

use super::cluster::{file_address, folder};
use super::http::{Server, send};
use std::time::{Duration, Instant};

/// A valid level that takes minutes to generate: the repairs of 32 mazes of 512 x 512 cells.
const HUGE_LEVEL: &str = r#"{"seed":1,"config":{"width":512,"height":512,"attempts":32,"interior_walls":"solid","walls":"maze","soft_locks":"forbidden","moving_floors":"30%","players":64}}"#;

#[test]
fn work_beyond_the_time_limit_frees_its_worker() {
    let folder = folder();
    let options = ["--workers=1", "--max-time=2000"];
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &options);
    let response = server.send("POST", "/v1/level", "", HUGE_LEVEL).unwrap();
    // Which of the two limits is reached first depends on the machine.
    match response.status {
        422 => assert!(response.body.contains("the work limit of"), "{}", response.body),
        503 => assert!(response.body.contains("no response within"), "{}", response.body),
        _ => panic!("{} {}", response.status, response.body),
    }
    let response = server.send("GET", "/v1/act.svg?seed=1", "", "").unwrap();
    assert_eq!(response.status, 200, "the only worker is free: {}", response.body);
}

#[test]
fn sigterm_ends_the_process_while_work_is_running() {
    let folder = folder();
    let options = ["--workers=1", "--max-time=600000"];
    let server = Server::start("127.0.0.1", &file_address(folder.path()), &options);
    let address = server.address.clone();
    let request = std::thread::spawn(move || send(&address, "POST", "/v1/level", "", HUGE_LEVEL));
    while !server
        .send("GET", "/metrics", "", "")
        .unwrap()
        .body
        .contains("wayforge_workers_busy 1\n")
    {
        std::thread::yield_now();
    }
    let start = Instant::now();
    server.signal("-TERM");
    let (_, log) = server.wait();
    // Five seconds on a machine that has nothing else to do.
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}: {log}", start.elapsed());
    assert!(request.join().unwrap().is_err(), "the connection was closed");
}
