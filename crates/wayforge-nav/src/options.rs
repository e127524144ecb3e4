//! What a navigator is prepared for.

use super::corridor_options::CorridorOptions;
use super::query::{Metric, Moves};

/// How much to work out before the first question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Prepare {
    /// Blocks and seas only: milliseconds. Anything else is worked out when a query needs it.
    #[default]
    None,
    /// The coarse map of connected pieces as well, for [`Method::Pieces`](super::Method::Pieces).
    Coarse,
    /// All jump points and the landmarks, for maps that are asked many times.
    Full,
}

/// What a navigator is prepared for. Queries of other kinds are answered too; the first of them takes longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How much to work out in advance.
    pub prepare: Prepare,
    /// The moves that [`Prepare::Full`] prepares for.
    pub moves: Moves,
    /// The metric that [`Prepare::Full`] prepares for.
    pub metric: Metric,
    /// The corridor of [`Method::Restart`](super::Method::Restart), [`Method::MaskF1`](super::Method::MaskF1), [`Method::MaskF2`](super::Method::MaskF2) and [`Method::MaskOptimal`](super::Method::MaskOptimal).
    pub document: CorridorOptions,
    /// The corridor of [`Method::Pieces`](super::Method::Pieces).
    pub pieces: CorridorOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            prepare: Prepare::None,
            moves: Moves::Eight,
            metric: Metric::Steps,
            document: CorridorOptions::document(),
            pieces: CorridorOptions::pieces(),
        }
    }
}
