//! Lines and rectangles of a floor panel, shared by the SVG and PNG renderers.

use super::glyphs::Glyph;
use super::{FloorPanel, FloorScene};
use crate::curve::{Point, UNIT};
use crate::sheet::{self, Label};
use crate::theme::Colours;
use wayforge::floor::{EntityKind, TileKind};
use wayforge::grid::{Dir, Pos};
use wayforge::{Seed, StreamId};

/// Smaller tiles are drawn without hatching or joints.
const MIN_DETAIL: i32 = 16 * UNIT;

/// A line segment.
pub(crate) type Stroke = [Point; 2];

/// Line segments with their width in units, colour, and opacity in percent.
pub(crate) type Lines = (Vec<Stroke>, i32, &'static str, u32);

impl FloorPanel {
    /// Returns width and height in units.
    pub(crate) fn extent(&self) -> (i32, i32) {
        (i32::from(self.size.width) * self.tile_size, i32::from(self.size.height) * self.tile_size)
    }

    /// Returns the rectangles of floor and of water with their colours; each is a corner and a
    /// width.
    pub(crate) fn fills(&self, palette: &Colours) -> [(Vec<(Point, i32)>, &'static str); 2] {
        let water = |tile: TileKind| tile == TileKind::Water;
        [(self.runs(TileKind::is_walkable), palette.card), (self.runs(water), palette.water)]
    }

    /// Returns hatching, joints, shores and outlines. `number` is the panel's index on the sheet.
    pub(crate) fn lines(&self, seed: Option<&Seed>, number: u64, palette: &Colours) -> [Lines; 4] {
        let (tile, is_wall) = (self.tile_size, |tile: TileKind| tile == TileKind::Wall);
        let is_water = |tile: TileKind| tile == TileKind::Water;
        let hatch = seed.map_or(Vec::new(), |seed| self.hatch(seed, number));
        let shore = self.boundary(TileKind::is_walkable, is_water);
        let outline = self.boundary(|tile| !is_wall(tile), is_wall);
        [
            (hatch, (tile / 40).max(8), palette.faint, 42),
            (self.joints(), 7, palette.faint, 35),
            (shore, tile / 40 + 4, Glyph::Tile(TileKind::Water).colour(palette), 100),
            (outline, tile / 18 + 4, palette.ink, 100),
        ]
    }

    /// Returns the hatching of rock: three strokes per tile, in seeded random directions.
    fn hatch(&self, seed: &Seed, number: u64) -> Vec<Stroke> {
        let tile = self.tile_size;
        if tile < MIN_DETAIL {
            return Vec::new();
        }
        let mut rng = seed.offset(number).stream(StreamId::named("draw.rock"));
        let mut strokes = Vec::new();
        for pos in self.size.iter().filter(|&pos| self.tile_at(pos) == TileKind::Wall) {
            let centre = self.centre(pos);
            // Three parallel strokes in one of four directions.
            let (dx, dy) = [(2, 9), (9, 2), (7, 7), (7, -7)][rng.below(4) as usize];
            let (jx, jy) = (rng.range(-tile / 9, tile / 9), rng.range(-tile / 9, tile / 9));
            for side in -1..=1 {
                let length = tile * (20 + rng.range(0, 12)) / 100;
                let (half_x, half_y) = (dx * length / 20, dy * length / 20);
                let middle = centre.offset(jx - dy * side * tile / 60, jy + dx * side * tile / 60);
                strokes.push([middle.offset(-half_x, -half_y), middle.offset(half_x, half_y)]);
            }
        }
        strokes
    }

    /// Returns horizontal runs of matching tiles: upper left corner and width.
    fn runs(&self, of: impl Fn(TileKind) -> bool) -> Vec<(Point, i32)> {
        let (mut runs, tile) = (Vec::new(), self.tile_size);
        for (y, row) in (0..).zip(self.tiles.chunks(usize::from(self.size.width).max(1))) {
            let mut x = 0;
            for run in row.chunk_by(|a, b| of(*a) == of(*b)) {
                let width = run.len() as i32 * tile;
                if of(run[0]) {
                    runs.push((self.corner.offset(x, y * tile), width));
                }
                x += width;
            }
        }
        runs
    }

    /// Returns the joints between neighbouring floor tiles.
    fn joints(&self) -> Vec<Stroke> {
        let mut lines = Vec::new();
        if self.tile_size < MIN_DETAIL {
            return lines;
        }
        for pos in self.size.iter().filter(|&pos| self.tile_at(pos).is_walkable()) {
            let open = |dir: Dir| {
                pos.step(dir, self.size).is_some_and(|next| self.tile_at(next).is_walkable())
            };
            let corner = self.centre(pos).offset(self.tile_size / 2, self.tile_size / 2);
            if open(Dir::East) {
                lines.push([corner, corner.offset(0, -self.tile_size)]);
            }
            if open(Dir::South) {
                lines.push([corner, corner.offset(-self.tile_size, 0)]);
            }
        }
        lines
    }

    /// Returns the boundary between tiles matched by `inside` and tiles matched by `outside`.
    fn boundary(
        &self,
        inside: impl Fn(TileKind) -> bool,
        outside: impl Fn(TileKind) -> bool,
    ) -> Vec<Stroke> {
        let mut lines = Vec::new();
        for pos in self.size.iter().filter(|&pos| inside(self.tile_at(pos))) {
            let (centre, half) = (self.centre(pos), self.tile_size / 2);
            let is_boundary = |dir: &Dir| {
                pos.step(*dir, self.size).is_some_and(|next| outside(self.tile_at(next)))
            };
            for dir in Dir::STRAIGHT.into_iter().filter(is_boundary) {
                let (dx, dy) = dir.delta();
                let (dx, dy) = (i32::from(dx) * half, i32::from(dy) * half);
                let (side_x, side_y) = (dy.abs(), dx.abs());
                let middle = centre.offset(dx, dy);
                lines.push([middle.offset(-side_x, -side_y), middle.offset(side_x, side_y)]);
            }
        }
        lines
    }

    /// Returns all glyphs with their positions, in drawing order.
    pub(crate) fn glyphs(&self) -> Vec<(Pos, Glyph)> {
        let tiles = self.size.iter().map(|pos| (pos, Glyph::Tile(self.tile_at(pos))));
        let tiles = tiles.filter(|(_, tile)| !tile.markup().is_empty());
        let entities = self.entities.iter().map(|&(kind, pos)| (pos, self.entity(kind, pos)));
        let climber = self.climber.map(|pos| (pos, Glyph::Climber));
        tiles.chain(entities).chain(climber).collect()
    }

    /// Returns the glyph of an entity.
    pub(crate) fn entity(&self, kind: EntityKind, pos: Pos) -> Glyph {
        if self.bosses.contains(&pos) { Glyph::Boss } else { Glyph::Entity(kind) }
    }

    /// Returns a ring of 16 dots, which continues the dotted path around the glyph of a cell. Empty
    /// for the climber, for the ends of the path and for cells off the path.
    pub(crate) fn ring(&self, pos: Pos, glyph: Glyph, palette: &Colours) -> Lines {
        let is_end = [self.path.first(), self.path.last()].contains(&Some(&pos));
        let is_ringed = !is_end && glyph != Glyph::Climber && self.path.contains(&pos);
        // A quarter circle in thousandths; rotations by right angles give the other quarters.
        const QUARTER: [(i32, i32); 4] = [(1000, 0), (924, 383), (707, 707), (383, 924)];
        let (centre, radius) =
            (self.centre(pos), self.tile_size * (glyph.radius_percent() + 4) / 100);
        let rotations = |(x, y): (i32, i32)| [(x, y), (-y, x), (-x, -y), (y, -x)];
        let dot = |(x, y): (i32, i32)| {
            let dot = centre.offset(x * radius / 1000, y * radius / 1000);
            [dot, dot.offset(1, 0)]
        };
        let dots = QUARTER.into_iter().filter(|_| is_ringed).flat_map(rotations).map(dot).collect();
        (dots, (self.tile_size / 19).max(10), palette.mark, 85)
    }

    /// Returns the path through tile centres, split where consecutive tiles are not adjacent.
    pub(crate) fn path_segments(&self) -> Vec<Vec<Point>> {
        if self.path.len() < 2 {
            return Vec::new();
        }
        let parts = self.path.chunk_by(|a, b| a.manhattan_distance(*b) <= 1);
        parts.map(|part| part.iter().map(|&pos| self.centre(pos)).collect()).collect()
    }

    /// Returns the width of the frame, the width of path dots, and the space between dots.
    pub(crate) fn widths(&self) -> (i32, i32, i32) {
        (self.tile_size / 18 + 6, (self.tile_size / 15).max(12), (self.tile_size / 5).max(20))
    }
}

/// Font size of panel labels.
const LABEL_SIZE: i32 = 16;

impl FloorScene {
    /// Returns headline, caption and panel labels.
    pub(crate) fn labels(&self) -> Vec<Label> {
        let mut labels = sheet::header(self.paper.width / 2, &self.title, self.caption.clone());
        for panel in self.panels.iter().filter(|panel| !panel.label.is_empty()) {
            let at = panel.corner.offset(panel.extent().0 / 2, -11 * UNIT);
            labels.push(Label::new(at, LABEL_SIZE, panel.label.clone()));
        }
        labels
    }

    /// Returns the arrows between consecutive floors of a tower. They point sideways within a row
    /// of panels and upwards at its end.
    pub(crate) fn arrows(&self) -> Vec<[Point; 3]> {
        let arrow = |pair: &[FloorPanel]| {
            let (from, to) = (&pair[0], &pair[1]);
            let (width, height) = from.extent();
            let y = from.corner.y + height / 2;
            let (edge, sideways) = (from.corner.x + width, to.corner.x > from.corner.x);
            let x = if sideways { (edge + to.corner.x) / 2 } else { edge + 18 * UNIT };
            [(-6, -6), (4, 0), (-6, 6)].map(|(dx, dy)| {
                let (dx, dy) = if sideways { (dx, dy) } else { (dy, -dx) };
                Point::new(x + dx * UNIT, y + dy * UNIT)
            })
        };
        self.panels.windows(2).map(arrow).collect()
    }
}

/// Line width of arrows, in units.
pub(crate) const ARROW: i32 = 24;
