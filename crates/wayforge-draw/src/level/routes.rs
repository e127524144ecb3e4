//! Witness routes as lines.

use super::Routes;
use crate::curve::Point;
use wayforge::grid::{Dir, Pos};
use wayforge::level::{Level, Mover, Witness};

/// A route as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneRoute {
    /// Who moves.
    pub mover: Mover,
    /// Which chain of the level it proves.
    pub chain: u32,
    /// Which colour of its mover it has.
    pub colour: usize,
    /// The cells, those beyond the grid left out.
    pub cells: Vec<Pos>,
    /// The stops, the start first.
    pub stops: Vec<SceneStop>,
    /// A line for each leg between two stops, by its corners: [units](crate::UNIT) from the grid's corner.
    pub legs: Vec<Vec<Point>>,
    /// Where arrows say which way the route runs.
    pub arrows: Vec<(Point, Dir)>,
}

/// Where a step of the chain is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneStop {
    /// Its place in [`SceneRoute::cells`].
    pub place: usize,
    /// The cell.
    pub pos: Pos,
    /// What is reached: a symbol or the name of a mark.
    pub name: String,
}

/// The routes of a level that are to be shown.
pub(super) fn of_level(level: &Level, routes: Routes, tile: i32, thing: i32) -> Vec<SceneRoute> {
    let lanes = Lanes { tile, thing };
    let shown = |witness: &&Witness| match routes {
        Routes::None => false,
        Routes::All => true,
        Routes::Of(mover) => level.mover(witness) == mover,
    };
    level.witness.iter().filter(shown).map(|witness| of_witness(level, witness, lanes)).collect()
}

fn of_witness(level: &Level, witness: &Witness, lanes: Lanes) -> SceneRoute {
    let (chains, size) = (level.spec.chains(), level.blueprint.size());
    let mover = level.mover(witness);
    let before = chains.iter().take(witness.chain as usize).filter(|chain| chain.mover == mover).count();
    let cells: Vec<Pos> = witness.route.iter().copied().filter(|&pos| size.contains(pos)).collect();
    let steps = chains.get(witness.chain as usize).map_or(&[][..], |chain| &chain.steps);
    let stop = |(&place, &step): (&u32, _)| {
        let place = place as usize;
        let &pos = cells.get(place)?;
        Some(SceneStop { place, pos, name: level.spec.step_name(step) })
    };
    let stops: Vec<SceneStop> = witness.reached.iter().zip(steps).filter_map(stop).collect();
    // Every leg has a lane of its own, so that legs over the same cells stay apart.
    let earlier = chains.iter().take(witness.chain as usize);
    let first: usize = earlier.map(|chain| chain.steps.len().saturating_sub(1)).sum();
    let (mut legs, mut arrows) = (Vec::new(), Vec::new());
    for (lane, pair) in (first..).zip(stops.windows(2)) {
        let leg = cells.get(pair[0].place..=pair[1].place).filter(|leg| !leg.is_empty());
        let Some(leg) = leg else { continue };
        legs.push(lanes.line(leg, lane));
        arrows.extend(lanes.arrows(leg, lane));
    }
    SceneRoute { mover, chain: witness.chain, colour: before, cells, stops, legs, arrows }
}

/// How far lanes are from the middle of the cells, in eighths of a thing.
const LANES: [i32; 5] = [0, 1, -1, 2, -2];

/// Least distance between arrows, in things.
const ARROWS_APART: i32 = 6;

/// Where routes run inside cells.
#[derive(Clone, Copy)]
struct Lanes {
    tile: i32,
    thing: i32,
}

impl Lanes {
    fn middle(self, pos: Pos) -> Point {
        let at = |place: u16| i32::from(place) * self.tile + self.tile / 2;
        Point::new(at(pos.x), at(pos.y))
    }

    /// The middle of a cell moved to a lane: in no direction of movement does a lane run into the next.
    fn moved(self, pos: Pos, lane: usize) -> Point {
        let (middle, by) = (self.middle(pos), LANES[lane % LANES.len()] * self.thing);
        Point::new(middle.x + by / 8, middle.y + by / 14)
    }

    /// The corners of a leg: from stop to stop, and between them on its lane.
    fn line(self, cells: &[Pos], lane: usize) -> Vec<Point> {
        let last = cells.len() - 1;
        let mut corners = vec![self.middle(cells[0])];
        for i in 1..last {
            let straight = Dir::between(cells[i - 1], cells[i]) == Dir::between(cells[i], cells[i + 1]);
            if i == 1 || i + 1 == last || !straight {
                corners.push(self.moved(cells[i], lane));
            }
        }
        corners.push(self.middle(cells[last]));
        corners
    }

    /// Arrows on straight parts of a leg.
    fn arrows(self, cells: &[Pos], lane: usize) -> Vec<(Point, Dir)> {
        let apart = (ARROWS_APART * self.thing / self.tile.max(1)).max(1) as usize;
        let mut arrows = Vec::new();
        let mut next = 2;
        for i in 2..cells.len().saturating_sub(2) {
            let dir = Dir::between(cells[i], cells[i + 1]);
            if let Some(dir) = dir.filter(|_| i >= next && dir == Dir::between(cells[i - 1], cells[i])) {
                arrows.push((self.moved(cells[i], lane), dir));
                next = i + apart;
            }
        }
        arrows
    }
}
