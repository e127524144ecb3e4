//! Renders one act map in all themes.
//!
//! ```text
//! cargo run -p wayforge-draw --example gallery -- <folder> <seed> <cols> <rows> <scale>
//! ```
//!
//! `<scale>` is in percent.

use std::{env, error::Error, fs, path::PathBuf};
use wayforge::act::{self, WalksConfig};
use wayforge_draw::{AsciiStyle, Scene, Theme, ascii, png, svg};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let arg = |i: usize, default: &str| args.get(i).cloned().unwrap_or_else(|| default.to_owned());
    let folder = PathBuf::from(arg(0, "."));
    let config = WalksConfig {
        cols: arg(2, "7").parse()?,
        rows: arg(3, "15").parse()?,
        ..WalksConfig::default()
    };
    let map = act::generate(arg(1, "42").as_str().into(), &act::Config::Walks(config).resolve()?)?;
    let scene = Scene::from_act(&map);
    print!("{}", ascii(&scene, AsciiStyle::Colour));
    for theme in Theme::ALL {
        let name = format!("{}-{}", map.seed, theme.name());
        fs::write(folder.join(&name).with_extension("svg"), svg(&scene, theme))?;
        fs::write(
            folder.join(&name).with_extension("png"),
            png(&scene, theme, arg(4, "100").parse()?)?,
        )?;
    }
    Ok(())
}
