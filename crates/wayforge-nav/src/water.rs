//! What a way is looked for on: a grid of water and land, with depths if they are known.

use wayforge_core::InputError;
use wayforge_core::grid::{BitGrid, Pos, Size};

/// A grid on which every tile is water (open) or land, up to [`Water::MAX_SIDE`] a side.
///
/// Water may carry a *magnitude*: how far it is from land, roughly. [Depth gating](super::Query::depths) prefers large ones.
///
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::Water;
/// let water = Water::from_text("..#\n.#.\n...")?;
/// assert!(water.is_open(Pos::new(0, 0)) && !water.is_open(Pos::new(2, 0)));
/// assert_eq!(water.tiles(), 7);
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Water {
    pub(super) open: BitGrid,
    /// One a tile in reading order, or none at all.
    pub(super) magnitudes: Vec<u8>,
}

impl Water {
    /// The longest side of a grid.
    pub const MAX_SIDE: u16 = 16_384;

    /// Water on the tiles of `open`, without magnitudes.
    pub fn new(open: BitGrid) -> Result<Water, InputError> {
        let Size { width, height } = open.size();
        InputError::in_range("width", width.into(), 1, Water::MAX_SIDE.into())?;
        InputError::in_range("height", height.into(), 1, Water::MAX_SIDE.into())?;
        Ok(Water { open, magnitudes: Vec::new() })
    }

    /// Water on the tiles of `open`; `magnitudes` holds one number a tile in reading order (land's are ignored).
    pub fn with_magnitudes(open: BitGrid, magnitudes: Vec<u8>) -> Result<Water, InputError> {
        let water = Water::new(open)?;
        if magnitudes.len() != water.size().cells() {
            let numbers = format!("{} numbers", magnitudes.len());
            let problem = format!("a grid of {} has {} tiles", water.size(), water.size().cells());
            return Err(InputError::new("magnitudes", numbers, problem, "give one number a tile"));
        }
        Ok(Water { magnitudes, ..water })
    }

    /// Reads a drawing: `.` and `~` are water, a digit is water of that magnitude, `#` and `@` are land.
    pub fn from_text(text: &str) -> Result<Water, InputError> {
        let rows: Vec<&str> = text.lines().collect();
        let (width, height) = (rows.first().map_or(0, |row| row.len()), rows.len());
        let side = |field: &str, n: usize| {
            InputError::in_range(field, n.try_into().unwrap_or(i64::MAX), 1, Water::MAX_SIDE.into())
        };
        let size = Size::new(side("width", width)? as u16, side("height", height)? as u16);
        let mut open = BitGrid::new(size);
        let mut magnitudes = vec![0; size.cells()];
        for (y, row) in rows.iter().enumerate() {
            if row.len() != width {
                let problem = format!("{} tiles where the first row has {width}", row.len());
                let remedy = "make all rows equally long";
                return Err(InputError::new(format!("rows[{y}]"), row, problem, remedy));
            }
            for (x, tile) in row.bytes().enumerate() {
                let pos = Pos::new(x as u16, y as u16);
                match tile {
                    b'.' | b'~' => open.insert(pos),
                    b'0'..=b'9' => {
                        open.insert(pos);
                        magnitudes[size.index(pos)] = tile - b'0';
                    }
                    b'#' | b'@' => {}
                    _ => {
                        let remedy = "use . or ~ for water, a digit for water of that depth, # or @ for land";
                        let (field, tile) = (format!("rows[{y}][{x}]"), char::from(tile));
                        return Err(InputError::new(field, tile, "not a tile", remedy));
                    }
                }
            }
        }
        match magnitudes.iter().any(|&m| m > 0) {
            true => Water::with_magnitudes(open, magnitudes),
            false => Water::new(open),
        }
    }

    /// The grid's size.
    pub fn size(&self) -> Size {
        self.open.size()
    }

    /// The tiles that are water.
    pub fn open(&self) -> &BitGrid {
        &self.open
    }

    /// True if the tile is water; false beyond the grid.
    #[inline]
    pub fn is_open(&self, pos: Pos) -> bool {
        self.open.contains(pos)
    }

    /// How many tiles are water.
    pub fn tiles(&self) -> usize {
        self.open.len()
    }

    /// True if magnitudes are known.
    pub fn has_magnitudes(&self) -> bool {
        !self.magnitudes.is_empty()
    }

    /// The magnitude of a tile; 0 on land, beyond the grid and where none is known.
    pub fn magnitude(&self, pos: Pos) -> u8 {
        if !self.is_open(pos) {
            return 0;
        }
        self.magnitudes.get(self.size().index(pos)).copied().unwrap_or(0)
    }

    /// The water of at least this magnitude, as a grid of its own.
    pub fn at_least(&self, magnitude: u8) -> Water {
        let deep = |pos: &Pos| self.magnitude(*pos) >= magnitude;
        let open = BitGrid::of(self.size(), self.open.iter().filter(deep));
        Water { open, magnitudes: Vec::new() }
    }

    /// Turns a tile into water or land; nothing happens beyond the grid. The magnitude stays what it was.
    pub fn set(&mut self, pos: Pos, open: bool) {
        match open {
            true => self.open.insert(pos),
            false => self.open.remove(pos),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_grid() {
        let refused = |text: &str| Water::from_text(text).unwrap_err().to_string();
        assert_eq!(refused(""), "width = 0: out of range; use 1 to 16384");
        assert_eq!(
            refused("..\n."),
            "rows[1] = .: 1 tiles where the first row has 2; make all rows equally long"
        );
        assert!(refused("..\n.x").starts_with("rows[1][1] = x: not a tile; use . or ~"));
        let wide = BitGrid::new(Size::new(16_385, 1));
        assert_eq!(Water::new(wide).unwrap_err().to_string(), "width = 16385: out of range; use 1 to 16384");
        let short = Water::with_magnitudes(BitGrid::new(Size::new(2, 2)), vec![1; 3]).unwrap_err();
        assert!(short.to_string().contains("3 numbers: a grid of 2 x 2 has 4 tiles"), "{short}");
    }

    #[test]
    fn depths_are_kept_and_filtered() {
        let water = Water::from_text("1#3\n20.").unwrap();
        assert_eq!(water.magnitude(Pos::new(2, 0)), 3);
        assert_eq!((water.magnitude(Pos::new(1, 0)), water.magnitude(Pos::new(9, 9))), (0, 0));
        assert_eq!(water.at_least(2).open().to_string(), "..#\n#..\n");
        assert_eq!(water.tiles(), 5);
    }
}
