//! The `wayforge` command: parses arguments, calls the library, writes what it returns.

#![forbid(unsafe_code)]

mod act;
mod batch;
mod choice;
mod config_file;
mod convert;
#[cfg(feature = "serve")]
mod database;
mod differ;
#[cfg(feature = "serve")]
mod discord;
mod failure;
mod find;
mod floor;
mod floor_output;
mod format;
mod formats;
mod gallery;
mod generate;
mod kind_options;
mod level;
mod level_options;
mod lock;
mod measure;
mod number;
mod output;
mod overlay;
mod picture;
mod play;
mod routes;
mod seed;
#[cfg(feature = "serve")]
mod serve;
mod shell;
mod spire_options;
mod steps;
#[cfg(feature = "serve")]
mod studio;
mod sweep;
mod templates;
#[cfg(feature = "serve")]
mod token;
mod toml_text;
mod tower;
mod validate;
mod water;
mod way;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Maps that games can trust, and the ways through them.
///
/// One seed and one configuration give one map, the same bytes on every machine, with a verdict that proves it playable.
#[derive(Parser)]
#[command(name = "wayforge", version, max_term_width = 110)]
#[cfg_attr(not(feature = "serve"), command(arg_required_else_help = true))]
struct Cli {
    /// Without one, the studio
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Make an act map: places on a grid, climbed from the bottom row to the top
    Act(Box<act::ActArgs>),
    /// Make a blueprint level: a grid of floor, walls and hazards that is proved winnable
    Level(Box<level::LevelArgs>),
    /// Make a floor: tiles and what stands on them, with a way from entrance to exit
    Floor(Box<floor::FloorArgs>),
    /// Make a tower: floors above each other, each entered where the one below ends
    Tower(Box<tower::TowerArgs>),
    /// Check floors made by hand, or list the embedded ones
    Templates(templates::TemplatesArgs),
    /// Check saved documents from scratch: every rule, every violation
    Validate(validate::ValidateArgs),
    /// Play a saved map: walk it in the terminal, or by a script on standard input
    Play(play::PlayArgs),
    /// Answer what the routes of saved maps meet, and find and draw a wanted one
    Routes(routes::RoutesArgs),
    /// Find ways over a big grid of water and land
    Way(Box<way::WayArgs>),
    /// Make a sea with islands
    Water(water::WaterArgs),
    /// Find seeds whose maps are wanted, by a condition on their metrics or by what they should come close to
    Find(Box<find::FindArgs>),
    /// Make the maps of many seeds: a table of their metrics, or their documents
    Batch(Box<batch::BatchArgs>),
    /// Write a page of maps with their seeds and facts
    Gallery(gallery::GalleryArgs),
    /// Write a page that shows what a configuration really makes: plots of all metrics over many maps, and CSV beside it
    Measure(Box<measure::MeasureArgs>),
    /// Convert a map from one format to another, by the suffixes of the files
    Convert(Box<convert::ConvertArgs>),
    /// List the formats: which of them read and write what
    Formats(formats::FormatsArgs),
    /// Open the studio: a page in the browser where maps are made
    #[cfg(feature = "serve")]
    Studio(studio::StudioArgs),
    /// Serve maps over HTTP: made, judged, drawn, and kept per guild and channel
    #[cfg(feature = "serve")]
    Serve(Box<serve::ServeArgs>),
    /// Make, list and revoke the tokens of a service
    #[cfg(feature = "serve")]
    Token(token::TokenArgs),
    /// Tell Discord of the bot's commands
    #[cfg(feature = "serve")]
    Discord(discord::DiscordArgs),
    /// Print the JSON Schema of a family's documents
    Schema(shell::SchemaArgs),
    /// Print a completion script for a shell
    Completions(shell::CompletionsArgs),
    /// Print the manual page of the command or of one subcommand
    Man(shell::ManArgs),
}

fn main() -> ExitCode {
    let done = match Cli::try_parse() {
        Ok(Cli { command: Some(command) }) => run(command),
        Ok(Cli { command: None }) => studio(),
        Err(error) => Err(Failure::from(error)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// The command without a word: `wayforge studio`.
#[cfg(feature = "serve")]
fn studio() -> Result<(), Failure> {
    match Cli::try_parse_from(["wayforge", "studio"])?.command {
        Some(command) => run(command),
        None => Ok(()),
    }
}

#[cfg(not(feature = "serve"))]
fn studio() -> Result<(), Failure> {
    failure::reject("no command; `wayforge --help` lists them")
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
        Command::Way(args) => way::run(*args),
        Command::Water(args) => water::run(args),
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
        Command::Discord(args) => discord::run(args),
        Command::Schema(args) => shell::schema(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
    }
}
