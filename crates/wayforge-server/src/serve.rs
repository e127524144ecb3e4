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
) -> io::Result<usize> {
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
    Ok(if finished { 0 } else { connections.saturating_sub(permits.available_permits()) })
}

/// Resolves on Ctrl-C, or on SIGTERM on Unix.
pub async fn shutdown_signal() {
    let interrupt = async {
        // Without a handler, Ctrl-C ends the process anyway.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
