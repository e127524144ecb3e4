//! Climbing a tower: by keys on a terminal or by lines from a script.

use super::frame::{clip, visible};
use super::save_file::SaveFile;
use super::script::read_line;
use super::terminal::{Screen, draw_lines, refuse};
use super::{PlayArgs, by_keys, paint, say};
use crate::failure::{Context, Failure};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io;
use std::path::PathBuf;
use wayforge::grid::Dir;
use wayforge::tower::{Climb, Steps, Storeys};
use wayforge_draw::{FloorScene, Paint, ascii_floors};

const HELP: &str = "commands: n, e, s, w step; on takes the next step of the proven way, walk goes on to this floor's exit, climb to the last one; undo (u), moves, show, save, quit (q)";
const KEYS: &str = "arrows step  o next step of the proven way  u undo  s save  q quit";

/// Plays until the input ends or the player quits, and saves the climb.
pub(crate) fn run(args: &PlayArgs, save: PathBuf, storeys: Storeys) -> Result<(), Failure> {
    if args.fog.is_some() {
        return Err(Failure::Input("--fog: floors and towers have none; leave it out".into()));
    }
    let mut save = SaveFile::open(save)?;
    let mut climb = match save.held() {
        Some(steps) => Climb::resume(storeys, steps).about(save.path().display())?,
        None => Climb::start(storeys),
    };
    if let Some(suffix) = args.picture.suffix()? {
        if args.picture.labels {
            return Err(Failure::Input("--labels: only act maps have labels; leave it out".into()));
        }
        return args.picture.write(&args.picture.bytes(&FloorScene::of_climb(&climb), suffix)?);
    }
    save.check_folder()?;
    let paint = paint(args.color);
    let played = match by_keys() {
        true => play_keys(&mut climb, &mut save, paint),
        false => play_lines(&mut climb, &mut save, paint, &mut io::stdin().lock()),
    };
    // Whatever ended the climb, what was walked is kept; the first failure is the one to report.
    let kept = save.keep(&climb.saved(), climb.is_empty());
    played?;
    say(&format!("{}; {}", kept?, place(&climb)))
}

/// Reads commands until one says quit or the input ends.
fn play_lines(
    climb: &mut Climb,
    save: &mut SaveFile<Steps>,
    paint: Paint,
    input: &mut impl io::BufRead,
) -> Result<(), Failure> {
    let Storeys { algorithm, seed, .. } = climb.storeys();
    say(&format!("{algorithm}, seed {}: {}", seed.to_line(), status(climb)))?;
    while let Some(line) = read_line(input).about("standard input")? {
        let word = line.trim().to_ascii_lowercase();
        match word.as_str() {
            "" => {}
            "q" | "quit" => return Ok(()),
            comment if comment.starts_with('#') => {}
            word => say(&answer(word, climb, save, paint))?,
        }
    }
    Ok(())
}

/// Does what a command asks and says what came of it.
fn answer(word: &str, climb: &mut Climb, save: &mut SaveFile<Steps>, paint: Paint) -> String {
    let dir = match word {
        "n" | "north" => Some(Dir::North),
        "e" | "east" => Some(Dir::East),
        "s" | "south" => Some(Dir::South),
        "w" | "west" => Some(Dir::West),
        _ => None,
    };
    if let Some(dir) = dir {
        return match climb.step(dir) {
            Ok(()) => status(climb),
            Err(error) => format!("{error}; {}", status(climb)),
        };
    }
    match word {
        "on" => match walk(climb, |_, steps| steps == 0) {
            true => status(climb),
            false => format!("no way leads on; {}", status(climb)),
        },
        "walk" => {
            let floor = climb.floor_number();
            walk(climb, |climb, _| climb.floor_number() == floor);
            status(climb)
        }
        "climb" => {
            walk(climb, |_, _| true);
            status(climb)
        }
        "u" | "undo" => match climb.undo() {
            true => status(climb),
            false => format!("nothing to undo; {}", status(climb)),
        },
        "moves" => moves(climb),
        "show" => ascii_floors(&FloorScene::of_climb(climb), paint).trim_end_matches('\n').to_owned(),
        "save" => match save.write(&climb.saved()) {
            Ok(()) => format!("saved in {}; {}", save.path().display(), place(climb)),
            Err(failure) => format!("not saved: {failure}"),
        },
        "h" | "help" => HELP.to_owned(),
        other => {
            let short: String = other.chars().take(40).collect();
            format!("\"{}\": no such command; {HELP}", short.escape_default())
        }
    }
}

/// Walks along the proven way while `go` says so; false if no step was taken.
fn walk(climb: &mut Climb, go: impl Fn(&Climb, usize) -> bool) -> bool {
    let mut steps = 0;
    while go(climb, steps)
        && let Some(dir) = climb.way_on()
        && climb.step(dir).is_ok()
    {
        steps += 1;
    }
    steps > 0
}

fn status(climb: &Climb) -> String {
    format!("{}; {}", place(climb), moves(climb))
}

fn place(climb: &Climb) -> String {
    let (number, count) = (climb.floor_number(), climb.storeys().floors.len());
    let noun = if climb.len() == 1 { "step" } else { "steps" };
    format!("floor {number} of {count} at {}, {} {noun}", climb.pos(), climb.len())
}

fn moves(climb: &Climb) -> String {
    if climb.is_finished() {
        return "the last exit is reached".to_owned();
    }
    let entity = |pos| climb.floor().and_then(|floor| floor.entity(pos));
    let legal = climb.moves();
    let names = legal.iter().map(|&(dir, pos, tile)| {
        let letter = ["n", "e", "s", "w"][dir as usize / 2];
        let what = entity(pos).map_or(tile.name(), |entity| entity.kind.name());
        format!("{letter} {what}")
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() { "no way leads on".to_owned() } else { format!("moves: {}", names.join(", ")) }
}

/// Plays until the player quits.
fn play_keys(climb: &mut Climb, save: &mut SaveFile<Steps>, paint: Paint) -> Result<(), Failure> {
    let screen = Screen::open().map_err(refuse)?;
    let mut remark = String::new();
    let played = (|| {
        loop {
            draw_lines(|width, height| frame(climb, &remark, width, height, paint))?;
            let key = match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => key,
                _ => continue,
            };
            remark.clear();
            match meaning(key) {
                Some("q") => return Ok(()),
                Some(word @ ("save" | "on")) => remark = answer(word, climb, save, paint),
                Some("u") if !climb.undo() => remark = "nothing to undo".to_owned(),
                Some(word @ ("n" | "e" | "s" | "w")) => {
                    let floor = climb.floor_number();
                    let said = answer(word, climb, save, paint);
                    if said.starts_with("step") {
                        remark = said;
                    } else if climb.floor_number() != floor {
                        remark = format!("up to floor {}", climb.floor_number());
                    }
                }
                _ => {}
            }
        }
    })();
    drop(screen);
    played.map_err(refuse)
}

/// The command that a key stands for.
fn meaning(key: KeyEvent) -> Option<&'static str> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'd')).then_some("q");
    }
    match key.code {
        KeyCode::Up | KeyCode::Char('k') => Some("n"),
        KeyCode::Right | KeyCode::Char('l') => Some("e"),
        KeyCode::Down | KeyCode::Char('j') => Some("s"),
        KeyCode::Left | KeyCode::Char('h') => Some("w"),
        KeyCode::Char('o' | ' ') | KeyCode::Enter => Some("on"),
        KeyCode::Char('u') | KeyCode::Backspace => Some("u"),
        KeyCode::Char('s') => Some("save"),
        KeyCode::Char('q') | KeyCode::Esc => Some("q"),
        _ => None,
    }
}

/// One screen: a window on the floor around the climber, where that is, the keys. At most as large as the screen.
fn frame(climb: &Climb, remark: &str, width: usize, height: usize, paint: Paint) -> Vec<String> {
    let text = ascii_floors(&FloorScene::of_climb(climb), paint);
    let (map, legend) = text.split_once("\n\n").unwrap_or((&text, ""));
    let map: Vec<&str> = map.lines().collect();
    let mut foot: Vec<String> = vec![String::new()];
    foot.extend(legend.lines().map(|line| format!(" {line}")));
    foot.push(format!(" {}", status(climb)));
    foot.push(format!(" {}", if remark.is_empty() { KEYS } else { remark }));
    let room = height.saturating_sub(foot.len()).max(1);
    let pos = climb.pos();
    let top = usize::from(pos.y).saturating_sub(room / 2).min(map.len().saturating_sub(room));
    let widest = map.iter().map(|line| visible(line).count()).max().unwrap_or(0);
    let left = usize::from(pos.x).saturating_sub(width / 2).min(widest.saturating_sub(width));
    let mut lines: Vec<String> = map[top..].iter().take(room).map(|line| clip(line, left, width)).collect();
    lines.extend(foot.iter().map(|line| clip(line, 0, width)));
    lines.truncate(height.max(1));
    lines
}

#[cfg(test)]
mod tests {
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
                    let lines = frame(&climb, "", width, height, Paint::Plain);
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
        let mut save = SaveFile::open(PathBuf::from("/dev/null")).unwrap();
        let mut say = |word: &str| answer(word, &mut climb, &mut save, Paint::Plain);
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
