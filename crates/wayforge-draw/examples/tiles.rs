//! Writes the sheets of tiles into a folder.

use wayforge_draw::{Theme, floor_tiles, level_tiles, water_tiles};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    for theme in Theme::ALL {
        for (name, sheet) in
            [("level", level_tiles(theme)?), ("floor", floor_tiles(theme)?), ("water", water_tiles(theme)?)]
        {
            std::fs::write(format!("{folder}/{name}-{}.png", theme.name()), sheet.png)?;
        }
    }
    Ok(())
}
