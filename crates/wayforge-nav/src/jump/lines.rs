//! Rows and columns as bits, with marks where a straight run has to stop: the next jump point is the next set bit.

use super::super::water::Water;
use super::plane::Plane;
use crate::wave::each_bit;
use wayforge_core::grid::{Pos, Size};

/// Water and stops, by rows and by columns.
///
/// A run to the east *stops* at land, and at a tile where a turn north or south begins that could not have begun one tile
/// earlier: the tile beside it is water and the one beside its predecessor is not.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) size: Size,
    pub(super) rows: Plane,
    pub(super) columns: Plane,
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

    /// True if all tiles between two of a row or of a column, both included, are water.
    pub(super) fn clear(&self, from: Pos, to: Pos) -> bool {
        let clear = |plane: &Plane, line: u16, a: u16, b: u16| {
            plane.clear(line.into(), a.min(b).into(), a.max(b).into())
        };
        match from.y == to.y {
            true => clear(&self.rows, from.y, from.x, to.x),
            false => clear(&self.columns, from.x, from.y, to.y),
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
        let rows = &self.rows;
        let words = (0..rows.lines).flat_map(|y| (0..rows.stride).map(move |w| (y, w)));
        words.map(|(y, w)| rows.turns(y, w).count_ones() as usize).sum()
    }

    /// Calls for every tile where a run in some direction stops at a turn, square after square of 64 x 64 tiles: what is near
    /// on the map then has near numbers, and lies near in memory.
    pub(super) fn each_jump(&self, mut call: impl FnMut(Pos)) {
        let (rows, columns) = (&self.rows, &self.columns);
        for band in (0..rows.lines).step_by(64) {
            for w in 0..rows.stride {
                let mut square = [0_u64; 64];
                for (x, word) in (w * 64..columns.lines).zip(&mut square) {
                    *word = columns.turns(x, band / 64);
                }
                transpose(&mut square);
                for (y, &word) in (band..rows.lines).zip(&square) {
                    each_bit(word | rows.turns(y, w), |bit| {
                        call(Pos::new((w * 64) as u16 + bit as u16, y as u16));
                    });
                }
            }
        }
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
    use wayforge_core::MapRng;
    use wayforge_core::grid::BitGrid;

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

    fn run_of(lines: &Lines, from: Pos, delta: (i32, i32)) -> Option<Pos> {
        let (x, y) = (usize::from(from.x), usize::from(from.y));
        let (rows, columns) = (&lines.rows, &lines.columns);
        match delta {
            (1, _) => rows.run_up(y, x).map(|x| Pos::new(x as u16, from.y)),
            (-1, _) => rows.run_down(y, x).map(|x| Pos::new(x as u16, from.y)),
            (_, 1) => columns.run_up(x, y).map(|y| Pos::new(from.x, y as u16)),
            _ => columns.run_down(x, y).map(|y| Pos::new(from.x, y as u16)),
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
                    for delta in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                        // A run's first tile never has its predecessor on land, as here: it starts on water.
                        assert_eq!(
                            run_of(&lines, pos, delta),
                            plain_run(&water, pos, delta),
                            "{pos} {delta:?} {round}"
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
