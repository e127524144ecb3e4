//! Batch requests: which maps, which metrics, which format.

use crate::batch::BatchError;
use crate::batch::parquet_table::MAX_ROWS;
use crate::search::SeedRange;
use serde::{Deserialize, Serialize};
use wayforge::AnySpec;
use wayforge::metric::{Catalogue, Term};

/// Format of a batch file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BatchFormat {
    /// Metrics as a Parquet table.
    Parquet,
    /// Metrics as JSON lines.
    JsonLines,
    /// Metrics as CSV.
    Csv,
    /// Whole documents as JSON lines; seeds without a map are omitted.
    Documents,
}

/// Description of a batch. Equal requests give equal bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchRequest {
    /// Program and version. Another version may offer other metrics.
    pub created_by: String,
    /// Name of the family.
    pub family: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Configuration with all defaults filled in.
    pub config: serde_json::Value,
    /// First seed.
    pub seed: String,
    /// Number of seeds in all shards together.
    pub count: u64,
    /// Shard of the seeds.
    pub shard: String,
    /// Format of the file.
    pub format: BatchFormat,
    /// Names of the metrics.
    pub metrics: Vec<String>,
}

impl BatchRequest {
    /// Creates a request for the maps of a range. `metrics` is a comma-separated list of names;
    /// `None` selects all.
    ///
    /// # Errors
    /// [`BatchError::Metrics`] if a metric is unknown or listed twice, [`BatchError::TooLong`] if
    /// the range is too long for Parquet.
    pub fn new(
        spec: &AnySpec,
        range: SeedRange,
        format: BatchFormat,
        metrics: Option<&str>,
    ) -> Result<BatchRequest, BatchError> {
        if format == BatchFormat::Parquet && range.len() > MAX_ROWS {
            return Err(BatchError::TooLong { rows: range.len(), max: MAX_ROWS });
        }
        let catalogue = spec.catalogue();
        let names = match (format, metrics) {
            (BatchFormat::Documents, _) => Vec::new(),
            (_, None) => catalogue.terms().map(|term| catalogue.name(term)).collect(),
            (_, Some(text)) => {
                catalogue.parse_list(text)?.into_iter().map(|term| catalogue.name(term)).collect()
            }
        };
        Ok(BatchRequest {
            created_by: concat!("wayforge ", env!("CARGO_PKG_VERSION")).to_owned(),
            family: spec.family().name().to_owned(),
            algorithm: spec.algorithm().to_owned(),
            config: serde_json::from_str(&spec.config_json()).unwrap_or_default(),
            seed: range.first().to_string(),
            count: range.total_len(),
            shard: range.shard().to_string(),
            format,
            metrics: names,
        })
    }

    /// Resolves the metric names.
    pub(crate) fn terms(&self, catalogue: &Catalogue) -> Result<Vec<Term>, BatchError> {
        let term = |name: &String| {
            let term = catalogue.terms().find(|&term| catalogue.name(term) == *name);
            term.ok_or_else(|| BatchError::InvalidCheckpoint(format!("unknown metric {name:.40}")))
        };
        self.metrics.iter().map(term).collect()
    }
}
