//! Floors and towers, painted.

use super::inks::rgb;
use super::stroke::FINE;
use super::{Easel, Stamp, fine, whole};
use crate::curve::{Point, UNIT};
use crate::floor::glyphs::Glyph;
use crate::floor::shapes::{ARROW, Lines};
use crate::floor::{FloorScene, LEGEND_TILE, Panel};
use crate::png::DrawError;
use crate::svg::svg_thing;

impl Easel<'_> {
    pub(super) fn floors(&mut self, scene: &FloorScene) -> Result<(), DrawError> {
        scene.labels().iter().for_each(|label| self.label(label));
        for (number, panel) in scene.panels.iter().enumerate() {
            self.panel(scene, panel, number as u64)?;
        }
        let line = self.line(ARROW, self.palette().faint, 255);
        scene.arrows().into_iter().for_each(|arrow| self.chain(arrow, line));
        for entry in &scene.legend {
            let Point { x, y } = entry.pos;
            self.thing(entry.glyph, Point::new(x + LEGEND_TILE / 2, y), None)?;
            self.legend_words(x + LEGEND_TILE + 10 * UNIT, y, entry.name, entry.count);
        }
        Ok(())
    }

    fn panel(&mut self, scene: &FloorScene, panel: &Panel, number: u64) -> Result<(), DrawError> {
        let (palette, (wide, tall)) = (self.palette(), panel.extent());
        self.fill(panel.corner, (wide, tall), palette.rock);
        for (runs, colour) in panel.fills(palette) {
            runs.into_iter().for_each(|(corner, wide)| self.fill(corner, (wide, panel.tile), colour));
        }
        for lines in panel.lines(scene.paper.seed.as_ref(), number, palette) {
            self.lines(lines);
        }
        let (frame, dot, space) = panel.widths();
        let line = self.line(frame, palette.ink, 255);
        let corners = [(0, 0), (wide, 0), (wide, tall), (0, tall), (0, 0)];
        self.chain(corners.map(|(x, y)| Point::new(panel.corner.x + x, panel.corner.y + y)), line);
        let mut line = self.line(dot, palette.mark, 217);
        line.dashes = Some((1, fine(space, self.kit.of.scale).max(FINE / 2)));
        panel.way().into_iter().for_each(|part| self.chain(part, line));
        for (pos, glyph, _) in panel.things() {
            self.thing(glyph, panel.middle(pos), Some(panel.tile))?;
            self.lines(panel.ring(pos, glyph, palette));
        }
        Ok(())
    }

    /// Stamps a thing on a tile of this side, or as in the legend.
    fn thing(&mut self, glyph: Glyph, at: Point, tile: Option<i32>) -> Result<(), DrawError> {
        let theme = self.kit.of.theme;
        let reach = tile.unwrap_or(LEGEND_TILE) / 2 / UNIT + 2;
        let svg = || svg_thing(theme, glyph, tile, reach);
        self.stamp(Stamp::Thing(glyph, tile), at, (reach, 1.0), svg)
    }

    /// Fills a box on whole pixels.
    fn fill(&mut self, corner: Point, (wide, tall): (i32, i32), colour: &str) {
        let (colour, scale) = (self.kit.inks.nearest(rgb(colour)), self.kit.of.scale);
        let span = |from: i32, long: i32| whole(from, scale)..whole(from + long, scale);
        self.frame.fill(span(corner.x, wide), span(corner.y, tall), colour);
    }

    fn lines(&mut self, (lines, width, colour, percent): Lines) {
        let line = self.line(width, colour, ((percent * 255 + 50) / 100) as u8);
        lines.into_iter().for_each(|stroke| self.chain(stroke, line));
    }
}
