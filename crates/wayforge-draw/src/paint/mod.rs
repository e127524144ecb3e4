//! Pictures with a palette, painted from what was painted before.
//!
//! What does not change between maps (paper, looks of nodes, glyphs) is painted once from the same SVG that a map's own
//! drawing is made of, and kept by the caller in a [`Painter`]. A picture is then a copy of its paper with lines drawn and shapes
//! stamped on it, one byte a pixel.

mod act;
mod deflate;
mod file;
mod floor;
mod frame;
mod huffman;
mod inks;
mod palette;
mod stroke;
mod vector;
mod words;

use crate::curve::{Point, UNIT};
use crate::floor::FloorScene;
use crate::floor::glyphs::Glyph;
use crate::level::{LevelScene, level_svg};
use crate::png::{DrawError, level_png_size, size_at};
use crate::scene::Scene;
use crate::svg::Paper;
use crate::theme::{Colours, Theme};
use deflate::Deflater;
#[doc(hidden)]
pub use deflate::deflate_each;
use frame::{Frame, Sprite};
use inks::Inks;
use palette::choose;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use stroke::{Line, Stroker, fine, whole};
pub(crate) use vector::{Shapes, blank};
use words::{Glyphs, Spacing};

/// Paints pictures one after the other, and keeps what the next one can use.
///
/// The first picture of a kind takes many times as long as those that follow. The bytes are the same either way: they depend on the
/// scene, the theme and the scale only. At most about 64 megabytes are kept between pictures.
///
/// ```
/// use wayforge::act;
/// use wayforge_draw::{Painter, Scene, Theme, png};
/// let mut painter = Painter::new();
/// let spec = act::Config::default().resolve()?;
/// for seed in 0..3 {
///     let scene = Scene::of_act(&act::generate(seed.into(), &spec)?);
///     assert_eq!(painter.png(&scene, Theme::Night, 40)?, png(&scene, Theme::Night, 40)?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Painter {
    shapes: Shapes,
    spacing: Spacing,
    /// The one used last stands last.
    kits: Vec<Kit>,
    frame: Frame,
    stroker: Stroker,
    deflater: Deflater,
    /// How large the last file was.
    last: usize,
}

/// The size of a picture, and its pixels of three bytes.
pub(crate) type Pixels = ((u32, u32), Vec<u8>);

/// Bytes kept between pictures, and kits among them.
const MAX_KEPT: usize = 48 << 20;
const MAX_KITS: usize = 8;
/// Papers of different sizes in one kit.
const MAX_PAPERS: usize = 4;

/// What pictures of one look and scale share.
struct Kit {
    of: KitOf,
    inks: Inks,
    glyphs: Glyphs,
    sprites: BTreeMap<Stamp, Sprite>,
    papers: Vec<(Paper, Vec<u8>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct KitOf {
    theme: Theme,
    scale: u32,
    range: Range,
}

/// Which colours shapes have: a palette serves all maps of a range, whatever of it they use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    /// Act maps with the standard kinds.
    Standard,
    /// Act maps with any kinds.
    Any,
    /// Floors and towers.
    Floors,
}

/// What is stamped: a node's look or a thing on a floor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stamp {
    Look(act::LookOf),
    /// A thing and the side of its tile; none in the legend.
    Thing(Glyph, Option<i32>),
}

impl std::fmt::Debug for Painter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Painter").field("kits", &self.kits.len()).finish_non_exhaustive()
    }
}

impl Painter {
    /// A painter that has painted nothing yet.
    pub fn new() -> Painter {
        Painter::default()
    }

    /// Paints an act map: the bytes of [`png`](crate::png()).
    ///
    /// * **Complexity.** Linear in the pixels; those of the paper are copied and compared only.
    /// * **Guarantees.** The bytes do not depend on what was painted before.
    pub fn png(&mut self, scene: &Scene, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
        let kit = self.draw_act(scene, theme, scale)?;
        Ok(self.encode(kit))
    }

    /// Paints an act map as plain pixels.
    pub(crate) fn pixels(&mut self, scene: &Scene, theme: Theme, scale: u32) -> Result<Pixels, DrawError> {
        let kit = self.draw_act(scene, theme, scale)?;
        Ok(self.read_pixels(kit))
    }

    /// Paints floors: the bytes of [`png_floors`](crate::png_floors()).
    ///
    /// ```
    /// use wayforge::floor;
    /// use wayforge_draw::{FloorScene, Painter, Theme, png_floors};
    /// let scene = FloorScene::of_floor(&floor::generate(42.into(), &floor::Config::default().resolve()?)?);
    /// let mut painter = Painter::new();
    /// assert_eq!(painter.png_floors(&scene, Theme::Night, 50)?, png_floors(&scene, Theme::Night, 50)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn png_floors(&mut self, scene: &FloorScene, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
        let kit = self.draw_floors(scene, theme, scale)?;
        Ok(self.encode(kit))
    }

    /// Paints floors as plain pixels.
    pub(crate) fn floor_pixels(
        &mut self,
        scene: &FloorScene,
        theme: Theme,
        scale: u32,
    ) -> Result<Pixels, DrawError> {
        let kit = self.draw_floors(scene, theme, scale)?;
        Ok(self.read_pixels(kit))
    }

    /// Paints a level: the bytes of [`level_png`](crate::level_png()).
    ///
    /// Its SVG is painted as a whole, because hardly two levels share a part; only the font is kept for the next one.
    ///
    /// ```
    /// use wayforge::level;
    /// use wayforge_draw::{LevelScene, Painter, Theme, level_png};
    /// let config = level::Config { width: 12, height: 9, ..level::Config::default() };
    /// let scene = LevelScene::of_level(&level::generate(42.into(), &config.resolve()?)?);
    /// let mut painter = Painter::new();
    /// assert_eq!(painter.png_level(&scene, Theme::Night, 50)?, level_png(&scene, Theme::Night, 50)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn png_level(&mut self, scene: &LevelScene, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
        let (width, height) = level_png_size(scene, scale)?;
        let pixels = self.shapes.fill(&level_svg(scene, theme), (width, height))?;
        // Paper lies under everything, so that pixels are opaque.
        let stride = 3 * width as usize + 1;
        let mut rows = vec![0; stride * height as usize];
        for (row, from) in rows.chunks_exact_mut(stride).zip(pixels.data().chunks_exact(4 * width as usize)) {
            for (into, [r, g, b, _]) in
                row[1..].as_chunks_mut::<3>().0.iter_mut().zip(from.as_chunks::<4>().0)
            {
                *into = [*r, *g, *b];
            }
        }
        let mut bytes = Vec::new();
        file::write(&mut bytes, width, height, None, |into| self.deflater.compress(&rows, stride, into));
        Ok(bytes)
    }

    fn draw_act(&mut self, scene: &Scene, theme: Theme, scale: u32) -> Result<Kit, DrawError> {
        let of = KitOf { theme, scale, range: act::range(scene) };
        self.draw(of, &scene.paper(), |easel| easel.act(scene))
    }

    fn draw_floors(&mut self, scene: &FloorScene, theme: Theme, scale: u32) -> Result<Kit, DrawError> {
        let of = KitOf { theme, scale, range: Range::Floors };
        self.draw(of, &scene.paper, |easel| easel.floors(scene))
    }

    /// Lays the paper out and lets `draw` draw on it: the frame is what came out.
    fn draw(
        &mut self,
        of: KitOf,
        paper: &Paper,
        draw: impl FnOnce(&mut Easel<'_>) -> Result<(), DrawError>,
    ) -> Result<Kit, DrawError> {
        let size = size_at(paper.width, paper.height, of.scale)?;
        let mut kit = match self.kits.iter().position(|kit| kit.of == of) {
            Some(at) => self.kits.remove(at),
            None => Kit::new(of, &self.shapes),
        };
        let blank = kit.paper(paper, size, &self.shapes)?;
        self.frame.begin(size, &kit.papers[blank].1);
        let Painter { shapes, spacing, frame, stroker, .. } = self;
        let mut easel = Easel { shapes, spacing, frame, stroker, kit: &mut kit };
        easel.grain(paper);
        draw(&mut easel)?;
        Ok(kit)
    }

    /// The frame as a file.
    fn encode(&mut self, kit: Kit) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.last + self.last / 8 + 4096);
        let Frame { width, height, cells } = &self.frame;
        file::write(&mut bytes, *width as u32, *height as u32, Some(kit.inks.palette()), |into| {
            self.deflater.compress(cells, self.frame.stride(), into);
        });
        self.last = bytes.len();
        self.keep(kit);
        bytes
    }

    /// The colours of the frame.
    fn read_pixels(&mut self, kit: Kit) -> Pixels {
        let (frame, palette) = (&self.frame, kit.inks.palette());
        let rows = frame.cells.chunks_exact(frame.stride());
        let pixels = rows.flat_map(|row| row[1..].iter().flat_map(|&cell| palette[usize::from(cell)]));
        let pixels = ((frame.width as u32, frame.height as u32), pixels.collect());
        self.keep(kit);
        pixels
    }

    /// Keeps a kit for the next picture, and lets go of what is too much to keep, the longest unused first.
    fn keep(&mut self, kit: Kit) {
        self.kits.push(kit);
        let mut kept = 0;
        let enough = self.kits.iter().rev().take(MAX_KITS).take_while(|kit| {
            kept += kit.bytes();
            kept <= MAX_KEPT
        });
        self.kits.drain(..self.kits.len() - enough.count());
        if self.frame.cells.capacity() > MAX_KEPT / 4 {
            self.frame = Frame::default();
            self.stroker = Stroker::default();
            self.last = 0;
        }
    }
}

impl Kit {
    fn new(of: KitOf, shapes: &Shapes) -> Kit {
        let inks = Inks::new(choose(of.theme, of.range, shapes));
        Kit { of, inks, glyphs: Glyphs::new(), sprites: BTreeMap::new(), papers: Vec::new() }
    }

    fn bytes(&self) -> usize {
        let papers: usize = self.papers.iter().map(|paper| paper.1.len()).sum();
        let sprites: usize = self.sprites.values().map(Sprite::bytes).sum();
        let glyphs: usize = self.glyphs.values().map(|cover| cover.levels.len() + 64).sum();
        self.inks.bytes() + glyphs + papers + sprites
    }

    /// The place of the paper without its grains among the kit's papers.
    fn paper(&mut self, paper: &Paper, size: (u32, u32), shapes: &Shapes) -> Result<usize, DrawError> {
        let of = Paper { seed: None, ..paper.clone() };
        if let Some(at) = self.papers.iter().position(|paper| paper.0 == of) {
            return Ok(at);
        }
        let pixels = shapes.fill(&of.svg(self.of.theme), size)?;
        if self.papers.len() == MAX_PAPERS {
            self.papers.remove(0);
        }
        self.papers.push((of, self.inks.quantise(&pixels)));
        Ok(self.papers.len() - 1)
    }
}

/// A picture being painted, with everything to paint it with.
struct Easel<'a> {
    shapes: &'a Shapes,
    spacing: &'a mut Spacing,
    frame: &'a mut Frame,
    stroker: &'a mut Stroker,
    kit: &'a mut Kit,
}

impl Easel<'_> {
    fn palette(&self) -> &'static Colours {
        self.kit.of.theme.colours()
    }

    /// A line, `width` units wide, with an opacity of 0 to 255.
    fn line(&mut self, width: i32, colour: &str, opacity: u8) -> Line {
        let ramp = self.kit.inks.ramp(inks::rgb(colour), opacity);
        Line { width: fine(width, self.kit.of.scale).max(1), dashes: None, ramp }
    }

    fn chain(&mut self, points: impl IntoIterator<Item = Point>, line: Line) {
        let scale = self.kit.of.scale;
        let points = points.into_iter().map(|p| (fine(p.x, scale), fine(p.y, scale)));
        self.stroker.stroke(points, line, self.frame, &mut self.kit.inks);
    }

    /// Stamps a shape that `svg` draws within `reach` pixels around its middle; it is painted if it was not before.
    fn stamp(
        &mut self,
        stamp: Stamp,
        at: Point,
        (reach, factor): (i32, f32),
        svg: impl FnOnce() -> String,
    ) -> Result<(), DrawError> {
        let Kit { sprites, inks, of, .. } = &mut *self.kit;
        let sprite = match sprites.entry(stamp) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(free) => {
                let (pixels, half) = self.shapes.stamp(&svg(), reach, of.scale as f32 / 100.0 * factor)?;
                free.insert(Sprite::of(&pixels, half, inks))
            }
        };
        self.frame.stamp(sprite, whole(at.x, of.scale), whole(at.y, of.scale), inks);
        Ok(())
    }

    /// Specks in the paper, or stars.
    fn grain(&mut self, paper: &Paper) {
        for (width, percent, specks) in paper.grains() {
            let line = self.line(width, self.palette().ink, (percent * 255 / 100) as u8);
            for (x, y) in specks {
                self.chain([Point::new(x * UNIT, y * UNIT)], line);
            }
        }
    }
}
