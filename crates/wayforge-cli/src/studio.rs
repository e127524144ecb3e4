//! `wayforge studio`: the service on this machine alone, and its page in the browser.

use crate::database::{DatabaseArgs, runtime};
use crate::failure::{Context, Failure};
use crate::output::parent;
use clap::Args;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::net::TcpListener;
use wayforge_server::{Guard, Limits, Package, Service};

/// The port if none is asked for; if it is taken, any free one.
const USUAL: u16 = 8080;

/// The options of `wayforge studio`.
#[derive(Args)]
pub(crate) struct StudioArgs {
    /// The port to listen on [default: 8080, or a free one if it is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Only print the address
    #[arg(long)]
    no_open: bool,
    /// Write the studio into a new folder instead, for any host of files: its maps are made on the page
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["port", "no_open", "database"])]
    export: Option<PathBuf>,
    /// The package for browsers that `scripts/build-wasm --studio` makes [default: ../share/wayforge/package from this program]
    #[arg(long, value_name = "FOLDER", requires = "export")]
    package: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Serves until it is asked to stop.
pub(crate) fn run(args: StudioArgs) -> Result<(), Failure> {
    match &args.export {
        Some(folder) => export(folder, args.package.as_deref()),
        None => runtime()?.block_on(serve(args)),
    }
}

/// Writes the studio's files into a folder that is not there yet, all of them or none.
fn export(folder: &Path, package: Option<&Path>) -> Result<(), Failure> {
    let option = format!("--export {}", folder.display());
    if std::fs::symlink_metadata(folder).is_ok() {
        return Err(Failure::about(option, "it is there already; name a new folder"));
    }
    let files = wayforge_server::export(read_package(package)?);
    let unfinished = tempfile::Builder::new().prefix(".wayforge-studio-").tempdir_in(parent(folder));
    let unfinished = unfinished.about(&option)?;
    let write = || -> std::io::Result<()> {
        for (name, content) in &files {
            let path = unfinished.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
            std::fs::write(path, content)?;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary folder is private; what is published is not.
            std::fs::set_permissions(unfinished.path(), std::fs::Permissions::from_mode(0o755))?;
        }
        std::fs::rename(unfinished.path(), folder)
    };
    write().about(&option)?;
    eprintln!("wayforge: {} holds the studio; any host of files can serve it", folder.display());
    Ok(())
}

fn read_package(given: Option<&Path>) -> Result<Package, Failure> {
    let usual = || {
        let program = std::env::current_exe().ok()?;
        Some(program.parent()?.parent()?.join("share/wayforge/package"))
    };
    let folder = match given {
        Some(folder) => folder.to_owned(),
        None => usual().unwrap_or_else(|| PathBuf::from("share/wayforge/package")),
    };
    let read = |name: &str| {
        let path = folder.join("pkg").join(name);
        std::fs::read(&path).map_err(|error| {
            let remedy =
                "build the package with `scripts/build-wasm --studio`, or name its folder with --package";
            Failure::Input(format!("--package {}: {error}; {remedy}", path.display()))
        })
    };
    let package = Package { script: read("wayforge.js")?, wasm: read("wayforge_bg.wasm")? };
    if !package.script.windows(10).any(|part| part == b"RawAnswers") {
        let problem =
            "this package does not answer what the studio asks; build it with `scripts/build-wasm --studio`";
        return Err(Failure::about(format!("--package {}", folder.display()), problem));
    }
    Ok(package)
}

async fn serve(args: StudioArgs) -> Result<(), Failure> {
    let store = args.database.open().await?;
    let page = store.list_tokens(None, 1).await.about("--database")?;
    // The page needs no kept maps; where tokens guard them, they stay guarded.
    let guard = if page.items.is_empty() { Guard::Open } else { Guard::Kept };
    // The only client sits at this machine: it may ask as often and as much as it likes.
    let limits = Limits { rate: 0, body: 64 << 20, ..Limits::default() };
    let (connections, grace) = (limits.connections, Duration::from_secs(2));
    let listener = listen(args.port).await?;
    let bound = listener.local_addr().about("studio")?;
    let app = wayforge_server::app(Service::new(std::sync::Arc::clone(&store), limits, guard));
    // The handler must stand before anybody is told that the page is there.
    let stop = wayforge_server::stop_signal();
    let address = format!("http://{bound}/");
    eprintln!("wayforge: the studio is at {address} (ctrl-c ends it)");
    if !args.no_open {
        open(&address);
    }
    let served = wayforge_server::serve(listener, app, connections, grace, stop).await;
    store.close().await;
    served.map(drop).about("studio")
}

async fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let bind = |port: u16| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let refuse = |error| Failure::about(format!("--port {}", port.unwrap_or(USUAL)), error);
    match (port, bind(port.unwrap_or(USUAL)).await) {
        (_, Ok(listener)) => Ok(listener),
        (None, Err(_)) => bind(0).await.map_err(refuse),
        (Some(_), Err(error)) => Err(refuse(error)),
    }
}

/// Asks the desktop for a browser. Where there is none, the printed address has to do.
fn open(address: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // Somebody has to hear of its end.
        std::thread::spawn(move || child.wait());
    }
}
