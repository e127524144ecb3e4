//! Plays floors and towers.

use super::frame::window;
use super::save_file::SaveFile;
use super::{Game, PlayArgs, play};
use crate::failure::{Context, Failure, reject};
use crate::number::counted;
use crossterm::event::KeyCode;
use std::path::PathBuf;
use wayforge::grid::Dir;
use wayforge::tower::{FloorStack, MoveError, SavedRun, TowerRun};
use wayforge_draw::{AsciiStyle, FloorScene, floor_ascii};

const KEYS: &str = "arrows step  o next step of the proven path  u undo  s save  q quit";

/// Plays a floor or a tower, or draws the saved run.
pub(super) fn run(args: &PlayArgs, save: PathBuf, start: TowerRun) -> Result<(), Failure> {
    if args.fog.is_some() {
        return reject("--fog: floors and towers have no fog; leave it out");
    }
    let save = SaveFile::open(save, SavedRun::decode, SavedRun::to_text, SavedRun::map)?;
    let run = match save.saved() {
        Some(saved) => start.resumed(saved).context(save.path().display())?,
        None => start,
    };
    if let Some(format) = args.picture.format()? {
        if args.picture.labels {
            return reject("--labels: only act maps have labels; leave it out");
        }
        return args.picture.write(&args.picture.bytes(FloorScene::from_run(&run), format)?);
    }
    play(run, save, args.color)
}

impl Game for TowerRun {
    type Save = SavedRun;
    const HELP: &'static str = "commands: n, e, s, w step; on takes the next step of the proven \
                                path, walk follows it to this floor's exit, climb to the last \
                                exit; undo (u), moves, show, save, quit (q)";

    fn title(&self) -> String {
        let FloorStack { algorithm, seed, .. } = self.stack();
        format!("{algorithm}, seed {}", seed.to_line())
    }

    fn location(&self) -> String {
        let (number, count) = (self.floor_number(), self.stack().floors.len());
        let steps = counted(self.len(), "step");
        format!("floor {number} of {count} at {}, {steps}", self.pos())
    }

    fn choices(&self) -> String {
        if self.is_finished() {
            return "the last exit is reached".to_owned();
        }
        let entity = |pos| self.floor().and_then(|floor| floor.entity(pos));
        let legal = self.moves().into_iter().map(|(dir, pos, tile)| {
            let letter = ["n", "e", "s", "w"][dir as usize / 2];
            let name = entity(pos).map_or(tile.name(), |entity| entity.kind.name());
            format!("{letter} {name}")
        });
        match legal.collect::<Vec<_>>().as_slice() {
            [] => "no legal move".to_owned(),
            names => format!("moves: {}", names.join(", ")),
        }
    }

    fn undo_step(&mut self) -> bool {
        self.undo()
    }

    fn execute_move(&mut self, word: &str) -> Option<String> {
        let result = match word {
            "n" | "north" => self.step(Dir::North),
            "e" | "east" => self.step(Dir::East),
            "s" | "south" => self.step(Dir::South),
            "w" | "west" => self.step(Dir::West),
            "on" => match self.next_step() {
                Some(dir) => self.step(dir),
                None => return Some(format!("no path leads on; {}", self.status())),
            },
            "walk" => {
                let floor = self.floor_number();
                follow_path(self, |run| run.floor_number() == floor)
            }
            "climb" => follow_path(self, |_| true),
            _ => return None,
        };
        Some(match result {
            Ok(()) => self.status(),
            Err(error) => format!("{error}; {}", self.status()),
        })
    }

    fn handle_key(&mut self, key: KeyCode) -> String {
        let word = match key {
            KeyCode::Up | KeyCode::Char('k') => "n",
            KeyCode::Right | KeyCode::Char('l') => "e",
            KeyCode::Down | KeyCode::Char('j') => "s",
            KeyCode::Left | KeyCode::Char('h') => "w",
            KeyCode::Char('o' | ' ') | KeyCode::Enter => "on",
            KeyCode::Char('u') | KeyCode::Backspace => return self.undo_with_message(),
            _ => return String::new(),
        };
        let floor = self.floor_number();
        let message = self.execute_move(word).unwrap_or_default();
        match self.floor_number() {
            // Errors start with the field name `step`.
            _ if word == "on" || message.starts_with("step") => message,
            new_floor if new_floor != floor => format!("up to floor {new_floor}"),
            _ => String::new(),
        }
    }

    fn ascii(&self, style: AsciiStyle) -> String {
        floor_ascii(&FloorScene::from_run(self), style)
    }

    /// Shows the part of the floor around the player, the status and the keys.
    fn frame(&self, message: &str, width: usize, height: usize, style: AsciiStyle) -> Vec<String> {
        let text = self.ascii(style);
        let (map, legend) = text.split_once("\n\n").unwrap_or((&text, ""));
        let map: Vec<&str> = map.lines().collect();
        let mut footer: Vec<String> = vec![String::new()];
        footer.extend(legend.lines().map(|line| format!(" {line}")));
        footer.push(format!(" {}", self.status()));
        footer.push(format!(" {}", if message.is_empty() { KEYS } else { message }));
        let (x, y) = (usize::from(self.pos().x), usize::from(self.pos().y));
        window(&map, &footer, [width, height], |rows| {
            [y.saturating_sub(rows / 2), x.saturating_sub(width / 2)]
        })
    }

    fn saved(&self) -> SavedRun {
        TowerRun::saved(self)
    }

    fn is_new(&self) -> bool {
        self.is_empty()
    }
}

/// Follows the proven path while `condition` holds.
fn follow_path(run: &mut TowerRun, condition: impl Fn(&TowerRun) -> bool) -> Result<(), MoveError> {
    while condition(run)
        && let Some(dir) = run.next_step()
    {
        run.step(dir)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::script::execute;
    use super::*;
    use wayforge::tower;

    fn start(text: &str) -> TowerRun {
        let spec = tower::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap();
        TowerRun::start(tower::generate(42.into(), &spec).unwrap())
    }

    #[test]
    fn every_frame_fits_its_screen_and_shows_the_player() {
        for text in
            ["{}", r#"{"floors":2,"boss":null,"floor":{"width":64,"height":64},"curves":[]}"#]
        {
            let mut run = start(text);
            while let Some(dir) = run.next_step() {
                for (width, height) in [(80, 24), (20, 10), (5, 2), (0, 0)] {
                    let lines = run.frame("", width, height, AsciiStyle::Plain);
                    assert!(lines.len() <= height.max(1));
                    assert!(
                        lines.iter().all(|line| line.is_ascii() && line.len() <= width),
                        "{lines:#?}"
                    );
                    if height >= 10 {
                        assert!(
                            lines.iter().any(|line| line.contains('@')),
                            "{}",
                            lines.join("\n")
                        );
                    }
                }
                run.step(dir).unwrap();
            }
            assert!(run.is_finished());
        }
    }

    #[test]
    fn commands_move_undo_and_print_the_status() {
        let mut run = start("{}");
        let mut execute = |word: &str| execute(&mut run, word, AsciiStyle::Plain);
        let first_moves = execute("moves");
        assert!(execute("undo").starts_with("nothing to undo; floor 1 of 10"));
        assert!(execute("on").contains(", 1 step; moves: "));
        assert!(execute("walk").starts_with("floor 2 of 10"));
        while !execute("undo").starts_with("nothing") {}
        assert_eq!(execute("moves"), first_moves);
        assert!(execute("climb").ends_with("the last exit is reached"));
        assert!(execute("n").starts_with("step = north: the run is finished; undo some steps"));
        assert!(execute("fly\u{1b}[A").starts_with("\"fly\\u{1b}[A\": unknown command"));
    }
}
