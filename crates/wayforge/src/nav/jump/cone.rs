//! What a jump point leads to: the next jump points of a quadrant.

use super::lines::{Lines, Run};
use crate::grid::Pos;

/// One of the four quadrants: bit 0 for west, bit 1 for north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quadrant(pub(super) u8);

impl Quadrant {
    pub(super) const ALL: [Quadrant; 4] = [Quadrant(0), Quadrant(1), Quadrant(2), Quadrant(3)];

    /// The change of column and row of a diagonal step.
    #[inline]
    pub(super) const fn signs(self) -> (i32, i32) {
        (1 - 2 * (self.0 as i32 & 1), 1 - (self.0 as i32 & 2))
    }

    #[inline]
    fn aside(self) -> Run {
        if self.0 & 1 == 0 { Run::East } else { Run::West }
    }

    #[inline]
    fn updown(self) -> Run {
        if self.0 & 2 == 0 { Run::South } else { Run::North }
    }
}

#[derive(Clone, Copy, Debug)]
/// A jump point met by a run: where, and the quadrants that open there.
pub(super) struct Met {
    pub(super) pos: Pos,
    pub(super) quadrant: Quadrant,
    /// Steps of the major kind (diagonal, or vertical with four neighbours), then of the run.
    pub(super) slant: u16,
    pub(super) straight: u16,
}

/// With eight neighbours: from `from`, `0, 1, 2, ...` diagonal steps into the quadrant and from each a run to both sides of
/// the diagonal. Returns how many diagonal steps there are.
pub(super) fn cone_of_eight(lines: &Lines, from: Pos, quadrant: Quadrant, mut met: impl FnMut(Met)) -> u16 {
    let (sx, sy) = quadrant.signs();
    let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
    let mut slant = 0;
    loop {
        let at = Pos::new(x as u16, y as u16);
        for run in [quadrant.aside(), quadrant.updown()] {
            if let Some(pos) = lines.run(at, run) {
                each_turn(lines, pos, run, |quadrant| {
                    let straight = at.king_distance(pos);
                    met(Met { pos, quadrant, slant, straight });
                });
            }
        }
        let free = lines.is_open(x + sx, y) && lines.is_open(x, y + sy) && lines.is_open(x + sx, y + sy);
        if !free {
            return slant;
        }
        (x, y, slant) = (x + sx, y + sy, slant + 1);
    }
}

/// With four neighbours: from `from`, a run on in the quadrant's horizontal direction; then `1, 2, ...` vertical steps, and
/// from each a run to both sides. Returns how many vertical steps there are.
pub(super) fn cone_of_four(lines: &Lines, from: Pos, quadrant: Quadrant, mut met: impl FnMut(Met)) -> u16 {
    let (_, sy) = quadrant.signs();
    let (x, mut y) = (i32::from(from.x), i32::from(from.y));
    let mut slant = 0;
    loop {
        let at = Pos::new(x as u16, y as u16);
        for run in [Run::East, Run::West] {
            if slant == 0 && run != quadrant.aside() {
                continue;
            }
            if let Some(pos) = lines.run(at, run) {
                each_turn(lines, pos, run, |quadrant| {
                    met(Met { pos, quadrant, slant, straight: at.x.abs_diff(pos.x) });
                });
            }
        }
        if !lines.is_open(x, y + sy) {
            return slant;
        }
        (y, slant) = (y + sy, slant + 1);
    }
}

/// The quadrants that open at a jump point for a run that arrives there.
fn each_turn(lines: &Lines, pos: Pos, run: Run, mut call: impl FnMut(Quadrant)) {
    let (x, y) = (i32::from(pos.x), i32::from(pos.y));
    let (dx, dy) = match run {
        Run::East => (1, 0),
        Run::West => (-1, 0),
        Run::South => (0, 1),
        Run::North => (0, -1),
    };
    for side in [1, -1] {
        let (sx, sy) = (side * i32::abs(dy), side * i32::abs(dx));
        if lines.is_open(x + sx, y + sy) && !lines.is_open(x + sx - dx, y + sy - dy) {
            let (qx, qy) = (dx + sx, dy + sy);
            call(Quadrant(u8::from(qx < 0) | u8::from(qy < 0) << 1));
        }
    }
}
