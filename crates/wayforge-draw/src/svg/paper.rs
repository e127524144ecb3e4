//! The paper itself: its colour, grain, border and rules.

use super::{Canvas, Px, document};
use crate::curve::{Point, UNIT};
use crate::theme::{Colours, Theme};
use wayforge::{Seed, Stage};

/// Square pixels of a sheet for each grain, and the most grains.
const GRAIN_AREA: i64 = 5200;
const MAX_GRAINS: i64 = 600;

/// What a picture is drawn on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Paper {
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// The rule above the legend, by its left and right end.
    pub(crate) rule: Option<[Point; 2]>,
    /// Where the grains lie; none for paper without.
    pub(crate) seed: Option<Seed>,
}

/// Grains of one size: their width in units, how much of their ink is seen in percent, and their places in pixels.
type Grains = (i32, u32, Vec<(i32, i32)>);

impl Paper {
    /// A document of nothing but the paper.
    pub(crate) fn svg(&self, theme: Theme) -> String {
        let mut canvas = Canvas::new(theme, "w".to_owned());
        canvas.paper_definitions();
        canvas.paper(self, true);
        document([0, 0, self.width, self.height], &canvas.out)
    }

    /// Grains of three sizes.
    pub(crate) fn grains(&self) -> Vec<Grains> {
        let Some(seed) = &self.seed else { return Vec::new() };
        let (width, height) = (self.width / UNIT, self.height / UNIT);
        let count = (i64::from(width) * i64::from(height) / GRAIN_AREA).clamp(20, MAX_GRAINS);
        let mut rng = seed.stream(Stage::named("draw.grain"));
        let mut place = || (rng.range(34, (width - 34).max(34)), rng.range(34, (height - 34).max(34)));
        [(6, 12, 16), (3, 19, 13), (1, 28, 10)]
            .map(|(part, size, percent)| (size, percent, (0..count * part / 10).map(|_| place()).collect()))
            .into()
    }
}

impl Canvas {
    pub(crate) fn paper_definitions(&mut self) {
        let (tag, Colours { page, half, rim, shade, .. }) = (self.tag.clone(), self.palette);
        self.put(format_args!(
            "<radialGradient id=\"{tag}-paper\" cx=\"0.5\" cy=\"0.42\" r=\"0.75\"><stop offset=\"0\" stop-color=\"{page}\"/>\
             <stop offset=\"0.6\" stop-color=\"{half}\"/><stop offset=\"1\" stop-color=\"{rim}\"/></radialGradient>\n"
        ));
        for (name, vector) in [("across", "x2=\"1\" y2=\"0\""), ("down", "x2=\"0\" y2=\"1\"")] {
            let (colour, opacity) = shade;
            self.put(format_args!(
                "<linearGradient id=\"{tag}-{name}\" x1=\"0\" y1=\"0\" {vector} gradientUnits=\"objectBoundingBox\">"
            ));
            // Light falls off in steps that grow smaller, so that no band shows.
            let first = [("0", 100), ("0.04", 62), ("0.09", 30), ("0.15", 10), ("0.22", 0)];
            let last = [("0.78", 0), ("0.85", 10), ("0.91", 30), ("0.96", 62), ("1", 100)];
            for (offset, part) in first.into_iter().chain(last) {
                let (whole, rest) = (opacity * part / 10_000, opacity * part % 10_000);
                self.put(format_args!(
                    "<stop offset=\"{offset}\" stop-color=\"{colour}\" stop-opacity=\"{whole}.{rest:04}\"/>"
                ));
            }
            self.out.push_str("</linearGradient>\n");
        }
    }

    /// The whole sheet, shaded towards its edges if asked: pictures that cover most of it do without.
    pub(crate) fn paper(&mut self, paper: &Paper, shaded: bool) {
        let (tag, width, height) = (self.tag.clone(), Px(paper.width), Px(paper.height));
        self.out.push_str("<g aria-hidden=\"true\">\n");
        let cover = |canvas: &mut Canvas, fill: &str| {
            canvas.put(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>\n"));
        };
        let even = self.palette.half.to_owned();
        cover(self, &if shaded { format!("url(#{tag}-paper)") } else { even });
        self.grain(paper);
        for name in ["across", "down"].into_iter().filter(|_| shaded) {
            cover(self, &format!("url(#{tag}-{name})"));
        }
        self.border(paper.width, paper.height);
        if let Some([left, right]) = paper.rule {
            self.rule(left.x, right.x, left.y);
        }
        self.out.push_str("</g>\n");
    }

    /// Specks in the paper, or stars: three sizes, each one path.
    fn grain(&mut self, paper: &Paper) {
        let ink = self.palette.ink;
        for (width, percent, places) in paper.grains() {
            let (width, opacity) = (Px(width), if percent == 10 { 1 } else { percent });
            self.put(format_args!(
                "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linecap=\"round\" stroke-opacity=\"0.{opacity}\" d=\""
            ));
            places.into_iter().for_each(|(x, y)| self.put(format_args!("M{x} {y}h.1")));
            self.out.push_str("\"/>\n");
        }
    }

    /// A heavy line, and inside it a fine one whose corners turn inwards around a stud.
    fn border(&mut self, width: i32, height: i32) {
        let ink = self.palette.faint;
        let (far, wide, tall) = (Px(18 * UNIT), Px(width - 36 * UNIT), Px(height - 36 * UNIT));
        self.put(format_args!(
            "<rect x=\"{far}\" y=\"{far}\" width=\"{wide}\" height=\"{tall}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2.4\"/>\n"
        ));
        let (near, turn) = (28 * UNIT, 22 * UNIT);
        let ends = |long: i32| [near, near + turn, long - near - turn, long - near].map(Px);
        let ([x0, x1, x2, x3], [y0, y1, y2, y3], r) = (ends(width), ends(height), Px(turn));
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1\" d=\"M{x1} {y0}H{x2}A{r} {r} 0 0 0 {x3} {y1}V{y2}A{r} {r} 0 0 0 {x2} {y3}\
             H{x1}A{r} {r} 0 0 0 {x0} {y2}V{y1}A{r} {r} 0 0 0 {x1} {y0}Z\"/>\n"
        ));
        self.put(format_args!("<path fill=\"{ink}\" d=\""));
        let inset = near + 4 * UNIT;
        for y in [inset, height - inset] {
            for x in [inset, width - inset] {
                self.put(format_args!("M{} {}l5 5-5 5-5-5Z", Px(x), Px(y - 5 * UNIT)));
            }
        }
        self.out.push_str("\"/>\n");
    }

    /// A fine line with a stud in its middle.
    fn rule(&mut self, left: i32, right: i32, y: i32) {
        let (ink, middle, space) = (self.palette.faint, (left + right) / 2, 14 * UNIT);
        let [left, near, far, right] = [left, middle - space, middle + space, right].map(Px);
        let [middle, y, above] = [middle, y, y - 5 * UNIT].map(Px);
        self.put(format_args!(
            "<path stroke=\"{ink}\" stroke-width=\"1\" stroke-opacity=\"0.7\" d=\"M{left} {y}H{near}M{far} {y}H{right}\"/>\n\
             <path fill=\"{ink}\" d=\"M{middle} {above}l6 5-6 5-6-5Z\"/>\n"
        ));
    }
}
