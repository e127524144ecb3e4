//! `wayforge gallery`: maps with their seeds and facts on one page.

use crate::choice::{THEMES, choice};
use crate::config_file::Source;
use crate::failure::{Context, Failure, reject};
use crate::output;
use crate::picture::Drawable;
use crate::seed::quoted;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use wayforge::level::Symbol;
use wayforge::nav::{ArchipelagoConfig, archipelago};
use wayforge::{AnyMap, AnySpec, Family, Seed, act, floor};
use wayforge_draw::{Chart, Exhibit, FloorScene, LevelScene, Picture, Scene, Theme, chart_png, gallery};

/// The options of `wayforge gallery`.
#[derive(Args)]
pub(crate) struct GalleryArgs {
    /// How many maps, 1 to 500
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u64).range(1..=500))]
    count: u64,
    /// Maps of this family only; of all families in turn if left out
    #[arg(long, value_parser = parse_family())]
    family: Option<String>,
    /// The first seed, a number or any text; the others follow it
    #[arg(long, value_name = "SEED", default_value = "1", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    seed: Seed,
    /// Read the family's configuration from a .toml or .json file
    #[arg(long, value_name = "FILE", requires = "family")]
    config: Option<PathBuf>,
    /// The page's headline
    #[arg(long, value_name = "TEXT", default_value = "Gallery")]
    title: String,
    /// The look of the page and its pictures
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
    /// The page to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A sort of maps that the gallery shows.
struct Sort {
    /// The maps of a family; none for water.
    spec: Option<AnySpec>,
    /// The options that ask for it.
    options: String,
}

/// The name of water among those of families.
const WATER: &str = "water";

fn parse_family() -> PossibleValuesParser {
    PossibleValuesParser::new(Family::ALL.map(Family::name).into_iter().chain([WATER]))
}

/// Makes the maps and writes the page.
pub(crate) fn run(args: GalleryArgs) -> Result<(), Failure> {
    let mut sorts = Sort::all()?;
    if let Some(family) = &args.family {
        sorts.retain(|sort| sort.family() == family);
    }
    if let Some(path) = &args.config {
        sorts = vec![Sort::of_file(args.family.as_deref().unwrap_or(WATER), path)?];
    }
    let first = &args.seed;
    let theme = args.theme;
    let mut exhibits = Vec::new();
    let mut failed = None;
    // Some seeds of a hard configuration have no map: they are passed over, but not for ever.
    for n in 0..args.count.saturating_mul(4) {
        if exhibits.len() as u64 == args.count {
            break;
        }
        let sort = &sorts[(n % sorts.len() as u64) as usize];
        match sort.exhibit(first.plus(n), theme) {
            Ok(exhibit) => exhibits.push(exhibit),
            Err(failure) => failed = Some(failure),
        }
    }
    if let Some(failure) = failed.filter(|_| (exhibits.len() as u64) < args.count) {
        return Err(failure);
    }
    output::write(args.output.as_deref(), gallery(&args.title, &exhibits, theme))
}

impl Sort {
    fn all() -> Result<Vec<Sort>, Failure> {
        let floor = json!({"width": 9, "height": 7, "chestBudget": 2, "doorBudget": 1, "trapBudget": 2, "waterBudget": 4});
        let families = [
            (Family::Act, "", json!({})),
            (Family::Level, "", json!({})),
            (Family::Floor, " --width 9 --height 7 --chests 2 --doors 1 --traps 2 --water 4", floor),
            (Family::Act, " --ruleset rows", json!({"ruleset": "rows"})),
            (
                Family::Level,
                " --walls maze --interior-walls solid",
                json!({"walls": "maze", "interior_walls": "solid"}),
            ),
            (Family::Tower, " --floors 6", json!({"floors": 6})),
            (Family::Act, " --ruleset spire", json!({"ruleset": "spire"})),
            (Family::Level, " --walls caves --puddles 3", json!({"walls": "caves", "puddles": "3%"})),
        ];
        let sort = |(family, options, config): (Family, &str, Value)| {
            let spec = AnySpec::from_json(family, config.to_string().as_bytes()).rejected()?;
            Ok(Sort { spec: Some(spec), options: options.to_owned() })
        };
        let mut sorts = families.into_iter().map(sort).collect::<Result<Vec<_>, Failure>>()?;
        let options = " --width 480 --height 320 --scale 96 --draw sea.png".to_owned();
        sorts.push(Sort { spec: None, options });
        Ok(sorts)
    }

    /// The sort that a file asks for.
    fn of_file(family: &str, path: &Path) -> Result<Sort, Failure> {
        let Ok(family) = family.parse::<Family>() else {
            return reject("--config: water has no configuration file; leave it out");
        };
        let spec = Source::read(path)?.parse(|json| AnySpec::from_json(family, json))?;
        Ok(Sort { spec: Some(spec), options: format!(" --config {}", path.display()) })
    }

    fn family(&self) -> &'static str {
        self.spec.as_ref().map_or(WATER, |spec| spec.family().name())
    }

    /// The map of a seed.
    fn exhibit(&self, seed: Seed, theme: Theme) -> Result<Exhibit, Failure> {
        let (algorithm, (picture, description, facts)) = match &self.spec {
            Some(spec) => (spec.algorithm(), show(&spec.generate(seed.clone()).rejected()?, theme)),
            None => (wayforge::nav::ARCHIPELAGO, show_water(&seed, theme)?),
        };
        Ok(Exhibit {
            title: format!("{algorithm}, seed {}", seed.to_line()),
            command: format!("wayforge {} --seed {}{}", self.family(), quoted(&seed), self.options),
            picture,
            description,
            facts,
        })
    }
}

/// A picture, its description, and facts about what it shows.
type Shown = (Picture, String, Vec<(String, String)>);

fn show(map: &AnyMap, theme: Theme) -> Shown {
    let (svg, description, mut facts) = match map {
        AnyMap::Act(map) => {
            let scene = Scene::of_act(map);
            let report = act::routes(map).report(map, None);
            let mut facts = vec![
                fact("nodes", map.nodes.len()),
                fact("edges", map.edges.len()),
                fact("routes", &report.routes),
                fact("choices", report.choice_points),
            ];
            let shown = report.kinds.iter().filter(|kind| ["elite", "shop"].contains(&kind.kind.as_str()));
            facts.extend(shown.map(|kind| {
                fact(&format!("{} on a route", kind.kind), format!("{} to {}", kind.least, kind.most))
            }));
            (scene.svg(theme), scene.description(), facts)
        }
        AnyMap::Level(level) => {
            let scene = LevelScene::of_level(level);
            let longest = level.witness.iter().map(|witness| witness.route.len().saturating_sub(1)).max();
            let facts = vec![
                fact("cells", level.spec.size()),
                fact("walls", level.blueprint.count(Symbol::Wall)),
                fact("longest way", format!("{} steps", longest.unwrap_or(0))),
                fact("attempts", level.attempt.index + 1),
                fact("walls removed", level.attempt.repaired.len()),
            ];
            (scene.svg(theme), scene.description(), facts)
        }
        AnyMap::Floor(floor) => {
            let report = floor::compat::validate_floor(floor);
            let scene = FloorScene::of_floor(floor);
            let facts = vec![
                fact("tiles", floor.spec.size()),
                fact("open", report.walkable),
                fact("shortest way", format!("{} steps", report.shortest.unwrap_or(0))),
                fact("things", floor.entities.len()),
            ];
            (scene.svg(theme), scene.description, facts)
        }
        AnyMap::Tower(tower) => {
            let scene = FloorScene::of_tower(tower);
            let steps: usize = tower.floors.iter().map(|floor| floor.path.len().saturating_sub(1)).sum();
            let things: usize = tower.floors.iter().map(|floor| floor.entities.len()).sum();
            let facts = vec![
                fact("floors", tower.floors.len()),
                fact("way up", format!("{steps} steps")),
                fact("things", things),
            ];
            (scene.svg(theme), scene.description, facts)
        }
    };
    let digest = map.to_document().digest.to_string();
    let short: String = digest.trim_start_matches("sha256:").chars().take(12).collect();
    facts.push(fact("digest", format!("{short}…")));
    (Picture::Svg(svg), description, facts)
}

fn show_water(seed: &Seed, theme: Theme) -> Result<Shown, Failure> {
    let config = ArchipelagoConfig { width: 480, height: 320, scale: 96, ..ArchipelagoConfig::default() };
    let water = archipelago(seed.clone(), &config.resolve().rejected()?);
    let chart = Chart { water: &water, visited: None, ways: &[], sources: &[], targets: &[] };
    let png = chart_png(&chart, theme, 720).rejected()?;
    let tiles = water.tiles();
    let land = water.size().cells() - tiles;
    let facts = vec![
        fact("tiles", water.size()),
        fact("land", format!("{} %", (100 * land + (land + tiles) / 2) / (land + tiles))),
    ];
    let description = format!("A sea with islands of {} tiles, made from seed {seed}.", water.size());
    Ok((Picture::Png(png), description, facts))
}

fn fact(name: &str, value: impl std::fmt::Display) -> (String, String) {
    (name.to_owned(), value.to_string())
}
