//! Blueprints for the game Zombie Escape (PyPI `zombie-escape`), one JSON object per line.
//!
//! An object has the members of the game's `Blueprint` (`grid`, `steel_cells`,
//! `car_reachable_cells`). Its `stage` has those fields of the game's `Stage` that must match the
//! grid.

use crate::content::Content;
use crate::error::{FormatError, reject};
use serde::Serialize;
use std::io::Write;
use wayforge::AnyMap;
use wayforge::grid::{BitGrid, Pos};
use wayforge::level::{FuelMode, InteriorWalls, Level, Side, Symbol};

/// One line of the file.
#[derive(Serialize)]
struct GameLevel {
    /// One string per row; `R` is an unbreakable wall.
    grid: Vec<String>,
    steel_cells: [Pos; 0],
    car_reachable_cells: Vec<Pos>,
    stage: GameStage,
}

/// Fields of the game's `Stage` that must match the grid.
#[derive(Serialize)]
struct GameStage {
    grid_cols: u16,
    grid_rows: u16,
    exit_sides: Vec<Side>,
    fuel_mode: u8,
    endurance_stage: bool,
    fuel_spawn_count: usize,
    empty_fuel_can_spawn_count: usize,
    fuel_station_spawn_count: usize,
    flashlight_spawn_count: usize,
    shoes_spawn_count: usize,
    waiting_car_target_count: usize,
    /// Rectangles: column, row, width, height.
    fall_spawn_zones: Vec<[u16; 4]>,
}

/// Writes levels as blueprints of the game, one per line.
pub(crate) fn write(contents: &[Content], out: &mut dyn Write) -> Result<(), FormatError> {
    for content in contents {
        if let Content::Map(AnyMap::Level(level)) = content {
            writeln!(out, "{}", to_zombie_escape(level)?)?;
        }
    }
    Ok(())
}

/// Converts a level to a blueprint of the game Zombie Escape: one line of JSON without a line
/// break.
///
/// Solid and reinforced walls become `R`, the game's unbreakable walls. Marks and custom objectives
/// are omitted, because the game has none.
///
/// # Errors
/// [`FormatError::Invalid`] for levels that the game cannot represent: several player candidates,
/// or pitfalls that movers can enter.
///
/// # Examples
/// ```
/// use wayforge::level;
/// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
/// assert!(wayforge_formats::to_zombie_escape(&level)?.starts_with(r#"{"grid":["OOOO"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_zombie_escape(level: &Level) -> Result<String, FormatError> {
    let (config, blueprint) = (level.spec.config(), &level.blueprint);
    let count = |symbol| blueprint.count(symbol);
    if count(Symbol::Player) != 1 {
        let problem = "the game starts with one player";
        return Err(reject("players", count(Symbol::Player), problem, "use 1"));
    }
    for (field, blocked) in
        [("blocked.car", &config.blocked.car), ("blocked.person", &config.blocked.person)]
    {
        if !blocked.contains('x') {
            return Err(reject(field, blocked, "pitfalls block all movers in the game", "add x"));
        }
    }
    let solid = config.interior_walls == Some(InteriorWalls::Solid);
    let rows = blueprint.rows().zip(0..).map(|(row, y)| {
        let cell = |(c, x)| match c {
            '1' if solid || level.tags.reinforced.contains(Pos { x, y }) => 'R',
            c => c,
        };
        row.chars().zip(0..).map(cell).collect()
    });
    let size = blueprint.size();
    let game = GameLevel {
        grid: rows.collect(),
        steel_cells: [],
        car_reachable_cells: level.car_walkable_cells.iter().collect(),
        stage: GameStage {
            grid_cols: size.width,
            grid_rows: size.height,
            exit_sides: config.exits.clone(),
            fuel_mode: match config.fuel {
                FuelMode::RefuelChain => 0,
                FuelMode::FuelCan => 1,
                FuelMode::StartFull => 2,
            },
            endurance_stage: config.endurance,
            // Each fuel mode of the game reads only its own count of `f`.
            fuel_spawn_count: count(Symbol::Fuel),
            empty_fuel_can_spawn_count: count(Symbol::EmptyCan),
            fuel_station_spawn_count: count(Symbol::Fuel),
            flashlight_spawn_count: count(Symbol::Flashlight),
            shoes_spawn_count: count(Symbol::Shoes),
            waiting_car_target_count: count(Symbol::Car),
            fall_spawn_zones: runs(&level.tags.fall_spawn_cells),
        },
    };
    serde_json::to_string(&game).map_err(|error| FormatError::Io(error.into()))
}

/// Splits a set of cells into rectangles that are one row high, in row-major order.
fn runs(cells: &BitGrid) -> Vec<[u16; 4]> {
    let mut runs: Vec<[u16; 4]> = Vec::new();
    for Pos { x, y } in cells.iter() {
        match runs.last_mut() {
            Some([left, row, width, _]) if *row == y && *left + *width == x => *width += 1,
            _ => runs.push([x, y, 1, 1]),
        }
    }
    runs
}
