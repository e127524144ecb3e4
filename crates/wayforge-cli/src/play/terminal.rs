//! Playing on a terminal: keys in, screens out, and the terminal left as it was found.

use super::frame::frame;
use super::keys::{Key, Table, Wish};
use super::save_file::SaveFile;
use crate::failure::Failure;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue, style};
use std::io::{self, Write};
use wayforge::act::{Play, Progress};
use wayforge_draw::Paint;

/// Plays until the player quits. `play` is the run as far as it came, also on a failure.
pub(crate) fn play(play: &mut Play, save: &mut SaveFile<Progress>, paint: Paint) -> Result<(), Failure> {
    let mut table = Table::new(play.clone());
    let screen = Screen::open().map_err(refuse)?;
    let played = (|| {
        loop {
            draw(&table, paint)?;
            let Some(key) = read_key()? else { continue };
            match table.press(key) {
                Wish::None => {}
                Wish::Save => {
                    table.remark = match save.write(table.play.progress()) {
                        Ok(()) => format!("saved in {}", save.path().display()),
                        Err(failure) => format!("not saved: {failure}"),
                    }
                }
                Wish::Quit => return Ok(()),
            }
        }
    })();
    drop(screen);
    *play = table.play;
    played.map_err(refuse)
}

pub(crate) fn refuse(error: io::Error) -> Failure {
    Failure::about("terminal", error)
}

/// The next key that means something; `None` if the screen has to be drawn again.
fn read_key() -> io::Result<Option<Key>> {
    match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => Ok(meaning(key)),
        _ => Ok(None),
    }
}

fn meaning(key: KeyEvent) -> Option<Key> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'd')).then_some(Key::Quit);
    }
    match key.code {
        KeyCode::Left | KeyCode::Char('h') => Some(Key::Left),
        KeyCode::Right | KeyCode::Char('l') | KeyCode::Tab => Some(Key::Right),
        KeyCode::Up | KeyCode::Enter | KeyCode::Char('k' | ' ') => Some(Key::Go),
        KeyCode::Down | KeyCode::Backspace | KeyCode::Char('j') => Some(Key::Down),
        KeyCode::Char('u' | 'U') => Some(Key::Undo),
        KeyCode::Char('s' | 'S') => Some(Key::Save),
        KeyCode::Char('q' | 'Q') | KeyCode::Esc => Some(Key::Quit),
        KeyCode::Char(c) => c.to_digit(10).map(|digit| Key::Digit(digit as usize)),
        _ => None,
    }
}

fn draw(table: &Table, paint: Paint) -> io::Result<()> {
    draw_lines(|width, height| frame(table, width, height, paint))
}

/// Shows the lines that `frame` makes for a screen of so many columns and rows.
pub(crate) fn draw_lines(frame: impl FnOnce(usize, usize) -> Vec<String>) -> io::Result<()> {
    let (width, height) = terminal::size()?;
    let mut out = io::stdout().lock();
    queue!(out, cursor::MoveTo(0, 0))?;
    let lines = frame(width.into(), height.into());
    for (place, line) in lines.iter().enumerate() {
        if place > 0 {
            queue!(out, style::Print("\r\n"))?;
        }
        // Cleared first: on a full line the cursor waits on its last character and would clear that.
        queue!(out, Clear(ClearType::CurrentLine), style::Print(line))?;
    }
    if lines.len() < usize::from(height) {
        queue!(out, style::Print("\r\n"), Clear(ClearType::FromCursorDown))?;
    }
    out.flush()
}

/// The terminal in raw mode on its other screen, until this is dropped: at the end, on an error, on a panic.
pub(crate) struct Screen;

impl Screen {
    pub(crate) fn open() -> io::Result<Screen> {
        terminal::enable_raw_mode()?;
        let screen = Screen;
        // A panic's message must not vanish with the other screen.
        let former = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            former(panic);
        }));
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // On a panic the hook has done it, and doing it twice would write over the message.
        if !std::thread::panicking() {
            drop(std::panic::take_hook());
            restore();
        }
    }
}

/// Nothing can be done about a terminal that has gone away.
fn restore() {
    let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
    let _ = terminal::disable_raw_mode();
}
