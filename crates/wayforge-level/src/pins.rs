//! Pins: cells that the user fixed.

use super::config::{Config, Side};
use super::spec::{MAX_STARTS, reject};
use super::symbol::{Symbol, read_rows, unknown_symbol};
use wayforge_core::ConfigError;
use wayforge_core::grid::{Pos, Size};

/// The cells that are fixed, with their symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pins {
    size: Size,
    cells: Vec<(Pos, Symbol)>,
}

impl Pins {
    /// Reads the drawing of fixed cells.
    pub(super) fn read(config: &Config, size: Size) -> Result<Pins, ConfigError> {
        let mut cells = Vec::new();
        if config.pins.is_empty() {
            return Ok(Pins { size, cells });
        }
        let read = read_rows(&config.pins, &mut |pos, c| {
            if c != '?' {
                cells.push((pos, Symbol::from_char(c).ok_or_else(|| unknown_symbol(pos, c, "? "))?));
            }
            Ok(())
        });
        let remedy = "draw one string a row in the legend's symbols, ? for free cells";
        let drawn = read.map_err(|error| ConfigError::new("pins", "drawing", error.to_string(), remedy))?;
        if drawn != size {
            let remedy =
                format!("draw {} rows of {} columns, or set width and height", size.height, size.width);
            return reject("pins", drawn, "not the size of the level", remedy);
        }
        let pins = Pins { size, cells };
        pins.check_places(config)?;
        Ok(pins)
    }

    /// The fixed cells in reading order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Pos, Symbol)> {
        self.cells.iter().copied()
    }

    /// True if the cell is fixed.
    pub(super) fn contains(&self, pos: Pos) -> bool {
        self.cells.binary_search_by_key(&pos, |(pos, _)| *pos).is_ok()
    }

    /// How many cells are fixed to one of some symbols.
    pub(super) fn count(&self, symbols: &[Symbol]) -> u32 {
        self.cells.iter().filter(|(_, here)| symbols.contains(here)).count() as u32
    }

    /// How many cells inside the outer wall are fixed.
    pub(super) fn fixed_inside(&self) -> u32 {
        self.cells.iter().filter(|(pos, _)| ring(*pos, self.size) >= 2).count() as u32
    }

    /// Raises the numbers of candidates to what is fixed; those of flashlights and shoes are exact.
    pub(super) fn count_into(&self, asked: &mut [u32; 6]) -> Result<(), ConfigError> {
        for (asked, candidate) in asked.iter_mut().zip(Symbol::CANDIDATES) {
            let pinned = self.count(&[candidate]);
            if pinned <= *asked {
                continue;
            }
            let exact = match candidate {
                Symbol::Flashlight => Some("flashlights"),
                Symbol::Shoes => Some("shoes"),
                _ => None,
            };
            if let Some(field) = exact {
                let remedy = format!("ask for at least {pinned}, or free some");
                return reject(field, *asked, format!("the pins hold {pinned} {candidate}"), remedy);
            }
            if pinned > MAX_STARTS {
                let remedy = format!("pin at most {MAX_STARTS}");
                return reject("pins", candidate, format!("{pinned} of them"), remedy);
            }
            *asked = pinned;
        }
        Ok(())
    }

    /// Fixed cells agree with the layout: the outside ring, the outer wall with its exits, the interior.
    fn check_places(&self, config: &Config) -> Result<(), ConfigError> {
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
                let problem = format!("{} cannot stand at {pos}", symbol.meaning());
                let remedy =
                    "the outer ring is O, the next B with exits E away from its corners, and the rest inside";
                return reject("pins", symbol, problem, remedy);
            }
        }
        for (i, (side, pos)) in exits.iter().enumerate() {
            let problem = if !config.exits.contains(side) {
                format!("an exit at {pos}, on a side that exits does not list")
            } else if exits[..i].iter().any(|(other, _)| other == side) {
                format!("a second exit on one side, at {pos}")
            } else {
                continue;
            };
            return reject("pins", "E", problem, "pin one exit for each side that exits lists");
        }
        for &side in &config.exits {
            let closed = exit_places(side, self.size).all(|pos| self.contains(pos));
            if closed && !exits.iter().any(|(other, _)| *other == side) {
                let problem = format!("no free cell for an exit on side {side:?}").to_lowercase();
                return reject("pins", "B", problem, "free a cell of that side, or pin its exit");
            }
        }
        Ok(())
    }
}

/// The cells inside the outer wall, in reading order.
pub(crate) fn interior(size: Size) -> impl Iterator<Item = Pos> {
    (2..size.height - 2).flat_map(move |y| (2..size.width - 2).map(move |x| Pos { x, y }))
}

/// How far a cell is from the edge of the grid.
pub(crate) fn ring(pos: Pos, size: Size) -> u16 {
    let across = pos.x.min(size.width - 1 - pos.x);
    across.min(pos.y.min(size.height - 1 - pos.y))
}

/// The side of the outer wall that a cell belongs to; none for its corners.
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

/// The cells where an exit of a side may be drawn: two or more from the corners of the outer wall.
pub(crate) fn exit_places(side: Side, size: Size) -> impl Iterator<Item = Pos> {
    let (length, place): (u16, fn(u16, Size) -> Pos) = match side {
        Side::Top => (size.width, |at, _| Pos { x: at, y: 1 }),
        Side::Bottom => (size.width, |at, size| Pos { x: at, y: size.height - 2 }),
        Side::Left => (size.height, |at, _| Pos { x: 1, y: at }),
        Side::Right => (size.height, |at, size| Pos { x: size.width - 2, y: at }),
    };
    (3..length - 3).map(move |at| place(at, size))
}
