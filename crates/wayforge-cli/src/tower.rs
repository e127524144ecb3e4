//! `wayforge tower`: make towers and write them.

use crate::config_file::read_config;
use crate::failure::{Context, Failure, reject};
use crate::floor::{ThingArgs, TileArgs};
use crate::floor_output::{FloorOutput, find_template, parse_cell};
use crate::generate::SeedArgs;
use crate::number::set;
use crate::overlay::overlay;
use crate::steps;
use clap::Args;
use std::path::PathBuf;
use wayforge::describe_json_error;
use wayforge::floor::Vec2;
use wayforge::tower::{self, Curve, SingleFloor, TemplateFloor, TemplateName};
use wayforge_draw::{FloorScene, TowerFrames, tower_animation};

/// The options of `wayforge tower`.
#[derive(Args)]
pub(crate) struct TowerArgs {
    #[command(flatten)]
    seeds: SeedArgs,
    /// Read the configuration from a .toml or .json file; options stand above it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How many floors, 1 to 1000 [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    floors: Option<i64>,
    /// Make this floor alone, counted from 1: the very floor of the whole tower
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    only: Option<i64>,
    /// Where the tower is entered; drawn if left out
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    entrance: Option<Vec2>,
    /// How a field changes: FIELD=BY/EVERY..TO, as in enemyBudget=1/4..6 or wallDensity=0.02/2..0.6; the first one replaces the
    /// usual curves
    #[arg(long = "curve", value_name = "CURVE", allow_hyphen_values = true, value_parser = parse_curve)]
    curves: Vec<Curve>,
    /// A template on every so many floors: ID/EVERY, as in shop/5; the first one replaces the usual ones; `none` for none
    #[arg(long = "template", value_name = "ID/EVERY")]
    by_hand: Vec<String>,
    /// The template of the last floor, or `none` [default: boss]
    #[arg(long, value_name = "ID")]
    boss: Option<String>,
    /// A folder of templates, .json or .txt
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,
    #[command(flatten)]
    tiles: TileArgs,
    #[command(flatten)]
    things: ThingArgs,
    #[command(flatten)]
    output: FloorOutput,
}

/// Generates the towers that `args` ask for and writes them.
pub(crate) fn run(args: TowerArgs) -> Result<(), Failure> {
    let spec = args.config()?.resolve().rejected()?;
    let time = args.output.time()?;
    let only = args.only(&spec)?;
    let (maps, canvas) = args.output.open(&args.seeds)?;
    if maps.is_animated() {
        if only.is_some() {
            return reject("--only: a tower is shown in the making as a whole; leave it out");
        }
        let (tower, tape) =
            steps::record(|tape| tower::generate_traced(maps.seed(), &spec, tape).rejected())?;
        let events = tape.events();
        return maps.animate(&TowerFrames::new(&tower, events), |theme, scale| {
            tower_animation(&tower, events, theme, scale)
        });
    }
    maps.write(|seed| match only {
        // The document of a single floor keeps the tower's seed and configuration, which generate it again.
        Some(number) => {
            let mut floor = SingleFloor::generate(seed, &spec, number).rejected()?;
            floor.set_generated_at(&time);
            canvas.map(|| floor.to_document(), || FloorScene::of_tower_floor(&floor))
        }
        None => {
            let mut tower = tower::generate(seed, &spec).rejected()?;
            tower.set_generated_at(&time);
            canvas.map(|| tower.to_document(), || FloorScene::of_tower(&tower))
        }
    })
}

impl TowerArgs {
    fn only(&self, spec: &tower::Spec) -> Result<Option<u32>, Failure> {
        let Some(only) = self.only else { return Ok(None) };
        let number = u32::try_from(only).ok().filter(|number| (1..=spec.floors()).contains(number));
        let refuse = || Failure::Input(format!("--only {only}: no such floor; use 1 to {}", spec.floors()));
        number.map(|number| Some(number - 1)).ok_or_else(refuse)
    }

    /// The file's configuration, or the defaults, with the options on top.
    fn config(&self) -> Result<tower::Config, Failure> {
        let mut config = read_config(self.config.as_deref(), tower::Config::from_json)?;
        set(&mut config.floors, self.floors);
        overlay(&mut config.floor, &self.tiles)?;
        overlay(&mut config.floor, &self.things)?;
        config.floor.entrance = self.entrance.or(config.floor.entrance);
        if !self.curves.is_empty() {
            config.curves.clone_from(&self.curves);
        }
        match self.by_hand.as_slice() {
            [] => {}
            [none] if none == "none" => config.templates.clear(),
            list => {
                config.templates = list.iter().map(|text| parse_template(text)).collect::<Result<_, _>>()?;
            }
        }
        let boss = |id: &String| (id != "none").then(|| TemplateName::Named(id.clone()));
        set(&mut config.boss, self.boss.as_ref().map(boss));
        // A template of the folder takes precedence over an embedded one of its name.
        let names = config.templates.iter_mut().map(|entry| &mut entry.template).chain(&mut config.boss);
        for name in names {
            if let TemplateName::Named(id) = name
                && let Some(own) = find_template(self.templates.as_deref(), id)?
            {
                *name = TemplateName::Own(own);
            }
        }
        Ok(config)
    }
}

/// `shop/5`: the shop on every fifth floor.
fn parse_template(text: &str) -> Result<TemplateFloor, Failure> {
    let parsed = text.split_once('/').and_then(|(id, every)| Some((id, every.parse().ok()?)));
    let refuse = || Failure::Input(format!("--template {text}: write ID/EVERY, as in shop/5, or none"));
    let (id, every) = parsed.ok_or_else(refuse)?;
    Ok(TemplateFloor { every, template: TemplateName::Named(id.to_owned()) })
}

/// `enemyBudget=1/4..6`: one more on every fourth floor, up to 6.
fn parse_curve(text: &str) -> Result<Curve, String> {
    let parts = text.split_once('=').and_then(|(field, rest)| {
        let (by, rest) = rest.split_once('/')?;
        let (every, to) = rest.split_once("..")?;
        Some(serde_json::json!({
            "field": field,
            "every": every.parse::<i64>().ok()?,
            "by": by.parse::<f64>().ok()?,
            "to": to.parse::<f64>().ok()?,
        }))
    });
    let parts = parts.ok_or("write FIELD=BY/EVERY..TO, as in enemyBudget=1/4..6")?;
    serde_json::from_value(parts).map_err(|error| describe_json_error(&error))
}
