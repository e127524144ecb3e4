//! `wayforge serve`: runs the HTTP service.

use crate::choice::{Choice, choice};
use crate::database::{DatabaseArgs, runtime};
use crate::discord::BotArgs;
use crate::failure::{Context, Failure, reject};
use crate::format::{FormatArg, REPORTS};
use crate::number::{counted, within};
use clap::Args;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::LazyLock;
use std::time::Duration;
use tracing::level_filters::LevelFilter;
use wayforge_server::{AccessPolicy, Limits, ServeOptions, Service};

/// Options of `wayforge serve`.
#[derive(Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; addresses other than loopback require an access token in the database,
    /// or --allow-anonymous
    #[arg(
        long,
        value_name = "HOST:PORT",
        default_value = "127.0.0.1:8080",
        env = "WAYFORGE_LISTEN"
    )]
    listen: String,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Require a token only for stored maps, so that web pages can embed generated maps
    #[arg(long, env = "WAYFORGE_OPEN_MAPS")]
    open_maps: bool,
    /// Identify clients by the last address in X-Forwarded-For; use only behind a trusted proxy
    #[arg(long, env = "WAYFORGE_BEHIND_PROXY")]
    behind_proxy: bool,
    /// Serve everyone without a token, although the server is reachable from other machines
    #[arg(long, env = "WAYFORGE_ALLOW_ANONYMOUS")]
    allow_anonymous: bool,
    /// Name of the server that clients may send in Host, as in maps.example; repeat for more.
    /// [default: loopback names without access tokens, any name with tokens]
    #[arg(
        long = "host-name",
        value_name = "NAME",
        value_parser = parse_host_name,
        env = "WAYFORGE_HOST_NAMES",
        value_delimiter = ','
    )]
    host_names: Vec<String>,
    /// Log level, on standard error
    #[arg(long, default_value = "info", value_parser = choice(&LEVELS), env = "WAYFORGE_LOG")]
    log: LevelFilter,
    /// Log format
    #[arg(
        long,
        default_value = "text",
        value_parser = FormatArg::among(&REPORTS),
        env = "WAYFORGE_LOG_FORMAT"
    )]
    log_format: FormatArg,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    discord: BotArgs,
}

/// Default limits.
static LIMITS: LazyLock<Limits> = LazyLock::new(Limits::default);

#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// Maximum size of a request body in bytes
    #[arg(long, value_name = "BYTES", default_value_t = LIMITS.body, env = "WAYFORGE_MAX_BODY")]
    max_body: usize,
    /// Maximum number of cells of a map: columns x rows x floors
    #[arg(long, value_name = "N", default_value_t = LIMITS.cells, env = "WAYFORGE_MAX_CELLS")]
    max_cells: u64,
    /// Maximum work for a map: cells x attempts
    #[arg(long, value_name = "N", default_value_t = LIMITS.work, env = "WAYFORGE_MAX_WORK")]
    max_work: u64,
    /// Maximum number of conflicts in the search for kinds, over all attempts
    #[arg(long, value_name = "N", default_value_t = LIMITS.search, env = "WAYFORGE_MAX_SEARCH")]
    max_search: u64,
    /// Maximum number of pixels of a PNG picture
    #[arg(long, value_name = "N", default_value_t = LIMITS.pixels, env = "WAYFORGE_MAX_PIXELS")]
    max_pixels: u64,
    /// Request timeout in milliseconds, 1 to 3600000
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 10_000,
        value_parser = within(1..=3_600_000),
        env = "WAYFORGE_MAX_TIME"
    )]
    max_time: u64,
    /// Maximum number of maps generated or drawn concurrently; act maps as JSON are not limited
    #[arg(long, value_name = "N", default_value_t = LIMITS.workers, env = "WAYFORGE_WORKERS")]
    workers: usize,
    /// Maximum number of requests waiting for a worker
    #[arg(long, value_name = "N", default_value_t = LIMITS.waiting, env = "WAYFORGE_MAX_WAITING")]
    max_waiting: usize,
    /// Requests per second and client; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = LIMITS.rate, env = "WAYFORGE_RATE")]
    rate: u32,
    /// Requests that a client may send in a burst
    #[arg(long, value_name = "N", default_value_t = LIMITS.burst, env = "WAYFORGE_BURST")]
    burst: u32,
    /// Requests per second for one guild, over all its clients; 0 for no limit. [default: five
    /// times --rate]
    #[arg(long, value_name = "N", env = "WAYFORGE_GUILD_RATE")]
    guild_rate: Option<u32>,
    /// Requests for one guild in a burst. [default: five times --burst]
    #[arg(long, value_name = "N", env = "WAYFORGE_GUILD_BURST")]
    guild_burst: Option<u32>,
    /// Maximum number of channels of a guild with a map or a history; 0 for no limit
    #[arg(
        long,
        value_name = "N",
        default_value_t = LIMITS.guild_channels,
        env = "WAYFORGE_MAX_GUILD_CHANNELS"
    )]
    max_guild_channels: u32,
    /// Maximum number of open connections
    #[arg(
        long,
        value_name = "N",
        default_value_t = LIMITS.connections,
        env = "WAYFORGE_MAX_CONNECTIONS"
    )]
    max_connections: usize,
    /// Maximum number of open connections per client address; not checked behind a proxy
    #[arg(
        long,
        value_name = "N",
        default_value_t = LIMITS.client_connections,
        env = "WAYFORGE_MAX_CLIENT_CONNECTIONS"
    )]
    max_client_connections: usize,
    /// Maximum number of response bytes that clients have not read yet
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = LIMITS.unsent,
        env = "WAYFORGE_MAX_UNSENT"
    )]
    max_unsent: usize,
    /// The same per client address; also the maximum size of a response
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = LIMITS.client_unsent,
        env = "WAYFORGE_MAX_CLIENT_UNSENT"
    )]
    max_client_unsent: usize,
    /// Time in milliseconds after which a connection is closed if its client does not read
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 10_000,
        value_parser = within(1..=3_600_000),
        env = "WAYFORGE_WRITE_TIMEOUT"
    )]
    write_timeout: u64,
}

const LEVELS: [Choice<LevelFilter>; 5] = [
    ("off", "", LevelFilter::OFF),
    ("error", "", LevelFilter::ERROR),
    ("warn", "", LevelFilter::WARN),
    ("info", "", LevelFilter::INFO),
    ("debug", "Includes every request", LevelFilter::DEBUG),
];

/// Time for pending edits of Discord messages after the last request.
const DISCORD_GRACE: Duration = Duration::from_secs(20);

/// Maximum time for active requests after a stop signal.
const MAX_GRACE: Duration = Duration::from_secs(4);

/// Serves until a stop signal.
pub(crate) fn run(args: ServeArgs) -> Result<(), Failure> {
    let address = args.address()?;
    args.start_log();
    let runtime = runtime()?;
    let result = runtime.block_on(serve(args, address));
    // Do not wait for workers, whose requests have timed out.
    runtime.shutdown_background();
    result
}

async fn serve(args: ServeArgs, address: SocketAddr) -> Result<(), Failure> {
    let bot = args.discord.bot()?;
    let store = args.database.open().await?;
    let page = store.list_tokens(None, 1).await.context("--database")?;
    // Revoked tokens count as well: revoking the last token must not open the service.
    let has_tokens = !page.items.is_empty();
    let policy = if args.open_maps { AccessPolicy::StoredMaps } else { AccessPolicy::All };
    let exposure = match (address.ip().is_loopback(), args.behind_proxy) {
        (false, _) => Some(format!("--listen {address}: not a loopback address")),
        (true, true) => Some("--behind-proxy: the proxy has other clients".to_owned()),
        (true, false) => None,
    };
    if let (false, Some(exposure)) = (has_tokens, exposure) {
        if !args.allow_anonymous {
            return reject(format!(
                "{exposure}, and the database has no access token; create one with \
                 `wayforge token create NAME --all --access write`, listen on 127.0.0.1 without a \
                 proxy, or give everyone full access with --allow-anonymous"
            ));
        }
        eprintln!(
            "wayforge: warning: {exposure}, and the database has no access token: everyone can \
             read and change all maps"
        );
    }
    let limits = args.limits.limits();
    let listener = tokio::net::TcpListener::bind(address).await;
    let listener = listener.context(format!("--listen {address}"))?;
    let bound = listener.local_addr().context("--listen")?;
    let mut service = Service::new(std::sync::Arc::clone(&store), limits, policy)
        .behind_proxy(args.behind_proxy)
        .host_names(args.host_names)
        .cross_origin(args.open_maps);
    if !has_tokens {
        service = service.open_without_tokens();
    }
    if let Some(bot) = &bot {
        service = service.discord(bot.clone());
    }
    service.warm().await;
    let mut options = ServeOptions::new(&service);
    options.grace = options.grace.min(MAX_GRACE);
    // Install the signal handler before announcing the address.
    let stop = wayforge_server::shutdown_signal().context("signal handlers")?;
    eprintln!("wayforge: serving on http://{bound}, documentation at http://{bound}/docs");
    tracing::info!(%bound, ?policy, has_tokens, "serving");
    let open = wayforge_server::serve(listener, wayforge_server::app(service), options, stop).await;
    // Discord users with a deferred response still get their picture.
    let unsent = match bot {
        Some(bot) => bot.finish(DISCORD_GRACE).await,
        None => 0,
    };
    store.close().await;
    if open > 0 {
        let open = counted(open, "connection");
        return reject(format!("{open} had to be closed at shutdown"));
    }
    if unsent > 0 {
        let unsent = counted(unsent, "response");
        return reject(format!("{unsent} to Discord could not be sent before the shutdown"));
    }
    tracing::info!("stopped");
    Ok(())
}

/// Parses a host name or an address, without scheme and port.
fn parse_host_name(text: &str) -> Result<String, String> {
    let is_v6 = text.strip_prefix('[').is_some_and(|rest| rest.ends_with(']'));
    let is_name = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    if !text.is_empty() && (is_v6 || text.chars().all(is_name)) {
        Ok(text.to_owned())
    } else {
        Err("not a host name; use a name without scheme and port, as in maps.example".to_owned())
    }
}

impl ServeArgs {
    fn address(&self) -> Result<SocketAddr, Failure> {
        let found = self.listen.to_socket_addrs().map_err(|error| error.to_string());
        let found =
            found.and_then(|mut found| found.next().ok_or_else(|| "no such address".to_owned()));
        let subject = format!("--listen {}", self.listen);
        found
            .map_err(|error| format!("{error}; write HOST:PORT, as in 127.0.0.1:8080"))
            .context(subject)
    }

    fn start_log(&self) {
        let log = tracing_subscriber::fmt().with_max_level(self.log).with_writer(std::io::stderr);
        match self.log_format {
            FormatArg::Json => log.json().flatten_event(true).with_span_list(false).init(),
            _ => log.with_ansi(false).init(),
        }
    }
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        let timeout = Duration::from_millis(self.max_time);
        Limits {
            body: self.max_body,
            cells: self.max_cells,
            work: self.max_work,
            search: self.max_search,
            pixels: self.max_pixels,
            work_limit: Limits::work_within(timeout),
            timeout,
            workers: self.workers,
            waiting: self.max_waiting,
            rate: self.rate,
            burst: self.burst,
            guild_rate: self.guild_rate.unwrap_or(self.rate.saturating_mul(5)),
            guild_burst: self.guild_burst.unwrap_or(self.burst.saturating_mul(5)),
            guild_channels: self.max_guild_channels,
            connections: self.max_connections,
            client_connections: self.max_client_connections,
            unsent: self.max_unsent,
            client_unsent: self.max_client_unsent,
            write_timeout: Duration::from_millis(self.write_timeout),
        }
    }
}
