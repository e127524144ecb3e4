//! What is asked for: which maps, which of their metrics, in which form.

use crate::batch::BatchError;
use crate::batch::table::MAX_ROWS;
use crate::search::Span;
use serde::{Deserialize, Serialize};
use wayforge::AnySpec;
use wayforge::metric::{Catalogue, Term};

/// What a file has of each map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Form {
    /// Metrics as a Parquet table.
    Parquet,
    /// Metrics as JSON lines.
    JsonLines,
    /// Metrics as CSV.
    Csv,
    /// Whole documents; seeds that have no map are left out.
    Documents,
}

/// What is asked for. The same request gives the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Who makes it: metrics may be added from one version to the next.
    pub maker: String,
    /// The family.
    pub family: String,
    /// The algorithm.
    pub algorithm: String,
    /// The configuration with every default written out.
    pub config: serde_json::Value,
    /// The first seed.
    pub seed: String,
    /// How many seeds there are, in all shards.
    pub count: u64,
    /// The shard of them.
    pub shard: String,
    /// The form.
    pub form: Form,
    /// The metrics by name.
    pub metrics: Vec<String>,
}

impl Request {
    /// A request for the maps of a span; of metrics all, or those that a text names, with commas between them.
    pub fn new(
        subject: &AnySpec,
        span: Span,
        form: Form,
        metrics: Option<&str>,
    ) -> Result<Request, BatchError> {
        if form == Form::Parquet && span.len() > MAX_ROWS {
            return Err(BatchError::TooLong { rows: span.len(), most: MAX_ROWS });
        }
        let catalogue = subject.catalogue();
        let names = match (form, metrics) {
            (Form::Documents, _) => Vec::new(),
            (_, None) => catalogue.terms().map(|term| catalogue.name(term)).collect(),
            (_, Some(text)) => catalogue.list(text)?.into_iter().map(|term| catalogue.name(term)).collect(),
        };
        Ok(Request {
            maker: concat!("wayforge ", env!("CARGO_PKG_VERSION")).to_owned(),
            family: subject.family().name().to_owned(),
            algorithm: subject.algorithm().to_owned(),
            config: serde_json::from_str(&subject.config_json()).unwrap_or_default(),
            seed: span.first().to_string(),
            count: span.count(),
            shard: span.shard().to_string(),
            form,
            metrics: names,
        })
    }

    /// The metrics as terms.
    pub(crate) fn terms(&self, catalogue: &Catalogue) -> Result<Vec<Term>, BatchError> {
        let term = |name: &String| {
            let term = catalogue.terms().find(|&term| catalogue.name(term) == *name);
            term.ok_or_else(|| BatchError::Damaged(format!("there is no metric {name:.40}")))
        };
        self.metrics.iter().map(term).collect()
    }
}
