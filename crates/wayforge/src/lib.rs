//! Deterministic procedural maps with proofs, and exact grid pathfinding.
//!
//! Generates Slay-the-Spire-style [act maps](act), blueprint [levels](level), dungeon
//! [floors](floor) and [towers](tower), and finds [shortest paths](nav) on large grids. The same
//! [`Seed`] and configuration give the same bytes on every platform and in every language. A
//! [`Report`] proves each map playable.
//!
//! All families have the same functions; [`act`] is an example:
//!
//! - [`act::Config::resolve`] checks a configuration and returns a spec.
//! - [`act::generate`] generates the map of a seed under a spec.
//! - [`act::validate`] checks every rule of a map and returns a [`Report`].
//!
//! A [`Document`] stores a map with its digest. Data flows in this direction only.
//!
//! This crate re-exports `wayforge-core`, the map families and `wayforge-nav`. It adds types for
//! [maps of any family](family), [metrics](metric) and [runs](run). It is pure: no files, clocks,
//! threads, environment or global state. The purity lint in `crates/clippy.toml` enforces this.
//!
//! # Examples
//! ```
//! use wayforge::{Seed, act};
//!
//! let spec = act::Config::default().resolve()?;
//! let map = act::generate(Seed::from_text("first light"), &spec)?;
//! assert!(act::validate(&map).is_valid());
//! println!("{}", map.to_document().to_text());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `schema`: JSON Schemas of configurations and documents.

#![forbid(unsafe_code)]

pub mod family;
pub mod metric;
pub mod run;
mod saved;

pub use family::{
    AnyConfig, AnyGenerator, AnyMap, AnySpec, Family, GenerateError, GeneratorVisitor,
    validate_document, validate_document_within,
};
pub use run::Run;
pub use saved::SavedMap;
pub use wayforge_act as act;
pub use wayforge_core::{
    ConfigError, DecodeError, Digest, Document, GenerationError, InputError, MapFamily,
    MapGenerator, MapRng, Place, REPRODUCIBLE, Report, Rule, Seed, SeedMatch, SeedSearchError,
    Stopped, StreamId, TextPosition, Violation, Work, WorkLimit, describe_json_error, document,
    grid, report, seed, trace,
};
pub use wayforge_floor as floor;
pub use wayforge_floor::tower;
pub use wayforge_level as level;
pub use wayforge_nav as nav;

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
