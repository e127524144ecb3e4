//! Runs: playing act maps ([`Play`]), floors and towers ([`TowerRun`]) move by move.

use crate::act::{self, ActMap, Fog, Play, Progress, Step};
use crate::grid::Dir;
use crate::tower::{self, FloorStack, SavedRun, TowerRun};
use crate::{DecodeError, Digest, Document, Family, InputError, MapFamily};
use std::fmt;
use std::str::FromStr;

/// The state of a game on a map. Immutable: each move returns a new run. Cheap to clone.
/// Exhaustive: drawings must handle every kind of run.
///
/// # Examples
/// ```
/// use wayforge::{Family, Run, Seed};
/// for family in Family::ALL.into_iter().filter(|family| family.is_playable()) {
///     let mut run = Run::start(&family.generate(b"{}", Seed::new(42))?.to_document())?;
///     let first = run.moves()[0];
///     run = run.advance(first)?;
///     assert_eq!(run.resumed(run.progress().as_bytes())?, run);
///     assert_eq!(run.undo().map(|run| run.undo()), Some(None));
/// }
/// let level = Family::Level.generate(b"{}", Seed::new(42))?.to_document();
/// let error = Run::start(&level).unwrap_err().to_string();
/// assert_eq!(error, "a level cannot be played; use an act map, a floor or a tower");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// A run on an act map.
    Act(Play),
    /// A run on a floor or a tower.
    Tower(TowerRun),
}

/// A move in a run, written `3,5` (column and row of an act map's node), `boss`, `north`, `east`,
/// `south` or `west`.
///
/// # Examples
/// ```
/// use wayforge::run::Move;
/// for text in ["3,5", "boss", "north"] {
///     assert_eq!(text.parse::<Move>()?.to_string(), text);
/// }
/// let error = "3;5".parse::<Move>().unwrap_err().to_string();
/// assert!(error.contains("write COLUMN,ROW"));
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    /// A move on an act map.
    Act(Step),
    /// A step on a floor of a tower, or on a single floor.
    Tower(Dir),
}

/// Error of starting, advancing or resuming a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Maps of this family cannot be played.
    #[error("{} cannot be played; use {}", .family.with_article(), Family::playable())]
    NotPlayable {
        /// The family.
        family: Family,
    },
    /// The document or the save cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The save does not belong to the act map.
    #[error(transparent)]
    Resume(#[from] act::ResumeError),
    /// The save does not belong to the floor or tower.
    #[error(transparent)]
    ResumeTower(#[from] tower::ResumeError),
    /// The move is illegal.
    #[error("{problem}")]
    Move {
        /// The move.
        step: Move,
        /// The legal moves.
        legal: Vec<Move>,
        /// Why the move is illegal, with the legal moves.
        problem: String,
    },
}

impl Family {
    /// Returns true if [`Run::start`] accepts maps of this family.
    pub const fn is_playable(self) -> bool {
        match self {
            Family::Act | Family::Floor | Family::Tower => true,
            Family::Level => false,
        }
    }

    /// Lists the playable families in a sentence: `an act map, a floor or a tower`.
    pub fn playable() -> String {
        Family::list(Family::ALL.into_iter().filter(|family| family.is_playable()))
    }
}

impl Run {
    /// Starts a run on the map of a document, without fog.
    ///
    /// # Errors
    /// [`RunError`] if the document cannot be decoded or its family cannot be played.
    pub fn start(document: &Document) -> Result<Run, RunError> {
        Run::start_with_fog(document, Fog::None)
    }

    /// Starts a run with `fog` on an act map. Floors and towers ignore it.
    ///
    /// # Errors
    /// [`RunError`] if the document cannot be decoded or its family cannot be played.
    pub fn start_with_fog(document: &Document, fog: Fog) -> Result<Run, RunError> {
        match Family::from_document(document)? {
            Family::Act => Ok(Run::Act(Play::start(ActMap::decode_document(document)?, fog))),
            Family::Floor | Family::Tower => {
                Ok(Run::Tower(TowerRun::start(FloorStack::decode_document(document)?)))
            }
            family @ Family::Level => Err(RunError::NotPlayable { family }),
        }
    }

    /// Returns the run that a save describes, on the same map. Ignores the moves of this run.
    ///
    /// # Errors
    /// [`RunError`] if the save cannot be decoded or does not belong to this map.
    pub fn resumed(&self, save: &[u8]) -> Result<Run, RunError> {
        match self {
            Run::Act(play) => Ok(Run::Act(play.resumed(Progress::decode(save)?)?)),
            Run::Tower(run) => Ok(Run::Tower(run.resumed(&SavedRun::decode(save)?)?)),
        }
    }

    /// Returns a run at the start of the same map, with the same fog.
    pub fn restarted(&self) -> Run {
        match self {
            Run::Act(play) => Run::Act(play.restarted()),
            Run::Tower(run) => Run::Tower(run.restarted()),
        }
    }

    /// Returns the save: one line of JSON that identifies the map by digest.
    pub fn progress(&self) -> String {
        match self {
            Run::Act(play) => play.progress().to_text(),
            Run::Tower(run) => run.saved().to_text(),
        }
    }

    /// Returns the digest of the map.
    pub fn digest(&self) -> Digest {
        match self {
            Run::Act(play) => play.progress().map(),
            Run::Tower(run) => run.digest(),
        }
    }

    /// Returns the legal moves.
    pub fn moves(&self) -> Vec<Move> {
        match self {
            Run::Act(play) => play.legal_moves().into_iter().map(Move::Act).collect(),
            Run::Tower(run) => {
                run.moves().into_iter().map(|(dir, _, _)| Move::Tower(dir)).collect()
            }
        }
    }

    /// Makes a move and returns the new run.
    ///
    /// # Errors
    /// [`RunError`] with the legal moves if `step` is illegal.
    pub fn advance(&self, step: Move) -> Result<Run, RunError> {
        let mut next = self.clone();
        next.step(step)?;
        Ok(next)
    }

    /// Makes a move in place. An illegal move changes nothing.
    ///
    /// # Errors
    /// [`RunError`] with the legal moves if `step` is illegal.
    pub fn step(&mut self, step: Move) -> Result<(), RunError> {
        let problem = match (&mut *self, step) {
            (Run::Act(play), Move::Act(step)) => match play.advance(step) {
                Ok(next) => {
                    *play = next;
                    return Ok(());
                }
                Err(error) => error.to_string(),
            },
            (Run::Tower(run), Move::Tower(dir)) => match run.step(dir) {
                Ok(()) => return Ok(()),
                Err(error) => error.to_string(),
            },
            _ => {
                let legal: Vec<String> = self.moves().iter().map(Move::to_string).collect();
                format!("{step} is not a move on this map; legal moves: {}", legal.join(", "))
            }
        };
        Err(RunError::Move { step, legal: self.moves(), problem })
    }

    /// Returns the run before the last move; `None` at the start.
    pub fn undo(&self) -> Option<Run> {
        match self {
            Run::Act(play) => play.undo().map(Run::Act),
            Run::Tower(run) => {
                let mut previous = run.clone();
                previous.undo().then_some(Run::Tower(previous))
            }
        }
    }

    /// Returns true if the goal is reached.
    pub fn is_finished(&self) -> bool {
        match self {
            Run::Act(play) => play.is_finished(),
            Run::Tower(run) => run.is_finished(),
        }
    }
}

/// Moves that are written as one word.
const WORDS: [(&str, Move); 5] = [
    ("boss", Move::Act(Step::Boss)),
    ("north", Move::Tower(Dir::North)),
    ("east", Move::Tower(Dir::East)),
    ("south", Move::Tower(Dir::South)),
    ("west", Move::Tower(Dir::West)),
];

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Act(Step::Node { row, col }) => write!(f, "{col},{row}"),
            word => f.write_str(
                WORDS.iter().find(|(_, step)| step == word).map_or("nowhere", |(text, _)| text),
            ),
        }
    }
}

impl FromStr for Move {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Move, InputError> {
        let word = WORDS.iter().find(|(word, _)| *word == text).map(|(_, step)| *step);
        let node = || {
            let (col, row) = text.split_once(',')?;
            let step = Step::Node { row: row.parse().ok()?, col: col.parse().ok()? };
            // The integer parser accepts `+3` and `05`; moves have one spelling only.
            Some(Move::Act(step)).filter(|step| step.to_string() == text)
        };
        word.or_else(node).ok_or_else(|| {
            let remedy = "write COLUMN,ROW as in 3,5, or boss, north, east, south or west";
            InputError::new("move", text, "no such move", remedy)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn runs_start_on_exactly_the_playable_families() {
        for family in Family::ALL {
            let map = family.generate(b"{}", Seed::new(42)).unwrap().to_document();
            assert_eq!(Run::start(&map).is_ok(), family.is_playable(), "{family}");
        }
    }
}
