//! The front door: one grid, any question, by whichever method serves best.

use super::bfs::MultiSourceAnyTargetBFS;
use super::blocks::Blocks;
use super::depth::DepthSearch;
use super::field::{DistanceField, count_distances};
use super::jump::Jumps;
use super::mask::{MaskSearch, Tuning};
use super::pieces::Pieces;
use super::query::{Counts, Method, Metric, Moves, Query, Way};
use super::smooth::smooth;
use super::water::Water;
use super::waves::Waves;
use crate::ConfigError;
use crate::grid::{BitGrid, Pos};

/// How much to work out before the first question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Prepare {
    /// Blocks and seas only: milliseconds. Anything else is worked out when a query needs it.
    #[default]
    None,
    /// The coarse map of connected pieces as well, for [`Method::Pieces`].
    Coarse,
    /// All jump points and the landmarks, for maps that are asked many times.
    Full,
}

/// What a navigator is prepared for. Queries of other kinds are answered too; the first of them takes longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How much to work out in advance.
    pub prepare: Prepare,
    /// The moves that [`Prepare::Full`] prepares for.
    pub moves: Moves,
    /// The metric that [`Prepare::Full`] prepares for.
    pub metric: Metric,
    /// The corridor of [`Method::Restart`], [`Method::MaskF1`], [`Method::MaskF2`] and [`Method::MaskOptimal`].
    pub document: Tuning,
    /// The corridor of [`Method::Pieces`].
    pub pieces: Tuning,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            prepare: Prepare::None,
            moves: Moves::Eight,
            metric: Metric::Steps,
            document: Tuning::document(),
            pieces: Tuning::pieces(),
        }
    }
}

/// A grid that is ready for questions, with the memory to answer them in.
///
/// * **Guarantees.** With [`Method::Auto`] every answer is [exact](super::Guarantee::Exact), whatever the preparation and whatever was
///   edited.
/// * **Complexity.** See `docs/ways.md`. After the first queries of a kind nothing is allocated by
///   [`find_into`](Navigator::find_into), and a query touches only what it visits.
///
/// ```
/// use wayforge::grid::Pos;
/// use wayforge::nav::{Navigator, Prepare, Query, Water};
/// let water = Water::from_text("....#...\n.##.#.#.\n........")?;
/// let mut navigator = Navigator::new(&water, Prepare::Full);
/// let query = Query::between(Pos::new(0, 0), Pos::new(7, 0));
/// assert_eq!(navigator.find(&query)?.unwrap().steps(), 11);
/// navigator.edit(&[(Pos::new(4, 0), true)])?;
/// assert_eq!(navigator.find(&query)?.unwrap().steps(), 7);
/// # Ok::<(), wayforge::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Navigator {
    water: Water,
    options: Options,
    blocks: Blocks,
    pieces: Pieces,
    waves: Option<Waves>,
    bfs: Option<MultiSourceAnyTargetBFS>,
    document: Option<MaskSearch>,
    corridor: Option<MaskSearch>,
    jumps: Option<Jumps>,
    depth: Option<DepthSearch>,
    /// What answered last, for [`visited`](Self::visited).
    last: Option<Method>,
}

impl Navigator {
    /// Makes a grid ready, for eight neighbours and steps.
    pub fn new(water: &Water, prepare: Prepare) -> Navigator {
        let mut navigator = Navigator::bare(water, Options { prepare, ..Options::default() });
        // The standard corridors are in range, so there is nothing to refuse.
        let _ = navigator.prepare();
        navigator
    }

    /// Makes a grid ready as the options say; refuses a corridor that is out of range.
    pub fn with(water: &Water, options: Options) -> Result<Navigator, ConfigError> {
        let mut navigator = Navigator::bare(water, options);
        for (field, tuning) in [("document", options.document), ("pieces", options.pieces)] {
            ConfigError::in_range(format!("{field}.factor"), tuning.factor.into(), 1, 1024)?;
            ConfigError::in_range(format!("{field}.radius"), tuning.radius.into(), 0, 1024)?;
        }
        navigator.prepare()?;
        Ok(navigator)
    }

    /// The grid as it is now.
    pub fn water(&self) -> &Water {
        &self.water
    }

    /// Answers a query. No way is `None`; a source or target that is no water tile is an error.
    pub fn find(&mut self, query: &Query) -> Result<Option<Way>, ConfigError> {
        let mut way = Way::default();
        Ok(self.find_into(query, &mut way)?.then_some(way))
    }

    /// Answers a query into a way whose memory is reused; false, with the counts alone set, if there is none.
    pub fn find_into(&mut self, query: &Query, way: &mut Way) -> Result<bool, ConfigError> {
        query.check(&self.water)?;
        let method = self.choose(query)?;
        way.counts = Counts::default();
        way.depth = None;
        self.last = None;
        if !self.joined(query) {
            return Ok(false);
        }
        let mut found = self.run(query, method, way)?;
        if !found && self.pieces.is_stale() {
            // Land has parted a sea since the seas were labelled. The next such question is refused at once.
            self.pieces.label(&self.blocks);
        }
        self.last = Some(method);
        if found && query.smooth {
            smooth(&self.water, &mut way.tiles);
        }
        found &= !way.tiles.is_empty();
        Ok(found)
    }

    /// The way from whichever shore is nearest by water to the target; its [`source`](Way::source) says which.
    ///
    /// ```
    /// use wayforge::grid::Pos;
    /// use wayforge::nav::{Moves, Navigator, Prepare, Water};
    /// let water = Water::from_text("..#..\n..#..\n.....")?;
    /// let mut navigator = Navigator::new(&water, Prepare::None);
    /// let shores = [Pos::new(1, 0), Pos::new(4, 2)];
    /// let way = navigator.nearest_shore(&shores, Pos::new(3, 0), Moves::Eight)?.unwrap();
    /// assert_eq!((way.source, way.steps()), (1, 2));
    /// # Ok::<(), wayforge::ConfigError>(())
    /// ```
    pub fn nearest_shore(
        &mut self,
        shores: &[Pos],
        target: Pos,
        moves: Moves,
    ) -> Result<Option<Way>, ConfigError> {
        self.find(&Query::new(shores.iter().copied(), [target]).moves(moves))
    }

    /// The distance in steps of every tile from the nearest of many sources.
    ///
    /// ```
    /// use wayforge::grid::Pos;
    /// use wayforge::nav::{Moves, Navigator, Prepare, Water};
    /// let water = Water::from_text("...#.\n.#.#.\n...#.")?;
    /// let field = Navigator::new(&water, Prepare::None).distance_field(&[Pos::new(0, 0)], Moves::Four)?;
    /// assert_eq!(field.get(Pos::new(2, 2)), Some(4));
    /// assert_eq!(field.get(Pos::new(4, 0)), None);
    /// # Ok::<(), wayforge::ConfigError>(())
    /// ```
    pub fn distance_field(&self, sources: &[Pos], moves: Moves) -> Result<DistanceField, ConfigError> {
        Query::new(sources.iter().copied(), sources.iter().copied()).check(&self.water)?;
        Ok(count_distances(&self.blocks, sources, moves))
    }

    /// Turns tiles into water (`true`) or land (`false`) and repairs what that touches; says how many really changed.
    ///
    /// Blocks, seas, jump points and lists are repaired where the edit can be felt; new jump points get their lists when a query
    /// comes by. Landmarks stay: added land keeps their bounds true, and where water was added they are doubted; when doubts
    /// pile up, queries count them anew bit by bit, or [`refresh`](Self::refresh) does at once. The coarse
    /// maps of corridor methods forgive land and are made anew after water.
    pub fn edit(&mut self, changes: &[(Pos, bool)]) -> Result<usize, ConfigError> {
        let size = self.water.size();
        if let Some((i, (pos, _))) = changes.iter().enumerate().find(|(_, (pos, _))| !size.contains(*pos)) {
            let problem = format!("lies beyond the grid of {size}");
            return Err(ConfigError::new(format!("changes[{i}]"), pos, problem, "name a tile of the grid"));
        }
        // The last word on a tile counts; what is so already does not.
        let mut real: Vec<(Pos, bool)> = changes.iter().rev().copied().collect();
        real.sort_by_key(|change| change.0);
        real.dedup_by_key(|change| change.0);
        real.retain(|&(pos, open)| self.water.is_open(pos) != open);
        for &(pos, open) in &real {
            self.water.set(pos, open);
            self.blocks.set(pos, open);
        }
        self.repair(&real);
        Ok(real.len())
    }

    /// Counts landmarks anew that added water has made doubtful: for a quiet moment between turns. Without it queries do so
    /// bit by bit; answers are the same either way.
    pub fn refresh(&mut self) {
        if self.pieces.is_stale() {
            self.pieces.label(&self.blocks);
        }
        if let Some(jumps) = &mut self.jumps {
            jumps.refresh(&self.blocks, &self.pieces);
        }
    }

    /// The tiles that the last query visited; for jump points those alone. Empty if no search was needed.
    pub fn visited(&self) -> BitGrid {
        let mut set = BitGrid::new(self.water.size());
        match self.last {
            Some(Method::Bfs) => self.bfs.iter().for_each(|bfs| set = bfs.visited()),
            Some(Method::Wave) => self.waves.iter().for_each(|waves| waves.mark(&self.blocks, &mut set)),
            Some(Method::Pieces) => self.corridor.iter().for_each(|mask| mask.mark(&mut set)),
            Some(Method::Jump | Method::Graph) => self.jumps.iter().for_each(|jumps| jumps.mark(&mut set)),
            Some(Method::Auto) => self.depth.iter().for_each(|depth| set = depth.visited()),
            Some(_) => self.document.iter().for_each(|mask| mask.mark(&mut set)),
            None => {}
        }
        set
    }

    /// Bytes of what [`Prepare::Full`] works out: lists and landmarks.
    pub fn prepared_bytes(&self) -> usize {
        self.jumps.as_ref().map_or(0, Jumps::bytes)
    }

    fn bare(water: &Water, options: Options) -> Navigator {
        let blocks = Blocks::new(water);
        Navigator {
            water: water.clone(),
            options,
            pieces: Pieces::new(&blocks),
            blocks,
            waves: None,
            bfs: None,
            document: None,
            corridor: None,
            jumps: None,
            depth: None,
            last: None,
        }
    }

    fn prepare(&mut self) -> Result<(), ConfigError> {
        match self.options.prepare {
            Prepare::None => {}
            Prepare::Coarse => self.corridor = Some(MaskSearch::new(&self.water, self.options.pieces)?),
            Prepare::Full => {
                let (moves, metric) = (self.options.moves, self.options.metric);
                let jumps = self.jumps.insert(Jumps::new(&self.water));
                jumps.prepare(&self.blocks, &self.pieces, moves, metric);
            }
        }
        Ok(())
    }

    /// The method for a query: the one it names, if it can serve the metric, or the fastest.
    fn choose(&mut self, query: &Query) -> Result<Method, ConfigError> {
        if !query.depths.is_empty() {
            if !self.water.has_magnitudes() {
                let list: Vec<String> = query.depths.iter().map(u8::to_string).collect();
                return Err(ConfigError::new(
                    "depths",
                    list.join(", "),
                    "this map knows no magnitudes",
                    "leave depths out, or give a map that has them",
                ));
            }
            if query.method != Method::Auto || octile(query) {
                let problem = "depths are searched in steps, by their own method";
                return Err(ConfigError::new(
                    "method",
                    query.method,
                    problem,
                    "use auto and steps with depths",
                ));
            }
            return Ok(Method::Auto);
        }
        match query.method {
            Method::Auto => {
                if self.options.prepare == Prepare::Full {
                    return Ok(Method::Graph);
                }
                if octile(query) {
                    return Ok(Method::Jump);
                }
                let jumps = self.jumps.get_or_insert_with(|| Jumps::new(&self.water));
                // Where every few tiles have a jump point, as in noise and mazes, words of tiles are faster.
                Ok(if jumps.are_many(&self.water) { Method::Wave } else { Method::Jump })
            }
            Method::Jump | Method::Graph => Ok(query.method),
            method if octile(query) => {
                let problem = "counts steps and knows no octile lengths";
                Err(ConfigError::new(
                    "method",
                    method,
                    problem,
                    "use auto, jump or graph, or the metric steps",
                ))
            }
            method => Ok(method),
        }
    }

    fn run(&mut self, query: &Query, method: Method, way: &mut Way) -> Result<bool, ConfigError> {
        let mask = |search: &mut Option<MaskSearch>, water: &Water, tuning: Tuning, way: &mut Way| {
            let search = match search {
                Some(search) => search,
                None => search.insert(MaskSearch::new(water, tuning)?),
            };
            Ok::<bool, ConfigError>(search.find_into(query, method, way))
        };
        let found = match method {
            // Only depths are left to Auto.
            Method::Auto => {
                let depth = self.depth.get_or_insert_with(|| DepthSearch::new(&self.water));
                depth.find_into(query, way)
            }
            Method::Bfs => {
                let bfs = self.bfs.get_or_insert_with(|| MultiSourceAnyTargetBFS::new(&self.water));
                bfs.find_into(query, way)
            }
            Method::Wave => {
                let waves = self.waves.get_or_insert_with(|| Waves::new(&self.blocks));
                waves.find_into(&self.blocks, query, way)
            }
            Method::Pieces => mask(&mut self.corridor, &self.water, self.options.pieces, way)?,
            Method::Jump | Method::Graph => {
                let jumps = self.jumps.get_or_insert_with(|| Jumps::new(&self.water));
                if method == Method::Graph {
                    if self.pieces.is_stale() && jumps.lacks_landmarks(query.moves, query.metric) {
                        // Landmarks must reach every sea.
                        self.pieces.label(&self.blocks);
                    }
                    jumps.prepare(&self.blocks, &self.pieces, query.moves, query.metric);
                }
                way.method = method;
                jumps.find_into(&self.blocks, &self.pieces, query, way)
            }
            _ => mask(&mut self.document, &self.water, self.options.document, way)?,
        };
        Ok(found)
    }

    /// False if no source lies in the sea of a target.
    fn joined(&self, query: &Query) -> bool {
        let sea = |&pos: &Pos| self.pieces.sea(self.pieces.of(&self.blocks, pos));
        let first = sea(&query.targets[0]);
        query.sources.iter().any(|source| {
            let mine = sea(source);
            mine == first || query.targets.iter().any(|target| sea(target) == mine)
        })
    }

    fn repair(&mut self, changes: &[(Pos, bool)]) {
        let mut edited: Vec<usize> = changes.iter().map(|change| self.blocks.place(change.0).0).collect();
        edited.sort_unstable();
        edited.dedup();
        let wide = self.blocks.wide;
        for &block in &edited {
            for row in [block - wide, block, block + wide] {
                (row - 1..=row + 1).for_each(|block| self.blocks.renew_if_inside(block));
            }
        }
        let dried = changes.iter().any(|change| !change.1);
        let wetted = changes.iter().any(|change| change.1);
        self.pieces.renew(&self.blocks, &edited, dried);
        if let Some(waves) = &mut self.waves {
            waves.renew(&self.blocks, &edited);
        }
        for mask in [&mut self.document, &mut self.corridor] {
            match mask {
                Some(search) if !wetted => changes.iter().for_each(|change| search.dry(change.0)),
                _ => *mask = None,
            }
        }
        for &(pos, open) in changes {
            self.bfs.iter_mut().for_each(|bfs| bfs.set(pos, open));
            self.depth.iter_mut().for_each(|depth| depth.set(&self.water, pos));
        }
        if let Some(jumps) = &mut self.jumps {
            jumps.edit(changes);
        }
        self.last = None;
    }
}

fn octile(query: &Query) -> bool {
    query.metric == Metric::Octile && query.moves == Moves::Eight
}
