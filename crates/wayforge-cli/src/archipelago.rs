//! `wayforge archipelago`: generates a sea map with islands, writes it and draws it.

use crate::failure::{Context, Failure, reject};
use crate::output::{self, Output};
use crate::picture::ChartArgs;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use wayforge::Seed;
use wayforge::nav::{ARCHIPELAGO_ALGORITHM, ArchipelagoConfig, NavGrid, archipelago};
use wayforge_draw::NavGridChart;

/// Options of `wayforge archipelago`.
#[derive(Args)]
pub(crate) struct ArchipelagoArgs {
    /// Seed, a number or any text; always printed [default: random]
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    seed: Option<Seed>,
    /// Width in tiles, 1 to 16384
    #[arg(long, value_name = "N", default_value_t = ArchipelagoConfig::default().width)]
    width: i64,
    /// Height in tiles, 1 to 16384
    #[arg(long, value_name = "N", default_value_t = ArchipelagoConfig::default().height)]
    height: i64,
    /// Percentage of land tiles, 0 to 100
    #[arg(long, value_name = "PERCENT", default_value_t = ArchipelagoConfig::default().land)]
    land: i64,
    /// Size of the largest features in tiles, 2 to 4096
    #[arg(long, value_name = "TILES", default_value_t = ArchipelagoConfig::default().scale)]
    scale: i64,
    /// Ruggedness of the coasts, 0 to 12
    #[arg(long, value_name = "N", default_value_t = ArchipelagoConfig::default().detail)]
    detail: i64,
    /// Write the map in OpenFront format (map.bin and manifest.json) to a folder
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Draw the map to a .png file
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    #[command(flatten)]
    chart: ChartArgs,
}

/// Summary of a generated map, printed as JSON.
#[derive(Serialize)]
struct Summary {
    algorithm: &'static str,
    seed: Seed,
    width: u16,
    height: u16,
    water: usize,
    land: usize,
}

/// Generates the map, writes the requested files and prints a summary.
pub(crate) fn run(args: ArchipelagoArgs) -> Result<(), Failure> {
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
    let grid = archipelago(seed.clone(), &spec);
    if let Some(folder) = &args.output {
        write_openfront(&grid, &seed, folder)?;
    }
    if let Some(path) = &args.draw {
        let chart =
            NavGridChart { grid: &grid, visited: None, paths: &[], sources: &[], targets: &[] };
        args.chart.write(&chart, path)?;
    }
    let summary = Summary {
        algorithm: ARCHIPELAGO_ALGORITHM,
        seed,
        width: grid.size().width,
        height: grid.size().height,
        water: grid.open_count(),
        land: grid.size().cells() - grid.open_count(),
    };
    let summary = serde_json::to_string(&summary).context("summary")?;
    output::write(None, summary + "\n")
}

/// Rejects a picture file that is not a PNG. `allowed` lists the suffixes for the message.
pub(crate) fn check_png(path: &Path, allowed: &str) -> Result<(), Failure> {
    if path.extension().is_some_and(|suffix| suffix == "png") {
        return Ok(());
    }
    reject(format!("--draw {}: unknown suffix; use {allowed}", path.display()))
}

/// Writes OpenFront's two files into a folder.
fn write_openfront(grid: &NavGrid, seed: &Seed, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).context(folder.display())?;
    let to_failure = |error: std::io::Error| Failure::new(folder.display(), error);
    let mut file = Output::open(Some(&folder.join("map.bin")))?;
    wayforge_formats::write_openfront(grid, &mut file).map_err(to_failure)?;
    file.finish()?;
    let mut file = Output::open(Some(&folder.join("manifest.json")))?;
    wayforge_formats::write_manifest(grid, &format!("{ARCHIPELAGO_ALGORITHM} {seed}"), &mut file)
        .map_err(to_failure)?;
    file.finish()
}
