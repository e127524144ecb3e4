//! Footprint of an edit: which successor lists it may have changed.

use super::heuristic::Rect;
use super::line_bitmap::LineBitmap;
use super::scan_lines::ScanLines;
use crate::query::Connectivity;
use wayforge_core::grid::Pos;

/// Maximum number of clusters of edited tiles; with more, discarding all lists is cheaper.
pub(super) const MAX_EDIT_CLUSTERS: usize = 256;

/// Groups nearby tiles into rectangles.
///
/// Beyond [`MAX_EDIT_CLUSTERS`] the last rectangle contains all remaining tiles.
pub(super) fn cluster_edits(tiles: impl Iterator<Item = Pos>) -> Vec<Rect> {
    let mut rects: Vec<Rect> = Vec::new();
    for pos in tiles {
        let tile = Rect::single(pos);
        let near = rects.iter().position(|rect| rect.is_within(16, tile));
        match near.or((rects.len() > MAX_EDIT_CLUSTERS).then_some(MAX_EDIT_CLUSTERS)) {
            Some(i) => rects[i] = rects[i].union(tile),
            None => rects.push(tile),
        }
    }
    rects
}

/// Footprint of an edit, which affects cones that read a tile within one tile of its rectangle.
#[derive(Clone, Debug)]
pub(super) struct EditFootprint {
    rows: Crossing,
    columns: Crossing,
}

/// Lines of one orientation that cross the rectangle of an edit, with the runs that reach it.
///
/// For each line it stores where a run must start to reach the rectangle without another stop. The
/// edit does not change stops outside the rectangle.
#[derive(Clone, Debug)]
struct Crossing {
    /// First and last line.
    lines: (i32, i32),
    /// First and last offset on each line.
    offsets: (i32, i32),
    /// Lowest start of upward runs on each line.
    up_starts: Vec<i32>,
    /// Highest start of downward runs on each line.
    down_starts: Vec<i32>,
    /// Minimum of `up_starts`. Comparing with it and `latest` excludes most lists at once.
    earliest: i32,
    /// Maximum of `down_starts`.
    latest: i32,
}

impl Crossing {
    fn new(bitmap: &LineBitmap, lines: (u16, u16), offsets: (u16, u16)) -> Crossing {
        let line_range = || usize::from(lines.0)..=usize::from(lines.1);
        let up_starts: Vec<i32> =
            line_range().map(|line| bitmap.previous_up_stop(line, offsets.0.into())).collect();
        let down_starts: Vec<i32> =
            line_range().map(|line| bitmap.previous_down_stop(line, offsets.1.into())).collect();
        Crossing {
            lines: (lines.0.into(), lines.1.into()),
            offsets: (offsets.0.into(), offsets.1.into()),
            earliest: up_starts.iter().copied().min().unwrap_or(0),
            latest: down_starts.iter().copied().max().unwrap_or(0),
            up_starts,
            down_starts,
        }
    }

    /// Returns true if lists that start in a rectangle may have runs that reach the edit along its
    /// lines.
    fn may_be_reached(&self, lines: (u16, u16), offsets: (u16, u16), reach: u16) -> bool {
        let reach = i32::from(reach) + 1;
        let may_overlap = |(low, high): (u16, u16), first: i32, last: i32| {
            i32::from(low) - reach <= last && i32::from(high) + reach >= first
        };
        may_overlap(lines, self.lines.0, self.lines.1)
            && may_overlap(offsets, self.earliest, self.latest)
    }

    /// Returns the first and last major step at which a cone from `line` crosses the edit's lines.
    fn steps(&self, line: i32, sign: i32, reach: i32) -> (i32, i32) {
        let (low, high) = (self.lines.0 - line, self.lines.1 - line);
        let (first, last) = if sign > 0 { (low, high) } else { (-high, -low) };
        (first.max(0), last.min(reach))
    }

    /// Returns true if a run from `offset` on `line` reaches the edit.
    fn is_reached(&self, line: i32, offset: i32, up: bool) -> bool {
        let index = (line - self.lines.0) as usize;
        if up {
            offset >= self.up_starts[index] && offset <= self.offsets.1
        } else {
            offset <= self.down_starts[index] && offset >= self.offsets.0
        }
    }

    /// Returns the first and last diagonal step at which a cone crosses the edit's lines, or
    /// [`NO_STEPS`] if no run from them reaches the edit.
    fn crossing_steps(
        &self,
        (line, step): (i32, i32),
        (offset, sign): (i32, i32),
        reach: i32,
    ) -> (i32, i32) {
        let (first, last) = self.steps(line, step, reach);
        // Cheap pre-check: the offsets at which the diagonal crosses the first and last line.
        let (first_offset, last_offset) = (offset + first * sign, offset + last * sign);
        let (begin, end) =
            if sign > 0 { (self.earliest, self.offsets.1) } else { (self.offsets.0, self.latest) };
        let may_reach = first <= last
            && first_offset.max(last_offset) >= begin
            && first_offset.min(last_offset) <= end;
        let reached = |k: i32| self.is_reached(line + k * step, offset + k * sign, sign > 0);
        if may_reach && (first..=last).any(reached) { (first, last) } else { NO_STEPS }
    }
}

impl EditFootprint {
    pub(super) fn new(lines: &ScanLines, rect: Rect) -> EditFootprint {
        let Rect { low, high } = rect.inflated(1, lines.size);
        let (x, y) = ((low.x, high.x), (low.y, high.y));
        EditFootprint {
            rows: Crossing::new(&lines.rows, y, x),
            columns: Crossing::new(&lines.columns, x, y),
        }
    }

    /// Returns true if the edit cannot affect any list that starts in the rectangle and has at most
    /// this reach.
    pub(super) fn cannot_affect(&self, Rect { low, high }: Rect, reach: u16) -> bool {
        let (x, y) = ((low.x, high.x), (low.y, high.y));
        !self.rows.may_be_reached(y, x, reach) && !self.columns.may_be_reached(x, y, reach)
    }

    /// Returns the parts of a list that the edit has made stale, or `None` if it does not affect
    /// the list.
    pub(super) fn stale_parts(
        &self,
        connectivity: Connectivity,
        from: Pos,
        (sx, sy): (i32, i32),
        reach: u16,
    ) -> Option<StaleParts> {
        let (x, y, reach) = (i32::from(from.x), i32::from(from.y), i32::from(reach));
        if connectivity == Connectivity::Four {
            let steps = self.rows.steps(y, sy, reach);
            let reached = |k: i32, up: bool| self.rows.is_reached(y + k * sy, x, up);
            let touched = (steps.0..=steps.1).any(|k| reached(k, true) || reached(k, false));
            let inside = (self.rows.offsets.0..=self.rows.offsets.1).contains(&x);
            return touched.then(|| StaleParts::new([steps, NO_STEPS], inside.then_some(steps)));
        }
        let rows = self.rows.crossing_steps((y, sy), (x, sx), reach);
        let columns = self.columns.crossing_steps((x, sx), (y, sy), reach);
        if rows == NO_STEPS && columns == NO_STEPS {
            return None;
        }
        // Where the diagonal itself crosses the edit, its runs start inside the edit. So both
        // ranges contain these steps.
        Some(StaleParts::new([rows, columns], Some((rows.0.max(columns.0), rows.1.min(columns.1)))))
    }
}

/// Empty range of steps.
const NO_STEPS: (i32, i32) = (0, -1);

/// Stale parts of a successor list: the runs at some major steps, and everything after a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StaleParts {
    /// Disjoint ranges of major steps, both ends included; empty if the last is before the first.
    parts: [(i32, i32); 2],
    /// First major step from which the line of major steps itself may have changed.
    pub(super) cut: Option<u16>,
}

impl StaleParts {
    /// The whole list.
    pub(super) const ALL: StaleParts = StaleParts { parts: [NO_STEPS; 2], cut: Some(0) };

    /// Combines the major steps whose runs are affected with the major steps inside the edit.
    fn new(parts: [(i32, i32); 2], inside: Option<(i32, i32)>) -> StaleParts {
        let cut = inside.filter(|(first, last)| first <= last).map(|(first, _)| first);
        let [mut first_part, mut second_part] = parts;
        if let Some(cut) = cut {
            (first_part.1, second_part.1) = (first_part.1.min(cut - 1), second_part.1.min(cut - 1));
        }
        if first_part.0 <= second_part.1 && second_part.0 <= first_part.1 {
            (first_part, second_part) =
                ((first_part.0.min(second_part.0), first_part.1.max(second_part.1)), NO_STEPS);
        }
        StaleParts { parts: [first_part, second_part], cut: cut.map(|cut| cut as u16) }
    }

    /// Returns the stale ranges before the cut, as half-open ranges.
    pub(super) fn parts(&self) -> impl Iterator<Item = (u16, u16)> {
        let ranges = self.parts.into_iter().filter(|(first, last)| first <= last);
        ranges.map(|(first, last)| (first as u16, last as u16 + 1))
    }

    /// Returns true if an edge after this many major steps is still correct.
    #[inline]
    pub(super) fn keeps(&self, major_steps: u16) -> bool {
        let major_steps = i32::from(major_steps);
        let recomputed = |&(first, last): &(i32, i32)| first <= major_steps && major_steps <= last;
        !self.parts.iter().any(recomputed)
            && self.cut.is_none_or(|cut| major_steps < i32::from(cut))
    }
}
