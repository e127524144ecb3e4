//! Shell completions, manual pages and JSON Schemas.

use crate::Cli;
use crate::failure::{Context, Failure};
use crate::output;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, CommandFactory};
use serde_json::to_string_pretty;
use wayforge::{Family, act, floor, tower};

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    shell: clap_complete::Shell,
}

#[derive(Args)]
pub(crate) struct ManArgs {
    /// Subcommand [default: wayforge itself]
    subcommand: Option<String>,
}

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// Map family or other document type
    #[arg(value_parser = schema_parser(), default_value = Family::Act.name())]
    family: String,
}

/// Name, help text and generator of a schema that does not belong to a map family.
type Schema = (&'static str, &'static str, fn() -> serde_json::Result<String>);

const SCHEMAS: [Schema; 4] = [
    ("progress", "Saved runs of act maps, written by `wayforge play`", || {
        to_string_pretty(&act::progress_schema())
    }),
    ("map-floor", "Floors without an envelope", || to_string_pretty(&floor::map_floor_schema())),
    ("tower-floor", "Single floors of towers", || to_string_pretty(&tower::floor_schema())),
    ("tower-run", "Saved runs of floors and towers, written by `wayforge play`", || {
        to_string_pretty(&tower::run_schema())
    }),
];

fn schema_parser() -> PossibleValuesParser {
    let families =
        Family::ALL.map(|family| PossibleValue::new(family.name()).help("Maps of this family"));
    let others = SCHEMAS.map(|(name, about, _)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(families.into_iter().chain(others))
}

pub(crate) fn completions(args: CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wayforge", &mut script);
    output::write(None, script)
}

pub(crate) fn man(args: ManArgs) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    let command = match &args.subcommand {
        None => command,
        Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
            Failure::Input(format!("man {name}: no such subcommand; known: {}", known.join(", ")))
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).context("manual page")?;
    output::write(None, page)
}

pub(crate) fn schema(args: SchemaArgs) -> Result<(), Failure> {
    let other = SCHEMAS.into_iter().find(|(name, ..)| *name == args.family);
    let text = match other {
        Some((_, _, schema)) => schema(),
        None => to_string_pretty(&args.family.parse::<Family>().rejected()?.schema()),
    };
    let text = text.context("schema")?;
    output::write(None, text + "\n")
}
