//! Witness routes as polylines.

use super::Routes;
use crate::curve::Point;
use wayforge::grid::{Dir, Pos};
use wayforge::level::{Level, Mover, Witness};

/// A route as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneRoute {
    /// Mover.
    pub mover: Mover,
    /// Index of the chain that the route proves completable.
    pub chain: u32,
    /// Index of the route's colour among the colours of its mover.
    pub colour: usize,
    /// Cells from start to end, without those outside the grid.
    pub cells: Vec<Pos>,
    /// Stops in order; the first is the start.
    pub stops: Vec<SceneStop>,
    /// One polyline per leg between two stops, in [units](crate::UNIT) from the grid's corner.
    pub legs: Vec<Vec<Point>>,
    /// Positions and directions of the arrows.
    pub arrows: Vec<(Point, Dir)>,
}

/// A stop of a route: the cell where a step of the chain is completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneStop {
    /// Index into [`SceneRoute::cells`].
    pub index: usize,
    /// Cell.
    pub pos: Pos,
    /// Target of the step: a symbol or the name of a mark.
    pub name: String,
}

/// Returns the selected routes of a level.
pub(super) fn from_level(
    level: &Level,
    routes: Routes,
    tile_size: i32,
    icon_size: i32,
) -> Vec<SceneRoute> {
    let lanes = Lanes { tile_size, icon_size };
    let shown = |witness: &&Witness| match routes {
        Routes::None => false,
        Routes::All => true,
        Routes::Mover(mover) => level.mover(witness) == mover,
    };
    level.witness.iter().filter(shown).map(|witness| from_witness(level, witness, lanes)).collect()
}

fn from_witness(level: &Level, witness: &Witness, lanes: Lanes) -> SceneRoute {
    let (chains, size) = (level.spec.chains(), level.blueprint.size());
    let mover = level.mover(witness);
    let before =
        chains.iter().take(witness.chain as usize).filter(|chain| chain.mover == mover).count();
    let cells: Vec<Pos> = witness.route.iter().copied().filter(|&pos| size.contains(pos)).collect();
    let steps = chains.get(witness.chain as usize).map_or(&[][..], |chain| &chain.steps);
    let stop = |(&index, &step): (&u32, _)| {
        let index = index as usize;
        let &pos = cells.get(index)?;
        Some(SceneStop { index, pos, name: level.spec.step_name(step) })
    };
    let stops: Vec<SceneStop> = witness.reached.iter().zip(steps).filter_map(stop).collect();
    // Each leg has its own lane, so that legs over the same cells do not overlap.
    let earlier = chains.iter().take(witness.chain as usize);
    let first: usize = earlier.map(|chain| chain.steps.len().saturating_sub(1)).sum();
    let (mut legs, mut arrows) = (Vec::new(), Vec::new());
    for (lane, pair) in (first..).zip(stops.windows(2)) {
        let leg = cells.get(pair[0].index..=pair[1].index).filter(|leg| !leg.is_empty());
        let Some(leg) = leg else { continue };
        legs.push(lanes.line(leg, lane));
        arrows.extend(lanes.arrows(leg, lane));
    }
    SceneRoute { mover, chain: witness.chain, colour: before, cells, stops, legs, arrows }
}

/// Horizontal offsets of lanes from the cell centre, in eighths of an icon.
const LANE_OFFSETS: [i32; 5] = [0, 1, -1, 2, -2];

/// Distance between arrows, in icon sizes.
const ARROW_DISTANCE: i32 = 6;

/// Positions of lanes inside cells.
#[derive(Clone, Copy)]
struct Lanes {
    tile_size: i32,
    icon_size: i32,
}

impl Lanes {
    fn centre(self, pos: Pos) -> Point {
        let at = |index: u16| i32::from(index) * self.tile_size + self.tile_size / 2;
        Point::new(at(pos.x), at(pos.y))
    }

    /// Returns the cell centre shifted to a lane. The shift is diagonal, so lanes stay apart in
    /// every direction of movement.
    fn on_lane(self, pos: Pos, lane: usize) -> Point {
        let (centre, by) =
            (self.centre(pos), LANE_OFFSETS[lane % LANE_OFFSETS.len()] * self.icon_size);
        Point::new(centre.x + by / 8, centre.y + by / 14)
    }

    /// Returns the vertices of a leg, which starts and ends at cell centres and follows its lane in
    /// between.
    fn line(self, cells: &[Pos], lane: usize) -> Vec<Point> {
        let last = cells.len() - 1;
        let mut corners = vec![self.centre(cells[0])];
        for i in 1..last {
            let straight =
                Dir::between(cells[i - 1], cells[i]) == Dir::between(cells[i], cells[i + 1]);
            if i == 1 || i + 1 == last || !straight {
                corners.push(self.on_lane(cells[i], lane));
            }
        }
        corners.push(self.centre(cells[last]));
        corners
    }

    /// Returns the arrows on straight parts of a leg.
    fn arrows(self, cells: &[Pos], lane: usize) -> Vec<(Point, Dir)> {
        let distance = (ARROW_DISTANCE * self.icon_size / self.tile_size.max(1)).max(1) as usize;
        let mut arrows = Vec::new();
        let mut next = 2;
        for i in 2..cells.len().saturating_sub(2) {
            let dir = Dir::between(cells[i], cells[i + 1]);
            if let Some(dir) =
                dir.filter(|_| i >= next && dir == Dir::between(cells[i - 1], cells[i]))
            {
                arrows.push((self.on_lane(cells[i], lane), dir));
                next = i + distance;
            }
        }
        arrows
    }
}
