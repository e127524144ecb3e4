//! What is asked and what is answered.

use super::Water;
use std::fmt;
use std::str::FromStr;
use wayforge_core::InputError;
use wayforge_core::grid::{Dir, Pos};

/// How a way may step from tile to tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Along rows and columns.
    Four,
    /// Like a king of chess, without cutting corners: a diagonal step needs both tiles beside it to be water.
    #[default]
    Eight,
}

/// What makes a way short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Every step counts one, diagonal ones too.
    #[default]
    Steps,
    /// A diagonal step counts the square root of two. With [`Moves::Four`] there is none, and both metrics agree.
    Octile,
}

/// How a way is searched for; see `docs/ways.md` for when to use which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The fastest exact method that the preparation and the query allow.
    #[default]
    Auto,
    /// Plain breadth-first search: [`MultiSourceAnyTargetBFS`](super::MultiSourceAnyTargetBFS).
    Bfs,
    /// Bit-parallel waves from both sides.
    Wave,
    /// Coarse corridor, restarted and widened when it is too tight (the baseline A2).
    Restart,
    /// Coarse corridor that expands without restart, blocked tiles in one list (F1).
    MaskF1,
    /// Coarse corridor that expands without restart, blocked tiles in a list per coarse cell (F2).
    MaskF2,
    /// Coarse corridor that expands without restart and stays shortest in its final region.
    MaskOptimal,
    /// The mask-expanding search (F2) on coarse nodes that are connected pieces of water.
    Pieces,
    /// Jump points found by bit scanning, remembered as they are met.
    Jump,
    /// The jump-point graph with landmarks.
    Graph,
}

impl Method {
    /// All methods, in the order of their documentation.
    pub const ALL: [Method; 10] = {
        use Method::*;
        [Auto, Bfs, Wave, Restart, MaskF1, MaskF2, MaskOptimal, Pieces, Jump, Graph]
    };

    /// The name as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Bfs => "bfs",
            Method::Wave => "wave",
            Method::Restart => "restart",
            Method::MaskF1 => "mask-f1",
            Method::MaskF2 => "mask-f2",
            Method::MaskOptimal => "mask-optimal",
            Method::Pieces => "pieces",
            Method::Jump => "jump",
            Method::Graph => "graph",
        }
    }

    /// True for methods that search inside a corridor, so that [`CorridorConfig`](super::CorridorConfig) applies.
    pub const fn has_corridor(self) -> bool {
        matches!(
            self,
            Method::Restart | Method::MaskF1 | Method::MaskF2 | Method::MaskOptimal | Method::Pieces
        )
    }
}

/// What an answer promises about its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guarantee {
    /// No shorter way exists.
    Exact,
    /// No shorter way exists inside the region that was allowed in the end.
    ShortestInRegion,
    /// Every step is legal; a shorter way may exist.
    #[default]
    Valid,
}

impl Guarantee {
    /// The name as it is printed.
    pub const fn name(self) -> &'static str {
        ["exact", "shortest in region", "valid"][self as usize]
    }
}

/// A question: from any of the sources to any of the targets.
///
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{Metric, Moves, Query};
/// let query = Query::between(Pos::new(0, 0), Pos::new(9, 4));
/// let many = Query::new([Pos::new(0, 0), Pos::new(0, 9)], [Pos::new(9, 4)]).moves(Moves::Four);
/// assert_eq!((query.metric, many.sources.len()), (Metric::Steps, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Where a way may begin.
    pub sources: Vec<Pos>,
    /// Where it may end.
    pub targets: Vec<Pos>,
    /// The steps allowed.
    pub moves: Moves,
    /// What makes it short.
    pub metric: Metric,
    /// How to search.
    pub method: Method,
    /// Least magnitudes to try, the deepest first; the way is the shortest at the first that has one. Empty: any water.
    pub depths: Vec<u8>,
    /// Whether to leave out the tiles between corners that see each other.
    pub smooth: bool,
}

impl Query {
    /// From any of `sources` to any of `targets`, with eight neighbours, in steps.
    pub fn new(sources: impl IntoIterator<Item = Pos>, targets: impl IntoIterator<Item = Pos>) -> Query {
        Query {
            sources: sources.into_iter().collect(),
            targets: targets.into_iter().collect(),
            ..Query::default()
        }
    }

    /// From one tile to another.
    pub fn between(source: Pos, target: Pos) -> Query {
        Query::new([source], [target])
    }

    /// The same with these moves.
    pub fn moves(self, moves: Moves) -> Query {
        Query { moves, ..self }
    }

    /// The same with this metric.
    pub fn metric(self, metric: Metric) -> Query {
        Query { metric, ..self }
    }

    /// The same by this method.
    pub fn method(self, method: Method) -> Query {
        Query { method, ..self }
    }

    /// The same, preferring water of these magnitudes, the first before the second and so on, and any water in the end.
    pub fn depths(self, depths: impl IntoIterator<Item = u8>) -> Query {
        Query { depths: depths.into_iter().collect(), ..self }
    }

    /// Checks that every source and target is water of the grid, and that there are some.
    ///
    /// # Errors
    /// The first source or target that is not water.
    pub fn check(&self, water: &Water) -> Result<(), InputError> {
        let size = water.size();
        for (field, tiles) in [("sources", &self.sources), ("targets", &self.targets)] {
            if tiles.is_empty() {
                return Err(InputError::new(field, "[]", "empty", "name at least one water tile"));
            }
            for (i, &pos) in tiles.iter().enumerate() {
                let (problem, remedy) = match (size.contains(pos), water.is_open(pos)) {
                    (true, true) => continue,
                    (true, false) => ("is land".to_owned(), "name a water tile".to_owned()),
                    (false, _) => (
                        format!("lies beyond the grid of {size}"),
                        format!("use columns 0 to {} and rows 0 to {}", size.width - 1, size.height - 1),
                    ),
                };
                return Err(InputError::new(format!("{field}[{i}]"), pos, problem, remedy));
            }
        }
        Ok(())
    }
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many tiles (or jump points) were reached.
    pub visited: u64,
    /// How often a corridor was widened.
    pub expansions: u32,
    /// Whether the guardrail gave up the corridor and searched all water.
    pub fallback: bool,
}

/// An answer: a way from a source to a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Every tile from source to target; with smoothing only those where the way turns.
    pub tiles: Vec<Pos>,
    /// Which of the query's sources it begins at.
    pub source: usize,
    /// Which of the query's targets it ends at.
    pub target: usize,
    /// How many steps go along rows and columns.
    pub straight: u32,
    /// How many steps are diagonal.
    pub diagonal: u32,
    /// What the length promises.
    pub guarantee: Guarantee,
    /// The method that found it.
    pub method: Method,
    /// The least magnitude it kept to, if depths were asked for.
    pub depth: Option<u8>,
    /// What the search did.
    pub counts: Counts,
}

impl Way {
    /// The number of steps.
    pub fn steps(&self) -> u32 {
        self.straight + self.diagonal
    }

    /// The length under a metric, before smoothing.
    pub fn length(&self, metric: Metric) -> f64 {
        match metric {
            Metric::Steps => f64::from(self.steps()),
            Metric::Octile => f64::from(self.straight) + f64::from(self.diagonal) * std::f64::consts::SQRT_2,
        }
    }

    /// Sets the indices of the source and the target that `tiles` joins.
    pub(super) fn set_ends(&mut self, query: &Query) {
        let index =
            |list: &[Pos], end: Option<&Pos>| list.iter().position(|pos| Some(pos) == end).unwrap_or(0);
        self.source = index(&query.sources, self.tiles.first());
        self.target = index(&query.targets, self.tiles.last());
    }

    /// Counts the straight and diagonal steps of `tiles`.
    pub(super) fn count_steps(&mut self) {
        (self.straight, self.diagonal) = (0, 0);
        for step in self.tiles.windows(2) {
            match step[0].x != step[1].x && step[0].y != step[1].y {
                true => self.diagonal += 1,
                false => self.straight += 1,
            }
        }
    }

    /// The first step that is not legal on `water`, if any: for tests and for callers who keep ways while the map changes.
    pub fn fault(&self, water: &Water, moves: Moves) -> Option<(Pos, Pos)> {
        if let Some(&land) = self.tiles.iter().find(|&&pos| !water.is_open(pos)) {
            return Some((land, land));
        }
        let legal = |from: Pos, to: Pos| match Dir::between(from, to) {
            Some(dir) if dir.is_diagonal() => {
                moves == Moves::Eight
                    && water.is_open(Pos::new(to.x, from.y))
                    && water.is_open(Pos::new(from.x, to.y))
            }
            dir => dir.is_some(),
        };
        let broken = self.tiles.windows(2).find(|step| !legal(step[0], step[1]));
        broken.map(|step| (step[0], step[1]))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Method, InputError> {
        Method::ALL.into_iter().find(|method| method.name() == text).ok_or_else(|| {
            let known: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
            InputError::new("method", text, "unknown", format!("use {}", known.join(", ")))
        })
    }
}
