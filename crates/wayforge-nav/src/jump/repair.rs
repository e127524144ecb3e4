//! What an edit touches: where it lies, and which cones can have looked at it.

use super::bound::Rect;
use super::lines::Lines;
use super::plane::Plane;
use crate::query::Moves;
use wayforge_core::grid::Pos;

/// Beyond so many places at once it is cheaper to forget all lists.
pub(super) const MAX_CLUSTERS: usize = 256;

/// Rectangles around tiles that lie near each other; beyond [`MAX_CLUSTERS`] the last holds all the rest.
pub(super) fn clusters(tiles: impl Iterator<Item = Pos>) -> Vec<Rect> {
    let mut rects: Vec<Rect> = Vec::new();
    for pos in tiles {
        let here = Rect::at(pos);
        let near = rects.iter().position(|rect| rect.is_within(16, here));
        match near.or((rects.len() > MAX_CLUSTERS).then_some(MAX_CLUSTERS)) {
            Some(i) => rects[i] = rects[i].with(here),
            None => rects.push(here),
        }
    }
    rects
}

/// Which cones an edit can have changed: those that look at a tile within one of the edited rectangle.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    rows: Crossing,
    columns: Crossing,
}

/// The lines of one orientation that cross an edit's rectangle, and where runs along them may begin that reach it without
/// meeting another stop first; the stops outside are the same before and after the edit.
#[derive(Clone, Debug)]
struct Crossing {
    /// First and last line.
    lines: (i32, i32),
    /// First and last place on each line.
    places: (i32, i32),
    /// By line: where runs towards higher places may begin at the earliest, and runs towards lower places at the latest.
    up: Vec<i32>,
    down: Vec<i32>,
    /// The least of `up` and the largest of `down`: most lists are told apart by these alone.
    earliest: i32,
    latest: i32,
}

impl Crossing {
    fn new(plane: &Plane, lines: (u16, u16), places: (u16, u16)) -> Crossing {
        let numbers = || usize::from(lines.0)..=usize::from(lines.1);
        let up: Vec<i32> = numbers().map(|line| plane.behind_up(line, places.0.into())).collect();
        let down: Vec<i32> = numbers().map(|line| plane.behind_down(line, places.1.into())).collect();
        Crossing {
            lines: (lines.0.into(), lines.1.into()),
            places: (places.0.into(), places.1.into()),
            earliest: up.iter().copied().min().unwrap_or(0),
            latest: down.iter().copied().max().unwrap_or(0),
            up,
            down,
        }
    }

    /// True if a list that begins on these lines at these places may cross the edit's lines where runs along them come by.
    fn may_meet(&self, lines: (u16, u16), places: (u16, u16), reach: u16) -> bool {
        let reach = i32::from(reach) + 1;
        let may = |(low, high): (u16, u16), first: i32, last: i32| {
            i32::from(low) - reach <= last && i32::from(high) + reach >= first
        };
        may(lines, self.lines.0, self.lines.1) && may(places, self.earliest, self.latest)
    }

    /// The first and last major step at which a list from a line crosses the edit's lines.
    fn steps(&self, line: i32, sign: i32, reach: i32) -> (i32, i32) {
        let (low, high) = (self.lines.0 - line, self.lines.1 - line);
        let (first, last) = if sign > 0 { (low, high) } else { (-high, -low) };
        (first.max(0), last.min(reach))
    }

    /// True if a run from a place of a line, towards higher or lower places, reaches the edit.
    fn is_reached(&self, line: i32, place: i32, up: bool) -> bool {
        let at = (line - self.lines.0) as usize;
        match up {
            true => place >= self.up[at] && place <= self.places.1,
            false => place <= self.down[at] && place >= self.places.0,
        }
    }

    /// The first and last diagonal step at which a list crosses the edit's lines, if runs from some of them reach it.
    fn crossed(&self, (line, step): (i32, i32), (place, sign): (i32, i32), reach: i32) -> (i32, i32) {
        let (first, last) = self.steps(line, step, reach);
        // Where the diagonal is while it crosses the lines: within the longest run's reach at all?
        let (one, two) = (place + first * sign, place + last * sign);
        let (begin, end) =
            if sign > 0 { (self.earliest, self.places.1) } else { (self.places.0, self.latest) };
        let may = first <= last && one.max(two) >= begin && one.min(two) <= end;
        let reached = |k: i32| self.is_reached(line + k * step, place + k * sign, sign > 0);
        if may && (first..=last).any(reached) { (first, last) } else { NO_STEPS }
    }
}

impl Touch {
    pub(super) fn new(lines: &Lines, rect: Rect) -> Touch {
        let Rect { low, high } = rect.grown(1, lines.size);
        let (x, y) = ((low.x, high.x), (low.y, high.y));
        Touch { rows: Crossing::new(&lines.rows, y, x), columns: Crossing::new(&lines.columns, x, y) }
    }

    /// True if no list that begins in `rect` and reaches no farther than `reach` can be touched: its major steps cross neither
    /// the edit's rows where runs along them come by, nor its columns.
    pub(super) fn is_far(&self, Rect { low, high }: Rect, reach: u16) -> bool {
        let (x, y) = ((low.x, high.x), (low.y, high.y));
        !self.rows.may_meet(y, x, reach) && !self.columns.may_meet(x, y, reach)
    }

    /// What of a list the edit has made stale; nothing if it does not touch it.
    pub(super) fn stale(&self, moves: Moves, from: Pos, (sx, sy): (i32, i32), reach: u16) -> Option<Stale> {
        let (x, y, reach) = (i32::from(from.x), i32::from(from.y), i32::from(reach));
        if moves == Moves::Four {
            let steps = self.rows.steps(y, sy, reach);
            let reached = |k: i32, up: bool| self.rows.is_reached(y + k * sy, x, up);
            let touched = (steps.0..=steps.1).any(|k| reached(k, true) || reached(k, false));
            let inside = (self.rows.places.0..=self.rows.places.1).contains(&x);
            return touched.then(|| Stale::new([steps, NO_STEPS], inside.then_some(steps)));
        }
        let rows = self.rows.crossed((y, sy), (x, sx), reach);
        let columns = self.columns.crossed((x, sx), (y, sy), reach);
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
    /// A list of which nothing is known.
    pub(super) const WHOLE: Stale = Stale { parts: [NO_STEPS; 2], cut: Some(0) };

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
