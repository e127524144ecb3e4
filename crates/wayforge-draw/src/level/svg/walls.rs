//! Walls of levels: shadow, front, top and masonry details.

use crate::curve::Point;
use crate::level::palette::Masonry;
use crate::level::{GroundKind, LevelScene, Outline, SceneCell};
use crate::svg::{Pen, Px, outlined};
use wayforge::grid::Pos;

/// Draws the masonry detail of one cell; the byte is the cell's variant.
type Detail = fn(&mut Pen<'_, LevelScene>, Pos, u8);

/// Corners of a breach, x and y alternating, in hundredths of a cell from its centre.
const BREACH: [i32; 24] = [
    -6, -46, 12, -24, 34, -36, 28, -10, 47, 6, 24, 16, 26, 42, 4, 26, -22, 44, -24, 16, -47, 2,
    -26, -14,
];

impl Pen<'_, LevelScene> {
    /// Draws a jagged breach in every wall that a route breaks.
    pub(super) fn breaches(&mut self) {
        let colours = &self.palette.level;
        let style = outlined(colours.floor[0], colours.breakable[4], self.part(7).max(6));
        self.path(format_args!("{style} stroke-linejoin=\"round\""), |pen| {
            for (pos, _) in pen.cells().filter(|(_, cell)| cell.is_broken()) {
                let Point { x, y } = pen.centre(pos);
                for (n, &[dx, dy]) in BREACH.as_chunks().0.iter().enumerate() {
                    let at = [x + pen.part(dx), y + pen.part(dy)];
                    pen.trace(&[(if n == 0 { "M" } else { "L" }, &at)]);
                }
                pen.out.push('z');
            }
        });
    }

    pub(super) fn walls(&mut self) {
        let scene = self.scene;
        let walls = scene.outlines.partition_point(|outline| outline.0 < GroundKind::Band);
        let walls = &scene.outlines[walls..];
        if !self.shows_shapes() {
            for &(ground, ref outline) in walls {
                self.flat_shape(self.masonry(ground).0[0], outline);
            }
            return;
        }
        // One path per kind of wall, referenced three times: as shadow, front and top.
        self.out.push_str("<defs>\n");
        for &(ground, ref outline) in walls {
            let radius = if ground == GroundKind::Band { 0 } else { self.part(9) };
            let id = format!("id=\"{}-{}\"", self.tag, self.masonry(ground).2);
            self.shape(&id, outline, 0, radius);
        }
        self.out.push_str("</defs>\n");
        let (shadow, opacity) = self.palette.level.shadow;
        // Opacity is set per wall, which is correct because walls do not overlap. Group opacity
        // would need a costly separate layer.
        let (x, y) = (Px(self.part(13)), Px(self.part(16)));
        self.put(format_args!(
            "<g fill=\"{shadow}\" fill-opacity=\"{opacity}\" transform=\"translate({x},{y})\">"
        ));
        walls.iter().for_each(|&(ground, _)| self.reference(ground, ""));
        self.out.push_str("</g>\n");
        let (width, lift) = (self.part(5).max(5), Px(-self.part(16)));
        for &(ground, _) in walls {
            let [_, side, _, _, edge] = self.masonry(ground).0;
            self.reference(ground, &format!(" {}", outlined(side, edge, width)));
        }
        self.put(format_args!("<g transform=\"translate(0,{lift})\">\n"));
        for &(ground, ref outline) in walls {
            let ([top, _, _, _, edge], detail, _) = self.masonry(ground);
            self.reference(ground, &format!(" {}", outlined(top, edge, width)));
            if self.shows_details() {
                self.details(ground, detail);
                self.lit_edges(ground, outline);
            }
        }
        self.out.push_str("</g>\n");
    }

    /// Returns the colours, the cell detail and the id of a wall.
    fn masonry(&self, ground: GroundKind) -> (Masonry, Detail, char) {
        let colours = &self.palette.level;
        match ground {
            GroundKind::Band => (colours.band, blocks, 'B'),
            GroundKind::Solid => (colours.solid, blocks, 'S'),
            GroundKind::Reinforced => (colours.reinforced, plates, 'R'),
            _ => (colours.breakable, bricks, 'W'),
        }
    }

    fn reference(&mut self, ground: GroundKind, attributes: &str) {
        let (tag, id) = (self.tag.clone(), self.masonry(ground).2);
        self.put(format_args!("<use href=\"#{tag}-{id}\"{attributes}/>"));
    }

    fn details(&mut self, ground: GroundKind, detail: Detail) {
        let scene = self.scene;
        let [_, _, joint, light, edge] = self.masonry(ground).0;
        let matching = move |(_, cell): &(Pos, &SceneCell)| scene.ground(cell) == Some(ground);
        self.path(outlined("none", joint, self.part(4).max(5)), |pen| {
            pen.cells().filter(matching).for_each(|(pos, cell)| detail(pen, pos, cell.variant));
        });
        let more: Option<(&str, i32, Detail)> = match ground {
            GroundKind::Reinforced => Some((light, 12, bolts)),
            GroundKind::Breakable => Some((edge, 5, crack)),
            _ => None,
        };
        if let Some((stroke, width, detail)) = more {
            self.strokes(stroke, self.part(width).max(6), true, |pen| {
                pen.cells().filter(matching).for_each(|(pos, cell)| detail(pen, pos, cell.variant));
            });
        }
    }

    /// Draws the light upper and left edges.
    fn lit_edges(&mut self, ground: GroundKind, outline: &Outline) {
        let inset = self.part(7);
        let style = outlined("none", self.masonry(ground).0[3], self.part(6).max(6));
        self.path(format_args!("{style} stroke-linecap=\"round\" stroke-opacity=\"0.8\""), |pen| {
            let upper = outline.upper_edges().map(|edge| ("h", edge, [inset + inset / 4, inset]));
            let left = outline.left_edges().map(|edge| ("v", edge, [inset, inset + inset / 4]));
            for (along, (corner, cells), [dx, dy]) in upper.chain(left) {
                let Point { x, y } = pen.corner(corner);
                let length = i32::from(cells) * pen.scene.tile_size - 2 * inset - inset / 2;
                pen.trace(&[("M", &[x + dx, y + dy]), (along, &[length])]);
            }
        });
    }
}

/// Draws courses of brick.
fn bricks(pen: &mut Pen<'_, LevelScene>, pos: Pos, _: u8) {
    let Point { x, y } = pen.corner(pos);
    let side = pen.scene.tile_size;
    let (third, half) = (side / 3, side / 2);
    for down in [third, 2 * third] {
        pen.trace(&[("M", &[x, y + down]), ("h", &[side])]);
    }
    for (right, down) in [(half, 0), (side / 5, third), (half + side / 5, 2 * third)] {
        pen.trace(&[("M", &[x + right, y + down]), ("v", &[third])]);
    }
}

/// Draws large blocks.
fn blocks(pen: &mut Pen<'_, LevelScene>, pos: Pos, variant: u8) {
    let Point { x, y } = pen.corner(pos);
    let (side, half) = (pen.scene.tile_size, pen.scene.tile_size / 2);
    let shift = if variant & 1 == 0 { side / 4 } else { side * 5 / 8 };
    pen.trace(&[("M", &[x, y + half]), ("h", &[side]), ("M", &[x + shift, y]), ("v", &[half])]);
    pen.trace(&[("M", &[x + (shift + half) % side, y + half]), ("v", &[half])]);
}

/// Draws a crack on some cells.
fn crack(pen: &mut Pen<'_, LevelScene>, pos: Pos, variant: u8) {
    if variant % 4 != 1 {
        return;
    }
    // The crack leans left or right and is slightly shifted.
    let side = if variant & 16 == 0 { 1 } else { -1 };
    let start = 50 - side * 22 + i32::from(variant >> 6) * 3;
    let points =
        [(start, 16), (start + side * 14, 34), (start + side * 8, 48), (start + side * 30, 76)];
    pen.polyline(pen.corner(pos), &points.map(|(x, y)| (pen.part(x), pen.part(y))));
}

/// Draws a braced plate.
fn plates(pen: &mut Pen<'_, LevelScene>, pos: Pos, _: u8) {
    let Point { x, y } = pen.corner(pos);
    let (inset, side) = (pen.part(13), pen.part(74));
    pen.trace_rect(Point::new(x + inset, y + inset), side, side);
    pen.trace(&[("l", &[side, side]), ("m", &[0, -side]), ("l", &[-side, side])]);
}

/// Draws a bolt in each corner of a plate.
fn bolts(pen: &mut Pen<'_, LevelScene>, pos: Pos, _: u8) {
    let Point { x, y } = pen.corner(pos);
    let (near, far) = (pen.part(24), pen.part(52));
    pen.trace(&[("M", &[x + near, y + near]), ("h.1", &[]), ("m", &[far, 0]), ("h.1", &[])]);
    pen.trace(&[("m", &[0, far]), ("h.1", &[]), ("m", &[-far, 0]), ("h.1", &[])]);
}
