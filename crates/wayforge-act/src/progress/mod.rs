//! Playing a map: where the party is, where it may go, where it has been, and what it can see.
//!
//! [`Play`] is a map made ready to be walked together with a [`Progress`] on it; it is a value, so a move gives a new one and
//! leaves the old one alone. [`Progress`] is what is saved: it names the map by its digest, and [`Play::resume`] accepts it
//! on that map only.

mod ground;
mod save;
mod step;

pub use save::Progress;
#[cfg(feature = "schema")]
pub use save::progress_schema;
pub use step::{Fog, MoveError, ResumeError, Step};

use super::{ActMap, KindId};
use ground::Ground;
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
    ground: Arc<Ground>,
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
        let ground = Ground::of(map.into());
        let progress = Progress { map: ground.digest, path: Vec::new(), boss: false, fog };
        Play { ground: Arc::new(ground), progress }
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
        Play::start(map, progress.fog).resumed(progress)
    }

    /// Goes on from a saved run of the same map, wherever this one stands.
    ///
    /// * **Returns.** As [`resume`](Self::resume).
    /// * **Complexity.** Linear in the path: the map is shared, not sorted again.
    pub fn resumed(&self, progress: Progress) -> Result<Play, ResumeError> {
        let ground = Arc::clone(&self.ground);
        if progress.map != ground.digest {
            return Err(ResumeError::OtherMap { save: progress.map, map: ground.digest });
        }
        let mut play = Play { progress: Progress { path: Vec::new(), boss: false, ..progress }, ground };
        for (index, &col) in progress.path.iter().enumerate() {
            let illegal = |error| ResumeError::Illegal { place: format!("path[{index}]"), error };
            // A path longer than the rows a number can hold has left the map long before.
            let row = u16::try_from(index).unwrap_or(u16::MAX);
            play.check(Step::Node { row, col }).map_err(illegal)?;
            play.progress.path.push(col);
        }
        if progress.boss {
            let illegal = |error| ResumeError::Illegal { place: "boss".to_owned(), error };
            play.check(Step::Boss).map_err(illegal)?;
            play.progress.boss = true;
        }
        Ok(play)
    }

    /// The map.
    pub fn map(&self) -> &ActMap {
        &self.ground.map
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
        let ground = &*self.ground;
        match self.current() {
            None => ground.graph.choices(None).iter().map(|&node| ground.step(node)).collect(),
            Some(Step::Node { row, col }) => {
                let ahead = ground.find(row, col).map_or(&[][..], |node| ground.graph.above(node));
                let boss = (ground.has_boss() && ground.is_top(row)).then_some(Step::Boss);
                ahead.iter().map(|&node| ground.step(node)).chain(boss).collect()
            }
            Some(Step::Boss) => Vec::new(),
        }
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
        self.check(step)?;
        let mut next = self.clone();
        match step {
            Step::Node { col, .. } => next.progress.path.push(col),
            Step::Boss => next.progress.boss = true,
        }
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
        Play { ground: Arc::clone(&self.ground), progress }
    }

    /// The same run with more or less of the map to be seen.
    pub fn with_fog(&self, fog: Fog) -> Play {
        Play { ground: Arc::clone(&self.ground), progress: Progress { fog, ..self.progress.clone() } }
    }

    /// True when the goal is reached: the boss above the top row, or the top row itself if there is no boss above it.
    pub fn is_finished(&self) -> bool {
        match self.current() {
            None => false,
            Some(Step::Boss) => true,
            Some(Step::Node { row, .. }) => !self.ground.has_boss() && self.ground.is_top(row),
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
        let ground = &*self.ground;
        let here = match self.current() {
            None => None,
            Some(Step::Node { row, col }) => match ground.find(row, col) {
                None => return Vec::new(),
                here => here,
            },
            Some(Step::Boss) => return Vec::new(),
        };
        let ahead = ground.graph.ahead(here).filter(|&node| Some(node) != here);
        let mut found: Vec<Step> = ahead.map(|node| ground.step(node as u32)).collect();
        let on_top = |step: &Step| matches!(*step, Step::Node { row, .. } if ground.is_top(row));
        if ground.has_boss() && found.last().copied().or(self.current()).is_some_and(|last| on_top(&last)) {
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
            Step::Node { row, col } => self.ground.find(row, col).and_then(|node| self.ground.kind(node)),
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
        let Fog::Rows(ahead) = self.progress.fog else { return true };
        let row = match step {
            Step::Node { row, .. } => usize::from(row),
            Step::Boss => usize::from(self.map().spec.rows()),
        };
        self.is_visited(step) || row < self.progress.steps().len() + usize::from(ahead)
    }

    fn check(&self, step: Step) -> Result<(), MoveError> {
        let legal = self.legal_moves();
        if legal.contains(&step) {
            return Ok(());
        }
        Err(MoveError { step, from: self.current(), finished: self.is_finished(), legal })
    }
}
