//! Long ways that every floor has room for: along its rows or columns, and between two cells by arches.

use super::board::{Frame, Rows};
use super::carve::add_arches;
use wayforge_core::MapRng;
use wayforge_core::grid::Symmetry;
use wayforge_core::grid::{Pos, Size};

/// Ways along rows are this far apart: close together for length, further apart for room between them.
const GAPS: [u16; 4] = [2, 4, 3, 6];
/// How many ways by arches are tried between two cells, on floors of so many cells and fewer.
const ARCHED: [(usize, u64); 3] = [(128, 24), (512, 8), (usize::MAX, 4)];

/// A part of a taut way: its cells from one end to the other.
pub(super) type Snake = Vec<u16>;

/// Taut ways that run to and fro over the whole floor, in all orientations. With an end given, those that pass it begin there.
///
/// * **Complexity.** Linear in the cells for each.
pub(super) fn serpentines(frame: &Frame, gap: usize, end: Option<Pos>) -> Vec<Snake> {
    let size = frame.size;
    let gap = GAPS[gap];
    let mut snakes: Vec<Snake> = Vec::new();
    for turn in Symmetry::ALL {
        let flat = turn.size(size);
        for first in 0..gap.min(flat.height) {
            if end.is_some() || first <= 1 {
                let rows: Vec<u16> = (first..flat.height).step_by(gap.into()).collect();
                snakes.extend(parts(frame, turn, end, serpentine(flat, &rows, gap)));
            }
        }
    }
    snakes.sort();
    snakes.dedup();
    snakes
}

/// The same with the first rows, or the last, close together and the others `gap` apart: corridors for doors, and room beside the rest.
pub(super) fn mixed(frame: &Frame, close: u16, gap: u16, end: Option<Pos>) -> Vec<Snake> {
    let size = frame.size;
    let mut snakes: Vec<Snake> = Vec::new();
    for turn in Symmetry::ALL {
        let flat = turn.size(size);
        for first in 0..if end.is_some() { gap.min(flat.height) } else { 1 } {
            let mut rows = vec![first];
            while let Some(row) =
                rows.last().map(|last| last + if rows.len() <= close.into() { 2 } else { gap })
            {
                if row >= flat.height {
                    break;
                }
                rows.push(row);
            }
            let last = if rows.len() <= close.into() { 2 } else { gap };
            snakes.extend(parts(frame, turn, end, serpentine(flat, &rows, last)));
        }
    }
    snakes.sort();
    snakes.dedup();
    snakes
}

/// A way on the turned grid as cells; with an end given, the parts that begin there.
fn parts(frame: &Frame, turn: Symmetry, end: Option<Pos>, way: impl Iterator<Item = Pos>) -> Vec<Snake> {
    // The grid that is this one when it is turned.
    let flat = turn.size(frame.size);
    let cells: Vec<Pos> = way.map(|pos| turn.apply(pos, flat)).collect();
    let whole: Snake = cells.iter().map(|&pos| frame.cell(pos)).collect();
    let at = end.map(|end| cells.iter().position(|&pos| pos == end));
    let mut parts = match at {
        None => vec![whole],
        Some(None) => Vec::new(),
        Some(Some(at)) => vec![whole[at..].to_vec(), whole[..=at].iter().rev().copied().collect()],
    };
    parts.retain(|part| part.len() > 1);
    parts
}

/// How many gaps there are to choose from.
pub(super) const fn gaps() -> usize {
    GAPS.len()
}

/// Along the rows to the right and to the left in turn, and down between them; after the last as if another came after `gap`.
fn serpentine(size: Size, rows: &[u16], gap: u16) -> impl Iterator<Item = Pos> {
    let Size { width, height } = size;
    let next = rows.iter().copied().skip(1).chain(rows.last().map(|last| (last + gap).min(height)));
    rows.iter().copied().zip(next).enumerate().flat_map(move |(n, (y, next))| {
        let at = move |x: u16| if n % 2 == 0 { x } else { width - 1 - x };
        let row = (0..width).map(move |x| Pos { x: at(x), y });
        let last = Pos { x: at(width - 1), y };
        // The last way down may end anywhere.
        let down = (y + 1..next).map(move |y| Pos { x: last.x, y });
        row.chain(down)
    })
}

/// Taut ways between two cells, made longer and longer by arches; every length that `keep` names is kept, and the longest.
///
/// * **Determinism.** The arches are always the same ones.
pub(super) fn arched(frame: &Frame, ends: [Pos; 2], keep: &[u32]) -> Vec<Snake> {
    let mut snakes: Vec<Snake> = Vec::new();
    let tries = ARCHED.iter().find(|tries| frame.size.cells() <= tries.0).map_or(0, |tries| tries.1);
    for n in 0..tries {
        let mut rng = MapRng::from_u64(n);
        let mut way = elbow(frame, ends, n % 2 == 0);
        for &length in keep {
            if way.len() > length as usize + 1 || way.len() < 3 {
                continue;
            }
            let whole = add_arches::<Rows>(frame, length, &mut rng, &mut way);
            snakes.push(way.clone());
            if !whole {
                break;
            }
        }
    }
    snakes.sort();
    snakes.dedup();
    snakes
}

/// Straight, then around a corner.
fn elbow(frame: &Frame, [from, to]: [Pos; 2], level_first: bool) -> Snake {
    let corner = if level_first { Pos { x: to.x, y: from.y } } else { Pos { x: from.x, y: to.y } };
    let mut way = vec![frame.cell(from)];
    let mut here = from;
    for goal in [corner, to] {
        while here != goal {
            let step = |a: u16, b: u16| a + u16::from(b > a) - u16::from(b < a);
            here = Pos { x: step(here.x, goal.x), y: step(here.y, goal.y) };
            way.push(frame.cell(here));
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::*;

    fn assert_taut(frame: &Frame, way: &[u16]) {
        for (i, &a) in way.iter().enumerate() {
            for (j, &b) in way.iter().enumerate().skip(i + 1) {
                let apart = frame.pos(a).taxi_distance(frame.pos(b));
                assert_eq!(apart == 1, j == i + 1, "{:?} {:?}", frame.pos(a), frame.pos(b));
                assert_ne!(apart, 0);
            }
        }
    }

    #[test]
    fn snakes_are_taut_and_long() {
        for size in [Size::new(6, 5), Size::new(7, 7), Size::new(3, 20), Size::new(17, 12)] {
            let frame = <Rows as Board>::frame(size);
            for gap in 0..gaps() {
                for end in [None, Some(Pos::new(0, 0)), Some(Pos::new(2, 1)), Some(Pos::new(1, 4))] {
                    let snakes = serpentines(&frame, gap, end);
                    assert!(!snakes.is_empty(), "{size} {gap} {end:?}");
                    for snake in snakes {
                        assert_taut(&frame, &snake);
                        assert!(end.is_none_or(|end| frame.pos(snake[0]) == end));
                    }
                }
            }
            let longest = serpentines(&frame, 0, None).iter().map(Vec::len).max().unwrap();
            assert!(longest >= size.cells() / 2, "{size}: {longest}");
            let ends = [Pos::new(1, 1), Pos::new(2, 3)];
            let keep: Vec<u32> = (1..size.cells() as u32).collect();
            let snakes = arched(&frame, ends, &keep);
            assert!(snakes.len() > 2, "{size}");
            for snake in snakes {
                assert_taut(&frame, &snake);
                assert_eq!([frame.pos(snake[0]), frame.pos(snake[snake.len() - 1])], ends);
            }
        }
    }
}
