//! One screen of a run: a window on the map, the moves, the keys. Pure text, at most as large as the screen.

use super::command::{named, place};
use super::keys::Table;
use std::fmt::Write;
use wayforge::act::Step;
use wayforge_draw::{Paint, Scene, ascii};

const KEYS: &str = "left/right choose  up moves  1-9 move  u undo  s save  q quit";

/// Draws the screen as lines of at most `width` visible characters, at most `height` of them.
pub(crate) fn frame(table: &Table, width: usize, height: usize, paint: Paint) -> Vec<String> {
    let text = ascii(&Scene::of_play(&table.play), paint);
    let (map, legend) = text.rsplit_once("\n\n").unwrap_or((&text, ""));
    let mut map: Vec<String> = map.lines().map(str::to_owned).collect();
    let focus = mark_choice(table, &mut map);
    let mut foot = vec![String::new(), status_line(table), choice_line(table, width, paint)];
    foot.push(format!(" {}", if table.remark.is_empty() { KEYS } else { &table.remark }));
    // The legend is the first to go on a small screen, without the caption from the start.
    let mut kinds: Vec<String> = legend.lines().map(str::to_owned).collect();
    kinds.pop();
    if map.len().min(16) + foot.len() + kinds.len() < height && !kinds.is_empty() {
        foot.splice(0..0, std::iter::once(String::new()).chain(kinds));
    }
    let room = height.saturating_sub(foot.len()).max(1);
    let (row, x) = focus.unwrap_or((map.len().saturating_sub(1), 0));
    let top = (row + 1).saturating_sub(room * 2 / 3).min(map.len().saturating_sub(room));
    let widest = map.iter().map(|line| visible(line).count()).max().unwrap_or(0);
    let left = (x + 1).saturating_sub(width / 2).min(widest.saturating_sub(width));
    let mut lines: Vec<String> = map[top..].iter().take(room).map(|line| clip(line, left, width)).collect();
    lines.extend(foot.iter().map(|line| clip(line, 0, width)));
    lines.truncate(height.max(1));
    lines
}

/// Changes the chosen move's brackets to braces; gives where it stands, or where the party stands if it cannot move.
///
/// The legal moves are the attainable places of the next row, in order, and pictures write attainable places as `<x>`.
fn mark_choice(table: &Table, map: &mut [String]) -> Option<(usize, usize)> {
    let play = &table.play;
    let row_line = |row: u16, map: &[String]| {
        let mark = row.to_string();
        map.iter().position(|line| {
            let text: String = visible(line).map(|(_, c)| c).collect();
            text.split_whitespace().next() == Some(mark.as_str())
        })
    };
    // The boss stands on the first line.
    let line_of = |step: Step, map: &[String]| match step {
        Step::Boss => Some(0),
        Step::Node { row, .. } => row_line(row, map),
    };
    let Some(&step) = play.legal_moves().get(table.chosen) else {
        let line = line_of(play.current()?, map)?;
        return Some((line, bracket(map.get(line)?, '[', ']', 0).map_or(0, |(x, _)| x)));
    };
    let line = line_of(step, map)?;
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
    let mut found = 0;
    let mut x = 0;
    while x + 2 < seen.len() {
        if seen[x].1 == open && seen[x + 2].1 == close {
            if found == nth {
                return Some((x + 1, [seen[x].0, seen[x + 2].0]));
            }
            found += 1;
            x += 2;
        }
        x += 1;
    }
    None
}

fn status_line(table: &Table) -> String {
    let play = &table.play;
    let rows = play.map().spec.rows();
    let end = match (play.is_finished(), play.is_stuck()) {
        (true, _) => ", the run is finished".to_owned(),
        (_, true) => ", no way leads on".to_owned(),
        _ => format!(", {} of {rows} rows climbed", play.progress().path().len()),
    };
    let place = place(play);
    let (first, rest) = place.split_at(1);
    format!(" {}{rest}{end}", first.to_ascii_uppercase())
}

/// The moves side by side, the chosen one in braces, from the first one that leaves it on the screen.
fn choice_line(table: &Table, width: usize, paint: Paint) -> String {
    let legal = table.play.legal_moves();
    let plain: Vec<String> = legal
        .iter()
        .enumerate()
        .map(|(i, &step)| format!("{} {}", i + 1, named(&table.play, step)))
        .collect();
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
pub(super) fn visible(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut in_colour = false;
    line.char_indices().filter(move |&(_, c)| {
        let seen = !in_colour && c != '\x1b';
        in_colour = c == '\x1b' || (in_colour && c != 'm');
        seen
    })
}

/// So many visible characters from `left` on, with all colours kept.
pub(super) fn clip(line: &str, left: usize, width: usize) -> String {
    let keep: Vec<(usize, char)> = visible(line).skip(left).take(width).collect();
    let shown = |at: usize| keep.binary_search_by_key(&at, |&(place, _)| place).is_ok();
    let mut seen = visible(line).map(|(at, _)| at).peekable();
    let mut out = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        let is_seen = seen.next_if_eq(&at).is_some();
        if !is_seen || shown(at) {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::keys::{Key, Wish};
    use super::*;
    use wayforge::act::{self, Fog, KindsChoice, Play, WalksConfig};

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
                    let coloured = frame(&table, width, height, Paint::Colour);
                    let lines = frame(&table, width, height, Paint::Plain);
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
                table.press(Key::Right);
                table.press(Key::Go);
            }
        }
    }

    #[test]
    fn the_braces_stand_around_the_move_that_is_made() {
        let mut table = table(WalksConfig::default(), Fog::None);
        for turn in 0..16 {
            for _ in 0..turn % 3 {
                table.press(Key::Right);
            }
            let lines = frame(&table, 100, 60, Paint::Plain);
            let (row, x) =
                lines.iter().enumerate().find_map(|(row, line)| line.find('{').map(|x| (row, x))).unwrap();
            let step = table.play.legal_moves()[table.chosen];
            assert_eq!(table.press(Key::Go), Wish::None);
            assert_eq!(table.play.current(), Some(step));
            let after = frame(&table, 100, 60, Paint::Plain);
            assert_eq!(after[row].find('['), Some(x), "turn {turn}:\n{}", after.join("\n"));
        }
        assert_eq!(table.play.current(), Some(Step::Boss));
        table.press(Key::Go);
        assert_eq!(table.remark, "the run is finished");
        assert!(
            frame(&table, 100, 60, Paint::Plain).iter().any(|line| line == " At Boss, the run is finished")
        );
    }

    #[test]
    fn keys_choose_move_and_take_back() {
        let mut table = table(WalksConfig::default(), Fog::None);
        let start = table.play.clone();
        let count = start.legal_moves().len();
        assert!((2..=9).contains(&count));
        for _ in 0..count {
            table.press(Key::Left);
        }
        assert_eq!(table.chosen, (count - 1) / 2, "around once");
        table.press(Key::Undo);
        assert_eq!(table.remark, "nothing to undo");
        table.press(Key::Digit(9));
        assert!(table.remark.starts_with("9: no such move; moves: 1 Node "), "{}", table.remark);
        assert_eq!(table.play, start);
        table.press(Key::Digit(count));
        assert_eq!(table.play.current(), start.legal_moves().last().copied());
        table.press(Key::Undo);
        assert_eq!((&table.play, table.chosen), (&start, count - 1), "the step taken back is chosen");
        assert_eq!((table.press(Key::Save), table.press(Key::Quit)), (Wish::Save, Wish::Quit));
    }

    #[test]
    fn with_many_moves_digits_choose_and_enter_moves() {
        let config =
            WalksConfig { rows: 2, cols: 40, walks: 60, kinds: KindsChoice::None, ..WalksConfig::default() };
        let mut table = table(config, Fog::None);
        let legal = table.play.legal_moves();
        assert!(legal.len() > 12);
        table.press(Key::Digit(1));
        assert_eq!((table.chosen, table.play.current()), (0, None));
        table.press(Key::Digit(2));
        assert_eq!(table.chosen, 11);
        table.press(Key::Digit(0));
        assert!(table.remark.starts_with("0: no such move"), "{}", table.remark);
        table.press(Key::Go);
        assert_eq!(table.play.current(), Some(legal[11]));
    }
}
