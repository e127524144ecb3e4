//! Tile sheets for map editors: all tiles of levels, floors or navigation grids in one picture.

use crate::chart;
use crate::curve::UNIT;
use crate::floor::glyphs::Glyph;
use crate::level::level_tile_svg;
use crate::paint::SvgRasteriser;
use crate::png::{DrawError, encode};
use crate::svg::{document, floor_tile_svg};
use crate::theme::Theme;
use std::fmt::Write;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::grid::{Dir, Pos};
use wayforge::level::Symbol;

/// Side of a level or floor tile, in pixels.
pub const TILE_SIDE: u32 = 32;
/// Side of a navigation grid tile, in pixels.
pub const NAV_GRID_TILE_SIDE: u32 = 16;
/// Number of magnitudes (distances from the shore) of water tiles.
pub const NAV_GRID_MAGNITUDES: u8 = 32;

/// A picture of tiles in rows of `columns`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSheet {
    /// Tiles per row.
    pub columns: u32,
    /// Number of rows; the last one may be incomplete.
    pub rows: u32,
    /// Side of a tile, in pixels.
    pub side: u32,
    /// The sheet as a PNG file.
    pub png: Vec<u8>,
}

/// A level tile. Candidates, tags and pins are transparent overlays without ground. Exhaustive:
/// tilesets of editors describe every tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelTile {
    /// A symbol in its default appearance; an exit points north.
    Symbol(Symbol),
    /// Another shade of plain floor.
    Floor {
        /// Whether this is the lighter shade.
        light: bool,
    },
    /// Outside ground with a tuft of grass.
    Tuft {
        /// Whether the tuft is light.
        light: bool,
    },
    /// A solid interior wall.
    Solid,
    /// A reinforced wall.
    Reinforced,
    /// A fuel station.
    Station,
    /// An exit that does not point north.
    Exit(Dir),
    /// A cell where objects may fall from above.
    FallSpawn,
    /// A cell that cars can reach.
    CarWalkable,
    /// A pinned cell.
    Pin,
}

/// A floor tile. Entities and pins are transparent overlays without ground. Exhaustive, like
/// [`LevelTile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloorTile {
    /// A tile.
    Tile(TileKind),
    /// An entity.
    Entity(EntityKind),
    /// A boss enemy.
    Boss,
    /// A pinned cell.
    Pin,
}

impl LevelTile {
    /// All tiles in the order of the sheet; the symbols of the legend are first.
    pub const ALL: [LevelTile; 31] = {
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
            LevelTile::Pin,
        ];
        let mut all = [LevelTile::Pin; 31];
        let mut index = 0;
        while index < all.len() {
            all[index] =
                if index < 18 { LevelTile::Symbol(Symbol::ALL[index]) } else { more[index - 18] };
            index += 1;
        }
        all
    };

    /// Returns the symbol that the tile shows; `None` for tags and pins.
    ///
    /// # Examples
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

    /// Returns the tile that pictures of levels show at a cell. Floor and outside have several
    /// variants.
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

/// Renders the level tiles in the order of [`LevelTile::ALL`], eight per row.
///
/// # Errors
/// [`DrawError::Render`] if rasterising fails.
///
/// # Examples
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

/// Renders the floor tiles in the order of [`FloorTile::ALL`], eight per row.
///
/// # Errors
/// [`DrawError::Render`] if rasterising fails.
///
/// # Examples
///
/// ```
/// use wayforge_draw::{Theme, floor_tiles};
/// assert_eq!(floor_tiles(Theme::Night)?.rows, 2);
/// # Ok::<(), wayforge_draw::DrawError>(())
/// ```
pub fn floor_tiles(theme: Theme) -> Result<TileSheet, DrawError> {
    sheet(FloorTile::ALL.len(), TILE_SIDE, |number, side| {
        floor_tile_svg(FloorTile::ALL[number], theme, side)
    })
}

/// Renders the navigation grid tiles, eight per row: land (blocked), then water (open) of
/// magnitudes 0 to 31, in the colours of [`nav_grid_png`](crate::nav_grid_png()).
///
/// # Errors
/// [`DrawError::Render`] if rasterising fails.
///
/// # Examples
///
/// ```
/// use wayforge_draw::{Theme, nav_grid_tiles};
/// let sheet = nav_grid_tiles(Theme::Parchment)?;
/// assert_eq!((sheet.columns, sheet.rows, sheet.side), (8, 5, 16));
/// # Ok::<(), wayforge_draw::DrawError>(())
/// ```
pub fn nav_grid_tiles(theme: Theme) -> Result<TileSheet, DrawError> {
    sheet(usize::from(NAV_GRID_MAGNITUDES) + 1, NAV_GRID_TILE_SIDE, |number, side| {
        let colour = chart::tile_colour(theme, number.checked_sub(1));
        format!("<rect width=\"{side}\" height=\"{side}\" fill=\"{colour}\"/>")
    })
}

/// Tiles per row.
const COLUMNS: u32 = 8;

/// Renders a sheet of `count` tiles. `tile` returns the markup of a tile, given its index and its
/// side in pixels.
fn sheet(
    count: usize,
    side: u32,
    tile: impl Fn(usize, i32) -> String,
) -> Result<TileSheet, DrawError> {
    let (columns, rows) = (COLUMNS, (count as u32).div_ceil(COLUMNS));
    let (width, height) = (columns * side, rows * side);
    let mut tiles = String::new();
    for (number, cell) in (0..count).zip(0..) {
        let (x, y, markup) =
            (cell % columns * side, cell / columns * side, tile(number, side as i32));
        // An inner `<svg>` clips its content.
        let _ = write!(
            tiles,
            "<svg x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\">{markup}</svg>"
        );
    }
    let svg = document([0, 0, width as i32 * UNIT, height as i32 * UNIT], &tiles);
    let png = encode(&SvgRasteriser::default().render(&svg, (width, height))?)?;
    Ok(TileSheet { columns, rows, side, png })
}

/// Returns the markup of a pin overlay for a tile of `side` pixels.
pub(crate) fn pin_markup(side: i32, colour: &str, chip: &str) -> String {
    let (inner, middle) = (side - 1, side - 7);
    // Subtle, because large areas may be pinned.
    format!(
        "<rect x=\"0.5\" y=\"0.5\" width=\"{inner}\" height=\"{inner}\" fill=\"{colour}\" \
         fill-opacity=\"0.14\" stroke=\"{colour}\" \
         stroke-opacity=\"0.3\"/><circle cx=\"{middle}\" cy=\"7\" r=\"3\" fill=\"{colour}\" \
         stroke=\"{chip}\" stroke-width=\"1\"/>"
    )
}
