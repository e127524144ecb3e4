//! Words: headline, caption, numbers of rows and columns, the legend; and the frame around the grid.

use crate::curve::{Point, UNIT};
use crate::level::sheet::{CAPTION_STEP, LEGEND_ICON, LEGEND_SYMBOL, TITLE_LINE};
use crate::level::{Entry, LevelScene, SceneCell};
use crate::svg::{Canvas, MIDDLE, Pen, Px, SPACED};
use crate::text;
use wayforge::grid::{Dir, Pos, Size};
use wayforge::level::Symbol;

/// Numbers stand at least so far apart, in pixels.
const MARKS_APART: i32 = 44;
/// The side of a tile in the legend, in pixels.
const SAMPLE: i32 = 28;

impl Pen<'_, LevelScene> {
    pub(super) fn words(&mut self) {
        let (scene, palette) = (self.scene, self.palette);
        let middle = scene.width / 2;
        self.write(Point::new(middle, TITLE_LINE), text::TITLE, palette.ink, SPACED, &scene.title);
        for (line, words) in (1..).zip(&scene.caption) {
            let at = Point::new(middle, TITLE_LINE + line * CAPTION_STEP + 5 * UNIT);
            self.write(at, text::CAPTION, palette.faint, MIDDLE, words);
        }
        let step = [1, 5, 10, 20, 50, 100]
            .into_iter()
            .find(|step| step * self.scene.tile >= MARKS_APART * UNIT)
            .unwrap_or(100) as usize;
        self.out.push_str("<g aria-hidden=\"true\">\n");
        let Point { x: left, y: top } = scene.corner;
        for x in (0..scene.size.width).step_by(step) {
            let at = Point::new(left + self.middle(Pos { x, y: 0 }).x, top - 11 * UNIT);
            self.write(at, text::MARK, palette.faint, MIDDLE, &x.to_string());
        }
        for y in (0..scene.size.height).step_by(step) {
            let at = Point::new(left - 11 * UNIT, top + self.middle(Pos { x: 0, y }).y + 5 * UNIT);
            self.write(at, text::MARK, palette.faint, " text-anchor=\"end\"", &y.to_string());
        }
        self.out.push_str("</g>\n");
    }

    pub(super) fn frame(&mut self) {
        let Size { width, height } = self.scene.size;
        let side = |cells: u16| Px(i32::from(cells) * self.scene.tile + 2 * UNIT);
        let (across, down, ink) = (side(width), side(height), self.palette.tiles.frame);
        self.put(format_args!(
            "<rect x=\"-1\" y=\"-1\" width=\"{across}\" height=\"{down}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"/>\n"
        ));
    }

    pub(super) fn legend(&mut self) {
        let (scene, palette) = (self.scene, self.palette);
        for (place, entry) in scene.entries.iter().enumerate() {
            let Some(at) = entry.at else { continue };
            let (x, y) = (Px(at.x), Px(at.y - SAMPLE * UNIT / 2));
            self.put(format_args!("<g transform=\"translate({x},{y})\">"));
            self.sample(place, entry.entry);
            self.out.push_str("</g>");
            let left = at.x + LEGEND_ICON;
            if let Some(symbol) = entry.symbol() {
                let middle = Point::new(left + LEGEND_SYMBOL / 2 - 4 * UNIT, at.y + 6 * UNIT);
                self.write(middle, text::LEGEND, palette.faint, MIDDLE, &symbol.to_string());
            }
            self.legend_words(left + LEGEND_SYMBOL, at.y, &entry.name, &entry.count_text());
        }
    }

    /// A small picture of what an entry explains, drawn as it is on the grid.
    fn sample(&mut self, place: usize, entry: Entry) {
        let floor = SceneCell::plain();
        let cell = match entry {
            Entry::Symbol(symbol) => {
                SceneCell { symbol, opens: (symbol == Symbol::Exit).then_some(Dir::North), ..floor }
            }
            Entry::Reinforced => SceneCell { symbol: Symbol::Wall, reinforced: true, ..floor },
            Entry::FallSpawn => SceneCell { fall_spawn: true, ..floor },
            Entry::CarWalkable => SceneCell { car_walkable: true, ..floor },
            Entry::Broken => SceneCell { symbol: Symbol::Wall, passed: 1, ..floor },
            Entry::Mark(_) => floor,
            Entry::Route(route) => return self.route_sample(route),
        };
        let mut scene = LevelScene {
            size: Size::new(1, 1),
            cells: vec![cell],
            marked: if let Entry::Mark(mark) = entry { vec![(Pos::default(), mark)] } else { Vec::new() },
            marks: self.scene.marks.clone(),
            station: self.scene.station,
            solid: self.scene.solid,
            tile: SAMPLE * UNIT,
            thing: SAMPLE * UNIT,
            ..LevelScene::default()
        };
        scene.join();
        let (tag, out) = (format!("{}{place}", self.tag), std::mem::take(&mut self.out));
        let mut pen = Pen { scene: &scene, canvas: Canvas { palette: self.palette, tag, out } };
        pen.definitions();
        pen.ground();
        if matches!(entry, Entry::Symbol(Symbol::Floor | Symbol::Outside) | Entry::CarWalkable) {
            let (line, side) = (pen.palette.tiles.floor[3], SAMPLE - 1);
            pen.put(format_args!(
                "<rect x=\"0.5\" y=\"0.5\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"{line}\"/>"
            ));
        }
        pen.walls();
        pen.breaches();
        pen.signs();
        pen.plants();
        pen.things();
        self.out = pen.canvas.out;
    }

    fn route_sample(&mut self, route: usize) {
        let Some(route) = self.scene.routes.get(route) else { return };
        let colour = self.route_colour(route);
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"4\" stroke-linecap=\"round\" d=\"M2 21Q12 2 22 14T48 8\"/>"
        ));
    }
}
