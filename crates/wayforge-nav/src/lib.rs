//! Exact pathfinding on large grids: jump point search with landmarks, bit-parallel bidirectional
//! BFS and mask-expanding BFS.
//!
//! A [`Query`] requests a shortest path on a [`NavGrid`], from any of several sources to any of
//! several targets. The result, a [`Path`], contains the tiles, the source and target that it
//! connects, its guarantee and search statistics.
//!
//! The main functions:
//!
//! - [`Navigator::new`] preprocesses a grid as specified by [`Preprocessing`].
//! - [`Navigator::find`] chooses among the [methods](Method), detects unreachable targets without a
//!   search, and returns a shortest path.
//! - [`Navigator::edit`] changes tiles and updates the preprocessing incrementally.
//!
//! ```
//! use wayforge_nav::grid::Pos;
//! use wayforge_nav::{Guarantee, NavGrid, Navigator, Preprocessing, Query};
//!
//! let grid = NavGrid::from_text("......\n.####.\n......")?;
//! let mut navigator = Navigator::new(&grid, Preprocessing::None);
//! let sources = [Pos::new(0, 1), Pos::new(5, 1)];
//! let path = navigator.find(&Query::new(sources, [Pos::new(3, 2)]))?.expect("connected");
//! assert_eq!((path.steps(), path.source, path.guarantee), (3, 1, Guarantee::Exact));
//! # Ok::<(), wayforge_nav::InputError>(())
//! ```
//!
//! `docs/pathfinding.md` in the repository explains when to use each method and proves that the
//! exact ones are exact.
//!
//! # Features
//!
//! - `schema`: JSON Schemas of configurations and documents.

#![forbid(unsafe_code)]

mod archipelago;
mod bfs;
mod bidirectional_bfs;
mod bit_bfs;
mod blocks;
mod choose;
mod coarse;
mod components;
mod corridor;
mod corridor_options;
mod depth;
mod distance_field;
mod edit;
mod ends;
mod jump;
mod mask;
mod mask_optimal;
mod nav_grid;
mod navigator;
mod options;
mod padded_layout;
mod query;
mod search_trace;
mod smooth;
mod straighten;
mod work;

pub use archipelago::{
    ARCHIPELAGO_ALGORITHM, ArchipelagoConfig, ArchipelagoSpec, archipelago, archipelago_document,
};
pub use bfs::MultiSourceBfs;
pub use coarse::CoarseRule;
pub use corridor_options::{CorridorConfig, CorridorOptions};
pub use distance_field::DistanceField;
pub use nav_grid::NavGrid;
pub use navigator::Navigator;
pub use options::{Options, Preprocessing};
pub use query::{Connectivity, Guarantee, Method, Metric, Path, Query, SearchStats};
pub use search_trace::{SearchEvent, SearchReplay};
pub use smooth::has_line_of_sight;
pub use wayforge_core::{
    ConfigError, DecodeError, Document, InputError, Seed, Stopped, WorkLimit, grid, trace,
};

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
