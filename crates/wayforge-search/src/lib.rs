//! Many maps at once: their metrics in columns, and the seeds whose maps are wanted.
//!
//! A [`Subject`] is a family with a configuration. Seeds are gone through in [blocks](Span), each by one thread with memory of its own, and
//! what the blocks give is put together in the order of their seeds: the answer is the same whatever the number of threads.
//!
//! ```
//! use wayforge::{Family, metric::Query};
//! use wayforge_search::{Search, Span, Subject};
//! let subject = Subject::read(Family::Act, b"{}")?;
//! let query = Query::parse("routes > 300 and min(elite) = 0", &subject.catalogue())?;
//! let mut search = Search::new(&subject, Span::from(1).take(100_000), query, 3);
//! while search.advance() {}
//! assert_eq!(search.found().len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod aim;
mod columns;
mod pace;
mod search;
mod span;
mod subject;
mod survey;
mod threads;
mod trial;
mod waves;

pub use aim::{Closest, Near};
pub use columns::{Columns, columns};
pub use pace::Pace;
pub use search::Search;
pub use span::{BLOCK, Block, Shard, Span, SpanError};
pub use subject::{Sieve, Subject, Visit, Worker};
pub use survey::{
    COMPARED, Cell, Findings, Histogram, Joint, Measured, Occupancy, Plan, Refusals, Repeats, Row, SAMPLES,
    Shift, Survey, Times, drift,
};
pub use waves::Waves;
