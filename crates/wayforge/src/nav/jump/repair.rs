//! What an edit touches: where it lies, and which cones can have looked at it.

use super::bound::Rect;
use super::lines::{Lines, Run};
use crate::grid::Pos;

/// Beyond so many places at once it is cheaper to forget all lists.
pub(super) const MOST_CLUSTERS: usize = 64;

/// Rectangles around tiles that lie near each other; beyond [`MOST_CLUSTERS`] the last holds all the rest.
pub(super) fn clusters(tiles: impl Iterator<Item = Pos>) -> Vec<Rect> {
    let mut rects: Vec<Rect> = Vec::new();
    for pos in tiles {
        let here = Rect { low: pos, high: pos };
        let near = rects.iter().position(|rect| {
            let (dx, dy) = rect.away(pos);
            dx.max(dy) <= 16
        });
        match near.or((rects.len() > MOST_CLUSTERS).then_some(MOST_CLUSTERS)) {
            Some(i) => rects[i] = rects[i].with(here),
            None => rects.push(here),
        }
    }
    rects
}

/// Merges the two rectangles whose union is smallest.
pub(super) fn merge_nearest(rects: &mut Vec<Rect>) {
    let mut best = (u64::MAX, 0, 1);
    for i in 0..rects.len() {
        for j in i + 1..rects.len() {
            let both = rects[i].with(rects[j]);
            let side = |a: u16, b: u16| u64::from(b - a) + 1;
            let area = side(both.low.x, both.high.x) * side(both.low.y, both.high.y);
            best = best.min((area, i, j));
        }
    }
    let (_, i, j) = best;
    rects[i] = rects[i].with(rects[j]);
    rects.swap_remove(j);
}

/// Which cones an edit can have changed: those that look at a tile within one of the edited rectangle.
///
/// For each row of the rectangle `behind` says how far a run towards it may begin without meeting another stop first; the
/// stops outside are the same before and after the edit.
pub(super) struct Touch {
    low: (i32, i32),
    high: (i32, i32),
    /// By row: where runs to the east that reach the rectangle may begin at the earliest, and runs to the west at the latest.
    east: Vec<i32>,
    west: Vec<i32>,
    /// The same by column, for runs to the south and to the north.
    south: Vec<i32>,
    north: Vec<i32>,
}

impl Touch {
    pub(super) fn new(lines: &Lines, rect: Rect) -> Touch {
        let size = lines.size;
        let grow =
            |low: u16, high: u16, most: u16| (low.saturating_sub(1), high.saturating_add(1).min(most - 1));
        let (x0, x1) = grow(rect.low.x, rect.high.x, size.width);
        let (y0, y1) = grow(rect.low.y, rect.high.y, size.height);
        Touch {
            low: (x0.into(), y0.into()),
            high: (x1.into(), y1.into()),
            east: (y0..=y1).map(|y| lines.behind(Pos::new(x0, y), Run::East)).collect(),
            west: (y0..=y1).map(|y| lines.behind(Pos::new(x1, y), Run::West)).collect(),
            south: (x0..=x1).map(|x| lines.behind(Pos::new(x, y0), Run::South)).collect(),
            north: (x0..=x1).map(|x| lines.behind(Pos::new(x, y1), Run::North)).collect(),
        }
    }

    /// For a cone of eight: diagonal steps, and from each runs along its row and its column.
    pub(super) fn eight(&self, pos: Pos, (sx, sy): (i32, i32), reach: u16) -> bool {
        let (x, y, reach) = (i32::from(pos.x), i32::from(pos.y), i32::from(reach) + 1);
        // Most cones are short and far away: a diagonal that crosses neither the rows nor the columns touches nothing.
        let away = |at: i32, low: i32, high: i32| (low - at).max(at - high);
        if away(x, self.low.0, self.high.0) > reach && away(y, self.low.1, self.high.1) > reach {
            return false;
        }
        // The rows that the diagonal crosses and that the rectangle has, as steps from the start.
        let steps = |at: i32, sign: i32, low: i32, high: i32| {
            let (first, last) = if sign > 0 { (low - at, high - at) } else { (at - high, at - low) };
            first.max(0)..=last.min(reach)
        };
        for k in steps(y, sy, self.low.1, self.high.1) {
            let (row, from) = ((y + k * sy - self.low.1) as usize, x + k * sx);
            let touched = match sx > 0 {
                true => from >= self.east[row] && from <= self.high.0,
                false => from <= self.west[row] && from >= self.low.0,
            };
            if touched {
                return true;
            }
        }
        for k in steps(x, sx, self.low.0, self.high.0) {
            let (column, from) = ((x + k * sx - self.low.0) as usize, y + k * sy);
            let touched = match sy > 0 {
                true => from >= self.south[column] && from <= self.high.1,
                false => from <= self.north[column] && from >= self.low.1,
            };
            if touched {
                return true;
            }
        }
        false
    }

    /// For a cone of four: vertical steps, and from each runs along its row to both sides.
    pub(super) fn four(&self, pos: Pos, (_, sy): (i32, i32), reach: u16) -> bool {
        let (x, y, reach) = (i32::from(pos.x), i32::from(pos.y), i32::from(reach) + 1);
        let (low, high) = if sy > 0 { (y, y + reach) } else { (y - reach, y) };
        (low.max(self.low.1)..=high.min(self.high.1)).any(|row| {
            let i = (row - self.low.1) as usize;
            x >= self.east[i] && x <= self.high.0 || x <= self.west[i] && x >= self.low.0
        })
    }
}
