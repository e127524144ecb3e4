//! Playing maps.

use crate::errors::PyWayforgeError;
use crate::values::Text;
use pyo3::prelude::*;
use wayforge::Run;
use wayforge::run::Move;

/// Immutable state of a run on a map: every move returns a new `Play`.
#[pyclass(frozen, eq, module = "wayforge")]
#[derive(Clone, PartialEq)]
pub(crate) struct Play(pub(crate) Run);

#[pymethods]
impl Play {
    /// Legal moves: `col,row` or `boss` on an act map; north, east, south, west on floors.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(Move::to_string).collect()
    }

    /// True if the goal is reached.
    #[getter]
    fn finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Save of the run: one line of JSON that identifies the map by its digest.
    #[getter]
    fn progress(&self) -> String {
        self.0.progress()
    }

    /// Digest of the map.
    #[getter]
    fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// Return the run after a move.
    ///
    /// Raises `MoveError`, which lists the legal moves, if the move is illegal.
    fn advance(&self, step: &str) -> Result<Play, PyWayforgeError> {
        Ok(Play(self.0.advance(step.parse::<Move>()?)?))
    }

    /// Return the run before the last move, or None at the start.
    fn undo(&self) -> Option<Play> {
        self.0.undo().map(Play)
    }

    /// Return the run before the first move.
    fn restart(&self) -> Play {
        Play(self.0.restarted())
    }

    /// Return the run of a save on the same map.
    fn resume(&self, progress: Text) -> Result<Play, PyWayforgeError> {
        Ok(Play(self.0.resumed(&progress.0)?))
    }

    fn __repr__(&self) -> String {
        let state = if self.finished() {
            "finished".to_owned()
        } else {
            format!("moves {}", self.moves().join(" "))
        };
        format!("<wayforge.Play of {}, {state}>", self.0.digest())
    }
}
