//! `--steps`: shows a generation or a search step by step.

use crate::failure::{Context, Failure, reject};
use crate::output::Output;
use crate::play::terminal::{Screen, draw_lines, read_key};
use crossterm::event::{self, KeyCode};
use std::io::{self, IsTerminal};
use std::time::Duration;
use wayforge::trace::Recorder;
use wayforge_draw::Frame;

/// Maximum number of recorded events. Only generations with many failed attempts have more.
const MAX_EVENTS: usize = 2_000_000;
/// Time per step while the steps play automatically.
const STEP_TIME: Duration = Duration::from_millis(60);

/// Generates a map and records its generation trace.
///
/// # Errors
/// If the trace has more than [`MAX_EVENTS`] events.
pub(crate) fn record<T, E>(
    generate: impl FnOnce(&mut Recorder<E>) -> Result<T, Failure>,
) -> Result<(T, Recorder<E>), Failure> {
    let mut recorder = Recorder::new(MAX_EVENTS);
    let map = generate(&mut recorder)?;
    match recorder.dropped() {
        0 => Ok((map, recorder)),
        dropped => {
            let total = MAX_EVENTS as u64 + dropped;
            reject(format!(
                "the generation took {total} steps, but at most {MAX_EVENTS} can be shown; use a \
                 smaller map"
            ))
        }
    }
}

/// Shows the frames: with keys on a terminal, else all in order.
pub(crate) fn show<S, I>(
    frames: &I,
    draw: impl Fn(S) -> String,
    mut output: Output,
) -> Result<(), Failure>
where
    I: Iterator<Item = Frame<S>> + ExactSizeIterator + Clone,
{
    if output.is_terminal() && io::stdin().is_terminal() {
        return browse(frames, draw).context("terminal");
    }
    let count = frames.len();
    for (step, frame) in frames.clone().enumerate() {
        let gap = if step > 0 { "\n" } else { "" };
        let text =
            format!("{gap}step {} of {count}: {}\n{}", step + 1, frame.text, draw(frame.scene));
        output.write(text.as_bytes())?;
    }
    output.finish()
}

/// Steps back and forth with keys, or plays the steps automatically.
fn browse<S, I>(frames: &I, draw: impl Fn(S) -> String) -> io::Result<()>
where
    I: Iterator<Item = Frame<S>> + ExactSizeIterator + Clone,
{
    let last = frames.len().saturating_sub(1);
    let (mut step, mut is_playing) = (0, false);
    let _screen = Screen::open()?;
    loop {
        if let Some(frame) = frames.clone().nth(step) {
            let head = format!("step {} of {}: {}", step + 1, last + 1, frame.text);
            let keys = "right: next   left: back   space: play   home, end   q: quit";
            draw_lines(|width, height| page(&head, &draw(frame.scene), keys, width, height))?;
        }
        if is_playing && !event::poll(STEP_TIME)? {
            step = (step + 1).min(last);
            is_playing = step < last;
            continue;
        }
        let Some(key) = read_key()? else { continue };
        is_playing = false;
        match key {
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return Ok(()),
            KeyCode::Char(' ') => is_playing = true,
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

/// Lays out one screen: the event, the bottom rows of the map that fit, and the keys.
fn page(head: &str, map: &str, keys: &str, width: usize, height: usize) -> Vec<String> {
    let lines: Vec<&str> = map.lines().collect();
    let rows = height.saturating_sub(2).max(1);
    let cut = |line: &str| line.chars().take(width).collect::<String>();
    let mut page = vec![cut(head)];
    // Coloured lines are not cut: the cut could remove the sequence that resets the colour.
    page.extend(
        lines[lines.len().saturating_sub(rows)..]
            .iter()
            .map(|line| if line.contains('\x1b') { (*line).to_owned() } else { cut(line) }),
    );
    page.push(cut(keys));
    page
}
