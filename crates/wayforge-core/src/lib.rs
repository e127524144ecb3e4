//! Foundations of Wayforge: seeds, random streams, grids, documents with digests and validation
//! reports.
//!
//! The map families (`wayforge-act`, `wayforge-level`, `wayforge-floor`) and `wayforge-nav` build
//! on this crate. Most programs depend on the facade crate `wayforge`, which re-exports everything
//! here.
//!
//! The main items:
//!
//! - [`Seed::stream`] returns the random stream of a stage; [`MapRng`] samples from it.
//! - [`Document::decode`] reads a saved map and [`Document::to_text`] writes it. Its digest shows
//!   whether it changed.
//! - [`MapFamily`] is the interface of all map families: configuration, generation, validation.
//!
//! The crate is pure: no files, clocks, threads, environment, hash maps or global state.
//! `clippy.toml` enforces this.
//!
//! # Features
//!
//! - `schema`: JSON Schemas of the types that documents contain.

#![forbid(unsafe_code)]

pub mod document;
mod error;
pub mod family;
pub mod grid;
pub mod report;
mod rng;
mod run;
pub mod seed;
pub mod seed_search;
#[doc(hidden)]
pub mod shorthand;
mod strict;
pub mod trace;
mod work;

pub use document::{Digest, Document};
#[doc(hidden)]
pub use error::shorten;
pub use error::{ConfigError, DecodeError, InputError, TextPosition};
pub use family::{GenerationError, MapFamily, MapGenerator, REPRODUCIBLE};
pub use report::{Place, Report, Rule, Violation};
pub use rng::MapRng;
pub use run::ResumeError;
pub use seed::{Seed, StreamId};
pub use seed_search::{SeedMatch, SeedSearchError};
pub use strict::{describe_json_error, deserialize_object};
pub use work::{Stopped, Work, WorkLimit};

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
