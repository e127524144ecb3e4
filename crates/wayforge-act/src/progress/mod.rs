//! Playing a map: where the party is, where it may go, where it has been, and what it can see.
//!
//! [`Play`] is a map made ready to be walked together with a [`Progress`] on it; it is a value, so a move gives a new one and
//! leaves the old one alone. [`Progress`] is what is saved: it names the map by its digest, and [`Play::resume`] accepts it
//! on that map only.

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

/// A map being played: the map, and how far the party has come. Cheap to clone.
///
/// Any act map can be played, whatever its ruleset. Nodes off the grid and edges that do not join two nodes are never walked, so
/// a map that breaks its rules is played as far as its ways go.
///
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
    /// What is saved; it holds the digest of the map.
    progress: Progress,
}

impl Play {
    /// A new run: the party stands below row 0.
    ///
    /// * **Arguments.** The map, owned or shared, and how much of it the party sees.
    /// * **Complexity.** Near linear in the map, once; the digest is computed here and never again.
    ///
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
        let progress =
            Progress { format: Format::V1, map: digest, path: Vec::new(), boss: false, fog: fog.rows() };
        Play { graph: Arc::new(Graph::new(&map, false)), map, progress }
    }

    /// Goes on from a saved run.
    ///
    /// * **Returns.** The run as it was, or why the save does not belong to this map: its digest is another one, or a step of its
    ///   path is no legal move.
    /// * **Complexity.** As [`start`](Self::start), and linear in the path.
    ///
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
    /// let refused = Play::resume(other, Progress::decode(save.as_bytes())?);
    /// assert!(matches!(refused, Err(ResumeError::OtherMap { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(map: impl Into<Arc<ActMap>>, progress: Progress) -> Result<Play, ResumeError> {
        Play::start(map, progress.fog()).resumed(progress)
    }

    /// Goes on from a saved run of the same map, wherever this one stands.
    ///
    /// * **Returns.** As [`resume`](Self::resume).
    /// * **Complexity.** Linear in the path: the map is shared, not sorted again.
    pub fn resumed(&self, progress: Progress) -> Result<Play, ResumeError> {
        let map = self.progress.map;
        if progress.map != map {
            return Err(ResumeError::OtherMap { save: progress.map, map });
        }
        let mut play = self.with_fog(progress.fog()).restarted();
        for (index, step) in progress.steps().enumerate() {
            play.take(step).map_err(|error| {
                let place = if step == Step::Boss { "boss".to_owned() } else { format!("path[{index}]") };
                ResumeError::Illegal { place, error }
            })?;
        }
        Ok(play)
    }

    /// The map.
    pub fn map(&self) -> &ActMap {
        &self.map
    }

    /// What is saved of the run.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Where the party is; `None` below row 0.
    pub fn current(&self) -> Option<Step> {
        self.progress.steps().next_back()
    }

    /// The steps taken, from row 0 up.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = Step> + '_ {
        self.progress.steps()
    }

    /// Where the party may go next, from left to right.
    ///
    /// * **Returns.** All nodes of row 0 at first; then the upper ends of the edges from the current node; from the top row the
    ///   boss, if one stands above it. Empty when the run is [finished](Self::is_finished), or [stuck](Self::is_stuck).
    /// * **Complexity.** Linear in what is returned, after a search in logarithmic time.
    ///
    /// ```
    /// use wayforge_act::{self as act, Fog, Play, Step};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None).advance(Step::Node { row: 0, col: 1 })?;
    /// assert_eq!(play.legal_moves(), [Step::Node { row: 1, col: 0 }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn legal_moves(&self) -> Vec<Step> {
        let Some(here) = self.node() else { return Vec::new() };
        let boss = self.current().is_some_and(|step| self.is_below_boss(step)).then_some(Step::Boss);
        self.graph.choices(here).iter().map(|&node| self.step(node as usize)).chain(boss).collect()
    }

    /// Takes a step.
    ///
    /// * **Returns.** The run one step on; this one stays as it is. An illegal move is refused with the legal ones.
    ///
    /// ```
    /// use wayforge_act::{self as act, Fog, Play, Step};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None);
    /// let error = play.advance(Step::Boss).unwrap_err();
    /// assert_eq!(error.legal, play.legal_moves());
    /// assert!(error.to_string().starts_with("Boss is not a legal move from below row 0; legal: Node "), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(&self, step: Step) -> Result<Play, MoveError> {
        let mut next = self.clone();
        next.take(step)?;
        Ok(next)
    }

    /// Takes the last step back: the run as it was before it, or `None` at the start.
    ///
    /// ```
    /// use wayforge_act::{self as act, Fog, Play};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None);
    /// assert_eq!(play.advance(play.legal_moves()[0])?.undo(), Some(play));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&self) -> Option<Play> {
        let mut former = self.clone();
        if former.progress.boss {
            former.progress.boss = false;
        } else {
            former.progress.path.pop()?;
        }
        Some(former)
    }

    /// A new run on the same map with the same fog.
    pub fn restarted(&self) -> Play {
        let progress = Progress { path: Vec::new(), boss: false, ..self.progress };
        Play { progress, ..self.clone() }
    }

    /// The same run with more or less of the map to be seen.
    pub fn with_fog(&self, fog: Fog) -> Play {
        Play { progress: Progress { fog: fog.rows(), ..self.progress.clone() }, ..self.clone() }
    }

    /// True when the goal is reached: the boss above the top row, or the top row itself if there is no boss above it.
    pub fn is_finished(&self) -> bool {
        match self.current() {
            None => false,
            Some(Step::Boss) => true,
            Some(Step::Node { row, .. }) => self.map.boss.is_none() && row + 1 == self.map.spec.rows(),
        }
    }

    /// True if no way leads on although the goal is not reached: never on a valid map.
    pub fn is_stuck(&self) -> bool {
        !self.is_finished() && self.legal_moves().is_empty()
    }

    /// True if the party has been here; the current place counts.
    pub fn is_visited(&self, step: Step) -> bool {
        match step {
            Step::Boss => self.progress.boss,
            Step::Node { row, col } => self.progress.path.get(usize::from(row)) == Some(&col),
        }
    }

    /// All places that can still be reached, by row and column, the boss last. The current place is not among them.
    ///
    /// * **Complexity.** Linear in the part of the map above the party.
    ///
    /// ```
    /// use wayforge_act::{self as act, Fog, Play};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::None);
    /// assert_eq!(play.attainable().len(), play.map().nodes.len() + 1, "at first everything, and the boss");
    /// let on = play.advance(play.legal_moves()[0])?;
    /// assert!(on.attainable().len() < play.attainable().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attainable(&self) -> Vec<Step> {
        let Some(here) = self.node() else { return Vec::new() };
        let ahead = self.graph.ahead(here).filter(|&node| Some(node) != here);
        let mut found: Vec<Step> = ahead.map(|node| self.step(node)).collect();
        if found.last().copied().or(self.current()).is_some_and(|last| self.is_below_boss(last)) {
            found.push(Step::Boss);
        }
        found
    }

    /// The kind of a place, whether the fog hides it or not; `None` if it has none, or is not on the map.
    ///
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
            Step::Node { row, col } => self.graph.kinds[self.graph.find(NodePos { row, col })?].map(KindId),
        }
    }

    /// True if the party can see what is here: see [`Fog`].
    ///
    /// ```
    /// use wayforge_act::{self as act, Fog, Play, Step};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let top = Step::Node { row: 14, col: 3 };
    /// assert!(Play::start(map.clone(), Fog::None).is_revealed(top));
    /// let play = Play::start(map, Fog::Rows(1));
    /// assert!(play.is_revealed(play.legal_moves()[0]) && !play.is_revealed(top) && !play.is_revealed(Step::Boss));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_revealed(&self, step: Step) -> bool {
        let Some(ahead) = self.progress.fog else { return true };
        let row = match step {
            Step::Node { row, .. } => usize::from(row),
            Step::Boss => usize::from(self.map().spec.rows()),
        };
        self.is_visited(step) || row < self.progress.steps().len() + usize::from(ahead)
    }

    /// Takes a step in place.
    fn take(&mut self, step: Step) -> Result<(), MoveError> {
        let legal = self.legal_moves();
        if !legal.contains(&step) {
            return Err(MoveError { step, from: self.current(), finished: self.is_finished(), legal });
        }
        match step {
            Step::Node { col, .. } => self.progress.path.push(col),
            Step::Boss => self.progress.boss = true,
        }
        Ok(())
    }

    /// The node where the party stands, or `None` below row 0; nothing at the boss, and if the map has no such node.
    fn node(&self) -> Option<Option<usize>> {
        match self.current() {
            None => Some(None),
            Some(Step::Node { row, col }) => self.graph.find(NodePos { row, col }).map(Some),
            Some(Step::Boss) => None,
        }
    }

    fn step(&self, node: usize) -> Step {
        let NodePos { row, col } = self.graph.cells[node];
        Step::Node { row, col }
    }

    /// Whether a step is on the top row of a map with a boss.
    fn is_below_boss(&self, step: Step) -> bool {
        matches!(step, Step::Node { row, .. } if self.map.boss.is_some() && row + 1 == self.map.spec.rows())
    }
}
