//! Import and export of Wayforge maps: Tiled, LDtk, Graphviz, CSV, Moving AI, OpenFront, images and
//! others.
//!
//! The main functions:
//!
//! - [`Format::from_file_name`] chooses the format of a file by its suffix.
//! - [`Format::read`] reads a file.
//! - [`Format::write`] writes maps to a file and its companions, such as a tileset.
//!
//! [`Format::ALL`] lists all formats. [`Format::info`] returns the suffixes of a format and the
//! [content kinds](ContentKind) that it reads and writes; `wayforge formats` prints this table.
//!
//! ```text
//! bytes --read--> ImportedContent --regenerate--> Content --write--> bytes and companion files
//! ```
//!
//! - A [`Content`] is a map of any family, a hand-drawn [`Blueprint`](wayforge::level::Blueprint)
//!   or [`Template`](wayforge::floor::Template), a navigation grid, or pathfinding queries.
//! - An [`ImportedContent`] is content with the provenance that the file states. Editor files
//!   store seed, configuration and digest as properties. [`ImportedContent::is_edited`] compares
//!   the digest; [`ImportedContent::regenerate`] generates the map again around pinned cells.
//! - [`Files`] abstracts the folder of a file; the crate itself opens no files. Writers stream into
//!   it, and readers get a bounded number of bytes.
//!
//! Every reader is strict and bounded. Sizes are checked against the length of the input before
//! memory is allocated, lists are limited while they are read, and compressed layers are rejected
//! at the first excess byte.
//!
//! # Examples
//!
//! ```
//! use wayforge::level;
//! use wayforge_draw::Theme;
//! use wayforge_formats::{Content, Format, MemoryFiles, ReadOptions};
//!
//! let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
//! let mut files = MemoryFiles::default();
//! let tmx = Format::from_file_name("level.tmx")?;
//! tmx.write(&[level.clone().into()], "level.tmx", Theme::Parchment, &mut files)?;
//! assert!(files.0.contains_key("wayforge-level-parchment.png"));
//!
//! let read = tmx.read("level.tmx", &mut files, ReadOptions::default())?;
//! assert!(!read[0].is_edited());
//! assert_eq!(read[0].content, Content::from(level));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod animation;
mod ascii;
mod content;
mod csv;
mod documents;
mod error;
mod files;
mod graph;
mod imported;
mod ldtk;
mod mask;
mod movingai;
mod openfront;
mod queries;
mod registry;
mod tiled;
mod xml;
mod zombie_escape;

pub use animation::{animation, animation_within};
pub use content::{Content, ContentKind};
pub use error::FormatError;
pub use files::{Files, MemoryFiles, file_too_large, zip};
pub use graph::{write_dot, write_graphml, write_mermaid};
pub use imported::{ImportedContent, PinMode};
pub use mask::{read_pgm, read_png_mask, write_pgm, write_png_mask};
pub use movingai::read_movingai;
pub use openfront::{Manifest, read_manifest, read_openfront, write_manifest, write_openfront};
pub use queries::{QueryRecord, read_queries};
pub use registry::{Format, FormatInfo, MAX_BYTES, ReadOptions};
pub use zombie_escape::to_zombie_escape;

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
