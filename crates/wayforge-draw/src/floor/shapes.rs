//! The lines and boxes of a panel: what SVG writes and PNG paints.

use super::glyphs::Glyph;
use super::{FloorScene, Panel};
use crate::curve::{Point, UNIT};
use crate::sheet::{self, Label};
use crate::theme::Colours;
use wayforge::floor::TileKind;
use wayforge::grid::{Dir, Pos};
use wayforge::{Seed, Stage};

/// Tiles smaller than this have no strokes in the rock and no lines between tiles.
const MIN_DETAIL: i32 = 16 * UNIT;

/// A straight line by its ends.
pub(crate) type Stroke = [Point; 2];

/// Straight lines with their width, their colour and their opacity in percent.
pub(crate) type Lines = (Vec<Stroke>, i32, &'static str, u32);

impl Panel {
    /// Its width and height.
    pub(crate) fn extent(&self) -> (i32, i32) {
        (i32::from(self.size.width) * self.tile, i32::from(self.size.height) * self.tile)
    }

    /// The boxes of floor and of water, with their colours.
    pub(crate) fn fills(&self, palette: &Colours) -> [(Vec<(Point, i32)>, &'static str); 2] {
        let water = |tile: TileKind| tile == TileKind::Water;
        [(self.runs(TileKind::walkable), palette.card), (self.runs(water), palette.water)]
    }

    /// The straight lines over them: their width, colour and opacity in percent. `number` is the panel's place on the sheet.
    pub(crate) fn lines(&self, seed: Option<&Seed>, number: u64, palette: &Colours) -> [Lines; 4] {
        let (tile, is_wall) = (self.tile, |tile: TileKind| tile == TileKind::Wall);
        let is_water = |tile: TileKind| tile == TileKind::Water;
        let hatch = seed.map_or(Vec::new(), |seed| self.hatch(seed, number));
        let shore = self.border(TileKind::walkable, is_water);
        let outline = self.border(|tile| !is_wall(tile), is_wall);
        [
            (hatch, (tile / 40).max(8), palette.faint, 42),
            (self.tile_lines(), 7, palette.faint, 35),
            (shore, tile / 40 + 4, Glyph::Tile(TileKind::Water).colour(palette), 100),
            (outline, tile / 18 + 4, palette.ink, 100),
        ]
    }

    /// Strokes in the rock, three a tile, by the map's seed.
    fn hatch(&self, seed: &Seed, number: u64) -> Vec<Stroke> {
        let tile = self.tile;
        if tile < MIN_DETAIL {
            return Vec::new();
        }
        let mut rng = seed.plus(number).stream(Stage::named("draw.rock"));
        let mut strokes = Vec::new();
        for pos in self.size.iter().filter(|&pos| self.tile_at(pos) == TileKind::Wall) {
            let middle = self.middle(pos);
            // A group of three strokes side by side, leaning one of four ways.
            let (dx, dy) = [(2, 9), (9, 2), (7, 7), (7, -7)][rng.below(4) as usize];
            let (jx, jy) = (rng.range(-tile / 9, tile / 9), rng.range(-tile / 9, tile / 9));
            for side in -1..=1 {
                let long = tile * (20 + rng.range(0, 12)) / 100;
                let (half_x, half_y) = (dx * long / 20, dy * long / 20);
                let (x, y) = (middle.x + jx - dy * side * tile / 60, middle.y + jy + dx * side * tile / 60);
                strokes.push([Point::new(x - half_x, y - half_y), Point::new(x + half_x, y + half_y)]);
            }
        }
        strokes
    }

    /// All tiles of some kinds, in runs along rows: the upper left corner and the width.
    fn runs(&self, of: impl Fn(TileKind) -> bool) -> Vec<(Point, i32)> {
        let mut runs = Vec::new();
        for y in 0..self.size.height {
            let mut x = 0;
            while x < self.size.width {
                let run = (x..self.size.width).take_while(|&x| of(self.tile_at(Pos { x, y }))).count() as u16;
                if run > 0 {
                    let at = |n: u16, from: i32| from + i32::from(n) * self.tile;
                    let corner = Point::new(at(x, self.corner.x), at(y, self.corner.y));
                    runs.push((corner, i32::from(run) * self.tile));
                }
                x += run + 1;
            }
        }
        runs
    }

    /// Fine lines between neighbouring floor tiles, upwards and to the left.
    fn tile_lines(&self) -> Vec<Stroke> {
        let mut lines = Vec::new();
        if self.tile < MIN_DETAIL {
            return lines;
        }
        for pos in self.size.iter().filter(|&pos| self.tile_at(pos).walkable()) {
            let open = |dir: Dir| pos.step(dir, self.size).is_some_and(|next| self.tile_at(next).walkable());
            let middle = self.middle(pos);
            let corner = Point::new(middle.x + self.tile / 2, middle.y + self.tile / 2);
            if open(Dir::East) {
                lines.push([corner, Point::new(corner.x, corner.y - self.tile)]);
            }
            if open(Dir::South) {
                lines.push([corner, Point::new(corner.x - self.tile, corner.y)]);
            }
        }
        lines
    }

    /// A line wherever tiles of one sort meet those of another.
    fn border(&self, inside: impl Fn(TileKind) -> bool, outside: impl Fn(TileKind) -> bool) -> Vec<Stroke> {
        let mut lines = Vec::new();
        for pos in self.size.iter().filter(|&pos| inside(self.tile_at(pos))) {
            let Point { x, y } = self.middle(pos);
            let half = self.tile / 2;
            let meets = |dir: &Dir| pos.step(*dir, self.size).is_some_and(|next| outside(self.tile_at(next)));
            for dir in Dir::STRAIGHT.into_iter().filter(meets) {
                let (dx, dy) = dir.delta();
                let (dx, dy) = (i32::from(dx) * half, i32::from(dy) * half);
                let (side_x, side_y) = (dy.abs(), dx.abs());
                lines.push([
                    Point::new(x + dx - side_x, y + dy - side_y),
                    Point::new(x + dx + side_x, y + dy + side_y),
                ]);
            }
        }
        lines
    }

    /// Everything that stands on its tiles, with its name, in the order in which it is drawn.
    pub(crate) fn things(&self) -> Vec<(Pos, Glyph, &'static str)> {
        let tiles = self.size.iter().map(|pos| (pos, self.tile_at(pos)));
        let tiles = tiles.filter(|(_, tile)| !matches!(tile, TileKind::Floor | TileKind::Wall));
        let entities = self.entities.iter().map(|&(kind, pos)| match self.bosses.contains(&pos) {
            true => (pos, Glyph::Boss, "boss"),
            false => (pos, Glyph::Entity(kind), kind.name()),
        });
        let climber = self.climber.map(|pos| (pos, Glyph::Climber, "climber"));
        tiles
            .map(|(pos, tile)| (pos, Glyph::Tile(tile), tile.name()))
            .chain(entities)
            .chain(climber)
            .collect()
    }

    /// The dots of the way lead around what stands on it: sixteen of them, and none around its ends.
    pub(crate) fn ring(&self, pos: Pos, glyph: Glyph, palette: &Colours) -> Lines {
        let end = [self.path.first(), self.path.last()].contains(&Some(&pos));
        let is_ringed = !end && glyph != Glyph::Climber && self.path.contains(&pos);
        // A quarter of a circle in thousandths; each place turned by a right angle is the next quarter's.
        const QUARTER: [(i32, i32); 4] = [(1000, 0), (924, 383), (707, 707), (383, 924)];
        let (middle, radius) = (self.middle(pos), self.tile * (glyph.reach() + 4) / 100);
        let turned = |(x, y): (i32, i32)| [(x, y), (-y, x), (-x, -y), (y, -x)];
        let dot = |(x, y): (i32, i32)| {
            let (x, y) = (middle.x + x * radius / 1000, middle.y + y * radius / 1000);
            [Point::new(x, y), Point::new(x + 1, y)]
        };
        let dots = QUARTER.into_iter().filter(|_| is_ringed).flat_map(turned).map(dot).collect();
        (dots, (self.tile / 19).max(10), palette.mark, 85)
    }

    /// The way from the middle of one tile to the next, in parts that hang together.
    pub(crate) fn way(&self) -> Vec<Vec<Point>> {
        if self.path.len() < 2 {
            return Vec::new();
        }
        let parts = self.path.chunk_by(|a, b| a.taxi_distance(*b) <= 1);
        parts.map(|part| part.iter().map(|&pos| self.middle(pos)).collect()).collect()
    }

    /// The width of the line around it, of the dots of the way, and the space between those.
    pub(crate) fn widths(&self) -> (i32, i32, i32) {
        (self.tile / 18 + 6, (self.tile / 15).max(12), (self.tile / 5).max(20))
    }
}

/// Size of the words above a panel.
const LABEL_SIZE: i32 = 16;

impl FloorScene {
    /// Headline, caption, and the words above panels.
    pub(crate) fn labels(&self) -> Vec<Label> {
        let mut labels = sheet::head(self.paper.width / 2, &self.title, self.caption.clone());
        for panel in self.panels.iter().filter(|panel| !panel.label.is_empty()) {
            let at = Point::new(panel.corner.x + panel.extent().0 / 2, panel.corner.y - 11 * UNIT);
            let words = panel.label.clone();
            labels.push(Label { at, size: LABEL_SIZE, spaced: 0, loud: false, words });
        }
        labels
    }

    /// Small arrows from one floor of a tower to the next: sideways, and upwards at the end of a row.
    pub(crate) fn arrows(&self) -> Vec<[Point; 3]> {
        let arrow = |pair: &[Panel]| {
            let (from, to) = (&pair[0], &pair[1]);
            let (wide, tall) = from.extent();
            let y = from.corner.y + tall / 2;
            let (edge, sideways) = (from.corner.x + wide, to.corner.x > from.corner.x);
            let x = if sideways { (edge + to.corner.x) / 2 } else { edge + 18 * UNIT };
            [(-6, -6), (4, 0), (-6, 6)].map(|(dx, dy)| {
                let (dx, dy) = if sideways { (dx, dy) } else { (dy, -dx) };
                Point::new(x + dx * UNIT, y + dy * UNIT)
            })
        };
        self.panels.windows(2).map(arrow).collect()
    }
}

/// How wide the arrows are drawn.
pub(crate) const ARROW: i32 = 24;
