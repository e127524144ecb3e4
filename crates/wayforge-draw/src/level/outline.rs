//! Outlines of cell sets, traced along cell edges (crack following).

use wayforge::grid::{BitGrid, Pos, Size};

/// Outline of a set of cells: closed loops over cell corners, with the set on the right.
///
/// Cells that touch only at a corner are separate. A corner has the coordinates of the cell whose
/// upper left corner it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Loops as sequences of corners where the direction changes; the first corner is not repeated.
    pub loops: Vec<Vec<Pos>>,
}

/// Directions along cell edges, clockwise from east.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Outline {
    /// Traces the outline of a set.
    ///
    /// # Complexity
    /// O(cells).
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::grid::{BitGrid, Pos, Size};
    /// use wayforge_draw::Outline;
    /// let set = BitGrid::from_cells(Size::new(4, 3), [Pos::new(1, 1), Pos::new(2, 1)]);
    /// let corners = [Pos::new(1, 1), Pos::new(3, 1), Pos::new(3, 2), Pos::new(1, 2)];
    /// assert_eq!(Outline::trace(&set).loops, [corners]);
    /// ```
    pub fn trace(set: &BitGrid) -> Outline {
        let size = set.size();
        // Cells whose upper edge is already part of a loop.
        let mut traced = BitGrid::new(size);
        let mut loops = Vec::new();
        for pos in set.iter() {
            if !has(set, i32::from(pos.x), i32::from(pos.y) - 1) && !traced.contains(pos) {
                loops.push(follow_loop(set, size, &mut traced, pos));
            }
        }
        Outline { loops }
    }

    /// Returns the edges that have the set below them, each as its left corner and length.
    pub(crate) fn upper_edges(&self) -> impl Iterator<Item = (Pos, u16)> {
        self.edges().filter(|(a, b)| a.y == b.y && b.x > a.x).map(|(a, b)| (a, b.x - a.x))
    }

    /// Returns the edges that have the set to their right, each as its upper corner and length.
    pub(crate) fn left_edges(&self) -> impl Iterator<Item = (Pos, u16)> {
        self.edges().filter(|(a, b)| a.x == b.x && b.y < a.y).map(|(a, b)| (b, a.y - b.y))
    }

    fn edges(&self) -> impl Iterator<Item = (Pos, Pos)> {
        self.loops.iter().flat_map(|corners| {
            corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&a, &b)| (a, b))
        })
    }
}

fn has(set: &BitGrid, x: i32, y: i32) -> bool {
    match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) => set.contains(Pos { x, y }),
        _ => false,
    }
}

/// Follows one loop from the upper left corner of `from`, starting eastwards.
fn follow_loop(set: &BitGrid, size: Size, traced: &mut BitGrid, from: Pos) -> Vec<Pos> {
    let start = (i32::from(from.x), i32::from(from.y));
    let ((mut x, mut y), mut dir) = (start, 0);
    let mut corners = Vec::new();
    loop {
        if dir == 0 && size.contains(Pos { x: x as u16, y: y as u16 }) {
            traced.insert(Pos { x: x as u16, y: y as u16 });
        }
        let (dx, dy) = DIRECTIONS[dir];
        (x, y) = (x + dx, y + dy);
        // Cells ahead of the new corner, on the left and on the right.
        let (left, right) = match dir {
            0 => ((x, y - 1), (x, y)),
            1 => ((x, y), (x - 1, y)),
            2 => ((x - 1, y), (x - 1, y - 1)),
            _ => ((x - 1, y - 1), (x, y - 1)),
        };
        let next = match (has(set, left.0, left.1), has(set, right.0, right.1)) {
            (_, false) => (dir + 1) % 4,
            (true, true) => (dir + 3) % 4,
            (false, true) => dir,
        };
        if next != dir {
            corners.push(Pos { x: x as u16, y: y as u16 });
        }
        dir = next;
        if (x, y) == start && dir == 0 {
            break;
        }
    }
    // Every loop turns at its start, which was pushed last.
    corners.rotate_right(1);
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> BitGrid {
        let rows: Vec<&str> = text.split(' ').collect();
        let size = Size::new(rows[0].len() as u16, rows.len() as u16);
        BitGrid::from_cells(
            size,
            size.iter().filter(|p| rows[usize::from(p.y)].as_bytes()[usize::from(p.x)] == b'#'),
        )
    }

    /// Enclosed area by the shoelace formula; holes count as negative.
    fn area(outline: &Outline) -> i64 {
        let twice =
            |(a, b): (Pos, Pos)| i64::from(a.x) * i64::from(b.y) - i64::from(b.x) * i64::from(a.y);
        outline.edges().map(twice).sum::<i64>() / 2
    }

    #[test]
    fn enclosed_area_equals_the_number_of_cells() {
        for bits in 0..1u32 << 12 {
            let size = Size::new(4, 3);
            let set =
                BitGrid::from_cells(size, size.iter().filter(|&p| bits >> size.index(p) & 1 == 1));
            let outline = Outline::trace(&set);
            assert_eq!(area(&outline), set.len() as i64, "{set}");
            for corners in &outline.loops {
                let straight = |a: Pos, b: Pos| (a.x == b.x) != (a.y == b.y);
                assert!(
                    corners
                        .iter()
                        .zip(corners.iter().cycle().skip(1))
                        .all(|(&a, &b)| straight(a, b))
                );
                assert!(corners.len().is_multiple_of(2));
            }
        }
    }

    #[test]
    fn cells_touching_at_corners_are_separate_and_holes_are_loops() {
        assert_eq!(Outline::trace(&set("#. .#")).loops.len(), 2);
        assert_eq!(Outline::trace(&set("### #.# ###")).loops.len(), 2);
        assert_eq!(Outline::trace(&set("### ###")).loops.len(), 1);
    }
}
