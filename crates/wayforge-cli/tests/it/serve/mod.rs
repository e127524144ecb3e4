//! End-to-end tests of `wayforge serve`, `token`, `database` and `discord` with real processes and
//! sockets.

mod attack;
mod bot;
#[path = "../../../../wayforge-store/tests/store/cluster.rs"]
#[allow(dead_code)]
mod cluster;
mod database;
mod http;
mod postgres_failover;
mod postgres_restart;
mod process;
mod work;
