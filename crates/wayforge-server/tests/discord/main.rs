//! Tests of the Discord bot.
//!
//! The tests sign requests with their own key, and a mock of Discord's API on loopback receives
//! the bot's requests. Tests listed in `both!` run on SQLite and on PostgreSQL.

#[path = "../../../wayforge-store/tests/store/cluster.rs"]
#[allow(dead_code, reason = "shared with the store's tests, which also kill the cluster")]
mod cluster;
mod edits;
mod fixture;
mod interaction;
mod mock_api;
mod play;
mod rejects;
mod replay;
