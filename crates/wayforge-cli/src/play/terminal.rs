//! Playing on a terminal: keys in, screens out, and the terminal left as it was found.

use super::save_file::SaveFile;
use super::{Game, save};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue, style};
use std::io::{self, Write};
use wayforge_draw::Paint;

/// Plays until the player quits. `game` is the run as far as it came, also on a failure.
pub(super) fn play<G: Game>(game: &mut G, file: &mut SaveFile<G::Save>, paint: Paint) -> io::Result<()> {
    let _screen = Screen::open()?;
    let mut remark = String::new();
    loop {
        draw_lines(|width, height| game.frame(&remark, width, height, paint))?;
        let Some(key) = read_key()? else { continue };
        match press(game, file, key) {
            Some(said) => remark = said,
            None => return Ok(()),
        }
    }
}

/// Does what a key asks for; returns a remark for the screen, or `None` to quit.
pub(super) fn press<G: Game>(game: &mut G, file: &mut SaveFile<G::Save>, key: KeyCode) -> Option<String> {
    match key {
        KeyCode::Char('q' | 'Q') | KeyCode::Esc => None,
        KeyCode::Char('s' | 'S') => Some(save(game, file)),
        key => Some(game.press(key)),
    }
}

/// The next key that is pressed, ctrl-c and ctrl-d as Esc; `None` if the screen has to be drawn again.
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

/// Shows the lines that `frame` returns for the screen's columns and rows.
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
