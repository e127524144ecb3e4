//! Renders levels as text, in the symbols of blueprints.

use super::{LevelScene, SceneCell};
use crate::AsciiStyle;
use std::fmt::Write;
use wayforge::level::Symbol;

/// Renders a level as text: one line per row, in the symbols of blueprints.
///
/// [`AsciiStyle::Colour`] adds only ANSI codes. Cells on a route have a bright background: yellow
/// for people, cyan for cars, magenta for both, red for walls that a route breaks. Cells where
/// objects may fall are underlined, and reinforced walls are bold white.
///
/// # Complexity
/// O(cells).
///
/// # Examples
///
/// ```
/// use wayforge::level;
/// use wayforge_draw::{LevelScene, AsciiStyle, level_ascii};
/// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
/// let scene = LevelScene::from_level(&level);
/// assert_eq!(level_ascii(&scene, AsciiStyle::Plain), level.blueprint.to_string());
/// assert!(level_ascii(&scene, AsciiStyle::Colour).contains("\x1b[0m"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_ascii(scene: &LevelScene, style: AsciiStyle) -> String {
    let width = usize::from(scene.size.width).max(1);
    let mut text = String::with_capacity(scene.cells.len() + scene.cells.len() / width + 1);
    for row in scene.cells.chunks(width) {
        match style {
            AsciiStyle::Plain => text.extend(row.iter().map(|cell| cell.symbol.to_char())),
            AsciiStyle::Colour => {
                for run in row.chunk_by(|a, b| cell_style(a) == cell_style(b)) {
                    let (colour, background, underlined) = cell_style(&run[0]);
                    // A background replaces the colour of the symbol.
                    let codes = match background {
                        0 => colour,
                        1 => "1;30;43",
                        2 => "1;30;46",
                        BROKEN => "1;97;41",
                        _ => "1;30;45",
                    };
                    let _ = write!(text, "\x1b[{codes}{}m", if underlined { ";4" } else { "" });
                    text.extend(run.iter().map(|cell| cell.symbol.to_char()));
                    text.push_str("\x1b[0m");
                }
            }
        }
        text.push('\n');
    }
    text
}

/// Returns the SGR code of the symbol, the route background (0 for none), and whether the cell is
/// underlined.
fn cell_style(cell: &SceneCell) -> (&'static str, u8, bool) {
    let colour = match cell.symbol {
        Symbol::Outside => "32",
        Symbol::Band => "1;37",
        Symbol::Exit => "1;92",
        Symbol::Wall if cell.reinforced => "1;97",
        Symbol::Wall => "33",
        Symbol::Floor if cell.car_walkable => "36",
        Symbol::Floor => "90",
        Symbol::Player => "1;96",
        Symbol::Car => "1;91",
        Symbol::Pitfall => "31",
        Symbol::Plant => "92",
        Symbol::Puddle => "94",
        Symbol::EmptyCan => "1;37",
        Symbol::Fuel => "1;93",
        Symbol::Flashlight => "93",
        Symbol::Shoes => "95",
        Symbol::MovesNorth | Symbol::MovesSouth | Symbol::MovesWest | Symbol::MovesEast => "35",
    };
    (colour, if cell.is_broken() { BROKEN } else { cell.route_mask }, cell.fall_spawn)
}

/// Route background of a wall that a route breaks.
const BROKEN: u8 = 4;
