//! `wayforge play`: plays a saved map with keys on a terminal, or with commands from a script.

mod act_game;
mod frame;
mod save_file;
mod script;
pub(crate) mod terminal;
mod tower_game;

use crate::config_file;
use crate::failure::{Context, Failure};
use crate::output;
use crate::picture::{DrawArgs, ascii_style};
use clap::{Args, ColorChoice};
use crossterm::event::KeyCode;
use save_file::SaveFile;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use wayforge::act::Fog;
use wayforge::{Run, SavedMap};
use wayforge_draw::AsciiStyle;

/// Options of `wayforge play`.
#[derive(Args)]
pub(crate) struct PlayArgs {
    /// Map to play, written by `wayforge act`, `floor` or `tower` with --format json
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Save the run to this file, and resume from it [default: FILE with the suffix .progress.json]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Number of rows visible ahead of the party, or `none` for all; stored in the save
    /// [default: none]
    #[arg(long, value_name = "ROWS", value_parser = parse_fog)]
    fog: Option<Fog>,
    /// When to colour the map
    #[arg(long, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    // With `--draw`, the saved run is drawn instead of played.
    #[command(flatten)]
    picture: DrawArgs,
}

/// A game in progress, independent of files and terminals.
trait Game {
    /// A saved run.
    type Save: Clone + PartialEq;
    /// List of commands on one line.
    const HELP: &'static str;

    /// Returns algorithm and seed of the map.
    fn title(&self) -> String;
    /// Describes the position of the player.
    fn location(&self) -> String;
    /// Lists the legal moves, or says why there are none.
    fn choices(&self) -> String;
    /// Undoes the last step. Returns false if there is none.
    fn undo_step(&mut self) -> bool;
    /// Executes a move command. Returns the new status or an error message, or `None` if the word
    /// is not a move.
    fn execute_move(&mut self, word: &str) -> Option<String>;
    /// Handles a key. Returns a message for the screen, which may be empty.
    fn handle_key(&mut self, key: KeyCode) -> String;
    /// Draws the map with the current state of the run.
    fn ascii(&self, style: AsciiStyle) -> String;
    /// Lays out one screen of at most `height` lines with at most `width` visible characters.
    fn frame(&self, message: &str, width: usize, height: usize, style: AsciiStyle) -> Vec<String>;
    /// Returns the run to be saved.
    fn saved(&self) -> Self::Save;
    /// Returns true if there is nothing to save yet.
    fn is_new(&self) -> bool;

    /// Describes the position and the legal moves.
    fn status(&self) -> String {
        format!("{}; {}", self.location(), self.choices())
    }

    /// Undoes the last step. Returns a message if there is none.
    fn undo_with_message(&mut self) -> String {
        let is_undone = self.undo_step();
        if is_undone { String::new() } else { "nothing to undo".to_owned() }
    }
}

/// Plays until the player quits or the input ends, and saves the run.
pub(crate) fn run(args: PlayArgs) -> Result<(), Failure> {
    let save_path = args.save.clone().unwrap_or_else(|| args.file.with_extension("progress.json"));
    for (path, name) in [(&args.file, "the map"), (&save_path, "--save")] {
        if path == Path::new("-") {
            let problem = format!("{name} must be a file; standard input is used for commands");
            return Err(Failure::new("-", problem));
        }
    }
    let bytes = config_file::read(&args.file)?;
    let subject = args.file.display();
    let document = SavedMap::decode(&bytes).and_then(|saved| saved.to_document());
    let document = document.context(&subject)?;
    match Run::start_with_fog(&document, args.fog.unwrap_or_default()).context(&subject)? {
        Run::Act(play) => act_game::run(&args, save_path, play),
        Run::Tower(run) => tower_game::run(&args, save_path, run),
    }
}

/// Plays a game interactively or from a script, and saves it at the end.
fn play<G: Game>(
    mut game: G,
    mut save: SaveFile<G::Save>,
    color: ColorChoice,
) -> Result<(), Failure> {
    save.check_writable()?;
    let style = ascii_style(color);
    let played = if is_interactive() {
        terminal::play(&mut game, &mut save, style).context("terminal")
    } else {
        script::play(&mut game, &mut save, style, &mut io::stdin().lock())
    };
    // Save the run even after a failure, and report the first failure.
    let saved = save.save_if_changed(&game.saved(), game.is_new());
    played?;
    print_line(&format!("{}; {}", saved?, game.location()))
}

/// Returns true if input and output are a terminal that can move its cursor.
fn is_interactive() -> bool {
    io::stdin().is_terminal()
        && io::stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// Prints one line and flushes it, since a script may wait for it.
fn print_line(line: &str) -> Result<(), Failure> {
    output::write(None, format!("{line}\n"))
}

/// Saves a run and returns a message.
fn save<G: Game>(game: &G, file: &mut SaveFile<G::Save>) -> String {
    match file.write(&game.saved()) {
        Ok(()) => format!("saved to {}; {}", file.path().display(), game.location()),
        Err(failure) => format!("not saved: {failure}"),
    }
}

fn parse_fog(text: &str) -> Result<Fog, String> {
    match text {
        "none" => Ok(Fog::None),
        rows => rows
            .parse()
            .map(Fog::Rows)
            .map_err(|_| format!("not a number of rows; use 0 to {}, or none", u16::MAX)),
    }
}
