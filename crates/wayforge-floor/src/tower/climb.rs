//! Walking through a tower or a single floor: steps over tiles, up at every exit.

use super::{ALGORITHM, FLOOR_ALGORITHM, SingleFloor, Tower};
use crate::stamp::follow;
use crate::wire::shape;
use crate::{ALGORITHM as MODULE_ALGORITHM, Floor, TileKind};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use wayforge_core::document;
use wayforge_core::grid::{Dir, Pos};
use wayforge_core::{DecodeError, Digest, InputError, Seed};

/// The version of saved climbs.
const FORMAT: &str = "wayforge-climb/1";
/// The most steps that are kept.
const MAX_STEPS: usize = 1_000_000;

/// What is climbed: floors above each other, and the document that they come from. A single floor is a tower of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storeys {
    /// What made them.
    pub algorithm: &'static str,
    /// The seed of the document.
    pub seed: Seed,
    /// The floors from the lowest up.
    pub floors: Vec<Floor>,
    digest: Digest,
}

/// A tower, or a single floor, with someone in it. Cheap to clone.
///
/// Every step goes to a neighbouring tile that can be walked on; stepping on an exit leads up to the next floor, onto its entrance,
/// which is the same cell. The last exit ends the climb.
///
/// ```
/// use wayforge_floor::{self as floor, tower::{self, Climb}};
/// let mut climb = Climb::start(tower::generate(42.into(), &tower::Config::default().resolve()?)?);
/// while let Some(dir) = climb.way_on() {
///     climb.step(dir)?;
/// }
/// assert!(climb.is_finished());
/// assert_eq!(climb.floor_number(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Climb {
    storeys: Arc<Storeys>,
    /// Where each step led, after the first entrance: floor and cell, the present place last.
    trail: Vec<(u32, Pos)>,
    steps: Vec<Dir>,
}

/// A saved climb: the tower's digest, and the steps as letters `n`, `e`, `s`, `w`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The save's version.
    #[cfg_attr(feature = "schema", schemars(extend("const" = FORMAT)))]
    format: String,
    /// The digest of the canonical document of the tower or floor.
    map: Digest,
    /// The steps.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[nesw]*$"), length(max = MAX_STEPS)))]
    steps: String,
}

impl Climb {
    /// Someone at the first entrance of a [`Tower`], a [`SingleFloor`] or a [`Floor`].
    pub fn start(storeys: impl Into<Storeys>) -> Climb {
        Climb::enter(Arc::new(storeys.into()))
    }

    /// Walks the steps of a save; the first one that is no legal step is refused with its place.
    pub fn resume(storeys: impl Into<Storeys>, saved: &Steps) -> Result<Climb, InputError> {
        Climb::start(storeys).resumed(saved)
    }

    /// The climb of a save on the same floors, wherever this one stands.
    pub fn resumed(&self, saved: &Steps) -> Result<Climb, InputError> {
        let mut climb = self.restarted();
        let digest = climb.digest();
        if saved.map != digest {
            let problem = format!("the save is of another map; this one has {digest}");
            return Err(InputError::new("map", saved.map, problem, "give the map that was saved"));
        }
        for (at, letter) in saved.steps.chars().enumerate() {
            let dir = Dir::STRAIGHT.into_iter().find(|&dir| letter_of(dir) == letter);
            if dir.is_none_or(|dir| climb.step(dir).is_err()) {
                let (field, remedy) = (format!("steps[{at}]"), "use n, e, s or w where a tile is");
                return Err(InputError::new(field, letter, "no legal step", remedy));
            }
        }
        Ok(climb)
    }

    /// A new climb of the same floors.
    pub fn restarted(&self) -> Climb {
        Climb::enter(Arc::clone(&self.storeys))
    }

    fn enter(storeys: Arc<Storeys>) -> Climb {
        let first = storeys.floors.first().map_or(Pos::default(), |floor| floor.entrance);
        Climb { storeys, trail: vec![(0, first)], steps: Vec::new() }
    }

    /// The digest of the document that the floors come from.
    pub fn digest(&self) -> Digest {
        self.storeys.digest
    }

    /// The floors, and where they come from.
    pub fn storeys(&self) -> &Storeys {
        &self.storeys
    }

    /// The floor that the climber is on.
    pub fn floor(&self) -> Option<&Floor> {
        self.storeys.floors.get(self.here().0 as usize)
    }

    /// Its number, counted from 1.
    pub fn floor_number(&self) -> u32 {
        self.here().0 + 1
    }

    /// Where on the floor.
    pub fn pos(&self) -> Pos {
        self.here().1
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True before the first step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// True on the last exit.
    pub fn is_finished(&self) -> bool {
        let last = self.here().0 as usize + 1 >= self.storeys.floors.len();
        last && self.floor().is_none_or(|floor| floor.exit == self.pos())
    }

    /// The cells of this floor that the climber has been on.
    pub fn visited(&self) -> impl Iterator<Item = Pos> {
        let here = self.here().0;
        self.trail.iter().filter(move |(floor, _)| *floor == here).map(|&(_, pos)| pos)
    }

    /// Where a step can lead: direction, cell and tile.
    pub fn moves(&self) -> Vec<(Dir, Pos, TileKind)> {
        let (Some(floor), false) = (self.floor(), self.is_finished()) else { return Vec::new() };
        let next = |dir: Dir| {
            let pos = self.pos().step(dir, floor.size())?;
            floor.tile(pos).walkable().then(|| (dir, pos, floor.tile(pos)))
        };
        Dir::STRAIGHT.into_iter().filter_map(next).collect()
    }

    /// Takes one step.
    pub fn step(&mut self, dir: Dir) -> Result<(), InputError> {
        let moves = self.moves();
        let Some(&(_, pos, _)) = moves.iter().find(|&&(there, _, _)| there == dir) else {
            let open: Vec<&str> = moves.iter().map(|&(dir, _, _)| name_of(dir)).collect();
            let over = open.is_empty().then(|| "the climb is over".to_owned());
            let remedy = over.unwrap_or_else(|| format!("go {}", open.join(", ")));
            return Err(InputError::new("step", name_of(dir), "nothing to walk on", remedy));
        };
        if self.steps.len() >= MAX_STEPS {
            let problem = format!("{MAX_STEPS} steps were taken");
            return Err(InputError::new("step", name_of(dir), problem, "take some back"));
        }
        let here = self.here().0;
        let exit = self.floor().is_some_and(|floor| floor.exit == pos);
        let above = self.storeys.floors.get(here as usize + 1).filter(|_| exit);
        self.trail.push(above.map_or((here, pos), |above| (here + 1, above.entrance)));
        self.steps.push(dir);
        Ok(())
    }

    /// Takes the last step back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let undone = self.steps.pop().is_some();
        self.trail.truncate(self.steps.len() + 1);
        undone
    }

    /// The next step along the floor's own proof: its path, or the nearest way back to it. `None` at the end.
    pub fn way_on(&self) -> Option<Dir> {
        if self.is_finished() {
            return None;
        }
        let floor = self.floor()?;
        if let Some(at) = floor.path.iter().position(|&pos| pos == self.pos()) {
            return Dir::between(self.pos(), *floor.path.get(at + 1)?);
        }
        // Off the path: a shortest path to the exit.
        let size = floor.size();
        let open = |pos: Pos| floor.tile(pos).walkable();
        let path =
            size.contains(floor.exit).then(|| follow(size, [self.pos(), floor.exit], &open, &|_| false))?;
        Dir::between(self.pos(), *path.get(1)?)
    }

    /// The save of this climb.
    pub fn saved(&self) -> Steps {
        let steps = self.steps.iter().map(|&dir| letter_of(dir)).collect();
        Steps { format: FORMAT.to_owned(), map: self.storeys.digest, steps }
    }

    fn here(&self) -> (u32, Pos) {
        self.trail.last().copied().unwrap_or_default()
    }
}

impl Steps {
    /// One line of JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a save strictly.
    pub fn decode(bytes: &[u8]) -> Result<Steps, DecodeError> {
        let steps: Steps = document::parse_object(bytes)?;
        if steps.format != FORMAT {
            let known = FORMAT.to_owned();
            return Err(DecodeError::Unknown { field: "format", value: steps.format, known });
        }
        if steps.steps.len() > MAX_STEPS {
            return Err(shape("steps", format!("more than {MAX_STEPS} steps")));
        }
        Ok(steps)
    }

    /// The digest of what is climbed.
    pub fn map(&self) -> Digest {
        self.map
    }
}

impl From<Tower> for Storeys {
    fn from(tower: Tower) -> Storeys {
        let digest = tower.to_document().digest;
        Storeys { algorithm: ALGORITHM, seed: tower.seed, floors: tower.floors, digest }
    }
}

impl From<SingleFloor> for Storeys {
    fn from(alone: SingleFloor) -> Storeys {
        let digest = alone.to_document().digest;
        Storeys { algorithm: FLOOR_ALGORITHM, seed: alone.seed, floors: vec![alone.floor], digest }
    }
}

impl From<Floor> for Storeys {
    fn from(floor: Floor) -> Storeys {
        let digest = floor.to_document().digest;
        Storeys { algorithm: MODULE_ALGORITHM, seed: floor.seed.clone(), floors: vec![floor], digest }
    }
}

/// The JSON Schema of a saved climb.
#[cfg(feature = "schema")]
pub fn climb_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge climb", transparent)]
    #[allow(dead_code)] // Only its schema is read.
    struct SavedClimb(Steps);
    schemars::schema_for!(SavedClimb)
}

fn letter_of(dir: Dir) -> char {
    name_of(dir).chars().next().unwrap_or(' ')
}

fn name_of(dir: Dir) -> &'static str {
    match dir {
        Dir::North => "north",
        Dir::East => "east",
        Dir::South => "south",
        Dir::West => "west",
        _ => "nowhere",
    }
}
