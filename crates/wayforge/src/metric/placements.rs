//! Placements: the contents of a map's cells in a form common to all families.
//!
//! Occupancy heat maps count placements; digests of placements detect duplicate maps.

use crate::grid::{Pos, Size, Symmetry};
use crate::seed::mix_64;

/// The contents of the cells of a map. The buffer is reusable for many maps.
///
/// # Examples
/// ```
/// use wayforge::floor;
/// use wayforge::metric::{FloorMeter, Placements, Meter};
/// let floor = floor::generate(1.into(), &floor::Config::default().resolve()?)?;
/// let mut placements = Placements::default();
/// FloorMeter::default().collect_placements(&floor, &mut placements);
/// assert_eq!(placements.as_slice().len(), floor.tiles.len() + floor.entities.len());
/// let digests = placements.symmetry_digests();
/// assert!(digests.rotated <= digests.mirrored && digests.mirrored <= digests.exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Placements {
    size: Size,
    shape: MapShape,
    layers: u32,
    placements: Vec<Placement>,
}

/// How the objects of a family's maps are arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapShape {
    /// Nodes in rows, joined by links. The rows have a direction, so a map is never rotated. The
    /// configuration names the kinds of nodes.
    Graph,
    /// One grid of cells.
    #[default]
    Grid,
    /// Floors above each other, each a grid of cells.
    Stack,
}

/// An object on a cell, or a link from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The cell.
    pub at: Pos,
    /// The cell that it points at; the same cell if it has no direction.
    pub toward: Pos,
    /// The floor of a tower; 0 for other maps.
    pub layer: u32,
    /// Index in [`Catalogue::planes`](super::Catalogue::planes); `None` for a link.
    pub plane: Option<u16>,
}

/// 128-bit digests of a map that are invariant under reflection or rotation.
///
/// Different maps have different digests, up to the collision probability of 128-bit hashes.
/// A reflection swaps left and right. Act maps are never rotated, and grids that are not square are
/// rotated by 180 degrees only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymmetryDigests {
    /// Equal for identical maps.
    pub exact: u128,
    /// Equal for maps that are identical up to reflection.
    pub mirrored: u128,
    /// Equal for maps that are identical up to reflection and rotation.
    pub rotated: u128,
}

impl Placement {
    /// Returns the placement of an undirected object on layer 0.
    pub fn on_cell(at: Pos, plane: u16) -> Placement {
        Placement { at, toward: at, layer: 0, plane: Some(plane) }
    }
}

impl Placements {
    /// Clears the buffer for a map of `floors` grids of `size`.
    pub(super) fn reset(&mut self, size: Size, floors: u32, shape: MapShape) {
        (self.size, self.layers, self.shape) = (size, floors, shape);
        self.placements.clear();
    }

    /// Adds a placement. Placements outside the grid are ignored.
    pub(super) fn push(&mut self, placement: Placement) {
        if self.size.contains(placement.at) && self.size.contains(placement.toward) {
            self.placements.push(placement);
        }
    }

    /// Size of the grid; for a tower, the largest sides of its floors.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Number of floors; 1 for maps other than towers.
    pub fn floors(&self) -> u32 {
        self.layers
    }

    /// All placements, in the order in which they were added.
    pub fn as_slice(&self) -> &[Placement] {
        &self.placements
    }

    /// Computes the digests for duplicate detection: minima over the digests of all symmetric
    /// images.
    ///
    /// # Complexity
    /// O(placements * symmetries), with two, four or eight symmetries.
    pub fn symmetry_digests(&self) -> SymmetryDigests {
        let exact = self.digest(Symmetry::R0);
        let mirrored = exact.min(self.digest(Symmetry::M0));
        let symmetries = Symmetry::ALL.into_iter().filter(|symmetry| {
            self.shape != MapShape::Graph
                && symmetry.size(self.size) == self.size
                && ![Symmetry::R0, Symmetry::M0].contains(symmetry)
        });
        let rotated = symmetries.map(|symmetry| self.digest(symmetry)).fold(mirrored, u128::min);
        SymmetryDigests { exact, mirrored, rotated }
    }

    /// Computes the digest of the map transformed by `symmetry`. The digest is a sum over all
    /// placements, so their order does not matter.
    fn digest(&self, symmetry: Symmetry) -> u128 {
        const LINK: u64 = 0xffff;
        let (mut low, mut high) = (0_u64, 0_u64);
        for placement in &self.placements {
            let (at, toward) = (
                symmetry.apply(placement.at, self.size),
                symmetry.apply(placement.toward, self.size),
            );
            // Directed objects are identified by their direction, not their plane: a floor that
            // moves north is one that moves east, rotated.
            let plane = if at == toward { placement.plane.map_or(LINK, u64::from) } else { LINK };
            let cells = [at.x, at.y, toward.x, toward.y]
                .into_iter()
                .fold(0, |all, n| all << 16 | u64::from(n));
            let object = plane << 32 | u64::from(placement.layer);
            let key = mix_64(cells.wrapping_add(0x9e37_79b9_7f4a_7c15));
            low = low
                .wrapping_add(mix_64(key.wrapping_add(object.wrapping_mul(0xd134_2543_de82_ef95))));
            high = high.wrapping_add(mix_64(
                key.rotate_left(32) ^ mix_64(object.wrapping_add(0xa076_1d64_78bd_642f)),
            ));
        }
        u128::from(high) << 64 | u128::from(low)
    }
}
