//! Floors as SVG: hatched rock, light floors with a heavy outline, the way as dots, and a picture for everything.

use super::{FONTS, Pen, Px};
use crate::curve::{Point, UNIT};
use crate::floor::glyphs::Glyph;
use crate::floor::{FloorScene, LEGEND_TILE, Panel};
use crate::sheet::{CAPTION_LINE, TITLE_LINE};
use crate::text;
use crate::theme::Theme;
use wayforge::Stage;
use wayforge::floor::TileKind;
use wayforge::grid::{Dir, Pos};

/// Tiles smaller than this have no strokes in the rock and no lines between tiles.
const LEAST_DETAIL: i32 = 16 * UNIT;

/// Draws floors as SVG.
///
/// * **Arguments.** The scene and the theme.
/// * **Returns.** A document for one `<svg>` element: no scripts, no outside references, ids with a tag of their own. For screen readers
///   it has a title, a description, and a title on every thing.
/// * **Complexity.** Linear in the tiles.
///
/// ```
/// use wayforge::floor::{self, FloorConfig};
/// use wayforge_draw::{FloorScene, Theme, svg_floors};
/// let floor = floor::generate(42.into(), &FloorConfig::default().resolve()?);
/// let text = svg_floors(&FloorScene::of_floor(&floor), Theme::Parchment);
/// assert!(text.starts_with("<svg ") && text.contains("<title>chest at "));
/// # Ok::<(), wayforge::ConfigError>(())
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
    for pair in scene.panels.windows(2) {
        pen.arrow_between(&pair[0], &pair[1]);
    }
    pen.floor_legend(scene);
    pen.out.push_str("</svg>\n");
    pen.out
}

/// How far from the middle of its tile a picture reaches, in percent of the tile. A boss fills it.
fn reach(glyph: Glyph) -> i32 {
    if glyph == Glyph::Boss { 43 } else { 36 }
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
        let (wide, tall) =
            (i32::from(panel.size.width) * panel.tile, i32::from(panel.size.height) * panel.tile);
        let Point { x, y } = panel.corner;
        let (rock, ink, faint) = (self.palette.rock, self.palette.ink, self.palette.faint);
        if !panel.label.is_empty() {
            let at = Point::new(x + wide / 2, y - 11 * UNIT);
            self.write(at, 16, faint, " text-anchor=\"middle\"", &panel.label);
        }
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{rock}\"/>\n",
            Px(x),
            Px(y),
            Px(wide),
            Px(tall)
        ));
        self.hatch(panel, number);
        let (disc, water) = (self.palette.disc, self.palette.water);
        self.cells(panel, disc, |tile| tile.walkable());
        self.cells(panel, water, |tile| tile == TileKind::Water);
        if panel.tile >= LEAST_DETAIL {
            self.tile_lines(panel);
        }
        self.outline(panel);
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\"/>\n",
            Px(x),
            Px(y),
            Px(wide),
            Px(tall),
            Px(panel.tile / 18 + 6)
        ));
        self.dots(panel);
        self.things(panel);
    }

    /// Strokes in the rock, three a tile, by the map's seed.
    fn hatch(&mut self, panel: &Panel, number: u64) {
        if panel.tile < LEAST_DETAIL {
            return;
        }
        let mut rng = self.scene.about.seed.plus(number).stream(Stage::named("draw.rock"));
        let (ink, tile) = (self.palette.faint, panel.tile);
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\" stroke-linecap=\"round\" opacity=\"0.42\" d=\"",
            Px((tile / 40).max(8))
        ));
        for pos in panel.size.iter().filter(|&pos| panel.tile_at(pos) == TileKind::Wall) {
            let middle = panel.middle(pos);
            // A group of three strokes side by side, leaning one of four ways.
            let (dx, dy) = [(2, 9), (9, 2), (7, 7), (7, -7)][rng.below(4) as usize];
            let (jx, jy) = (rng.range(-tile / 9, tile / 9), rng.range(-tile / 9, tile / 9));
            for side in -1..=1 {
                let long = tile * (20 + rng.range(0, 12)) / 100;
                let (half_x, half_y) = (dx * long / 20, dy * long / 20);
                let (off_x, off_y) = (-dy * side * tile / 60, dx * side * tile / 60);
                self.put(format_args!(
                    "M{} {}L{} {}",
                    Px(middle.x + jx + off_x - half_x),
                    Px(middle.y + jy + off_y - half_y),
                    Px(middle.x + jx + off_x + half_x),
                    Px(middle.y + jy + off_y + half_y)
                ));
            }
        }
        self.out.push_str("\"/>\n");
    }

    /// All tiles of some kinds as one shape, in runs along rows.
    fn cells(&mut self, panel: &Panel, fill: &str, of: impl Fn(TileKind) -> bool) {
        if !panel.tiles.iter().any(|&tile| of(tile)) {
            return;
        }
        self.put(format_args!("<path fill=\"{fill}\" d=\""));
        for y in 0..panel.size.height {
            let mut x = 0;
            while x < panel.size.width {
                let run =
                    (x..panel.size.width).take_while(|&x| of(panel.tile_at(Pos { x, y }))).count() as u16;
                if run > 0 {
                    let at = |n: u16, from: i32| Px(from + i32::from(n) * panel.tile);
                    let (left, top) = (at(x, panel.corner.x), at(y, panel.corner.y));
                    let wide = Px(i32::from(run) * panel.tile);
                    self.put(format_args!("M{left} {top}h{wide}v{}h-{wide}Z", Px(panel.tile)));
                }
                x += run + 1;
            }
        }
        self.out.push_str("\"/>\n");
    }

    /// Fine lines between neighbouring floor tiles.
    fn tile_lines(&mut self, panel: &Panel) {
        let (ink, tile) = (self.palette.faint, panel.tile);
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"0.7\" opacity=\"0.35\" d=\""
        ));
        for pos in panel.size.iter().filter(|&pos| panel.tile_at(pos).walkable()) {
            let open =
                |dir: Dir| pos.step(dir, panel.size).is_some_and(|next| panel.tile_at(next).walkable());
            let (right, down) = (panel.middle(pos).x + tile / 2, panel.middle(pos).y + tile / 2);
            if open(Dir::East) {
                self.put(format_args!("M{} {}v-{}", Px(right), Px(down), Px(tile)));
            }
            if open(Dir::South) {
                self.put(format_args!("M{} {}h-{}", Px(right), Px(down), Px(tile)));
            }
        }
        self.out.push_str("\"/>\n");
    }

    /// A heavy line wherever floor or water meets rock, and a light one along the shore.
    fn outline(&mut self, panel: &Panel) {
        let shore = Glyph::Tile(TileKind::Water).colour(self.palette);
        let wet = |tile: TileKind| tile == TileKind::Water;
        self.border(panel, shore, panel.tile / 40 + 4, TileKind::walkable, wet);
        let ink = self.palette.ink;
        let rock = |tile: TileKind| tile == TileKind::Wall;
        self.border(panel, ink, panel.tile / 18 + 4, |tile| !rock(tile), rock);
    }

    /// A line wherever tiles of one sort meet those of another.
    fn border(
        &mut self,
        panel: &Panel,
        colour: &str,
        width: i32,
        inside: impl Fn(TileKind) -> bool,
        outside: impl Fn(TileKind) -> bool,
    ) {
        let tile = panel.tile;
        if !panel.tiles.iter().any(|&tile| outside(tile)) {
            return;
        }
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\" d=\"",
            Px(width)
        ));
        for pos in panel.size.iter().filter(|&pos| inside(panel.tile_at(pos))) {
            let Point { x, y } = panel.middle(pos);
            let half = tile / 2;
            for dir in Dir::STRAIGHT {
                let Some(next) = pos.step(dir, panel.size) else { continue };
                if !outside(panel.tile_at(next)) {
                    continue;
                }
                let (dx, dy) = dir.delta();
                let (dx, dy) = (i32::from(dx) * half, i32::from(dy) * half);
                let (side_x, side_y) = (dy.abs(), dx.abs());
                self.put(format_args!(
                    "M{} {}L{} {}",
                    Px(x + dx - side_x),
                    Px(y + dy - side_y),
                    Px(x + dx + side_x),
                    Px(y + dy + side_y)
                ));
            }
        }
        self.out.push_str("\"/>\n");
    }

    /// The way from the middle of one tile to the next.
    fn dots(&mut self, panel: &Panel) {
        if panel.path.len() < 2 {
            return;
        }
        let (route, tile) = (self.palette.route, panel.tile);
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{route}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\" \
             stroke-dasharray=\"0.1 {}\" opacity=\"0.85\" d=\"",
            Px((tile / 15).max(12)),
            Px((tile / 5).max(20))
        ));
        for (n, &pos) in panel.path.iter().enumerate() {
            let Point { x, y } = panel.middle(pos);
            let joined = n > 0 && panel.path[n - 1].taxi_distance(pos) <= 1;
            self.put(format_args!("{}{} {}", if joined { "L" } else { "M" }, Px(x), Px(y)));
        }
        self.out.push_str("\"/>\n");
    }

    fn things(&mut self, panel: &Panel) {
        for pos in panel.size.iter() {
            let tile = panel.tile_at(pos);
            if !matches!(tile, TileKind::Floor | TileKind::Wall) {
                self.thing(panel, pos, Glyph::Tile(tile), tile.name());
            }
        }
        for &(kind, pos) in &panel.entities {
            match panel.bosses.contains(&pos) {
                true => self.thing(panel, pos, Glyph::Boss, "boss"),
                false => self.thing(panel, pos, Glyph::Entity(kind), kind.name()),
            }
        }
        if let Some(pos) = panel.climber {
            self.thing(panel, pos, Glyph::Climber, "climber");
        }
    }

    fn thing(&mut self, panel: &Panel, pos: Pos, glyph: Glyph, name: &str) {
        self.out.push_str("<g><title>");
        self.escaped(&format!("{name} at {pos}"));
        self.out.push_str("</title>");
        self.glyph(glyph, panel.middle(pos), panel.tile);
        let end = [panel.path.first(), panel.path.last()].contains(&Some(&pos));
        if !end && glyph != Glyph::Climber && panel.path.contains(&pos) {
            self.ring(panel.middle(pos), panel.tile * (reach(glyph) + 4) / 100, panel.tile);
        }
        self.out.push_str("</g>\n");
    }

    /// The dots of the way lead around what stands on it.
    fn ring(&mut self, at: Point, radius: i32, tile: i32) {
        let route = self.palette.route;
        // Sixteen dots: 2 * 355 / 113 is the length of a circle of radius 1.
        let apart = radius * 710 / (113 * 16);
        self.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{route}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
             stroke-dasharray=\"0.1 {}\" opacity=\"0.85\"/>",
            Px(at.x),
            Px(at.y),
            Px(radius),
            Px((tile / 19).max(10)),
            Px(apart)
        ));
    }

    /// A small arrow from one floor of a tower to the next, if they stand side by side; at the end of a row it points up.
    fn arrow_between(&mut self, from: &Panel, to: &Panel) {
        let (wide, tall) = from.extent();
        let level = from.corner.y + tall / 2;
        let side = to.corner.x > from.corner.x;
        let (x, turn) = match side {
            true => ((from.corner.x + wide + to.corner.x) / 2, 0),
            false => (from.corner.x + wide + 18 * UNIT, -90),
        };
        let faint = self.palette.faint;
        self.put(format_args!(
            "<path transform=\"translate({},{})rotate({turn})\" d=\"M-6-6 4 0-6 6\" fill=\"none\" stroke=\"{faint}\" \
             stroke-width=\"2.4\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n",
            Px(x),
            Px(level)
        ));
    }

    /// A picture that fills about three fifths of a tile, on a plate that keeps the dots of the way off it.
    fn glyph(&mut self, glyph: Glyph, at: Point, tile: i32) {
        let (colour, disc) = (glyph.colour(self.palette), self.palette.disc);
        let wet = glyph == Glyph::Tile(TileKind::Water);
        if !wet {
            let plate = Px(tile * reach(glyph) / 100);
            self.put(format_args!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{plate}\" fill=\"{disc}\"/>",
                Px(at.x),
                Px(at.y)
            ));
        }
        // In hundredths: the shapes are 24 pixels wide.
        let scale = tile * reach(glyph) * 5 / 3 / (24 * UNIT);
        self.put(format_args!(
            "<g transform=\"translate({},{})scale({}.{:02})\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0\">{}</g>",
            Px(at.x),
            Px(at.y),
            scale / 100,
            scale % 100,
            glyph.markup()
        ));
    }

    fn floor_legend(&mut self, scene: &FloorScene) {
        let (ink, faint) = (self.palette.ink, self.palette.faint);
        for entry in &scene.legend {
            let Point { x, y } = entry.pos;
            let tile = match entry.glyph {
                Glyph::Tile(TileKind::Water) => self.palette.water,
                _ => self.palette.disc,
            };
            self.put(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"4\" fill=\"{tile}\" stroke=\"{faint}\" stroke-width=\"1\"/>",
                Px(x),
                Px(y - LEGEND_TILE / 2),
                side = Px(LEGEND_TILE)
            ));
            self.glyph(entry.glyph, Point::new(x + LEGEND_TILE / 2, y), LEGEND_TILE);
            let (x, y) = (Px(x + LEGEND_TILE + 10 * UNIT), Px(y + 6 * UNIT));
            let size = text::LEGEND;
            self.put(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{ink}\">"));
            self.escaped(entry.name);
            self.put(format_args!(" <tspan fill=\"{faint}\">{}</tspan></text>\n", entry.count));
        }
    }
}
