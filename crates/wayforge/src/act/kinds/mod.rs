//! Node kinds: the step after the skeleton, driven by data.
//!
//! Kinds are named by the user. Rules say how likely each is on which rows, which rows are fixed, what may follow or
//! stand beside what, and how many there may be on the map and on every single route. [`assign`] searches for an
//! assignment that keeps all of them; when there is none, [`explain`] finds the rules that stand against each other.

pub(super) mod assign;
mod config;
pub(super) mod explain;
mod route;
mod spec;

pub use config::{BandConfig, Count, FixedRow, Icon, KindConfig, KindsConfig};
pub(super) use spec::KindSpec;
pub use spec::{Kind, KindId, KindRule};
