//! Maps and queries that other programs wrote, read strictly and within bounds.
//!
//! Reading is pure (bytes in, values out); opening files is the caller's.

#![allow(dead_code, unused_imports)] // The test suite and the benchmarks read the same files, each some of them.

mod movingai;
mod openfront;
mod queries;

pub(crate) use movingai::read_movingai;
pub(crate) use openfront::{Manifest, read_manifest, read_openfront};
pub(crate) use queries::{Asked, read_queries};
