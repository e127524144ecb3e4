//! Sheets of single tiles, for editors that put maps together from pictures: what scenes show, cut into squares.

use crate::chart;
use crate::curve::UNIT;
use crate::floor::glyphs::Glyph;
use crate::level::level_tile_svg;
use crate::paint::Shapes;
use crate::png::{DrawError, encode};
use crate::svg::{document, floor_tile_svg};
use crate::theme::Theme;
use std::fmt::Write;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::grid::{Dir, Pos};
use wayforge::level::Symbol;

/// The side of a tile of levels and floors, in pixels.
pub const TILE_SIDE: u32 = 32;
/// The side of a tile of water maps, in pixels.
pub const WATER_SIDE: u32 = 16;
/// How many magnitudes of water have a tile of their own.
pub const WATER_MAGNITUDES: u8 = 32;

/// A picture of tiles in rows of `columns`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSheet {
    /// How many tiles stand side by side.
    pub columns: u32,
    /// How many rows of them there are; the last may have room left.
    pub rows: u32,
    /// The side of a tile in pixels.
    pub side: u32,
    /// The bytes of a PNG file.
    pub png: Vec<u8>,
}

/// A tile of levels. Candidates, tags and pins are drawn without ground, to lie over other tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelTile {
    /// A symbol as it usually looks; an exit leads north.
    Symbol(Symbol),
    /// Another look of plain floor: lighter or darker.
    Floor {
        /// True for the lighter one.
        light: bool,
    },
    /// Outside with a tuft of grass: light or dark.
    Tuft {
        /// True for the lighter one.
        light: bool,
    },
    /// An interior wall that holds.
    Solid,
    /// A wall that nobody breaks.
    Reinforced,
    /// A fuel station.
    Station,
    /// An exit that leads elsewhere than north.
    Exit(Dir),
    /// Where something may fall from above.
    FallSpawn,
    /// Where cars drive.
    CarWalkable,
    /// A cell that is fixed.
    Pin,
}

/// A tile of floors. Entities and pins are drawn without ground, to lie over other tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloorTile {
    /// A tile.
    Tile(TileKind),
    /// An entity.
    Entity(EntityKind),
    /// The enemy that a floor is about.
    Boss,
    /// A cell that is fixed.
    Pin,
}

impl LevelTile {
    /// All tiles in the order of the sheet: the symbols of the legend first.
    pub const ALL: [LevelTile; 31] = {
        let mut all = [LevelTile::Pin; 31];
        let mut at = 0;
        while at < 18 {
            all[at] = LevelTile::Symbol(Symbol::ALL[at]);
            at += 1;
        }
        let more = [
            LevelTile::Floor { light: true },
            LevelTile::Floor { light: false },
            LevelTile::Tuft { light: true },
            LevelTile::Tuft { light: false },
            LevelTile::Solid,
            LevelTile::Reinforced,
            LevelTile::Station,
            LevelTile::Exit(Dir::East),
            LevelTile::Exit(Dir::South),
            LevelTile::Exit(Dir::West),
            LevelTile::FallSpawn,
            LevelTile::CarWalkable,
        ];
        while at < 30 {
            all[at] = more[at - 18];
            at += 1;
        }
        all
    };

    /// The symbol that it shows; none for tags and pins.
    ///
    /// ```
    /// use wayforge::level::Symbol;
    /// use wayforge_draw::LevelTile;
    /// assert_eq!(LevelTile::Reinforced.symbol(), Some(Symbol::Wall));
    /// assert_eq!(LevelTile::Pin.symbol(), None);
    /// ```
    pub const fn symbol(self) -> Option<Symbol> {
        Some(match self {
            LevelTile::Symbol(symbol) => symbol,
            LevelTile::Floor { .. } => Symbol::Floor,
            LevelTile::Tuft { .. } => Symbol::Outside,
            LevelTile::Solid | LevelTile::Reinforced => Symbol::Wall,
            LevelTile::Station => Symbol::Fuel,
            LevelTile::Exit(_) => Symbol::Exit,
            LevelTile::FallSpawn | LevelTile::CarWalkable | LevelTile::Pin => return None,
        })
    }

    /// The look that pictures of levels give plain floor and outside at a cell; other symbols have one.
    pub fn at(symbol: Symbol, pos: Pos) -> LevelTile {
        match (symbol, crate::level::variant(pos)) {
            (Symbol::Floor, 0..64) => LevelTile::Floor { light: true },
            (Symbol::Floor, 64..120) => LevelTile::Floor { light: false },
            (Symbol::Outside, 0..90) => LevelTile::Tuft { light: false },
            (Symbol::Outside, 90..180) => LevelTile::Tuft { light: true },
            _ => LevelTile::Symbol(symbol),
        }
    }
}

impl FloorTile {
    /// All tiles in the order of the sheet.
    pub const ALL: [FloorTile; 14] = [
        FloorTile::Tile(TileKind::Floor),
        FloorTile::Tile(TileKind::Wall),
        FloorTile::Tile(TileKind::Entrance),
        FloorTile::Tile(TileKind::Exit),
        FloorTile::Tile(TileKind::Door),
        FloorTile::Tile(TileKind::Trap),
        FloorTile::Tile(TileKind::Chest),
        FloorTile::Tile(TileKind::Water),
        FloorTile::Entity(EntityKind::Enemy),
        FloorTile::Entity(EntityKind::Item),
        FloorTile::Entity(EntityKind::Relic),
        FloorTile::Entity(EntityKind::Npc),
        FloorTile::Boss,
        FloorTile::Pin,
    ];

    pub(crate) fn glyph(self) -> Option<Glyph> {
        match self {
            FloorTile::Tile(kind) => Some(Glyph::Tile(kind)),
            FloorTile::Entity(kind) => Some(Glyph::Entity(kind)),
            FloorTile::Boss => Some(Glyph::Boss),
            FloorTile::Pin => None,
        }
    }
}

/// The tiles of levels, in the order of [`LevelTile::ALL`].
///
/// * **Returns.** A sheet of eight columns; its bytes depend on the theme only.
///
/// ```
/// use wayforge_draw::{Theme, level_tiles};
/// let sheet = level_tiles(Theme::Parchment)?;
/// assert_eq!((sheet.columns, sheet.rows, sheet.side), (8, 4, 32));
/// # Ok::<(), wayforge_draw::DrawError>(())
/// ```
pub fn level_tiles(theme: Theme) -> Result<TileSheet, DrawError> {
    sheet(LevelTile::ALL.len(), TILE_SIDE, |number, side| {
        level_tile_svg(LevelTile::ALL[number], theme, side, format!("t{number}"))
    })
}

/// The tiles of floors, in the order of [`FloorTile::ALL`].
///
/// ```
/// use wayforge_draw::{Theme, floor_tiles};
/// assert_eq!(floor_tiles(Theme::Night)?.rows, 2);
/// # Ok::<(), wayforge_draw::DrawError>(())
/// ```
pub fn floor_tiles(theme: Theme) -> Result<TileSheet, DrawError> {
    sheet(FloorTile::ALL.len(), TILE_SIDE, |number, side| floor_tile_svg(FloorTile::ALL[number], theme, side))
}

/// The tiles of water maps: land, then water of magnitudes 0 to 31, in the colours of charts.
///
/// ```
/// use wayforge_draw::{Theme, water_tiles};
/// let sheet = water_tiles(Theme::Parchment)?;
/// assert_eq!((sheet.columns, sheet.rows, sheet.side), (8, 5, 16));
/// # Ok::<(), wayforge_draw::DrawError>(())
/// ```
pub fn water_tiles(theme: Theme) -> Result<TileSheet, DrawError> {
    sheet(usize::from(WATER_MAGNITUDES) + 1, WATER_SIDE, |number, side| {
        let colour = chart::tile_colour(theme, number.checked_sub(1));
        format!("<rect width=\"{side}\" height=\"{side}\" fill=\"{colour}\"/>")
    })
}

/// Tiles side by side.
const COLUMNS: u32 = 8;

/// Paints tiles in rows; `tile` gives the markup of one by its number and its side in pixels.
fn sheet(count: usize, side: u32, tile: impl Fn(usize, i32) -> String) -> Result<TileSheet, DrawError> {
    let (columns, rows) = (COLUMNS, (count as u32).div_ceil(COLUMNS));
    let (width, height) = (columns * side, rows * side);
    let mut tiles = String::new();
    for (number, at) in (0..count).zip(0..) {
        let (x, y, markup) = (at % columns * side, at / columns * side, tile(number, side as i32));
        // Nothing is drawn beyond the edge of an inner document.
        let _ = write!(tiles, "<svg x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\">{markup}</svg>");
    }
    let svg = document([0, 0, width as i32 * UNIT, height as i32 * UNIT], &tiles);
    let png = encode(&Shapes::default().fill(&svg, (width, height))?)?;
    Ok(TileSheet { columns, rows, side, png })
}

/// The frame and the head of a pin, as markup over a tile of this side in pixels.
pub(crate) fn pin_markup(side: i32, colour: &str, chip: &str) -> String {
    let (inner, middle) = (side - 1, side - 7);
    // Quiet, because whole areas are fixed at once.
    format!(
        "<rect x=\"0.5\" y=\"0.5\" width=\"{inner}\" height=\"{inner}\" fill=\"{colour}\" fill-opacity=\"0.14\" stroke=\"{colour}\" \
         stroke-opacity=\"0.3\"/><circle cx=\"{middle}\" cy=\"7\" r=\"3\" fill=\"{colour}\" stroke=\"{chip}\" stroke-width=\"1\"/>"
    )
}
