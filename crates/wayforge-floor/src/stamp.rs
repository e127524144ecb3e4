//! Floors from templates.

use super::board::{Board, Rows};
use super::choke::{Tides, find_chokepoints};
use super::config::Budget;
use super::draft::Shape;
use super::error::Missed;
use super::map::{Entity, Floor, Origin, TileKind};
use super::place::{self, Placed};
use super::spec::Spec;
use super::task::Task;
use super::template::{Plan, Template, Variant};
use super::validate::Validator;
use super::{Config, Notes};
use std::sync::Arc;
use wayforge_core::grid::{Dir, Pos, Size};
use wayforge_core::{MapRng, Seed, Stage};

/// The floor of one variant: the template's tiles and entities, turned, with a shortest way.
pub(super) fn stamp(spec: &Spec, plan: &Plan, variant: Variant) -> Floor {
    let turned = |pos: Pos| variant.turn.apply(pos, plan.size);
    let size = variant.turn.size(plan.size);
    let mut tiles = vec![TileKind::Wall; size.cells()];
    for pos in plan.size.iter() {
        tiles[size.index(turned(pos))] = plan.tile(pos, variant.ends);
    }
    let mut entities: Vec<Entity> = plan
        .entities
        .iter()
        .map(|(kind, pos, data)| Entity { data: data.clone(), ..Entity::new(*kind, turned(*pos)) })
        .collect();
    Entity::sort(&mut entities);
    let mut meta: Vec<(Pos, Arc<Notes>)> =
        plan.meta.iter().map(|(pos, notes)| (turned(*pos), notes.clone())).collect();
    meta.sort_by_key(|(pos, _)| *pos);
    Floor {
        tiles,
        meta,
        entities,
        entrance: variant.entrance,
        exit: variant.exit,
        path: find_path(plan, variant.ends).into_iter().map(turned).collect(),
        origin: Origin::Template { turn: variant.turn },
        ..Floor::blank(Seed::new(0), spec)
    }
}

/// What a floor has beyond its template: the rest of the budgets.
pub(super) struct Rest(Task);

/// Why a template cannot be used.
pub(super) enum Fault {
    /// No room was found for the rest of a budget.
    Crowded(Budget),
    /// The floor breaks a rule.
    Broken(String),
}

impl Rest {
    pub(super) fn of(plan: &Plan, task: &Task) -> Rest {
        let mut rest = *task;
        for budget in Budget::ALL {
            let count = &mut rest.counts[budget as usize];
            *count = count.saturating_sub(plan.count(budget) as u32);
        }
        Rest(rest)
    }

    pub(super) fn count(&self, budget: Budget) -> u32 {
        self.0.count(budget)
    }

    fn is_empty(&self) -> bool {
        self.0.counts == [0; 8]
    }

    /// The budget to name where there is no room for `budget`. Items, relics and npcs stand on the same tiles, so the largest
    /// of them is named.
    fn blamed(&self, budget: Budget) -> Budget {
        const ALIKE: [Budget; 3] = [Budget::Npc, Budget::Relic, Budget::Item];
        let largest = ALIKE.into_iter().max_by_key(|other| self.count(*other));
        largest.filter(|_| ALIKE.contains(&budget)).unwrap_or(budget)
    }
}

/// How often the rest of the budgets is placed before a template is rejected.
const PROOF_ATTEMPTS: u32 = 64;

/// The floor of one variant and `seed`: the template, and the rest of the budgets on its free floor.
///
/// * **Determinism.** Stream `floor.things`.
pub(super) fn generate(spec: &Spec, plan: &Plan, variant: Variant, seed: &Seed) -> Floor {
    let rest = Rest::of(plan, spec.task());
    let mut judge = Validator::default();
    let stamped = stamp(spec, plan, variant);
    if rest.is_empty() {
        return stamped;
    }
    let mut rng = seed.stream(Stage::named("floor.things"));
    let filled = (0..spec.attempts())
        .filter_map(|_| add_rest(&stamped, &rest, &mut rng).ok())
        .find(|floor| judge.is_valid(floor));
    // `resolve` found this very floor.
    filled.or_else(|| prove(spec, plan, variant, &rest, &mut judge).ok()).unwrap_or(stamped)
}

/// The first valid floor of one variant, always the same one.
pub(super) fn prove(
    spec: &Spec,
    plan: &Plan,
    variant: Variant,
    rest: &Rest,
    judge: &mut Validator,
) -> Result<Floor, Fault> {
    let stamped = stamp(spec, plan, variant);
    let mut rng = MapRng::from_u64(0);
    let mut fault = None;
    for _ in 0..if rest.is_empty() { 1 } else { PROOF_ATTEMPTS } {
        match add_rest(&stamped, rest, &mut rng) {
            Ok(floor) if judge.is_valid(&floor) => return Ok(floor),
            Ok(floor) => {
                let broken = judge.judge(&floor).report.violations[0].to_string();
                fault = Some(Fault::Broken(broken));
            }
            Err(budget) => fault = Some(Fault::Crowded(budget)),
        }
    }
    Err(fault.unwrap_or_else(|| Fault::Broken("no floor".to_owned())))
}

/// Places the rest of the budgets: doors at choke points, water where nothing is cut off, everything else as on drawn floors.
///
/// * **Returns.** The budget that has no room, if one has none.
fn add_rest(stamped: &Floor, rest: &Rest, rng: &mut MapRng) -> Result<Floor, Budget> {
    let mut floor = stamped.clone();
    if rest.is_empty() {
        return Ok(floor);
    }
    let size = floor.size();
    let frame = Rows::frame(size);
    let tiles = |wanted: &dyn Fn(Pos) -> bool| Rows::of(&frame, size.iter().filter(|&pos| wanted(pos)));
    let way: Vec<u16> = floor.path.iter().map(|&pos| frame.cell(pos)).collect();
    let plain = |pos: Pos| floor.tile(pos) == TileKind::Floor && floor.entity(pos).is_none();
    let noted = Rows::of(&frame, floor.meta.iter().map(|(pos, _)| *pos));
    let mut free = tiles(&plain).minus(&noted);
    let doors = tiles(&|pos| floor.tile(pos) == TileKind::Door);
    let mut shape = Shape {
        open: tiles(&|pos| floor.tile(pos).walkable()),
        on_way: Rows::collect(&frame, &way),
        entrance: frame.cell(floor.entrance),
        exit: frame.cell(floor.exit),
    };
    let mut placed = Placed::<Rows>::empty(&frame);
    let mut tides = Tides::default();
    let mut all_doors = doors.clone();
    for _ in 0..rest.count(Budget::Door) {
        let places = find_chokepoints(&frame, &shape, &mut tides).and(&free);
        let door = places.minus(&all_doors.beside(&frame)).pick(rng).ok_or(Budget::Door)?;
        free.remove(door);
        all_doors.add(door);
        placed.0[Budget::Door as usize].add(door);
    }
    let mut dry = all_doors.beside(&frame).or(&shape.on_way);
    for _ in 0..rest.count(Budget::Water) {
        let cell = loop {
            let cell = free.minus(&dry).pick(rng).ok_or(Budget::Water)?;
            dry.add(cell);
            let mut without = shape.open.clone();
            without.remove(cell);
            if without.flood(&frame, shape.entrance).len() == without.len() {
                shape.open = without;
                break cell;
            }
        };
        free.remove(cell);
        placed.0[Budget::Water as usize].add(cell);
    }
    let occupied = shape.open.minus(&free);
    let places = place::free_tiles(&frame, &shape, &way, &rest.0, &occupied, rng);
    let narrow = place::find_narrow(&frame, &shape, &rest.0, &mut tides);
    place::place_on(&frame, places, &narrow, &rest.0, rng, &mut placed, &mut ()).map_err(|missed| {
        match missed {
            Missed::Things(budget) => rest.blamed(budget),
            Missed::Way | Missed::Room => rest.0.largest(),
        }
    })?;
    for budget in Budget::ALL {
        placed.of(budget).each(|cell| {
            let pos = frame.pos(cell);
            floor.entities.extend(budget.entity().map(|kind| Entity::new(kind, pos)));
            budget.tile().into_iter().for_each(|tile| floor.tiles[size.index(pos)] = tile);
        });
    }
    Entity::sort(&mut floor.entities);
    Ok(floor)
}

/// A shortest way through the template as it is written, so that it is the same one however it is turned: if one of them can, it keeps
/// off traps and chests, and it has as many cells beside chests as such a way can have. Empty if there is no way.
fn find_path(plan: &Plan, ends: [Pos; 2]) -> Vec<Pos> {
    let tile = |pos: Pos| plan.tile(pos, ends);
    let clear = |pos: Pos| tile(pos).walkable() && !matches!(tile(pos), TileKind::Trap | TileKind::Chest);
    let shortest = follow(plan.size, ends, &|pos| tile(pos).walkable(), &|_| false);
    let beside = |pos: Pos| {
        let near = |dir: &Dir| pos.step(*dir, plan.size).is_some_and(|next| tile(next) == TileKind::Chest);
        Dir::STRAIGHT.iter().any(near)
    };
    let kept_off = follow(plan.size, ends, &clear, &beside);
    if kept_off.len() == shortest.len() { kept_off } else { shortest }
}

/// The shortest way over `open` cells with the most `liked` ones; of equal ones that to the north, then east, south, west.
pub(super) fn follow(
    size: Size,
    [from, to]: [Pos; 2],
    open: &dyn Fn(Pos) -> bool,
    liked: &dyn Fn(Pos) -> bool,
) -> Vec<Pos> {
    // Steps to the exit, and the most liked cells on a shortest way there. A queue meets cells by their steps, so whatever is
    // nearer is done before.
    let mut best: Vec<Option<(u32, u32)>> = vec![None; size.cells()];
    let beside = |pos: Pos| Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size));
    best[size.index(to)] = Some((0, 0));
    let mut queue = vec![to];
    let mut at = 0;
    while let Some(&pos) = queue.get(at) {
        at += 1;
        let Some((steps, count)) = best[size.index(pos)] else { continue };
        for next in beside(pos).filter(|&next| open(next)) {
            let here = &mut best[size.index(next)];
            let through = (steps + 1, count + u32::from(liked(next)));
            match here {
                None => {
                    *here = Some(through);
                    queue.push(next);
                }
                Some(known) if known.0 == through.0 => known.1 = known.1.max(through.1),
                Some(_) => {}
            }
        }
    }
    let mut way = Vec::new();
    let mut here = Some(from).filter(|&pos| best[size.index(pos)].is_some());
    while let Some(pos) = here {
        way.push(pos);
        let steps = best[size.index(pos)].map_or(0, |(steps, _)| steps);
        let nearer = |next: &Pos| best[size.index(*next)].is_some_and(|(left, _)| left + 1 == steps);
        let count = |next: &Pos| best[size.index(*next)].map_or(0, |(_, count)| count);
        // The first of the best, as ties fall to the last otherwise.
        here = beside(pos).filter(nearer).reduce(|a, b| if count(&b) > count(&a) { b } else { a });
    }
    way
}

impl Template {
    /// Lints the template: every fault of every orientation, with every entrance and exit that it marks. Empty if it is sound.
    pub fn check(&self) -> Vec<String> {
        let mut faults: Vec<String> = Vec::new();
        let plan = match self.plan() {
            Ok(plan) => plan,
            Err(error) => return vec![error.to_string()],
        };
        let mut judge = Validator::default();
        for size in [plan.size, Size::new(plan.size.height, plan.size.width)] {
            let variants = plan.variants(size);
            for variant in variants {
                let config = Config {
                    template: Some(self.clone()),
                    width: Some(size.width.into()),
                    height: Some(size.height.into()),
                    entrance: Some(variant.entrance.into()),
                    exit: Some(variant.exit.into()),
                    ..Config::default()
                };
                let fault = match config.resolve() {
                    Err(error) => Some(error.problem),
                    Ok(spec) => {
                        let verdict = judge.judge(&stamp(&spec, &plan, variant));
                        verdict.report.violations.first().map(ToString::to_string)
                    }
                };
                if let Some(fault) = fault {
                    let (turn, from, to) = (variant.turn.name(), variant.entrance, variant.exit);
                    faults.push(format!("{turn}, from {from} to {to}: {fault}"));
                }
            }
            if plan.size.width == plan.size.height {
                break;
            }
        }
        faults
    }
}
