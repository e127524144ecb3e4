//! Smoothing: only the tiles where a way turns, as far apart as they see each other.

use super::corridor::each_on_line;
use super::water::Water;
use wayforge_core::grid::Pos;

/// Leaves out every tile between two that see each other, as far as a greedy walk from the source finds.
pub(super) fn smooth(water: &Water, tiles: &mut Vec<Pos>) {
    let mut kept = 0;
    let mut anchor = 0;
    while anchor < tiles.len() {
        tiles[kept] = tiles[anchor];
        kept += 1;
        if anchor + 1 == tiles.len() {
            break;
        }
        anchor = farthest(anchor, tiles.len(), |to| in_sight(water, tiles[anchor], tiles[to]));
    }
    tiles.truncate(kept);
}

/// Returns an index below `len` that `anchor` sees: far, if not always the farthest. Exponential, then binary search; neighbours
/// see each other.
pub(super) fn farthest(anchor: usize, len: usize, sees: impl Fn(usize) -> bool) -> usize {
    let (mut good, mut reach) = ((anchor + 1).min(len - 1), 2);
    while anchor + reach < len && sees(anchor + reach) {
        (good, reach) = (anchor + reach, 2 * reach);
    }
    let mut bad = (anchor + reach).min(len);
    while good + 1 < bad {
        let middle = good.midpoint(bad);
        match sees(middle) {
            true => good = middle,
            false => bad = middle,
        }
    }
    good
}

/// True if a straight line between two tiles crosses water only; where it passes between two tiles, both are water.
///
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{Water, in_sight};
/// let water = Water::from_text("....\n..#.\n....")?;
/// assert!(in_sight(&water, Pos::new(0, 0), Pos::new(3, 0)));
/// assert!(!in_sight(&water, Pos::new(0, 0), Pos::new(3, 2)));
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
pub fn in_sight(water: &Water, from: Pos, to: Pos) -> bool {
    let mut last = from;
    each_on_line(from, to, |pos| {
        let beside = (Pos::new(pos.x, last.y), Pos::new(last.x, pos.y));
        last = pos;
        water.is_open(pos) && water.is_open(beside.0) && water.is_open(beside.1)
    })
}
