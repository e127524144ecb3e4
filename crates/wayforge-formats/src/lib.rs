//! Wayforge's maps in the files of other tools, and theirs as ours.
//!
//! Everything is driven by one table, [`FORMATS`]: a [`Format`] has suffixes, says [what](What) it reads and writes, and does it.
//! `wayforge formats` prints the table; `wayforge convert IN OUT` is [`Format::read`] of one row and [`Format::write`] of another.
//!
//! ```text
//! bytes --read--> Reading { content, stated digest, pins } --regenerate--> Content --write--> bytes, and what belongs beside them
//! ```
//!
//! * A [`Content`] is a map of any family, a drawing by hand ([`Blueprint`](wayforge::level::Blueprint),
//!   [`Template`](wayforge::floor::Template)), water and land, or queries.
//! * A [`Reading`] is a content with what the file says of its generation. A map that went through an editor keeps its seed, configuration and
//!   digest as properties; [`Reading::is_edited`] compares the digest, and [`Reading::regenerate`] generates the map again around the
//!   cells that the person fixed.
//! * [`Files`] is the folder that a file stands in: the crate opens none itself. Writers stream into it; readers get bounded bytes.
//!
//! Every reader is strict and bounded: sizes are checked against what the bytes could hold before memory is set aside, lists end at
//! their bound while they are read, and compressed layers are rejected at the first byte too many.
//!
//! ```
//! use wayforge::level;
//! use wayforge_draw::Theme;
//! use wayforge_formats::{Content, Format, Memory, ReadOptions};
//!
//! let made = level::generate(42.into(), &level::Config::default().resolve()?)?;
//! let mut files = Memory::default();
//! let tmx = Format::of("level.tmx")?;
//! tmx.write(&[made.clone().into()], "level.tmx", Theme::Parchment, &mut files)?;
//! assert!(files.0.contains_key("wayforge-level-parchment.png"));
//!
//! let read = tmx.read("level.tmx", &mut files, ReadOptions::default())?;
//! assert!(!read[0].is_edited());
//! assert_eq!(read[0].content, Content::from(made));
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
mod ldtk;
mod mask;
mod movingai;
mod openfront;
mod queries;
mod reading;
mod registry;
mod tiled;
mod xml;
mod zombie_escape;

pub use animation::animation;
pub use content::{Content, What};
pub use error::FormatError;
pub use files::{Files, Memory, too_large, zip};
pub use graph::{write_dot, write_graphml, write_mermaid};
pub use mask::{read_pgm, read_png_mask, write_pgm, write_png_mask};
pub use movingai::read_movingai;
pub use openfront::{Manifest, read_manifest, read_openfront, write_manifest, write_openfront};
pub use queries::{Asked, read_queries};
pub use reading::{Pinning, Reading};
pub use registry::{FORMATS, Format, MAX_BYTES, ReadOptions};
pub use zombie_escape::to_zombie_escape;
