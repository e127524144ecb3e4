//! Floors as SVG: hatched rock, light floors with a heavy outline, the way as dots, and a picture for everything.

use super::{MIDDLE, Pen, Px, SPACED};
use crate::curve::{Point, UNIT};
use crate::floor::glyphs::Glyph;
use crate::floor::shapes::{ARROW, Stroke, Widths};
use crate::floor::{FloorScene, LEGEND_TILE, Panel, sheet};
use crate::sheet::{CAPTION_LINE, TITLE_LINE};
use crate::text;
use crate::theme::Theme;
#[cfg(feature = "png")]
use crate::tiles::{FloorTile, pin_markup};
use wayforge::floor::TileKind;

/// Size of the words above a panel.
pub(crate) const LABEL_SIZE: i32 = 16;

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
    let mut pen = Pen::new(&scene.sheet, theme);
    // Pictures of one seed that differ in what they say may stand on one page.
    pen.tag = format!("{}f{}", pen.tag, scene.panels.len());
    pen.open(scene.size(), &scene.title, &scene.description);
    pen.out.push_str("<defs>\n");
    pen.sheet().definitions();
    pen.out.push_str("</defs>\n");
    pen.paper();
    let middle = scene.sheet.width / 2;
    let (ink, faint) = (pen.palette.ink, pen.palette.faint);
    pen.write(Point::new(middle, TITLE_LINE), text::TITLE, ink, SPACED, &scene.title);
    pen.write(Point::new(middle, CAPTION_LINE), text::CAPTION, faint, MIDDLE, &scene.caption);
    for (n, panel) in scene.panels.iter().enumerate() {
        pen.panel(panel, n as u64);
    }
    for [a, b, c] in scene.arrows() {
        pen.out.push_str("<path d=\"");
        pen.trace(&[("M", &[a.x, a.y]), ("L", &[b.x, b.y]), ("L", &[c.x, c.y])]);
        pen.put(format_args!(
            "\" fill=\"none\" stroke=\"{faint}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>\n",
            Px(ARROW)
        ));
    }
    pen.floor_legend(scene);
    pen.canvas.out + "</svg>\n"
}

impl Pen<'_> {
    fn panel(&mut self, panel: &Panel, number: u64) {
        let (wide, tall) = panel.extent();
        let Point { x, y } = panel.corner;
        let (rock, ink, faint, route) =
            (self.palette.rock, self.palette.ink, self.palette.faint, self.palette.route);
        let Widths { hatch, shore, outline, frame, dot, space, .. } = panel.widths();
        if !panel.label.is_empty() {
            self.write(label_place(panel), LABEL_SIZE, faint, MIDDLE, &panel.label);
        }
        let (x, y, wide, tall) = (Px(x), Px(y), Px(wide), Px(tall));
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{tall}\" rx=\"4\"");
        self.put(format_args!("<rect {place} fill=\"{rock}\"/>\n"));
        let look = format!(
            "stroke=\"{faint}\" stroke-width=\"{}\" stroke-linecap=\"round\" opacity=\"0.42\"",
            Px(hatch)
        );
        self.strokes(&look, panel.hatch(&self.scene.about.seed, number));
        let (disc, water) = (self.palette.disc, self.palette.water);
        self.cells(panel, disc, |tile| tile.walkable());
        self.cells(panel, water, |tile| tile == TileKind::Water);
        let lines = panel.tile_lines();
        if !lines.is_empty() {
            self.put(format_args!(
                "<path fill=\"none\" stroke=\"{faint}\" stroke-width=\"0.7\" opacity=\"0.35\" d=\""
            ));
            for [a, b] in lines {
                let along = if a.x == b.x { "v" } else { "h" };
                self.trace(&[("M", &[a.x, a.y]), (along, &[-panel.tile])]);
            }
            self.out.push_str("\"/>\n");
        }
        let wet = Glyph::Tile(TileKind::Water).colour(self.palette);
        let look = format!("stroke=\"{wet}\" stroke-width=\"{}\" stroke-linecap=\"round\"", Px(shore));
        self.strokes(&look, panel.shore());
        let look = format!("stroke=\"{ink}\" stroke-width=\"{}\" stroke-linecap=\"round\"", Px(outline));
        self.strokes(&look, panel.outline());
        let frame = Px(frame);
        self.put(format_args!("<rect {place} fill=\"none\" stroke=\"{ink}\" stroke-width=\"{frame}\"/>\n"));
        let way = panel.way();
        if !way.is_empty() {
            self.put(format_args!(
                "<path fill=\"none\" stroke=\"{route}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\" \
                 stroke-dasharray=\"0.1 {}\" opacity=\"0.85\" d=\"",
                Px(dot),
                Px(space)
            ));
            for part in way {
                for (n, Point { x, y }) in part.into_iter().enumerate() {
                    self.trace(&[(if n > 0 { "L" } else { "M" }, &[x, y])]);
                }
            }
            self.out.push_str("\"/>\n");
        }
        self.things(panel);
    }

    /// Straight lines as one shape.
    fn strokes(&mut self, look: &str, strokes: Vec<Stroke>) {
        if strokes.is_empty() {
            return;
        }
        self.put(format_args!("<path fill=\"none\" {look} d=\""));
        for [a, b] in strokes {
            self.trace(&[("M", &[a.x, a.y]), ("L", &[b.x, b.y])]);
        }
        self.out.push_str("\"/>\n");
    }

    /// All tiles of some kinds as one shape.
    fn cells(&mut self, panel: &Panel, fill: &str, of: impl Fn(TileKind) -> bool) {
        let runs = panel.runs(of);
        if runs.is_empty() {
            return;
        }
        self.put(format_args!("<path fill=\"{fill}\" d=\""));
        for (Point { x, y }, wide) in runs {
            self.trace(&[("M", &[x, y]), ("h", &[wide]), ("v", &[panel.tile]), ("h", &[-wide]), ("Z", &[])]);
        }
        self.out.push_str("\"/>\n");
    }

    fn things(&mut self, panel: &Panel) {
        let route = self.palette.route;
        let dots = format!(
            "stroke=\"{route}\" stroke-width=\"{}\" stroke-linecap=\"round\" opacity=\"0.85\"",
            Px(panel.widths().ring)
        );
        for (pos, glyph, name) in panel.things() {
            self.put(format_args!("<g><title>{name} at {pos}</title>"));
            self.glyph(glyph, panel.middle(pos), panel.tile);
            self.strokes(&dots, panel.ring(pos, glyph));
            self.out.push_str("</g>\n");
        }
    }

    /// A picture that fills about three fifths of a tile, on a plate that keeps the dots of the way off it.
    fn glyph(&mut self, glyph: Glyph, at: Point, tile: i32) {
        let (colour, disc) = (glyph.colour(self.palette), self.palette.disc);
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
        let (rock, water, disc, faint) =
            (self.palette.rock, self.palette.water, self.palette.disc, self.palette.faint);
        let fill = match kind {
            TileKind::Wall => rock,
            TileKind::Water => water,
            _ => disc,
        };
        self.put(format_args!("<rect width=\"{side}\" height=\"{side}\" fill=\"{fill}\"/>"));
        let (look, d) = match kind {
            // Strokes that leave the tile on one side come in on the other.
            TileKind::Wall => (
                "stroke-width=\"1.4\" stroke-linecap=\"round\" opacity=\"0.42\"",
                format!(
                    "M2 {h}L{h} 2M{h} {l}L{l} {h}M{q} {r}l5 -5M{r} {q}l5 -5M{q} {q}l4 -4M{r} {r}l-4 4",
                    h = side / 2,
                    l = side - 2,
                    q = side / 4 - 1,
                    r = side * 3 / 4
                ),
            ),
            TileKind::Water => return,
            _ => ("stroke-width=\"0.7\" opacity=\"0.35\"", format!("M.5 {side}V.5H{side}")),
        };
        self.put(format_args!("<path fill=\"none\" stroke=\"{faint}\" {look} d=\"{d}\"/>"));
    }

    fn floor_legend(&mut self, scene: &FloorScene) {
        for entry in &scene.legend {
            let Point { x, y } = entry.pos;
            self.legend_tile(entry.glyph, Point::new(x + LEGEND_TILE / 2, y));
            self.legend_words(x + LEGEND_TILE + 10 * UNIT, y, entry.name, &entry.count.to_string());
        }
    }

    /// A small tile around `at` with a thing on it.
    fn legend_tile(&mut self, glyph: Glyph, at: Point) {
        let faint = self.palette.faint;
        let tile = match glyph {
            Glyph::Tile(TileKind::Water) => self.palette.water,
            _ => self.palette.disc,
        };
        let (x, y, side) = (Px(at.x - LEGEND_TILE / 2), Px(at.y - LEGEND_TILE / 2), Px(LEGEND_TILE));
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"4\" fill=\"{tile}\" stroke=\"{faint}\" stroke-width=\"1\"/>"
        ));
        self.glyph(glyph, at, LEGEND_TILE);
    }
}

/// One thing alone in the middle of a square that reaches so many pixels from there; in the legend, with its tile.
pub(crate) fn svg_thing(
    scene: &FloorScene,
    theme: Theme,
    glyph: Glyph,
    tile: i32,
    reach: i32,
    in_legend: bool,
) -> String {
    let mut pen = Pen::new(&scene.sheet, theme);
    let side = 2 * reach;
    pen.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" viewBox=\"-{reach} -{reach} {side} {side}\">"
    ));
    match in_legend {
        true => pen.legend_tile(glyph, Point::default()),
        false => pen.glyph(glyph, Point::default(), tile),
    }
    pen.canvas.out + "</svg>\n"
}

/// All tiles of [`FloorTile::ALL`](crate::FloorTile::ALL) in rows of `columns`, each `side` pixels wide.
#[cfg(feature = "png")]
pub(crate) fn floor_tiles_svg(theme: Theme, side: i32, columns: i32) -> String {
    let rows = (FloorTile::ALL.len() as i32 + columns - 1) / columns;
    let (width, height) = (columns * side, rows * side);
    let sheet = sheet("", &wayforge::Seed::new(0), width * UNIT, 0);
    let mut pen = Pen::new(&sheet, theme);
    pen.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
    ));
    for (number, tile) in (0..).zip(FloorTile::ALL) {
        let (x, y) = (number % columns * side, number / columns * side);
        pen.put(format_args!("<g transform=\"translate({x},{y})\">"));
        if let FloorTile::Tile(kind) = tile {
            pen.ground_tile(kind, side);
        }
        match tile.glyph() {
            // Their plates would lie on nothing.
            Some(Glyph::Tile(TileKind::Floor | TileKind::Wall)) => {}
            Some(glyph) => {
                let middle = Point::new(side * UNIT / 2, side * UNIT / 2);
                pen.glyph(glyph, middle, side * UNIT);
            }
            None => {
                let markup = pin_markup(side, pen.palette.route, pen.palette.disc);
                pen.out.push_str(&markup);
            }
        }
        pen.out.push_str("</g>\n");
    }
    pen.canvas.out + "</svg>\n"
}

/// Where a panel's label stands.
pub(crate) fn label_place(panel: &Panel) -> Point {
    Point::new(panel.corner.x + panel.extent().0 / 2, panel.corner.y - 11 * UNIT)
}
