//! Sets of cells as bits: one word where a floor fits one, a word a row otherwise.
//!
//! Generators are written once over [`Board`]; a floor of up to 64 cells then lives in registers.

use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};

/// What a set must know of its grid. A *cell* is `y * stride + x`.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) size: Size,
    pub(super) stride: u16,
    /// All cells of a floor in one word.
    all: u64,
    /// The same without its first and its last column.
    not_first: u64,
    not_last: u64,
    /// Where each cell is, and the cells beside it.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    pos: Pos,
    beside: [u16; 4],
    count: u8,
}

/// The cells beside one, in the order north, east, south, west.
pub(super) fn neighbours(pos: Pos, size: Size) -> impl Iterator<Item = Pos> {
    Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size))
}

/// A set of cells, in words of 64: bit `cell % 64` of word `cell / 64`.
pub(super) trait Board: Clone {
    /// The frame of a grid for sets of this make.
    fn frame(size: Size) -> Frame;
    fn empty(frame: &Frame) -> Self;
    fn words(&self) -> &[u64];
    /// The set whose words `join` makes from those of two sets.
    fn join(&self, other: &Self, join: impl Fn(u64, u64) -> u64) -> Self;
    fn has(&self, cell: u16) -> bool;
    fn add(&mut self, cell: u16);
    fn remove(&mut self, cell: u16);
    /// The set moved by one step; what leaves the grid is lost.
    fn moved(&self, frame: &Frame, dir: Dir) -> Self;
    /// One cell of the set, every one equally likely.
    fn pick(&self, rng: &mut MapRng) -> Option<u16>;
    /// What can be reached from `from` inside this set.
    fn flood(&self, frame: &Frame, from: u16) -> Self;
    /// Finds a shortest way through this set between `ends`, over `liked` cells where there is a choice, and leaves it in
    /// `tracks.way`; false if there is none.
    fn find_way(&self, frame: &Frame, ends: [u16; 2], liked: &Self, tracks: &mut Tracks) -> bool;

    #[inline]
    fn len(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// What this set and not `other` holds.
    #[inline]
    fn minus(&self, other: &Self) -> Self {
        self.join(other, |a, b| a & !b)
    }

    #[inline]
    fn and(&self, other: &Self) -> Self {
        self.join(other, |a, b| a & b)
    }

    #[inline]
    fn or(&self, other: &Self) -> Self {
        self.join(other, |a, b| a | b)
    }

    /// Calls `see` with every cell in reading order.
    #[inline]
    fn each(&self, mut see: impl FnMut(u16)) {
        for (row, &word) in (0_u16..).zip(self.words()) {
            let mut rest = word;
            while rest != 0 {
                see(row << 6 | rest.trailing_zeros() as u16);
                rest &= rest - 1;
            }
        }
    }

    /// The set of these cells.
    #[inline]
    fn collect(frame: &Frame, cells: impl IntoIterator<Item = u16>) -> Self {
        let mut set = Self::empty(frame);
        cells.into_iter().for_each(|cell| set.add(cell));
        set
    }

    /// The set of the cells at these positions.
    fn of(frame: &Frame, positions: impl IntoIterator<Item = Pos>) -> Self {
        Self::collect(frame, positions.into_iter().map(|pos| frame.cell(pos)))
    }

    /// The positions of the set's cells.
    fn to_grid(&self, frame: &Frame) -> BitGrid {
        let mut grid = BitGrid::new(frame.size);
        self.each(|cell| grid.insert(frame.pos(cell)));
        grid
    }

    /// The cells beside the set's cells.
    #[inline]
    fn beside(&self, frame: &Frame) -> Self {
        let across = self.moved(frame, Dir::East).or(&self.moved(frame, Dir::West));
        across.or(&self.moved(frame, Dir::North)).or(&self.moved(frame, Dir::South))
    }
}

/// Scratch buffers for finding ways, and the last way that was found.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracks {
    pub(super) way: Vec<u16>,
    waves: Vec<u64>,
    steps: Vec<u16>,
    queue: Vec<u16>,
}

impl Frame {
    /// A frame with its places; cells between rows, where the stride is wider than the grid, have none beside them.
    fn new(size: Size, stride: u16, all: u64, not_first: u64, not_last: u64) -> Frame {
        let mut places = vec![Place::default(); usize::from(stride) * usize::from(size.height)];
        for pos in size.iter() {
            let place = &mut places[usize::from(pos.y * stride + pos.x)];
            place.pos = pos;
            for next in neighbours(pos, size) {
                place.beside[usize::from(place.count)] = next.y * stride + next.x;
                place.count += 1;
            }
        }
        Frame { size, stride, all, not_first, not_last, places }
    }

    #[inline]
    pub(super) fn cell(&self, pos: Pos) -> u16 {
        pos.y * self.stride + pos.x
    }

    #[inline]
    pub(super) fn pos(&self, cell: u16) -> Pos {
        self.places[usize::from(cell)].pos
    }

    /// How many cells an array by cell must hold.
    pub(super) fn span(&self) -> usize {
        self.places.len()
    }

    /// The cells beside one cell, in the order north, east, south, west.
    #[inline]
    pub(super) fn neighbours(&self, cell: u16) -> &[u16] {
        let place = &self.places[usize::from(cell)];
        &place.beside[..usize::from(place.count & 7).min(4)]
    }
}

impl Board for u64 {
    fn frame(size: Size) -> Frame {
        let cells = size.cells().min(64);
        let all = if cells == 64 { u64::MAX } else { (1 << cells) - 1 };
        let first = (0..size.height).fold(0_u64, |set, y| set | 1 << (y * size.width));
        Frame::new(size, size.width, all, all & !first, all & !(first << (size.width - 1)))
    }

    #[inline]
    fn empty(_: &Frame) -> u64 {
        0
    }

    #[inline]
    fn words(&self) -> &[u64] {
        std::slice::from_ref(self)
    }

    #[inline]
    fn join(&self, other: &u64, join: impl Fn(u64, u64) -> u64) -> u64 {
        join(*self, *other)
    }

    #[inline]
    fn has(&self, cell: u16) -> bool {
        self >> cell & 1 == 1
    }

    #[inline]
    fn add(&mut self, cell: u16) {
        *self |= 1 << cell;
    }

    #[inline]
    fn remove(&mut self, cell: u16) {
        *self &= !(1 << cell);
    }

    #[inline]
    fn moved(&self, frame: &Frame, dir: Dir) -> u64 {
        match dir {
            Dir::East => self << 1 & frame.not_first,
            Dir::West => self >> 1 & frame.not_last,
            Dir::South => self << frame.stride & frame.all,
            _ => self >> frame.stride,
        }
    }

    #[inline]
    fn pick(&self, rng: &mut MapRng) -> Option<u16> {
        rng.bit(*self).map(|bit| bit as u16)
    }

    #[inline]
    fn flood(&self, frame: &Frame, from: u16) -> u64 {
        let mut reached = 1 << from;
        loop {
            let next = reached | reached.beside(frame) & self;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    fn find_way(&self, frame: &Frame, [from, to]: [u16; 2], liked: &u64, tracks: &mut Tracks) -> bool {
        let Tracks { way, waves, .. } = tracks;
        waves.clear();
        let goal = 1 << from;
        let (mut wave, mut left) = (1 << to, self & !(1 << to));
        while wave & goal == 0 {
            waves.push(wave);
            wave = wave.beside(frame) & left;
            left &= !wave;
            if wave == 0 {
                return false;
            }
        }
        way.clear();
        way.push(from);
        let mut here: u64 = goal;
        for &wave in waves.iter().rev() {
            let next = here.beside(frame) & wave;
            let kept = next & liked;
            let next = if kept != 0 { kept } else { next };
            here = next & next.wrapping_neg();
            way.push(here.trailing_zeros() as u16);
        }
        true
    }
}

/// The rows of a floor, a word each: floors have at most 64 columns and rows.
#[derive(Clone)]
pub(super) struct Rows {
    words: [u64; 64],
    height: usize,
}

impl Board for Rows {
    fn frame(size: Size) -> Frame {
        let all = if size.width >= 64 { u64::MAX } else { (1 << size.width) - 1 };
        Frame::new(size, 64, all, all & !1, all >> 1)
    }

    fn empty(frame: &Frame) -> Rows {
        Rows { words: [0; 64], height: usize::from(frame.size.height).min(64) }
    }

    fn words(&self) -> &[u64] {
        &self.words[..self.height]
    }

    #[inline]
    fn join(&self, other: &Rows, join: impl Fn(u64, u64) -> u64) -> Rows {
        let mut out = Rows { words: [0; 64], height: self.height };
        for (out, (a, b)) in out.words[..self.height].iter_mut().zip(self.words.iter().zip(&other.words)) {
            *out = join(*a, *b);
        }
        out
    }

    #[inline]
    fn has(&self, cell: u16) -> bool {
        self.words[usize::from(cell >> 6) & 63] >> (cell & 63) & 1 == 1
    }

    #[inline]
    fn add(&mut self, cell: u16) {
        self.words[usize::from(cell >> 6) & 63] |= 1 << (cell & 63);
    }

    #[inline]
    fn remove(&mut self, cell: u16) {
        self.words[usize::from(cell >> 6) & 63] &= !(1 << (cell & 63));
    }

    fn moved(&self, frame: &Frame, dir: Dir) -> Rows {
        let mut out = self.clone();
        let rows = &mut out.words[..self.height];
        match dir {
            Dir::East => rows.iter_mut().for_each(|row| *row = *row << 1 & frame.all),
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

    fn pick(&self, rng: &mut MapRng) -> Option<u16> {
        let count = self.len();
        let mut nth = (count > 0).then(|| rng.below(count))?;
        for (y, &row) in (0..).zip(self.words()) {
            let here = row.count_ones();
            if nth < here {
                let rest = (0..nth).fold(row, |rest, _| rest & (rest - 1));
                return Some(y << 6 | rest.trailing_zeros() as u16);
            }
            nth -= here;
        }
        None
    }

    /// Sweeps down and up until nothing is added: corridors along rows and columns take one sweep, not one a step.
    fn flood(&self, frame: &Frame, from: u16) -> Rows {
        let mut reached = Rows::empty(frame);
        reached.add(from);
        loop {
            let mut grown = false;
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
                grown |= row != before;
            }
            if !grown {
                return reached;
            }
        }
    }

    fn find_way(&self, frame: &Frame, [from, to]: [u16; 2], liked: &Rows, tracks: &mut Tracks) -> bool {
        const FAR: u16 = u16::MAX;
        let Tracks { way, steps, queue, .. } = tracks;
        steps.clear();
        steps.resize(frame.span(), FAR);
        queue.clear();
        queue.push(to);
        steps[usize::from(to)] = 0;
        let mut at = 0;
        while let Some(&cell) = queue.get(at) {
            if cell == from {
                break;
            }
            at += 1;
            for &next in frame.neighbours(cell) {
                if self.has(next) && steps[usize::from(next)] == FAR {
                    steps[usize::from(next)] = steps[usize::from(cell)] + 1;
                    queue.push(next);
                }
            }
        }
        if steps[usize::from(from)] == FAR {
            return false;
        }
        way.clear();
        way.push(from);
        let mut here = from;
        while here != to {
            let step = steps[usize::from(here)] - 1;
            let beside =
                || frame.neighbours(here).iter().copied().filter(|&next| steps[usize::from(next)] == step);
            let Some(next) = beside().find(|&next| liked.has(next)).or_else(|| beside().next()) else {
                return false;
            };
            here = next;
            way.push(here);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<B: Board>(frame: &Frame, rows: &[&str]) -> B {
        let mut set = B::empty(frame);
        for (y, row) in rows.iter().enumerate() {
            for (x, c) in row.bytes().enumerate() {
                if c == b'#' {
                    set.add(frame.cell(Pos::new(x as u16, y as u16)));
                }
            }
        }
        set
    }

    fn rows<B: Board>(frame: &Frame, set: &B) -> Vec<String> {
        let mark = |pos: Pos| if set.has(frame.cell(pos)) { '#' } else { '.' };
        let row = |y| (0..frame.size.width).map(|x| mark(Pos::new(x, y))).collect();
        (0..frame.size.height).map(row).collect()
    }

    fn check<B: Board>() {
        let frame = B::frame(Size::new(4, 3));
        let corners: B = set(&frame, &["#..#", "....", "#..#"]);
        assert_eq!(rows(&frame, &corners.beside(&frame)), [".##.", "#..#", ".##."]);
        let open: B = set(&frame, &["##..", ".###", "#..#"]);
        assert_eq!(rows(&frame, &open.flood(&frame, 0)), ["##..", ".###", "...#"]);
        let mut tracks = Tracks::default();
        let end = frame.cell(Pos::new(3, 2));
        assert!(open.find_way(&frame, [0, end], &open, &mut tracks));
        let way: Vec<Pos> = tracks.way.iter().map(|&cell| frame.pos(cell)).collect();
        assert_eq!(way, [(0, 0), (1, 0), (1, 1), (2, 1), (3, 1), (3, 2)].map(Pos::from));
        let island = frame.cell(Pos::new(0, 2));
        assert!(!open.find_way(&frame, [0, island], &open, &mut tracks));
        assert_eq!((open.len(), open.minus(&corners).len(), open.and(&corners).len()), (7, 4, 3));
    }

    #[test]
    fn both_makes_of_sets_agree_with_what_is_drawn() {
        check::<u64>();
        check::<Rows>();
    }

    #[test]
    fn nothing_leaves_a_full_grid() {
        for size in [Size::new(8, 8), Size::new(16, 4), Size::new(3, 21)] {
            let frame = <u64 as Board>::frame(size);
            let all = frame.all;
            assert_eq!(all.len(), 64.min(size.cells() as u32));
            assert_eq!(all.beside(&frame), all);
        }
        let frame = <Rows as Board>::frame(Size::new(64, 64));
        let mut one = Rows::empty(&frame);
        one.add(frame.cell(Pos::new(63, 63)));
        assert_eq!(one.beside(&frame).len(), 2);
    }
}
