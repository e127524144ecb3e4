//! A temporary PostgreSQL server for the tests: on loopback, as a user other than root, with fsync
//! on.
//!
//! A shell process waits until this process ends for any reason, then stops the server and removes
//! its files.

use sqlx::{ConnectOptions, Connection, postgres::PgConnectOptions};
use std::fs::Permissions;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

const MISSING: &str = "PostgreSQL not found: these tests need initdb and pg_ctl, from Debian's \
    package postgresql (scripts/test --only postgres --install)";

/// Defines each test for both databases.
#[allow(unused_macros)] // Other tests share this file.
macro_rules! both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::fixture::Fixture::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::fixture::Fixture::postgres().await).await;
            })*
        }
    };
}
#[allow(unused_imports)] // Other tests share this file.
pub(crate) use both;

/// A running PostgreSQL.
pub(crate) struct Cluster {
    bin: PathBuf,
    user: Option<String>,
    data: PathBuf,
    port: u16,
    /// Stops the server when this process ends.
    _watcher: Child,
}

/// Returns the server that most tests share.
pub(crate) fn shared() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    static STARTING: Mutex<()> = Mutex::new(());
    let _guard = STARTING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    SHARED.get_or_init(Cluster::start)
}

impl Cluster {
    /// Starts a server.
    pub(crate) fn start() -> Cluster {
        let bin = find_bin();
        let user = unprivileged_user();
        let base = tempfile::Builder::new().prefix("wayforge-pg-").tempdir().unwrap().keep();
        std::fs::set_permissions(&base, Permissions::from_mode(0o755)).unwrap();
        let data = base.join("data");
        std::fs::create_dir(&data).unwrap();
        if let Some(user) = &user {
            run_successfully(Command::new("chown").arg("-R").arg(user).arg(&base));
        }
        // Start the watcher first, so that the files are removed even if a later step fails.
        let cleanup = "read -r _; \"$@\" -D \"$DATA\" -m immediate stop; rm -rf \"$BASE\"";
        let mut stop = vec![bin.join("pg_ctl").display().to_string()];
        if let Some(user) = &user {
            stop.splice(0..0, ["runuser", "-u", user, "--"].map(str::to_owned));
        }
        let watcher = Command::new("setsid")
            .args(["sh", "-c", cleanup, "watcher"])
            .args(stop)
            .env("DATA", &data)
            .env("BASE", &base)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut cluster = Cluster { bin, user, data, port: 0, _watcher: watcher };
        run_successfully(cluster.tool("initdb").args([
            "-U",
            "map",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C",
        ]));
        for attempt in 0.. {
            // The port is free now, but another process may take it.
            cluster.port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            if cluster.start_server() {
                break;
            }
            assert!(attempt < 5, "PostgreSQL does not start: {}", cluster.log());
        }
        cluster
    }

    /// Starts or restarts the server on its port. Returns false if it does not start.
    fn start_server(&self) -> bool {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=on -c \
             synchronous_commit=on",
            self.port
        );
        let log = self.data.join("log");
        // The server would inherit our pipes.
        let (out, err) = (Stdio::null(), Stdio::null());
        let mut start = self.tool("pg_ctl");
        start
            .args(["-w", "-t", "60", "-o", &options, "-l"])
            .arg(log)
            .arg("start")
            .stdout(out)
            .stderr(err);
        start.status().unwrap().success()
    }

    /// Kills the postmaster and all its backends at once, like a crash of the machine, and restarts
    /// the server.
    pub(crate) fn crash_and_recover(&self) {
        let file = std::fs::read_to_string(self.data.join("postmaster.pid")).unwrap();
        let postmaster = file.lines().next().unwrap().to_owned();
        let children = format!("/proc/{postmaster}/task/{postmaster}/children");
        let children = std::fs::read_to_string(children).unwrap();
        assert!(
            children.split_whitespace().count() > 5,
            "expected the writer, the checkpointer and the backends"
        );
        // A backend may have exited meanwhile.
        let kill = format!("kill -9 {postmaster} {children}");
        let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
        for attempt in 0.. {
            // Shared memory is in use until the last backend has exited.
            if self.start_server() {
                break;
            }
            assert!(attempt < 50, "PostgreSQL does not recover: {}", self.log());
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }

    /// Returns the folder of the server's files.
    #[allow(dead_code)] // Other tests share this file.
    pub(crate) fn folder(&self) -> &Path {
        self.data.parent().unwrap()
    }

    /// Enables TLS with a certificate for these names, signed by the test authority `ca.pem`;
    /// `other-ca.pem` is an unrelated authority.
    #[allow(dead_code)] // Other tests share this file.
    pub(crate) fn enable_tls(&self, names: &[&str]) {
        let names: Vec<String> = names.iter().map(|name| format!("DNS:{name}")).collect();
        let script = format!(
            "set -e; cd '{0}'; key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
            for ca in ca other-ca; do
                openssl req -x509 $key -keyout $ca.key -out $ca.pem -subj /CN=$ca -days 2
            done
            openssl req $key -keyout server.key -out server.csr -subj /CN=server
            printf 'subjectAltName={1}\nbasicConstraints=CA:FALSE\n' > extensions
            openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
            -extfile extensions -out server.pem
            chmod 600 server.key
            printf \"ssl=on\nssl_cert_file='%s/server.pem'\nssl_key_file='%s/server.key'\n\" '{0}' \
            '{0}' >> data/postgresql.auto.conf",
            self.folder().display(),
            names.join(","),
        );
        run_successfully(Command::new("sh").args(["-c", &script]));
        if let Some(user) = &self.user {
            run_successfully(Command::new("chown").arg("-R").arg(user).arg(self.folder()));
        }
        run_successfully(self.tool("pg_ctl").arg("reload"));
        // The postmaster reloads its files asynchronously. The response to an `SSLRequest` is `S`
        // or `N`.
        for attempt in 0.. {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
            stream.write_all(&[0, 0, 0, 8, 4, 210, 22, 47]).unwrap();
            let mut response = [0];
            stream.read_exact(&mut response).unwrap();
            if response == *b"S" {
                break;
            }
            assert!(attempt < 600, "TLS is not enabled: {}", self.log());
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }

    /// Creates an empty database and returns its address.
    pub(crate) async fn new_database(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("maps_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let address = |database: &str| format!("postgres://map@127.0.0.1:{}/{database}", self.port);
        let admin: PgConnectOptions = address("postgres").parse().unwrap();
        let mut admin = admin.connect().await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut admin)
            .await
            .unwrap();
        admin.close().await.unwrap();
        address(&name)
    }

    fn tool(&self, name: &str) -> Command {
        let path = self.bin.join(name);
        let mut command = match &self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(path);
                command
            }
            None => Command::new(path),
        };
        command.arg("-D").arg(&self.data).current_dir("/").stdin(Stdio::null());
        command
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.data.join("log")).unwrap_or_default()
    }
}

/// Returns the newest version installed by Debian, or the one in `PATH`.
fn find_bin() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let bins = versions.map(|version| version.path().join("bin"));
    let number = |bin: &PathBuf| bin.parent()?.file_name()?.to_str()?.parse::<f64>().ok();
    let newest = bins
        .filter(|bin| bin.join("pg_ctl").exists())
        .max_by(|a, b| number(a).partial_cmp(&number(b)).unwrap());
    let in_path = || {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .find(|folder| folder.join("pg_ctl").exists() && folder.join("initdb").exists())
    };
    newest.or_else(in_path).expect(MISSING)
}

/// Returns a user to run the server as, because PostgreSQL does not run as root.
fn unprivileged_user() -> Option<String> {
    let id = |args: &[&str]| {
        String::from_utf8(Command::new("id").args(args).output().unwrap().stdout).unwrap()
    };
    if id(&["-u"]).trim() != "0" {
        return None;
    }
    let exists = |user: &&str| Command::new("id").arg(user).output().unwrap().status.success();
    Some(
        ["postgres", "nobody"]
            .into_iter()
            .find(exists)
            .expect("a user postgres or nobody")
            .to_owned(),
    )
}

fn run_successfully(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Creates a temporary folder for SQLite files.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("wayforge-store-").tempdir().unwrap()
}

/// Returns the address of a SQLite file in a folder.
pub(crate) fn file_address(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("maps.db").display())
}
