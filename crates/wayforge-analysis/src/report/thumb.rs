//! Maps as small pictures, a few kilobytes each. Things have a colour and a shape that no other has.

use crate::search::{Visit, Worker};
use std::collections::BTreeMap;
use std::fmt::Write;
use wayforge::grid::Pos;
use wayforge::metric::{Imprint, Measure, Meter};
use wayforge::{AnySpec, Family, Seed};
use wayforge_draw::Colours;

/// The most pictures of one configuration, and the most bytes that they take together.
const MAX: usize = 2_000;
const BYTES: usize = 3 << 19;
/// The most floors of a tower that a picture shows.
const FLOORS: u32 = 12;

/// Small pictures by seed, each once.
pub(crate) struct Thumbs {
    worker: Worker,
    family: Family,
    /// How what stands on cells looks, and the place of each among the colours of the page.
    planes: Vec<(usize, Look)>,
    known: BTreeMap<u64, usize>,
    symbols: String,
}

impl Thumbs {
    /// No pictures yet; `names` are those of everything that has a look in the page.
    pub(crate) fn new(subject: &AnySpec, names: &[String], looks: &[Look]) -> Thumbs {
        let none = Look { ink: Ink::None, shape: Shape::Fill };
        let catalogue = subject.catalogue();
        let planes = catalogue.planes().iter().map(|plane| {
            let at = names.iter().position(|known| known == plane).unwrap_or(0);
            (at, looks.get(at).copied().unwrap_or(none))
        });
        Thumbs {
            worker: Worker::new(subject),
            family: subject.family(),
            planes: planes.collect(),
            known: BTreeMap::new(),
            symbols: String::new(),
        }
    }

    /// The number of a seed's picture, if it has one.
    pub(crate) fn get(&self, seed: &Seed) -> Option<usize> {
        self.known.get(&seed.number()).copied()
    }

    /// Draws the picture of a seed, unless there is no more room. `prefix` tells the pictures of two configurations apart.
    pub(crate) fn draw(&mut self, seed: Seed, prefix: char) {
        let full = self.known.len() >= MAX || self.symbols.len() >= BYTES;
        if full || self.known.contains_key(&seed.number()) {
            return;
        }
        let mut picture = Picture { family: self.family, planes: &self.planes };
        let Some(([width, height], marks)) = self.worker.look(seed.clone(), &mut picture) else { return };
        let number = self.known.len();
        self.known.insert(seed.number(), number);
        let _ = writeln!(
            self.symbols,
            "<symbol id=\"{prefix}{number}\" viewBox=\"0 0 {width} {height}\"><desc>Map of seed {seed}</desc>{marks}</symbol>",
        );
    }

    /// All pictures, to be used by their ids.
    pub(crate) fn symbols(&self) -> &str {
        &self.symbols
    }
}

struct Picture<'a> {
    family: Family,
    planes: &'a [(usize, Look)],
}

impl Visit for Picture<'_> {
    /// The size and the marks.
    type Out = ([u32; 2], String);

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> Self::Out {
        let mut imprint = Imprint::default();
        meter.imprint(map, &mut imprint);
        let floors = imprint.floors().clamp(1, FLOORS);
        let across = (1..=floors).find(|n| n * n >= floors).unwrap_or(1);
        let (width, height) = (u32::from(imprint.size().width), u32::from(imprint.size().height));
        // Floors stand beside each other with a gap of one cell; marks of levels all lie on the only floor.
        let place = |pos: Pos, layer: u32| {
            let layer = if imprint.floors() > 1 { layer } else { 0 };
            (
                (layer % across) * (width + 1) + u32::from(pos.x),
                (layer / across) * (height + 1) + u32::from(pos.y),
            )
        };
        // Everything is drawn by strokes, in halves of a cell: a stretch of wall is a short line, a thing a small shape.
        let mut marks = String::new();
        let shown = imprint.spots().iter().filter(|spot| imprint.floors() <= 1 || spot.layer < FLOORS);
        if self.family == Family::Act {
            let mut lines = String::new();
            for spot in shown.clone().filter(|spot| spot.plane.is_none()) {
                let (from, to) = (spot.at, spot.toward);
                let aside = 2 * (i32::from(to.x) - i32::from(from.x));
                let (x, y) = (2 * u32::from(from.x) + 1, 2 * u32::from(from.y) + 1);
                let _ = write!(lines, "M{x} {y}l{aside}-2");
            }
            let _ = write!(marks, "<path class=\"l\" d=\"{lines}\"/>");
        } else {
            for layer in 0..floors {
                let (x, y) = place(Pos { x: 0, y: 0 }, layer);
                let (x, y, width, height) = (2 * x, 2 * y, 2 * width, 2 * height);
                let _ = write!(marks, "<path class=\"g\" d=\"M{x} {y}h{width}v{height}H{x}z\"/>");
            }
        }
        for (at, &(colour, Look { ink, shape })) in self.planes.iter().enumerate() {
            if ink == Ink::None {
                continue;
            }
            let mut cells: Vec<(u32, u32)> = shown
                .clone()
                .filter(|spot| spot.plane == Some(at as u16))
                .map(|spot| place(spot.at, spot.layer))
                .collect();
            cells.sort_unstable_by_key(|&(x, y)| (y, x));
            let runs = cells.chunk_by(|a, b| a.1 == b.1 && a.0 + 1 == b.0);
            let path: String = runs.map(|run| shape.path(run[0], run.len())).collect();
            if !path.is_empty() {
                let _ = write!(marks, "<path class=\"p{colour} {}\" d=\"{path}\"/>", shape.class());
            }
        }
        let rows = floors.div_ceil(across);
        ([2 * (across * (width + 1) - 1), 2 * (rows * (height + 1) - 1)], marks)
    }
}

/// Accents for things that have none of their own: the ones that are easily told apart first.
const FREE: [usize; 12] = [5, 6, 0, 9, 1, 11, 8, 10, 3, 2, 4, 7];
/// Shapes of things that do not fill their cells; neighbours in a list have different ones, should colours look alike.
const SHAPES: [Shape; 5] = [Shape::Dot, Shape::Ring, Shape::Square, Shape::Cross, Shape::Plus];

/// How a thing looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) ink: Ink,
    pub(crate) shape: Shape,
}

/// A colour of the theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    None,
    Dark,
    Faint,
    Rock,
    Accent(usize),
}

/// What is drawn on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Fill,
    Dot,
    Ring,
    Square,
    Cross,
    Plus,
}

/// How everything of a page looks. The kinds of an act bear any names, so these say nothing there.
///
/// Sixty things have looks of their own; beyond, they repeat.
pub(crate) fn looks(planes: &[String], act: bool) -> Vec<Look> {
    let mut things = 0;
    let fixed: Vec<(Option<Ink>, Shape)> = planes
        .iter()
        .map(|plane| {
            let (ink, fills) = if act { (None, false) } else { known(plane) };
            let shape = if fills { Shape::Fill } else { SHAPES[things % SHAPES.len()] };
            things += usize::from(!fills);
            (ink, shape)
        })
        .collect();
    let mut taken: Vec<Look> = Vec::new();
    for (at, &(ink, shape)) in fixed.iter().enumerate() {
        let ink = ink.unwrap_or_else(|| {
            let inks = || FREE.into_iter().map(Ink::Accent);
            // A colour that nothing has or will have; then one that no thing of this shape has.
            let own = |ink: &Ink| fixed.iter().all(|other| other.0 != Some(*ink));
            let fresh = inks().find(|ink| own(ink) && taken.iter().all(|look| look.ink != *ink));
            let clear = |ink: &Ink| {
                !taken.contains(&Look { ink: *ink, shape }) && !fixed.contains(&(Some(*ink), shape))
            };
            let things = || fixed[..=at].iter().filter(|other| other.1 != Shape::Fill).count();
            fresh.or_else(|| inks().find(clear)).unwrap_or_else(|| Ink::Accent(things() % 12))
        });
        taken.push(Look { ink, shape });
    }
    taken
}

/// The colour of a thing that has one of its own, and whether it fills its cell.
fn known(plane: &str) -> (Option<Ink>, bool) {
    let (ink, fills) = match plane {
        // Each mark has a look of its own, so all of them together need none.
        "floor" | "outside" | "fall_spawn" | "mark" => (Ink::None, true),
        "wall" => (Ink::Rock, true),
        "band" => (Ink::Faint, true),
        "water" | "puddle" => (Ink::Accent(7), true),
        "pitfall" => (Ink::Dark, true),
        "reinforced" => (Ink::Accent(11), true),
        "entrance" | "player" => (Ink::Accent(3), false),
        "exit" => (Ink::Accent(2), false),
        "enemy" => (Ink::Accent(1), false),
        "chest" | "fuel" => (Ink::Accent(4), false),
        "car" => (Ink::Accent(6), false),
        _ => return (None, false),
    };
    (Some(ink), fills)
}

impl Ink {
    pub(crate) fn colour(self, colours: &Colours) -> &'static str {
        match self {
            Ink::None => "none",
            Ink::Dark => colours.ink,
            Ink::Faint => colours.faint,
            Ink::Rock => colours.rock,
            Ink::Accent(at) => colours.accents[at % 12],
        }
    }
}

impl Shape {
    /// The class of its strokes.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Shape::Fill => "f",
            Shape::Dot => "d",
            Shape::Square => "q",
            Shape::Ring | Shape::Cross | Shape::Plus => "t",
        }
    }

    /// Strokes of a run of cells from a column on, in halves of a cell; only what fills cells is drawn in one.
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
    use wayforge_draw::Theme;

    /// All that are drawn look different in every theme; the first twelve have colours of their own as well.
    fn all_differ(planes: &[String], act: bool) {
        let looks = looks(planes, act);
        assert_eq!(looks.len(), planes.len());
        for theme in Theme::ALL {
            let mut seen = Vec::new();
            for (look, plane) in looks.iter().zip(planes).filter(|(look, _)| look.ink != Ink::None) {
                let seen_as = (look.ink.colour(theme.colours()), look.shape);
                assert!(!seen.contains(&seen_as), "{theme:?}: {plane} {seen_as:?}");
                seen.push(seen_as);
            }
        }
    }

    #[test]
    fn no_two_things_look_alike() {
        for family in [Family::Act, Family::Level, Family::Floor, Family::Tower] {
            let subject = AnySpec::from_json(family, b"{}").unwrap();
            all_differ(subject.catalogue().planes(), family == Family::Act);
        }
        let names = |count: usize| (0..count).map(|n| format!("kind {n}")).collect::<Vec<_>>();
        all_differ(&names(60), true);
        assert_eq!(looks(&names(500), true).len(), 500);
        let inks = |count: usize| looks(&names(count), true).into_iter().map(|look| look.ink);
        let few: Vec<Ink> = inks(12).collect();
        assert!((1..12).all(|at| !few[..at].contains(&few[at])), "{few:?}");
        // Kinds of an act that are called like tiles are seen all the same.
        let tiles = ["floor", "wall", "water", "puddle"].map(str::to_owned);
        all_differ(&tiles, true);
        assert!(looks(&tiles, true).iter().all(|look| look.ink != Ink::None && look.shape != Shape::Fill));
        let floor = ["door", "chest"].map(str::to_owned);
        let [door, chest] = looks(&floor, false)[..] else { panic!() };
        assert!(door.ink != chest.ink && door.shape != chest.shape, "{door:?} {chest:?}");
    }
}
