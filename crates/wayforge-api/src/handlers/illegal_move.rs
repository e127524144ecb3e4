//! Problem documents for moves that cannot be parsed or are not legal.

use crate::handlers::problem::{Problem, ProblemKind};
use wayforge::InputError;
use wayforge::run::{Move, RunError};

/// Regular expression of a move: `COLUMN,ROW` or `boss` on an act map, a direction on a floor or
/// a tower.
pub const MOVE_PATTERN: &str =
    "^((0|[1-9][0-9]{0,3}),(0|[1-9][0-9]{0,3})|boss|north|east|south|west)$";

/// Creates the problem for text that cannot be parsed as a move.
pub fn unparsable_move(error: InputError) -> Problem {
    Problem::from_error(ProblemKind::InvalidBody, error).field("move")
}

/// Creates the problem for a run that cannot be started, or for a move that it rejects.
pub fn illegal_move(error: RunError) -> Problem {
    match &error {
        RunError::Move { legal, .. } => {
            let legal: Vec<String> = legal.iter().map(Move::to_string).collect();
            Problem::from_error(ProblemKind::IllegalMove, error).extension("legal", legal)
        }
        RunError::NotPlayable { .. } => Problem::new(ProblemKind::Conflict, error.to_string()),
        _ => Problem::new(ProblemKind::CorruptMap, error.to_string()),
    }
}
