//! Discord's interactions: requests are signed with a key of our own, and a stand-in on loopback takes what Discord's API would
//! be sent. What is named in `both!` runs on SQLite and on PostgreSQL.

mod bed;
#[path = "../../../wayforge-store/tests/store/cluster.rs"]
#[allow(dead_code, reason = "it is the store's, which crashes it too")]
mod cluster;
mod edits;
mod interaction;
mod play;
mod refused;
mod replay;
mod stand_in;
