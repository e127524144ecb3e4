//! Sheets of single tiles, for editors that put maps together from pictures: what scenes show, cut into squares.

use crate::chart;
use crate::floor::glyphs::Glyph;
use crate::level::level_tiles_svg;
use crate::png::{DrawError, paint_png};
use crate::svg::floor_tiles_svg;
use crate::theme::Theme;
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
    sheet(LevelTile::ALL.len() as u32, TILE_SIDE, |columns, _| {
        level_tiles_svg(theme, TILE_SIDE as i32, columns)
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
    sheet(FloorTile::ALL.len() as u32, TILE_SIDE, |columns, _| {
        floor_tiles_svg(theme, TILE_SIDE as i32, columns)
    })
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
    let count = u32::from(WATER_MAGNITUDES) + 1;
    sheet(count, WATER_SIDE, |columns, rows| chart::tiles_svg(theme, WATER_SIDE, columns as u32, rows))
}

/// Tiles side by side.
const COLUMNS: u32 = 8;

/// Paints the document that `svg` gives for a number of columns and of rows.
fn sheet(count: u32, side: u32, svg: impl Fn(i32, u32) -> String) -> Result<TileSheet, DrawError> {
    let rows = count.div_ceil(COLUMNS);
    let png = paint_png(&svg(COLUMNS as i32, rows), (COLUMNS * side, rows * side))?;
    Ok(TileSheet { columns: COLUMNS, rows, side, png })
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
