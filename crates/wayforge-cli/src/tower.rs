//! `wayforge tower`: generates towers.

use crate::config_file::read_config;
use crate::failure::{Context, Failure, reject};
use crate::floor::{BudgetArgs, TileArgs};
use crate::floor_output::{FloorOutput, find_template, parse_cell};
use crate::generate::SeedArgs;
use crate::number::set;
use crate::overlay::overlay;
use crate::steps;
use clap::Args;
use std::path::PathBuf;
use wayforge::describe_json_error;
use wayforge::floor::Vec2;
use wayforge::tower::{self, Curve, SingleFloor, TemplateFloor, TemplateRef};
use wayforge_draw::{FloorScene, TowerFrames};

/// Options of `wayforge tower`.
#[derive(Args)]
pub(crate) struct TowerArgs {
    #[command(flatten)]
    seeds: SeedArgs,
    /// Read the configuration from a .toml or .json file; options override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Number of floors, 1 to 1000 [default: 10]
    #[arg(long, value_name = "N")]
    floors: Option<i64>,
    /// Generate only this floor, counted from 1; identical to that floor of the whole tower
    #[arg(long, value_name = "N")]
    only: Option<i64>,
    /// Position of the entrance of the first floor [default: random]
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_cell)]
    entrance: Option<Vec2>,
    /// Change a field from floor to floor, FIELD=BY/EVERY..TO, e.g. enemyBudget=1/4..6 adds one
    /// enemy every 4 floors up to 6; repeatable, replaces the default curves
    #[arg(
        long = "curve",
        value_name = "CURVE",
        allow_hyphen_values = true,
        value_parser = parse_curve
    )]
    curves: Vec<Curve>,
    /// Use a template on every N-th floor, e.g. shop/5; repeatable, replaces the default templates;
    /// `none` for no templates
    #[arg(long = "template", value_name = "ID/EVERY")]
    template_floors: Vec<String>,
    /// Template of the last floor, or `none` [default: boss]
    #[arg(long, value_name = "ID")]
    boss: Option<String>,
    /// Folder of templates, .json or .txt
    #[arg(long, value_name = "FOLDER")]
    templates: Option<PathBuf>,
    #[command(flatten)]
    tiles: TileArgs,
    #[command(flatten)]
    budgets: BudgetArgs,
    #[command(flatten)]
    output: FloorOutput,
}

/// Generates and writes the requested towers.
pub(crate) fn run(args: TowerArgs) -> Result<(), Failure> {
    let spec = args.config()?.resolve().rejected()?;
    let time = args.output.generated_at()?;
    let only = args.only(&spec)?;
    let (maps, canvas) = args.output.open(&args.seeds)?;
    if maps.is_animated() {
        if only.is_some() {
            return reject("--only: steps and animations show whole towers; leave it out");
        }
        let (tower, recorder) = steps::record(|recorder| {
            tower::generate_traced(maps.seed(), &spec, recorder).rejected()
        })?;
        return maps.animate(TowerFrames::new(&tower, recorder.events()));
    }
    maps.write(|seed| match only {
        // The document keeps the tower's seed and configuration, which reproduce the floor.
        Some(number) => {
            let mut floor = SingleFloor::generate(seed, &spec, number).rejected()?;
            floor.set_generated_at(&time);
            canvas.map(|| floor.to_document(), || FloorScene::from_tower_floor(&floor))
        }
        None => {
            let mut tower = tower::generate(seed, &spec).rejected()?;
            tower.set_generated_at(&time);
            canvas.map(|| tower.to_document(), || FloorScene::from_tower(&tower))
        }
    })
}

impl TowerArgs {
    /// Returns the index of the floor of `--only`.
    fn only(&self, spec: &tower::Spec) -> Result<Option<u32>, Failure> {
        let Some(only) = self.only else { return Ok(None) };
        let number = u32::try_from(only).ok().filter(|number| (1..=spec.floors()).contains(number));
        let reject =
            || Failure::Input(format!("--only {only}: out of range; use 1 to {}", spec.floors()));
        number.map(|number| Some(number - 1)).ok_or_else(reject)
    }

    /// Returns the configuration: file or defaults, overridden by options.
    fn config(&self) -> Result<tower::Config, Failure> {
        let mut config = read_config(self.config.as_deref(), tower::Config::from_json)?;
        set(&mut config.floors, self.floors);
        overlay(&mut config.floor, &self.tiles)?;
        overlay(&mut config.floor, &self.budgets)?;
        config.floor.entrance = self.entrance.or(config.floor.entrance);
        if !self.curves.is_empty() {
            config.curves.clone_from(&self.curves);
        }
        match self.template_floors.as_slice() {
            [] => {}
            [none] if none == "none" => config.templates.clear(),
            list => {
                config.templates =
                    list.iter().map(|text| parse_template(text)).collect::<Result<_, _>>()?;
            }
        }
        let boss = |id: &String| (id != "none").then(|| TemplateRef::Named(id.clone()));
        set(&mut config.boss, self.boss.as_ref().map(boss));
        // A template of the folder takes precedence over an embedded one with the same id.
        let names =
            config.templates.iter_mut().map(|entry| &mut entry.template).chain(&mut config.boss);
        for name in names {
            if let TemplateRef::Named(id) = name
                && let Some(own) = find_template(self.templates.as_deref(), id)?
            {
                *name = TemplateRef::Inline(own);
            }
        }
        Ok(config)
    }
}

/// Parses `shop/5`: the shop on every fifth floor.
fn parse_template(text: &str) -> Result<TemplateFloor, Failure> {
    let parsed = text.split_once('/').and_then(|(id, every)| Some((id, every.parse().ok()?)));
    let reject =
        || Failure::Input(format!("--template {text}: write ID/EVERY, as in shop/5, or none"));
    let (id, every) = parsed.ok_or_else(reject)?;
    Ok(TemplateFloor { every, template: TemplateRef::Named(id.to_owned()) })
}

/// Parses `enemyBudget=1/4..6`: one more on every fourth floor, up to 6.
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
