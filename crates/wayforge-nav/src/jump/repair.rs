//! What an edit touches: where it lies, and which cones can have looked at it.

use super::bound::Rect;
use super::lines::{Lines, Run};
use crate::query::Moves;
use wayforge_core::grid::Pos;

/// Beyond so many places at once it is cheaper to forget all lists.
pub(super) const MAX_CLUSTERS: usize = 256;

/// Rectangles around tiles that lie near each other; beyond [`MAX_CLUSTERS`] the last holds all the rest.
pub(super) fn clusters(tiles: impl Iterator<Item = Pos>) -> Vec<Rect> {
    let mut rects: Vec<Rect> = Vec::new();
    for pos in tiles {
        let here = Rect { low: pos, high: pos };
        let near = rects.iter().position(|rect| {
            let (dx, dy) = rect.away(pos);
            dx.max(dy) <= 16
        });
        match near.or((rects.len() > MAX_CLUSTERS).then_some(MAX_CLUSTERS)) {
            Some(i) => rects[i] = rects[i].with(here),
            None => rects.push(here),
        }
    }
    rects
}

/// Which cones an edit can have changed: those that look at a tile within one of the edited rectangle.
///
/// For each row of the rectangle `behind` says how far a run towards it may begin without meeting another stop first; the
/// stops outside are the same before and after the edit.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    low: (i32, i32),
    high: (i32, i32),
    /// By row: where runs to the east that reach the rectangle may begin at the earliest, and runs to the west at the latest.
    east: Vec<i32>,
    west: Vec<i32>,
    /// The same by column, for runs to the south and to the north.
    south: Vec<i32>,
    north: Vec<i32>,
    /// The least of `east` and `south`, the largest of `west` and `north`: most lists are told apart by these alone.
    first: (i32, i32),
    last: (i32, i32),
}

impl Touch {
    pub(super) fn new(lines: &Lines, rect: Rect) -> Touch {
        let size = lines.size;
        let grow =
            |low: u16, high: u16, most: u16| (low.saturating_sub(1), high.saturating_add(1).min(most - 1));
        let (x0, x1) = grow(rect.low.x, rect.high.x, size.width);
        let (y0, y1) = grow(rect.low.y, rect.high.y, size.height);
        let rows =
            |x: u16, run: Run| -> Vec<i32> { (y0..=y1).map(|y| lines.behind(Pos::new(x, y), run)).collect() };
        let columns =
            |y: u16, run: Run| -> Vec<i32> { (x0..=x1).map(|x| lines.behind(Pos::new(x, y), run)).collect() };
        let (east, west) = (rows(x0, Run::East), rows(x1, Run::West));
        let (south, north) = (columns(y0, Run::South), columns(y1, Run::North));
        let least = |list: &[i32]| list.iter().copied().min().unwrap_or(0);
        let most = |list: &[i32]| list.iter().copied().max().unwrap_or(0);
        Touch {
            low: (x0.into(), y0.into()),
            high: (x1.into(), y1.into()),
            first: (least(&east), least(&south)),
            last: (most(&west), most(&north)),
            east,
            west,
            south,
            north,
        }
    }

    /// True if no list that begins in `rect` and reaches no farther than `reach` can be touched: its major steps cross neither
    /// the edit's rows where runs along them come by, nor its columns.
    pub(super) fn is_far(&self, rect: Rect, reach: u16) -> bool {
        let reach = i32::from(reach) + 1;
        let may = |low: u16, high: u16, first: i32, last: i32| {
            i32::from(low) - reach <= last && i32::from(high) + reach >= first
        };
        let (x, y) = ((rect.low.x, rect.high.x), (rect.low.y, rect.high.y));
        let by_row = may(y.0, y.1, self.low.1, self.high.1) && may(x.0, x.1, self.first.0, self.last.0);
        let by_column = may(x.0, x.1, self.low.0, self.high.0) && may(y.0, y.1, self.first.1, self.last.1);
        !by_row && !by_column
    }

    /// What of a list the edit has made stale; nothing if it does not touch it.
    pub(super) fn stale(&self, moves: Moves, from: Pos, (sx, sy): (i32, i32), reach: u16) -> Option<Stale> {
        let (x, y, reach) = (i32::from(from.x), i32::from(from.y), i32::from(reach));
        // The major steps at which a list crosses the edit's rows, or columns.
        let steps = |at: i32, sign: i32, low: i32, high: i32| {
            let (first, last) = if sign > 0 { (low - at, high - at) } else { (at - high, at - low) };
            (first.max(0), last.min(reach))
        };
        let east = |row: usize, from: i32| from >= self.east[row] && from <= self.high.0;
        let west = |row: usize, from: i32| from <= self.west[row] && from >= self.low.0;
        let rows = steps(y, sy, self.low.1, self.high.1);
        let row = |k: i32| (y + k * sy - self.low.1) as usize;
        if moves == Moves::Four {
            let touched = (rows.0..=rows.1).any(|k| east(row(k), x) || west(row(k), x));
            let inside = (self.low.0..=self.high.0).contains(&x);
            return touched.then(|| Stale::new([rows, NO_STEPS], inside.then_some(rows)));
        }
        let columns = steps(x, sx, self.low.0, self.high.0);
        let column = |k: i32| (x + k * sx - self.low.0) as usize;
        let aside = |k: i32| match sx > 0 {
            true => east(row(k), x + k * sx),
            false => west(row(k), x + k * sx),
        };
        let updown = |k: i32| match (sy > 0, y + k * sy) {
            (true, from) => from >= self.south[column(k)] && from <= self.high.1,
            (false, from) => from <= self.north[column(k)] && from >= self.low.1,
        };
        // Where the diagonal is while it crosses the edit's rows, or columns: within the longest run's reach at all?
        let may = |at: i32, sign: i32, (first, last): (i32, i32), begin: i32, end: i32| {
            let (one, two) = (at + first * sign, at + last * sign);
            first <= last && one.max(two) >= begin && one.min(two) <= end
        };
        let across = if sx > 0 { (self.first.0, self.high.0) } else { (self.low.0, self.last.0) };
        let down = if sy > 0 { (self.first.1, self.high.1) } else { (self.low.1, self.last.1) };
        let by_row = may(x, sx, rows, across.0, across.1) && (rows.0..=rows.1).any(aside);
        let by_column = may(y, sy, columns, down.0, down.1) && (columns.0..=columns.1).any(updown);
        let rows = if by_row { rows } else { NO_STEPS };
        let columns = if by_column { columns } else { NO_STEPS };
        if rows == NO_STEPS && columns == NO_STEPS {
            return None;
        }
        // Where the diagonal itself crosses the edit, runs from it do so too: no step of that is left out above.
        Some(Stale::new([rows, columns], Some((rows.0.max(columns.0), rows.1.min(columns.1)))))
    }
}

const NO_STEPS: (i32, i32) = (0, -1);

/// What of a list has to be worked out anew: the runs from some major steps, and everything from one of them on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stale {
    /// First and last major steps, both included, without a step in common; none if the last is before the first.
    parts: [(i32, i32); 2],
    /// Where the major steps themselves may lead elsewhere, or end elsewhere.
    pub(super) cut: Option<u16>,
}

impl Stale {
    /// From the major steps whose runs are touched, and those that are themselves within the edit.
    fn new(parts: [(i32, i32); 2], inside: Option<(i32, i32)>) -> Stale {
        let cut = inside.filter(|(first, last)| first <= last).map(|(first, _)| first);
        let [mut one, mut two] = parts;
        if let Some(cut) = cut {
            (one.1, two.1) = (one.1.min(cut - 1), two.1.min(cut - 1));
        }
        if one.0 <= two.1 && two.0 <= one.1 {
            (one, two) = ((one.0.min(two.0), one.1.max(two.1)), NO_STEPS);
        }
        Stale { parts: [one, two], cut: cut.map(|cut| cut as u16) }
    }

    /// The first major step of each part before the cut, and the one after its last.
    pub(super) fn parts(&self) -> impl Iterator<Item = (u16, u16)> {
        let some = self.parts.into_iter().filter(|(first, last)| first <= last);
        some.map(|(first, last)| (first as u16, last as u16 + 1))
    }

    /// True if an edge after so many major steps is as it was.
    #[inline]
    pub(super) fn keeps(&self, slant: u16) -> bool {
        let slant = i32::from(slant);
        let renewed = |&(first, last): &(i32, i32)| first <= slant && slant <= last;
        !self.parts.iter().any(renewed) && self.cut.is_none_or(|cut| slant < i32::from(cut))
    }
}
