//! `wayforge serve`: maps over HTTP.

use crate::choice::{Choice, choice};
use crate::database::{DatabaseArgs, runtime};
use crate::discord::BotArgs;
use crate::failure::{Context, Failure, reject};
use crate::format::{OutputFormat, REPORTS};
use clap::Args;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;
use tracing::level_filters::LevelFilter;
use wayforge_server::{Guard, Limits, Service};

/// The options of `wayforge serve`.
#[derive(Args)]
pub(crate) struct ServeArgs {
    /// The address to listen on; any but a loopback address needs a token in the database
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080", env = "WAYFORGE_LISTEN")]
    listen: String,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Maps that are not kept need no token, so that pages can embed them
    #[arg(long, env = "WAYFORGE_OPEN_MAPS")]
    open_maps: bool,
    /// Clients are told apart by the last address of X-Forwarded-For, which a proxy of your own wrote
    #[arg(long, env = "WAYFORGE_BEHIND_PROXY")]
    behind_proxy: bool,
    /// How much is logged, on standard error
    #[arg(long, default_value = "info", value_parser = choice(&LEVELS), env = "WAYFORGE_LOG")]
    log: LevelFilter,
    /// How logs are written
    #[arg(long, default_value = "text", value_parser = OutputFormat::among(&REPORTS), env = "WAYFORGE_LOG_FORMAT")]
    log_format: OutputFormat,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    discord: BotArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// The largest body, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().body, env = "WAYFORGE_MAX_BODY")]
    max_body: usize,
    /// The most cells of a map: columns times rows, times floors
    #[arg(long, value_name = "N", default_value_t = Limits::default().cells, env = "WAYFORGE_MAX_CELLS")]
    max_cells: u64,
    /// The most cells times attempts
    #[arg(long, value_name = "N", default_value_t = Limits::default().work, env = "WAYFORGE_MAX_WORK")]
    max_work: u64,
    /// The most conflicts that the search for kinds may be asked to meet, over all attempts
    #[arg(long, value_name = "N", default_value_t = Limits::default().search, env = "WAYFORGE_MAX_SEARCH")]
    max_search: u64,
    /// The most pixels of a PNG picture
    #[arg(long, value_name = "N", default_value_t = Limits::default().pixels, env = "WAYFORGE_MAX_PIXELS")]
    max_pixels: u64,
    /// How long a request may take, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, env = "WAYFORGE_MAX_TIME")]
    max_time: u64,
    /// How many maps are made or drawn at once; other than for act maps in JSON, which take microseconds
    #[arg(long, value_name = "N", default_value_t = Limits::default().concurrent, env = "WAYFORGE_WORKERS")]
    workers: usize,
    /// How many requests may wait for that
    #[arg(long, value_name = "N", default_value_t = Limits::default().waiting, env = "WAYFORGE_MAX_WAITING")]
    max_waiting: usize,
    /// How many requests a client may make in a second; 0 for as many as it likes
    #[arg(long, value_name = "N", default_value_t = Limits::default().rate, env = "WAYFORGE_RATE")]
    rate: u32,
    /// How many it may make at once after a pause
    #[arg(long, value_name = "N", default_value_t = Limits::default().burst, env = "WAYFORGE_BURST")]
    burst: u32,
    /// How many connections are served at once
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections, env = "WAYFORGE_MAX_CONNECTIONS")]
    max_connections: usize,
}

const LEVELS: [Choice<LevelFilter>; 5] = [
    ("off", "", LevelFilter::OFF),
    ("error", "", LevelFilter::ERROR),
    ("warn", "", LevelFilter::WARN),
    ("info", "", LevelFilter::INFO),
    ("debug", "Every request too", LevelFilter::DEBUG),
];

/// How long edits of Discord's messages may take after the last request.
const EDITS: Duration = Duration::from_secs(20);

/// Serves until it is asked to stop.
pub(crate) fn run(args: ServeArgs) -> Result<(), Failure> {
    let address = args.address()?;
    args.start_log();
    runtime()?.block_on(serve(args, address))
}

async fn serve(args: ServeArgs, address: SocketAddr) -> Result<(), Failure> {
    let bot = args.discord.bot()?;
    let store = args.database.open().await?;
    let page = store.list_tokens(None, 1).await.about("database")?;
    // Revoked tokens count: taking the last one away must not open the door.
    let guarded = !page.items.is_empty();
    let guard = match (guarded, args.open_maps) {
        (false, _) if address.ip().is_loopback() => Guard::Open,
        (false, _) => {
            return reject(format!(
                "--listen {address}: others can reach this address, and the database holds no token; \
                 make one with `wayforge token create NAME --all --access write`, or listen on 127.0.0.1"
            ));
        }
        (true, true) => Guard::Kept,
        (true, false) => Guard::All,
    };
    let limits = args.limits.limits();
    let (connections, grace) = (limits.connections, limits.time + Duration::from_secs(1));
    let listener = tokio::net::TcpListener::bind(address).await;
    let listener = listener.about(format!("--listen {address}"))?;
    let bound = listener.local_addr().about("--listen")?;
    let mut service =
        Service::new(std::sync::Arc::clone(&store), limits, guard).behind_proxy(args.behind_proxy);
    if let Some(bot) = &bot {
        service = service.discord(bot.clone());
    }
    service.warm().await;
    // The handler must stand before anybody is told that the server is there.
    let stop = wayforge_server::stop_signal();
    eprintln!("wayforge: serving on http://{bound}, documentation at http://{bound}/docs");
    tracing::info!(%bound, ?guard, "serving");
    let served =
        wayforge_server::serve(listener, wayforge_server::app(service), connections, grace, stop).await;
    // Whoever was told that a map is being drawn gets it.
    let lost = match bot {
        Some(bot) => bot.finish(EDITS).await,
        None => 0,
    };
    store.close().await;
    match served {
        Ok(0) if lost > 0 => reject(format!("{lost} answers to Discord were not sent in time")),
        Ok(0) => {
            tracing::info!("stopped");
            Ok(())
        }
        Ok(cut) => reject(format!("{cut} connections were not done in time and were cut")),
        Err(error) => Err(Failure::about("serve", error)),
    }
}

impl ServeArgs {
    fn address(&self) -> Result<SocketAddr, Failure> {
        let found = self.listen.to_socket_addrs().map_err(|error| error.to_string());
        let found = found.and_then(|mut found| found.next().ok_or_else(|| "no such address".to_owned()));
        let subject = format!("--listen {}", self.listen);
        found.map_err(|error| format!("{error}; write HOST:PORT, as in 127.0.0.1:8080")).about(subject)
    }

    fn start_log(&self) {
        let log = tracing_subscriber::fmt().with_max_level(self.log).with_writer(std::io::stderr);
        match self.log_format {
            OutputFormat::Json => log.json().flatten_event(true).init(),
            _ => log.with_ansi(false).init(),
        }
    }
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        Limits {
            body: self.max_body,
            cells: self.max_cells,
            work: self.max_work,
            search: self.max_search,
            pixels: self.max_pixels,
            time: Duration::from_millis(self.max_time.clamp(1, 3_600_000)),
            concurrent: self.workers,
            waiting: self.max_waiting,
            rate: self.rate,
            burst: self.burst,
            connections: self.max_connections,
        }
    }
}
