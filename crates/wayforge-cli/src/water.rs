//! `wayforge water`: make an archipelago, write it and draw it.

use crate::choice::{THEMES, choice};
use crate::failure::{Context, Failure, reject};
use crate::output::{self, Output};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use wayforge::Seed;
use wayforge::nav::{ARCHIPELAGO, ArchipelagoConfig, Water, archipelago};
use wayforge_draw::{Chart, Theme, chart_png};

/// The options of `wayforge water`.
#[derive(Args)]
pub(crate) struct WaterArgs {
    /// The seed, a number or any text; random if left out, and always printed
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    seed: Option<Seed>,
    /// Columns, 1 to 16384
    #[arg(long, value_name = "N", default_value_t = ArchipelagoConfig::default().width, allow_negative_numbers = true)]
    width: i64,
    /// Rows, 1 to 16384
    #[arg(long, value_name = "N", default_value_t = ArchipelagoConfig::default().height, allow_negative_numbers = true)]
    height: i64,
    /// Percent of the tiles that are land, 0 to 100
    #[arg(long, value_name = "PERCENT", default_value_t = ArchipelagoConfig::default().land, allow_negative_numbers = true)]
    land: i64,
    /// How many tiles the largest features measure, 2 to 4096
    #[arg(long, value_name = "TILES", default_value_t = ArchipelagoConfig::default().scale, allow_negative_numbers = true)]
    scale: i64,
    /// How rugged the coasts are, 0 to 12
    #[arg(long, value_name = "N", default_value_t = ArchipelagoConfig::default().detail, allow_negative_numbers = true)]
    detail: i64,
    /// Write the map in OpenFront's form into this folder: map.bin and manifest.json
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Draw the map as .png
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// The longer side of the picture in pixels, 64 to 8192
    #[arg(long, value_name = "PIXELS", default_value_t = 1280, value_parser = clap::value_parser!(u32).range(64..=8192))]
    side: u32,
    /// The look of the picture
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
}

/// What is said of a map that was made.
#[derive(Serialize)]
struct Facts {
    algorithm: &'static str,
    seed: Seed,
    width: u16,
    height: u16,
    water: usize,
    land: usize,
}

/// Makes the map, writes what was asked for and says what it is.
pub(crate) fn run(args: WaterArgs) -> Result<(), Failure> {
    let seed = args.seed.clone().map_or_else(crate::seed::random, Ok)?;
    let config = ArchipelagoConfig {
        width: args.width,
        height: args.height,
        land: args.land,
        scale: args.scale,
        detail: args.detail,
    };
    let spec = config.resolve().map_err(|error| Failure::Input(format!("--{error}")))?;
    if let Some(path) = &args.draw {
        check_png(path, ".png")?;
    }
    let water = archipelago(seed.clone(), &spec);
    if let Some(folder) = &args.output {
        write_openfront(&water, &seed, folder)?;
    }
    if let Some(path) = &args.draw {
        let chart = Chart { water: &water, visited: None, ways: &[], sources: &[], targets: &[] };
        let bytes = chart_png(&chart, args.theme, args.side).about("--draw")?;
        output::write(Some(path), bytes)?;
    }
    let facts = Facts {
        algorithm: ARCHIPELAGO,
        seed,
        width: water.size().width,
        height: water.size().height,
        water: water.tiles(),
        land: water.size().cells() - water.tiles(),
    };
    let facts = serde_json::to_string(&facts).about("facts")?;
    output::write(None, facts + "\n")
}

/// Rejects a picture that is no PNG: a map of tiles has no other form. `known` lists the suffixes that work.
pub(crate) fn check_png(path: &Path, known: &str) -> Result<(), Failure> {
    match path.extension().is_some_and(|suffix| suffix == "png") {
        true => Ok(()),
        false => reject(format!("--draw {}: the suffix names no picture; use {known}", path.display())),
    }
}

/// Writes OpenFront's two files into a folder.
fn write_openfront(water: &Water, seed: &Seed, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).about(folder.display())?;
    let refuse = |error: std::io::Error| Failure::about(folder.display(), error);
    let mut file = Output::open(Some(&folder.join("map.bin")))?;
    wayforge_formats::write_openfront(water, &mut file).map_err(refuse)?;
    file.finish()?;
    let mut file = Output::open(Some(&folder.join("manifest.json")))?;
    wayforge_formats::write_manifest(water, &format!("{ARCHIPELAGO} {seed}"), &mut file).map_err(refuse)?;
    file.finish()
}
