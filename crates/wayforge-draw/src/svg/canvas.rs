//! Writer of SVG markup, shared by all map families.

use super::{FONTS, Px};
use crate::curve::{Point, UNIT};
use crate::sheet::Label;
use crate::text::{self, Escaped};
use crate::theme::{Colours, Theme};
use std::fmt::{self, Write};
use std::ops::{Deref, DerefMut};

/// Attributes of centred text.
pub(crate) const MIDDLE: &str = " text-anchor=\"middle\"";
/// Attributes of a headline.
pub(crate) const SPACED: &str = " text-anchor=\"middle\" letter-spacing=\"1\"";

/// SVG markup in the colours of a theme.
pub(crate) struct Canvas {
    pub(crate) palette: &'static Colours,
    /// Prefix of every id.
    pub(crate) tag: String,
    pub(crate) out: String,
}

impl Canvas {
    pub(crate) fn new(theme: Theme, tag: String) -> Canvas {
        Canvas { palette: theme.colours(), tag, out: String::new() }
    }

    pub(crate) fn put(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }

    /// Writes the start of a document, its title and description. The size is in units.
    pub(crate) fn open(&mut self, (width, height): (i32, i32), title: &str, description: &str) {
        let (width, height, tag) = (Px(width), Px(height), self.tag.clone());
        let (title, description) = (Escaped(title), Escaped(description));
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"{tag}-title {tag}-desc\" font-family=\"{FONTS}\">\n\
             <title id=\"{tag}-title\">{title}</title>\n\
             <desc id=\"{tag}-desc\">{description}</desc>\n"
        ));
    }

    /// Writes a line of text at `at`; `extra` contains further attributes.
    pub(crate) fn write(&mut self, at: Point, size: i32, fill: &str, extra: &str, text: &str) {
        let (x, y, text) = (Px(at.x), Px(at.y), Escaped(text));
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{extra}>{text}</text>\n"
        ));
    }

    pub(crate) fn label(&mut self, label: &Label) {
        let fill = if label.is_primary { self.palette.ink } else { self.palette.faint };
        let extra = if label.letter_spacing > 0 { SPACED } else { MIDDLE };
        self.write(label.at, label.size, fill, extra, &label.text);
    }

    /// Writes the text of a legend entry centred vertically on `y`: name and count.
    pub(crate) fn legend_text(&mut self, x: i32, y: i32, name: &str, count: &str) {
        let (x, y, size, name) = (Px(x), Px(y + 6 * UNIT), text::LEGEND, Escaped(name));
        let Colours { ink, faint, .. } = self.palette;
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{ink}\">{name} \
             <tspan fill=\"{faint}\">{count}</tspan></text>\n"
        ));
    }

    /// Appends a rectangle to the current path.
    pub(crate) fn trace_rect(&mut self, Point { x, y }: Point, width: i32, height: i32) {
        self.trace(&[("M", &[x, y]), ("h", &[width]), ("v", &[height])]);
        self.trace(&[("h", &[-width]), ("z", &[])]);
    }

    /// Appends path commands; their arguments are in units.
    pub(crate) fn trace(&mut self, commands: &[(&str, &[i32])]) {
        for (command, numbers) in commands {
            self.out.push_str(command);
            for (n, &number) in numbers.iter().enumerate() {
                self.put(format_args!("{}{}", if n > 0 { " " } else { "" }, Px(number)));
            }
        }
    }
}

/// Returns the attributes of a shape with an outline; `width` is in units.
pub(crate) fn outlined(fill: &str, stroke: &str, width: i32) -> String {
    format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{}\"", Px(width))
}

/// Wraps markup in a document with the given left edge, top edge, width and height in units.
pub(crate) fn document([left, top, width, height]: [i32; 4], markup: &str) -> String {
    let [left, top, width, height] = [Px(left), Px(top), Px(width), Px(height)];
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{left} {top} {width} {height}\">{markup}</svg>\n"
    )
}

/// Draws a scene on a canvas.
pub(crate) struct Pen<'a, S> {
    pub(crate) scene: &'a S,
    pub(crate) canvas: Canvas,
}

impl<'a, S> Pen<'a, S> {
    pub(crate) fn new(scene: &'a S, theme: Theme, tag: String) -> Pen<'a, S> {
        Pen { scene, canvas: Canvas::new(theme, tag) }
    }

    /// Writes one path; `draw` appends its data. Writes nothing if the data is empty.
    pub(crate) fn path(&mut self, attributes: impl fmt::Display, draw: impl FnOnce(&mut Self)) {
        let before = self.out.len();
        self.put(format_args!("<path {attributes} d=\""));
        let empty = self.out.len();
        draw(self);
        if self.out.len() == empty {
            self.out.truncate(before);
        } else {
            self.out.push_str("\"/>\n");
        }
    }
}

impl<S> Deref for Pen<'_, S> {
    type Target = Canvas;

    fn deref(&self) -> &Canvas {
        &self.canvas
    }
}

impl<S> DerefMut for Pen<'_, S> {
    fn deref_mut(&mut self) -> &mut Canvas {
        &mut self.canvas
    }
}
