//! Paints floors and towers.

use super::blend::rgb;
use super::stroke::SUBPIXELS;
use super::{
    CacheKey, ColourSet, PaintContext, Painter, PngScene, SpriteKey, to_pixels, to_subpixels,
};
use crate::curve::{Point, UNIT};
use crate::floor::glyphs::Glyph;
use crate::floor::shapes::{ARROW, Lines};
use crate::floor::{FloorPanel, FloorScene, LEGEND_TILE};
use crate::png::DrawError;
use crate::svg::glyph_svg;
use crate::theme::Theme;

impl PngScene for FloorScene {
    fn size(&self) -> (i32, i32) {
        self.size()
    }

    fn paint(&self, painter: &mut Painter, theme: Theme, scale: u32) -> Result<(), DrawError> {
        let key = CacheKey { theme, scale, colour_set: ColourSet::Floors };
        painter.draw(key, &self.paper, |context| context.floors(self))
    }
}

impl PaintContext<'_> {
    pub(super) fn floors(&mut self, scene: &FloorScene) -> Result<(), DrawError> {
        scene.labels().iter().for_each(|label| self.label(label));
        for (number, panel) in scene.panels.iter().enumerate() {
            self.panel(scene, panel, number as u64)?;
        }
        let line = self.line(ARROW, self.palette().faint, 255);
        scene.arrows().into_iter().for_each(|arrow| self.polyline(arrow, line));
        for entry in &scene.legend {
            let Point { x, y } = entry.pos;
            self.glyph(entry.glyph, entry.pos.offset(LEGEND_TILE / 2, 0), None)?;
            self.legend_text(x + LEGEND_TILE + 10 * UNIT, y, entry.name, entry.count);
        }
        Ok(())
    }

    fn panel(
        &mut self,
        scene: &FloorScene,
        panel: &FloorPanel,
        number: u64,
    ) -> Result<(), DrawError> {
        let (palette, (width, height)) = (self.palette(), panel.extent());
        self.fill(panel.corner, (width, height), palette.rock);
        for (runs, colour) in panel.fills(palette) {
            runs.into_iter()
                .for_each(|(corner, width)| self.fill(corner, (width, panel.tile_size), colour));
        }
        for lines in panel.lines(scene.paper.seed.as_ref(), number, palette) {
            self.lines(lines);
        }
        let (frame, dot, space) = panel.widths();
        let line = self.line(frame, palette.ink, 255);
        let corners = [(0, 0), (width, 0), (width, height), (0, height), (0, 0)];
        self.polyline(corners.map(|(x, y)| panel.corner.offset(x, y)), line);
        let mut line = self.line(dot, palette.mark, 217);
        line.dashes = Some((1, to_subpixels(space, self.cache.key.scale).max(SUBPIXELS / 2)));
        panel.path_segments().into_iter().for_each(|part| self.polyline(part, line));
        for (pos, glyph) in panel.glyphs() {
            self.glyph(glyph, panel.centre(pos), Some(panel.tile_size))?;
            self.lines(panel.ring(pos, glyph, palette));
        }
        Ok(())
    }

    /// Draws a glyph. `tile` is the side of its tile in units; `None` draws the tile of the legend.
    fn glyph(&mut self, glyph: Glyph, at: Point, tile: Option<i32>) -> Result<(), DrawError> {
        let theme = self.cache.key.theme;
        let reach = tile.unwrap_or(LEGEND_TILE) / 2 / UNIT + 2;
        let svg = || glyph_svg(theme, glyph, tile, reach);
        self.sprite(SpriteKey::Glyph(glyph, tile), at, (reach, 1.0), svg)
    }

    /// Fills a rectangle, rounded to whole pixels.
    fn fill(&mut self, corner: Point, (width, height): (i32, i32), colour: &str) {
        let (colour, scale) = (self.cache.blend.nearest(rgb(colour)), self.cache.key.scale);
        let span =
            |start: i32, length: i32| to_pixels(start, scale)..to_pixels(start + length, scale);
        self.image.fill(span(corner.x, width), span(corner.y, height), colour);
    }

    fn lines(&mut self, (lines, width, colour, percent): Lines) {
        let line = self.line(width, colour, ((percent * 255 + 50) / 100) as u8);
        lines.into_iter().for_each(|stroke| self.polyline(stroke, line));
    }
}
