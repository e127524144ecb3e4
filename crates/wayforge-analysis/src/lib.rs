//! Analysis of many maps: seed search, metric tables and reports.
//!
//! - [`search::SeedSearch`] finds seeds whose maps match a condition, [`search::ClosestSearch`]
//!   those that come closest to metric values, and [`search::Survey`] measures distributions.
//! - `batch::BatchWriter` (feature `batch`) writes metrics or documents of many maps as Parquet,
//!   CSV or JSON lines.
//! - `report::page` (feature `report`) renders a survey as a self-contained HTML page.
//!
//! Results do not depend on the number of threads.
//!
//! # Examples
//!
//! ```
//! use wayforge::{AnySpec, Family, metric::Query};
//! use wayforge_analysis::search::{SeedRange, SeedSearch};
//!
//! let spec = AnySpec::from_json(Family::Floor, b"{}")?;
//! let query = Query::parse("path >= 7", &spec.catalogue())?;
//! let mut search = SeedSearch::new(&spec, SeedRange::from(1).take(10_000), query, 5);
//! while search.advance() {}
//! assert_eq!(search.matches().len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `batch`: tables of many maps.
//! - `report`: HTML reports with plots, and galleries.

#![forbid(unsafe_code)]

#[cfg(feature = "batch")]
pub mod batch;
#[cfg(any(feature = "batch", feature = "report"))]
mod csv;
#[cfg(feature = "report")]
pub mod report;
pub mod search;

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
