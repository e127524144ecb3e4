//! Placement counts by cell.

use wayforge::grid::Size;
use wayforge::metric::Placements;

/// Maximum number of columns and rows. On larger maps, neighbouring cells are merged.
const MAX_GROUPS: u16 = 64;

/// How often each object of a family is placed on each cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    size: Size,
    /// Columns and rows of cells per group.
    group: [u16; 2],
    /// Counts per kind of object and group, in row-major order.
    planes: Vec<Vec<u64>>,
    floors: u64,
}

impl Occupancy {
    /// Creates empty counts for `planes` kinds of objects.
    pub(super) fn new(planes: usize) -> Occupancy {
        Occupancy { planes: vec![Vec::new(); planes], ..Occupancy::default() }
    }

    pub(super) fn add(&mut self, placements: &Placements) {
        self.init_size(placements.size());
        self.floors += u64::from(placements.floors());
        let columns = self.columns();
        for placement in placements.as_slice() {
            let at = usize::from(placement.at.y / self.group[1]) * columns
                + usize::from(placement.at.x / self.group[0]);
            let plane = placement.plane.and_then(|plane| self.planes.get_mut(usize::from(plane)));
            if let Some(count) = plane.and_then(|plane| plane.get_mut(at)) {
                *count += 1;
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Occupancy) {
        if other.floors == 0 {
            return;
        }
        self.init_size(other.size);
        self.floors += other.floors;
        for (mine, theirs) in self.planes.iter_mut().zip(&other.planes) {
            for (sum, more) in mine.iter_mut().zip(theirs) {
                *sum += more;
            }
        }
    }

    fn init_size(&mut self, size: Size) {
        if self.floors == 0 {
            self.size = size;
            self.group = [size.width, size.height].map(|side| side.div_ceil(MAX_GROUPS).max(1));
            let cells = self.columns() * self.rows();
            self.planes.iter_mut().for_each(|plane| *plane = vec![0; cells]);
        }
    }

    /// Returns the size of the maps in cells.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of merged columns and rows per group.
    pub fn group(&self) -> [u16; 2] {
        self.group
    }

    /// Returns the number of columns of groups.
    pub fn columns(&self) -> usize {
        usize::from(self.size.width.div_ceil(self.group[0].max(1)))
    }

    /// Returns the number of rows of groups.
    pub fn rows(&self) -> usize {
        usize::from(self.size.height.div_ceil(self.group[1].max(1)))
    }

    /// Returns the number of counted maps; for towers, of counted floors.
    pub fn floors(&self) -> u64 {
        self.floors
    }

    /// Returns the counts of one kind of object per group of cells, in row-major order.
    pub fn plane(&self, plane: usize) -> &[u64] {
        self.planes.get(plane).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of cells in a group. Groups at the edges may have fewer.
    pub fn cells_in(&self, group: usize) -> u64 {
        let columns = self.columns().max(1);
        let extent = |index: usize, group: u16, side: u16| {
            u64::from(group.min(side.saturating_sub((index as u16).saturating_mul(group))))
        };
        extent(group % columns, self.group[0], self.size.width)
            * extent(group / columns, self.group[1], self.size.height)
    }
}
