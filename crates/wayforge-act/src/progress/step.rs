//! Steps of a run, fog, and errors of moves and saves.

use std::fmt;

/// One step of a run: a node, or the boss above the top row.
///
/// # Examples
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

/// How much of the map is visible to the party.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fog {
    /// The whole map.
    #[default]
    None,
    /// The party's row, all rows below, and `n` rows ahead. The boss is one row above the top row.
    ///
    /// Before the first step the party is below row 0, so `Rows(1)` shows row 0. Visibility depends
    /// only on the current position: undoing a step restores the fog.
    Rows(u16),
}

impl Fog {
    /// Returns the number of visible rows ahead; `None` for all.
    pub(super) fn rows(self) -> Option<u16> {
        if let Fog::Rows(rows) = self { Some(rows) } else { None }
    }
}

/// An illegal move, with the legal ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{step} is not a legal move from {}; {}",
    match .from { Some(from) => from.to_string(), None => "below row 0".to_owned() },
    match (.finished, .legal.as_slice()) {
        (true, _) => "the run is finished".to_owned(),
        (_, []) => "there is no legal move".to_owned(),
        (_, legal) => {
            format!("legal: {}", legal.iter().map(Step::to_string).collect::<Vec<_>>().join(", "))
        }
    }
)]
pub struct MoveError {
    /// The illegal step.
    pub step: Step,
    /// Position of the party; `None` below row 0.
    pub from: Option<Step>,
    /// True if the run is finished.
    pub finished: bool,
    /// The legal moves.
    pub legal: Vec<Step>,
}

/// Saved progress that does not belong to the map.
pub type ResumeError = wayforge_core::ResumeError<MoveError>;

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Node { row, col } => write!(f, "Node {col},{row}"),
            Step::Boss => f.write_str("Boss"),
        }
    }
}
