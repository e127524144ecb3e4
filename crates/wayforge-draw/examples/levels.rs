//! Renders one level in all themes and prints how long it takes.
//!
//! ```text
//! cargo run -p wayforge-draw --example levels -- \
//!     <folder> <name> <config> <seed> <scale> <routes> <cars>
//! ```
//!
//! `<config>` is JSON, `<scale>` is in percent, `<routes>` is `routes` (default) or `none`, and
//! `<cars>` is `cars` to show the cells that cars can reach.

use std::{env, error::Error, fs, path::PathBuf, time::Instant};
use wayforge::level;
use wayforge_draw::{LevelScene, LevelView, Routes, Theme, level_svg, png};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let arg = |i: usize, default: &str| args.get(i).cloned().unwrap_or_else(|| default.to_owned());
    let (folder, name) = (PathBuf::from(arg(0, ".")), arg(1, "level"));
    let config = level::Config::from_json(arg(2, "{}").as_bytes())?;
    let level = level::generate(arg(3, "42").as_str().into(), &config.resolve()?)?;
    let routes = if arg(5, "routes") == "routes" { Routes::All } else { Routes::None };
    let car_walkable = arg(6, "") == "cars";
    let start = Instant::now();
    let scene = LevelScene::from_level_with(
        &level,
        LevelView { routes, car_walkable, ..LevelView::default() },
    );
    println!("{name}: scene in {:?}", start.elapsed());
    for theme in Theme::ALL {
        let name = format!("{name}-{}", theme.name());
        let start = Instant::now();
        let svg = level_svg(&scene, theme);
        let svg_time = start.elapsed();
        let start = Instant::now();
        let png = png(&scene, theme, arg(4, "100").parse()?)?;
        println!(
            "{name}: svg {} kB in {svg_time:?}, png {} kB in {:?}",
            svg.len() / 1000,
            png.len() / 1000,
            start.elapsed()
        );
        fs::write(folder.join(&name).with_extension("svg"), svg)?;
        fs::write(folder.join(&name).with_extension("png"), png)?;
    }
    Ok(())
}
