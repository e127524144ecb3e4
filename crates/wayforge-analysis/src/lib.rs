//! Analysis of many maps: seed search, metric tables and reports.
//!
//! - [`search`] finds seeds whose maps match a condition or come closest to metric values, and
//!   surveys distributions.
//! - [`batch`] (feature `batch`) writes metrics or documents of many maps as Parquet, CSV or JSON
//!   lines.
//! - [`report`] (feature `report`) renders surveys as self-contained HTML pages and CSV tables.
//!
//! Results do not depend on the number of threads.

#![forbid(unsafe_code)]

#[cfg(feature = "batch")]
pub mod batch;
#[cfg(any(feature = "batch", feature = "report"))]
mod csv;
#[cfg(feature = "report")]
pub mod report;
pub mod search;
