//! Draws one level into a folder, with its routes:
//! `cargo run -p wayforge-draw --example levels -- <folder> <name> <stage as JSON> <seed> <scale>`.

use std::{env, error::Error, fs, path::PathBuf, time::Instant};
use wayforge::level;
use wayforge_draw::{LevelScene, LevelView, Routes, Theme, level_png, level_svg};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let word = |i: usize, otherwise: &str| words.get(i).cloned().unwrap_or_else(|| otherwise.to_owned());
    let (folder, name) = (PathBuf::from(word(0, ".")), word(1, "level"));
    let config = level::Config::from_json(word(2, "{}").as_bytes())?;
    let level = level::generate(word(3, "42").as_str().into(), &config.resolve()?)?;
    let routes = if word(5, "routes") == "routes" { Routes::All } else { Routes::None };
    let car_walkable = word(6, "") == "cars";
    let began = Instant::now();
    let scene = LevelScene::of_level_with(&level, LevelView { routes, car_walkable, ..LevelView::default() });
    println!("{name}: scene in {:?}", began.elapsed());
    for theme in Theme::ALL {
        let name = format!("{name}-{}", theme.name());
        let began = Instant::now();
        let text = level_svg(&scene, theme);
        let drawn = began.elapsed();
        let began = Instant::now();
        let bytes = level_png(&scene, theme, word(4, "100").parse()?)?;
        println!(
            "{name}: svg {} kB in {drawn:?}, png {} kB in {:?}",
            text.len() / 1000,
            bytes.len() / 1000,
            began.elapsed()
        );
        fs::write(folder.join(&name).with_extension("svg"), text)?;
        fs::write(folder.join(&name).with_extension("png"), bytes)?;
    }
    Ok(())
}
