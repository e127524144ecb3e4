//! Overlays of level pictures: icons, marks and routes.

use super::ground::{rotation, scale};
use super::path;
use crate::curve::{Point, UNIT};
use crate::level::{LevelScene, SceneRoute, icons};
use crate::svg::{MIDDLE, Pen, Px, outlined};
use std::collections::BTreeSet;
use wayforge::grid::Pos;
use wayforge::level::{Mover, Symbol};

impl<'a> Pen<'a, LevelScene> {
    /// Defines every icon and mark once.
    pub(super) fn definitions(&mut self) {
        let (scene, tag) = (self.scene, self.tag.clone());
        self.out.push_str("<defs>\n");
        let mut used = BTreeSet::new();
        used.extend(scene.cells.iter().map(|cell| cell.symbol));
        for symbol in used {
            let scale =
                scale(if symbol == Symbol::Plant { self.scene.tile_size } else { scene.icon_size });
            if let Some(markup) = icons::markup(symbol, scene.fuel_station, self.palette) {
                self.put(format_args!(
                    "<g id=\"{tag}-{symbol}\" transform=\"scale({scale})\">{markup}</g>\n"
                ));
            }
        }
        let mut marks = BTreeSet::new();
        marks.extend(scene.mark_cells.iter().map(|marked| marked.1));
        let scale = scale(scene.icon_size);
        for mark in marks {
            let colours = &self.palette.level;
            let colour = colours.marks[mark % colours.marks.len()];
            let plate = icons::mark(colour, colours.chip);
            self.put(format_args!("<g id=\"{tag}-m{mark}\" transform=\"scale({scale})\">{plate}"));
            let letter: String =
                scene.marks.get(mark).and_then(|name| name.chars().next()).into_iter().collect();
            let centre = Point::new(0, 5 * UNIT);
            self.write(centre, 15, colour, MIDDLE, &letter.to_uppercase());
            self.out.push_str("</g>\n");
        }
        self.out.push_str("</defs>\n");
    }

    pub(super) fn plants(&mut self) {
        if self.shows_details() {
            return self.place_icons(|symbol| symbol == Symbol::Plant);
        }
        // There may be a million plants, so all are drawn with two paths, or as squares if cells
        // are too small for shapes.
        let [leaf, shade, pot, _] = self.palette.level.plant;
        if !self.shows_shapes() {
            return self.squares(shade, |cell| cell.symbol == Symbol::Plant);
        }
        for (fill, shape) in [
            (pot, [(-20, 10), (40, 0), (-8, 32), (-24, 0)]),
            (leaf, [(0, 16), (-40, -32), (40, -28), (40, 28)]),
        ] {
            self.path(format_args!("fill=\"{fill}\""), |pen| {
                for (pos, _) in pen.cells().filter(|(_, cell)| cell.symbol == Symbol::Plant) {
                    let Point { x, y } = pen.centre(pos);
                    let [from, a, b, c] = shape.map(|(x, y)| (pen.part(x), pen.part(y)));
                    let lines = [a.0, a.1, b.0, b.1, c.0, c.1];
                    pen.trace(&[("M", &[x + from.0, y + from.1]), ("l", &lines), ("z", &[])]);
                }
            });
        }
    }

    /// Draws the icons of candidates and marks.
    pub(super) fn icons(&mut self) {
        self.place_icons(Symbol::is_candidate);
        let (scene, tag) = (self.scene, self.tag.clone());
        for &(pos, mark) in &scene.mark_cells {
            self.reuse_at(&format!("{tag}-m{mark}"), pos);
        }
    }

    fn place_icons(&mut self, matching: impl Fn(Symbol) -> bool) {
        let tag = self.tag.clone();
        for (pos, cell) in self.cells().filter(|(_, cell)| matching(cell.symbol)) {
            self.reuse_at(&format!("{tag}-{}", cell.symbol), pos);
        }
    }

    /// References the definition `id` at the centre of a cell.
    fn reuse_at(&mut self, id: &str, pos: Pos) {
        let Point { x, y } = self.centre(pos);
        self.put(format_args!("<use href=\"#{id}\" x=\"{}\" y=\"{}\"/>\n", Px(x), Px(y)));
    }

    pub(super) fn route_colour(&self, route: &SceneRoute) -> &'static str {
        let colours = &self.palette.level.routes[usize::from(route.mover == Mover::Car)];
        colours[route.colour % colours.len()]
    }

    /// Returns the routes in drawing order: routes of cars first, so that routes of people are on
    /// top.
    fn routes_in_drawing_order(&self) -> Vec<&'a SceneRoute> {
        let mut routes: Vec<&SceneRoute> = self.scene.routes.iter().collect();
        routes.sort_by_key(|route| route.mover);
        routes
    }

    pub(super) fn routes(&mut self) {
        self.routes_in_drawing_order().into_iter().for_each(|route| self.route(route));
    }

    /// Draws the numbers of stops, each once.
    pub(super) fn badges(&mut self) {
        let mut drawn = BTreeSet::new();
        for route in self.routes_in_drawing_order() {
            let colour = self.route_colour(route);
            for (number, stop) in route.stops.iter().enumerate() {
                if drawn.insert((colour, number, stop.pos)) {
                    self.badge(route, number, stop.pos);
                }
            }
        }
    }

    /// Returns `percent` of the icon size, in units.
    fn icon_part(&self, percent: i32) -> i32 {
        self.scene.icon_size * percent / 100
    }

    fn route(&mut self, route: &SceneRoute) {
        let (colour, casing) = (self.route_colour(route), self.palette.level.casing);
        let (line, halo) = (self.icon_part(11).max(10), self.icon_part(21).max(20));
        for (stroke, width, opacity) in [(casing, halo, "0.75"), (colour, line, "1")] {
            let style = outlined("none", stroke, width);
            let style = format!(
                "{style} stroke-linecap=\"round\" stroke-linejoin=\"round\" \
                 stroke-opacity=\"{opacity}\""
            );
            self.path(style, |pen| {
                route.legs.iter().for_each(|leg| path::rounded_polyline(leg, pen.part(36), pen))
            });
        }
        let scale = scale(self.scene.icon_size);
        for (at, dir) in &route.arrows {
            let (x, y, rotation) = (Px(at.x), Px(at.y), rotation(*dir));
            self.put(format_args!(
                "<path fill=\"{colour}\" stroke=\"{casing}\" stroke-width=\"1\" \
                 stroke-linejoin=\"round\" \
                 transform=\"translate({x},{y})rotate({rotation})scale({scale})\" d=\"M0-5.6 4.8 \
                 3.4 0 1.4-4.8 3.4Z\"/>\n"
            ));
        }
    }

    /// Draws the number of a stop at a corner of its cell; the start is a ring.
    fn badge(&mut self, route: &SceneRoute, number: usize, pos: Pos) {
        let (colour, casing) = (self.route_colour(route), self.palette.level.casing);
        let Point { x, y } = self.centre(pos);
        let radius = self.icon_part(27).max(6 * UNIT);
        if number == 0 {
            let (x, y, radius, width) =
                (Px(x), Px(y), Px(self.icon_part(50)), Px(self.icon_part(9).max(10)));
            return self.put(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"{width}\"/>\n"
            ));
        }
        let side = if route.mover == Mover::Car { -1 } else { 1 };
        let at = Point::new(x + side * self.icon_part(40), y - self.icon_part(40));
        let (x, y, r, width) = (Px(at.x), Px(at.y), Px(radius), Px(self.icon_part(6).max(10)));
        self.put(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{colour}\" stroke=\"{casing}\" \
             stroke-width=\"{width}\"/>"
        ));
        let size = radius * 3 / 2 / UNIT;
        let below = at.offset(0, radius / 2);
        let bold = " text-anchor=\"middle\" font-weight=\"600\"";
        self.write(below, size, casing, bold, &number.to_string());
    }
}
