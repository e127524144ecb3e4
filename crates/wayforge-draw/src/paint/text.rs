//! Text in the bundled font, composed of cached glyphs and cached advances of character pairs.

use super::blend::{InkId, LEVELS, rgb};
use super::image::Coverage;
use super::rasteriser::SvgRasteriser;
use super::stroke::{SUBPIXELS, to_pixels, to_subpixels};
use super::{PaintContext, RenderCache};
use crate::curve::{Point, UNIT};
use crate::sheet::Label;
use crate::svg::{MIDDLE, document};
use crate::text::{self, Escaped};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use std::collections::BTreeMap;

/// Glyphs are positioned at quarter pixels.
const QUARTERS: i32 = 4;
/// Font size at which advances are measured, so that they are in thousandths of an em.
const EM: i32 = 1000;

/// Advances from a character to the next one or to the end of the text, including kerning. `None`
/// if the pair needs more than two glyphs side by side, such as a ligature.
pub(super) type AdvanceCache = BTreeMap<(char, Option<char>), Option<i32>>;

/// Coverage of glyphs at one scale, by character, font size and quarter pixel.
pub(super) type GlyphCache = BTreeMap<(char, i32, i32), Coverage>;

/// Style of a line of text.
#[derive(Clone, Copy)]
struct TextStyle {
    /// Font size in pixels.
    size: i32,
    /// Additional letter spacing in pixels.
    letter_spacing: i32,
    /// Whether the text is centred instead of left-aligned.
    centred: bool,
}

impl TextStyle {
    fn plain(size: i32) -> TextStyle {
        TextStyle { size, letter_spacing: 0, centred: false }
    }
}

impl PaintContext<'_> {
    pub(super) fn label(&mut self, label: &Label) {
        let colour = if label.is_primary { self.palette().ink } else { self.palette().faint };
        let style =
            TextStyle { size: label.size, letter_spacing: label.letter_spacing, centred: true };
        self.write(label.at, style, &[(&label.text, colour)]);
    }

    /// Writes the text of a legend entry centred vertically on `y`: name and count.
    pub(super) fn legend_text(&mut self, x: i32, y: i32, name: &str, count: usize) {
        let (palette, count) = (self.palette(), format!(" {count}"));
        let parts = [(name, palette.ink), (&count, palette.faint)];
        self.write(Point::new(x, y + 6 * UNIT), TextStyle::plain(text::LEGEND), &parts);
    }

    /// Writes the parts of a line one after the other, each in its colour.
    fn write(&mut self, at: Point, style: TextStyle, parts: &[(&str, &str)]) {
        let chars = visible_chars(parts);
        let positions = self.glyph_positions(&chars, at.x, style);
        let RenderCache { glyphs, blend, key, .. } = &mut *self.cache;
        let (y, scale, rasteriser) = (to_pixels(at.y, key.scale), key.scale, self.rasteriser);
        let ramps: Vec<InkId> = parts.iter().map(|part| blend.ramp(rgb(part.1), u8::MAX)).collect();
        let Some(positions) = positions else {
            // Complex text is rasterised as a whole.
            let text: String = chars.iter().map(|c| c.0).collect();
            let coverage = coverage(rasteriser, &text, style, 0, scale);
            return self.image.draw_coverage(&coverage, to_pixels(at.x, scale), y, ramps[0], blend);
        };
        for (&(c, part), x) in chars.iter().zip(positions) {
            let quarter = (x + SUBPIXELS / QUARTERS / 2).div_euclid(SUBPIXELS / QUARTERS);
            let (x, quarter) = (quarter.div_euclid(QUARTERS), quarter.rem_euclid(QUARTERS));
            let coverage = glyphs.entry((c, style.size, quarter)).or_insert_with(|| {
                coverage(rasteriser, &c.to_string(), TextStyle::plain(style.size), quarter, scale)
            });
            self.image.draw_coverage(coverage, x, y, ramps[part], blend);
        }
    }

    /// Returns the left edges of the glyphs in subpixels; `None` if the text needs shaping.
    fn glyph_positions(
        &mut self,
        chars: &[(char, usize)],
        x: i32,
        style: TextStyle,
    ) -> Option<Vec<i32>> {
        let mut positions = Vec::with_capacity(chars.len());
        let (mut sum, scale) = (0i64, self.cache.key.scale);
        for (index, &(c, _)) in chars.iter().enumerate() {
            positions.push(sum);
            let next = chars.get(index + 1).map(|next| next.0);
            let cached = self.advances.entry((c, next));
            let advance = cached.or_insert_with(|| advance(self.rasteriser, c, next));
            sum += i64::from((*advance)?) * i64::from(style.size)
                + i64::from(style.letter_spacing * EM);
        }
        // From thousandths of a pixel at 100 percent to subpixels.
        let scaled =
            |sum: i64| (sum * i64::from(scale) * i64::from(SUBPIXELS) / i64::from(100 * EM)) as i32;
        let left = to_subpixels(x, scale) - if style.centred { scaled(sum) / 2 } else { 0 };
        Some(positions.into_iter().map(|sum| left.saturating_add(scaled(sum))).collect())
    }
}

/// Measures the advance from a character to the next one, or to the end of the text. `None` if the
/// pair needs shaping.
fn advance(rasteriser: &SvgRasteriser, c: char, next: Option<char>) -> Option<i32> {
    let simple = |c: char| matches!(c, ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}');
    if !simple(c) || !next.is_none_or(simple) {
        return None;
    }
    let text: String = [Some(c), next].into_iter().flatten().collect();
    let tree = rasteriser.parse(&text_document(&text, TextStyle::plain(EM))).ok()?;
    let text = find_text(tree.root())?;
    let glyphs: Vec<_> = text.layouted().iter().flat_map(|span| &span.positioned_glyphs).collect();
    match (&glyphs[..], next) {
        ([_], None) => Some(text.bounding_box().width().round() as i32),
        ([one, two], Some(_)) => Some((two.transform().tx - one.transform().tx).round() as i32),
        _ => None,
    }
}

/// Returns the characters as SVG displays them: whitespace is trimmed at the ends and collapsed
/// inside.
fn visible_chars(parts: &[(&str, &str)]) -> Vec<(char, usize)> {
    let mut chars: Vec<(char, usize)> = Vec::new();
    let all =
        parts.iter().enumerate().flat_map(|(part, text)| text.0.chars().map(move |c| (c, part)));
    for (c, part) in all {
        let c = if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c };
        if c != ' ' || chars.last().is_some_and(|last| last.0 != ' ') {
            chars.push((c, part));
        }
    }
    chars.pop_if(|last| last.0 == ' ');
    chars
}

/// Origin of text in its own document.
const START: (i32, i32) = (1000, 2000);

fn text_document(text: &str, TextStyle { size, letter_spacing, centred }: TextStyle) -> String {
    let ((x, y), anchor, text) = (START, if centred { MIDDLE } else { "" }, Escaped(text));
    let text = format!(
        "<text xml:space=\"preserve\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" \
         letter-spacing=\"{letter_spacing}\"{anchor}>{text}</text>"
    );
    document([0, 0, 4000 * UNIT, 4000 * UNIT], &text)
}

/// Returns the coverage of text whose origin is `quarter` quarters of a pixel to the right of a
/// whole pixel.
fn coverage(
    rasteriser: &SvgRasteriser,
    text: &str,
    style: TextStyle,
    quarter: i32,
    scale: u32,
) -> Coverage {
    let Ok(tree) = rasteriser.parse(&text_document(text, style)) else {
        return Coverage::default();
    };
    let width = find_text(tree.root()).map_or(0.0, |text| text.stroke_bounding_box().width());
    let factor = scale as f32 / 100.0;
    let pixels = |length: f32| (length * factor).ceil().clamp(0.0, 16_384.0) as u32 + 2;
    // Glyphs extend beyond their box on all sides by less than the font size.
    let size = style.size as f32;
    let (margin, rise) = (pixels(size * 0.5), pixels(size * 1.2));
    let left = margin + if style.centred { pixels(width / 2.0) } else { 0 };
    let Some(mut map) = Pixmap::new(pixels(width) + 2 * margin + 4, rise + margin) else {
        return Coverage::default();
    };
    let x = left as f32 + quarter as f32 / QUARTERS as f32 - START.0 as f32 * factor;
    let y = rise as f32 - START.1 as f32 * factor;
    resvg::render(&tree, Transform::from_row(factor, 0.0, 0.0, factor, x, y), &mut map.as_mut());
    crop(&map, left as i32, rise as i32)
}

/// Returns the coverage of a picture without its empty margin, relative to an origin.
fn crop(map: &Pixmap, left: i32, top: i32) -> Coverage {
    let level = |x: u32, y: u32| {
        let alpha = map.pixel(x, y).map_or(0, |pixel| u32::from(pixel.alpha()));
        ((alpha * u32::from(LEVELS) + 127) / 255) as u8
    };
    let mut xs = (0..map.width()).filter(|&x| (0..map.height()).any(|y| level(x, y) > 0));
    let mut ys = (0..map.height()).filter(|&y| (0..map.width()).any(|x| level(x, y) > 0));
    let (Some(from_x), Some(from_y)) = (xs.next(), ys.next()) else { return Coverage::default() };
    let (to_x, to_y) = (xs.next_back().unwrap_or(from_x), ys.next_back().unwrap_or(from_y));
    Coverage {
        left: from_x as i32 - left,
        top: from_y as i32 - top,
        width: (to_x - from_x + 1) as usize,
        levels: (from_y..=to_y).flat_map(|y| (from_x..=to_x).map(move |x| level(x, y))).collect(),
    }
}

fn find_text(group: &usvg::Group) -> Option<&usvg::Text> {
    group.children().iter().find_map(|node| match node {
        usvg::Node::Text(text) => Some(&**text),
        usvg::Node::Group(group) => find_text(group),
        _ => None,
    })
}
