//! Wayforge forges maps that games can trust, and finds the ways through them.
//!
//! One [`Seed`] and one configuration give one map, the same bytes on every machine and in every language, with a
//! [`Report`] that proves it playable. This crate is pure: values in, values out; no files, clocks, threads,
//! environment or global state (its `clippy.toml` makes that a lint).
//!
//! Data flows one way: a configuration is resolved into a spec, a generator turns seed and spec into a map, a validator
//! turns a map into a report, and a [`Document`] keeps the map with its digest.
//!
//! ```
//! use wayforge::{Seed, act::{self, ActConfig}};
//!
//! let spec = ActConfig::default().resolve()?;
//! let map = act::generate(Seed::from_text("first light"), &spec)?;
//! assert!(act::validate(&map).is_valid());
//! println!("{}", map.to_document().to_text());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod act;
pub mod document;
mod error;
pub mod family;
pub mod floor;
pub mod grid;
mod judge;
pub mod keep;
pub mod level;
pub mod metric;
pub mod nav;
pub mod report;
mod rng;
pub mod run;
mod saved;
pub mod seed;
mod strict;
pub mod trace;

pub use document::{Digest, Document};
pub use error::{ConfigError, DecodeError, GenerateError};
pub use family::{Family, ForgeError};
pub use judge::{REPRODUCIBLE, judge};
pub use keep::Kept;
pub use report::{Place, Report, Rule, Violation};
pub use rng::MapRng;
pub use run::Run;
pub use saved::SavedMap;
pub use seed::{Seed, Stage};
pub use strict::{Strict, describe_json_error};
