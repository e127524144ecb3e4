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
    Problem::from_input(ProblemKind::InvalidBody, error).field("move")
}

/// Creates the problem for a move that the run rejects; it lists the legal moves if known.
pub fn illegal_move(error: &RunError, detail: String) -> Problem {
    let with_legal_moves = |step: &dyn ToString, legal: Vec<String>| {
        let problem =
            Problem::new(ProblemKind::IllegalMove, &*detail).field("move").value(step.to_string());
        problem.allowed(legal.join(", ")).extension("legal", legal)
    };
    match error {
        RunError::Move(error) => {
            let legal = error.legal.iter().map(|&step| Move::Act(step).to_string());
            with_legal_moves(&Move::Act(error.step), legal.collect())
        }
        RunError::Tower(error) => Problem::new(ProblemKind::IllegalMove, detail)
            .field("move")
            .value(&error.value)
            .allowed(&error.remedy),
        RunError::OtherFamily { step, legal } => {
            with_legal_moves(step, legal.split(", ").map(str::to_owned).collect())
        }
        RunError::NotPlayable { .. } => Problem::new(ProblemKind::Conflict, detail),
        _ => Problem::new(ProblemKind::CorruptMap, detail),
    }
}
