//! Floors as SVG: hatched rock, light floors with a heavy outline, the way as dots, and a picture for everything.

use super::{Canvas, Pen, Px, document, outlined};
use crate::curve::{Point, UNIT};
use crate::floor::glyphs::Glyph;
use crate::floor::shapes::{ARROW, Lines};
use crate::floor::{FloorScene, LEGEND_TILE, Panel};
use crate::theme::{Colours, Theme};
#[cfg(feature = "png")]
use crate::tiles::{FloorTile, pin_markup};
use wayforge::floor::TileKind;
use wayforge::seed::fnv1a_64;

/// Draws floors as SVG.
///
/// * **Arguments.** The scene and the theme.
/// * **Returns.** A document for one `<svg>` element: no scripts, no outside references, ids with a tag of their own. For screen readers
///   it has a title, a description, and a title on every thing.
/// * **Complexity.** Linear in the tiles.
///
/// ```
/// use wayforge::floor;
/// use wayforge_draw::{FloorScene, Theme, svg_floors};
/// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
/// let text = svg_floors(&FloorScene::of_floor(&floor), Theme::Parchment);
/// assert!(text.starts_with("<svg ") && text.contains("<title>chest at "));
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub fn svg_floors(scene: &FloorScene, theme: Theme) -> String {
    // Pictures of one seed that differ in what they say may stand on one page.
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
    let look = outlined("none", pen.palette.faint, ARROW);
    let look = format!("{look} stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    scene.arrows().iter().for_each(|arrow| pen.path(&look, |pen| pen.polyline(arrow)));
    for entry in &scene.legend {
        let Point { x, y } = entry.pos;
        pen.legend_tile(entry.glyph, Point::new(x + LEGEND_TILE / 2, y));
        pen.legend_words(x + LEGEND_TILE + 10 * UNIT, y, entry.name, &entry.count.to_string());
    }
    pen.canvas.out + "</svg>\n"
}

impl Pen<'_, FloorScene> {
    fn panel(&mut self, panel: &Panel, number: u64) {
        let ((wide, tall), Point { x, y }) = (panel.extent(), panel.corner);
        let Colours { rock, ink, mark, .. } = self.palette;
        let (x, y, wide, tall) = (Px(x), Px(y), Px(wide), Px(tall));
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{tall}\" rx=\"4\"");
        self.put(format_args!("<rect {place} fill=\"{rock}\"/>\n"));
        for (runs, fill) in panel.fills(self.palette) {
            self.path(format_args!("fill=\"{fill}\""), |pen| {
                runs.into_iter().for_each(|(corner, wide)| pen.trace_box(corner, wide, panel.tile));
            });
        }
        for lines in panel.lines(self.scene.paper.seed.as_ref(), number, self.palette) {
            self.lines(lines);
        }
        let (frame, dot, space) = panel.widths();
        self.put(format_args!("<rect {place} {}/>\n", outlined("none", ink, frame)));
        let (look, space) = (outlined("none", mark, dot), Px(space));
        let dots = format!("stroke-linejoin=\"round\" stroke-dasharray=\"0.1 {space}\" opacity=\"0.85\"");
        self.path(format_args!("{look} stroke-linecap=\"round\" {dots}"), |pen| {
            panel.way().iter().for_each(|part| pen.polyline(part));
        });
        for (pos, glyph, name) in panel.things() {
            self.put(format_args!("<g><title>{name} at {pos}</title>"));
            self.glyph(glyph, panel.middle(pos), panel.tile);
            self.lines(panel.ring(pos, glyph, self.palette));
            self.out.push_str("</g>\n");
        }
    }

    /// Straight lines as one shape.
    fn lines(&mut self, (lines, width, colour, percent): Lines) {
        let look = outlined("none", colour, width);
        let opacity = if percent < 100 { format!(" opacity=\"0.{percent}\"") } else { String::new() };
        self.path(format_args!("{look} stroke-linecap=\"round\"{opacity}"), |pen| {
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

    /// A picture that fills about three fifths of a tile, on a plate that keeps the dots of the way off it.
    fn glyph(&mut self, glyph: Glyph, at: Point, tile: i32) {
        let (colour, disc) = (glyph.colour(self.palette), self.palette.card);
        let (x, y, markup) = (Px(at.x), Px(at.y), glyph.markup());
        if glyph != Glyph::Tile(TileKind::Water) {
            let plate = Px(tile * glyph.reach() / 100);
            self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{plate}\" fill=\"{disc}\"/>"));
        }
        // In hundredths: the shapes are 24 pixels wide.
        let scale = tile * glyph.reach() * 5 / 3 / (24 * UNIT);
        let (whole, part) = (scale / 100, scale % 100);
        self.put(format_args!(
            "<g transform=\"translate({x},{y})scale({whole}.{part:02})\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0\">{markup}</g>"
        ));
    }

    /// What a tile stands on: rock with hatching, water, or floor with joints.
    fn ground_tile(&mut self, kind: TileKind, side: i32) {
        let Colours { rock, water, card, faint, .. } = self.palette;
        let (fill, look, d) = match kind {
            // Strokes that leave the tile on one side come in on the other.
            TileKind::Wall => (
                rock,
                "stroke-width=\"1.4\" stroke-linecap=\"round\" opacity=\"0.42\"",
                format!(
                    "M2 {h}L{h} 2M{h} {l}L{l} {h}M{q} {r}l5 -5M{r} {q}l5 -5M{q} {q}l4 -4M{r} {r}l-4 4",
                    h = side / 2,
                    l = side - 2,
                    q = side / 4 - 1,
                    r = side * 3 / 4
                ),
            ),
            TileKind::Water => (water, "", String::new()),
            _ => (card, "stroke-width=\"0.7\" opacity=\"0.35\"", format!("M.5 {side}V.5H{side}")),
        };
        self.put(format_args!(
            "<rect width=\"{side}\" height=\"{side}\" fill=\"{fill}\"/><path fill=\"none\" stroke=\"{faint}\" {look} d=\"{d}\"/>"
        ));
    }

    /// A small tile around `at` with a thing on it.
    fn legend_tile(&mut self, glyph: Glyph, at: Point) {
        let Colours { faint, water, card, .. } = self.palette;
        let tile = if glyph == Glyph::Tile(TileKind::Water) { water } else { card };
        let (x, y, side) = (Px(at.x - LEGEND_TILE / 2), Px(at.y - LEGEND_TILE / 2), Px(LEGEND_TILE));
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"4\" fill=\"{tile}\" stroke=\"{faint}\" stroke-width=\"1\"/>"
        ));
        self.glyph(glyph, at, LEGEND_TILE);
    }
}

/// Draws one thing in the middle of a square whose edges are `reach` pixels away: on a tile of this side, or as in the legend.
pub(crate) fn svg_thing(theme: Theme, glyph: Glyph, tile: Option<i32>, reach: i32) -> String {
    let mut canvas = Canvas::new(theme, String::new());
    match tile {
        Some(tile) => canvas.glyph(glyph, Point::default(), tile),
        None => canvas.legend_tile(glyph, Point::default()),
    }
    let (edge, side) = (-reach * UNIT, 2 * reach * UNIT);
    document([edge, edge, side, side], &canvas.out)
}

/// One tile, `side` pixels wide, from its upper left corner on.
#[cfg(feature = "png")]
pub(crate) fn floor_tile_svg(tile: FloorTile, theme: Theme, side: i32) -> String {
    let mut canvas = Canvas::new(theme, String::new());
    if let FloorTile::Tile(kind) = tile {
        canvas.ground_tile(kind, side);
    }
    match tile.glyph() {
        // Their plates would lie on nothing.
        Some(Glyph::Tile(TileKind::Floor | TileKind::Wall)) => {}
        Some(glyph) => canvas.glyph(glyph, Point::new(side * UNIT / 2, side * UNIT / 2), side * UNIT),
        None => return pin_markup(side, canvas.palette.mark, canvas.palette.card),
    }
    canvas.out
}
