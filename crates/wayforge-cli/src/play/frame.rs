//! One screen of a run: a window on the map, the moves, the keys. Pure text, at most as large as the screen.

use super::Game;
use super::act::{Table, numbered_moves};
use std::fmt::Write;
use wayforge::act::Step;
use wayforge_draw::{Paint, Scene, ascii};

const KEYS: &str = "left/right choose  up moves  1-9 move  u undo  s save  q quit";

/// Draws the screen of an act map as lines of at most `width` visible characters, at most `height` of them.
pub(super) fn frame(table: &Table, remark: &str, width: usize, height: usize, paint: Paint) -> Vec<String> {
    let text = ascii(&Scene::of_play(&table.play), paint);
    let (map, legend) = text.rsplit_once("\n\n").unwrap_or((&text, ""));
    let mut map: Vec<String> = map.lines().map(str::to_owned).collect();
    let focus = mark_choice(table, &mut map);
    let mut foot = vec![String::new(), status_line(table), choice_line(table, width, paint)];
    foot.push(format!(" {}", if remark.is_empty() { KEYS } else { remark }));
    // The legend is the first to go on a small screen, without the caption from the start.
    let mut kinds: Vec<String> = legend.lines().map(str::to_owned).collect();
    kinds.pop();
    if map.len().min(16) + foot.len() + kinds.len() < height && !kinds.is_empty() {
        foot.splice(0..0, std::iter::once(String::new()).chain(kinds));
    }
    let (row, x) = focus.unwrap_or((map.len().saturating_sub(1), 0));
    window(&map, &foot, [width, height], |rows| {
        [(row + 1).saturating_sub(rows * 2 / 3), (x + 1).saturating_sub(width / 2)]
    })
}

/// Cuts a screen of `width` and `height` out of a map and puts `foot` below it. `corner` returns the wanted top row and left
/// column for the number of rows that are left for the map.
pub(super) fn window<S: AsRef<str>>(
    map: &[S],
    foot: &[String],
    [width, height]: [usize; 2],
    corner: impl Fn(usize) -> [usize; 2],
) -> Vec<String> {
    let rows = height.saturating_sub(foot.len()).max(1);
    let [top, left] = corner(rows);
    let top = top.min(map.len().saturating_sub(rows));
    let widest = map.iter().map(|line| visible(line.as_ref()).count()).max().unwrap_or(0);
    let left = left.min(widest.saturating_sub(width));
    let shown = map[top..].iter().take(rows).map(|line| clip(line.as_ref(), left, width));
    let mut lines: Vec<String> = shown.chain(foot.iter().map(|line| clip(line, 0, width))).collect();
    lines.truncate(height.max(1));
    lines
}

/// Changes the chosen move's brackets to braces; gives where it stands, or where the party stands if it cannot move.
///
/// The legal moves are the attainable places of the next row, in order, and pictures write attainable places as `<x>`.
fn mark_choice(table: &Table, map: &mut [String]) -> Option<(usize, usize)> {
    let play = &table.play;
    let line_of = |step: Step| match step {
        // The boss stands on the first line.
        Step::Boss => Some(0),
        Step::Node { row, .. } => map.iter().position(|line| {
            let text: String = visible(line).map(|(_, c)| c).collect();
            text.split_whitespace().next().is_some_and(|mark| mark == row.to_string())
        }),
    };
    let Some(&step) = play.legal_moves().get(table.chosen) else {
        let line = line_of(play.current()?)?;
        return Some((line, bracket(map.get(line)?, '[', ']', 0).map_or(0, |(x, _)| x)));
    };
    let line = line_of(step)?;
    let Some((x, [open, close])) = bracket(map.get(line)?, '<', '>', table.chosen) else {
        return Some((line, 0));
    };
    map[line].replace_range(close..close + 1, "}");
    map[line].replace_range(open..open + 1, "{");
    Some((line, x))
}

/// The `nth` pair of brackets around one character: where its middle is seen, and where the brackets stand in the text.
fn bracket(line: &str, open: char, close: char, nth: usize) -> Option<(usize, [usize; 2])> {
    let seen: Vec<(usize, char)> = visible(line).collect();
    let mut pairs = seen.windows(3).enumerate().filter(|(_, part)| part[0].1 == open && part[2].1 == close);
    pairs.nth(nth).map(|(x, part)| (x + 1, [part[0].0, part[2].0]))
}

fn status_line(table: &Table) -> String {
    let play = &table.play;
    let rows = play.map().spec.rows();
    let end = match (play.is_finished(), play.is_stuck()) {
        (true, _) => ", the run is finished".to_owned(),
        (_, true) => ", no way leads on".to_owned(),
        _ => format!(", {} of {rows} rows climbed", play.progress().path().len()),
    };
    let place = table.place();
    let (first, rest) = place.split_at(1);
    format!(" {}{rest}{end}", first.to_ascii_uppercase())
}

/// The moves side by side, the chosen one in braces, from the first one that leaves it on the screen.
fn choice_line(table: &Table, width: usize, paint: Paint) -> String {
    let plain = numbered_moves(&table.play);
    let length = |from: usize| plain[from..=table.chosen].iter().map(|entry| entry.len() + 3).sum::<usize>();
    let first = match plain.is_empty() {
        true => 0,
        false => (0..=table.chosen).find(|&from| length(from) < width).unwrap_or(table.chosen),
    };
    let mut line = String::new();
    for (i, entry) in plain.iter().enumerate().skip(first) {
        let _ = match (i == table.chosen, paint) {
            (true, Paint::Colour) => write!(line, " \x1b[1m{{{entry}}}\x1b[0m"),
            (true, Paint::Plain) => write!(line, " {{{entry}}}"),
            (false, _) => write!(line, "  {entry} "),
        };
    }
    line
}

/// The characters that are seen, with where they stand in the text; colours are not seen.
fn visible(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut in_colour = false;
    line.char_indices().filter(move |&(_, c)| {
        let seen = !in_colour && c != '\x1b';
        in_colour = c == '\x1b' || (in_colour && c != 'm');
        seen
    })
}

/// `width` visible characters from `left` on, with all colours kept.
fn clip(line: &str, left: usize, width: usize) -> String {
    let mut seen = visible(line).map(|(at, _)| at).enumerate().peekable();
    let is_kept = |&(at, _): &(usize, char)| match seen.next_if(|&(_, place)| place == at) {
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

    fn table(config: WalksConfig, fog: Fog) -> Table {
        let map = act::generate(42.into(), &act::Config::Walks(config).resolve().unwrap()).unwrap();
        Table::new(Play::start(map, fog))
    }

    fn plain(lines: &[String]) -> String {
        let strip = |line: &String| visible(line).map(|(_, c)| c).collect::<String>();
        lines.iter().map(strip).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_frame_fits_its_screen_and_shows_the_choice() {
        let wide =
            WalksConfig { rows: 12, cols: 40, walks: 40, kinds: KindsChoice::None, ..WalksConfig::default() };
        for (config, fog) in
            [(WalksConfig::default(), Fog::None), (WalksConfig::default(), Fog::Rows(1)), (wide, Fog::None)]
        {
            let mut table = table(config, fog);
            loop {
                for (width, height) in [(80, 24), (30, 12), (5, 2), (0, 0)] {
                    let coloured = frame(&table, "", width, height, Paint::Colour);
                    let lines = frame(&table, "", width, height, Paint::Plain);
                    assert_eq!(plain(&coloured), plain(&lines), "colours change no character");
                    assert!(lines.len() <= height.max(1));
                    assert!(lines.iter().all(|line| line.is_ascii() && line.len() <= width), "{lines:#?}");
                    if width >= 30 {
                        let at = if table.play.is_finished() { '[' } else { '{' };
                        let map = &lines[..lines.len() - 3];
                        assert!(map.iter().any(|line| line.contains(at)), "{}", lines.join("\n"));
                    }
                }
                if table.play.is_finished() {
                    break;
                }
                table.press(KeyCode::Right);
                table.press(KeyCode::Enter);
            }
        }
    }

    #[test]
    fn the_braces_stand_around_the_move_that_is_made() {
        let mut table = table(WalksConfig::default(), Fog::None);
        for turn in 0..16 {
            for _ in 0..turn % 3 {
                table.press(KeyCode::Right);
            }
            let lines = frame(&table, "", 100, 60, Paint::Plain);
            let (row, x) =
                lines.iter().enumerate().find_map(|(row, line)| line.find('{').map(|x| (row, x))).unwrap();
            let step = table.play.legal_moves()[table.chosen];
            assert_eq!(table.press(KeyCode::Enter), "");
            assert_eq!(table.play.current(), Some(step));
            let after = frame(&table, "", 100, 60, Paint::Plain);
            assert_eq!(after[row].find('['), Some(x), "turn {turn}:\n{}", after.join("\n"));
        }
        assert_eq!(table.play.current(), Some(Step::Boss));
        assert_eq!(table.press(KeyCode::Enter), "the run is finished");
        assert!(
            frame(&table, "", 100, 60, Paint::Plain)
                .iter()
                .any(|line| line == " At Boss, the run is finished")
        );
    }

    #[test]
    fn keys_choose_move_and_take_back() {
        let mut table = table(WalksConfig::default(), Fog::None);
        let start = table.play.clone();
        let count = start.legal_moves().len();
        assert!((2..=9).contains(&count));
        for _ in 0..count {
            table.press(KeyCode::Left);
        }
        assert_eq!(table.chosen, (count - 1) / 2, "around once");
        assert_eq!(table.press(KeyCode::Char('u')), "nothing to undo");
        let remark = table.press(KeyCode::Char('9'));
        assert!(remark.starts_with("9: no such move; moves: 1 Node "), "{remark}");
        assert_eq!(table.play, start);
        table.press(KeyCode::Char(char::from_digit(count as u32, 10).unwrap()));
        assert_eq!(table.play.current(), start.legal_moves().last().copied());
        assert_eq!(table.press(KeyCode::Down), "");
        assert_eq!((&table.play, table.chosen), (&start, count - 1), "the step taken back is chosen");
        let file = SaveFile::open("/dev/null".into(), Progress::decode, Progress::to_text, Progress::map);
        let mut file = file.unwrap();
        let mut press = |key| terminal::press(&mut table, &mut file, KeyCode::Char(key));
        assert_eq!(press('s').as_deref(), Some("saved in /dev/null; below row 0"));
        assert_eq!((press('q'), press('x')), (None, Some(String::new())));
    }

    #[test]
    fn with_many_moves_digits_choose_and_enter_moves() {
        let config =
            WalksConfig { rows: 2, cols: 40, walks: 60, kinds: KindsChoice::None, ..WalksConfig::default() };
        let mut table = table(config, Fog::None);
        let legal = table.play.legal_moves();
        assert!(legal.len() > 12);
        table.press(KeyCode::Char('1'));
        assert_eq!((table.chosen, table.play.current()), (0, None));
        table.press(KeyCode::Char('2'));
        assert_eq!(table.chosen, 11);
        let remark = table.press(KeyCode::Char('0'));
        assert!(remark.starts_with("0: no such move"), "{remark}");
        table.press(KeyCode::Enter);
        assert_eq!(table.play.current(), Some(legal[11]));
    }
}
