//! What a search tells, and the search under way that the telling describes.

use super::water::Water;
use std::fmt;
use wayforge_core::grid::{BitGrid, Pos};

/// One step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEvent {
    /// Water of a coarse cell may be visited from now on.
    Allow {
        /// The cell's upper left tile.
        corner: Pos,
        /// Its side in tiles.
        side: u16,
    },
    /// A tile is visited.
    Visit(Pos),
    /// The search ran out of tiles: its mask is widened, and it goes on.
    Widen,
    /// The search forgets what it visited and starts over in the wider mask.
    Restart,
    /// The mask was widened often enough: the search starts over on all water.
    Flood,
}

/// A search under way: what a trace has told so far.
///
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{Method, Navigator, Prepare, Query, SearchReplay, Water};
/// use wayforge_core::trace::Tape;
/// let water = Water::from_text("....\n.##.\n....")?;
/// let mut navigator = Navigator::new(&water, Prepare::None);
/// let mut tape = Tape::new(1000);
/// let query = Query::new([Pos::new(0, 0)], [Pos::new(3, 2)]).method(Method::MaskF2);
/// navigator.find_traced(&query, &mut tape)?.expect("there is a way");
/// let mut replay = SearchReplay::new(&water);
/// tape.events().iter().for_each(|event| replay.apply(event));
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
    /// Nothing is visited or allowed yet.
    pub fn new(water: &Water) -> SearchReplay {
        let none = BitGrid::new(water.size());
        SearchReplay { visited: none.clone(), allowed: none, expansions: 0 }
    }

    /// Takes one event over.
    pub fn apply(&mut self, event: &SearchEvent) {
        let size = self.visited.size();
        match *event {
            SearchEvent::Allow { corner, side } => self.allow(corner, side, side),
            SearchEvent::Visit(pos) if size.contains(pos) => self.visited.insert(pos),
            SearchEvent::Visit(_) => {}
            SearchEvent::Widen => self.expansions += 1,
            SearchEvent::Restart => self.visited.reset(size),
            SearchEvent::Flood => {
                self.visited.reset(size);
                self.allow(Pos::new(0, 0), size.width, size.height);
            }
        }
    }

    /// The tiles visited, since the search last started over.
    pub fn visited(&self) -> &BitGrid {
        &self.visited
    }

    /// The tiles inside the mask, land included; empty for a search without one.
    pub fn allowed(&self) -> &BitGrid {
        &self.allowed
    }

    /// How often the mask was widened.
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

/// What happens, in words.
impl fmt::Display for SearchEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchEvent::Allow { corner, side } => {
                write!(f, "{side} x {side} tiles from {},{} are allowed", corner.x, corner.y)
            }
            SearchEvent::Visit(pos) => write!(f, "{},{} is visited", pos.x, pos.y),
            SearchEvent::Widen => f.write_str("the mask is widened"),
            SearchEvent::Restart => f.write_str("the search starts over in the wider mask"),
            SearchEvent::Flood => f.write_str("the search starts over on all water"),
        }
    }
}
