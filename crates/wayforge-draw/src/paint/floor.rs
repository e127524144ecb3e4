//! Floors and towers, painted.

use super::inks::{Rgb, rgb};
use super::palette::choose;
use super::stroke::{FINE, Line};
use super::words::Setting;
use super::{Easel, Shapes, Stamp, fine};
use crate::curve::{Point, UNIT};
use crate::floor::glyphs::Glyph;
use crate::floor::shapes::{ARROW, Stroke, Widths};
use crate::floor::{FloorScene, LEGEND_TILE, Panel};
use crate::png::DrawError;
use crate::sheet::{CAPTION_LINE, TITLE_LINE};
use crate::svg::{LABEL_SIZE, label_place, svg_thing};
use crate::text;
use crate::theme::Theme;
use wayforge::floor::TileKind;

pub(super) fn palette(theme: Theme, shapes: &Shapes) -> Vec<Rgb> {
    let palette = theme.palette();
    choose(theme, &palette.accents, &[palette.rock, palette.water], false, shapes)
}

impl Easel<'_> {
    pub(super) fn floors(&mut self, scene: &FloorScene) -> Result<(), DrawError> {
        let palette = self.kit.of.theme.palette();
        let (ink, faint) = (rgb(palette.ink), rgb(palette.faint));
        let middle = scene.sheet.width / 2;
        let head = |y: i32, size: i32, spaced: i32| Setting {
            at: Point::new(middle, y),
            centred: true,
            size,
            spaced,
        };
        self.write(head(TITLE_LINE, text::TITLE, 1), &[(&scene.title, ink)]);
        self.write(head(CAPTION_LINE, text::CAPTION, 0), &[(&scene.caption, faint)]);
        for (number, panel) in scene.panels.iter().enumerate() {
            self.panel(scene, panel, number as u64)?;
        }
        let line = self.line(ARROW, faint, 255);
        scene.arrows().into_iter().for_each(|arrow| self.chain(arrow.into_iter(), line));
        for entry in &scene.legend {
            let Point { x, y } = entry.pos;
            self.thing(scene, entry.glyph, Point::new(x + LEGEND_TILE / 2, y), None)?;
            let at = Point::new(x + LEGEND_TILE + 10 * UNIT, y + 6 * UNIT);
            let setting = Setting { at, centred: false, size: text::LEGEND, spaced: 0 };
            self.write(setting, &[(entry.name, ink), (&format!(" {}", entry.count), faint)]);
        }
        Ok(())
    }

    fn panel(&mut self, scene: &FloorScene, panel: &Panel, number: u64) -> Result<(), DrawError> {
        let palette = self.kit.of.theme.palette();
        let (ink, faint) = (rgb(palette.ink), rgb(palette.faint));
        if !panel.label.is_empty() {
            let setting = Setting { at: label_place(panel), centred: true, size: LABEL_SIZE, spaced: 0 };
            self.write(setting, &[(&panel.label, faint)]);
        }
        let Widths { hatch, shore, outline, frame, dot, space, .. } = panel.widths();
        let (wide, tall) = panel.extent();
        self.tiles(panel.corner, (wide, tall), palette.rock);
        let line = self.line(hatch, faint, 107);
        self.strokes(panel.hatch(&scene.sheet.about.seed, number), line);
        for (corner, wide) in panel.runs(|tile| tile.walkable()) {
            self.tiles(corner, (wide, panel.tile), palette.disc);
        }
        for (corner, wide) in panel.runs(|tile| tile == TileKind::Water) {
            self.tiles(corner, (wide, panel.tile), palette.water);
        }
        let line = self.line(7, faint, 89);
        self.strokes(panel.tile_lines(), line);
        let line = self.line(shore, rgb(Glyph::Tile(TileKind::Water).colour(palette)), 255);
        self.strokes(panel.shore(), line);
        let line = self.line(outline, ink, 255);
        self.strokes(panel.outline(), line);
        let line = self.line(frame, ink, 255);
        let corner = |right: i32, down: i32| Point::new(panel.corner.x + right, panel.corner.y + down);
        self.chain(
            [(0, 0), (wide, 0), (wide, tall), (0, tall), (0, 0)].into_iter().map(|(x, y)| corner(x, y)),
            line,
        );
        let mut line = self.line(dot, rgb(palette.route), 217);
        line.dashes = Some((1, fine(space, self.scale()).max(FINE / 2)));
        for part in panel.way() {
            self.chain(part.into_iter(), line);
        }
        self.things(scene, panel)
    }

    fn things(&mut self, scene: &FloorScene, panel: &Panel) -> Result<(), DrawError> {
        let route = rgb(self.kit.of.theme.palette().route);
        for (pos, glyph, _) in panel.things() {
            self.thing(scene, glyph, panel.middle(pos), Some(panel.tile))?;
            let line = self.line(panel.widths().ring, route, 217);
            self.strokes(panel.ring(pos, glyph), line);
        }
        Ok(())
    }

    fn thing(
        &mut self,
        scene: &FloorScene,
        glyph: Glyph,
        at: Point,
        tile: Option<i32>,
    ) -> Result<(), DrawError> {
        let theme = self.kit.of.theme;
        let side = tile.unwrap_or(LEGEND_TILE);
        let reach = side / 2 / UNIT + 2;
        let svg = || svg_thing(scene, theme, glyph, side, reach, tile.is_none());
        self.stamp(Stamp::Thing(glyph.number(), tile), at, (reach, 1.0), svg)
    }

    /// Fills a box on whole pixels.
    fn tiles(&mut self, corner: Point, (wide, tall): (i32, i32), colour: &str) {
        let colour = self.kit.inks.nearest(rgb(colour));
        let scale = self.scale();
        let whole = |units: i32| (fine(units, scale) + FINE / 2).div_euclid(FINE);
        let (x, y) = (whole(corner.x)..whole(corner.x + wide), whole(corner.y)..whole(corner.y + tall));
        self.frame.fill(x, y, colour);
    }

    fn strokes(&mut self, strokes: Vec<Stroke>, line: Line) {
        strokes.into_iter().for_each(|stroke| self.chain(stroke.into_iter(), line));
    }
}
