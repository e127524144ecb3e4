//! A set of cells, 64 to a word.

use super::{Pos, Size};
use std::fmt;

/// A set of cells of a grid. Each row starts on a word of its own; bit `x % 64` of word `x / 64` is column `x`.
///
/// Bits beyond the width are always 0.
///
/// ```
/// use wayforge_core::grid::{BitGrid, Pos, Size};
/// let mut set = BitGrid::new(Size::new(70, 3));
/// set.insert(Pos::new(69, 2));
/// assert!(set.contains(Pos::new(69, 2)));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [Pos::new(69, 2)]);
/// assert_eq!(set.len(), 1);
/// ```
#[derive(Default, PartialEq, Eq)]
pub struct BitGrid {
    size: Size,
    /// Words of a row.
    stride: usize,
    words: Vec<u64>,
}

impl BitGrid {
    /// The empty set on a grid of `size`.
    pub fn new(size: Size) -> BitGrid {
        let mut set = BitGrid::default();
        set.reset(size);
        set
    }

    /// The set of `cells` on a grid of `size`; what lies beyond is left out.
    pub fn of(size: Size, cells: impl IntoIterator<Item = Pos>) -> BitGrid {
        let mut set = BitGrid::new(size);
        cells.into_iter().for_each(|pos| set.insert(pos));
        set
    }

    /// Empties the set and gives it a size; memory is kept.
    pub fn reset(&mut self, size: Size) {
        self.size = size;
        self.stride = usize::from(size.width).div_ceil(64);
        self.words.clear();
        self.words.resize(self.stride * usize::from(size.height), 0);
    }

    /// The grid's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many words a row takes.
    #[inline]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// All words, row after row.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// All words, to be changed; bits beyond the width must stay 0.
    #[inline]
    #[doc(hidden)]
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The words of one row.
    #[inline]
    pub fn row(&self, y: u16) -> &[u64] {
        let start = usize::from(y) * self.stride;
        &self.words[start..start + self.stride]
    }

    /// The mask of the columns that exist in word `w` of a row.
    #[inline]
    #[doc(hidden)]
    pub fn columns(&self, w: usize) -> u64 {
        let rest = usize::from(self.size.width) - (w * 64).min(usize::from(self.size.width));
        if rest >= 64 { u64::MAX } else { (1 << rest) - 1 }
    }

    /// True if the cell is in the set; false beyond the grid.
    #[inline]
    pub fn contains(&self, pos: Pos) -> bool {
        self.size.contains(pos) && self.words[self.word_of(pos)] >> (pos.x % 64) & 1 == 1
    }

    /// Adds a cell; beyond the grid there is nothing to add.
    #[inline]
    pub fn insert(&mut self, pos: Pos) {
        if self.size.contains(pos) {
            let word = self.word_of(pos);
            self.words[word] |= 1 << (pos.x % 64);
        }
    }

    /// Takes a cell out.
    #[inline]
    pub fn remove(&mut self, pos: Pos) {
        if self.size.contains(pos) {
            let word = self.word_of(pos);
            self.words[word] &= !(1 << (pos.x % 64));
        }
    }

    /// Adds the cells of row `y` from column `first` to column `last`, both included, as far as they lie on the grid.
    #[inline]
    pub fn insert_run(&mut self, y: u16, first: u16, last: u16) {
        for (at, mask) in self.run(y, first, last) {
            self.words[at] |= mask;
        }
    }

    /// Removes the cells of row `y` from column `first` to column `last`, both included.
    #[inline]
    pub fn remove_run(&mut self, y: u16, first: u16, last: u16) {
        for (at, mask) in self.run(y, first, last) {
            self.words[at] &= !mask;
        }
    }

    /// True if a cell of the rectangle from `left`,`top` to `right`,`bottom`, both included, is in the set.
    #[inline]
    pub fn any_in(&self, left: u16, top: u16, right: u16, bottom: u16) -> bool {
        (top..self.size.height.min(bottom.saturating_add(1)))
            .any(|y| self.run(y, left, right).any(|(at, mask)| self.words[at] & mask != 0))
    }

    /// How many cells are in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// True if no cell is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The cells in reading order.
    pub fn iter(&self) -> impl Iterator<Item = Pos> {
        let stride = self.stride.max(1);
        self.words.iter().enumerate().flat_map(move |(at, &word)| {
            let (y, first) = ((at / stride) as u16, (at % stride * 64) as u16);
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                (bit < 64).then(|| Pos { x: first + bit as u16, y })
            })
        })
    }

    #[inline]
    fn word_of(&self, pos: Pos) -> usize {
        usize::from(pos.y) * self.stride + usize::from(pos.x / 64)
    }

    /// The words of row `y` that contain columns `first` to `last`, each with the mask of these columns.
    #[inline]
    fn run(&self, y: u16, first: u16, last: u16) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (row, last) = (usize::from(y) * self.stride, last.min(self.size.width.saturating_sub(1)));
        let end = if self.size.contains(Pos { x: 0, y }) { last / 64 + 1 } else { 0 };
        (first / 64..end).map(move |w| {
            let (from, to) = (first.saturating_sub(w * 64), (last - w * 64).min(63));
            (row + usize::from(w), u64::MAX << from & u64::MAX >> (63 - to))
        })
    }
}

/// Copying into a set that is there keeps its memory.
impl Clone for BitGrid {
    fn clone(&self) -> BitGrid {
        BitGrid { size: self.size, stride: self.stride, words: self.words.clone() }
    }

    fn clone_from(&mut self, other: &BitGrid) {
        (self.size, self.stride) = (other.size, other.stride);
        self.words.clone_from(&other.words);
    }
}

/// A set drawn as rows of `#` and `.`.
impl fmt::Display for BitGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.size.height).try_for_each(|y| {
            let row: String =
                (0..self.size.width).map(|x| if self.contains(Pos { x, y }) { '#' } else { '.' }).collect();
            writeln!(f, "{row}")
        })
    }
}

impl fmt::Debug for BitGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitGrid {}\n{self}", self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_was_put_in_across_words_and_rows() {
        let size = Size::new(130, 4);
        let cells: Vec<Pos> = size.iter().filter(|pos| (pos.x * 7 + pos.y * 3) % 5 == 0).collect();
        let mut set = BitGrid::of(size, cells.iter().copied());
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.len(), cells.len());
        for &pos in &cells {
            set.remove(pos);
            assert!(!set.contains(pos));
        }
        assert!(set.is_empty());
        set.insert(Pos::new(130, 0));
        set.insert(Pos::new(0, 4));
        assert!(set.is_empty() && !set.contains(Pos::new(130, 0)), "nothing lies beyond the grid");
    }

    #[test]
    fn runs_and_rectangles_across_words() {
        let size = Size::new(200, 5);
        for (first, last) in [(0, 0), (0, 199), (60, 70), (63, 64), (64, 127), (128, 500), (9, 3)] {
            let mut set = BitGrid::new(size);
            set.insert_run(2, first, last);
            let cells: Vec<Pos> = (first..=last.min(199)).map(|x| Pos::new(x, 2)).collect();
            assert_eq!(set, BitGrid::of(size, cells), "{first} to {last}");
        }
        let set = BitGrid::of(size, [Pos::new(64, 2)]);
        for (left, top, right, bottom) in [(0, 0, 199, 4), (64, 2, 64, 2), (63, 1, 64, 2), (60, 0, 300, 9)] {
            assert!(set.any_in(left, top, right, bottom));
        }
        for (left, top, right, bottom) in [(0, 0, 63, 4), (65, 2, 199, 2), (0, 0, 199, 1), (64, 3, 64, 4)] {
            assert!(!set.any_in(left, top, right, bottom));
        }
    }

    #[test]
    fn drawn_as_rows() {
        assert_eq!(BitGrid::of(Size::new(3, 2), [Pos::new(1, 0), Pos::new(2, 1)]).to_string(), ".#.\n..#\n");
    }
}
