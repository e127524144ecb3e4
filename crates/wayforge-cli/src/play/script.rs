//! Plays from a script: one command per line, one line of output per command.

use super::save_file::SaveFile;
use super::{Game, print_line, save};
use crate::failure::{Context, Failure};
use std::io::{self, BufRead, Read};
use wayforge_draw::AsciiStyle;

/// Maximum length of a line in bytes. The rest of a longer line is discarded.
const MAX_LINE: u64 = 4096;

/// Executes commands until `quit` or the end of the input. On failure, `game` is the run so far.
pub(crate) fn play<G: Game>(
    game: &mut G,
    file: &mut SaveFile<G::Save>,
    style: AsciiStyle,
    input: &mut impl BufRead,
) -> Result<(), Failure> {
    print_line(&format!("{}: {}", game.title(), game.status()))?;
    while let Some(line) = read_line(input).context("standard input")? {
        let word = line.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            comment if comment.starts_with('#') => {}
            "q" | "quit" => return Ok(()),
            "save" => print_line(&save(game, file))?,
            _ => print_line(&execute(game, word, style))?,
        }
    }
    Ok(())
}

/// Executes a command and returns its output: one line, except for `show`.
pub(super) fn execute<G: Game>(game: &mut G, word: &str, style: AsciiStyle) -> String {
    match word.to_ascii_lowercase().as_str() {
        "u" | "undo" if game.undo_step() => game.status(),
        "u" | "undo" => format!("nothing to undo; {}", game.status()),
        "show" => game.ascii(style).trim_end_matches('\n').to_owned(),
        "moves" => game.choices(),
        "h" | "help" => G::HELP.to_owned(),
        lower => {
            let unknown = || format!("{}: unknown command; {}", quoted(word), G::HELP);
            game.execute_move(lower).unwrap_or_else(unknown)
        }
    }
}

/// Quotes user input as ASCII, shortened.
fn quoted(word: &str) -> String {
    const MAX_CHARS: usize = 40;
    let short: String = word.chars().take(MAX_CHARS).collect();
    let dots = if short.len() < word.len() { "..." } else { "" };
    format!("\"{}{dots}\"", short.escape_default())
}

/// Reads one line, or `None` at the end of the input.
///
/// Invalid UTF-8 becomes replacement characters. A line is cut at [`MAX_LINE`] bytes.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    while line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        let mut rest = Vec::new();
        let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut rest)?;
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
    fn long_lines_are_cut_and_read_as_one_line() {
        let long = "9".repeat(3 * MAX_LINE as usize);
        let text = format!("one\r\n\n{long}\n{}\ntwo\u{ff}", &long[..MAX_LINE as usize]);
        let mut input = text.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line.trim_end().chars().take(5).collect::<String>());
        }
        assert_eq!(lines, ["one", "", "99999", "99999", "two\u{ff}"]);
        assert_eq!(read_line(&mut &b"\xff\xfe\n1"[..]).unwrap().unwrap(), "\u{fffd}\u{fffd}\n");
    }
}
