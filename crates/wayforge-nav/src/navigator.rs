//! Navigator: selects a search method for each query and owns the state of all methods.

use super::bfs::MultiSourceBfs;
use super::bidirectional_bfs::BidirectionalBfs;
use super::blocks::Blocks;
use super::components::Components;
use super::depth::DepthSearch;
use super::distance_field::{DistanceField, compute_distance_field};
use super::ends::Ends;
use super::jump::JumpPointSearch;
use super::mask::MaskExpandingBfs;
use super::nav_grid::NavGrid;
use super::options::{Options, Preprocessing};
use super::query::{Connectivity, Method, Path, Query, SearchStats};
use super::search_trace::SearchEvent;
use super::smooth::smooth;
use super::straighten::Straightener;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;
use wayforge_core::{InputError, Stopped, Work, WorkLimit};

/// Shortest-path queries on a grid that may change.
///
/// `Navigator` owns a copy of the grid, optional preprocessing and scratch buffers. With
/// [`Method::Auto`] every path is [exact](super::Guarantee::Exact), regardless of preprocessing and
/// edits. Paths of all methods are straightened, so they do not zigzag over open tiles.
///
/// # Complexity
/// `docs/pathfinding.md` lists the cost of each method. After warm-up,
/// [`find_into`](Navigator::find_into) does not allocate, and its cost depends only on what it
/// visits.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{NavGrid, Navigator, Preprocessing, Query};
/// let grid = NavGrid::from_text("....#...\n.##.#.#.\n........")?;
/// let mut navigator = Navigator::new(&grid, Preprocessing::Full);
/// let query = Query::between(Pos::new(0, 0), Pos::new(7, 0));
/// assert_eq!(navigator.find(&query)?.unwrap().steps(), 11);
/// navigator.edit(&[(Pos::new(4, 0), true)])?;
/// assert_eq!(navigator.find(&query)?.unwrap().steps(), 7);
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Navigator {
    pub(super) grid: NavGrid,
    pub(super) options: Options,
    pub(super) blocks: Blocks,
    pub(super) components: Components,
    ends: Ends,
    straightener: Straightener,
    pub(super) bidirectional: Option<BidirectionalBfs>,
    pub(super) bfs: Option<MultiSourceBfs>,
    /// Corridor searches: the mask methods, then [`Method::Components`]; see [`mask_slot`].
    pub(super) masks: [Option<MaskExpandingBfs>; 2],
    pub(super) jps: Option<JumpPointSearch>,
    pub(super) depth: Option<DepthSearch>,
    /// Method of the last query, for [`visited`](Self::visited) and [`region`](Self::region).
    pub(super) last: Option<Method>,
}

impl Navigator {
    /// Creates a navigator whose preprocessing is for eight neighbours and step counts.
    pub fn new(grid: &NavGrid, preprocessing: Preprocessing) -> Navigator {
        Navigator::build(grid, Options { preprocessing, ..Options::default() })
    }

    /// Creates a navigator with explicit options.
    ///
    /// # Errors
    /// A corridor option is out of range.
    pub fn with_options(grid: &NavGrid, options: Options) -> Result<Navigator, InputError> {
        options.mask_corridor.check("mask_corridor.")?;
        options.components_corridor.check("components_corridor.")?;
        Ok(Navigator::build(grid, options))
    }

    /// Returns the current grid, including edits.
    pub fn grid(&self) -> &NavGrid {
        &self.grid
    }

    /// Finds a shortest path from any source to any target.
    ///
    /// Returns `Ok(None)` if no path exists.
    ///
    /// # Errors
    /// A source or target is blocked or outside the grid, or the method does not support the query.
    pub fn find(&mut self, query: &Query) -> Result<Option<Path>, InputError> {
        let mut path = Path::default();
        Ok(self.find_into(query, &mut path)?.then_some(path))
    }

    /// Like [`find`](Self::find), but writes the result into `path` and reuses its memory.
    ///
    /// Returns `Ok(false)` if no path exists; then only `path.stats` is meaningful.
    ///
    /// # Errors
    /// The same as [`find`](Self::find).
    pub fn find_into(&mut self, query: &Query, path: &mut Path) -> Result<bool, InputError> {
        self.find_with_tracer(query, path, &mut (), &Work::default())
    }

    /// Like [`find_into`](Self::find_into), but the search and any preprocessing that it needs use
    /// at most `limit`. Returns `Ok(Err(_))` if the work was stopped.
    ///
    /// # Errors
    /// The same as [`find`](Self::find).
    ///
    /// # Examples
    /// ```
    /// use wayforge_core::grid::{BitGrid, Pos, Size};
    /// use wayforge_nav::{NavGrid, Navigator, Path, Preprocessing, Query, WorkLimit};
    /// let size = Size::new(500, 500);
    /// let open = size.iter().filter(|pos| pos.x % 3 > 0 || pos.y % 7 == 0);
    /// let grid = NavGrid::new(BitGrid::from_cells(size, open))?;
    /// let mut navigator = Navigator::new(&grid, Preprocessing::None);
    /// let query = Query::between(Pos::new(1, 1), Pos::new(499, 499));
    /// let mut path = Path::default();
    /// assert!(navigator.find_within(&query, &mut path, &WorkLimit::steps(10))?.is_err());
    /// assert_eq!(navigator.find_within(&query, &mut path, &WorkLimit::UNLIMITED)?, Ok(true));
    /// # Ok::<(), wayforge_core::InputError>(())
    /// ```
    pub fn find_within(
        &mut self,
        query: &Query,
        path: &mut Path,
        limit: &WorkLimit,
    ) -> Result<Result<bool, Stopped>, InputError> {
        let work = limit.start();
        let found = self.find_with_tracer(query, path, &mut (), &work)?;
        Ok(work.check().map(|()| found))
    }

    /// Like [`find`](Self::find), but records visited tiles and mask expansions in order.
    ///
    /// A [`SearchReplay`](super::SearchReplay) turns the events back into sets of tiles.
    ///
    /// # Errors
    /// The same as [`find`](Self::find), or the method does not search tile by tile. Use `bfs`,
    /// `restart`, `mask-f1`, `mask-f2`, `mask-optimal` or `components`.
    pub fn find_traced(
        &mut self,
        query: &Query,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Result<Option<Path>, InputError> {
        // Unlimited work does not stop.
        Ok(self.find_traced_within(query, tracer, &WorkLimit::UNLIMITED)?.unwrap_or_default())
    }

    /// Like [`find_traced`](Self::find_traced), with at most the work of `limit`. Returns
    /// `Ok(Err(_))` if the work was stopped.
    ///
    /// # Errors
    /// The same as [`find_traced`](Self::find_traced).
    pub fn find_traced_within(
        &mut self,
        query: &Query,
        tracer: &mut impl Tracer<SearchEvent>,
        limit: &WorkLimit,
    ) -> Result<Result<Option<Path>, Stopped>, InputError> {
        query.validate(&self.grid)?;
        let method = self.choose(query)?;
        if matches!(method, Method::Auto | Method::Bidirectional | Method::Jps | Method::JpsGraph) {
            return Err(InputError::new(
                "method",
                method.name(),
                "does not search tile by tile, so it has no steps to record",
                "use bfs, restart, mask-f1, mask-f2, mask-optimal or components",
            ));
        }
        let (mut path, work) = (Path::default(), limit.start());
        let found = self.find_with_tracer(query, &mut path, tracer, &work)?;
        if let (Some(Method::Bfs), Some(bfs)) = (self.last, &self.bfs) {
            bfs.visit_order().for_each(|pos| tracer.record(SearchEvent::Visit(pos)));
        }
        Ok(work.check().map(|()| found.then_some(path)))
    }

    fn find_with_tracer(
        &mut self,
        query: &Query,
        path: &mut Path,
        tracer: &mut impl Tracer<SearchEvent>,
        work: &Work,
    ) -> Result<bool, InputError> {
        query.validate(&self.grid)?;
        let method = self.choose(query)?;
        path.stats = SearchStats::default();
        path.depth = None;
        self.last = None;
        if !self.ends.select(&self.blocks, &self.components, query) {
            return Ok(false);
        }
        let found = self.run(query, method, path, tracer, work) && work.stopped().is_none();
        if !found && self.components.is_stale() {
            // Blocked tiles may have split a component since it was labelled. With new labels, the
            // next such query fails without a search.
            self.components.relabel(&self.blocks);
        }
        self.last = Some(method);
        if found {
            match self.depth.as_ref().filter(|_| method == Method::Auto) {
                Some(depth) => self.straightener.straighten(path, query, |run| depth.is_clear(run)),
                // Scan lines test 64 tiles per word, blocks at most eight.
                None => self.straightener.straighten(path, query, |run| match &self.jps {
                    Some(jps) if !run.is_diagonal() => jps.is_clear(run),
                    _ => self.blocks.is_clear(run),
                }),
            }
            path.set_ends(query);
        }
        if found && query.smooth {
            smooth(&self.grid, &mut path.tiles);
        }
        Ok(found && !path.tiles.is_empty())
    }

    /// Returns the distance in steps of every tile to the nearest source.
    ///
    /// # Errors
    /// `sources` is empty, or a source is blocked or outside the grid.
    ///
    /// # Complexity
    /// O(tiles).
    ///
    /// # Examples
    /// ```
    /// use wayforge_core::grid::Pos;
    /// use wayforge_nav::{Connectivity, NavGrid, Navigator, Preprocessing};
    /// let grid = NavGrid::from_text("...#.\n.#.#.\n...#.")?;
    /// let navigator = Navigator::new(&grid, Preprocessing::None);
    /// let field = navigator.distance_field(&[Pos::new(0, 0)], Connectivity::Four)?;
    /// assert_eq!(field.get(Pos::new(2, 2)), Some(4));
    /// assert_eq!(field.get(Pos::new(4, 0)), None);
    /// # Ok::<(), wayforge_core::InputError>(())
    /// ```
    pub fn distance_field(
        &self,
        sources: &[Pos],
        connectivity: Connectivity,
    ) -> Result<DistanceField, InputError> {
        Query::new(sources.iter().copied(), sources.iter().copied()).validate(&self.grid)?;
        Ok(compute_distance_field(&self.blocks, sources, connectivity))
    }

    /// Returns the tiles visited by the last query; with jump point search, the jump points
    /// reached.
    ///
    /// The set is empty if no search was needed.
    pub fn visited(&self) -> BitGrid {
        let mut set = BitGrid::new(self.grid.size());
        match self.last {
            None => {}
            Some(Method::Auto) => self.depth.iter().for_each(|depth| set = depth.visited()),
            Some(Method::Bfs) => self.bfs.iter().for_each(|bfs| set = bfs.visited()),
            Some(Method::Bidirectional) => self
                .bidirectional
                .iter()
                .for_each(|bidirectional| bidirectional.add_visited(&self.blocks, &mut set)),
            Some(Method::Jps | Method::JpsGraph) => {
                self.jps.iter().for_each(|jps| jps.add_visited(&mut set))
            }
            Some(method) => {
                self.masks[mask_slot(method)].iter().for_each(|mask| mask.add_visited(&mut set))
            }
        }
        set
    }

    /// Returns the region that the last query's guarantee refers to.
    ///
    /// This is the final corridor of a corridor method, the tiles of sufficient magnitude if depths
    /// were given, or all open tiles. The set is empty if no search was needed.
    ///
    /// The search visits only tiles of its region. With a corridor, the two tiles beside a diagonal
    /// step may be outside the region, and straightening may move the path out of the region
    /// without changing its length.
    pub fn region(&self) -> BitGrid {
        let mut region = BitGrid::new(self.grid.size());
        match self.last {
            None => {}
            Some(Method::Auto) => {
                self.depth.iter().for_each(|depth| region = depth.region(&self.grid))
            }
            Some(method) if method.has_corridor() => {
                self.masks[mask_slot(method)].iter().for_each(|mask| mask.add_region(&mut region))
            }
            Some(_) => region = self.grid.open().clone(),
        }
        region
    }

    /// Returns the memory used by successor lists and landmarks, in bytes.
    pub fn preprocessing_bytes(&self) -> usize {
        self.jps.as_ref().map_or(0, JumpPointSearch::bytes)
    }

    /// Builds a navigator; the corridor options must be in range.
    fn build(grid: &NavGrid, options: Options) -> Navigator {
        let blocks = Blocks::new(grid);
        let mut navigator = Navigator {
            grid: grid.clone(),
            options,
            components: Components::new(&blocks),
            blocks,
            ends: Ends::default(),
            straightener: Straightener::default(),
            bidirectional: None,
            bfs: None,
            masks: [None, None],
            jps: None,
            depth: None,
            last: None,
        };
        match options.preprocessing {
            Preprocessing::None => {}
            Preprocessing::Coarse => {
                navigator.masks[mask_slot(Method::Components)] =
                    Some(MaskExpandingBfs::new(grid, options.components_corridor))
            }
            Preprocessing::Full => {
                let jps = navigator.jps.insert(JumpPointSearch::new(grid));
                jps.preprocess(
                    &navigator.blocks,
                    &navigator.components,
                    (options.connectivity, options.metric),
                    &Work::default(),
                );
            }
        }
        navigator
    }

    fn run(
        &mut self,
        query: &Query,
        method: Method,
        path: &mut Path,
        tracer: &mut impl Tracer<SearchEvent>,
        work: &Work,
    ) -> bool {
        let grid = &self.grid;
        match method {
            // `choose` returns `Auto` only for queries with depths.
            Method::Auto => {
                let depth = self.depth.get_or_insert_with(|| DepthSearch::new(grid));
                depth.find_into(query, path, work)
            }
            Method::Bfs => {
                let bfs = self.bfs.get_or_insert_with(|| MultiSourceBfs::new(grid));
                bfs.find_filtered(query, path, |_| true, work)
            }
            Method::Bidirectional => {
                let bidirectional =
                    self.bidirectional.get_or_insert_with(|| BidirectionalBfs::new(&self.blocks));
                bidirectional.find_into(&self.blocks, query, path, work)
            }
            Method::Jps | Method::JpsGraph => {
                let jps = self.jps.get_or_insert_with(|| JumpPointSearch::new(grid));
                if method == Method::JpsGraph {
                    if self.components.is_stale()
                        && jps.lacks_landmarks(query.connectivity, query.metric)
                    {
                        // Landmarks are selected per connected component, so its labels must be
                        // current.
                        self.components.relabel(&self.blocks);
                    }
                    jps.preprocess(
                        &self.blocks,
                        &self.components,
                        (query.connectivity, query.metric),
                        work,
                    );
                }
                path.method = method;
                jps.find_into(&self.blocks, &self.components, (query, &self.ends), path, work)
            }
            _ => {
                let slot = mask_slot(method);
                let corridor = [self.options.mask_corridor, self.options.components_corridor][slot];
                let mask =
                    self.masks[slot].get_or_insert_with(|| MaskExpandingBfs::new(grid, corridor));
                mask.find_into(query, method, path, tracer, work)
            }
        }
    }
}

/// Returns the index of a corridor method's search in [`Navigator::masks`].
fn mask_slot(method: Method) -> usize {
    usize::from(method == Method::Components)
}
