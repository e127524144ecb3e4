//! The measures of a corridor.

use super::coarse::CoarseRule;

/// The corridor's measures.
///
/// ```
/// use wayforge::nav::{CoarseRule, Tuning};
/// let document = Tuning::document();
/// assert_eq!((document.factor, document.radius, document.rule), (4, 2, CoarseRule::AnyTile));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Tiles a side of a coarse cell.
    pub factor: u16,
    /// What a coarse node is.
    pub rule: CoarseRule,
    /// How many cells the corridor reaches to each side of the spine at first (r0).
    pub radius: u16,
    /// How many widenings are tried before all water is searched (k).
    pub most_expansions: u32,
}

impl Tuning {
    /// The document's defaults.
    pub const fn document() -> Tuning {
        Tuning { factor: 4, rule: CoarseRule::AnyTile, radius: 2, most_expansions: 6 }
    }

    /// What works best on connected pieces of water.
    pub const fn pieces() -> Tuning {
        Tuning { factor: 8, rule: CoarseRule::Pieces, radius: 2, most_expansions: 6 }
    }
}
