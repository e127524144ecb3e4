//! `wayforge serve` and `wayforge token` as real processes on real sockets.
#![cfg(feature = "serve")]

mod bot;
#[path = "../../../wayforge-store/tests/store/cluster.rs"]
#[allow(dead_code)]
mod cluster;
mod http;
mod process;
mod together;
