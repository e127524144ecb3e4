//! Sets of grid cells as bitboards.
//!
//! A grid of at most 64 cells fits into one `u64`; larger grids use one word per row ([`RowSet`]).
//! The generator is generic over [`CellSet`], so small floors stay in registers.

use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};

/// Dimensions and neighbour lists of a grid. A *cell* is the number `y * stride + x`.
#[derive(Clone, Debug)]
pub(super) struct GridShape {
    pub(super) size: Size,
    pub(super) stride: u16,
    /// Mask of all cells of the grid (`u64`) or of a row ([`RowSet`]).
    all: u64,
    /// `all` without the first column.
    not_first_column: u64,
    /// `all` without the last column.
    not_last_column: u64,
    cells: Vec<CellInfo>,
}

/// Position and neighbours of one cell.
#[derive(Clone, Copy, Debug, Default)]
struct CellInfo {
    pos: Pos,
    neighbours: [u16; 4],
    neighbour_count: u8,
}

/// Returns the neighbours of a position in the order north, east, south, west.
pub(super) fn neighbours(pos: Pos, size: Size) -> impl Iterator<Item = Pos> {
    Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size))
}

/// A set of cells, stored as bit `cell % 64` of word `cell / 64`.
pub(super) trait CellSet: Clone {
    /// Returns the shape that this representation needs for a grid.
    fn shape(size: Size) -> GridShape;
    fn empty(shape: &GridShape) -> Self;
    fn words(&self) -> &[u64];
    /// Applies a bitwise operation to the words of two sets.
    fn combine(&self, other: &Self, operation: impl Fn(u64, u64) -> u64) -> Self;
    fn contains(&self, cell: u16) -> bool;
    fn insert(&mut self, cell: u16);
    fn remove(&mut self, cell: u16);
    /// Returns the set moved by one step. Cells that leave the grid are dropped.
    fn shifted(&self, shape: &GridShape, dir: Dir) -> Self;
    /// Chooses a cell uniformly at random. Returns `None` if the set is empty.
    fn choose(&self, rng: &mut MapRng) -> Option<u16>;
    /// Returns the cells of this set that are connected to `from`, by flood fill.
    fn flood_fill(&self, shape: &GridShape, from: u16) -> Self;
    /// Finds a shortest path between `ends` inside this set by BFS and stores it in `scratch.path`.
    ///
    /// If several next steps are equally short, prefers cells of `preferred`. Returns false if no
    /// path exists.
    fn find_path(
        &self,
        shape: &GridShape,
        ends: [u16; 2],
        preferred: &Self,
        scratch: &mut PathScratch,
    ) -> bool;

    #[inline]
    fn len(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Returns the set difference.
    #[inline]
    fn minus(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a & !b)
    }

    #[inline]
    fn and(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a & b)
    }

    #[inline]
    fn or(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a | b)
    }

    /// Calls `visit` with every cell in reading order.
    #[inline]
    fn for_each(&self, mut visit: impl FnMut(u16)) {
        for (row, &word) in (0_u16..).zip(self.words()) {
            let mut rest = word;
            while rest != 0 {
                visit(row << 6 | rest.trailing_zeros() as u16);
                rest &= rest - 1;
            }
        }
    }

    #[inline]
    fn from_cells(shape: &GridShape, cells: impl IntoIterator<Item = u16>) -> Self {
        let mut set = Self::empty(shape);
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }

    fn from_positions(shape: &GridShape, positions: impl IntoIterator<Item = Pos>) -> Self {
        Self::from_cells(shape, positions.into_iter().map(|pos| shape.cell(pos)))
    }

    fn to_grid(&self, shape: &GridShape) -> BitGrid {
        let mut grid = BitGrid::new(shape.size);
        self.for_each(|cell| grid.insert(shape.pos(cell)));
        grid
    }

    /// Returns all cells that have a neighbour in the set, including members of the set.
    #[inline]
    fn adjacent(&self, shape: &GridShape) -> Self {
        let horizontal = self.shifted(shape, Dir::East).or(&self.shifted(shape, Dir::West));
        horizontal.or(&self.shifted(shape, Dir::North)).or(&self.shifted(shape, Dir::South))
    }
}

/// Reusable buffers of the path search, and the last path found.
#[derive(Clone, Debug, Default)]
pub(super) struct PathScratch {
    /// Path from start to target.
    pub(super) path: Vec<u16>,
    /// BFS levels as bitboards, for `u64`.
    levels: Vec<u64>,
    /// Distance of each cell to the target, for [`RowSet`].
    distances: Vec<u16>,
    queue: Vec<u16>,
}

impl GridShape {
    /// Creates a shape. Cells between rows, where `stride` exceeds the width, have no neighbours.
    fn new(
        size: Size,
        stride: u16,
        all: u64,
        not_first_column: u64,
        not_last_column: u64,
    ) -> GridShape {
        let mut cells = vec![CellInfo::default(); usize::from(stride) * usize::from(size.height)];
        for pos in size.iter() {
            let info = &mut cells[usize::from(pos.y * stride + pos.x)];
            info.pos = pos;
            for next in neighbours(pos, size) {
                info.neighbours[usize::from(info.neighbour_count)] = next.y * stride + next.x;
                info.neighbour_count += 1;
            }
        }
        GridShape { size, stride, all, not_first_column, not_last_column, cells }
    }

    #[inline]
    pub(super) fn cell(&self, pos: Pos) -> u16 {
        pos.y * self.stride + pos.x
    }

    #[inline]
    pub(super) fn pos(&self, cell: u16) -> Pos {
        self.cells[usize::from(cell)].pos
    }

    /// Returns the length of an array indexed by cell.
    pub(super) fn array_len(&self) -> usize {
        self.cells.len()
    }

    /// Returns the neighbours of a cell in the order north, east, south, west.
    #[inline]
    pub(super) fn neighbours(&self, cell: u16) -> &[u16] {
        let info = &self.cells[usize::from(cell)];
        &info.neighbours[..usize::from(info.neighbour_count & 7).min(4)]
    }
}

impl CellSet for u64 {
    fn shape(size: Size) -> GridShape {
        let cells = size.cells().min(64);
        let all = if cells == 64 { u64::MAX } else { (1 << cells) - 1 };
        let first = (0..size.height).fold(0_u64, |set, y| set | 1 << (y * size.width));
        GridShape::new(size, size.width, all, all & !first, all & !(first << (size.width - 1)))
    }

    #[inline]
    fn empty(_: &GridShape) -> u64 {
        0
    }

    #[inline]
    fn words(&self) -> &[u64] {
        std::slice::from_ref(self)
    }

    #[inline]
    fn combine(&self, other: &u64, operation: impl Fn(u64, u64) -> u64) -> u64 {
        operation(*self, *other)
    }

    #[inline]
    fn contains(&self, cell: u16) -> bool {
        self >> cell & 1 == 1
    }

    #[inline]
    fn insert(&mut self, cell: u16) {
        *self |= 1 << cell;
    }

    #[inline]
    fn remove(&mut self, cell: u16) {
        *self &= !(1 << cell);
    }

    #[inline]
    fn shifted(&self, shape: &GridShape, dir: Dir) -> u64 {
        match dir {
            Dir::East => self << 1 & shape.not_first_column,
            Dir::West => self >> 1 & shape.not_last_column,
            Dir::South => self << shape.stride & shape.all,
            _ => self >> shape.stride,
        }
    }

    #[inline]
    fn choose(&self, rng: &mut MapRng) -> Option<u16> {
        rng.choose_bit(*self).map(|bit| bit as u16)
    }

    #[inline]
    fn flood_fill(&self, shape: &GridShape, from: u16) -> u64 {
        let mut reached = 1 << from;
        loop {
            let next = reached | reached.adjacent(shape) & self;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    fn find_path(
        &self,
        shape: &GridShape,
        [from, to]: [u16; 2],
        preferred: &u64,
        scratch: &mut PathScratch,
    ) -> bool {
        let PathScratch { path, levels, .. } = scratch;
        levels.clear();
        let start = 1 << from;
        let (mut level, mut unvisited) = (1 << to, self & !(1 << to));
        while level & start == 0 {
            levels.push(level);
            level = level.adjacent(shape) & unvisited;
            unvisited &= !level;
            if level == 0 {
                return false;
            }
        }
        path.clear();
        path.push(from);
        let mut current: u64 = start;
        for &level in levels.iter().rev() {
            let next = current.adjacent(shape) & level;
            let preferred_next = next & preferred;
            let next = if preferred_next != 0 { preferred_next } else { next };
            current = next & next.wrapping_neg();
            path.push(current.trailing_zeros() as u16);
        }
        true
    }
}

/// A set of cells with one word per row, for grids of at most 64 x 64 cells.
#[derive(Clone)]
pub(super) struct RowSet {
    words: [u64; 64],
    height: usize,
}

impl CellSet for RowSet {
    fn shape(size: Size) -> GridShape {
        let all = if size.width >= 64 { u64::MAX } else { (1 << size.width) - 1 };
        GridShape::new(size, 64, all, all & !1, all >> 1)
    }

    fn empty(shape: &GridShape) -> RowSet {
        RowSet { words: [0; 64], height: usize::from(shape.size.height).min(64) }
    }

    fn words(&self) -> &[u64] {
        &self.words[..self.height]
    }

    #[inline]
    fn combine(&self, other: &RowSet, operation: impl Fn(u64, u64) -> u64) -> RowSet {
        let mut out = RowSet { words: [0; 64], height: self.height };
        for (out, (a, b)) in
            out.words[..self.height].iter_mut().zip(self.words.iter().zip(&other.words))
        {
            *out = operation(*a, *b);
        }
        out
    }

    #[inline]
    fn contains(&self, cell: u16) -> bool {
        self.words[usize::from(cell >> 6) & 63] >> (cell & 63) & 1 == 1
    }

    #[inline]
    fn insert(&mut self, cell: u16) {
        self.words[usize::from(cell >> 6) & 63] |= 1 << (cell & 63);
    }

    #[inline]
    fn remove(&mut self, cell: u16) {
        self.words[usize::from(cell >> 6) & 63] &= !(1 << (cell & 63));
    }

    fn shifted(&self, shape: &GridShape, dir: Dir) -> RowSet {
        let mut out = self.clone();
        let rows = &mut out.words[..self.height];
        match dir {
            Dir::East => rows.iter_mut().for_each(|row| *row = *row << 1 & shape.all),
            Dir::West => rows.iter_mut().for_each(|row| *row >>= 1),
            Dir::South => {
                rows.copy_within(..self.height - 1, 1);
                rows[0] = 0;
            }
            _ => {
                rows.copy_within(1.., 0);
                rows[self.height - 1] = 0;
            }
        }
        out
    }

    fn choose(&self, rng: &mut MapRng) -> Option<u16> {
        let count = self.len();
        let mut index = (count > 0).then(|| rng.below(count))?;
        for (y, &row) in (0..).zip(self.words()) {
            let row_count = row.count_ones();
            if index < row_count {
                let rest = (0..index).fold(row, |rest, _| rest & (rest - 1));
                return Some(y << 6 | rest.trailing_zeros() as u16);
            }
            index -= row_count;
        }
        None
    }

    /// Sweeps down and up until nothing changes. A straight corridor takes one sweep instead of one
    /// iteration per cell.
    fn flood_fill(&self, shape: &GridShape, from: u16) -> RowSet {
        let mut reached = RowSet::empty(shape);
        reached.insert(from);
        loop {
            let mut changed = false;
            for y in (0..self.height).chain((0..self.height).rev()) {
                let above = if y > 0 { reached.words[y - 1] } else { 0 };
                let below = if y + 1 < self.height { reached.words[y + 1] } else { 0 };
                let before = reached.words[y];
                let mut row = before | (above | below) & self.words[y];
                loop {
                    let wider = row | (row << 1 | row >> 1) & self.words[y];
                    if wider == row {
                        break;
                    }
                    row = wider;
                }
                reached.words[y] = row;
                changed |= row != before;
            }
            if !changed {
                return reached;
            }
        }
    }

    fn find_path(
        &self,
        shape: &GridShape,
        [from, to]: [u16; 2],
        preferred: &RowSet,
        scratch: &mut PathScratch,
    ) -> bool {
        const UNREACHED: u16 = u16::MAX;
        let PathScratch { path, distances, queue, .. } = scratch;
        distances.clear();
        distances.resize(shape.array_len(), UNREACHED);
        queue.clear();
        queue.push(to);
        distances[usize::from(to)] = 0;
        let mut head = 0;
        while let Some(&cell) = queue.get(head) {
            if cell == from {
                break;
            }
            head += 1;
            for &next in shape.neighbours(cell) {
                if self.contains(next) && distances[usize::from(next)] == UNREACHED {
                    distances[usize::from(next)] = distances[usize::from(cell)] + 1;
                    queue.push(next);
                }
            }
        }
        if distances[usize::from(from)] == UNREACHED {
            return false;
        }
        path.clear();
        path.push(from);
        let mut current = from;
        while current != to {
            let distance = distances[usize::from(current)] - 1;
            let closer = || {
                shape
                    .neighbours(current)
                    .iter()
                    .copied()
                    .filter(|&next| distances[usize::from(next)] == distance)
            };
            let Some(next) =
                closer().find(|&next| preferred.contains(next)).or_else(|| closer().next())
            else {
                return false;
            };
            current = next;
            path.push(current);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<S: CellSet>(shape: &GridShape, rows: &[&str]) -> S {
        let mut set = S::empty(shape);
        for (y, row) in rows.iter().enumerate() {
            for (x, c) in row.bytes().enumerate() {
                if c == b'#' {
                    set.insert(shape.cell(Pos::new(x as u16, y as u16)));
                }
            }
        }
        set
    }

    fn rows<S: CellSet>(shape: &GridShape, set: &S) -> Vec<String> {
        let mark = |pos: Pos| if set.contains(shape.cell(pos)) { '#' } else { '.' };
        let row = |y| (0..shape.size.width).map(|x| mark(Pos::new(x, y))).collect();
        (0..shape.size.height).map(row).collect()
    }

    fn check_drawn_examples<S: CellSet>() {
        let shape = S::shape(Size::new(4, 3));
        let corners: S = set(&shape, &["#..#", "....", "#..#"]);
        assert_eq!(rows(&shape, &corners.adjacent(&shape)), [".##.", "#..#", ".##."]);
        let open: S = set(&shape, &["##..", ".###", "#..#"]);
        assert_eq!(rows(&shape, &open.flood_fill(&shape, 0)), ["##..", ".###", "...#"]);
        let mut scratch = PathScratch::default();
        let end = shape.cell(Pos::new(3, 2));
        assert!(open.find_path(&shape, [0, end], &open, &mut scratch));
        let path: Vec<Pos> = scratch.path.iter().map(|&cell| shape.pos(cell)).collect();
        assert_eq!(path, [(0, 0), (1, 0), (1, 1), (2, 1), (3, 1), (3, 2)].map(Pos::from));
        let island = shape.cell(Pos::new(0, 2));
        assert!(!open.find_path(&shape, [0, island], &open, &mut scratch));
        assert_eq!((open.len(), open.minus(&corners).len(), open.and(&corners).len()), (7, 4, 3));
    }

    #[test]
    fn set_operations_match_drawn_examples() {
        check_drawn_examples::<u64>();
        check_drawn_examples::<RowSet>();
    }

    #[test]
    fn adjacent_cells_stay_inside_the_grid() {
        for size in [Size::new(8, 8), Size::new(16, 4), Size::new(3, 21)] {
            let shape = <u64 as CellSet>::shape(size);
            let all = shape.all;
            assert_eq!(all.len(), 64.min(size.cells() as u32));
            assert_eq!(all.adjacent(&shape), all);
        }
        let shape = <RowSet as CellSet>::shape(Size::new(64, 64));
        let mut one = RowSet::empty(&shape);
        one.insert(shape.cell(Pos::new(63, 63)));
        assert_eq!(one.adjacent(&shape).len(), 2);
    }
}
