//! Playing a map of any family that can be played: act maps by [`Play`], floors and towers by [`Climb`].

use crate::act::{ActMap, Fog, MoveError, Play, Progress, ResumeError, Step};
use crate::floor::Floor;
use crate::grid::Dir;
use crate::tower::{self, Climb, SingleFloor, Steps, Tower};
use crate::{DecodeError, Digest, Document, Family, InputError};
use std::fmt;
use std::str::FromStr;

/// A map being played. A value: a move gives a new one and leaves the old one alone. Cheap to clone.
///
/// ```
/// use wayforge::{Family, Run, Seed};
/// for family in [Family::Act, Family::Floor, Family::Tower] {
///     let mut run = Run::start(&family.generate(b"{}", Seed::new(42))?.to_document())?;
///     let first = run.moves()[0];
///     run = run.advance(first)?;
///     assert_eq!(run.resumed(run.progress().as_bytes())?, run);
///     assert_eq!(run.undo().map(|run| run.undo()), Some(None));
/// }
/// let level = Family::Level.generate(b"{}", Seed::new(42))?.to_document();
/// assert_eq!(Run::start(&level).unwrap_err().to_string(), "a level has no progress; play an act map, a floor or a tower");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// An act map.
    Act(Play),
    /// A floor or a tower.
    Climb(Climb),
}

/// A move in a run, written `3,5` (column and row of an act map's node), `boss`, `north`, `east`, `south` or `west`.
///
/// ```
/// use wayforge::run::Move;
/// for text in ["3,5", "boss", "north"] {
///     assert_eq!(text.parse::<Move>()?.to_string(), text);
/// }
/// assert!("3;5".parse::<Move>().unwrap_err().to_string().contains("write COLUMN,ROW"));
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    /// On an act map.
    Act(Step),
    /// On a floor.
    Climb(Dir),
}

/// Why a run cannot begin, go on or be taken up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Maps of this family are not played.
    #[error("a {family} has no progress; play an act map, a floor or a tower")]
    NoProgress {
        /// The family.
        family: Family,
    },
    /// The document or the save is not one.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The save does not belong to the map.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The move is not legal on an act map.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The step is not legal in a climb, or the save does not belong to it.
    #[error(transparent)]
    Climb(InputError),
    /// The move is one of another family.
    #[error("{step} is no move on this map; legal: {legal}")]
    OtherFamily {
        /// The move.
        step: Move,
        /// What would be legal.
        legal: String,
    },
}

impl Run {
    /// A new run on the map of a document, all of it seen.
    pub fn start(document: &Document) -> Result<Run, RunError> {
        Run::start_in(document, Fog::None)
    }

    /// A new run that sees as much of an act map as `fog` says; floors and towers have no fog.
    pub fn start_in(document: &Document, fog: Fog) -> Result<Run, RunError> {
        match Family::from_document(document)? {
            Family::Act => Ok(Run::Act(Play::start(ActMap::from_document(document)?, fog))),
            Family::Floor => Ok(Run::Climb(Climb::start(Floor::from_document(document)?))),
            Family::Tower if document.algorithm == tower::FLOOR_ALGORITHM => {
                Ok(Run::Climb(Climb::start(SingleFloor::from_document(document)?)))
            }
            Family::Tower => Ok(Run::Climb(Climb::start(Tower::from_document(document)?))),
            family @ Family::Level => Err(RunError::NoProgress { family }),
        }
    }

    /// The run of a save on the same map, wherever this one stands.
    pub fn resumed(&self, save: &[u8]) -> Result<Run, RunError> {
        match self {
            Run::Act(play) => Ok(Run::Act(play.resumed(Progress::decode(save)?)?)),
            Run::Climb(climb) => {
                Ok(Run::Climb(climb.resumed(&Steps::decode(save)?).map_err(RunError::Climb)?))
            }
        }
    }

    /// The run at its beginning, with the same fog.
    pub fn restarted(&self) -> Run {
        match self {
            Run::Act(play) => Run::Act(play.restarted()),
            Run::Climb(climb) => Run::Climb(climb.restarted()),
        }
    }

    /// The save: one line of JSON that names its map by digest.
    pub fn progress(&self) -> String {
        match self {
            Run::Act(play) => play.progress().to_text(),
            Run::Climb(climb) => climb.saved().to_text(),
        }
    }

    /// The digest of the map.
    pub fn digest(&self) -> Digest {
        match self {
            Run::Act(play) => play.progress().map(),
            Run::Climb(climb) => climb.digest(),
        }
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<Move> {
        match self {
            Run::Act(play) => play.legal_moves().into_iter().map(Move::Act).collect(),
            Run::Climb(climb) => climb.moves().into_iter().map(|(dir, _, _)| Move::Climb(dir)).collect(),
        }
    }

    /// Takes a step; an illegal one is refused with the legal ones.
    pub fn advance(&self, step: Move) -> Result<Run, RunError> {
        match (self, step) {
            (Run::Act(play), Move::Act(step)) => Ok(Run::Act(play.advance(step)?)),
            (Run::Climb(climb), Move::Climb(dir)) => {
                let mut next = climb.clone();
                next.step(dir).map_err(RunError::Climb)?;
                Ok(Run::Climb(next))
            }
            _ => {
                let legal: Vec<String> = self.moves().iter().map(Move::to_string).collect();
                Err(RunError::OtherFamily { step, legal: legal.join(", ") })
            }
        }
    }

    /// Takes the last step back: the run as it was before it, or `None` at the start.
    pub fn undo(&self) -> Option<Run> {
        match self {
            Run::Act(play) => play.undo().map(Run::Act),
            Run::Climb(climb) => {
                let mut former = climb.clone();
                former.undo().then_some(Run::Climb(former))
            }
        }
    }

    /// True when the goal is reached.
    pub fn is_finished(&self) -> bool {
        match self {
            Run::Act(play) => play.is_finished(),
            Run::Climb(climb) => climb.is_finished(),
        }
    }
}

/// The moves that are written as a word.
const WORDS: [(&str, Move); 5] = [
    ("boss", Move::Act(Step::Boss)),
    ("north", Move::Climb(Dir::North)),
    ("east", Move::Climb(Dir::East)),
    ("south", Move::Climb(Dir::South)),
    ("west", Move::Climb(Dir::West)),
];

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Act(Step::Node { row, col }) => write!(f, "{col},{row}"),
            word => {
                f.write_str(WORDS.iter().find(|(_, step)| step == word).map_or("nowhere", |(text, _)| text))
            }
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
            // `+3,05` is a number to the parser; nobody writes it.
            Some(Move::Act(step)).filter(|step| step.to_string() == text)
        };
        word.or_else(node).ok_or_else(|| {
            let remedy = "write COLUMN,ROW as in 3,5, or boss, north, east, south or west";
            InputError::new("move", text, "no such move", remedy)
        })
    }
}
