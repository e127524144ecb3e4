//! Seed search and surveys: metrics of many maps in columns, and the seeds whose maps match.
//!
//! Seeds are processed in [blocks](Span), each by one thread with memory of its own. Results are combined in the order of
//! the seeds, so they do not depend on the number of threads.
//!
//! ```
//! use wayforge::{Family, metric::Query};
//! use wayforge_analysis::search::{Search, Span};
//! use wayforge::AnySpec;
//! let subject = AnySpec::from_json(Family::Act, b"{}")?;
//! let query = Query::parse("routes > 300 and min(elite) = 0", &subject.catalogue())?;
//! let mut search = Search::new(&subject, Span::from(1).take(100_000), query, 3);
//! while search.advance() {}
//! assert_eq!(search.found().len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod seed_search;
mod span;
mod survey;
mod waves;
mod worker;

pub use columns::{Columns, columns};
pub use seed_search::{Closest, Near, Search};
pub use span::{BLOCK, Block, Shard, Span, SpanError};
pub use survey::{
    COMPARED, Cell, Findings, Histogram, Joint, Measured, Occupancy, Plan, Refusals, Repeats, Row, SAMPLES,
    Shift, Survey, Times, drift,
};
pub use waves::{Pace, Waves};
pub use worker::{Sieve, Visit, Worker, block_step};
