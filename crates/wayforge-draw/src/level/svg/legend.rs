//! Text of level pictures (headline, caption, row and column numbers, legend) and the frame around
//! the grid.

use crate::curve::{Point, UNIT};
use crate::level::sheet::{CAPTION_STEP, LEGEND_ICON, LEGEND_SYMBOL, TITLE_LINE};
use crate::level::{LegendSubject, LevelScene, SceneCell};
use crate::svg::{Canvas, MIDDLE, Pen, Px, SPACED};
use crate::text;
use wayforge::grid::{Dir, Pos};
use wayforge::level::Symbol;

/// Minimum distance between row or column numbers, in pixels.
const MIN_NUMBER_DISTANCE: i32 = 44;
/// Side of a cell in the legend, in pixels.
const SAMPLE: i32 = 28;

impl Pen<'_, LevelScene> {
    pub(super) fn labels(&mut self) {
        let (scene, palette) = (self.scene, self.palette);
        let centre = scene.width / 2;
        self.write(Point::new(centre, TITLE_LINE), text::TITLE, palette.ink, SPACED, &scene.title);
        for (line, part) in (1..).zip(&scene.caption) {
            let at = Point::new(centre, TITLE_LINE + line * CAPTION_STEP + 5 * UNIT);
            self.write(at, text::CAPTION, palette.faint, MIDDLE, part);
        }
        let step = [1, 5, 10, 20, 50, 100]
            .into_iter()
            .find(|step| step * self.scene.tile_size >= MIN_NUMBER_DISTANCE * UNIT)
            .unwrap_or(100) as usize;
        self.out.push_str("<g aria-hidden=\"true\">\n");
        let Point { x: left, y: top } = scene.corner;
        for x in (0..scene.size.width).step_by(step) {
            let at = Point::new(left + self.centre(Pos { x, y: 0 }).x, top - 11 * UNIT);
            self.write(at, text::AXIS_NUMBER, palette.faint, MIDDLE, &x.to_string());
        }
        for y in (0..scene.size.height).step_by(step) {
            let at = Point::new(left - 11 * UNIT, top + self.centre(Pos { x: 0, y }).y + 5 * UNIT);
            let end = " text-anchor=\"end\"";
            self.write(at, text::AXIS_NUMBER, palette.faint, end, &y.to_string());
        }
        self.out.push_str("</g>\n");
    }

    pub(super) fn frame(&mut self) {
        let ((width, height), ink) = (self.grid_size(), self.palette.level.frame);
        let (width, height) = (Px(width + 2 * UNIT), Px(height + 2 * UNIT));
        self.put(format_args!(
            "<rect x=\"-1\" y=\"-1\" width=\"{width}\" height=\"{height}\" fill=\"none\" \
             stroke=\"{ink}\" stroke-width=\"2\"/>\n"
        ));
    }

    pub(super) fn legend(&mut self) {
        let (scene, palette) = (self.scene, self.palette);
        for (index, entry) in scene.legend.iter().enumerate() {
            let Some(at) = entry.pos else { continue };
            let (x, y) = (Px(at.x), Px(at.y - SAMPLE * UNIT / 2));
            self.put(format_args!("<g transform=\"translate({x},{y})\">"));
            self.sample(index, entry.subject);
            self.out.push_str("</g>");
            let left = at.x + LEGEND_ICON;
            if let Some(symbol) = entry.symbol() {
                let centre = Point::new(left + LEGEND_SYMBOL / 2 - 4 * UNIT, at.y + 6 * UNIT);
                self.write(centre, text::LEGEND, palette.faint, MIDDLE, &symbol.to_string());
            }
            self.legend_text(left + LEGEND_SYMBOL, at.y, &entry.name, &entry.count_text());
        }
    }

    /// Draws a sample of a legend entry as it appears on the grid.
    fn sample(&mut self, index: usize, subject: LegendSubject) {
        let floor = SceneCell::plain();
        let cell = match subject {
            LegendSubject::Symbol(symbol) => SceneCell {
                symbol,
                exit_side: (symbol == Symbol::Exit).then_some(Dir::North),
                ..floor
            },
            LegendSubject::Reinforced => {
                SceneCell { symbol: Symbol::Wall, reinforced: true, ..floor }
            }
            LegendSubject::FallSpawn => SceneCell { fall_spawn: true, ..floor },
            LegendSubject::CarWalkable => SceneCell { car_walkable: true, ..floor },
            LegendSubject::Broken => SceneCell { symbol: Symbol::Wall, route_mask: 1, ..floor },
            LegendSubject::Mark(_) => floor,
            LegendSubject::Route(route) => return self.route_sample(route),
        };
        let LevelScene { fuel_station, solid_walls, .. } = *self.scene;
        let mut scene = LevelScene::uniform(cell, 1, SAMPLE, fuel_station, solid_walls);
        if let LegendSubject::Mark(mark) = subject {
            scene.marks.clone_from(&self.scene.marks);
            scene.mark_cells.push((Pos::default(), mark));
        }
        let (tag, out) = (format!("{}{index}", self.tag), std::mem::take(&mut self.out));
        let mut pen = Pen { scene: &scene, canvas: Canvas { palette: self.palette, tag, out } };
        pen.definitions();
        pen.ground();
        if matches!(
            subject,
            LegendSubject::Symbol(Symbol::Floor | Symbol::Outside) | LegendSubject::CarWalkable
        ) {
            let (line, side) = (pen.palette.level.floor[3], SAMPLE - 1);
            pen.put(format_args!(
                "<rect x=\"0.5\" y=\"0.5\" width=\"{side}\" height=\"{side}\" fill=\"none\" \
                 stroke=\"{line}\"/>"
            ));
        }
        pen.walls();
        pen.breaches();
        pen.exit_arrows();
        pen.plants();
        pen.icons();
        self.out = pen.canvas.out;
    }

    fn route_sample(&mut self, route: usize) {
        let Some(route) = self.scene.routes.get(route) else { return };
        let colour = self.route_colour(route);
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"4\" stroke-linecap=\"round\" \
             d=\"M2 21Q12 2 22 14T48 8\"/>"
        ));
    }
}
