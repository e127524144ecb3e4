//! Queries and results of the pathfinding methods.

use super::NavGrid;
use std::fmt;
use std::str::FromStr;
use wayforge_core::InputError;
use wayforge_core::grid::{Dir, Pos};

/// Neighbourhood of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Connectivity {
    /// The four tiles that share a side.
    Four,
    /// All eight adjacent tiles, without cutting corners: both tiles beside a diagonal step must be
    /// open.
    #[default]
    Eight,
}

/// Cost of a path. Exhaustive: outputs format each cost differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Every step costs 1, diagonal steps included.
    #[default]
    Steps,
    /// A straight step costs 1, a diagonal step the square root of 2. Equal to
    /// [`Steps`](Metric::Steps) with [`Connectivity::Four`].
    Octile,
}

/// Search method; see `docs/pathfinding.md` for when to use which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The method expected to be the fastest exact one for the query and the preprocessing.
    #[default]
    Auto,
    /// Plain breadth-first search: [`MultiSourceBfs`](super::MultiSourceBfs).
    Bfs,
    /// Bit-parallel bidirectional breadth-first search.
    Bidirectional,
    /// BFS in a coarse corridor that restarts in a wider corridor if it fails (baseline A2).
    Restart,
    /// Mask-expanding BFS in a coarse corridor, with one list of deferred tiles (F1).
    MaskF1,
    /// Mask-expanding BFS in a coarse corridor, with a list of deferred tiles per coarse node (F2).
    MaskF2,
    /// Mask-expanding search with Dial's bucket queue: shortest in its final region (optimal
    /// variant).
    MaskOptimal,
    /// Mask-expanding BFS (F2) whose coarse nodes are connected components of open tiles.
    Components,
    /// Jump point search by bit scanning; successors are cached when first used.
    Jps,
    /// Jump point search on a precomputed graph, with ALT landmarks.
    JpsGraph,
}

impl Method {
    /// All methods, in the order of `docs/pathfinding.md`.
    pub const ALL: [Method; 10] = {
        use Method::*;
        [Auto, Bfs, Bidirectional, Restart, MaskF1, MaskF2, MaskOptimal, Components, Jps, JpsGraph]
    };

    /// Returns the name used in options, requests and output.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Bfs => "bfs",
            Method::Bidirectional => "bidirectional",
            Method::Restart => "restart",
            Method::MaskF1 => "mask-f1",
            Method::MaskF2 => "mask-f2",
            Method::MaskOptimal => "mask-optimal",
            Method::Components => "components",
            Method::Jps => "jps",
            Method::JpsGraph => "jps-graph",
        }
    }

    /// Returns true if the method searches inside a corridor, so
    /// [`CorridorConfig`](super::CorridorConfig) applies.
    pub const fn has_corridor(self) -> bool {
        matches!(
            self,
            Method::Restart
                | Method::MaskF1
                | Method::MaskF2
                | Method::MaskOptimal
                | Method::Components
        )
    }
}

/// Guarantee about the length of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Guarantee {
    /// No shorter path exists.
    Exact,
    /// No shorter path exists inside the final region; see
    /// [`Navigator::region`](super::Navigator::region).
    ShortestInRegion,
    /// Every step is legal; a shorter path may exist.
    #[default]
    Valid,
}

impl Guarantee {
    /// Returns the name used in output.
    pub const fn name(self) -> &'static str {
        ["exact", "shortest in region", "valid"][self as usize]
    }
}

/// Request for a path from any source to any target.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{Connectivity, Metric, Query};
/// let query = Query::between(Pos::new(0, 0), Pos::new(9, 4));
/// let many = Query::new([Pos::new(0, 0), Pos::new(0, 9)], [Pos::new(9, 4)])
///     .connectivity(Connectivity::Four);
/// assert_eq!((query.metric, many.sources.len()), (Metric::Steps, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Tiles where the path may start.
    pub sources: Vec<Pos>,
    /// Tiles where the path may end.
    pub targets: Vec<Pos>,
    /// Neighbourhood of a tile.
    pub connectivity: Connectivity,
    /// Cost to minimise.
    pub metric: Metric,
    /// Search method.
    pub method: Method,
    /// Candidates for the minimum magnitude of all tiles of the path. The search uses the largest
    /// one for which a path exists, or 0 if there is none. If empty, magnitudes are ignored.
    pub depths: Vec<u8>,
    /// Whether to remove tiles between two tiles that have line of sight to each other.
    pub smooth: bool,
}

impl Query {
    /// Creates a query from any of `sources` to any of `targets`, with eight neighbours and step
    /// counts.
    pub fn new(
        sources: impl IntoIterator<Item = Pos>,
        targets: impl IntoIterator<Item = Pos>,
    ) -> Query {
        Query {
            sources: sources.into_iter().collect(),
            targets: targets.into_iter().collect(),
            ..Query::default()
        }
    }

    /// Creates a query between two tiles.
    pub fn between(source: Pos, target: Pos) -> Query {
        Query::new([source], [target])
    }

    /// Sets the connectivity.
    pub fn connectivity(self, connectivity: Connectivity) -> Query {
        Query { connectivity, ..self }
    }

    /// Sets the metric.
    pub fn metric(self, metric: Metric) -> Query {
        Query { metric, ..self }
    }

    /// Sets the search method.
    pub fn method(self, method: Method) -> Query {
        Query { method, ..self }
    }

    /// Sets the candidates for the [minimum magnitude](Query::depths).
    pub fn depths(self, depths: impl IntoIterator<Item = u8>) -> Query {
        Query { depths: depths.into_iter().collect(), ..self }
    }

    /// Checks that there are sources and targets and that all of them are open tiles of the grid.
    ///
    /// # Errors
    /// Sources or targets are empty, or a tile is blocked or outside the grid.
    pub fn validate(&self, grid: &NavGrid) -> Result<(), InputError> {
        let size = grid.size();
        for (field, tiles) in [("sources", &self.sources), ("targets", &self.targets)] {
            if tiles.is_empty() {
                return Err(InputError::new(field, "[]", "empty", "give at least one open tile"));
            }
            for (i, &pos) in tiles.iter().enumerate() {
                let (problem, remedy) = match (size.contains(pos), grid.is_open(pos)) {
                    (true, true) => continue,
                    (true, false) => ("blocked".to_owned(), "use an open tile".to_owned()),
                    (false, _) => (
                        format!("outside the grid of {size}"),
                        format!(
                            "use columns 0 to {} and rows 0 to {}",
                            size.width - 1,
                            size.height - 1
                        ),
                    ),
                };
                return Err(InputError::new(format!("{field}[{i}]"), pos, problem, remedy));
            }
        }
        Ok(())
    }
}

/// Search statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Number of tiles (or jump points) visited.
    pub visited: u64,
    /// Number of times the corridor was widened.
    pub expansions: u32,
    /// Whether the search reached the guardrail and fell back to all open tiles.
    pub fallback: bool,
}

/// Path from a source to a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// All tiles from source to target; with smoothing, only the tiles where the path turns.
    pub tiles: Vec<Pos>,
    /// Index of the first tile in [`Query::sources`].
    pub source: usize,
    /// Index of the last tile in [`Query::targets`].
    pub target: usize,
    /// Number of steps along rows and columns.
    pub straight_steps: u32,
    /// Number of diagonal steps.
    pub diagonal_steps: u32,
    /// Guarantee about the length.
    pub guarantee: Guarantee,
    /// Method that found the path.
    pub method: Method,
    /// Minimum magnitude that the search required, if the query has depths.
    pub depth: Option<u8>,
    /// Search statistics.
    pub stats: SearchStats,
}

impl Path {
    /// Returns the number of steps.
    pub fn steps(&self) -> u32 {
        self.straight_steps + self.diagonal_steps
    }

    /// Returns the length under `metric`, before smoothing.
    pub fn length(&self, metric: Metric) -> f64 {
        match metric {
            Metric::Steps => f64::from(self.steps()),
            Metric::Octile => {
                f64::from(self.straight_steps)
                    + f64::from(self.diagonal_steps) * std::f64::consts::SQRT_2
            }
        }
    }

    /// Sets `source` and `target` to the indices of the first and last tile.
    pub(super) fn set_ends(&mut self, query: &Query) {
        let index = |list: &[Pos], end: Option<&Pos>| {
            list.iter().position(|pos| Some(pos) == end).unwrap_or(0)
        };
        self.source = index(&query.sources, self.tiles.first());
        self.target = index(&query.targets, self.tiles.last());
    }

    /// Counts the straight and diagonal steps of `tiles`.
    pub(super) fn count_steps(&mut self) {
        (self.straight_steps, self.diagonal_steps) = (0, 0);
        for step in self.tiles.windows(2) {
            if step[0].x != step[1].x && step[0].y != step[1].y {
                self.diagonal_steps += 1;
            } else {
                self.straight_steps += 1;
            }
        }
    }

    /// Returns the first step that is illegal on `grid`, or `None` if the path is legal.
    ///
    /// A blocked tile is reported as a step from the tile to itself. Use this to recheck a stored
    /// path after the map has changed.
    pub fn first_illegal_step(
        &self,
        grid: &NavGrid,
        connectivity: Connectivity,
    ) -> Option<(Pos, Pos)> {
        if let Some(&blocked) = self.tiles.iter().find(|&&pos| !grid.is_open(pos)) {
            return Some((blocked, blocked));
        }
        let legal = |from: Pos, to: Pos| match Dir::between(from, to) {
            Some(dir) if dir.is_diagonal() => {
                connectivity == Connectivity::Eight
                    && grid.is_open(Pos::new(to.x, from.y))
                    && grid.is_open(Pos::new(from.x, to.y))
            }
            dir => dir.is_some(),
        };
        let illegal = self.tiles.windows(2).find(|step| !legal(step[0], step[1]));
        illegal.map(|step| (step[0], step[1]))
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
            let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
            InputError::new("method", text, "unknown", format!("use {}", names.join(", ")))
        })
    }
}
