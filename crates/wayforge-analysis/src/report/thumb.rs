//! Maps as small pictures: all that a click on a cell needs, in a few kilobytes each.

use crate::report::look::{Ink, Look, Shape};
use crate::search::{Visit, Worker};
use std::collections::BTreeMap;
use std::fmt::Write;
use wayforge::grid::Pos;
use wayforge::metric::{Imprint, Measure, Meter};
use wayforge::{AnySpec, Family, Seed};

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
                let _ = write!(lines, "M{} {}l{aside}-2", middle(from.x.into()), middle(from.y.into()));
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
            let mut path = String::new();
            for run in cells.chunk_by(|a, b| a.1 == b.1 && a.0 + 1 == b.0) {
                shape.draw(&mut path, run[0], run.len());
            }
            if !path.is_empty() {
                let _ = write!(marks, "<path class=\"p{colour} {}\" d=\"{path}\"/>", shape.class());
            }
        }
        let rows = floors.div_ceil(across);
        ([2 * (across * (width + 1) - 1), 2 * (rows * (height + 1) - 1)], marks)
    }
}

/// The middle of a cell, in halves of one.
fn middle(at: u32) -> u32 {
    2 * at + 1
}
