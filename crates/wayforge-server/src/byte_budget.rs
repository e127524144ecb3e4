//! Budget for response bytes that are in memory because clients have not read them yet.
//!
//! A slow reader keeps its response in memory. The budget limits these bytes in total and per
//! client. Each part of a body owns its share of the reservation, which is released when hyper
//! drops the part: after the last of its bytes was sent, or when the connection fails.

use crate::problem::{Problem, ProblemKind};
use crate::rate_limit::Client;
use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as _, Frame, SizeHint};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

/// Responses up to this size may use the last eighth of the budget, so that a few large responses
/// cannot block all small ones.
const SMALL: usize = 1 << 20;

/// Numbers of unsent bytes, and their limits.
pub(crate) struct ByteBudget {
    max_total: usize,
    max_client: usize,
    used: Mutex<Used>,
}

#[derive(Default)]
struct Used {
    total: usize,
    /// Clients without unsent bytes have no entry.
    clients: HashMap<Client, usize>,
}

/// Reserved bytes of a client; released when dropped.
struct Reservation {
    budget: Arc<ByteBudget>,
    client: Client,
    bytes: usize,
}

/// Part of a body that owns its reservation.
struct ReservedBytes {
    bytes: Bytes,
    _reservation: Reservation,
}

/// Body whose bytes stay reserved until they are sent.
struct ReservedBody {
    body: Body,
    reservation: Reservation,
}

impl ByteBudget {
    /// Creates a budget of `max_total` bytes, of which one client may use `max_client`.
    pub(crate) fn new(max_total: usize, max_client: usize) -> Arc<ByteBudget> {
        let max_client = max_client.min(max_total - max_total / 8);
        Arc::new(ByteBudget { max_total, max_client, used: Mutex::default() })
    }

    /// Returns the number of unsent bytes.
    pub(crate) fn total(&self) -> usize {
        self.lock().total
    }

    /// Checks that a client may start new work.
    ///
    /// # Errors
    /// [`ProblemKind::Busy`] if the budget is used up, or the client uses half of its own. The
    /// other half is for its requests in progress.
    pub(crate) fn admit(&self, client: &Client) -> Result<(), Problem> {
        let used = self.lock();
        if used.total > 0 && used.total >= self.max_total {
            return Err(busy("other clients have not read their responses"));
        }
        match used.clients.get(client) {
            Some(&unsent) if unsent > self.max_client / 2 => {
                Err(busy(&format!("this client has not read {unsent} bytes of earlier responses")))
            }
            _ => Ok(()),
        }
    }

    /// Wraps a response body, whose bytes stay reserved until they are sent.
    ///
    /// # Errors
    /// [`ProblemKind::LimitExceeded`] if the body is too large for any client,
    /// [`ProblemKind::Busy`] if it does not fit now.
    pub(crate) fn wrap(self: &Arc<Self>, client: Client, body: Body) -> Result<Body, Problem> {
        // Bodies of unknown size are streamed in small parts, each reserved when it is produced.
        let size = body.size_hint().exact().map_or(0, |size| size as usize);
        if size > self.max_client {
            let max = self.max_client;
            let detail = format!("the response has {size} bytes; at most {max} are allowed");
            let problem = Problem::new(ProblemKind::LimitExceeded, detail);
            return Err(problem.value(size.to_string()).allowed(format!("at most {max}")));
        }
        let mut used = self.lock();
        let max_total =
            if size <= SMALL { self.max_total } else { self.max_total - self.max_total / 8 };
        if size > 0 && used.total.saturating_add(size) > max_total {
            return Err(busy("other clients have not read their responses"));
        }
        let unsent = used.clients.get(&client).copied().unwrap_or(0);
        if unsent.saturating_add(size) > self.max_client {
            return Err(busy(&format!(
                "this client has not read {unsent} bytes of earlier responses"
            )));
        }
        let mut reservation = Reservation { budget: Arc::clone(self), client, bytes: 0 };
        reservation.grow(&mut used, size);
        drop(used);
        Ok(Body::new(ReservedBody { body, reservation }))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Used> {
        // A panic cannot leave the numbers inconsistent, so a poisoned lock is safe to use.
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn busy(reason: &str) -> Problem {
    let detail = format!("{reason}; try again in a moment");
    Problem::new(ProblemKind::Busy, detail).header("retry-after", "1")
}

impl Reservation {
    fn grow(&mut self, used: &mut Used, bytes: usize) {
        if bytes > 0 {
            used.total += bytes;
            *used.clients.entry(self.client.clone()).or_default() += bytes;
            self.bytes += bytes;
        }
    }

    /// Moves `bytes` into a reservation of their own.
    fn split(&mut self, bytes: usize) -> Reservation {
        if let Some(missing @ 1..) = bytes.checked_sub(self.bytes) {
            let budget = Arc::clone(&self.budget);
            self.grow(&mut budget.lock(), missing);
        }
        self.bytes -= bytes;
        Reservation { budget: Arc::clone(&self.budget), client: self.client.clone(), bytes }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut used = self.budget.lock();
        used.total -= self.bytes;
        if let Entry::Occupied(mut client) = used.clients.entry(self.client.clone()) {
            *client.get_mut() -= self.bytes;
            if *client.get() == 0 {
                client.remove();
            }
        }
    }
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl hyper::body::Body for ReservedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(cx));
        Poll::Ready(frame.map(|frame| {
            frame.map(|frame| {
                frame.map_data(|bytes| {
                    let _reservation = self.reservation.split(bytes.len());
                    // The bytes are not copied.
                    Bytes::from_owner(ReservedBytes { bytes, _reservation })
                })
            })
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Bytes;
    use futures_util::stream;
    use http_body_util::BodyExt;

    fn client(n: u8) -> Client {
        Client::from_address([10, 0, 0, n].into())
    }

    #[tokio::test]
    async fn bytes_are_reserved_until_their_last_part_is_dropped() {
        let budget = ByteBudget::new(1000, 400);
        let mut body = budget.wrap(client(1), Body::from(vec![7; 300])).unwrap();
        assert_eq!(budget.total(), 300);
        let part = body.frame().await.unwrap().unwrap().into_data().unwrap();
        drop(body);
        let half = part.slice(..10);
        drop(part);
        assert_eq!((budget.total(), half.as_ref()), (300, &[7; 10][..]));
        assert_eq!(budget.admit(&client(1)).unwrap_err().status(), 503, "more than half is unsent");
        budget.admit(&client(2)).unwrap();
        assert_eq!(budget.wrap(client(1), vec![0; 101].into()).unwrap_err().status(), 503);
        assert_eq!(budget.wrap(client(2), vec![0; 401].into()).unwrap_err().status(), 422);
        drop(half);
        assert_eq!(budget.total(), 0);
        assert!(budget.lock().clients.is_empty());
        // A body that is never read.
        drop(budget.wrap(client(1), Body::from(vec![7; 300])).unwrap());
        assert_eq!(budget.total(), 0);
    }

    #[tokio::test]
    async fn small_responses_may_use_what_large_ones_leave() {
        let budget = ByteBudget::new(8 << 20, 7 << 20);
        let _large = budget.wrap(client(1), vec![0; 7 << 20].into()).unwrap();
        assert!(budget.wrap(client(2), vec![0; SMALL + 1].into()).is_err());
        let small = budget.wrap(client(2), vec![0; SMALL].into()).unwrap();
        assert_eq!(budget.admit(&client(3)).unwrap_err().status(), 503);
        drop(small);
        budget.admit(&client(3)).unwrap();
    }

    #[tokio::test]
    async fn streams_reserve_each_part() {
        let budget = ByteBudget::new(1000, 400);
        let parts = [3, 5].map(|size| Ok::<_, std::io::Error>(Bytes::from(vec![1; size])));
        let mut body = budget.wrap(client(1), Body::from_stream(stream::iter(parts))).unwrap();
        assert_eq!(budget.total(), 0);
        let first = body.frame().await.unwrap().unwrap();
        let second = body.frame().await.unwrap().unwrap();
        assert_eq!(budget.total(), 8);
        drop(first);
        assert_eq!(budget.total(), 5);
        drop(second);
        assert!(body.frame().await.is_none());
        assert_eq!(budget.total(), 0);
    }
}
