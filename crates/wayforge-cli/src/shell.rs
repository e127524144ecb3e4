//! What shells and editors ask for: completions, manual pages, schemas.

use crate::Cli;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, CommandFactory, ValueEnum};

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

#[derive(Args)]
pub(crate) struct ManArgs {
    /// A subcommand; the command itself if left out
    subcommand: Option<String>,
}

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// The family of maps, or what else is saved
    #[arg(value_enum, default_value_t = Family::Act)]
    family: Family,
}

#[derive(Clone, Copy, ValueEnum)]
enum Family {
    /// Act maps
    Act,
    /// Blueprint levels
    Level,
    /// Runs through an act map, as `wayforge play` saves them
    Progress,
    /// Floors
    Floor,
    /// Floors without an envelope
    MapFloor,
    /// Towers
    Tower,
    /// Floors of towers, made alone
    TowerFloor,
    /// Climbs of floors and towers, as `wayforge play` saves them
    Climb,
}

pub(crate) fn completions(args: CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wayforge", &mut script);
    print(&script)
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
    clap_mangen::Man::new(command).render(&mut page).map_err(|error| Failure::about("manual page", error))?;
    print(&page)
}

pub(crate) fn schema(args: SchemaArgs) -> Result<(), Failure> {
    let schema = match args.family {
        Family::Act => wayforge::act::document_schema(),
        Family::Level => wayforge::level::document_schema(),
        Family::Progress => wayforge::act::progress_schema(),
        Family::Floor => wayforge::floor::document_schema(),
        Family::MapFloor => wayforge::floor::map_floor_schema(),
        Family::Tower => wayforge::tower::document_schema(),
        Family::TowerFloor => wayforge::tower::floor_schema(),
        Family::Climb => wayforge::tower::climb_schema(),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| Failure::about("schema", error))?;
    print(format!("{text}\n").as_bytes())
}

fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    output.write(bytes)?;
    output.finish()
}
