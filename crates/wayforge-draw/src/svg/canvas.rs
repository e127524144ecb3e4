//! Markup under construction: what the drawings of all families share.

use super::{FONTS, Px};
use crate::curve::{Point, UNIT};
use crate::text::{self, Escaped};
use crate::theme::{Palette, Theme};
use std::fmt::{self, Write};

/// Attributes of words around their place, and of a headline.
pub(crate) const MIDDLE: &str = " text-anchor=\"middle\"";
pub(crate) const SPACED: &str = " text-anchor=\"middle\" letter-spacing=\"1\"";

/// Markup in the colours of a theme.
pub(crate) struct Canvas {
    pub(crate) palette: &'static Palette,
    /// What every id begins with.
    pub(crate) tag: String,
    pub(crate) out: String,
}

impl Canvas {
    pub(crate) fn new(theme: Theme, tag: String) -> Canvas {
        Canvas { palette: theme.palette(), tag, out: String::new() }
    }

    pub(crate) fn put(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }

    /// Opens a document of a size in units, with a title and a description for screen readers.
    pub(crate) fn open(&mut self, (width, height): (i32, i32), title: &str, description: &str) {
        let (width, height, tag) = (Px(width), Px(height), self.tag.clone());
        let (title, description) = (Escaped(title), Escaped(description));
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-labelledby=\"{tag}-title {tag}-desc\" font-family=\"{FONTS}\">\n\
             <title id=\"{tag}-title\">{title}</title>\n<desc id=\"{tag}-desc\">{description}</desc>\n"
        ));
    }

    /// A line of text around or from `at`.
    pub(crate) fn write(&mut self, at: Point, size: i32, fill: &str, extra: &str, words: &str) {
        let (x, y, words) = (Px(at.x), Px(at.y), Escaped(words));
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{extra}>{words}</text>\n"
        ));
    }

    /// The words of a legend's entry whose middle is at `y`: its name and how many there are.
    pub(crate) fn legend_words(&mut self, x: i32, y: i32, name: &str, count: &str) {
        let (x, y, size, name) = (Px(x), Px(y + 6 * UNIT), text::LEGEND, Escaped(name));
        let Palette { ink, faint, .. } = self.palette;
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{ink}\">{name} <tspan fill=\"{faint}\">{count}</tspan></text>\n"
        ));
    }

    /// Commands of a path.
    pub(crate) fn trace(&mut self, commands: &[(&str, &[i32])]) {
        trace(commands, &mut self.out);
    }
}

/// Appends commands of a path with their numbers, which are units.
pub(crate) fn trace(commands: &[(&str, &[i32])], out: &mut String) {
    for (command, numbers) in commands {
        out.push_str(command);
        for (n, &number) in numbers.iter().enumerate() {
            let _ = write!(out, "{}{}", if n > 0 { " " } else { "" }, Px(number));
        }
    }
}

/// Gives a type with a lifetime and a field `canvas` the methods of that canvas.
macro_rules! draws_on_canvas {
    ($Pen:ident) => {
        impl std::ops::Deref for $Pen<'_> {
            type Target = Canvas;

            fn deref(&self) -> &Canvas {
                &self.canvas
            }
        }

        impl std::ops::DerefMut for $Pen<'_> {
            fn deref_mut(&mut self) -> &mut Canvas {
                &mut self.canvas
            }
        }
    };
}
pub(crate) use draws_on_canvas;
