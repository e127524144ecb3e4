//! Lower bounds on what is left of a way: where the targets lie, and what the landmarks know of them.

use super::landmarks::{Landmarks, Lanes, Span};
use super::recount::{Doubt, MAX_DOUBTS};
use super::shortcut::UNBOUNDED;
use super::weights::Weights;
use crate::blocks::Blocks;
use crate::query::Moves;
use wayforge_core::grid::{Pos, Size};

/// A rectangle of tiles, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) low: Pos,
    pub(super) high: Pos,
}

impl Rect {
    /// A single tile.
    #[inline]
    pub(super) const fn at(pos: Pos) -> Rect {
        Rect { low: pos, high: pos }
    }

    /// The smallest that holds all tiles.
    pub(super) fn around(tiles: impl IntoIterator<Item = Pos>) -> Option<Rect> {
        tiles.into_iter().map(Rect::at).reduce(|a, b| a.with(b))
    }

    /// The smallest that holds both.
    pub(super) fn with(self, other: Rect) -> Rect {
        Rect {
            low: Pos::new(self.low.x.min(other.low.x), self.low.y.min(other.low.y)),
            high: Pos::new(self.high.x.max(other.high.x), self.high.y.max(other.high.y)),
        }
    }

    /// The rectangle with `by` more tiles on each side, as far as the grid goes.
    pub(super) fn grown(self, by: u16, size: Size) -> Rect {
        let high = |at: u16, most: u16| at.saturating_add(by).min(most - 1);
        Rect {
            low: Pos::new(self.low.x.saturating_sub(by), self.low.y.saturating_sub(by)),
            high: Pos::new(high(self.high.x, size.width), high(self.high.y, size.height)),
        }
    }

    /// True if the two are no farther apart than so many columns and rows.
    pub(super) fn is_within(self, steps: u32, other: Rect) -> bool {
        let (dx, dy) = self.away_from(other);
        dx.max(dy) <= steps
    }

    /// How many columns and rows lie between the two.
    #[inline]
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
    marks: [Option<&'a Landmarks>; 2],
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
    spans: [Span; 2],
}

/// How far some landmarks are from a tile, at least and at most.
#[derive(Clone, Copy)]
struct Place<'a> {
    marks: &'a Landmarks,
    near: &'a Lanes,
    far: &'a Lanes,
}

impl<'a> Bound<'a> {
    pub(super) fn new(
        weights: Weights,
        targets: &[Pos],
        blocks: &'a Blocks,
        marks: [Option<&'a Landmarks>; 2],
        doubts: &'a [Doubt],
    ) -> Bound<'a> {
        let around = Rect::around(targets.iter().copied()).unwrap_or(Rect::at(Pos::default()));
        let nothing = Group { rect: around, spans: [Span::NOTHING; 2] };
        let mut bound = Bound {
            weights,
            blocks,
            targets: around,
            marks,
            groups: [nothing; MAX_GROUPS],
            count: 1,
            doubts: &[],
            to_targets: [0; MAX_DOUBTS],
        };
        if marks[0].is_some() {
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
            Some(marks) => marks.spot(spot).map(|lanes| Some(Place { marks, near: lanes, far: lanes })),
            None => Some(None),
        };
        match known(self.marks[0]).zip(known(self.marks[1])) {
            Some((major, minor)) => self.least(Rect::at(pos), [major, minor]),
            // A spot that edits have made.
            None => self.at_tile(pos),
        }
    }

    /// No way from this tile to any target costs less.
    #[cold]
    pub(super) fn at_tile(&self, pos: Pos) -> u64 {
        self.least(Rect::at(pos), self.places(&self.spans_at(pos)))
    }

    /// True if a cone may reach some target: they lie in its quadrant, and no farther than its major steps lead. With four
    /// neighbours a cone's runs go to both sides.
    #[inline]
    pub(super) fn may_see(&self, pos: Pos, (sx, sy): (i32, i32), reach: u16) -> bool {
        let (Rect { low, high }, four) = (self.targets, self.weights.moves == Moves::Four);
        let (dx, dy) = self.targets.away_from(Rect::at(pos));
        (four || if sx > 0 { high.x >= pos.x } else { low.x <= pos.x })
            && (if sy > 0 { high.y >= pos.y } else { low.y <= pos.y })
            && (if four { dy } else { dx.min(dy) }) <= u32::from(reach)
    }

    /// Puts a target into the first group that it is near to, or into one of its own while there are some left.
    fn add(&mut self, pos: Pos) {
        let new = Group { rect: Rect::at(pos), spans: self.spans_at(pos) };
        let spread = |span: Span| self.marks[0].map_or(0, |marks| marks.steps(span.spread()));
        let groups = &mut self.groups[..self.count];
        let near = groups.iter().position(|group| spread(group.with(new).spans[0]) <= GROUP_SPREAD);
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
        let doubts = &doubts[..doubts.len().min(MAX_DOUBTS)];
        // Once a way has left the last new water, it keeps to what the landmarks know.
        let mut tails = [0; MAX_DOUBTS];
        for (doubt, tail) in doubts.iter().zip(&mut tails) {
            *tail = self.least(doubt.rect, self.places(&self.spans_around(doubt)));
        }
        for (doubt, to_targets) in doubts.iter().zip(&mut self.to_targets) {
            let by_way_of = doubts.iter().zip(tails).map(|(last, tail)| {
                let (dx, dy) = doubt.rect.away_from(last.rect);
                self.weights.apart(dx, dy) + tail
            });
            *to_targets = by_way_of.min().unwrap_or(0);
        }
        self.doubts = doubts;
    }

    /// The least that any group of targets is away from water of which landmarks know so much.
    #[inline(always)]
    fn least(&self, from: Rect, here: [Option<Place<'_>>; 2]) -> u64 {
        let mut least = u64::MAX;
        for group in &self.groups[..self.count] {
            let (dx, dy) = group.rect.away_from(from);
            let mut away = self.weights.apart(dx, dy);
            if let Some((major, minor)) = steps(&here, &group.spans) {
                let known = self.weights.of_steps(major, minor);
                if known > away {
                    away = away.max(match self.doubts.is_empty() {
                        true => known,
                        false => self.doubted(from, &here, (major, minor)),
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
    fn doubted(&self, from: Rect, here: &[Option<Place<'_>>; 2], (major, minor): (u32, Option<u32>)) -> u64 {
        let known = self.weights.of_steps(major, minor);
        let (mut first, mut unbounded, mut less) = (u64::MAX, u64::MAX, [0_u32; 2]);
        for (doubt, to_targets) in self.doubts.iter().zip(self.to_targets) {
            let (dx, dy) = doubt.rect.away_from(from);
            let open = self.weights.apart(dx, dy);
            let via = open + to_targets;
            if via >= known {
                continue;
            }
            match doubt.less.contains(&UNBOUNDED) {
                true => unbounded = unbounded.min(via),
                false => less = [0, 1].map(|slot| less[slot].saturating_add(doubt.less[slot])),
            }
            let (major, minor) = steps(here, &self.spans_around(doubt)).unwrap_or((0, None));
            first = first.min(open.max(self.weights.of_steps(major, minor)) + to_targets);
        }
        let major = major.saturating_sub(less[self.weights.moves as usize]);
        let sure = self.weights.of_steps(major, minor.map(|minor| minor.saturating_sub(less[0])));
        known.min(first.max(sure.min(unbounded)))
    }

    /// How far the landmarks are from a tile: anywhere, if it is water that they do not know.
    fn spans_at(&self, pos: Pos) -> [Span; 2] {
        self.marks.map(|marks| marks.and_then(|marks| marks.tile(self.blocks, pos)).unwrap_or(Span::NOTHING))
    }

    /// How far the landmarks are from the water around new water.
    #[inline]
    fn spans_around(&self, doubt: &Doubt) -> [Span; 2] {
        [doubt.around[self.weights.moves as usize], doubt.around[0]]
    }

    fn places<'b>(&'b self, spans: &'b [Span; 2]) -> [Option<Place<'b>>; 2] {
        [0, 1].map(|i| self.marks[i].map(|marks| Place { marks, near: &spans[i].near, far: &spans[i].far }))
    }
}

/// How many steps some tiles are away from a place at least, with the query's moves and with four neighbours.
#[inline(always)]
fn steps(here: &[Option<Place<'_>>; 2], spans: &[Span; 2]) -> Option<(u32, Option<u32>)> {
    let away =
        |i: usize| here[i].map(|Place { marks, near, far }| marks.steps(spans[i].away_from(near, far)));
    Some((away(0)?, away(1)))
}

impl Group {
    fn with(self, other: Group) -> Group {
        let spans = [0, 1].map(|i| self.spans[i].with(other.spans[i]));
        Group { rect: self.rect.with(other.rect), spans }
    }
}
