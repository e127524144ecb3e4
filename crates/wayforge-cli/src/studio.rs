//! `wayforge studio`: serves the studio on the loopback address and opens it in the browser.

use crate::database::{DatabaseArgs, runtime};
use crate::failure::{Context, Failure};
use crate::interrupt::Staged;
use crate::output::parent;
use clap::Args;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::net::TcpListener;
use wayforge_server::{AccessPolicy, Limits, ServeOptions, Service, WasmPackage};

/// Default port. If it is in use, any free port is taken.
const DEFAULT_PORT: u16 = 8080;

/// Options of `wayforge studio`.
#[derive(Args)]
pub(crate) struct StudioArgs {
    /// Port to listen on [default: 8080, or a free port if it is in use]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
    /// Write the studio as a static site to a new folder and exit; maps are generated in the
    /// browser
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["port", "no_open", "database"])]
    export: Option<PathBuf>,
    /// Folder of the WebAssembly package built by `scripts/build-wasm --studio`
    /// [default: ../share/wayforge/package, relative to the program]
    #[arg(long, value_name = "FOLDER", requires = "export")]
    package: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Exports the studio, or serves it until a stop signal.
pub(crate) fn run(args: StudioArgs) -> Result<(), Failure> {
    match &args.export {
        Some(folder) => export(folder, args.package.as_deref()),
        None => {
            let runtime = runtime()?;
            let result = runtime.block_on(serve(args));
            // Do not wait for workers, whose requests have timed out.
            runtime.shutdown_background();
            result
        }
    }
}

/// Writes the studio's files to a new folder, atomically.
fn export(folder: &Path, package: Option<&Path>) -> Result<(), Failure> {
    let option = format!("--export {}", folder.display());
    if std::fs::symlink_metadata(folder).is_ok() {
        return Err(Failure::new(option, "already exists; name a new folder"));
    }
    let files = wayforge_server::export_studio(read_package(package)?);
    let unfinished = Staged::create(|| {
        tempfile::Builder::new().prefix(".wayforge-studio-").tempdir_in(parent(folder))
    });
    let unfinished = unfinished.context(&option)?;
    let write = || -> std::io::Result<()> {
        for (name, content) in &files {
            let path = unfinished.get().path().join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
            std::fs::write(path, content)?;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary folders are private; the exported folder is readable for everyone.
            std::fs::set_permissions(
                unfinished.get().path(),
                std::fs::Permissions::from_mode(0o755),
            )?;
        }
        Ok(())
    };
    write().context(&option)?;
    unfinished.publish(|unfinished| std::fs::rename(unfinished.path(), folder)).context(&option)?;
    eprintln!("wayforge: exported the studio to {}; serve it as static files", folder.display());
    Ok(())
}

fn read_package(given: Option<&Path>) -> Result<WasmPackage, Failure> {
    let default = || {
        let program = std::env::current_exe().ok()?;
        Some(program.parent()?.parent()?.join("share/wayforge/package"))
    };
    let folder = match given {
        Some(folder) => folder.to_owned(),
        None => default().unwrap_or_else(|| PathBuf::from("share/wayforge/package")),
    };
    let read = |name: &str| {
        let path = folder.join("pkg").join(name);
        std::fs::read(&path).map_err(|error| {
            let remedy = "build it with `scripts/build-wasm --studio`, or name its folder with \
                          --package";
            Failure::Input(format!("--package {}: {error}; {remedy}", path.display()))
        })
    };
    let package = WasmPackage { script: read("wayforge.js")?, wasm: read("wayforge_bg.wasm")? };
    // Only the studio variant of the package exports this class.
    if !package.script.windows(10).any(|part| part == b"RawService") {
        let problem = "built without the studio's request handlers; build it with \
                       `scripts/build-wasm --studio`";
        return Err(Failure::new(format!("--package {}", folder.display()), problem));
    }
    Ok(package)
}

async fn serve(args: StudioArgs) -> Result<(), Failure> {
    let store = args.database.open().await?;
    let page = store.list_tokens(None, 1).await.context("--database")?;
    // The only client is local: no rate limit, and large bodies.
    let limits = Limits {
        rate: 0,
        guild_rate: 0,
        guild_channels: 0,
        body: 64 << 20,
        client_unsent: 256 << 20,
        unsent: 512 << 20,
        ..Limits::default()
    };
    let listener = listen(args.port).await?;
    let bound = listener.local_addr().context("studio")?;
    // The studio works without stored maps. If tokens exist, stored maps stay protected.
    let policy = AccessPolicy::StoredMaps;
    let mut service = Service::new(std::sync::Arc::clone(&store), limits, policy)
        // With tokens, web pages still must not use the studio under another name.
        .host_names(["localhost".to_owned()]);
    if page.items.is_empty() {
        service = service.open_without_tokens();
    }
    let mut options = ServeOptions::new(&service);
    options.grace = Duration::from_secs(2);
    let app = wayforge_server::app(service);
    // Install the signal handler before announcing the address.
    let stop = wayforge_server::shutdown_signal().context("signal handlers")?;
    let address = format!("http://{bound}/");
    eprintln!("wayforge: studio running at {address} (press Ctrl-C to stop)");
    if !args.no_open {
        open(&address);
    }
    wayforge_server::serve(listener, app, options, stop).await;
    store.close().await;
    Ok(())
}

async fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let bind = |port: u16| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let reject = |error| Failure::new(format!("--port {}", port.unwrap_or(DEFAULT_PORT)), error);
    match (port, bind(port.unwrap_or(DEFAULT_PORT)).await) {
        (_, Ok(listener)) => Ok(listener),
        (None, Err(_)) => bind(0).await.map_err(reject),
        (Some(_), Err(error)) => Err(reject(error)),
    }
}

/// Opens an address in the default browser. Failures are ignored, since the address is printed.
fn open(address: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // Reap the child process when it exits.
        std::thread::spawn(move || child.wait());
    }
}
