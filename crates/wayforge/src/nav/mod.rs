//! Ways over big grids.
//!
//! A [`Water`] grid is asked for the way from any of many sources to any of many targets ([`Query`]); the answer ([`Way`])
//! says which tiles, which source and target, and what it guarantees.

mod archipelago;
mod bfs;
mod blocks;
mod coarse;
mod corridor;
mod depth;
mod field;
mod jump;
mod mask;
mod mask_optimal;
mod navigator;
mod pieces;
mod query;
mod smooth;
mod water;
mod wave;

pub use archipelago::{ARCHIPELAGO, ArchipelagoConfig, ArchipelagoSpec, archipelago};
pub use bfs::MultiSourceAnyTargetBFS;
pub use coarse::CoarseRule;
pub use field::DistanceField;
pub use mask::Tuning;
pub use navigator::{Navigator, Options, Prepare};
pub use query::{Counts, Guarantee, Method, Metric, Moves, Query, Way};
pub use smooth::in_sight;
pub use water::Water;
