//! Counts open connections, in total and per client address.

use crate::rate_limit::Client;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

/// Open connections of a server.
#[derive(Default)]
pub(crate) struct Connections(Mutex<Open>);

#[derive(Default)]
struct Open {
    total: usize,
    /// Clients without connections have no entry.
    clients: HashMap<Client, usize>,
}

/// An open connection; it is counted until it is dropped.
pub(crate) struct OpenConnection {
    connections: Arc<Connections>,
    client: Client,
}

impl Connections {
    /// Counts a connection. Also returns whether it exceeds one of the limits.
    pub(crate) fn open(
        self: &Arc<Self>,
        client: Client,
        max_total: usize,
        max_client: usize,
    ) -> (OpenConnection, bool) {
        let mut open = self.lock();
        open.total += 1;
        let of_client = open.clients.entry(client.clone()).or_default();
        *of_client += 1;
        let is_excess = *of_client > max_client || open.total > max_total;
        drop(open);
        (OpenConnection { connections: Arc::clone(self), client }, is_excess)
    }

    /// Returns the number of open connections.
    pub(crate) fn total(&self) -> usize {
        self.lock().total
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        // A panic cannot leave the numbers inconsistent, so a poisoned lock is safe to use.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.total -= 1;
        if let Entry::Occupied(mut client) = open.clients.entry(self.client.clone()) {
            *client.get_mut() -= 1;
            if *client.get() == 0 {
                client.remove();
            }
        }
    }
}
