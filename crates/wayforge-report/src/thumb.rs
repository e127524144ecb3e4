//! Maps as small pictures: all that a click on a cell needs, in a few kilobytes each.

use std::collections::BTreeMap;
use std::fmt::Write;
use wayforge::grid::Pos;
use wayforge::metric::{Imprint, Meter};
use wayforge::{Family, Seed};
use wayforge_draw::Colours;
use wayforge_search::{Subject, Visit, Worker};

/// The most pictures of a page, and the most bytes that they take together.
const MOST: usize = 400;
const BYTES: usize = 1 << 20;
/// The most floors of a tower that a picture shows.
const FLOORS: u32 = 12;

/// Small pictures by seed, each once.
pub(crate) struct Thumbs {
    worker: Worker,
    family: Family,
    planes: Vec<String>,
    known: BTreeMap<u64, usize>,
    symbols: String,
}

impl Thumbs {
    pub(crate) fn new(subject: &Subject) -> Thumbs {
        Thumbs {
            worker: subject.worker(),
            family: subject.family(),
            planes: subject.catalogue().planes().to_vec(),
            known: BTreeMap::new(),
            symbols: String::new(),
        }
    }

    /// The number of a seed's picture; none, if there is no more room. `prefix` tells the pictures of two configurations apart.
    pub(crate) fn of(&mut self, seed: Seed, prefix: char) -> Option<usize> {
        if let Some(&known) = self.known.get(&seed.0) {
            return Some(known);
        }
        if self.known.len() >= MOST || self.symbols.len() >= BYTES {
            return None;
        }
        let picture = self.worker.look(seed, &mut Picture { family: self.family, planes: &self.planes })?;
        let number = self.known.len();
        self.known.insert(seed.0, number);
        let (width, height) = picture.size;
        let _ = writeln!(
            self.symbols,
            "<symbol id=\"{prefix}{number}\" viewBox=\"0 0 {width} {height}\"><desc>Map of seed {seed}</desc>{}</symbol>",
            picture.marks
        );
        Some(number)
    }

    /// All pictures, to be used by their ids.
    pub(crate) fn symbols(&self) -> &str {
        &self.symbols
    }
}

/// The colour of a plane, and whether it fills its cell.
pub(crate) fn look_of(plane: &str, at: usize) -> (Ink, bool) {
    match plane {
        "floor" | "outside" => (Ink::None, true),
        "wall" => (Ink::Rock, true),
        "band" => (Ink::Faint, true),
        "water" | "puddle" => (Ink::Accent(7), true),
        "pitfall" => (Ink::Dark, true),
        "reinforced" => (Ink::Dark, true),
        "fall_spawn" => (Ink::None, true),
        "entrance" | "player" => (Ink::Accent(3), false),
        "exit" => (Ink::Mark, false),
        "enemy" => (Ink::Accent(1), false),
        "chest" | "fuel" => (Ink::Accent(4), false),
        "car" => (Ink::Accent(2), false),
        _ => (Ink::Accent(at % 12), false),
    }
}

/// A colour of the theme.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    None,
    Dark,
    Faint,
    Rock,
    Mark,
    Accent(usize),
}

impl Ink {
    pub(crate) fn colour(self, colours: &Colours) -> &'static str {
        match self {
            Ink::None => "none",
            Ink::Dark => colours.ink,
            Ink::Faint => colours.faint,
            Ink::Rock => colours.rock,
            Ink::Mark => colours.mark,
            Ink::Accent(at) => colours.accents[at % 12],
        }
    }
}

struct Picture<'a> {
    family: Family,
    planes: &'a [String],
}

struct Drawn {
    size: (u32, u32),
    marks: String,
}

impl Visit for Picture<'_> {
    type Out = Drawn;

    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) -> Drawn {
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
        let mut marks = String::new();
        let shown = imprint.spots().iter().filter(|spot| imprint.floors() <= 1 || spot.layer < FLOORS);
        if self.family == Family::Act {
            let mut lines = String::new();
            for spot in shown.clone().filter(|spot| spot.plane.is_none()) {
                let (from, to) = (spot.at, spot.toward);
                let _ =
                    write!(lines, "M{} {}L{} {}", middle(from.x), middle(from.y), middle(to.x), middle(to.y));
            }
            let _ = write!(marks, "<path class=\"l\" d=\"{lines}\"/>");
        } else {
            for layer in 0..floors {
                let (x, y) = place(Pos { x: 0, y: 0 }, layer);
                let _ = write!(marks, "<path class=\"g\" d=\"M{x} {y}h{width}v{height}H{x}z\"/>");
            }
        }
        for (at, plane) in self.planes.iter().enumerate() {
            let (ink, fills) = look_of(plane, at);
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
            if fills && self.family != Family::Act {
                for run in cells.chunk_by(|a, b| a.1 == b.1 && a.0 + 1 == b.0) {
                    let (x, y) = run[0];
                    let _ = write!(path, "M{x} {y}h{}v1H{x}z", run.len());
                }
            } else {
                for (x, y) in cells {
                    let _ = write!(path, "M{x}.1 {y}.5a.4.4 0 1 0 .8 0a.4.4 0 1 0-.8 0");
                }
            }
            if !path.is_empty() {
                let _ = write!(marks, "<path class=\"p{at}\" d=\"{path}\"/>");
            }
        }
        let rows = floors.div_ceil(across);
        Drawn { size: (across * (width + 1) - 1, rows * (height + 1) - 1), marks }
    }
}

/// The middle of a cell.
fn middle(at: u16) -> String {
    format!("{at}.5")
}
