//! Floors as SVG: hatched rock, light floors with a heavy outline, the way as dots, and a picture for everything.

use super::{FONTS, Pen, Px};
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
    pen.open_floors(scene);
    pen.out.push_str("<defs>\n");
    pen.sheet().definitions();
    pen.out.push_str("</defs>\n");
    pen.paper();
    let middle = scene.sheet.width / 2;
    let (ink, faint) = (pen.palette.ink, pen.palette.faint);
    const MIDDLE: &str = " text-anchor=\"middle\"";
    let spaced = " text-anchor=\"middle\" letter-spacing=\"1\"";
    pen.write(Point::new(middle, TITLE_LINE), text::TITLE, ink, spaced, &scene.title);
    pen.write(Point::new(middle, CAPTION_LINE), text::CAPTION, faint, MIDDLE, &scene.caption);
    for (n, panel) in scene.panels.iter().enumerate() {
        pen.panel(panel, n as u64);
    }
    for arrow in scene.arrows() {
        let [a, b, c] = arrow.map(|Point { x, y }| format!("{} {}", Px(x), Px(y)));
        pen.put(format_args!(
            "<path d=\"M{a}L{b}L{c}\" fill=\"none\" stroke=\"{faint}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>\n",
            Px(ARROW)
        ));
    }
    pen.floor_legend(scene);
    pen.out.push_str("</svg>\n");
    pen.out
}

impl Pen<'_> {
    fn open_floors(&mut self, scene: &FloorScene) {
        let (width, height, tag) = (Px(scene.sheet.width), Px(scene.sheet.height), self.tag.clone());
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-labelledby=\"{tag}-title {tag}-desc\" font-family=\"{FONTS}\">\n<title id=\"{tag}-title\">"
        ));
        self.escaped(&scene.title);
        self.put(format_args!("</title>\n<desc id=\"{tag}-desc\">"));
        self.escaped(&scene.description);
        self.put(format_args!("</desc>\n"));
    }

    fn panel(&mut self, panel: &Panel, number: u64) {
        let (wide, tall) = panel.extent();
        let Point { x, y } = panel.corner;
        let (rock, ink, faint, route) =
            (self.palette.rock, self.palette.ink, self.palette.faint, self.palette.route);
        let Widths { hatch, shore, outline, frame, dot, space, .. } = panel.widths();
        if !panel.label.is_empty() {
            self.write(label_place(panel), LABEL_SIZE, faint, " text-anchor=\"middle\"", &panel.label);
        }
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{rock}\"/>\n",
            Px(x),
            Px(y),
            Px(wide),
            Px(tall)
        ));
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
                let way = if a.x == b.x { "v" } else { "h" };
                self.put(format_args!("M{} {}{way}-{}", Px(a.x), Px(a.y), Px(panel.tile)));
            }
            self.out.push_str("\"/>\n");
        }
        let wet = Glyph::Tile(TileKind::Water).colour(self.palette);
        let look = format!("stroke=\"{wet}\" stroke-width=\"{}\" stroke-linecap=\"round\"", Px(shore));
        self.strokes(&look, panel.shore());
        let look = format!("stroke=\"{ink}\" stroke-width=\"{}\" stroke-linecap=\"round\"", Px(outline));
        self.strokes(&look, panel.outline());
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\"/>\n",
            Px(x),
            Px(y),
            Px(wide),
            Px(tall),
            Px(frame)
        ));
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
                    self.put(format_args!("{}{} {}", if n > 0 { "L" } else { "M" }, Px(x), Px(y)));
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
            self.put(format_args!("M{} {}L{} {}", Px(a.x), Px(a.y), Px(b.x), Px(b.y)));
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
            self.put(format_args!(
                "M{} {}h{wide}v{}h-{wide}Z",
                Px(x),
                Px(y),
                Px(panel.tile),
                wide = Px(wide)
            ));
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
            self.out.push_str("<g><title>");
            self.escaped(&format!("{name} at {pos}"));
            self.out.push_str("</title>");
            self.glyph(glyph, panel.middle(pos), panel.tile);
            self.strokes(&dots, panel.ring(pos, glyph));
            self.out.push_str("</g>\n");
        }
    }

    /// A picture that fills about three fifths of a tile, on a plate that keeps the dots of the way off it.
    fn glyph(&mut self, glyph: Glyph, at: Point, tile: i32) {
        let (colour, disc) = (glyph.colour(self.palette), self.palette.disc);
        let wet = glyph == Glyph::Tile(TileKind::Water);
        if !wet {
            let plate = Px(tile * glyph.reach() / 100);
            self.put(format_args!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{plate}\" fill=\"{disc}\"/>",
                Px(at.x),
                Px(at.y)
            ));
        }
        // In hundredths: the shapes are 24 pixels wide.
        let scale = tile * glyph.reach() * 5 / 3 / (24 * UNIT);
        self.put(format_args!(
            "<g transform=\"translate({},{})scale({}.{:02})\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0\">{}</g>",
            Px(at.x),
            Px(at.y),
            scale / 100,
            scale % 100,
            glyph.markup()
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
        let (ink, faint) = (self.palette.ink, self.palette.faint);
        for entry in &scene.legend {
            let Point { x, y } = entry.pos;
            self.legend_tile(entry.glyph, Point::new(x + LEGEND_TILE / 2, y));
            let (x, y) = (Px(x + LEGEND_TILE + 10 * UNIT), Px(y + 6 * UNIT));
            let size = text::LEGEND;
            self.put(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{ink}\">"));
            self.escaped(entry.name);
            self.put(format_args!(" <tspan fill=\"{faint}\">{}</tspan></text>\n", entry.count));
        }
    }

    /// A small tile around `at` with a thing on it.
    fn legend_tile(&mut self, glyph: Glyph, at: Point) {
        let faint = self.palette.faint;
        let tile = match glyph {
            Glyph::Tile(TileKind::Water) => self.palette.water,
            _ => self.palette.disc,
        };
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"4\" fill=\"{tile}\" stroke=\"{faint}\" stroke-width=\"1\"/>",
            Px(at.x - LEGEND_TILE / 2),
            Px(at.y - LEGEND_TILE / 2),
            side = Px(LEGEND_TILE)
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
    pen.out.push_str("</svg>\n");
    pen.out
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
    pen.out.push_str("</svg>\n");
    pen.out
}

/// Where a panel's label stands.
pub(crate) fn label_place(panel: &Panel) -> Point {
    Point::new(panel.corner.x + panel.extent().0 / 2, panel.corner.y - 11 * UNIT)
}
