//! Moves that are refused.

use crate::handlers::problem::{Kind, Problem};
use serde_json::json;
use wayforge::InputError;
use wayforge::run::{Move, RunError};

/// Moves as text: `COLUMN,ROW` on an act map, or `boss`; a direction on a floor or a tower.
pub const MOVE_PATTERN: &str = "^((0|[1-9][0-9]{0,3}),(0|[1-9][0-9]{0,3})|boss|north|east|south|west)$";

/// Text that is no move at all.
pub fn no_move(error: InputError) -> Problem {
    Problem::new(Kind::Body, error.to_string()).field("move").value(error.value).allowed(error.remedy)
}

/// A move that is refused, with those that are legal.
pub fn illegal(error: &RunError, detail: String) -> Problem {
    match error {
        RunError::Move(error) => {
            let legal: Vec<String> = error.legal.iter().map(|&step| Move::Act(step).to_string()).collect();
            Problem::new(Kind::IllegalMove, detail)
                .field("move")
                .value(Move::Act(error.step).to_string())
                .allowed(legal.join(", "))
                .with("legal", json!(legal))
        }
        RunError::Climb(error) => {
            Problem::new(Kind::IllegalMove, detail).field("move").value(&error.value).allowed(&error.remedy)
        }
        RunError::OtherFamily { step, legal } => Problem::new(Kind::IllegalMove, detail)
            .field("move")
            .value(step.to_string())
            .allowed(legal)
            .with("legal", json!(legal.split(", ").collect::<Vec<_>>())),
        RunError::NoProgress { .. } => Problem::new(Kind::Conflict, detail),
        _ => Problem::new(Kind::Damaged, detail),
    }
}
