//! End-to-end tests of `wayforge serve`, `token` and `discord` with real processes and sockets.
#![cfg(feature = "serve")]

mod bot;
#[path = "../../../wayforge-store/tests/store/cluster.rs"]
#[allow(dead_code)]
mod cluster;
mod cluster_failover;
mod http;
mod process;
