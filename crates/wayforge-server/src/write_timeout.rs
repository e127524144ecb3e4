//! Closes connections whose clients do not read.

use hyper::rt::{Read, ReadBufCursor, Write};
use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// Number of bytes that a socket must accept per timeout while data is pending. Without it, a
/// client that reads one byte at a time keeps its response in memory for hours.
const MIN_PROGRESS: usize = 128 << 10;

/// Socket that fails if data is pending for `timeout` and fewer than [`MIN_PROGRESS`] bytes are
/// accepted in this time.
pub(crate) struct WriteTimeout<T> {
    io: T,
    timeout: Duration,
    /// Runs while data is pending.
    deadline: Option<Pin<Box<Sleep>>>,
    /// Number of bytes accepted since the deadline was set.
    accepted: usize,
}

impl<T> WriteTimeout<T> {
    pub(crate) fn new(io: T, timeout: Duration) -> WriteTimeout<T> {
        WriteTimeout { io, timeout, deadline: None, accepted: 0 }
    }

    /// Updates the deadline after a write.
    fn check(&mut self, cx: &mut Context<'_>, written: Poll<Result<usize>>) -> Poll<Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                self.accepted = self.accepted.saturating_add(bytes);
                if self.accepted >= MIN_PROGRESS {
                    self.deadline = None;
                }
                written
            }
            Poll::Ready(Err(_)) => written,
            Poll::Pending => {
                let deadline = self.deadline.get_or_insert_with(|| {
                    self.accepted = 0;
                    Box::pin(sleep(self.timeout))
                });
                // hyper polls the socket again when the timer wakes its task.
                deadline.as_mut().poll(cx).map(|()| {
                    Err(Error::new(ErrorKind::TimedOut, "the client does not read its response"))
                })
            }
        }
    }
}

impl<T: Read + Unpin> Read for WriteTimeout<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buffer)
    }
}

impl<T: Write + Unpin> Write for WriteTimeout<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.check(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, parts);
        self.check(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    /// hyper calls this after the socket has accepted all data.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(cx);
        if flushed.is_ready() {
            self.deadline = None;
            return flushed;
        }
        self.check(cx, Poll::Pending).map_ok(|_| ())
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper_util::rt::TokioIo;
    use std::future::poll_fn;
    use tokio::io::{AsyncReadExt, duplex};
    use tokio::time::{Instant, timeout};

    const TIMEOUT: Duration = Duration::from_secs(10);

    async fn write(
        io: &mut WriteTimeout<TokioIo<tokio::io::DuplexStream>>,
        mut bytes: usize,
    ) -> Result<()> {
        let data = [0; 4096];
        while bytes > 0 {
            let part = &data[..bytes.min(4096)];
            bytes -= poll_fn(|cx| Pin::new(&mut *io).poll_write(cx, part)).await?;
        }
        poll_fn(|cx| Pin::new(&mut *io).poll_flush(cx)).await
    }

    #[tokio::test(start_paused = true)]
    async fn fails_if_the_client_reads_nothing_or_too_slowly() {
        for pause in [Duration::MAX, Duration::from_secs(1)] {
            let (mut client, server) = duplex(1024);
            let mut io = WriteTimeout::new(TokioIo::new(server), TIMEOUT);
            let start = Instant::now();
            tokio::spawn(async move {
                // Reads one byte at a time, or never.
                while timeout(pause, std::future::pending::<()>()).await.is_err() {
                    client.read_u8().await.unwrap();
                }
            });
            let error = write(&mut io, 1 << 20).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TimedOut);
            assert_eq!(start.elapsed().as_secs(), TIMEOUT.as_secs());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn idle_time_and_steady_progress_do_not_count() {
        let (mut client, server) = duplex(MIN_PROGRESS);
        let mut io = WriteTimeout::new(TokioIo::new(server), TIMEOUT);
        let reader = tokio::spawn(async move {
            let mut buffer = vec![0; MIN_PROGRESS];
            let mut all = 0;
            loop {
                tokio::time::sleep(TIMEOUT / 2).await;
                match client.read(&mut buffer).await.unwrap() {
                    0 => return all,
                    read => all += read,
                }
            }
        });
        for _ in 0..3 {
            write(&mut io, 8 * MIN_PROGRESS).await.unwrap();
            tokio::time::sleep(3 * TIMEOUT).await;
        }
        drop(io);
        assert_eq!(reader.await.unwrap(), 24 * MIN_PROGRESS);
    }
}
