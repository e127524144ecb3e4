//! Draws one map into a folder: `cargo run -p wayforge-draw --example gallery -- <folder> <seed> <cols> <rows> <scale>`.

use std::{env, error::Error, fs, path::PathBuf};
use wayforge::act::{self, WalksConfig};
use wayforge_draw::{Paint, Scene, Theme, ascii, png, svg};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let word = |i: usize, otherwise: &str| words.get(i).cloned().unwrap_or_else(|| otherwise.to_owned());
    let folder = PathBuf::from(word(0, "."));
    let config =
        WalksConfig { cols: word(2, "7").parse()?, rows: word(3, "15").parse()?, ..WalksConfig::default() };
    let map = act::generate(word(1, "42").as_str().into(), &act::Config::Walks(config).resolve()?)?;
    let scene = Scene::of_act(&map);
    print!("{}", ascii(&scene, Paint::Colour));
    for theme in Theme::ALL {
        let name = format!("{}-{}", map.seed, theme.name());
        fs::write(folder.join(&name).with_extension("svg"), svg(&scene, theme))?;
        fs::write(folder.join(&name).with_extension("png"), png(&scene, theme, word(4, "100").parse()?)?)?;
    }
    Ok(())
}
