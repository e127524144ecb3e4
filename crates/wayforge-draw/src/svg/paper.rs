//! The sheet itself: its colour, grain, border and rules.

use super::Px;
use crate::curve::{Point, UNIT};
use crate::theme::{Palette, Theme};
use std::fmt::{self, Write};
use wayforge::{Seed, Stage};

/// Grains on a sheet: one for so many square pixels, at most so many.
const GRAIN_AREA: i64 = 5200;
const MAX_GRAINS: i64 = 600;

/// What draws a sheet.
pub(crate) struct Paper<'a> {
    pub(crate) palette: &'static Palette,
    /// What every id begins with.
    pub(crate) tag: &'a str,
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// Where the grains lie; none for a sheet without.
    pub(crate) seed: Option<Seed>,
    pub(crate) out: &'a mut String,
}

/// Grains of one size: their width in units, and how much of their ink is seen.
pub(crate) struct Grain {
    pub(crate) width: i32,
    pub(crate) percent: u32,
}

impl Paper<'_> {
    /// A document of nothing but a sheet without grains.
    pub(crate) fn svg(theme: Theme, width: i32, height: i32, rule: [Point; 2]) -> String {
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\"><defs>",
            Px(width),
            Px(height)
        );
        let palette = theme.palette();
        let mut paper = Paper { palette, tag: "w", width, height, seed: None, out: &mut out };
        paper.definitions();
        paper.out.push_str("</defs>");
        paper.sheet(Some(rule));
        out + "</svg>"
    }

    /// Where the grains of a sheet lie, in pixels, for each of three sizes.
    pub(crate) fn grains(width: i32, height: i32, seed: &Seed) -> [(Grain, Vec<(i32, i32)>); 3] {
        let (width, height) = (width / UNIT, height / UNIT);
        let count = (i64::from(width) * i64::from(height) / GRAIN_AREA).clamp(20, MAX_GRAINS);
        let mut rng = seed.stream(Stage::named("draw.grain"));
        [(6, 12, 16), (3, 19, 13), (1, 28, 10)].map(|(part, size, percent)| {
            let mut place = || (rng.range(34, (width - 34).max(34)), rng.range(34, (height - 34).max(34)));
            let places = (0..count * part / 10).map(|_| place()).collect();
            (Grain { width: size, percent }, places)
        })
    }

    fn put(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }

    pub(crate) fn definitions(&mut self) {
        let (tag, [middle, half, edge], shade) = (self.tag, self.palette.paper, self.palette.shade);
        self.put(format_args!(
            "<radialGradient id=\"{tag}-paper\" cx=\"0.5\" cy=\"0.42\" r=\"0.75\"><stop offset=\"0\" stop-color=\"{middle}\"/>\
             <stop offset=\"0.6\" stop-color=\"{half}\"/><stop offset=\"1\" stop-color=\"{edge}\"/></radialGradient>\n"
        ));
        for (name, vector) in [("across", "x2=\"1\" y2=\"0\""), ("down", "x2=\"0\" y2=\"1\"")] {
            let (colour, opacity) = shade;
            self.put(format_args!(
                "<linearGradient id=\"{tag}-{name}\" x1=\"0\" y1=\"0\" {vector} gradientUnits=\"objectBoundingBox\">"
            ));
            // Light falls off in steps that grow smaller, so that no band shows.
            for (offset, part) in [("0", 100), ("0.04", 62), ("0.09", 30), ("0.15", 10), ("0.22", 0)] {
                self.stop(offset, colour, opacity * part);
            }
            for (offset, part) in [("0.78", 0), ("0.85", 10), ("0.91", 30), ("0.96", 62), ("1", 100)] {
                self.stop(offset, colour, opacity * part);
            }
            self.out.push_str("</linearGradient>\n");
        }
    }

    /// A step of a gradient; the opacity is in ten thousandths.
    fn stop(&mut self, offset: &str, colour: &str, opacity: u32) {
        self.put(format_args!(
            "<stop offset=\"{offset}\" stop-color=\"{colour}\" stop-opacity=\"{}.{:04}\"/>",
            opacity / 10_000,
            opacity % 10_000
        ));
    }

    /// The whole sheet, and the rule by its ends.
    pub(crate) fn sheet(&mut self, rule: Option<[Point; 2]>) {
        let (tag, width, height) = (self.tag, Px(self.width), Px(self.height));
        self.out.push_str("<g aria-hidden=\"true\">\n");
        self.put(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"url(#{tag}-paper)\"/>\n"));
        self.grain();
        for name in ["across", "down"] {
            self.put(format_args!(
                "<rect width=\"{width}\" height=\"{height}\" fill=\"url(#{tag}-{name})\"/>\n"
            ));
        }
        self.border();
        if let Some([left, right]) = rule {
            self.rule(left.x, right.x, left.y);
        }
        self.out.push_str("</g>\n");
    }

    /// The sheet without light and shade, for pictures that cover most of it.
    pub(crate) fn plain_sheet(&mut self, rule: Option<[Point; 2]>) {
        let (paper, width, height) = (self.palette.paper[1], Px(self.width), Px(self.height));
        self.out.push_str("<g aria-hidden=\"true\">\n");
        self.put(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/>\n"));
        self.grain();
        self.border();
        if let Some([left, right]) = rule {
            self.rule(left.x, right.x, left.y);
        }
        self.out.push_str("</g>\n");
    }

    /// Specks in the paper, or stars: three sizes, each one path.
    fn grain(&mut self) {
        let Some(seed) = &self.seed else { return };
        let ink = self.palette.ink;
        for (Grain { width, percent }, places) in Paper::grains(self.width, self.height, seed) {
            let opacity = if percent == 10 { "0.1".to_owned() } else { format!("0.{percent}") };
            self.put(format_args!(
                "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-opacity=\"{opacity}\" d=\"",
                Px(width)
            ));
            for (x, y) in places {
                self.put(format_args!("M{x} {y}h.1"));
            }
            self.out.push_str("\"/>\n");
        }
    }

    /// A heavy line, and inside it a fine one whose corners turn inwards around a stud.
    fn border(&mut self) {
        let (width, height) = (self.width, self.height);
        let ink = self.palette.faint;
        let (far, wide, tall) = (18 * UNIT, Px(width - 36 * UNIT), Px(height - 36 * UNIT));
        self.put(format_args!(
            "<rect x=\"{0}\" y=\"{0}\" width=\"{wide}\" height=\"{tall}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2.4\"/>\n",
            Px(far)
        ));
        let (near, turn) = (28 * UNIT, 22 * UNIT);
        let (left, top, right, bottom) = (near, near, width - near, height - near);
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1\" d=\"M{0} {1}H{2}A{r} {r} 0 0 0 {3} {4}V{5}A{r} {r} 0 0 0 {2} {6}\
             H{0}A{r} {r} 0 0 0 {7} {5}V{4}A{r} {r} 0 0 0 {0} {1}Z\"/>\n",
            Px(left + turn),
            Px(top),
            Px(right - turn),
            Px(right),
            Px(top + turn),
            Px(bottom - turn),
            Px(bottom),
            Px(left),
            r = Px(turn),
        ));
        self.put(format_args!("<path fill=\"{ink}\" d=\""));
        let inset = near + 4 * UNIT;
        for (x, y) in
            [(inset, inset), (width - inset, inset), (inset, height - inset), (width - inset, height - inset)]
        {
            self.put(format_args!("M{} {}l5 5-5 5-5-5Z", Px(x), Px(y - 5 * UNIT)));
        }
        self.out.push_str("\"/>\n");
    }

    /// A fine line with a stud in its middle.
    fn rule(&mut self, left: i32, right: i32, y: i32) {
        let (ink, middle) = (self.palette.faint, (left + right) / 2);
        let space = 14 * UNIT;
        self.put(format_args!(
            "<path stroke=\"{ink}\" stroke-width=\"1\" stroke-opacity=\"0.7\" d=\"M{} {y}H{}M{} {y}H{}\"/>\n",
            Px(left),
            Px(middle - space),
            Px(middle + space),
            Px(right),
            y = Px(y),
        ));
        self.put(format_args!(
            "<path fill=\"{ink}\" d=\"M{} {}l6 5-6 5-6-5Z\"/>\n",
            Px(middle),
            Px(y - 5 * UNIT)
        ));
    }
}
