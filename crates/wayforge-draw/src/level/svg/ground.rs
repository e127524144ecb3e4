//! Ground of levels: outside, floor, water, pits, belts, tags and exits.

use super::path;
use crate::curve::{Point, UNIT};
use crate::level::{GroundKind, LevelScene, Outline, SceneCell, icons};
use crate::svg::{Pen, Px, outlined};
use wayforge::grid::{Dir, Pos};
use wayforge::level::Symbol;

impl Pen<'_, LevelScene> {
    pub(super) fn ground(&mut self) {
        let (scene, (width, height)) = (self.scene, self.grid_size());
        let (width, height, [fill, ..]) = (Px(width), Px(height), self.palette.level.floor);
        self.put(format_args!(
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{fill}\" \
             shape-rendering=\"crispEdges\"/>\n"
        ));
        self.floor();
        for (ground, outline) in &scene.outlines {
            match ground {
                GroundKind::Outside => self.outside(outline),
                GroundKind::Pitfall => self.pits(outline),
                GroundKind::Puddle => self.water(outline),
                GroundKind::Belt => self.belts(outline),
                GroundKind::CarWalkable => self.car_walkable(outline),
                GroundKind::FallSpawn => self.fall_spawn(outline),
                GroundKind::Band
                | GroundKind::Breakable
                | GroundKind::Solid
                | GroundKind::Reinforced => {}
            }
        }
        self.exits();
    }

    /// Draws lighter and darker floor cells and the joints between cells.
    fn floor(&mut self) {
        if !self.shows_shapes() {
            return;
        }
        let [_, light, dark, line] = self.palette.level.floor;
        let bare = |cell: &SceneCell| {
            !matches!(cell.symbol, Symbol::Outside | Symbol::Band | Symbol::Wall | Symbol::Pitfall)
        };
        for (fill, shades) in [(light, 0..64), (dark, 64..120)] {
            self.squares(fill, |cell| bare(cell) && shades.contains(&cell.variant));
        }
        let (tile, style) = (self.scene.tile_size, outlined("none", line, UNIT));
        let (width, height) = self.grid_size();
        self.path(format_args!("{style} shape-rendering=\"crispEdges\""), |pen| {
            for x in 1..width / tile {
                pen.trace(&[("M", &[x * tile, 0]), ("v", &[height])]);
            }
            for y in 1..height / tile {
                pen.trace(&[("M", &[0, y * tile]), ("h", &[width])]);
            }
        });
    }

    /// Draws all matching cells as one path, merged along rows.
    pub(super) fn squares(&mut self, fill: &str, matching: impl Fn(&SceneCell) -> bool) {
        self.path(format_args!("fill=\"{fill}\" shape-rendering=\"crispEdges\""), |pen| {
            let (scene, width) = (pen.scene, usize::from(pen.scene.size.width).max(1));
            for (y, row) in (0..).zip(scene.cells.chunks(width)) {
                let mut x = 0;
                for run in row.chunk_by(|a, b| matching(a) == matching(b)) {
                    if matching(&run[0]) {
                        let (corner, tile) = (pen.corner(Pos { x, y }), scene.tile_size);
                        pen.trace_rect(corner, run.len() as i32 * tile, tile);
                    }
                    x += run.len() as u16;
                }
            }
        });
    }

    /// Appends a polyline through points relative to `at`.
    pub(super) fn polyline(&mut self, at: Point, points: &[(i32, i32)]) {
        let Some(first) = points.first() else { return };
        self.trace(&[("M", &[at.x + first.0, at.y + first.1])]);
        points.windows(2).for_each(|p| self.trace(&[("l", &[p[1].0 - p[0].0, p[1].1 - p[0].1])]));
    }

    /// Draws an outline as one path.
    pub(super) fn shape(&mut self, attributes: &str, outline: &Outline, inset: i32, radius: i32) {
        self.path(attributes, |pen| {
            path::outline(outline, pen.scene.tile_size, inset, radius, pen)
        });
    }

    /// Draws an outline with sharp corners and no stroke.
    pub(super) fn flat_shape(&mut self, fill: &str, outline: &Outline) {
        let style = format!("fill=\"{fill}\" shape-rendering=\"crispEdges\"");
        self.shape(&style, outline, 0, 0);
    }

    fn outside(&mut self, outline: &Outline) {
        let [grass, dark, light, _] = self.palette.level.outside;
        self.flat_shape(grass, outline);
        if !self.shows_details() {
            return;
        }
        for (stroke, from) in [(dark, 0), (light, 90)] {
            self.strokes(stroke, self.part(6), false, |pen| {
                let tuft = |cell: &SceneCell| {
                    cell.symbol == Symbol::Outside && (from..from + 90).contains(&cell.variant)
                };
                let (out, up) = (pen.part(11), pen.part(17));
                for (pos, cell) in pen.cells().filter(|(_, cell)| tuft(cell)) {
                    let Point { x, y } = pen.corner(pos);
                    let offset = i32::from(cell.variant) * 7;
                    let (x, y) = (x + pen.part(22 + offset % 46), y + pen.part(40 + offset % 37));
                    pen.trace(&[("M", &[x, y]), ("l", &[-out / 2, -up * 3 / 4])]);
                    pen.trace(&[("m", &[out / 2 + out, up * 3 / 4]), ("l", &[0, -up])]);
                    pen.trace(&[("m", &[out, up]), ("l", &[out / 2, -up * 3 / 4])]);
                }
            });
        }
    }

    fn pits(&mut self, outline: &Outline) {
        let [deep, far, shade] = self.palette.level.pit;
        if !self.shows_shapes() {
            return self.flat_shape(deep, outline);
        }
        let inset = self.part(8);
        self.shape(&format!("fill=\"{deep}\""), outline, inset, self.part(6));
        // The visible wall of the pit; its lower part is in the shade.
        for (fill, depth) in [(shade, self.part(36)), (far, self.part(22))] {
            self.path(format_args!("fill=\"{fill}\""), |pen| {
                for (corner, cells) in outline.upper_edges() {
                    let Point { x, y } = pen.corner(corner);
                    let length = i32::from(cells) * pen.scene.tile_size - 2 * inset;
                    let slope = depth / 3;
                    pen.trace(&[("M", &[x + inset, y + inset]), ("h", &[length])]);
                    pen.trace(&[("l", &[-slope, depth]), ("h", &[2 * slope - length]), ("z", &[])]);
                }
            });
        }
        // The light edge of the pit.
        let style = outlined("none", self.palette.level.pit_lip, self.part(5).max(6));
        self.shape(&style, outline, inset, self.part(6));
    }

    fn water(&mut self, outline: &Outline) {
        let [body, edge, glint] = self.palette.level.water;
        let (inset, radius) = (self.shape_part(8), self.shape_part(36));
        let width = Px(self.part(5).max(4));
        let style = format!(
            "fill=\"{body}\" fill-opacity=\"0.85\" stroke=\"{edge}\" stroke-width=\"{width}\""
        );
        self.shape(&style, outline, inset, radius);
        if !self.shows_details() {
            return;
        }
        // Drops beside some puddles.
        let wet = |(_, cell): &(Pos, &SceneCell)| cell.symbol == Symbol::Puddle;
        self.strokes(edge, self.part(12), false, |pen| {
            for (pos, cell) in pen.cells().filter(wet).filter(|(_, cell)| cell.variant % 5 < 3) {
                let Point { x, y } = pen.corner(pos);
                let near = |bit: u8| pen.part(if cell.variant & bit == 0 { 11 } else { 89 });
                let at = [x + near(16), y + near(64)];
                pen.trace(&[("M", &at), ("h.1", &[])]);
            }
        });
        self.strokes(glint, self.part(5).max(4), false, |pen| {
            let (run, rise) = (pen.part(11), pen.part(7));
            let wave = [run / 2, -rise, run, 0];
            for (pos, cell) in pen.cells().filter(wet) {
                let Point { x, y } = pen.corner(pos);
                let (dx, dy) =
                    (i32::from(cell.variant % 3) * 6, i32::from(cell.variant / 3 % 3) * 7);
                let high = [x + pen.part(28 + dx), y + pen.part(36 + dy)];
                let low = [x + pen.part(48 - dx), y + pen.part(62 + dy / 2)];
                pen.trace(&[("M", &high), ("q", &wave), ("t", &[run, 0])]);
                pen.trace(&[("M", &low), ("q", &wave)]);
            }
        });
    }

    fn belts(&mut self, outline: &Outline) {
        let [plate, edge, chevron] = self.palette.level.belt;
        let style = outlined(plate, edge, self.part(5).max(4));
        self.shape(&style, outline, self.shape_part(5), self.shape_part(10));
        if self.scene.tile_size < 8 * UNIT {
            return;
        }
        self.strokes(chevron, self.part(11).max(8), true, |pen| {
            let (reach, rise) = (pen.part(24), pen.part(18));
            let chevrons = if pen.shows_shapes() { &[-1, 1][..] } else { &[-1] };
            for (pos, dir) in
                pen.cells().filter_map(|(pos, cell)| Some((pos, cell.symbol.move_direction()?)))
            {
                for side in chevrons {
                    // The corners point north before the rotation.
                    let centre = side * pen.part(15);
                    let corners = [
                        (-reach, centre + rise / 2),
                        (0, centre - rise / 2),
                        (reach, centre + rise / 2),
                    ];
                    pen.polyline(pen.centre(pos), &corners.map(|(x, y)| rotate(dir, x, y)));
                }
            }
        });
    }

    pub(super) fn car_walkable(&mut self, outline: &Outline) {
        let style = format!("fill=\"{}\" fill-opacity=\"0.18\"", self.palette.level.car);
        self.shape(&style, outline, 0, 0);
    }

    pub(super) fn fall_spawn(&mut self, outline: &Outline) {
        let (colour, width) = (self.palette.level.fall, Px(self.part(6).max(5)));
        let dash = Px(self.scene.tile_size / if self.shows_shapes() { 6 } else { 3 });
        let style = format!(
            "fill=\"{colour}\" fill-opacity=\"0.1\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             stroke-dasharray=\"{dash} {dash}\""
        );
        self.shape(&style, outline, self.part(9), self.shape_part(10));
    }

    /// Draws a mat on every exit and a path on the cell outside of it.
    fn exits(&mut self) {
        let (mat, path, side) =
            (self.palette.level.exit[0], self.palette.level.outside[3], Px(self.scene.tile_size));
        for (pos, cell) in self.cells().filter(|(_, cell)| cell.symbol == Symbol::Exit) {
            let next = cell.exit_side.and_then(|dir| pos.step(dir, self.scene.size));
            for (pos, fill) in next.map(|next| (next, path)).into_iter().chain([(pos, mat)]) {
                let Point { x, y } = self.corner(pos);
                let (x, y) = (Px(x), Px(y));
                self.put(format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" \
                     shape-rendering=\"crispEdges\"/>\n"
                ));
            }
        }
    }

    /// Draws an arrow on every mat that points to the outside.
    pub(super) fn exit_arrows(&mut self) {
        let ([mat, arrow, edge], icon_size) = (self.palette.level.exit, self.scene.icon_size);
        let scale = scale(icon_size);
        let exit = |cell: &SceneCell| cell.exit_side.filter(|_| cell.symbol == Symbol::Exit);
        for (pos, dir) in self.cells().filter_map(|(pos, cell)| Some((pos, exit(cell)?))) {
            let (Point { x, y }, rotation) = (self.centre(pos), rotation(dir));
            let (x, y) = (Px(x), Px(y));
            self.put(format_args!(
                "<g transform=\"translate({x},{y})rotate({rotation})scale({scale})\">"
            ));
            if icon_size > self.scene.tile_size {
                // A larger mat, which is visible on large levels.
                self.put(format_args!(
                    "<rect x=\"-12\" y=\"-12\" width=\"24\" height=\"24\" rx=\"4\" fill=\"{mat}\"/>"
                ));
            } else if pos.step(dir, self.scene.size).is_some() {
                self.put(format_args!(
                    "<path fill=\"none\" stroke=\"{edge}\" stroke-width=\"2.4\" \
                     stroke-linecap=\"round\" \
                     stroke-linejoin=\"round\" d=\"{}\"/>",
                    icons::CHEVRONS
                ));
            }
            self.put(format_args!("<path fill=\"{arrow}\" d=\"{}\"/></g>\n", icons::ARROW));
        }
    }
}

/// Returns the scale that fits a shape of 24 pixels into a square of this side.
pub(super) fn scale(side: i32) -> String {
    let thousandths = side * 1000 / (24 * UNIT);
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

/// Rotates a point from north to another straight direction.
fn rotate(dir: Dir, x: i32, y: i32) -> (i32, i32) {
    match dir {
        Dir::East => (-y, x),
        Dir::South => (-x, -y),
        Dir::West => (y, -x),
        _ => (x, y),
    }
}

/// Returns the rotation from north in degrees, clockwise.
pub(super) fn rotation(dir: Dir) -> i32 {
    45 * dir as i32
}
