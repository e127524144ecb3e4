//! What is walked on: outside, floor, water, holes, belts, tags and exits.

use super::{Pen, path};
use crate::curve::{Point, UNIT};
use crate::level::{Ground, Outline, SceneCell, icons};
use crate::svg::Px;
use wayforge::grid::{Dir, Pos};
use wayforge::level::Symbol;

impl Pen<'_> {
    pub(super) fn ground(&mut self) {
        let (scene, tiles) = (self.scene, self.tiles);
        let grid = |cells: u16| Px(i32::from(cells) * self.tile);
        let (across, down) = (grid(scene.size.width), grid(scene.size.height));
        self.put(format_args!(
            "<rect width=\"{across}\" height=\"{down}\" fill=\"{}\" shape-rendering=\"crispEdges\"/>\n",
            tiles.floor[0]
        ));
        self.floor();
        for (ground, outline) in &scene.outlines {
            match ground {
                Ground::Outside => self.outside(outline),
                Ground::Pitfall => self.pits(outline),
                Ground::Puddle => self.water(outline),
                Ground::Belt => self.belts(outline),
                Ground::CarWalkable => self.car_walkable(outline),
                Ground::FallSpawn => self.fall_spawn(outline),
                Ground::Band | Ground::Breakable | Ground::Solid | Ground::Reinforced => {}
            }
        }
        self.exits();
    }

    /// Tiles that are a little lighter or darker, and the lines between them.
    fn floor(&mut self) {
        if self.tile < 12 * UNIT {
            return;
        }
        let [_, light, dark, line] = self.tiles.floor;
        let bare = |cell: &SceneCell| {
            !matches!(cell.symbol, Symbol::Outside | Symbol::Band | Symbol::Wall | Symbol::Pitfall)
        };
        for (fill, shades) in [(light, 0..64), (dark, 64..120)] {
            self.squares(fill, |cell| bare(cell) && shades.contains(&cell.variant));
        }
        let (width, height) = (self.scene.size.width, self.scene.size.height);
        let (across, down) = (Px(i32::from(width) * self.tile), Px(i32::from(height) * self.tile));
        self.path(
            format_args!("fill=\"none\" stroke=\"{line}\" stroke-width=\"1\" shape-rendering=\"crispEdges\""),
            |pen| {
                (1..width).for_each(|x| pen.put(format_args!("M{} 0v{down}", Px(i32::from(x) * pen.tile))));
                (1..height)
                    .for_each(|y| pen.put(format_args!("M0 {}h{across}", Px(i32::from(y) * pen.tile))));
            },
        );
    }

    /// All cells that are so, as one path of rows.
    pub(super) fn squares(&mut self, fill: &str, so: impl Fn(&SceneCell) -> bool) {
        self.path(format_args!("fill=\"{fill}\" shape-rendering=\"crispEdges\""), |pen| {
            let (width, side) = (usize::from(pen.scene.size.width).max(1), Px(pen.tile));
            let scene = pen.scene;
            for (y, row) in (0..).zip(scene.cells.chunks(width)) {
                let mut x = 0;
                for run in row.chunk_by(|a, b| so(a) == so(b)) {
                    if so(&run[0]) {
                        let Point { x: left, y: top } = pen.corner(Pos { x, y });
                        let length = Px(run.len() as i32 * pen.tile);
                        let back = Px(-(run.len() as i32) * pen.tile);
                        pen.put(format_args!("M{} {}h{length}v{side}h{back}z", Px(left), Px(top)));
                    }
                    x += run.len() as u16;
                }
            }
        });
    }

    /// The path of an outline as one element.
    pub(super) fn shape(&mut self, attributes: &str, outline: &Outline, inset: i32, radius: i32) {
        self.path(format_args!("{attributes}"), |pen| {
            path::outline(outline, pen.tile, inset, radius, &mut pen.out);
        });
    }

    fn outside(&mut self, outline: &Outline) {
        let [grass, dark, light, _] = self.tiles.outside;
        self.shape(&format!("fill=\"{grass}\" shape-rendering=\"crispEdges\""), outline, 0, 0);
        if !self.finest() {
            return;
        }
        for (stroke, from) in [(dark, 0), (light, 90)] {
            let width = Px(self.part(6));
            self.path(
                format_args!(
                    "fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\" stroke-linecap=\"round\""
                ),
                |pen| {
                    let tuft = |cell: &SceneCell| {
                        cell.symbol == Symbol::Outside && (from..from + 90).contains(&cell.variant)
                    };
                    for (pos, cell) in pen.cells().filter(|(_, cell)| tuft(cell)) {
                        let Point { x, y } = pen.corner(pos);
                        let place = i32::from(cell.variant) * 7;
                        let (x, y) = (x + pen.part(22 + place % 46), y + pen.part(40 + place % 37));
                        let (out, up) = (pen.part(11), pen.part(17));
                        pen.put(format_args!(
                            "M{} {}l{} {}m{} {}l0 {}m{} {}l{} {}",
                            Px(x),
                            Px(y),
                            Px(-out / 2),
                            Px(-up * 3 / 4),
                            Px(out / 2 + out),
                            Px(up * 3 / 4),
                            Px(-up),
                            Px(out),
                            Px(up),
                            Px(out / 2),
                            Px(-up * 3 / 4)
                        ));
                    }
                },
            );
        }
    }

    fn pits(&mut self, outline: &Outline) {
        let [deep, far, rim] = self.tiles.pit;
        if !self.fine() {
            return self.shape(&format!("fill=\"{deep}\" shape-rendering=\"crispEdges\""), outline, 0, 0);
        }
        let inset = self.part(8);
        self.shape(&format!("fill=\"{deep}\""), outline, inset, self.part(6));
        // The walls of the hole that are seen from above, the lower one of two in its shade.
        for (fill, depth) in [(rim, self.part(36)), (far, self.part(22))] {
            self.path(format_args!("fill=\"{fill}\""), |pen| {
                for (corner, cells) in outline.upper_edges() {
                    let Point { x, y } = pen.corner(corner);
                    let length = i32::from(cells) * pen.tile - 2 * inset;
                    let slope = depth / 3;
                    pen.put(format_args!(
                        "M{} {}h{}l{} {}h{}z",
                        Px(x + inset),
                        Px(y + inset),
                        Px(length),
                        Px(-slope),
                        Px(depth),
                        Px(2 * slope - length)
                    ));
                }
            });
        }
        // The lip takes the light.
        let lip = self.tiles.pit_lip;
        let width = Px(self.part(5).max(6));
        self.shape(
            &format!("fill=\"none\" stroke=\"{lip}\" stroke-width=\"{width}\""),
            outline,
            inset,
            self.part(6),
        );
    }

    fn water(&mut self, outline: &Outline) {
        let [body, edge, glint] = self.tiles.water;
        let (inset, radius) = if self.fine() { (self.part(8), self.part(36)) } else { (0, 0) };
        let width = Px(self.part(5).max(4));
        let look =
            format!("fill=\"{body}\" fill-opacity=\"0.85\" stroke=\"{edge}\" stroke-width=\"{width}\"");
        self.shape(&look, outline, inset, radius);
        if !self.finest() {
            return;
        }
        // Drops beside some of them.
        self.path(
            format_args!(
                "fill=\"none\" stroke=\"{edge}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                Px(self.part(12))
            ),
            |pen| {
                for (pos, cell) in
                    pen.cells().filter(|(_, cell)| cell.symbol == Symbol::Puddle && cell.variant % 5 < 3)
                {
                    let Point { x, y } = pen.corner(pos);
                    let near = |bit: u8| pen.part(if cell.variant & bit == 0 { 11 } else { 89 });
                    pen.put(format_args!("M{} {}h.1", Px(x + near(16)), Px(y + near(64))));
                }
            },
        );
        self.path(
            format_args!(
                "fill=\"none\" stroke=\"{glint}\" stroke-width=\"{width}\" stroke-linecap=\"round\""
            ),
            |pen| {
                let (run, rise) = (pen.part(11), pen.part(7));
                for (pos, cell) in pen.cells().filter(|(_, cell)| cell.symbol == Symbol::Puddle) {
                    let Point { x, y } = pen.corner(pos);
                    let (dx, dy) = (i32::from(cell.variant % 3) * 6, i32::from(cell.variant / 3 % 3) * 7);
                    let (r, s) = (Px(run), Px(-rise));
                    pen.put(format_args!(
                        "M{} {}q{} {s} {r} 0t{r} 0M{} {}q{} {s} {r} 0",
                        Px(x + pen.part(28 + dx)),
                        Px(y + pen.part(36 + dy)),
                        Px(run / 2),
                        Px(x + pen.part(48 - dx)),
                        Px(y + pen.part(62 + dy / 2)),
                        Px(run / 2),
                    ));
                }
            },
        );
    }

    fn belts(&mut self, outline: &Outline) {
        let [plate, edge, chevron] = self.tiles.belt;
        let inset = if self.fine() { self.part(5) } else { 0 };
        let width = Px(self.part(5).max(4));
        let look = format!("fill=\"{plate}\" stroke=\"{edge}\" stroke-width=\"{width}\"");
        self.shape(&look, outline, inset, if self.fine() { self.part(10) } else { 0 });
        if self.tile < 8 * UNIT {
            return;
        }
        let width = Px(self.part(11).max(8));
        self.path(
            format_args!(
                "fill=\"none\" stroke=\"{chevron}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\""
            ),
            |pen| {
                let (reach, rise) = (pen.part(24), pen.part(18));
                for (pos, dir) in pen.cells().filter_map(|(pos, cell)| Some((pos, cell.symbol.moves()?))) {
                    let Point { x, y } = pen.middle(pos);
                    for back in [-1, 1] {
                        // Pointing north, then turned.
                        let centre = back * pen.part(15);
                        let [a, b, c] =
                            [(-reach, centre + rise / 2), (0, centre - rise / 2), (reach, centre + rise / 2)]
                                .map(|(x, y)| turned(dir, x, y));
                        pen.put(format_args!(
                            "M{} {}l{} {}l{} {}",
                            Px(x + a.0),
                            Px(y + a.1),
                            Px(b.0 - a.0),
                            Px(b.1 - a.1),
                            Px(c.0 - b.0),
                            Px(c.1 - b.1)
                        ));
                        if !pen.fine() {
                            break;
                        }
                    }
                }
            },
        );
    }

    pub(super) fn car_walkable(&mut self, outline: &Outline) {
        let car = self.tiles.car;
        let look = format!("fill=\"{car}\" fill-opacity=\"0.18\"");
        self.shape(&look, outline, 0, 0);
    }

    pub(super) fn fall_spawn(&mut self, outline: &Outline) {
        let (colour, tile) = (self.tiles.fall, self.tile);
        let dash = if self.fine() { tile / 6 } else { tile / 3 };
        let look = format!(
            "fill=\"{colour}\" fill-opacity=\"0.1\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-dasharray=\"{1} {1}\"",
            Px(self.part(6).max(5)),
            Px(dash)
        );
        self.shape(&look, outline, self.part(9), if self.fine() { self.part(10) } else { 0 });
    }

    /// Mats in the outer wall, and the first step outside.
    fn exits(&mut self) {
        let (mat, way, side) = (self.tiles.exit[0], self.tiles.outside[3], Px(self.tile));
        let exits: Vec<(Pos, &SceneCell)> =
            self.cells().filter(|(_, cell)| cell.symbol == Symbol::Exit).collect();
        for (pos, cell) in exits {
            let next = cell.opens.and_then(|dir| pos.step(dir, self.scene.size));
            for (pos, fill) in next.map(|next| (next, way)).into_iter().chain([(pos, mat)]) {
                let Point { x, y } = self.corner(pos);
                self.put(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" shape-rendering=\"crispEdges\"/>\n",
                    Px(x),
                    Px(y)
                ));
            }
        }
    }

    /// Arrows on the mats that show the way out.
    pub(super) fn signs(&mut self) {
        let ([mat, arrow, edge], thing) = (self.tiles.exit, self.scene.thing);
        let scale = scale(thing);
        let exit = |cell: &SceneCell| cell.opens.filter(|_| cell.symbol == Symbol::Exit);
        for (pos, dir) in self.cells().filter_map(|(pos, cell)| Some((pos, exit(cell)?))) {
            let (Point { x, y }, turn) = (self.middle(pos), turn(dir));
            self.put(format_args!(
                "<g transform=\"translate({},{})rotate({turn})scale({scale})\">",
                Px(x),
                Px(y)
            ));
            if thing > self.tile {
                // Seen from afar.
                self.put(format_args!(
                    "<rect x=\"-12\" y=\"-12\" width=\"24\" height=\"24\" rx=\"4\" fill=\"{mat}\"/>"
                ));
            } else if pos.step(dir, self.scene.size).is_some() {
                self.put(format_args!(
                    "<path fill=\"none\" stroke=\"{edge}\" stroke-width=\"2.4\" stroke-linecap=\"round\" \
                     stroke-linejoin=\"round\" d=\"{}\"/>",
                    icons::LEAD
                ));
            }
            self.put(format_args!("<path fill=\"{arrow}\" d=\"{}\"/></g>\n", icons::ARROW));
        }
    }
}

/// What a shape of a box of 24 pixels is multiplied by to fill a square of this side.
pub(super) fn scale(side: i32) -> String {
    let thousandths = side * 1000 / (24 * UNIT);
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

/// A point that was meant for north, turned to a straight direction.
fn turned(dir: Dir, x: i32, y: i32) -> (i32, i32) {
    match dir {
        Dir::East => (-y, x),
        Dir::South => (-x, -y),
        Dir::West => (y, -x),
        _ => (x, y),
    }
}

/// Degrees from north, clockwise.
pub(super) fn turn(dir: Dir) -> i32 {
    45 * dir as i32
}
