//! Witness routes as lines.

use super::Routes;
use wayforge::grid::{Pos, Size};
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
pub(super) fn of_level(level: &Level, routes: Routes) -> Vec<SceneRoute> {
    let size = level.blueprint.size();
    let shown = |witness: &&Witness| match routes {
        Routes::None => false,
        Routes::All => true,
        Routes::Of(mover) => level.mover(witness) == mover,
    };
    level.witness.iter().filter(shown).map(|witness| of_witness(level, size, witness)).collect()
}

fn of_witness(level: &Level, size: Size, witness: &Witness) -> SceneRoute {
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
    let stops = witness.reached.iter().zip(steps).filter_map(stop).collect();
    SceneRoute { mover, chain: witness.chain, colour: before, cells, stops }
}
