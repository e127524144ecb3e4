//! Generates floors from templates, and finds shortest paths by BFS.

use super::cell_set::{CellSet, RowSet, neighbours};
use super::choke::find_choke_points;
use super::config::{Budget, Config};
use super::draft::{Draft, Layout};
use super::map::{Entity, Floor, Origin, TileKind};
use super::spec::Spec;
use super::streams;
use super::task::Task;
use super::template::{Plan, Template, Variant};
use super::validate::{Validator, validate};
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{MapRng, Seed, Work};

/// Returns the floor of one variant: the transformed tiles and entities, with a shortest path.
pub(super) fn stamp(spec: &Spec, plan: &Plan, variant: Variant) -> Floor {
    let transform = |pos: Pos| variant.symmetry.apply(pos, plan.size);
    let size = variant.symmetry.size(plan.size);
    let mut tiles = vec![TileKind::Wall; size.cells()];
    for pos in plan.size.iter() {
        tiles[size.index(transform(pos))] = plan.tile(pos, variant.ends);
    }
    let entities = plan.entities.iter();
    let mut entities: Vec<Entity> =
        entities.map(|entity| Entity { pos: transform(entity.pos), ..entity.clone() }).collect();
    Entity::sort(&mut entities);
    let mut meta: Vec<_> =
        plan.meta.iter().map(|(pos, metadata)| (transform(*pos), metadata.clone())).collect();
    meta.sort_by_key(|(pos, _)| *pos);
    Floor {
        tiles,
        meta,
        entities,
        entrance: variant.entrance,
        exit: variant.exit,
        path: find_path(plan, variant.ends).into_iter().map(transform).collect(),
        origin: Origin::Template { symmetry: variant.symmetry },
        ..Floor::blank(Seed::new(0), spec)
    }
}

/// Reason why a variant of a template cannot be used.
pub(super) enum Fault {
    /// No room was found for the remaining objects of a budget.
    NoRoom(Budget),
    /// The floor breaks a rule.
    Invalid(String),
}

/// Returns the task without the objects of the template.
pub(super) fn remaining_task(plan: &Plan, task: &Task) -> Task {
    let counts =
        Budget::ALL.map(|budget| task.count(budget).saturating_sub(plan.count(budget) as u32));
    Task { counts, ..*task }
}

/// Number of attempts to place the remaining objects before a template is rejected.
const PROOF_ATTEMPTS: u32 = 64;

/// Generates the floor of one variant and `seed`, with the remaining objects on the free floor.
///
/// # Determinism
/// Stream `floor.things`.
pub(super) fn generate(
    spec: &Spec,
    plan: &Plan,
    variant: Variant,
    seed: &Seed,
    work: &Work,
) -> Floor {
    let rest = remaining_task(plan, spec.task());
    let mut validator = Validator::default();
    let stamped = stamp(spec, plan, variant);
    if rest.counts == [0; 8] {
        return stamped;
    }
    let mut rng = seed.stream(streams::OBJECTS);
    let steps = super::STEPS_PER_CELL * spec.size().cells() as u64;
    let filled = (0..spec.attempts())
        .take_while(|_| work.spend(steps))
        .filter_map(|_| add_objects(&stamped, &rest, &mut rng).ok())
        .find(|floor| validator.is_valid(floor));
    // `resolve` accepted the variant only because this call succeeds.
    filled.or_else(|| prove(spec, plan, variant, &rest, &mut validator).ok()).unwrap_or(stamped)
}

/// Returns the first valid floor of one variant with the objects of `rest`.
///
/// # Errors
/// The [`Fault`] of the last attempt.
///
/// # Determinism
/// Uses a constant seed.
pub(super) fn prove(
    spec: &Spec,
    plan: &Plan,
    variant: Variant,
    rest: &Task,
    validator: &mut Validator,
) -> Result<Floor, Fault> {
    let stamped = stamp(spec, plan, variant);
    let mut rng = MapRng::from_u64(0);
    let mut fault = Fault::Invalid("no attempt was made".to_owned());
    for _ in 0..if rest.counts == [0; 8] { 1 } else { PROOF_ATTEMPTS } {
        fault = match add_objects(&stamped, rest, &mut rng) {
            Ok(floor) if validator.is_valid(&floor) => return Ok(floor),
            Ok(floor) => {
                Fault::Invalid(validator.validate(&floor).report.violations[0].to_string())
            }
            Err(budget) => Fault::NoRoom(budget),
        };
    }
    Err(fault)
}

/// Places the remaining objects: doors on choke points, water where it disconnects nothing,
/// everything else as on carved floors.
///
/// # Errors
/// The budget that has no room.
fn add_objects(stamped: &Floor, rest: &Task, rng: &mut MapRng) -> Result<Floor, Budget> {
    let mut floor = stamped.clone();
    if rest.counts == [0; 8] {
        return Ok(floor);
    }
    let size = floor.size();
    let mut draft = Draft::<RowSet>::new(size);
    let Draft { shape, layout, path_scratch, placed, dfs_scratch, .. } = &mut draft;
    let tiles = |filter: &dyn Fn(Pos) -> bool| {
        RowSet::from_positions(shape, size.iter().filter(|&pos| filter(pos)))
    };
    path_scratch.path.extend(floor.path.iter().map(|&pos| shape.cell(pos)));
    let is_plain = |pos: Pos| floor.tile(pos) == TileKind::Floor && floor.entity(pos).is_none();
    let with_metadata = RowSet::from_positions(shape, floor.meta.iter().map(|(pos, _)| *pos));
    let mut free = tiles(&is_plain).minus(&with_metadata);
    *layout = Layout {
        open: tiles(&|pos| floor.tile(pos).is_walkable()),
        on_path: RowSet::from_positions(shape, floor.path.iter().copied()),
        entrance: shape.cell(floor.entrance),
        exit: shape.cell(floor.exit),
    };
    let mut doors = tiles(&|pos| floor.tile(pos) == TileKind::Door);
    for _ in 0..rest.count(Budget::Door) {
        let candidates = find_choke_points(shape, layout, dfs_scratch).and(&free);
        let door = candidates.minus(&doors.adjacent(shape)).choose(rng).ok_or(Budget::Door)?;
        free.remove(door);
        doors.insert(door);
        placed[Budget::Door as usize].insert(door);
    }
    let mut excluded = doors.adjacent(shape).or(&layout.on_path);
    for _ in 0..rest.count(Budget::Water) {
        let cell = loop {
            let cell = free.minus(&excluded).choose(rng).ok_or(Budget::Water)?;
            excluded.insert(cell);
            let mut without = layout.open.clone();
            without.remove(cell);
            if without.flood_fill(shape, layout.entrance).len() == without.len() {
                layout.open = without;
                break cell;
            }
        };
        free.remove(cell);
        placed[Budget::Water as usize].insert(cell);
    }
    let occupied = layout.open.minus(&free);
    let free = draft.free_tiles(rest, &occupied, rng);
    draft
        .place_on_tiles(free, rest, rng, &mut ())
        .map_err(|budget| largest_interchangeable(rest, budget))?;
    for (cells, budget) in draft.placed.iter().zip(Budget::ALL) {
        cells.for_each(|cell| floor.put(draft.shape.pos(cell), budget));
    }
    Entity::sort(&mut floor.entities);
    Ok(floor)
}

/// Returns the budget to name if there is no room for `budget`.
///
/// Items, relics and npcs use the same tiles, so the largest of the three is named.
fn largest_interchangeable(rest: &Task, budget: Budget) -> Budget {
    const INTERCHANGEABLE: [Budget; 3] = [Budget::Npc, Budget::Relic, Budget::Item];
    let largest = INTERCHANGEABLE.into_iter().max_by_key(|other| rest.count(*other));
    largest.filter(|_| INTERCHANGEABLE.contains(&budget)).unwrap_or(budget)
}

/// Returns a shortest path through the template, or an empty path if there is none.
///
/// The path is computed in the original orientation, so it does not depend on the symmetry. If some
/// shortest path avoids traps and chests, returns one with the most cells next to chests.
fn find_path(plan: &Plan, ends: [Pos; 2]) -> Vec<Pos> {
    let tile = |pos: Pos| plan.tile(pos, ends);
    let is_clear = |pos: Pos| {
        tile(pos).is_walkable() && !matches!(tile(pos), TileKind::Trap | TileKind::Chest)
    };
    let shortest = find_shortest_path(plan.size, ends, &|pos| tile(pos).is_walkable(), &|_| false);
    let beside_chest =
        |pos: Pos| neighbours(pos, plan.size).any(|next| tile(next) == TileKind::Chest);
    let clear = find_shortest_path(plan.size, ends, &is_clear, &beside_chest);
    if clear.len() == shortest.len() { clear } else { shortest }
}

/// Finds a shortest path over `open` cells with the most `preferred` cells.
///
/// Ties are resolved in the order north, east, south, west. Returns an empty path if there is none.
pub(super) fn find_shortest_path(
    size: Size,
    [from, to]: [Pos; 2],
    open: &dyn Fn(Pos) -> bool,
    preferred: &dyn Fn(Pos) -> bool,
) -> Vec<Pos> {
    // Distance to the target, and the maximum number of preferred cells on a shortest path there.
    // BFS visits cells by distance, so all closer cells are final.
    let mut best: Vec<Option<(u32, u32)>> = vec![None; size.cells()];
    best[size.index(to)] = Some((0, 0));
    let mut queue = vec![to];
    let mut head = 0;
    while let Some(&pos) = queue.get(head) {
        head += 1;
        let Some((steps, count)) = best[size.index(pos)] else { continue };
        for next in neighbours(pos, size).filter(|&next| open(next)) {
            let entry = &mut best[size.index(next)];
            let candidate = (steps + 1, count + u32::from(preferred(next)));
            match entry {
                None => {
                    *entry = Some(candidate);
                    queue.push(next);
                }
                Some(best) if best.0 == candidate.0 => best.1 = best.1.max(candidate.1),
                Some(_) => {}
            }
        }
    }
    let mut path = Vec::new();
    let mut current = Some(from).filter(|&pos| best[size.index(pos)].is_some());
    while let Some(pos) = current {
        path.push(pos);
        let steps = best[size.index(pos)].map_or(0, |(steps, _)| steps);
        let is_closer = |next: &Pos| {
            best[size.index(*next)].is_some_and(|(next_steps, _)| next_steps + 1 == steps)
        };
        let count = |next: &Pos| best[size.index(*next)].map_or(0, |(_, count)| count);
        // `max_by_key` would return the last maximum; the first one is needed.
        current = neighbours(pos, size)
            .filter(is_closer)
            .reduce(|a, b| if count(&b) > count(&a) { b } else { a });
    }
    path
}

impl Template {
    /// Checks every rule for every orientation, entrance and exit of the template.
    ///
    /// Returns one message per invalid variant; empty if the template is valid.
    pub fn lint(&self) -> Vec<String> {
        let plan = match self.plan() {
            Ok(plan) => plan,
            Err(error) => return vec![error.to_string()],
        };
        let mut sizes = vec![plan.size, Size::new(plan.size.height, plan.size.width)];
        sizes.dedup();
        let variants = sizes.into_iter().flat_map(|size| plan.variants(size));
        variants.filter_map(|variant| self.lint_variant(&plan, variant)).collect()
    }

    /// Returns the first fault of one variant.
    fn lint_variant(&self, plan: &Plan, variant: Variant) -> Option<String> {
        let size = variant.symmetry.size(plan.size);
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
        let (symmetry, from, to) = (variant.symmetry.name(), variant.entrance, variant.exit);
        Some(format!("{symmetry}, from {from} to {to}: {fault}"))
    }
}
