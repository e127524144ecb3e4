//! What a jump point leads to: the next jump points of a quadrant.

use super::lines::Lines;
use super::plane::Plane;
use crate::query::Moves;
use wayforge_core::grid::Pos;

/// One of the four quadrants: bit 0 for west, bit 1 for north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quadrant(pub(super) u8);

impl Quadrant {
    pub(super) const ALL: [Quadrant; 4] = [Quadrant(0), Quadrant(1), Quadrant(2), Quadrant(3)];

    #[inline]
    fn new(west: bool, north: bool) -> Quadrant {
        Quadrant(u8::from(west) | u8::from(north) << 1)
    }

    /// The change of column and row of a diagonal step.
    #[inline]
    pub(super) const fn signs(self) -> (i32, i32) {
        (1 - 2 * (self.0 as i32 & 1), 1 - (self.0 as i32 & 2))
    }
}

/// A jump point met by a run: where, and a quadrant that opens there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) pos: Pos,
    pub(super) quadrant: Quadrant,
    /// Steps of the major kind (diagonal, or vertical with four neighbours), then of the run.
    pub(super) slant: u16,
    pub(super) straight: u16,
}

/// Calls for every jump point that a tile leads to in a quadrant, from `start` major steps on and before `end`. Returns how many
/// major steps there are, the cone's *reach*; or `end`, if there are as many and the cone goes on from there. The first
/// `start` of them must be free.
///
/// * With eight neighbours: `0, 1, 2, ...` diagonal steps into the quadrant, and from each a run to both sides of the diagonal.
/// * With four: a run on in the quadrant's horizontal direction; then `1, 2, ...` vertical steps, and from each a run to both
///   sides.
#[inline]
pub(super) fn cone(
    lines: &Lines,
    moves: Moves,
    from: Pos,
    quadrant: Quadrant,
    (start, end): (u16, u16),
    met: impl FnMut(Met),
) -> u16 {
    // One copy for each quadrant: directions known in advance halve the work of a step.
    match (moves, quadrant.0) {
        (Moves::Eight, 0) => cone_of_eight::<false, false>(lines, from, start, end, met),
        (Moves::Eight, 1) => cone_of_eight::<true, false>(lines, from, start, end, met),
        (Moves::Eight, 2) => cone_of_eight::<false, true>(lines, from, start, end, met),
        (Moves::Eight, _) => cone_of_eight::<true, true>(lines, from, start, end, met),
        (Moves::Four, _) => cone_of_four(lines, from, quadrant, start, end, met),
    }
}

/// The `end` of a whole cone: no grid is so large.
pub(super) const WHOLE: u16 = u16::MAX;

#[inline]
fn cone_of_eight<const WEST: bool, const NORTH: bool>(
    lines: &Lines,
    from: Pos,
    start: u16,
    end: u16,
    mut met: impl FnMut(Met),
) -> u16 {
    let (rows, columns) = (&lines.rows, &lines.columns);
    let along = |at: u16, back: bool| usize::from(if back { at - start } else { at + start });
    let (mut x, mut y) = (along(from.x, WEST), along(from.y, NORTH));
    let mut slant = start;
    loop {
        run::<WEST>(rows, y, x, |at, straight, north| {
            let pos = Pos::new(at as u16, y as u16);
            met(Met { pos, quadrant: Quadrant::new(WEST, north), slant, straight });
        });
        run::<NORTH>(columns, x, y, |at, straight, west| {
            let pos = Pos::new(x as u16, at as u16);
            met(Met { pos, quadrant: Quadrant::new(west, NORTH), slant, straight });
        });
        // A step beyond the grid's edge wraps to a place that is beyond its other edge, where all is land.
        let next_x = if WEST { x.wrapping_sub(1) } else { x + 1 };
        let next_y = if NORTH { y.wrapping_sub(1) } else { y + 1 };
        let free = rows.is_open(next_x, y) & rows.is_open(x, next_y) & rows.is_open(next_x, next_y);
        if !free {
            return slant;
        }
        (x, y, slant) = (next_x, next_y, slant + 1);
        if slant == end {
            return slant;
        }
    }
}

fn cone_of_four(
    lines: &Lines,
    from: Pos,
    quadrant: Quadrant,
    start: u16,
    end: u16,
    mut met: impl FnMut(Met),
) -> u16 {
    let (rows, x) = (&lines.rows, usize::from(from.x));
    let (west, north) = (quadrant.0 & 1 == 1, quadrant.0 & 2 == 2);
    let mut y = usize::from(if north { from.y - start } else { from.y + start });
    let mut slant = start;
    loop {
        let mut turn = |at: usize, straight: u16, west: bool, north: bool| {
            let pos = Pos::new(at as u16, y as u16);
            met(Met { pos, quadrant: Quadrant::new(west, north), slant, straight });
        };
        if slant > 0 || !west {
            run::<false>(rows, y, x, |at, straight, north| turn(at, straight, false, north));
        }
        if slant > 0 || west {
            run::<true>(rows, y, x, |at, straight, north| turn(at, straight, true, north));
        }
        let next = if north { y.wrapping_sub(1) } else { y + 1 };
        if !rows.is_open(x, next) {
            return slant;
        }
        (y, slant) = (next, slant + 1);
        if slant == end {
            return slant;
        }
    }
}

/// Runs along a line to the next jump point. Calls `turn` with its place, the steps to it and the side, for each side that
/// the run may turn to: towards the next line (false) or the one before (true). A run may turn where the tile beside is open
/// and the one beside its predecessor is not.
#[inline(always)]
fn run<const BACK: bool>(plane: &Plane, line: usize, place: usize, mut turn: impl FnMut(usize, u16, bool)) {
    let stop = if BACK { plane.run_down(line, place) } else { plane.run_up(line, place) };
    let Some(at) = stop else { return };
    let before = if BACK { at + 1 } else { at.wrapping_sub(1) };
    for (beside, back) in [(line + 1, false), (line.wrapping_sub(1), true)] {
        if plane.is_open(at, beside) & !plane.is_open(before, beside) {
            turn(at, at.abs_diff(place) as u16, back);
        }
    }
}
