//! Witness routes as lines.

use super::Routes;
use crate::curve::Point;
use wayforge::grid::{Dir, Pos, Size};
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
pub(super) fn of_level(level: &Level, routes: Routes, tile: i32) -> Vec<SceneRoute> {
    let size = level.blueprint.size();
    let shown = |witness: &&Witness| match routes {
        Routes::None => false,
        Routes::All => true,
        Routes::Of(mover) => level.mover(witness) == mover,
    };
    level.witness.iter().filter(shown).map(|witness| of_witness(level, size, witness, tile)).collect()
}

fn of_witness(level: &Level, size: Size, witness: &Witness, tile: i32) -> SceneRoute {
    let chains = level.spec.chains();
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
        legs.push(line(leg, lane, tile));
        arrows.extend(arrows_of(leg, lane, tile));
    }
    SceneRoute { mover, chain: witness.chain, colour: before, cells, stops, legs, arrows }
}

/// How far lanes are from the middle of the cells, in eighths of a tile.
const LANES: [i32; 5] = [0, 1, -1, 2, -2];

/// Arrows stand so many cells apart, or further.
const ARROWS_APART: usize = 6;

fn middle(pos: Pos, tile: i32) -> Point {
    Point::new(i32::from(pos.x) * tile + tile / 2, i32::from(pos.y) * tile + tile / 2)
}

/// The middle of a cell moved to a lane: in no direction of movement does a lane run into the next.
fn moved(pos: Pos, lane: usize, tile: i32) -> Point {
    let (middle, by) = (middle(pos, tile), LANES[lane % LANES.len()] * tile);
    Point::new(middle.x + by / 8, middle.y + by / 14)
}

/// The corners of a leg: from stop to stop, and between them on its lane.
fn line(cells: &[Pos], lane: usize, tile: i32) -> Vec<Point> {
    let last = cells.len() - 1;
    let mut corners = vec![middle(cells[0], tile)];
    for i in 1..last {
        let straight = Dir::between(cells[i - 1], cells[i]) == Dir::between(cells[i], cells[i + 1]);
        if i == 1 || i + 1 == last || !straight {
            corners.push(moved(cells[i], lane, tile));
        }
    }
    corners.push(middle(cells[last], tile));
    corners
}

/// Arrows on straight parts of a leg.
fn arrows_of(cells: &[Pos], lane: usize, tile: i32) -> Vec<(Point, Dir)> {
    let mut arrows = Vec::new();
    let mut next = 2;
    for i in 2..cells.len().saturating_sub(2) {
        let dir = Dir::between(cells[i], cells[i + 1]);
        if let Some(dir) = dir.filter(|_| i >= next && dir == Dir::between(cells[i - 1], cells[i])) {
            arrows.push((moved(cells[i], lane, tile), dir));
            next = i + ARROWS_APART;
        }
    }
    arrows
}
