//! HTTP server with a connection limit and graceful shutdown.

use crate::access::Peer;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::Service as _;

/// Timeout for the headers of a request, including the idle time before it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Serves `app` until `shutdown` resolves.
///
/// Accepts at most `connections` connections at a time. After `shutdown`, it accepts no more and
/// waits at most `grace` for active requests. Returns the number of connections that are still open
/// then.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    connections: usize,
    grace: Duration,
    shutdown: impl Future<Output = ()>,
) -> usize {
    let permits = Arc::new(Semaphore::new(connections.clamp(1, Semaphore::MAX_PERMITS)));
    let graceful = GracefulShutdown::new();
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(64 << 10)
        .pipeline_flush(true);
    tokio::pin!(shutdown);
    loop {
        let accepted = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, (stream, peer)) = tokio::select! {
            () = &mut shutdown => break,
            (permit, accepted) = accepted => match accepted {
                Ok(accepted) => (permit, accepted),
                Err(error) => {
                    // No file descriptors left, or the client disconnected. Do not spin.
                    tracing::warn!(%error, "connection not accepted");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            },
        };
        let _ = stream.set_nodelay(true);
        let app = app.clone();
        let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            let mut app = app.clone();
            async move { app.call(request.map(Body::new)).await }
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection failed");
            }
            drop(permit);
        });
    }
    drop(listener);
    tracing::info!("shutting down; finishing active requests");
    let finished = tokio::time::timeout(grace, graceful.shutdown()).await.is_ok();
    if finished { 0 } else { connections.saturating_sub(permits.available_permits()) }
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
