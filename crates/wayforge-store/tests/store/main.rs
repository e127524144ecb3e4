//! One suite over both databases: every test that is named in `both!` runs on SQLite and on PostgreSQL.

mod bed;
mod cluster;
mod damage;
mod guild_file;
mod kill;
mod model;
mod once;
mod operations;
mod past;
mod races;
mod start;
mod tls;
mod tokens;
