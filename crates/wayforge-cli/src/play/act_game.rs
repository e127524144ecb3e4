//! Plays act maps: a run and the move selected on the screen.

use super::frame::frame;
use super::save_file::SaveFile;
use super::{Game, PlayArgs, play};
use crate::failure::{Context, Failure};
use crossterm::event::KeyCode;
use std::path::PathBuf;
use wayforge::act::{Fog, Play, Progress, Step};
use wayforge_draw::{AsciiStyle, Scene, ascii};

/// Plays an act map, or draws the saved run.
pub(super) fn run(args: &PlayArgs, save: PathBuf, start: Play) -> Result<(), Failure> {
    let save = SaveFile::open(save, Progress::decode, Progress::to_text, Progress::map)?;
    let mut run = match save.saved() {
        Some(progress) => start.resumed(progress.clone()).context(save.path().display())?,
        None => start,
    };
    if let Some(fog) = args.fog {
        run = run.with_fog(fog);
    }
    if let Some(format) = args.picture.format()? {
        let scene = Scene { labels: args.picture.labels, ..Scene::from_play(&run) };
        return args.picture.write(&args.picture.bytes(scene, format)?);
    }
    play(ActGame::new(run), save, args.color)
}

/// A run of an act map with the selected move.
#[derive(Clone, Debug)]
pub(super) struct ActGame {
    pub(super) play: Play,
    /// Index of the selected legal move.
    pub(super) selected: usize,
    /// Number typed so far, if there are ten or more moves.
    typed: usize,
}

impl Game for ActGame {
    type Save = Progress;
    const HELP: &'static str = "commands: a number makes that move, c5 goes to column 5, boss, \
                                undo (u), show, moves, save, quit (q)";

    fn title(&self) -> String {
        let map = self.play.map();
        format!("{}, seed {}", map.spec.algorithm(), map.seed.to_line())
    }

    fn location(&self) -> String {
        match self.play.current() {
            None => "below row 0".to_owned(),
            Some(step) => format!("at {}", step_name(&self.play, step)),
        }
    }

    fn choices(&self) -> String {
        if self.play.is_finished() {
            return "the run is finished".to_owned();
        }
        match numbered_moves(&self.play).as_slice() {
            [] => "no legal move".to_owned(),
            moves => format!("moves: {}", moves.join(", ")),
        }
    }

    fn undo_step(&mut self) -> bool {
        let Some(previous) = self.play.undo() else { return false };
        let left = std::mem::replace(&mut self.play, previous).current();
        let undone = self.play.legal_moves().iter().position(|&step| Some(step) == left);
        self.select_middle();
        self.selected = undone.unwrap_or(self.selected);
        true
    }

    fn execute_move(&mut self, word: &str) -> Option<String> {
        let step = match word.strip_prefix('c') {
            _ if word == "boss" => Ok(Step::Boss),
            Some(col) => {
                // The row above the party. Row numbers of a map always fit in 16 bits.
                let row = u16::try_from(self.play.progress().path().len()).unwrap_or(u16::MAX);
                Ok(Step::Node { row, col: digits(col)? })
            }
            None => self.legal_move(digits(word)?),
        };
        Some(match self.advance(step) {
            Ok(()) => self.status(),
            Err(message) => message,
        })
    }

    fn handle_key(&mut self, key: KeyCode) -> String {
        let count = self.play.legal_moves().len();
        let typed = std::mem::take(&mut self.typed);
        match key {
            KeyCode::Left | KeyCode::Char('h') => {
                self.selected = (self.selected + count).saturating_sub(1) % count.max(1)
            }
            KeyCode::Right | KeyCode::Char('l') | KeyCode::Tab => {
                self.selected = (self.selected + 1) % count.max(1)
            }
            KeyCode::Up | KeyCode::Enter | KeyCode::Char('k' | ' ') => {
                return self.make_move(self.selected + 1);
            }
            KeyCode::Down | KeyCode::Backspace | KeyCode::Char('j' | 'u' | 'U') => {
                return self.undo_with_message();
            }
            KeyCode::Char(c @ '0'..='9') => {
                let digit = c as usize - '0' as usize;
                return if count <= 9 {
                    self.make_move(digit)
                } else {
                    self.type_digit(typed, digit, count)
                };
            }
            _ => {}
        }
        String::new()
    }

    fn ascii(&self, style: AsciiStyle) -> String {
        ascii(&Scene::from_play(&self.play), style)
    }

    fn frame(&self, message: &str, width: usize, height: usize, style: AsciiStyle) -> Vec<String> {
        frame(self, message, width, height, style)
    }

    fn saved(&self) -> Progress {
        self.play.progress().clone()
    }

    fn is_new(&self) -> bool {
        self.play.progress().path().is_empty() && self.play.progress().fog() == Fog::None
    }
}

impl ActGame {
    pub(super) fn new(play: Play) -> ActGame {
        let mut game = ActGame { play, selected: 0, typed: 0 };
        game.select_middle();
        game
    }

    /// Returns the legal move with a number, counted from 1.
    fn legal_move(&self, number: usize) -> Result<Step, String> {
        let step =
            number.checked_sub(1).and_then(|index| self.play.legal_moves().get(index).copied());
        step.ok_or_else(|| format!("{number}: no such move; {}", self.choices()))
    }

    fn advance(&mut self, step: Result<Step, String>) -> Result<(), String> {
        self.play = self.play.advance(step?).map_err(|error| error.to_string())?;
        self.select_middle();
        Ok(())
    }

    /// Makes the move with a number. Returns a message if there is no such move.
    fn make_move(&mut self, number: usize) -> String {
        match self.advance(self.legal_move(number)) {
            Ok(()) => String::new(),
            Err(_) if self.play.legal_moves().is_empty() => self.choices(),
            Err(message) => message,
        }
    }

    /// Selects a move by one or two digits, if there are ten or more moves.
    fn type_digit(&mut self, typed: usize, digit: usize, count: usize) -> String {
        let number =
            if (1..=count).contains(&(typed * 10 + digit)) { typed * 10 + digit } else { digit };
        if !(1..=count).contains(&number) {
            return format!("{number}: no such move; 1 to {count}");
        }
        (self.selected, self.typed) = (number - 1, number);
        format!("{}: press Enter to move", numbered_moves(&self.play)[self.selected])
    }

    fn select_middle(&mut self) {
        self.selected = self.play.legal_moves().len().saturating_sub(1) / 2;
    }
}

/// Lists the legal moves with their numbers, from 1.
pub(super) fn numbered_moves(play: &Play) -> Vec<String> {
    let legal = play.legal_moves().into_iter().enumerate();
    legal.map(|(index, step)| format!("{} {}", index + 1, step_name(play, step))).collect()
}

/// Returns the name of a step with its kind in parentheses, or `(hidden)` in the fog.
fn step_name(play: &Play, step: Step) -> String {
    match play.map().kind_name(play.kind_of(step)) {
        _ if !play.is_revealed(step) => format!("{step} (hidden)"),
        Some(name) if step != Step::Boss || name != "boss" => format!("{step} ({name})"),
        _ => step.to_string(),
    }
}

/// Parses a number of digits only, without a sign.
fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::script::execute;
    use super::*;
    use wayforge::act::{self, WalksConfig};

    fn game() -> ActGame {
        let spec = act::Config::Walks(WalksConfig::default()).resolve().unwrap();
        ActGame::new(Play::start(act::generate(42.into(), &spec).unwrap(), Fog::None))
    }

    #[test]
    fn commands_are_parsed_strictly_and_print_one_line() {
        let run = |line: &str| execute(&mut game(), line, AsciiStyle::Plain);
        for (line, parts) in [
            ("1", ["at Node 0,0", "; moves: 1 "]),
            ("12", ["12: no such move", "; moves: 1 "]),
            ("c6", ["Node 6,0 is not a legal move", "legal: Node 0,0"]),
            ("C0", ["at Node 0,0", "; moves: 1 "]),
            ("u", ["nothing to undo", "; below row 0"]),
            ("UNDO", ["nothing to undo", "; below row 0"]),
            ("boss", ["Boss is not a legal move", "legal: Node 0,0"]),
        ] {
            let output = run(line);
            assert!(parts.iter().all(|part| output.contains(part)), "{line}: {output}");
        }
        for line in [
            "+1",
            "-1",
            "c",
            "c-1",
            "c99999",
            "1 2",
            "99999999999999999999999",
            "\u{1b}[A",
            "é",
            "unddo",
        ] {
            let output = run(line);
            assert!(output.is_ascii() && !output.contains(['\n', '\u{1b}']), "{output}");
            assert!(output.contains("unknown command"), "{output}");
        }
        assert!(run(&"x".repeat(100_000)).len() < 300);
    }
}
