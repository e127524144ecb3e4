//! Walls: a shadow, a front, an upper side, and what they are made of.

use super::{Pen, path};
use crate::curve::Point;
use crate::level::palette::Masonry;
use crate::level::{Ground, Outline, SceneCell};
use crate::svg::Px;
use wayforge::grid::Pos;

/// What of a wall is drawn on each cell.
type Detail = fn(&mut Pen<'_>, Pos, u8);

/// The corners of a hole in a wall, in hundredths of a tile from the middle of its cell.
const BREACH: [(i32, i32); 12] = [
    (-6, -46),
    (12, -24),
    (34, -36),
    (28, -10),
    (47, 6),
    (24, 16),
    (26, 42),
    (4, 26),
    (-22, 44),
    (-24, 16),
    (-47, 2),
    (-26, -14),
];

impl Pen<'_> {
    /// A jagged hole in every wall that a route breaks.
    pub(super) fn breaches(&mut self) {
        let (fill, edge) = (self.tiles.floor[0], self.tiles.breakable.edge);
        let width = self.part(7).max(6);
        self.path(
            format_args!(
                "fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                Px(width)
            ),
            |pen| {
                for (pos, _) in pen.cells().filter(|(_, cell)| cell.is_broken()) {
                    let Point { x, y } = pen.middle(pos);
                    for (n, (dx, dy)) in BREACH.into_iter().enumerate() {
                        let at = [x + pen.part(dx), y + pen.part(dy)];
                        pen.trace(&[(if n == 0 { "M" } else { "L" }, &at)]);
                    }
                    pen.out.push('z');
                }
            },
        );
    }

    pub(super) fn walls(&mut self) {
        let scene = self.scene;
        let walls: Vec<(Ground, &Outline)> = scene
            .outlines
            .iter()
            .filter(|(ground, _)| *ground >= Ground::Band)
            .map(|(ground, outline)| (*ground, outline))
            .collect();
        if !self.fine() {
            for (ground, outline) in walls {
                let top = self.masonry(ground).0.top;
                self.shape(&format!("fill=\"{top}\" shape-rendering=\"crispEdges\""), outline, 0, 0);
            }
            return;
        }
        // One path for each kind, used three times.
        self.out.push_str("<defs>\n");
        for &(ground, outline) in &walls {
            let radius = if ground == Ground::Band { 0 } else { self.part(9) };
            self.path(format_args!("id=\"{}-{}\"", self.tag.clone(), id(ground)), |pen| {
                path::outline(outline, pen.tile, 0, radius, &mut pen.canvas.out);
            });
        }
        self.out.push_str("</defs>\n");
        let (shadow, opacity) = self.tiles.shadow;
        // Walls do not overlap, so each may be as faint by itself; a group would be painted apart from the rest, at great cost.
        let (x, y) = (Px(self.part(13)), Px(self.part(16)));
        self.put(format_args!(
            "<g fill=\"{shadow}\" fill-opacity=\"{opacity}\" transform=\"translate({x},{y})\">"
        ));
        walls.iter().for_each(|&(ground, _)| self.reuse(ground, ""));
        self.out.push_str("</g>\n");
        let width = Px(self.part(5).max(5));
        for &(ground, _) in &walls {
            let Masonry { side, edge, .. } = self.masonry(ground).0;
            self.reuse(ground, &format!(" fill=\"{side}\" stroke=\"{edge}\" stroke-width=\"{width}\""));
        }
        let lift = Px(-self.lift());
        self.put(format_args!("<g transform=\"translate(0,{lift})\">\n"));
        for &(ground, outline) in &walls {
            let (Masonry { top, edge, .. }, detail) = self.masonry(ground);
            self.reuse(ground, &format!(" fill=\"{top}\" stroke=\"{edge}\" stroke-width=\"{width}\""));
            if self.finest() {
                self.details(ground, detail);
                self.lit_edges(ground, outline);
            }
        }
        self.out.push_str("</g>\n");
    }

    /// How high walls stand.
    pub(super) fn lift(&self) -> i32 {
        self.part(16)
    }

    fn masonry(&self, ground: Ground) -> (&'static Masonry, Detail) {
        match ground {
            Ground::Band => (&self.tiles.band, blocks),
            Ground::Solid => (&self.tiles.solid, blocks),
            Ground::Reinforced => (&self.tiles.reinforced, plates),
            _ => (&self.tiles.breakable, bricks),
        }
    }

    fn reuse(&mut self, ground: Ground, attributes: &str) {
        let tag = self.tag.clone();
        self.put(format_args!("<use href=\"#{tag}-{}\"{attributes}/>", id(ground)));
    }

    fn details(&mut self, ground: Ground, detail: Detail) {
        let scene = self.scene;
        let Masonry { joint, light, edge, .. } = self.masonry(ground).0;
        let fine = Px(self.part(4).max(5));
        let here = move |(_, cell): &(Pos, &SceneCell)| scene.ground(cell) == Some(ground);
        self.path(format_args!("fill=\"none\" stroke=\"{joint}\" stroke-width=\"{fine}\""), |pen| {
            pen.cells().filter(here).for_each(|(pos, cell)| detail(pen, pos, cell.variant));
        });
        let more: Option<(&str, i32, Detail)> = match ground {
            Ground::Reinforced => Some((light, 12, bolts)),
            Ground::Breakable => Some((edge, 5, crack)),
            _ => None,
        };
        if let Some((stroke, width, detail)) = more {
            self.strokes(stroke, self.part(width).max(6), true, |pen| {
                pen.cells().filter(here).for_each(|(pos, cell)| detail(pen, pos, cell.variant));
            });
        }
    }

    /// The edges towards the light.
    fn lit_edges(&mut self, ground: Ground, outline: &Outline) {
        let light = self.masonry(ground).0.light;
        let (inset, width) = (self.part(7), Px(self.part(6).max(6)));
        self.path(format_args!("fill=\"none\" stroke=\"{light}\" stroke-width=\"{width}\" stroke-linecap=\"round\" stroke-opacity=\"0.8\""), |pen| {
        let upper = outline.upper_edges().map(|edge| ("h", edge, [inset + inset / 4, inset]));
        let left = outline.left_edges().map(|edge| ("v", edge, [inset, inset + inset / 4]));
        for (along, (corner, cells), [dx, dy]) in upper.chain(left) {
            let Point { x, y } = pen.corner(corner);
            let length = i32::from(cells) * pen.tile - 2 * inset - inset / 2;
            pen.trace(&[("M", &[x + dx, y + dy]), (along, &[length])]);
        }
        });
    }
}

pub(super) fn id(ground: Ground) -> char {
    match ground {
        Ground::Band => 'B',
        Ground::Solid => 'S',
        Ground::Reinforced => 'R',
        _ => 'W',
    }
}

/// Courses of brick.
fn bricks(pen: &mut Pen<'_>, pos: Pos, _: u8) {
    let Point { x, y } = pen.corner(pos);
    let (side, third, half) = (pen.tile, pen.tile / 3, pen.tile / 2);
    pen.trace(&[("M", &[x, y + third]), ("h", &[side]), ("M", &[x, y + 2 * third]), ("h", &[side])]);
    for (right, down) in [(half, 0), (side / 5, third), (half + side / 5, 2 * third)] {
        pen.trace(&[("M", &[x + right, y + down]), ("v", &[third])]);
    }
}

/// Large blocks.
fn blocks(pen: &mut Pen<'_>, pos: Pos, variant: u8) {
    let Point { x, y } = pen.corner(pos);
    let (side, half) = (pen.tile, pen.tile / 2);
    let shift = if variant & 1 == 0 { side / 4 } else { side * 5 / 8 };
    pen.trace(&[("M", &[x, y + half]), ("h", &[side]), ("M", &[x + shift, y]), ("v", &[half])]);
    pen.trace(&[("M", &[x + (shift + half) % side, y + half]), ("v", &[half])]);
}

/// A crack on some cells.
fn crack(pen: &mut Pen<'_>, pos: Pos, variant: u8) {
    if variant % 4 != 1 {
        return;
    }
    // Left or right, and a little up or down.
    let side = if variant & 16 == 0 { 1 } else { -1 };
    let start = 50 - side * 22 + i32::from(variant >> 6) * 3;
    let points = [(start, 16), (start + side * 14, 34), (start + side * 8, 48), (start + side * 30, 76)];
    pen.polyline(pen.corner(pos), &points.map(|(x, y)| (pen.part(x), pen.part(y))));
}

/// A plate on each cell.
fn plates(pen: &mut Pen<'_>, pos: Pos, _: u8) {
    let Point { x, y } = pen.corner(pos);
    let (inset, side) = (pen.part(13), pen.part(74));
    pen.trace(&[("M", &[x + inset, y + inset]), ("h", &[side]), ("v", &[side]), ("h", &[-side]), ("z", &[])]);
    pen.trace(&[("l", &[side, side]), ("m", &[0, -side]), ("l", &[-side, side])]);
}

/// A bolt in each corner of a plate.
fn bolts(pen: &mut Pen<'_>, pos: Pos, _: u8) {
    let Point { x, y } = pen.corner(pos);
    let (near, far) = (pen.part(24), pen.part(52));
    pen.trace(&[("M", &[x + near, y + near]), ("h.1", &[]), ("m", &[far, 0]), ("h.1", &[])]);
    pen.trace(&[("m", &[0, far]), ("h.1", &[]), ("m", &[-far, 0]), ("h.1", &[])]);
}
