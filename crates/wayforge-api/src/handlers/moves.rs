//! Moves that are refused.

use crate::handlers::problem::{Kind, Problem};
use wayforge::InputError;
use wayforge::run::{Move, RunError};

/// Moves as text: `COLUMN,ROW` on an act map, or `boss`; a direction on a floor or a tower.
pub const MOVE_PATTERN: &str = "^((0|[1-9][0-9]{0,3}),(0|[1-9][0-9]{0,3})|boss|north|east|south|west)$";

/// Text that is no move at all.
pub fn no_move(error: InputError) -> Problem {
    Problem::of_input(Kind::Body, error).field("move")
}

/// A move that is refused, with those that are legal.
pub fn illegal(error: &RunError, detail: String) -> Problem {
    let illegal = |step: &dyn ToString, legal: Vec<String>| {
        let problem = Problem::new(Kind::IllegalMove, &*detail).field("move").value(step.to_string());
        problem.allowed(legal.join(", ")).with("legal", legal)
    };
    match error {
        RunError::Move(error) => {
            let legal = error.legal.iter().map(|&step| Move::Act(step).to_string());
            illegal(&Move::Act(error.step), legal.collect())
        }
        RunError::Climb(error) => {
            Problem::new(Kind::IllegalMove, detail).field("move").value(&error.value).allowed(&error.remedy)
        }
        RunError::OtherFamily { step, legal } => {
            illegal(step, legal.split(", ").map(str::to_owned).collect())
        }
        RunError::NoProgress { .. } => Problem::new(Kind::Conflict, detail),
        _ => Problem::new(Kind::Damaged, detail),
    }
}
