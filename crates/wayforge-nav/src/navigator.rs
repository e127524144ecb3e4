//! The front door: one grid, any question, by whichever method serves best.

use super::bfs::MultiSourceAnyTargetBFS;
use super::blocks::Blocks;
use super::depth::DepthSearch;
use super::ends::Ends;
use super::field::{DistanceField, count_distances};
use super::jump::Jumps;
use super::mask::MaskSearch;
use super::options::{Options, Prepare};
use super::pieces::Pieces;
use super::query::{Counts, Method, Moves, Query, Way};
use super::search_trace::SearchEvent;
use super::smooth::smooth;
use super::straighten::Straightener;
use super::water::Water;
use super::waves::Waves;
use wayforge_core::InputError;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// A grid that is ready for questions, with the memory to answer them in.
///
/// * **Guarantees.** With [`Method::Auto`] every answer is [exact](super::Guarantee::Exact), whatever the preparation and whatever was
///   edited. Paths of every method are straightened: over open water they do not zigzag.
/// * **Complexity.** See `docs/ways.md`. After the first queries of a kind nothing is allocated by
///   [`find_into`](Navigator::find_into), and a query touches only what it visits.
///
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{Navigator, Prepare, Query, Water};
/// let water = Water::from_text("....#...\n.##.#.#.\n........")?;
/// let mut navigator = Navigator::new(&water, Prepare::Full);
/// let query = Query::between(Pos::new(0, 0), Pos::new(7, 0));
/// assert_eq!(navigator.find(&query)?.unwrap().steps(), 11);
/// navigator.edit(&[(Pos::new(4, 0), true)])?;
/// assert_eq!(navigator.find(&query)?.unwrap().steps(), 7);
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Navigator {
    pub(super) water: Water,
    pub(super) options: Options,
    pub(super) blocks: Blocks,
    pub(super) pieces: Pieces,
    ends: Ends,
    straightener: Straightener,
    pub(super) waves: Option<Waves>,
    pub(super) bfs: Option<MultiSourceAnyTargetBFS>,
    /// Corridor searches, of the document's methods and of [`Method::Pieces`].
    pub(super) masks: [Option<MaskSearch>; 2],
    pub(super) jumps: Option<Jumps>,
    pub(super) depth: Option<DepthSearch>,
    /// What answered last, for [`visited`](Self::visited).
    pub(super) last: Option<Method>,
}

impl Navigator {
    /// Makes a grid ready, for eight neighbours and steps.
    pub fn new(water: &Water, prepare: Prepare) -> Navigator {
        Navigator::prepared(water, Options { prepare, ..Options::default() })
    }

    /// Makes a grid ready as the options say; refuses a corridor that is out of range.
    pub fn with(water: &Water, options: Options) -> Result<Navigator, InputError> {
        options.document.check("document.")?;
        options.pieces.check("pieces.")?;
        Ok(Navigator::prepared(water, options))
    }

    /// The grid as it is now.
    pub fn water(&self) -> &Water {
        &self.water
    }

    /// Answers a query. No way is `None`; a source or target that is no water tile is an error.
    pub fn find(&mut self, query: &Query) -> Result<Option<Way>, InputError> {
        let mut way = Way::default();
        Ok(self.find_into(query, &mut way)?.then_some(way))
    }

    /// Answers a query into a way whose memory is reused; false, with the counts alone set, if there is none.
    pub fn find_into(&mut self, query: &Query, way: &mut Way) -> Result<bool, InputError> {
        self.answer(query, way, &mut ())
    }

    /// Answers a query, and tells how: which tiles are visited, in their order, and how a mask is widened. See
    /// [`SearchReplay`](super::SearchReplay).
    ///
    /// Searches that do not go tile by tile have nothing to tell and are refused: name the method `bfs`, `restart`, `mask-f1`,
    /// `mask-f2`, `mask-optimal` or `pieces`.
    pub fn find_traced(
        &mut self,
        query: &Query,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Result<Option<Way>, InputError> {
        query.check(&self.water)?;
        let method = self.choose(query)?;
        if matches!(method, Method::Auto | Method::Wave | Method::Jump | Method::Graph) {
            return Err(InputError::new(
                "method",
                method.name(),
                "it does not go tile by tile, so that there are no steps to show",
                "use bfs, restart, mask-f1, mask-f2, mask-optimal or pieces",
            ));
        }
        let mut way = Way::default();
        let found = self.answer(query, &mut way, tracer)?;
        if let (Some(Method::Bfs), Some(bfs)) = (self.last, &self.bfs) {
            bfs.visits().for_each(|pos| tracer.tell(SearchEvent::Visit(pos)));
        }
        Ok(found.then_some(way))
    }

    fn answer(
        &mut self,
        query: &Query,
        way: &mut Way,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Result<bool, InputError> {
        query.check(&self.water)?;
        let method = self.choose(query)?;
        way.counts = Counts::default();
        way.depth = None;
        self.last = None;
        if !self.ends.join(&self.blocks, &self.pieces, query) {
            return Ok(false);
        }
        let found = self.run(query, method, way, tracer);
        if !found && self.pieces.is_stale() {
            // Land has parted a sea since the seas were labelled. The next such question is refused at once.
            self.pieces.label(&self.blocks);
        }
        self.last = Some(method);
        if found {
            match self.depth.as_ref().filter(|_| method == Method::Auto) {
                Some(depth) => self.straightener.straighten(way, query, |run| depth.is_clear(run)),
                // Rows and columns of jump points hold 64 tiles a word, blocks eight of a line.
                None => self.straightener.straighten(way, query, |run| match &self.jumps {
                    Some(jumps) if !run.is_diagonal() => jumps.is_clear(run),
                    _ => self.blocks.is_clear(run),
                }),
            }
            way.set_ends(query);
        }
        if found && query.smooth {
            smooth(&self.water, &mut way.tiles);
        }
        Ok(found && !way.tiles.is_empty())
    }

    /// The distance in steps of every tile from the nearest of many sources.
    ///
    /// ```
    /// use wayforge_core::grid::Pos;
    /// use wayforge_nav::{Moves, Navigator, Prepare, Water};
    /// let water = Water::from_text("...#.\n.#.#.\n...#.")?;
    /// let field = Navigator::new(&water, Prepare::None).distance_field(&[Pos::new(0, 0)], Moves::Four)?;
    /// assert_eq!(field.get(Pos::new(2, 2)), Some(4));
    /// assert_eq!(field.get(Pos::new(4, 0)), None);
    /// # Ok::<(), wayforge_core::InputError>(())
    /// ```
    pub fn distance_field(&self, sources: &[Pos], moves: Moves) -> Result<DistanceField, InputError> {
        Query::new(sources.iter().copied(), sources.iter().copied()).check(&self.water)?;
        Ok(count_distances(&self.blocks, sources, moves))
    }

    /// The tiles that the last query visited; for jump points those alone. Empty if no search was needed.
    pub fn visited(&self) -> BitGrid {
        let mut set = BitGrid::new(self.water.size());
        match self.last {
            None => {}
            Some(Method::Auto) => self.depth.iter().for_each(|depth| set = depth.visited()),
            Some(Method::Bfs) => self.bfs.iter().for_each(|bfs| set = bfs.visited()),
            Some(Method::Wave) => self.waves.iter().for_each(|waves| waves.mark(&self.blocks, &mut set)),
            Some(Method::Jump | Method::Graph) => self.jumps.iter().for_each(|jumps| jumps.mark(&mut set)),
            Some(method) => self.masks[mask_of(method)].iter().for_each(|mask| mask.mark(&mut set)),
        }
        set
    }

    /// The region that the last query's guarantee refers to: the final corridor of a corridor method, water of the depth
    /// kept to, or all water. Empty if no search was needed.
    ///
    /// A path inside the region visits only its tiles. Both tiles beside a diagonal step must be water, but with a corridor
    /// they may lie outside the region.
    pub fn region(&self) -> BitGrid {
        let mut region = BitGrid::new(self.water.size());
        match self.last {
            None => {}
            Some(Method::Auto) => self.depth.iter().for_each(|depth| region = depth.region(&self.water)),
            Some(method) if method.has_corridor() => {
                self.masks[mask_of(method)].iter().for_each(|mask| mask.mark_region(&mut region))
            }
            Some(_) => region = self.water.open().clone(),
        }
        region
    }

    /// Bytes of what [`Prepare::Full`] works out: lists and landmarks.
    pub fn prepared_bytes(&self) -> usize {
        self.jumps.as_ref().map_or(0, Jumps::bytes)
    }

    /// A navigator for options whose corridors are in range.
    fn prepared(water: &Water, options: Options) -> Navigator {
        let blocks = Blocks::new(water);
        let mut navigator = Navigator {
            water: water.clone(),
            options,
            pieces: Pieces::new(&blocks),
            blocks,
            ends: Ends::default(),
            straightener: Straightener::default(),
            waves: None,
            bfs: None,
            masks: [None, None],
            jumps: None,
            depth: None,
            last: None,
        };
        match options.prepare {
            Prepare::None => {}
            Prepare::Coarse => {
                navigator.masks[mask_of(Method::Pieces)] = Some(MaskSearch::new(water, options.pieces))
            }
            Prepare::Full => {
                let jumps = navigator.jumps.insert(Jumps::new(water));
                jumps.prepare(&navigator.blocks, &navigator.pieces, options.moves, options.metric);
            }
        }
        navigator
    }

    fn run(
        &mut self,
        query: &Query,
        method: Method,
        way: &mut Way,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> bool {
        let water = &self.water;
        match method {
            // Only depths are left to Auto.
            Method::Auto => self.depth.get_or_insert_with(|| DepthSearch::new(water)).find_into(query, way),
            Method::Bfs => {
                self.bfs.get_or_insert_with(|| MultiSourceAnyTargetBFS::new(water)).find_into(query, way)
            }
            Method::Wave => {
                let waves = self.waves.get_or_insert_with(|| Waves::new(&self.blocks));
                waves.find_into(&self.blocks, query, way)
            }
            Method::Jump | Method::Graph => {
                let jumps = self.jumps.get_or_insert_with(|| Jumps::new(water));
                if method == Method::Graph {
                    if self.pieces.is_stale() && jumps.lacks_landmarks(query.moves, query.metric) {
                        // Landmarks must reach every sea.
                        self.pieces.label(&self.blocks);
                    }
                    jumps.prepare(&self.blocks, &self.pieces, query.moves, query.metric);
                }
                way.method = method;
                jumps.find_into(&self.blocks, &self.pieces, (query, &self.ends), way)
            }
            _ => {
                let slot = mask_of(method);
                let corridor = [self.options.document, self.options.pieces][slot];
                let mask = self.masks[slot].get_or_insert_with(|| MaskSearch::new(water, corridor));
                mask.find_into(query, method, way, tracer)
            }
        }
    }
}

/// The place of a corridor method's search in [`Navigator::masks`].
fn mask_of(method: Method) -> usize {
    usize::from(method == Method::Pieces)
}
