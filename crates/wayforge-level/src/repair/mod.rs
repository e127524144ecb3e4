//! Repair: minimum removal of walls so that a level can be won.
//!
//! [`find`] is the only entry point. It returns a [`Remedy`]: the cells to turn into floor with a flag that says whether it is
//! proved that fewer would not do, or the reason why no removal helps. Repairs remove interior walls; explanations of a failed
//! generation remove terrain too.
//!
//! The problem is a node-weighted Steiner tree problem on the grid, with movers that differ, an order of places, locks and
//! one-way floors. It is NP-hard, so the work is bounded and the proof is separate from the repair. Three methods follow each
//! other; the first proved answer wins:
//!
//! 1. **Steiner tree** ([`tree`]): Dreyfus and Wagner's dynamic programme (1971) over connected components and walls ([`net`]),
//!    with 0-1 breadth-first search between merges. People and cars take their own steps; one-way floors and locks are
//!    ignored. So its cost is a lower bound if every remedy joins all places, and its tree is a remedy if the gate accepts
//!    the level without these walls. O(3^k n + 2^k m) for `k` places up to 12, `n` nodes and `m` links; at most 8 Mi entries.
//! 2. **Grown tree** ([`grow`]): the shortest-path heuristic of Takahashi and Matsuyama (1980) with Dijkstra's algorithm, for
//!    any number of places. An upper bound. O(k m log n) at worst, near O(m log n) if places lie close together.
//! 3. **Task search** ([`terrain`], [`cuts`]): every start and place that fails is a task. Cheapest routes through walls (0-1
//!    breadth-first search over cells and progress) give an upper bound, pruned wall by wall. Each failing
//!    task has cuts, of which every remedy removes a cell; disjoint cuts give a lower bound. Branch and bound over the
//!    cells of a smallest cut closes the gap, iteratively deepened, at most 600 branches. It is the only part that knows
//!    locks and one-way floors. It is skipped if too many tasks fail. O(tasks * cells) for each branch.
//!
//! Soft locks are checked last: moving floors inside them are removed, then restored one by one where possible.
//!
//! # Determinism
//! No random numbers. Ties are broken by reading order, the order of directions and the order of chains.
//!
//! # What each part buys
//! Number of answers (success, attempt, number of removed cells or proof) that change when one part is switched off, of 297
//! tight random levels that need a repair or fail (9 x 7 to 48 x 30, all wall styles and fuel modes):
//!
//! | without | changed |
//! |---|---|
//! | task search | 152 |
//! | branch and bound | 22 |
//! | restored moving floors | 7 |
//! | Steiner tree | 6 |
//! | disjoint cuts while branching | 6 |
//! | pruned routes | 5 |
//! | cuts behind the first one of a task | 3 |
//! | grown tree | 3, and levels with hundreds of places are not repaired |
//!
//! `benches/examples/tight_levels.rs` measures the parts that remain. Parts that changed fewer than 1 % were removed: dual ascent,
//! trees for movers that all step alike, trees around one-way floors, several starts and pruning of grown trees, and a second
//! order of the routes.

mod cuts;
mod grow;
mod net;
mod places;
mod terrain;
mod tree;

use crate::gate::Gate;
use crate::{Level, Remedy, Removal, Symbol, rules};
use places::Passing;
use terrain::Terrain;
use wayforge_core::grid::Pos;

/// What may be removed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Removable {
    /// Interior walls.
    Walls,
    /// Interior walls and terrain, soft locks included.
    Everything,
}

/// A part of the repair that can be switched off, to measure what it buys.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Described by the table of the module documentation.
pub enum RepairPart {
    Tree,
    GrownTree,
    Tasks,
    PrunedRoutes,
    Branching,
    Cuts,
    CutLayers,
    RestoredFloors,
}

impl RepairPart {
    /// All parts, in the order in which they work.
    pub const ALL: [RepairPart; 8] = [
        RepairPart::Tree,
        RepairPart::GrownTree,
        RepairPart::Tasks,
        RepairPart::PrunedRoutes,
        RepairPart::Branching,
        RepairPart::Cuts,
        RepairPart::CutLayers,
        RepairPart::RestoredFloors,
    ];
}

/// Grids of more cells are searched once only: proofs and further orders would take seconds.
const LARGE: usize = 200_000;

/// Finds the fewest cells whose removal makes a level valid. Pinned cells stay. `off` is a part to leave out.
///
/// Repairs leave soft locks to the gate, because removing a wall may open the path into a new one. With
/// [`Removable::Everything`] soft locks count, and the cells are removed from `level`.
pub(super) fn find(level: &mut Level, gate: &mut Gate, what: Removable, off: Option<RepairPart>) -> Remedy {
    let mut removal = match connect(level, gate, what, off) {
        Remedy::Remove(removal) if what == Removable::Everything => removal,
        other => return other,
    };
    removal.cells.iter().for_each(|pos| level.clear(*pos));
    // Walls that a repair removed before it failed by a soft lock count too.
    if !level.attempt.repaired.is_empty() {
        removal.cells.extend_from_slice(&level.attempt.repaired);
        removal.fewest = false;
    }
    if gate.pass(level).is_err() && !remove_soft_locks(level, gate, &mut removal, off) {
        return Remedy::Nothing;
    }
    Remedy::Remove(Removal { cells: sorted_set(removal.cells), ..removal })
}

/// Finds the fewest cells whose removal lets every mover reach what it must. Pinned cells stay; soft locks do not count.
fn connect(level: &Level, gate: &mut Gate, what: Removable, off: Option<RepairPart>) -> Remedy {
    let removable = |pos: Pos, symbol: Symbol| {
        let kind = symbol == Symbol::Wall || what == Removable::Everything && symbol.is_terrain();
        kind && !level.spec.pins().contains(pos)
    };
    let mut terrain = Terrain::of(level, removable, off);
    let mut bounds = join(&terrain, |cells| is_connected_without(level, gate, cells));
    let searched =
        !bounds.is_proved() && terrain.uses(RepairPart::Tasks) && terrain.find_tasks(bounds.best.is_some());
    if searched && !search_tasks(&mut terrain, &mut bounds) {
        return Remedy::Nothing;
    }
    let fewest = bounds.is_proved();
    let Some(mut cells) = bounds.best else { return Remedy::Unknown };
    cells.sort_unstable();
    let size = level.blueprint.size();
    Remedy::Remove(Removal { cells: cells.into_iter().map(|cell| size.pos(cell)).collect(), fewest })
}

/// The smallest known remedy and a lower bound on the size of any.
#[derive(Default)]
struct Bounds {
    best: Option<Vec<usize>>,
    lower: usize,
}

impl Bounds {
    fn is_proved(&self) -> bool {
        self.best.as_ref().is_some_and(|cells| cells.len() <= self.lower)
    }

    /// Takes cells over if they are fewer and `is_remedy` accepts them.
    fn offer(&mut self, cells: Option<Vec<usize>>, is_remedy: impl FnOnce(&[usize]) -> bool) {
        let fewer = |cells: &Vec<usize>| self.best.as_ref().is_none_or(|best| cells.len() < best.len());
        if let Some(cells) = cells.filter(fewer).filter(|cells| is_remedy(cells)) {
            self.best = Some(cells);
        }
    }
}

/// Bounds by trees that join everything that must be joined. They ignore one-way floors and locks; `is_remedy` checks them.
fn join(terrain: &Terrain<'_>, mut is_remedy: impl FnMut(&[usize]) -> bool) -> Bounds {
    let mut bounds = Bounds::default();
    let named = terrain.named();
    if terrain.uses(RepairPart::Tree) && named.one_exit && !terrain.opens_for_one() {
        let tree = terrain.net(Passing::Apart).join(&named);
        if named.must {
            bounds.lower = tree.as_ref().map_or(0, Vec::len);
        }
        bounds.offer(tree, &mut is_remedy);
    }
    if terrain.uses(RepairPart::GrownTree) && !bounds.is_proved() {
        bounds.offer(terrain.net(Passing::All).grow(&named), &mut is_remedy);
    }
    bounds
}

/// Improves the bounds task by task, locks and one-way floors included; false if nothing removable is in the way.
fn search_tasks(terrain: &mut Terrain<'_>, bounds: &mut Bounds) -> bool {
    if terrain.find_failing().is_none() {
        *bounds = Bounds { best: Some(Vec::new()), lower: 0 };
        return true;
    }
    let large = terrain.removable.len() > LARGE;
    let Some(routes) = cheapest_routes(terrain, large) else { return false };
    bounds.offer(Some(routes), |_| true);
    let Some(best) = &mut bounds.best else { return false };
    // Floods of large grids are expensive, so those get fewer branches.
    let mut branches = match large || !terrain.uses(RepairPart::Branching) {
        true => 0,
        false => (600_000 / terrain.removable.len()).clamp(10, 600),
    };
    while bounds.lower < best.len() {
        let mut taken = Vec::new();
        if branch(terrain, bounds.lower, &mut taken, &mut branches) {
            *best = taken;
        } else if branches == 0 {
            break;
        } else {
            bounds.lower += 1;
        }
    }
    true
}

/// Sorts items and removes repeats.
fn sorted_set<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items.dedup();
    items
}

/// True if a level is valid, soft locks aside, once some cells are removed.
fn is_connected_without(level: &Level, gate: &mut Gate, cells: &[usize]) -> bool {
    let mut level = level.clone();
    let size = level.blueprint.size();
    cells.iter().for_each(|&cell| level.clear(size.pos(cell)));
    gate.pass(&mut level).err().is_none_or(|violation| violation.rule == rules::NO_SOFT_LOCKS)
}

/// Removes moving floors inside soft locks until there are none, then restores those that need not go; false if soft locks
/// remain. Only one-way floors make soft locks: any other region can be left the way it was entered.
fn remove_soft_locks(
    level: &mut Level,
    gate: &mut Gate,
    removal: &mut Removal,
    off: Option<RepairPart>,
) -> bool {
    let mut taken: Vec<(Pos, Symbol)> = Vec::new();
    while gate.pass(level).is_err() {
        let locked = gate.soft_locked(level);
        let moving = locked.iter().map(|pos| (pos, level.blueprint.get(pos)));
        let moving =
            moving.filter(|(pos, symbol)| symbol.moves().is_some() && !level.spec.pins().contains(*pos));
        let known = taken.len();
        taken.extend(moving);
        if taken.len() == known {
            return false;
        }
        taken[known..].iter().for_each(|(pos, _)| level.blueprint.set(*pos, Symbol::Floor));
    }
    // Each restored floor takes a look at the whole level.
    const MAX_RESTORED: usize = 256;
    let mut left = if off == Some(RepairPart::RestoredFloors) { 0 } else { MAX_RESTORED };
    taken.retain(|&(pos, symbol)| {
        if left == 0 {
            return true;
        }
        level.blueprint.set(pos, symbol);
        let restored = gate.pass(level).is_ok();
        if !restored {
            left -= 1;
            level.blueprint.set(pos, Symbol::Floor);
        }
        !restored
    });
    removal.fewest = removal.cells.is_empty() && taken.len() == 1;
    removal.cells.extend(taken.into_iter().map(|(pos, _)| pos));
    true
}

/// A remedy: cheapest routes of the failing tasks one after another, then without the cells that turn out to be needless.
/// `None` if nothing removable is in the way of a task.
fn cheapest_routes(terrain: &mut Terrain<'_>, large: bool) -> Option<Vec<usize>> {
    let mut taken: Vec<usize> = Vec::new();
    while let Some(task) = terrain.find_failing() {
        let cells = terrain.cheapest_route(task).unwrap_or_default();
        if cells.is_empty() {
            terrain.restore(&taken);
            return None;
        }
        terrain.remove(&cells);
        taken.extend(cells);
    }
    let doubtful = if large || !terrain.uses(RepairPart::PrunedRoutes) { 0 } else { taken.len() };
    for i in (0..doubtful).rev() {
        terrain.restore(&taken[i..=i]);
        if terrain.find_failing().is_none() {
            taken.remove(i);
        } else {
            terrain.remove(&taken[i..=i]);
        }
    }
    terrain.restore(&taken);
    Some(taken)
}

/// Searches a remedy of at most `size` cells beyond those taken, by branching over the cells of a smallest cut.
fn branch(terrain: &mut Terrain<'_>, size: usize, taken: &mut Vec<usize>, branches: &mut usize) -> bool {
    let Some(cut) = terrain.smallest_cut() else { return true };
    if size == 0 || terrain.uses(RepairPart::Cuts) && terrain.disjoint_cuts() > size {
        return false;
    }
    for cell in cut {
        if *branches == 0 {
            return false;
        }
        *branches -= 1;
        terrain.remove(&[cell]);
        taken.push(cell);
        let found = branch(terrain, size - 1, taken, branches);
        terrain.restore(&[cell]);
        if found {
            return true;
        }
        taken.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Attempt, Blueprint, Config, Tags};
    use wayforge_core::grid::{BitGrid, Size};
    use wayforge_core::{MapRng, Seed};

    /// A level of scattered obstacles, drawn without any care for its ways.
    fn scattered(rng: &mut MapRng, json: &str, obstacles: &[Symbol]) -> Level {
        let spec = Config::from_json(json.as_bytes()).unwrap().resolve().unwrap();
        let size = spec.size();
        let mut blueprint = Blueprint::filled(size, Symbol::Floor);
        for pos in size.iter() {
            let ring = super::super::pins::ring(pos, size);
            let inside = if rng.below(2) == 0 {
                obstacles[rng.below(obstacles.len() as u32) as usize]
            } else {
                Symbol::Floor
            };
            blueprint
                .set(pos, [Symbol::Outside, Symbol::Band].get(usize::from(ring)).copied().unwrap_or(inside));
        }
        blueprint.set(Pos::new(4, 1), Symbol::Exit);
        let symbols = [Symbol::Player, Symbol::Car, Symbol::Fuel, Symbol::Flashlight];
        let mut free: Vec<Pos> =
            size.iter().filter(|pos| super::super::pins::ring(*pos, size) >= 2).collect();
        rng.shuffle(&mut free);
        symbols.into_iter().zip(free).for_each(|(symbol, pos)| blueprint.set(pos, symbol));
        Level {
            seed: Seed::new(0),
            spec,
            blueprint,
            tags: Tags {
                fall_spawn_cells: BitGrid::new(size),
                reinforced: BitGrid::new(size),
                marks: Vec::new(),
            },
            car_walkable_cells: BitGrid::default(),
            witness: Vec::new(),
            attempt: Attempt::default(),
        }
    }

    /// The size of the smallest remedy, by trying every set of removable cells.
    fn smallest(level: &Level, removable: &[Pos]) -> Option<usize> {
        let mut gate = Gate::default();
        let sets = (0..1_u32 << removable.len()).filter(|set| {
            let mut level = level.clone();
            let taken = removable.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            taken.for_each(|(_, pos)| level.blueprint.set(*pos, Symbol::Floor));
            gate.pass(&mut level).is_ok()
        });
        sets.map(|set| set.count_ones() as usize).min()
    }

    fn check(what: Removable, json: &str, obstacles: &[Symbol], rounds: u32) {
        let mut rng = MapRng::from_u64(31);
        let (mut proved, mut needed, mut hopeless) = (0, 0, 0);
        for round in 0..rounds {
            let level = scattered(&mut rng, json, obstacles);
            let may = |symbol: Symbol| {
                symbol == Symbol::Wall || what == Removable::Everything && symbol.is_terrain()
            };
            let removable: Vec<Pos> =
                Size::new(9, 7).iter().filter(|pos| may(level.blueprint.get(*pos))).collect();
            let best = smallest(&level, &removable);
            let found = connect(&level, &mut Gate::default(), what, None);
            let Remedy::Remove(removal) = found else {
                assert_eq!(best, None, "round {round}: nothing found\n{}", level.blueprint);
                hopeless += 1;
                continue;
            };
            let best = best
                .unwrap_or_else(|| panic!("round {round}: {removal:?} mends nothing\n{}", level.blueprint));
            assert!(removal.cells.iter().all(|pos| removable.contains(pos)));
            let mut mended = level.clone();
            removal.cells.iter().for_each(|pos| mended.blueprint.set(*pos, Symbol::Floor));
            assert_eq!(
                Gate::default().pass(&mut mended),
                Ok(()),
                "round {round}: {removal:?}\n{}",
                level.blueprint
            );
            if removal.fewest {
                assert_eq!(removal.cells.len(), best, "round {round}: {removal:?}\n{}", level.blueprint);
            }
            proved += u32::from(removal.fewest);
            needed += u32::from(best > 0);
        }
        assert!(proved * 10 >= (rounds - hopeless) * 9 && needed >= 40, "{proved} {needed} {hopeless}");
    }

    #[test]
    fn walls_alone_are_settled_by_as_few_as_trying_every_set() {
        let json = r#"{"width":9,"height":7,"interior_walls":"solid","exits":["top"],"flashlights":1}"#;
        check(Removable::Walls, json, &[Symbol::Wall], 300);
        check(Removable::Walls, json, &[Symbol::Wall, Symbol::Wall, Symbol::Pitfall, Symbol::Plant], 300);
    }

    #[test]
    fn anything_in_the_way_is_removed_by_as_few_as_trying_every_set() {
        let json = r#"{"width":9,"height":7,"interior_walls":"solid","exits":["top"],"flashlights":1}"#;
        let all = [Symbol::Wall, Symbol::Pitfall, Symbol::MovesNorth, Symbol::MovesWest, Symbol::MovesEast];
        check(Removable::Everything, json, &all, 300);
        let few = r#"{"width":9,"height":7,"exits":["top"],"flashlights":1,"reachable":"objectives"}"#;
        check(Removable::Everything, few, &[Symbol::Pitfall, Symbol::MovesSouth, Symbol::MovesEast], 300);
    }
}
