//! A throw-away PostgreSQL for this run of tests: on loopback, as a user that is not root, with fsync on.
//!
//! A shell waits for this process to end, however it ends, and then stops the database and removes its files.

use sqlx::{ConnectOptions, Connection, postgres::PgConnectOptions};
use std::fs::Permissions;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

const MISSING: &str = "PostgreSQL is not here: these tests need initdb and pg_ctl, from Debian's package postgresql \
    (apt-get install -y --no-install-recommends postgresql), which scripts/test installs";

/// A running PostgreSQL.
pub(crate) struct Cluster {
    bin: PathBuf,
    user: Option<String>,
    data: PathBuf,
    port: u16,
    /// Ends with this process, and takes the cluster with it.
    _watcher: Child,
}

/// The cluster that most tests share.
pub(crate) fn shared() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    static STARTING: Mutex<()> = Mutex::new(());
    let _one = STARTING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    SHARED.get_or_init(Cluster::start)
}

impl Cluster {
    /// Starts one.
    pub(crate) fn start() -> Cluster {
        let bin = find_bin();
        let user = other_user();
        let base = tempfile::Builder::new().prefix("wayforge-pg-").tempdir().unwrap().keep();
        std::fs::set_permissions(&base, Permissions::from_mode(0o755)).unwrap();
        let data = base.join("data");
        std::fs::create_dir(&data).unwrap();
        if let Some(user) = &user {
            must(Command::new("chown").arg("-R").arg(user).arg(&base));
        }
        // The watcher first: whatever fails from here on, the files go.
        let clean = "read -r _; \"$@\" -D \"$DATA\" -m immediate stop; rm -rf \"$BASE\"";
        let mut stop = vec![bin.join("pg_ctl").display().to_string()];
        if let Some(user) = &user {
            stop.splice(0..0, ["runuser", "-u", user, "--"].map(str::to_owned));
        }
        let watcher = Command::new("setsid")
            .args(["sh", "-c", clean, "watcher"])
            .args(stop)
            .env("DATA", &data)
            .env("BASE", &base)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut cluster = Cluster { bin, user, data, port: 0, _watcher: watcher };
        must(cluster.tool("initdb").args([
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
            // Free now; somebody else may be faster.
            cluster.port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            if cluster.run() {
                break;
            }
            assert!(attempt < 5, "PostgreSQL does not start: {}", cluster.log());
        }
        cluster
    }

    /// Starts the server on its port, again after it was killed; false if it does not start.
    fn run(&self) -> bool {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=on -c synchronous_commit=on",
            self.port
        );
        let log = self.data.join("log");
        // pg_ctl's server would hold on to our pipes.
        let (out, err) = (Stdio::null(), Stdio::null());
        let mut start = self.tool("pg_ctl");
        start.args(["-w", "-t", "60", "-o", &options, "-l"]).arg(log).arg("start").stdout(out).stderr(err);
        start.status().unwrap().success()
    }

    /// Kills the postmaster and all its backends at once, as a crash of the machine would, and starts it again.
    pub(crate) fn crash_and_recover(&self) {
        let file = std::fs::read_to_string(self.data.join("postmaster.pid")).unwrap();
        let postmaster = file.lines().next().unwrap().to_owned();
        let children = format!("/proc/{postmaster}/task/{postmaster}/children");
        let children = std::fs::read_to_string(children).unwrap();
        assert!(children.split_whitespace().count() > 5, "the writer, the checkpointer and the backends");
        // A backend may have ended by itself meanwhile.
        let kill = format!("kill -9 {postmaster} {children}");
        let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
        for attempt in 0.. {
            // Until the last backend is gone, the shared memory is in use.
            if self.run() {
                break;
            }
            assert!(attempt < 50, "PostgreSQL does not recover: {}", self.log());
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }

    /// Where the cluster's files are.
    #[allow(dead_code)] // Other tests share this file.
    pub(crate) fn folder(&self) -> &Path {
        self.data.parent().unwrap()
    }

    /// Lets the server speak TLS, with a certificate for these names by an authority of its own, `ca.pem`; `other-ca.pem` is another.
    #[allow(dead_code)] // Other tests share this file.
    pub(crate) fn turn_on_tls(&self, names: &[&str]) {
        let names: Vec<String> = names.iter().map(|name| format!("DNS:{name}")).collect();
        let make = format!(
            "set -e; cd '{0}'; key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
            for ca in ca other-ca; do
                openssl req -x509 $key -keyout $ca.key -out $ca.pem -subj /CN=$ca -days 2
            done
            openssl req $key -keyout server.key -out server.csr -subj /CN=server
            printf 'subjectAltName={1}\nbasicConstraints=CA:FALSE\n' > extensions
            openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out server.pem
            chmod 600 server.key
            printf \"ssl=on\nssl_cert_file='%s/server.pem'\nssl_key_file='%s/server.key'\n\" '{0}' '{0}' >> data/postgresql.auto.conf",
            self.folder().display(),
            names.join(","),
        );
        must(Command::new("sh").args(["-c", &make]));
        if let Some(user) = &self.user {
            must(Command::new("chown").arg("-R").arg(user).arg(self.folder()));
        }
        must(self.tool("pg_ctl").arg("reload"));
        // The postmaster reads its files again in its own time.
        std::thread::sleep(std::time::Duration::from_millis(500));
    }

    /// The address of a new, empty database.
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

/// The newest of Debian's versions, or what the path has.
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

/// PostgreSQL refuses to run as root; then it runs as somebody else.
fn other_user() -> Option<String> {
    let id =
        |args: &[&str]| String::from_utf8(Command::new("id").args(args).output().unwrap().stdout).unwrap();
    if id(&["-u"]).trim() != "0" {
        return None;
    }
    let known = |user: &&str| Command::new("id").arg(user).output().unwrap().status.success();
    Some(["postgres", "nobody"].into_iter().find(known).expect("a user postgres or nobody").to_owned())
}

fn must(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Where SQLite's files of a test are.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("wayforge-store-").tempdir().unwrap()
}

/// The address of a file in a folder.
pub(crate) fn file_address(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("maps.db").display())
}
