//! Batch output of many maps: metrics as Parquet, JSON lines or CSV, or whole documents as JSON
//! lines.
//!
//! A [`BatchWriter`] processes [blocks](BlockOutput) on any number of threads, takes their outputs
//! in order and returns the bytes to append. It opens no file and buffers at most one row group.
//!
//! A [`Checkpoint`] is enough to [resume](BatchWriter::resume) later. The bytes do not depend on
//! the number of threads or on interruptions.
//!
//! # Examples
//!
//! ```
//! use wayforge::Family;
//! use wayforge_analysis::batch::{BatchFormat, BatchRequest, BatchWriter};
//! use wayforge_analysis::search::{SeedRange, Waves};
//! use wayforge::AnySpec;
//! let spec = AnySpec::from_json(Family::Floor, b"{}")?;
//! let range = SeedRange::from(1).take(1000);
//! let metrics = Some("path, count(enemy)");
//! let request = BatchRequest::new(&spec, range.clone(), BatchFormat::Csv, metrics)?;
//! let mut writer = BatchWriter::new(&spec, &request)?;
//! let mut file = writer.begin();
//! let mut waves = Waves::new(&spec, range).with_block_len(writer.block_len());
//! while let Some(wave) = waves.advance(|worker, block| writer.process(worker, block)) {
//!     for (_, part) in wave {
//!         file.extend(writer.add(part)?);
//!     }
//! }
//! file.extend(writer.finish()?);
//! let text = String::from_utf8(file)?;
//! assert!(text.starts_with("seed,generated,path,count(enemy)\n1,true,"));
//! assert_eq!(text.lines().count(), 1001);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod parquet_table;
mod request;
mod rows;
mod writer;

pub use parquet_table::ROW_GROUP_LEN;
pub use request::{BatchFormat, BatchRequest};
pub use writer::{BatchWriter, BlockOutput, Checkpoint};

use wayforge::metric::ExpressionError;

/// Error of a batch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A metric is unknown or listed twice.
    #[error(transparent)]
    Metrics(#[from] ExpressionError),
    /// The table would have more rows than Parquet allows.
    #[error("{rows} rows are too many for one Parquet file (limit {max}); use shards")]
    TooLong {
        /// Requested number of rows.
        rows: u64,
        /// Maximum number of rows.
        max: u64,
    },
    /// A checkpoint is inconsistent, or its request does not match this version.
    #[error("invalid checkpoint: {0}")]
    InvalidCheckpoint(String),
    /// Error of the Parquet library.
    #[error("Parquet: {0}")]
    Parquet(String),
}

impl From<parquet::errors::ParquetError> for BatchError {
    fn from(error: parquet::errors::ParquetError) -> BatchError {
        BatchError::Parquet(error.to_string())
    }
}
