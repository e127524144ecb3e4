//! How often each thing stands on each cell.

use wayforge::grid::Size;
use wayforge::metric::Imprint;

/// The most columns and rows that are told apart; of larger maps, neighbouring cells are counted together.
const MAX: u16 = 64;

/// How often each thing of a family stands where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    size: Size,
    group: [u16; 2],
    planes: Vec<Vec<u64>>,
    floors: u64,
}

impl Occupancy {
    /// Nothing is counted yet of so many planes.
    pub(super) fn new(planes: usize) -> Occupancy {
        Occupancy { planes: vec![Vec::new(); planes], ..Occupancy::default() }
    }

    pub(super) fn add(&mut self, imprint: &Imprint) {
        self.take_size(imprint.size());
        self.floors += u64::from(imprint.floors());
        let columns = self.columns();
        for spot in imprint.spots() {
            let at =
                usize::from(spot.at.y / self.group[1]) * columns + usize::from(spot.at.x / self.group[0]);
            let plane = spot.plane.and_then(|plane| self.planes.get_mut(usize::from(plane)));
            if let Some(count) = plane.and_then(|plane| plane.get_mut(at)) {
                *count += 1;
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Occupancy) {
        if other.floors == 0 {
            return;
        }
        self.take_size(other.size);
        self.floors += other.floors;
        for (mine, theirs) in self.planes.iter_mut().zip(&other.planes) {
            for (sum, more) in mine.iter_mut().zip(theirs) {
                *sum += more;
            }
        }
    }

    fn take_size(&mut self, size: Size) {
        if self.floors == 0 {
            self.size = size;
            self.group = [size.width, size.height].map(|side| side.div_ceil(MAX).max(1));
            let cells = self.columns() * self.rows();
            self.planes.iter_mut().for_each(|plane| *plane = vec![0; cells]);
        }
    }

    /// Columns and rows of the maps.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many columns and rows are counted together.
    pub fn group(&self) -> [u16; 2] {
        self.group
    }

    /// How many columns there are of cells that are counted together.
    pub fn columns(&self) -> usize {
        usize::from(self.size.width.div_ceil(self.group[0].max(1)))
    }

    /// How many rows there are of cells that are counted together.
    pub fn rows(&self) -> usize {
        usize::from(self.size.height.div_ceil(self.group[1].max(1)))
    }

    /// How many maps were counted; of towers, how many floors.
    pub fn floors(&self) -> u64 {
        self.floors
    }

    /// How often a thing stands on each group of cells, in reading order.
    pub fn plane(&self, plane: usize) -> &[u64] {
        self.planes.get(plane).map_or(&[], Vec::as_slice)
    }

    /// How many cells the group at a place has: those at the edges may have fewer.
    pub fn cells_at(&self, at: usize) -> u64 {
        let columns = self.columns().max(1);
        let left = |place: usize, group: u16, side: u16| {
            u64::from(group.min(side.saturating_sub((place as u16).saturating_mul(group))))
        };
        left(at % columns, self.group[0], self.size.width)
            * left(at / columns, self.group[1], self.size.height)
    }
}
