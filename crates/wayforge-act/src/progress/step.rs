//! Places of a run, what is seen of them, and what is refused.

use std::fmt;
use wayforge_core::Digest;

/// A place on the way: a node, or the boss above the top row.
///
/// ```
/// use wayforge_act::Step;
/// assert_eq!(Step::Node { row: 5, col: 3 }.to_string(), "Node 3,5");
/// assert!(Step::Node { row: 3, col: 5 } < Step::Boss);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A node.
    Node {
        /// Its row, 0 at the bottom.
        row: u16,
        /// Its column, 0 at the left.
        col: u16,
    },
    /// The boss above the top row.
    Boss,
}

/// How much of the map the party sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fog {
    /// All of it.
    #[default]
    None,
    /// Its own row, all rows below, and so many rows ahead; the boss stands one row above the top row.
    ///
    /// Before the first step the party stands below row 0, so `Rows(1)` shows row 0. What a party sees depends on where it
    /// stands alone: a step taken back brings the fog back too.
    Rows(u16),
}

impl Fog {
    /// The rows ahead that are seen; `None` for all.
    pub(super) fn rows(self) -> Option<u16> {
        if let Fog::Rows(rows) = self { Some(rows) } else { None }
    }
}

/// An illegal move: what was asked for, and what would have been legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{step} is not a legal move from {}; {}",
    match .from { Some(from) => from.to_string(), None => "below row 0".to_owned() },
    match (.finished, .legal.as_slice()) {
        (true, _) => "the run is finished".to_owned(),
        (_, []) => "no way leads on".to_owned(),
        (_, legal) => format!("legal: {}", legal.iter().map(Step::to_string).collect::<Vec<_>>().join(", ")),
    }
)]
pub struct MoveError {
    /// The step that was refused.
    pub step: Step,
    /// Where the party stands; `None` below row 0.
    pub from: Option<Step>,
    /// True if the run is finished.
    pub finished: bool,
    /// The legal moves.
    pub legal: Vec<Step>,
}

/// A save that does not belong to the map it was offered to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The save names another map.
    #[error(
        "map: the save belongs to the map {save}, and this is {map}; play the save's own map, or start a new save"
    )]
    OtherMap {
        /// The digest that the save names.
        save: Digest,
        /// The digest of the map.
        map: Digest,
    },
    /// A step of the saved path is no legal move.
    #[error("{place}: {error}: the save was changed or damaged")]
    Illegal {
        /// The member of the save that holds the step (`path[3]`, `boss`).
        place: String,
        /// What is wrong with it.
        #[source]
        error: MoveError,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Node { row, col } => write!(f, "Node {col},{row}"),
            Step::Boss => f.write_str("Boss"),
        }
    }
}
