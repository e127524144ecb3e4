//! Navigation grid: open and blocked tiles, with optional magnitudes.

use wayforge_core::InputError;
use wayforge_core::grid::{BitGrid, Pos, Size};

/// Grid of open and blocked tiles, at most [`NavGrid::MAX_SIDE`] tiles per side.
///
/// An open tile may have a *magnitude*, which is roughly its distance to the nearest blocked tile.
/// [Depth gating](super::Query::depths) prefers tiles of large magnitude.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::NavGrid;
/// let grid = NavGrid::from_text("..#\n.#.\n...")?;
/// assert!(grid.is_open(Pos::new(0, 0)) && !grid.is_open(Pos::new(2, 0)));
/// assert_eq!(grid.open_count(), 7);
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavGrid {
    pub(super) open: BitGrid,
    /// One value per tile in row-major order; empty for a grid without magnitudes.
    pub(super) magnitudes: Vec<u8>,
}

impl NavGrid {
    /// Maximum width and height.
    pub const MAX_SIDE: u16 = 16_384;

    /// Creates a grid without magnitudes; the tiles in `open` are open.
    ///
    /// # Errors
    /// A side is 0 or longer than [`MAX_SIDE`](NavGrid::MAX_SIDE).
    pub fn new(open: BitGrid) -> Result<NavGrid, InputError> {
        let Size { width, height } = open.size();
        InputError::in_range("width", width.into(), 1, NavGrid::MAX_SIDE.into())?;
        InputError::in_range("height", height.into(), 1, NavGrid::MAX_SIDE.into())?;
        Ok(NavGrid { open, magnitudes: Vec::new() })
    }

    /// Creates a grid with one magnitude per tile in row-major order.
    ///
    /// Magnitudes of blocked tiles are ignored.
    ///
    /// # Errors
    /// A side is out of range, or `magnitudes` does not have one value per tile.
    pub fn with_magnitudes(open: BitGrid, magnitudes: Vec<u8>) -> Result<NavGrid, InputError> {
        let grid = NavGrid::new(open)?;
        if magnitudes.len() != grid.size().cells() {
            let values = format!("{} values", magnitudes.len());
            let problem = format!("a grid of {} has {} tiles", grid.size(), grid.size().cells());
            return Err(InputError::new("magnitudes", values, problem, "give one value per tile"));
        }
        Ok(NavGrid { magnitudes, ..grid })
    }

    /// Parses a text drawing with one line per row.
    ///
    /// `.` and `~` are open, a digit is open with that magnitude, `#` and `@` are blocked.
    ///
    /// # Errors
    /// A side is out of range, rows differ in length, or a character is unknown.
    pub fn from_text(text: &str) -> Result<NavGrid, InputError> {
        let rows: Vec<&str> = text.lines().collect();
        let (width, height) = (rows.first().map_or(0, |row| row.chars().count()), rows.len());
        let side = |field: &str, n: usize| {
            InputError::in_range(
                field,
                n.try_into().unwrap_or(i64::MAX),
                1,
                NavGrid::MAX_SIDE.into(),
            )
        };
        let size = Size::new(side("width", width)? as u16, side("height", height)? as u16);
        let mut open = BitGrid::new(size);
        let mut magnitudes = vec![0; size.cells()];
        for (y, row) in rows.iter().enumerate() {
            let length = row.chars().count();
            if length != width {
                let problem = format!("the first row has {width} tiles");
                let remedy = "make all rows the same length";
                return Err(InputError::new(format!("rows[{y}].length"), length, problem, remedy));
            }
            for (x, tile) in row.chars().enumerate() {
                let pos = Pos::new(x as u16, y as u16);
                match tile {
                    '.' | '~' => open.insert(pos),
                    '0'..='9' => {
                        open.insert(pos);
                        magnitudes[size.index(pos)] = tile as u8 - b'0';
                    }
                    '#' | '@' => {}
                    _ => {
                        let remedy = "use . or ~ for an open tile, \
                                      a digit for one of that magnitude, # or @ for a blocked tile";
                        let field = format!("rows[{y}][{x}]");
                        return Err(InputError::new(field, tile, "not a tile", remedy));
                    }
                }
            }
        }
        if magnitudes.iter().any(|&m| m > 0) {
            NavGrid::with_magnitudes(open, magnitudes)
        } else {
            NavGrid::new(open)
        }
    }

    /// Returns the size of the grid.
    pub fn size(&self) -> Size {
        self.open.size()
    }

    /// Returns the set of open tiles.
    pub fn open(&self) -> &BitGrid {
        &self.open
    }

    /// Returns true if the tile is open; false outside the grid.
    #[inline]
    pub fn is_open(&self, pos: Pos) -> bool {
        self.open.contains(pos)
    }

    /// Returns the number of open tiles.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// Returns true if the grid has magnitudes.
    pub fn has_magnitudes(&self) -> bool {
        !self.magnitudes.is_empty()
    }

    /// Returns the magnitude of a tile; 0 if it is blocked, outside the grid or has none.
    pub fn magnitude(&self, pos: Pos) -> u8 {
        if !self.is_open(pos) {
            return 0;
        }
        self.magnitudes.get(self.size().index(pos)).copied().unwrap_or(0)
    }

    /// Returns a grid on which only tiles of at least this magnitude are open.
    pub fn with_min_magnitude(&self, magnitude: u8) -> NavGrid {
        let is_deep = |pos: &Pos| self.magnitude(*pos) >= magnitude;
        let open = BitGrid::from_cells(self.size(), self.open.iter().filter(is_deep));
        NavGrid { open, magnitudes: Vec::new() }
    }

    /// Opens or blocks a tile; does nothing outside the grid.
    ///
    /// The stored magnitude of the tile does not change.
    pub fn set_open(&mut self, pos: Pos, open: bool) {
        if open {
            self.open.insert(pos);
        } else {
            self.open.remove(pos);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_invalid_grids() {
        let error_of = |text: &str| NavGrid::from_text(text).unwrap_err().to_string();
        assert_eq!(error_of(""), "width = 0: out of range; use 1 to 16384");
        assert_eq!(
            error_of("..\n."),
            "rows[1].length = 1: the first row has 2 tiles; make all rows the same length"
        );
        assert!(error_of("..\né.").starts_with("rows[1][0] = é: not a tile; use . or ~"));
        assert!(error_of("..\n.x").starts_with("rows[1][1] = x: not a tile; use . or ~"));
        let wide = BitGrid::new(Size::new(16_385, 1));
        assert_eq!(
            NavGrid::new(wide).unwrap_err().to_string(),
            "width = 16385: out of range; use 1 to 16384"
        );
        let short =
            NavGrid::with_magnitudes(BitGrid::new(Size::new(2, 2)), vec![1; 3]).unwrap_err();
        assert!(short.to_string().contains("3 values: a grid of 2 x 2 has 4 tiles"), "{short}");
    }

    #[test]
    fn magnitudes_are_stored_and_filtered() {
        let grid = NavGrid::from_text("1#3\n20.").unwrap();
        assert_eq!(grid.magnitude(Pos::new(2, 0)), 3);
        assert_eq!((grid.magnitude(Pos::new(1, 0)), grid.magnitude(Pos::new(9, 9))), (0, 0));
        assert_eq!(grid.with_min_magnitude(2).open().to_string(), "..#\n#..\n");
        assert_eq!(grid.open_count(), 5);
    }
}
