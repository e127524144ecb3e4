//! Successors of a jump point: the next jump points in a quadrant.

use super::line_bitmap::LineBitmap;
use super::scan_lines::ScanLines;
use crate::query::Connectivity;
use wayforge_core::grid::Pos;

/// Quadrant of directions: bit 0 is set for west, bit 1 for north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quadrant(pub(super) u8);

impl Quadrant {
    pub(super) const ALL: [Quadrant; 4] = [Quadrant(0), Quadrant(1), Quadrant(2), Quadrant(3)];

    #[inline]
    fn new(west: bool, north: bool) -> Quadrant {
        Quadrant(u8::from(west) | u8::from(north) << 1)
    }

    /// Returns the column and row difference of a diagonal step into the quadrant.
    #[inline]
    pub(super) const fn signs(self) -> (i32, i32) {
        (1 - 2 * (self.0 as i32 & 1), 1 - (self.0 as i32 & 2))
    }
}

/// Jump point found by a run, and a quadrant into which the path may continue there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Successor {
    pub(super) pos: Pos,
    pub(super) quadrant: Quadrant,
    /// Number of major steps: diagonal ones, or vertical ones with four neighbours.
    pub(super) major_steps: u16,
    /// Number of steps along the run that follows them.
    pub(super) minor_steps: u16,
}

/// Calls `visit` for every successor in a quadrant that is found after `start..end` major steps.
///
/// Returns the *reach* of the cone, which is its number of major steps, or `end` if the cone
/// continues from there. The first `start` major steps must be legal.
///
/// - With eight neighbours: after 0, 1, 2, ... diagonal steps into the quadrant, one run along each
///   of the quadrant's two sides.
/// - With four neighbours: one run in the quadrant's horizontal direction; then after 1, 2, ...
///   vertical steps, one run to each side.
#[inline]
pub(super) fn scan_cone(
    lines: &ScanLines,
    connectivity: Connectivity,
    from: Pos,
    quadrant: Quadrant,
    (start, end): (u16, u16),
    visit: impl FnMut(Successor),
) -> u16 {
    // One instantiation per quadrant: constant directions halve the cost of a step.
    match (connectivity, quadrant.0) {
        (Connectivity::Eight, 0) => scan_cone_eight::<false, false>(lines, from, start, end, visit),
        (Connectivity::Eight, 1) => scan_cone_eight::<true, false>(lines, from, start, end, visit),
        (Connectivity::Eight, 2) => scan_cone_eight::<false, true>(lines, from, start, end, visit),
        (Connectivity::Eight, _) => scan_cone_eight::<true, true>(lines, from, start, end, visit),
        (Connectivity::Four, _) => scan_cone_four(lines, from, quadrant, start, end, visit),
    }
}

/// Value of `end` that scans the complete cone; larger than the side of any grid.
pub(super) const NO_END: u16 = u16::MAX;

#[inline]
fn scan_cone_eight<const WEST: bool, const NORTH: bool>(
    lines: &ScanLines,
    from: Pos,
    start: u16,
    end: u16,
    mut visit: impl FnMut(Successor),
) -> u16 {
    let (rows, columns) = (&lines.rows, &lines.columns);
    let along = |at: u16, back: bool| usize::from(if back { at - start } else { at + start });
    let (mut x, mut y) = (along(from.x, WEST), along(from.y, NORTH));
    let mut major_steps = start;
    loop {
        scan_run::<WEST>(rows, y, x, |offset, minor_steps, north| {
            let pos = Pos::new(offset as u16, y as u16);
            visit(Successor {
                pos,
                quadrant: Quadrant::new(WEST, north),
                major_steps,
                minor_steps,
            });
        });
        scan_run::<NORTH>(columns, x, y, |offset, minor_steps, west| {
            let pos = Pos::new(x as u16, offset as u16);
            visit(Successor {
                pos,
                quadrant: Quadrant::new(west, NORTH),
                major_steps,
                minor_steps,
            });
        });
        // Below 0 the offset wraps to one beyond the high edge, which counts as blocked.
        let next_x = if WEST { x.wrapping_sub(1) } else { x + 1 };
        let next_y = if NORTH { y.wrapping_sub(1) } else { y + 1 };
        let free = rows.is_open(next_x, y) & rows.is_open(x, next_y) & rows.is_open(next_x, next_y);
        if !free {
            return major_steps;
        }
        (x, y, major_steps) = (next_x, next_y, major_steps + 1);
        if major_steps == end {
            return major_steps;
        }
    }
}

fn scan_cone_four(
    lines: &ScanLines,
    from: Pos,
    quadrant: Quadrant,
    start: u16,
    end: u16,
    mut visit: impl FnMut(Successor),
) -> u16 {
    let (rows, x) = (&lines.rows, usize::from(from.x));
    let (west, north) = (quadrant.0 & 1 == 1, quadrant.0 & 2 == 2);
    let mut y = usize::from(if north { from.y - start } else { from.y + start });
    let mut major_steps = start;
    loop {
        let mut turn = |offset: usize, minor_steps: u16, west: bool, north: bool| {
            let pos = Pos::new(offset as u16, y as u16);
            visit(Successor {
                pos,
                quadrant: Quadrant::new(west, north),
                major_steps,
                minor_steps,
            });
        };
        if major_steps > 0 || !west {
            scan_run::<false>(rows, y, x, |offset, minor_steps, north| {
                turn(offset, minor_steps, false, north)
            });
        }
        if major_steps > 0 || west {
            scan_run::<true>(rows, y, x, |offset, minor_steps, north| {
                turn(offset, minor_steps, true, north)
            });
        }
        let next = if north { y.wrapping_sub(1) } else { y + 1 };
        if !rows.is_open(x, next) {
            return major_steps;
        }
        (y, major_steps) = (next, major_steps + 1);
        if major_steps == end {
            return major_steps;
        }
    }
}

/// Scans a line for the next jump point and calls `turn` for each side to which the run may turn.
///
/// The arguments of `turn` are the offset of the jump point, the number of steps, and the side:
/// false for the next line, true for the previous one. A run may turn where the tile beside it is
/// open and the tile beside its predecessor is blocked.
#[inline(always)]
fn scan_run<const BACK: bool>(
    bitmap: &LineBitmap,
    line: usize,
    offset: usize,
    mut turn: impl FnMut(usize, u16, bool),
) {
    let stop = if BACK { bitmap.scan_down(line, offset) } else { bitmap.scan_up(line, offset) };
    let Some(stop) = stop else { return };
    let before = if BACK { stop + 1 } else { stop.wrapping_sub(1) };
    for (beside, back) in [(line + 1, false), (line.wrapping_sub(1), true)] {
        if bitmap.is_open(stop, beside) & !bitmap.is_open(before, beside) {
            turn(stop, stop.abs_diff(offset) as u16, back);
        }
    }
}
