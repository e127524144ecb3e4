//! Runs: playing a tower or a single floor step by step.

use super::{ALGORITHM, FLOOR_ALGORITHM, SingleFloor, Tower};
use crate::stamp::find_shortest_path;
use crate::{ALGORITHM as MODULE_ALGORITHM, Floor, TileKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::sync::Arc;
use wayforge_core::document;
use wayforge_core::grid::{Dir, Pos};
use wayforge_core::{DecodeError, Digest, Document, MapFamily, Seed};

/// Format version of saved runs.
const FORMAT: &str = "wayforge-tower-run/1";
/// Maximum number of steps of a run.
const MAX_STEPS: usize = 1_000_000;

/// The floors of a run, and the document they come from. A single floor is a stack of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorStack {
    /// Algorithm that generated the floors.
    pub algorithm: &'static str,
    /// Seed of the document.
    pub seed: Seed,
    /// Floors from the bottom up.
    pub floors: Vec<Floor>,
    digest: Digest,
}

/// A run through a tower or a single floor. Cheap to clone.
///
/// Every step moves to a walkable neighbouring tile. Stepping on an exit moves up to the entrance
/// of the next floor, which is the same cell. The last exit finishes the run.
///
/// # Examples
/// ```
/// use wayforge_floor::tower::{self, TowerRun};
/// let tower = tower::generate(42.into(), &tower::Config::default().resolve()?)?;
/// let mut run = TowerRun::start(tower);
/// while let Some(dir) = run.next_step() {
///     run.step(dir)?;
/// }
/// assert!(run.is_finished());
/// assert_eq!(run.floor_number(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TowerRun {
    stack: Arc<FloorStack>,
    /// Floor and cell after each step, starting with the first entrance.
    trail: Vec<(u32, Pos)>,
    steps: Vec<Dir>,
}

/// A saved run: the digest of the map, and the steps as letters `n`, `e`, `s`, `w`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SavedRun {
    /// Format version.
    #[cfg_attr(feature = "schema", schemars(extend("const" = FORMAT)))]
    format: String,
    /// Digest of the document of the tower or floor.
    map: Digest,
    /// The steps.
    #[serde(serialize_with = "write_steps", deserialize_with = "read_steps")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "String", regex(pattern = r"^[nesw]*$"), length(max = MAX_STEPS))
    )]
    steps: Vec<Dir>,
}

/// An illegal step, with the legal ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "step = {}: {problem}; {}",
    dir_name(*.step),
    match .legal.as_slice() {
        [] => "undo some steps".to_owned(),
        legal => {
            let names: Vec<&str> = legal.iter().map(|&dir| dir_name(dir)).collect();
            format!("go {}", names.join(", "))
        }
    }
)]
pub struct MoveError {
    /// The illegal step.
    pub step: Dir,
    /// Why the step is illegal.
    pub problem: String,
    /// The legal steps.
    pub legal: Vec<Dir>,
}

/// A saved run that does not belong to the tower or floor.
pub type ResumeError = wayforge_core::ResumeError<MoveError>;

impl TowerRun {
    /// Starts at the first entrance of a [`Tower`], a [`SingleFloor`] or a [`Floor`].
    pub fn start(stack: impl Into<FloorStack>) -> TowerRun {
        TowerRun::enter(Arc::new(stack.into()))
    }

    /// Resumes a saved run.
    ///
    /// # Errors
    /// The save belongs to another map or contains an illegal step.
    pub fn resume(stack: impl Into<FloorStack>, saved: &SavedRun) -> Result<TowerRun, ResumeError> {
        TowerRun::start(stack).resumed(saved)
    }

    /// Returns a saved run on the same floors. Ignores the steps of this run.
    ///
    /// # Errors
    /// The save belongs to another map or contains an illegal step.
    pub fn resumed(&self, saved: &SavedRun) -> Result<TowerRun, ResumeError> {
        let mut run = self.restarted();
        let map = run.digest();
        if saved.map != map {
            return Err(ResumeError::OtherMap { save: saved.map, map });
        }
        for (index, &dir) in saved.steps.iter().enumerate() {
            let place = || format!("steps[{index}]");
            run.step(dir).map_err(|error| ResumeError::Illegal { place: place(), error })?;
        }
        Ok(run)
    }

    /// Returns a new run on the same floors.
    pub fn restarted(&self) -> TowerRun {
        TowerRun::enter(Arc::clone(&self.stack))
    }

    fn enter(stack: Arc<FloorStack>) -> TowerRun {
        let first = stack.floors.first().map_or(Pos::default(), |floor| floor.entrance);
        TowerRun { stack, trail: vec![(0, first)], steps: Vec::new() }
    }

    /// Returns the digest of the document that the floors come from.
    pub fn digest(&self) -> Digest {
        self.stack.digest
    }

    /// Returns the floors, with the algorithm and seed of their document.
    pub fn stack(&self) -> &FloorStack {
        &self.stack
    }

    /// Returns the current floor.
    pub fn floor(&self) -> Option<&Floor> {
        self.stack.floors.get(self.location().0 as usize)
    }

    /// Returns the number of the current floor, from 1.
    pub fn floor_number(&self) -> u32 {
        self.location().0 + 1
    }

    /// Returns the position on the current floor.
    pub fn pos(&self) -> Pos {
        self.location().1
    }

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether the run has no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns whether the last exit is reached.
    pub fn is_finished(&self) -> bool {
        let is_last_floor = self.location().0 as usize + 1 >= self.stack.floors.len();
        is_last_floor && self.floor().is_none_or(|floor| floor.exit == self.pos())
    }

    /// Returns the visited cells of the current floor.
    pub fn visited(&self) -> impl Iterator<Item = Pos> {
        let current = self.location().0;
        self.trail.iter().filter(move |(floor, _)| *floor == current).map(|&(_, pos)| pos)
    }

    /// Returns the legal steps: direction, cell and tile.
    pub fn moves(&self) -> Vec<(Dir, Pos, TileKind)> {
        let (Some(floor), false) = (self.floor(), self.is_finished()) else { return Vec::new() };
        let next = |dir: Dir| {
            let pos = self.pos().step(dir, floor.size())?;
            floor.tile(pos).is_walkable().then(|| (dir, pos, floor.tile(pos)))
        };
        Dir::STRAIGHT.into_iter().filter_map(next).collect()
    }

    /// Makes one step.
    ///
    /// # Errors
    /// There is no walkable tile in this direction, the run is finished, or it has reached the
    /// maximum number of steps.
    pub fn step(&mut self, dir: Dir) -> Result<(), MoveError> {
        let illegal =
            |problem: &str, legal| MoveError { step: dir, problem: problem.into(), legal };
        if self.is_finished() {
            return Err(illegal("the run is finished", Vec::new()));
        }
        if self.steps.len() >= MAX_STEPS {
            let problem = format!("the limit of {MAX_STEPS} steps is reached");
            return Err(illegal(&problem, Vec::new()));
        }
        let moves = self.moves();
        let Some(&(_, pos, _)) = moves.iter().find(|&&(legal, _, _)| legal == dir) else {
            let legal = moves.iter().map(|&(dir, _, _)| dir).collect();
            return Err(illegal("no walkable tile", legal));
        };
        let floor = self.location().0;
        let is_exit = self.floor().is_some_and(|floor| floor.exit == pos);
        let above = self.stack.floors.get(floor as usize + 1).filter(|_| is_exit);
        self.trail.push(above.map_or((floor, pos), |above| (floor + 1, above.entrance)));
        self.steps.push(dir);
        Ok(())
    }

    /// Undoes the last step. Returns false if there is none.
    pub fn undo(&mut self) -> bool {
        let undone = self.steps.pop().is_some();
        self.trail.truncate(self.steps.len() + 1);
        undone
    }

    /// Returns the next step towards the exit; `None` if the run is finished.
    ///
    /// Follows the floor's path, or a shortest path to the exit if the position is off the path.
    pub fn next_step(&self) -> Option<Dir> {
        if self.is_finished() {
            return None;
        }
        let floor = self.floor()?;
        if let Some(index) = floor.path.iter().position(|&pos| pos == self.pos()) {
            return Dir::between(self.pos(), *floor.path.get(index + 1)?);
        }
        // Off the path: a shortest path to the exit.
        let size = floor.size();
        let open = |pos: Pos| floor.tile(pos).is_walkable();
        let path = size
            .contains(floor.exit)
            .then(|| find_shortest_path(size, [self.pos(), floor.exit], &open, &|_| false))?;
        Dir::between(self.pos(), *path.get(1)?)
    }

    /// Returns the save of this run.
    pub fn saved(&self) -> SavedRun {
        SavedRun { format: FORMAT.to_owned(), map: self.stack.digest, steps: self.steps.clone() }
    }

    fn location(&self) -> (u32, Pos) {
        self.trail.last().copied().unwrap_or_default()
    }
}

impl SavedRun {
    /// Returns one line of JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Decodes a save strictly.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first fault.
    pub fn decode(bytes: &[u8]) -> Result<SavedRun, DecodeError> {
        let saved: SavedRun = document::parse_object(bytes)?;
        if saved.format != FORMAT {
            return Err(DecodeError::unknown("format", &saved.format, FORMAT));
        }
        if saved.steps.len() > MAX_STEPS {
            let message = format!("{} steps; use at most {MAX_STEPS}", saved.steps.len());
            return Err(DecodeError::malformed("steps", message));
        }
        Ok(saved)
    }

    /// Returns the digest of the map.
    pub fn map(&self) -> Digest {
        self.map
    }
}

impl FloorStack {
    /// Decodes the document of a floor, a tower or one floor of a tower strictly.
    ///
    /// # Errors
    /// As for [`MapFamily::decode_document`].
    pub fn decode_document(document: &Document) -> Result<FloorStack, DecodeError> {
        Ok(match document.algorithm.as_str() {
            MODULE_ALGORITHM => Floor::decode_document(document)?.into(),
            FLOOR_ALGORITHM => SingleFloor::decode_document(document)?.into(),
            _ => Tower::decode_document(document)?.into(),
        })
    }
}

impl From<Tower> for FloorStack {
    fn from(tower: Tower) -> FloorStack {
        let digest = tower.to_document().digest;
        FloorStack { algorithm: ALGORITHM, seed: tower.seed, floors: tower.floors, digest }
    }
}

impl From<SingleFloor> for FloorStack {
    fn from(single: SingleFloor) -> FloorStack {
        let digest = single.to_document().digest;
        FloorStack {
            algorithm: FLOOR_ALGORITHM,
            seed: single.seed,
            floors: vec![single.floor],
            digest,
        }
    }
}

impl From<Floor> for FloorStack {
    fn from(floor: Floor) -> FloorStack {
        let digest = floor.to_document().digest;
        FloorStack {
            algorithm: MODULE_ALGORITHM,
            seed: floor.seed.clone(),
            floors: vec![floor],
            digest,
        }
    }
}

/// Returns the JSON Schema of a saved run.
#[cfg(feature = "schema")]
pub fn run_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge tower run", transparent)]
    #[allow(dead_code)] // Only its schema is read.
    struct SavedTowerRun(SavedRun);
    schemars::schema_for!(SavedTowerRun)
}

fn write_steps<S: Serializer>(steps: &[Dir], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&steps.iter().map(|&dir| dir_letter(dir)).collect::<String>())
}

fn read_steps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Dir>, D::Error> {
    let letters = String::deserialize(deserializer)?;
    let parse = |letter: char| {
        let dir = Dir::STRAIGHT.into_iter().find(|&dir| dir_letter(dir) == letter);
        let unexpected = de::Unexpected::Char(letter);
        dir.ok_or_else(|| de::Error::invalid_value(unexpected, &"n, e, s or w"))
    };
    letters.chars().map(parse).collect()
}

fn dir_letter(dir: Dir) -> char {
    dir_name(dir).chars().next().unwrap_or(' ')
}

fn dir_name(dir: Dir) -> &'static str {
    match dir {
        Dir::North => "north",
        Dir::East => "east",
        Dir::South => "south",
        Dir::West => "west",
        _ => "diagonal",
    }
}
