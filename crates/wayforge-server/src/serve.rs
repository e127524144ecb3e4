//! Connections: accepted up to a limit, served until they are done.

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

/// How long a client may take to send the head of a request, or say nothing between two.
const HEAD: Duration = Duration::from_secs(30);

/// Serves `app` until `stop` is there; then no more connections are accepted, and requests under way are finished within `grace`.
///
/// * **Returns.** How many connections had to be cut because they were not done in time.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    connections: usize,
    grace: Duration,
    stop: impl Future<Output = ()>,
) -> io::Result<usize> {
    let places = Arc::new(Semaphore::new(connections.clamp(1, Semaphore::MAX_PERMITS)));
    let graceful = GracefulShutdown::new();
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(64 << 10).pipeline_flush(true);
    tokio::pin!(stop);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, (stream, peer)) = tokio::select! {
            () = &mut stop => break,
            (place, accepted) = accepted => match accepted {
                Ok(accepted) => (place, accepted),
                Err(error) => {
                    // Out of files, or a connection that went away at once: wait a little instead of spinning.
                    tracing::warn!(%error, "a connection was not accepted");
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
                tracing::debug!(%error, "a connection broke");
            }
            drop(place);
        });
    }
    drop(listener);
    tracing::info!("no more connections; finishing requests under way");
    let finished = tokio::time::timeout(grace, graceful.shutdown()).await.is_ok();
    Ok(if finished { 0 } else { connections.saturating_sub(places.available_permits()) })
}

/// Ends when the process is asked to stop: ctrl-c, or SIGTERM where there is one.
pub async fn stop_signal() {
    let interrupt = async {
        // Without a handler, ctrl-c ends the process anyway.
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
