//! `wayforge gallery`: maps with their seeds and facts on one page.

use crate::config_file;
use crate::failure::Failure;
use crate::output::Output;
use crate::picture::ThemeName;
use crate::seed::quoted;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use wayforge::act;
use wayforge::floor;
use wayforge::level::{self, Symbol};
use wayforge::nav::{ArchipelagoConfig, archipelago};
use wayforge::tower;
use wayforge::{Document, Seed, describe_json_error};
use wayforge_draw::{
    Chart, Exhibit, FloorScene, LevelScene, Picture, Scene, Theme, chart_png, gallery, level_svg, svg,
    svg_floors,
};

/// The options of `wayforge gallery`.
#[derive(Args)]
pub(crate) struct GalleryArgs {
    /// How many maps, 1 to 500
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u64).range(1..=500))]
    count: u64,
    /// Maps of this family only; of all families in turn if left out
    #[arg(long, value_enum)]
    family: Option<FamilyName>,
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
    #[arg(long, value_enum, default_value_t = ThemeName::Parchment)]
    theme: ThemeName,
    /// The page to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum FamilyName {
    Act,
    Level,
    Floor,
    Tower,
    Water,
}

/// A sort of maps that the gallery shows.
struct Sort {
    family: FamilyName,
    config: Value,
    /// The options that ask for it.
    options: String,
}

/// Makes the maps and writes the page.
pub(crate) fn run(args: GalleryArgs) -> Result<(), Failure> {
    let sorts = match (args.family, &args.config) {
        (Some(family), Some(path)) => vec![Sort::of_file(family, path)?],
        (Some(family), None) => Sort::all().into_iter().filter(|sort| sort.family == family).collect(),
        _ => Sort::all(),
    };
    let first = &args.seed;
    let theme = Theme::from(args.theme);
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
    let mut output = Output::open(args.output.as_deref())?;
    output.write(gallery(&args.title, &exhibits, theme).as_bytes())?;
    output.finish()
}

impl Sort {
    fn new(family: FamilyName, options: &str, config: Value) -> Sort {
        Sort { family, config, options: options.to_owned() }
    }

    fn all() -> Vec<Sort> {
        use FamilyName::{Act, Floor, Level, Tower, Water};
        vec![
            Sort::new(Act, "", json!({})),
            Sort::new(Level, "", json!({})),
            Sort::new(
                Floor,
                " --width 9 --height 7 --chests 2 --doors 1 --traps 2 --water 4",
                json!({"width": 9, "height": 7, "chestBudget": 2, "doorBudget": 1, "trapBudget": 2, "waterBudget": 4}),
            ),
            Sort::new(Act, " --ruleset rows", json!({"ruleset": "rows"})),
            Sort::new(
                Level,
                " --walls maze --interior-walls solid",
                json!({"walls": "maze", "interior_walls": "solid"}),
            ),
            Sort::new(Tower, " --floors 6", json!({"floors": 6})),
            Sort::new(Act, " --ruleset spire", json!({"ruleset": "spire"})),
            Sort::new(Level, " --walls caves --puddles 3", json!({"walls": "caves", "puddles": "3%"})),
            Sort::new(Water, "", json!({"width": 480, "height": 320, "scale": 96})),
        ]
    }

    /// The sort that a file asks for.
    fn of_file(family: FamilyName, path: &Path) -> Result<Sort, Failure> {
        if family == FamilyName::Water {
            return Err(Failure::Input("--config: water has no configuration file; leave it out".into()));
        }
        let json = match family {
            FamilyName::Act => serde_json::to_value(config_file::read_act_config(path)?),
            FamilyName::Level => serde_json::to_value(config_file::read_stage(path)?.config),
            _ => serde_json::from_slice(config_file::Source::read(path)?.json()),
        };
        let config = json.map_err(|error| Failure::about(path.display(), describe_json_error(&error)))?;
        Ok(Sort { family, config, options: format!(" --config {}", path.display()) })
    }

    /// The map of a seed.
    fn exhibit(&self, seed: Seed, theme: Theme) -> Result<Exhibit, Failure> {
        let json = self.config.to_string();
        let json = json.as_bytes();
        fn refuse(error: impl std::fmt::Display) -> Failure {
            Failure::Input(error.to_string())
        }
        match self.family {
            FamilyName::Act => {
                let spec = act::Config::from_json(json).map_err(refuse)?.resolve().map_err(refuse)?;
                let map = act::generate(seed.clone(), &spec).map_err(refuse)?;
                let scene = Scene::of_act(&map);
                let report = act::routes(&map).report(&map, None);
                let mut facts = vec![
                    fact("nodes", map.nodes.len()),
                    fact("edges", map.edges.len()),
                    fact("routes", &report.routes),
                    fact("choices", report.choice_points),
                ];
                facts.extend(
                    report.kinds.iter().filter(|kind| ["elite", "shop"].contains(&kind.kind.as_str())).map(
                        |kind| {
                            fact(
                                &format!("{} on a route", kind.kind),
                                format!("{} to {}", kind.least, kind.most),
                            )
                        },
                    ),
                );
                let picture = Picture::Svg(svg(&scene, theme));
                Ok(self.finish("act", &seed, picture, scene.description(), facts, Some(map.to_document())))
            }
            FamilyName::Level => {
                let spec = level::Config::from_json(json).map_err(refuse)?.resolve().map_err(refuse)?;
                let level = level::generate(seed.clone(), &spec).map_err(refuse)?;
                let scene = LevelScene::of_level(&level);
                let longest = level.witness.iter().map(|witness| witness.route.len().saturating_sub(1)).max();
                let facts = vec![
                    fact("cells", spec.size()),
                    fact("walls", level.blueprint.count(Symbol::Wall)),
                    fact("longest way", format!("{} steps", longest.unwrap_or(0))),
                    fact("attempts", level.attempt.index + 1),
                    fact("walls removed", level.attempt.repaired.len()),
                ];
                let picture = Picture::Svg(level_svg(&scene, theme));
                Ok(self.finish(
                    "level",
                    &seed,
                    picture,
                    scene.description(),
                    facts,
                    Some(level.to_document()),
                ))
            }
            FamilyName::Floor => {
                let spec = floor::Config::from_json(json).map_err(refuse)?.resolve().map_err(refuse)?;
                let floor = floor::generate(seed.clone(), &spec).map_err(refuse)?;
                let verdict = floor::compat::validate_floor(&floor);
                let scene = FloorScene::of_floor(&floor);
                let facts = vec![
                    fact("tiles", spec.size()),
                    fact("open", verdict.walkable),
                    fact("shortest way", format!("{} steps", verdict.shortest.unwrap_or(0))),
                    fact("things", floor.entities.len()),
                ];
                let picture = Picture::Svg(svg_floors(&scene, theme));
                Ok(self.finish(
                    "floor",
                    &seed,
                    picture,
                    scene.description.clone(),
                    facts,
                    Some(floor.to_document()),
                ))
            }
            FamilyName::Tower => {
                let spec = tower::Config::from_json(json).map_err(refuse)?.resolve().map_err(refuse)?;
                let tower = tower::generate(seed.clone(), &spec).map_err(refuse)?;
                let scene = FloorScene::of_tower(&tower);
                let steps: usize = tower.floors.iter().map(|floor| floor.path.len().saturating_sub(1)).sum();
                let things: usize = tower.floors.iter().map(|floor| floor.entities.len()).sum();
                let facts = vec![
                    fact("floors", tower.floors.len()),
                    fact("way up", format!("{steps} steps")),
                    fact("things", things),
                ];
                let picture = Picture::Svg(svg_floors(&scene, theme));
                Ok(self.finish(
                    "tower",
                    &seed,
                    picture,
                    scene.description.clone(),
                    facts,
                    Some(tower.to_document()),
                ))
            }
            FamilyName::Water => {
                let config =
                    ArchipelagoConfig { width: 480, height: 320, scale: 96, ..ArchipelagoConfig::default() };
                let water = archipelago(seed.clone(), &config.resolve().map_err(refuse)?);
                let chart = Chart { water: &water, visited: None, ways: &[], sources: &[], targets: &[] };
                let png = chart_png(&chart, theme, 720).map_err(refuse)?;
                let tiles = water.tiles();
                let land = water.size().cells() - tiles;
                let facts = vec![
                    fact("tiles", water.size()),
                    fact("land", format!("{} %", (100 * land + (land + tiles) / 2) / (land + tiles))),
                ];
                let words = format!("A sea with islands of {} tiles, made from seed {seed}.", water.size());
                let mut exhibit = self.finish("water", &seed, Picture::Png(png), words, facts, None);
                exhibit.command = format!(
                    "wayforge water --seed {} --width 480 --height 320 --scale 96 --draw sea.png",
                    quoted(&seed)
                );
                Ok(exhibit)
            }
        }
    }

    fn finish(
        &self,
        command: &str,
        seed: &Seed,
        picture: Picture,
        description: String,
        mut facts: Vec<(String, String)>,
        document: Option<Document>,
    ) -> Exhibit {
        let algorithm = match &document {
            Some(document) => document.algorithm.clone(),
            None => wayforge::nav::ARCHIPELAGO.to_owned(),
        };
        if let Some(document) = document {
            let digest = document.digest.to_string();
            let short: String = digest.trim_start_matches("sha256:").chars().take(12).collect();
            facts.push(fact("digest", format!("{short}…")));
        }
        Exhibit {
            title: format!("{algorithm}, seed {}", seed.to_line()),
            command: format!("wayforge {command} --seed {}{}", quoted(seed), self.options),
            picture,
            description,
            facts,
        }
    }
}

fn fact(name: &str, value: impl std::fmt::Display) -> (String, String) {
    (name.to_owned(), value.to_string())
}
