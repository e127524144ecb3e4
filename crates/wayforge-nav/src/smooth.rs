//! Path smoothing by greedy string pulling (Pinter 2001): keeps only the tiles where the smoothed
//! path turns.

use super::corridor::all_on_line;
use super::nav_grid::NavGrid;
use wayforge_core::grid::Pos;

/// Removes the tiles between each remaining tile and a far tile in its line of sight.
pub(super) fn smooth(grid: &NavGrid, tiles: &mut Vec<Pos>) {
    let mut len = 0;
    let mut anchor = 0;
    while anchor < tiles.len() {
        tiles[len] = tiles[anchor];
        len += 1;
        if anchor + 1 == tiles.len() {
            break;
        }
        anchor = far_visible(anchor, tiles.len(), |to| {
            has_line_of_sight(grid, tiles[anchor], tiles[to])
        });
    }
    tiles.truncate(len);
}

/// Returns the index of a far tile that is visible from `anchor`, by exponential and binary search.
///
/// The index is below `len`, and not always the farthest. `anchor + 1` must be visible.
pub(super) fn far_visible(anchor: usize, len: usize, is_visible: impl Fn(usize) -> bool) -> usize {
    let (mut visible, mut reach) = ((anchor + 1).min(len - 1), 2);
    while anchor + reach < len && is_visible(anchor + reach) {
        (visible, reach) = (anchor + reach, 2 * reach);
    }
    let mut limit = (anchor + reach).min(len);
    while visible + 1 < limit {
        let middle = visible.midpoint(limit);
        if is_visible(middle) {
            visible = middle;
        } else {
            limit = middle;
        }
    }
    visible
}

/// Returns true if the straight line between two tiles crosses open tiles only.
///
/// Where the line steps diagonally, both tiles beside the step must be open.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{NavGrid, has_line_of_sight};
/// let grid = NavGrid::from_text("....\n..#.\n....")?;
/// assert!(has_line_of_sight(&grid, Pos::new(0, 0), Pos::new(3, 0)));
/// assert!(!has_line_of_sight(&grid, Pos::new(0, 0), Pos::new(3, 2)));
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
pub fn has_line_of_sight(grid: &NavGrid, from: Pos, to: Pos) -> bool {
    let mut previous = from;
    all_on_line(from, to, |pos| {
        let corners = (Pos::new(pos.x, previous.y), Pos::new(previous.x, pos.y));
        previous = pos;
        grid.is_open(pos) && grid.is_open(corners.0) && grid.is_open(corners.1)
    })
}
