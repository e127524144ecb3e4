//! Animations of shortest-path searches.

use super::{Frames, MAX_PICTURES, Replay, animate};
use crate::chart::{ChartPainter, NavGridChart};
use crate::png::{DrawError, rgb_bytes};
use crate::theme::Theme;
use wayforge::WorkLimit;
use wayforge::grid::{BitGrid, Pos};
use wayforge::nav::{NavGrid, Path, Query, SearchEvent, SearchReplay};

/// State of a search on a navigation grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchScene {
    /// Tiles visited so far.
    pub visited: BitGrid,
    /// Tiles inside the mask; `None` for a search without a mask.
    pub allowed: Option<BitGrid>,
    /// Number of mask expansions so far.
    pub expansions: u32,
    /// The path; empty until the last step.
    pub path: Vec<Pos>,
}

/// Steps of a search, with a scene for each. A step groups at most about 1 percent of all visits
/// and ends before a mask expansion, restart or fallback. The last step shows the path.
///
/// # Examples
///
/// ```
/// use wayforge::grid::Pos;
/// use wayforge::nav::{Method, Navigator, Preprocessing, Query, NavGrid};
/// use wayforge::trace::Recorder;
/// use wayforge_draw::SearchFrames;
/// let grid = NavGrid::from_text("....\n.##.\n....")?;
/// let query = Query::new([Pos::new(0, 0)], [Pos::new(3, 2)]).method(Method::Bfs);
/// let mut recorder = Recorder::new(1000);
/// let path = Navigator::new(&grid, Preprocessing::None).find_traced(&query, &mut recorder)?;
/// let last = SearchFrames::new(&grid, recorder.events(), path.as_ref()).last().unwrap();
/// assert_eq!((last.scene.path.len(), last.text.as_str()), (6, "a path of 5 steps"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SearchFrames<'a> = Frames<SearchSteps<'a>>;

/// Replays the events of a search.
#[derive(Clone, Debug)]
pub struct SearchSteps<'a> {
    grid: &'a NavGrid,
    /// Events of each remaining step but the last.
    steps: std::vec::IntoIter<&'a [SearchEvent]>,
    replay: SearchReplay,
    path: Option<&'a Path>,
    /// Whether the last step is still to be shown.
    last_step_pending: bool,
    masked: bool,
}

impl<'a> SearchFrames<'a> {
    /// Returns the steps of `events`, recorded by a search on `grid` that found `path`.
    pub fn new(
        grid: &'a NavGrid,
        events: &'a [SearchEvent],
        path: Option<&'a Path>,
    ) -> SearchFrames<'a> {
        let visits = events.iter().filter(|event| matches!(event, SearchEvent::Visit(_))).count();
        let visits_per_step = visits.div_ceil(MAX_PICTURES * 2 / 3).max(1);
        // If nothing happens before the first boundary, an empty step shows the initial state.
        let mut steps = Vec::new();
        if events.first().is_none_or(is_boundary) {
            steps.push(&events[..0]);
        }
        let mut visits_in_step = 0;
        steps.extend(events.chunk_by(|event, next| {
            visits_in_step += usize::from(matches!(event, SearchEvent::Visit(_)));
            let is_same_step = visits_in_step < visits_per_step && !is_boundary(next);
            visits_in_step *= usize::from(is_same_step);
            is_same_step
        }));
        let masked = events.iter().any(|event| matches!(event, SearchEvent::Allow { .. }));
        let (steps, replay) = (steps.into_iter(), SearchReplay::new(grid));
        Frames(SearchSteps { grid, steps, replay, path, last_step_pending: true, masked })
    }
}

impl Replay for SearchSteps<'_> {
    type Scene = SearchScene;
    type Step = String;

    fn advance(&mut self) -> Option<String> {
        if let Some(step) = self.steps.next() {
            let before = self.replay.visited().len();
            step.iter().for_each(|event| self.replay.apply(event));
            let visited = self.replay.visited().len();
            return Some(match step.first().filter(|event| is_boundary(event)) {
                Some(boundary) => format!("{boundary}, {visited} tiles visited"),
                None => {
                    let new = visited.saturating_sub(before);
                    format!("{new} more tiles visited, {visited} in total")
                }
            });
        }
        std::mem::take(&mut self.last_step_pending).then(|| match self.path {
            Some(path) => format!("a path of {} steps", path.steps()),
            None => "no path exists".to_owned(),
        })
    }

    fn scene(&self) -> SearchScene {
        SearchScene {
            visited: self.replay.visited().clone(),
            allowed: self.masked.then(|| self.replay.allowed().clone()),
            expansions: self.replay.expansions(),
            path: match self.path {
                Some(path) if !self.last_step_pending => path.tiles.clone(),
                _ => Vec::new(),
            },
        }
    }

    fn describe(&self, step: &String) -> String {
        step.clone()
    }

    fn remaining(&self) -> usize {
        self.steps.len() + usize::from(self.last_step_pending)
    }
}

/// Returns whether an event starts a new step.
fn is_boundary(event: &SearchEvent) -> bool {
    matches!(event, SearchEvent::Widen | SearchEvent::Restart | SearchEvent::Fallback)
}

/// Renders a search for a query as an animated PNG: the mask, the visited tiles, and finally the
/// path.
///
/// The longer side has about `side` pixels; `side` is clamped to the range 64 to 8,192.
///
/// # Errors
/// [`DrawError::Render`] if the animation is too large.
///
/// # Complexity
/// O(pictures * tiles).
pub fn search_animation(
    frames: SearchFrames<'_>,
    query: &Query,
    theme: Theme,
    side: u32,
) -> Result<Vec<u8>, DrawError> {
    search_animation_within(frames, query, theme, side, &WorkLimit::UNLIMITED)
}

/// Like [`search_animation`], with at most the work of `limit`.
///
/// # Errors
/// The same as [`search_animation`], and [`DrawError::Stopped`].
pub fn search_animation_within(
    frames: SearchFrames<'_>,
    query: &Query,
    theme: Theme,
    side: u32,
    limit: &WorkLimit,
) -> Result<Vec<u8>, DrawError> {
    let grid = frames.0.grid;
    let painter = ChartPainter::new(grid, theme, side);
    animate(frames, usize::MAX, limit, |scene| {
        let paths = if scene.path.is_empty() { Vec::new() } else { vec![scene.path] };
        let (sources, targets) = (&*query.sources, &*query.targets);
        let chart =
            NavGridChart { grid, visited: Some(&scene.visited), paths: &paths, sources, targets };
        let pixels = painter.paint(&chart, scene.allowed.as_ref(), false)?;
        Ok(((pixels.width(), pixels.height()), rgb_bytes(&pixels)))
    })
}

/// Renders a search as text, at most `columns` wide.
///
/// `#` is a blocked tile, `o` a tile of the path, `*` a visited tile, `:` an unvisited tile inside
/// the mask, and `.` any other open tile; `S` and `T` are sources and targets. On large grids a
/// character covers several tiles and is the last of `: * o T S` that occurs in them. If none
/// occurs, it is `.` if at least half of the tiles are open, otherwise `#`.
///
/// # Examples
///
/// ```
/// use wayforge::grid::{BitGrid, Pos};
/// use wayforge::nav::{Query, NavGrid};
/// use wayforge_draw::{SearchScene, search_ascii};
/// let grid = NavGrid::from_text("...\n.#.")?;
/// let visited = BitGrid::from_cells(grid.size(), [Pos::new(0, 0), Pos::new(1, 0)]);
/// let scene = SearchScene { visited, allowed: None, expansions: 0, path: Vec::new() };
/// let query = Query::new([Pos::new(0, 0)], [Pos::new(2, 1)]);
/// assert_eq!(search_ascii(&grid, &query, &scene, 80), "S*.\n.#T\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search_ascii(grid: &NavGrid, query: &Query, scene: &SearchScene, columns: usize) -> String {
    let size = grid.size();
    let tiles_per_column = usize::from(size.width).div_ceil(columns.max(1)).max(1);
    // Characters are about twice as tall as wide.
    let tiles_per_line = if tiles_per_column > 1 { 2 * tiles_per_column } else { 1 };
    let width = usize::from(size.width).div_ceil(tiles_per_column);
    let height = usize::from(size.height).div_ceil(tiles_per_line);
    // Later characters take precedence over earlier ones.
    const CHARACTERS: &[u8; 7] = b"#.:*oTS";
    let mut cells = vec![(0_u8, 0_u32); width * height];
    let at = |pos: Pos| {
        usize::from(pos.y) / tiles_per_line * width + usize::from(pos.x) / tiles_per_column
    };
    for pos in size.iter().filter(|&pos| grid.is_open(pos)) {
        cells[at(pos)].1 += 1;
    }
    for cell in &mut cells {
        cell.0 = u8::from(2 * cell.1 as usize >= tiles_per_column * tiles_per_line);
    }
    let mut mark = |pos: Pos, rank: u8| {
        if size.contains(pos) {
            cells[at(pos)].0 = cells[at(pos)].0.max(rank);
        }
    };
    if let Some(allowed) = &scene.allowed {
        allowed.iter().filter(|&pos| grid.is_open(pos)).for_each(|pos| mark(pos, 2));
    }
    scene.visited.iter().for_each(|pos| mark(pos, 3));
    scene.path.iter().for_each(|&pos| mark(pos, 4));
    query.targets.iter().for_each(|&pos| mark(pos, 5));
    query.sources.iter().for_each(|&pos| mark(pos, 6));
    let mut text = String::with_capacity((width + 1) * height);
    for row in cells.chunks(width) {
        row.iter().for_each(|cell| text.push(char::from(CHARACTERS[usize::from(cell.0)])));
        text.push('\n');
    }
    text
}
