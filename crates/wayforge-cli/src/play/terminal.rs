//! Plays on a terminal: reads keys, draws screens, and restores the terminal at the end.

use super::save_file::SaveFile;
use super::{Game, save};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue, style};
use std::io::{self, Write};
use wayforge_draw::AsciiStyle;

/// Plays until the player quits. On failure, `game` is the run so far.
pub(super) fn play<G: Game>(
    game: &mut G,
    file: &mut SaveFile<G::Save>,
    style: AsciiStyle,
) -> io::Result<()> {
    let _screen = Screen::open()?;
    let mut message = String::new();
    loop {
        draw_lines(|width, height| game.frame(&message, width, height, style))?;
        let Some(key) = read_key()? else { continue };
        match handle_key(game, file, key) {
            Some(new_message) => message = new_message,
            None => return Ok(()),
        }
    }
}

/// Handles a key. Returns a message for the screen, or `None` to quit.
pub(super) fn handle_key<G: Game>(
    game: &mut G,
    file: &mut SaveFile<G::Save>,
    key: KeyCode,
) -> Option<String> {
    match key {
        KeyCode::Char('q' | 'Q') | KeyCode::Esc => None,
        KeyCode::Char('s' | 'S') => Some(save(game, file)),
        key => Some(game.handle_key(key)),
    }
}

/// Reads the next event. Returns the pressed key, with Ctrl-C and Ctrl-D as Esc, or `None` for
/// other events, after which the screen is redrawn.
pub(crate) fn read_key() -> io::Result<Option<KeyCode>> {
    Ok(match event::read()? {
        Event::Key(key) if key.kind == KeyEventKind::Release => None,
        Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => {
            matches!(key.code, KeyCode::Char('c' | 'd')).then_some(KeyCode::Esc)
        }
        Event::Key(key) => Some(key.code),
        _ => None,
    })
}

/// Draws the lines that `frame` returns for the size of the terminal.
pub(crate) fn draw_lines(frame: impl FnOnce(usize, usize) -> Vec<String>) -> io::Result<()> {
    let (width, height) = terminal::size()?;
    let mut out = io::stdout().lock();
    queue!(out, cursor::MoveTo(0, 0))?;
    let lines = frame(width.into(), height.into());
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            queue!(out, style::Print("\r\n"))?;
        }
        // Clear before printing: after a full line the cursor is still on its last character, which
        // clearing would erase.
        queue!(out, Clear(ClearType::CurrentLine), style::Print(line))?;
    }
    if lines.len() < usize::from(height) {
        queue!(out, style::Print("\r\n"), Clear(ClearType::FromCursorDown))?;
    }
    out.flush()
}

/// Puts the terminal in raw mode on the alternate screen until dropped, also on errors and panics.
pub(crate) struct Screen;

impl Screen {
    pub(crate) fn open() -> io::Result<Screen> {
        terminal::enable_raw_mode()?;
        let screen = Screen;
        // Restore the terminal first on a panic, so that its message stays visible.
        let previous_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            previous_hook(panic);
        }));
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // On a panic the hook has restored the terminal. Restoring it again would overwrite the
        // message.
        if !std::thread::panicking() {
            drop(std::panic::take_hook());
            restore();
        }
    }
}

/// Restores the terminal. Ignores errors of a closed terminal.
fn restore() {
    let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
    let _ = terminal::disable_raw_mode();
}
