//! `wayforge tower`: make towers and write them.

use crate::config_file::Source;
use crate::failure::Failure;
use crate::floor::{ThingArgs, TileArgs};
use crate::floor_output::{FloorOutput, Format, find_template, parse_cell, seed};
use crate::number::at_least_one;
use clap::Args;
use std::path::PathBuf;
use wayforge::tower::{self, Curve, SingleFloor, TemplateFloor, TemplateName, Tower};
use wayforge::{Seed, describe_json_error};
use wayforge_draw::FloorScene;

/// The options of `wayforge tower`.
#[derive(Args)]
pub(crate) struct TowerArgs {
    /// The seed, a number or any text; random if left out, and always printed
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    seed: Option<Seed>,
    /// Number of consecutive seeds, from the given one; 1 or more
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    count: u64,
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
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    entrance: Option<String>,
    /// How a field changes: FIELD=BY/EVERY..TO, as in enemyBudget=1/4..6 or wallDensity=0.02/2..0.6; the first one replaces the
    /// usual curves
    #[arg(long = "curve", value_name = "CURVE", allow_hyphen_values = true)]
    curves: Vec<String>,
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

/// Makes the towers that `args` ask for and writes them.
pub(crate) fn run(args: TowerArgs) -> Result<(), Failure> {
    let spec = args.config()?.resolve().map_err(refuse)?;
    let format = args.output.format()?;
    let time = args.output.time()?;
    let only = args.only(&spec)?;
    let mut output = args.output.open(format, args.count)?;
    if only.is_some() && args.output.is_making(format) {
        return Err(Failure::Input("--only: a tower is shown in the making as a whole; leave it out".into()));
    }
    let seed = seed(args.seed.as_ref(), format)?;
    if args.output.is_making(format) {
        return args.output.show_tower(seed, &spec, output);
    }
    for n in 0..args.count {
        if n > 0 && format == Format::Ascii {
            output.write(b"\n")?;
        }
        let seed = seed.plus(n);
        let bytes = match only {
            Some(number) => args.one(seed, &spec, number, &time, format, &output)?,
            None => {
                let mut tower = tower::generate(seed, &spec).map_err(refuse)?;
                tower.set_generated_at(&time);
                match format {
                    Format::Json => line(&tower),
                    _ => args.output.draw(&FloorScene::of_tower(&tower), format, &output)?,
                }
            }
        };
        output.write(&bytes)?;
    }
    output.finish()
}

fn line(tower: &Tower) -> Vec<u8> {
    format!("{}\n", tower.to_document().to_text()).into_bytes()
}

fn refuse(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}

impl TowerArgs {
    /// One floor of a tower; its document keeps the tower's seed and configuration, which make it again.
    fn one(
        &self,
        seed: Seed,
        spec: &tower::Spec,
        number: u32,
        time: &str,
        format: Format,
        output: &crate::output::Output,
    ) -> Result<Vec<u8>, Failure> {
        let mut alone = SingleFloor::generate(seed, spec, number).map_err(refuse)?;
        alone.set_generated_at(time);
        match format {
            Format::Json => Ok(format!("{}\n", alone.to_document().to_text()).into_bytes()),
            _ => self.output.draw(&FloorScene::of_tower_floor(&alone), format, output),
        }
    }

    fn only(&self, spec: &tower::Spec) -> Result<Option<u32>, Failure> {
        let Some(only) = self.only else { return Ok(None) };
        let number = u32::try_from(only).ok().filter(|number| (1..=spec.floors()).contains(number));
        let refuse = || Failure::Input(format!("--only {only}: no such floor; use 1 to {}", spec.floors()));
        number.map(|number| Some(number - 1)).ok_or_else(refuse)
    }

    /// The file's configuration, or the defaults, with the options on top.
    fn config(&self) -> Result<tower::Config, Failure> {
        let mut config = match &self.config {
            Some(path) => Source::read(path)?.parse(tower::Config::from_json)?,
            None => tower::Config::default(),
        };
        config.floors = self.floors.unwrap_or(config.floors);
        self.tiles.apply(&mut config.floor)?;
        self.things.apply(&mut config.floor);
        if let Some(text) = &self.entrance {
            config.floor.entrance = Some(parse_cell("entrance", text)?);
        }
        if !self.curves.is_empty() {
            config.curves = self.curves.iter().map(|text| parse_curve(text)).collect::<Result<_, _>>()?;
        }
        match self.by_hand.as_slice() {
            [] => {}
            [none] if none == "none" => config.templates.clear(),
            list => {
                config.templates = list.iter().map(|text| parse_template(text)).collect::<Result<_, _>>()?;
            }
        }
        match self.boss.as_deref() {
            None => {}
            Some("none") => config.boss = None,
            Some(id) => config.boss = Some(TemplateName::Named(id.to_owned())),
        }
        // A template of the folder stands above an embedded one of its name, whoever named it.
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
fn parse_curve(text: &str) -> Result<Curve, Failure> {
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
    let refuse = |why: String| Failure::Input(format!("--curve {text}: {why}"));
    let parts = parts.ok_or_else(|| refuse("write FIELD=BY/EVERY..TO, as in enemyBudget=1/4..6".into()))?;
    serde_json::from_value(parts).map_err(|error| refuse(describe_json_error(&error)))
}
