//! Floors from templates.

use super::board::{Board, Rows, neighbours};
use super::choke::find_chokepoints;
use super::config::{Budget, Config};
use super::draft::{Draft, Shape};
use super::map::{Entity, Floor, Origin, TileKind};
use super::spec::Spec;
use super::task::Task;
use super::template::{Plan, Template, Variant};
use super::validate::{Validator, validate};
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{MapRng, Seed, Stage};

/// The floor of one variant: the template's tiles and entities, turned, with a shortest way.
pub(super) fn stamp(spec: &Spec, plan: &Plan, variant: Variant) -> Floor {
    let turned = |pos: Pos| variant.turn.apply(pos, plan.size);
    let size = variant.turn.size(plan.size);
    let mut tiles = vec![TileKind::Wall; size.cells()];
    for pos in plan.size.iter() {
        tiles[size.index(turned(pos))] = plan.tile(pos, variant.ends);
    }
    let entities = plan.entities.iter();
    let mut entities: Vec<Entity> =
        entities.map(|entity| Entity { pos: turned(entity.pos), ..entity.clone() }).collect();
    Entity::sort(&mut entities);
    let mut meta: Vec<_> = plan.meta.iter().map(|(pos, notes)| (turned(*pos), notes.clone())).collect();
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

/// Why a template cannot be used.
pub(super) enum Fault {
    /// No room was found for the rest of a budget.
    Crowded(Budget),
    /// The floor breaks a rule.
    Broken(String),
}

/// The task without what the template holds: the rest of the budgets.
pub(super) fn rest_of(plan: &Plan, task: &Task) -> Task {
    let counts = Budget::ALL.map(|budget| task.count(budget).saturating_sub(plan.count(budget) as u32));
    Task { counts, ..*task }
}

/// How often the rest of the budgets is placed before a template is rejected.
const PROOF_ATTEMPTS: u32 = 64;

/// The floor of one variant and `seed`: the template, and the rest of the budgets on its free floor.
///
/// * **Determinism.** Stream `floor.things`.
pub(super) fn generate(spec: &Spec, plan: &Plan, variant: Variant, seed: &Seed) -> Floor {
    let rest = rest_of(plan, spec.task());
    let mut validator = Validator::default();
    let stamped = stamp(spec, plan, variant);
    if rest.counts == [0; 8] {
        return stamped;
    }
    let mut rng = seed.stream(Stage::named("floor.things"));
    let filled = (0..spec.attempts())
        .filter_map(|_| add_rest(&stamped, &rest, &mut rng).ok())
        .find(|floor| validator.is_valid(floor));
    // `resolve` found this very floor.
    filled.or_else(|| prove(spec, plan, variant, &rest, &mut validator).ok()).unwrap_or(stamped)
}

/// The first valid floor of one variant with `rest` added, always the same one.
pub(super) fn prove(
    spec: &Spec,
    plan: &Plan,
    variant: Variant,
    rest: &Task,
    validator: &mut Validator,
) -> Result<Floor, Fault> {
    let stamped = stamp(spec, plan, variant);
    let mut rng = MapRng::from_u64(0);
    let mut fault = Fault::Broken("no floor".to_owned());
    for _ in 0..if rest.counts == [0; 8] { 1 } else { PROOF_ATTEMPTS } {
        fault = match add_rest(&stamped, rest, &mut rng) {
            Ok(floor) if validator.is_valid(&floor) => return Ok(floor),
            Ok(floor) => Fault::Broken(validator.judge(&floor).report.violations[0].to_string()),
            Err(budget) => Fault::Crowded(budget),
        };
    }
    Err(fault)
}

/// Places the rest of the budgets: doors at choke points, water where nothing is cut off, everything else as on drawn floors.
///
/// * **Returns.** The budget that has no room, if one has none.
fn add_rest(stamped: &Floor, rest: &Task, rng: &mut MapRng) -> Result<Floor, Budget> {
    let mut floor = stamped.clone();
    if rest.counts == [0; 8] {
        return Ok(floor);
    }
    let size = floor.size();
    let mut draft = Draft::<Rows>::new(size);
    let Draft { frame, shape, tracks, placed, tides, .. } = &mut draft;
    let tiles = |wanted: &dyn Fn(Pos) -> bool| Rows::of(frame, size.iter().filter(|&pos| wanted(pos)));
    tracks.way.extend(floor.path.iter().map(|&pos| frame.cell(pos)));
    let plain = |pos: Pos| floor.tile(pos) == TileKind::Floor && floor.entity(pos).is_none();
    let noted = Rows::of(frame, floor.meta.iter().map(|(pos, _)| *pos));
    let mut free = tiles(&plain).minus(&noted);
    *shape = Shape {
        open: tiles(&|pos| floor.tile(pos).walkable()),
        on_way: Rows::of(frame, floor.path.iter().copied()),
        entrance: frame.cell(floor.entrance),
        exit: frame.cell(floor.exit),
    };
    let mut doors = tiles(&|pos| floor.tile(pos) == TileKind::Door);
    for _ in 0..rest.count(Budget::Door) {
        let places = find_chokepoints(frame, shape, tides).and(&free);
        let door = places.minus(&doors.beside(frame)).pick(rng).ok_or(Budget::Door)?;
        free.remove(door);
        doors.add(door);
        placed[Budget::Door as usize].add(door);
    }
    let mut dry = doors.beside(frame).or(&shape.on_way);
    for _ in 0..rest.count(Budget::Water) {
        let cell = loop {
            let cell = free.minus(&dry).pick(rng).ok_or(Budget::Water)?;
            dry.add(cell);
            let mut without = shape.open.clone();
            without.remove(cell);
            if without.flood(frame, shape.entrance).len() == without.len() {
                shape.open = without;
                break cell;
            }
        };
        free.remove(cell);
        placed[Budget::Water as usize].add(cell);
    }
    let occupied = shape.open.minus(&free);
    let places = draft.free_tiles(rest, &occupied, rng);
    draft.place_on(places, rest, rng, &mut ()).map_err(|budget| blamed(rest, budget))?;
    for (things, budget) in draft.placed.iter().zip(Budget::ALL) {
        things.each(|cell| floor.put(draft.frame.pos(cell), budget));
    }
    Entity::sort(&mut floor.entities);
    Ok(floor)
}

/// The budget to name where there is no room for `budget`. Items, relics and npcs stand on the same tiles, so the largest of
/// them is named.
fn blamed(rest: &Task, budget: Budget) -> Budget {
    const ALIKE: [Budget; 3] = [Budget::Npc, Budget::Relic, Budget::Item];
    let largest = ALIKE.into_iter().max_by_key(|other| rest.count(*other));
    largest.filter(|_| ALIKE.contains(&budget)).unwrap_or(budget)
}

/// A shortest way through the template as it is written, so that it is the same one however it is turned: if one of them can, it keeps
/// off traps and chests, and it has as many cells beside chests as such a way can have. Empty if there is no way.
fn find_path(plan: &Plan, ends: [Pos; 2]) -> Vec<Pos> {
    let tile = |pos: Pos| plan.tile(pos, ends);
    let clear = |pos: Pos| tile(pos).walkable() && !matches!(tile(pos), TileKind::Trap | TileKind::Chest);
    let shortest = follow(plan.size, ends, &|pos| tile(pos).walkable(), &|_| false);
    let beside = |pos: Pos| neighbours(pos, plan.size).any(|next| tile(next) == TileKind::Chest);
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
    best[size.index(to)] = Some((0, 0));
    let mut queue = vec![to];
    let mut at = 0;
    while let Some(&pos) = queue.get(at) {
        at += 1;
        let Some((steps, count)) = best[size.index(pos)] else { continue };
        for next in neighbours(pos, size).filter(|&next| open(next)) {
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
        here = neighbours(pos, size).filter(nearer).reduce(|a, b| if count(&b) > count(&a) { b } else { a });
    }
    way
}

impl Template {
    /// Lints the template: every fault of every orientation, with every entrance and exit that it marks. Empty if it is sound.
    pub fn check(&self) -> Vec<String> {
        let plan = match self.plan() {
            Ok(plan) => plan,
            Err(error) => return vec![error.to_string()],
        };
        let mut sizes = vec![plan.size, Size::new(plan.size.height, plan.size.width)];
        sizes.dedup();
        let variants = sizes.into_iter().flat_map(|size| plan.variants(size));
        variants.filter_map(|variant| self.check_variant(&plan, variant)).collect()
    }

    /// The first fault of one variant.
    fn check_variant(&self, plan: &Plan, variant: Variant) -> Option<String> {
        let size = variant.turn.size(plan.size);
        let config = Config {
            template: Some(self.clone()),
            width: Some(size.width.into()),
            height: Some(size.height.into()),
            entrance: Some(variant.entrance.into()),
            exit: Some(variant.exit.into()),
            ..Config::default()
        };
        let fault = match config.resolve() {
            Err(error) => error.problem,
            Ok(spec) => validate(&stamp(&spec, plan, variant)).violations.first()?.to_string(),
        };
        let (turn, from, to) = (variant.turn.name(), variant.entrance, variant.exit);
        Some(format!("{turn}, from {from} to {to}: {fault}"))
    }
}
