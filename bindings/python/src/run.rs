//! Maps being played.

use crate::errors::Fault;
use crate::values::Text;
use pyo3::prelude::*;
use wayforge::Run;
use wayforge::run::Move;

/// A map being played. A value: a move gives a new one and leaves the old one alone.
#[pyclass(frozen, eq, module = "wayforge")]
#[derive(Clone, PartialEq)]
pub(crate) struct Play(pub(crate) Run);

#[pymethods]
impl Play {
    /// The legal moves: `col,row` or `boss` on an act map; north, east, south, west on floors.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(Move::to_string).collect()
    }

    /// Whether the goal is reached.
    #[getter]
    fn finished(&self) -> bool {
        self.0.is_finished()
    }

    /// The save: one line of JSON that names its map by digest.
    #[getter]
    fn progress(&self) -> String {
        self.0.progress()
    }

    /// The digest of the map.
    #[getter]
    fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// The run after a move; an illegal one is refused with the legal ones.
    fn advance(&self, step: &str) -> Result<Play, Fault> {
        Ok(Play(self.0.advance(step.parse::<Move>()?)?))
    }

    /// The run before the last move, or None at the start.
    fn undo(&self) -> Option<Play> {
        self.0.undo().map(Play)
    }

    /// The run at its beginning.
    fn restart(&self) -> Play {
        Play(self.0.restarted())
    }

    /// The run of a save on the same map.
    fn resume(&self, progress: Text) -> Result<Play, Fault> {
        Ok(Play(self.0.resumed(&progress.0)?))
    }

    fn __repr__(&self) -> String {
        let state =
            if self.finished() { "finished".to_owned() } else { format!("moves {}", self.moves().join(" ")) };
        format!("<wayforge.Play of {}, {state}>", self.0.digest())
    }
}
