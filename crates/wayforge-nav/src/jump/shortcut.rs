//! Upper bound on the number of steps by which opened tiles can shorten a path.
//!
//! A path through opened tiles leaves the old open tiles at a tile `u` beside the opened ones and
//! returns at a tile `v`. Before the edit, `u` and `v` were `d` steps apart; now their distance is
//! at least the unobstructed one. So no path has become shorter by more than the maximum difference
//! of the two over all pairs. Measuring in a small box around the opened tiles is sufficient,
//! because distances inside the box are at least `d`. Most edits at the edge of an obstacle shorten
//! little or nothing.

use super::heuristic::Rect;
use super::scan_lines::ScanLines;
use crate::query::Connectivity;
use wayforge_core::grid::Pos;

/// Unknown bound: paths may have become shorter by any number of steps.
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// Margin in tiles around the opened tiles, in which detours are measured.
pub(super) const MARGIN: u16 = 12;
/// Maximum side of the box in tiles.
const MAX_SIDE: usize = 64;

/// Returns the maximum number of steps by which the opened tiles in `rect` can shorten a path.
///
/// `is_new` returns true for opened tiles.
pub(super) fn max_shortening(
    lines: &ScanLines,
    rect: Rect,
    connectivity: Connectivity,
    is_new: impl Fn(Pos) -> bool,
) -> u32 {
    let Rect { low, high } = rect.inflated(MARGIN, lines.size);
    let (width, height) = (usize::from(high.x - low.x) + 1, usize::from(high.y - low.y) + 1);
    if width > MAX_SIDE || height > MAX_SIDE {
        return UNBOUNDED;
    }
    let mut old = TileBox::default();
    let mut new = TileBox::default();
    for y in 0..height {
        for x in 0..width {
            let pos = Pos::new(low.x + x as u16, low.y + y as u16);
            if lines.rows.is_open(pos.x.into(), pos.y.into()) {
                let set = if is_new(pos) { &mut new } else { &mut old };
                set.0[y] |= 1 << x;
            }
        }
    }
    let boundary = new.with_neighbours().and(&old);
    let mut max = 0;
    for (y, x) in boundary.iter() {
        match max_detour(&old, &boundary, (x, y), connectivity) {
            UNBOUNDED => return UNBOUNDED,
            detour => max = max.max(detour),
        }
    }
    max
}

/// Returns the maximum detour from one tile to the tiles of `ends`, for paths inside `old`.
///
/// The detour is the length minus the unobstructed distance, or [`UNBOUNDED`] if no path exists.
fn max_detour(
    old: &TileBox,
    ends: &TileBox,
    (x, y): (usize, usize),
    connectivity: Connectivity,
) -> u32 {
    let mut reached = TileBox::default();
    reached.0[y] = 1 << x;
    let (mut remaining, mut max, mut level) = (*ends, 0, 0);
    remaining.0[y] &= !(1 << x);
    while !remaining.is_empty() {
        let next = reached.expanded(old, connectivity);
        if next.0 == reached.0 {
            return UNBOUNDED;
        }
        (reached, level) = (next, level + 1);
        for (to_y, to_x) in remaining.and(&reached).iter() {
            let (dx, dy) = (x.abs_diff(to_x) as u32, y.abs_diff(to_y) as u32);
            let unobstructed =
                if connectivity == Connectivity::Four { dx + dy } else { dx.max(dy) };
            max = max.max(level - unobstructed);
            remaining.0[to_y] &= !(1 << to_x);
        }
    }
    max
}

/// Set of tiles of the box, one word per row.
#[derive(Clone, Copy)]
struct TileBox([u64; MAX_SIDE]);

impl Default for TileBox {
    fn default() -> TileBox {
        TileBox([0; MAX_SIDE])
    }
}

impl TileBox {
    fn and(&self, other: &TileBox) -> TileBox {
        TileBox(std::array::from_fn(|y| self.0[y] & other.0[y]))
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    /// Returns the row and column of every tile.
    fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.into_iter().enumerate().flat_map(|(y, mut row)| {
            std::iter::from_fn(move || {
                let x = row.trailing_zeros() as usize;
                row &= row.wrapping_sub(1);
                (x < MAX_SIDE).then_some((y, x))
            })
        })
    }

    /// Returns the set extended by all eight neighbours of its tiles.
    fn with_neighbours(&self) -> TileBox {
        let widened = self.0.map(|row| row | row << 1 | row >> 1);
        let row = |y: usize| widened.get(y).copied().unwrap_or(0);
        TileBox(std::array::from_fn(|y| row(y) | row(y.wrapping_sub(1)) | row(y + 1)))
    }

    /// Returns the tiles of `allowed` within one step of the set; corners are not cut.
    fn expanded(&self, allowed: &TileBox, connectivity: Connectivity) -> TileBox {
        let row_of = |set: &TileBox, y: usize| set.0.get(y).copied().unwrap_or(0);
        TileBox(std::array::from_fn(|y| {
            let (row, open) = (self.0[y], allowed.0[y]);
            let mut next = row | row << 1 | row >> 1;
            for beside in [y.wrapping_sub(1), y + 1] {
                let (from, free) = (row_of(self, beside), row_of(allowed, beside));
                next |= from;
                if connectivity == Connectivity::Eight {
                    // A diagonal step is legal if both tiles beside it are open: `open` in this
                    // row, `free` in the other.
                    next |= (from & open) << 1 & free | (from & open) >> 1 & free;
                }
            }
            next & open
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NavGrid, Navigator, Preprocessing, Query};

    fn shortening_of(text: &str, connectivity: Connectivity) -> u32 {
        // `+` marks opened tiles.
        let grid = NavGrid::from_text(&text.replace('+', ".")).unwrap();
        let rows: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
        let is_new = |pos: Pos| rows[usize::from(pos.y)][usize::from(pos.x)] == b'+';
        let rect = Rect::bounding_box(grid.open().iter().filter(|&pos| is_new(pos))).unwrap();
        max_shortening(&ScanLines::new(&grid), rect, connectivity, is_new)
    }

    #[test]
    fn bound_is_zero_for_dents_small_for_removed_tips_and_unbounded_for_breaches() {
        assert_eq!(shortening_of("#++#\n....\n....", Connectivity::Eight), 0);
        assert_eq!(shortening_of("#++#\n####\n....", Connectivity::Four), 0, "an enclosed area");
        assert_eq!(shortening_of("..+..\n..#..\n.....", Connectivity::Four), 4);
        assert_eq!(shortening_of("..+..\n..#..\n.....", Connectivity::Eight), 4);
        assert_eq!(shortening_of(".+.\n.#.\n.#.", Connectivity::Eight), UNBOUNDED);
    }

    #[test]
    fn shortening_never_exceeds_the_bound() {
        let mut rng = wayforge_core::MapRng::from_u64(3);
        for round in 0..200 {
            let size = wayforge_core::grid::Size::new(14, 11);
            let open = wayforge_core::grid::BitGrid::from_cells(
                size,
                size.iter().filter(|_| rng.chance(3, 5)),
            );
            let before = NavGrid::new(open).unwrap();
            let mut after = before.clone();
            let corner = Pos::new(rng.below(12) as u16, rng.below(9) as u16);
            let opened: Vec<Pos> =
                (0..6).map(|n| Pos::new(corner.x + n % 2, corner.y + n / 3)).collect();
            let new: Vec<Pos> = opened.into_iter().filter(|&pos| !before.is_open(pos)).collect();
            new.iter().for_each(|&pos| after.set_open(pos, true));
            let Some(rect) = Rect::bounding_box(new.iter().copied()) else { continue };
            let mut navigators =
                [&before, &after].map(|grid| Navigator::new(grid, Preprocessing::None));
            let tiles: Vec<Pos> = before.open().iter().filter(|_| rng.chance(1, 6)).collect();
            for connectivity in [Connectivity::Four, Connectivity::Eight] {
                let max = max_shortening(&ScanLines::new(&after), rect, connectivity, |pos| {
                    new.contains(&pos)
                });
                for (&a, &b) in tiles.iter().zip(tiles.iter().rev()) {
                    let query = Query::between(a, b).connectivity(connectivity);
                    let [old, now] = navigators
                        .each_mut()
                        .map(|navigator| navigator.find(&query).unwrap().map(|path| path.steps()));
                    match (old, now) {
                        (None, Some(_)) => assert_eq!(max, UNBOUNDED, "round {round}"),
                        (Some(old), Some(now)) => {
                            assert!(old - now <= max, "round {round}: {old} {now} {max}")
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}
