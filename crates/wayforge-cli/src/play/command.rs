//! What can be asked of a run in one line, and the line that answers. Pure: no file, no terminal.

use wayforge::act::{Play, Step};

/// The commands in one line.
pub(crate) const HELP: &str = "commands: a number chooses among the moves, c5 goes to column 5, boss, undo (u), show, moves, save, quit (q)";

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// One of the legal moves, counted from 1.
    Choose(usize),
    /// The node of the next row in this column.
    Col(u16),
    Boss,
    Undo,
    Show,
    Moves,
    Save,
    Quit,
    Help,
}

impl Command {
    /// Reads a line; `None` for a blank one or a comment.
    pub(crate) fn parse(line: &str) -> Result<Option<Command>, String> {
        let word = line.trim();
        if word.is_empty() || word.starts_with('#') {
            return Ok(None);
        }
        let command = match word.to_ascii_lowercase().as_str() {
            "u" | "undo" => Some(Command::Undo),
            "show" => Some(Command::Show),
            "moves" => Some(Command::Moves),
            "save" => Some(Command::Save),
            "q" | "quit" => Some(Command::Quit),
            "boss" => Some(Command::Boss),
            "h" | "help" => Some(Command::Help),
            other => match other.strip_prefix('c') {
                Some(col) => digits(col).map(Command::Col),
                None => digits(other).map(Command::Choose),
            },
        };
        command.map(Some).ok_or_else(|| format!("{}: no such command; {HELP}", quoted(word)))
    }

    /// The step that a command asks for, if it asks for one. A number beyond the moves is answered with them.
    pub(crate) fn step(self, play: &Play) -> Option<Result<Step, String>> {
        match self {
            Command::Choose(number) => {
                let step = number.checked_sub(1).and_then(|place| play.legal_moves().get(place).copied());
                Some(step.ok_or_else(|| format!("{number}: no such move; {}", moves(play))))
            }
            Command::Col(col) => {
                // The row above the party; a path is never longer than rows are numbered.
                let row = u16::try_from(play.progress().path().len()).unwrap_or(u16::MAX);
                Some(Ok(Step::Node { row, col }))
            }
            Command::Boss => Some(Ok(Step::Boss)),
            _ => None,
        }
    }
}

/// Where the party is, and where it may go.
pub(crate) fn status(play: &Play) -> String {
    format!("{}; {}", place(play), moves(play))
}

/// Where the party is.
pub(crate) fn place(play: &Play) -> String {
    match play.current() {
        None => "below row 0".to_owned(),
        Some(step) => format!("at {}", named(play, step)),
    }
}

/// The legal moves with their numbers, or why there are none.
pub(crate) fn moves(play: &Play) -> String {
    if play.is_finished() {
        return "the run is finished".to_owned();
    }
    let legal = play.legal_moves();
    if legal.is_empty() {
        return "no way leads on".to_owned();
    }
    let entry = |(place, &step): (usize, &Step)| format!("{} {}", place + 1, named(play, step));
    format!("moves: {}", legal.iter().enumerate().map(entry).collect::<Vec<_>>().join(", "))
}

/// A step with its kind in brackets; what the fog hides has no kind.
pub(crate) fn named(play: &Play, step: Step) -> String {
    match play.map().kind_name(play.kind_of(step)) {
        _ if !play.is_revealed(step) => format!("{step} (hidden)"),
        Some(name) if step != Step::Boss || name != "boss" => format!("{step} ({name})"),
        _ => step.to_string(),
    }
}

/// Digits and nothing else: a sign is no part of a number here.
fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// What was typed, fit for one line of ASCII.
fn quoted(word: &str) -> String {
    const MAX: usize = 40;
    let short: String = word.chars().take(MAX).collect();
    let dots = if short.len() < word.len() { "..." } else { "" };
    format!("\"{}{dots}\"", short.escape_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_strictly_and_answered_in_one_line() {
        for (line, command) in [
            ("1", Command::Choose(1)),
            (" 12 \r", Command::Choose(12)),
            ("c5", Command::Col(5)),
            ("C0", Command::Col(0)),
            ("u", Command::Undo),
            ("UNDO", Command::Undo),
            ("quit", Command::Quit),
            ("boss", Command::Boss),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(command)), "{line}");
        }
        assert_eq!(Command::parse("  "), Ok(None));
        assert_eq!(Command::parse("# walk left"), Ok(None));
        for line in
            ["+1", "-1", "c", "c-1", "c99999", "1 2", "99999999999999999999999", "\u{1b}[A", "é", "unddo"]
        {
            let answer = Command::parse(line).unwrap_err();
            assert!(answer.is_ascii() && !answer.contains(['\n', '\u{1b}']), "{answer}");
            assert!(answer.contains("no such command"), "{answer}");
        }
        assert!(Command::parse(&"x".repeat(100_000)).unwrap_err().len() < 300);
    }
}
