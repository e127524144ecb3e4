//! What stands where on a map, whatever its family: what occupancy is counted by, and how equal maps are recognised.

use crate::grid::{Pos, Size, Symmetry};
use crate::seed::mix_64;

/// What stands where on a map. One imprint is used for many maps.
///
/// ```
/// use wayforge::floor;
/// use wayforge::metric::{FloorMeter, Imprint, Meter};
/// let floor = floor::generate(1.into(), &floor::Config::default().resolve()?)?;
/// let mut imprint = Imprint::default();
/// FloorMeter::default().imprint(&floor, &mut imprint);
/// assert_eq!(imprint.spots().len(), floor.tiles.len() + floor.entities.len());
/// let forms = imprint.forms();
/// assert!(forms.turned <= forms.mirrored && forms.mirrored <= forms.same);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Imprint {
    size: Size,
    upright: bool,
    layers: u32,
    spots: Vec<Spot>,
}

/// One thing on one cell, or a link from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The cell.
    pub at: Pos,
    /// The cell that it points at; its own if it points nowhere.
    pub toward: Pos,
    /// Which floor of a tower.
    pub layer: u32,
    /// Its place in [`Catalogue::planes`](super::Catalogue::planes); none for a link.
    pub plane: Option<u16>,
}

/// Digests of a map as it stands, as it stands or mirrored, and in whichever way it is turned.
///
/// Two maps have the same digest if they are the same, apart from what the form leaves open; that others share one is as likely as
/// that two numbers of 128 bits are equal by chance. A mirror swaps left and right. Act maps are climbed, so they are never turned; grids
/// that are not square are turned by half a circle only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Forms {
    /// Equal for equal maps.
    pub same: u128,
    /// Equal for maps that are equal or mirror images.
    pub mirrored: u128,
    /// Equal for maps that can be mirrored and turned into each other.
    pub turned: u128,
}

impl Spot {
    /// A thing on a cell.
    pub fn thing(at: Pos, plane: u16) -> Spot {
        Spot { at, toward: at, layer: 0, plane: Some(plane) }
    }
}

impl Imprint {
    /// Empties it for a map of `floors` grids of `size`. A map that is `upright` is never turned.
    pub(super) fn reset(&mut self, size: Size, floors: u32, upright: bool) {
        (self.size, self.layers, self.upright) = (size, floors, upright);
        self.spots.clear();
    }

    /// Writes something down; what lies beyond the map is left out.
    pub(super) fn put(&mut self, spot: Spot) {
        if self.size.contains(spot.at) && self.size.contains(spot.toward) {
            self.spots.push(spot);
        }
    }

    /// Columns and rows; of a tower those of one floor.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many floors the map has: one, unless it is a tower.
    pub fn floors(&self) -> u32 {
        self.layers
    }

    /// Everything that was written down.
    pub fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// The digests by which equal maps are recognised.
    ///
    /// * **Complexity.** Linear in the spots for each way to turn the map: two, four or eight.
    pub fn forms(&self) -> Forms {
        let same = self.digest(Symmetry::R0);
        let mirrored = same.min(self.digest(Symmetry::M0));
        let turns = Symmetry::ALL.into_iter().filter(|turn| {
            !self.upright && turn.size(self.size) == self.size && ![Symmetry::R0, Symmetry::M0].contains(turn)
        });
        let turned = turns.map(|turn| self.digest(turn)).fold(mirrored, u128::min);
        Forms { same, mirrored, turned }
    }

    /// A sum over all spots, so that their order does not matter.
    fn digest(&self, turn: Symmetry) -> u128 {
        const LINK: u64 = 0xffff;
        let (mut low, mut high) = (0_u64, 0_u64);
        for spot in &self.spots {
            let (at, toward) = (turn.apply(spot.at, self.size), turn.apply(spot.toward, self.size));
            // What points somewhere is told by where it points: a floor that moves north is one that moves east, turned.
            let plane = if at == toward { spot.plane.map_or(LINK, u64::from) } else { LINK };
            let place =
                [at.x, at.y, toward.x, toward.y].into_iter().fold(0, |all, n| all << 16 | u64::from(n));
            let what = plane << 32 | u64::from(spot.layer);
            let key = mix_64(place.wrapping_add(0x9e37_79b9_7f4a_7c15));
            low = low.wrapping_add(mix_64(key.wrapping_add(what.wrapping_mul(0xd134_2543_de82_ef95))));
            high = high
                .wrapping_add(mix_64(key.rotate_left(32) ^ mix_64(what.wrapping_add(0xa076_1d64_78bd_642f))));
        }
        u128::from(high) << 64 | u128::from(low)
    }
}
