//! Lays out one screen of a run as text: part of the map, the moves and the keys.

use super::Game;
use super::act_game::{ActGame, numbered_moves};
use std::fmt::Write;
use wayforge::act::Step;
use wayforge_draw::{AsciiStyle, Scene, ascii};

const KEYS: &str = "left/right select  up move  1-9 move  u undo  s save  q quit";

/// Lays out the screen of an act map in at most `height` lines of at most `width` visible
/// characters.
pub(super) fn frame(
    game: &ActGame,
    message: &str,
    width: usize,
    height: usize,
    style: AsciiStyle,
) -> Vec<String> {
    let text = ascii(&Scene::from_play(&game.play), style);
    let (map, legend) = text.rsplit_once("\n\n").unwrap_or((&text, ""));
    let mut map: Vec<String> = map.lines().map(str::to_owned).collect();
    let focus = mark_selection(game, &mut map);
    let mut footer = vec![String::new(), status_line(game), move_line(game, width, style)];
    footer.push(format!(" {}", if message.is_empty() { KEYS } else { message }));
    // A small screen omits the legend. Its last line, the caption, is never shown.
    let mut kinds: Vec<String> = legend.lines().map(str::to_owned).collect();
    kinds.pop();
    if map.len().min(16) + footer.len() + kinds.len() < height && !kinds.is_empty() {
        footer.splice(0..0, std::iter::once(String::new()).chain(kinds));
    }
    let (row, x) = focus.unwrap_or((map.len().saturating_sub(1), 0));
    window(&map, &footer, [width, height], |rows| {
        [(row + 1).saturating_sub(rows * 2 / 3), (x + 1).saturating_sub(width / 2)]
    })
}

/// Clips a map to the screen and puts `footer` below it.
///
/// `corner` returns the preferred top row and left column for a number of map rows.
pub(super) fn window<S: AsRef<str>>(
    map: &[S],
    footer: &[String],
    [width, height]: [usize; 2],
    corner: impl Fn(usize) -> [usize; 2],
) -> Vec<String> {
    let rows = height.saturating_sub(footer.len()).max(1);
    let [top, left] = corner(rows);
    let top = top.min(map.len().saturating_sub(rows));
    let widest = map.iter().map(|line| visible(line.as_ref()).count()).max().unwrap_or(0);
    let left = left.min(widest.saturating_sub(width));
    let visible_rows = map[top..].iter().take(rows).map(|line| clip(line.as_ref(), left, width));
    let mut lines: Vec<String> =
        visible_rows.chain(footer.iter().map(|line| clip(line, 0, width))).collect();
    lines.truncate(height.max(1));
    lines
}

/// Changes the brackets of the selected move to braces. Returns its line and column, or those of
/// the party if it cannot move.
///
/// The legal moves are the reachable nodes of the next row, in order, drawn as `<x>`.
fn mark_selection(game: &ActGame, map: &mut [String]) -> Option<(usize, usize)> {
    let play = &game.play;
    let line_of = |step: Step| match step {
        // The boss is on the first line.
        Step::Boss => Some(0),
        Step::Node { row, .. } => map.iter().position(|line| {
            let text: String = visible(line).map(|(_, c)| c).collect();
            text.split_whitespace().next().is_some_and(|label| label == row.to_string())
        }),
    };
    let Some(&step) = play.legal_moves().get(game.selected) else {
        let line = line_of(play.current()?)?;
        return Some((line, bracket(map.get(line)?, '[', ']', 0).map_or(0, |(x, _)| x)));
    };
    let line = line_of(step)?;
    let Some((x, [open, close])) = bracket(map.get(line)?, '<', '>', game.selected) else {
        return Some((line, 0));
    };
    map[line].replace_range(close..close + 1, "}");
    map[line].replace_range(open..open + 1, "{");
    Some((line, x))
}

/// Finds the `nth` pair of brackets around one character. Returns the visible column of the
/// character and the byte offsets of the brackets.
fn bracket(line: &str, open: char, close: char, nth: usize) -> Option<(usize, [usize; 2])> {
    let chars: Vec<(usize, char)> = visible(line).collect();
    let mut pairs =
        chars.windows(3).enumerate().filter(|(_, part)| part[0].1 == open && part[2].1 == close);
    pairs.nth(nth).map(|(x, part)| (x + 1, [part[0].0, part[2].0]))
}

fn status_line(game: &ActGame) -> String {
    let play = &game.play;
    let rows = play.map().spec.rows();
    let end = match (play.is_finished(), play.is_stuck()) {
        (true, _) => ", the run is finished".to_owned(),
        (_, true) => ", no legal move".to_owned(),
        _ => format!(", {} of {rows} rows climbed", play.progress().path().len()),
    };
    let location = game.location();
    let (first, rest) = location.split_at(1);
    format!(" {}{rest}{end}", first.to_ascii_uppercase())
}

/// Lists the moves on one line with the selected one in braces, scrolled so that it is visible.
fn move_line(game: &ActGame, width: usize, style: AsciiStyle) -> String {
    let moves = numbered_moves(&game.play);
    let selected = game.selected;
    let length =
        |from: usize| moves[from..=selected].iter().map(|entry| entry.len() + 3).sum::<usize>();
    let first = if moves.is_empty() {
        0
    } else {
        (0..=selected).find(|&from| length(from) < width).unwrap_or(selected)
    };
    let mut line = String::new();
    for (i, entry) in moves.iter().enumerate().skip(first) {
        let _ = match (i == selected, style) {
            (true, AsciiStyle::Colour) => write!(line, " \x1b[1m{{{entry}}}\x1b[0m"),
            (true, AsciiStyle::Plain) => write!(line, " {{{entry}}}"),
            (false, _) => write!(line, "  {entry} "),
        };
    }
    line
}

/// Iterates over the characters outside of colour escape sequences, with their byte offsets.
fn visible(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut in_escape = false;
    line.char_indices().filter(move |&(_, c)| {
        let is_visible = !in_escape && c != '\x1b';
        in_escape = c == '\x1b' || (in_escape && c != 'm');
        is_visible
    })
}

/// Returns `width` visible characters from column `left`, with all escape sequences.
fn clip(line: &str, left: usize, width: usize) -> String {
    let mut columns = visible(line).map(|(offset, _)| offset).enumerate().peekable();
    let is_kept = |&(offset, _): &(usize, char)| match columns.next_if(|&(_, o)| o == offset) {
        Some((column, _)) => (left..left + width).contains(&column),
        None => true,
    };
    line.char_indices().filter(is_kept).map(|(_, c)| c).collect()
}

#[cfg(test)]
mod tests {
    use super::super::save_file::SaveFile;
    use super::super::terminal;
    use super::*;
    use crossterm::event::KeyCode;
    use wayforge::act::{self, Fog, KindsChoice, Play, Progress, WalksConfig};

    fn start(config: WalksConfig, fog: Fog) -> ActGame {
        let map = act::generate(42.into(), &act::Config::Walks(config).resolve().unwrap()).unwrap();
        ActGame::new(Play::start(map, fog))
    }

    fn plain(lines: &[String]) -> String {
        let strip = |line: &String| visible(line).map(|(_, c)| c).collect::<String>();
        lines.iter().map(strip).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_frame_fits_its_screen_and_shows_the_selected_move() {
        let wide = WalksConfig {
            rows: 12,
            cols: 40,
            walks: 40,
            kinds: KindsChoice::None,
            ..WalksConfig::default()
        };
        for (config, fog) in [
            (WalksConfig::default(), Fog::None),
            (WalksConfig::default(), Fog::Rows(1)),
            (wide, Fog::None),
        ] {
            let mut game = start(config, fog);
            loop {
                for (width, height) in [(80, 24), (30, 12), (5, 2), (0, 0)] {
                    let coloured = frame(&game, "", width, height, AsciiStyle::Colour);
                    let lines = frame(&game, "", width, height, AsciiStyle::Plain);
                    assert_eq!(plain(&coloured), plain(&lines), "colours change no character");
                    assert!(lines.len() <= height.max(1));
                    assert!(
                        lines.iter().all(|line| line.is_ascii() && line.len() <= width),
                        "{lines:#?}"
                    );
                    if width >= 30 {
                        let bracket = if game.play.is_finished() { '[' } else { '{' };
                        let map = &lines[..lines.len() - 3];
                        assert!(
                            map.iter().any(|line| line.contains(bracket)),
                            "{}",
                            lines.join("\n")
                        );
                    }
                }
                if game.play.is_finished() {
                    break;
                }
                game.handle_key(KeyCode::Right);
                game.handle_key(KeyCode::Enter);
            }
        }
    }

    #[test]
    fn braces_mark_the_selected_move() {
        let mut game = start(WalksConfig::default(), Fog::None);
        for turn in 0..16 {
            for _ in 0..turn % 3 {
                game.handle_key(KeyCode::Right);
            }
            let lines = frame(&game, "", 100, 60, AsciiStyle::Plain);
            let (row, x) = lines
                .iter()
                .enumerate()
                .find_map(|(row, line)| line.find('{').map(|x| (row, x)))
                .unwrap();
            let step = game.play.legal_moves()[game.selected];
            assert_eq!(game.handle_key(KeyCode::Enter), "");
            assert_eq!(game.play.current(), Some(step));
            let after = frame(&game, "", 100, 60, AsciiStyle::Plain);
            assert_eq!(after[row].find('['), Some(x), "turn {turn}:\n{}", after.join("\n"));
        }
        assert_eq!(game.play.current(), Some(Step::Boss));
        assert_eq!(game.handle_key(KeyCode::Enter), "the run is finished");
        assert!(
            frame(&game, "", 100, 60, AsciiStyle::Plain)
                .iter()
                .any(|line| line == " At Boss, the run is finished")
        );
    }

    #[test]
    fn keys_select_move_and_undo() {
        let mut game = start(WalksConfig::default(), Fog::None);
        let start = game.play.clone();
        let count = start.legal_moves().len();
        assert!((2..=9).contains(&count));
        for _ in 0..count {
            game.handle_key(KeyCode::Left);
        }
        assert_eq!(game.selected, (count - 1) / 2, "the selection wraps around");
        assert_eq!(game.handle_key(KeyCode::Char('u')), "nothing to undo");
        let message = game.handle_key(KeyCode::Char('9'));
        assert!(message.starts_with("9: no such move; moves: 1 Node "), "{message}");
        assert_eq!(game.play, start);
        game.handle_key(KeyCode::Char(char::from_digit(count as u32, 10).unwrap()));
        assert_eq!(game.play.current(), start.legal_moves().last().copied());
        assert_eq!(game.handle_key(KeyCode::Down), "");
        assert_eq!((&game.play, game.selected), (&start, count - 1), "the undone step is selected");
        let file =
            SaveFile::open("/dev/null".into(), Progress::decode, Progress::to_text, Progress::map);
        let mut file = file.unwrap();
        let mut press = |key| terminal::handle_key(&mut game, &mut file, KeyCode::Char(key));
        assert_eq!(press('s').as_deref(), Some("saved to /dev/null; below row 0"));
        assert_eq!((press('q'), press('x')), (None, Some(String::new())));
    }

    #[test]
    fn with_ten_or_more_moves_digits_select_and_enter_moves() {
        let config = WalksConfig {
            rows: 2,
            cols: 40,
            walks: 60,
            kinds: KindsChoice::None,
            ..WalksConfig::default()
        };
        let mut game = start(config, Fog::None);
        let legal = game.play.legal_moves();
        assert!(legal.len() > 12);
        game.handle_key(KeyCode::Char('1'));
        assert_eq!((game.selected, game.play.current()), (0, None));
        game.handle_key(KeyCode::Char('2'));
        assert_eq!(game.selected, 11);
        let message = game.handle_key(KeyCode::Char('0'));
        assert!(message.starts_with("0: no such move"), "{message}");
        game.handle_key(KeyCode::Enter);
        assert_eq!(game.play.current(), Some(legal[11]));
    }
}
