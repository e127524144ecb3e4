//! Sets of cells as bit matrices, 64 cells per word.

use super::{Pos, Size};
use std::fmt;

/// A set of cells of a grid, as a bit matrix.
///
/// Each row starts with a new word. Column `x` is bit `x % 64` of word `x / 64` of its row. Bits
/// beyond the width are always 0.
///
/// # Examples
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
    /// Number of words per row.
    stride: usize,
    words: Vec<u64>,
}

impl BitGrid {
    /// Creates an empty set on a grid of `size`.
    pub fn new(size: Size) -> BitGrid {
        let mut set = BitGrid::default();
        set.reset(size);
        set
    }

    /// Creates a set of `cells` on a grid of `size`. Cells outside the grid are ignored.
    pub fn from_cells(size: Size, cells: impl IntoIterator<Item = Pos>) -> BitGrid {
        let mut set = BitGrid::new(size);
        cells.into_iter().for_each(|pos| set.insert(pos));
        set
    }

    /// Clears the set and changes its size; reuses the memory.
    pub fn reset(&mut self, size: Size) {
        self.size = size;
        self.stride = usize::from(size.width).div_ceil(64);
        self.words.clear();
        self.words.resize(self.stride * usize::from(size.height), 0);
    }

    /// Returns the size of the grid.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of words per row.
    #[inline]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Returns all words, row by row.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns all words for writing. Bits beyond the width must stay 0.
    #[inline]
    #[doc(hidden)]
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Returns the words of one row.
    ///
    /// # Panics
    /// Panics if `y` is outside the grid and rows are not empty.
    #[inline]
    pub fn row(&self, y: u16) -> &[u64] {
        let start = usize::from(y) * self.stride;
        &self.words[start..start + self.stride]
    }

    /// Returns true if the cell is in the set; false outside the grid.
    #[inline]
    pub fn contains(&self, pos: Pos) -> bool {
        self.size.contains(pos) && self.words[self.word_of(pos)] >> (pos.x % 64) & 1 == 1
    }

    /// Adds a cell; ignores cells outside the grid.
    #[inline]
    pub fn insert(&mut self, pos: Pos) {
        if self.size.contains(pos) {
            let word = self.word_of(pos);
            self.words[word] |= 1 << (pos.x % 64);
        }
    }

    /// Removes a cell; ignores cells outside the grid.
    #[inline]
    pub fn remove(&mut self, pos: Pos) {
        if self.size.contains(pos) {
            let word = self.word_of(pos);
            self.words[word] &= !(1 << (pos.x % 64));
        }
    }

    /// Adds the cells of row `y` from column `first` to `last`, inclusive; ignores cells outside
    /// the grid.
    #[inline]
    pub fn insert_run(&mut self, y: u16, first: u16, last: u16) {
        for (index, mask) in self.run(y, first, last) {
            self.words[index] |= mask;
        }
    }

    /// Removes the cells of row `y` from column `first` to `last`, inclusive; ignores cells outside
    /// the grid.
    #[inline]
    pub fn remove_run(&mut self, y: u16, first: u16, last: u16) {
        for (index, mask) in self.run(y, first, last) {
            self.words[index] &= !mask;
        }
    }

    /// Returns true if the set contains any cell of a rectangle; its bounds are inclusive.
    #[inline]
    pub fn any_in(&self, left: u16, top: u16, right: u16, bottom: u16) -> bool {
        let rows = self.size.height.min(bottom.saturating_add(1)).saturating_sub(top);
        self.run(top, left, right).any(|(index, mask)| {
            let column = self.words[index..].iter().step_by(self.stride);
            column.take(rows.into()).any(|word| word & mask != 0)
        })
    }

    /// Returns the number of cells in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Iterates over the cells in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = Pos> {
        let stride = self.stride.max(1);
        self.words.iter().enumerate().flat_map(move |(index, &word)| {
            let (y, first) = ((index / stride) as u16, (index % stride * 64) as u16);
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

    /// Returns the indices of the words that contain columns `first` to `last` of row `y`, each
    /// with the mask of these columns.
    #[inline]
    fn run(&self, y: u16, first: u16, last: u16) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (row, last) =
            (usize::from(y) * self.stride, last.min(self.size.width.saturating_sub(1)));
        let end = if self.size.contains(Pos { x: 0, y }) { last / 64 + 1 } else { 0 };
        (first / 64..end).map(move |w| {
            let (from, to) = (first.saturating_sub(w * 64), (last - w * 64).min(63));
            (row + usize::from(w), u64::MAX << from & u64::MAX >> (63 - to))
        })
    }
}

/// `clone_from` reuses the memory of `self`.
impl Clone for BitGrid {
    fn clone(&self) -> BitGrid {
        BitGrid { size: self.size, stride: self.stride, words: self.words.clone() }
    }

    fn clone_from(&mut self, other: &BitGrid) {
        (self.size, self.stride) = (other.size, other.stride);
        self.words.clone_from(&other.words);
    }
}

/// Writes the set as rows of `#` and `.`.
impl fmt::Display for BitGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.size.height).try_for_each(|y| {
            let row: String = (0..self.size.width)
                .map(|x| if self.contains(Pos { x, y }) { '#' } else { '.' })
                .collect();
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
    fn stores_cells_across_words_and_rows() {
        let size = Size::new(130, 4);
        let cells: Vec<Pos> = size.iter().filter(|pos| (pos.x * 7 + pos.y * 3) % 5 == 0).collect();
        let mut set = BitGrid::from_cells(size, cells.iter().copied());
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.len(), cells.len());
        for &pos in &cells {
            set.remove(pos);
            assert!(!set.contains(pos));
        }
        assert!(set.is_empty());
        set.insert(Pos::new(130, 0));
        set.insert(Pos::new(0, 4));
        assert!(set.is_empty() && !set.contains(Pos::new(130, 0)), "cells outside are ignored");
    }

    #[test]
    fn runs_and_rectangles_span_words() {
        let size = Size::new(200, 5);
        for (first, last) in [(0, 0), (0, 199), (60, 70), (63, 64), (64, 127), (128, 500), (9, 3)] {
            let mut set = BitGrid::new(size);
            set.insert_run(2, first, last);
            let cells: Vec<Pos> = (first..=last.min(199)).map(|x| Pos::new(x, 2)).collect();
            assert_eq!(set, BitGrid::from_cells(size, cells), "{first} to {last}");
        }
        let set = BitGrid::from_cells(size, [Pos::new(64, 2)]);
        for (left, top, right, bottom) in
            [(0, 0, 199, 4), (64, 2, 64, 2), (63, 1, 64, 2), (60, 0, 300, 9)]
        {
            assert!(set.any_in(left, top, right, bottom));
        }
        for (left, top, right, bottom) in
            [(0, 0, 63, 4), (65, 2, 199, 2), (0, 0, 199, 1), (64, 3, 64, 4)]
        {
            assert!(!set.any_in(left, top, right, bottom));
        }
    }

    #[test]
    fn displays_rows() {
        assert_eq!(
            BitGrid::from_cells(Size::new(3, 2), [Pos::new(1, 0), Pos::new(2, 1)]).to_string(),
            ".#.\n..#\n"
        );
    }
}
