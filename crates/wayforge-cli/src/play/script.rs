//! Playing by lines: each line a command, each command one line in answer.

use super::save_file::SaveFile;
use super::{Game, save, say};
use crate::failure::{Context, Failure};
use std::io::{self, BufRead, Read};
use wayforge_draw::Paint;

/// Longer lines hold no command.
const MAX: u64 = 4096;

/// Reads commands until one says quit or the input ends. `game` is the run as far as it came, also on a failure.
pub(crate) fn play<G: Game>(
    game: &mut G,
    file: &mut SaveFile<G::Save>,
    paint: Paint,
    input: &mut impl BufRead,
) -> Result<(), Failure> {
    say(&format!("{}: {}", game.title(), game.status()))?;
    while let Some(line) = read_line(input).about("standard input")? {
        let word = line.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            comment if comment.starts_with('#') => {}
            "q" | "quit" => return Ok(()),
            "save" => say(&save(game, file))?,
            _ => say(&answer(game, word, paint))?,
        }
    }
    Ok(())
}

/// Does what a command asks for and returns the answer: one line, unless it is a map.
pub(super) fn answer<G: Game>(game: &mut G, word: &str, paint: Paint) -> String {
    match word.to_ascii_lowercase().as_str() {
        "u" | "undo" if game.take_back() => game.status(),
        "u" | "undo" => format!("nothing to undo; {}", game.status()),
        "show" => game.ascii(paint).trim_end_matches('\n').to_owned(),
        "moves" => game.choices(),
        "h" | "help" => G::HELP.to_owned(),
        lower => {
            let unknown = || format!("{}: no such command; {}", quoted(word), G::HELP);
            game.walk(lower).unwrap_or_else(unknown)
        }
    }
}

/// What was typed, fit for one line of ASCII.
fn quoted(word: &str) -> String {
    const MAX: usize = 40;
    let short: String = word.chars().take(MAX).collect();
    let dots = if short.len() < word.len() { "..." } else { "" };
    format!("\"{}{dots}\"", short.escape_default())
}

/// One line without its end; `None` at the end of the input. What is not UTF-8 is read as replacement characters, and of a
/// line that is too long only the head is kept.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
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
