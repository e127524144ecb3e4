//! Rows and columns as bitmaps, in which a bit scan finds the next jump point.

use super::line_bitmap::LineBitmap;
use crate::bit_bfs::for_each_bit;
use crate::nav_grid::NavGrid;
use wayforge_core::grid::{Pos, Size};

/// Open tiles and stops, by rows and by columns.
///
/// A run to the east *stops* at a blocked tile, and at a tile where it may turn north or south but
/// could not have turned one tile earlier. At such a tile, the tile beside it is open and the tile
/// beside its predecessor is blocked. Runs in the other three directions stop likewise.
#[derive(Clone, Debug)]
pub(super) struct ScanLines {
    pub(super) size: Size,
    pub(super) rows: LineBitmap,
    pub(super) columns: LineBitmap,
}

impl ScanLines {
    pub(super) fn new(grid: &NavGrid) -> ScanLines {
        let size = grid.size();
        let (width, height) = (usize::from(size.width), usize::from(size.height));
        let mut rows = LineBitmap::new(width, height);
        let mut columns = LineBitmap::new(height, width);
        for y in 0..size.height {
            let row = grid.open().row(y);
            let start = usize::from(y) * rows.stride;
            rows.open[start..start + row.len()].copy_from_slice(row);
        }
        // Transposes blocks of 64 x 64 tiles.
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
        rows.compute_stops();
        columns.compute_stops();
        ScanLines { size, rows, columns }
    }

    /// Returns true if all tiles between two tiles of a row or column, both included, are open.
    pub(super) fn is_clear(&self, from: Pos, to: Pos) -> bool {
        let clear = |bitmap: &LineBitmap, line: u16, a: u16, b: u16| {
            bitmap.is_clear(line.into(), a.min(b).into(), a.max(b).into())
        };
        if from.y == to.y {
            clear(&self.rows, from.y, from.x, to.x)
        } else {
            clear(&self.columns, from.x, from.y, to.y)
        }
    }

    /// Opens or blocks a tile; call [`update_stops_around`](Self::update_stops_around) afterwards.
    pub(super) fn set_open(&mut self, pos: Pos, open: bool) {
        self.rows.set_open(pos.y.into(), pos.x.into(), open);
        self.columns.set_open(pos.x.into(), pos.y.into(), open);
    }

    /// Recomputes the stops within one tile of an edited tile.
    pub(super) fn update_stops_around(&mut self, pos: Pos) {
        self.rows.update_stops_around(pos.y.into(), pos.x.into());
        self.columns.update_stops_around(pos.x.into(), pos.y.into());
    }

    /// Returns the number of tiles where a run along a row stops to turn: about half of all jump
    /// points.
    pub(super) fn count_row_jump_points(&self) -> usize {
        let rows = &self.rows;
        let words = (0..rows.lines).flat_map(|y| (0..rows.stride).map(move |w| (y, w)));
        words.map(|(y, w)| rows.turn_stops(y, w).count_ones() as usize).sum()
    }

    /// Calls `f` for every jump point, in squares of 64 x 64 tiles.
    ///
    /// In this order, jump points that are close on the grid are also close in memory.
    pub(super) fn for_each_jump_point(&self, mut f: impl FnMut(Pos)) {
        let (rows, columns) = (&self.rows, &self.columns);
        for band in (0..rows.lines).step_by(64) {
            for w in 0..rows.stride {
                let mut square = [0_u64; 64];
                for (x, word) in (w * 64..columns.lines).zip(&mut square) {
                    *word = columns.turn_stops(x, band / 64);
                }
                transpose(&mut square);
                for (y, &word) in (band..rows.lines).zip(&square) {
                    for_each_bit(word | rows.turn_stops(y, w), |bit| {
                        f(Pos::new((w * 64) as u16 + bit as u16, y as u16));
                    });
                }
            }
        }
    }
}

/// Transposes a block of 64 x 64 bits by swapping quadrants recursively (Warren, *Hacker's
/// Delight*, section 7-3).
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

    fn random(size: Size, seed: u64) -> NavGrid {
        let mut rng = MapRng::from_u64(seed);
        NavGrid::new(BitGrid::from_cells(size, size.iter().filter(|_| rng.chance(3, 4)))).unwrap()
    }

    /// Finds the next jump point tile by tile, by its definition.
    fn scan_tile_by_tile(grid: &NavGrid, from: Pos, (dx, dy): (i32, i32)) -> Option<Pos> {
        let open = |x: i32, y: i32| {
            x >= 0
                && y >= 0
                && x < 70_000
                && y < 70_000
                && grid.is_open(Pos::new(x as u16, y as u16))
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

    fn scan_bitmap(lines: &ScanLines, from: Pos, delta: (i32, i32)) -> Option<Pos> {
        let (x, y) = (usize::from(from.x), usize::from(from.y));
        let (rows, columns) = (&lines.rows, &lines.columns);
        match delta {
            (1, _) => rows.scan_up(y, x).map(|x| Pos::new(x as u16, from.y)),
            (-1, _) => rows.scan_down(y, x).map(|x| Pos::new(x as u16, from.y)),
            (_, 1) => columns.scan_up(x, y).map(|y| Pos::new(from.x, y as u16)),
            _ => columns.scan_down(x, y).map(|y| Pos::new(from.x, y as u16)),
        }
    }

    #[test]
    fn bitmap_scans_match_tile_by_tile_scans() {
        for (size, seed) in [
            (Size::new(150, 70), 1),
            (Size::new(64, 64), 2),
            (Size::new(5, 200), 3),
            (Size::new(63, 1), 4),
        ] {
            let mut grid = random(size, seed);
            let mut lines = ScanLines::new(&grid);
            for round in 0..2 {
                for pos in grid.open().iter() {
                    for delta in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                        // Both scans require a run to start on an open tile.
                        assert_eq!(
                            scan_bitmap(&lines, pos, delta),
                            scan_tile_by_tile(&grid, pos, delta),
                            "{pos} {delta:?} {round}"
                        );
                    }
                }
                let mut rng = MapRng::from_u64(9);
                let edits: Vec<Pos> = size.iter().filter(|_| rng.chance(1, 9)).collect();
                for &pos in &edits {
                    let open = !grid.is_open(pos);
                    grid.set_open(pos, open);
                    lines.set_open(pos, open);
                }
                edits.iter().for_each(|&pos| lines.update_stops_around(pos));
            }
        }
    }

    #[test]
    fn is_clear_matches_tile_by_tile_check() {
        let grid = random(Size::new(200, 3), 7);
        let lines = ScanLines::new(&grid);
        for low in 0..200 {
            for high in low..200 {
                let all = (low..=high).all(|x| grid.is_open(Pos::new(x, 1)));
                assert_eq!(lines.is_clear(Pos::new(high, 1), Pos::new(low, 1)), all);
            }
        }
    }
}
