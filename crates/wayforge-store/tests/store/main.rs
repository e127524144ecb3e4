//! Tests of the store. Every test listed in `both!` runs on SQLite and on PostgreSQL.

mod cluster;
mod damage;
mod damaged_files;
mod executor;
mod fixture;
mod guild_file;
mod history;
mod idempotency;
mod kill;
mod model;
mod operations;
mod quotas;
mod races;
mod start;
mod tls;
mod tokens;
mod upgrade;
mod verify;
