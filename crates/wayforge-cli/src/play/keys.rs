//! Playing by keys, without a terminal: what a key does to the run.

use super::command::{Command, moves, named};
use wayforge::act::Play;

/// A key, whatever terminal it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Left,
    Right,
    /// Up or Enter.
    Go,
    Down,
    Digit(usize),
    Undo,
    Save,
    Quit,
}

/// What a key leaves to be done by someone who may touch files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    None,
    Save,
    Quit,
}

/// A run on a screen: the chosen move, and the last remark.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) play: Play,
    /// The chosen one of the legal moves.
    pub(crate) chosen: usize,
    pub(crate) remark: String,
    /// Digits typed so far, where one is not enough.
    typed: usize,
}

impl Table {
    pub(crate) fn new(play: Play) -> Table {
        let mut table = Table { play, chosen: 0, remark: String::new(), typed: 0 };
        table.settle();
        table
    }

    /// Does what a key asks.
    pub(crate) fn press(&mut self, key: Key) -> Wish {
        self.remark.clear();
        let count = self.play.legal_moves().len();
        let typed = std::mem::take(&mut self.typed);
        match key {
            Key::Left if count > 0 => self.chosen = (self.chosen + count - 1) % count,
            Key::Right if count > 0 => self.chosen = (self.chosen + 1) % count,
            Key::Left | Key::Right => {}
            Key::Go => self.go(Command::Choose(self.chosen + 1)),
            Key::Digit(digit) if count <= 9 => self.go(Command::Choose(digit)),
            Key::Digit(digit) => self.type_digit(typed, digit, count),
            Key::Undo | Key::Down => match self.play.undo() {
                Some(former) => {
                    let left = self.play.current();
                    self.play = former;
                    self.settle();
                    let back = self.play.legal_moves().iter().position(|&step| Some(step) == left);
                    self.chosen = back.unwrap_or(self.chosen);
                }
                None => self.remark = "nothing to undo".to_owned(),
            },
            Key::Save => return Wish::Save,
            Key::Quit => return Wish::Quit,
        }
        Wish::None
    }

    fn go(&mut self, command: Command) {
        let Some(step) = command.step(&self.play) else { return };
        match step.and_then(|step| self.play.advance(step).map_err(|error| error.to_string())) {
            Ok(next) => {
                self.play = next;
                self.settle();
            }
            Err(_) if self.play.legal_moves().is_empty() => self.remark = moves(&self.play),
            Err(answer) => self.remark = answer,
        }
    }

    /// With ten moves and more a digit only chooses, and a second one goes on from it.
    fn type_digit(&mut self, typed: usize, digit: usize, count: usize) {
        let number = if (1..=count).contains(&(typed * 10 + digit)) { typed * 10 + digit } else { digit };
        if (1..=count).contains(&number) {
            self.chosen = number - 1;
            self.typed = number;
            self.remark =
                format!("{number} {}: Enter moves", named(&self.play, self.play.legal_moves()[self.chosen]));
        } else {
            self.remark = format!("{number}: no such move; 1 to {count}");
        }
    }

    /// Chooses the middle one of the new moves.
    fn settle(&mut self) {
        self.chosen = self.play.legal_moves().len().saturating_sub(1) / 2;
    }
}
