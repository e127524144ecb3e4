//! The legend: the eighteen symbols of a blueprint, and the blueprint itself.

use std::fmt;
use wayforge_core::DecodeError;
use wayforge_core::grid::{Dir, Pos, Size};

/// Declares the symbols in the order of the legend: documentation, name, character and meaning.
macro_rules! legend {
    ($($(#[$attribute:meta])* $name:ident = $char:literal, $meaning:literal;)*) => {
        /// One symbol of the legend. Its number is its ASCII character.
        ///
        /// ```
        /// use wayforge_level::Symbol;
        /// assert_eq!(Symbol::from_char('f'), Some(Symbol::Fuel));
        /// assert_eq!(Symbol::Exit.to_char(), 'E');
        /// assert_eq!(Symbol::ALL.len(), 18);
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Symbol {
            $($(#[$attribute])* $name = $char,)*
        }

        impl Symbol {
            /// All symbols in the order of the legend.
            pub const ALL: [Symbol; 18] = [$(Symbol::$name),*];

            /// The meaning of the symbol in the legend.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Symbol::$name => $meaning,)*
                }
            }
        }
    };
}

legend! {
    /// `O`: outside, the victory zone.
    Outside = b'O', "outside";
    /// `B`: the outer wall band.
    Band = b'B', "outer wall";
    /// `E`: an exit.
    Exit = b'E', "exit";
    /// `1`: an interior wall.
    Wall = b'1', "interior wall";
    /// `.`: walkable floor.
    #[default]
    Floor = b'.', "floor";
    /// `P`: a player may start here.
    Player = b'P', "player start";
    /// `C`: a car may stand here.
    Car = b'C', "car";
    /// `x`: a pitfall.
    Pitfall = b'x', "pitfall";
    /// `h`: a houseplant.
    Plant = b'h', "houseplant";
    /// `w`: a puddle.
    Puddle = b'w', "puddle";
    /// `e`: an empty fuel can may lie here.
    EmptyCan = b'e', "empty fuel can";
    /// `f`: a fuel can or a fuel station may stand here, by the fuel mode.
    Fuel = b'f', "fuel";
    /// `l`: a flashlight may lie here.
    Flashlight = b'l', "flashlight";
    /// `s`: shoes may lie here.
    Shoes = b's', "shoes";
    /// `^`: a floor that moves north.
    MovesNorth = b'^', "floor moving north";
    /// `v`: a floor that moves south.
    MovesSouth = b'v', "floor moving south";
    /// `<`: a floor that moves west.
    MovesWest = b'<', "floor moving west";
    /// `>`: a floor that moves east.
    MovesEast = b'>', "floor moving east";
}

impl Symbol {
    /// The candidates: cells where something may be put when a game starts.
    pub const CANDIDATES: [Symbol; 6] =
        [Symbol::Player, Symbol::Car, Symbol::EmptyCan, Symbol::Fuel, Symbol::Flashlight, Symbol::Shoes];

    /// The moving floors.
    pub const MOVING: [Symbol; 4] =
        [Symbol::MovesNorth, Symbol::MovesSouth, Symbol::MovesWest, Symbol::MovesEast];

    /// The symbol of a character.
    pub fn from_char(c: char) -> Option<Symbol> {
        Symbol::ALL.into_iter().find(|symbol| symbol.to_char() == c)
    }

    /// The symbol's character.
    pub const fn to_char(self) -> char {
        self as u8 as char
    }

    /// The direction in which a moving floor moves.
    pub const fn moves(self) -> Option<Dir> {
        match self {
            Symbol::MovesNorth => Some(Dir::North),
            Symbol::MovesSouth => Some(Dir::South),
            Symbol::MovesWest => Some(Dir::West),
            Symbol::MovesEast => Some(Dir::East),
            _ => None,
        }
    }

    /// True for a candidate.
    pub fn is_candidate(self) -> bool {
        Symbol::CANDIDATES.contains(&self)
    }

    /// True for the candidates that keep `min_separation` from each other: player, car, empty can and fuel.
    pub fn keeps_apart(self) -> bool {
        Symbol::CANDIDATES[..4].contains(&self)
    }

    /// True for what terrain puts on the floor: pitfalls, plants, puddles and moving floors.
    pub const fn is_terrain(self) -> bool {
        matches!(self, Symbol::Pitfall | Symbol::Plant | Symbol::Puddle) || self.moves().is_some()
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

/// A grid of symbols.
///
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
    /// The largest side.
    pub const MAX_SIDE: u16 = 1024;

    /// A grid of one symbol.
    pub fn filled(size: Size, symbol: Symbol) -> Blueprint {
        Blueprint { size, cells: vec![symbol; size.cells()] }
    }

    /// Fills the grid with one symbol at a new size; memory is kept.
    pub(crate) fn refill(&mut self, size: Size, symbol: Symbol) {
        self.size = size;
        self.cells.clear();
        self.cells.resize(size.cells(), symbol);
    }

    /// Reads a drawing: one line a row, all of one length, only symbols of the legend. A last end of line may be there.
    pub fn from_text(text: &str) -> Result<Blueprint, DecodeError> {
        let rows: Vec<&str> = text.lines().collect();
        Blueprint::from_rows(&rows)
    }

    /// Reads rows of symbols.
    pub fn from_rows(rows: &[impl AsRef<str>]) -> Result<Blueprint, DecodeError> {
        let mut cells = Vec::new();
        let size = read_rows(rows, &mut |pos, c| {
            cells.push(Symbol::from_char(c).ok_or_else(|| unknown_symbol(pos, c, ""))?);
            Ok(())
        })?;
        Ok(Blueprint { size, cells })
    }

    /// The grid's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The symbols in reading order.
    #[inline]
    pub fn cells(&self) -> &[Symbol] {
        &self.cells
    }

    /// The symbol of a cell; outside beyond the grid.
    #[inline]
    pub fn get(&self, pos: Pos) -> Symbol {
        match self.size.contains(pos) {
            true => self.cells[self.size.index(pos)],
            false => Symbol::Outside,
        }
    }

    /// Puts a symbol on a cell; beyond the grid nothing happens.
    #[inline]
    pub fn set(&mut self, pos: Pos, symbol: Symbol) {
        if self.size.contains(pos) {
            self.cells[self.size.index(pos)] = symbol;
        }
    }

    /// The cells that hold a symbol, in reading order.
    pub fn find(&self, symbol: Symbol) -> impl Iterator<Item = Pos> {
        self.cells
            .iter()
            .enumerate()
            .filter(move |(_, here)| **here == symbol)
            .map(|(index, _)| self.size.pos(index))
    }

    /// How many cells hold a symbol.
    pub fn count(&self, symbol: Symbol) -> usize {
        self.cells.iter().filter(|here| **here == symbol).count()
    }

    /// The rows as text.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        self.cells
            .chunks(usize::from(self.size.width).max(1))
            .map(|row| row.iter().map(|symbol| symbol.to_char()).collect())
    }
}

/// Reads rows of one length cell by cell, within the bounds of a blueprint.
pub(crate) fn read_rows(
    rows: &[impl AsRef<str>],
    cell: &mut dyn FnMut(Pos, char) -> Result<(), DecodeError>,
) -> Result<Size, DecodeError> {
    let most = usize::from(Blueprint::MAX_SIDE);
    let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
    if rows.is_empty() || width == 0 || rows.len() > most || width > most {
        let message = format!("{} rows of {width} columns; a drawing has 1 to {most} of both", rows.len());
        return Err(shape("drawing".into(), message));
    }
    for (y, row) in (0..).zip(rows) {
        let row = row.as_ref();
        let columns = row.chars().count();
        if columns != width {
            let message = format!("{columns} columns, the rows above have {width}");
            return Err(shape(format!("row {y}"), message));
        }
        for (x, c) in (0..).zip(row.chars()) {
            cell(Pos { x, y }, c)?;
        }
    }
    Ok(Size::new(width as u16, rows.len() as u16))
}

/// The error of a character that is no symbol. `also` are other characters that are known.
pub(crate) fn unknown_symbol(pos: Pos, c: char, also: &str) -> DecodeError {
    let known = Symbol::ALL.map(|symbol| symbol.to_string()).join(" ");
    shape(format!("cell {pos}"), format!("'{c}' is no symbol; known: {also}{known}"))
}

fn shape(path: String, message: String) -> DecodeError {
    DecodeError::Shape { path, message }
}

/// The drawing: one line a row.
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
    fn every_symbol_is_its_character_once() {
        let mut seen: Vec<char> = Symbol::ALL.iter().map(|symbol| symbol.to_char()).collect();
        assert_eq!(seen.iter().collect::<String>(), "OBE1.PCxhwefls^v<>");
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 18);
        assert!(Symbol::ALL.iter().all(|symbol| Symbol::from_char(symbol.to_char()) == Some(*symbol)));
    }

    #[test]
    fn drawings_are_read_strictly() {
        let error = |text: &str| Blueprint::from_text(text).unwrap_err().to_string();
        assert_eq!(error("OO\nOOO"), "row 1: 3 columns, the rows above have 2");
        assert!(error("OO\nO.\n#O").starts_with("cell 0,2: '#' is no symbol; known: O B E 1"));
        assert!(error("").starts_with("drawing: 0 rows"));
        assert!(error(&"O".repeat(1025)).starts_with("drawing: 1 rows of 1025 columns"));
        assert_eq!(Blueprint::from_text("O.\nE1\n").unwrap().to_string(), "O.\nE1\n");
    }
}
