//! Pins: cells whose symbols the configuration fixes.

use super::config::{Config, Side};
use super::spec::{MAX_STARTS, reject};
use super::symbol::{Symbol, read_rows, unknown_symbol};
use wayforge_core::ConfigError;
use wayforge_core::grid::{Pos, Size};

/// The pinned cells with their symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pins {
    size: Size,
    cells: Vec<(Pos, Symbol)>,
}

impl Pins {
    /// Parses the drawing of pinned cells.
    ///
    /// # Errors
    /// [`ConfigError`] if the drawing has the wrong size, unknown symbols, or pins that contradict
    /// the layout.
    pub(super) fn read(config: &Config, size: Size) -> Result<Pins, ConfigError> {
        let mut cells = Vec::new();
        if config.pins.is_empty() {
            return Ok(Pins { size, cells });
        }
        let read = read_rows(&config.pins, &mut |pos, c| {
            if c != '?' {
                cells
                    .push((pos, Symbol::from_char(c).ok_or_else(|| unknown_symbol(pos, c, "? "))?));
            }
            Ok(())
        });
        let remedy = "write one string per row with the symbols of the legend, ? for free cells";
        let drawn =
            read.map_err(|error| ConfigError::new("pins", "drawing", error.to_string(), remedy))?;
        if drawn != size {
            let remedy = format!(
                "draw {} rows of {} columns, or set width and height",
                size.height, size.width
            );
            return reject("pins", drawn, "not the size of the level", remedy);
        }
        let pins = Pins { size, cells };
        pins.check_layout(config)?;
        Ok(pins)
    }

    /// Returns the pinned cells in row-major order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Pos, Symbol)> {
        self.cells.iter().copied()
    }

    /// Returns true if the cell is pinned.
    pub(super) fn contains(&self, pos: Pos) -> bool {
        self.cells.binary_search_by_key(&pos, |(pos, _)| *pos).is_ok()
    }

    /// Returns the number of cells pinned to one of `symbols`.
    pub(super) fn count(&self, symbols: &[Symbol]) -> u32 {
        self.cells.iter().filter(|(_, symbol)| symbols.contains(symbol)).count() as u32
    }

    /// Returns the number of pinned cells inside the outer wall.
    pub(super) fn count_inside(&self) -> u32 {
        self.cells.iter().filter(|(pos, _)| ring(*pos, self.size) >= 2).count() as u32
    }

    /// Raises the numbers of candidates to the numbers of pinned ones.
    ///
    /// # Errors
    /// [`ConfigError`] if more flashlights or shoes are pinned than requested, or too many starts.
    pub(super) fn raise_counts(&self, counts: &mut [u32; 6]) -> Result<(), ConfigError> {
        for (count, candidate) in counts.iter_mut().zip(Symbol::CANDIDATES) {
            let pinned = self.count(&[candidate]);
            if pinned <= *count {
                continue;
            }
            let exact = match candidate {
                Symbol::Flashlight => Some("flashlights"),
                Symbol::Shoes => Some("shoes"),
                _ => None,
            };
            if let Some(field) = exact {
                let problem = format!("{pinned} {field} are pinned");
                let remedy = format!("use at least {pinned}, or remove pins");
                return reject(field, *count, problem, remedy);
            }
            if pinned > MAX_STARTS {
                let remedy = format!("pin at most {MAX_STARTS}");
                return reject("pins", candidate, format!("pinned {pinned} times"), remedy);
            }
            *count = pinned;
        }
        Ok(())
    }

    /// Checks that the pins agree with the layout: outside ring, outer wall with exits, interior.
    fn check_layout(&self, config: &Config) -> Result<(), ConfigError> {
        let mut exits = Vec::new();
        for &(pos, symbol) in &self.cells {
            let fits = match ring(pos, self.size) {
                0 => symbol == Symbol::Outside,
                1 if symbol == Symbol::Exit => {
                    let side = side_of(pos, self.size);
                    exits.extend(side.map(|side| (side, pos)));
                    side.is_some()
                }
                1 => symbol == Symbol::Band,
                _ => !matches!(symbol, Symbol::Outside | Symbol::Band | Symbol::Exit),
            };
            if !fits {
                let problem = format!("{} is not allowed at {pos}", symbol.meaning());
                let remedy = "use O in the outer ring, B and exits E away from corners in the \
                              next one, and other symbols inside";
                return reject("pins", symbol, problem, remedy);
            }
        }
        for (i, (side, pos)) in exits.iter().enumerate() {
            let problem = if !config.exits.contains(side) {
                format!("exit at {pos} on a side that exits does not list")
            } else if exits[..i].iter().any(|(other, _)| other == side) {
                format!("second exit on the same side at {pos}")
            } else {
                continue;
            };
            return reject("pins", "E", problem, "pin one exit for each side that exits lists");
        }
        for &side in &config.exits {
            let closed = exit_cells(side, self.size).all(|pos| self.contains(pos));
            if closed && !exits.iter().any(|(other, _)| *other == side) {
                let problem =
                    format!("no free cell for an exit on the {side:?} side").to_lowercase();
                return reject("pins", "B", problem, "remove a pin of that side, or pin its exit");
            }
        }
        Ok(())
    }
}

/// Returns the cells inside the outer wall, in row-major order.
pub(crate) fn interior(size: Size) -> impl Iterator<Item = Pos> {
    (2..size.height - 2).flat_map(move |y| (2..size.width - 2).map(move |x| Pos { x, y }))
}

/// Returns the distance of a cell from the edge of the grid; 0 for cells at the edge.
pub(crate) fn ring(pos: Pos, size: Size) -> u16 {
    let across = pos.x.min(size.width - 1 - pos.x);
    across.min(pos.y.min(size.height - 1 - pos.y))
}

/// Returns the side of the outer wall that a cell belongs to; `None` for corners and other cells.
pub(crate) fn side_of(pos: Pos, size: Size) -> Option<Side> {
    let along = |at: u16, side: u16| (2..side - 2).contains(&at);
    match pos {
        Pos { y: 1, x } if along(x, size.width) => Some(Side::Top),
        Pos { y, x } if y == size.height - 2 && along(x, size.width) => Some(Side::Bottom),
        Pos { x: 1, y } if along(y, size.height) => Some(Side::Left),
        Pos { x, y } if x == size.width - 2 && along(y, size.height) => Some(Side::Right),
        _ => None,
    }
}

/// Returns the cells where the generator may place an exit of a side: at least two cells from the
/// corners of the outer wall.
pub(crate) fn exit_cells(side: Side, size: Size) -> impl Iterator<Item = Pos> {
    let (length, place): (u16, fn(u16, Size) -> Pos) = match side {
        Side::Top => (size.width, |at, _| Pos { x: at, y: 1 }),
        Side::Bottom => (size.width, |at, size| Pos { x: at, y: size.height - 2 }),
        Side::Left => (size.height, |at, _| Pos { x: 1, y: at }),
        Side::Right => (size.height, |at, size| Pos { x: size.width - 2, y: at }),
    };
    (3..length - 3).map(move |at| place(at, size))
}
