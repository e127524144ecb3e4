//! Searches for shortest paths.

use super::{Frames, MAX_PICTURES, Replay, animate};
use crate::chart::{Chart, Easel};
use crate::png::{DrawError, opaque};
use crate::theme::Theme;
use wayforge::grid::{BitGrid, Pos};
use wayforge::nav::{Query, SearchEvent, SearchReplay, Water, Way};

/// A search under way over its map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchScene {
    /// The tiles visited so far.
    pub visited: BitGrid,
    /// The tiles inside the mask; none for a search without one.
    pub allowed: Option<BitGrid>,
    /// How often the mask was widened.
    pub expansions: u32,
    /// The way, once it is found.
    pub way: Vec<Pos>,
}

/// The steps of a search, many visits at a time: all up to a widening, or so many that there are about a hundred steps. The last
/// one shows the way.
///
/// ```
/// use wayforge::grid::Pos;
/// use wayforge::nav::{Method, Navigator, Prepare, Query, Water};
/// use wayforge::trace::Tape;
/// use wayforge_draw::SearchFrames;
/// let water = Water::from_text("....\n.##.\n....")?;
/// let query = Query::new([Pos::new(0, 0)], [Pos::new(3, 2)]).method(Method::Bfs);
/// let mut tape = Tape::new(1000);
/// let way = Navigator::new(&water, Prepare::None).find_traced(&query, &mut tape)?;
/// let last = SearchFrames::new(&water, tape.events(), way.as_ref()).last().unwrap();
/// assert_eq!((last.scene.way.len(), last.text.as_str()), (6, "a way of 5 steps"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SearchFrames<'a> = Frames<SearchSteps<'a>>;

/// The events of a search, replayed.
#[derive(Clone, Debug)]
pub struct SearchSteps<'a> {
    events: &'a [SearchEvent],
    /// Where each step but the last ends.
    ends: std::vec::IntoIter<usize>,
    done: usize,
    replay: SearchReplay,
    way: Option<&'a Way>,
    /// False once the last step has been shown.
    is_open: bool,
    masked: bool,
}

impl<'a> SearchFrames<'a> {
    /// The steps of `events`, recorded by a search over `water` that found `way`.
    pub fn new(water: &Water, events: &'a [SearchEvent], way: Option<&'a Way>) -> SearchFrames<'a> {
        let visits = events.iter().filter(|event| matches!(event, SearchEvent::Visit(_))).count();
        let at_a_time = visits.div_ceil(MAX_PICTURES * 2 / 3).max(1);
        let (mut ends, mut since) = (Vec::new(), 0);
        for (at, event) in events.iter().enumerate() {
            match event {
                SearchEvent::Visit(_) => since += 1,
                SearchEvent::Allow { .. } => {}
                _ => {
                    ends.push(at);
                    since = 0;
                }
            }
            if since == at_a_time {
                ends.push(at + 1);
                since = 0;
            }
        }
        ends.push(events.len());
        ends.dedup();
        let masked = events.iter().any(|event| matches!(event, SearchEvent::Allow { .. }));
        let replay = SearchReplay::new(water);
        Frames(SearchSteps { events, ends: ends.into_iter(), done: 0, replay, way, is_open: true, masked })
    }
}

impl Replay for SearchSteps<'_> {
    type Scene = SearchScene;
    type Step = String;

    fn advance(&mut self) -> Option<String> {
        if let Some(end) = self.ends.next() {
            let (from, before) = (self.done, self.replay.visited().len());
            self.events[from..end].iter().for_each(|event| self.replay.apply(event));
            self.done = end;
            let visited = self.replay.visited().len();
            let beat = self.events[from..end].first().filter(|event| {
                matches!(event, SearchEvent::Widen | SearchEvent::Restart | SearchEvent::Flood)
            });
            return Some(match beat {
                Some(beat) => format!("{beat}, {visited} tiles visited"),
                None => format!("{} more, {visited} tiles visited", visited.saturating_sub(before)),
            });
        }
        std::mem::take(&mut self.is_open).then(|| match self.way {
            Some(way) => format!("a way of {} steps", way.steps()),
            None => "there is no way".to_owned(),
        })
    }

    fn scene(&self) -> SearchScene {
        SearchScene {
            visited: self.replay.visited().clone(),
            allowed: self.masked.then(|| self.replay.allowed().clone()),
            expansions: self.replay.expansions(),
            way: self.way.filter(|_| !self.is_open).map_or(Vec::new(), |way| way.tiles.clone()),
        }
    }

    fn describe(&self, step: &String) -> String {
        step.clone()
    }

    fn remaining(&self) -> usize {
        self.ends.len() + usize::from(self.is_open)
    }
}

/// Draws a search as animated PNG: the mask, the tiles it visits, and the way at the end.
///
/// * **Arguments.** The map, the query, the events that the search recorded, the way that it found, the theme, and the longer side in
///   pixels, 64 to 8,192.
/// * **Complexity.** O(pictures * tiles).
pub fn search_animation(
    water: &Water,
    query: &Query,
    events: &[SearchEvent],
    way: Option<&Way>,
    theme: Theme,
    side: u32,
) -> Result<Vec<u8>, DrawError> {
    let easel = Easel::new(water, theme, side);
    animate(SearchFrames::new(water, events, way), usize::MAX, |scene| {
        let ways = if scene.way.is_empty() { Vec::new() } else { vec![scene.way] };
        let (sources, targets) = (&*query.sources, &*query.targets);
        let chart = Chart { water, visited: Some(&scene.visited), ways: &ways, sources, targets };
        let pixels = easel.paint(&chart, scene.allowed.as_ref(), false)?;
        Ok(((pixels.width(), pixels.height()), opaque(&pixels)))
    })
}

/// Draws a search as text, at most `columns` wide: `#` is land, `o` the way, `*` a visited tile, `:` water inside the mask
/// that was not visited, `.` other water; `S` and `T` are sources and targets. On large maps a character stands for several tiles,
/// and shows the rarest of them.
///
/// ```
/// use wayforge::grid::{BitGrid, Pos};
/// use wayforge::nav::{Query, Water};
/// use wayforge_draw::{SearchScene, search_ascii};
/// let water = Water::from_text("...\n.#.")?;
/// let visited = BitGrid::of(water.size(), [Pos::new(0, 0), Pos::new(1, 0)]);
/// let scene = SearchScene { visited, allowed: None, expansions: 0, way: Vec::new() };
/// let query = Query::new([Pos::new(0, 0)], [Pos::new(2, 1)]);
/// assert_eq!(search_ascii(&water, &query, &scene, 80), "S*.\n.#T\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search_ascii(water: &Water, query: &Query, scene: &SearchScene, columns: usize) -> String {
    let size = water.size();
    let across = usize::from(size.width).div_ceil(columns.max(1)).max(1);
    // Characters are about twice as tall as wide.
    let down = if across > 1 { 2 * across } else { 1 };
    let (wide, high) = (usize::from(size.width).div_ceil(across), usize::from(size.height).div_ceil(down));
    // The rarest things stand last, and above the others.
    const MARKS: &[u8; 7] = b"#.:*oTS";
    let mut cells = vec![(0_u8, 0_u32); wide * high];
    let at = |pos: Pos| usize::from(pos.y) / down * wide + usize::from(pos.x) / across;
    for pos in size.iter().filter(|&pos| water.is_open(pos)) {
        cells[at(pos)].1 += 1;
    }
    for cell in &mut cells {
        cell.0 = u8::from(2 * cell.1 as usize >= across * down || (across == 1 && cell.1 > 0));
    }
    let mut mark = |pos: Pos, rank: u8| {
        if size.contains(pos) {
            let cell = &mut cells[at(pos)].0;
            *cell = (*cell).max(rank);
        }
    };
    if let Some(allowed) = &scene.allowed {
        allowed.iter().filter(|&pos| water.is_open(pos)).for_each(|pos| mark(pos, 2));
    }
    scene.visited.iter().for_each(|pos| mark(pos, 3));
    scene.way.iter().for_each(|&pos| mark(pos, 4));
    query.targets.iter().for_each(|&pos| mark(pos, 5));
    query.sources.iter().for_each(|&pos| mark(pos, 6));
    let mut text = String::with_capacity((wide + 1) * high);
    for row in cells.chunks(wide) {
        row.iter().for_each(|cell| text.push(char::from(MARKS[usize::from(cell.0)])));
        text.push('\n');
    }
    text
}
