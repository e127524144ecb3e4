//! Archipelago generator: seeded sea maps with islands.
//!
//! The terrain is fractal value noise (Ebert et al. 2003). It sums several octaves of a smoothly
//! interpolated random lattice, each with half the cell size and 9/16 of the weight of the previous
//! one. Tiles below the sea level become water. All arithmetic uses integers, so a seed gives the
//! same map on every platform.

use super::nav_grid::NavGrid;
use serde::{Deserialize, Serialize};
use wayforge_core::document::{self, Document};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{ConfigError, DecodeError, Seed, StreamId};

const LATTICE: StreamId = StreamId::named("water.lattice");

/// Algorithm name in documents. The maps that it identifies never change.
pub const ARCHIPELAGO_ALGORITHM: &str = "water.archipelago/1";

/// Maximum magnitude of a water tile.
const MAX_MAGNITUDE: u16 = 31;

/// Configuration of an archipelago.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ArchipelagoConfig {
    /// Number of columns, 1 to 16,384.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16_384)))]
    pub width: i64,
    /// Number of rows, 1 to 16,384.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16_384)))]
    pub height: i64,
    /// Percentage of land tiles, 0 to 100.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub land: i64,
    /// Size of the largest features in tiles, 2 to 4,096.
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 4096)))]
    pub scale: i64,
    /// Ruggedness of the coasts: number of finer noise layers, 0 to 12.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 12)))]
    pub detail: i64,
}

/// Validated configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchipelagoSpec {
    config: ArchipelagoConfig,
    size: Size,
}

impl Default for ArchipelagoConfig {
    fn default() -> ArchipelagoConfig {
        ArchipelagoConfig { width: 1024, height: 768, land: 30, scale: 256, detail: 6 }
    }
}

impl ArchipelagoConfig {
    /// Parses JSON; missing fields get their defaults.
    ///
    /// # Errors
    /// The JSON is malformed, has unknown fields or values of the wrong type.
    pub fn from_json(bytes: &[u8]) -> Result<ArchipelagoConfig, DecodeError> {
        document::parse_object(bytes)
    }

    /// Validates the configuration.
    ///
    /// # Errors
    /// A value is out of range.
    pub fn resolve(&self) -> Result<ArchipelagoSpec, ConfigError> {
        let max_side = i64::from(NavGrid::MAX_SIDE);
        let width = ConfigError::in_range("width", self.width, 1, max_side)? as u16;
        let height = ConfigError::in_range("height", self.height, 1, max_side)? as u16;
        ConfigError::in_range("land", self.land, 0, 100)?;
        ConfigError::in_range("scale", self.scale, 2, 4096)?;
        ConfigError::in_range("detail", self.detail, 0, 12)?;
        Ok(ArchipelagoSpec { config: *self, size: Size::new(width, height) })
    }
}

/// Generates the archipelago of a seed.
///
/// The highest `land` percent of the tiles are land (blocked), the others water (open). The
/// percentage is approximate, because tiles of equal height are either all land or all water. The
/// magnitude of a water tile is half its Manhattan distance to land, rounded up, at most 31.
///
/// # Complexity
/// O(tiles * detail) time and 6 bytes per tile of temporary memory.
///
/// # Determinism
/// Uses one stream, `water.lattice`: the coarsest lattice first, each in row-major order.
///
/// # Examples
/// ```
/// use wayforge_core::Seed;
/// use wayforge_nav::{ArchipelagoConfig, archipelago};
/// let spec = ArchipelagoConfig { width: 120, height: 80, ..Default::default() }.resolve()?;
/// let water = archipelago(Seed::new(7), &spec);
/// assert_eq!(water, archipelago(Seed::new(7), &spec));
/// assert!(water.open_count().abs_diff(120 * 80 * 70 / 100) < 100);
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
pub fn archipelago(seed: Seed, spec: &ArchipelagoSpec) -> NavGrid {
    let heights = heights(&seed, spec);
    let sea_level = sea_level(&heights, spec);
    let mut open = BitGrid::new(spec.size);
    let stride = open.stride();
    for (row, words) in
        heights.chunks(spec.size.width.into()).zip(open.words_mut().chunks_mut(stride))
    {
        for (tiles, word) in row.chunks(64).zip(words) {
            *word = (0..)
                .zip(tiles)
                .fold(0, |set, (x, &height)| set | u64::from(height < sea_level) << x);
        }
    }
    drop(heights);
    NavGrid { magnitudes: magnitudes(&open), open }
}

/// Generates an archipelago and returns it as a document.
///
/// The map is `{"rows": [...]}` with one character per tile: `#` for land, and for water its
/// magnitude in base 32 (`0` to `9`, `a` to `v`). Use it for maps of up to a few thousand tiles per
/// side.
///
/// # Examples
/// ```
/// use wayforge_core::Seed;
/// use wayforge_nav::{ArchipelagoConfig, archipelago_document};
/// let config = ArchipelagoConfig { width: 12, height: 2, scale: 5, ..Default::default() };
/// let spec = config.resolve()?;
/// let document = archipelago_document(Seed::new(3), &spec);
/// assert_eq!(document.algorithm, "water.archipelago/1");
/// assert_eq!(document.map.len(), r#"{"rows":["",""]}"#.len() + 2 * 12);
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
pub fn archipelago_document(seed: Seed, spec: &ArchipelagoSpec) -> Document {
    #[derive(Serialize)]
    struct Map {
        rows: Vec<String>,
    }
    let water = archipelago(seed.clone(), spec);
    let tile = |pos: Pos| {
        if water.is_open(pos) {
            char::from_digit(water.magnitude(pos).into(), 32).unwrap_or('v')
        } else {
            '#'
        }
    };
    let row = |y: u16| (0..spec.size.width).map(|x| tile(Pos::new(x, y))).collect();
    let rows = (0..spec.size.height).map(row).collect();
    document::build(ARCHIPELAGO_ALGORITHM, &seed, &spec.config, &Map { rows })
}

/// Returns the height of every tile in row-major order.
fn heights(seed: &Seed, spec: &ArchipelagoSpec) -> Vec<u16> {
    let (width, height) = (u32::from(spec.size.width), u32::from(spec.size.height));
    let mut rng = seed.stream(LATTICE);
    let mut lattices = Vec::new();
    let (mut step, mut weight) = (spec.config.scale as u32, 4096_u32);
    for _ in 0..=spec.config.detail {
        let (columns, rows) = (width / step + 2, height / step + 2);
        let values: Vec<u16> = (0..columns * rows).map(|_| rng.below(1 << 16) as u16).collect();
        lattices.push(Lattice {
            step,
            columns: columns as usize,
            values,
            weight,
            ease: ease(step),
        });
        if step == 1 {
            break;
        }
        (step, weight) = ((step / 2).max(1), weight * 9 / 16);
    }
    let total_weight: u32 = lattices.iter().map(|lattice| lattice.weight).sum();
    let mut heights = Vec::with_capacity(spec.size.cells());
    let mut sums = vec![0_u64; width as usize];
    for y in 0..height {
        sums.fill(0);
        lattices.iter().for_each(|lattice| lattice.add_row(y, &mut sums));
        heights.extend(sums.iter().map(|&sum| (sum / u64::from(total_weight)) as u16));
    }
    heights
}

/// Lattice of random values, `step` tiles apart.
struct Lattice {
    step: u32,
    columns: usize,
    values: Vec<u16>,
    weight: u32,
    /// Interpolation weight of the next lattice value by tile offset, in 256ths.
    ease: Vec<u32>,
}

impl Lattice {
    /// Adds one row of interpolated values, multiplied by the lattice's weight.
    fn add_row(&self, y: u32, sums: &mut [u64]) {
        let first = (y / self.step) as usize * self.columns;
        let weight_y = self.ease[(y % self.step) as usize];
        let upper = &self.values[first..first + self.columns];
        let lower = &self.values[first + self.columns..first + 2 * self.columns];
        let blend = |a: u32, b: u32, weight: u32| (a * (256 - weight) + b * weight) / 256;
        let mut left = blend(upper[0].into(), lower[0].into(), weight_y);
        for (i, tiles) in sums.chunks_mut(self.step as usize).enumerate() {
            let right = blend(upper[i + 1].into(), lower[i + 1].into(), weight_y);
            for (sum, &weight_x) in tiles.iter_mut().zip(&self.ease) {
                *sum += u64::from(blend(left, right, weight_x)) * u64::from(self.weight);
            }
            left = right;
        }
    }
}

/// Returns the smoothstep curve 3 t^2 - 2 t^3 over `step` tiles, in 256ths.
fn ease(step: u32) -> Vec<u32> {
    let n = u64::from(step);
    (0..n).map(|t| (256 * t * t * (3 * n - 2 * t) / (n * n * n)) as u32).collect()
}

/// Returns the sea level: tiles of at least this height are land.
fn sea_level(heights: &[u16], spec: &ArchipelagoSpec) -> u16 {
    let mut counts = vec![0_u64; 1 << 16];
    heights.iter().for_each(|&height| counts[usize::from(height)] += 1);
    let target = heights.len() as u64 * (100 - spec.config.land) as u64 / 100;
    let (mut water, mut level) = (0, 0);
    while level < u16::MAX && water < target {
        water += counts[usize::from(level)];
        level += 1;
    }
    level
}

/// Returns half the Manhattan distance to land, rounded up, by a two-pass distance transform
/// (Rosenfeld & Pfaltz 1966).
fn magnitudes(open: &BitGrid) -> Vec<u8> {
    let size = open.size();
    let width = usize::from(size.width);
    let far = 2 * MAX_MAGNITUDE as u8;
    let mut steps: Vec<u8> =
        size.iter().map(|pos: Pos| if open.contains(pos) { far } else { 0 }).collect();
    for tile in 0..steps.len() {
        let west = if tile % width > 0 { steps[tile - 1] } else { far };
        let north = if tile >= width { steps[tile - width] } else { far };
        steps[tile] = steps[tile].min(west.min(north).saturating_add(1));
    }
    for tile in (0..steps.len()).rev() {
        let east = if tile % width + 1 < width { steps[tile + 1] } else { far };
        let south = steps.get(tile + width).copied().unwrap_or(far);
        steps[tile] = steps[tile].min(east.min(south).saturating_add(1));
    }
    steps.iter_mut().for_each(|steps| *steps = steps.div_ceil(2));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magnitude_is_half_the_distance_to_land() {
        let open = BitGrid::from_cells(Size::new(7, 1), (1..7).map(|x| Pos::new(x, 0)));
        assert_eq!(magnitudes(&open), [0, 1, 1, 2, 2, 3, 3]);
        let all_water = BitGrid::from_cells(Size::new(2, 1), [Pos::new(0, 0), Pos::new(1, 0)]);
        assert_eq!(magnitudes(&all_water), [31, 31], "without land every tile has the maximum");
    }

    #[test]
    fn output_matches_recorded_digests() {
        let digest = |config: ArchipelagoConfig, seed: u64| {
            let water = archipelago(Seed::new(seed), &config.resolve().unwrap());
            let bytes: Vec<u8> = water.size().iter().map(|pos| water.magnitude(pos)).collect();
            wayforge_core::seed::fnv1a_64(&bytes)
        };
        let default = ArchipelagoConfig::default();
        let small = ArchipelagoConfig { width: 77, height: 31, land: 55, scale: 9, detail: 12 };
        assert_eq!([digest(default, 1), digest(default, 2), digest(small, 1)], EXPECTED_DIGESTS);
    }

    const EXPECTED_DIGESTS: [u64; 3] =
        [3932001968723766202, 15456922512189454187, 7532223459507593278];

    #[test]
    fn land_ranges_from_none_to_all_and_excessive_width_is_rejected() {
        let open_count = |land| {
            let config = ArchipelagoConfig { width: 33, height: 9, land, scale: 4, detail: 1 };
            archipelago(Seed::new(3), &config.resolve().unwrap()).open_count()
        };
        assert_eq!((open_count(0), open_count(100)), (33 * 9, 0));
        let too_wide = ArchipelagoConfig { width: 20_000, ..Default::default() };
        assert_eq!(
            too_wide.resolve().unwrap_err().to_string(),
            "width = 20000: out of range; use 1 to 16384"
        );
    }
}
