//! HTTP server with connection limits, write timeouts and graceful shutdown.

use crate::access::Peer;
use crate::connections::Connections;
use crate::problem::{Problem, ProblemKind, render};
use crate::rate_limit::Client;
use crate::request_id::{REQUEST_ID, request_id};
use crate::write_timeout::WriteTimeout;
use crate::{Limits, Service};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, Version, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tower::Service as _;

/// Timeout for the headers of a request, including the idle time before it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// The same for excess connections.
const EXCESS_HEAD_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of excess connections. The oldest is closed for a new one, so a health check
/// always gets a connection.
const MAX_EXCESS: usize = 64;
/// Routes that excess connections may use.
pub(crate) const HEALTH_ROUTES: [&str; 2] = ["/healthz", "/readyz"];
/// Time after the shutdown signal in which responses say that the connection closes. Most clients
/// then send no request to a connection that is about to be closed.
const DRAIN: Duration = Duration::from_millis(500);

/// Options of [`serve()`].
#[non_exhaustive]
pub struct ServeOptions {
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum number of open connections per client address.
    pub client_connections: usize,
    /// Maximum time in which a client reads nothing while a response is pending.
    pub write_timeout: Duration,
    /// Maximum time that active requests get after the shutdown signal.
    pub grace: Duration,
    open: Arc<Connections>,
}

/// Phases of a server.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Serving,
    /// Responses close their connections.
    Draining,
    /// Idle connections are closed.
    Closing,
}

impl ServeOptions {
    /// Creates the options of a service from its limits. The service counts the connections.
    pub fn new(service: &Service) -> ServeOptions {
        let mut options = ServeOptions::from_limits(&service.limits);
        if service.behind_proxy {
            // All clients of a proxy share its address.
            options.client_connections = usize::MAX;
        }
        options.open = Arc::clone(&service.metrics.connections);
        options
    }

    fn from_limits(limits: &Limits) -> ServeOptions {
        ServeOptions {
            connections: limits.connections.max(1),
            client_connections: limits.client_connections.max(1),
            write_timeout: limits.write_timeout,
            grace: limits.timeout + Duration::from_secs(1),
            open: Arc::default(),
        }
    }
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions::from_limits(&Limits::default())
    }
}

/// Serves `app` until `shutdown` resolves.
///
/// Connections beyond the limits are accepted, but get only health checks, and 503 for any other
/// request. After `shutdown`, the server accepts no more connections and waits at most
/// `options.grace` for active requests. Returns the number of connections that are still open then.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    options: ServeOptions,
    shutdown: impl Future<Output = ()>,
) -> usize {
    let (phase, phases) = watch::channel(Phase::Serving);
    let mut server = Server { app, options, phases, excess: VecDeque::new() };
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => server.start(stream, peer),
            Err(error) => {
                // No file descriptors left, or the client disconnected. Do not spin.
                tracing::warn!(%error, "connection not accepted");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
    tracing::info!("shutting down; finishing active requests");
    let _ = phase.send(Phase::Draining);
    server.start_backlog(listener);
    let Server { options, phases, .. } = server;
    drop(phases);
    let closed = async {
        // Every connection has a receiver.
        let _ = tokio::time::timeout(DRAIN.min(options.grace), phase.closed()).await;
        let _ = phase.send(Phase::Closing);
        phase.closed().await;
    };
    let finished = tokio::time::timeout(options.grace, closed).await.is_ok();
    if finished { 0 } else { options.open.total() }
}

/// State of the accept loop.
struct Server {
    app: Router,
    options: ServeOptions,
    phases: watch::Receiver<Phase>,
    /// Excess connections, oldest first.
    excess: VecDeque<AbortHandle>,
}

impl Server {
    /// Starts the connections of the backlog, which clients consider open, and closes the listener.
    fn start_backlog(&mut self, listener: TcpListener) {
        // The runtime may not know yet of the latest connections, but the operating system does.
        let Ok(listener) = listener.into_std() else { return };
        loop {
            match listener.accept() {
                Ok((stream, peer)) => {
                    let stream =
                        stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream));
                    if let Ok(stream) = stream {
                        self.start(stream, peer);
                    }
                }
                // The client has closed it.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(_) => return,
            }
        }
    }

    /// Starts the task of a connection.
    fn start(&mut self, stream: TcpStream, peer: SocketAddr) {
        let ServeOptions { connections, client_connections, write_timeout, ref open, .. } =
            self.options;
        let client = Client::from_address(peer.ip());
        let (guard, is_excess) = open.open(client, connections, client_connections);
        let _ = stream.set_nodelay(true);
        let mut http = http1::Builder::new();
        // hyper keeps the parts of a body in its queue, without copying them, until they are sent.
        http.timer(TokioTimer::new())
            .header_read_timeout(if is_excess { EXCESS_HEAD_TIMEOUT } else { HEAD_TIMEOUT })
            .keep_alive(!is_excess)
            .max_buf_size(64 << 10);
        let (app, phases) = (self.app.clone(), self.phases.clone());
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let (app, phases) = (app.clone(), phases.clone());
            async move {
                let mut response = handle(app, request, peer, is_excess).await;
                if *phases.borrow() > Phase::Serving {
                    close_after(&mut response);
                }
                Ok::<_, std::convert::Infallible>(response)
            }
        });
        let io = WriteTimeout::new(TokioIo::new(stream), write_timeout);
        let connection = http.serve_connection(io, service);
        let mut phases = self.phases.clone();
        let task = tokio::spawn(async move {
            tokio::pin!(connection);
            let closing = async {
                let _ = phases.wait_for(|phase| *phase == Phase::Closing).await;
            };
            let result = tokio::select! {
                // Reads requests that have arrived before it closes the connection.
                biased;
                result = connection.as_mut() => result,
                () = closing => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = result {
                tracing::debug!(%error, "connection failed");
            }
            drop(guard);
        });
        if is_excess {
            self.excess.retain(|task| !task.is_finished());
            if self.excess.len() >= MAX_EXCESS
                && let Some(oldest) = self.excess.pop_front()
            {
                oldest.abort();
            }
            self.excess.push_back(task.abort_handle());
        }
    }
}

/// Handles a request of a connection.
async fn handle(
    mut app: Router,
    mut request: Request<Incoming>,
    peer: SocketAddr,
    is_excess: bool,
) -> Response<Body> {
    let path = request.uri().path();
    let rejected = if is_excess && !HEALTH_ROUTES.contains(&path) {
        let detail = "too many open connections; close some, or try again in a moment";
        Some(Problem::new(ProblemKind::Busy, detail).header("retry-after", "1"))
    } else {
        let hosts = request.headers().get_all(header::HOST).iter().count();
        let is_valid = hosts == 1 || (hosts == 0 && request.version() < Version::HTTP_11);
        (!is_valid).then(|| {
            let detail = format!("Host: sent {hosts} times; send it once");
            Problem::new(ProblemKind::InvalidParameter, detail).field("Host")
        })
    };
    if let Some(problem) = rejected {
        let mut response = render(&problem, path);
        response.headers_mut().insert(REQUEST_ID, request_id(request.headers()));
        close_after(&mut response);
        return response;
    }
    request.extensions_mut().insert(Peer(peer));
    match app.call(request.map(Body::new)).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// Closes the connection after the response.
fn close_after(response: &mut Response<Body>) {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
}

/// Installs handlers for Ctrl-C, and for SIGTERM on Unix or a closed console on Windows.
///
/// The returned future resolves on either. The handlers are installed before this function returns,
/// so a signal that arrives before the future is first polled is not lost.
///
/// # Errors
/// If the operating system rejects a handler.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let (mut interrupt, mut terminate) = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    #[cfg(windows)]
    let (mut interrupt, mut terminate) =
        (tokio::signal::windows::ctrl_c()?, tokio::signal::windows::ctrl_close()?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
