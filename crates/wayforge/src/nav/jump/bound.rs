//! Lower bounds on what is left of a way: where the targets lie, and what the landmarks know of them.

use super::landmarks::{Landmarks, Span};
use super::recount::{Doubt, MOST_DOUBTS};
use super::shortcut::UNBOUNDED;
use super::weights::Weights;
use crate::grid::Pos;
use crate::nav::blocks::Blocks;

/// A rectangle of tiles, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) low: Pos,
    pub(super) high: Pos,
}

impl Rect {
    /// The smallest that holds all tiles.
    pub(super) fn around(tiles: impl IntoIterator<Item = Pos>) -> Option<Rect> {
        tiles.into_iter().map(|pos| Rect { low: pos, high: pos }).reduce(|a, b| a.with(b))
    }

    /// The smallest that holds both.
    pub(super) fn with(self, other: Rect) -> Rect {
        Rect {
            low: Pos::new(self.low.x.min(other.low.x), self.low.y.min(other.low.y)),
            high: Pos::new(self.high.x.max(other.high.x), self.high.y.max(other.high.y)),
        }
    }

    /// True if a few tiles at most lie between the two.
    pub(super) fn is_near(self, other: Rect) -> bool {
        let (dx, dy) = self.away_from(other);
        dx.max(dy) <= 64
    }

    /// How many columns and rows lie between a tile and the rectangle.
    #[inline]
    pub(super) fn away(self, pos: Pos) -> (u32, u32) {
        let side = |at: u16, low: u16, high: u16| {
            u32::from(low.saturating_sub(at)) + u32::from(at.saturating_sub(high))
        };
        (side(pos.x, self.low.x, self.high.x), side(pos.y, self.low.y, self.high.y))
    }

    fn away_from(self, other: Rect) -> (u32, u32) {
        let side = |low: u16, high: u16, low2: u16, high2: u16| {
            u32::from(low.saturating_sub(high2)) + u32::from(low2.saturating_sub(high))
        };
        (
            side(self.low.x, self.high.x, other.low.x, other.high.x),
            side(self.low.y, self.high.y, other.low.y, other.high.y),
        )
    }
}

/// What bounds the rest of a way to one query's targets.
pub(super) struct Bound<'a> {
    weights: Weights,
    blocks: &'a Blocks,
    /// Around all targets.
    targets: Rect,
    /// Landmarks by steps with the query's moves, and for octile lengths those with four neighbours as well.
    major: Option<&'a Landmarks>,
    minor: Option<&'a Landmarks>,
    /// Targets that are near each other by water. On two sides of an isthmus they are not: together they would have distances
    /// so far apart that no landmark could tell anything.
    groups: [Group; MOST_GROUPS],
    count: usize,
    /// Where water was added since the landmarks were counted, with the least cost from there to the targets.
    opened: [Opened; MOST_DOUBTS],
    doubts: usize,
    /// By how many steps ways can have got shorter there in all, with four and with eight neighbours, where that is bounded.
    less: [u32; 2],
}

const MOST_GROUPS: usize = 4;
/// How much the distances of one group may differ, in steps.
const GROUP_SPREAD: u32 = 64;

/// Some targets: around them, and how far the landmarks are at least and at most.
#[derive(Clone, Copy)]
struct Group {
    rect: Rect,
    major: Span,
    minor: Span,
}

impl<'a> Bound<'a> {
    pub(super) fn new(
        weights: Weights,
        targets: &[Pos],
        blocks: &'a Blocks,
        major: Option<&'a Landmarks>,
        minor: Option<&'a Landmarks>,
        doubts: &[Doubt],
    ) -> Bound<'a> {
        let around = Rect::around(targets.iter().copied());
        let around = around.unwrap_or(Rect { low: Pos::default(), high: Pos::default() });
        let opened = |doubt: &Doubt| {
            let (dx, dy) = doubt.rect.away_from(around);
            let bounded = !doubt.less.contains(&UNBOUNDED);
            Opened { rect: doubt.rect, to_targets: weights.apart(dx, dy), bounded }
        };
        let bounded = doubts.iter().filter(|doubt| !doubt.less.contains(&UNBOUNDED));
        let less =
            bounded.fold([0_u32; 2], |all, doubt| [0, 1].map(|i| all[i].saturating_add(doubt.less[i])));
        let nothing = Group { rect: around, major: Span::NOTHING, minor: Span::NOTHING };
        let mut bound = Bound {
            weights,
            blocks,
            targets: around,
            major,
            minor,
            groups: [nothing; MOST_GROUPS],
            count: 1,
            opened: [Opened { rect: around, to_targets: 0, bounded: false }; MOST_DOUBTS],
            doubts: doubts.len().min(MOST_DOUBTS),
            less,
        };
        bound.opened.iter_mut().zip(doubts).for_each(|(place, doubt)| *place = opened(doubt));
        if major.is_some() {
            bound.count = 0;
            targets.iter().for_each(|&pos| bound.add(pos));
        }
        bound
    }

    /// No way from this spot to any target costs less.
    #[inline]
    pub(super) fn at_spot(&self, pos: Pos, spot: usize) -> u64 {
        let known = |marks: Option<&'a Landmarks>| match marks {
            Some(marks) => marks.spot(spot).map(|here| Some((marks, here))),
            None => Some(None),
        };
        let Some((major, minor)) = known(self.major).zip(known(self.minor)) else {
            // A spot that edits have made.
            return self.at_tile(pos);
        };
        let steps = |(marks, here): (&Landmarks, _), span: &Span| marks.steps(span.away_from_spot(here));
        self.least(pos, |group| {
            major.map(|major| (steps(major, &group.major), minor.map(|minor| steps(minor, &group.minor))))
        })
    }

    /// No way from this tile to any target costs less.
    #[cold]
    pub(super) fn at_tile(&self, pos: Pos) -> u64 {
        let known = |marks: &'a Landmarks| Some((marks, marks.tile(self.blocks, pos)?));
        let (major, minor) = (self.major.and_then(known), self.minor.and_then(known));
        let steps = |(marks, here): &(&Landmarks, Span), span: &Span| marks.steps(span.away(here));
        self.least(pos, |group| {
            let minor = minor.as_ref().map(|minor| steps(minor, &group.minor));
            major.as_ref().map(|major| (steps(major, &group.major), minor))
        })
    }

    /// True if a cone may reach some target: they lie in its quadrant, and no farther than its major steps lead. With four
    /// neighbours a cone's runs go to both sides.
    #[inline]
    pub(super) fn may_see(&self, pos: Pos, (sx, sy): (i32, i32), reach: u16, four: bool) -> bool {
        let Rect { low, high } = self.targets;
        let (dx, dy) = self.targets.away(pos);
        (four || if sx > 0 { high.x >= pos.x } else { low.x <= pos.x })
            && (if sy > 0 { high.y >= pos.y } else { low.y <= pos.y })
            && (if four { dy } else { dx.min(dy) }) <= u32::from(reach)
    }

    /// Puts a target into the first group that it is near to, or into one of its own while there are some left.
    fn add(&mut self, pos: Pos) {
        let span = |marks: Option<&Landmarks>| {
            marks.and_then(|marks| marks.tile(self.blocks, pos)).unwrap_or(Span::NOTHING)
        };
        let rect = Rect { low: pos, high: pos };
        let new = Group { rect, major: span(self.major), minor: span(self.minor) };
        let spread = |span: Span| self.major.map_or(0, |marks| marks.steps(span.spread()));
        let groups = &mut self.groups[..self.count];
        let near = groups.iter().position(|group| spread(group.with(new).major) <= GROUP_SPREAD);
        match near.or((self.count == MOST_GROUPS).then_some(MOST_GROUPS - 1)) {
            Some(i) => groups[i] = groups[i].with(new),
            None => {
                self.groups[self.count] = new;
                self.count += 1;
            }
        }
    }

    /// The least that any group of targets is away; `steps` says what landmarks prove of a group, with the query's moves and with
    /// four neighbours.
    #[inline(always)]
    fn least(&self, pos: Pos, steps: impl Fn(&Group) -> Option<(u32, Option<u32>)>) -> u64 {
        let mut least = u64::MAX;
        for group in &self.groups[..self.count] {
            let (dx, dy) = group.rect.away(pos);
            let mut away = self.weights.apart(dx, dy);
            if let Some((steps, minor)) = steps(group) {
                let known = self.weights.of_steps(steps, minor);
                if known > away {
                    away = away.max(if self.doubts == 0 { known } else { self.doubted(pos, steps, minor) });
                }
            }
            least = least.min(away);
        }
        least
    }

    /// What landmarks prove despite water that they do not know. A way that is shorter than they say passes through some of it:
    /// it is no shorter than on open water by way of there; and where all of it shortens ways by so much at most, no
    /// shorter than by that either.
    #[inline]
    fn doubted(&self, pos: Pos, steps: u32, minor: Option<u32>) -> u64 {
        let (mut free, mut bounded) = (u64::MAX, u64::MAX);
        for opened in &self.opened[..self.doubts] {
            let (dx, dy) = opened.rect.away(pos);
            let via = self.weights.apart(dx, dy) + opened.to_targets;
            let least = if opened.bounded { &mut bounded } else { &mut free };
            *least = via.min(*least);
        }
        let own = if self.weights.four() { 0 } else { 1 };
        let sure = self.weights.of_steps(
            steps.saturating_sub(self.less[own]),
            minor.map(|minor| minor.saturating_sub(self.less[0])),
        );
        self.weights.of_steps(steps, minor).min(free).min(bounded.max(sure))
    }
}

/// New water as a query sees it.
#[derive(Clone, Copy)]
struct Opened {
    rect: Rect,
    /// The least cost from there to any target.
    to_targets: u64,
    /// True if ways through it have got shorter by no more than is known.
    bounded: bool,
}

impl Group {
    fn with(self, other: Group) -> Group {
        Group {
            rect: self.rect.with(other.rect),
            major: self.major.with(other.major),
            minor: self.minor.with(other.minor),
        }
    }
}
