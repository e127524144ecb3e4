//! `wayforge gallery`: writes an HTML page of maps with their seeds and metrics.

use crate::choice::{THEMES, choice};
use crate::config_file::Source;
use crate::failure::{Context, Failure, reject};
use crate::number::within;
use crate::output;
use crate::seed::quoted;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use wayforge::level::Symbol;
use wayforge::nav::{ArchipelagoConfig, archipelago};
use wayforge::{AnyMap, AnySpec, Family, Seed, act, floor};
use wayforge_analysis::report::{GalleryItem, Picture, gallery};
use wayforge_draw::{AnyScene, NavGridChart, Theme, nav_grid_png};

/// Options of `wayforge gallery`.
#[derive(Args)]
pub(crate) struct GalleryArgs {
    /// Number of maps, 1 to 500
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = within(1..=500))]
    count: u64,
    /// Show only this family [default: all families in turn]
    #[arg(long, value_parser = family_parser())]
    family: Option<String>,
    /// First seed, a number or any text; later seeds count up
    #[arg(
        long,
        value_name = "SEED",
        default_value = "1",
        allow_hyphen_values = true,
        value_parser = str::parse::<Seed>
    )]
    seed: Seed,
    /// Read the configuration of the family from a .toml or .json file
    #[arg(long, value_name = "FILE", requires = "family")]
    config: Option<PathBuf>,
    /// Title of the page
    #[arg(long, value_name = "TEXT", default_value = "Gallery")]
    title: String,
    /// Colour theme of the page and its pictures
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A configuration whose maps the gallery shows.
struct Exhibit {
    /// Configuration of a map family; `None` for sea maps.
    spec: Option<AnySpec>,
    /// Command-line options that generate the same maps.
    options: String,
}

/// Subcommand that generates sea maps, listed after the map families.
const ARCHIPELAGO_COMMAND: &str = "archipelago";

fn family_parser() -> PossibleValuesParser {
    let families = Family::ALL.map(Family::name).into_iter();
    PossibleValuesParser::new(families.chain([ARCHIPELAGO_COMMAND]))
}

/// Generates the maps and writes the page.
pub(crate) fn run(args: GalleryArgs) -> Result<(), Failure> {
    let mut exhibits = Exhibit::all()?;
    if let Some(family) = &args.family {
        exhibits.retain(|exhibit| exhibit.command() == family);
    }
    if let Some(path) = &args.config {
        let family = args.family.as_deref().unwrap_or(ARCHIPELAGO_COMMAND);
        exhibits = vec![Exhibit::from_file(family, path)?];
    }
    let first = &args.seed;
    let theme = args.theme;
    let mut items = Vec::new();
    let mut last_failure = None;
    // Seeds without a map are skipped, up to four attempts per requested map.
    for n in 0..args.count.saturating_mul(4) {
        if items.len() as u64 == args.count {
            break;
        }
        let exhibit = &exhibits[(n % exhibits.len() as u64) as usize];
        match exhibit.item(first.offset(n), theme) {
            Ok(item) => items.push(item),
            Err(failure) => last_failure = Some(failure),
        }
    }
    if let Some(failure) = last_failure.filter(|_| (items.len() as u64) < args.count) {
        return Err(failure);
    }
    output::write(args.output.as_deref(), gallery(&args.title, &items, theme))
}

impl Exhibit {
    fn all() -> Result<Vec<Exhibit>, Failure> {
        let floor = json!({
            "width": 9,
            "height": 7,
            "chestBudget": 2,
            "doorBudget": 1,
            "trapBudget": 2,
            "waterBudget": 4,
        });
        let families = [
            (Family::Act, "", json!({})),
            (Family::Level, "", json!({})),
            (
                Family::Floor,
                " --width 9 --height 7 --chests 2 --doors 1 --traps 2 --water 4",
                floor,
            ),
            (Family::Act, " --ruleset rows", json!({"ruleset": "rows"})),
            (
                Family::Level,
                " --walls maze --interior-walls solid",
                json!({"walls": "maze", "interior_walls": "solid"}),
            ),
            (Family::Tower, " --floors 6", json!({"floors": 6})),
            (Family::Act, " --ruleset spire", json!({"ruleset": "spire"})),
            (
                Family::Level,
                " --walls caves --puddles 3",
                json!({"walls": "caves", "puddles": "3%"}),
            ),
        ];
        let exhibit = |(family, options, config): (Family, &str, Value)| {
            let spec = AnySpec::from_json(family, config.to_string().as_bytes()).rejected()?;
            Ok(Exhibit { spec: Some(spec), options: options.to_owned() })
        };
        let mut exhibits =
            families.into_iter().map(exhibit).collect::<Result<Vec<_>, Failure>>()?;
        let options = " --width 480 --height 320 --scale 96 --draw sea.png".to_owned();
        exhibits.push(Exhibit { spec: None, options });
        Ok(exhibits)
    }

    /// Returns the exhibit of a configuration file.
    fn from_file(family: &str, path: &Path) -> Result<Exhibit, Failure> {
        let Ok(family) = family.parse::<Family>() else {
            return reject("--config: archipelago has no configuration file; leave it out");
        };
        let spec = Source::read(path)?.parse(|json| AnySpec::from_json(family, json))?;
        Ok(Exhibit { spec: Some(spec), options: format!(" --config {}", path.display()) })
    }

    /// Returns the subcommand that generates these maps.
    fn command(&self) -> &'static str {
        self.spec.as_ref().map_or(ARCHIPELAGO_COMMAND, |spec| spec.family().name())
    }

    /// Generates the map of a seed and describes it.
    fn item(&self, seed: Seed, theme: Theme) -> Result<GalleryItem, Failure> {
        let (algorithm, (picture, description, metrics)) = match &self.spec {
            Some(spec) => {
                (spec.algorithm(), describe(&spec.generate(seed.clone()).rejected()?, theme))
            }
            None => (wayforge::nav::ARCHIPELAGO_ALGORITHM, describe_archipelago(&seed, theme)?),
        };
        let command =
            format!("wayforge {} --seed {}{}", self.command(), quoted(&seed), self.options);
        Ok(GalleryItem {
            title: format!("{algorithm}, seed {}", seed.to_line()),
            command,
            picture,
            description,
            metrics,
        })
    }
}

/// Picture, description and metrics of a map.
type Description = (Picture, String, Vec<(String, String)>);

fn describe(map: &AnyMap, theme: Theme) -> Description {
    let mut metrics = match map {
        AnyMap::Act(map) => {
            let report = act::routes(map).report(map, None);
            let mut metrics = vec![
                metric("nodes", map.nodes.len()),
                metric("edges", map.edges.len()),
                metric("routes", &report.routes),
                metric("choices", report.choice_points),
            ];
            let shown =
                report.kinds.iter().filter(|kind| ["elite", "shop"].contains(&kind.kind.as_str()));
            metrics.extend(shown.map(|kind| {
                metric(
                    &format!("{} on a route", kind.kind),
                    format!("{} to {}", kind.min, kind.max),
                )
            }));
            metrics
        }
        AnyMap::Level(level) => {
            let longest =
                level.witness.iter().map(|witness| witness.route.len().saturating_sub(1)).max();
            vec![
                metric("cells", level.spec.size()),
                metric("walls", level.blueprint.count(Symbol::Wall)),
                metric("longest route", format!("{} steps", longest.unwrap_or(0))),
                metric("attempts", level.attempt.index + 1),
                metric("walls removed", level.attempt.repaired.len()),
            ]
        }
        AnyMap::Floor(floor) => {
            let report = floor::compat::validate_floor(floor);
            vec![
                metric("tiles", floor.spec.size()),
                metric("walkable", report.walkable),
                metric("shortest path", format!("{} steps", report.shortest_path.unwrap_or(0))),
                metric("entities", floor.entities.len()),
            ]
        }
        AnyMap::Tower(tower) => {
            let steps: usize =
                tower.floors.iter().map(|floor| floor.path.len().saturating_sub(1)).sum();
            let entities: usize = tower.floors.iter().map(|floor| floor.entities.len()).sum();
            vec![
                metric("floors", tower.floors.len()),
                metric("path to the top", format!("{steps} steps")),
                metric("entities", entities),
            ]
        }
    };
    let digest = map.to_document().digest.to_string();
    let short: String = digest.trim_start_matches("sha256:").chars().take(12).collect();
    metrics.push(metric("digest", format!("{short}…")));
    let scene = AnyScene::from_map(map);
    (Picture::Svg(scene.svg(theme)), scene.description(), metrics)
}

fn describe_archipelago(seed: &Seed, theme: Theme) -> Result<Description, Failure> {
    let config =
        ArchipelagoConfig { width: 480, height: 320, scale: 96, ..ArchipelagoConfig::default() };
    let grid = archipelago(seed.clone(), &config.resolve().rejected()?);
    let chart = NavGridChart { grid: &grid, visited: None, paths: &[], sources: &[], targets: &[] };
    let png = nav_grid_png(&chart, theme, 720).rejected()?;
    let water = grid.open_count();
    let land = grid.size().cells() - water;
    let metrics = vec![
        metric("tiles", grid.size()),
        metric("land", format!("{} %", (100 * land + (land + water) / 2) / (land + water))),
    ];
    let size = grid.size();
    let description = format!("A sea map with islands, {size} tiles, generated from seed {seed}.");
    Ok((Picture::Png(png), description, metrics))
}

fn metric(name: &str, value: impl std::fmt::Display) -> (String, String) {
    (name.to_owned(), value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_exhibited() {
        let exhibits = Exhibit::all().unwrap();
        for name in Family::ALL.map(Family::name).into_iter().chain([ARCHIPELAGO_COMMAND]) {
            assert!(exhibits.iter().any(|exhibit| exhibit.command() == name), "{name}");
        }
    }
}
