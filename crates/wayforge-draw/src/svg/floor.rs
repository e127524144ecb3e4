//! Renders floors as SVG: hatched rock, light tiles with a heavy outline, a dotted path, and a
//! glyph for every item.

use super::{Canvas, Pen, Px, document, outlined};
use crate::curve::{Point, UNIT};
use crate::floor::glyphs::Glyph;
use crate::floor::shapes::{ARROW, Lines};
use crate::floor::{FloorPanel, FloorScene, LEGEND_TILE};
use crate::theme::{Colours, Theme};
#[cfg(feature = "png")]
use crate::tiles::{FloorTile, pin_markup};
use wayforge::floor::TileKind;
use wayforge::seed::fnv1a_64;

/// Renders floors as SVG.
///
/// Returns one `<svg>` element without scripts or external references; all ids share a prefix
/// derived from the scene. For screen readers the element has a title, a description, and a title
/// on every glyph.
///
/// # Complexity
/// O(tiles).
///
/// # Examples
///
/// ```
/// use wayforge::floor;
/// use wayforge_draw::{FloorScene, Theme, floor_svg};
/// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
/// let text = floor_svg(&FloorScene::from_floor(&floor), Theme::Parchment);
/// assert!(text.starts_with("<svg ") && text.contains("<title>chest at "));
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub fn floor_svg(scene: &FloorScene, theme: Theme) -> String {
    // Different pictures of one seed may be on one page, so the prefix depends on the caption too.
    let key = format!("{} {} {} {}", scene.title, scene.caption, scene.panels.len(), theme.name());
    let mut pen = Pen::new(scene, theme, format!("f{:016x}", fnv1a_64(key.as_bytes())));
    pen.open(scene.size(), &scene.title, &scene.description);
    pen.out.push_str("<defs>\n");
    pen.paper_definitions();
    pen.out.push_str("</defs>\n");
    pen.paper(&scene.paper, true);
    scene.labels().iter().for_each(|label| pen.label(label));
    for (n, panel) in scene.panels.iter().enumerate() {
        pen.panel(panel, n as u64);
    }
    let style = outlined("none", pen.palette.faint, ARROW);
    let style = format!("{style} stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    scene.arrows().iter().for_each(|arrow| pen.path(&style, |pen| pen.polyline(arrow)));
    for entry in &scene.legend {
        let Point { x, y } = entry.pos;
        pen.legend_tile(entry.glyph, Point::new(x + LEGEND_TILE / 2, y));
        pen.legend_text(x + LEGEND_TILE + 10 * UNIT, y, entry.name, &entry.count.to_string());
    }
    pen.canvas.out + "</svg>\n"
}

impl Pen<'_, FloorScene> {
    fn panel(&mut self, panel: &FloorPanel, number: u64) {
        let ((width, height), Point { x, y }) = (panel.extent(), panel.corner);
        let Colours { rock, ink, mark, .. } = self.palette;
        let (x, y, width, height) = (Px(x), Px(y), Px(width), Px(height));
        let area = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"");
        self.put(format_args!("<rect {area} fill=\"{rock}\"/>\n"));
        for (runs, fill) in panel.fills(self.palette) {
            self.path(format_args!("fill=\"{fill}\""), |pen| {
                runs.into_iter()
                    .for_each(|(corner, width)| pen.trace_rect(corner, width, panel.tile_size));
            });
        }
        for lines in panel.lines(self.scene.paper.seed.as_ref(), number, self.palette) {
            self.lines(lines);
        }
        let (frame, dot, space) = panel.widths();
        self.put(format_args!("<rect {area} {}/>\n", outlined("none", ink, frame)));
        let (style, space) = (outlined("none", mark, dot), Px(space));
        let dots =
            format!("stroke-linejoin=\"round\" stroke-dasharray=\"0.1 {space}\" opacity=\"0.85\"");
        self.path(format_args!("{style} stroke-linecap=\"round\" {dots}"), |pen| {
            panel.path_segments().iter().for_each(|part| pen.polyline(part));
        });
        for (pos, glyph) in panel.glyphs() {
            self.put(format_args!("<g><title>{} at {pos}</title>", glyph.name()));
            self.glyph(glyph, panel.centre(pos), panel.tile_size);
            self.lines(panel.ring(pos, glyph, self.palette));
            self.out.push_str("</g>\n");
        }
    }

    /// Draws straight lines as one path.
    fn lines(&mut self, (lines, width, colour, percent): Lines) {
        let style = outlined("none", colour, width);
        let opacity =
            if percent < 100 { format!(" opacity=\"0.{percent}\"") } else { String::new() };
        self.path(format_args!("{style} stroke-linecap=\"round\"{opacity}"), |pen| {
            lines.iter().for_each(|line| pen.polyline(line));
        });
    }
}

impl Canvas {
    fn polyline(&mut self, points: &[Point]) {
        for (n, &Point { x, y }) in points.iter().enumerate() {
            self.trace(&[(if n > 0 { "L" } else { "M" }, &[x, y])]);
        }
    }

    /// Draws a glyph that fills about three fifths of a tile, on a disc that covers the dotted
    /// path.
    fn glyph(&mut self, glyph: Glyph, at: Point, tile: i32) {
        let (colour, disc) = (glyph.colour(self.palette), self.palette.card);
        let (x, y, markup) = (Px(at.x), Px(at.y), glyph.markup());
        if glyph != Glyph::Tile(TileKind::Water) {
            let radius = Px(tile * glyph.radius_percent() / 100);
            self.put(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{disc}\"/>"
            ));
        }
        // Scale in hundredths; the shapes are 24 pixels wide.
        let scale = tile * glyph.radius_percent() * 5 / 3 / (24 * UNIT);
        let (whole, part) = (scale / 100, scale % 100);
        self.put(format_args!(
            "<g transform=\"translate({x},{y})scale({whole}.{part:02})\" fill=\"{colour}\" \
             stroke=\"{colour}\" stroke-width=\"0\">{markup}</g>"
        ));
    }

    /// Draws the ground of a tile: hatched rock, water, or floor with joints.
    fn ground_tile(&mut self, kind: TileKind, side: i32) {
        let Colours { rock, water, card, faint, .. } = self.palette;
        let [h, l, q, r] = [side / 2, side - 2, side / 4 - 1, side * 3 / 4];
        // Strokes that leave a tile continue on the neighbouring tile.
        let hatch = format!(
            "M2 {h}L{h} 2M{h} {l}L{l} {h}M{q} {r}l5 -5M{r} {q}l5 -5M{q} {q}l4 -4M{r} {r}l-4 4"
        );
        let hatch_style = "stroke-width=\"1.4\" stroke-linecap=\"round\" opacity=\"0.42\"";
        let (fill, style, d) = match kind {
            TileKind::Wall => (rock, hatch_style, hatch),
            TileKind::Water => (water, "", String::new()),
            _ => (card, "stroke-width=\"0.7\" opacity=\"0.35\"", format!("M.5 {side}V.5H{side}")),
        };
        self.put(format_args!(
            "<rect width=\"{side}\" height=\"{side}\" fill=\"{fill}\"/>\
             <path fill=\"none\" stroke=\"{faint}\" {style} d=\"{d}\"/>"
        ));
    }

    /// Draws a small tile with a glyph, centred on `at`.
    fn legend_tile(&mut self, glyph: Glyph, at: Point) {
        let Colours { faint, water, card, .. } = self.palette;
        let tile = if glyph == Glyph::Tile(TileKind::Water) { water } else { card };
        let (x, y, side) =
            (Px(at.x - LEGEND_TILE / 2), Px(at.y - LEGEND_TILE / 2), Px(LEGEND_TILE));
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"4\" fill=\"{tile}\" \
             stroke=\"{faint}\" stroke-width=\"1\"/>"
        ));
        self.glyph(glyph, at, LEGEND_TILE);
    }
}

/// Renders one glyph, centred in a square of `2 * reach` pixels. `tile` is the side of its tile in
/// units; `None` renders the tile of the legend.
pub(crate) fn glyph_svg(theme: Theme, glyph: Glyph, tile: Option<i32>, reach: i32) -> String {
    let mut canvas = Canvas::new(theme, String::new());
    match tile {
        Some(tile) => canvas.glyph(glyph, Point::default(), tile),
        None => canvas.legend_tile(glyph, Point::default()),
    }
    let (edge, side) = (-reach * UNIT, 2 * reach * UNIT);
    document([edge, edge, side, side], &canvas.out)
}

/// Returns the markup of one tile, `side` pixels wide, with its upper left corner at the origin.
#[cfg(feature = "png")]
pub(crate) fn floor_tile_svg(tile: FloorTile, theme: Theme, side: i32) -> String {
    let mut canvas = Canvas::new(theme, String::new());
    if let FloorTile::Tile(kind) = tile {
        canvas.ground_tile(kind, side);
    }
    match tile.glyph() {
        // Plain floor and wall have no glyph, only ground.
        Some(Glyph::Tile(TileKind::Floor | TileKind::Wall)) => {}
        Some(glyph) => {
            canvas.glyph(glyph, Point::new(side * UNIT / 2, side * UNIT / 2), side * UNIT)
        }
        None => return pin_markup(side, canvas.palette.mark, canvas.palette.card),
    }
    canvas.out
}
