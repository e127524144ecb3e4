//! Lower bounds on what is left of a way: where the targets lie, and what the landmarks know of them.

use super::landmarks::{Landmarks, Lanes, Span};
use super::recount::{Doubt, MAX_DOUBTS};
use super::shortcut::UNBOUNDED;
use super::weights::Weights;
use crate::blocks::Blocks;
use wayforge_core::grid::Pos;

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
        self.is_within(64, other)
    }

    /// True if the two are no farther apart than so many columns and rows.
    pub(super) fn is_within(self, steps: u32, other: Rect) -> bool {
        let (dx, dy) = self.away_from(other);
        dx.max(dy) <= steps
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
    groups: [Group; MAX_GROUPS],
    count: usize,
    /// Where water was added since the landmarks were counted, and the least cost from each such place to any target, perhaps by way
    /// of other new water.
    doubts: &'a [Doubt],
    to_targets: [u64; MAX_DOUBTS],
}

const MAX_GROUPS: usize = 4;
/// How much the distances of one group may differ, in steps.
const GROUP_SPREAD: u32 = 64;

/// Some targets: around them, and how far the landmarks are at least and at most.
#[derive(Clone, Copy)]
struct Group {
    rect: Rect,
    spans: Spans,
}

/// What the landmarks of a bound say of some tiles.
#[derive(Clone, Copy)]
struct Spans {
    major: Span,
    minor: Span,
}

const NOTHING: Spans = Spans { major: Span::NOTHING, minor: Span::NOTHING };

impl<'a> Bound<'a> {
    pub(super) fn new(
        weights: Weights,
        targets: &[Pos],
        blocks: &'a Blocks,
        major: Option<&'a Landmarks>,
        minor: Option<&'a Landmarks>,
        doubts: &'a [Doubt],
    ) -> Bound<'a> {
        let around = Rect::around(targets.iter().copied());
        let around = around.unwrap_or(Rect { low: Pos::default(), high: Pos::default() });
        let nothing = Group { rect: around, spans: NOTHING };
        let mut bound = Bound {
            weights,
            blocks,
            targets: around,
            major,
            minor,
            groups: [nothing; MAX_GROUPS],
            count: 1,
            doubts: &[],
            to_targets: [0; MAX_DOUBTS],
        };
        if major.is_some() {
            bound.count = 0;
            targets.iter().for_each(|&pos| bound.add(pos));
            bound.open(doubts);
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
        let place = |(marks, lanes)| Place { marks, near: lanes, far: lanes };
        self.least(pos, Here { major: major.map(place), minor: minor.map(place) })
    }

    /// No way from this tile to any target costs less.
    #[cold]
    pub(super) fn at_tile(&self, pos: Pos) -> u64 {
        let known = |marks: &'a Landmarks| Some((marks, marks.tile(self.blocks, pos)?));
        let (major, minor) = (self.major.and_then(known), self.minor.and_then(known));
        fn place<'b>((marks, span): &'b (&'b Landmarks, Span)) -> Place<'b> {
            Place { marks, near: &span.near, far: &span.far }
        }
        self.least(pos, Here { major: major.as_ref().map(place), minor: minor.as_ref().map(place) })
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
        let new = Group { rect, spans: Spans { major: span(self.major), minor: span(self.minor) } };
        let spread = |span: Span| self.major.map_or(0, |marks| marks.steps(span.spread()));
        let groups = &mut self.groups[..self.count];
        let near = groups.iter().position(|group| spread(group.with(new).spans.major) <= GROUP_SPREAD);
        match near.or((self.count == MAX_GROUPS).then_some(MAX_GROUPS - 1)) {
            Some(i) => groups[i] = groups[i].with(new),
            None => {
                self.groups[self.count] = new;
                self.count += 1;
            }
        }
    }

    /// Takes over where water was added, and works out the least cost from each such place to the targets.
    fn open(&mut self, doubts: &'a [Doubt]) {
        self.doubts = &doubts[..doubts.len().min(MAX_DOUBTS)];
        // Once a way has left the last new water, it keeps to what the landmarks know.
        let tail = |doubt: &Doubt| {
            let spans = self.spans(doubt);
            let tails = self.groups[..self.count].iter().map(|group| {
                let (dx, dy) = doubt.rect.away_from(group.rect);
                let steps = |marks: Option<&Landmarks>, one: &Span, two: &Span| {
                    marks.map(|marks| marks.steps(one.away(two)))
                };
                let major = steps(self.major, &spans.major, &group.spans.major).unwrap_or(0);
                let minor = steps(self.minor, &spans.minor, &group.spans.minor);
                self.weights.apart(dx, dy).max(self.weights.of_steps(major, minor))
            });
            tails.min().unwrap_or(0)
        };
        let mut tails = [0; MAX_DOUBTS];
        self.doubts.iter().zip(&mut tails).for_each(|(doubt, place)| *place = tail(doubt));
        for (i, doubt) in self.doubts.iter().enumerate() {
            let by_way_of = self.doubts.iter().zip(tails).map(|(last, tail)| {
                let (dx, dy) = doubt.rect.away_from(last.rect);
                self.weights.apart(dx, dy) + tail
            });
            self.to_targets[i] = by_way_of.min().unwrap_or(0);
        }
    }

    /// The least that any group of targets is away from a tile of which landmarks know so much.
    #[inline(always)]
    fn least(&self, pos: Pos, here: Here<'_>) -> u64 {
        let mut least = u64::MAX;
        for group in &self.groups[..self.count] {
            let (dx, dy) = group.rect.away(pos);
            let mut away = self.weights.apart(dx, dy);
            if let Some((major, minor)) = here.steps(&group.spans) {
                let known = self.weights.of_steps(major, minor);
                if known > away {
                    away = away.max(match self.doubts.is_empty() {
                        true => known,
                        false => self.doubted(pos, &here, (major, minor)),
                    });
                }
            }
            least = least.min(away);
        }
        least
    }

    /// What landmarks prove despite water that they do not know.
    ///
    /// A way that is shorter than they say passes through some of it. Until it first does so, it keeps to water that they know, so
    /// it is no shorter than by way of the first place, as far as they and open water tell (`first`). It only passes through places
    /// by way of which it can be so short on open water. If ways have got shorter by a bounded number of steps at all of these, it
    /// is no shorter than by their sum; else it passes through one of the others, and is no shorter than by way of that.
    #[inline(never)] // Mostly nothing is doubted, and the search is faster without this in its midst.
    fn doubted(&self, pos: Pos, here: &Here<'_>, (major, minor): (u32, Option<u32>)) -> u64 {
        let known = self.weights.of_steps(major, minor);
        let own = usize::from(!self.weights.four());
        let (mut first, mut unbounded, mut less) = (u64::MAX, u64::MAX, [0_u32; 2]);
        for (doubt, to_targets) in self.doubts.iter().zip(self.to_targets) {
            let (dx, dy) = doubt.rect.away(pos);
            let open = self.weights.apart(dx, dy);
            let via = open + to_targets;
            if via >= known {
                continue;
            }
            match doubt.less.contains(&UNBOUNDED) {
                true => unbounded = unbounded.min(via),
                false => less = [0, 1].map(|slot| less[slot].saturating_add(doubt.less[slot])),
            }
            let (major, minor) = here.steps(&self.spans(doubt)).unwrap_or((0, None));
            first = first.min(open.max(self.weights.of_steps(major, minor)) + to_targets);
        }
        let sure = self
            .weights
            .of_steps(major.saturating_sub(less[own]), minor.map(|minor| minor.saturating_sub(less[0])));
        known.min(first.max(sure.min(unbounded)))
    }

    /// What this bound's landmarks know of the water around new water.
    #[inline]
    fn spans(&self, doubt: &Doubt) -> Spans {
        let own = usize::from(!self.weights.four());
        Spans { major: doubt.around[own], minor: doubt.around[0] }
    }
}

/// What landmarks know of a tile: nothing, or how far they are at least and at most.
struct Here<'a> {
    major: Option<Place<'a>>,
    minor: Option<Place<'a>>,
}

#[derive(Clone, Copy)]
struct Place<'a> {
    marks: &'a Landmarks,
    near: &'a Lanes,
    far: &'a Lanes,
}

impl Here<'_> {
    /// How many steps some tiles are away at least, with the query's moves and with four neighbours.
    #[inline(always)]
    fn steps(&self, spans: &Spans) -> Option<(u32, Option<u32>)> {
        let major = self.major.as_ref().map(|place| place.steps(&spans.major))?;
        Some((major, self.minor.as_ref().map(|place| place.steps(&spans.minor))))
    }
}

impl Place<'_> {
    #[inline(always)]
    fn steps(&self, span: &Span) -> u32 {
        self.marks.steps(span.away_from(self.near, self.far))
    }
}

impl Group {
    fn with(self, other: Group) -> Group {
        Group {
            rect: self.rect.with(other.rect),
            spans: Spans {
                major: self.spans.major.with(other.spans.major),
                minor: self.spans.minor.with(other.spans.minor),
            },
        }
    }
}
