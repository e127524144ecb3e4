//! Writes the tile sheets of all themes into a folder.
//!
//! ```text
//! cargo run -p wayforge-draw --example tiles -- <folder>
//! ```

use wayforge_draw::{Theme, floor_tiles, level_tiles, nav_grid_tiles};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    for theme in Theme::ALL {
        for (name, sheet) in [
            ("level", level_tiles(theme)?),
            ("floor", floor_tiles(theme)?),
            ("nav-grid", nav_grid_tiles(theme)?),
        ] {
            std::fs::write(format!("{folder}/{name}-{}.png", theme.name()), sheet.png)?;
        }
    }
    Ok(())
}
