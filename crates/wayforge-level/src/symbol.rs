//! The 18 symbols of the legend, and the blueprint: a grid of symbols.

use std::fmt;
use wayforge_core::DecodeError;
use wayforge_core::grid::{Dir, Pos, Size};

/// Declares the symbols in the order of the legend: documentation, variant, character,
/// name and meaning.
macro_rules! legend {
    ($(
        $(#[$attribute:meta])* $variant:ident = $char:literal, $name:literal, $meaning:literal;
    )*) => {
        /// A symbol of the legend. Its discriminant is its ASCII character.
        ///
        /// # Examples
        /// ```
        /// use wayforge_level::Symbol;
        /// assert_eq!(Symbol::from_char('f'), Some(Symbol::Fuel));
        /// assert_eq!(Symbol::Exit.to_char(), 'E');
        /// assert_eq!(Symbol::ALL.len(), 18);
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Symbol {
            $($(#[$attribute])* $variant = $char,)*
        }

        impl Symbol {
            /// All symbols in the order of the legend.
            pub const ALL: [Symbol; 18] = [$(Symbol::$variant),*];

            /// Returns the name of the symbol in metrics and files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Symbol::$variant => $name,)*
                }
            }

            /// Returns the meaning of the symbol in the legend.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Symbol::$variant => $meaning,)*
                }
            }
        }
    };
}

legend! {
    /// `O`: outside, the victory zone.
    Outside = b'O', "outside", "outside";
    /// `B`: the outer wall band.
    Band = b'B', "band", "outer wall";
    /// `E`: an exit.
    Exit = b'E', "exit", "exit";
    /// `1`: an interior wall.
    Wall = b'1', "wall", "interior wall";
    /// `.`: walkable floor.
    #[default]
    Floor = b'.', "floor", "floor";
    /// `P`: a possible player start.
    Player = b'P', "player", "player start";
    /// `C`: a possible position of the car.
    Car = b'C', "car", "car";
    /// `x`: a pitfall.
    Pitfall = b'x', "pitfall", "pitfall";
    /// `h`: a houseplant.
    Plant = b'h', "plant", "houseplant";
    /// `w`: a puddle.
    Puddle = b'w', "puddle", "puddle";
    /// `e`: a possible position of an empty fuel can.
    EmptyCan = b'e', "empty_can", "empty fuel can";
    /// `f`: a possible position of a fuel can or fuel station, depending on the fuel mode.
    Fuel = b'f', "fuel", "fuel";
    /// `l`: a possible position of a flashlight.
    Flashlight = b'l', "flashlight", "flashlight";
    /// `s`: a possible position of shoes.
    Shoes = b's', "shoes", "shoes";
    /// `^`: a floor that moves north.
    MovesNorth = b'^', "moves_north", "floor moving north";
    /// `v`: a floor that moves south.
    MovesSouth = b'v', "moves_south", "floor moving south";
    /// `<`: a floor that moves west.
    MovesWest = b'<', "moves_west", "floor moving west";
    /// `>`: a floor that moves east.
    MovesEast = b'>', "moves_east", "floor moving east";
}

impl Symbol {
    /// The candidates: possible positions of objects when a game starts.
    pub const CANDIDATES: [Symbol; 6] = [
        Symbol::Player,
        Symbol::Car,
        Symbol::EmptyCan,
        Symbol::Fuel,
        Symbol::Flashlight,
        Symbol::Shoes,
    ];

    /// The moving floors.
    pub const MOVING: [Symbol; 4] =
        [Symbol::MovesNorth, Symbol::MovesSouth, Symbol::MovesWest, Symbol::MovesEast];

    /// Returns the symbol of a character.
    pub fn from_char(c: char) -> Option<Symbol> {
        Symbol::ALL.into_iter().find(|symbol| symbol.to_char() == c)
    }

    /// Returns the character of the symbol.
    pub const fn to_char(self) -> char {
        self as u8 as char
    }

    /// Returns the direction of a moving floor; `None` for other symbols.
    pub const fn move_direction(self) -> Option<Dir> {
        match self {
            Symbol::MovesNorth => Some(Dir::North),
            Symbol::MovesSouth => Some(Dir::South),
            Symbol::MovesWest => Some(Dir::West),
            Symbol::MovesEast => Some(Dir::East),
            _ => None,
        }
    }

    /// Returns true for candidates.
    pub fn is_candidate(self) -> bool {
        Symbol::CANDIDATES.contains(&self)
    }

    /// Returns true for the candidates that `min_separation` applies to: player, car, empty can and
    /// fuel.
    pub fn needs_separation(self) -> bool {
        Symbol::CANDIDATES[..4].contains(&self)
    }

    /// Returns true for terrain: pitfalls, plants, puddles and moving floors.
    pub const fn is_terrain(self) -> bool {
        matches!(self, Symbol::Pitfall | Symbol::Plant | Symbol::Puddle)
            || self.move_direction().is_some()
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

/// A grid of symbols.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_level::{Blueprint, Symbol};
/// let blueprint = Blueprint::from_text("OOO\nOEO\nOOO")?;
/// assert_eq!(blueprint.get(Pos::new(1, 1)), Symbol::Exit);
/// assert_eq!(blueprint.to_string(), "OOO\nOEO\nOOO\n");
/// # Ok::<(), wayforge_core::DecodeError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Blueprint {
    size: Size,
    cells: Vec<Symbol>,
}

impl Blueprint {
    /// Maximum number of columns, and of rows.
    pub const MAX_SIDE: u16 = 1024;

    /// Creates a grid filled with one symbol.
    pub fn filled(size: Size, symbol: Symbol) -> Blueprint {
        Blueprint { size, cells: vec![symbol; size.cells()] }
    }

    /// Resizes the grid and fills it with one symbol, reusing memory.
    pub(crate) fn refill(&mut self, size: Size, symbol: Symbol) {
        self.size = size;
        self.cells.clear();
        self.cells.resize(size.cells(), symbol);
    }

    /// Parses a drawing: one line per row, lines of equal length, symbols of the legend only. A
    /// trailing newline is allowed.
    ///
    /// # Errors
    /// [`DecodeError`] with the first invalid row or cell.
    pub fn from_text(text: &str) -> Result<Blueprint, DecodeError> {
        let rows: Vec<&str> = text.lines().collect();
        Blueprint::from_rows(&rows)
    }

    /// Parses rows of symbols.
    ///
    /// # Errors
    /// [`DecodeError`] with the first invalid row or cell.
    pub fn from_rows(rows: &[impl AsRef<str>]) -> Result<Blueprint, DecodeError> {
        let mut cells = Vec::new();
        let size = read_rows(rows, &mut |pos, c| {
            cells.push(Symbol::from_char(c).ok_or_else(|| unknown_symbol(pos, c, ""))?);
            Ok(())
        })?;
        Ok(Blueprint { size, cells })
    }

    /// Returns the size of the grid.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the symbols in row-major order.
    #[inline]
    pub fn cells(&self) -> &[Symbol] {
        &self.cells
    }

    /// Returns the symbol of a cell; [`Symbol::Outside`] for positions outside the grid.
    #[inline]
    pub fn get(&self, pos: Pos) -> Symbol {
        if self.size.contains(pos) { self.cells[self.size.index(pos)] } else { Symbol::Outside }
    }

    /// Sets the symbol of a cell; ignores positions outside the grid.
    #[inline]
    pub fn set(&mut self, pos: Pos, symbol: Symbol) {
        if self.size.contains(pos) {
            self.cells[self.size.index(pos)] = symbol;
        }
    }

    /// Returns the cells with a symbol, in row-major order.
    pub fn find(&self, symbol: Symbol) -> impl Iterator<Item = Pos> {
        self.cells
            .iter()
            .enumerate()
            .filter(move |(_, other)| **other == symbol)
            .map(|(index, _)| self.size.pos(index))
    }

    /// Returns the number of cells with a symbol.
    pub fn count(&self, symbol: Symbol) -> usize {
        self.cells.iter().filter(|other| **other == symbol).count()
    }

    /// Returns the rows as text.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        self.cells
            .chunks(usize::from(self.size.width).max(1))
            .map(|row| row.iter().map(|symbol| symbol.to_char()).collect())
    }
}

/// Parses rows of equal length cell by cell, within the size limits of a blueprint.
pub(crate) fn read_rows(
    rows: &[impl AsRef<str>],
    cell: &mut dyn FnMut(Pos, char) -> Result<(), DecodeError>,
) -> Result<Size, DecodeError> {
    let max = usize::from(Blueprint::MAX_SIDE);
    let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
    if rows.is_empty() || width == 0 || rows.len() > max || width > max {
        let message =
            format!("{} rows of {width} columns; a drawing has 1 to {max} of each", rows.len());
        return Err(DecodeError::malformed("drawing", message));
    }
    for (y, row) in (0..).zip(rows) {
        let row = row.as_ref();
        let columns = row.chars().count();
        if columns != width {
            let message = format!("{columns} columns, but the rows above have {width}");
            return Err(DecodeError::malformed(format!("row {y}"), message));
        }
        for (x, c) in (0..).zip(row.chars()) {
            cell(Pos { x, y }, c)?;
        }
    }
    Ok(Size::new(width as u16, rows.len() as u16))
}

/// Returns the error of an unknown character. `also` lists further allowed characters.
pub(crate) fn unknown_symbol(pos: Pos, c: char, also: &str) -> DecodeError {
    let known = Symbol::ALL.map(|symbol| symbol.to_string()).join(" ");
    DecodeError::malformed(
        format!("cell {pos}"),
        format!("'{c}' is not a symbol; known: {also}{known}"),
    )
}

/// Writes the drawing, one line per row.
impl fmt::Display for Blueprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().try_for_each(|row| writeln!(f, "{row}"))
    }
}

impl fmt::Debug for Blueprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blueprint {}\n{self}", self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_characters_correspond() {
        let mut seen: Vec<char> = Symbol::ALL.iter().map(|symbol| symbol.to_char()).collect();
        assert_eq!(seen.iter().collect::<String>(), "OBE1.PCxhwefls^v<>");
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 18);
        assert!(
            Symbol::ALL.iter().all(|symbol| Symbol::from_char(symbol.to_char()) == Some(*symbol))
        );
    }

    #[test]
    fn rejects_invalid_drawings() {
        let error = |text: &str| Blueprint::from_text(text).unwrap_err().to_string();
        assert_eq!(error("OO\nOOO"), "row 1: 3 columns, but the rows above have 2");
        assert!(error("OO\nO.\n#O").starts_with("cell 0,2: '#' is not a symbol; known: O B E 1"));
        assert!(error("").starts_with("drawing: 0 rows"));
        assert!(error(&"O".repeat(1025)).starts_with("drawing: 1 rows of 1025 columns"));
        assert_eq!(Blueprint::from_text("O.\nE1\n").unwrap().to_string(), "O.\nE1\n");
    }
}
