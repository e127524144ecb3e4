//! Search events and their replay.

use super::nav_grid::NavGrid;
use std::fmt;
use wayforge_core::grid::{BitGrid, Pos};

/// Event of a search. Exhaustive, because replays must handle every event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEvent {
    /// The mask now allows the open tiles of a coarse cell.
    Allow {
        /// Upper left tile of the cell.
        corner: Pos,
        /// Side of the cell in tiles.
        side: u16,
    },
    /// A tile is visited.
    Visit(Pos),
    /// The queue is empty: the mask is widened.
    Widen,
    /// The search discards its visits and restarts in the wider mask.
    Restart,
    /// The guardrail is reached: the search restarts on all open tiles.
    Fallback,
}

/// State of a search after a prefix of its events.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{Method, NavGrid, Navigator, Preprocessing, Query, SearchReplay};
/// use wayforge_core::trace::Recorder;
/// let grid = NavGrid::from_text("....\n.##.\n....")?;
/// let mut navigator = Navigator::new(&grid, Preprocessing::None);
/// let mut recorder = Recorder::new(1000);
/// let query = Query::new([Pos::new(0, 0)], [Pos::new(3, 2)]).method(Method::MaskF2);
/// navigator.find_traced(&query, &mut recorder)?.expect("connected");
/// let mut replay = SearchReplay::new(&grid);
/// recorder.events().iter().for_each(|event| replay.apply(event));
/// assert_eq!(*replay.visited(), navigator.visited());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchReplay {
    visited: BitGrid,
    allowed: BitGrid,
    expansions: u32,
}

impl SearchReplay {
    /// Creates the state before the first event: nothing is visited or allowed.
    pub fn new(grid: &NavGrid) -> SearchReplay {
        let none = BitGrid::new(grid.size());
        SearchReplay { visited: none.clone(), allowed: none, expansions: 0 }
    }

    /// Applies one event.
    pub fn apply(&mut self, event: &SearchEvent) {
        let size = self.visited.size();
        match *event {
            SearchEvent::Allow { corner, side } => self.allow(corner, side, side),
            SearchEvent::Visit(pos) if size.contains(pos) => self.visited.insert(pos),
            SearchEvent::Visit(_) => {}
            SearchEvent::Widen => self.expansions += 1,
            SearchEvent::Restart => self.visited.reset(size),
            SearchEvent::Fallback => {
                self.visited.reset(size);
                self.allow(Pos::new(0, 0), size.width, size.height);
            }
        }
    }

    /// Returns the tiles visited since the last restart.
    pub fn visited(&self) -> &BitGrid {
        &self.visited
    }

    /// Returns the tiles inside the mask, blocked ones included; empty for searches without a mask.
    pub fn allowed(&self) -> &BitGrid {
        &self.allowed
    }

    /// Returns the number of times the mask was widened.
    pub fn expansions(&self) -> u32 {
        self.expansions
    }

    fn allow(&mut self, corner: Pos, width: u16, height: u16) {
        let size = self.allowed.size();
        let (right, bottom) = (
            corner.x.saturating_add(width).min(size.width),
            corner.y.saturating_add(height).min(size.height),
        );
        if corner.x < right {
            (corner.y..bottom).for_each(|y| self.allowed.insert_run(y, corner.x, right - 1));
        }
    }
}

/// Describes the event in one English clause.
impl fmt::Display for SearchEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchEvent::Allow { corner, side } => {
                write!(f, "{side} x {side} tiles from {},{} are allowed", corner.x, corner.y)
            }
            SearchEvent::Visit(pos) => write!(f, "{},{} is visited", pos.x, pos.y),
            SearchEvent::Widen => f.write_str("the mask is widened"),
            SearchEvent::Restart => f.write_str("the search restarts in the wider mask"),
            SearchEvent::Fallback => f.write_str("the search restarts on all open tiles"),
        }
    }
}
