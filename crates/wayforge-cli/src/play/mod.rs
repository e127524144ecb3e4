//! `wayforge play`: walk a map, by keys on a terminal or by lines from a script.

mod climb;
mod command;
mod frame;
mod keys;
mod save_file;
mod script;
pub(crate) mod terminal;

use crate::config_file;
use crate::failure::Failure;
use crate::output::Output;
use crate::picture::DrawArgs;
use clap::{Args, ColorChoice};
use save_file::SaveFile;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use wayforge::act::{ActMap, Fog, Play};
use wayforge::floor::{ALGORITHM, Floor};
use wayforge::tower::{self, SingleFloor, Storeys, Tower};
use wayforge::{DecodeError, SavedMap};
use wayforge_draw::{Paint, Scene};

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

/// Plays until the input ends or the player quits, and saves the run.
pub(crate) fn run(args: PlayArgs) -> Result<(), Failure> {
    let save_path = args.save.clone().unwrap_or_else(|| args.file.with_extension("progress.json"));
    for (path, what) in [(&args.file, "the map"), (&save_path, "--save")] {
        if path == Path::new("-") {
            return Err(Failure::about(
                "-",
                format!("{what} must be a file; standard input gives the moves"),
            ));
        }
    }
    let bytes = config_file::read(&args.file)?;
    let refuse = |error: DecodeError| Failure::about(args.file.display(), error);
    let document = SavedMap::decode(&bytes).and_then(|saved| saved.to_document()).map_err(refuse)?;
    // A floor without an envelope has one from here on.
    let bytes = document.to_text().into_bytes();
    // A single floor is a tower of one.
    let storeys: Option<Storeys> = match document.algorithm.as_str() {
        tower::ALGORITHM => Some(Tower::decode(&bytes).map_err(refuse)?.into()),
        tower::FLOOR_ALGORITHM => Some(SingleFloor::decode(&bytes).map_err(refuse)?.into()),
        ALGORITHM => Some(Floor::decode(&bytes).map_err(refuse)?.into()),
        act if act.starts_with("act.") => None,
        other => {
            let problem = format!(
                "{} cannot be played; give a map of `wayforge act`, `wayforge floor` or `wayforge tower`",
                other.escape_default()
            );
            return Err(Failure::about(args.file.display(), problem));
        }
    };
    if let Some(storeys) = storeys {
        return climb::run(&args, save_path, storeys);
    }
    let map = ActMap::decode(&bytes).map_err(refuse)?;
    let mut save = SaveFile::at(save_path);
    let mut play = match save.load()? {
        Some(progress) => {
            Play::resume(map, progress).map_err(|error| Failure::about(save.path().display(), error))?
        }
        None => Play::start(map, args.fog.unwrap_or_default()),
    };
    if let Some(fog) = args.fog {
        play = play.with_fog(fog);
    }
    if let Some(suffix) = args.picture.suffix()? {
        return args.picture.write(&args.picture.bytes(&Scene::of_play(&play), suffix)?);
    }
    save.check_folder()?;
    let paint = paint(args.color);
    let played = match by_keys() {
        true => terminal::play(&mut play, &mut save, paint),
        false => script::play(&mut play, &mut save, paint, &mut io::stdin().lock()),
    };
    // Whatever ended the run, what was walked is kept; the first failure is the one to report.
    let kept = save.keep(&play);
    played?;
    let end = match kept? {
        true => format!("saved in {}", save.path().display()),
        false => "nothing new to save".to_owned(),
    };
    say(&format!("{end}; {}", command::place(&play)))
}

/// Whether a person sits at a terminal.
fn by_keys() -> bool {
    io::stdin().is_terminal()
        && io::stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// One line, written at once: whoever drives the run waits for it.
fn say(line: &str) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    output.write(line.as_bytes())?;
    output.write(b"\n")?;
    output.finish()
}

fn paint(color: ColorChoice) -> Paint {
    let coloured = match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
    };
    if coloured { Paint::Colour } else { Paint::Plain }
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
