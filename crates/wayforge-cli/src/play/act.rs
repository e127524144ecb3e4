//! Playing an act map: a run and the move that is chosen on the screen.

use super::frame::frame;
use super::save_file::SaveFile;
use super::{Game, PlayArgs, play};
use crate::failure::{Context, Failure};
use crossterm::event::KeyCode;
use std::path::PathBuf;
use wayforge::act::{ActMap, Fog, Play, Progress, Step};
use wayforge_draw::{Paint, Scene, ascii};

/// Plays an act map, or draws the saved run.
pub(super) fn run(args: &PlayArgs, save: PathBuf, map: ActMap) -> Result<(), Failure> {
    let save = SaveFile::open(save, Progress::decode, Progress::to_text, Progress::map)?;
    let mut run = match save.held() {
        Some(progress) => Play::resume(map, progress.clone()).about(save.path().display())?,
        None => Play::start(map, args.fog.unwrap_or_default()),
    };
    if let Some(fog) = args.fog {
        run = run.with_fog(fog);
    }
    if let Some(format) = args.picture.format()? {
        let scene = Scene { labels: args.picture.labels, ..Scene::of_play(&run) };
        return args.picture.write(&args.picture.bytes(&scene, format)?);
    }
    play(Table::new(run), save, args.color)
}

/// A run on a screen, with the chosen move.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) play: Play,
    /// The chosen one of the legal moves.
    pub(super) chosen: usize,
    /// The number typed so far, where one digit is not enough.
    typed: usize,
}

impl Game for Table {
    type Save = Progress;
    const HELP: &'static str = "commands: a number chooses among the moves, c5 goes to column 5, boss, undo (u), show, moves, save, quit (q)";

    fn title(&self) -> String {
        let map = self.play.map();
        format!("{}, seed {}", map.spec.algorithm(), map.seed.to_line())
    }

    fn place(&self) -> String {
        match self.play.current() {
            None => "below row 0".to_owned(),
            Some(step) => format!("at {}", named(&self.play, step)),
        }
    }

    fn choices(&self) -> String {
        if self.play.is_finished() {
            return "the run is finished".to_owned();
        }
        match numbered_moves(&self.play).as_slice() {
            [] => "no way leads on".to_owned(),
            moves => format!("moves: {}", moves.join(", ")),
        }
    }

    fn take_back(&mut self) -> bool {
        let Some(former) = self.play.undo() else { return false };
        let left = std::mem::replace(&mut self.play, former).current();
        let taken_back = self.play.legal_moves().iter().position(|&step| Some(step) == left);
        self.choose_middle();
        self.chosen = taken_back.unwrap_or(self.chosen);
        true
    }

    fn walk(&mut self, word: &str) -> Option<String> {
        let step = match word.strip_prefix('c') {
            _ if word == "boss" => Ok(Step::Boss),
            Some(col) => {
                // The row above the party; a path is never longer than rows are numbered.
                let row = u16::try_from(self.play.progress().path().len()).unwrap_or(u16::MAX);
                Ok(Step::Node { row, col: digits(col)? })
            }
            None => self.legal_move(digits(word)?),
        };
        Some(match self.advance(step) {
            Ok(()) => self.status(),
            Err(answer) => answer,
        })
    }

    fn press(&mut self, key: KeyCode) -> String {
        let count = self.play.legal_moves().len();
        let typed = std::mem::take(&mut self.typed);
        match key {
            KeyCode::Left | KeyCode::Char('h') => {
                self.chosen = (self.chosen + count).saturating_sub(1) % count.max(1)
            }
            KeyCode::Right | KeyCode::Char('l') | KeyCode::Tab => {
                self.chosen = (self.chosen + 1) % count.max(1)
            }
            KeyCode::Up | KeyCode::Enter | KeyCode::Char('k' | ' ') => return self.make(self.chosen + 1),
            KeyCode::Down | KeyCode::Backspace | KeyCode::Char('j' | 'u' | 'U') => {
                return self.undo_or_remark();
            }
            KeyCode::Char(c @ '0'..='9') => {
                let digit = c as usize - '0' as usize;
                return if count <= 9 { self.make(digit) } else { self.type_digit(typed, digit, count) };
            }
            _ => {}
        }
        String::new()
    }

    fn ascii(&self, paint: Paint) -> String {
        ascii(&Scene::of_play(&self.play), paint)
    }

    fn frame(&self, remark: &str, width: usize, height: usize, paint: Paint) -> Vec<String> {
        frame(self, remark, width, height, paint)
    }

    fn saved(&self) -> Progress {
        self.play.progress().clone()
    }

    fn is_new(&self) -> bool {
        self.play.progress().path().is_empty() && self.play.progress().fog() == Fog::None
    }
}

impl Table {
    pub(super) fn new(play: Play) -> Table {
        let mut table = Table { play, chosen: 0, typed: 0 };
        table.choose_middle();
        table
    }

    /// The legal move of a number, counted from 1.
    fn legal_move(&self, number: usize) -> Result<Step, String> {
        let step = number.checked_sub(1).and_then(|place| self.play.legal_moves().get(place).copied());
        step.ok_or_else(|| format!("{number}: no such move; {}", self.choices()))
    }

    fn advance(&mut self, step: Result<Step, String>) -> Result<(), String> {
        self.play = self.play.advance(step?).map_err(|error| error.to_string())?;
        self.choose_middle();
        Ok(())
    }

    /// Makes the move of a number; returns a remark if there is none.
    fn make(&mut self, number: usize) -> String {
        match self.advance(self.legal_move(number)) {
            Ok(()) => String::new(),
            Err(_) if self.play.legal_moves().is_empty() => self.choices(),
            Err(answer) => answer,
        }
    }

    /// With ten moves and more a digit only chooses, and a second one goes on from it.
    fn type_digit(&mut self, typed: usize, digit: usize, count: usize) -> String {
        let number = if (1..=count).contains(&(typed * 10 + digit)) { typed * 10 + digit } else { digit };
        if !(1..=count).contains(&number) {
            return format!("{number}: no such move; 1 to {count}");
        }
        (self.chosen, self.typed) = (number - 1, number);
        format!("{}: Enter moves", numbered_moves(&self.play)[self.chosen])
    }

    fn choose_middle(&mut self) {
        self.chosen = self.play.legal_moves().len().saturating_sub(1) / 2;
    }
}

/// The legal moves with their numbers, from 1.
pub(super) fn numbered_moves(play: &Play) -> Vec<String> {
    let legal = play.legal_moves().into_iter().enumerate();
    legal.map(|(place, step)| format!("{} {}", place + 1, named(play, step))).collect()
}

/// A step with its kind in brackets; what the fog hides has no kind.
fn named(play: &Play, step: Step) -> String {
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

#[cfg(test)]
mod tests {
    use super::super::script::answer;
    use super::*;
    use wayforge::act::{self, WalksConfig};

    fn table() -> Table {
        let spec = act::Config::Walks(WalksConfig::default()).resolve().unwrap();
        Table::new(Play::start(act::generate(42.into(), &spec).unwrap(), Fog::None))
    }

    #[test]
    fn lines_are_read_strictly_and_answered_in_one_line() {
        let say = |line: &str| answer(&mut table(), line, Paint::Plain);
        for (line, parts) in [
            ("1", ["at Node 0,0", "; moves: 1 "]),
            ("12", ["12: no such move", "; moves: 1 "]),
            ("c6", ["Node 6,0 is not a legal move", "legal: Node 0,0"]),
            ("C0", ["at Node 0,0", "; moves: 1 "]),
            ("u", ["nothing to undo", "; below row 0"]),
            ("UNDO", ["nothing to undo", "; below row 0"]),
            ("boss", ["Boss is not a legal move", "legal: Node 0,0"]),
        ] {
            let answer = say(line);
            assert!(parts.iter().all(|part| answer.contains(part)), "{line}: {answer}");
        }
        for line in
            ["+1", "-1", "c", "c-1", "c99999", "1 2", "99999999999999999999999", "\u{1b}[A", "é", "unddo"]
        {
            let answer = say(line);
            assert!(answer.is_ascii() && !answer.contains(['\n', '\u{1b}']), "{answer}");
            assert!(answer.contains("no such command"), "{answer}");
        }
        assert!(say(&"x".repeat(100_000)).len() < 300);
    }
}
