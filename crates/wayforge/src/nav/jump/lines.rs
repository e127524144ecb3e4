//! Rows and columns as bits, with marks where a straight run has to stop: the next jump point is the next set bit.

use super::super::water::Water;
use crate::grid::{Pos, Size};

/// One of the four straight directions of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    East,
    West,
    South,
    North,
}

/// Water and stops, by rows and by columns.
///
/// A run to the east *stops* at land, and at a tile where a turn north or south begins that could not have begun one tile
/// earlier: the tile beside it is water and the one beside its predecessor is not.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) size: Size,
    rows: Plane,
    columns: Plane,
}

/// The lines of one orientation: lines are rows, or columns; a bit's place in its line is the column, or the row.
#[derive(Clone, Debug)]
struct Plane {
    /// How long a line is and how many there are.
    length: usize,
    lines: usize,
    /// Words of a line: at least one bit lies beyond its end.
    stride: usize,
    open: Vec<u64>,
    /// Where runs towards higher places stop, and beyond the end.
    up: Vec<u64>,
    /// Where runs towards lower places stop.
    down: Vec<u64>,
}

impl Lines {
    pub(super) fn new(water: &Water) -> Lines {
        let size = water.size();
        let (width, height) = (usize::from(size.width), usize::from(size.height));
        let mut rows = Plane::new(width, height);
        let mut columns = Plane::new(height, width);
        for y in 0..size.height {
            let row = water.open().row(y);
            let start = usize::from(y) * rows.stride;
            rows.open[start..start + row.len()].copy_from_slice(row);
        }
        // Blocks of 64 x 64 are transposed whole.
        for y in (0..height).step_by(64) {
            for x in 0..width.div_ceil(64) {
                let mut block = [0_u64; 64];
                for (i, word) in block.iter_mut().enumerate().take(height - y) {
                    *word = rows.open[(y + i) * rows.stride + x];
                }
                transpose(&mut block);
                for (i, &word) in block.iter().enumerate().take(width - x * 64) {
                    columns.open[(x * 64 + i) * columns.stride + y / 64] = word;
                }
            }
        }
        rows.mark_all();
        columns.mark_all();
        Lines { size, rows, columns }
    }

    /// True if the tile is water; false beyond the grid, to one tile on each side.
    #[inline]
    pub(super) fn is_open(&self, x: i32, y: i32) -> bool {
        x >= 0 && y >= 0 && y < i32::from(self.size.height) && self.rows.is_open(x as usize, y as usize)
    }

    /// The jump point that a run from a tile meets first, that tile not included; none if it meets land.
    #[inline]
    pub(super) fn run(&self, from: Pos, run: Run) -> Option<Pos> {
        let (x, y) = (usize::from(from.x), usize::from(from.y));
        match run {
            Run::East => self.rows.run_up(y, x).map(|x| Pos::new(x as u16, from.y)),
            Run::West => self.rows.run_down(y, x).map(|x| Pos::new(x as u16, from.y)),
            Run::South => self.columns.run_up(x, y).map(|y| Pos::new(from.x, y as u16)),
            Run::North => self.columns.run_down(x, y).map(|y| Pos::new(from.x, y as u16)),
        }
    }

    /// True if all tiles between two of a row or of a column, both included, are water.
    pub(super) fn clear(&self, from: Pos, to: Pos) -> bool {
        let ends = |a: u16, b: u16| (usize::from(a.min(b)), usize::from(a.max(b)));
        if from.y == to.y {
            let (low, high) = ends(from.x, to.x);
            self.rows.clear(from.y.into(), low, high)
        } else {
            let (low, high) = ends(from.y, to.y);
            self.columns.clear(from.x.into(), low, high)
        }
    }

    /// The last place before `from` (in the run's direction backwards) from which a run could still reach `from`: the nearest
    /// stop behind it, or the border. Only the coordinate along the run is returned.
    pub(super) fn behind(&self, from: Pos, run: Run) -> i32 {
        let (x, y) = (usize::from(from.x), usize::from(from.y));
        match run {
            Run::East => Plane::below(self.rows.line(&self.rows.up, y), x),
            Run::West => Plane::above(self.rows.line(&self.rows.down, y), x, self.rows.length),
            Run::South => Plane::below(self.columns.line(&self.columns.up, x), y),
            Run::North => Plane::above(self.columns.line(&self.columns.down, x), y, self.columns.length),
        }
    }

    /// Turns a tile into water or land; [`renew`](Self::renew) around it afterwards.
    pub(super) fn set(&mut self, pos: Pos, open: bool) {
        self.rows.set(pos.y.into(), pos.x.into(), open);
        self.columns.set(pos.x.into(), pos.y.into(), open);
    }

    /// Works out the stops anew within one tile of an edited one.
    pub(super) fn renew(&mut self, pos: Pos) {
        self.rows.renew(pos.y.into(), pos.x.into());
        self.columns.renew(pos.x.into(), pos.y.into());
    }

    /// How many tiles stop a run along their row at a turn: about half of all jump points.
    pub(super) fn count_jumps(&self) -> usize {
        let turns = self.rows.up.iter().zip(&self.rows.down).zip(&self.rows.open);
        turns.map(|((up, down), open)| ((up | down) & open).count_ones() as usize).sum()
    }

    /// Calls for every tile where a run in some direction stops at a turn.
    pub(super) fn each_jump(&self, mut call: impl FnMut(Pos)) {
        let stride = self.rows.stride;
        let mut turns = vec![0_u64; self.rows.open.len()];
        for (at, word) in turns.iter_mut().enumerate() {
            *word = (self.rows.up[at] | self.rows.down[at]) & self.rows.open[at];
        }
        for x in 0..self.columns.lines {
            for w in 0..self.columns.stride {
                let at = x * self.columns.stride + w;
                let mut word = (self.columns.up[at] | self.columns.down[at]) & self.columns.open[at];
                while word != 0 {
                    let y = w * 64 + word.trailing_zeros() as usize;
                    turns[y * stride + x / 64] |= 1 << (x % 64);
                    word &= word - 1;
                }
            }
        }
        for (at, &word) in turns.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let x = at % stride * 64 + word.trailing_zeros() as usize;
                call(Pos::new(x as u16, (at / stride) as u16));
                word &= word - 1;
            }
        }
    }
}

impl Plane {
    fn new(length: usize, lines: usize) -> Plane {
        let stride = length / 64 + 1;
        let none = vec![0; stride * lines];
        Plane { length, lines, stride, open: none.clone(), up: none.clone(), down: none }
    }

    fn line<'a>(&self, plane: &'a [u64], line: usize) -> &'a [u64] {
        &plane[line * self.stride..(line + 1) * self.stride]
    }

    #[inline]
    fn is_open(&self, place: usize, line: usize) -> bool {
        place < self.length && self.open[line * self.stride + place / 64] >> (place % 64) & 1 == 1
    }

    /// The first jump point beyond `place`.
    #[inline]
    fn run_up(&self, line: usize, place: usize) -> Option<usize> {
        let start = line * self.stride;
        let stops = &self.up[start..start + self.stride];
        let from = place + 1;
        let mut w = from / 64;
        let mut word = stops[w] & u64::MAX << (from % 64);
        // Bits beyond the end are stops: the loop ends.
        while word == 0 {
            w += 1;
            word = stops[w];
        }
        let bit = word.trailing_zeros();
        (self.open[start + w] >> bit & 1 == 1).then_some(w * 64 + bit as usize)
    }

    /// The first jump point before `place`.
    #[inline]
    fn run_down(&self, line: usize, place: usize) -> Option<usize> {
        let start = line * self.stride;
        let stops = &self.down[start..start + self.stride];
        let mut w = place / 64;
        let mut word = stops[w] & ((1 << (place % 64)) - 1);
        while word == 0 {
            w = w.checked_sub(1)?;
            word = stops[w];
        }
        let bit = 63 - word.leading_zeros();
        (self.open[start + w] >> bit & 1 == 1).then_some(w * 64 + bit as usize)
    }

    /// The highest set bit below `place`, or -1.
    fn below(line: &[u64], place: usize) -> i32 {
        let mut w = place / 64;
        let mut word = line[w] & ((1 << (place % 64)) - 1);
        while word == 0 {
            let Some(lower) = w.checked_sub(1) else { return -1 };
            (w, word) = (lower, line[lower]);
        }
        (w * 64 + 63 - word.leading_zeros() as usize) as i32
    }

    /// The lowest set bit above `place`, or `length`.
    fn above(line: &[u64], place: usize, length: usize) -> i32 {
        let from = place + 1;
        let mut w = from / 64;
        let mut word = line[w] & u64::MAX << (from % 64);
        while word == 0 {
            w += 1;
            let Some(&higher) = line.get(w) else { return length as i32 };
            word = higher;
        }
        ((w * 64 + word.trailing_zeros() as usize).min(length)) as i32
    }

    /// True if all places from `low` to `high` are water.
    fn clear(&self, line: usize, low: usize, high: usize) -> bool {
        let open = self.line(&self.open, line);
        let (first, last) = (low / 64, high / 64);
        let (from, to) = (u64::MAX << (low % 64), u64::MAX >> (63 - high % 64));
        if first == last {
            return open[first] & from & to == from & to;
        }
        open[first] & from == from
            && open[last] & to == to
            && open[first + 1..last].iter().all(|&word| word == u64::MAX)
    }

    fn set(&mut self, line: usize, place: usize, open: bool) {
        let word = &mut self.open[line * self.stride + place / 64];
        match open {
            true => *word |= 1 << (place % 64),
            false => *word &= !(1 << (place % 64)),
        }
    }

    fn mark_all(&mut self) {
        for line in 0..self.lines {
            for w in 0..self.stride {
                self.mark(line, w);
            }
        }
    }

    /// Works out the stops around an edited tile.
    fn renew(&mut self, line: usize, place: usize) {
        for line in line.saturating_sub(1)..(line + 2).min(self.lines) {
            let (low, high) = (place.saturating_sub(1) / 64, (place + 1) / 64);
            for w in low..=high.min(self.stride - 1) {
                self.mark(line, w);
            }
        }
    }

    /// Works out the stops of one word.
    fn mark(&mut self, line: usize, w: usize) {
        let at = |line: Option<usize>, w: Option<usize>| match (line, w) {
            (Some(line), Some(w)) if line < self.lines && w < self.stride => {
                self.open[line * self.stride + w]
            }
            _ => 0,
        };
        // A line's word, and the same with every tile's lower and higher neighbour in its place.
        let views = |line: Option<usize>| {
            let here = at(line, Some(w));
            let lower = here << 1 | at(line, w.checked_sub(1)) >> 63;
            let higher = here >> 1 | at(line, Some(w + 1)) << 63;
            (here, lower, higher)
        };
        let (here, lower, higher) = views(Some(line));
        let (left, left_lower, left_higher) = views(line.checked_sub(1));
        let (right, right_lower, right_higher) = views(Some(line + 1));
        let up = here & lower & (left & !left_lower | right & !right_lower);
        let down = here & higher & (left & !left_higher | right & !right_higher);
        let at = line * self.stride + w;
        self.up[at] = up | !here;
        self.down[at] = down | !here;
    }
}

/// Turns a block of 64 x 64 bits over its main diagonal: swaps ever smaller quarters.
fn transpose(block: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_ffff_ffff_u64;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (block[row] >> width ^ block[row + width]) & mask;
            block[row] ^= swap << width;
            block[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapRng;
    use crate::grid::BitGrid;

    fn random(size: Size, seed: u64) -> Water {
        let mut rng = MapRng::from_u64(seed);
        Water::new(BitGrid::of(size, size.iter().filter(|_| rng.chance(3, 4)))).unwrap()
    }

    /// The definition, tile by tile.
    fn plain_run(water: &Water, from: Pos, (dx, dy): (i32, i32)) -> Option<Pos> {
        let open = |x: i32, y: i32| {
            x >= 0 && y >= 0 && x < 70_000 && y < 70_000 && water.is_open(Pos::new(x as u16, y as u16))
        };
        let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
        loop {
            (x, y) = (x + dx, y + dy);
            if !open(x, y) {
                return None;
            }
            let turns = |sx: i32, sy: i32| open(x + sx, y + sy) && !open(x + sx - dx, y + sy - dy);
            if turns(dy, dx) || turns(-dy, -dx) {
                return Some(Pos::new(x as u16, y as u16));
            }
        }
    }

    #[test]
    fn runs_stop_where_the_definition_says() {
        for (size, seed) in
            [(Size::new(150, 70), 1), (Size::new(64, 64), 2), (Size::new(5, 200), 3), (Size::new(63, 1), 4)]
        {
            let mut water = random(size, seed);
            let mut lines = Lines::new(&water);
            for round in 0..2 {
                for pos in water.open().iter() {
                    let runs = [
                        (Run::East, (1, 0)),
                        (Run::West, (-1, 0)),
                        (Run::South, (0, 1)),
                        (Run::North, (0, -1)),
                    ];
                    for (run, delta) in runs {
                        // A run's first tile never has its predecessor on land, as here: it starts on water.
                        assert_eq!(
                            lines.run(pos, run),
                            plain_run(&water, pos, delta),
                            "{pos} {run:?} {round}"
                        );
                    }
                }
                let mut rng = MapRng::from_u64(9);
                let edits: Vec<Pos> = size.iter().filter(|_| rng.chance(1, 9)).collect();
                for &pos in &edits {
                    let open = !water.is_open(pos);
                    water.set(pos, open);
                    lines.set(pos, open);
                }
                edits.iter().for_each(|&pos| lines.renew(pos));
            }
        }
    }

    #[test]
    fn clear_is_all_water() {
        let water = random(Size::new(200, 3), 7);
        let lines = Lines::new(&water);
        for low in 0..200 {
            for high in low..200 {
                let all = (low..=high).all(|x| water.is_open(Pos::new(x, 1)));
                assert_eq!(lines.clear(Pos::new(high, 1), Pos::new(low, 1)), all);
            }
        }
    }
}
