//! Climbing a tower: by keys on a terminal or by lines from a script.

use super::frame::window;
use super::save_file::SaveFile;
use super::{Game, PlayArgs, play};
use crate::failure::{Context, Failure, reject};
use crossterm::event::KeyCode;
use std::path::PathBuf;
use wayforge::InputError;
use wayforge::grid::Dir;
use wayforge::tower::{Climb, Steps, Storeys};
use wayforge_draw::{FloorScene, Paint, ascii_floors};

const KEYS: &str = "arrows step  o next step of the proven way  u undo  s save  q quit";

/// Plays a floor or a tower, or draws the saved climb.
pub(super) fn run(args: &PlayArgs, save: PathBuf, storeys: Storeys) -> Result<(), Failure> {
    if args.fog.is_some() {
        return reject("--fog: floors and towers have none; leave it out");
    }
    let save = SaveFile::open(save, Steps::decode, Steps::to_text, Steps::map)?;
    let climb = match save.held() {
        Some(steps) => Climb::resume(storeys, steps).about(save.path().display())?,
        None => Climb::start(storeys),
    };
    if let Some(format) = args.picture.format()? {
        if args.picture.labels {
            return reject("--labels: only act maps have labels; leave it out");
        }
        return args.picture.write(&args.picture.bytes(&FloorScene::of_climb(&climb), format)?);
    }
    play(climb, save, args.color)
}

impl Game for Climb {
    type Save = Steps;
    const HELP: &'static str = "commands: n, e, s, w step; on takes the next step of the proven way, walk goes on to this floor's exit, climb to the last one; undo (u), moves, show, save, quit (q)";

    fn title(&self) -> String {
        let Storeys { algorithm, seed, .. } = self.storeys();
        format!("{algorithm}, seed {}", seed.to_line())
    }

    fn place(&self) -> String {
        let (number, count) = (self.floor_number(), self.storeys().floors.len());
        let noun = if self.len() == 1 { "step" } else { "steps" };
        format!("floor {number} of {count} at {}, {} {noun}", self.pos(), self.len())
    }

    fn choices(&self) -> String {
        if self.is_finished() {
            return "the last exit is reached".to_owned();
        }
        let entity = |pos| self.floor().and_then(|floor| floor.entity(pos));
        let legal = self.moves().into_iter().map(|(dir, pos, tile)| {
            let letter = ["n", "e", "s", "w"][dir as usize / 2];
            let what = entity(pos).map_or(tile.name(), |entity| entity.kind.name());
            format!("{letter} {what}")
        });
        match legal.collect::<Vec<_>>().as_slice() {
            [] => "no way leads on".to_owned(),
            names => format!("moves: {}", names.join(", ")),
        }
    }

    fn take_back(&mut self) -> bool {
        self.undo()
    }

    fn walk(&mut self, word: &str) -> Option<String> {
        let stepped = match word {
            "n" | "north" => self.step(Dir::North),
            "e" | "east" => self.step(Dir::East),
            "s" | "south" => self.step(Dir::South),
            "w" | "west" => self.step(Dir::West),
            "on" => match self.way_on() {
                Some(dir) => self.step(dir),
                None => return Some(format!("no way leads on; {}", self.status())),
            },
            "walk" => {
                let floor = self.floor_number();
                follow(self, |climb| climb.floor_number() == floor)
            }
            "climb" => follow(self, |_| true),
            _ => return None,
        };
        Some(match stepped {
            Ok(()) => self.status(),
            Err(error) => format!("{error}; {}", self.status()),
        })
    }

    fn press(&mut self, key: KeyCode) -> String {
        let word = match key {
            KeyCode::Up | KeyCode::Char('k') => "n",
            KeyCode::Right | KeyCode::Char('l') => "e",
            KeyCode::Down | KeyCode::Char('j') => "s",
            KeyCode::Left | KeyCode::Char('h') => "w",
            KeyCode::Char('o' | ' ') | KeyCode::Enter => "on",
            KeyCode::Char('u') | KeyCode::Backspace => return self.undo_or_remark(),
            _ => return String::new(),
        };
        let floor = self.floor_number();
        let said = self.walk(word).unwrap_or_default();
        match self.floor_number() {
            _ if word == "on" || said.starts_with("step") => said,
            now if now != floor => format!("up to floor {now}"),
            _ => String::new(),
        }
    }

    fn ascii(&self, paint: Paint) -> String {
        ascii_floors(&FloorScene::of_climb(self), paint)
    }

    /// A window on the floor around the climber, where that is, and the keys.
    fn frame(&self, remark: &str, width: usize, height: usize, paint: Paint) -> Vec<String> {
        let text = self.ascii(paint);
        let (map, legend) = text.split_once("\n\n").unwrap_or((&text, ""));
        let map: Vec<&str> = map.lines().collect();
        let mut foot: Vec<String> = vec![String::new()];
        foot.extend(legend.lines().map(|line| format!(" {line}")));
        foot.push(format!(" {}", self.status()));
        foot.push(format!(" {}", if remark.is_empty() { KEYS } else { remark }));
        let (x, y) = (usize::from(self.pos().x), usize::from(self.pos().y));
        window(&map, &foot, [width, height], |rows| [y.saturating_sub(rows / 2), x.saturating_sub(width / 2)])
    }

    fn saved(&self) -> Steps {
        Climb::saved(self)
    }

    fn is_new(&self) -> bool {
        self.is_empty()
    }
}

/// Walks along the proven path while `go` says so.
fn follow(climb: &mut Climb, go: impl Fn(&Climb) -> bool) -> Result<(), InputError> {
    while go(climb)
        && let Some(dir) = climb.way_on()
    {
        climb.step(dir)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::script::answer;
    use super::*;
    use wayforge::tower;

    fn climb(text: &str) -> Climb {
        let spec = tower::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap();
        Climb::start(tower::generate(42.into(), &spec).unwrap())
    }

    #[test]
    fn every_frame_fits_its_screen_and_shows_the_climber() {
        for text in ["{}", r#"{"floors":2,"boss":null,"floor":{"width":64,"height":64},"curves":[]}"#] {
            let mut climb = climb(text);
            while let Some(dir) = climb.way_on() {
                for (width, height) in [(80, 24), (20, 10), (5, 2), (0, 0)] {
                    let lines = climb.frame("", width, height, Paint::Plain);
                    assert!(lines.len() <= height.max(1));
                    assert!(lines.iter().all(|line| line.is_ascii() && line.len() <= width), "{lines:#?}");
                    if height >= 10 {
                        assert!(lines.iter().any(|line| line.contains('@')), "{}", lines.join("\n"));
                    }
                }
                climb.step(dir).unwrap();
            }
            assert!(climb.is_finished());
        }
    }

    #[test]
    fn commands_walk_take_back_and_say_where() {
        let mut climb = climb("{}");
        let mut say = |word: &str| answer(&mut climb, word, Paint::Plain);
        let start = say("moves");
        assert!(say("undo").starts_with("nothing to undo; floor 1 of 10"));
        assert!(say("on").contains(", 1 step; moves: "));
        assert!(say("walk").starts_with("floor 2 of 10"));
        while !say("undo").starts_with("nothing") {}
        assert_eq!(say("moves"), start);
        assert!(say("climb").ends_with("the last exit is reached"));
        assert!(say("n").starts_with("step = north: nothing to walk on; the climb is over"));
        assert!(say("fly\u{1b}[A").starts_with("\"fly\\u{1b}[A\": no such command"));
    }
}
