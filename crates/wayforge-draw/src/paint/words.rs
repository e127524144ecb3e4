//! Words from glyphs of the bundled font: each glyph is painted once, and how far the next one stands is asked once for
//! every two.

use super::frame::{Cover, Frame};
use super::inks::{Inks, LEVELS, Rgb};
use super::stroke::{FINE, fine};
use super::vector::Shapes;
use crate::curve::Point;
use crate::text;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use std::collections::BTreeMap;

/// Glyphs stand on quarters of a pixel.
const QUARTERS: i32 = 4;
/// The size at which distances are asked, in pixels; they are kept in thousandths of it.
const EM: i32 = 1000;

/// Distances between glyphs, whatever their size.
#[derive(Default)]
pub(super) struct Spacing {
    /// From one character to the next, or to the end; none where the two are not simply set side by side.
    steps: BTreeMap<(char, Option<char>), Option<i32>>,
}

/// Glyphs at one scale: by character, size and quarter.
#[derive(Default)]
pub(super) struct Glyphs {
    covers: BTreeMap<(char, i32, i32), Cover>,
}

/// Where and how words are set.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    /// The left end of the base line, or its middle.
    pub(super) at: Point,
    pub(super) centred: bool,
    /// Size and additional space between letters, in pixels.
    pub(super) size: i32,
    pub(super) spaced: i32,
}

impl Glyphs {
    /// About how much memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.covers.values().map(|cover| cover.levels.len() + 64).sum()
    }
}

/// What writes at one scale.
pub(super) struct Writer<'a> {
    pub(super) shapes: &'a Shapes,
    pub(super) spacing: &'a mut Spacing,
    pub(super) glyphs: &'a mut Glyphs,
    pub(super) scale: u32,
}

impl Writer<'_> {
    /// Writes words one after the other, each in its colour.
    pub(super) fn write(
        &mut self,
        setting: Setting,
        words: &[(&str, Rgb)],
        frame: &mut Frame,
        inks: &mut Inks,
    ) {
        let letters = letters(words);
        let Some(places) = self.places(&letters, setting) else {
            return self.write_whole(setting, words, frame, inks);
        };
        let y = (fine(setting.at.y, self.scale) + FINE / 2).div_euclid(FINE);
        for (&(letter, word), x) in letters.iter().zip(places) {
            let quarter = (x + FINE / QUARTERS / 2).div_euclid(FINE / QUARTERS);
            let (x, quarter) = (quarter.div_euclid(QUARTERS), quarter.rem_euclid(QUARTERS));
            let (size, scale, shapes) = (setting.size, self.scale, self.shapes);
            let cover = self.glyphs.covers.entry((letter, size, quarter)).or_insert_with(|| {
                cover(shapes, &letter.to_string(), Shape { size, quarter, spaced: 0, centred: false }, scale)
            });
            let ramp = inks.ramp(words[word].1, u8::MAX);
            frame.cover(cover, x, y, ramp, inks);
        }
    }

    /// The left ends of letters in 64ths of a pixel, if they are simply set side by side.
    fn places(&mut self, letters: &[(char, usize)], setting: Setting) -> Option<Vec<i32>> {
        let mut places = Vec::with_capacity(letters.len());
        let mut sum = 0i64;
        for (at, &(letter, _)) in letters.iter().enumerate() {
            places.push(sum);
            let next = letters.get(at + 1).map(|next| next.0);
            sum += i64::from(self.spacing.step(self.shapes, letter, next)?) * i64::from(setting.size);
            sum += i64::from(setting.spaced) * i64::from(EM);
        }
        // From thousandths of a pixel at 100 percent.
        let whole = |sum: i64| (sum * i64::from(self.scale) * i64::from(FINE) / i64::from(100 * EM)) as i32;
        let left = fine(setting.at.x, self.scale) - if setting.centred { whole(sum) / 2 } else { 0 };
        Some(places.into_iter().map(|place| left.saturating_add(whole(place))).collect())
    }

    /// Words that need more than glyphs side by side are painted as they are.
    fn write_whole(&mut self, setting: Setting, words: &[(&str, Rgb)], frame: &mut Frame, inks: &mut Inks) {
        let text: String = letters(words).iter().map(|letter| letter.0).collect();
        let cover = cover(self.shapes, &text, Shape { quarter: 0, ..Shape::of(setting) }, self.scale);
        let x = (fine(setting.at.x, self.scale) + FINE / 2).div_euclid(FINE);
        let y = (fine(setting.at.y, self.scale) + FINE / 2).div_euclid(FINE);
        if let Some(first) = words.first() {
            let ramp = inks.ramp(first.1, u8::MAX);
            frame.cover(&cover, x, y, ramp, inks);
        }
    }
}

impl Spacing {
    fn step(&mut self, shapes: &Shapes, letter: char, next: Option<char>) -> Option<i32> {
        *self.steps.entry((letter, next)).or_insert_with(|| {
            let simple = |c: char| matches!(c, ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}');
            if !simple(letter) || !next.is_none_or(simple) {
                return None;
            }
            let text: String = [Some(letter), next].into_iter().flatten().collect();
            let tree = shapes.tree(&set(&text, Shape { size: EM, quarter: 0, spaced: 0, centred: false }))?;
            let text = text_of(tree.root())?;
            let glyphs: Vec<_> = text.layouted().iter().flat_map(|span| &span.positioned_glyphs).collect();
            match (&glyphs[..], next) {
                ([_], None) => Some(text.bounding_box().width().round() as i32),
                ([one, two], Some(_)) => Some((two.transform().tx - one.transform().tx).round() as i32),
                _ => None,
            }
        })
    }
}

/// Characters as SVG shows them: space at the ends is gone, and inside it is one character wide.
fn letters(words: &[(&str, Rgb)]) -> Vec<(char, usize)> {
    let mut letters: Vec<(char, usize)> = Vec::new();
    let all = words.iter().enumerate().flat_map(|(word, text)| text.0.chars().map(move |c| (c, word)));
    for (letter, word) in all {
        let letter = if matches!(letter, '\t' | '\n' | '\r') { ' ' } else { letter };
        if letter != ' ' || letters.last().is_some_and(|last| last.0 != ' ') {
            letters.push((letter, word));
        }
    }
    if letters.last().is_some_and(|last| last.0 == ' ') {
        letters.pop();
    }
    letters
}

/// Where words stand in their own document.
const START: (i32, i32) = (1000, 2000);

/// What decides how words come out as pixels.
#[derive(Clone, Copy)]
struct Shape {
    size: i32,
    quarter: i32,
    spaced: i32,
    centred: bool,
}

impl Shape {
    fn of(setting: Setting) -> Shape {
        Shape { size: setting.size, quarter: 0, spaced: setting.spaced, centred: setting.centred }
    }
}

fn set(words: &str, shape: Shape) -> String {
    let anchor = if shape.centred { " text-anchor=\"middle\"" } else { "" };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4000\" height=\"4000\"><text xml:space=\"preserve\" x=\"{}\" y=\"{}\" \
         font-size=\"{}\" letter-spacing=\"{}\"{anchor}>",
        START.0, START.1, shape.size, shape.spaced
    );
    text::escape(words, &mut svg);
    svg + "</text></svg>"
}

/// What words cover around their place.
fn cover(shapes: &Shapes, words: &str, shape: Shape, scale: u32) -> Cover {
    let Some(tree) = shapes.tree(&set(words, shape)) else { return Cover::default() };
    let wide = text_of(tree.root()).map_or(0.0, |text| text.stroke_bounding_box().width());
    let factor = scale as f32 / 100.0;
    let pixels = |length: f32| (length * factor).ceil().clamp(0.0, 16_384.0) as u32 + 2;
    // Letters reach beyond their own box on all sides, by less than their size.
    let size = shape.size as f32;
    let (rim, rise) = (pixels(size * 0.5), pixels(size * 1.2));
    let left = rim + if shape.centred { pixels(wide / 2.0) } else { 0 };
    let Some(mut map) = Pixmap::new(pixels(wide) + 2 * rim + 4, rise + rim) else { return Cover::default() };
    let shift = Transform::from_row(
        factor,
        0.0,
        0.0,
        factor,
        left as f32 + shape.quarter as f32 / QUARTERS as f32 - START.0 as f32 * factor,
        rise as f32 - START.1 as f32 * factor,
    );
    resvg::render(&tree, shift, &mut map.as_mut());
    cropped(&map, left as i32, rise as i32)
}

/// The cover of a picture's alpha without the empty rim, from an origin on.
fn cropped(map: &Pixmap, left: i32, top: i32) -> Cover {
    let level = |x: u32, y: u32| {
        let alpha = map.pixel(x, y).map_or(0, |pixel| u32::from(pixel.alpha()));
        ((alpha * u32::from(LEVELS) + 127) / 255) as u8
    };
    let xs = (0..map.width()).filter(|&x| (0..map.height()).any(|y| level(x, y) > 0));
    let ys = (0..map.height()).filter(|&y| (0..map.width()).any(|x| level(x, y) > 0));
    let (Some(from_x), Some(from_y)) = (xs.clone().next(), ys.clone().next()) else {
        return Cover::default();
    };
    let (mut xs, mut ys) = (xs, ys);
    let (to_x, to_y) = (xs.next_back().unwrap_or(from_x), ys.next_back().unwrap_or(from_y));
    Cover {
        left: from_x as i32 - left,
        top: from_y as i32 - top,
        width: (to_x - from_x + 1) as usize,
        levels: (from_y..=to_y)
            .flat_map(|y| (from_x..=to_x).map(move |x| (x, y)))
            .map(|(x, y)| level(x, y))
            .collect(),
    }
}

fn text_of(group: &usvg::Group) -> Option<&usvg::Text> {
    group.children().iter().find_map(|node| match node {
        usvg::Node::Text(text) => Some(&**text),
        usvg::Node::Group(group) => text_of(group),
        _ => None,
    })
}
