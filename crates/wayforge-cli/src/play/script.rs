//! Playing by lines: each line a command, each command one line in answer.

use super::command::{Command, HELP, moves, place, status};
use super::save_file::SaveFile;
use super::say;
use crate::failure::{Context, Failure};
use std::io::{self, BufRead, Read};
use wayforge::act::{Play, Progress};
use wayforge_draw::{Paint, Scene, ascii};

/// Longer lines hold no command.
const MAX: u64 = 4096;

/// Reads commands until one says quit or the input ends. `play` is the run as far as it came, also on a failure.
pub(crate) fn play(
    play: &mut Play,
    save: &mut SaveFile<Progress>,
    paint: Paint,
    input: &mut impl BufRead,
) -> Result<(), Failure> {
    let map = play.map();
    say(&format!("{}, seed {}: {}", map.spec.algorithm(), map.seed.to_line(), status(play)))?;
    while let Some(line) = read_line(input).about("standard input")? {
        let command = match Command::parse(&line) {
            Ok(None) => continue,
            Ok(Some(Command::Quit)) => return Ok(()),
            Ok(Some(command)) => command,
            Err(answer) => {
                say(&answer)?;
                continue;
            }
        };
        say(&answer(command, play, save, paint))?;
    }
    Ok(())
}

/// Does what a command asks and says what came of it.
fn answer(command: Command, play: &mut Play, save: &mut SaveFile<Progress>, paint: Paint) -> String {
    if let Some(step) = command.step(play) {
        let moved = step.and_then(|step| play.advance(step).map_err(|error| error.to_string()));
        return match moved {
            Ok(next) => {
                *play = next;
                status(play)
            }
            Err(answer) => answer,
        };
    }
    match command {
        Command::Undo => match play.undo() {
            Some(former) => {
                *play = former;
                status(play)
            }
            None => format!("nothing to undo; {}", status(play)),
        },
        Command::Show => ascii(&Scene::of_play(play), paint).trim_end_matches('\n').to_owned(),
        Command::Moves => moves(play),
        Command::Save => match save.write(play.progress()) {
            Ok(()) => format!("saved in {}; {}", save.path().display(), place(play)),
            Err(failure) => format!("not saved: {failure}"),
        },
        _ => HELP.to_owned(),
    }
}

/// One line without its end; `None` at the end of the input. What is not UTF-8 is read as replacement characters, and of a
/// line that is too long only the head is kept.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    while line.len() as u64 == MAX && line.last() != Some(&b'\n') {
        let mut rest = Vec::new();
        let read = input.by_ref().take(MAX).read_until(b'\n', &mut rest)?;
        if read == 0 || rest.last() == Some(&b'\n') {
            break;
        }
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_anywhere_and_long_ones_count_once() {
        let long = "9".repeat(3 * MAX as usize);
        let text = format!("one\r\n\n{long}\n{}\ntwo\u{ff}", &long[..MAX as usize]);
        let mut input = text.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line.trim_end().chars().take(5).collect::<String>());
        }
        assert_eq!(lines, ["one", "", "99999", "99999", "two\u{ff}"]);
        assert_eq!(read_line(&mut &b"\xff\xfe\n1"[..]).unwrap().unwrap(), "\u{fffd}\u{fffd}\n");
    }
}
