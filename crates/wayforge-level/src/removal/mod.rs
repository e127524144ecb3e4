//! The fewest cells whose removal makes a level whole: for repairs, and to explain failures.
//!
//! Whatever fails, some cells stand in its way: around the region that the mover can reach lies a *cut* of removable cells,
//! and every remedy takes at least one of them away. Cuts that share no cell give a lower bound, routes through walls give
//! an upper one; where they meet, the answer is proved. The cheapest [tree] over regions and walls gives both at once, and
//! where walls alone are in the way it settles the question. What is left goes to a bounded search that branches over the
//! cells of the smallest cut, which cannot miss a smaller remedy.

mod ascent;
mod cuts;
mod grow;
mod net;
mod places;
mod terrain;
mod tree;

use super::error::{Remedy, Removal};
use super::gate::Gate;
use super::map::Level;
use super::symbol::Symbol;
use super::{rules, take_away};
use net::Net;
use places::{Named, Passing};
use terrain::Terrain;
use wayforge_core::grid::Pos;

/// What may be removed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Removable {
    /// Interior walls.
    Walls,
    /// Interior walls, and whatever terrain stands in the way.
    Everything,
}

/// Grids of more cells are looked at once only: proofs and second thoughts would take seconds.
const LARGE: usize = 200_000;

/// Finds the fewest cells whose turning into plain floor lets every mover reach what it must.
///
/// Pinned cells stay. Soft locks are not looked at: removing something may open the way into a new one.
///
/// * **Complexity.** Linear in the cells for each of a bounded number of searches.
/// * **Determinism.** Cells are tried in reading order; no draw is made.
pub(super) fn find(level: &Level, gate: &mut Gate, what: Removable) -> Remedy {
    let removable = |pos: Pos, symbol: Symbol| {
        let kind = symbol == Symbol::Wall || what == Removable::Everything && symbol.is_terrain();
        kind && !level.spec.pins().is_some_and(|pins| pins.contains(pos))
    };
    let mut terrain = Terrain::of(level, removable);
    let named = terrain.named();
    let mut weighed = join(&terrain, &named, |cells| is_whole_without(level, gate, cells));
    if !weighed.is_proved() && terrain.look(weighed.best.is_some()) && !weigh(&mut terrain, &mut weighed) {
        return Remedy::Nothing;
    }
    match weighed.best {
        Some(cells) => {
            let fewest = cells.len() <= weighed.lower;
            Remedy::Remove(removal(level, cells, fewest))
        }
        None => Remedy::Unknown,
    }
}

/// The best remedy so far, and how many cells must go at the least.
struct Weighed {
    best: Option<Vec<usize>>,
    lower: usize,
}

impl Weighed {
    fn is_proved(&self) -> bool {
        self.best.as_ref().is_some_and(|cells| cells.len() <= self.lower)
    }

    /// Takes cells that are fewer, if they are a remedy.
    fn offer(&mut self, cells: Option<Vec<usize>>, whole: &mut impl FnMut(&[usize]) -> bool) {
        let fewer = |cells: &Vec<usize>| self.best.as_ref().is_none_or(|best| cells.len() < best.len());
        if let Some(cells) = cells.filter(fewer).filter(|cells| whole(cells)) {
            self.best = Some(cells);
        }
    }
}

/// Remedies that join everything that must be joined: any number of places, one-way floors and locks left out of account
/// until the gate judges.
fn join(terrain: &Terrain<'_>, named: &Named, mut whole: impl FnMut(&[usize]) -> bool) -> Weighed {
    let mut weighed = Weighed { best: None, lower: 0 };
    let any = terrain.net(Passing::Any);
    let all = terrain.net(Passing::All);
    let bound = |weighed: &mut Weighed| {
        let bound = named.nodes(&any).and_then(|(places, exits)| any.lower_bound(&places, &exits));
        weighed.lower = weighed.lower.max(bound.unwrap_or(0));
    };
    let grown = |net: &Net| named.nodes(net).and_then(|(places, exits)| net.grow(&places, &exits));
    if named.must {
        // Large tables take longer than all the rest: bounds that meet spare them.
        if !any.is_quickly_joined(named.places(Passing::Any)) {
            bound(&mut weighed);
            weighed.offer(grown(&all), &mut whole);
        }
        if weighed.is_proved() {
            return weighed;
        }
        // No tree that joins everything can be cheaper for movers that pass wherever one of them can.
        let tree = any.join(named.places(Passing::Any)).map_or(0, |tree| tree.len());
        weighed.lower = weighed.lower.max(tree);
        weighed.offer(all.join(named.places(Passing::All)), &mut whole);
        if weighed.is_proved() {
            return weighed;
        }
        bound(&mut weighed);
    }
    if named.one_exit && !terrain.opens_for_one() {
        let tree = terrain.net(Passing::Apart).join(named.places(Passing::Apart));
        if named.must {
            weighed.lower = weighed.lower.max(tree.as_ref().map_or(0, Vec::len));
        }
        weighed.offer(tree, &mut whole);
    }
    for net in [all, terrain.net(Passing::Surely)] {
        if !weighed.is_proved() {
            weighed.offer(grown(&net), &mut whole);
        }
    }
    weighed
}

/// Weighs remedies task by task where few places are cut off, with everything that holds movers up; false if nothing that
/// may be removed is in the way.
fn weigh(terrain: &mut Terrain<'_>, weighed: &mut Weighed) -> bool {
    if terrain.is_whole() {
        *weighed = Weighed { best: Some(Vec::new()), lower: 0 };
        return true;
    }
    let large = terrain.removable.len() > LARGE;
    if !large {
        weighed.lower = weighed.lower.max(terrain.disjoint_cuts());
    }
    if weighed.is_proved() {
        return true;
    }
    let Some(routes) = upper(terrain, large) else { return false };
    weighed.offer(Some(routes), &mut |_| true);
    let Some(best) = &mut weighed.best else { return false };
    // Large grids take few looks: their floods are dear.
    let mut looks = if large { 0 } else { (600_000 / terrain.removable.len()).clamp(10, 600) };
    while weighed.lower < best.len() {
        let mut taken = Vec::new();
        if branch(terrain, weighed.lower, &mut taken, &mut looks) {
            *best = taken;
        } else if looks == 0 {
            break;
        } else {
            weighed.lower += 1;
        }
    }
    true
}

/// True if a level is whole but for soft locks once some cells are gone.
fn is_whole_without(level: &Level, gate: &mut Gate, cells: &[usize]) -> bool {
    let mut level = level.clone();
    let size = level.blueprint.size();
    let cells: Vec<Pos> = cells.iter().map(|&cell| size.pos(cell)).collect();
    take_away(&mut level, &cells);
    gate.pass(&mut level).err().is_none_or(|violation| violation.rule == rules::NO_SOFT_LOCKS)
}

fn removal(level: &Level, mut cells: Vec<usize>, fewest: bool) -> Removal {
    cells.sort_unstable();
    let size = level.blueprint.size();
    Removal { cells: cells.into_iter().map(|cell| size.pos(cell)).collect(), fewest }
}

/// Goes on from a level that is whole but for soft locks: takes away the moving floors in them until there are none, then
/// gives back those that were not needed. Only one-way floors make soft locks: without them in it, a region that was
/// entered can be left the same way.
pub(super) fn without_one_way(level: &mut Level, gate: &mut Gate, so_far: Removal) -> Option<Removal> {
    let mut taken: Vec<(Pos, Symbol)> = Vec::new();
    while gate.pass(level).is_err() {
        let locked = gate.soft_locked(level);
        let pinned = |pos: &Pos| level.spec.pins().is_some_and(|pins| pins.contains(*pos));
        let moving = locked.iter().filter(|pos| level.blueprint.get(*pos).moves().is_some() && !pinned(pos));
        let found: Vec<Pos> = moving.collect();
        if found.is_empty() {
            return None;
        }
        for pos in found {
            taken.push((pos, level.blueprint.get(pos)));
            level.blueprint.set(pos, Symbol::Floor);
        }
    }
    // Giving back is tried cell by cell; more than these would take too long to be an explanation.
    const MAX: usize = 256;
    let mut i = 0;
    while i < taken.len().min(MAX) {
        let (pos, symbol) = taken[i];
        level.blueprint.set(pos, symbol);
        if gate.pass(level).is_ok() {
            taken.remove(i);
        } else {
            level.blueprint.set(pos, Symbol::Floor);
            i += 1;
        }
    }
    let fewest = so_far.cells.is_empty() && taken.len() == 1;
    let more: Vec<Pos> = taken.into_iter().map(|(pos, _)| pos).collect();
    Some(so_far.and(&more, fewest))
}

impl Removal {
    /// This removal and more cells.
    pub(super) fn and(mut self, more: &[Pos], fewest: bool) -> Removal {
        self.cells.extend_from_slice(more);
        self.cells.sort_unstable();
        self.cells.dedup();
        Removal { cells: self.cells, fewest }
    }
}

/// A remedy: the cheapest routes one after another, in several orders, without what turns out to be needless.
fn upper(terrain: &mut Terrain<'_>, large: bool) -> Option<Vec<usize>> {
    let mut best: Option<Vec<usize>> = None;
    for backward in [false, true] {
        if large && backward {
            break;
        }
        let mut taken: Vec<usize> = Vec::new();
        while let Some(cells) = terrain.cheapest_remedy(backward) {
            // An empty remedy means that nothing removable is in the way.
            if cells.is_empty() {
                terrain.restore(&taken);
                return None;
            }
            terrain.remove(&cells);
            taken.extend(cells);
        }
        let doubtful = if large { 0 } else { taken.len() };
        for i in (0..doubtful).rev() {
            terrain.restore(&taken[i..=i]);
            if terrain.is_whole() {
                taken.remove(i);
            } else {
                terrain.remove(&taken[i..=i]);
            }
        }
        terrain.restore(&taken);
        if best.as_ref().is_none_or(|best| taken.len() < best.len()) {
            best = Some(taken);
        }
    }
    best
}

/// Looks for a remedy of at most `size` cells beyond those taken.
fn branch(terrain: &mut Terrain<'_>, size: usize, taken: &mut Vec<usize>, looks: &mut usize) -> bool {
    let Some(cut) = terrain.smallest_cut() else { return true };
    if size == 0 || terrain.disjoint_cuts() > size {
        return false;
    }
    for cell in cut {
        if *looks == 0 {
            return false;
        }
        *looks -= 1;
        terrain.remove(&[cell]);
        taken.push(cell);
        if branch(terrain, size - 1, taken, looks) {
            terrain.restore(&[cell]);
            return true;
        }
        taken.pop();
        terrain.restore(&[cell]);
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
            let found = find(&level, &mut Gate::default(), what);
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
