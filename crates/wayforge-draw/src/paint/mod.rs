//! PNG painter. Act maps and floors use indexed colour, sprites and cached paper; levels are
//! rasterised from their SVG.
//!
//! The parts that pictures share (paper, node appearances, glyphs) are rasterised once from the
//! markup of the SVG renderer and cached in a [`Painter`]. A picture is then a copy of its paper
//! with lines and sprites drawn on it, one byte per pixel.

mod act;
mod blend;
mod deflate;
mod floor;
mod huffman;
mod image;
mod palette;
mod png_file;
mod rasteriser;
mod stroke;
mod text;

use crate::curve::{Point, UNIT};
use crate::floor::glyphs::Glyph;
use crate::level::{LevelScene, level_svg};
use crate::png::{DrawError, png_size, size_at};
use crate::svg::Paper;
use crate::theme::{Colours, Theme};
use blend::BlendTable;
use deflate::Deflater;
#[doc(hidden)]
pub use deflate::deflate_each;
use image::{Image, Sprite};
use palette::choose_palette;
pub(crate) use rasteriser::{SvgRasteriser, new_pixmap};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use stroke::{Line, Stroker, to_pixels, to_subpixels};
use text::{AdvanceCache, GlyphCache};

/// Renders PNG pictures and caches the parts that later pictures can reuse.
///
/// The first picture of a theme and scale takes many times as long as later ones. The caches use at
/// most about 64 MB.
///
/// # Determinism
/// The bytes depend only on scene, theme and scale, not on earlier pictures.
///
/// # Examples
///
/// ```
/// use wayforge::act;
/// use wayforge_draw::{Painter, Scene, Theme, png};
/// let mut painter = Painter::new();
/// let spec = act::Config::default().resolve()?;
/// for seed in 0..3 {
///     let scene = Scene::from_act(&act::generate(seed.into(), &spec)?);
///     assert_eq!(painter.png(&scene, Theme::Night, 40)?, png(&scene, Theme::Night, 40)?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Painter {
    rasteriser: SvgRasteriser,
    advances: AdvanceCache,
    /// Most recently used last.
    caches: Vec<RenderCache>,
    image: Image,
    stroker: Stroker,
    deflater: Deflater,
    /// Size of the last file, as an estimate for the next.
    last_file_size: usize,
}

/// A scene that can be rendered as PNG.
pub trait PngScene {
    /// Returns width and height in [units](UNIT).
    fn size(&self) -> (i32, i32);

    /// Paints the scene on the image of a painter.
    #[doc(hidden)]
    fn paint(&self, painter: &mut Painter, theme: Theme, scale: u32) -> Result<(), DrawError>;
}

/// Size of a picture and its RGB bytes.
pub(crate) type Pixels = ((u32, u32), Vec<u8>);

/// Maximum size of all caches, in bytes.
const MAX_CACHE_BYTES: usize = 48 << 20;
/// Maximum number of caches.
const MAX_CACHES: usize = 8;
/// Maximum number of papers in a cache.
const MAX_PAPERS: usize = 4;

/// Parts shared by all pictures with the same theme, scale and colour set.
struct RenderCache {
    key: CacheKey,
    blend: BlendTable,
    glyphs: GlyphCache,
    sprites: BTreeMap<SpriteKey, Sprite>,
    papers: Vec<(Paper, Vec<u8>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct CacheKey {
    theme: Theme,
    scale: u32,
    colour_set: ColourSet,
}

/// Colours that sprites may have. All maps with the same set share a palette.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColourSet {
    /// Act maps with the standard kinds.
    StandardKinds,
    /// Act maps with any kinds.
    AllKinds,
    /// Floors and towers.
    Floors,
}

/// Key of a sprite: a node's appearance or a floor glyph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SpriteKey {
    Node(act::AppearanceKey),
    /// A glyph and its tile size; `None` in the legend.
    Glyph(Glyph, Option<i32>),
}

impl std::fmt::Debug for Painter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Painter").field("caches", &self.caches.len()).finish_non_exhaustive()
    }
}

impl Painter {
    /// Creates a painter with empty caches.
    pub fn new() -> Painter {
        Painter::default()
    }

    /// Renders a scene; returns the same bytes as [`png`](crate::png()).
    ///
    /// # Errors
    /// The same as [`png`](crate::png()).
    ///
    /// # Complexity
    /// O(pixels); pixels of the paper are only copied and compressed.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::floor;
    /// use wayforge_draw::{FloorScene, Painter, Theme, png};
    /// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
    /// let scene = FloorScene::from_floor(&floor);
    /// let bytes = Painter::new().png(&scene, Theme::Night, 50)?;
    /// assert_eq!(bytes, png(&scene, Theme::Night, 50)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn png(
        &mut self,
        scene: &impl PngScene,
        theme: Theme,
        scale: u32,
    ) -> Result<Vec<u8>, DrawError> {
        scene.paint(self, theme, scale)?;
        let mut bytes = Vec::with_capacity(self.last_file_size + self.last_file_size / 8 + 4096);
        png_file::write(&self.image, &mut self.deflater, &mut bytes);
        self.last_file_size = bytes.len();
        self.shrink_buffers();
        Ok(bytes)
    }

    /// Renders a scene as RGB pixels.
    pub(crate) fn pixels(
        &mut self,
        scene: &impl PngScene,
        theme: Theme,
        scale: u32,
    ) -> Result<Pixels, DrawError> {
        scene.paint(self, theme, scale)?;
        let pixels = ((self.image.width as u32, self.image.height as u32), self.image.to_rgb());
        self.shrink_buffers();
        Ok(pixels)
    }

    /// Copies the paper into the image and calls `draw`.
    fn draw(
        &mut self,
        key: CacheKey,
        paper: &Paper,
        draw: impl FnOnce(&mut PaintContext<'_>) -> Result<(), DrawError>,
    ) -> Result<(), DrawError> {
        let size = size_at(paper.width, paper.height, key.scale)?;
        let mut cache = match self.caches.iter().position(|cache| cache.key == key) {
            Some(index) => self.caches.remove(index),
            None => RenderCache::new(key, &self.rasteriser),
        };
        let blank = cache.paper(paper, size, &self.rasteriser)?;
        self.image.reset(size, cache.blend.palette());
        self.image.pixels.extend_from_slice(&cache.papers[blank].1);
        let Painter { rasteriser, advances, image, stroker, .. } = self;
        let mut context = PaintContext { rasteriser, advances, image, stroker, cache: &mut cache };
        context.grain(paper);
        draw(&mut context)?;
        self.store_cache(cache);
        Ok(())
    }

    /// Stores a cache for the next picture and evicts the least recently used ones beyond the
    /// limits.
    fn store_cache(&mut self, cache: RenderCache) {
        self.caches.push(cache);
        let mut total = 0;
        let recent = self.caches.iter().rev().take(MAX_CACHES).take_while(|cache| {
            total += cache.bytes();
            total <= MAX_CACHE_BYTES
        });
        self.caches.drain(..self.caches.len() - recent.count());
    }

    /// Frees the buffers after an exceptionally large picture.
    fn shrink_buffers(&mut self) {
        if self.image.pixels.capacity() > MAX_CACHE_BYTES / 4 {
            self.image = Image::default();
            self.stroker = Stroker::default();
            self.last_file_size = 0;
        }
    }
}

/// Rasterises the SVG as a whole, because levels share hardly any parts. Only the font is cached.
impl PngScene for LevelScene {
    fn size(&self) -> (i32, i32) {
        (self.width, self.height)
    }

    fn paint(&self, painter: &mut Painter, theme: Theme, scale: u32) -> Result<(), DrawError> {
        let size = png_size(self, scale)?;
        let pixels = painter.rasteriser.render(&level_svg(self, theme), size)?;
        painter.image.reset(size, &[]);
        // All pixels are opaque, because paper covers the whole picture.
        for row in pixels.data().chunks_exact(4 * size.0 as usize) {
            painter.image.pixels.push(0);
            let colours = row.as_chunks().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]);
            painter.image.pixels.extend(colours);
        }
        Ok(())
    }
}

impl RenderCache {
    fn new(key: CacheKey, rasteriser: &SvgRasteriser) -> RenderCache {
        let blend = BlendTable::new(choose_palette(key.theme, key.colour_set, rasteriser));
        let (glyphs, sprites) = (GlyphCache::new(), BTreeMap::new());
        RenderCache { key, blend, glyphs, sprites, papers: Vec::new() }
    }

    fn bytes(&self) -> usize {
        let papers: usize = self.papers.iter().map(|paper| paper.1.len()).sum();
        let sprites: usize = self.sprites.values().map(Sprite::bytes).sum();
        let glyphs: usize = self.glyphs.values().map(|mask| mask.levels.len() + 64).sum();
        self.blend.bytes() + glyphs + papers + sprites
    }

    /// Returns the index of a cached paper without grain, which is rendered if missing.
    fn paper(
        &mut self,
        paper: &Paper,
        size: (u32, u32),
        rasteriser: &SvgRasteriser,
    ) -> Result<usize, DrawError> {
        let plain = Paper { seed: None, ..paper.clone() };
        if let Some(index) = self.papers.iter().position(|paper| paper.0 == plain) {
            return Ok(index);
        }
        let pixels = rasteriser.render(&plain.svg(self.key.theme), size)?;
        if self.papers.len() == MAX_PAPERS {
            self.papers.remove(0);
        }
        self.papers.push((plain, self.blend.quantise(&pixels)));
        Ok(self.papers.len() - 1)
    }
}

/// Borrowed parts of a [`Painter`] for painting one picture.
struct PaintContext<'a> {
    rasteriser: &'a SvgRasteriser,
    advances: &'a mut AdvanceCache,
    image: &'a mut Image,
    stroker: &'a mut Stroker,
    cache: &'a mut RenderCache,
}

impl PaintContext<'_> {
    fn palette(&self) -> &'static Colours {
        self.cache.key.theme.colours()
    }

    /// Returns a line style; `width` is in units, `opacity` is 0 to 255.
    fn line(&mut self, width: i32, colour: &str, opacity: u8) -> Line {
        let ramp = self.cache.blend.ramp(blend::rgb(colour), opacity);
        Line { width: to_subpixels(width, self.cache.key.scale).max(1), dashes: None, ramp }
    }

    fn polyline(&mut self, points: impl IntoIterator<Item = Point>, line: Line) {
        let scale = self.cache.key.scale;
        let points =
            points.into_iter().map(|p| (to_subpixels(p.x, scale), to_subpixels(p.y, scale)));
        self.stroker.stroke(points, line, self.image, &mut self.cache.blend);
    }

    /// Draws a sprite. If it is not cached, it is rasterised from `svg`, which extends `reach`
    /// pixels from its centre and is scaled by `factor`.
    fn sprite(
        &mut self,
        sprite_key: SpriteKey,
        at: Point,
        (reach, factor): (i32, f32),
        svg: impl FnOnce() -> String,
    ) -> Result<(), DrawError> {
        let RenderCache { sprites, blend, key, .. } = &mut *self.cache;
        let sprite = match sprites.entry(sprite_key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let scale = key.scale as f32 / 100.0 * factor;
                let (pixels, half) = self.rasteriser.render_centred(&svg(), reach, scale)?;
                entry.insert(Sprite::new(&pixels, half, blend))
            }
        };
        let (x, y) = (to_pixels(at.x, key.scale), to_pixels(at.y, key.scale));
        self.image.draw_sprite(sprite, x, y, blend);
        Ok(())
    }

    /// Draws the grain of the paper: specks, or stars in a dark theme.
    fn grain(&mut self, paper: &Paper) {
        for (width, percent, specks) in paper.grains() {
            let line = self.line(width, self.palette().ink, (percent * 255 / 100) as u8);
            for (x, y) in specks {
                self.polyline([Point::new(x * UNIT, y * UNIT)], line);
            }
        }
    }
}
