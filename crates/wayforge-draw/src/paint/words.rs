//! Words from glyphs of the bundled font: each glyph is painted once, and how far the next one stands is asked once for
//! every two.

use super::frame::Cover;
use super::inks::{Ink, LEVELS, rgb};
use super::stroke::{FINE, fine, whole};
use super::vector::Shapes;
use super::{Easel, Kit};
use crate::curve::{Point, UNIT};
use crate::sheet::Label;
use crate::svg::{MIDDLE, document};
use crate::text::{self, Escaped};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use std::collections::BTreeMap;

/// Glyphs stand on quarters of a pixel.
const QUARTERS: i32 = 4;
/// The size at which distances are asked, in pixels; they are kept in thousandths of it.
const EM: i32 = 1000;

/// Distances from one character to the next, or to the end, whatever their size; none where the two are not simply set side by
/// side.
pub(super) type Spacing = BTreeMap<(char, Option<char>), Option<i32>>;

/// Glyphs at one scale: by character, size and quarter.
pub(super) type Glyphs = BTreeMap<(char, i32, i32), Cover>;

/// How words are set.
#[derive(Clone, Copy)]
struct Setting {
    /// Size and additional space between letters, in pixels.
    size: i32,
    spaced: i32,
    /// True if they stand around their place, not from there on.
    centred: bool,
}

impl Setting {
    fn plain(size: i32) -> Setting {
        Setting { size, spaced: 0, centred: false }
    }
}

impl Easel<'_> {
    pub(super) fn label(&mut self, label: &Label) {
        let colour = if label.loud { self.palette().ink } else { self.palette().faint };
        let setting = Setting { size: label.size, spaced: label.spaced, centred: true };
        self.write(label.at, setting, &[(&label.words, colour)]);
    }

    /// The words of a legend's entry whose middle is at `y`: its name and how many there are.
    pub(super) fn legend_words(&mut self, x: i32, y: i32, name: &str, count: usize) {
        let (palette, count) = (self.palette(), format!(" {count}"));
        let words = [(name, palette.ink), (&count, palette.faint)];
        self.write(Point::new(x, y + 6 * UNIT), Setting::plain(text::LEGEND), &words);
    }

    /// Writes words one after the other, each in its colour.
    fn write(&mut self, at: Point, setting: Setting, words: &[(&str, &str)]) {
        let letters = letters(words);
        let places = self.places(&letters, at.x, setting);
        let Kit { glyphs, inks, of, .. } = &mut *self.kit;
        let (y, scale, shapes) = (whole(at.y, of.scale), of.scale, self.shapes);
        let ramps: Vec<Ink> = words.iter().map(|word| inks.ramp(rgb(word.1), u8::MAX)).collect();
        let Some(places) = places else {
            // Words that need more than glyphs side by side are painted as they are.
            let text: String = letters.iter().map(|letter| letter.0).collect();
            let cover = cover(shapes, &text, setting, 0, scale);
            return self.frame.cover(&cover, whole(at.x, scale), y, ramps[0], inks);
        };
        for (&(letter, word), x) in letters.iter().zip(places) {
            let quarter = (x + FINE / QUARTERS / 2).div_euclid(FINE / QUARTERS);
            let (x, quarter) = (quarter.div_euclid(QUARTERS), quarter.rem_euclid(QUARTERS));
            let cover = glyphs.entry((letter, setting.size, quarter)).or_insert_with(|| {
                cover(shapes, &letter.to_string(), Setting::plain(setting.size), quarter, scale)
            });
            self.frame.cover(cover, x, y, ramps[word], inks);
        }
    }

    /// The left ends of letters in 64ths of a pixel, if they are simply set side by side.
    fn places(&mut self, letters: &[(char, usize)], x: i32, setting: Setting) -> Option<Vec<i32>> {
        let mut places = Vec::with_capacity(letters.len());
        let (mut sum, scale) = (0i64, self.kit.of.scale);
        for (at, &(letter, _)) in letters.iter().enumerate() {
            places.push(sum);
            let next = letters.get(at + 1).map(|next| next.0);
            let known = self.spacing.entry((letter, next));
            let step = known.or_insert_with(|| step(self.shapes, letter, next));
            sum += i64::from((*step)?) * i64::from(setting.size) + i64::from(setting.spaced * EM);
        }
        // From thousandths of a pixel at 100 percent.
        let fine_sum = |sum: i64| (sum * i64::from(scale) * i64::from(FINE) / i64::from(100 * EM)) as i32;
        let left = fine(x, scale) - if setting.centred { fine_sum(sum) / 2 } else { 0 };
        Some(places.into_iter().map(|place| left.saturating_add(fine_sum(place))).collect())
    }
}

/// From the left end of a letter to that of the next, or to its right end.
fn step(shapes: &Shapes, letter: char, next: Option<char>) -> Option<i32> {
    let simple = |c: char| matches!(c, ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}');
    if !simple(letter) || !next.is_none_or(simple) {
        return None;
    }
    let text: String = [Some(letter), next].into_iter().flatten().collect();
    let tree = shapes.parse(&set(&text, Setting::plain(EM))).ok()?;
    let text = text_of(tree.root())?;
    let glyphs: Vec<_> = text.layouted().iter().flat_map(|span| &span.positioned_glyphs).collect();
    match (&glyphs[..], next) {
        ([_], None) => Some(text.bounding_box().width().round() as i32),
        ([one, two], Some(_)) => Some((two.transform().tx - one.transform().tx).round() as i32),
        _ => None,
    }
}

/// Characters as SVG shows them: space at the ends is gone, and inside it is one character wide.
fn letters(words: &[(&str, &str)]) -> Vec<(char, usize)> {
    let mut letters: Vec<(char, usize)> = Vec::new();
    let all = words.iter().enumerate().flat_map(|(word, text)| text.0.chars().map(move |c| (c, word)));
    for (letter, word) in all {
        let letter = if matches!(letter, '\t' | '\n' | '\r') { ' ' } else { letter };
        if letter != ' ' || letters.last().is_some_and(|last| last.0 != ' ') {
            letters.push((letter, word));
        }
    }
    letters.pop_if(|last| last.0 == ' ');
    letters
}

/// Where words stand in their own document.
const START: (i32, i32) = (1000, 2000);

fn set(words: &str, Setting { size, spaced, centred }: Setting) -> String {
    let ((x, y), anchor, words) = (START, if centred { MIDDLE } else { "" }, Escaped(words));
    let text = format!(
        "<text xml:space=\"preserve\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" letter-spacing=\"{spaced}\"{anchor}>{words}</text>"
    );
    document([0, 0, 4000 * UNIT, 4000 * UNIT], &text)
}

/// What words cover around their place, which lies `quarter` quarters of a pixel right of a whole one.
fn cover(shapes: &Shapes, words: &str, setting: Setting, quarter: i32, scale: u32) -> Cover {
    let Ok(tree) = shapes.parse(&set(words, setting)) else { return Cover::default() };
    let wide = text_of(tree.root()).map_or(0.0, |text| text.stroke_bounding_box().width());
    let factor = scale as f32 / 100.0;
    let pixels = |length: f32| (length * factor).ceil().clamp(0.0, 16_384.0) as u32 + 2;
    // Letters reach beyond their own box on all sides, by less than their size.
    let size = setting.size as f32;
    let (rim, rise) = (pixels(size * 0.5), pixels(size * 1.2));
    let left = rim + if setting.centred { pixels(wide / 2.0) } else { 0 };
    let Some(mut map) = Pixmap::new(pixels(wide) + 2 * rim + 4, rise + rim) else { return Cover::default() };
    let x = left as f32 + quarter as f32 / QUARTERS as f32 - START.0 as f32 * factor;
    let y = rise as f32 - START.1 as f32 * factor;
    resvg::render(&tree, Transform::from_row(factor, 0.0, 0.0, factor, x, y), &mut map.as_mut());
    cropped(&map, left as i32, rise as i32)
}

/// The cover of a picture's alpha without the empty rim, from an origin on.
fn cropped(map: &Pixmap, left: i32, top: i32) -> Cover {
    let level = |x: u32, y: u32| {
        let alpha = map.pixel(x, y).map_or(0, |pixel| u32::from(pixel.alpha()));
        ((alpha * u32::from(LEVELS) + 127) / 255) as u8
    };
    let mut xs = (0..map.width()).filter(|&x| (0..map.height()).any(|y| level(x, y) > 0));
    let mut ys = (0..map.height()).filter(|&y| (0..map.width()).any(|x| level(x, y) > 0));
    let (Some(from_x), Some(from_y)) = (xs.next(), ys.next()) else { return Cover::default() };
    let (to_x, to_y) = (xs.next_back().unwrap_or(from_x), ys.next_back().unwrap_or(from_y));
    Cover {
        left: from_x as i32 - left,
        top: from_y as i32 - top,
        width: (to_x - from_x + 1) as usize,
        levels: (from_y..=to_y).flat_map(|y| (from_x..=to_x).map(move |x| level(x, y))).collect(),
    }
}

fn text_of(group: &usvg::Group) -> Option<&usvg::Text> {
    group.children().iter().find_map(|node| match node {
        usvg::Node::Text(text) => Some(&**text),
        usvg::Node::Group(group) => text_of(group),
        _ => None,
    })
}
