//! Thumbnails of maps as SVG symbols of a few kilobytes. Each object has a distinct combination of
//! colour and shape.

use crate::search::{MapVisitor, Worker};
use std::collections::BTreeMap;
use std::fmt::Write;
use wayforge::grid::Pos;
use wayforge::metric::{MapShape, Measure, Meter, Placements};
use wayforge::{AnySpec, Seed};
use wayforge_draw::Colours;

/// Maximum number of thumbnails per configuration, and maximum total size in bytes.
const MAX_THUMBNAILS: usize = 2_000;
const MAX_BYTES: usize = 3 << 19;
/// Maximum number of tower floors in a thumbnail.
const MAX_FLOORS: u32 = 12;

/// Thumbnails by seed, each drawn once.
pub(crate) struct Thumbnails {
    worker: Worker,
    shape: MapShape,
    /// For each plane of this configuration: its index among the planes of the page, and its style.
    planes: Vec<(usize, Style)>,
    numbers: BTreeMap<u64, usize>,
    symbols: String,
}

impl Thumbnails {
    /// Creates an empty set. `names` are all objects with a style on the page.
    pub(crate) fn new(spec: &AnySpec, names: &[String], styles: &[Style]) -> Thumbnails {
        let none = Style { colour: Colour::None, shape: Shape::Fill };
        let catalogue = spec.catalogue();
        let planes = catalogue.planes().iter().map(|plane| {
            let at = names.iter().position(|name| name == plane).unwrap_or(0);
            (at, styles.get(at).copied().unwrap_or(none))
        });
        Thumbnails {
            worker: Worker::new(spec),
            shape: spec.family().shape(),
            planes: planes.collect(),
            numbers: BTreeMap::new(),
            symbols: String::new(),
        }
    }

    /// Returns the number of a seed's thumbnail, if it was drawn.
    pub(crate) fn get(&self, seed: &Seed) -> Option<usize> {
        self.numbers.get(&seed.number()).copied()
    }

    /// Draws the thumbnail of a seed, unless a limit is reached. `prefix` distinguishes the ids of
    /// two configurations.
    pub(crate) fn draw(&mut self, seed: Seed, prefix: char) {
        let is_full = self.numbers.len() >= MAX_THUMBNAILS || self.symbols.len() >= MAX_BYTES;
        if is_full || self.numbers.contains_key(&seed.number()) {
            return;
        }
        let mut visitor = ThumbnailVisitor { shape: self.shape, planes: &self.planes };
        let Some(([width, height], paths)) = self.worker.visit(seed.clone(), &mut visitor) else {
            return;
        };
        let number = self.numbers.len();
        self.numbers.insert(seed.number(), number);
        let _ = writeln!(
            self.symbols,
            "<symbol id=\"{prefix}{number}\" viewBox=\"0 0 {width} {height}\">\
             <desc>Map of seed {seed}</desc>{paths}</symbol>",
        );
    }

    /// Returns all thumbnails as SVG symbols, referenced by id.
    pub(crate) fn symbols(&self) -> &str {
        &self.symbols
    }
}

struct ThumbnailVisitor<'a> {
    shape: MapShape,
    planes: &'a [(usize, Style)],
}

impl MapVisitor for ThumbnailVisitor<'_> {
    /// Size in half cells, and the SVG paths.
    type Output = ([u32; 2], String);

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> Self::Output {
        let mut placements = Placements::default();
        meter.collect_placements(map, &mut placements);
        let floors = placements.floors().clamp(1, MAX_FLOORS);
        let columns = (1..=floors).find(|n| n * n >= floors).unwrap_or(1);
        let (width, height) =
            (u32::from(placements.size().width), u32::from(placements.size().height));
        // Floors are arranged in a grid with gaps of one cell. Levels have one floor; their layers
        // are drawn over each other.
        let position = |pos: Pos, layer: u32| {
            let layer = if placements.floors() > 1 { layer } else { 0 };
            (
                (layer % columns) * (width + 1) + u32::from(pos.x),
                (layer / columns) * (height + 1) + u32::from(pos.y),
            )
        };
        // Everything is drawn as strokes in units of half a cell: a run of walls is one line, an
        // object a small shape.
        let mut paths = String::new();
        let shown = placements
            .as_slice()
            .iter()
            .filter(|placement| placements.floors() <= 1 || placement.layer < MAX_FLOORS);
        if self.shape == MapShape::Graph {
            let mut lines = String::new();
            for placement in shown.clone().filter(|placement| placement.plane.is_none()) {
                let (from, to) = (placement.at, placement.toward);
                let dx = 2 * (i32::from(to.x) - i32::from(from.x));
                let (x, y) = (2 * u32::from(from.x) + 1, 2 * u32::from(from.y) + 1);
                let _ = write!(lines, "M{x} {y}l{dx}-2");
            }
            let _ = write!(paths, "<path class=\"l\" d=\"{lines}\"/>");
        } else {
            for layer in 0..floors {
                let (x, y) = position(Pos { x: 0, y: 0 }, layer);
                let (x, y, width, height) = (2 * x, 2 * y, 2 * width, 2 * height);
                let _ = write!(paths, "<path class=\"g\" d=\"M{x} {y}h{width}v{height}H{x}z\"/>");
            }
        }
        for (at, &(class, Style { colour, shape })) in self.planes.iter().enumerate() {
            if colour == Colour::None {
                continue;
            }
            let mut cells: Vec<(u32, u32)> = shown
                .clone()
                .filter(|placement| placement.plane == Some(at as u16))
                .map(|placement| position(placement.at, placement.layer))
                .collect();
            cells.sort_unstable_by_key(|&(x, y)| (y, x));
            let runs = cells.chunk_by(|a, b| a.1 == b.1 && a.0 + 1 == b.0);
            let path: String = runs.map(|run| shape.path(run[0], run.len())).collect();
            if !path.is_empty() {
                let _ = write!(paths, "<path class=\"p{class} {}\" d=\"{path}\"/>", shape.class());
            }
        }
        let rows = floors.div_ceil(columns);
        ([2 * (columns * (width + 1) - 1), 2 * (rows * (height + 1) - 1)], paths)
    }
}

/// Accents for objects without a fixed colour, most distinguishable first.
const FREE_ACCENTS: [usize; 12] = [5, 6, 0, 9, 1, 11, 8, 10, 3, 2, 4, 7];
/// Shapes of objects that do not fill their cell. Neighbours in the list get different shapes,
/// because colours can look alike.
const SHAPES: [Shape; 5] = [Shape::Dot, Shape::Ring, Shape::Square, Shape::Cross, Shape::Plus];

/// Style of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) colour: Colour,
    pub(crate) shape: Shape,
}

/// A colour of the theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    None,
    Dark,
    Faint,
    Rock,
    Accent(usize),
}

/// Shape drawn on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Fill,
    Dot,
    Ring,
    Square,
    Cross,
    Plus,
}

/// Assigns a style to every object of a page. The objects of graphs can have any name, so names fix
/// no style there.
///
/// Up to 60 objects have distinct styles; beyond that, styles repeat.
pub(crate) fn styles(planes: &[String], shape: MapShape) -> Vec<Style> {
    let mut objects = 0;
    let fixed: Vec<(Option<Colour>, Shape)> = planes
        .iter()
        .map(|plane| {
            let (colour, fills) = match shape {
                MapShape::Graph => (None, false),
                MapShape::Grid | MapShape::Stack => fixed_style(plane),
            };
            let shape = if fills { Shape::Fill } else { SHAPES[objects % SHAPES.len()] };
            objects += usize::from(!fills);
            (colour, shape)
        })
        .collect();
    let mut assigned: Vec<Style> = Vec::new();
    for (at, &(colour, shape)) in fixed.iter().enumerate() {
        let colour = colour.unwrap_or_else(|| {
            let colours = || FREE_ACCENTS.into_iter().map(Colour::Accent);
            // First choice: a colour no other object has. Second: a colour no object of the same
            // shape has.
            let is_unreserved =
                |colour: &Colour| fixed.iter().all(|other| other.0 != Some(*colour));
            let unused = colours().find(|colour| {
                is_unreserved(colour) && assigned.iter().all(|style| style.colour != *colour)
            });
            let is_distinct = |colour: &Colour| {
                !assigned.contains(&Style { colour: *colour, shape })
                    && !fixed.contains(&(Some(*colour), shape))
            };
            let objects = || fixed[..=at].iter().filter(|other| other.1 != Shape::Fill).count();
            unused
                .or_else(|| colours().find(is_distinct))
                .unwrap_or_else(|| Colour::Accent(objects() % 12))
        });
        assigned.push(Style { colour, shape });
    }
    assigned
}

/// Returns the fixed colour of an object, if it has one, and whether it fills its cell.
fn fixed_style(plane: &str) -> (Option<Colour>, bool) {
    let (colour, fills) = match plane {
        // Each mark is drawn by its own name, so the sum of all marks is not drawn.
        "floor" | "outside" | "fall_spawn" | "mark" => (Colour::None, true),
        "wall" => (Colour::Rock, true),
        "band" => (Colour::Faint, true),
        "water" | "puddle" => (Colour::Accent(7), true),
        "pitfall" => (Colour::Dark, true),
        "reinforced" => (Colour::Accent(11), true),
        "entrance" | "player" => (Colour::Accent(3), false),
        "exit" => (Colour::Accent(2), false),
        "enemy" => (Colour::Accent(1), false),
        "chest" | "fuel" => (Colour::Accent(4), false),
        "car" => (Colour::Accent(6), false),
        _ => return (None, false),
    };
    (Some(colour), fills)
}

impl Colour {
    pub(crate) fn css(self, colours: &Colours) -> &'static str {
        match self {
            Colour::None => "none",
            Colour::Dark => colours.ink,
            Colour::Faint => colours.faint,
            Colour::Rock => colours.rock,
            Colour::Accent(at) => colours.accents[at % 12],
        }
    }
}

impl Shape {
    /// Returns the CSS class of the strokes.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Shape::Fill => "f",
            Shape::Dot => "d",
            Shape::Square => "q",
            Shape::Ring | Shape::Cross | Shape::Plus => "t",
        }
    }

    /// Returns the strokes of a run of cells, in half cells. Filled cells are merged into one
    /// stroke.
    pub(crate) fn path(self, (x, y): (u32, u32), run: usize) -> String {
        let (x, y) = (2 * x, 2 * y);
        if self == Shape::Fill {
            return format!("M{x} {}h{}", y + 1, 2 * run);
        }
        let cell = |x: u32| match self {
            Shape::Fill | Shape::Dot | Shape::Square => format!("M{} {}h0", x + 1, y + 1),
            Shape::Ring => format!("M{x}.5 {}a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0", y + 1),
            Shape::Cross => format!("M{x}.5 {y}.5l1 1m-1 0l1-1"),
            Shape::Plus => format!("M{x}.3 {}h1.4m-.7-.7v1.4", y + 1),
        };
        (x..).step_by(2).take(run).map(cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge::Family;
    use wayforge_draw::Theme;

    /// Checks that all drawn objects look different in every theme.
    fn assert_all_differ(planes: &[String], shape: MapShape) {
        let styles = styles(planes, shape);
        assert_eq!(styles.len(), planes.len());
        for theme in Theme::ALL {
            let mut seen = Vec::new();
            for (style, plane) in
                styles.iter().zip(planes).filter(|(style, _)| style.colour != Colour::None)
            {
                let look = (style.colour.css(theme.colours()), style.shape);
                assert!(!seen.contains(&look), "{theme:?}: {plane} {look:?}");
                seen.push(look);
            }
        }
    }

    #[test]
    fn all_objects_look_different() {
        for family in Family::ALL {
            let spec = AnySpec::from_json(family, b"{}").unwrap();
            assert_all_differ(spec.catalogue().planes(), family.shape());
        }
        let names = |count: usize| (0..count).map(|n| format!("kind {n}")).collect::<Vec<_>>();
        assert_all_differ(&names(60), MapShape::Graph);
        assert_eq!(styles(&names(500), MapShape::Graph).len(), 500);
        let colours = |count: usize| {
            styles(&names(count), MapShape::Graph).into_iter().map(|style| style.colour)
        };
        let few: Vec<Colour> = colours(12).collect();
        assert!((1..12).all(|at| !few[..at].contains(&few[at])), "{few:?}");
        // Kinds of act maps that are named like tiles are still drawn.
        let tiles = ["floor", "wall", "water", "puddle"].map(str::to_owned);
        assert_all_differ(&tiles, MapShape::Graph);
        assert!(
            styles(&tiles, MapShape::Graph)
                .iter()
                .all(|style| style.colour != Colour::None && style.shape != Shape::Fill)
        );
        let floor = ["door", "chest"].map(str::to_owned);
        let [door, chest] = styles(&floor, MapShape::Grid)[..] else { panic!() };
        assert!(door.colour != chest.colour && door.shape != chest.shape, "{door:?} {chest:?}");
    }
}
