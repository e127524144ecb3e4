//! Seeded seas with islands, so that everything can be tried without outside maps.
//!
//! The ground is a sum of smoothed lattices of random numbers, each twice as fine and a little over half as high as the one
//! before; the lowest part of it is water. Whole numbers only: the same seed gives the same map everywhere.

use super::water::Water;
use serde::{Deserialize, Serialize};
use wayforge_core::document::{self, Document};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{ConfigError, DecodeError, Seed, Stage};

const LATTICE: Stage = Stage::named("water.lattice");

/// The name of the algorithm; its maps never change.
pub const ARCHIPELAGO: &str = "water.archipelago/1";

/// The largest magnitude of water.
const DEEPEST: u16 = 31;

/// What a person asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ArchipelagoConfig {
    /// Columns, 1 to 16,384.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16_384)))]
    pub width: i64,
    /// Rows, 1 to 16,384.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16_384)))]
    pub height: i64,
    /// Percent of the tiles that are land, 0 to 100.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub land: i64,
    /// How many tiles the largest features measure, 2 to 4,096.
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 4096)))]
    pub scale: i64,
    /// How rugged the coasts are: how many times the features are halved, 0 to 12.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 12)))]
    pub detail: i64,
}

/// A checked configuration.
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
    /// Reads JSON; what is left out has its default, unknown fields are refused.
    pub fn from_json(bytes: &[u8]) -> Result<ArchipelagoConfig, DecodeError> {
        document::parse_object(bytes)
    }

    /// Checks the configuration.
    pub fn resolve(&self) -> Result<ArchipelagoSpec, ConfigError> {
        let most = i64::from(Water::MAX_SIDE);
        let width = ConfigError::in_range("width", self.width, 1, most)? as u16;
        let height = ConfigError::in_range("height", self.height, 1, most)? as u16;
        ConfigError::in_range("land", self.land, 0, 100)?;
        ConfigError::in_range("scale", self.scale, 2, 4096)?;
        ConfigError::in_range("detail", self.detail, 0, 12)?;
        Ok(ArchipelagoSpec { config: *self, size: Size::new(width, height) })
    }
}

/// Makes the archipelago of a seed, with magnitudes: half the distance to land, rounded up, at most 31.
///
/// * **Returns.** Water on all but the highest `land` percent of the tiles, as nearly as equal heights allow.
/// * **Complexity.** Linear in the tiles, times the detail; six bytes a tile while it runs.
/// * **Determinism.** One stream, `water.lattice`: the coarsest lattice first, in reading order.
///
/// ```
/// use wayforge_core::Seed;
/// use wayforge_nav::{ArchipelagoConfig, archipelago};
/// let spec = ArchipelagoConfig { width: 120, height: 80, ..Default::default() }.resolve()?;
/// let water = archipelago(Seed::new(7), &spec);
/// assert_eq!(water, archipelago(Seed::new(7), &spec));
/// assert!(water.tiles().abs_diff(120 * 80 * 70 / 100) < 100);
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
pub fn archipelago(seed: Seed, spec: &ArchipelagoSpec) -> Water {
    let heights = heights(&seed, spec);
    let shore = shore(&heights, spec);
    let mut open = BitGrid::new(spec.size);
    let stride = open.stride();
    for (row, words) in heights.chunks(spec.size.width.into()).zip(open.words_mut().chunks_mut(stride)) {
        for (tiles, word) in row.chunks(64).zip(words) {
            *word = (0..).zip(tiles).fold(0, |set, (x, &height)| set | u64::from(height < shore) << x);
        }
    }
    drop(heights);
    Water { magnitudes: magnitudes(&open), open }
}

/// The document of an archipelago: its map is `{"rows": [...]}`, a letter a tile: `#` for land, for water its magnitude in base 32
/// (`0` to `9`, `a` to `v`). A letter a tile is meant for maps up to some thousands of tiles a side.
///
/// ```
/// use wayforge_core::Seed;
/// use wayforge_nav::{ArchipelagoConfig, archipelago_document};
/// let spec = ArchipelagoConfig { width: 12, height: 2, scale: 5, ..Default::default() }.resolve()?;
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
    let tile = |pos: Pos| match water.is_open(pos) {
        true => char::from_digit(water.magnitude(pos).into(), 32).unwrap_or('v'),
        false => '#',
    };
    let row = |y: u16| (0..spec.size.width).map(|x| tile(Pos::new(x, y))).collect();
    let rows = (0..spec.size.height).map(row).collect();
    document::seal(ARCHIPELAGO, &seed, &spec.config, &Map { rows })
}

/// The height of every tile in reading order.
fn heights(seed: &Seed, spec: &ArchipelagoSpec) -> Vec<u16> {
    let (width, height) = (u32::from(spec.size.width), u32::from(spec.size.height));
    let mut rng = seed.stream(LATTICE);
    let mut lattices = Vec::new();
    let (mut step, mut weight) = (spec.config.scale as u32, 4096_u32);
    for _ in 0..=spec.config.detail {
        let (across, down) = (width / step + 2, height / step + 2);
        let values: Vec<u16> = (0..across * down).map(|_| rng.below(1 << 16) as u16).collect();
        lattices.push(Lattice { step, across: across as usize, values, weight, ease: ease(step) });
        if step == 1 {
            break;
        }
        (step, weight) = ((step / 2).max(1), weight * 9 / 16);
    }
    let whole: u32 = lattices.iter().map(|lattice| lattice.weight).sum();
    let mut heights = Vec::with_capacity(spec.size.cells());
    let mut sums = vec![0_u64; width as usize];
    for y in 0..height {
        sums.fill(0);
        lattices.iter().for_each(|lattice| lattice.add_row(y, &mut sums));
        heights.extend(sums.iter().map(|&sum| (sum / u64::from(whole)) as u16));
    }
    heights
}

/// Random numbers `step` tiles apart.
struct Lattice {
    step: u32,
    across: usize,
    values: Vec<u16>,
    weight: u32,
    /// How far on the way from one number to the next each tile between is, in 256ths.
    ease: Vec<u32>,
}

impl Lattice {
    /// Adds a row of smoothed numbers, times the weight.
    fn add_row(&self, y: u32, sums: &mut [u64]) {
        let first = (y / self.step) as usize * self.across;
        let down = self.ease[(y % self.step) as usize];
        let upper = &self.values[first..first + self.across];
        let lower = &self.values[first + self.across..first + 2 * self.across];
        let blend = |a: u32, b: u32, part: u32| (a * (256 - part) + b * part) / 256;
        let mut left = blend(upper[0].into(), lower[0].into(), down);
        for (i, tiles) in sums.chunks_mut(self.step as usize).enumerate() {
            let right = blend(upper[i + 1].into(), lower[i + 1].into(), down);
            for (sum, &across) in tiles.iter_mut().zip(&self.ease) {
                *sum += u64::from(blend(left, right, across)) * u64::from(self.weight);
            }
            left = right;
        }
    }
}

/// The curve 3 t^2 - 2 t^3 over `step` tiles, in 256ths.
fn ease(step: u32) -> Vec<u32> {
    let n = u64::from(step);
    (0..n).map(|t| (256 * t * t * (3 * n - 2 * t) / (n * n * n)) as u32).collect()
}

/// The height at which land begins.
fn shore(heights: &[u16], spec: &ArchipelagoSpec) -> u16 {
    let mut counts = vec![0_u64; 1 << 16];
    heights.iter().for_each(|&height| counts[usize::from(height)] += 1);
    let wanted = heights.len() as u64 * (100 - spec.config.land) as u64 / 100;
    let (mut water, mut level) = (0, 0);
    while level < u16::MAX && water < wanted {
        water += counts[usize::from(level)];
        level += 1;
    }
    level
}

/// Half the distance to land in steps along rows and columns, rounded up: twice over the map, down and up again.
fn magnitudes(open: &BitGrid) -> Vec<u8> {
    let size = open.size();
    let width = usize::from(size.width);
    let far = 2 * DEEPEST as u8;
    let mut steps: Vec<u8> = size.iter().map(|pos: Pos| if open.contains(pos) { far } else { 0 }).collect();
    for at in 0..steps.len() {
        let west = if at % width > 0 { steps[at - 1] } else { far };
        let north = if at >= width { steps[at - width] } else { far };
        steps[at] = steps[at].min(west.min(north).saturating_add(1));
    }
    for at in (0..steps.len()).rev() {
        let east = if at % width + 1 < width { steps[at + 1] } else { far };
        let south = steps.get(at + width).copied().unwrap_or(far);
        steps[at] = steps[at].min(east.min(south).saturating_add(1));
    }
    steps.iter_mut().for_each(|steps| *steps = steps.div_ceil(2));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_half_the_way_to_land() {
        let open = BitGrid::of(Size::new(7, 1), (1..7).map(|x| Pos::new(x, 0)));
        assert_eq!(magnitudes(&open), [0, 1, 1, 2, 2, 3, 3]);
        let none = BitGrid::of(Size::new(2, 1), [Pos::new(0, 0), Pos::new(1, 0)]);
        assert_eq!(magnitudes(&none), [31, 31], "without land all water is deepest");
    }

    #[test]
    fn maps_are_frozen() {
        let digest = |config: ArchipelagoConfig, seed: u64| {
            let water = archipelago(Seed::new(seed), &config.resolve().unwrap());
            let bytes: Vec<u8> = water.size().iter().map(|pos| water.magnitude(pos)).collect();
            wayforge_core::seed::fnv1a_64(&bytes)
        };
        let standard = ArchipelagoConfig::default();
        let small = ArchipelagoConfig { width: 77, height: 31, land: 55, scale: 9, detail: 12 };
        assert_eq!([digest(standard, 1), digest(standard, 2), digest(small, 1)], FROZEN);
    }

    const FROZEN: [u64; 3] = [3932001968723766202, 15456922512189454187, 7532223459507593278];

    #[test]
    fn extremes_are_all_water_and_all_land() {
        let tiles = |land| {
            let config = ArchipelagoConfig { width: 33, height: 9, land, scale: 4, detail: 1 };
            archipelago(Seed::new(3), &config.resolve().unwrap()).tiles()
        };
        assert_eq!((tiles(0), tiles(100)), (33 * 9, 0));
        let wide = ArchipelagoConfig { width: 20_000, ..Default::default() };
        assert_eq!(wide.resolve().unwrap_err().to_string(), "width = 20000: out of range; use 1 to 16384");
    }
}
