//! Tests of search, batches and reports.

#[cfg(feature = "batch")]
mod batch;
#[cfg(feature = "report")]
mod report;
mod search;
mod survey;
