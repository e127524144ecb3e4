//! Exact pathfinding on large grids: jump point search with landmarks, bit-parallel bidirectional BFS, mask-expanding BFS.
//!
//! A [`Query`] asks a [`Water`] grid for a shortest path from any of several sources to any of several targets. The result
//! ([`Way`]) contains the tiles, the source and target that it connects, its guarantee and search statistics.
//! [`Navigator`] chooses among the [methods](Method), detects unreachable targets without a search, and updates its
//! preprocessing incrementally when tiles change.
//!
//! ```
//! use wayforge_nav::grid::Pos;
//! use wayforge_nav::{Guarantee, Navigator, Prepare, Query, Water};
//!
//! let water = Water::from_text("......\n.####.\n......")?;
//! let mut navigator = Navigator::new(&water, Prepare::None);
//! let shores = [Pos::new(0, 1), Pos::new(5, 1)];
//! let way = navigator.find(&Query::new(shores, [Pos::new(3, 2)]))?.expect("one sea");
//! assert_eq!((way.steps(), way.source, way.guarantee), (3, 1, Guarantee::Exact));
//! # Ok::<(), wayforge_nav::InputError>(())
//! ```
//!
//! `docs/ways.md` explains every method, when to use which, and why the exact ones are exact.

#![forbid(unsafe_code)]

mod archipelago;
mod bfs;
mod blocks;
mod choose;
mod coarse;
mod corridor;
mod corridor_options;
mod depth;
mod edit;
mod ends;
mod field;
mod frame;
mod jump;
mod mask;
mod mask_optimal;
mod navigator;
mod options;
mod pieces;
mod query;
mod search_trace;
mod smooth;
mod straighten;
mod water;
mod wave;
mod waves;

pub use archipelago::{ARCHIPELAGO, ArchipelagoConfig, ArchipelagoSpec, archipelago, archipelago_document};
pub use bfs::MultiSourceAnyTargetBFS;
pub use coarse::CoarseRule;
pub use corridor_options::{CorridorConfig, CorridorOptions};
pub use field::DistanceField;
pub use navigator::Navigator;
pub use options::{Options, Prepare};
pub use query::{Counts, Guarantee, Method, Metric, Moves, Query, Way};
pub use search_trace::{SearchEvent, SearchReplay};
pub use smooth::in_sight;
pub use water::Water;
pub use wayforge_core::{ConfigError, DecodeError, Document, InputError, Seed, grid, trace};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
