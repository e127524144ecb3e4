//! Levels as text: the legend's symbols, one line a row.

use super::{LevelScene, SceneCell};
use crate::Paint;
use std::fmt::Write;
use wayforge::level::Symbol;

/// Draws a level as text.
///
/// * **Arguments.** The scene, and whether to colour it.
/// * **Returns.** The grid in the symbols of the legend, one line a row, and nothing else. Coloured, the same characters:
///   cells on a route stand on a bright ground (people yellow, cars cyan, both magenta, walls that a route breaks red),
///   cells where something may fall are underlined, reinforced walls are bold.
/// * **Complexity.** Linear in the cells.
///
/// ```
/// use wayforge::level;
/// use wayforge_draw::{LevelScene, Paint, level_ascii};
/// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
/// let scene = LevelScene::of_level(&level);
/// assert_eq!(level_ascii(&scene, Paint::Plain), level.blueprint.to_string());
/// assert!(level_ascii(&scene, Paint::Colour).contains("\x1b[0m"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_ascii(scene: &LevelScene, paint: Paint) -> String {
    let width = usize::from(scene.size.width).max(1);
    let mut text = String::with_capacity(scene.cells.len() + scene.cells.len() / width + 1);
    for row in scene.cells.chunks(width) {
        match paint {
            Paint::Plain => text.extend(row.iter().map(|cell| cell.symbol.to_char())),
            Paint::Colour => {
                for run in row.chunk_by(|a, b| ink(a) == ink(b)) {
                    let (colour, passed, underlined) = ink(&run[0]);
                    // On the bright ground of a route the symbol is black.
                    let codes = match passed {
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

/// The colour of a symbol, the ground of a route, and whether it is underlined.
fn ink(cell: &SceneCell) -> (&'static str, u8, bool) {
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
    (colour, if cell.is_broken() { BROKEN } else { cell.passed }, cell.fall_spawn)
}

/// Stands for the routes of a cell whose wall they break.
const BROKEN: u8 = 4;
