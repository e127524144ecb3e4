//! `wayforge database`: verification and copies.

use super::cluster::{file_address, folder};
use super::http::{Server, wayforge};
use sqlx::{ConnectOptions, Connection, sqlite::SqliteConnectOptions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Runs a command. Returns its exit code, standard output and standard error.
fn database(args: &[&str], address: &str) -> (Option<i32>, String, String) {
    let output = wayforge().arg("database").args(args).args(["--database", address]).output();
    let output = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Executes SQL in a database file.
fn execute_sql(path: &Path, sql: &'static str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
        assert!(sqlx::raw_sql(sql).execute(&mut connection).await.unwrap().rows_affected() > 0);
        connection.close().await.unwrap();
    });
}

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn verifies_and_copies_the_database_of_a_running_service() {
    let (folder, copies) = (folder(), folder());
    let address = file_address(folder.path());
    let server = Server::start("127.0.0.1", &address, &[]);
    for (path, family) in [
        ("/v1/guilds/g/channels/c/map", "act"),
        ("/v1/guilds/h/channels/c/map", "tower"),
        ("/v1/channels/dm/map", "floor"),
    ] {
        let body = format!(r#"{{"family":"{family}","seed":5}}"#);
        assert_eq!(server.send("POST", path, "", &body).unwrap().status, 201);
    }
    let intact = "2 guilds, 3 channels, 3 entries, 3 documents, 0 tokens: intact\n";
    let expected = (Some(0), intact.to_owned(), String::new());
    assert_eq!(database(&["verify"], &address), expected);
    let copy = copies.path().join("copy.db");
    let file = copy.to_str().unwrap();
    assert_eq!(database(&["backup", file], &address), expected);
    assert_eq!(names(copies.path()), ["copy.db"], "no other file is left");
    assert_eq!(copy.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(database(&["verify"], &format!("sqlite:{file}")), expected);
    // An existing file is not replaced.
    let before = std::fs::read(&copy).unwrap();
    let (code, stdout, stderr) = database(&["backup", file], &address);
    assert_eq!((code, &*stdout), (Some(2), ""));
    assert!(stderr.contains("copy.db: already exists; name a new file"), "{stderr}");
    assert!(std::fs::read(&copy).unwrap() == before);
    // A server that uses the copy has the same maps.
    let restored = Server::start("127.0.0.1", &format!("sqlite:{file}"), &[]);
    let path = "/v1/guilds/h/channels/c/map";
    let map = server.send("GET", path, "", "").unwrap().json();
    assert_eq!(restored.send("GET", path, "", "").unwrap().json(), map);
}

#[test]
fn damage_is_listed_and_fails() {
    let (folder, copies) = (folder(), folder());
    let address = file_address(folder.path());
    let server = Server::start("127.0.0.1", &address, &[]);
    let path = "/v1/guilds/g/channels/c/map";
    server.send("POST", path, "", r#"{"family":"act","seed":5}"#).unwrap();
    let digest = server.send("GET", path, "", "").unwrap().json()["digest"].clone();
    let damage = "UPDATE history SET actor = 'eve'";
    execute_sql(Path::new(address.strip_prefix("sqlite:").unwrap()), damage);
    let listed = format!(
        "g/c revision 1: the history is damaged, of the map {}\n\
         1 guild, 1 channel, 1 entry, 1 document, 0 tokens: 1 problem found\n",
        digest.as_str().unwrap()
    );
    let expected = (Some(1), listed, String::new());
    assert_eq!(database(&["verify"], &address), expected);
    // The copy is as damaged as the database, but better than none.
    let copy = copies.path().join("copy.db");
    assert_eq!(database(&["backup", copy.to_str().unwrap()], &address), expected);
    assert_eq!(names(copies.path()), ["copy.db"]);
}

#[test]
fn missing_databases_are_not_created() {
    let folder = folder();
    let address = file_address(folder.path());
    let copy = folder.path().join("copy.db");
    for args in [&["verify"][..], &["backup", copy.to_str().unwrap()]] {
        let (code, stdout, stderr) = database(args, &address);
        assert_eq!((code, &*stdout), (Some(2), ""), "{stderr}");
        assert!(stderr.contains("no such file"), "{stderr}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

mod postgres {
    use super::super::cluster;
    use super::database;

    #[test]
    fn is_verified_but_copied_by_its_own_program() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let address = runtime.block_on(cluster::shared().new_database());
        let (code, stdout, _) = database(&["verify"], &address);
        let intact = "0 guilds, 0 channels, 0 entries, 0 documents, 0 tokens: intact\n";
        assert_eq!((code, &*stdout), (Some(0), intact));
        let folder = cluster::folder();
        let copy = folder.path().join("copy.db");
        let (code, _, stderr) = database(&["backup", copy.to_str().unwrap()], &address);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.starts_with("wayforge: --database = postgres://..."), "{stderr}");
        assert!(stderr.contains("pg_dump") && !copy.exists(), "{stderr}");
    }
}
