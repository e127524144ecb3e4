//! `wayforge play`: walk a map, by keys on a terminal or by lines from a script.

mod climb;
mod command;
mod frame;
mod keys;
mod save_file;
mod script;
pub(crate) mod terminal;

use crate::config_file;
use crate::failure::{Context, Failure};
use crate::output;
use crate::picture::{DrawArgs, paint};
use clap::{Args, ColorChoice};
use save_file::SaveFile;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use wayforge::act::{ActMap, Fog, Play, Progress};
use wayforge::floor::Floor;
use wayforge::tower::{self, SingleFloor, Storeys, Tower};
use wayforge::{DecodeError, Family, SavedMap};
use wayforge_draw::Scene;

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
    let storeys: Storeys = match Family::from_document(&document).map_err(refuse)? {
        Family::Act => return play(&args, save_path, ActMap::decode(&bytes).map_err(refuse)?),
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

/// Plays an act map.
fn play(args: &PlayArgs, save_path: PathBuf, map: ActMap) -> Result<(), Failure> {
    let mut save: SaveFile<Progress> = SaveFile::open(save_path)?;
    let mut play = match save.held() {
        Some(progress) => Play::resume(map, progress.clone()).about(save.path().display())?,
        None => Play::start(map, args.fog.unwrap_or_default()),
    };
    if let Some(fog) = args.fog {
        play = play.with_fog(fog);
    }
    if let Some(suffix) = args.picture.suffix()? {
        let scene = Scene { labels: args.picture.labels, ..Scene::of_play(&play) };
        return args.picture.write(&args.picture.bytes(&scene, suffix)?);
    }
    save.check_folder()?;
    let paint = paint(args.color);
    let played = match by_keys() {
        true => terminal::play(&mut play, &mut save, paint),
        false => script::play(&mut play, &mut save, paint, &mut io::stdin().lock()),
    };
    // Whatever ended the run, what was walked is kept; the first failure is the one to report.
    let progress = play.progress();
    let kept = save.keep(progress, progress.path().is_empty() && progress.fog() == Fog::None);
    played?;
    say(&format!("{}; {}", kept?, command::place(&play)))
}

/// Whether a person sits at a terminal.
fn by_keys() -> bool {
    io::stdin().is_terminal()
        && io::stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// One line, written at once: whoever drives the run waits for it.
fn say(line: &str) -> Result<(), Failure> {
    output::write(None, format!("{line}\n"))
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
