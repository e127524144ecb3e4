//! `--steps`: a map in the making, step by step.

use crate::failure::Failure;
use crate::output::Output;
use crate::play::terminal::{Screen, draw_lines, refuse};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use std::io::{self, IsTerminal};
use std::time::Duration;
use wayforge::trace::Tape;
use wayforge_draw::Frame;

/// So many events are kept; only searches that go wrong again and again tell more.
const MAX_EVENTS: usize = 2_000_000;
/// How long a step stands while they run by themselves.
const STANDS: Duration = Duration::from_millis(60);

/// A tape for what a generator tells.
pub(crate) fn tape<E>() -> Tape<E> {
    Tape::new(MAX_EVENTS)
}

/// All that was told, if the tape could hold it.
pub(crate) fn whole<E>(tape: &Tape<E>) -> Result<&[E], Failure> {
    match tape.missed() {
        0 => Ok(tape.events()),
        missed => {
            let told = MAX_EVENTS as u64 + missed;
            Err(Failure::Input(format!(
                "this map took {told} steps to make, and at most {MAX_EVENTS} can be shown; use a smaller map"
            )))
        }
    }
}

/// Shows the steps: by keys where a person sits at a terminal, one after the other elsewhere.
pub(crate) fn show<S, I>(shots: &I, draw: impl Fn(&S) -> String, mut output: Output) -> Result<(), Failure>
where
    I: Iterator<Item = Frame<S>> + ExactSizeIterator + Clone,
{
    if output.is_terminal() && io::stdin().is_terminal() {
        return browse(shots, draw);
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
fn browse<S, I>(shots: &I, draw: impl Fn(&S) -> String) -> Result<(), Failure>
where
    I: Iterator<Item = Frame<S>> + ExactSizeIterator + Clone,
{
    let last = shots.len().saturating_sub(1);
    let (mut step, mut runs) = (0, false);
    let screen = Screen::open().map_err(refuse)?;
    let browsed = (|| {
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
            let Event::Key(key) = event::read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            runs = false;
            match key.code {
                KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(()),
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
    })();
    drop(screen);
    browsed.map_err(refuse)
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
