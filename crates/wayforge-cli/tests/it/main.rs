//! Tests of the command as a process.

mod animation;
mod batch;
mod cli;
mod common;
mod convert;
mod examples;
mod find;
mod floor;
#[cfg(unix)]
mod interrupt;
mod level;
mod measure;
mod path;
mod play;
mod routes;
mod seeds;
#[cfg(feature = "serve")]
mod serve;
mod spire;
