//! Ways over big grids.
//!
//! A [`Water`] grid is asked for the way from any of many sources to any of many targets ([`Query`]); the answer ([`Way`])
//! says which tiles, which source and target, and what it guarantees.

mod bfs;
mod blocks;
mod coarse;
mod corridor;
mod jump;
mod mask;
mod mask_optimal;
mod navigator;
mod pieces;
mod query;
mod water;
mod wave;

pub use bfs::MultiSourceAnyTargetBFS;
pub use coarse::CoarseRule;
pub use mask::Tuning;
pub use navigator::Navigator;
pub use query::{Counts, Guarantee, Method, Metric, Moves, Query, Way};
pub use water::Water;
