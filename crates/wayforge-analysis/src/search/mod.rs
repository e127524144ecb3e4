//! Seed search, surveys and columnar metrics over ranges of seeds.
//!
//! Seeds are processed in [blocks](SeedRange), each by one thread with its own generator. Results
//! are merged in seed order, so they do not depend on the number of threads.
//!
//! # Examples
//!
//! ```
//! use wayforge::{Family, metric::Query};
//! use wayforge_analysis::search::{SeedSearch, SeedRange};
//! use wayforge::AnySpec;
//! let spec = AnySpec::from_json(Family::Act, b"{}")?;
//! let query = Query::parse("routes > 300 and min(elite) = 0", &spec.catalogue())?;
//! let mut search = SeedSearch::new(&spec, SeedRange::from(1).take(100_000), query, 3);
//! while search.advance() {}
//! assert_eq!(search.matches().len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod seed_range;
mod seed_search;
mod survey;
mod waves;
mod worker;

pub use columns::{Columns, measure_seeds};
pub use seed_range::{BLOCK_LEN, Block, SeedRange, Shard};
pub use seed_search::{ClosestMatch, ClosestSearch, SeedSearch};
pub use survey::{
    Duplicates, GenerationTimes, Histogram, JointCell, JointHistogram, MAX_COMPARED_MAPS,
    MAX_SAMPLES, MetricDistribution, MetricDrift, Occupancy, RuleFailures, Survey, SurveyPlan,
    SurveyResults, SurveyRow, drift,
};
pub use waves::{WavePacer, Waves};
pub use worker::{MapVisitor, StagedQuery, Worker, default_block_len};
