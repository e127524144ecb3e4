//! Lower bounds on what is left of a way: where the targets lie, and what the landmarks know of them.

use super::landmarks::{FAR, LANDMARKS, Landmarks};
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
    targets: Rect,
    /// Landmarks by steps with the query's moves, and for octile lengths those with four neighbours as well.
    major: Option<Side<'a>>,
    minor: Option<Side<'a>>,
    /// Where water was added since the landmarks were counted, with the least cost from there to the targets.
    opened: Vec<(Rect, u64)>,
}

/// One table of landmarks and what it knows of the targets.
struct Side<'a> {
    marks: &'a Landmarks,
    near: [u32; LANDMARKS],
    far: [u32; LANDMARKS],
}

impl<'a> Bound<'a> {
    pub(super) fn new(
        weights: Weights,
        targets: &[Pos],
        blocks: &Blocks,
        major: Option<&'a Landmarks>,
        minor: Option<&'a Landmarks>,
        opened: &[Rect],
    ) -> Bound<'a> {
        let side = |marks: &'a Landmarks| Side::new(marks, blocks, targets);
        let around = Rect::around(targets.iter().copied());
        let around = around.unwrap_or(Rect { low: Pos::default(), high: Pos::default() });
        let to_targets = |&rect: &Rect| {
            let (dx, dy) = rect.away_from(around);
            (rect, weights.apart(dx, dy))
        };
        Bound {
            weights,
            targets: around,
            major: major.map(side),
            minor: minor.map(side),
            opened: opened.iter().map(to_targets).collect(),
        }
    }

    /// No way from this spot to any target costs less.
    #[inline]
    pub(super) fn at_spot(&self, pos: Pos, spot: usize) -> u64 {
        let (dx, dy) = self.targets.away(pos);
        let plain = self.weights.apart(dx, dy);
        let Some(major) = &self.major else { return plain };
        let minor = self.minor.as_ref().map(|side| side.at_spot(spot));
        let known = self.weights.of_steps(major.at_spot(spot), minor);
        plain.max(self.unless_opened(pos, known))
    }

    /// No way from this tile to any target costs less.
    pub(super) fn at_tile(&self, blocks: &Blocks, pos: Pos) -> u64 {
        let (dx, dy) = self.targets.away(pos);
        let plain = self.weights.apart(dx, dy);
        let Some(major) = &self.major else { return plain };
        let minor = self.minor.as_ref().map(|side| side.at_tile(blocks, pos));
        let known = self.weights.of_steps(major.at_tile(blocks, pos), minor);
        plain.max(self.unless_opened(pos, known))
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

    /// A way that is shorter than the landmarks allow must use water that they do not know.
    fn unless_opened(&self, pos: Pos, known: u64) -> u64 {
        self.opened.iter().fold(known, |known, (rect, to_targets)| {
            let (dx, dy) = rect.away(pos);
            known.min(self.weights.apart(dx, dy) + to_targets)
        })
    }
}

impl<'a> Side<'a> {
    fn new(marks: &'a Landmarks, blocks: &Blocks, targets: &[Pos]) -> Side<'a> {
        let (mut near, mut far) = ([FAR; LANDMARKS], [0; LANDMARKS]);
        for &pos in targets {
            let (low, high) = marks.tile(blocks, pos);
            for i in 0..LANDMARKS {
                near[i] = near[i].min(low[i]);
                far[i] = far[i].max(high[i]);
            }
        }
        // A landmark that does not reach all targets says nothing about them.
        for i in 0..LANDMARKS {
            if far[i] == FAR {
                (near[i], far[i]) = (0, i32::MAX as u32);
            }
        }
        Side { marks, near, far }
    }

    #[inline]
    fn at_spot(&self, spot: usize) -> u32 {
        let Some(here) = self.marks.spot(spot) else { return 0 };
        let mut most = 0;
        // Spots that have distances have all of them. Distances are below 2^28, so signs are safe.
        for ((&here, &near), &far) in here.iter().zip(&self.near).zip(&self.far) {
            let beyond = here.wrapping_sub(far) as i32;
            let before = near.wrapping_sub(here) as i32;
            most = most.max(beyond).max(before);
        }
        most as u32
    }

    fn at_tile(&self, blocks: &Blocks, pos: Pos) -> u32 {
        let (low, high) = self.marks.tile(blocks, pos);
        self.between(&low, &high)
    }

    /// The largest difference that some landmark proves, for a tile between two distances.
    #[inline]
    fn between(&self, low: &[u32; LANDMARKS], high: &[u32; LANDMARKS]) -> u32 {
        let mut most = 0;
        for i in 0..LANDMARKS {
            // Unreached tiles have the largest distance on both sides and prove nothing, because the targets are not.
            if high[i] != FAR {
                most = most.max(low[i].saturating_sub(self.far[i])).max(self.near[i].saturating_sub(high[i]));
            }
        }
        most
    }
}
