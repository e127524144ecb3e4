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

/// Creates the problem for a move that the run rejects; it lists the legal moves if known.
pub fn illegal_move(error: RunError) -> Problem {
    let legal: Vec<String> = match &error {
        RunError::Move(error) => {
            error.legal.iter().map(|&step| Move::Act(step).to_string()).collect()
        }
        RunError::OtherFamily { legal, .. } => legal.split(", ").map(str::to_owned).collect(),
        RunError::Tower(_) => Vec::new(),
        RunError::NotPlayable { .. } => {
            return Problem::new(ProblemKind::Conflict, error.to_string());
        }
        _ => return Problem::new(ProblemKind::CorruptMap, error.to_string()),
    };
    let problem = Problem::from_error(ProblemKind::IllegalMove, error).field("move");
    if legal.is_empty() { problem } else { problem.extension("legal", legal) }
}
