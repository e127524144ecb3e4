//! `--steps`: a map in the making, step by step.

use crate::failure::{Context, Failure, reject};
use crate::output::Output;
use crate::play::terminal::{Screen, draw_lines, read_key};
use crossterm::event::{self, KeyCode};
use std::io::{self, IsTerminal};
use std::time::Duration;
use wayforge::trace::Tape;
use wayforge_draw::Frame;

/// The most events that are recorded; only searches that fail again and again have more.
const MAX_EVENTS: usize = 2_000_000;
/// How long a step stands while they run by themselves.
const STANDS: Duration = Duration::from_millis(60);

/// Generates a map and records the events of its generation; fails if there are too many to show.
pub(crate) fn record<T, E>(
    generate: impl FnOnce(&mut Tape<E>) -> Result<T, Failure>,
) -> Result<(T, Tape<E>), Failure> {
    let mut tape = Tape::new(MAX_EVENTS);
    let map = generate(&mut tape)?;
    match tape.missed() {
        0 => Ok((map, tape)),
        missed => {
            let all = MAX_EVENTS as u64 + missed;
            reject(format!(
                "this map took {all} steps to make, and at most {MAX_EVENTS} can be shown; use a smaller map"
            ))
        }
    }
}

/// Shows the steps: by keys where a person sits at a terminal, one after the other elsewhere.
pub(crate) fn show<S, I>(shots: &I, draw: impl Fn(&S) -> String, mut output: Output) -> Result<(), Failure>
where
    I: Iterator<Item = Frame<S>> + ExactSizeIterator + Clone,
{
    if output.is_terminal() && io::stdin().is_terminal() {
        return browse(shots, draw).about("terminal");
    }
    let count = shots.len();
    for (step, shot) in shots.clone().enumerate() {
        let gap = if step > 0 { "\n" } else { "" };
        let text = format!("{gap}step {} of {count}: {}\n{}", step + 1, shot.text, draw(&shot.scene));
        output.write(text.as_bytes())?;
    }
    output.finish()
}

/// Steps back and forth by keys, or runs.
fn browse<S, I>(shots: &I, draw: impl Fn(&S) -> String) -> io::Result<()>
where
    I: Iterator<Item = Frame<S>> + ExactSizeIterator + Clone,
{
    let last = shots.len().saturating_sub(1);
    let (mut step, mut runs) = (0, false);
    let _screen = Screen::open()?;
    loop {
        if let Some(shot) = shots.clone().nth(step) {
            let head = format!("step {} of {}: {}", step + 1, last + 1, shot.text);
            let keys = "right: next   left: back   space: run   home, end   q: quit";
            draw_lines(|width, height| page(&head, &draw(&shot.scene), keys, width, height))?;
        }
        if runs && !event::poll(STANDS)? {
            step = (step + 1).min(last);
            runs = step < last;
            continue;
        }
        let Some(key) = read_key()? else { continue };
        runs = false;
        match key {
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return Ok(()),
            KeyCode::Char(' ') => runs = true,
            KeyCode::Right | KeyCode::Down | KeyCode::Enter | KeyCode::Char('l' | 'n') => {
                step = (step + 1).min(last);
            }
            KeyCode::Left | KeyCode::Up | KeyCode::Backspace | KeyCode::Char('h' | 'b') => {
                step = step.saturating_sub(1);
            }
            KeyCode::PageDown => step = (step + 10).min(last),
            KeyCode::PageUp => step = step.saturating_sub(10),
            KeyCode::Home => step = 0,
            KeyCode::End => step = last,
            _ => {}
        }
    }
}

/// One screen: what happened, the map as far as it fits from its foot up, and the keys.
fn page(head: &str, map: &str, keys: &str, width: usize, height: usize) -> Vec<String> {
    let lines: Vec<&str> = map.lines().collect();
    let room = height.saturating_sub(2).max(1);
    let cut = |line: &str| line.chars().take(width).collect::<String>();
    let mut page = vec![cut(head)];
    // Coloured lines are left whole: a cut could leave the colour on.
    page.extend(lines[lines.len().saturating_sub(room)..].iter().map(|line| match line.contains('\x1b') {
        true => (*line).to_owned(),
        false => cut(line),
    }));
    page.push(cut(keys));
    page
}
