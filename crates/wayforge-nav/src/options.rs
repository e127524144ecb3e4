//! Options of a navigator.

use super::corridor_options::CorridorOptions;
use super::query::{Connectivity, Metric};

/// How much a navigator computes before the first query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preprocessing {
    /// Only bitboards and connected components, in milliseconds. Everything else is computed when a
    /// query needs it.
    #[default]
    None,
    /// Also the coarse map of connected components, for
    /// [`Method::Components`](super::Method::Components).
    Coarse,
    /// All jump points and landmarks, for maps that are queried often.
    Full,
}

/// Options of a [`Navigator`](super::Navigator).
///
/// Queries may use another connectivity or metric; the first such query takes longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How much to compute in advance.
    pub preprocessing: Preprocessing,
    /// Connectivity for which [`Preprocessing::Full`] builds the graph.
    pub connectivity: Connectivity,
    /// Metric for which [`Preprocessing::Full`] builds landmarks.
    pub metric: Metric,
    /// Corridor of [`Method::Restart`](super::Method::Restart),
    /// [`Method::MaskF1`](super::Method::MaskF1), [`Method::MaskF2`](super::Method::MaskF2) and
    /// [`Method::MaskOptimal`](super::Method::MaskOptimal).
    pub mask_corridor: CorridorOptions,
    /// Corridor of [`Method::Components`](super::Method::Components).
    pub components_corridor: CorridorOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            preprocessing: Preprocessing::None,
            connectivity: Connectivity::Eight,
            metric: Metric::Steps,
            mask_corridor: CorridorOptions::for_mask_methods(),
            components_corridor: CorridorOptions::for_components(),
        }
    }
}
