//! Playing a map: position, legal moves, visited nodes and fog.
//!
//! [`Play`] is an immutable state: a map and a [`Progress`] on it. A move returns a new `Play`.
//! [`Progress`] is the saved part. It names the map by its digest, and [`Play::resume`] accepts it
//! for that map only.

mod save;
mod step;

pub use save::Progress;
#[cfg(feature = "schema")]
pub use save::progress_schema;
pub use step::{Fog, MoveError, ResumeError, Step};

use super::graph::Graph;
use super::{ActMap, KindId, NodePos};
use save::Format;
use std::sync::Arc;

/// A map being played: the map and the party's progress. Cheap to clone.
///
/// Maps of every ruleset can be played, including invalid ones. Nodes outside the grid and edges
/// without two end nodes are ignored.
///
/// # Examples
/// ```
/// use wayforge_act::{self as act, Fog, Play};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let mut play = Play::start(map, Fog::None);
/// while let Some(&step) = play.legal_moves().first() {
///     play = play.advance(step)?;
/// }
/// assert!(play.is_finished());
/// assert_eq!(play.path().count(), 16, "fifteen rows and the boss");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    map: Arc<ActMap>,
    graph: Arc<Graph>,
    /// The saved part, with the digest of the map.
    progress: Progress,
}

impl Play {
    /// Starts a new run below row 0.
    ///
    /// # Complexity
    /// O(n log n) for `n` nodes and edges. The digest is computed only here.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use wayforge_act::{self as act, Fog, Play};
    /// let map = Arc::new(act::generate(42.into(), &act::Config::default().resolve()?)?);
    /// let play = Play::start(Arc::clone(&map), Fog::Rows(2));
    /// assert_eq!(play.current(), None);
    /// assert_eq!(play.legal_moves().len(), map.nodes.iter().filter(|node| node.row == 0).count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(map: impl Into<Arc<ActMap>>, fog: Fog) -> Play {
        let map: Arc<ActMap> = map.into();
        let digest = map.to_document().digest;
        let progress = Progress {
            format: Format::V1,
            map: digest,
            path: Vec::new(),
            boss: false,
            fog: fog.rows(),
        };
        Play { graph: Arc::new(Graph::new(&map, false)), map, progress }
    }

    /// Resumes a saved run.
    ///
    /// # Errors
    /// The save names another map by its digest, or a step of its path is not a legal move.
    ///
    /// # Complexity
    /// As for [`start`](Self::start), plus O(steps).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, Fog, Play, Progress, ResumeError};
    /// let spec = act::Config::default().resolve()?;
    /// let map = act::generate(42.into(), &spec)?;
    /// let play = Play::start(map.clone(), Fog::None);
    /// let play = play.advance(play.legal_moves()[0])?;
    /// let save = play.progress().to_text();
    ///
    /// assert_eq!(Play::resume(map, Progress::decode(save.as_bytes())?)?, play);
    /// let other = act::generate(43.into(), &spec)?;
    /// let result = Play::resume(other, Progress::decode(save.as_bytes())?);
    /// assert!(matches!(result, Err(ResumeError::OtherMap { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(map: impl Into<Arc<ActMap>>, progress: Progress) -> Result<Play, ResumeError> {
        Play::start(map, progress.fog()).resumed(progress)
    }

    /// Resumes a saved run of the same map and shares the map's graph.
    ///
    /// # Errors
    /// As for [`resume`](Self::resume).
    ///
    /// # Complexity
    /// O(steps).
    pub fn resumed(&self, progress: Progress) -> Result<Play, ResumeError> {
        let map = self.progress.map;
        if progress.map != map {
            return Err(ResumeError::OtherMap { save: progress.map, map });
        }
        let mut play = self.with_fog(progress.fog()).restarted();
        for (index, step) in progress.steps().enumerate() {
            play.take(step).map_err(|error| {
                let place =
                    if step == Step::Boss { "boss".to_owned() } else { format!("path[{index}]") };
                ResumeError::Illegal { place, error }
            })?;
        }
        Ok(play)
    }

    /// Returns the map.
    pub fn map(&self) -> &ActMap {
        &self.map
    }

    /// Returns the part of the run that is saved.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Returns the position of the party; `None` below row 0.
    pub fn current(&self) -> Option<Step> {
        self.progress.steps().next_back()
    }

    /// Returns the steps taken, from row 0 up.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = Step> + '_ {
        self.progress.steps()
    }

    /// Returns the legal moves, from left to right.
    ///
    /// These are all nodes of row 0 at first, then the successors of the current node, and on the
    /// top row the boss. Empty if the run is [finished](Self::is_finished) or
    /// [stuck](Self::is_stuck).
    ///
    /// # Complexity
    /// O(moves + log nodes).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, Fog, Play, Step};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None).advance(Step::Node { row: 0, col: 1 })?;
    /// assert_eq!(play.legal_moves(), [Step::Node { row: 1, col: 0 }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn legal_moves(&self) -> Vec<Step> {
        let Some(origin) = self.origin() else { return Vec::new() };
        let boss =
            self.current().is_some_and(|step| self.is_below_boss(step)).then_some(Step::Boss);
        let choices = self.graph.choices(origin).iter();
        choices.map(|&node| self.step(node as usize)).chain(boss).collect()
    }

    /// Returns the run after one step; `self` does not change.
    ///
    /// # Errors
    /// The step is not a legal move. The error lists the legal ones.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, Fog, Play, Step};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None);
    /// let error = play.advance(Step::Boss).unwrap_err();
    /// assert_eq!(error.legal, play.legal_moves());
    /// let text = error.to_string();
    /// assert!(text.starts_with("Boss is not a legal move from below row 0; legal: Node "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(&self, step: Step) -> Result<Play, MoveError> {
        let mut next = self.clone();
        next.take(step)?;
        Ok(next)
    }

    /// Returns the run before its last step, or `None` at the start.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, Fog, Play};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None);
    /// assert_eq!(play.advance(play.legal_moves()[0])?.undo(), Some(play));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&self) -> Option<Play> {
        let mut previous = self.clone();
        if previous.progress.boss {
            previous.progress.boss = false;
        } else {
            previous.progress.path.pop()?;
        }
        Some(previous)
    }

    /// Returns a new run on the same map with the same fog.
    pub fn restarted(&self) -> Play {
        let progress = Progress { path: Vec::new(), boss: false, ..self.progress };
        Play { progress, ..self.clone() }
    }

    /// Returns the same run with another fog setting.
    pub fn with_fog(&self, fog: Fog) -> Play {
        Play { progress: Progress { fog: fog.rows(), ..self.progress.clone() }, ..self.clone() }
    }

    /// Returns true if the run has reached the boss, or the top row of a map without a boss.
    pub fn is_finished(&self) -> bool {
        match self.current() {
            None => false,
            Some(Step::Boss) => true,
            Some(Step::Node { row, .. }) => {
                self.map.boss.is_none() && row + 1 == self.map.spec.rows()
            }
        }
    }

    /// Returns true if there is no legal move and the run is not finished; never on a valid map.
    pub fn is_stuck(&self) -> bool {
        !self.is_finished() && self.legal_moves().is_empty()
    }

    /// Returns true if the party has visited this node, or is on it.
    pub fn is_visited(&self, step: Step) -> bool {
        match step {
            Step::Boss => self.progress.boss,
            Step::Node { row, col } => self.progress.path.get(usize::from(row)) == Some(&col),
        }
    }

    /// Returns all nodes that are still reachable, by row and column, then the boss.
    ///
    /// The current node is not included.
    ///
    /// # Complexity
    /// O(nodes and edges above the party).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, Fog, Play};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None);
    /// assert_eq!(play.reachable().len(), play.map().nodes.len() + 1, "all nodes and the boss");
    /// let next = play.advance(play.legal_moves()[0])?;
    /// assert!(next.reachable().len() < play.reachable().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reachable(&self) -> Vec<Step> {
        let Some(origin) = self.origin() else { return Vec::new() };
        let nodes = self.graph.reachable(origin).filter(|&node| Some(node) != origin);
        let mut steps: Vec<Step> = nodes.map(|node| self.step(node)).collect();
        if steps.last().copied().or(self.current()).is_some_and(|last| self.is_below_boss(last)) {
            steps.push(Step::Boss);
        }
        steps
    }

    /// Returns the kind of a node or the boss, ignoring fog.
    ///
    /// `None` if it has no kind or is not on the map.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, Fog, Play, Step};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None);
    /// assert_eq!(play.map().kind_name(play.kind_of(Step::Boss)), Some("boss"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kind_of(&self, step: Step) -> Option<KindId> {
        match step {
            Step::Boss => self.map().boss.and_then(|boss| boss.kind),
            Step::Node { row, col } => {
                self.graph.kinds[self.graph.find(NodePos { row, col })?].map(KindId)
            }
        }
    }

    /// Returns true if the node or boss is not hidden by fog; see [`Fog`].
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, Fog, Play, Step};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let top = Step::Node { row: 14, col: 3 };
    /// assert!(Play::start(map.clone(), Fog::None).is_revealed(top));
    /// let play = Play::start(map, Fog::Rows(1));
    /// assert!(play.is_revealed(play.legal_moves()[0]));
    /// assert!(!play.is_revealed(top) && !play.is_revealed(Step::Boss));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_revealed(&self, step: Step) -> bool {
        let Some(rows_ahead) = self.progress.fog else { return true };
        let row = match step {
            Step::Node { row, .. } => usize::from(row),
            Step::Boss => usize::from(self.map().spec.rows()),
        };
        self.is_visited(step) || row < self.progress.steps().len() + usize::from(rows_ahead)
    }

    /// Takes a step in place.
    fn take(&mut self, step: Step) -> Result<(), MoveError> {
        let legal = self.legal_moves();
        if !legal.contains(&step) {
            return Err(MoveError {
                step,
                from: self.current(),
                finished: self.is_finished(),
                legal,
            });
        }
        match step {
            Step::Node { col, .. } => self.progress.path.push(col),
            Step::Boss => self.progress.boss = true,
        }
        Ok(())
    }

    /// Returns the origin of the next move in the graph; the inner `None` means below row 0.
    ///
    /// `None` at the boss, or if the map has no such node.
    fn origin(&self) -> Option<Option<usize>> {
        match self.current() {
            None => Some(None),
            Some(Step::Node { row, col }) => self.graph.find(NodePos { row, col }).map(Some),
            Some(Step::Boss) => None,
        }
    }

    fn step(&self, node: usize) -> Step {
        let NodePos { row, col } = self.graph.positions[node];
        Step::Node { row, col }
    }

    /// Whether a step is on the top row of a map with a boss.
    fn is_below_boss(&self, step: Step) -> bool {
        let top = |row: u16| row + 1 == self.map.spec.rows();
        matches!(step, Step::Node { row, .. } if self.map.boss.is_some() && top(row))
    }
}
