//! `wayforge play`: walk a map, by keys on a terminal or by lines from a script.

mod act;
mod climb;
mod frame;
mod save_file;
mod script;
pub(crate) mod terminal;

use crate::config_file;
use crate::failure::{Context, Failure};
use crate::output;
use crate::picture::{DrawArgs, paint};
use clap::{Args, ColorChoice};
use crossterm::event::KeyCode;
use save_file::SaveFile;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use wayforge::act::{ActMap, Fog};
use wayforge::floor::Floor;
use wayforge::tower::{self, SingleFloor, Storeys, Tower};
use wayforge::{DecodeError, Family, SavedMap};
use wayforge_draw::Paint;

/// The options of `wayforge play`.
#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The map to play: a document as `wayforge act`, `floor` or `tower` writes it with --format json
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the run is saved and resumed from [default: FILE with the suffix .progress.json]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Show only so many rows ahead of the party, or `none` for the whole map; kept in the save
    #[arg(long, value_name = "ROWS", allow_negative_numbers = true, value_parser = parse_fog)]
    fog: Option<Fog>,
    /// When the map is coloured
    #[arg(long, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    // With a picture asked for, the run is drawn as it was saved, not played.
    #[command(flatten)]
    picture: DrawArgs,
}

/// A map that is being played, for the drivers of scripts and of terminals. Pure: no file, no terminal.
trait Game {
    /// A saved run.
    type Save: Clone + PartialEq;
    /// The commands in one line.
    const HELP: &'static str;

    /// Algorithm and seed of the map.
    fn title(&self) -> String;
    /// Where the player is.
    fn place(&self) -> String;
    /// The legal moves, or why there are none.
    fn choices(&self) -> String;
    /// Takes the last step back; false if there is none.
    fn take_back(&mut self) -> bool;
    /// Makes the move that a word asks for and returns the new status or the problem; `None` if the word is no move.
    fn walk(&mut self, word: &str) -> Option<String>;
    /// Does what a key asks for; returns a remark for the screen.
    fn press(&mut self, key: KeyCode) -> String;
    /// The map as it stands.
    fn ascii(&self, paint: Paint) -> String;
    /// One screen: at most `height` lines of at most `width` visible characters.
    fn frame(&self, remark: &str, width: usize, height: usize, paint: Paint) -> Vec<String>;
    /// What a save of this run contains.
    fn saved(&self) -> Self::Save;
    /// True if nothing has happened that is worth a file.
    fn is_new(&self) -> bool;

    /// Where the player is, and where to go from there.
    fn status(&self) -> String {
        format!("{}; {}", self.place(), self.choices())
    }

    /// Takes the last step back; returns a remark if there is none.
    fn undo_or_remark(&mut self) -> String {
        let undone = self.take_back();
        if undone { String::new() } else { "nothing to undo".to_owned() }
    }
}

/// Plays until the input ends or the player quits, and saves the run.
pub(crate) fn run(args: PlayArgs) -> Result<(), Failure> {
    let save_path = args.save.clone().unwrap_or_else(|| args.file.with_extension("progress.json"));
    for (path, what) in [(&args.file, "the map"), (&save_path, "--save")] {
        if path == Path::new("-") {
            let problem = format!("{what} must be a file; standard input gives the moves");
            return Err(Failure::about("-", problem));
        }
    }
    let bytes = config_file::read(&args.file)?;
    let refuse = |error: DecodeError| Failure::about(args.file.display(), error);
    let document = SavedMap::decode(&bytes).and_then(|saved| saved.to_document()).map_err(refuse)?;
    // A floor without an envelope has one from here on.
    let bytes = document.to_text().into_bytes();
    // A single floor is a tower of one.
    let storeys: Storeys = match Family::from_document(&document).map_err(refuse)? {
        Family::Act => return act::run(&args, save_path, ActMap::decode(&bytes).map_err(refuse)?),
        Family::Floor => Floor::decode(&bytes).map_err(refuse)?.into(),
        Family::Tower if document.algorithm == tower::FLOOR_ALGORITHM => {
            SingleFloor::decode(&bytes).map_err(refuse)?.into()
        }
        Family::Tower => Tower::decode(&bytes).map_err(refuse)?.into(),
        Family::Level => {
            let problem = format!(
                "{} cannot be played; give a map of `wayforge act`, `wayforge floor` or `wayforge tower`",
                document.algorithm.escape_default()
            );
            return Err(Failure::about(args.file.display(), problem));
        }
    };
    climb::run(&args, save_path, storeys)
}

/// Plays a game by keys or by lines, and saves it at its end.
fn play<G: Game>(mut game: G, mut save: SaveFile<G::Save>, color: ColorChoice) -> Result<(), Failure> {
    save.check_folder()?;
    let paint = paint(color);
    let played = match by_keys() {
        true => terminal::play(&mut game, &mut save, paint).about("terminal"),
        false => script::play(&mut game, &mut save, paint, &mut io::stdin().lock()),
    };
    // Whatever ended the run, what was walked is kept; the first failure is the one to report.
    let kept = save.keep(&game.saved(), game.is_new());
    played?;
    say(&format!("{}; {}", kept?, game.place()))
}

/// Whether a person sits at a terminal.
fn by_keys() -> bool {
    io::stdin().is_terminal()
        && io::stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// Prints one line at once: the program that drives the run waits for it.
fn say(line: &str) -> Result<(), Failure> {
    output::write(None, format!("{line}\n"))
}

/// Saves a run; returns the message about it.
fn save<G: Game>(game: &G, file: &mut SaveFile<G::Save>) -> String {
    match file.write(&game.saved()) {
        Ok(()) => format!("saved in {}; {}", file.path().display(), game.place()),
        Err(failure) => format!("not saved: {failure}"),
    }
}

fn parse_fog(text: &str) -> Result<Fog, String> {
    match text {
        "none" => Ok(Fog::None),
        rows => rows
            .parse()
            .map(Fog::Rows)
            .map_err(|_| format!("write a number of rows from 0 to {}, or none", u16::MAX)),
    }
}
