//! What a jump point leads to: the next jump points of a quadrant.

use super::lines::Lines;
use crate::query::Moves;
use wayforge_core::grid::Pos;

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
        if let Some(at) = if WEST { rows.run_down(y, x) } else { rows.run_up(y, x) } {
            let (pos, straight) = (Pos::new(at as u16, y as u16), at.abs_diff(x) as u16);
            let turn = |quadrant| Met { pos, quadrant, slant, straight };
            let (south, north) = turns_from_row::<WEST>(lines, at, y);
            if south {
                met(turn(Quadrant(u8::from(WEST))));
            }
            if north {
                met(turn(Quadrant(u8::from(WEST) | 2)));
            }
        }
        if let Some(at) = if NORTH { columns.run_down(x, y) } else { columns.run_up(x, y) } {
            let (pos, straight) = (Pos::new(x as u16, at as u16), at.abs_diff(y) as u16);
            let turn = |quadrant| Met { pos, quadrant, slant, straight };
            let (east, west) = turns_from_column::<NORTH>(lines, x, at);
            if east {
                met(turn(Quadrant(u8::from(NORTH) << 1)));
            }
            if west {
                met(turn(Quadrant(u8::from(NORTH) << 1 | 1)));
            }
        }
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
        if (slant > 0 || !west)
            && let Some(at) = rows.run_up(y, x)
        {
            let (pos, straight) = (Pos::new(at as u16, y as u16), (at - x) as u16);
            let (south, north) = turns_from_row::<false>(lines, at, y);
            if south {
                met(Met { pos, quadrant: Quadrant(0), slant, straight });
            }
            if north {
                met(Met { pos, quadrant: Quadrant(2), slant, straight });
            }
        }
        if (slant > 0 || west)
            && let Some(at) = rows.run_down(y, x)
        {
            let (pos, straight) = (Pos::new(at as u16, y as u16), (x - at) as u16);
            let (south, north) = turns_from_row::<true>(lines, at, y);
            if south {
                met(Met { pos, quadrant: Quadrant(1), slant, straight });
            }
            if north {
                met(Met { pos, quadrant: Quadrant(3), slant, straight });
            }
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

/// Whether a run along a row that arrives at a tile may turn south and north there: the tile beside is water, and that
/// beside its predecessor is not.
#[inline]
fn turns_from_row<const WEST: bool>(lines: &Lines, x: usize, y: usize) -> (bool, bool) {
    let before = if WEST { x + 1 } else { x.wrapping_sub(1) };
    let turn = |y: usize| lines.rows.is_open(x, y) & !lines.rows.is_open(before, y);
    (turn(y + 1), turn(y.wrapping_sub(1)))
}

/// The same for a run along a column: east and west.
#[inline]
fn turns_from_column<const NORTH: bool>(lines: &Lines, x: usize, y: usize) -> (bool, bool) {
    let before = if NORTH { y + 1 } else { y.wrapping_sub(1) };
    let turn = |x: usize| lines.rows.is_open(x, y) & !lines.rows.is_open(x, before);
    (turn(x + 1), turn(x.wrapping_sub(1)))
}
