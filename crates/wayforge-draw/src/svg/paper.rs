//! The sheet of paper behind a picture: gradient, grain, frame and the line above the legend.

use super::{Canvas, Px, document};
use crate::curve::{Point, UNIT};
use crate::theme::{Colours, Theme};
use wayforge::{Seed, StreamId};

/// Area per grain in square pixels.
const GRAIN_AREA: i64 = 5200;
/// Maximum number of grains on a sheet.
const MAX_GRAINS: i64 = 600;

/// Sheet of paper behind a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Paper {
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// Left and right end of the horizontal line above the legend.
    pub(crate) rule: Option<[Point; 2]>,
    /// Seed of the grain positions; `None` for paper without grain.
    pub(crate) seed: Option<Seed>,
}

/// Grains of one size: width in units, opacity in percent, positions in pixels.
type Grains = (i32, u32, Vec<(i32, i32)>);

impl Paper {
    /// Renders the paper alone as a document.
    pub(crate) fn svg(&self, theme: Theme) -> String {
        let mut canvas = Canvas::new(theme, "w".to_owned());
        canvas.paper_definitions();
        canvas.paper(self, true);
        document([0, 0, self.width, self.height], &canvas.out)
    }

    /// Returns the grains in three sizes.
    pub(crate) fn grains(&self) -> Vec<Grains> {
        let Some(seed) = &self.seed else { return Vec::new() };
        let (width, height) = (self.width / UNIT, self.height / UNIT);
        let count = (i64::from(width) * i64::from(height) / GRAIN_AREA).clamp(20, MAX_GRAINS);
        let mut rng = seed.stream(StreamId::named("draw.grain"));
        let mut random_position =
            || (rng.range(34, (width - 34).max(34)), rng.range(34, (height - 34).max(34)));
        [(6, 12, 16), (3, 19, 13), (1, 28, 10)]
            .map(|(part, size, percent)| {
                (size, percent, (0..count * part / 10).map(|_| random_position()).collect())
            })
            .into()
    }
}

impl Canvas {
    pub(crate) fn paper_definitions(&mut self) {
        let (tag, Colours { page, half, rim, shade, .. }) = (self.tag.clone(), self.palette);
        self.put(format_args!(
            "<radialGradient id=\"{tag}-paper\" cx=\"0.5\" cy=\"0.42\" r=\"0.75\">\
             <stop offset=\"0\" stop-color=\"{page}\"/>\
             <stop offset=\"0.6\" stop-color=\"{half}\"/><stop offset=\"1\" stop-color=\"{rim}\"/>\
             </radialGradient>\n"
        ));
        for (name, vector) in [("across", "x2=\"1\" y2=\"0\""), ("down", "x2=\"0\" y2=\"1\"")] {
            let (colour, opacity) = shade;
            self.put(format_args!(
                "<linearGradient id=\"{tag}-{name}\" x1=\"0\" y1=\"0\" {vector} \
                 gradientUnits=\"objectBoundingBox\">"
            ));
            // The opacity steps shrink towards the centre, so that no banding is visible.
            let first = [("0", 100), ("0.04", 62), ("0.09", 30), ("0.15", 10), ("0.22", 0)];
            let last = [("0.78", 0), ("0.85", 10), ("0.91", 30), ("0.96", 62), ("1", 100)];
            for (offset, part) in first.into_iter().chain(last) {
                let (integer, rest) = (opacity * part / 10_000, opacity * part % 10_000);
                self.put(format_args!(
                    "<stop offset=\"{offset}\" stop-color=\"{colour}\" \
                     stop-opacity=\"{integer}.{rest:04}\"/>"
                ));
            }
            self.out.push_str("</linearGradient>\n");
        }
    }

    /// Draws the sheet. `shaded` adds gradient and vignette; pictures that cover most of the sheet
    /// omit them.
    pub(crate) fn paper(&mut self, paper: &Paper, shaded: bool) {
        let (tag, width, height) = (self.tag.clone(), Px(paper.width), Px(paper.height));
        self.out.push_str("<g aria-hidden=\"true\">\n");
        let fill_sheet = |canvas: &mut Canvas, fill: &str| {
            canvas.put(format_args!(
                "<rect width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>\n"
            ));
        };
        let flat = self.palette.half.to_owned();
        fill_sheet(self, &if shaded { format!("url(#{tag}-paper)") } else { flat });
        self.grain(paper);
        for name in ["across", "down"].into_iter().filter(|_| shaded) {
            fill_sheet(self, &format!("url(#{tag}-{name})"));
        }
        self.frame(paper.width, paper.height);
        if let Some([left, right]) = paper.rule {
            self.rule(left.x, right.x, left.y);
        }
        self.out.push_str("</g>\n");
    }

    /// Draws the grain (specks, or stars in a dark theme): one path per size.
    fn grain(&mut self, paper: &Paper) {
        let ink = self.palette.ink;
        for (width, percent, positions) in paper.grains() {
            let (width, opacity) = (Px(width), if percent == 10 { 1 } else { percent });
            self.put(format_args!(
                "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" \
                 stroke-linecap=\"round\" stroke-opacity=\"0.{opacity}\" d=\""
            ));
            positions.into_iter().for_each(|(x, y)| self.put(format_args!("M{x} {y}h.1")));
            self.out.push_str("\"/>\n");
        }
    }

    /// Draws the frame: a heavy line, and inside it a fine one with concave corners around a
    /// diamond.
    fn frame(&mut self, width: i32, height: i32) {
        let ink = self.palette.faint;
        let (outer, outer_width, outer_height) =
            (Px(18 * UNIT), Px(width - 36 * UNIT), Px(height - 36 * UNIT));
        self.put(format_args!(
            "<rect x=\"{outer}\" y=\"{outer}\" width=\"{outer_width}\" height=\"{outer_height}\" \
             fill=\"none\" stroke=\"{ink}\" stroke-width=\"2.4\"/>\n"
        ));
        let (inset, corner) = (28 * UNIT, 22 * UNIT);
        let ends =
            |length: i32| [inset, inset + corner, length - inset - corner, length - inset].map(Px);
        let ([x0, x1, x2, x3], [y0, y1, y2, y3], r) = (ends(width), ends(height), Px(corner));
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1\" \
             d=\"M{x1} {y0}H{x2}A{r} {r} 0 0 0 {x3} {y1}V{y2}A{r} {r} 0 0 0 {x2} {y3}\
             H{x1}A{r} {r} 0 0 0 {x0} {y2}V{y1}A{r} {r} 0 0 0 {x1} {y0}Z\"/>\n"
        ));
        self.put(format_args!("<path fill=\"{ink}\" d=\""));
        let inset = inset + 4 * UNIT;
        for y in [inset, height - inset] {
            for x in [inset, width - inset] {
                self.put(format_args!("M{} {}l5 5-5 5-5-5Z", Px(x), Px(y - 5 * UNIT)));
            }
        }
        self.out.push_str("\"/>\n");
    }

    /// Draws the line above the legend, with a diamond in the middle.
    fn rule(&mut self, left: i32, right: i32, y: i32) {
        let (ink, middle, space) = (self.palette.faint, (left + right) / 2, 14 * UNIT);
        let [left, near, far, right] = [left, middle - space, middle + space, right].map(Px);
        let [middle, y, above] = [middle, y, y - 5 * UNIT].map(Px);
        self.put(format_args!(
            "<path stroke=\"{ink}\" stroke-width=\"1\" stroke-opacity=\"0.7\" \
             d=\"M{left} {y}H{near}M{far} {y}H{right}\"/>\n\
             <path fill=\"{ink}\" d=\"M{middle} {above}l6 5-6 5-6-5Z\"/>\n"
        ));
    }
}
