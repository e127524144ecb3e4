//! The `wayforge` command-line tool: parses arguments, calls the library and writes the results.

#![forbid(unsafe_code)]

mod act;
mod archipelago;
mod batch;
mod choice;
mod config_file;
mod convert;
#[cfg(feature = "serve")]
mod database;
mod diff;
#[cfg(feature = "serve")]
mod discord;
mod documents;
mod failure;
mod find;
mod floor;
mod floor_output;
mod format;
mod formats;
mod gallery;
mod generate;
mod interrupt;
mod kind_options;
mod level;
mod level_options;
mod lock;
mod measure;
mod number;
mod output;
mod overlay;
mod path;
mod picture;
mod play;
mod routes;
mod seed;
mod seed_range;
#[cfg(feature = "serve")]
mod serve;
mod shell;
mod spire_options;
mod steps;
#[cfg(feature = "serve")]
mod studio;
mod templates;
#[cfg(feature = "serve")]
mod token;
mod toml_text;
mod tower;
mod validate;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Deterministic procedural maps with proofs, and exact grid pathfinding.
///
/// The same seed and configuration give the same map, byte for byte, on every machine. Every map
/// comes with a validation report that proves it playable.
#[derive(Parser)]
#[command(name = "wayforge", version, max_term_width = 110)]
#[command(mut_subcommands(accept_negative_numbers))]
#[cfg_attr(not(feature = "serve"), command(arg_required_else_help = true))]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Generate act maps: branching routes from the bottom row to the boss
    Act(Box<act::ActArgs>),
    /// Generate blueprint levels: grids of floor, walls and hazards, proven winnable
    Level(Box<level::LevelArgs>),
    /// Generate dungeon floors: tiles and entities with a path from entrance to exit
    Floor(Box<floor::FloorArgs>),
    /// Generate towers: stacked floors, each entered at the exit of the floor below
    Tower(Box<tower::TowerArgs>),
    /// Check floor templates, or list the embedded ones
    Templates(templates::TemplatesArgs),
    /// Check saved maps: every rule, every violation
    Validate(validate::ValidateArgs),
    /// Play a saved map in the terminal, or with commands from standard input
    Play(play::PlayArgs),
    /// Analyse the routes of saved act maps: counts, choices, queries
    Routes(routes::RoutesArgs),
    /// Find shortest paths on a large grid
    Path(Box<path::PathArgs>),
    /// Generate a sea map with islands
    Archipelago(archipelago::ArchipelagoArgs),
    /// Search for seeds whose maps match a condition or come closest to given metrics
    Find(Box<find::FindArgs>),
    /// Generate maps for many seeds: write a table of metrics, or the documents
    Batch(Box<batch::BatchArgs>),
    /// Write an HTML gallery of maps with their seeds and metrics
    Gallery(gallery::GalleryArgs),
    /// Measure a configuration over many maps: an HTML report with plots, and CSV tables
    Measure(Box<measure::MeasureArgs>),
    /// Convert a map to another file format, chosen by the file suffixes
    Convert(Box<convert::ConvertArgs>),
    /// List the file formats and what each can read and write
    Formats(formats::FormatsArgs),
    /// Open the map studio in the browser [default command]
    #[cfg(feature = "serve")]
    Studio(studio::StudioArgs),
    /// Run the HTTP service: generate, validate, draw and store maps
    #[cfg(feature = "serve")]
    Serve(Box<serve::ServeArgs>),
    /// Create, list and revoke access tokens of the HTTP service
    #[cfg(feature = "serve")]
    Token(token::TokenArgs),
    /// Verify and copy the database of stored maps
    #[cfg(feature = "serve")]
    Database(database::DatabaseCommandArgs),
    /// Register the bot's slash commands with Discord
    #[cfg(feature = "serve")]
    Discord(discord::DiscordArgs),
    /// Print the JSON Schema of a document type
    Schema(shell::SchemaArgs),
    /// Print a shell completion script
    Completions(shell::CompletionsArgs),
    /// Print the manual page of wayforge or of a subcommand
    Man(shell::ManArgs),
}

/// Lets all options of a command take negative numbers, so that `--rows -1` is out of range instead
/// of an unknown option.
fn accept_negative_numbers(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| {
        let takes_values = arg.get_action().takes_values()
            && arg.get_num_args().is_none_or(|count| count.takes_values());
        let is_option = takes_values && !arg.is_positional();
        arg.allow_negative_numbers(is_option)
    })
}

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(Cli { command: Some(command) }) => run(command),
        Ok(Cli { command: None }) => run_default_command(),
        Err(error) => Err(Failure::from(error)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Runs `wayforge studio`, the default when no subcommand is given.
#[cfg(feature = "serve")]
fn run_default_command() -> Result<(), Failure> {
    match Cli::try_parse_from(["wayforge", "studio"])?.command {
        Some(command) => run(command),
        None => Ok(()),
    }
}

#[cfg(not(feature = "serve"))]
fn run_default_command() -> Result<(), Failure> {
    failure::reject("no command given; `wayforge --help` lists them")
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Act(args) => act::run(*args),
        Command::Level(args) => level::run(*args),
        Command::Floor(args) => floor::run(*args),
        Command::Tower(args) => tower::run(*args),
        Command::Templates(args) => templates::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Play(args) => play::run(args),
        Command::Routes(args) => routes::run(args),
        Command::Path(args) => path::run(*args),
        Command::Archipelago(args) => archipelago::run(args),
        Command::Find(args) => find::run(*args),
        Command::Batch(args) => batch::run(*args),
        Command::Gallery(args) => gallery::run(args),
        Command::Measure(args) => measure::run(*args),
        Command::Convert(args) => convert::run(*args),
        Command::Formats(args) => formats::run(args),
        #[cfg(feature = "serve")]
        Command::Studio(args) => studio::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(*args),
        #[cfg(feature = "serve")]
        Command::Token(args) => token::run(args),
        #[cfg(feature = "serve")]
        Command::Database(args) => database::run(args),
        #[cfg(feature = "serve")]
        Command::Discord(args) => discord::run(args),
        Command::Schema(args) => shell::schema(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;
    use wayforge::Family;

    #[test]
    fn every_family_has_a_subcommand() {
        let cli = Cli::command();
        cli.clone().debug_assert();
        for name in Family::ALL.map(Family::name) {
            assert!(cli.find_subcommand(name).is_some(), "{name}");
        }
    }
}
