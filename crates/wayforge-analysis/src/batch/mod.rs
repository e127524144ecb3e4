//! Many maps as one file: their metrics as a Parquet table, JSON lines or CSV (lines end with `\n`), or their documents as JSON lines.
//!
//! A [`Sheet`] is asked on many threads what the [parts](Part) of the file are, takes them in order and gives the bytes that follow: it opens no
//! file and holds no more than a row group. What it [keeps](Sheet::keep) is enough to [go on](Sheet::resume) with later, and the bytes are
//! the same whatever the threads and however often it was taken up again.
//!
//! ```
//! use wayforge::Family;
//! use wayforge_analysis::batch::{Form, Request, Sheet};
//! use wayforge_analysis::search::{Span, Waves};
//! use wayforge::AnySpec;
//! let subject = AnySpec::from_json(Family::Floor, b"{}")?;
//! let span = Span::from(1).take(1000);
//! let request = Request::new(&subject, span.clone(), Form::Csv, Some("path, count(enemy)"))?;
//! let mut sheet = Sheet::new(&subject, &request)?;
//! let mut file = sheet.begin();
//! let mut waves = Waves::new(&subject, span).by(sheet.step());
//! while let Some(wave) = waves.advance(|worker, block| sheet.look(worker, block)) {
//!     for (_, part) in wave {
//!         file.extend(sheet.add(part)?);
//!     }
//! }
//! file.extend(sheet.end()?);
//! let text = String::from_utf8(file)?;
//! assert!(text.starts_with("seed,made,path,count(enemy)\n1,true,"));
//! assert_eq!(text.lines().count(), 1001);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod request;
mod rows;
mod sheet;
mod table;

pub use request::{Form, Request};
pub use sheet::{Kept, Part, Sheet};
pub use table::GROUP;

use wayforge::metric::ExpressionError;

/// Why no table can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A metric that the family does not have, or one that is asked for twice.
    #[error(transparent)]
    Metrics(#[from] ExpressionError),
    /// More rows than a table can have.
    #[error("{rows} rows are more than one Parquet file holds; up to {most} do, so take shards of them")]
    TooLong {
        /// How many were asked for.
        rows: u64,
        /// How many there can be.
        most: u64,
    },
    /// What was kept of a table is damaged.
    #[error("what was kept is damaged: {0}")]
    Damaged(String),
    /// Parquet's own refusal.
    #[error("Parquet: {0}")]
    Parquet(String),
}

impl From<parquet::errors::ParquetError> for BatchError {
    fn from(error: parquet::errors::ParquetError) -> BatchError {
        BatchError::Parquet(error.to_string())
    }
}
