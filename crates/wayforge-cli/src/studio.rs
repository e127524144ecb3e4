//! `wayforge studio`: the service on this machine alone, and its page in the browser.

use crate::database::{DatabaseArgs, runtime};
use crate::failure::Failure;
use clap::Args;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::net::TcpListener;
use wayforge_server::{Guard, Limits, Service};

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
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Serves until it is asked to stop.
pub(crate) fn run(args: StudioArgs) -> Result<(), Failure> {
    runtime()?.block_on(serve(args))
}

async fn serve(args: StudioArgs) -> Result<(), Failure> {
    let store = args.database.open().await?;
    let page = store.list_tokens(None, 1).await.map_err(|error| Failure::about("--database", error))?;
    // The page needs no kept maps; where tokens guard them, they stay guarded.
    let guard = if page.items.is_empty() { Guard::Open } else { Guard::Kept };
    // The only client sits at this machine: it may ask as often and as much as it likes.
    let limits = Limits { rate: 0, body: 64 << 20, ..Limits::default() };
    let (connections, grace) = (limits.connections, Duration::from_secs(2));
    let listener = listen(args.port).await?;
    let bound = listener.local_addr().map_err(|error| Failure::about("studio", error))?;
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
    served.map(drop).map_err(|error| Failure::about("studio", error))
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
